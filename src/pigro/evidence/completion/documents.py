"""Ways to finish parts, and their runs, as they stand in results. Parts and states go by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.evidence.completion.data import FinishedData, PointData, RunData

if TYPE_CHECKING:
    from pigro.evidence.completion.ways import Finished
    from pigro.model.composition import Composition


def way_document(composition: Composition, found: Finished) -> FinishedData:
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
