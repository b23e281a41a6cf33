"""Evidence for LTL and CTL*: what it is made of, that it replays, and what replays refuse."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from pigro.evidence import (
    Path,
    RunEvidence,
    State,
    WrongEvidence,
    holds_on,
    replay_run,
    run_evidence,
)
from pigro.evidence.run.runs import NotShown, tidy
from pigro.evidence.states import Steps
from pigro.logic import Op, parse

from oracle.notation import machine_from
from oracle.star_formula import random_star, to_text
from oracle.star_questions import FORMULAS
from oracle.star_structures import all_structures, random_structure, structure_from
from support.agreement.ctl import as_model
from support.judges.star_decider import OracleDecider
from support.selection.cases import FEW_CASES, START, number_of_cases

EACH = number_of_cases("PIGRO_RUN_CASES", 25, least=5)
"""Formulas of each small structure."""
RANDOM = number_of_cases("PIGRO_RUN_CASES", 1000)

FAIR = structure_from("0 > 0 1; 1:p > 0 2; 2:q > 0")
LEAVE = structure_from("0:p > 0 1; 1 > 2; 2:p > 2")
END = structure_from("0:p > 1; 1:p", "stop")


class Case:
    """A structure, a formula, and the evidence, which replays."""

    def __init__(self, structure, text, *, cut=False):
        self.formula = parse(text)
        self.decider = OracleDecider(structure, self.formula, cut=cut)
        self.model, self.holds = self.decider.model, self.decider.holds
        self.decider.asked.clear()
        self.evidence = run_evidence(self.model, self.formula, self.decider.start, self.decider)
        self.asked = list(self.decider.asked)
        self.replay(self.evidence)

    def replay(self, evidence, decide=None):
        decide = decide or self.decider.value
        replay_run(self.model, self.formula, self.holds, evidence, decide)

    def refuse(self, problem, evidence, decide=None):
        with pytest.raises(WrongEvidence, match=problem):
            self.replay(evidence, decide)

    def states(self, *numbers):
        return tuple(State((), self.decider.nodes[number]) for number in numbers)

    def path(self, at=None):
        path = (at or self.evidence).path
        return [self.decider.nodes.index(each.node) for each in path.states], path.ends, path.start

    def node(self, text):
        """The number of a subformula."""
        return [str(parse(to_text(each))) for each in self.decider.parts].index(text)


# --- what there is ----------------------------------------------------------------------------------


def test_a_bare_path_formula_that_fails():
    case = Case(FAIR, "G F q")
    assert (case.holds, case.evidence.kind, case.evidence.truth) == (False, "run", False)
    assert case.evidence.part == len(case.formula) - 1
    assert case.path() == ([0], "loop", 0)
    assert case.evidence.facts == ()


def test_a_run_for_some():
    case = Case(FAIR, "E [G F p & G F q]")
    assert (case.holds, case.evidence.kind, case.evidence.truth) == (True, "run", True)
    assert case.path() == ([0, 1, 2], "loop", 0)


def test_what_holds_on_all_runs_is_a_claim():
    case = Case(LEAVE, "F G p")
    assert case.evidence == RunEvidence(len(case.formula) - 1, True, case.decider.start, "claim")
    case = Case(LEAVE, "E [G !p]")
    assert (case.evidence.kind, case.evidence.truth) == ("claim", False)


def test_a_bad_prefix():
    case = Case(LEAVE, "p & X X p & X G p", cut=True)
    assert case.path() == ([0, 1], "here", None)


def test_where_a_run_ends():
    case = Case(END, "F X X p")
    assert case.holds is True
    case = Case(END, "E [F (p & X X p)]")
    assert case.holds is False
    case = Case(END, "G F !p")
    assert case.path() == ([0, 1], "stays", None)


def test_booleans_are_decided_by_parts():
    case = Case(FAIR, "A [G F q] | E [G F q] & !p")
    root = case.evidence
    assert (root.kind, root.truth) == ("boolean", True)
    assert [(each.kind, each.truth) for each in root.parts] == [("run", True), ("label", False)]


def test_labels_that_decide_save_a_search():
    case = Case(FAIR, "A [G F q] -> !p")
    [label] = case.evidence.parts
    assert label.kind == "label"
    assert case.asked == []


def test_the_other_operand_is_not_asked_for():
    case = Case(FAIR, "A [G F q] & E [F G q]")
    [run] = case.evidence.parts
    assert (run.kind, run.part) == ("run", case.node("A [G F q]"))
    assert {node for node, _ in case.asked} == {run.part}


@pytest.mark.parametrize("text", ["A [G F q] xor E [G F q]", "E [G F q] <-> A [G F q]"])
def test_both_operands_decide(text):
    kinds = [each.kind for each in Case(FAIR, text).evidence.parts]
    assert kinds == ["run", "run"]


def test_facts():
    """Where p holds, it matters whether q may come next. Elsewhere not."""
    case = Case(FAIR, "G (p -> !E [X q & X F p])")
    assert case.path() == ([0, 1, 0], "loop", 0) or case.path()[0][:2] == [0, 1]
    [(node, truths)] = case.evidence.facts
    assert node == case.node("E [X q & X F p]")
    assert truths[:2] == (None, True)
    assert set(truths[2:]) <= {None, True}


def test_a_quantifier_over_a_state_formula():
    case = Case(FAIR, "A [p | q]")
    assert case.path() == ([0], "loop", 0)
    case = Case(FAIR, "E [!p] & X true")
    assert case.evidence.kind == "claim"


def test_constants_are_labels():
    case = Case(FAIR, "false & A [G F q]")
    [label] = case.evidence.parts
    assert (label.kind, label.truth) == ("label", False)


@pytest.mark.parametrize(
    "before, loop, states, start",
    [
        ("0", "0", "0", 0),
        ("01", "01", "01", 0),
        ("01", "0101", "01", 0),
        ("", "0101", "01", 0),
        ("010", "1010", "01", 0),
        ("0", "0120", "0012", 0),
        ("00", "012", "00012", 2),
        ("0012", "012012", "0012", 1),
    ],
)
def test_runs_are_told_in_as_few_states_as_can_be(before, loop, states, start):
    case = Case(FAIR, "G F q")
    numbers = [int(each) for each in before + loop]
    path = tidy(Steps(case.model), Path(case.states(*numbers), "loop", len(before)))
    told = "".join(str(case.decider.nodes.index(each.node)) for each in path.states)
    assert (told, path.ends, path.start) == (states, "loop", start)


def test_a_loop_without_another_way_stays():
    case = Case(LEAVE, "A [G F !p]")
    path = Path(case.states(0, 1, 2, 2, 2), "loop", 3)
    assert tidy(Steps(case.model), path) == Path(case.states(0, 1, 2), "stays")


# --- all small structures, and random ones ----------------------------------------------------------


@pytest.mark.random
@pytest.mark.parametrize("cut", [False, True], ids=["whole", "cut"])
@pytest.mark.parametrize("dead_ends", ["stutter", "stop"])
def test_small_structures(dead_ends, cut):
    texts = [text for each in FORMULAS if not parse(text := to_text(each)).is_ctl]
    rng = Random(3 + START)
    for structure in [*all_structures(1, ("p", "q"), dead_ends), *two_states(dead_ends)]:
        for text in rng.sample(texts, EACH):
            Case(structure, text, cut=cut)


def two_states(dead_ends):
    return list(all_structures(2, ("p", "q"), dead_ends))


@pytest.mark.random
def test_random_structures():
    rng = Random(4 + START)
    kinds = set()
    for _ in range(RANDOM):
        structure = random_structure(rng, 4, ("p", "q"))
        text = to_text(random_star(rng, ("p", "q"), rng.randint(2, 5)))
        if not parse(text).is_ctl:
            try:
                case = Case(structure, text, cut=rng.random() < 0.5)
            except AssertionError as error:
                assert "no short run" in str(error)
                continue
            kinds.add((case.evidence.kind, case.evidence.path and case.evidence.path.ends))
    assert (
        FEW_CASES or {("run", "loop"), ("run", "stays"), ("run", "here"), ("claim", None)} <= kinds
    )


# --- what is refused --------------------------------------------------------------------------------


@pytest.fixture
def run():
    """0 1 2 and again: p, q, and whether all goes on."""
    return Case(FAIR, "E [G F p & G F (q & E [X F q])]")


@pytest.fixture
def boolean():
    return Case(FAIR, "A [G F q] | E [G F q] & !p")


def test_elsewhere(run):
    elsewhere = replace(run.evidence, state=run.states(1)[0])
    run.refuse("does not start at an initial node", elsewhere)
    inside = State((0,), run.decider.nodes[0])
    run.refuse("does not start at an initial node", replace(run.evidence, state=inside))


def test_another_verdict(run):
    run.refuse("not for the verdict", replace(run.evidence, truth=False))
    run.refuse("not for the verdict", replace(run.evidence, part=run.evidence.part - 1))
    with pytest.raises(WrongEvidence, match="not for the verdict"):
        replay_run(run.model, run.formula, False, run.evidence, run.decider.value)


def test_a_run_of_something_else(run):
    def with_path(**change):
        return replace(run.evidence, path=replace(run.evidence.path, **change), facts=())

    run.refuse("begins elsewhere", with_path(states=run.states(1, 2)))
    run.refuse("has no states", with_path(states=()))
    run.refuse("has no states", replace(run.evidence, path=None))
    run.refuse("step that is not there", with_path(states=run.states(0, 2)))
    run.refuse("ends at another node", with_path(ends="pump"))
    run.refuse("unknown way", with_path(ends="somehow"))
    run.refuse("starts nowhere", with_path(start=None))
    run.refuse("starts nowhere", with_path(start=3))
    run.refuse("starts nowhere", with_path(start=-1))
    run.refuse("not closed", with_path(start=1))
    run.refuse("does not stay", with_path(ends="stays", start=None))
    run.refuse("not a loop has a start", with_path(ends="here"))
    run.refuse("does not show", with_path(ends="here", start=None))
    run.refuse("does not show", with_path(states=run.states(0), start=0))


def test_wrong_facts(run):
    [(node, truths)] = run.evidence.facts
    assert truths == (None, None, True)

    def with_facts(*facts):
        return replace(run.evidence, facts=facts)

    run.refuse("does not show", with_facts())
    run.refuse("does not show", with_facts((node, (None, None, False))))
    run.refuse("does not fit", with_facts((node, (None, True))))
    run.refuse("nothing that matters", with_facts((node, truths), (node, truths)))
    run.refuse("nothing that matters", with_facts((run.evidence.part, truths)))
    run.refuse("nothing that matters", with_facts((-1, truths)))
    run.refuse("nothing that matters", with_facts((run.node("q"), truths)))
    run.refuse("a fact is wrong", run.evidence, lambda *_: False)
    run.refuse("a fact can't be decided", run.evidence, lambda *_: None)
    run.refuse("a fact is wrong", with_facts((node, (False, None, True))))


def test_wrong_claims():
    case = Case(LEAVE, "F G p")
    case.refuse("a claim is wrong", case.evidence, lambda *_: False)
    case.refuse("a claim can't be decided", case.evidence, lambda *_: None)
    case.refuse("a part called a claim is not one", replace(case.evidence, kind="path"))
    path = Path(case.states(0), "loop", 0)
    case.refuse("where none belongs", replace(case.evidence, path=path))
    case.refuse("where none belongs", replace(case.evidence, facts=((0, (True,)),)))
    case.refuse("a run can't show that", replace(case.evidence, kind="run", path=path))
    case.refuse("a part called a label is not one", replace(case.evidence, kind="label"))
    case.refuse("a part called a boolean is not one", replace(case.evidence, kind="boolean"))
    case.refuse("more than belongs", replace(case.evidence, explored=1))
    case.refuse("more than belongs", replace(case.evidence, parts=(case.evidence,)))


def test_what_a_run_shows_is_no_claim(run):
    run.refuse("needs a run", replace(run.evidence, kind="claim", path=None, facts=()))


def test_wrong_booleans(boolean):
    root = boolean.evidence
    some, label = root.parts

    def with_parts(*parts):
        return replace(root, parts=parts)

    boolean.refuse("do not decide", with_parts())
    boolean.refuse("do not decide", with_parts(some))
    boolean.refuse("a label is wrong", with_parts(some, replace(label, truth=True)))
    boolean.refuse("contradict", with_parts(some, label, replace(label, truth=True)))
    boolean.refuse("is not there", with_parts(some, replace(label, part=-1)))
    boolean.refuse("is not there", with_parts(some, replace(label, part=len(boolean.formula))))
    boolean.refuse("in another state", with_parts(some, replace(label, state=boolean.states(2)[0])))
    boolean.refuse("part of a boolean is boolean", with_parts(root))
    path_formula = boolean.node("G F q")
    boolean.refuse("is a path formula", with_parts(replace(some, part=path_formula)))
    boolean.refuse(
        "a part called a claim is not one", with_parts(some, replace(label, kind="claim"))
    )
    boolean.refuse("a run can't show that", with_parts(some, replace(label, kind="run")))
    boolean.refuse("a part called a boolean is not one", replace(root, path=some.path))
    boolean.refuse("not shown by its parts", replace(root, kind="claim", parts=()))
    boolean.refuse("not shown by its parts", replace(some, part=root.part))


def test_a_quantifier_is_no_boolean():
    case = Case(FAIR, "!p & E [G F q]")
    nested = replace(case.evidence.parts[1], kind="boolean", path=None)
    case.refuse("a part called a claim is not one", replace(case.evidence, parts=(nested,)))


def test_all_initial_nodes():
    """A verdict that a formula holds is about all of them, the evidence about one."""
    case = Case(LEAVE, "F G p")
    both = case.model.with_initial(case.decider.nodes[:2])
    replay_run(both, case.formula, True, case.evidence, case.decider.value)
    first = case.decider.start

    def only_there(node, state):
        return True if state == first else None

    with pytest.raises(WrongEvidence, match="elsewhere can't be decided"):
        replay_run(both, case.formula, True, case.evidence, only_there)
    with pytest.raises(WrongEvidence, match="fails at another initial node"):
        replay_run(both, case.formula, True, case.evidence, lambda _, state: state == first)


def test_a_verdict_that_fails_needs_one_initial_node():
    case = Case(FAIR, "G F q")
    both = case.model.with_initial(case.decider.nodes)
    replay_run(both, case.formula, False, case.evidence, lambda *_: None)


def test_an_engine_whose_run_shows_nothing():
    formula = parse("G F q")

    class Wrong(OracleDecider):
        def poll(self):
            pass

        def counterexample(self, node, state):
            return Path((state,))

    decider = Wrong(FAIR, formula)
    with pytest.raises(NotShown):
        run_evidence(decider.model, formula, decider.start, decider)


# --- calls ------------------------------------------------------------------------------------------

CALLS = """
main  start:p  after:q
  box b = f
  start -> b.in
  b.out -> after
  after -> start
