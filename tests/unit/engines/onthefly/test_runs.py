"""Runs that show verdicts: each is judged by the definition of path formulas alone."""

from random import Random

import pytest

from pigro.engines.onthefly.counterexample import Counterexample, counterexample
from pigro.engines.onthefly.search import ProofSearch
from pigro.engines.onthefly.system import ExploredSystem
from pigro.evidence.completion.ways import ComposedRun
from pigro.logic import A, E, parse
from pigro.logic.positive import positive_form

from support.agreement.systems import Counting, Graph, check_system, lassos, on_run, run_of, shows

UNARY = ("!{}", "X {}", "F {}", "G {}")
BINARY = (
    "{} & {}",
    "{} | {}",
    "{} -> {}",
    "{} <-> {}",
    "{} xor {}",
    "{} U {}",
    "{} W {}",
    "{} R {}",
)


def random_path_formula(rng, size):
    if not size:
        return rng.choice(("p", "q", "p", "q", "true", "false"))
    if rng.random() < 0.5:
        return f"({rng.choice(UNARY).format(random_path_formula(rng, size - 1))})"
    left = rng.randrange(size)
    sides = [random_path_formula(rng, each) for each in (left, size - 1 - left)]
    return f"({rng.choice(BINARY).format(*sides)})"


def random_graph(rng, most):
    names = "abcdef"[: rng.randint(1, most)]
    rows = [
        f"{name}:{','.join(label for label in 'pq' if rng.random() < 0.5)}"
        f" > {' '.join(rng.choices(names, k=rng.randint(0, 2)))}"
        for name in names
    ]
    return Graph("; ".join(rows).replace(": ", " "), rng.choice(("stutter", "stop")))


@pytest.mark.parametrize("block", range(10))
def test_random_verdicts(block):
    """What fails has a counterexample, what holds has none that is short; E the other way round."""
    kinds = set()
    for seed in range(150 * block, 150 * (block + 1)):
        rng = Random(seed)
        system = random_graph(rng, 4)
        body = parse(random_path_formula(rng, rng.randint(1, 5)))
        for formula, negated in ((A(body), True), (E(body), False)):
            verdict = check_system(system, formula)
            if verdict.holds != negated:
                kinds.add(run_of(verdict).ends)
                assert shows(system, body, run_of(verdict), negated=negated), seed
            else:
                for states, loop in lassos(system, system.initial, 4):
                    assert not on_run(system, body, states, loop, negated=negated), seed
    assert kinds == {"loop", "here", "stays"}


@pytest.mark.parametrize(
    "graph, formula, states, ends, start",
    [
        ("a:p > b; b:p > c; c > a", "G p", "a b c", "here", None),
        ("a:p > b; b:p > a c; c > a", "F !p", "a b", "loop", 0),
        ("a > b; b > c; c:p > b", "F G p", "a b c", "loop", 1),
        ("a > b; b > c; c:p", "F !p & X X G p", None, None, None),
        ("a > b; b > c; c", "F p", "a b c", "stays", None),
        ("a > b; b > c; c:p", "p U X X q", "a b c", "here", None),
        ("a:p > b; b:p,q > c d; c:q > b; d:p > b", "F G p | F G q", "a b c b d", "loop", 1),
        ("a > a b; b:p > b", "G F p", "a", "loop", 0),
        ("a:p > b; b > c; c > d; d > b", "p & X false", "a b", "here", None),
        ("a:p > b c; b:p > d; c:p > e; d:p > e; e > e", "G p", "a b d e", "here", None),
        ("a:p > b d e; b:p > c; c:p > d; d:p > e; e > e", "G p", "a e", "here", None),
        ("a:p > c a b; b > b a; c > a b", "X F G p", "a c", "loop", 0),
    ],
)
def test_counterexample(graph, formula, states, ends, start):
    system, body = Graph(graph), parse(formula)
    verdict = check_system(system, body)
    if states is None:
        assert verdict.holds is True
        assert run_of(verdict) is None
        return
    assert verdict.holds is False
    assert shows(system, body, run_of(verdict), negated=True)
    assert run_of(verdict) == ComposedRun(tuple(states.split()), ends, start)
    witness = check_system(system, E(~body))
    assert witness.holds is True
    assert run_of(witness) == run_of(verdict)


