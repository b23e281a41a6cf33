"""A model as bytes: what a `.pigro` file holds, and what a pickled model is.

Source: decision 0025. The bytes hold the arrays that the model was built from, not its normal form:
so a file can be read in either semantics, and `_core.Model` stays the only one that validates.
docs/formats/binary.md lists the sections. Sections with source positions have tags that begin with
small letters, so that readers that do not know these sections skip them.
"""

from __future__ import annotations

from array import array
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, SupportsIndex

from pigro import _core
from pigro.diagnostics import ModelError, UsageError
from pigro.limits import no_poll
from pigro.model.arrays import array_view, for_pickle
from pigro.model.binary.sections import damaged, join_sections, split_sections
from pigro.model.choices import DeadEnds, Semantics, StatedReading, reading_of, unusual_reading
from pigro.model.names import Names, PackedLabels, PackedNames
from pigro.model.positions import Positions
from pigro.model.rsm import RSM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pigro.limits import Poll
    from pigro.model.conditions import ModelConditions

_MODEL = 1
"""The kind of a file."""
_ARRAYS = {
    "CNOD": "component_offsets",
    "NFLG": "node_flags",
    "CBOX": "box_offsets",
    "BCAL": "box_callee",
    "CALO": "call_offsets",
    "CALE": "call_entries",
    "RETO": "return_offsets",
    "RETE": "return_exits",
    "ESRC": "edge_sources",
    "ETGT": "edge_targets",
    "LABO": "label_offsets",
    "LABN": "label_nodes",
}
_INITIAL = "INIT"
_LABELS = ("LTXO", "LTXT")
"""The texts of labels: offsets, and UTF-8."""
_ORDER = "LORD"
"""The numbers of labels, ascending by the bytes of their texts: shows that labels are distinct."""
_NAMES = {"components": ("ctxo", "ctxt"), "nodes": ("ntxo", "ntxt"), "boxes": ("btxo", "btxt")}
"""Names are left out where they are just numbers."""
_FILES = "file"
"""The names of source files in UTF-8, each followed by a zero byte."""
_POSITIONS = {"nodes": "npos", "boxes": "bpos", "components": "cpos"}
"""Source positions (model/positions.py). Left out where no thing of that kind has one."""
_FORMULAS = "spec"
"""Formulas that the file states, as JSON: the list `properties` of `.rsm` files."""
_READING = "READ"
"""How the file is to be read: the words of semantics and dead ends. Left out if as usual."""
_TEXTS = (_LABELS, *_NAMES.values())
_ITEMS = dict.fromkeys(
    (*_ARRAYS, _INITIAL, _ORDER, *_POSITIONS.values(), *(offsets for offsets, _ in _TEXTS)), 4
) | dict.fromkeys(("NFLG", _FILES, _FORMULAS, _READING, *(text for _, text in _TEXTS)), 1)
"""Bytes of an item."""


def pack(
    model: RSM, *, errors: str = "strict", formulas: bytes = b"", is_file: bool = False
) -> bytes:
    """The model as bytes. `errors` says what to do with names that are not UTF-8.

    `formulas` is the content of the section of formulas that the file states. In a file, positions
    in the model's own file have the name of that file.
    """
    positions = model.positions
    if is_file and positions is not None:
        positions = positions.named(model.source)
    contents = [*_contents(model, positions, errors)]
    contents += [(_FORMULAS, formulas)] if formulas else []
    return join_sections(_MODEL, ((tag, _ITEMS[tag], content) for tag, content in contents))


def packed_formulas(data: bytes) -> bytes:
    """The content of the section of formulas. Empty if there is none."""
    found = bytes(split_sections(data, _MODEL, _ITEMS).get(_FORMULAS, b""))
    try:
        found.decode()
    except UnicodeDecodeError:
        raise damaged(f"the section {_FORMULAS} is not valid UTF-8") from None
    return found


def unpack(
    data: bytes,
    *,
    semantics: Semantics | str | None,
    dead_ends: DeadEnds | str | None,
    source: str | None,
    errors: str = "strict",
    poll: Poll = no_poll,
) -> RSM:
    """The model in these bytes, whatever they are, read as they say if nothing else is given.

    Dead ends are not looked for. `poll` may raise to stop.

    Raises `InputError` P140 or P141, or `ModelError` if they describe no model.
    """
    found = split_sections(data, _MODEL, _ITEMS)
    for tag in (*_ARRAYS, _INITIAL, *_LABELS, _ORDER):
        if tag not in found:
            raise damaged(f"the section {tag} is missing")
    semantics, dead_ends = _said(found).chosen(semantics, dead_ends)
    return RSM.from_flat(
        {name: array_view(name, found[tag]) for tag, name in _ARRAYS.items()},
        label_ids=PackedLabels(_texts(found, _LABELS, errors, _ORDER)),
        initial=array_view(_INITIAL, found[_INITIAL]),
        names=_names(found, errors),
        semantics=semantics,
        dead_ends=dead_ends,
        source=source,
        positions=_positions(found, errors),
        poll=poll,
    )


def _said(found: dict[str, memoryview]) -> StatedReading:
    if _READING not in found:
        return StatedReading()
    try:
        semantics, dead_ends = bytes(found[_READING]).decode("ascii").split(" ")
        return StatedReading(Semantics(semantics), DeadEnds(dead_ends))
    except (ValueError, UsageError):
        raise damaged(f"the section {_READING} has other words than this Pigro knows") from None


