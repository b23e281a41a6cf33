"""Why a formula of LTL or CTL* is true or false, as runs and claims. Made without a certificate.

The parts of the tree are numbers in the formula as it is written. On top are its state formulas:
labels and booleans, as in CTL. A formula A f that fails, or E f that holds, is shown by a run: one
that goes round a loop, goes deeper in each round (a *pump*), stays somewhere, or is cut short where
every way to go on shows the same.
A fact about all runs (A f holds, E f fails) is a claim. A path formula alone means A of it.

A run shows what it does by its labels and by *facts*: the truth of A and E inside its path formula,
in those of its states where it matters. Of a pump, in all rounds. Facts and claims are not proved
here. The replay asks again (replaying.py).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from pigro.evidence.booleans import WRITTEN, BooleanOperators
from pigro.evidence.run.lasso import RunPositions, evaluate, inside, shortest, wanted
from pigro.evidence.states import Path, RunEvidence, State, Steps
from pigro.logic.fragments import state_formulas
from pigro.logic.operators import Op
from pigro.logic.positive import NOT, TRUE, positive_form
from pigro.model import DeadEnds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pigro.evidence.run.lasso import Sets
    from pigro.evidence.states import Facts
    from pigro.logic import Formula
    from pigro.model import RSM

    Truths = Callable[[int, Path, Sequence[bool]], tuple[bool | None, ...]]
    """Tells the truth of A or E in some states of a path. Of a pump, in all rounds. None where it
    is not asked, can't be told, or differs from round to round."""

LABELS = (Op.TRUE, Op.FALSE, Op.ATOM)
"""What a state tells by itself."""
_LONGEST = 200
"""States of a run that is made shorter,"""
_TRIES = 100
"""and how often that is tried."""


class NotShown(Exception):
    """There is a run, but it is too long, or what it relies on can't be told."""


class Decider(Protocol):
    """What an engine must tell. State formulas go by their numbers in the formula."""

    def value(self, node: int, state: State) -> bool | None:
        """The truth of a state formula in a state. None if that is beyond what the engine can see.

        Of the whole formula, if it is a path formula: on all runs from there.
        """

    def poll(self) -> None:
        """Called again and again while evidence is made. Raises to stop that."""

    def counterexample(self, node: int, state: State) -> Path:
        """A run from a state for an E that holds there, or against an A that fails there.

        `NotShown` if it is too long.
        """


def is_some(formula: Formula, node: int) -> bool:
    """Whether a subformula speaks of some run, and not of all."""
    return formula.ops[node] == Op.E


def body_of(formula: Formula, node: int) -> int:
    """What A or E says of runs. A path formula alone says it itself."""
    return formula.left[node] if formula.ops[node] in (Op.A, Op.E) else node


def holds_on(model: RSM, formula: Formula, node: int, path: Path, facts: Facts = ()) -> bool | None:
    """Whether the path formula of A, E or the whole formula is satisfied on a run.

    False: its negation is. None: neither is certain, for something is not known or, for X, the run
    ends (lasso.py). Needs: the path is one of the model.
    """
    return OnRun(Steps(model), formula, node, path).value(facts)


def label_truth(model: RSM, formula: Formula, node: int, state: State) -> bool:
    """Whether a label of the formula, or a constant, is true in a state."""
    if formula.ops[node] != Op.ATOM:
        return formula.ops[node] == Op.TRUE
    number = model.label_ids.get(formula.atoms[formula.left[node]])
    return number is not None and model.core.subject(state.node) in model.core.labelled(number)


