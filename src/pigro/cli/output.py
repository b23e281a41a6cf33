"""Sends verdicts where they belong: as text line by line, or all at once; and files besides."""

from __future__ import annotations

import os
import os.path
import shutil
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from pigro.cli.destination import STDOUT, check_destination, write_output, write_stdout
from pigro.cli.failures import Exit, exit_of, report_failure, show, warn
from pigro.cli.progress import Progress, loading
from pigro.diagnostics import Problems, UsageError, printable
from pigro.render.text import TextStyle
from pigro.session.asking import ask
from pigro.session.reading import prepare
from pigro.session.request import MANY
from pigro.session.room import Room

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.render.drawing import RunDrawing
    from pigro.render.html import Page
    from pigro.session.request import Outcome, Question, Request
    from pigro.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to write, and where."""

    form: str = "text"
    output: str | None = None
    statistics: bool = False
    witness: bool | None = None
    """Whether to show evidence; None: in short, where a person looks at a few results."""
    certificate: str | None = None
    html: str | None = None
    draw: str | None = None

    @property
    def streams(self) -> bool:
        """Text streams to standard output; JSON and files are written whole."""
        return self.form == "text" and self.output is None

    @property
    def evidence(self) -> str:
        """Which evidence a session is to make."""
        if self.witness or self.html is not None or self.draw is not None:
            return "full"
        return "few" if self.witness is None and self.streams and on_terminal() else "none"

    def shown(self, formulas: int) -> str:
        """How much of the evidence to show: `none`, `short` or `full`."""
        if self.witness is not None:
            return "full" if self.witness else "none"
        looking = self.streams and on_terminal() and formulas <= MANY
        return "short" if looking else "none"


def run(request: Request, wanted: Wanted) -> Exit:
    """Checks what is asked, writes what is wanted, and says how it ended."""
    problems = Problems()
    _check_places(request, wanted, problems)
    question = prepare(request, problems=problems, watch=loading)
    if not question.is_model and (wanted.html or wanted.draw):
        option = "--html" if wanted.html else "--draw"
        raise UsageError("P006", f"{option} is for models, not for compositions")
    return _answer(question, wanted)


def _answer(question: Question, wanted: Wanted) -> Exit:
    for warning in question.warnings:
        warn(warning)
    progress = Progress(len(question.formulas), sys.stderr)
    room = Room(question.budget.poll)
    files = _Files(question, wanted, room)
    style = _style(question, wanted)
    telling = _telling(question, wanted, style)
    texts: list[str] = []

    def take(number: int, verdict: Verdict) -> None:
        if style.width is not None:
            progress.clear()
        text = telling.told(number, verdict, room)
        if wanted.streams:
            write_stdout(text)
        else:
            texts.append(text)
        files.take(number, verdict)
        progress.advance()

    if wanted.streams and wanted.statistics:
        write_stdout(telling.head() + "\n")
    try:
        outcome = ask(question, take, room=room, tick=progress.tick)
    finally:
        progress.clear()
    if not wanted.streams:
        write_output(wanted.output, telling.whole(outcome, texts))
    elif len(question.formulas) > 1:
        write_stdout("\n" + telling.summary(outcome.verdicts))
    files.write(outcome)
    for each in outcome.missing:
        warn(each)
    if outcome.is_fault and outcome.stopped_by is not None:
        _report_fault(outcome.stopped_by)
    return exit_of(outcome)


def _report_fault(fault: BaseException) -> None:
    from pigro.session.bug_report import report_rejection

    report_failure(fault)
    report = report_rejection(fault)
    if report is not None:
        show(f"  all about it is in {printable(str(report))}; please send this file")


class _Telling(Protocol):
    """Words verdicts as they come: at the end there may be no time for their evidence."""

    def head(self) -> str:
        """What is checked."""

    def told(self, number: int, verdict: Verdict, room: Room) -> str:
        """One verdict."""

    def summary(self, verdicts: Sequence[Verdict]) -> str:
        """How many hold and fail."""

    def whole(self, outcome: Outcome, texts: list[str]) -> bytes:
        """All of it, with the texts of the verdicts."""


def _telling(question: Question, wanted: Wanted, style: TextStyle) -> _Telling:
    if question.is_model:
        from pigro.render.report import ModelTelling

        return ModelTelling(question, style, is_json=wanted.form == "json")
    from pigro.render.composition import PartsTelling

    return PartsTelling(question, style, is_json=wanted.form == "json")


def _style(question: Question, wanted: Wanted) -> TextStyle:
    witness = wanted.shown(len(question.formulas))
    is_long = not question.is_model and (
        wanted.statistics or question.request.trace or question.shows
    )
    style = TextStyle(
        compact=len(question.formulas) > MANY and not is_long,
        statistics=wanted.statistics,
        starts=bool(question.starts),
        witness=witness,
    )
    if not wanted.streams or not on_terminal():
        return style
    return replace(style, colour=colour_wanted(), width=shutil.get_terminal_size().columns)


class _Files:
    """Certificates, report and drawing, if they are wanted."""

    def __init__(self, question: Question, wanted: Wanted, room: Room) -> None:
        self._wanted = wanted
        self._page: Page | None = None
        self._drawing: RunDrawing | None = None
        if wanted.html is not None:
            from pigro.render.html import Page

            self._page = Page(question.model, room)
        if wanted.draw is not None:
            from pigro.render.drawing import RunDrawing

            self._drawing = RunDrawing(wanted.draw, room)

    def take(self, number: int, verdict: Verdict) -> None:
        for each in (self._page, self._drawing):
            if each is not None:
                each.take(number, verdict, verdict.tree)

    def write(self, outcome: Outcome) -> None:
        if self._wanted.certificate is not None and outcome.certificates is not None:
            write_output(self._wanted.certificate, outcome.certificates)
        if self._page is not None:
            write_output(self._wanted.html, self._page.to_bytes())
        if self._drawing is not None:
            if self._drawing.content is not None:
                write_output(self._wanted.draw, self._drawing.content)
            else:
                show(f"note: {self._drawing.why_none}")


def _check_places(request: Request, wanted: Wanted, problems: Problems) -> None:
    """That what a run reads and writes can be read and written."""
    inputs = (*request.subject, *request.files)
    with problems.collecting():
        if inputs.count("-") > 1:
            raise UsageError("P001", "standard input (-) can be read only once")
    problems.raise_if_any()
    if request.composes:
        inputs += tuple(each.rpartition(":")[0] or each for each in request.subject)
    with problems.collecting():
        check_destination(STDOUT[0] if wanted.output is None else wanted.output, inputs)
    with problems.collecting():
        check_destination(wanted.certificate, inputs)
        _check_apart(wanted)
    with problems.collecting():
        check_destination(wanted.html, inputs)
    with problems.collecting():
        check_destination(wanted.draw, inputs)
        if wanted.draw is not None:
            check_drawing(wanted.draw)


def check_drawing(path: str) -> None:
    """`UsageError` if nothing can be drawn into this file."""
    from pigro.render.drawing import draw_svg, drawing_format  # few need it

    if drawing_format(path) is draw_svg:
        from pigro.formats import svg

        svg.need_graphviz()


def _check_apart(wanted: Wanted) -> None:
    """What a run writes must not end up in the same place."""
    outputs = {
        "results": wanted.output or STDOUT[0],
        "certificates": wanted.certificate,
        "report": wanted.html,
        "drawing": wanted.draw,
    }
    taken: dict[str, str] = {}
    for what, path in outputs.items():
        if path is None:
            continue
        place = STDOUT[0] if path in STDOUT else os.path.realpath(path)
        if place in taken:
            where = "to standard output" if place == STDOUT[0] else "into the same file"
            message = f"{taken[place]} and {what} can't both go {where}"
            raise UsageError("P003", message, hint="give each a file of its own")
        taken[place] = what


def on_terminal() -> bool:
    """Whether a person looks at standard output."""
    return sys.stdout is not None and sys.stdout.isatty()


def colour_wanted() -> bool:
    """Whether a terminal is to show colours."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
