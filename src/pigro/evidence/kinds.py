"""The kinds of evidence: one table, and what every kind can do.

Nobody outside of a kind's folder asks which kind some evidence is of. They ask the kind, which
`kind_of` finds by the evidence, and `kind_for` by the schema of its document. A new kind is a
folder with a module `kind`, and a row of `KINDS`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from pigro.limits import no_poll
from pigro.records import Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import msgspec

    from pigro.certificates import CertificateResult
    from pigro.evidence.bundle import EvidenceBundle
    from pigro.evidence.completion.replay import CompletionDecider
    from pigro.evidence.data import TablesData
    from pigro.evidence.page import PageNumbers
    from pigro.evidence.replaying import Decide
    from pigro.evidence.run.runs import Truths
    from pigro.evidence.states import Path
    from pigro.evidence.tables import DocumentStates
    from pigro.evidence.trace import Trace
    from pigro.limits import Poll
    from pigro.logic import Formula


class EvidenceKindRow(NamedTuple):
    """A kind of evidence, without its code."""

    schema: str | None
    """Of its documents. None: it has none."""
    subject: str
    """What it is about: `model`, `composition` or `refinement` (two compositions)."""
    title: str = ""
    """Of the JSON schema."""


KINDS = {
    "tree": EvidenceKindRow("pigro.evidence/2", "model", "Evidence for a verdict"),
    "run": EvidenceKindRow(
        "pigro.run/2", "model", "Evidence for a verdict on a formula outside of CTL"
    ),
    "game": EvidenceKindRow(
        "pigro.game/1", "model", "Evidence for a verdict on a formula of the mu-calculus"
    ),
    "strategy": EvidenceKindRow(
        "pigro.strategy/1", "composition", "Evidence for a verdict on a composition of parts"
    ),
    "refinement": EvidenceKindRow(
        "pigro.refinement/1", "refinement", "Whether parts refine others"
    ),
    "completion": EvidenceKindRow(None, "composition"),
    "certificate": EvidenceKindRow(None, "model"),
}
"""All kinds, by their names. The folder of a kind has its name."""


class ShownEvidence(Record, frozen=True):
    """What is shown, and by what. `Verdict.shown` gives one, and so does `EvidenceKind.read`."""

    subject: Any
    """A model or a composition."""
    formula: Formula
    holds: bool | None
    """None: it depends on how parts are finished."""
    evidence: Any
    certificate: Any = None
    """The certificate of the verdict, if it has one. Read from a file: its section there."""


class SharedEvidence:
    """What the evidence in one file shares, and who decides again: here, nobody does."""

    def __init__(
        self,
        model: Any = None,
        tables: TablesData | None = None,
        certificates: str | None = None,
        *,
        digest: bytes | None = None,
        poll: Poll = no_poll,
    ) -> None:
        self.model, self.tables, self.poll = model, tables, poll
        self.certificates = certificates
        """Those of all evidence, in base64, if they stand beside it."""
        self.digest = digest
        """By what the subject is known, if not by its own digest."""
        self._numbered: DocumentStates | None = None
        self._proofs: list[tuple[CertificateResult, bytes]] | None = None

    def numbered(self, model: Any, own: Any, formula: Formula) -> DocumentStates:
        """The states of the tables of the file, or of the own ones of a document.

        `WrongEvidence` if they are not those of the model.
        """
        from pigro.evidence.tables import DocumentStates

        if self.tables is None:
            return DocumentStates(model.showing(formula.atoms), own)
        if self._numbered is None:
            self._numbered = DocumentStates(self.model, self.tables)
        return self._numbered

    def certificate_file(self, certificate: str | int) -> bytes:
        """The file that a certificate is in: of all evidence, if it goes by number.

        `NotEvidence` if it is none.
        """
        from base64 import b64decode

        from pigro.evidence.data import NotEvidence

        text = certificate if isinstance(certificate, str) else str(self.certificates)
        try:
            return b64decode(text, validate=True)
        except ValueError as error:
            raise NotEvidence(str(error)) from None

    def proof(self, model: Any, certificate: str | int) -> tuple[CertificateResult, bytes]:
        """What became of a certificate, and its section."""
        from pigro.evidence.data import require

        if isinstance(certificate, str):
            found = checked_sections(model, self.certificate_file(certificate))
            require(len(found) == 1, "evidence needs a certificate of one verdict")
            return found[0]
        if self._proofs is None:
            self._proofs = checked_sections(model, self.certificate_file(certificate))
        require(0 <= certificate < len(self._proofs), "its certificate is not there")
        return self._proofs[certificate]

    def deciders(
        self, model: Any, formula: Formula, depth: int | None
    ) -> tuple[Decide, Truths | None]:
        """Who decides facts and claims about runs again. `NotJudged` if nobody does."""
        from pigro.evidence.data import NotJudged

        raise NotJudged("nobody decides again what it claims")

    def completing(self, composition: Any, formula: Formula) -> CompletionDecider:
        """Who decides again what ways to finish parts lead to. `NotJudged` if nobody does."""
        from pigro.evidence.data import NotJudged

        raise NotJudged("nobody decides again what it claims")


def checked_sections(model: Any, data: bytes) -> list[tuple[CertificateResult, bytes]]:
    """What becomes of each certificate of a file, and its section."""
    from pigro.certificates import check_certificates
    from pigro.certificates.reading import FORMULA, frames

    bodies = [body for kind, body in frames(data) if kind == FORMULA]
    return list(zip(check_certificates(model, data), bodies, strict=True))


class EvidenceKind(ABC):
    """What a kind of evidence can do. What is not needed has an empty default."""

    name: ClassVar[str]
    data: ClassVar[type[msgspec.Struct]]
    """The type of its documents."""

    field: ClassVar[str] = "evidence"
    """The field of a result that has its documents."""

    def head(self, decoded: object) -> Any:
        """A document, unread. `NotEvidence` if it is none."""
        from pigro.evidence.data import converted

        return converted(decoded, self.data)

    def in_row(self, _row: Any) -> Any:
        """What a result has of this kind, if its documents have no schema. None if it has none."""
        return None

    def claim(self, head: Any) -> tuple[str, str]:
        """The formula and the verdict that a document is for."""
        return head.formula, head.verdict

    def reading(self, _head: Any, _shared: SharedEvidence) -> tuple[str, str] | None:
        """How a document reads its subject: semantics and dead ends. None: in the only way."""
        return None

    def document(self, shown: ShownEvidence, _bundle: EvidenceBundle, _poll: Poll = no_poll) -> Any:
        """The document, by its type, beside others of a bundle.

        Needs: evidence that shows the verdict.
        """
        return shown.evidence

    @abstractmethod
    def read(self, subject: Any, head: Any, shared: SharedEvidence) -> ShownEvidence:
        """What a document says. It is not yet replayed.

        `NotEvidence` if it is no evidence, `Mismatch` if it is about another subject,
        `WrongEvidence` if its states or subformulas are not those of the subject and the formula.
        """

    @abstractmethod
    def replay(self, shown: ShownEvidence, shared: SharedEvidence) -> None:
        """`WrongEvidence` unless the evidence shows the verdict, `NotJudged` if that is unknown."""

    def parts(self, _shown: ShownEvidence) -> Sequence[int]:
        """The parts of a composition that the evidence needs, if it does not need all."""
        return ()

    def is_whole(self, _evidence: Any) -> bool:
        """Whether nothing is left out that the verdict needs."""
        return True

    def lines(self, _shown: ShownEvidence, *, full: bool, poll: Poll = no_poll) -> Iterator[str]:
        """The evidence as text for people. In short, if not `full`."""
        yield from ()

    def page(
        self, _shown: ShownEvidence, _places: PageNumbers, _poll: Poll = no_poll
    ) -> dict[str, object]:
        """What a page has about the evidence, with the states that `places` numbers."""
        return {}

    def path(self, _shown: ShownEvidence) -> Path | None:
        """The first run on a model that the evidence has. None if it has none."""
        return None

    def trace(self, _shown: ShownEvidence) -> Trace | None:
        """The run that shows the verdict. None if no single run does."""
        return None


def kind_of(evidence: Any) -> EvidenceKind:
    """The kind of some evidence."""
    return kind_named(evidence.KIND)


def kind_for(schema: object) -> EvidenceKind | None:
    """The kind whose documents have a schema. None if there is none."""
    for name, row in KINDS.items():
        if row.schema == schema is not None:
            return kind_named(name)
    return None


def kind_named(name: str) -> EvidenceKind:
    """The kind with this name."""
    found: EvidenceKind = import_module(f"pigro.evidence.{name}.kind").KIND
    return found
