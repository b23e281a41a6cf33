"""`.rsm` files: JSON in the shape of the tool RSMCheck (docs/formats.md).

Decoding is msgspec's; the flattening is the model's; what is here is finding the place of an error,
and writing. Source positions are decoded only if there is a key `at`: files without positions take
no more time for them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from pigro.diagnostics import InputError, ModelError, Position, place_of, printable
from pigro.formats.json_place import locate
from pigro.formats.text import checked, unencodable
from pigro.limits import unwatched
from pigro.model.choices import DeadEnds, Semantics
from pigro.model.declarations import (
    BoxDecl,
    BoxNodeRef,
    ComponentDecl,
    ModelDecl,
    NodeDecl,
    NodeRef,
    PlacedComponent,
    PlacedModel,
    TransitionDecl,
    place_all,
)
from pigro.model.flatten import flatten
from pigro.model.json_keys import require_distinct_keys

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.limits import Poll
    from pigro.model import RSM

_TYPES = {  # msgspec's words for them
    "array": "a list",
    "bool": "true or false",
    "float": "a number",
    "int": "a number",
    "null": "null",
    "object": "an object",
    "str": "a string",
    "str | array": "a string or a list",
    "str | null": "a string",
}
_REFERENCE = (
    'a reference is {"type": "node", "name": ...} or '
    '{"type": "box_node", "box_name": ..., "node_name": ...}'
)


class _Outline(msgspec.Struct):
    """A `ModelDecl` whose components are not decoded yet."""

    initial_component: str
    initial_node: str | list[str]
    components: list[msgspec.Raw]
    file: msgspec.Raw = msgspec.Raw(b"null")


_DECODER = msgspec.json.Decoder(ComponentDecl)
_PLACED = "at"
"""The key that every file with source positions has."""


def read(
    data: bytes,
    *,
    source: str | None = None,
    semantics: Semantics | str = Semantics.STANDARD,
    dead_ends: DeadEnds | str | None = None,
    poll: Poll = unwatched,
) -> RSM:
    """The model in a `.rsm` file's bytes."""
    data = checked(data, source)  # the decoder looks only at strings that it keeps
    try:
        outline = msgspec.json.decode(data, type=_Outline)
    except (msgspec.DecodeError, RecursionError):
        raise _decoding_error(data, source) from None
    placed = require_distinct_keys(data, source, _PLACED)
    try:
        return flatten(
            _decoded(outline, poll, placed=placed),
            initial_component=outline.initial_component,
            initial_node=outline.initial_node,
            semantics=semantics,
            dead_ends=dead_ends,
            source=source,
            file=msgspec.json.decode(outline.file, type=str | None) if placed else None,
        )
    except (msgspec.DecodeError, RecursionError):
        raise _decoding_error(data, source, PlacedModel if placed else ModelDecl) from None
    except (InputError, ModelError) as error:
        path = error.position.path if error.position is not None else None
        error.position = (
            Position(source=source) if path is None else locate(data.decode(), path, source=source)
        )
        raise


def _decoded(outline: _Outline, poll: Poll, *, placed: bool) -> Iterator[ComponentDecl]:
    decoder: msgspec.json.Decoder[ComponentDecl] = (
        msgspec.json.Decoder(PlacedComponent) if placed else _DECODER
    )
    for each in outline.components:
        poll()
        yield decoder.decode(each)


def write(model: RSM) -> bytes:
    """The model as an `.rsm` file. Reading it again gives the same verdicts and statistics."""
    try:
        return msgspec.json.format(msgspec.json.encode(declarations(model)), indent=1) + b"\n"
    except UnicodeEncodeError as error:
        raise unencodable(error) from None


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
    declared = ModelDecl(
        initial_component=names.components[first],
        initial_node=initial[0] if len(initial) == 1 else initial,
        components=components,
    )
    positions = model.positions and model.positions.named(model.source)
    return declared if positions is None else place_all(declared, positions)


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
                TransitionDecl(
                    source=_ref(model, node), targets=[_ref(model, each) for each in successors]
                )
            )
    for box in core.boxes_of(number):
        declared.boxes.append(
            BoxDecl(
                name=names.boxes[box],
                component=names.components[core.callee(box)],
                call_nodes=[
                    names.nodes[core.declared_of_node(entry)] for entry in core.listed_calls(box)
                ],
                return_nodes=[
                    names.nodes[core.declared_of_node(each)] for each in core.returns(box)
                ],
            )
        )
    return declared


def _ref(model: RSM, node: int) -> NodeRef | BoxNodeRef:
    """A call of an entry-exit node became its return node; as targets they are written the same."""
    name = model.names.nodes[model.core.declared_of_node(node)]
    box = model.core.box(node)
    return (
        NodeRef(name=name)
        if box < 0
        else BoxNodeRef(node_name=name, box_name=model.names.boxes[box])
    )


def _decoding_error(
    data: bytes, source: str | None, shape: type[ModelDecl] = ModelDecl
) -> InputError:
    """What is wrong, found by decoding in one go, so that places count from the beginning."""
    try:
        msgspec.json.decode(data, type=shape)
    except msgspec.ValidationError as error:
        return _shape_error(data, str(error), source)
    except msgspec.DecodeError as error:
        return _syntax_error(data, str(error), source)
    except RecursionError:
        pass
    message = "the JSON is nested too deeply for a model"
    return InputError("P104", message, position=Position(source=source))


def _syntax_error(data: bytes, message: str, source: str | None) -> InputError:
    found = re.search(r"\(byte (\d+)\)", message)
    offset = int(found[1]) if found else len(data)
    if "trailing" in message:
        offset -= 1  # msgspec says where it was after reading the first of them
    at = len(data[:offset].decode("utf-8", "replace"))
    if not data.strip():
        reason = "the file is empty"
    elif "truncated" in message:
        reason = "the file ends in the middle of a value"
    else:
        reason = re.sub(r"\s*\(byte \d+\)", "", message).removeprefix("JSON is malformed: ")
    return InputError(
        "P101",
        f"not valid JSON: {printable(reason)}",
        position=place_of(data.decode(), at, source=source),
    )


def _shape_error(data: bytes, message: str, source: str | None) -> InputError:
    """Words for msgspec's "Expected `str`, got `int` - at `$.components[0].name`"."""
    problem, _, path = message.rpartition(" - at `")
    if not problem:
        problem, path = message, "$"
    if problem.startswith("Object missing required field"):
        problem = f'missing key "{problem.split("`")[1]}"'
    elif problem.startswith("Expected"):
        problem = re.sub(r"`([a-z |]+)`", lambda found: _TYPES.get(found[1], found[1]), problem)
    is_reference = path.endswith(".type`") or problem == 'missing key "type"'
    return InputError(
        "P103",
        printable(problem[0].lower() + problem[1:]),
        position=locate(data.decode(), path.rstrip("`"), source=source),
        hint=_REFERENCE if is_reference else None,
    )
