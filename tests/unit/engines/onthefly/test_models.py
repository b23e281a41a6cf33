"""CTL* on models: laziness with exact counts, recursion cut off, dead ends, and what is refused."""

import random
import time
from array import array

import pytest

import pigro
from benchmarks.generators.models import permutations
from benchmarks.generators.structures import WHOLE, colourful
from pigro import _core
from pigro.engines import ENGINES, misfit_reason
from pigro.engines.onthefly import OnTheFlyEngine
from pigro.logic import parse

from oracle.generate import random_machine
from oracle.star_formula import random_star, to_text
from support.agreement.ctl import as_model


def ring(states, labels):
    """One state after the other, and around. `labels` say on which."""
    edges = {f"s{i}": [f"s{(i + 1) % states}"] for i in range(states)}
    carried = {f"s{i}": [name for name, on in labels.items() if i in on] for i in range(states)}
    return pigro.kripke(edges, labels=carried, initial="s0")


def large_ring(states, labels):
    """The same without names."""
    return pigro.RSM.from_arrays(
        component_offsets=[0, states],
        node_flags=bytes(states),
        edge_sources=array("i", range(states)),
        edge_targets=array("i", [*range(1, states), 0]),
        labels=labels,
        initial=[0],
    )


def digging():
    """A procedure that calls itself any number of times, and comes back."""
    model = pigro.ModelBuilder()
    dig = model.component("dig")
    dig.entry("down", labels=["down"])
    dig.exit("up", labels=["up"])
    deeper = dig.box("deeper", calls="dig")
    dig.edge("down", deeper.call("down"), "up")
    dig.edge(deeper.returned("up"), "up")
    return model.build(initial="dig:down")


@pytest.mark.parametrize(
    "formula, holds, states, assertions",
    [
        ("G !p", False, 6, 6),
        ("F p", True, 6, 6),
        ("E [F p]", True, 6, 6),
        ("X X q", True, 3, 3),
        ("q U p", False, 1, 1),
        ("G F p", True, 100, 199),
        ("A [F (p & X X q)]", False, 100, 100),
    ],
)
def test_only_what_the_answer_needs_is_looked_at(formula, holds, states, assertions):
    verdict = pigro.check(ring(100, {"p": {5}, "q": {2}}), formula, engine="onthefly")
    assert (verdict.holds, verdict.stats.states, verdict.stats.visited) == (
        holds,
        states,
        assertions,
    )


def test_ctl_is_linear_in_formula_and_states():
    """Every assertion once: one for each state and quantifier."""
    for states in (10, 100, 1000):
        model = ring(states, {"p": {0}})
        for pairs in (1, 10, 100):
            verdict = pigro.check(model, "AG EF " * pairs + "p", engine="onthefly")
            assert verdict.holds is True
            assert verdict.stats.visited == 2 * pairs * states


def test_fairness_needs_few_sets():
    """Without letters and implied branches there would be 2 to the n."""
    fair = " & ".join(f"G F p{i}" for i in range(20))
    model = ring(50, {f"p{i}": {i, i + 5} for i in range(20)} | {"q": {3}})
    verdict = pigro.check(model, f"A [{fair} -> G F q]", engine="onthefly")
    assert verdict.holds is True
    assert verdict.stats.visited == 100


def test_a_formula_that_has_to_remember_needs_many():
    """Which of the last n states had p: 2 to the n sets of obligations, but for those that end."""
    rng = random.Random(1)
    edges = {f"s{i}": [f"s{min(i + step, 199)}" for step in (1, 2)] for i in range(200)}
    labels = {f"s{i}": [name for name in "pq" if rng.random() < 0.5] for i in range(199)}
    model = pigro.kripke(edges, labels=labels | {"s199": ["last"]}, initial="s0")
    visited = [
        pigro.check(model, f"F (p & {'X ' * n}q) | F last", engine="onthefly").stats.visited
        for n in (1, 2, 4, 8)
    ]
    assert visited == sorted(visited)
    assert visited[-1] > 20 * visited[0]


