"""States as the page shows them: where a run is, and the steps from there.

A state of the page is a list of boxes and a declared node, by number. A call and the entry are one
moment, at the entry. An exit and the return are one, at the exit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import UsageError, printable
from pigro.evidence.source_lines import line_text
from pigro.evidence.states import EMPTY, Stack, State, Steps, enters_call, step_position

if TYPE_CHECKING:
    from pigro.limits import Budget
    from pigro.model import RSM, SourcePosition

DEEPEST = 10_000
"""Calls on a stack."""
_SHOWN = 200
"""Steps, labels and frames that are told."""


def read_state(model: RSM, given: object) -> State:
    """The state that a request names. `UsageError` P004 if the model has none such.

    Without a node, the state is at an entry that the top of the stack calls.
    """
    core = model.core
    stack, node = (given.get("stack"), given.get("node")) if isinstance(given, dict) else (0, 0)
    if isinstance(stack, list) and len(stack) <= DEEPEST and _all_boxes(model, stack):
        if node is None and stack and core.listed_calls(stack[-1]):
            node = core.subject(core.listed_calls(stack[-1])[0])
        if type(node) is int and 0 <= node < core.nodes:
            stack, node = _declared(model, stack, node)
            callees = [core.callee(box) for box in stack]
            owners = [*(core.box_component(box) for box in stack[1:]), core.component(node)]
            if not stack or callees == owners:
                return State(stack, node)
    raise UsageError("P004", "the model has no state of this stack and node")


def _all_boxes(model: RSM, stack: list[object]) -> bool:
    return all(type(box) is int and 0 <= box < model.core.boxes for box in stack)


def _declared(model: RSM, stack: list[int], node: int) -> tuple[list[int], int]:
    """The same moment at a declared node."""
    box = model.core.box(node)
    return (stack, node) if box < 0 else ([*stack, box], model.core.subject(node))


def state_of(state: State) -> dict[str, object]:
    """A state, as requests and answers write it."""
    return {"stack": list(state.stack), "node": state.node}


def told_state(model: RSM, state: State) -> dict[str, object]:
    """All about a state: its name, labels, source line, stack and steps."""
    core, names = model.core, model.names
    frames = [
        {
            "box": box,
            "name": printable(names.boxes[box]),
            "component": core.box_component(box),
            "in": printable(names.components[core.box_component(box)]),
        }
        for box in list(state.stack)[-_SHOWN:]
    ]
    after = Steps(model).maximal_next(state)
    return {
        **_brief(model, state),
        "frames": frames,
        "depth": state.stack.depth,
        "values": {printable(k): printable(v) for k, v in model.values(state.node).items()},
        "next": [_step(model, state, each) for each in after[:_SHOWN]],
        "left_out": max(len(after) - _SHOWN, 0),
    }


def _brief(model: RSM, state: State) -> dict[str, object]:
    core = model.core
    labels = model.labels_of(core.subject(state.node))
    return {
        **state_of(state),
        "name": printable(model.node_name(state.node)),
        "component": core.component(state.node),
        "labels": [printable(each) for each in labels[:_SHOWN]],
        "exit": core.is_exit(state.node),
        "initial": state.node in model.initial and not state.stack,
        **_source(model, model.position(state.node)),
    }


def _source(model: RSM, position: SourcePosition | None) -> dict[str, object]:
    if position is None:
        return {}
    return {"position": printable(str(position)), "line": line_text(model, position)}


def _step(model: RSM, before: State, after: State) -> dict[str, object]:
    """A step, and of which kind it is."""
    if after == before and not Steps(model).next(before):
        kind = "stays"
    elif enters_call(model, before, after):
        kind = "call"
    else:
        kind = "return" if after.stack.depth < before.stack.depth else "step"
    source = _source(model, step_position(model, before, after))
    return {**_brief(model, after), **source, "kind": kind}


def step_over(model: RSM, state: State, budget: Budget) -> list[dict[str, object]]:
    """The states in which calls from a state have returned: at exits that the calls reach."""
    found: dict[State, None] = {}
    for after in Steps(model).next(state):
        if not enters_call(model, state, after):
            continue
        for leave in _exits(model, after.node, budget):
            found[State(after.stack, leave)] = None
    return [{**_brief(model, each), "kind": "over"} for each in list(found)[:_SHOWN]]


def _exits(model: RSM, first: int, budget: Budget) -> tuple[int, ...]:
    """The exits that runs from a node reach before they leave its component."""
    known: dict[int, tuple[int, ...]] = model.kept("exits after nodes", lambda _: {})
    if first not in known:
        known[first] = tuple(model.core.exits_after(first, budget.look))
    return known[first]


def step_out(model: RSM, state: State, budget: Budget) -> list[dict[str, object]]:
    """The exits that the component of a state can still reach, under the same stack."""
    exits = _exits(model, state.node, budget)
    return [{**_brief(model, State(state.stack, each)), "kind": "out"} for each in exits[:_SHOWN]]


def starts_of(model: RSM) -> list[dict[str, object]]:
    """The initial states."""
    return [_brief(model, State(EMPTY, node)) for node in model.initial[:_SHOWN]]


def entry_state(model: RSM, component: int) -> State | None:
    """The first entry or node of a component, with the empty stack. None without nodes."""
    nodes = [node for node in model.core.nodes_of(component) if model.core.box(node) < 0]
    entries = (node for node in nodes if model.core.is_entry(node))
    node = next(entries, nodes[0] if nodes else None)
    return None if node is None else State(Stack.of(()), node)
