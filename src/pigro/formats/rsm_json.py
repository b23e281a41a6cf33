"""`.rsm` files: JSON in the shape of the tool RSMCheck (docs/formats/rsm.md).

The native core reads files without source positions (native/core/model/rsm_file.hpp), straight to
arrays. It says nothing about files that are wrong or unusual. Those are decoded by msgspec and
flattened by the model, which finds the words and the place of an error. So are files with a key
`at`, which have source positions.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from pigro import _core
from pigro.diagnostics import InputError, ModelError, PigroError, Position, place_of, printable
from pigro.diagnostics.json_keys import require_distinct_keys
from pigro.formats.registry import Requirement
from pigro.formats.rsm_keys import warn_of_strays
from pigro.formats.text import checked, unencodable
from pigro.limits import no_poll, tick_of, watched
from pigro.logic import parse
from pigro.model.choices import DeadEnds, Semantics, StatedReading, unusual_reading
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
from pigro.model.mistakes import unknown_component, unknown_initial_node
from pigro.model.names import Names, PackedLabels, PackedNames
from pigro.model.rsm import RSM, core_semantics

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pigro.limits import Poll

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


_WORDS = {
    "$.semantics": f"choose one of: {', '.join(Semantics)}",
    "$.dead_ends": f"choose one of: {', '.join(DeadEnds)}",
}


class _Outline(msgspec.Struct):
    """A `ModelDecl` whose components are not decoded yet."""

    initial_component: str
    initial_node: str | list[str]
    components: list[msgspec.Raw]
    file: msgspec.Raw = msgspec.Raw(b"null")


class _Property(msgspec.Struct, omit_defaults=True):
    """A formula that a file states. Without a component it starts where the model does."""

    formula: str
    initial_component: str | None = None
    initial_node: str | list[str] = []


class _StatedProperties(msgspec.Struct):
    """What a file states. All else is left out."""

    properties: list[_Property] = []


_DECODER = msgspec.json.Decoder(ComponentDecl)
_MANY_NAMES = 1_000
_PLACED = "at"
"""The key that every file with source positions has."""


def read(
    data: bytes,
    *,
    source: str | None = None,
    semantics: Semantics | str | None = None,
    dead_ends: DeadEnds | str | None = None,
    poll: Poll = no_poll,
) -> RSM:
    """The model in a `.rsm` file's bytes. It is read as the file says where nothing is given."""
    if not data.isascii():  # the decoder looks only at strings that it keeps
        data = checked(data, source)
    try:
        model = _read_natively(data, semantics, dead_ends, source, poll)
    except ModelError as error:
        error.position = Position(source=source)
        raise
    if model is not None:
        return model
    try:
        outline = msgspec.json.decode(data, type=_Outline)
    except (msgspec.DecodeError, RecursionError):
        raise _decoding_error(data, source) from None
    from pigro.model.flatten import flatten

    semantics, dead_ends = _said(data, source).chosen(semantics, dead_ends)
    placed = require_distinct_keys(data, source, _PLACED)
    decoder: msgspec.json.Decoder[ComponentDecl] = (
        msgspec.json.Decoder(PlacedComponent) if placed else _DECODER
    )
    try:
        model = flatten(
            map(decoder.decode, outline.components),
            initial_component=outline.initial_component,
            initial_node=outline.initial_node,
            semantics=semantics,
            dead_ends=dead_ends,
            source=source,
            file=msgspec.json.decode(outline.file, type=str | None) if placed else None,
            poll=poll,
        )
        warn_of_strays(data, source, None)
        return model  # noqa: TRY300 - both may be stopped
    except (msgspec.DecodeError, RecursionError):
        raise _decoding_error(data, source, PlacedModel if placed else ModelDecl) from None
    except (InputError, ModelError) as error:
        path = error.position.path if error.position is not None else None
        error.position = Position(source=source) if path is None else _place(data, path, source)
        raise


def _read_natively(
    data: bytes,
    semantics: Semantics | str | None,
    dead_ends: DeadEnds | str | None,
    source: str | None,
    poll: Poll,
) -> RSM | None:
    """The model. None if the file is wrong or unusual.

    Names of large models are decoded when they are asked for.
    """
    core = None if semantics is None else core_semantics(Semantics(semantics))
    found = _core.read_rsm(data, core, tick_of(poll))
    if found is None:
        return None
    said = msgspec.convert(
        {"semantics": found.semantics or None, "dead_ends": found.dead_ends or None}, StatedReading
    )
    semantics, dead_ends = said.chosen(semantics, dead_ends)
    is_large = len(found.nodes) + len(found.labels) > _MANY_NAMES
    names = (found.components, found.nodes, found.boxes)
    labels = found.labels
    warn_of_strays(data, source, found.other_keys)
    return RSM.from_core(
        found.core,
        label_ids=PackedLabels(labels)
        if is_large
        else MappingProxyType({label: number for number, label in enumerate(labels.tolist())}),
        initial=found.initial,
        names=Names(*(PackedNames(each) if is_large else tuple(each.tolist()) for each in names)),
        semantics=semantics,
        dead_ends=dead_ends,
        source=source,
        positions=None,
    ).finished(None)


