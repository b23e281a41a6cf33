"""Operators with automata on one run, by their definition: the run is read from its end backwards.

At each position there is a set of states, an int: those from which the rest of the run is read in
the way that is asked for. It follows from the set at the next position. On a loop, sets are found
again until nothing changes. Good edges that must come again and again come in some cycle of rounds.

Sure and possible values are found in the same way, from letters that are surely or possibly true.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pigro.logic.operators import Op
from pigro.logic.regular.automata import automaton_of
from pigro.model.plain import members

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pigro.evidence.run.lasso import RunPositions, Sets
    from pigro.logic import Formula
    from pigro.logic.regular.automata import Automaton

_TRIGGER, _OMEGA = int(Op.TRIGGER), int(Op.OMEGA)


class _LabelledRun(NamedTuple):
    """A run, with the letters that are true at each position: surely, or possibly."""

    edges: Automaton
    letters: Mapping[int, list[bool]]
    length: int
    after: int | None
    """The position after the last one."""
    ends: bool
    """Whether the run may end at the last position."""

    def backwards(self, step: Callable[[int, int], int], following: int) -> list[int]:
        """The set at each position, if `following` comes after the last one."""
        sets = [0] * self.length
        for at in range(self.length - 1, -1, -1):
            following = sets[at] = step(at, following)
        return sets

    def least(self, step: Callable[[int, int], int]) -> list[int]:
        """The smallest sets that follow from each other."""
        loop = 0
        while True:
            sets = self.backwards(step, loop)
            if self.after is None or sets[self.after] == loop:
                return sets
            loop = sets[self.after]


def regular(line: RunPositions, formula: Formula, node: int, done: Mapping[int, Sets]) -> Sets:
    """Where an operator is satisfied, and where its negation is."""
    op, right = formula.ops[node], formula.right[node]
    edges = automaton_of(formula, node)
    every = line.all
    sure = _reading(line, edges, {at: yes for at, (yes, _) in done.items()}, sure=True)
    maybe = _reading(line, edges, {at: every ^ no for at, (_, no) in done.items()}, sure=False)
    if op >= _OMEGA:
        return _set(line, _accepted(sure)), every ^ _set(line, _accepted(maybe))
    yes, no = done[right]
    if op == _TRIGGER:
        refuted = _set(line, _matched(sure, line.flags(no)))
        return every ^ _set(line, _matched(maybe, line.flags(every ^ yes))), refuted
    found = _set(line, _matched(sure, line.flags(yes)))
    return found, every ^ _set(line, _matched(maybe, line.flags(every ^ no)))


def _reading(
    line: RunPositions, edges: Automaton, sets: Mapping[int, int], *, sure: bool
) -> _LabelledRun:
    wanted = {edge.letter for row in edges for edge in row}
    letters = {at: line.flags(sets[at]) for at in wanted}
    after = None if sure and line.may_end else line.after
    ends = line.after is None or (line.may_end and not sure)
    return _LabelledRun(edges, letters, line.length, after, ends)


def _matched(run: _LabelledRun, follows: list[bool]) -> list[int]:
    """From which states a match is read, with what follows at its last position."""

    def step(at: int, following: int) -> int:
        found = 0
        for state, row in enumerate(run.edges):
            for edge in row:
                if run.letters[edge.letter][at] and (
                    (edge.good and follows[at]) or following >> edge.to & 1
                ):
                    found |= 1 << state
                    break
        return found

    return run.least(step)


def _accepted(run: _LabelledRun) -> list[int]:
    """From which states the rest is read with good edges again and again, or last."""

    def step(at: int, following: int) -> int:
        ends = run.ends and at == run.length - 1
        found = 0
        for state, row in enumerate(run.edges):
            for edge in row:
                fine = following >> edge.to & 1 or (edge.good and ends)
                if fine and run.letters[edge.letter][at]:
                    found |= 1 << state
                    break
        return found

    return run.backwards(step, _recurring(run))


def _recurring(run: _LabelledRun) -> int:
    """The states from which the loop is read forever, with good edges again and again."""
    if run.after is None:
        return 0
    rounds = [_round(run, run.after, state) for state in range(len(run.edges))]
    reach = [plain | good for plain, good in rounds]
    changed = True
    while changed:
        changed = False
        for state, found in enumerate(reach):
            more = found
            for other in members(found):
                more |= reach[other]
            if more != found:
                reach[state], changed = more, True
    homes = [
        state
        for state, (_, good) in enumerate(rounds)
        if any(other == state or reach[other] >> state & 1 for other in members(good))
    ]
    return sum(
        1 << state
        for state, found in enumerate(reach)
        if any(home == state or found >> home & 1 for home in homes)
    )


def _round(run: _LabelledRun, start: int, state: int) -> tuple[int, int]:
    """The states after one round of the loop from a state: without good edges, and with some."""
    plain, good = 1 << state, 0
    for at in range(start, run.length):
        next_plain = next_good = 0
        for source, row in enumerate(run.edges):
            here = plain >> source & 1, good >> source & 1
            for edge in row if any(here) else ():
                if run.letters[edge.letter][at]:
                    if here[1] or edge.good:
                        next_good |= 1 << edge.to
                    if here[0] and not edge.good:
                        next_plain |= 1 << edge.to
        plain, good = next_plain, next_good
    return plain, good


def _set(line: RunPositions, sets: list[int]) -> int:
    """The positions from which the first state reads the run."""
    return line.set_of([bool(each & 1) for each in sets], True)