def test_short_ways_are_taken_that_the_search_did_not_take():
    down = Counting(steps=(lambda n: max(n - 1, 0), lambda n: n // 2), p=bool)
    down.initial = 1000
    verdict = check_system(down, "G p")
    assert verdict.stats.states == 1000
    assert run_of(verdict).states == (1000, 500, 250, 125, 62, 31, 15, 7, 3, 1, 0)


def test_a_proof_that_failed_by_what_was_known_is_searched_for_anew():
    system = Graph("a:p > b; b:p > c; c > a")
    search = ProofSearch(ExploredSystem(system), positive_form(parse("A [G p]")), lambda: None)
    root = search.form.root
    assert search.holds(root, 0) is False
    assert search.explored.states == ["a", "b", "c"]
    search = ProofSearch(search.explored, search.form, lambda: None)
    assert search.holds(root, 1) is False
    assert search.holds(root, 0) is False
    assert search.last_failed.by_known
    assert counterexample(search, root, 0) == Counterexample((0, 1, 2), None, "here")


def test_a_cycle_visits_what_refutes_each_release():
    """No run satisfies the disjunction that goes through all of b, c and d again and again."""
    system = Graph("a:p,q,r > b c d; b:q,r > a; c:p,r > a; d:p,q > a")
    body = parse("F G p | F G q | F G r")
    run = run_of(check_system(system, body))
    assert shows(system, body, run, negated=True)
    assert run.ends == "loop"
    assert sorted(run.states) == ["a", "a", "a", "b", "c", "d"]


def test_a_dead_end_is_where_a_run_stays_or_stops():
    for dead_ends in ("stutter", "stop"):
        system = Graph("a > b; b", dead_ends)
        assert run_of(check_system(system, "F p")) == ComposedRun(("a", "b"), "stays")
    assert check_system(Graph("a > b; b", "stop"), "E [X X p]").holds is False
    assert run_of(check_system(Graph("a > b; b > b"), "F p")) == ComposedRun(("a", "b"), "loop", 1)


@pytest.mark.parametrize(
    "formula, holds, states",
    [
        ("AG p", False, "a b"),
        ("!AG p", True, "a b"),
        ("EF q", True, "a b c"),
        ("!EF q", False, "a b c"),
        ("EF q | AG p", True, "a b c"),
        ("AG p | EF q", True, "a b c"),
        ("AG p & EF q", False, "a b"),
        ("EF q & AG p", False, "a b"),
        ("p & EF q", True, "a b c"),
        ("p -> EF q", True, "a b c"),
        ("AG p | AG q", False, None),
        ("EF q & EF !p", True, None),
        ("p | EF q", True, "a"),
        ("AG (p | !p)", True, None),
        ("EG p", False, None),
        ("p", True, "a"),
        ("true", True, "a"),
        ("E [p R p]", True, "a"),
        ("!E [p R p]", False, "a"),
        ("r U r", False, "a"),
        ("A [q U q]", False, "a"),
        ("A [q]", False, "a"),
        ("AG false", False, "a"),
        ("E [p R p] & p", True, "a"),
        ("E [p R p] & E [p U p]", True, None),
        ("E [p R p] | EF q", True, "a"),
        ("E [p R p] & EF q", True, None),
        ("E [p R p] & AF q", True, None),
        ("E [p R p] & q", False, "a"),
        ("E [p R p] <-> p", True, "a"),
        ("A [p R p]", True, None),
        ("E [q R q]", False, None),
    ],
)
def test_where_one_run_is_enough(formula, holds, states):
    verdict = check_system(Graph("a:p > b; b > c; c:q > a"), formula)
    assert verdict.holds is holds
    run = run_of(verdict)
    assert (run and " ".join(run.states)) == states


def test_text_of_runs():
    verdict = check_system(Graph("a > b; b > c; c:p > b"), "F G p")
    assert str(verdict.trace()) == (
        "     0  a\n     1  b\n     2  c   [p]\n        and on from state 1 again, forever"
    )
    assert str(check_system(Graph("a"), "F p").trace()) == (
        "     0  a\n        a dead end: it goes no further"
    )
    verdict = check_system(Counting(p=lambda n: n < 1), "G p")
    assert str(verdict.trace()) == (
        "     0  0   [p]\n     1  1   [none of the labels]\n        however it goes on"
    )


def test_hostile_states_are_printed_on_one_line():
    class Hostile:
        initial = "\x1b[31m\n" * 1000

        def successors(self, _state):
            return []

        def labels(self, _state):
            return []

    told = str(check_system(Hostile(), "F p").trace())
    assert "\x1b" not in told
    assert len(told.splitlines()) == 2
