"""A tree of evidence as plain data for JSON, and back; both kinds of documents have one.

Nodes and boxes go by number, with their names for people; names that do not fit the numbers are
refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET, UnsetType

from pigro.evidence.states import Path, State
from pigro.evidence.tree import Evidence
from pigro.evidence.walking import WrongEvidence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pigro.model import RSM

    Text = Callable[[int], str]


class NotEvidence(ValueError):  # noqa: N818 - what it is not
    """A document that is no evidence."""


class StateData(msgspec.Struct, forbid_unknown_fields=True):
    """A state."""

    node: int
    stack: list[int]
    name: str
    boxes: list[str]
    labels: list[str]


class PathData(msgspec.Struct, forbid_unknown_fields=True):
    """A path."""

    states: list[StateData]
    ends: str
    start: int | None
    shortest: bool


class FactData(msgspec.Struct, forbid_unknown_fields=True):
    """A fact of a run."""

    part: int
    formula: str
    truths: list[bool | None]


class EvidenceData(msgspec.Struct, forbid_unknown_fields=True):
    """A node of the tree, with all below it."""

    part: int
    formula: str
    truth: bool
    kind: str
    state: StateData
    path: PathData | None
    parts: list[EvidenceData]
    explored: int
    facts: list[FactData] | UnsetType = UNSET
    """Only in evidence of runs, and there always."""


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

    def state(self, state: State) -> StateData:
        """A state for the document."""
        boxes = [self.box(box) for box in state.stack]
        name = self.model.node_name(state.node)
        return StateData(state.node, list(state.stack), name, boxes, self.of(state))


def put(model: RSM, evidence: Evidence, text: Text, *, runs: bool) -> EvidenceData:
    """A tree for a document; `text` says its parts for people, `runs` of which kind it is."""
    names = Names(model)

    def made(at: Evidence) -> EvidenceData:
        path = None
        if at.path is not None:
            states = [names.state(state) for state in at.path.states]
            path = PathData(states, at.path.ends, at.path.start, at.path.shortest)
        facts = [FactData(node, text(node), list(truths)) for node, truths in at.facts]
        return EvidenceData(
            at.part,
            text(at.part),
            at.truth,
            at.kind,
            names.state(at.state),
            path,
            [made(each) for each in at.parts],
            at.explored,
            facts if runs else UNSET,
        )

    return made(evidence)


def take(model: RSM, data: EvidenceData, *, runs: bool) -> Evidence:
    """The tree of a document.

    `NotEvidence` if it is of the other kind, `WrongEvidence` if states are not those of the model.
    """
    names = Names(model)

    def state(at: StateData) -> State:
        core = model.core
        there = 0 <= at.node < core.nodes and all(0 <= box < core.boxes for box in at.stack)
        if not there:
            raise WrongEvidence("a state has a node or a box that is not in the model")
        made = State(tuple(at.stack), at.node)
        if names.state(made) != at:
            raise WrongEvidence(f"the names or labels of a state are not those of node {at.node}")
        return made

    def taken(at: EvidenceData) -> Evidence:
        path = None
        if at.path is not None:
            states = tuple([state(each) for each in at.path.states])
            path = Path(states, at.path.ends, at.path.start, at.path.shortest)
        parts = tuple(taken(each) for each in at.parts)
        facts = () if at.facts is UNSET else at.facts
        if (at.facts is not UNSET) is not runs:
            raise NotEvidence("facts are missing, or where none belong")
        told = tuple((each.part, tuple(each.truths)) for each in facts)
        return Evidence(at.part, at.truth, state(at.state), at.kind, path, parts, at.explored, told)

    try:
        return taken(data)
    except RecursionError:
        raise NotEvidence("it is nested too deeply") from None


def check_texts(root: EvidenceData, count: int, text: Text) -> None:
    """`WrongEvidence` unless the text of each subformula is that of its number.

    `text` gives the text of a subformula by number; there are `count` of them.
    """
    known: dict[int, str] = {}
    for part, told in _told_texts(root):
        if not 0 <= part < count:
            raise WrongEvidence("a subformula is not there")
        if part not in known:
            known[part] = text(part)
        if known[part] != told:
            raise WrongEvidence(f"the text of a subformula is not that of number {part}")


def _told_texts(root: EvidenceData) -> Iterator[tuple[int, str]]:
    """All subformulas that a tree names, by number and as text."""
    pending = [root]
    while pending:
        at = pending.pop()
        yield at.part, at.formula
        for fact in at.facts or ():
            yield fact.part, fact.formula
        pending += at.parts
