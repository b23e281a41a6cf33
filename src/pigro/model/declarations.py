"""A model as people and files declare it, by names; `flatten` turns it into an RSM.

The shape is that of `.rsm` files (docs/formats.md), so that these records are also what JSON is
decoded into. Unknown keys are ignored.
"""

from __future__ import annotations

from msgspec import Struct


class NodeDecl(Struct, gc=False):
    """A node of a component."""

    name: str
    is_entry: bool = False
    is_exit: bool = False
    labels: list[str] = []


class BoxDecl(Struct, gc=False):
    """A call site: which component it calls, at which entries, returning from which exits."""

    name: str
    component: str
    call_nodes: list[str] = []
    return_nodes: list[str] = []


class NodeRef(Struct, gc=False, omit_defaults=True, tag_field="type", tag="node"):
    """A node of the same component. Some files say `node` for `name`."""

    name: str | None = None
    node: str | None = None


class BoxNodeRef(Struct, gc=False, tag_field="type", tag="box_node"):
    """A call node (as target) or return node (as source) of a box of the same component."""

    node_name: str
    box_name: str


class TransitionDecl(Struct, gc=False):
    """Edges from one source to any number of targets."""

    source: NodeRef | BoxNodeRef
    targets: list[NodeRef | BoxNodeRef] = []


class ComponentDecl(Struct, gc=False):
    """A component: one procedure of the program."""

    name: str
    nodes: list[NodeDecl] = []
    boxes: list[BoxDecl] = []
    transitions: list[TransitionDecl] = []


class ModelDecl(Struct, gc=False):
    """A whole model with its initial node or nodes."""

    initial_component: str
    initial_node: str | list[str]
    components: list[ComponentDecl]