def _said(data: bytes, source: str | None) -> StatedReading:
    """How a file says that it is to be read."""
    try:
        return msgspec.json.decode(data, type=StatedReading)
    except msgspec.ValidationError as error:
        raise _shape_error(data, str(error), source) from None


def requirements(
    data: bytes, *, source: str | None = None, model: RSM | None = None
) -> list[Requirement]:
    """The formulas that the file states. `model` is the one that was read from it."""
    try:
        found = msgspec.json.decode(data.removeprefix(BOM_UTF8), type=_StatedProperties).properties
    except msgspec.ValidationError as error:
        raise _shape_error(data, str(error), source) from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise _decoding_error(data, source, _StatedProperties) from None
    if not found:
        return []
    model = read(data, source=source) if model is None else model
    made = []
    for number, each in enumerate(found):
        try:
            initial = None if each.initial_component is None else _starts(model, each)
            made.append(Requirement(each.formula, parse(each.formula), initial))
        except PigroError as error:
            path = f"$.properties[{number}]" + (error.position.path or "" if error.position else "")
            error.position = _place(data, path, source)
            raise
    return made


def _starts(model: RSM, stated: _Property) -> tuple[int, ...]:
    core, names, home = model.core, model.names, str(stated.initial_component)
    if home not in names.components:
        path = ".initial_component"
        raise unknown_component(home, "the formula starts in", path, names.components)
    nodes = core.nodes_of(names.components.index(home))
    known = {names.nodes[core.declared_of_node(node)]: node for node in nodes if core.box(node) < 0}
    wanted = stated.initial_node
    wanted = [wanted] if isinstance(wanted, str) else wanted
    for name in wanted:
        if name not in known:
            raise unknown_initial_node(name, home, known, ".initial_node")
    if not wanted:
        raise ModelError("P210", "the list of initial nodes is empty")
    return tuple(known[name] for name in wanted)


def statable(model: RSM, formulas: Iterable[Requirement]) -> list[Requirement]:
    """The formulas that a file can have: those whose start is in one component."""
    home = model.core.component
    return [each for each in formulas if len({home(node) for node in each.initial or ()}) <= 1]


def stated(model: RSM, formulas: Sequence[Requirement]) -> dict[str, object]:
    """The key of a file for these formulas."""
    return {"properties": [_property(model, each) for each in formulas]} if formulas else {}


def _property(model: RSM, requirement: Requirement) -> _Property:
    made = _Property(str(requirement.formula))
    if requirement.initial is not None:
        core, names = model.core, model.names
        made.initial_component = names.components[core.component(requirement.initial[0])]
        made.initial_node = [names.nodes[core.declared_of_node(n)] for n in requirement.initial]
    return made


def write(model: RSM, formulas: Sequence[Requirement] = (), *, poll: Poll = no_poll) -> bytes:
    """The model as an `.rsm` file. Reading it again gives the same verdicts and statistics.

    The formulas are some of those that `statable` gives.
    """
    declared = declarations(model, poll)
    document: dict[str, object] = unusual_reading(model) | {
        name: value
        for name in declared.__struct_fields__
        if (value := getattr(declared, name)) is not msgspec.UNSET
    }
    try:
        encoded = msgspec.json.encode(document | stated(model, formulas))
        return msgspec.json.format(encoded, indent=1) + b"\n"
    except UnicodeEncodeError as error:
        raise unencodable(error) from None


def declarations(model: RSM, poll: Poll = no_poll) -> ModelDecl:
    """The model by names again."""
    core, names = model.core, model.names
    labels: dict[int, list[str]] = {}
    for label, number in model.label_ids.items():
        for node in watched(core.labelled(number), poll):
            labels.setdefault(node, []).append(label)
    components = [_component(model, number, labels, poll) for number in range(core.components)]
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


def _component(model: RSM, number: int, labels: dict[int, list[str]], poll: Poll) -> ComponentDecl:
    core, names = model.core, model.names
    declared = ComponentDecl(name=names.components[number])
    for node in watched(core.nodes_of(number), poll):
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
    """A call of an entry-exit node became its return node. As targets they are written the same."""
    name = model.names.nodes[model.core.declared_of_node(node)]
    box = model.core.box(node)
    return (
        NodeRef(name=name)
        if box < 0
        else BoxNodeRef(node_name=name, box_name=model.names.boxes[box])
    )


def _place(data: bytes, path: str, source: str | None) -> Position:
    from pigro.formats.json_place import locate

    return locate(data.decode(), path, source=source)


def _decoding_error(
    data: bytes, source: str | None, shape: type[msgspec.Struct] = ModelDecl
) -> InputError:
    """The fault, found by decoding in one go, so that places count from the beginning."""
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
    words = _WORDS.get(path.rstrip("`"))
    if words is not None:
        problem = problem.replace("Invalid enum value", "there is no choice")
    return InputError(
        "P103",
        printable(problem[0].lower() + problem[1:]),
        position=_place(data, path.rstrip("`"), source),
        hint=_REFERENCE if is_reference else words,
    )