class OnRun:
    """The path formula of A, E or the whole formula, on one run."""

    def __init__(self, steps: Steps, formula: Formula, node: int, path: Path) -> None:
        self.steps, self.model, self.formula, self.path = steps, steps.model, formula, path
        self.parts = inside(formula, body_of(formula, node))
        self.line = line_of(steps, path)

    def sets(self, facts: Facts = (), keep: dict[int, Sets] | None = None) -> Sets:
        """Where the formula is satisfied on the run, and where its negation is.

        The same of all that is inside is put into `keep`, if it is there.
        """
        known = dict(facts)

        def leaf(node: int) -> Sets:
            if self.formula.ops[node] == Op.ATOM:
                return self.label(node)
            return self.quantified(node, known.get(node, ()))

        return evaluate(self.formula, self.parts, self.line, leaf, keep)

    def value(self, facts: Facts = ()) -> bool | None:
        """Whether the formula is satisfied on the whole run. See `holds_on`."""
        yes, no = self.sets(facts)
        first = self.line.at(0)
        return True if yes & first else False if no & first else None

    def wanted(self) -> dict[int, list[bool]]:
        """A and E that must be known, and in which states."""
        count = len(self.path.states)
        sets: dict[int, Sets] = {}
        self.sets((), sets)
        asked = wanted(self.formula, self.parts, self.line, sets)
        rows = {node: self.line.flags(where)[:count] for node, where in asked.items()}
        return {node: row for node, row in rows.items() if any(row)}

    def label(self, node: int) -> Sets:
        """Where a label is, and where it is not."""
        core, states = self.model.core, self.path.states
        number = self.model.label_ids.get(self.formula.atoms[self.formula.left[node]])
        carrying = self.steps.carrying(number)
        truths = [core.subject(state.node) in carrying for state in states]
        return self.line.set_of(truths, True), self.line.set_of(truths, False)

    def quantified(self, node: int, truths: Sequence[bool | None]) -> Sets:
        """Where A or E is true, and where it is false: everywhere, if it says nothing."""
        form, line = positive_form(self.formula), self.line
        at = form.states[node]
        if form.ops[at] == TRUE:
            return line.all, 0
        if form.ops[at] == NOT and form.ops[form.left[at]] == TRUE:
            return 0, line.all
        return line.set_of(truths, True), line.set_of(truths, False)


def line_of(steps: Steps, path: Path) -> RunPositions:
    """The positions of a run: its states and, if it goes on in any way, one for what follows."""
    count = len(path.states)
    if path.ends == "loop":
        return RunPositions(count, path.start)
    if path.ends == "pump" and path.start is not None:
        return RunPositions(count, path.start + 1)  # the last one is the start of the next round
    if not steps.maximal_next(path.states[-1]):
        return RunPositions(count, None)
    if path.ends == "stays":
        return RunPositions(count, count - 1)
    return RunPositions(count + 1, count, may_end=steps.model.dead_ends is DeadEnds.STOP)


def tidy(steps: Steps, path: Path) -> Path:
    """The same run in as few states as can be: its shortest loop, begun as early as can be.

    Where there is no way but to go round in one state, the run stays there.
    """
    if path.ends != "loop" or path.start is None:
        return path
    start, length = shortest(path.states[: path.start], path.states[path.start :])
    states = path.states[: start + length]
    if steps.maximal_next(states[-1]) == [states[-1]]:
        return replace(path, states=states, ends="stays", start=None)
    return replace(path, states=states, start=start)


def detours(path: Path) -> Iterator[tuple[int, int]]:
    """Ways from a state to itself, by the places of both, the longest first. Not round the loop.

    >>> a, b, c = (State((), node) for node in range(3))
    >>> list(detours(Path((a, b, a, c, b, c, b), "loop", 3)))
    [(4, 6), (3, 5), (0, 2)]
    """
    places: dict[State, list[int]] = {}
    for at, state in enumerate(path.states):
        places.setdefault(state, []).append(at)
    start = len(path.states) if path.start is None else path.start
    found = [
        (first, last)
        for row in places.values()
        for at, first in enumerate(row)
        for last in row[at + 1 :]
        if first >= start or last <= start
    ]
    return iter(sorted(found, key=lambda pair: (pair[0] - pair[1], -pair[0])))


