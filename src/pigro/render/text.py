"""Results as text for people: a verdict a paragraph, or a line each when there are many.

Names and formulas come from files and are escaped. Formulas are shortened only for a terminal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from msgspec import field
from msgspec.structs import replace

from pigro.diagnostics import printable
from pigro.diagnostics.printable import listed
from pigro.limits import unwatched
from pigro.logic.printer import WRITTEN, text_for_people, text_of
from pigro.model.kinds import Kind
from pigro.model.kinds import kind_of as subject_kind
from pigro.records import Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.engines import Verdict
    from pigro.evidence.bundle import Bundle
    from pigro.evidence.kinds import Shown
    from pigro.limits import Poll
    from pigro.logic import Formula
    from pigro.model import RSM, Statistics
    from pigro.model.space import Model
    from pigro.session.asking import Room
    from pigro.session.request import Outcome, Question

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


class Report(Record, frozen=True):
    """A model, the verdicts on it in the order asked, and what a reader must know besides."""

    model: Model
    verdicts: tuple[Verdict, ...]
    warnings: tuple[str, ...] = ()
    load_seconds: float | None = None
    statistics: bool = False
    """Also tell the model's statistics and the cost of each check."""
    texts: tuple[str, ...] = ()
    """The text about each verdict, if that was written before. It may have evidence in it."""
    bundle: Bundle | None = None
    """Takes the evidence that is told in JSON, if any is."""


class Telling(Protocol):
    """Words verdicts as they come: at the end there may be no time for their evidence."""

    def head(self) -> str:
        """The subject of the check."""

    def told(self, number: int, verdict: Verdict, room: Room) -> str:
        """One verdict."""

    def summary(self, verdicts: Sequence[Verdict]) -> str:
        """How many hold and fail."""

    def whole(self, outcome: Outcome, texts: list[str]) -> bytes:
        """All of it, with the texts of the verdicts."""


class ModelTelling(Record, frozen=True):
    """Words the verdicts on a model as they come, and then the whole report."""

    report: Report
    """Without verdicts."""
    style: TextStyle
    is_json: bool
    explained: list[str] = field(default_factory=list)
    """The words that were explained, which they are once."""

    @classmethod
    def of(cls, question: Question, style: TextStyle, is_json: bool) -> ModelTelling:
        """What words the verdicts on a question about a model."""
        bundle = None
        if is_json and style.witness != "none":
            from pigro.evidence.bundle import Bundle

            bundle = Bundle(question.subject)
        report = Report(
            model=question.subject,
            verdicts=(),
            warnings=tuple(each.text for each in question.notices),
            load_seconds=question.load_seconds,
            statistics=style.statistics,
            bundle=bundle,
        )
        return cls(report, style, is_json)

    def head(self) -> str:
        """The model's statistics."""
        return model_text(self.report.model, self.report.load_seconds)

    def told(self, number: int, verdict: Verdict, room: Room) -> str:
        """One verdict, with its evidence as far as there is room for it."""
        shown = None if self.style.witness == "none" else verdict.shown
        if self.is_json:
            from pigro.render.json import shown_result

            return shown_result(number, verdict, shown, self.report, room)
        text = shown_verdict(number, verdict, self.style, room)
        is_full = shown is not None and self.style.witness == "full"
        return text + self._explanation(text) if is_full and not self.explained else text

    def _explanation(self, text: str) -> str:
        """What the words mean that say how a claim is known, if these are in the text."""
        from pigro.evidence.lines import NOT_PROVED

        if NOT_PROVED not in text:
            return ""
        self.explained.append(NOT_PROVED)
        return "".join(f"{' ' * INDENT}{line}\n" for line in _EXPLANATION)

    def summary(self, verdicts: Sequence[Verdict]) -> str:
        """How many hold and fail."""
        return summary_text(verdicts)

    def whole(self, outcome: Outcome, texts: list[str]) -> bytes:
        """The whole report."""
        report = replace(
            self.report,
            model=outcome.question.model,
            verdicts=outcome.verdicts,
            warnings=(*self.report.warnings, *outcome.missing),
            texts=tuple(texts),
        )
        if not self.is_json:
            return render_text(report, self.style)
        from pigro.render.json import render_json

        return render_json(report)


