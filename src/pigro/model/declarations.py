"""A model as people and files declare it, by names; `flatten` turns it into an RSM.

The shape is that of `.rsm` files (docs/formats.md), so that these records are also what JSON is
decoded into. Unknown keys are ignored. `Placed...` are the same with source positions; models
without positions do not pay for these fields.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

At = Annotated[list[Annotated[int, Meta(ge=0, le=2**31 - 1)]], Meta(min_length=1, max_length=4)]
"""A source position: line, column, end line, end column; all but the line may be left out."""


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


class PlacedNode(NodeDecl, gc=False):
    """A node with its source position; the file is that of the component if it is left out."""

    at: At | UnsetType = UNSET
    file: str | UnsetType = UNSET


class PlacedBox(BoxDecl, gc=False):
    """A call site with its source position."""

    at: At | UnsetType = UNSET
    file: str | UnsetType = UNSET


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


class PlacedComponent(ComponentDecl, gc=False):
    """A component with its source position; the file is that of the model if it is left out."""

    nodes: list[PlacedNode] = []  # type: ignore[assignment]
    boxes: list[PlacedBox] = []  # type: ignore[assignment]
    at: At | UnsetType = UNSET
    file: str | UnsetType = UNSET


class ModelDecl(Struct, gc=False):
    """A whole model with its initial node or nodes."""

    initial_component: str
    initial_node: str | list[str]
    components: list[ComponentDecl]


class PlacedModel(ModelDecl, gc=False):
    """A whole model with source positions, and the file that they are in."""

    components: list[PlacedComponent]  # type: ignore[assignment]
    file: str | UnsetType = UNSET
