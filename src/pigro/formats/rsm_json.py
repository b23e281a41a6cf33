"""`.rsm` files: JSON in the shape of the tool RSMCheck (docs/formats.md).

Decoding is msgspec's; the flattening is the model's; what is here is finding the place of an error,
and writing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

import msgspec

from pigro.diagnostics import InputError, ModelError, Position
from pigro.formats.json_place import locate
from pigro.model.choices import DeadEnds, Semantics
from pigro.model.declarations import (
    BoxDecl,
    BoxNodeRef,
    ComponentDecl,
    ModelDecl,
    NodeDecl,
    NodeRef,
    TransitionDecl,
)
from pigro.model.flatten import flatten

if TYPE_CHECKING:
    from pigro.model import RSM

_ELEMENTS = {
    "components": ComponentDecl,
    "nodes": NodeDecl,
    "boxes": BoxDecl,
    "transitions": TransitionDecl,
    "targets": NodeRef | BoxNodeRef,
    "labels": str,
    "call_nodes": str,
    "return_nodes": str,
    "initial_node": str,
}
_ENTRY, _EXIT = 1, 2


def read(
    data: bytes,
    *,
    source: str | None = None,
    semantics: Semantics | str = Semantics.STANDARD,
    dead_ends: DeadEnds | str | None = None,
) -> RSM:
    """The model in a `.rsm` file's bytes."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        declared = msgspec.json.decode(data, type=ModelDecl)
    except msgspec.ValidationError as error:
        _explain_shape(data, str(error), source)
    except msgspec.DecodeError as error:
        _explain_syntax(data, str(error), source)
    except RecursionError:
        raise InputError(
            "P104", "the JSON is nested too deeply for a model", position=Position(source=source)
        ) from None
    try:
        return flatten(declared, semantics=semantics, dead_ends=dead_ends, source=source)
    except ModelError as error:
        if error.position is not None and error.position.path is not None:
            error.position = locate(_text(data, source), error.position.path, source=source)
        else:
            error.position = Position(source=source)
        raise


def write(model: RSM) -> bytes:
    """The model as an `.rsm` file. Reading it again gives the same verdicts and statistics."""
    return msgspec.json.format(msgspec.json.encode(declarations(model)), indent=1) + b"\n"


def declarations(model: RSM) -> ModelDecl:
    """The model by names again."""
    core, names = model.core, model.names
    labels: dict[int, list[str]] = {}
    for label, number in model.label_ids.items():
        for node in core.labelled(number):
            labels.setdefault(node, []).append(label)
    components = [_component(model, number, labels) for number in range(core.components)]
    first = core.component(model.initial[0])
    initial = [names.nodes[core.declared_of_node(node)] for node in model.initial]
    if any(core.component(node) != first for node in model.initial):
        raise ModelError(
            "P210",
            "an .rsm file can't hold initial nodes of several components",
            hint="write the model with the initial nodes of one component",
        )
    return ModelDecl(
        initial_component=names.components[first],
        initial_node=initial[0] if len(initial) == 1 else initial,
        components=components,
    )


def _component(model: RSM, number: int, labels: dict[int, list[str]]) -> ComponentDecl:
    core, names = model.core, model.names
    declared = ComponentDecl(name=names.components[number])
    for node in core.nodes_of(number):
        if core.box(node) < 0:
            kind = core.kind(node).name
            declared.nodes.append(
                NodeDecl(
                    name=names.nodes[core.declared_of_node(node)],
                    is_entry=core.is_entry(node),
                    is_exit=kind == "EXIT",
                    labels=labels.get(node, []),
                )
            )
        if successors := core.successors(node):
            declared.transitions.append(
                TransitionDecl(source=_ref(model, node), targets=[_ref(model, each) for each in successors])
            )
    for box in core.boxes_of(number):
        declared.boxes.append(
            BoxDecl(
                name=names.boxes[box],
                component=names.components[core.callee(box)],
                call_nodes=[names.nodes[core.declared_of_node(entry)] for entry in core.listed_calls(box)],
                return_nodes=[names.nodes[core.declared_of_node(each)] for each in core.returns(box)],
            )
        )
    return declared


def _ref(model: RSM, node: int) -> NodeRef | BoxNodeRef:
    """A call of an entry-exit node went to the return node: as a target both are written the same."""
    name = model.names.nodes[model.core.declared_of_node(node)]
    box = model.core.box(node)
    return NodeRef(name=name) if box < 0 else BoxNodeRef(node_name=name, box_name=model.names.boxes[box])


def _text(data: bytes, source: str | None) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            "P102",
            f"byte 0x{data[error.start]:02x} is not valid UTF-8 here",
            position=Position(source=source, line=line),
            hint="save the file as UTF-8",
        ) from None


def _explain_syntax(data: bytes, message: str, source: str | None) -> NoReturn:
    text = _text(data, source)
    found = re.search(r"\(byte (\d+)\)", message)
    offset = int(found[1]) if found else len(data)
    before = data[:offset].decode("utf-8", "replace")
    line = before.count("\n") + 1
    column = len(before) - (before.rfind("\n") + 1) + 1
    shown = text.splitlines()[line - 1] if offset < len(data) and line <= len(text.splitlines()) else None
    reason = re.sub(r"\s*\(byte \d+\)", "", message).removeprefix("JSON is malformed: ")
    if not data.strip():
        reason = "the file is empty"
    elif "truncated" in reason:
        reason = "the file ends in the middle of a value"
    raise InputError(
        "P101", f"not valid JSON: {reason}", position=Position(source=source, line=line, column=column, text=shown)
    )


def _explain_shape(data: bytes, message: str, source: str | None) -> NoReturn:
    """msgspec says `$.components[...].name`; find out which element it was."""
    text = _text(data, source)
    problem, _, path = message.partition(" - at `")
    path = path.rstrip("`") or "$"
    value: object = msgspec.json.decode(data)
    exact = "$"
    last = ""
    for name, any_element in re.findall(r"\.([A-Za-z_]\w*)|(\[\.\.\.\])", path):
        if name:
            value = value.get(name) if isinstance(value, dict) else None
            exact += f".{name}"
            last = name
        elif any_element and isinstance(value, list):
            index = next((i for i, each in enumerate(value) if _wrong(each, last)), 0)
            value = value[index] if value else None
            exact += f"[{index}]"
    problem = problem.replace("Object missing required field", "missing key").replace("`", '"')
    raise InputError(
        "P103", problem[0].lower() + problem[1:], position=locate(text, exact, source=source), hint=_shape_hint(problem)
    )


def _wrong(element: object, kind: str) -> bool:
    try:
        msgspec.convert(element, _ELEMENTS.get(kind, object))
    except msgspec.ValidationError:
        return True
    return False


def _shape_hint(problem: str) -> str | None:
    if '"type"' in problem or "Invalid value" in problem:
        return 'a reference is {"type": "node", "name": ...} or {"type": "box_node", "box_name": ..., "node_name": ...}'
    return None
