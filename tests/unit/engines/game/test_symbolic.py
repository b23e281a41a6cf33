"""The symbolic method against the oracle, which looks at all composed states one by one."""

import random
import sys
from itertools import product

import pytest

from pigro.diagnostics import CheckError, UsageError
from pigro.engines.game.diagrams import BddManager
from pigro.engines.game.encoding import encode
from pigro.engines.game.symbolic.checking import symbolic_check
from pigro.engines.game.symbolic.evaluation import evaluated
from pigro.engines.game.symbolic.models import all_parts
from pigro.engines.game.symbolic.plan import SymbolicProblem, plan_of
from pigro.formats.smv.composing import parts_of_modules
from pigro.logic import parse
from pigro.logic.modal import modal_form
from pigro.model.composition import Composition
from pigro.model.part import PartBuilder

from oracle.mu_formula import text
from oracle.mu_semantics import values
from oracle.mu_structures import (
    composed,
    lifted,
    random_lts,
    random_parts,
    value_at_start,
)
from support.samples.symbolic_questions import part_of, question

pytest.importorskip("dd.autoref")

MAKES = ("cudd", "autoref")


@pytest.fixture(params=MAKES)
def make(request, monkeypatch):
    """With each make of the package that is there."""
    pytest.importorskip(f"dd.{request.param}")
    if request.param != "cudd":
        monkeypatch.setitem(sys.modules, "dd.cudd", None)
    return request.param


def agrees(seed, make=random_parts):
    """Ask a random question, and compare all that the answer says. Give the answer back."""
    structures, formula, form = question(seed, make)
    composition = Composition([part_of(each, f"part{i}") for i, each in enumerate(structures)])
    found = symbolic_check(composition, form)
    made = composed(structures)
    assert found.value is value_at_start(made.whole, values(made.whole, formula)), seed
    if any(operator in text(formula) for operator in ("A", "E")):
        return found  # the oracle reads CTL only where nothing is unknown
    parts = [lifted(structures, i) for i in range(len(structures))]
    alone = [values(part, formula) for part in parts]
    for part, row, answer in zip(parts, alone, found.alone, strict=False):
        assert answer is value_at_start(part, row), seed
    assert (found.decided_by is None) == (found.alone[-1] is None), seed
    if found.sizes:
        known = [{row[s] for row, s in zip(alone, each, strict=True)} for each in made.tuples]
        sizes = found.sizes[form.root]
        assert sizes.true == sum(True in each for each in known), seed
        assert sizes.false == sum(False in each for each in known), seed
        assert sizes.unknown == sum(each == {None} for each in known), seed
        assert {one.true + one.false + one.unknown for one in found.sizes} == {len(made.tuples)}
    return found


@pytest.mark.parametrize("first", range(0, 300, 50))
def test_random_questions(first):
    answers = [agrees(seed) for seed in range(first, first + 50)]
    assert {answer.value for answer in answers} == {True, False, None}
    assert any(answer.second_step for answer in answers)


def test_both_makes_agree(make):
    for seed in range(300, 320):
        assert agrees(seed).package == make


def counter(name, size, *, joint=False, stay=True):
    """Counts round and round, or stays. Labels say where it starts and ends."""
    labels = [f"zero {name}", f"end {name}", *["end"] * joint]
    part = PartBuilder(name, list(labels))
    for i in range(size):
        at_end = [labels[1], *labels[2:]] if i == size - 1 else []
        part.state(str(i), *[labels[0]] * (i == 0), *at_end, initial=i == 0)
        part.step(str(i), str((i + 1) % size))
        if stay:
            part.step(str(i), str(i))
    return part.build()


def check(parts, formula, **options):
    return symbolic_check(Composition(parts), modal_form(parse(formula)), **options)


def rounds_without_parts(parts, formula):
    """Rounds of fixpoints on concrete parts at once, without what each knows alone."""
    form = modal_form(parse(formula))
    space = encode(Composition(parts), form.atoms, lambda: None, 1 << 30)
    problem = SymbolicProblem(form, plan_of(form), space, lambda: None)
    return evaluated(problem, all_parts(problem), None, sense=True)[1]


def test_part_decides_alone(make):
    parts = [counter("a", 10), counter("b", 300), counter("c", 300)]
    found = check(parts, 'AG !("zero b" & "end b")')
    assert (found.value, found.alone, found.decided_by) == (True, (None, True), 1)
    assert (found.second_step, found.sizes, found.rounds) == (False, (), 0)


def test_only_what_is_needed_is_asked_again():
    parts = [counter("a", 100, stay=False), counter("b", 100, stay=False)]
    text = 'AG ("end a" -> "end b")'
    found = check(parts, text)
    assert (found.value, found.alone, found.second_step) == (True, (None, None), True)
    assert found.sizes[-1].unknown == 10_000
    assert found.sizes[-1].relevant == 100
    assert found.rounds == 1
    assert rounds_without_parts(parts, text) == 101


def test_known_states_are_a_start():
    """A part that is past its end knows the answer for all others."""
    trap = PartBuilder("trap", ["good"])
    for i in range(50):
        trap.state(str(i), *["good"] * (i > 0), initial=i == 0).step(str(i), str(min(i + 1, 49)))
    parts = [trap.build(), counter("b", 7)]
    found = check(parts, "<> AG good")
    assert found.value is True
    assert found.sizes[-2].true == 49 * 7
    assert found.rounds < rounds_without_parts(parts, "<> AG good")


