"""What `.json` files have, as model_json.py writes them: the types that the schema is made from."""

# ruff: noqa: TC001 - msgspec reads the annotations
from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from pigro.evidence.data import Count, DeadEndsRead, Names, Reading, StatisticsData
from pigro.model.declarations import At


class NodeReference(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="node"):
    """A node of the same component."""

    name: str


class BoxReference(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="box_node"):
    """A call or return node of one of the boxes of the same component."""

    node_name: str
    box_name: str


class NodeData(msgspec.Struct, forbid_unknown_fields=True):
    """A node."""

    name: str
    is_entry: bool
    is_exit: bool
    labels: list[str]
    at: At | UnsetType = UNSET
    """A source position: line, column, end line, end column. Lines and columns count from 1, the
    end column is the one after the last character, and a column of 0 is unknown.
    """
    file: str | UnsetType = UNSET
    """The source file of the position, unless it is that of the component."""


class BoxData(msgspec.Struct, forbid_unknown_fields=True):
    """A call site."""

    name: str
    component: str
    """The component that it calls."""
    call_nodes: list[str]
    """Entries of that component."""
    return_nodes: list[str]
    """Exits of that component."""
    at: At | UnsetType = UNSET
    """A source position, as for nodes."""
    file: str | UnsetType = UNSET
    """The source file of the position, unless it is that of the component."""


class TransitionData(msgspec.Struct, forbid_unknown_fields=True):
    """Edges from one source."""

    source: NodeReference | BoxReference
    targets: list[NodeReference | BoxReference]


class ComponentData(msgspec.Struct, forbid_unknown_fields=True):
    """A component."""

    name: str
    calls: list[str]
    """The components that boxes of this one call."""
    recursive: bool
    """Whether it can call itself, at once or through others."""
    reachable: bool
    """Whether it can be running at all."""
    edges: Count
    nodes: list[NodeData]
    boxes: list[BoxData]
    transitions: list[TransitionData]
    at: At | UnsetType = UNSET
    """A source position, as for nodes."""
    file: str | UnsetType = UNSET
    """The source file of the positions here and inside, unless they name another."""


class ModelData(msgspec.Struct, forbid_unknown_fields=True):
    """What `pigro convert MODEL OUT.json` writes: an .rsm file with more keys. The facts added are
    schema, statistics, and in each component calls, recursive, reachable and edges. Reading the
    file ignores them.
    """

    schema: Literal["pigro.model/1"]
    """Names this format and its version. The version grows when a reader would have to change."""
    semantics: Reading
    """How to read calls of nodes that are entry and exit at once."""
    dead_ends: DeadEndsRead
    """What a run does where no step leads on. Both are how the file is read by default."""
    statistics: StatisticsData
    initial_component: str
    initial_node: str | Names
    """One node, or several nodes of the initial component."""
    components: list[ComponentData]
    file: str | UnsetType = UNSET
    """The source file of the positions here and inside, unless they name another."""
