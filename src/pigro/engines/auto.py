"""The engine `auto`: for each formula the engine that fits it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar

from pigro.diagnostics import CheckError, UsageError, printable
from pigro.engines.engine import require_fit
from pigro.limits import Budget
from pigro.logic.operators import Fragment
from pigro.logic.spin import spin_hint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pigro.engines.engine import Engine
    from pigro.engines.verdict import Verdict
    from pigro.logic import Formula
    from pigro.model import RSM


_SHOWN = 60


@dataclass(frozen=True, slots=True)
class AutoEngine:
    """`demand` for CTL, `onthefly` for LTL and CTL*, `game` for the mu-calculus.

    Where states are computed on demand, `onthefly` takes CTL too.
    """

    name: str = "auto"
    depth: int | None = None
    """For `onthefly`."""
    prepare: Callable[[Engine], Engine] | None = None
    """What is done with an engine before it is used: to make it prove its verdicts, say."""
    beyond_ctl: ClassVar[bool] = True
    takes_mu: ClassVar[bool] = True

    def pick(self, formula: Formula) -> Engine:
        """The engine for a formula."""
        return self._engine(_logic(formula))

    def _engine(self, logic: Fragment) -> Engine:
        engine: Engine
        if logic is Fragment.CTL:
            from pigro.engines.native import DEMAND as engine  # noqa: N811, PLC0415 - as needed
        elif logic is Fragment.MU:
            from pigro.engines.game import GAME as engine  # noqa: N811, PLC0415 - few need it
        else:
            from pigro.engines.onthefly import OnTheFlyEngine  # noqa: PLC0415 - few need it

            engine = OnTheFlyEngine(depth=self.depth)
        return engine if self.prepare is None else self.prepare(engine)

    def __call__(self, model: RSM, formula: Formula) -> Verdict:
        """The verdict on one formula, without limits."""
        return self._engine(_logic_on(model, formula))(model, formula)

    def check_all(
        self,
        model: RSM,
        formulas: Sequence[Formula],
        *,
        jobs: int = 1,
        budget: Budget | None = None,
        on_verdict: Callable[[Verdict], None] | None = None,
    ) -> list[Verdict]:
        """See `Engine.check_all`. Formulas in a row that need the same engine go to it together."""
        budget = budget or Budget()
        verdicts: list[Verdict] = []
        for logic, together in groupby(formulas, key=partial(_logic_on, model)):
            verdicts += self._engine(logic).check_all(
                model, list(together), jobs=jobs, budget=budget, on_verdict=on_verdict
            )
        return verdicts


def require_fits(engine: Engine, model: RSM, formulas: Iterable[Formula]) -> None:
    """CheckError P404 if an engine that will check one of these formulas can't check the model."""
    if not isinstance(engine, AutoEngine):
        require_fit(engine, model)
        return
    beyond: dict[Fragment, Formula] = {}
    for formula in formulas:
        if not formula.is_ctl:
            beyond.setdefault(_logic(formula), formula)
    for formula in beyond.values():
        try:
            require_fit(engine.pick(formula), model)
        except CheckError as error:
            error.message = f"`{printable(str(formula), _SHOWN)}` is beyond CTL; {error.message}"
            spin = spin_hint(formula)
            error.hint = error.hint if spin is None else f"{error.hint}; {spin}"
            raise


def _logic(formula: Formula) -> Fragment:
    """Which of the engines a formula needs: CTL, CTL* or MU."""
    if formula.is_ctl:
        return Fragment.CTL
    return Fragment.MU if formula.fragment is Fragment.MU else Fragment.CTL_STAR


def _logic_on(model: RSM, formula: Formula) -> Fragment:
    """The same; CTL goes on the fly where states are computed on demand."""
    logic = _logic(formula)
    if logic is Fragment.CTL and model.on_demand is not None:
        return Fragment.CTL_STAR
    return logic


def with_depth(engine: Engine, depth: int) -> Engine:
    """The engine, which follows calls up to that deep; `UsageError` P006 if it has no depth."""
    from pigro.engines.onthefly import OnTheFlyEngine  # noqa: PLC0415 - few need it

    checked = OnTheFlyEngine(depth=depth)
    if isinstance(engine, AutoEngine):
        return replace(engine, depth=depth)
    if isinstance(engine, OnTheFlyEngine):
        return checked
    message = f"engine {engine.name} has no --depth"
    raise UsageError("P006", message, hint="--depth goes with --engine onthefly or auto")
