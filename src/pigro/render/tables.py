"""Tables as text for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

_WIDEST = 60
"""Longest text in a column other than the last."""


def table(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Rows with aligned columns, with line ends. The columns `right` are aligned to the right.

    >>> print(table([("name", "size"), ("main", "7"), ("helper", "12")], right=[1]), end="")
    name    size
    main       7
    helper    12
    """
    last = len(rows[0]) - 1
    cells = [
        [printable(cell, _WIDEST if i < last else len(cell)) for i, cell in enumerate(row)]
        for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = []
    for row in cells:
        aligned = [
            cell.rjust(widths[i]) if i in right else cell.ljust(widths[i])
            for i, cell in enumerate(row)
        ]
        lines.append("  ".join(aligned).rstrip() + "\n")
    return "".join(lines)
