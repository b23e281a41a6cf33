"""Where subformulas are true, and all states that satisfy a formula, as text and as JSON.

The automaton over boxes that accepts such states is written as JSON, and drawn in DOT.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET

from pigro.diagnostics import printable
from pigro.engines.labelling import Truth
from pigro.evidence.joining import starting
from pigro.evidence.source_lines import shown_position
from pigro.evidence.tables import box_name
from pigro.formats import dot
from pigro.logic.printer import as_written, paths_of
from pigro.render.data import (
    AutomatonData,
    AutomatonState,
    AutomatonStep,
    ExplanationData,
    LabelledNode,
    LabelsData,
    SourcePosition,
    StateData,
    SubformulaData,
)
from pigro.render.json import harmless
from pigro.render.text import initial_text
from pigro.session.results import ModelRead
from pigro.verdict.reason import sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msgspec import UnsetType

    from pigro.engines.explaining import SubformulaTruth
    from pigro.engines.labelling import Satisfying
    from pigro.evidence import State
    from pigro.model import RSM
    from pigro.session.explaining import Explanation

_INDENT = 9
_BOXES = 8
"""Boxes of a stack that are shown in text."""


def explanation_text(told: Explanation) -> str:
    """For people: a sentence for each subformula."""
    return "".join(f"{line}\n" for line in _lines(told))


def explanation_json(told: Explanation) -> bytes:
    """For programs: one object. Nothing is shortened but subformulas inside sentences."""
    model, node = told.model, told.node
    return _written(
        ExplanationData(
            schema="pigro.explanation/2",
            model=ModelRead.of(model, starting(model)),
            formula=str(as_written(told.formula)),
            at=None if node is None else model.node_name(node),
            subformulas=[_subformula(told, each) for each in told.truths],
            left_out=told.left_out,
            warnings=list(told.warnings),
            position=UNSET if node is None else _position(model, node),
        )
    )


def _written(document: msgspec.Struct) -> bytes:
    builtins = msgspec.to_builtins(document)
    return harmless(json.dumps(builtins, ensure_ascii=False, indent=2) + "\n").encode()


def _lines(told: Explanation) -> Iterator[str]:
    if not told.is_reachable:
        yield f"{_node(told)} is not reachable from {initial_text(told.model)}"
        return
    listed = told.model.on_demand is None
    start = initial_text(told.model) if listed else "the initial states"
    place = f"at {start}, with the empty stack" if listed else f"at {start}"
    where = place if told.node is None else f"at {_node(told)}, for every caller"
    initial = told.model.initial if listed else ()
    nodes = initial if told.node is None else (told.node,)
    position = told.model.position(nodes[0]) if len(nodes) == 1 else None
    yield where if position is None else f"{where}   {shown_position(told.model, position)}"
    yield ""
    for each in told.truths:
        text = str(each.formula)
        yield f"{each.truth:<{_INDENT}}{printable(text, len(text))}"
        for line in _sentences(told, each):
            yield " " * _INDENT + line
    paths = paths_of(told.formula)
    if paths is not None:
        yield ""
        yield f"A and E are about {paths} paths only"
    if told.left_out:
        yield ""
        yield f"and {told.left_out:,} more subformula{'s' if told.left_out > 1 else ''}"


def _sentences(told: Explanation, each: SubformulaTruth) -> Iterator[str]:
    """One, or where it depends one for each truth."""
    where = "the initial state" if told.node is None else "this state"
    if each.truth is Truth.UNKNOWN:
        yield "no verdict within the limits"
    if each.truth is Truth.DEPENDS and each.true_in is None and each.false_in is None:
        yield "true in some states, false in others; to find them takes more than the limits"
    if each.truth in {Truth.HOLDS, Truth.FAILS}:
        yield sentence(each.formula, holds=each.truth is Truth.HOLDS, where=where)
    for state, holds in ((each.true_in, True), (each.false_in, False)):
        if state is not None:
            said = sentence(each.formula, holds=holds, where=where)
            yield f"{_circumstances(told, state)}, {said}"


def _circumstances(told: Explanation, state: State) -> str:
    """What a truth depends on: the initial node, or the calls that have not returned."""
    if told.node is None:
        return f"at {printable(told.model.node_name(state.node))}"
    boxes = [_box(told.model, box) for box in state.stack]
    if not boxes:
        return "with the empty stack"
    if len(boxes) > _BOXES:
        half = _BOXES // 2
        boxes[half:-half] = [f"... {len(boxes) - 2 * half:,} more ..."]
    return f"called by {' > '.join(boxes)}"


def _subformula(told: Explanation, each: SubformulaTruth) -> SubformulaData:
    return SubformulaData(
        formula=str(each.formula),
        truth=each.truth.value,
        reason="; ".join(_sentences(told, each)) or None,
        true_in=_state(told.model, each.true_in),
        false_in=_state(told.model, each.false_in),
    )


def _state(model: RSM, state: State | None) -> StateData | None:
    if state is None:
        return None
    boxes = [box_name(model, box) for box in state.stack]
    return StateData(model.node_name(state.node), boxes, _position(model, state.node))


def _position(model: RSM, node: int) -> SourcePosition | UnsetType:
    """The source position of a node, if it has one."""
    position = model.position(node)
    return UNSET if position is None else SourcePosition(**position._asdict())


def _box(model: RSM, box: int) -> str:
    """As COMPONENT:BOX, with its source position."""
    position = model.box_position(box)
    return printable(box_name(model, box)) + (f" ({position})" if position else "")


def _node(told: Explanation) -> str:
    assert told.node is not None
    return printable(told.model.node_name(told.node))


_LABEL_WIDTH = len(Truth.NOT_REACHABLE) + 2
_DRAWN = 12
"""Nodes of a state that a drawing names."""


def labels_text(found: Satisfying) -> str:
    """For people: a line per declared node, and how many there are of each kind."""
    lines, counted = [], Counter[Truth]()
    for node, truth in found.truths():
        counted[truth] += 1
        lines.append(f"{truth:<{_LABEL_WIDTH}}{printable(found.model.node_name(node))}\n")
    told = ", ".join(f"{each}: {counted[each]:,}" for each in Truth if counted[each])
    states = len(found.components)
    return f"{''.join(lines)}\n{told}; {states:,} context{'s' if states != 1 else ''}\n"


def labels_json(found: Satisfying) -> bytes:
    """For programs: one object."""
    nodes = [
        LabelledNode(found.model.node_name(node), truth.value) for node, truth in found.truths()
    ]
    read = ModelRead.of(found.model, found.model)
    return _written(LabelsData("pigro.labels/2", read, str(found.formula), nodes))


def automaton_json(found: Satisfying) -> bytes:
    """The automaton that reads stacks, outermost box first. A state lists the nodes it accepts."""
    model = found.model
    steps = [
        AutomatonStep(at, box_name(model, box), to)
        for at, row in enumerate(found.steps)
        for box, to in row.items()
    ]
    states = [
        AutomatonState(
            model.names.components[component],
            [model.node_name(node) for node in accepted(found, at)],
        )
        for at, component in enumerate(found.components)
    ]
    return _written(
        AutomatonData(
            schema="pigro.automaton/1",
            model=ModelRead.of(model, model),
            formula=str(found.formula),
            initial=list(found.initial.values()),
            states=states,
            steps=steps,
        )
    )


def accepted(found: Satisfying, state: int) -> list[int]:
    """The declared nodes where the formula holds under the stacks of a state."""
    return sorted(node for node in found.true[state] if found.model.core.box(node) < 0)


def automaton_dot(found: Satisfying) -> bytes:
    """The automaton as a drawing: states with the nodes that they accept, steps with boxes."""
    return dot.draw_graph([f"{line}\n" for line in _automaton_lines(found)])


def _automaton_lines(found: Satisfying) -> Iterator[str]:
    model = found.model
    for at, component in enumerate(found.components):
        nodes = accepted(found, at)
        names = [model.names.nodes[model.core.declared_of_node(node)] for node in nodes[:_DRAWN]]
        more = [f"and {len(nodes) - _DRAWN:,} more"] if len(nodes) > _DRAWN else []
        words = [model.names.components[component], *(names or ["nowhere"]), *more]
        label = "\\n".join(map(dot.escaped, words))
        border = ", peripheries=2" if at in found.initial.values() else ""
        yield f'  {at} [label="{label}", shape=box{border}];'
    for at, row in enumerate(found.steps):
        for box, to in row.items():
            yield f'  {at} -> {to} [label="{dot.escaped(model.names.boxes[box])}"];'
