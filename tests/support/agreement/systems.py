"""Systems to check on the fly, and what a path formula says about one run, by the definition alone."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from pigro.evidence.completion.ways import ComposedRun
from pigro.limits import NO_LIMITS, Budget
from pigro.logic import Op
from pigro.session.api import outcome_of
from pigro.session.request import Request

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.logic import Formula
    from pigro.verdict import Verdict


class Graph:
    """A system written as `a:p,q > b c; b > a; c`, the initial state first. Counts what it is asked."""

    def __init__(self, text: str, dead_ends: str = "stutter", cut: str = "") -> None:
        self.rows, self.carried = {}, {}
        for part in text.split(";"):
            head, _, targets = part.partition(">")
            name, _, labels = head.strip().partition(":")
            self.rows[name] = targets.split()
            self.carried[name] = labels.split(",") if labels else []
        self.initial = next(iter(self.rows))
        self.dead_ends = dead_ends
        self.asked, self.labelled = Counter(), Counter()
        self.cut = set(cut.split())
        if cut:
            self.is_cut = self.cut.__contains__

    def successors(self, state):
        self.asked[state] += 1
        return self.rows[state]

    def labels(self, state):
        self.labelled[state] += 1
        return iter(self.carried[state])

    def after(self, state):
        """The states one step later. Empty only at dead ends under `stop`."""
        return self.rows[state] or ([] if self.dead_ends == "stop" else [state])


class Counting:
    """0, 1, 2, ...: after n come n + 1 and others, up to `size`. `labels` maps them to predicates."""

    initial = 0

    def __init__(self, size=None, steps=(lambda n: n + 1,), **labels) -> None:
        self.size, self.steps, self.predicates = size, steps, labels

    def successors(self, state):
        found = [step(state) for step in self.steps]
        return found if self.size is None else [each % self.size for each in found]

    def labels(self, state):
        return {label for label, predicate in self.predicates.items() if predicate(state)}


def check_system(system, formula, *, limits=NO_LIMITS, tick=None, budget=None) -> Verdict:
    """The verdict of `pigro.check`, within a budget."""
    return outcome_of(Request(system, (formula,)), budget or Budget(limits, tick)).verdicts[0]


def run_of(verdict: Verdict) -> ComposedRun | None:
    """The run that shows a verdict on a system, with the states that the system made."""
    trace = verdict.trace()
    if trace is None:
        return None
    ends = "here" if trace.end == "open" else trace.end
    return ComposedRun(tuple(each.state for each in trace), ends, trace.start)


def lassos(system: Graph, state: str, length: int) -> Iterator[tuple[list[str], int | None]]:
    """All maximal runs from a state that can be told by at most `length` states."""
    paths = [[state]]
    for _ in range(length):
        longer = []
        for path in paths:
            after = system.after(path[-1])
            if not after:
                yield path, None
            for target in after:
                yield from ((path, at) for at, there in enumerate(path) if there == target)
                longer.append([*path, target])
        paths = longer


def on_run(
    system: Graph, formula: Formula, states: list[str], loop: int | None, *, negated: bool = False
) -> bool:
    """Does a path formula without quantifiers hold on a run? Or its negation, pushed down to labels."""
    again = [] if loop is None else list(range(loop, len(states)))
    walks = [[*range(start, len(states)), *again] for start in range(len(states))]

    @cache
    def row(node: int, wanted: bool) -> list[bool]:
        """At which positions a subformula holds, or its negation when not `wanted`."""
        op, left, right = Op(formula.ops[node]), formula.left[node], formula.right[node]
        if op == Op.ATOM:
            return [(formula.atoms[left] in system.carried[each]) == wanted for each in states]
        if op in (Op.TRUE, Op.FALSE):
            return [(op == Op.TRUE) == wanted] * len(states)
        if op == Op.NOT:
            return row(left, not wanted)
        if op == Op.IMPLIES:
            return joined(Op.OR if wanted else Op.AND, row(left, not wanted), row(right, wanted))
        if op in (Op.XOR, Op.IFF):
            same = (op == Op.IFF) == wanted
            one = joined(Op.AND, row(left, True), row(right, same))
            return joined(Op.OR, one, joined(Op.AND, row(left, False), row(right, not same)))
        f = row(left, wanted)
        g = row(right, wanted) if right >= 0 else f
        if op == Op.W:  # f W g is g R (f | g)
            f, g, op = g, joined(Op.OR if wanted else Op.AND, f, g), Op.R
        return joined(op if wanted else _DUAL[op], f, g)

    def joined(op: Op, f: list[bool], g: list[bool]) -> list[bool]:
        return [_at(op, [f[i] for i in walk], [g[i] for i in walk]) for walk in walks]

    return row(len(formula) - 1, not negated)[0]


_DUAL = {Op.AND: Op.OR, Op.OR: Op.AND, Op.X: Op.X, Op.F: Op.G, Op.G: Op.F, Op.U: Op.R, Op.R: Op.U}


def _at(op: Op, f: list[bool], g: list[bool]) -> bool:
    """An operator at the first position of a run, on which f and g hold where it says."""
    return {
        Op.AND: lambda: f[0] and g[0],
        Op.OR: lambda: f[0] or g[0],
        Op.X: lambda: len(f) > 1 and f[1],
        Op.F: lambda: any(f),
        Op.G: lambda: all(f),
        Op.U: lambda: any(here and all(f[:i]) for i, here in enumerate(g)),
        Op.R: lambda: all(here or any(f[:i]) for i, here in enumerate(g)),
    }[op]()


def shows(system: Graph, formula: Formula, run: ComposedRun[str], *, negated: bool) -> bool:
    """Is it a run of the system, on which the path formula (or its negation) holds?"""
    states = list(run.states)
    if states[0] != system.initial:
        return False
    if any(after not in system.after(before) for before, after in pairwise(states)):
        return False
    if run.ends == "loop":
        assert run.start is not None
        back = states[run.start] in system.after(states[-1])
        return back and on_run(system, formula, states, run.start, negated=negated)
    assert run.start is None
    if run.ends == "stays":
        loop = None if system.dead_ends == "stop" else len(states) - 1
        end = not system.rows[states[-1]]
        return end and on_run(system, formula, states, loop, negated=negated)
    assert run.ends == "here"
    return all(
        on_run(
            system,
            formula,
            states[:-1] + path,
            None if loop is None else len(states) - 1 + loop,
            negated=negated,
        )
        for path, loop in lassos(system, states[-1], len(system.rows))
    )
