"""What an engine is, and how a run of it is bounded and watched."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, Self, cast

from pigro.diagnostics import CheckError
from pigro.engines.table import ModelClass, capabilities, logic_of
from pigro.limits import Budget, no_poll

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pigro.limits import Poll
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.model.space import Model
    from pigro.verdict import Verdict


class Engine(Protocol):
    """A decision procedure: a subject and formulas in, verdicts out."""

    @property
    def name(self) -> str:
        """As on the command line."""

    def check_all(
        self,
        subject: Any,
        formulas: Sequence[Formula],
        /,
        *,
        jobs: int = 1,
        budget: Budget | None = None,
        on_verdict: Callable[[Verdict], None] | None = None,
    ) -> list[Verdict]:
        """The verdicts in the order of the formulas, the same for any number of jobs.

        `on_verdict` gets each verdict when it is there, in order. The budget's tick may raise to
        stop. Finished verdicts have then been given to `on_verdict`. Without a budget there are no
        limits but that of the machine's memory.
        """

    def __call__(self, subject: Any, formula: Formula, /) -> Verdict:
        """The verdict on one formula, without limits."""

    def with_options(self, **options: Any) -> Engine:
        """The engine, set up so. Its row in the table has the options that it takes."""


class CheckJob:
    """Formulas to check within a budget. It takes their verdicts, each when it is there."""

    __slots__ = ("_on_verdict", "budget", "formulas", "jobs", "verdicts")

    def __init__(
        self,
        formulas: Sequence[Formula],
        jobs: int = 1,
        budget: Budget | None = None,
        on_verdict: Callable[[Verdict], None] | None = None,
    ) -> None:
        self.formulas, self.jobs, self.budget = formulas, jobs, budget or Budget()
        self.verdicts: list[Verdict] = []
        """Those that were delivered."""
        self._on_verdict = on_verdict

    def deliver(self, verdict: Verdict) -> None:
        """Takes the next verdict."""
        self.verdicts.append(verdict)
        if self._on_verdict is not None:
            self._on_verdict(verdict)


class JobEngine:
    """An engine that does jobs, and so can be called with one formula or with several."""

    __slots__ = ()

    def run(self, subject: Any, job: CheckJob) -> None:
        """Delivers the verdicts on the formulas of the job, in order."""
        raise NotImplementedError

    def check_all(
        self,
        subject: Any,
        formulas: Sequence[Formula],
        /,
        *,
        jobs: int = 1,
        budget: Budget | None = None,
        on_verdict: Callable[[Verdict], None] | None = None,
    ) -> list[Verdict]:
        """See `Engine.check_all`."""
        job = CheckJob(formulas, jobs, budget, on_verdict)
        self.run(subject, job)
        return job.verdicts

    def __call__(self, subject: Any, formula: Formula, /) -> Verdict:
        """The verdict on one formula, without limits."""
        return self.check_all(subject, [formula])[0]

    def with_options(self, **options: Any) -> Self:
        """The engine, set up so. Its options are fields of its own."""
        return replace(self, **options)  # type: ignore[type-var]


class RestrictedEngine(Protocol):
    """An engine for some models only: its shape in the table is not `ANY`."""

    @property
    def name(self) -> str:
        """As on the command line."""

    def fits(self, model: Any) -> str | None:
        """Why the engine can't check the model. None if it can."""


def as_taken(engine: Engine, model: Model, formulas: Sequence[Formula], poll: Poll) -> Model:
    """The model as an engine takes it for these formulas, with the labels that they speak of.

    Where states are computed on demand, they are listed unless the engine does without a list for
    all of the formulas.
    """
    return model if takes_computed(engine, formulas) else as_listed(model, formulas, poll)


def as_listed(model: Model, formulas: Iterable[Formula], poll: Poll) -> RSM:
    """The model with a list of its states, and with the labels that formulas speak of."""
    if model.is_listed:
        return model
    return model.listed(poll).about(atom for each in formulas for atom in each.atoms)


def takes_computed(engine: Engine, formulas: Sequence[Formula]) -> bool:
    """Whether an engine checks these formulas on states that are computed on demand."""
    logics = capabilities(engine).computed
    return all(logic_of(formula) in logics for formula in formulas)


def misfit_reason(engine: Engine, model: Model, poll: Poll = no_poll) -> str | None:
    """Why an engine can't check a model. None if it can. It may list states to find that out."""
    able = capabilities(engine)
    if able.shape is ModelClass.ANY:
        return None
    return cast("RestrictedEngine", engine).fits(model if able.computed else model.listed(poll))


def require_fit(engine: Engine, model: Model, poll: Poll = no_poll) -> None:
    """CheckError P404 if the engine can't check the model."""
    reason = misfit_reason(engine, model, poll)
    if reason is not None:
        message = f"engine {engine.name} does not fit the model: {reason}"
        raise CheckError("P404", message, hint=capabilities(engine).hint)