def test_auto_takes_demand_and_with_a_depth_onthefly_beyond_ctl():
    asked = ["AG EF p", "G F p", "E [G F p]", "p", "EF p", "A [p]"]
    verdicts = pigro.check_all(ring(4, {"p": {0}}), asked)
    assert [verdict.engine for verdict in verdicts] == ["demand"] * 6
    assert all(verdict.holds for verdict in verdicts)
    deep = pigro.check_all(ring(4, {"p": {0}}), asked, depth=3)
    beyond = ["demand", "onthefly", "onthefly", "demand", "demand", "onthefly"]
    assert [verdict.engine for verdict in deep] == beyond


def test_recursion_is_refused_without_a_depth():
    with pytest.raises(pigro.CheckError) as error:
        pigro.check(digging(), "G F up", engine="onthefly")
    assert error.value.code == "P404"
    assert 'component "dig" can call itself' in error.value.message
    assert "--depth" in error.value.hint
    assert "--engine demand" in error.value.hint
    assert pigro.check(digging(), "AG EF up").holds is True


def test_recursion_that_is_never_reached_does_not_matter():
    model = digging()
    up = model.with_initial([model.find("dig:up")])
    assert misfit_reason(ENGINES["onthefly"], up) is not None, "it is in the same component"
    builder = pigro.ModelBuilder()
    main = builder.component("main")
    main.entry("start", labels=["p"])
    main.edge("start", "start")
    again = builder.component("again")
    again.entry("in")
    again.box("more", calls="again")
    assert pigro.check(builder.build(initial="main:start"), "G F p").holds is True


@pytest.mark.parametrize(
    "formula, holds",
    [
        ("F up", None),  # one can dig forever, but that is not known at any depth
        ("E [G down]", None),
        ("E [F G up]", True),
        ("G down", False),
        ("E [F up] & E [X down]", True),
        ("A [G (up -> G up)]", None),
        ("!E [G down]", None),
        ("E [G down] | E [F up]", True),
        ("E [G down] & E [G up]", False),
    ],
)
def test_beyond_the_depth_nothing_is_known(formula, holds):
    for depth in (0, 1, 5, 50):
        verdict = pigro.check(digging(), formula, depth=depth, engine="onthefly")
        assert verdict.holds is holds, depth
        if holds is None:
            assert verdict.reason == f"no verdict: it depends on calls deeper than {depth}"
            assert verdict.starts == ()


def test_a_verdict_with_a_depth_is_that_of_demand():
    decided = 0
    for seed in range(1500):
        rng = random.Random(seed)
        model = as_model(random_machine(rng))
        formula = parse(
            rng.choice(["AG EF p", "EF EG p", "A [p U EX q]", "AF (p | AG q)", "EG !p"])
        )
        engine = OnTheFlyEngine(depth=rng.randrange(4))
        bounded = engine(model, formula).holds
        if bounded is not None:
            decided += 1
            assert bounded is ENGINES["demand"](model, formula).holds, (seed, str(formula))
    assert decided > 1200


def test_more_depth_never_changes_a_verdict():
    changed = 0
    for seed in range(400):
        rng = random.Random(seed)
        model = as_model(random_machine(rng))
        formula = parse(to_text(random_star(rng, ("p", "q"), rng.randint(2, 8))))
        truths = [OnTheFlyEngine(depth=depth)(model, formula).holds for depth in range(5)]
        known = {truth for truth in truths if truth is not None}
        assert len(known) <= 1, (seed, str(formula), truths)
        assert truths == sorted(truths, key=lambda truth: truth is not None), "once known, known"
        changed += truths[0] is None and bool(known)
    assert changed > 5


@pytest.mark.parametrize(
    "formula, stutter, stop",
    [
        ("X p", True, True),
        ("A [X !p]", False, True),
        ("E [X p]", True, False),
        ("E [X !p]", False, False),
        ("G p", True, True),
        ("F q", False, False),
        ("E [G X true]", True, False),
        ("A [G X false]", False, True),
        ("G F p", True, True),
        ("F G p", True, True),
        ("q R p", True, True),
        ("p W q", True, True),
        ("p U q", False, False),
    ],
)
def test_dead_ends(formula, stutter, stop):
    for dead_ends, holds in (("stutter", stutter), ("stop", stop)):
        labels = {"a": ["p"], "never": ["q"]}
        model = pigro.kripke(
            {"a": [], "never": []}, labels=labels, initial="a", dead_ends=dead_ends
        )
        assert pigro.check(model, formula, engine="onthefly").holds is holds, dead_ends


