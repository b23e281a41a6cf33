"""Reports on verdicts: as text, a paragraph each or a line each when there are many, or as JSON.

A report is the same for every subject. What differs is in rows: heads.py says what a subject is
like, and json.py which document has its results. What an engine says besides is in details.py, and
evidence is told by its kind.

Names and formulas come from files and are escaped. Formulas are shortened only for a terminal.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from pigro.diagnostics.printable import in_full, listed
from pigro.forms import FORMS
from pigro.limits import no_poll
from pigro.logic.printer import WRITTEN, text_for_people, text_of
from pigro.records import Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.engines import Verdict
    from pigro.evidence.bundle import EvidenceBundle
    from pigro.evidence.data import Value
    from pigro.evidence.kinds import ShownEvidence
    from pigro.limits import Poll
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.session.asking import EvidenceRoom
    from pigro.session.request import CheckOutcome, CheckQuestion

INDENT = 9
"""Of everything but verdicts."""
ROWS = 3
"""How many rows of a terminal a formula may fill."""
_SHORTEST = 20
_COLOURS = {"holds": "\x1b[1;32m", "fails": "\x1b[1;31m", "unknown": "\x1b[1;33m"}
_PLAIN = "\x1b[0m"
_EXPLANATION = (
    "(proved: a certificate shows it. decided by the search: only the engine says so;",
    " for models, --certificate FILE writes certificates, and --verify checks them)",
)


class TextStyle(Record, frozen=True):
    """How to write: with colours, how wide the terminal is (None: any width), how much."""

    colour: bool = False
    width: int | None = None
    compact: bool = False
    statistics: bool = False
    starts: bool = False
    """Whether formulas start at different nodes, so that each verdict must tell."""
    witness: str = "none"
    """How much of the evidence: `none`, `short` or `full`."""
    rounds: bool = False
    """Whether to tell each round of refinement."""


PLAIN = TextStyle()


class CheckReport:
    """What was asked about a subject, and how to tell the verdicts on it."""

    def __init__(
        self,
        subject: Any,
        style: TextStyle = PLAIN,
        form: str = "text",
        *,
        question: CheckQuestion | None = None,
    ) -> None:
        self.subject, self.style = subject, style
        home = FORMS[form].home
        self._writer: Any = None if home is None else import_module(home)
        """What writes the form. None: text, which is written here."""
        self.question = question
        """What was asked. None: the subject alone is described, or its verdicts are there."""
        self.bundle: EvidenceBundle | None = None
        """What takes the evidence, in a form that has its documents."""
        if FORMS[form].has_bundle:
            from pigro.evidence.bundle import EvidenceBundle

            self.bundle = EvidenceBundle(subject)
        self._is_explained = False

    @property
    def file(self) -> str | None:
        """The first file that was given, if any was."""
        given = () if self.question is None else self.question.request.subject
        files = [each for each in given if isinstance(each, str)] if type(given) is tuple else []
        return _file_of(files[0]) if files else None

    @property
    def command(self) -> str:
        """The command that asks about such a subject."""
        is_composed = self.question is not None and self.question.request.composes
        return "compose" if is_composed else "check"

    def unchecked(self, verdicts: Sequence[Verdict]) -> tuple[Formula, ...]:
        """The formulas that were asked and not checked, because something ended the run."""
        return () if self.question is None else self.question.formulas[len(verdicts) :]

    def head(self) -> str:
        """What the subject is like."""
        from pigro.render.heads import head_text

        return head_text(self)

    def render_verdict(self, number: int, verdict: Verdict, room: EvidenceRoom) -> str:
        """One verdict, with its evidence as far as there is room for it."""
        if self._writer is not None:
            text: str = self._writer.result_with_evidence(self, number, verdict, room)
            return text
        text = verdict_with_evidence(number, verdict, self.style, room)
        if self.style.witness == "full" and not self._is_explained:
            from pigro.evidence.lines import NOT_PROVED

            self._is_explained = NOT_PROVED in text
            more = _EXPLANATION if self._is_explained else ()
            text += "".join(f"{' ' * INDENT}{line}\n" for line in more)
        return text

    def render(
        self,
        verdicts: Sequence[Verdict],
        texts: Sequence[str] | None = None,
        missing: Sequence[str] = (),
    ) -> bytes:
        """All of it, in UTF-8: with the texts of the verdicts, if they were made before."""
        if texts is None:
            from pigro.session.asking import EvidenceRoom

            room = EvidenceRoom()
            texts = [
                self.render_verdict(number, each, room) for number, each in enumerate(verdicts)
            ]
        notices = () if self.question is None else self.question.notices
        warnings = [*(each.text for each in notices), *missing]
        if self._writer is not None:
            made: bytes = self._writer.results_document(self, verdicts, texts, warnings)
            return made
        pieces = [self.head() + "\n"] if self.style.statistics else []
        pieces += texts
        if len(verdicts) != 1:
            pieces.append("\n" + summary_text(verdicts))
        pieces += [f"warning: {in_full(each)}\n" for each in warnings]
        return "".join(pieces).encode("utf-8", "backslashreplace")

    def render_outcome(self, outcome: CheckOutcome, texts: Sequence[str]) -> bytes:
        """All of it, about the subject as it was asked about in the end."""
        self.subject = outcome.question.subject
        return self.render(outcome.verdicts, texts, outcome.missing)


def _file_of(given: str) -> str | None:
    """The file of an argument, which may name a part or a program in it."""
    if given == "-":
        return None
    file, _, name = given.rpartition(":")
    return file if file and name and not os.path.exists(given) else given


def document_of(outcome: CheckOutcome, verdict: Verdict, room: EvidenceRoom) -> bytes:
    """One verdict with its evidence, as `--witness --format json` writes it."""
    asked = replace(
        outcome.question, subject=verdict.subject, formulas=(verdict.formula,), starts=()
    )
    style = replace(PLAIN, witness="full")
    report = CheckReport(verdict.subject, style, "json", question=asked)
    text = report.render_verdict(0, verdict, room)
    return report.render_outcome(replace(outcome, question=asked, verdicts=(verdict,)), [text])


def short_text(verdict: Verdict) -> str:
    """A verdict as the command line prints it in short, without evidence if it was pickled."""
    from pigro.session.asking import EvidenceRoom

    return verdict_with_evidence(0, verdict, TextStyle(witness="short"), EvidenceRoom()).rstrip(
        "\n"
    )


def verdict_with_evidence(
    number: int, verdict: Verdict, style: TextStyle, room: EvidenceRoom
) -> str:
    """One verdict, with its evidence as far as there is room for it.

    Two ways to finish parts that have different verdicts are told in any case.
    """
    text, shown = verdict_text(verdict, style), verdict.shown
    if shown is None or (style.witness == "none" and shown.holds is not None):
        return text
    full = style.witness == "full"
    return text + (room.make(number, lambda: evidence_text(shown, full=full, poll=room.poll)) or "")


def evidence_text(
    shown: ShownEvidence, indent: int = INDENT, *, full: bool, poll: Poll = no_poll
) -> str:
    """Evidence line by line, indented."""
    from pigro.evidence.kinds import kind_of

    margin = " " * indent
    lines = kind_of(shown.evidence).lines(shown, full=full, poll=poll)
    inner = (line.replace("\n", f"\n{margin}") for line in lines)
    return "".join(f"{margin}{line}\n" for line in inner)


def verdict_text(verdict: Verdict, style: TextStyle) -> str:
    """One verdict, with line end: the word, the formula, the reason, what it cost, and details."""
    cost, details = _cost(verdict, style), _details(verdict, style)
    column = f"{cost:<{44 if style.statistics else 24}} " if style.compact else ""
    rows = 1 if style.compact else ROWS
    shown = shown_formula(verdict.formula, style.width, INDENT + len(column), rows=rows)
    start = f" (from {initial_text(verdict.subject.listed())})" if style.starts else ""
    word = verdict.outcome
    head = f"{_COLOURS[word]}{word}{_PLAIN}" if style.colour else word
    why = "" if style.compact else f"{' ' * INDENT}{in_full(verdict.reason)}; {cost}\n"
    return f"{head}{' ' * (INDENT - len(word))}{column}{shown}{start}\n{why}{details}"


def _details(verdict: Verdict, style: TextStyle) -> str:
    """What the engine says besides. With line ends."""
    if verdict.details is None:
        return ""
    from pigro.render.details import detail_lines

    return "".join(f"{' ' * INDENT}{line}\n" for line in detail_lines(verdict, style))


def value_word(value: bool | None) -> Value:
    """A value of three, in a word."""
    return "unknown" if value is None else "holds" if value else "fails"


def summary_text(verdicts: Sequence[Verdict]) -> str:
    """How many hold and fail, and the time for all. With line end."""
    words: list[str] = [verdict.outcome for verdict in verdicts]
    counts = [
        f"{number:,} {one if number == 1 else many}"
        for word, one, many in (
            ("holds", "holds", "hold"),
            ("fails", "fails", "fail"),
            ("unknown", "unknown", "unknown"),
        )
        if (number := words.count(word))
    ]
    spent = duration(sum(verdict.stats.seconds for verdict in verdicts))
    return f"{', '.join(counts) or 'no verdicts'}, {spent}\n"


def duration(seconds: float) -> str:
    """A time for people.

    >>> duration(0.00012), duration(0.0123), duration(2.5), duration(200)
    ('0.12 ms', '12 ms', '2.5 s', '3 min 20 s')
    """
    if seconds < 0.00995:
        return f"{seconds * 1000:.2g} ms" if seconds >= 0.00001 else "0.01 ms"
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 99.95:
        return f"{seconds:.1f} s"
    return f"{round(seconds) // 60} min {round(seconds) % 60} s"


def _cost(verdict: Verdict, style: TextStyle) -> str:
    stats = verdict.stats
    parts = [duration(stats.seconds)]
    if stats.contexts is not None:
        parts.append(count(stats.contexts, "context"))
    layers = getattr(verdict.details, "layers", None)
    if style.compact and layers:
        parts.append(count(sum(layer.nodes for layer in layers), "position"))
    if style.statistics and stats.visited is not None:
        parts.append(f"{stats.visited:,} visited")
    if style.statistics and stats.states is not None and layers is None:
        parts.append(count(stats.states, "state"))
    if style.statistics and stats.passes is not None:
        parts.append(count(stats.passes, "pass", "passes"))
    if style.statistics and stats.certify_seconds is not None:
        by = verdict.certificate.engine if verdict.certificate else verdict.engine
        by = f" by {by}" if by != verdict.engine else ""
        size = f" ({stats.certificate_bytes:,} bytes)" if stats.certificate_bytes else ""
        parts.append(f"proved{by} in {duration(stats.certify_seconds)}{size}")
    if style.statistics and stats.verify_seconds is not None:
        parts.append(f"verified in {duration(stats.verify_seconds)}")
    return ", ".join(parts)


def shown_formula(formula: Formula, width: int | None, used: int, *, rows: int) -> str:
    """The formula in canonical form, cut where the terminal is too narrow for it."""
    is_plain = WRITTEN not in formula.kept and not formula.automata
    to_text = text_of if is_plain else text_for_people
    if width is None:
        return in_full(to_text(formula))
    room = max(_SHORTEST, width * rows - used)
    text = in_full(to_text(formula, limit=room))
    return text if len(text) <= room else f"{text[: room - 3]}..."


def initial_text(model: RSM) -> str:
    """The initial nodes of a model, the first few by name."""
    return listed([model.node_name(node) for node in model.initial])


def count(number: int, one: str, many: str | None = None) -> str:
    """A number with a word in singular or plural."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
