"""Evidence as a JSON document, described by evidence.schema.json next to this file, and back.

The document has all that is needed to check it: the certificate besides the tree. Nodes and boxes
go by number, with their names for people; `read` refuses names that do not fit the numbers.
"""

from __future__ import annotations

import base64
import binascii
import json
from typing import TYPE_CHECKING, Protocol

import msgspec

from pigro.evidence.states import Path, State
from pigro.evidence.tree import Evidence
from pigro.evidence.walking import WrongEvidence
from pigro.logic import existential_normal_form

if TYPE_CHECKING:
    from pigro.logic import Formula
    from pigro.model import RSM

SCHEMA = "pigro.evidence/1"


class NotEvidence(ValueError):  # noqa: N818 - what it is not
    """A document that is no evidence."""


class _State(msgspec.Struct, forbid_unknown_fields=True):
    node: int
    stack: list[int]
    name: str
    boxes: list[str]
    labels: list[str]


class _Path(msgspec.Struct, forbid_unknown_fields=True):
    states: list[_State]
    ends: str
    start: int | None
    shortest: bool


class _Evidence(msgspec.Struct, forbid_unknown_fields=True):
    part: int
    formula: str
    truth: bool
    kind: str
    state: _State
    path: _Path | None
    parts: list[_Evidence]
    explored: int


class Document(msgspec.Struct, forbid_unknown_fields=True):
    """A whole document."""

    schema: str
    formula: str
    verdict: str
    certificate: str
    evidence: _Evidence


class Provable(Protocol):
    """What a verdict must have."""

    @property
    def model(self) -> RSM:
        """The model."""

    @property
    def formula(self) -> Formula:
        """The formula."""

    @property
    def holds(self) -> bool | None:
        """Whether it holds."""


class Names:
    """Names and labels of states."""

    def __init__(self, model: RSM) -> None:
        self.model = model
        self.labels: dict[int, list[str]] = {}
        for label, number in model.label_ids.items():
            for node in model.core.labelled(number):
                self.labels.setdefault(node, []).append(label)

    def of(self, state: State) -> list[str]:
        """The labels of a state."""
        return self.labels.get(self.model.core.subject(state.node), [])

    def box(self, box: int) -> str:
        """A box as COMPONENT:BOX."""
        core, names = self.model.core, self.model.names
        return f"{names.components[core.box_component(box)]}:{names.boxes[box]}"

    def state(self, state: State) -> _State:
        """A state for the document."""
        boxes = [self.box(box) for box in state.stack]
        name = self.model.node_name(state.node)
        return _State(state.node, list(state.stack), name, boxes, self.of(state))


def document(verdict: Provable, certificate: bytes, evidence: Evidence) -> bytes:
    """The document for a verdict, as UTF-8."""
    form, names = existential_normal_form(verdict.formula), Names(verdict.model)

    def put(at: Evidence) -> _Evidence:
        path = None
        if at.path is not None:
            states = [names.state(state) for state in at.path.states]
            path = _Path(states, at.path.ends, at.path.start, at.path.shortest)
        text, state = str(form.readable(at.part)), names.state(at.state)
        parts = [put(each) for each in at.parts]
        return _Evidence(at.part, text, at.truth, at.kind, state, path, parts, at.explored)

    whole = Document(
        SCHEMA,
        str(verdict.formula),
        "holds" if verdict.holds else "fails",
        base64.b64encode(certificate).decode(),
        put(evidence),
    )
    return json.dumps(msgspec.to_builtins(whole), indent=1).encode()


def head_of(data: bytes) -> Document:
    """The document, unread; `NotEvidence` if it is none."""
    return _decode(data)[0]


def certificate_of(data: bytes) -> bytes:
    """The certificate in a document; `NotEvidence` if it is none."""
    return _decode(data)[1]


def _decode(data: bytes) -> tuple[Document, bytes]:
    try:
        found = msgspec.json.decode(data, type=Document)
        certificate = base64.b64decode(found.certificate, validate=True)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, binascii.Error) as error:
        raise NotEvidence(str(error)) from None
    if found.schema != SCHEMA:
        raise NotEvidence(f"this is no evidence of version {SCHEMA}")
    return found, certificate


def read(model: RSM, data: bytes) -> tuple[Document, bytes, Evidence]:
    """The document, its certificate and its tree.

    `NotEvidence` if it is none, `WrongEvidence` if its states are not those of the model.
    """
    found, certificate = _decode(data)
    names = Names(model)

    def state(at: _State) -> State:
        core = model.core
        there = 0 <= at.node < core.nodes and all(0 <= box < core.boxes for box in at.stack)
        if not there:
            raise WrongEvidence("a state has a node or a box that is not in the model")
        made = State(tuple(at.stack), at.node)
        if names.state(made) != at:
            raise WrongEvidence(f"the names or labels of a state are not those of node {at.node}")
        return made

    def take(at: _Evidence) -> Evidence:
        path = None
        if at.path is not None:
            states = tuple([state(each) for each in at.path.states])
            path = Path(states, at.path.ends, at.path.start, at.path.shortest)
        parts = tuple(take(each) for each in at.parts)
        return Evidence(at.part, at.truth, state(at.state), at.kind, path, parts, at.explored)

    try:
        return found, certificate, take(found.evidence)
    except RecursionError:
        raise NotEvidence("it is nested too deeply") from None
