"""Asks about a composition formula by formula, and sends verdicts where they belong."""

from __future__ import annotations

import shutil
import sys
import time
import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pigro.cli.checking import Outcome, gather
from pigro.cli.destination import write_output, write_stdout
from pigro.cli.failures import report_failure, warn
from pigro.cli.progress import Progress
from pigro.cli.results import colour_wanted, on_terminal
from pigro.engines.game import CompositionVerdict, compose_check
from pigro.engines.labels import UnknownLabelWarning
from pigro.engines.single_steps import SingleStepWarning
from pigro.render.composition import (
    CompositionReport,
    composition_summary,
    composition_text,
    composition_verdict_text,
    render_composition,
)
from pigro.render.composition_json import render_composition_json
from pigro.render.text import MANY, TextStyle

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.cli.composing import Question
    from pigro.cli.exits import Exit


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
    report = CompositionReport(
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
    text = _text_style(style, compact=is_short and len(question.formulas) > MANY)
    progress = Progress(len(question.formulas), sys.stderr)

    def take(verdict: CompositionVerdict) -> None:
        if style.streams:
            if text.width is not None:
                progress.clear()
            write_stdout(composition_verdict_text(verdict, report, text))
        progress.advance()

    if style.streams and style.statistics:
        write_stdout(composition_text(report) + "\n")
    outcome = Outcome[CompositionVerdict](len(question.formulas))
    try:
        gather(outcome, lambda each: _check(question, each, progress.tick), take)
    finally:
        progress.clear()
    _finish(outcome, report, style, text)
    for told in _missing(outcome, report):
        warn(told)
    if outcome.stopped_by is not None and not isinstance(outcome.stopped_by, KeyboardInterrupt):
        report_failure(outcome.stopped_by)
    return outcome.exit


def _check(
    question: Question, take: Callable[[CompositionVerdict], None], tick: Callable[[], None]
) -> None:
    began = time.perf_counter()
    for formula in question.formulas:
        with warnings.catch_warnings():
            for told_for_all_at_once in (UnknownLabelWarning, SingleStepWarning):
                warnings.simplefilter("ignore", told_for_all_at_once)
            verdict = compose_check(
                question.composition,
                formula,
                method=question.method,
                dead_ends=question.dead_ends,
                limits=question.limits.after(time.perf_counter() - began),
                tick=tick,
                witness=question.witness,
            )
        take(verdict)


def _finish(
    outcome: Outcome[CompositionVerdict],
    report: CompositionReport,
    style: Style,
    text: TextStyle,
) -> None:
    if style.streams:
        if outcome.asked > 1:
            write_stdout("\n" + composition_summary(outcome.verdicts))
        return
    missing = _missing(outcome, report)
    whole = replace(report, verdicts=tuple(outcome.verdicts), warnings=(*report.warnings, *missing))
    is_json = style.form == "json"
    data = render_composition_json(whole) if is_json else render_composition(whole, text)
    write_output(style.output, data)


def _missing(outcome: Outcome[CompositionVerdict], report: CompositionReport) -> list[str]:
    """What a reader of the results must know: that some are missing, or their evidence."""
    decided = [each for each in outcome.verdicts if each.holds is not None and report.witness]
    bare = sum(each.evidence is None for each in decided)
    why = f"{bare} verdicts have no evidence: to find it took more than the limits"
    return [each for each in (why if bare else None, outcome.warning) if each is not None]


def _text_style(style: Style, *, compact: bool) -> TextStyle:
    text = TextStyle(compact=compact, statistics=style.statistics)
    if not style.streams or not on_terminal():
        return text
    return replace(text, colour=colour_wanted(), width=shutil.get_terminal_size().columns)
