"""Source positions of declarations, from and to rows (positions.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET, UnsetType

from pigro.diagnostics import ModelError, Position
from pigro.model.declarations import PlacedBox, PlacedComponent, PlacedModel, PlacedNode
from pigro.model.positions import PositionRows

if TYPE_CHECKING:
    from array import array

    from pigro.model.declarations import ModelDecl
    from pigro.model.positions import Positions, SourcePosition


class Placing:
    """Takes the positions of components in; `file` is where positions without a file are."""

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
        """The positions of so many things; None if there are none."""
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
    """Declarations with their positions; each file is said as far outside as it can be."""
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
    """A position as declarations have it, without zeros at its end; and its file, if another."""
    if position is None:
        return UNSET, UNSET
    file, *at = position
    if not position.end_column and position.end_line == position.line:
        at = at[:2] if position.column else at[:1]
    elif not position.end_column:
        at = at[:3]
    return at, UNSET if file == here else file
