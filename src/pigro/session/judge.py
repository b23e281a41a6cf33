"""Judges what files claim, row by row: one loop over all kinds of evidence.

1. The evidence of each row is recognized by its schema (`read_heads`).
2. Its kind reads it on the subject, and replays it.
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

    def check_shown(self, row: Any, head: Any, shown: Shown) -> None:
        """`WrongEvidence` if a row says something else than its evidence, which is right."""

    def has_reasons(self, _row: Any) -> bool:
        """Whether a row without evidence shows its verdict in another way."""
        return False

    def check_row(self, row: Any) -> None:
        """`WrongEvidence` if a row, with evidence or without, names what there is not."""

    def before(self) -> Iterator[Finding]:
        """The judgement on what the file says of the subject. Needs: all rows were judged."""
        yield from ()

    def rest(self) -> Iterator[Finding]:
        """What else can't be judged."""
        yield from ()

    @property
    def warnings(self) -> list[str]:
        """What a reader should know about the formulas."""
        return []


def need_same(row: Any, head: Any) -> None:
    """`WrongEvidence` unless evidence is for the formula and the verdict of its row."""
    same = (head.formula, head.verdict) == (row.formula, row.verdict)
    need(same, "the evidence is for another formula or verdict than the result")


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
    """The judgement on the subject, on each row, and then on what stands beside them."""
    findings = [_judged(case, *each) for each in zip(case.rows, case.heads, strict=True)]
    yield from case.before()
    yield from findings
    yield from case.rest()


def _judged(case: Case, row: Any, head: Any) -> Finding:
    about = f"{printable(row.verdict)}  {printable(case.title(row), len(case.title(row)))}"
    is_whole = True
    has_reasons = head is not None or case.has_reasons(row)
    try:
        if head is not None:
            shown, kind = _replayed(case, head)
            case.check_shown(row, head, shown)
            is_whole = kind.is_whole(shown.evidence)
        if has_reasons or row.verdict == "unknown":
            case.check_row(row)
    except (NotJudged, TooWide) as error:
        why = error.message if isinstance(error, TooWide) else str(error)
        return Finding("not judged", about, why, counts_against=True)
    except WrongEvidence as error:
        return Finding("rejected", about, str(error), counts_against=True)
    if not is_whole:
        why = "only a part of the strategy is there, and it is right as far as it goes"
        return Finding("no evidence", about, why, counts_against=True)
    if has_reasons:
        return Finding("accepted", about)
    return Finding("no evidence", about, counts_against=row.verdict != "unknown")


def _replayed(case: Case, head: Any) -> tuple[Shown, Kind]:
    """What evidence shows, by its kind. `WrongEvidence` unless it does."""
    kind = kind_for(head.schema)
    assert kind is not None, "it was looked at"
    reading = kind.reading(head)
    if reading is not None:
        case.need_reading(*reading)
    shown = kind.read(case.subject, head, case.shared)
    kind.replay(shown, case.shared)
    return shown, kind