def test_what_needs_ctl_says_so():
    model = ring(3, {"p": {0}})
    with pytest.raises(pigro.CheckError) as error:
        pigro.check(model, "G F p", engine="eager")
    assert error.value.code == "P401"
    assert "demand" in error.value.hint


@pytest.mark.parametrize("engine", ["onthefly", "demand", "exhaustive", "auto"])
def test_verdicts_beyond_ctl_are_proved(engine):
    model = ring(3, {"p": {0}})
    for formula, holds in (("G F p", True), ("F G p", False), ("E [G F p & F G !p]", False)):
        verdict = pigro.check(model, formula, engine=engine, verify=True)
        assert verdict.holds is holds
        assert verdict.stats.verify_seconds is not None
        [checked] = pigro.check_certificates(model, verdict.certificate.to_bytes())
        assert (checked.holds, checked.problem) == (holds, None)


@pytest.mark.parametrize("engine", ["demand", "lazy", "basic"])
def test_other_engines_have_no_depth(engine):
    with pytest.raises(pigro.UsageError) as error:
        pigro.check(ring(3, {"p": {0}}), "EF p", engine=engine, depth=3)
    assert error.value.code == "P006"
    assert error.value.message == f"engine {engine} has no depth"


def test_nested_quantifiers_up_to_the_limit():
    model = ring(3, {"p": {0}})
    deep = "E [X (p | " * 254 + "E [X X p]" + ")]" * 254
    assert pigro.check(model, deep, engine="onthefly").holds is True


@pytest.mark.long
def test_booleans_without_limit():
    model = ring(3, {"p": {0}, "q": {1}})
    chain = " & ".join(["(F q | p)"] * 20_000)
    assert pigro.check(model, f"A [{chain}]").holds is True
    states = " xor ".join(["E [G F p]"] + ["p"] * 50_000)
    assert pigro.check(model, states).holds is True


def test_a_million_assertions_deep():
    states = 300_000
    model = large_ring(states, {"p": [0]})
    verdict = pigro.check(model, "A [G F p] & A [G F A [F G F p]]", engine="onthefly")
    assert verdict.holds is True
    assert verdict.stats.states == states


class TestNativeFace:
    """Whatever a program passes, there is an exception and no crash."""

    def make(self, ops, left, right, labels=(), model=None, depth=None):
        model = model or ring(2, {"p": {0}})
        return _core.OnTheFly(
            model.core,
            _core.DeadEnds.STUTTER,
            depth,
            memoryview(array("B", ops)),
            memoryview(array("i", left)),
            memoryview(array("i", right)),
            list(labels),
        )

    @pytest.mark.parametrize(
        "ops, left, right",
        [
            ([], [], []),
            ([9], [-1], [-1]),
            ([2], [-1], [-1]),
            ([0, 2], [-1, 1], [-1, -1]),
            ([0, 3], [-1, 0], [-1, 7]),
            ([1], [0], [-1]),  # no such atom
            ([0, 5], [-1, 0], [-1, -1]),  # A over a state formula
            ([0, 6, 2], [-1, 0, 1], [-1, -1, -1]),  # negation of a path formula
            ([0, 6], [-1], [-1, -1]),
        ],
    )
    def test_malformed_formulas(self, ops, left, right):
        with pytest.raises(ValueError, match="malformed positive formula"):
            self.make(ops, left, right)

    def test_questions_that_are_none(self):
        made = self.make([0, 6, 5], [-1, 0, 1], [-1, -1, -1])
        for node, state in ((-1, 0), (3, 0), (1, 0), (2, -1), (2, 2)):
            with pytest.raises(IndexError):
                made.value(node, state)
        for stack, node in (([], 2), ([], -1), ([0], 0), ([-1], 0)):
            with pytest.raises(IndexError):
                made.state(stack, node)
        with pytest.raises(IndexError):
            made.parts(2)
        with pytest.raises(IndexError):
            self.make([1], [0], [-1], labels=[1])
        with pytest.raises(ValueError, match="depth"):
            self.make([0], [-1], [-1], depth=-1)

    def test_states_of_calls(self):
        model = permutations(2)
        made = self.make([0], [-1], [-1], model=model, depth=3)
        box = 0
        entry = model.core.subject(
            next(n for n in range(model.core.nodes) if model.core.kind(n).name == "CALL")
        )
        state = made.state([box, box], entry)
        stack, node = made.parts(state)
        below, top = made.parts_of_stack(stack)
        assert (node, top, made.parts_of_stack(below)) == (entry, box, (0, box))
        for none in (-1, 0, stack + 1):
            with pytest.raises(IndexError):
                made.parts_of_stack(none)
        assert made.state([box, box], entry) == state
        assert made.state([box], entry) != state


