"""Sends verdicts where they belong: as text line by line, or all at once."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from pigro.cli.bug_report import report_rejection
from pigro.cli.checking import check_formulas
from pigro.cli.destination import write_output, write_stdout
from pigro.cli.failures import report_failure, warn
from pigro.cli.progress import Progress
from pigro.render import Report, TextStyle, render_json, render_text
from pigro.render.text import MANY, model_text, summary_text, verdict_text

if TYPE_CHECKING:
    from pigro.cli.checking import Outcome
    from pigro.cli.exits import Exit
    from pigro.cli.inputs import Question
    from pigro.engines import Verdict


class Sink(Protocol):
    """Takes the verdicts of a run."""

    @property
    def on_terminal(self) -> bool:
        """Whether verdicts appear between the progress lines."""

    def begin(self, question: Question) -> None:
        """Before the first check."""

    def take(self, verdict: Verdict) -> None:
        """Each verdict, as it is found."""

    def finish(self, question: Question, outcome: Outcome[Verdict]) -> None:
        """After the last check, or when the run was stopped."""


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

    def take(self, verdict: Verdict) -> None:
        """Writes the verdict."""
        write_stdout(verdict_text(verdict, self.style))

    def finish(self, question: Question, outcome: Outcome[Verdict]) -> None:  # noqa: ARG002
        """Sums up."""
        if outcome.asked > 1:
            write_stdout("\n" + summary_text(outcome.verdicts))


@dataclass(frozen=True, slots=True)
class WholeReport:
    """One document, written when all is known."""

    form: str
    output: str | None
    style: TextStyle
    on_terminal: bool = False

    def begin(self, question: Question) -> None:
        """Nothing yet."""

    def take(self, verdict: Verdict) -> None:
        """Nothing: the outcome has it."""

    def finish(self, question: Question, outcome: Outcome[Verdict]) -> None:
        """Writes everything."""
        missing = tuple(each for each in (outcome.unproved, outcome.warning) if each is not None)
        report = Report(
            model=question.model,
            verdicts=tuple(outcome.verdicts),
            warnings=(*question.warnings, *missing),
            load_seconds=question.load_seconds,
            statistics=self.style.statistics,
            witness=self.style.witness != "none",
        )
        whole = render_json(report) if self.form == "json" else render_text(report, self.style)
        write_output(self.output, whole)


def answer(question: Question, sink: Sink) -> Exit:
    """Checks everything, tells the sink, and says how it ended."""
    for warning in question.warnings:
        warn(warning)
    progress = Progress(len(question.formulas), sys.stderr)

    def take(verdict: Verdict) -> None:
        if sink.on_terminal:
            progress.clear()
        sink.take(verdict)
        progress.advance()

    sink.begin(question)
    try:
        outcome = check_formulas(question, take, progress.tick)
    finally:
        progress.clear()
    sink.finish(question, outcome)
    if question.certificate is not None and outcome.proofs is not None:
        write_output(question.certificate, outcome.proofs.to_bytes())
    if question.html is not None:
        from pigro.render.html import render_html

        items = [(verdict, verdict.evidence) for verdict in outcome.verdicts]
        write_output(question.html, render_html(question.model, items))
    if question.draw is not None:
        from pigro.cli.drawing import draw_run

        draw_run(question.draw, outcome.verdicts)
    for told in (outcome.unproved, outcome.warning):
        if told is not None:
            warn(told)
    if outcome.stopped_by is not None and not isinstance(outcome.stopped_by, KeyboardInterrupt):
        report_failure(outcome.stopped_by)
        report_rejection(outcome.stopped_by)
    return outcome.exit


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
