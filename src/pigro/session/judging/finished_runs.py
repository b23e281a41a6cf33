"""Ways to finish the parts of a composition, and their runs, as results of LTL and CTL* tell them.

1. Points are the labels and steps that the parts leave open, each once.
2. A run starts in an initial state and takes steps of the parts. Its labels, and A and E inside its
   formula, are those of the way. By the definition of the operators, the run then satisfies an E,
   or violates an A, of those that the formula is made of by booleans.
3. Claims about all runs, and about all ways to finish the parts, are decided again by the search.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import UNSET

from pigro.engines.finishing import FinishRequest
from pigro.engines.game.checking import is_about_runs
from pigro.evidence.booleans import WRITTEN, Booleans
from pigro.evidence.completion.ways import Point
from pigro.evidence.data import need
from pigro.evidence.run.lasso import RunPositions, evaluate, inside
from pigro.evidence.run.runs import LABELS, body_of, is_some
from pigro.logic import parse
from pigro.logic.fragments import state_formulas
from pigro.logic.operators import Op
from pigro.model.part import MAY, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.engines.finishing import Way
    from pigro.evidence.completion.data import FinishedData, PointData, RunData
    from pigro.evidence.run.lasso import Sets
    from pigro.logic import Formula
    from pigro.model.composition import Composition
    from pigro.model.product import States
    from pigro.session.results import CompositionResult


def check_finished(composition: Composition, dead_ends: str, row: CompositionResult) -> None:
    """`WrongEvidence` unless the ways to finish the parts show the verdict of a result."""
    formula = parse(row.formula)
    need(is_about_runs(formula), "only LTL and CTL* have ways to finish the parts")
    given = [] if row.finished is UNSET else row.finished
    told = sorted(each.verdict for each in given)
    wanted = ["fails", "holds"] if row.verdict == "unknown" else [row.verdict]
    need(told == wanted, "the ways to finish the parts do not show the verdict")
    question = FinishRequest(composition, formula, dead_ends, _no_poll)
    for each in given:
        _check_way(question, each)
    if row.verdict != "unknown" and given[0].points:
        need(len(question.answers()) == 1, "the parts can be finished so that it is otherwise")


def _no_poll() -> None:
    """Cannot be stopped."""


def _check_way(question: FinishRequest, told: FinishedData) -> None:
    """The verdict of one way, and its run."""
    points: dict[Point, bool] = {}
    for each in told.points:
        point = _point(question.product.composition, each)
        need(point not in points, "a point is told twice")
        points[point] = each.value
    found = question.decide(points)
    need(found.holds is (told.verdict == "holds"), "a way to finish the parts has another verdict")
    known = {point for point, _ in found.points} <= points.keys()
    need(known, "a verdict depends on more than its points")
    if told.run is not None:
        _check_run(question, points, told.run)


def _point(composition: Composition, told: PointData) -> Point:
    """What a part leaves open. `WrongEvidence` if it does not."""
    parts = {part.name: at for at, part in enumerate(composition.parts)}
    need(told.part in parts, "a point is about no part")
    at = parts[told.part]
    part = composition.numbered_parts[at]
    numbers = {name: number for number, name in enumerate(part.states)}
    need(told.state in numbers, "a point is about no state")
    state = numbers[told.state]
    if told.label is not None:
        fine = told.label in part.atoms and told.target is None and told.action is None
        need(fine, "a point is about no label")
        value = part.value(state, part.atoms.index(told.label))
        need(value == UNKNOWN, "a point is about a label that is known")
        return Point(at, state, label=told.label)
    need(told.target in numbers, "a point is about no step")
    assert told.target is not None, "it was looked at"
    action, target = told.action or "", numbers[told.target]
    steps = {
        ("" if part.actions is None else part.action_name(by), to): kind
        for by, to, kind in part.steps_of(state)
    }
    need(steps.get((action, target)) == MAY, "a point is about a step that is known")
    return Point(at, state, action=action, target=target)


def _check_run(question: FinishRequest, points: dict[Point, bool], run: RunData) -> None:
    composition, formula = question.product.composition, question.formula
    states = [_states(composition, each) for each in run.states]
    need(states and states[0] in composition.initial, "a run starts in no initial state")
    way = question.way(points)
    need(way.exists(states[0]), "a run starts in a state that is not there")
    for before, target in pairwise(states):
        need(way.steps(before).get(target), "a run takes a step that is not there")
    line = _line(way, run, states, stops=question.dead_ends == "stop")

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

    need(any(map(shows, _about_runs(formula))), "a run does not show what it should")


def _about_runs(formula: Formula) -> list[int]:
    """The A and E that a formula is made of by booleans. Or the whole, if it is of paths."""
    root = len(formula) - 1
    if not state_formulas(formula)[root]:
        return [root]
    booleans = Booleans(formula, WRITTEN)
    leaves = [node for node in booleans.parts(root) if booleans.is_leaf(node)]
    return [node for node in leaves if formula.ops[node] not in LABELS]


def _states(composition: Composition, names: Sequence[str]) -> States:
    need(len(names) == len(composition.parts), "a state of a run has other parts")
    found = []
    for part, name in zip(composition.numbered_parts, names, strict=True):
        need(name in part.states, "a run comes to a state that no part has")
        found.append(part.states.index(name))
    return tuple(found)


def _line(way: Way, run: RunData, states: Sequence[States], *, stops: bool) -> RunPositions:
    """The positions of a run. `WrongEvidence` unless it ends as it says."""
    count, last = len(states), states[-1]
    if run.ends == "loop":
        need(run.start is not None and run.start < count, "a loop has no start")
        assert run.start is not None, "it was looked at"
        need(way.steps(last).get(states[run.start]), "a loop is not closed")
        return RunPositions(count, run.start)
    need(run.start is None, "a run that is not a loop has a start")
    if run.ends == "here":
        return RunPositions(count + 1, count, may_end=stops)
    stuck = all(value is False for value in way.steps(last).values())
    need(stuck, "a run stays where it could go on")
    return RunPositions(count, None if stops else count - 1)
