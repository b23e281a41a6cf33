"""Sends verdicts where they belong: as text line by line, or all at once."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Protocol

from pigro.cli.bug_report import report_rejection
from pigro.cli.checking import Outcome, check_formulas
from pigro.cli.destination import write_output, write_stdout
from pigro.cli.failures import report_failure, show, warn
from pigro.cli.progress import Progress
from pigro.logic.operators import Fragment
from pigro.render import Report, TextStyle, render_json, render_text
from pigro.render.json import shown_result
from pigro.render.room import Room
from pigro.render.text import MANY, model_text, shown_verdict, summary_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.cli.exits import Exit
    from pigro.cli.inputs import Question
    from pigro.engines import Verdict
    from pigro.evidence import Evidence
    from pigro.render.drawing import RunDrawing
    from pigro.render.html import Page


class Sink(Protocol):
    """Takes the verdicts of a run."""

    @property
    def on_terminal(self) -> bool:
        """Whether verdicts appear between the progress lines."""

    def begin(self, question: Question) -> None:
        """Before the first check."""

    def take(self, number: int, verdict: Verdict, evidence: Evidence | None, room: Room) -> None:
        """Each verdict, as it is found."""

    def finish(self, outcome: Outcome[Verdict], missing: Sequence[str]) -> None:
        """After the last check, or when the run was stopped. `missing` says what is left out."""


@dataclass(frozen=True, slots=True)
class StreamedText:
    """Text on standard output, each verdict as soon as it is there."""

    style: TextStyle

    @property
    def on_terminal(self) -> bool:
        """Only a terminal has a width."""
        return self.style.width is not None

    def begin(self, question: Question) -> None:
        """Describes the model if asked to."""
        if self.style.statistics:
            write_stdout(model_text(question.model, question.load_seconds) + "\n")

    def take(self, number: int, verdict: Verdict, evidence: Evidence | None, room: Room) -> None:
        """Writes the verdict."""
        write_stdout(shown_verdict(number, verdict, evidence, self.style, room))

    def finish(self, outcome: Outcome[Verdict], missing: Sequence[str]) -> None:  # noqa: ARG002
        """Sums up."""
        if outcome.asked > 1:
            write_stdout("\n" + summary_text(outcome.verdicts))


@dataclass(slots=True)
class WholeReport:
    """One document, written when all is known."""

    form: str
    output: str | None
    style: TextStyle
    on_terminal: bool = False
    report: Report = field(init=False)
    texts: list[str] = field(default_factory=list)

    def begin(self, question: Question) -> None:
        """Remembers what the report is about."""
        bundle = None
        if self.form == "json" and self.style.witness != "none":
            from pigro.evidence.bundle import Bundle

            bundle = Bundle(question.model)
        self.report = Report(
            model=question.model,
            verdicts=(),
            warnings=question.warnings,
            load_seconds=question.load_seconds,
            statistics=self.style.statistics,
            bundle=bundle,
        )

    def take(self, number: int, verdict: Verdict, evidence: Evidence | None, room: Room) -> None:
        """Words the verdict now: at the end there may be no time for its evidence."""
        if self.form == "json":
            shown = None if self.style.witness == "none" else evidence
            self.texts.append(shown_result(number, verdict, shown, self.report, room))
        else:
            self.texts.append(shown_verdict(number, verdict, evidence, self.style, room))

    def finish(self, outcome: Outcome[Verdict], missing: Sequence[str]) -> None:
        """Writes everything."""
        report = replace(
            self.report,
            verdicts=tuple(outcome.verdicts),
            warnings=(*self.report.warnings, *missing),
            texts=tuple(self.texts),
        )
        is_json = self.form == "json"
        write_output(
            self.output, render_json(report) if is_json else render_text(report, self.style)
        )


def answer(question: Question, sink: Sink) -> Exit:
    """Checks everything, tells the sink, and says how it ended."""
    for warning in question.warnings:
        warn(warning)
    progress = Progress(len(question.formulas), sys.stderr)
    budget = question.budget.watched_by(progress.tick)
    outcome: Outcome[Verdict] = Outcome(len(question.formulas))
    room = Room(question.budget.poll)
    files = _Files(question, room)
    taken = count()

    def take(verdict: Verdict) -> None:
        number = next(taken)
        evidence = None
        if question.shows and _can_be_shown(verdict):
            evidence = room.make(number, lambda: verdict.evidence_within(budget.poll))
            if evidence is None:
                room.without.add(number)
        if sink.on_terminal:
            progress.clear()
        sink.take(number, verdict, evidence, room)
        files.take(number, verdict, evidence)
        progress.advance()
        room.let_through()

    sink.begin(question)
    try:
        check_formulas(question, outcome, take, budget)
    finally:
        progress.clear()
    if isinstance(outcome.stopped_by, KeyboardInterrupt):
        room.close()
    told = (*outcome.unproved, room.warning, outcome.warning)
    missing = [each for each in told if each is not None]
    sink.finish(outcome, missing)
    files.write(outcome)
    for each in missing:
        warn(each)
    if outcome.is_fault and outcome.stopped_by is not None:
        report_failure(outcome.stopped_by)
        report_rejection(outcome.stopped_by)
    return outcome.exit


def _can_be_shown(verdict: Verdict) -> bool:
    return verdict.holds is not None and verdict.formula.fragment is not Fragment.MU


class _Files:
    """Certificates, report and drawing, if they are wanted."""

    def __init__(self, question: Question, room: Room) -> None:
        self._question = question
        self._page: Page | None = None
        self._drawing: RunDrawing | None = None
        if question.html is not None:
            from pigro.render.html import Page

            self._page = Page(question.model, room)
        if question.draw is not None:
            from pigro.render.drawing import RunDrawing

            self._drawing = RunDrawing(question.draw, room)

    def take(self, number: int, verdict: Verdict, evidence: Evidence | None) -> None:
        for each in (self._page, self._drawing):
            if each is not None:
                each.take(number, verdict, evidence)

    def write(self, outcome: Outcome[Verdict]) -> None:
        if self._question.certificate is not None and outcome.proofs is not None:
            write_output(self._question.certificate, outcome.proofs.to_bytes())
        if self._page is not None:
            write_output(self._question.html, self._page.to_bytes())
        if self._drawing is not None:
            if self._drawing.content is not None:
                write_output(self._question.draw, self._drawing.content)
            else:
                show(f"note: {self._drawing.why_none}")


def on_terminal() -> bool:
    """Whether a person looks at standard output."""
    return sys.stdout is not None and sys.stdout.isatty()


def choose_sink(form: str, output: str | None, question: Question, *, statistics: bool) -> Sink:
    """Text streams to standard output; JSON and files are written whole."""
    style = TextStyle(
        compact=len(question.formulas) > MANY,
        statistics=statistics,
        starts=bool(question.starts),
        witness=question.witness,
    )
    if form == "json" or output is not None:
        return WholeReport(form, output, style)
    if on_terminal():
        width = shutil.get_terminal_size().columns
        style = replace(style, colour=colour_wanted(), width=width)
    return StreamedText(style)


def colour_wanted() -> bool:
    """Whether a terminal is to show colours."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
