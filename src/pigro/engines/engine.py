"""What an engine is, and how a run of it is bounded and watched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from pigro.diagnostics import CheckError
from pigro.engines.table import Shape, capabilities
from pigro.logic.modal import modal_form
from pigro.logic.operators import Fragment
from pigro.logic.spin import spin_hint
from pigro.model.mistakes import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro.limits import Budget
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.verdict import Verdict


class Engine(Protocol):
    """A decision procedure: a model and formulas in, verdicts out."""

    @property
    def name(self) -> str:
        """As on the command line."""

    def check_all(
        self,
        model: RSM,
        formulas: Sequence[Formula],
        *,
        jobs: int = 1,
        budget: Budget | None = None,
        on_verdict: Callable[[Verdict], None] | None = None,
    ) -> list[Verdict]:
        """The verdicts in the order of the formulas, the same for any number of jobs.

        `on_verdict` gets each verdict when it is there, in order. The budget's tick may raise to
        stop; what was decided has then been given to `on_verdict`. Without a budget there are no
        limits but that of the machine's memory.
        """

    def __call__(self, model: RSM, formula: Formula) -> Verdict:
        """The verdict on one formula, without limits."""


class Particular(Protocol):
    """An engine for some models only: its shape in the table is not `ANY`."""

    @property
    def name(self) -> str:
        """As on the command line."""

    def fits(self, model: RSM) -> str | None:
        """Why the engine can't check the model; None if it can."""


def why_not(engine: Engine, model: RSM) -> str | None:
    """Why an engine can't check a model; None if it can."""
    if capabilities(engine).shape is Shape.ANY:
        return None
    return cast("Particular", engine).fits(model)


def require_fit(engine: Engine, model: RSM) -> None:
    """CheckError P404 if the engine can't check the model."""
    reason = why_not(engine, model)
    if reason is not None:
        message = f"engine {engine.name} does not fit the model: {reason}"
        raise CheckError("P404", message, hint=capabilities(engine).hint)


def require_logic(engine: Engine, formula: Formula) -> Formula:
    """The formula itself; CheckError P401 if it is not in CTL and the engine needs that.

    P408 if it is one of the mu-calculus, and the engine does not take that. P410 if it names
    actions, which models have none of.
    """
    able = capabilities(engine)
    if formula.fragment is Fragment.MU:
        return _without_actions(formula) if able.takes(formula) else _refused_mu(formula)
    if able.takes(formula):
        return formula
    try:
        return formula.require_ctl()
    except CheckError as error:
        error.hint = f"{error.hint}; or use --engine onthefly (or auto), which takes all of CTL*"
        raise


def _without_actions(formula: Formula) -> Formula:
    for names in modal_form(formula).actions:
        message = f"the formula names the action {quoted(names[0])}, but models have no actions"
        hint = "write <> or []; parts with actions are checked by `pigro compose`"
        raise CheckError("P410", message, hint=hint)
    return formula


def _refused_mu(formula: Formula) -> Formula:
    try:
        return formula.refuse_mu()
    except CheckError as error:
        error.hint = (
            "use --engine game (or auto), which takes models without calls, or `pigro compose`, "
            "which takes parts"
        )
        spin = spin_hint(formula)
        error.hint += "" if spin is None else f"; {spin}"
        raise


def require_provable(formula: Formula) -> Formula:
    """The formula itself; CheckError P401 if there are no certificates for such formulas.

    P408 if it is one of the mu-calculus.
    """
    formula.refuse_mu()
    try:
        return formula.require_ctl()
    except CheckError as error:
        error.hint = "certificates are made for CTL only"
        raise
