"""The kinds of evidence: one table, and what every kind can do.

Nobody outside of a kind's folder asks which kind some evidence is of. They ask the kind, which
`kind_of` finds by the evidence, and `kind_for` by the schema of its document. A new kind is a
folder with a module `kind`, and a row of `KINDS`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from pigro.limits import unwatched
from pigro.records import Record

if TYPE_CHECKING:
    from collections.abc import Iterator

    import msgspec

    from pigro.certificates import Checked
    from pigro.evidence.data import TablesData
    from pigro.evidence.page import Places
    from pigro.evidence.replaying import Decide
    from pigro.evidence.run.runs import Truths
    from pigro.evidence.states import Path
    from pigro.evidence.tables import Numbered, Tables
    from pigro.evidence.trace import Trace
    from pigro.limits import Poll
    from pigro.logic import Formula


class Row(NamedTuple):
    """A kind of evidence, without its code."""

    schema: str | None
    """Of its documents. None: it has none."""
    subject: str
    """What it is about: `model`, `composition`, `refinement` (two compositions) or `system`."""
    title: str = ""
    """Of the JSON schema."""


KINDS = {
    "tree": Row("pigro.evidence/2", "model", "Evidence for a verdict"),
    "run": Row("pigro.run/2", "model", "Evidence for a verdict on a formula outside of CTL"),
    "game": Row("pigro.game/1", "model", "Evidence for a verdict on a formula of the mu-calculus"),
    "strategy": Row(
        "pigro.strategy/1", "composition", "Evidence for a verdict on a composition of parts"
    ),
    "refinement": Row("pigro.refinement/1", "refinement", "Whether parts refine others"),
    "completion": Row(None, "composition"),
}
"""All kinds, by their names. The folder of a kind has its name."""


class Shown(Record, frozen=True):
    """What is shown, and by what. `Verdict.shown` gives one, and so does `Kind.read`."""

    subject: Any
    """A model, a composition or a system."""
    formula: Formula
    holds: bool | None
    """None: it depends on how parts are finished."""
    evidence: Any
    certificate: Any = None
    """The certificate of the verdict, if it has one. Read from a file: its section there."""


class Writing:
    """What the evidence of several verdicts shares in one document: here, of one verdict alone."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def certified(self, certificate: Any, poll: Poll = unwatched) -> str | int:
        """How a document names a certificate: by its bytes, or by its number in a file."""
        from base64 import b64encode

        return b64encode(certificate.to_bytes(poll)).decode()


class Shared:
    """What the evidence in one file shares, and who decides again: here, for a document alone."""

    def __init__(
        self,
        model: Any = None,
        tables: TablesData | None = None,
        *,
        digest: bytes | None = None,
        poll: Poll = unwatched,
    ) -> None:
        self.model, self.tables, self.poll = model, tables, poll
        self.digest = digest
        """By what the subject is known, if not by its own digest."""
        self._numbered: Numbered | None = None

    def numbered(self, model: Any, own: Any, formula: Formula) -> Numbered:
        """The states of the tables of the file, or of the own ones of a document.

        `WrongEvidence` if they are not those of the model.
        """
        from pigro.evidence.tables import Numbered

        if self.tables is None:
            return Numbered(model.showing(formula.atoms), own)
        if self._numbered is None:
            self._numbered = Numbered(self.model, self.tables)
        return self._numbered

    def proof(self, model: Any, certificate: str | int) -> tuple[Checked, bytes]:
        """What became of a certificate, and its section."""
        raise NotImplementedError

    def deciders(
        self, model: Any, formula: Formula, depth: int | None
    ) -> tuple[Decide, Truths | None]:
        """Who decides facts and claims about runs again."""
        raise NotImplementedError


class Kind:
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

    def reading(self, _head: Any) -> tuple[str, str] | None:
        """How a document reads its subject: semantics and dead ends.

        None: as the certificates say that stand beside it.
        """
        return None

    def document(self, shown: Shown, writing: Writing, poll: Poll = unwatched) -> Any:
        """The document, by its type. Needs: evidence that shows the verdict."""
        raise NotImplementedError

    def read(self, subject: Any, head: Any, shared: Shared) -> Shown:
        """What a document says. It is not yet replayed.

        `NotEvidence` if it is no evidence, `Mismatch` if it is about another subject,
        `WrongEvidence` if its states or subformulas are not those of the subject and the formula.
        """
        raise NotImplementedError

    def replay(self, shown: Shown, shared: Shared) -> None:
        """`WrongEvidence` unless the evidence shows the verdict, `NotJudged` if that is unknown."""
        raise NotImplementedError

    def is_whole(self, _evidence: Any) -> bool:
        """Whether nothing is left out that the verdict needs."""
        return True

    def lines(self, shown: Shown, *, full: bool, poll: Poll = unwatched) -> Iterator[str]:
        """The evidence as text for people. In short, if not `full`."""
        raise NotImplementedError

    def page(self, _shown: Shown, _places: Places, _poll: Poll = unwatched) -> dict[str, object]:
        """What a page has about the evidence, with the states that `places` numbers."""
        return {}

    def path(self, _shown: Shown) -> Path | None:
        """The first run on a model that the evidence has. None if it has none."""
        return None

    def trace(self, _shown: Shown) -> Trace | None:
        """The run that shows the verdict. None if no single run does."""
        return None


def kind_of(evidence: Any) -> Kind:
    """The kind of some evidence."""
    return _found(evidence.KIND)


def kind_for(schema: object) -> Kind | None:
    """The kind whose documents have a schema. None if there is none."""
    for name, row in KINDS.items():
        if row.schema == schema is not None:
            return _found(name)
    return None


def _found(name: str) -> Kind:
    found: Kind = import_module(f"pigro.evidence.{name}.kind").KIND
    return found
