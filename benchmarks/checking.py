"""What suites that check formulas on models have in common."""

from __future__ import annotations

import time
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING, Generic, TypeVar

from benchmarks.case import VERDICTS, Measurement
from pigro.engines import ENGINES, with_options
from pigro.limits import Budget
from pigro.logic import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from pigro.engines import Engine, Limits
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.verdict import Verdict

_Thing = TypeVar("_Thing")
_SHORT = 0.01
"""Seconds. What takes less is done some more times, and the median counts."""
_TURNS = range(2, 9)
_FOR_TURNS = 0.005
"""How often, the more the less it takes, and how many seconds to spend on it."""
PAPER = ("eager", "ternary", "random", "lazy")
"""The engines after [Dubslaff2024]."""


class LastValueCache(Generic[_Thing]):
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


def outcome_of(verdict: Verdict, load_seconds: float | None = None) -> Measurement:
    """A verdict, as the outcome of a run."""
    stats = verdict.stats
    return Measurement(
        word=verdict.outcome if verdict.holds is not None else why_none(verdict.remarks.gave_up),
        seconds=stats.seconds,
        load_seconds=load_seconds,
        contexts=stats.contexts,
        visited=stats.visited,
        details={} if stats.states is None else {"states": stats.states},
        problem=verdict.remarks.gave_up,
    )


def why_none(gave_up: str | None) -> str:
    """The word for a check without verdict."""
    return "memout" if gave_up is not None and "memory" in gave_up else "timeout"


def engine_called(runner: str) -> Engine:
    """The engine. After a slash stands the variant of one of the published algorithms."""
    name, _, variant = runner.partition("/")
    return with_options(ENGINES[name], variant=variant) if variant else ENGINES[name]


def checked(
    engine: str,
    model: RSM,
    formula: Formula,
    limits: Limits,
    load_seconds: float | None = None,
    jobs: int = 1,
) -> Measurement:
    """Checks a formula within the limits."""
    run = engine_called(engine)
    (verdict,) = run.check_all(model, [formula], jobs=jobs, budget=Budget(limits))
    outcome = outcome_of(verdict, load_seconds)
    return steady(outcome, lambda: run.check_all(model, [formula], jobs=jobs)[0].stats.seconds)


def steady(outcome: Measurement, again: Callable[[], float]) -> Measurement:
    """The outcome. If it took very short, with the median time of some more turns."""
    if not outcome.decided or outcome.seconds is None or outcome.seconds >= _SHORT:
        return outcome
    turns = [outcome.seconds]
    while len(turns) <= _TURNS.start or (len(turns) <= _TURNS.stop and sum(turns) < _FOR_TURNS):
        turns.append(again())
    return replace(outcome, seconds=median(turns))


def judged(outcome: Measurement, *, holds: bool) -> Measurement:
    """The outcome. An error if it is the wrong verdict."""
    right = VERDICTS[0 if holds else 1]
    if outcome.word not in VERDICTS or outcome.word == right:
        return outcome
    return replace(outcome, word="wrong", problem=f"the formula {right}")


def confirmed(
    engine: str,
    model: RSM,
    formula: str,
    word: str,
    limits: Limits,
    load_seconds: float | None = None,
    jobs: int = 1,
) -> Measurement:
    """Checks a formula whose verdict is known: another one is an error. Tells the model's size."""
    outcome = judged(
        checked(engine, model, parse(formula), limits, load_seconds, jobs), holds=word == "holds"
    )
    return replace(outcome, details=outcome.details | sizes_of(model))


def sizes_of(model: RSM) -> dict[str, str | int | float]:
    """The size of a model, for the record."""
    return {"nodes": model.core.declared_nodes, "components": model.core.components}


def packed(truths: Sequence[bool]) -> str:
    """Truths as hexadecimal digits. The first is the least bit."""
    return f"{sum(1 << place for place, truth in enumerate(truths) if truth):x}"
