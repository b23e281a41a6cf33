"""Files of the size that static analysis has: no quadratic work."""

import gc
import sys
import time
from types import SimpleNamespace

import pytest

import pigro
from benchmarks.generators.modules import control_flow
from pigro.engines.onthefly.computed import decide_computed
from pigro.formats import smv
from pigro.formats.smv.instances import ModuleTree
from pigro.limits import OutOfTime


@pytest.fixture(scope="module")
def large():
    return control_flow().encode()


def test_five_thousand_states_and_four_and_a_half_thousand_formulas(large):
    begin = time.process_time()
    document = smv.SmvDocument(large)
    model = document.model()
    asked = document.requirements(model)
    loaded = time.process_time() - begin
    verdicts = list(pigro.check_all(model, [each.formula for each in asked], engine="demand"))
    checked = time.process_time() - begin - loaded
    print(f"load {loaded:.2f} s, check {checked:.2f} s")
    assert model.statistics.nodes == 5000
    assert len(verdicts) == 4500
    assert 500 < sum(verdict.holds for verdict in verdicts) < 4000
    assert loaded < 60
    assert checked < 30  # about 0.3 s alone on a machine of 2024


@pytest.mark.long
def test_eight_times_the_states_take_about_eight_times_as_long():
    """Far from 64 times. Garbage collection, which comes when it likes, is left out."""

    def seconds(states):
        text = control_flow(states, states, states // 3).encode()
        begin = time.process_time()
        smv.read(text)
        return time.process_time() - begin

    gc.disable()
    try:
        small, large = min(seconds(2000) for _ in range(3)), min(seconds(16000) for _ in range(2))
    finally:
        gc.enable()
    assert large < 32 * small


def test_conditions_on_two_variables_are_looked_up_too():
    """`state = s & input = i`: only the branches of the current state are tried."""
    states = 1000
    branches = "".join(
        f"state = {i} & input = {j} : {(i * 7 + j) % states}; "
        for i in range(states)
        for j in range(3)
    )
    text = (
        f"MODULE main VAR state : 0..{states - 1}; input : 0..2; "
        f"ASSIGN init(state) := 0; next(state) := case {branches} esac; SPEC AG EF state = 1"
    )
    begin = time.process_time()
    model = smv.read(text.encode())
    assert time.process_time() - begin < 60
    assert model.statistics.nodes == 3000


NUMBERED = "MODULE main VAR x : 0..{last}; DEFINE {defines} ASSIGN init(x) := 0; next(x) := case {case} esac; {asked}"


def written(states, condition):
    """A circle of states whose branches and formulas compare in this way."""
    return NUMBERED.format(
        last=states - 1,
        defines=" ".join(f"k{i} := {i};" for i in range(states)),
        case=" ".join(f"{condition.format(i)} : {(i + 1) % states};" for i in range(states)),
        asked=" ".join(f"SPEC AG EF {condition.format(i)}" for i in range(states)),
    ).encode()


def lines_run(work):
    """How many lines of the reader ran."""
    count = 0

    def line(frame, event, _):
        nonlocal count
        count += event == "line"
        return line

    before = sys.gettrace()
    sys.settrace(lambda frame, *_: line if "smv" in frame.f_code.co_filename else None)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def lines_for(*size):
    """The lines that run to load a file of so many states, formulas and labels."""
    text = control_flow(*size).encode()

    def load():
        document = smv.SmvDocument(text)
        assert len(document.requirements(document.model())) == size[1]

    return lines_run(load)


def test_a_formula_costs_few_lines_of_the_reader():
    """Tokens, operators and the formula over labels are the native core's work."""
    small, large = lines_for(100, 100, 30), lines_for(100, 600, 30)
    assert large - small < 90 * 500


def test_a_branch_costs_few_lines_of_the_reader():
    small, large = lines_for(100, 10, 10), lines_for(600, 10, 10)
    assert large - small < 90 * 500


@pytest.mark.parametrize("condition", ["x = {} + 0", "x = k{}"])
def test_four_times_the_branches_are_four_times_the_work(condition):
    def load(states):
        document = smv.SmvDocument(written(states, condition))
        assert len(document.requirements(document.model())) == states

    small, large = (lines_run(lambda size=size: load(size)) for size in (250, 1000))
    assert large < 4.5 * small


@pytest.mark.parametrize("condition", ["x = {} + 0", "x = k{}"])
def test_constants_are_folded_before_cases_are_indexed(condition):
    """Each branch is a comparison with a constant, as if the number itself stood there."""
    plain, folded = (
        len(smv.SmvDocument(written(100, each)).components["main"].compiler.reads)
        for each in ("x = {}", condition)
    )
    assert folded == plain


LARGE = b"""MODULE main
VAR x : 0..9999; y : 0..9999;
ASSIGN init(x) := 0; init(y) := 0; next(x) := {x, (x + 1) mod 10000};
  next(y) := case x = 99 : (y + 1) mod 10000; TRUE : y; esac;
SPEC AG EF x = 0
"""


def searched(model, look):
    asked = model.document.formula("AG EF x = 0")
    decide_computed(model, False, asked, SimpleNamespace(look=look))


WAYS = {
    "listed": lambda model, look: model.listed(look),
    "few": lambda model, look: model.few(poll=look),
    "searched": searched,
}


class Enough(Exception):
    """Ends the listing."""


@pytest.mark.parametrize("way", WAYS)
def test_the_work_on_states_can_be_ended(way):
    """There are 10^8 states: nothing returns before the third look ends it."""
    looks = []

    def look(*_):
        looks.append(way)
        if len(looks) > 3:
            raise Enough

    model = smv.SmvDocument(LARGE).model()
    with pytest.raises(Enough):
        WAYS[way](model, look)
    assert len(looks) == 4


EQUATIONS = b"""MODULE main
VAR x : 0..1000000000; y : 0..1000000000; w : word[64];
INIT x = 5 & w = 0ud64_18446744073709551615
INVAR y = 2 * x
TRANS (x + 7) mod 1000 = next(x) & next(w) = w
SPEC AG (x < 1000 & y < 2000)
"""


def test_constraints_that_are_equations_are_not_tried_value_by_value():
    """There are 10^9 values to try."""
    begin = time.process_time()
    model = smv.SmvDocument(EQUATIONS).model()
    assert model.listed().core.declared_nodes == 1000
    assert time.process_time() - begin < 60


def test_an_equation_that_leads_out_of_a_type_allows_no_step():
    """It is a constraint: no value is assigned. What can't be computed is left to others."""
    text = (
        "MODULE main VAR x : 0..9; y : 0..9; INIT x = 8 & y = 0 "
        "TRANS next(x) = x + 1 TRANS next(x) != 9 | next(y) = 3 "
        "TRANS next(x) < 9 -> next(y) = 10 / (next(x) - 8)"
    )
    core = smv.SmvDocument(text.encode()).parts["main"].space.core
    assert (len(core), core.dead_ends) == (2, 1)


WITH_DEAD_END = b"""MODULE main
VAR stopped : boolean; x : 0..9999; y : 0..9999;
INIT x = 0 & y = 0
TRANS !stopped & next(x) = (x + 1) mod 10000
TRANS next(y) = (x = 99 ? (y + 1) mod 10000 : y)
SPEC AG (stopped | EX TRUE)
"""


def test_a_dead_end_that_was_seen_before_the_end_is_told():
    looks = []

    def look(*_):
        looks.append(1)
        if len(looks) > 20:
            raise OutOfTime("time limit of 1 s")

    document = smv.SmvDocument(WITH_DEAD_END)
    model = document.model()
    asked = document.requirements(model)[0].formula
    budget = SimpleNamespace(look=look, why_none=str)
    found = decide_computed(model, False, asked, budget)
    assert (list(found.truths), found.gave_up) == ([None], "time limit of 1 s")
    assert "no successor" in found.note


def test_a_bound_works_out_each_definition_once(monkeypatch):
    looked_up = []
    look_up = ModuleTree.look_up

    def counted(self, instance, name):
        looked_up.append(name)
        return look_up(self, instance, name)

    monkeypatch.setattr(ModuleTree, "look_up", counted)
    defines = "".join(f"d{i + 1} := d{i} - d{i} + 1; " for i in range(18))
    text = f"MODULE main VAR x : 0..d18; DEFINE d0 := 1; {defines} CTLSPEC EF x = 1"
    assert smv.read(text.encode()).statistics.nodes == 2
    counts = {looked_up.count(f"d{i}") for i in range(18)}
    assert counts == {4}  # two uses in the bound, and two when the definitions are compiled
