"""What users should know about how a file is read: warnings, not errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import Position, printable
from pigro.formats.smv.space import state_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.diagnostics import PigroError
    from pigro.formats.smv.document import SmvDocument
    from pigro.formats.smv.machine import SmvComponent


def notes_on(document: SmvDocument, faults: Sequence[PigroError]) -> list[str]:
    """The notes, those about sections of the file first. `faults` are those of its formulas."""
    found = [*fault_notes(faults), *_computes(document), *_compassion(document)]
    if not document.is_large:
        found += _dead_ends(document)
    return found


def fault_notes(faults: Sequence[PigroError]) -> Iterator[str]:
    """That a formula of the file is wrong, and how many others are."""
    for first in faults[:1]:
        position = first.position or Position()
        more = f" (and {len(faults) - 1:,} more)" if len(faults) > 1 else ""
        place = f"line {position.line}{more}"
        yield f"the formula of the file in {place} can't be checked: {first.code}: {first.message}"


def dead_end_note(component: SmvComponent, values: Sequence[int], others: int = 0) -> str:
    """That a state has no successor, and how many others have none."""
    module = printable(component.module.name)
    more = f" (and {others:,} more)" if others else ""
    return (
        f"in module `{module}`, state {state_name(component, values)}{more} has no successor: "
        "as in NuSMV, formulas are about endless paths only"
    )


def _computes(document: SmvDocument) -> Iterator[str]:
    lines = [
        document.text.position(at).line
        for module in document.modules.values()
        for at in module.computes
    ]
    if lines:
        more = f" (and {len(lines) - 1:,} more)" if len(lines) > 1 else ""
        yield f"COMPUTE in line {lines[0]}{more} asks for a number and is not computed"


def _compassion(document: SmvDocument) -> Iterator[str]:
    """That COMPASSION does not count in CTL, if the file has both."""
    for name, _, spec, _ in document.specs:
        strong = any(len(each) > 1 for each in document.fairness[name])
        if strong and spec.section in ("SPEC", "CTLSPEC"):
            yield "COMPASSION does not count in CTL, as in NuSMV: write an LTLSPEC to use it"
            return


def _dead_ends(document: SmvDocument) -> Iterator[str]:
    for part in document.listing.parts().values():
        core = part.space.core
        if core.dead_ends:
            values = part.space.values(core.first_dead_end)
            yield dead_end_note(part.space.component, values, core.dead_ends - 1)
