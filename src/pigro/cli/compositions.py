"""Asks about a composition formula by formula, and sends verdicts where they belong."""

from __future__ import annotations

import shutil
import sys
import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pigro.cli.checking import Outcome, gather
from pigro.cli.destination import write_output, write_stdout
from pigro.cli.failures import report_failure, warn
from pigro.cli.progress import Progress
from pigro.cli.results import colour_wanted, on_terminal
from pigro.engines.game import compose_check
from pigro.engines.labels import UnknownLabelWarning
from pigro.engines.proving import decide_first
from pigro.engines.single_steps import SingleStepWarning
from pigro.render.composition import (
    CompositionReport,
    composition_summary,
    composition_text,
    render_composition,
    shown_composition_verdict,
)
from pigro.render.composition_json import render_composition_json, shown_composition_result
from pigro.render.room import Room
from pigro.render.text import MANY, TextStyle
from pigro.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.cli.composing import Question
    from pigro.cli.exits import Exit
    from pigro.limits import Budget


@dataclass(frozen=True, slots=True)
class Style:
    """What to write, and where."""

    form: str
    output: str | None
    statistics: bool = False
    trace: bool = False

    @property
    def streams(self) -> bool:
        """Text streams to standard output; JSON and files are written whole."""
        return self.form == "text" and self.output is None


def answer(question: Question, style: Style) -> Exit:
    """Checks everything, writes the results, and says how it ended."""
    for warning in question.warnings:
        warn(warning)
    progress = Progress(len(question.formulas), sys.stderr)
    telling = _Telling(question, style, progress)
    outcome = Outcome[Verdict](len(question.formulas))
    budget = question.budget.watched_by(progress.tick)
    try:
        gather(outcome, lambda each: _check(question, each, budget), telling.take)
    finally:
        progress.clear()
    if isinstance(outcome.stopped_by, KeyboardInterrupt):
        telling.room.close()
    missing = [each for each in (telling.room.warning, outcome.warning) if each is not None]
    telling.finish(outcome, missing)
    for each in missing:
        warn(each)
    if outcome.is_fault and outcome.stopped_by is not None:
        report_failure(outcome.stopped_by)
    return outcome.exit


class _Telling:
    """Words verdicts as they come: at the end there may be no time for their evidence."""

    def __init__(self, question: Question, style: Style, progress: Progress) -> None:
        self.room = Room(question.budget.poll)
        self._style, self._progress = style, progress
        self._report = CompositionReport(
            question.composition,
            question.states,
            question.dead_ends,
            warnings=question.warnings,
            load_seconds=question.load_seconds,
            statistics=style.statistics,
            trace=style.trace,
            witness=question.witness,
            reordered=question.reordered,
        )
        is_short = not (style.statistics or style.trace or question.witness)
        self._text = _text_style(style, compact=is_short and len(question.formulas) > MANY)
        self._texts: list[str] = []
        if style.streams and style.statistics:
            write_stdout(composition_text(self._report) + "\n")

    def take(self, verdict: Verdict) -> None:
        """Each verdict, as it is found."""
        number = len(self._texts)
        if self._report.witness and verdict.holds is not None and verdict.evidence is None:
            self.room.without.add(number)
        if self._style.form == "json":
            text = shown_composition_result(number, verdict, self._report, self.room)
        else:
            text = shown_composition_verdict(number, verdict, self._report, self._text, self.room)
        if self._style.streams:
            if self._text.width is not None:
                self._progress.clear()
            write_stdout(text)
        self._texts.append("" if self._style.streams else text)
        self._progress.advance()
        self.room.let_through()

    def finish(self, outcome: Outcome[Verdict], missing: list[str]) -> None:
        """After the last check, or when the run was stopped. `missing` says what is left out."""
        if self._style.streams:
            if outcome.asked > 1:
                write_stdout("\n" + composition_summary(outcome.verdicts))
            return
        whole = replace(
            self._report,
            verdicts=tuple(outcome.verdicts),
            warnings=(*self._report.warnings, *missing),
            texts=tuple(self._texts),
        )
        if self._style.form == "json":
            data = render_composition_json(whole)
        else:
            data = render_composition(whole, self._text)
        write_output(self._style.output, data)


def _check(question: Question, take: Callable[[Verdict], None], budget: Budget) -> None:
    """Where limits are given, everything is decided before the first strategy is looked for."""
    if not question.witness or not budget.is_limited:
        _ask(question, budget, take, witness=question.witness)
        return

    def show(decided: list[Verdict], give: Callable[[Verdict], None]) -> None:
        for verdict in decided:
            evidence = None
            if verdict.holds is not None:
                one = replace(question, formulas=(verdict.formula,))
                shown: list[Verdict] = []
                _ask(one, budget, shown.append, witness=True)
                evidence = shown[0].evidence
            give(replace(verdict, evidence=evidence))

    decide_first(lambda found: _ask(question, budget, found, witness=False), show, take)


def _ask(
    question: Question,
    budget: Budget,
    take: Callable[[Verdict], None],
    *,
    witness: bool,
) -> None:
    for formula in question.formulas:
        with warnings.catch_warnings():
            for told_for_all_at_once in (UnknownLabelWarning, SingleStepWarning):
                warnings.simplefilter("ignore", told_for_all_at_once)
            verdict = compose_check(
                question.composition,
                formula,
                method=question.method,
                dead_ends=question.dead_ends,
                budget=budget,
                witness=witness,
            )
        take(verdict)


def _text_style(style: Style, *, compact: bool) -> TextStyle:
    text = TextStyle(compact=compact, statistics=style.statistics)
    if not style.streams or not on_terminal():
        return text
    return replace(text, colour=colour_wanted(), width=shutil.get_terminal_size().columns)