def without(path: Path, first: int, last: int) -> Path:
    """The run without the way between two places, which are in the same state."""
    states = path.states[:first] + path.states[last:]
    inside = path.start is None or first >= path.start
    start = path.start if inside or path.start is None else path.start - (last - first)
    return replace(path, states=states, start=start)


def run_evidence(
    model: RSM, formula: Formula, start: State, decider: Decider, truths: Truths | None = None
) -> RunEvidence:
    """Why a formula outside of CTL has its truth in a state: at an initial node that decides.

    `truths` tells what a run relies on. Without it, the decider is asked about each state.
    `NotShown` if that is not enough.
    """
    root, shower = len(formula) - 1, _RunEvidenceBuilder(model, formula, decider, truths)
    if not state_formulas(formula)[root] or shower.booleans.is_leaf(root):
        return shower.leaf(root, start, decider.value(root, start))
    known = shower.booleans.values(root, lambda node: shower.label(node, start))
    shower.booleans.settle(root, known, lambda node: decider.value(node, start))
    truth = known[root]
    assert truth is not None, "there is a verdict"
    deciding = shower.booleans.deciding(root, known)
    parts = tuple([shower.leaf(node, start, known[node]) for node in deciding])
    return RunEvidence(root, truth, start, "boolean", parts=parts)


class _RunEvidenceBuilder:
    """Shows what a decider found."""

    def __init__(
        self, model: RSM, formula: Formula, decider: Decider, truths: Truths | None
    ) -> None:
        self.steps, self.formula, self.decider = Steps(model), formula, decider
        self.truths = truths or self._one_by_one
        self.booleans = BooleanOperators(formula, WRITTEN)

    def label(self, node: int, state: State) -> bool | None:
        """The truth of a label. None for A and E."""
        if self.formula.ops[node] not in LABELS:
            return None
        return label_truth(self.steps.model, self.formula, node, state)

    def leaf(self, node: int, state: State, truth: bool | None) -> RunEvidence:
        """Evidence for a label, A, E or the whole formula."""
        assert truth is not None, "it decides"
        if self.formula.ops[node] in LABELS:
            return RunEvidence(node, truth, state, "label")
        if truth is not is_some(self.formula, node):
            return RunEvidence(node, truth, state, "claim")
        path = tidy(self.steps, self.decider.counterexample(node, state))
        facts = self._facts_of(node, path, truth)
        if facts is None:
            raise NotShown
        path, facts = self._without_detours(node, path, facts, truth)
        return RunEvidence(node, truth, state, "run", path, facts=facts)

    def _facts_of(self, node: int, path: Path, truth: bool) -> Facts | None:
        """What a run relies on to show a truth. None if it does not show it."""
        self.decider.poll()
        run = OnRun(self.steps, self.formula, node, path)
        facts = tuple(
            (inner, self.truths(inner, path, where)) for inner, where in run.wanted().items()
        )
        self.decider.poll()
        return facts if run.value(facts) is truth else None

    def _without_detours(
        self,
        node: int,
        path: Path,
        facts: Facts,
        truth: bool,
    ) -> tuple[Path, Facts]:
        """A run that leaves out ways from a state to itself, as long as it shows the same."""
        left = _TRIES
        is_long = len(path.states) > _LONGEST or path.ends == "pump"
        pending = [] if is_long else list(detours(path))
        while pending and left:
            left -= 1
            shorter = tidy(self.steps, without(path, *pending.pop(0)))
            found = self._facts_of(node, shorter, truth)
            if found is not None:
                path, facts, pending = shorter, found, list(detours(shorter))
        return path, facts

    def _one_by_one(self, node: int, path: Path, where: Sequence[bool]) -> tuple[bool | None, ...]:
        value, pairs = self.decider.value, zip(path.states, where, strict=True)
        return tuple([value(node, state) if asked else None for state, asked in pairs])
