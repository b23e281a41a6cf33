"""Verdicts on systems: what they say, within which limits, and how they are stopped."""

import itertools

import pytest

from pigro.diagnostics import CATALOGUE, FormulaError
from pigro.engines import Limits
from pigro.engines.onthefly.system import System
from pigro.limits import Budget
from pigro.logic import parse

from support.agreement.systems import Counting, Graph, check_system, run_of
from support.processes.interrupts import ctrl_c_after


def test_a_verdict_tells_its_parts():
    system = Graph("a:p > b; b > a")
    verdict = check_system(system, "A [G F p]")
    assert verdict.subject.computed.system is system
    assert verdict.formula == parse("A [G F p]")
    assert (verdict.holds, verdict.outcome, verdict.remarks.gave_up, verdict.trace()) == (
        True,
        "holds",
        None,
        None,
    )
    assert verdict.reason == "every run satisfies G F p"
    assert verdict.stats.contexts is None
    assert (verdict.stats.states, verdict.stats.visited) == (2, 9)
    assert verdict.stats.seconds > 0


def test_a_failing_verdict():
    verdict = check_system(Graph("a:p > b; b > a"), parse("F G p"))
    assert (verdict.holds, verdict.outcome) == (False, "fails")
    assert verdict.reason == "some run violates F G p"
    assert "Graph" not in repr(verdict)


@pytest.mark.parametrize("formula", ["p", "!p", "G F p", "AG (p | q)"])
def test_a_verdict_is_no_truth_value(formula):
    with pytest.raises(TypeError, match=r"ask for \.holds"):
        bool(check_system(Graph("a:p > a"), formula))


def test_text_that_is_no_formula():
    with pytest.raises(FormulaError):
        check_system(Graph("a"), "A [G F")


def test_states_of_any_kind():
    class Queue:
        """A queue of at most two letters, and the letters that have come out of it."""

        initial = ((), frozenset())

        def successors(self, state):
            queue, seen = state
            if queue:
                yield queue[1:], seen | {queue[0]}
            if len(queue) < 2:
                for letter in "ab":
                    yield (*queue, letter), seen

        def labels(self, state):
            queue, seen = state
            return [*seen, "empty"] if not queue else seen

    assert check_system(Queue(), "E [G F empty & F (a & b)]").holds is True
    verdict = check_system(Queue(), "A [G F empty]")
    assert verdict.holds is False
    assert all(queue for queue, _ in run_of(verdict).states[run_of(verdict).start :])


@pytest.mark.parametrize("formula", ["AG p", "A [G F p]", "E [F !p]", "EF (p & EX !p)"])
def test_time(formula):
    """By a clock that goes on by a second whenever somebody looks at it."""
    budget = Budget(Limits(seconds=10_000), clock=itertools.count().__next__)
    verdict = check_system(Counting(p=lambda n: True), formula, budget=budget)
    assert verdict.holds is None
    assert verdict.reason == "no verdict within the time limit of 10000 s"
    assert verdict.stats.states > 100
    assert verdict.evidence is None


def test_memory():
    verdict = check_system(Counting(p=lambda n: True), "AG p", limits=Limits(memory=1000))
    assert verdict.holds is None
    assert verdict.reason == "no verdict within the memory limit of 1 kB"


def test_time_for_endless_successors():
    class Wide(Counting):
        def successors(self, state):
            while True:
                state += 1
                yield state

    assert check_system(Wide(p=lambda n: n < 50), "AX p").holds is False
    assert check_system(Wide(p=lambda n: n < 50), "AX !q", limits=Limits(seconds=0.2)).holds is None


class Enough(Exception):
    pass


def test_a_tick_can_stop_it():
    ticks = 0

    def tick():
        nonlocal ticks
        ticks += 1
        if ticks == 10:
            raise Enough

    with pytest.raises(Enough):
        check_system(Counting(p=lambda n: True), "AG p", tick=tick)
    assert ticks == 10


def test_ctrl_c_stops_it():
    with pytest.raises(KeyboardInterrupt), ctrl_c_after(0.1):
        check_system(Counting(p=lambda n: True), "A [G F p]")


def test_the_protocol():
    def takes(system: System[str]) -> str:
        return system.initial

    assert takes(Graph("a")) == "a"
    assert "P407" in CATALOGUE
