"""Where the states and calls of a document stand in its file.

A state is no line of its own: it has the position of its module's name, and a state that calls that
of the call, and so has the box. Steps have places of their own (`branches.py`).
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from pigro.model.positions import OWN, Positions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.formats.smv.components import Part
    from pigro.formats.smv.syntax.text import Text


def positions(text: Text, parts: Iterable[Part]) -> Positions:
    """The positions of all nodes, boxes and components of a model, in the order of its arrays."""
    listed = list(parts)
    tokens = {part.space.component.module.at for part in listed}
    tokens.update(*(part.called_at.values() for part in listed))
    rows = {token: array("i", (0, *span)).tobytes() for token, span in text.spans(tokens).items()}
    components = [rows[part.space.component.module.at] for part in listed]
    if len(listed) == 1 and not listed[0].called_at:  # one row for all: there may be very many
        return Positions((OWN,), components[0], b"", components[0], shared=listed[0].space.size)
    nodes, boxes = [], []
    for part in listed:
        module, called_at = rows[part.space.component.module.at], part.called_at
        boxes += [rows[called_at[state]] for state in sorted(called_at)]
        if not called_at:
            nodes.append(module * part.space.size)
            continue
        nodes += [rows[called_at[each]] if each in called_at else module for each in part.shown]
    return Positions((OWN,), b"".join(nodes), b"".join(boxes), b"".join(components))