@pytest.mark.long
@pytest.mark.parametrize("question", WHOLE, ids=lambda question: question.formula)
def test_a_million_states(question):
    model = question.model(1_000_000)
    began = time.process_time()
    verdict = pigro.check(model, question.formula, engine="onthefly")
    assert (verdict.holds, verdict.stats.states) == (question.holds, 1_000_000)
    assert time.process_time() - began < 40


@pytest.mark.parametrize("limit", ["timeout", "memory"])
def test_limits_are_kept_while_sets_explode(limit):
    model = colourful(20_000, 2)
    formula = f"F (p1 & {'X ' * 60}p2) | F last"
    began = time.process_time()
    if limit == "timeout":
        verdict = pigro.check(model, formula, timeout=0.5, engine="onthefly")
        assert verdict.reason == "no verdict within the time limit of 0.5 s"
        assert time.process_time() - began < 5
    else:
        verdict = pigro.check(
            model, formula, memory=_core.resident_memory() + 200_000_000, engine="onthefly"
        )
        assert verdict.reason.startswith("no verdict within the memory limit of ")
    assert verdict.holds is None


@pytest.mark.parametrize("engine", ["onthefly", "demand"])
def test_time_is_kept_while_one_row_explodes(engine):
    """Strong fairness: in each state there are exponentially many ways to break it."""
    model = ring(2, {"p": {0}} | {f"{name}{i}": {0, 1} for i in range(12) for name in "ab"})
    pairs = " & ".join(f"(G F a{i} -> G F b{i})" for i in range(12))
    began = time.process_time()
    verdict = pigro.check(model, f"A [{pairs} -> F G p]", timeout=0.5, engine=engine)
    assert time.process_time() - began < 5
    assert verdict.holds in {False, None}


@pytest.mark.long
def test_time_is_kept_while_a_run_is_shown():
    """The verdict is there before. The run of 200,000 states takes longer."""
    states = 200_000
    model = large_ring(states, {"p": [5], "q": [states - 1]})
    whole = pigro.check(model, "E [G F p & G F q]", witness=True)
    assert len(whole.evidence.path.states) == states
    began = time.process_time()
    verdict = pigro.check(model, "E [G F p & G F q]", witness=True, timeout=0.2)
    assert time.process_time() - began < 5
    assert verdict.evidence is None
    assert verdict.holds in {True, None}  # None on a machine that takes longer to decide it


@pytest.mark.parametrize("depth", [-1, 2**31, 1.5, "3"])
def test_a_depth_is_a_number_of_calls(depth):
    with pytest.raises(pigro.UsageError) as error:
        pigro.check(digging(), "G F up", depth=depth)
    assert (error.value.code, error.value.message) == ("P006", f"depth can't be {depth}")


def test_check_all_refuses_what_was_not_meant():
    model = ring(3, {"p": {0}})
    for given, message in (
        ((model, "G F p"), "formulas can't be one formula"),
        ((model, parse("G F p")), "formulas can't be one formula"),
    ):
        with pytest.raises(pigro.UsageError) as error:
            pigro.check_all(*given)
        assert (error.value.code, error.value.message) == ("P006", message)
