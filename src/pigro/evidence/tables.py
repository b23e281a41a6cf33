"""What the states of evidence share, stored once in a document: nodes, boxes and stacks.

States go by numbers, and the tables tell people what these mean. A row that does not fit the model
is refused, and so is one that is there twice or in another order than the tables have it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from pigro.evidence.data import BoxRow, NodeRow, SourcePlaceData, TablesData, WrongEvidence, require
from pigro.evidence.states import EMPTY, State, step_position
from pigro.model.choices import DeadEnds
from pigro.model.positions import OWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pigro.evidence.states import Path, Stack
    from pigro.model import RSM, SourcePosition


class StateTables:
    """Collects what states have, and numbers their stacks."""

    def __init__(self) -> None:
        self._nodes: set[int] = set()
        self._stacks: dict[Stack, int] = {EMPTY: 0}

    def columns(self, states: Sequence[State]) -> tuple[list[int], list[int]]:
        """The nodes and the stacks of states, by number."""
        nodes = [state.node for state in states]
        self._nodes.update(nodes)
        known = self._stacks
        stacks = []
        for stack, _ in states:
            number = known.get(stack)
            stacks.append(self._add(stack) if number is None else number)
        return nodes, stacks

    def add_nodes(self, nodes: Iterable[int]) -> None:
        """Nodes that are named without a stack."""
        self._nodes.update(nodes)

    def _add(self, stack: Stack) -> int:
        pending, at = [], stack
        while at not in self._stacks:
            pending.append(at)
            at = at.below
        for each in reversed(pending):
            self._stacks[each] = len(self._stacks)
        return self._stacks[stack]

    def data(self, model: RSM) -> TablesData:
        """The tables of all states that were collected, with the labels of a model."""
        boxes = sorted({stack.box for stack in self._stacks if stack})
        return TablesData(
            [_node_row(model, node) for node in sorted(self._nodes)],
            [_box_row(model, box) for box in boxes],
            [(self._stacks[each.below], each.box) if each else None for each in self._stacks],
        )


class DocumentStates:
    """The states of a document, by their numbers. `WrongEvidence` unless its tables fit a model."""

    def __init__(self, model: RSM, data: TablesData) -> None:
        _ascending([row.number for row in data.nodes], model.core.nodes)
        _ascending([row.number for row in data.boxes], model.core.boxes)
        for row in data.nodes:
            made = _node_row(model, row.number)
            fine = (made.name, made.labels) == (row.name, row.labels)
            require(fine, f"the name or the labels are not those of node {row.number}")
            require(made.values == row.values, f"the values are not those of node {row.number}")
            require(
                _same(model, row.at, made.at),
                f"the source position is not that of node {row.number}",
            )
        for box in data.boxes:
            there = _box_row(model, box.number)
            require(there.name == box.name, f"the name is not that of box {box.number}")
            require(
                _same(model, box.at, there.at),
                f"the source position is not that of box {box.number}",
            )
        self.model = model
        self._nodes = {row.number for row in data.nodes}
        self._stacks = _stacks(model, data)
        self._states: dict[tuple[int, int], State] = {}

    def state(self, node: int, stack: int) -> State:
        """A state."""
        key = node, stack
        if key not in self._states:
            there = node in self._nodes and 0 <= stack < len(self._stacks)
            require(there, "a state has a node or a stack that is not in the tables")
            self._states[key] = State(self._stacks[stack], node)
        return self._states[key]

    def need_nodes(self, nodes: Iterable[int]) -> None:
        """`WrongEvidence` unless these nodes are in the tables."""
        require(self._nodes.issuperset(nodes), "a node is not in the tables")

    def states(self, nodes: Sequence[int], stacks: Sequence[int]) -> tuple[State, ...]:
        """The states of a path."""
        require(len(nodes) == len(stacks), "a path has different numbers of stacks and nodes")
        return tuple([self.state(*each) for each in zip(nodes, stacks, strict=True)])


def _ascending(numbers: list[int], count: int) -> None:
    require(all(0 <= each < count for each in numbers), "a node or a box is not in the model")
    require(all(one < two for one, two in pairwise(numbers)), "nodes or boxes are not in order")


def _node_row(model: RSM, node: int) -> NodeRow:
    labels = model.labels.get(model.core.subject(node), [])
    positions, core = model.positions, model.core
    at = None
    if positions is not None:
        box = core.box(node)
        at = positions.node(core.declared_of_node(node)) if box < 0 else positions.box(box)
    values = msgspec.UNSET if model.valuation is None else dict(model.values(node))
    return NodeRow(node, model.node_name(node), labels, _at(at), values)


def inputs_of(model: RSM, path: Path) -> list[dict[str, str]] | msgspec.UnsetType:
    """The inputs of the steps of a path, the last one of a loop included. Unset without any."""
    if model.valuation is None:
        return msgspec.UNSET
    found = [dict(model.inputs(one.node, two.node)) for one, two in _steps(path)]
    return found if any(found) else msgspec.UNSET


def places_of(model: RSM, path: Path) -> list[SourcePlaceData | None] | msgspec.UnsetType:
    """Where the file says what the steps of a path do, as `inputs_of`."""
    if model.valuation is None and model.configurations is None:
        return msgspec.UNSET
    return [_own(model, step_position(model, *pair)) for pair in _steps(path)]


def configurations_of(model: RSM, path: Path) -> list[str] | msgspec.UnsetType:
    """The configurations of the states of a path. Unset if the model is no pushdown system."""
    told = model.configurations
    return msgspec.UNSET if told is None else [told.text(model, each) for each in path.states]


def ending_of(model: RSM, path: Path) -> str:
    """How a path ends, in the word of a document: one that stays may also stop there."""
    stopped = path.ends == "stays" and path.states and stops(model, path.states[-1])
    return "stops" if stopped else path.ends


def stops(model: RSM, state: State) -> bool:
    """Whether a run that stays in a state ends there: in a dead end, unless it stutters."""
    core, node = model.core, state.node
    if model.dead_ends is not DeadEnds.STOP or node in core.successors(node):
        return False
    return bool(state.stack) or core.kind(node).name != "EXIT"


def _steps(path: Path) -> Iterable[tuple[State, State]]:
    again = [path.states[path.start]] if path.ends == "loop" and path.start is not None else []
    return pairwise([*path.states, *again])


def _own(model: RSM, position: SourcePosition | None) -> SourcePlaceData | None:
    """A position that says nothing about the name of the model's own file."""
    if position is None:
        return None
    file = OWN if position.file == model.source else position.file
    return SourcePlaceData(**position._replace(file=file)._asdict())


