"""The evidence of several verdicts in one document or page, whose states share one numbering.

Each verdict on states that are computed on demand has an excerpt of its own, with its own nodes.
Where several verdicts are written together, their excerpts are joined, and evidence gets the nodes
of the whole. Evidence about a list of states keeps its nodes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from msgspec import structs

from pigro.diagnostics import UsageError
from pigro.evidence.chains import RunChains
from pigro.evidence.states import State
from pigro.model.kinds import SubjectKind
from pigro.model.lazy.excerpt import ExcerptBuilder, seen_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pigro.evidence.kinds import ShownEvidence
    from pigro.evidence.states import Evidence, Path
    from pigro.model import RSM
    from pigro.model.space import Model, StateSpace


class JoinedStates:
    """The states of all evidence that is written together."""

    def __init__(self, subject: Model) -> None:
        self._subject = subject
        self._starting: RSM | None = None
        self._only: RSM | None = None
        """The excerpt of the first verdict that has one."""
        self._excerpt: ExcerptBuilder | None = None
        """Those of all verdicts, once there are two."""

    def expect(self, subject: Model) -> None:
        """A verdict may be about the list of a subject whose states are computed on demand."""
        if not self._subject.is_listed and subject.is_listed:
            self._subject, self._starting = subject, None

    def take(self, shown: ShownEvidence) -> ShownEvidence:
        """The same with nodes of `model`, which do not change later."""
        evidence = self._taken(shown.evidence)
        return shown if evidence is shown.evidence else structs.replace(shown, evidence=evidence)

    def _taken(self, evidence: Any) -> Any:
        excerpt = getattr(evidence, "excerpt", None)
        if excerpt is None or self._only is None:
            self._only = self._only or excerpt
            return evidence
        if self._excerpt is None:
            self._excerpt = ExcerptBuilder(_space(excerpt))
            self._excerpt.absorb(self._only)
        nodes = self._excerpt.absorb(excerpt)
        if nodes != list(range(len(nodes))):
            evidence = moved(evidence, nodes)
        return replace(evidence, excerpt=self.model)

    @property
    def model(self) -> RSM:
        """The model that the nodes are of, as it is now. It has some initial node."""
        if self._excerpt is not None:
            return self._excerpt.model
        if self._only is not None:
            return self._only
        self._starting = self._starting or starting(self._subject)
        return self._starting


NODES: Mapping[SubjectKind, type[JoinedStates | RunChains]] = {
    SubjectKind.MODEL: JoinedStates,
    SubjectKind.COMPOSITION: RunChains,
}
"""What gives the states of evidence nodes of one model, by kinds of subjects."""


def starting(subject: Model) -> RSM:
    """A model to name an initial state by: the subject, or an excerpt of it."""
    if subject.is_listed:
        return subject
    return ExcerptBuilder(subject).model


def _space(excerpt: RSM) -> StateSpace:
    space = seen_of(excerpt).space
    if space is None:
        message = "evidence about a program that was pickled can't be joined with other evidence"
        raise UsageError("P006", message, hint="write a document for each verdict")
    return space


def moved(evidence: Evidence, nodes: Sequence[int]) -> Evidence:
    """The same evidence with other nodes: `nodes` has a new number for each old one."""
    order, pending = [], [evidence]
    while pending:
        at = pending.pop()
        order.append(at)
        pending += at.parts
    made: dict[int, Evidence] = {}
    for at in reversed(order):
        made[id(at)] = replace(
            at,
            state=State(at.state.stack, nodes[at.state.node]),
            path=None if at.path is None else _path(at.path, nodes),
            parts=tuple([made[id(each)] for each in at.parts]),
        )
    return made[id(evidence)]


def _path(path: Path, nodes: Sequence[int]) -> Path:
    return replace(path, states=tuple([State(stack, nodes[at]) for stack, at in path.states]))