def telling_of(question: Question, style: TextStyle, *, is_json: bool) -> Telling:
    """What words the verdicts on a question."""
    return _TELLINGS[subject_kind(question.subject)](question, style, is_json)


def document_of(outcome: Outcome, verdict: Verdict, room: Room) -> bytes:
    """One verdict with its evidence, as `--witness --format json` writes it."""
    asked = replace(
        outcome.question, subject=verdict.subject, formulas=(verdict.formula,), starts=()
    )
    telling = telling_of(asked, TextStyle(witness="full"), is_json=True)
    text = telling.told(0, verdict, room)
    return telling.whole(replace(outcome, question=asked, verdicts=(verdict,)), [text])


def _of_parts(question: Question, style: TextStyle, is_json: bool) -> Telling:
    from pigro.render.composition import PartsTelling

    return PartsTelling(question, style, is_json=is_json)


_TELLINGS = {Kind.MODEL: ModelTelling.of, Kind.COMPOSITION: _of_parts}
"""By kinds of subjects."""


def render_text(report: Report, style: TextStyle) -> bytes:
    """The whole report as UTF-8 text."""
    parts = []
    if report.statistics:
        parts.append(model_text(report.model, report.load_seconds) + "\n")
    parts += report.texts or [verdict_text(each, style) for each in report.verdicts]
    if len(report.verdicts) != 1:
        parts.append("\n" + summary_text(report.verdicts))
    parts += [f"warning: {printable(each, len(each))}\n" for each in report.warnings]
    return "".join(parts).encode("utf-8", "backslashreplace")


def printed(verdict: Verdict) -> str:
    """A verdict as the command line prints it in short, without evidence if it was pickled."""
    from pigro.session.asking import Room
    from pigro.verdict import About

    style = TextStyle(witness="none" if isinstance(verdict.subject, About) else "short")
    return shown_verdict(0, verdict, style, Room()).rstrip("\n")


def shown_verdict(number: int, verdict: Verdict, style: TextStyle, room: Room) -> str:
    """One verdict, with its evidence as far as there is room for it.

    Two ways to finish parts that have different verdicts are told in any case.
    """
    text, shown = verdict_text(verdict, style), verdict.shown
    if shown is None or (style.witness == "none" and shown.holds is not None):
        return text
    full = style.witness == "full"
    return text + (room.make(number, lambda: evidence_text(shown, full=full, poll=room.poll)) or "")


def evidence_text(shown: Shown, indent: int = INDENT, *, full: bool, poll: Poll = unwatched) -> str:
    """Evidence line by line, indented."""
    from pigro.evidence.kinds import kind_of

    margin = " " * indent
    lines = kind_of(shown.evidence).lines(shown, full=full, poll=poll)
    inner = (line.replace("\n", f"\n{margin}") for line in lines)
    return "".join(f"{margin}{line}\n" for line in inner)


def verdict_text(verdict: Verdict, style: TextStyle) -> str:
    """One verdict, with line end: the word, the formula, the reason, what it cost."""
    if verdict.games is not None:
        from pigro.render.composition import composition_verdict_text

        return composition_verdict_text(verdict, style)
    word, reason = verdict.outcome, verdict.reason
    head = head_text(word, style)
    cost = _cost(verdict, style)
    start = f" (from {initial_text(verdict.model.listed())})" if style.starts else ""
    if style.compact:
        column = f"{cost:<{44 if style.statistics else 24}} "
        shown = shown_formula(verdict.formula, style.width, INDENT + len(column), rows=1)
        return f"{head}{column}{shown}{start}\n{_steps(verdict)}"
    shown = shown_formula(verdict.formula, style.width, INDENT, rows=ROWS)
    return f"{head}{shown}{start}\n{' ' * INDENT}{whole(reason)}; {cost}\n{_steps(verdict)}"


