"""What a run has to tell: the record that every renderer takes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pigro.render.text import model_text, render_text, shown_verdict, summary_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.engines import Verdict
    from pigro.evidence.bundle import Bundle
    from pigro.model import RSM
    from pigro.render.text import TextStyle
    from pigro.session.request import Outcome, Question
    from pigro.session.room import Room


@dataclass(frozen=True, slots=True)
class Report:
    """A model, the verdicts on it in the order asked, and what a reader must know besides."""

    model: RSM
    verdicts: tuple[Verdict, ...]
    warnings: tuple[str, ...] = ()
    load_seconds: float | None = None
    statistics: bool = False
    """Also tell the model's statistics and the cost of each check."""
    texts: tuple[str, ...] = ()
    """What is told about each verdict, if that was written before; it may have evidence in it."""
    bundle: Bundle | None = None
    """Takes the evidence that is told in JSON, if any is."""


class ModelTelling:
    """Words the verdicts on a model as they come, and then the whole report."""

    def __init__(self, question: Question, style: TextStyle, *, is_json: bool) -> None:
        bundle = None
        if is_json and style.witness != "none":
            from pigro.evidence.bundle import Bundle  # noqa: PLC0415 - few need it

            bundle = Bundle(question.model)
        self._style, self._is_json = style, is_json
        self._report = Report(
            model=question.model,
            verdicts=(),
            warnings=question.warnings,
            load_seconds=question.load_seconds,
            statistics=style.statistics,
            bundle=bundle,
        )

    def head(self) -> str:
        """The model's statistics."""
        return model_text(self._report.model, self._report.load_seconds)

    def told(self, number: int, verdict: Verdict, room: Room) -> str:
        """One verdict, with its evidence as far as there is room for it."""
        evidence = None if self._style.witness == "none" else verdict.tree
        if self._is_json:
            from pigro.render.json import shown_result  # noqa: PLC0415 - few need it

            return shown_result(number, verdict, evidence, self._report, room)
        return shown_verdict(number, verdict, evidence, self._style, room)

    def summary(self, verdicts: Sequence[Verdict]) -> str:
        """How many hold and fail."""
        return summary_text(verdicts)

    def whole(self, outcome: Outcome, texts: list[str]) -> bytes:
        """The whole report."""
        report = replace(
            self._report,
            verdicts=outcome.verdicts,
            warnings=(*self._report.warnings, *outcome.missing),
            texts=tuple(texts),
        )
        if not self._is_json:
            return render_text(report, self._style)
        from pigro.render.json import render_json  # noqa: PLC0415 - few need it

        return render_json(report)
