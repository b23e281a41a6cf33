"""Ways to finish parts, and their runs, as they stand in results, and back.

Parts and states go by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.evidence.completion.data import FinishedData, PointData, RunData
from pigro.evidence.completion.ways import Completion, ComposedRun, OpenChoice
from pigro.evidence.data import numbered_states, require
from pigro.model.part import MAY, UNKNOWN

if TYPE_CHECKING:
    from pigro.model.composition import Composition


def way_document(composition: Composition, found: Completion) -> FinishedData:
    """A way."""
    run, parts = found.run, composition.numbered_parts
    return FinishedData(
        verdict="holds" if found.holds else "fails",
        points=[
            PointData(
                part=parts[point.part].name,
                state=parts[point.part].states[point.state],
                label=point.label,
                action=point.action or None,
                target=None if point.target < 0 else parts[point.part].states[point.target],
                value=value,
            )
            for point, value in found.points
        ],
        run=None
        if run is None
        else RunData(
            states=[
                [part.states[state] for part, state in zip(parts, states, strict=True)]
                for states in run.states
            ],
            ends=run.ends,  # type: ignore[arg-type] # one of the three
            start=run.start,
        ),
    )


def read_way(composition: Composition, told: FinishedData) -> Completion:
    """A way of a document. `WrongEvidence` if the parts have no such states or open points."""
    points: dict[OpenChoice, bool] = {}
    for each in told.points:
        point = _point(composition, each)
        require(point not in points, "a point is told twice")
        points[point] = each.value
    run = None
    if told.run is not None:
        states = tuple(
            [numbered_states(composition.numbered_parts, each) for each in told.run.states]
        )
        run = ComposedRun(states, told.run.ends, told.run.start)
    return Completion(told.verdict == "holds", tuple(points.items()), run)


def _point(composition: Composition, told: PointData) -> OpenChoice:
    """What a part leaves open. `WrongEvidence` if it does not."""
    parts = {part.name: at for at, part in enumerate(composition.parts)}
    require(told.part in parts, "a point is about no part")
    at = parts[told.part]
    part = composition.numbered_parts[at]
    numbers = {name: number for number, name in enumerate(part.states)}
    require(told.state in numbers, "a point is about no state")
    state = numbers[told.state]
    if told.label is not None:
        fine = told.label in part.atoms and told.target is None and told.action is None
        require(fine, "a point is about no label")
        value = part.value(state, part.atoms.index(told.label))
        require(value == UNKNOWN, "a point is about a label that is known")
        return OpenChoice(at, state, label=told.label)
    require(told.target in numbers, "a point is about no step")
    assert told.target is not None, "it was looked at"
    action, target = told.action or "", numbers[told.target]
    steps = {
        ("" if part.actions is None else part.action_name(by), to): kind
        for by, to, kind in part.steps_of(state)
    }
    require(steps.get((action, target)) == MAY, "a point is about a step that is known")
    return OpenChoice(at, state, action=action, target=target)
