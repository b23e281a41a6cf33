"""Where a formula and its parts are true, as text and as JSON.

The automaton over boxes that accepts such states is written as JSON, and drawn in DOT.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import UNSET

from pigro.diagnostics.printable import in_full, printable
from pigro.engines.labelling import TruthAmongStates
from pigro.evidence.joining import starting
from pigro.evidence.source_lines import shown_position
from pigro.evidence.tables import box_name
from pigro.formats import dot
from pigro.logic.printer import as_written, paths_of
from pigro.render.data import (
    AutomatonData,
    AutomatonState,
    ExplanationData,
    SourcePositionData,
    StackAutomatonStep,
    StateData,
    TruthData,
)
from pigro.render.json import document_json
from pigro.render.text import initial_text
from pigro.session.results import ModelRead
from pigro.verdict.reason import sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msgspec import UnsetType

    from pigro.engines.labelling import FormulaTruth, Satisfying
    from pigro.evidence import State
    from pigro.model import RSM
    from pigro.model.space import Model
    from pigro.session.explaining import Explanation

_INDENT = 9
_LABEL_WIDTH = len(TruthAmongStates.NOT_REACHABLE) + 2
_COMPUTED = "at the initial states"
_BOXES = 8
"""Boxes of a stack that are shown in text."""


def explanation_text(explanation: Explanation) -> str:
    """For people: a sentence for each subformula, or a line for each node."""
    lines = (
        _lines(explanation)
        if explanation.satisfying is None
        else _node_lines(explanation, explanation.satisfying)
    )
    return "".join(f"{line}\n" for line in lines)


def explanation_json(explanation: Explanation) -> bytes:
    """For programs: one object. Nothing is shortened but subformulas inside sentences."""
    model = explanation.model
    return document_json(
        ExplanationData(
            schema="pigro.explanation/2",
            model=ModelRead.of(model, starting(model)),
            formula=str(as_written(explanation.formula)),
            truths=[_row(model, each) for each in explanation.truths],
            left_out=explanation.left_out,
            warnings=list(explanation.warnings),
        )
    )


def _lines(explanation: Explanation) -> Iterator[str]:
    model, node = explanation.model, explanation.node
    if node is not None and not explanation.is_reachable:
        yield f"{_node(model, node)} is not reachable from {initial_text(model.listed())}"
        return
    yield _where(model, node)
    yield ""
    for each in explanation.truths:
        text = str(each.formula)
        yield f"{each.truth:<{_INDENT}}{in_full(text)}"
        for line in _sentences(explanation.model, each):
            yield " " * _INDENT + line
    paths = paths_of(explanation.formula)
    if paths is not None:
        yield ""
        yield f"A and E are about {paths} paths only"
    if explanation.left_out:
        yield ""
        plural = "s" if explanation.left_out > 1 else ""
        yield f"and {explanation.left_out:,} more subformula{plural}"


def _where(model: Model, node: int | None) -> str:
    """The states that are asked about."""
    if not model.is_listed:
        return _COMPUTED
    where = f"at {initial_text(model)}, with the empty stack"
    if node is not None:
        where = f"at {_node(model, node)}, for every caller"
    nodes = model.initial if node is None else (node,)
    position = model.position(nodes[0]) if len(nodes) == 1 else None
    return where if position is None else f"{where}   {shown_position(model, position)}"


def _node_lines(explanation: Explanation, found: Satisfying) -> Iterator[str]:
    counted = Counter(each.truth for each in explanation.truths)
    for each in explanation.truths:
        assert each.node is not None, "every node was asked about"
        yield f"{each.truth:<{_LABEL_WIDTH}}{_node(explanation.model, each.node)}"
    sums = ", ".join(f"{truth}: {counted[truth]:,}" for truth in TruthAmongStates if counted[truth])
    states = len(found.components)
    yield ""
    yield f"{sums}; {states:,} context{'s' if states != 1 else ''}"


def _sentences(model: Model, each: FormulaTruth) -> Iterator[str]:
    """One, or where it depends one for each truth."""
    where = "the initial state" if each.node is None else "this state"
    if each.truth is TruthAmongStates.UNKNOWN:
        yield "no verdict within the limits"
    if each.truth is TruthAmongStates.DEPENDS and each.true_in is None and each.false_in is None:
        yield "true in some states, false in others; to find them takes more than the limits"
    if each.truth in {TruthAmongStates.HOLDS, TruthAmongStates.FAILS}:
        yield sentence(each.formula, holds=each.truth is TruthAmongStates.HOLDS, where=where)
    for state, holds in ((each.true_in, True), (each.false_in, False)):
        if state is not None:
            said = sentence(each.formula, holds=holds, where=where)
            yield f"{_circumstances(model, each, state)}, {said}"


def _circumstances(model: Model, each: FormulaTruth, state: State) -> str:
    """What a truth depends on: the initial node, or the calls that have not returned."""
    if each.node is None:
        return f"at {_node(model, state.node)}"
    boxes = [_box(model.listed(), box) for box in state.stack]
    if not boxes:
        return "with the empty stack"
    if len(boxes) > _BOXES:
        half = _BOXES // 2
        boxes[half:-half] = [f"... {len(boxes) - 2 * half:,} more ..."]
    return f"called by {' > '.join(boxes)}"


def _row(model: Model, each: FormulaTruth) -> TruthData:
    node = each.node
    return TruthData(
        formula=str(each.formula),
        at=None if node is None else model.listed().node_name(node),
        truth=each.truth.value,
        reason="; ".join(_sentences(model, each)) or None,
        true_in=_state(model, each.true_in),
        false_in=_state(model, each.false_in),
        position=UNSET if node is None else _position(model.listed(), node),
    )


def _state(model: Model, state: State | None) -> StateData | None:
    if state is None:
        return None
    listed = model.listed()
    boxes = [box_name(listed, box) for box in state.stack]
    return StateData(listed.node_name(state.node), boxes, _position(listed, state.node))


def _position(model: RSM, node: int) -> SourcePositionData | UnsetType:
    """The source position of a node, if it has one."""
    position = model.position(node)
    return UNSET if position is None else SourcePositionData(**position._asdict())


def _box(model: RSM, box: int) -> str:
    """As COMPONENT:BOX, with its source position."""
    position = model.box_position(box)
    return printable(box_name(model, box)) + (f" ({position})" if position else "")


def _node(model: Model, node: int) -> str:
    return printable(model.listed().node_name(node))


_DRAWN = 12
"""Nodes of a state that a drawing names."""


def automaton_json(satisfying: Satisfying) -> bytes:
    """The automaton that reads stacks, outermost box first. A state lists the nodes it accepts."""
    model = satisfying.model
    steps = [
        StackAutomatonStep(at, box_name(model, box), to)
        for at, row in enumerate(satisfying.steps)
        for box, to in row.items()
    ]
    states = [
        AutomatonState(
            model.names.components[component],
            [model.node_name(node) for node in sorted(satisfying.true[at])],
        )
        for at, component in enumerate(satisfying.components)
    ]
    return document_json(
        AutomatonData(
            schema="pigro.automaton/1",
            model=ModelRead.of(model, model),
            formula=str(satisfying.formula),
            initial=list(satisfying.initial.values()),
            states=states,
            steps=steps,
        )
    )


def automaton_dot(satisfying: Satisfying) -> bytes:
    """The automaton as a drawing: states with the nodes that they accept, steps with boxes."""
    return dot.draw_graph([f"{line}\n" for line in _automaton_lines(satisfying)])


def _automaton_lines(satisfying: Satisfying) -> Iterator[str]:
    model = satisfying.model
    for at, component in enumerate(satisfying.components):
        nodes = sorted(satisfying.true[at])
        names = [model.names.nodes[model.core.declared_of_node(node)] for node in nodes[:_DRAWN]]
        more = [f"and {len(nodes) - _DRAWN:,} more"] if len(nodes) > _DRAWN else []
        words = [model.names.components[component], *(names or ["nowhere"]), *more]
        label = "\\n".join(map(dot.escaped, words))
        border = ", peripheries=2" if at in satisfying.initial.values() else ""
        yield f'  {at} [label="{label}", shape=box{border}];'
    for at, row in enumerate(satisfying.steps):
        for box, to in row.items():
            yield f'  {at} -> {to} [label="{dot.escaped(model.names.boxes[box])}"];'
