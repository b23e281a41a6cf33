"""A model without calls as a part of a composition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro import _core
from pigro.diagnostics import ModelError, Position
from pigro.model.mistakes import quoted
from pigro.model.part import Part, check_size

if TYPE_CHECKING:
    from pigro.model.rsm import RSM


def part_of(model: RSM, name: str | None = None, *, stutter: bool = False) -> Part:
    """The component that the model starts in, with all labels of the model; it makes no calls.

    States are its nodes, under their names; the part has the component's name unless one is given.
    Runs stay for ever at an exit, and, with `stutter`, at other states without successors.
    `ModelError` P222 if there are calls, or several components to start in.

    >>> from pigro import kripke
    >>> part_of(kripke({"a": ["b"], "b": []}, labels={"b": ["p"]}, initial="a"), "small")
    <Part small: 2 states, 1 step, labels p>
    """
    core = model.core
    trouble = why_no_part(model)
    if trouble is not None:
        raise ModelError(
            "P222",
            f"{trouble}: a part makes no calls",
            position=None if model.source is None else Position(source=model.source),
            hint="a part is a Kripke structure: a model, or a module, without calls",
        )
    home = core.component(model.initial[0])
    nodes = core.nodes_of(home)
    number = {node: at for at, node in enumerate(nodes)}
    atoms = tuple(model.label_ids)
    name = model.names.components[home] if name is None else name
    check_size(name, len(nodes), len(atoms))
    values = bytearray(len(nodes) * len(atoms))
    for column, label in enumerate(model.label_ids.values()):
        for node in core.labelled(label):
            if node in number:
                values[number[node] * len(atoms) + column] = 1
    steps = [
        (at, number[after])
        for node, at in number.items()
        for after in core.successors(node) or _staying(model, node, stutter=stutter)
    ]
    return Part.from_steps(
        name,
        states=[model.names.nodes[core.declared_of_node(node)] for node in nodes],
        initial=[number[node] for node in model.initial],
        atoms=atoms,
        values=values,
        sources=[source for source, _ in steps],
        targets=[target for _, target in steps],
    )


def why_no_part(model: RSM) -> str | None:
    """What keeps a model from being a part, or None."""
    core = model.core
    homes = sorted({core.component(node) for node in model.initial})
    if len(homes) > 1:
        listed = " and ".join(quoted(model.names.components[each]) for each in homes[:2])
        return f"the model starts in several components, {listed}"
    boxes = core.boxes_of(homes[0])
    if boxes:
        component, box = model.names.components[homes[0]], model.names.boxes[boxes[0]]
        return f"component {quoted(component)} has the box {quoted(box)}"
    return None


def _staying(model: RSM, node: int, *, stutter: bool) -> tuple[int, ...]:
    """Where a run goes from a node without successors."""
    return (node,) if stutter or model.core.kind(node) is _core.NodeKind.EXIT else ()