def head_text(word: str, style: TextStyle) -> str:
    """A verdict's word, and the blanks after it."""
    blanks = " " * (INDENT - len(word))
    return f"{_COLOURS[word]}{word}{_PLAIN}{blanks}" if style.colour else word + blanks


def summary_text(verdicts: Sequence[Verdict]) -> str:
    """How many hold and fail, and the time for all. With line end."""
    spent = sum(verdict.stats.seconds for verdict in verdicts)
    return counts_text([verdict.outcome for verdict in verdicts], spent)


def counts_text(words: Sequence[str], seconds: float) -> str:
    """The same from the verdicts' words."""
    counts = [
        f"{number:,} {one if number == 1 else many}"
        for word, one, many in (
            ("holds", "holds", "hold"),
            ("fails", "fails", "fail"),
            ("unknown", "unknown", "unknown"),
        )
        if (number := words.count(word))
    ]
    return f"{', '.join(counts) or 'no verdicts'}, {duration(seconds)}\n"


def model_text(model: Model, load_seconds: float | None) -> str:
    """The model's statistics, a line each."""
    rows = [
        ("model", whole(model.source or "made by a program")),
        ("semantics", f"{model.semantics}, dead ends: {model.dead_ends}"),
    ]
    if model.is_listed:
        rows += [("initial", initial_text(model)), *_counts(model.statistics)]
    else:
        rows.append(("states", "computed on demand, not listed"))
    if load_seconds is not None:
        rows.append(("loaded in", duration(load_seconds)))
    return "".join(f"{name:<12}{value}\n" for name, value in rows)


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


def _steps(verdict: Verdict) -> str:
    if verdict.steps is None:
        return ""
    from pigro.render.trace import steps_text

    return steps_text(verdict.steps, INDENT)


def _cost(verdict: Verdict, style: TextStyle) -> str:
    stats = verdict.stats
    parts = [duration(stats.seconds)]
    if stats.contexts is not None:
        parts.append(count(stats.contexts, "context"))
    if style.statistics and stats.visited is not None:
        parts.append(f"{stats.visited:,} visited")
    if style.statistics and stats.states is not None:
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
        return whole(to_text(formula))
    room = max(_SHORTEST, width * rows - used)
    text = whole(to_text(formula, limit=room))
    return text if len(text) <= room else f"{text[: room - 3]}..."


def whole(text: str) -> str:
    """All of a text, harmless on a terminal."""
    return printable(text, len(text))


def initial_text(model: RSM) -> str:
    """The initial nodes of a model, the first few by name."""
    return listed([model.node_name(node) for node in model.initial])


def _counts(counted: Statistics) -> list[tuple[str, str]]:
    recursive = f"{counted.recursive_components:,} recursive"
    unreachable = f"{counted.unreachable_components:,} unreachable"
    both = f"{counted.entry_exits:,} both"
    ends = f"{count(counted.entries, 'entry', 'entries')}, {count(counted.exits, 'exit')}, {both}"
    calls = f"{count(counted.calls, 'call')}, {count(counted.returns, 'return')}"
    return [
        ("components", f"{counted.components:,} ({recursive}, {unreachable})"),
        ("nodes", f"{counted.nodes:,} ({ends}; at most {count(counted.most_exits, 'exit')} each)"),
        ("edges", f"{counted.edges:,}"),
        ("boxes", f"{counted.boxes:,} ({calls})"),
        ("labels", f"{counted.labels:,}"),
        ("dead ends", _dead_ends(counted)),
    ]


def _dead_ends(counted: Statistics) -> str:
    kinds = (
        (counted.dead_plain, "plain"),
        (counted.dead_return, "return node"),
        (counted.dead_missing, "exit without return node"),
        (counted.dead_call, "call of an entry-exit node"),
    )
    found = ", ".join(f"{count:,} {kind}" for count, kind in kinds if count)
    return f"{counted.dead_ends:,} ({found})" if found else "none"


def count(number: int, one: str, many: str | None = None) -> str:
    """A number with a word in singular or plural."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
