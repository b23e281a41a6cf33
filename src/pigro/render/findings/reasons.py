"""Why nothing is reported at a line, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.render.findings.excerpts import FileLines, shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.scan.project.why_not import WhyNotReason


def reasons_text(reasons: Iterable[WhyNotReason]) -> str:
    """A paragraph for each reason."""
    sources = FileLines()
    parts = []
    for each in reasons:
        about = f"[{each.rule}]" if each.rule else ""
        lines = [f"{each.kind}{about}: {printable(each.sentence, 2000)}"]
        if each.formula:
            lines.append(f"  formula: {each.formula}")
        lines += [
            f"  {step.at[0]:>5} : {'| ' * step.depth}"
            f"{shown(sources.line(step.file, step.at[0])).strip()}"
            f"  <- {printable(step.note, 400)}"
            for step in each.steps
            if step.note
        ]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)
