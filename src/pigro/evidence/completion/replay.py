"""Checks ways to finish the parts of a composition, and their runs.

1. Points are the labels and steps that the parts leave open, each once.
2. A run starts in an initial state and takes steps of the parts. Its labels, and A and E inside its
   formula, are those of the way. By the definition of the operators, the run then satisfies an E,
   or violates an A, of those that the formula is made of by booleans.
3. Claims about all runs, and about all ways to finish the parts, are decided again by a search.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from pigro.evidence.booleans import WRITTEN, BooleanOperators
from pigro.evidence.data import require
from pigro.evidence.run.lasso import RunPositions, evaluate, inside
from pigro.evidence.run.runs import LABELS, body_of, is_some
from pigro.logic.fragments import is_about_runs, state_formulas
from pigro.logic.operators import Op

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pigro.evidence.completion.ways import Completion, Completions, ComposedRun, OpenChoice
    from pigro.evidence.run.lasso import Sets
    from pigro.logic import Formula
    from pigro.model.composition import Composition
    from pigro.model.product import States


class CompletedParts(Protocol):
    """Parts that are finished as some points say. None: that depends on other points."""

    def exists(self, states: States, /) -> bool | None:
        """Whether there is such a composed state."""

    def label(self, states: States, name: str, /) -> bool | None:
        """Whether a composed state has a label."""

    def steps(self, states: States, /) -> Mapping[States, bool | None]:
        """The states that may come next, and whether they do."""

    def value(self, node: int, states: States, /) -> bool | None:
        """The truth of a state formula, by its number in the formula."""


class CompletionDecider(Protocol):
    """Who decides again what a formula is worth, for ways to finish the parts."""

    @property
    def dead_ends(self) -> str:
        """`stutter` or `stop`."""

    def answers(self) -> Sequence[Completion]:
        """One way to finish the parts if all have the same verdict. Two if they differ."""

    def decide(self, points: Mapping[OpenChoice, bool], /) -> Completion:
        """The verdict of a way in which these points are given."""

    def way(self, points: Mapping[OpenChoice, bool], /) -> CompletedParts:
        """The way in which these points are given."""


def need_runs(formula: Formula) -> None:
    """`WrongEvidence` unless ways to finish parts can show the verdict on a formula."""
    require(is_about_runs(formula), "only LTL and CTL* have ways to finish the parts")


def replay_completions(
    composition: Composition,
    formula: Formula,
    holds: bool | None,
    evidence: Completions,
    deciding: CompletionDecider,
) -> None:
    """`WrongEvidence` unless the ways to finish the parts show the verdict."""
    told = sorted(way.holds for way in evidence.ways)
    wanted = [False, True] if holds is None else [holds]
    require(told == wanted, "the ways to finish the parts do not show the verdict")
    for way in evidence.ways:
        points = dict(way.points)
        found = deciding.decide(points)
        require(found.holds is way.holds, "a way to finish the parts has another verdict")
        known = {point for point, _ in found.points} <= points.keys()
        require(known, "a verdict depends on more than its points")
        if way.run is not None:
            stops = deciding.dead_ends == "stop"
            _check_run(composition, formula, deciding.way(points), way.run, stops=stops)
    if holds is not None and evidence.ways[0].points:
        require(len(deciding.answers()) == 1, "the parts can be finished so that it is otherwise")


def _check_run(
    composition: Composition,
    formula: Formula,
    way: CompletedParts,
    run: ComposedRun[States],
    *,
    stops: bool,
) -> None:
    states = run.states
    require(states and states[0] in composition.initial, "a run starts in no initial state")
    require(way.exists(states[0]), "a run starts in a state that is not there")
    for before, target in pairwise(states):
        require(way.steps(before).get(target), "a run takes a step that is not there")
    line = _line(way, run, stops=stops)

    def leaf(node: int) -> Sets:
        if formula.ops[node] == Op.ATOM:
            name = formula.atoms[formula.left[node]]
            truths = [way.label(each, name) for each in states]
        else:
            truths = [way.value(node, each) for each in states]
        return line.set_of(truths, True), line.set_of(truths, False)

    def shows(node: int) -> bool:
        yes, no = evaluate(formula, inside(formula, body_of(formula, node)), line, leaf)
        return bool(line.at(0) & (yes if is_some(formula, node) else no))

    require(any(map(shows, _about_runs(formula))), "a run does not show what it should")


def _about_runs(formula: Formula) -> list[int]:
    """The A and E that a formula is made of by booleans. Or the whole, if it is of paths."""
    root = len(formula) - 1
    if not state_formulas(formula)[root]:
        return [root]
    booleans = BooleanOperators(formula, WRITTEN)
    leaves = [node for node in booleans.parts(root) if booleans.is_leaf(node)]
    return [node for node in leaves if formula.ops[node] not in LABELS]


def _line(way: CompletedParts, run: ComposedRun[States], *, stops: bool) -> RunPositions:
    """The positions of a run. `WrongEvidence` unless it ends as it says."""
    count, last = len(run.states), run.states[-1]
    if run.ends == "loop":
        require(run.start is not None and run.start < count, "a loop has no start")
        assert run.start is not None, "it was looked at"
        require(way.steps(last).get(run.states[run.start]), "a loop is not closed")
        return RunPositions(count, run.start)
    require(run.start is None, "a run that is not a loop has a start")
    if run.ends == "here":
        return RunPositions(count + 1, count, may_end=stops)
    stuck = all(value is False for value in way.steps(last).values())
    require(stuck, "a run stays where it could go on")
    return RunPositions(count, None if stops else count - 1)
