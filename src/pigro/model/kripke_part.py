"""A model without calls as a part of a composition, and the other way round."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pigro import _core
from pigro.diagnostics import ModelError, Position
from pigro.model.choices import DeadEnds
from pigro.model.mistakes import quoted
from pigro.model.names import Names
from pigro.model.part import Part, check_size
from pigro.model.rsm import RSM

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.model.composition import Composition


def part_of(model: RSM, name: str | None = None, *, stutter: bool = False) -> Part:
    """The component that the model starts in, with all labels of the model. It makes no calls.

    States are its nodes, under their names. The part has the component's name unless one is given.
    Runs stay forever at an exit, and, with `stutter`, at other states without successors.
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


def other_kind(subject: RSM | Composition) -> RSM | Composition:
    """A model as a composition of one part, or a composition of one part as a model.

    Where runs of a model stay, the part has a loop, so that the mu-calculus sees the same.
    `ModelError` P222 or P215 if there is no such thing.
    """
    if not isinstance(subject, RSM):
        return model_of(subject)
    from pigro.model.composition import Composition

    stops = subject.dead_ends is DeadEnds.STOP
    part = part_of(subject, stutter=not stops)
    at = next(iter(dead_ends_of(part)), None)
    if at is not None:
        raise ModelError(
            "P215",
            f"{quoted(part.states[at])} is a dead end where runs stop, "
            "and parts can't say how they are read",
            hint="write it as .rsm, or choose --dead-ends stutter",
        )
    return Composition([part])


def dead_ends_of(part: Part) -> Iterator[int]:
    """The states without steps."""
    return (at for at, (first, end) in enumerate(pairwise(part.offsets)) if first == end)


def model_of(composition: Composition) -> RSM:
    """The only part as a model of one component, which is a Kripke structure.

    `ModelError` P215 if there are several parts, or if the part has actions, unknown labels or
    steps that only may be there.
    """
    part = composition.listed_parts[0]
    trouble = None
    if len(composition.parts) > 1:
        trouble = f"the composition has {len(composition.parts):,} parts"
    elif part.actions is not None:
        trouble = f"part {quoted(part.name)} has actions"
    elif not part.is_concrete:
        trouble = f"part {quoted(part.name)} has unknown labels, or steps that only may be there"
    if trouble is not None:
        hint = "write it as .parts"
        raise ModelError("P215", f"{trouble}, which a model can't have", hint=hint)
    width, count = len(part.atoms), len(part.states)
    return RSM.from_arrays(
        component_offsets=[0, count],
        node_flags=bytes(count),
        edge_sources=[state for state in range(count) for _ in part.steps_of(state)],
        edge_targets=part.targets,
        labels={
            label: [state for state in range(count) if part.values[state * width + column]]
            for column, label in enumerate(part.atoms)
        },
        initial=part.initial,
        names=Names(components=[part.name], nodes=list(part.states), boxes=[]),
    )