def _box_row(model: RSM, box: int) -> BoxRow:
    at = None if model.positions is None else model.positions.box(box)
    return BoxRow(box, box_name(model, box), _at(at))


def _at(position: SourcePosition | None) -> SourcePlaceData | msgspec.UnsetType:
    return msgspec.UNSET if position is None else SourcePlaceData(**position._asdict())


def _same(
    model: RSM, told: SourcePlaceData | msgspec.UnsetType, made: SourcePlaceData | msgspec.UnsetType
) -> bool:
    """Whether positions are the same, when the model's own file goes by its name in one of them."""
    if isinstance(told, msgspec.UnsetType) or isinstance(made, msgspec.UnsetType):
        return told is made
    if told.file == OWN or (made.file == OWN and told.file == model.source):
        told = msgspec.structs.replace(told, file=made.file)
    return told == made


def box_name(model: RSM, box: int) -> str:
    """As COMPONENT:BOX."""
    core, names = model.core, model.names
    return f"{names.components[core.box_component(box)]}:{names.boxes[box]}"


def _stacks(model: RSM, data: TablesData) -> list[Stack]:
    """The stacks. Each fits: its box is in the component that the one below calls."""
    require(data.stacks and data.stacks[0] is None, "the first stack is not the empty one")
    boxes, core = {row.number for row in data.boxes}, model.core
    found, seen = [EMPTY], set()
    for row in data.stacks[1:]:
        if row is None or row in seen:
            raise WrongEvidence("a stack is there twice")
        seen.add(row)
        below, box = row
        require(0 <= below < len(found) and box in boxes, "a stack has a part that is not there")
        under = found[below]
        fits = not under or core.callee(under.box) == core.box_component(box)
        require(fits, "a stack does not fit")
        found.append(under.push(box))
    return found
