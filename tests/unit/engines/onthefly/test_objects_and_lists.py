"""A Python object, a program and a list of the same states: equal verdicts, and right evidence.

Evidence of objects is judged on the list, by the replay, and traces by the states of the object.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

import pigro
from pigro.engines import ENGINES
from pigro.engines.onthefly.recheck import decider
from pigro.evidence import WrongEvidence, replay_run
from pigro.evidence.states import EMPTY, State

from support.agreement.systems import Graph

UNARY = ("!{}", "X {}", "F {}", "G {}", "A [{}]", "E [{}]")
BINARY = ("({} & {})", "({} | {})", "({} -> {})", "({} <-> {})", "({} U {})", "({} R {})")
CTL = ("AX {}", "EX {}", "AF {}", "EF {}", "AG {}", "EG {}", "!{}")


def random_formula(rng, size):
    """Of LTL, CTL or CTL*."""
    if not size:
        return rng.choice(("p", "q", "p", "q", "true"))
    if rng.random() < 0.6:
        return f"({rng.choice(UNARY).format(random_formula(rng, size - 1))})"
    left = rng.randrange(size)
    sides = (random_formula(rng, each) for each in (left, size - 1 - left))
    return rng.choice(BINARY).format(*sides)


def random_ctl(rng, size):
    if not size:
        return rng.choice("pq")
    if rng.random() < 0.7:
        return f"({rng.choice(CTL).format(random_ctl(rng, size - 1))})"
    left = rng.randrange(size)
    sides = [random_ctl(rng, each) for each in (left, size - 1 - left)]
    return rng.choice(("({} & {})", "({} | {})", "A [{} U {}]", "E [{} U {}]")).format(*sides)


def random_question(seed):
    """The text of a graph, how dead ends are read, and a formula."""
    rng = Random(seed)
    names = "abcdef"[: rng.randint(1, 6)]
    rows = [
        f"{name}:{','.join(label for label in 'pq' if rng.random() < 0.5)}"
        f" > {' '.join(rng.choices(names, k=rng.randint(0, 2)))}"
        for name in names
    ]
    make = random_ctl if seed % 2 else random_formula
    formula = make(rng, rng.randint(1, 5))
    return "; ".join(rows).replace(": ", " "), rng.choice(("stutter", "stop")), formula


class Lazy(Graph):
    """The same, whose successors come one by one."""

    def successors(self, state):
        yield from super().successors(state)


def listed(graph):
    """All states as a model."""
    return pigro.kripke(
        graph.rows, labels=graph.carried, initial=graph.initial, dead_ends=graph.dead_ends
    )


def on_list(evidence, model):
    """The same evidence, by the nodes of the list."""
    names = evidence.excerpt.names.nodes

    def there(state):
        return State(EMPTY, model.find(names[state.node]))

    def moved(item):
        path = item.path
        if path is not None:
            path = replace(path, states=tuple(map(there, path.states)))
        parts = tuple(map(moved, item.parts))
        return replace(item, state=there(item.state), path=path, parts=parts, excerpt=None)

    return moved(evidence)


@pytest.mark.parametrize("block", range(10))
def test_random_objects(block):
    kinds = set()
    for seed in range(200 * block, 200 * (block + 1)):
        text, dead_ends, formula = random_question(seed)
        graph = (Lazy if seed % 3 == 0 else Graph)(text, dead_ends)
        model = listed(graph)
        verdict = pigro.check(graph, formula)
        assert verdict.holds is ENGINES["demand"](model, verdict.formula).holds, seed
        assert set(graph.asked.values()) <= {1}, seed
        assert verdict.evidence is not None, seed
        mine = on_list(verdict.evidence, model)
        decide = decider(model, verdict.formula)
        replay_run(model, verdict.formula, verdict.holds, mine, decide)
        with pytest.raises(WrongEvidence):
            replay_run(model, verdict.formula, not verdict.holds, mine, decide)
        trace = verdict.trace()
        kinds.add(trace and trace.end)
        if trace is not None:
            _judge_states(graph, trace)
    assert kinds == {None, "open", "loop", "stays"}


def _judge_states(graph, trace):
    states = [each.state for each in trace]
    assert [each.name for each in trace] == states
    assert states[0] == graph.initial
    assert all(after in graph.after(before) for before, after in pairwise(states))
    for each in trace:
        assert set(each.labels) <= set(graph.carried[each.state])
    if trace.end == "loop":
        assert states[trace.start] in graph.rows[states[-1]]
    assert trace.end != "stays" or not graph.rows[states[-1]]


def test_random_programs(tmp_path):
    questions = [random_question(seed) for seed in range(5000, 5060)]
    rows = [f"G{at} = Graph({each[0]!r}, {each[1]!r})" for at, each in enumerate(questions)]
    program = tmp_path / "graphs.py"
    program.write_text("\n".join(["from support.agreement.systems import Graph", *rows]))
    for at, (text, dead_ends, formula) in enumerate(questions):
        verdict = pigro.check(f"{program}:G{at}", formula, witness=True)
        other = pigro.check(Graph(text, dead_ends), formula)
        assert (verdict.holds, verdict.reason) == (other.holds, other.reason)
        assert (verdict.stats.states, verdict.stats.visited) == (
            other.stats.states,
            other.stats.visited,
        )
        one, two = verdict.trace(), other.trace()
        assert (one is None) is (two is None)
        if one is not None:
            assert [each.name for each in one] == [f"G{at}:{each.name}" for each in two]
            assert [each.state for each in one] == [each.state for each in two]
            assert (one.end, one.start) == (two.end, two.start)


class Uncertain:
    """A system with a dead end that is an error, behind a generator that fails late."""

    initial = "a"
    dead_ends = "error"

    def successors(self, state):
        if state == "a":
            yield "b"
            raise RuntimeError("nobody asks for another one")

    def labels(self, state):
        return ["p"] if state == "a" else ["q"]


def test_evidence_asks_for_no_more_successors_than_the_search():
    verdict = pigro.check(Uncertain(), "EX q")
    assert verdict.holds
    assert [each.state for each in verdict.trace()] == ["a", "b"]
    with pytest.raises(RuntimeError, match="nobody asks"):
        pigro.check(Uncertain(), "AX q")
    with pytest.raises(pigro.ModelError, match="P211"):
        pigro.check(Uncertain(), "E [X X true]")


def test_errors_of_an_object_pass_through():
    class Failing(Graph):
        def labels(self, state):
            raise KeyError(state)

    with pytest.raises(KeyError):
        pigro.check(Failing("a > a"), "EF p")


def test_a_verdict_that_travelled_is_about_an_object_again():
    import pickle

    graph = Graph("a > b; b:p")
    verdict = pigro.check(graph, "AG !p")
    again = pickle.loads(pickle.dumps(verdict))
    assert again != verdict, "nothing tells one object from another"
    back = again.on(graph)
    assert back == again.on(verdict.subject) == verdict
    assert [each.name for each in back.trace()] == ["a", "b"]
    assert again.on(Graph("c > c")) != verdict
    with pytest.raises(pigro.UsageError, match="in another way"):
        again.on(Graph("a > b; b:p", "stop"))
    with pytest.raises(pigro.UsageError, match="about another"):
        again.on(pigro.Composition([pigro.PartBuilder("one").state("a", initial=True).build()]))
