"""Judges what files claim, row by row: one loop over all kinds of evidence.

1. The evidence of each row is recognized by its schema, or by its field (`judged_rows`).
2. Kinds read all evidence on the subject, and replay it.
3. What stands around the evidence is compared with it, by the case that the file is.

A piece of evidence that stands in no results is a case with one row, and nothing around it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import UNSET, Struct

from pigro.diagnostics import printable
from pigro.evidence.data import NotEvidence, NotJudged, WrongEvidence, require
from pigro.evidence.kinds import KINDS, SharedEvidence, kind_for, kind_named
from pigro.model.lazy.seen import TooWide
from pigro.session.findings import JudgedItem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.evidence.kinds import EvidenceKind, ShownEvidence
    from pigro.session.certificate_evidence import ProofJudge
    from pigro.session.findings import Word


class LonePiece(Struct):
    """A piece of evidence alone, as a row with nothing else in it."""

    formula: str
    verdict: str


class JudgedRow(NamedTuple):
    """A row of a file, and its evidence."""

    row: Any
    kind: EvidenceKind | None
    """None: there is no evidence."""
    head: Any
    """The document of the evidence, unread."""

    @classmethod
    def alone(cls, kind: EvidenceKind, head: Any) -> JudgedRow:
        """The row of evidence that stands in no results."""
        return cls(LonePiece(*kind.claim(head)), kind, head)


class EvidenceCase:
    """What a file claims about one subject. Here: a piece of evidence alone."""

    proofs: ProofJudge | None = None
    """Of certificates: what each says, and which formulas must be proved."""

    def __init__(self, subject: Any, rows: Sequence[JudgedRow]) -> None:
        self.given, self.rows = subject, rows

    @property
    def subject(self) -> Any:
        """What the evidence is about, as the file reads it. `WrongEvidence` if it can't be."""
        return self.given

    @property
    def shared(self) -> SharedEvidence:
        """What the evidence of all rows shares. `WrongEvidence` if that is wrong."""
        return SharedEvidence()

    def title(self, row: Any) -> str:
        """The formula of a row."""
        formula: str = row.formula
        return formula

    def need_reading(self, semantics: str, dead_ends: str) -> None:
        """`WrongEvidence` unless evidence that reads its subject so does it as the file does."""

    def check_shown(self, row: Any, kind: EvidenceKind, shown: ShownEvidence) -> None:
        """`WrongEvidence` if a row says something else than its evidence, which is right."""

    def check_row(self, row: Any) -> None:
        """`WrongEvidence` if a row, with evidence or without, names what there is not."""

    def before(self) -> Iterator[JudgedItem]:
        """The judgement on what the file says of the subject."""
        yield from ()

    def rest(self) -> Iterator[JudgedItem]:
        """What else can't be judged, or is missing."""
        yield from ()

    @property
    def warnings(self) -> list[str]:
        """What a reader should know about the formulas."""
        return []


def piece_of(decoded: object, about: str) -> JudgedRow:
    """A piece of evidence alone. `NotEvidence` if it is of no kind for such a subject."""
    kind, head = _recognized(decoded, about)
    certificate, tables = (getattr(head, name, None) for name in ("certificate", "tables"))
    if isinstance(certificate, int) or tables is UNSET:
        raise NotEvidence("this is a part of results")
    return JudgedRow.alone(kind, head)


def judged_rows(rows: Sequence[Any], about: str) -> list[JudgedRow]:
    """The rows of results, with their evidence. `NotEvidence` if no row has any."""
    found = [_judged_row(row, about) for row in rows]
    if all(each.kind is None for each in found):
        raise NotEvidence("no result has evidence")
    return found


def _judged_row(row: Any, about: str) -> JudgedRow:
    if row.evidence is not UNSET:
        kind, head = _recognized(row.evidence, about)
        certificate, tables = (getattr(head, name, None) for name in ("certificate", "tables"))
        if tables not in (None, UNSET) or isinstance(certificate, str):
            raise NotEvidence("the evidence in a result has a certificate or tables of its own")
        return JudgedRow(row, kind, head)
    for name, entry in KINDS.items():
        if entry.schema is None and entry.subject == about:
            kind = kind_named(name)
            head = kind.in_row(row)
            if head is not None:
                return JudgedRow(row, kind, head)
    return JudgedRow(row, None, None)


def _recognized(decoded: object, about: str) -> tuple[EvidenceKind, Any]:
    kind = kind_for(decoded.get("schema") if isinstance(decoded, dict) else None)
    if kind is None or KINDS[kind.name].subject != about:
        raise NotEvidence("its schema is not known")
    return kind, kind.head(decoded)


def judge(case: EvidenceCase) -> Iterator[JudgedItem]:
    """The judgement on the subject, on each row, and then on what stands beside them.

    All evidence is replayed before anything is compared with it.
    """
    outcomes = [_replayed(case, row) for row in case.rows]
    yield from case.before()
    for row, outcome in zip(case.rows, outcomes, strict=True):
        yield _compared(case, row, outcome)
    yield from case.rest()


def _replayed(
    case: EvidenceCase, judged: JudgedRow
) -> ShownEvidence | WrongEvidence | TooWide | None:
    """What evidence shows, by its kind. Or its fault, or why it can't be judged."""
    _, kind, head = judged
    if kind is None:
        return None
    try:
        subject, shared = case.subject, case.shared
        reading = kind.reading(head, shared)
        if reading is not None:
            case.need_reading(*reading)
        shown = kind.read(subject, head, shared)
        kind.replay(shown, shared)
    except (WrongEvidence, TooWide) as error:
        return error
    return shown


def _compared(
    case: EvidenceCase, judged: JudgedRow, outcome: ShownEvidence | Exception | None
) -> JudgedItem:
    """The judgement on a row: its evidence is right, and says the same."""
    row, kind, head = judged
    is_undecided = row.verdict == "unknown"
    word: Word = "no evidence" if kind is None else "accepted"
    problem, against = None, kind is None and not is_undecided
    try:
        if isinstance(outcome, Exception):
            raise outcome
        if kind is not None and outcome is not None:
            same = kind.claim(head) == (row.formula, row.verdict)
            require(same, "the evidence is for another formula or verdict than the result")
            case.check_shown(row, kind, outcome)
        if kind is not None or is_undecided:
            case.check_row(row)
        if kind is not None and outcome is not None and not kind.is_whole(outcome.evidence):
            word, against = "no evidence", True
            problem = "only a part of the strategy is there, and it is right as far as it goes"
    except (NotJudged, TooWide) as error:
        word, against = "not judged", True
        problem = error.message if isinstance(error, TooWide) else str(error)
    except WrongEvidence as error:
        word, against, problem = "rejected", True, str(error)
    title = case.title(row)
    about = f"{printable(row.verdict)}  {printable(title, len(title))}"
    return JudgedItem(word, about, problem, counts_against=against)