f  >in  out>:r
  in -> out in
"""


def find(model, text):
    *boxes, node = text.split()
    names = list(model.names.boxes)
    return State(tuple(names.index(box) for box in boxes), model.find(node))


@pytest.mark.parametrize(
    "text, truth",
    [("G F q", True), ("G !r", False), ("F (r & X q)", True), ("G (q -> X X X q)", False)],
)
def test_runs_through_calls(text, truth):
    model = as_model(machine_from(CALLS))
    names = ["main:start", "b f:in", "b f:out", "main:after"]
    path = Path(tuple(find(model, each) for each in names), "loop", 0)
    formula = parse(text)
    assert holds_on(model, formula, len(formula) - 1, path) is truth
    inside = Path(tuple(find(model, each) for each in names[:2]), "loop", 1)
    assert holds_on(model, parse("G F q"), 2, inside) is False


@pytest.mark.parametrize("dead_ends", ["stutter", "stop"])
def test_an_exit_with_the_empty_stack_stays(dead_ends):
    model = as_model(machine_from("main  a  x>:p\n  a -> x", dead_ends=dead_ends))
    states = (find(model, "main:a"), find(model, "main:x"))
    formula = parse("X X X p")
    for path in (Path(states, "stays"), Path(states, "loop", 1)):
        assert holds_on(model, formula, len(formula) - 1, path) is True


@pytest.mark.parametrize("dead_ends, value", [("stutter", True), ("stop", None)])
def test_an_exit_without_a_caller(dead_ends, value):
    text = "main  a\n  box b = f without x>\n  a -> b.e\nf  >e  x>:p\n  e -> x"
    model = as_model(machine_from(text, dead_ends=dead_ends))
    states = tuple(find(model, each) for each in ("main:a", "b f:e", "b f:x"))
    formula = parse("X X X p")
    assert holds_on(model, formula, len(formula) - 1, Path(states, "stays")) is value
    assert holds_on(model, formula, len(formula) - 1, Path(states)) is None
    assert holds_on(model, parse("F G p"), 2, Path(states, "stays")) is True


def test_labels_that_no_node_carries_are_false():
    case = Case(FAIR, "G F nobody")
    assert case.path() == ([0], "loop", 0)
    case = Case(FAIR, "nobody -> A [G F q]")
    assert [each.kind for each in case.evidence.parts] == ["label"]


@pytest.mark.long
def test_many_operands():
    """A hundred thousand boolean operators over A and E, with one search only."""
    some = " | ".join(f"(nobody{at} & E [G F q{at}])" for at in range(50_000))
    formula = parse(f"{some} | E [G F q]")
    assert len(formula) > 100_000
    small = OracleDecider(FAIR, parse("E [G F q]"))
    asked = set()

    class Some:
        def value(self, node, state):
            asked.add(node)
            assert formula.ops[node] == Op.E
            return True

        def poll(self):
            pass

        def counterexample(self, node, state):
            return small.counterexample(small.root, state)

    evidence = run_evidence(small.model, formula, small.start, Some())
    assert [each.kind for each in evidence.parts] == ["run"]
    assert asked == {len(formula) - 2}
    replay_run(small.model, formula, True, evidence, lambda *_: None)