def reduce(model: RSM, protocol: SupportsIndex) -> tuple[Callable[..., RSM], tuple[object, ...]]:
    """How to pickle a model: as one buffer, without the ending states that `rmv` adds."""
    if model.endings is not None:
        model = model.endings.base
    buffer = for_pickle(pack(model, errors="surrogatepass"), protocol)
    reading = (str(model.semantics), str(model.dead_ends), model.source)
    return restore, (buffer, *reading, model.own, model.conditions)


def restore(
    buffer: object,
    semantics: str,
    dead_ends: str,
    source: str | None,
    own: int | None,
    conditions: ModelConditions | None,
) -> RSM:
    """A model from its pickle, with the labels that were added for formulas.

    A foreign buffer is copied: it may not be aligned, or may change while it is read.
    """
    data = buffer if isinstance(buffer, bytes) else bytes(memoryview(buffer))  # type: ignore[arg-type]
    model = unpack(
        data, semantics=semantics, dead_ends=dead_ends, source=source, errors="surrogatepass"
    )
    return replace(model, own=own, conditions=conditions).as_read()


def _contents(model: RSM, positions: Positions | None, errors: str) -> Iterator[tuple[str, bytes]]:
    """Tags and contents, in the order of a file."""
    arrays = model.core.arrays()
    if len(model.label_ids) < model.core.labels:
        arrays.update(_shown_rows(model, arrays))
    for tag, name in _ARRAYS.items():
        yield tag, arrays[name]
    yield _INITIAL, array("i", map(model.core.declared_of_node, model.initial)).tobytes()
    yield from zip((*_LABELS, _ORDER), _packed_labels(model, errors), strict=True)
    if model.names != Names.numbered(model.core):
        for what, tags in _NAMES.items():
            yield from zip(tags, _packed(getattr(model.names, what), errors), strict=True)
    if positions is not None:
        yield from _packed_positions(positions.spread(), errors)
    if unusual_reading(model):
        yield _READING, " ".join(reading_of(model).values()).encode()


def _packed_positions(positions: Positions, errors: str) -> Iterator[tuple[str, bytes]]:
    yield _FILES, b"".join(each.encode("utf-8", errors) + b"\0" for each in positions.files)
    for what, tag in _POSITIONS.items():
        if rows := getattr(positions, what):
            yield tag, rows


def _shown_rows(model: RSM, arrays: dict[str, bytes]) -> dict[str, bytes]:
    """The rows of those labels that the model shows. Others were added for other formulas."""
    offsets = array_view("label_offsets", arrays["label_offsets"])
    nodes = array_view("label_nodes", arrays["label_nodes"])
    rows = [nodes[offsets[at] : offsets[at + 1]].tobytes() for at in model.label_ids.values()]
    sizes = array("i", accumulate((len(row) // 4 for row in rows), initial=0))
    return {"label_offsets": sizes.tobytes(), "label_nodes": b"".join(rows)}


def _packed(names: Sequence[str], errors: str) -> tuple[bytes, bytes]:
    """Offsets, and one text."""
    if isinstance(names, PackedNames) and errors == "surrogatepass":
        return names.texts.offsets, names.texts.text
    return _joined([name.encode("utf-8", errors) for name in names])


def _packed_labels(model: RSM, errors: str) -> tuple[bytes, bytes, bytes]:
    """Offsets, one text, and order."""
    if isinstance(model.label_ids, PackedLabels) and errors == "surrogatepass":
        texts = model.label_ids.texts
        return texts.offsets, texts.text, texts.order
    encoded = [label.encode("utf-8", errors) for label in model.label_ids]
    order = array("i", sorted(range(len(encoded)), key=encoded.__getitem__))
    return (*_joined(encoded), order.tobytes())


def _joined(encoded: list[bytes]) -> tuple[bytes, bytes]:
    try:
        offsets = array("i", accumulate(map(len, encoded), initial=0))
    except OverflowError:
        raise ModelError("P213", "the names of the model take more than 2^31 - 1 bytes") from None
    return offsets.tobytes(), b"".join(encoded)


def _texts(
    found: dict[str, memoryview], tags: tuple[str, str], errors: str, order: str | None = None
) -> _core.Texts:
    offsets, text = array_view(tags[0], found[tags[0]]), bytes(found[tags[1]])
    sorting = None if order is None else array_view(order, found[order])
    try:
        if not text.isascii():
            text.decode("utf-8", errors)
        return _core.Texts(offsets, text, sorting)
    except UnicodeDecodeError:
        raise damaged(f"the section {tags[1]} is not valid UTF-8") from None
    except ValueError as error:
        raise damaged(f"the section {tags[1]} is wrong: {error}") from None


def _names(found: dict[str, memoryview], errors: str) -> Names | None:
    tags = [tag for pair in _NAMES.values() for tag in pair]
    there = [tag for tag in tags if tag in found]
    if not there:
        return None
    if there != tags:
        raise damaged("some of its names are missing")
    return Names(
        **{what: PackedNames(_texts(found, pair, errors)) for what, pair in _NAMES.items()}
    )


def _positions(found: dict[str, memoryview], errors: str) -> Positions | None:
    rows = {what: found[tag] for what, tag in _POSITIONS.items() if tag in found}
    if _FILES not in found:
        if rows:
            raise damaged("its source positions have no files")
        return None
    *files, rest = bytes(found[_FILES]).split(b"\0")
    if rest:
        raise damaged(f"the section {_FILES} does not end in a zero byte")
    try:
        names = [each.decode("utf-8", errors) for each in files]
    except UnicodeDecodeError:
        raise damaged(f"the section {_FILES} is not valid UTF-8") from None
    return Positions.of(names, **{what: array_view(what, each) for what, each in rows.items()})
