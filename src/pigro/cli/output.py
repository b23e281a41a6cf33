"""Sends verdicts where they belong: as text line by line, or all at once, and files besides."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from msgspec import field
from msgspec.structs import replace

from pigro.cli.destination import (
    check_places,
    colour_wanted,
    on_terminal,
    write_output,
    write_stdout,
)
from pigro.cli.failures import ExitCode, exit_of, report_failure, show, warn
from pigro.cli.progress import Progress, loading
from pigro.diagnostics import printable
from pigro.forms import FORMS
from pigro.model.kinds import SubjectKind
from pigro.records import Record
from pigro.render.text import CheckReport, TextStyle, summary_text
from pigro.session.asking import EvidenceRoom, ask
from pigro.session.prepare import prepare
from pigro.session.request import MANY

if TYPE_CHECKING:
    from pigro.render.drawing import RunDrawing
    from pigro.render.html import ReportPage
    from pigro.session.request import CheckOutcome, CheckQuestion, Request
    from pigro.verdict import Verdict


class OutputOptions(Record, frozen=True):
    """What to write, and where."""

    form: str = "text"
    output: str | None = None
    statistics: bool = False
    witness: bool | None = None
    """Whether to show evidence. None: in short, where a person looks at a few results."""
    certificate: str | None = None
    html: str | None = None
    draw: str | None = None
    assumption: str | None = None
    """A file for the abstract parts of refinement."""

    @property
    def streams(self) -> bool:
        """Text streams to standard output. JSON and files are written whole."""
        return self.form == "text" and self.output is None

    @property
    def is_seen(self) -> bool:
        """Whether a person looks at the results as they come."""
        return self.streams and on_terminal()

    @property
    def evidence(self) -> str:
        """Which evidence a session is to make."""
        full = self.witness or self.html is not None or self.draw is not None or self._has_runs
        few = self.is_seen and self.witness is None
        return "full" if full else "few" if few else "none"

    def shown(self, formulas: int) -> str:
        """How much of the evidence to show: `none`, `short` or `full`."""
        if self.witness is not None:
            return "full" if self.witness else "none"
        is_short = self._has_runs or (self.is_seen and formulas <= MANY)
        return "short" if is_short else "none"

    @property
    def _has_runs(self) -> bool:
        """Whether the form has runs without being asked for."""
        return FORMS[self.form].has_runs and self.witness is None


def run(request: Request, wanted: OutputOptions) -> ExitCode:
    """Checks the formulas, writes the results, and returns the exit code."""
    request = replace(request, witness=wanted.evidence)
    problems = check_places(request, wanted)
    with loading() as tick:
        question = prepare(request, problems=problems, tick=tick)
    for notice in question.notices:
        warn(notice.text)
    outcome = _answer(question, wanted)
    for each in outcome.missing:
        warn(each)
    if outcome.stopped_by is not None and outcome.is_fault:
        _report_fault(outcome.stopped_by)
    return exit_of(outcome)


def _answer(question: CheckQuestion, wanted: OutputOptions) -> CheckOutcome:
    """Asks the question and writes its answers, those in text as they come."""
    style = _style(question, wanted)
    progress = Progress(len(question.formulas), sys.stderr)
    question.budget.tick = progress.ticking
    report = CheckReport(question.subject, style, wanted.form, question=question)
    room = EvidenceRoom(question.budget.poll)
    files = _ReportFiles(question, wanted, room) if wanted.html or wanted.draw else None
    taker = _VerdictWriter(wanted, style, report, room, files, progress)
    if wanted.streams and wanted.statistics:
        write_stdout(report.head() + "\n")
    try:
        outcome = ask(question, taker.take, room=room)
    finally:
        if progress.ticking is not None:
            progress.clear()
    if not wanted.streams:
        write_output(wanted.output, report.render_outcome(outcome, taker.texts))
    elif len(question.formulas) > 1:
        write_stdout("\n" + summary_text(outcome.verdicts))
    if wanted.certificate is not None and outcome.certificates is not None:
        write_output(wanted.certificate, outcome.certificates)
    if files is not None:
        files.write()
    if wanted.assumption is not None:
        _write_assumption(wanted.assumption, outcome)
    return outcome


def _write_assumption(path: str, outcome: CheckOutcome) -> None:
    """The abstract parts that decided, with the formula; a note if there are none."""
    found = [each for each in outcome.verdicts if each.details.assumption is not None]
    if not found:
        show("note: no assumption is written: no verdict, or no time left to make it")
        return
    from pigro.formats.parts import document
    from pigro.formats.registry import Requirement

    (verdict,) = found
    stated = Requirement(str(verdict.formula), verdict.formula)
    write_output(path, document.write(verdict.details.assumption, [stated]))


class _VerdictWriter(Record, frozen=True):
    """Writes verdicts as they come, or keeps their texts until all are there."""

    wanted: OutputOptions
    style: TextStyle
    report: CheckReport
    room: EvidenceRoom
    files: _ReportFiles | None
    progress: Progress
    texts: list[str] = field(default_factory=list)

    def take(self, number: int, verdict: Verdict) -> None:
        if self.style.width is not None:
            self.progress.clear()
        text = self.report.render_verdict(number, verdict, self.room)
        if self.wanted.streams:
            write_stdout(text)
        else:
            self.texts.append(text)
        if self.files is not None:
            self.files.take(number, verdict)
        if self.progress.ticking is not None:
            self.progress.advance()


def _report_fault(fault: BaseException) -> None:
    from pigro.session.bug_report import report_rejection

    report_failure(fault)
    report = report_rejection(fault)
    if report is not None:
        show(f"  all about it is in {printable(str(report))}; please send this file")


def _style(question: CheckQuestion, wanted: OutputOptions) -> TextStyle:
    witness = wanted.shown(len(question.formulas))
    is_long = question.subject.kind is not SubjectKind.MODEL and (
        wanted.statistics or question.request.trace or question.request.witness == "full"
    )
    style = TextStyle(
        compact=len(question.formulas) > MANY and not is_long,
        statistics=wanted.statistics,
        starts=_starts_differ(question),
        witness=witness,
        rounds=question.request.trace,
    )
    if not wanted.is_seen:
        return style
    from shutil import get_terminal_size

    return replace(style, colour=colour_wanted(), width=get_terminal_size().columns)


def _starts_differ(question: CheckQuestion) -> bool:
    """Whether formulas start at nodes that a reader could not guess."""
    if not question.starts:
        return False
    others, model = {start for start in question.starts if start is not None}, question.model
    return not model.is_listed or model.core.components > 1 or others != {model.initial}


class _ReportFiles:
    """Report and drawing."""

    def __init__(self, question: CheckQuestion, wanted: OutputOptions, room: EvidenceRoom) -> None:
        self._wanted = wanted
        self._page: ReportPage | None = None
        self._drawing: RunDrawing | None = None
        if wanted.html is not None:
            from pigro.render.html import ReportPage

            self._page = ReportPage(question.subject, room)
        if wanted.draw is not None:
            from pigro.render.drawing import RunDrawing

            self._drawing = RunDrawing(wanted.draw, room)

    def take(self, number: int, verdict: Verdict) -> None:
        for each in (self._page, self._drawing):
            if each is not None:
                each.take(number, verdict)

    def write(self) -> None:
        if self._page is not None:
            write_output(self._wanted.html, self._page.to_bytes())
        if self._drawing is not None:
            if self._drawing.content is not None:
                write_output(self._wanted.draw, self._drawing.content)
            else:
                show(f"note: {self._drawing.why_none}")
