"""Which engine is fastest on these questions? Engines by turns, for `pigro bench`.

All engines get the same subject and the same formulas, in this process. They take turns, so that a
machine that is busy for a while is so for all of them. The first turn warms up and does not count.
An engine that needs more than some seconds is run once, and that counts.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from pigro.diagnostics import PigroError
from pigro.engines.engine import require_fit
from pigro.engines.table import choose_engine, names_for, require_logic
from pigro.limits import Budget, Limits
from pigro.model.kinds import SubjectKind
from pigro.session.asking import ask
from pigro.session.prepare import ROWS, how_given, require_engine_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pigro.engines import Engine
    from pigro.session.request import CheckQuestion

PATIENCE = 5.0
"""Seconds for all formulas. An engine that takes longer is run once."""


class MeasuredRun(NamedTuple):
    """One check of one formula by one engine."""

    formula: str
    engine: str
    repetition: int
    """0 for the warm-up, unless there is no other run."""
    outcome: str
    """`holds`, `fails` or `unknown`."""
    seconds: float
    contexts: int | None


class FormulaRuns(NamedTuple):
    """The runs of one formula by one engine."""

    formula: str
    engine: str
    outcome: str
    seconds: tuple[float, ...]
    """Of the runs that count."""
    contexts: int | None

    @property
    def median(self) -> float:
        """The time to compare."""
        return median(self.seconds)


def engines_for(question: CheckQuestion, names: Sequence[str]) -> tuple[list[Engine], list[str]]:
    """The engines to measure, and why others are left out.

    Without names, these are all that take the subject and every formula. An engine that is named
    and does not take them is an error.
    """
    kind = question.subject.kind
    given = how_given(question.request)
    if names:
        if kind is SubjectKind.MODEL:
            for name in names:
                require_engine_for(given, name)
        named = [choose_engine(name, kind) for name in names]
        for engine in named:
            _require(engine, question)
        return named, []
    found: list[Engine] = []
    left_out: dict[str, list[str]] = {}
    only = ROWS[given].engine if kind is SubjectKind.MODEL else None
    for name in names_for(kind):
        if name == "auto" or name != (only or name):
            continue
        engine = choose_engine(name, kind)
        try:
            _require(engine, question)
        except PigroError as error:
            left_out.setdefault(error.message.rpartition("the model: ")[2], []).append(name)
        else:
            found.append(engine)
    return found, [f"{', '.join(names)}: {why}" for why, names in left_out.items()]


def _require(engine: Engine, question: CheckQuestion) -> None:
    """Raises the error of a check that the engine can't make."""
    for formula in question.formulas:
        require_logic(engine, formula)
    if question.subject.kind is SubjectKind.MODEL:
        require_fit(engine, question.model, question.budget.poll)


def turns_for(repeat: int) -> int:
    """How often each engine gets its turn, with that which warms up."""
    return repeat + 1 if repeat > 1 else 1


def measure(
    question: CheckQuestion,
    engines: Sequence[Engine],
    repeat: int,
    limits: Limits,
    tick: Callable[[], None] | None = None,
) -> Iterator[MeasuredRun]:
    """All runs, as they come. Raises what ends a run before its time."""
    question = replace(question, request=replace(question.request, vacuity=False))
    slow: set[str] = set()
    for repetition in range(turns_for(repeat)):
        for engine in engines:
            if engine.name in slow:
                continue
            budget = Budget(limits, tick)
            outcome = ask(replace(question, engine=engine, budget=budget))
            if outcome.stopped_by is not None:
                raise outcome.stopped_by
            if sum(each.seconds for each in outcome.verdicts) > PATIENCE:
                slow.add(engine.name)
            for each in outcome.verdicts:
                text, stats = str(each.formula), each.stats
                yield MeasuredRun(
                    text, engine.name, repetition, each.outcome, stats.seconds, stats.contexts
                )


def cells(runs: Iterable[MeasuredRun]) -> list[FormulaRuns]:
    """The runs by formula and engine, in the order of the first runs of each formula."""
    found: dict[tuple[str, str], list[MeasuredRun]] = {}
    for run in runs:
        found.setdefault((run.formula, run.engine), []).append(run)
    places = {formula: at for at, formula in enumerate(dict.fromkeys(pair[0] for pair in found))}
    ordered = sorted(found.values(), key=lambda each: places[each[0].formula])
    return [
        FormulaRuns(
            each[0].formula,
            each[0].engine,
            each[0].outcome,
            tuple(run.seconds for run in (each[1:] or each)),
            each[0].contexts,
        )
        for each in ordered
    ]


def disagreements(found: Iterable[FormulaRuns]) -> Iterator[str]:
    """The formulas that engines contradict each other on, with their answers."""
    answers: dict[str, dict[str, str]] = {}
    for each in found:
        if each.outcome != "unknown":
            answers.setdefault(each.formula, {})[each.engine] = each.outcome
    for formula, words in answers.items():
        if len(set(words.values())) > 1:
            said = ", ".join(f"{engine} says {word}" for engine, word in words.items())
            yield f"{formula}: {said}"
