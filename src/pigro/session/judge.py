"""Judges what files claim, row by row: one loop over all kinds of evidence.

1. The evidence of each row is recognized by its schema (`read_heads`).
2. Kinds read all evidence on the subject, and replay it.
3. What stands around the evidence is compared with it, by the case that the file is.

A piece of evidence that stands in no results is a case with one row, and nothing around it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Struct, UnsetType

from pigro.diagnostics import printable
from pigro.evidence.data import NotEvidence, NotJudged, WrongEvidence, need
from pigro.evidence.kinds import KINDS, Shared, kind_for
from pigro.model.lazy.seen import TooWide
from pigro.session.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.evidence.kinds import Kind, Shown
    from pigro.session.findings import Word


class Piece(Struct):
    """A piece of evidence alone, as a row with nothing else in it."""

    formula: str
    verdict: str
    evidence: Any | UnsetType = UNSET


class Case:
    """What a file claims about one subject. Here: a piece of evidence alone."""

    def __init__(self, subject: Any, rows: Sequence[Any], heads: Sequence[Any]) -> None:
        self.given, self.rows = subject, rows
        self.heads = heads
        """The documents of evidence, unread. None where a row has none."""

    @property
    def subject(self) -> Any:
        """What the evidence is about, as the file reads it. `WrongEvidence` if it can't be."""
        return self.given

    @property
    def shared(self) -> Shared:
        """What the evidence of all rows shares. `WrongEvidence` if that is wrong."""
        return Shared()

    def title(self, row: Any) -> str:
        """The formula of a row."""
        formula: str = row.formula
        return formula

    def need_reading(self, semantics: str, dead_ends: str) -> None:
        """`WrongEvidence` unless evidence that reads its subject so does it as the file does."""

    def check_shown(self, row: Any, shown: Shown) -> None:
        """`WrongEvidence` if a row says something else than its evidence, which is right."""

    def has_reasons(self, _row: Any) -> bool:
        """Whether a row without evidence shows its verdict in another way."""
        return False

    def check_row(self, row: Any) -> None:
        """`WrongEvidence` if a row, with evidence or without, names what there is not."""

    def before(self) -> Iterator[Finding]:
        """The judgement on what the file says of the subject."""
        yield from ()

    def rest(self) -> Iterator[Finding]:
        """What else can't be judged."""
        yield from ()

    @property
    def warnings(self) -> list[str]:
        """What a reader should know about the formulas."""
        return []


def read_heads(rows: Sequence[Any], about: str, *, alone: bool = False) -> list[Any]:
    """The evidence of rows, unread. `NotEvidence` if it is of no kind for such a subject.

    Alone, it has tables and a certificate of its own if its kind has any. Among results it has not.
    """
    return [None if row.evidence is UNSET else _head(row.evidence, about, alone) for row in rows]


def _head(decoded: object, about: str, alone: bool) -> Any:
    kind = kind_for(decoded.get("schema") if isinstance(decoded, dict) else None)
    if kind is None or KINDS[kind.name].subject != about:
        raise NotEvidence("its schema is not known")
    found = kind.head(decoded)
    certificate, tables = (getattr(found, name, None) for name in ("certificate", "tables"))
    if alone and (isinstance(certificate, int) or tables is UNSET):
        raise NotEvidence("this is a part of results")
    if not (alone or (tables in (None, UNSET) and not isinstance(certificate, str))):
        raise NotEvidence("the evidence in a result has a certificate or tables of its own")
    return found


def judge(case: Case) -> Iterator[Finding]:
    """The judgement on the subject, on each row, and then on what stands beside them.

    All evidence is replayed before anything is compared with it.
    """
    outcomes = [None if head is None else _replayed(case, head) for head in case.heads]
    yield from case.before()
    for row, head, outcome in zip(case.rows, case.heads, outcomes, strict=True):
        yield _compared(case, row, head, outcome)
    yield from case.rest()


def _replayed(case: Case, head: Any) -> Shown | WrongEvidence | TooWide:
    """What evidence shows, by its kind. Or its fault, or why it can't be judged."""
    kind = _kind(head)
    try:
        subject, shared = case.subject, case.shared
        reading = kind.reading(head)
        if reading is not None:
            case.need_reading(*reading)
        shown = kind.read(subject, head, shared)
        kind.replay(shown, shared)
    except (WrongEvidence, TooWide) as error:
        return error
    return shown


def _compared(case: Case, row: Any, head: Any, outcome: Shown | Exception | None) -> Finding:
    """The judgement on a row: its evidence is right, and says the same."""
    has_reasons = head is not None or case.has_reasons(row)
    word: Word = "accepted" if has_reasons else "no evidence"
    problem, against = None, not has_reasons and row.verdict != "unknown"
    try:
        if isinstance(outcome, Exception):
            raise outcome
        if outcome is not None:
            if not isinstance(row, Piece):
                same = (head.formula, head.verdict) == (row.formula, row.verdict)
                need(same, "the evidence is for another formula or verdict than the result")
            case.check_shown(row, outcome)
        if has_reasons or row.verdict == "unknown":
            case.check_row(row)
        if outcome is not None and not _kind(head).is_whole(outcome.evidence):
            word, against = "no evidence", True
            problem = "only a part of the strategy is there, and it is right as far as it goes"
    except (NotJudged, TooWide) as error:
        word, against = "not judged", True
        problem = error.message if isinstance(error, TooWide) else str(error)
    except WrongEvidence as error:
        word, against, problem = "rejected", True, str(error)
    title = case.title(row)
    about = f"{printable(row.verdict)}  {printable(title, len(title))}"
    return Finding(word, about, problem, counts_against=against)


def _kind(head: Any) -> Kind:
    kind = kind_for(head.schema)
    assert kind is not None, "it was looked at"
    return kind
