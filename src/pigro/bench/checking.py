"""What suites that check formulas on models have in common."""

from __future__ import annotations

import time
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING, Generic, TypeVar

from pigro.bench.case import VERDICTS, Outcome
from pigro.engines import ENGINES
from pigro.logic import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from pigro.engines import Limits
    from pigro.engines.verdict import Verdict
    from pigro.logic import Formula
    from pigro.model import RSM

_Thing = TypeVar("_Thing")
_SHORT = 0.001
_TURNS = 9
"""What takes less than so many seconds is done so often more, and the median counts."""
PAPER = ("eager", "ternary", "random", "lazy")
"""The engines after [Dubslaff2024]."""


class Shelf(Generic[_Thing]):
    """Keeps the last thing that was made: cases that follow each other share their model."""

    def __init__(self) -> None:
        self._key: Hashable = None
        self._thing: _Thing | None = None

    def take(self, key: Hashable, make: Callable[[], _Thing]) -> tuple[_Thing, float | None]:
        """The thing, and how long it took if it was made now."""
        if self._thing is not None and self._key == key:
            return self._thing, None
        self._thing = None  # its memory is free before the next is made
        began = time.perf_counter()
        self._key, self._thing = key, make()
        return self._thing, time.perf_counter() - began


def outcome_of(verdict: Verdict, load_seconds: float | None = None) -> Outcome:
    """A verdict, as the outcome of a run."""
    stats = verdict.stats
    return Outcome(
        word=verdict.word if verdict.holds is not None else why_none(verdict.gave_up),
        seconds=stats.seconds,
        load_seconds=load_seconds,
        contexts=stats.contexts,
        visited=stats.visited,
        problem=verdict.gave_up,
    )


def why_none(gave_up: str | None) -> str:
    """The word for a check without verdict."""
    return "memout" if gave_up is not None and "memory" in gave_up else "timeout"


def checked(
    engine: str, model: RSM, formula: Formula, limits: Limits, load_seconds: float | None = None
) -> Outcome:
    """Checks a formula within the limits."""
    (verdict,) = ENGINES[engine].check_all(model, [formula], limits=limits)
    spent = [verdict.stats.seconds]
    if spent[0] < _SHORT:
        spent += [ENGINES[engine](model, formula).stats.seconds for _ in range(_TURNS)]
    return replace(outcome_of(verdict, load_seconds), seconds=median(spent))


def confirmed(  # noqa: PLR0913 - as `checked`, and the verdict
    engine: str,
    model: RSM,
    formula: str,
    word: str,
    limits: Limits,
    load_seconds: float | None = None,
) -> Outcome:
    """Checks a formula whose verdict is known: another one is an error. Tells the model's size."""
    outcome = checked(engine, model, parse(formula), limits, load_seconds)
    if outcome.word in VERDICTS and outcome.word != word:
        problem = f"the verdict is {outcome.word}, not {word}"
        outcome = replace(outcome, word="error", problem=problem)
    sizes: dict[str, str | int | float] = {
        "nodes": model.core.declared_nodes,
        "components": model.core.components,
    }
    return replace(outcome, details=sizes)
