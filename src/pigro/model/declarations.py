"""A model as people and files declare it, by names. `flatten` turns it into an RSM.

The shape is that of `.rsm` files (docs/formats/rsm.md), so that these records are also what JSON is
decoded into. Unknown keys are ignored. `Placed...` are the same with source positions. Models
without positions do not pay for these fields. `PositionCollector` and `place_all` make rows of
positions (positions.py) from them, and the other way round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from pigro.diagnostics import ModelError, Position
from pigro.model.positions import PositionRows

if TYPE_CHECKING:
    from array import array

    from pigro.model.positions import Positions, SourcePosition

At = Annotated[list[Annotated[int, Meta(ge=0, le=2**31 - 1)]], Meta(min_length=1, max_length=4)]
"""A source position: line, column, end line, end column. All but the line may be left out."""


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
    """A node with its source position. The file is that of the component if it is left out."""

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
    """A component with its source position. The file is that of the model if it is left out."""

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


class PositionCollector:
    """Takes the positions of components in. `file` is where positions without a file are."""

    def __init__(self, file: str | None) -> None:
        self._file = file
        self._rows = PositionRows()

    def add(self, component: PlacedComponent, number: int, nodes: int, boxes: int) -> None:
        """The next component, before which came so many nodes and boxes."""
        rows, path = self._rows, f"$.components[{number}]"
        file = self._file if component.file is UNSET else component.file
        self._add(rows.components, path, component, number, file)
        for at, node in enumerate(component.nodes):
            self._add(rows.nodes, f"{path}.nodes[{at}]", node, nodes + at, file)
        for at, box in enumerate(component.boxes):
            self._add(rows.boxes, f"{path}.boxes[{at}]", box, boxes + at, file)

    def finish(self, nodes: int, boxes: int, components: int) -> Positions | None:
        """The positions of so many things. None if there are none."""
        return self._rows.finish(nodes, boxes, components)

    def _add(
        self,
        rows: array[int],
        path: str,
        thing: PlacedNode | PlacedBox | PlacedComponent,
        number: int,
        file: str | None,
    ) -> None:
        if thing.at is UNSET:
            return
        own = file if thing.file is UNSET else thing.file
        try:
            self._rows.add(rows, number, own, thing.at)
        except ModelError as error:
            error.position = Position(path=f"{path}.at")
            raise


def place_all(declared: ModelDecl, positions: Positions) -> PlacedModel:
    """Declarations with their positions. Each file is said as far outside as it can be."""
    file = positions.files[0]
    made = PlacedModel(declared.initial_component, declared.initial_node, [], file)
    nodes = boxes = 0
    for number, each in enumerate(declared.components):
        at = positions.component(number)
        first = at or positions.node(nodes) if each.nodes else at
        here = first.file if first else file
        made.components.append(
            PlacedComponent(
                each.name,
                [
                    PlacedNode(
                        node.name,
                        node.is_entry,
                        node.is_exit,
                        node.labels,
                        *_told(positions.node(i), here),
                    )
                    for i, node in enumerate(each.nodes, nodes)
                ],
                [
                    PlacedBox(
                        box.name,
                        box.component,
                        box.call_nodes,
                        box.return_nodes,
                        *_told(positions.box(i), here),
                    )
                    for i, box in enumerate(each.boxes, boxes)
                ],
                each.transitions,
                _told(at, here)[0],
                UNSET if here == file else here,
            )
        )
        nodes += len(each.nodes)
        boxes += len(each.boxes)
    return made


def _told(
    position: SourcePosition | None, here: str
) -> tuple[list[int] | UnsetType, str | UnsetType]:
    """A position as declarations have it, without zeros at its end, and its file, if another."""
    if position is None:
        return UNSET, UNSET
    file, *at = position
    if not position.end_column and position.end_line == position.line:
        at = at[:2] if position.column else at[:1]
    elif not position.end_column:
        at = at[:3]
    return at, UNSET if file == here else file
