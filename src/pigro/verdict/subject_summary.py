"""What a verdict still says about its subject when it travels without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from pigro.model.kinds import SubjectKind
from pigro.records import Record

if TYPE_CHECKING:
    from pigro.model.composition import Composition


class SubjectSummary(Record, frozen=True):
    """A model or a composition, described in a few words."""

    kind: SubjectKind
    digest: bytes
    """Empty for a Python object that computes states: nothing tells it from others."""
    source: str | None = None
    semantics: str | None = None
    dead_ends: str | None = None
    initial: tuple[int, ...] = ()
    """The initial nodes of a model, unless its states are computed on demand,"""
    names: tuple[str, ...] = ()
    """and their names. The names of the parts of a composition."""

    @property
    def reading(self) -> tuple[str | None, bool]:
        """How a model was read, as far as that can change verdicts."""
        return self.semantics, self.dead_ends == "stop"

    def node_name(self, node: int) -> str:
        """The name of an initial node."""
        return self.names[self.initial.index(node)]


def is_here(subject: Any) -> bool:
    """Whether it is a subject, and not the summary of one that did not travel with its verdict."""
    return not isinstance(subject, SubjectSummary)


def about(subject: Any) -> SubjectSummary:
    """The description of anything that can be checked."""
    if not is_here(subject):
        summary: SubjectSummary = subject
        return summary
    kind = subject.kind
    if kind is SubjectKind.MODEL:
        said = (str(subject.semantics), str(subject.dead_ends))
        made = SubjectSummary(kind, subject.digest, subject.source, *said)
        if not subject.is_listed:
            return made
        names = tuple(map(subject.node_name, subject.initial))
        return replace(made, initial=subject.initial, names=names)
    names = tuple(part.name for part in subject.parts)
    return SubjectSummary(kind, _digest(subject), names=names)


def _digest(composition: Composition) -> bytes:
    """By which a composition is known again: of the content of its parts, in order."""
    import hashlib

    made = hashlib.sha256()
    for part in composition.listed_parts:
        told = repr((part.name, part.states, part.initial, part.atoms, part.actions))
        if part.hyper:
            told += repr(part.hyper)
        made.update(told.encode("utf-8", "surrogatepass"))
        for row in (part.values, part.offsets, part.targets, part.by, part.must):
            made.update(len(row).to_bytes(8, "little"))
            made.update(memoryview(row))
    return made.digest()