def test_parts_decide_different_initial_states():
    """Each of two parts knows one of two initial states. Together they know all."""
    left = (
        PartBuilder("left", ["j", "p"]).state("s", "j", "p", initial=True).state("t", initial=True)
    )
    right = (
        PartBuilder("right", ["j", "q"]).state("u", "j", initial=True).state("v", "q", initial=True)
    )
    found = check([left.build(), right.build()], "p | q")
    assert (found.value, found.alone, found.decided_by) == (True, (None, None), None)
    assert (found.second_step, found.rounds) == (False, 0)


def test_million_states_in_few_nodes():
    found = check([counter(name, 100, joint=True) for name in "abc"], 'EF "end a" & EF !end')
    assert found.value is True
    assert found.sizes[-1].true + found.sizes[-1].false + found.sizes[-1].unknown == 99**3 + 1
    assert found.nodes < 100_000


def test_where_a_joint_label_is_unknown_the_composed_state_may_be_missing():
    """One part can be finished so that the label is true, and the other so that it is false."""
    parts = [
        PartBuilder(name, ["j"])
        .state("known", "j", initial=True)
        .state("unknown", unknown=["j"])
        .step("known", "unknown")
        .build()
        for name in ("left", "right")
    ]
    assert check(parts, "<> true").value is None
    assert check(parts, "<> j").value is None
    assert check(parts, "[] (j | !j)").value is None
    assert check(parts, "<> [] false").value is None
    assert check(parts, "[] [] false").value is True


def test_label_that_no_part_sees_is_false():
    parts = [counter("a", 3), counter("b", 3)]
    assert check(parts, "nowhere").value is False
    assert check(parts, "AG !nowhere").value is True


@pytest.mark.parametrize(
    "formula", ["nu X. mu Y. <> Y | (p & <> X)", "mu X. mu Y. p | <> X | <> Y", "<a> p"]
)
def test_refused_formulas(formula):
    with pytest.raises(CheckError) as caught:
        check([counter("a", 2)], formula)
    assert caught.value.code == "P409"
    assert caught.value.hint


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_random_parts_with_actions(first):
    """Against the definition, as with labels: the whole, each part alone, and who decided."""
    answers = [agrees(seed, random_lts) for seed in range(first, first + 50)]
    assert {True, False} <= {answer.value for answer in answers}
    assert any(answer.second_step for answer in answers)


def test_an_action_that_the_others_do_not_have_is_sure():
    part = PartBuilder("m", actions=["a"]).state("s", initial=True).step("s", "s", "a").build()
    other = PartBuilder("n", actions=["b"]).state("t", initial=True).build()
    assert check([part, other], "<a> true").decided_by == 0
    assert check([part, other], "<b> true").value is False
    assert check([part, other], "nu Z. <> true & [] Z").value is True


def test_no_package(monkeypatch):
    for name in MAKES:
        monkeypatch.setitem(sys.modules, f"dd.{name}", None)
    with pytest.raises(UsageError) as caught:
        check([counter("a", 2)], "true")
    assert caught.value.code == "P011"
    assert "'.[bdd]'" in caught.value.hint


def test_tick_may_raise():
    calls = []

    def tick():
        calls.append(1)
        if len(calls) > 40:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        check([counter("a", 50), counter("b", 50)], 'EF ("end a" & "end b")', tick=tick)


def test_diagrams_of_codes_and_counts(make):
    """Also where there are too many for floating-point numbers."""
    diagrams = BddManager(lambda: None)
    names = [f"x{i}" for i in range(6)]
    diagrams.declare([(name, f"{name}'") for name in names])
    rng = random.Random(0)
    for _ in range(50):
        codes = rng.sample(range(64), rng.randint(0, 64))
        diagram = diagrams.of_codes(codes, names)
        assert diagrams.count(diagram, 6) == len(codes)
        assert diagrams.count(~diagram, 6) == 64 - len(codes)
        assert diagrams.count(diagram, 106) == len(codes) << 100
        assert diagrams.count(~diagram, 106) == (64 - len(codes)) << 100
    assert [diagrams.count(one, 100) for one in (diagrams.false, diagrams.true)] == [0, 1 << 100]


def test_joint_labels_in_any_order(make):
    """Parts may list their labels as they like."""
    for order in product(("xyz", "zyx", "yxz"), repeat=2):
        parts = []
        for name, labels in zip("ab", order, strict=True):
            part = PartBuilder(name, list(labels))
            for i in range(8):
                on = [label for bit, label in enumerate("xyz") if i >> bit & 1]
                part.state(str(i), *on, initial=i == 0).step(str(i), str((i + 3) % 8))
            parts.append(part.build())
        found = check(parts, "EF (x & !y & z) & AG AF (x & y & z)")
        assert found.value is True


def test_diagrams_that_grow_too_large_end_the_check():
    pytest.importorskip("dd.cudd")
    text_of_file = (
        "MODULE main VAR a : unsigned word[12]; b : unsigned word[12]; c : unsigned word[12];"
        " ASSIGN next(c) := a * b + c; next(a) := b * c;"
    )
    parts = parts_of_modules(text_of_file.encode(), source="product.smv").parts
    form = modal_form(parse('AG EF "c = 77"'))
    ticks = []
    with pytest.raises(MemoryError):
        symbolic_check(Composition(parts), form, tick=lambda: ticks.append(1), most=1 << 25)
    assert len(ticks) > 10
