"""What the native core finds wrong with the arrays of a model, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import ModelError, printable

if TYPE_CHECKING:
    from collections.abc import Sequence

_SHAPES = {
    "no-components": "component_offsets need at least two values: a model has a component",
    "component-offsets": "component_offsets must rise from 0 to the number of node flags",
    "box-offsets": "box_offsets must rise from 0 to the number of boxes, "
    "one value more than components",
    "call-offsets": "call_offsets must rise from 0 to the number of call_entries, "
    "one value more than boxes",
    "return-offsets": "return_offsets must rise from 0 to the number of return_exits, "
    "one value more than boxes",
    "label-offsets": "the label rows do not fit together",
    "edge-lengths": "edge_sources and edge_targets must be equally long",
}
_IDS = {
    "node-flags": "node {0} has the flags {1}: 1 is an entry, 2 an exit, 3 both",
    "box-callee": "box {0} calls component {1}, which does not exist",
    "call-entry": "listed call {0} names node {1}, which is not an entry of the callee",
    "return-exit": "listed return {0} names node {1}, which is not an exit of the callee",
    "edge-source": "edge {0} starts at reference {1}, which is neither a node nor a listed return",
    "edge-target": "edge {0} goes to reference {1}, which is neither a node nor a listed call",
    "edge-crosses": "edge {0} leaves its component",
    "label-node": "a label names node {0}, which does not exist",
}


def explain_fault(
    rule: str, first: int, second: int, node_names: Sequence[str] | None
) -> ModelError:
    """The error for a broken rule of native/core/model/model.cpp or pushdown/split.cpp."""
    if rule == "too-large":
        what = "nodes, edges or labels of nodes"
        return ModelError("P213", f"{first:,} {what} are more than the 2^31 - 1 that fit")
    if rule == "long-names":
        return ModelError("P213", f"names of {first:,} bytes are more than the 2^31 - 1 that fit")
    if rule == "exit-successors":
        name = str(first)
        if node_names is not None and first < len(node_names):
            name = f'"{printable(node_names[first])}"'
        return ModelError(
            "P209",
            f"exit {name} has successors",
            hint="an exit only returns: continue from the return nodes of the boxes that call it",
        )
    if rule in _SHAPES:
        return ModelError("P212", _SHAPES[rule])
    return ModelError("P212", _IDS[rule].format(first, second))
