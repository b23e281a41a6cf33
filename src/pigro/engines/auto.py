"""The engine `auto`: for each formula the engine that fits it."""

from __future__ import annotations

from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, Self

from msgspec.structs import replace

from pigro.diagnostics import CheckError, printable
from pigro.engines.engine import JobEngine, as_taken, require_fit
from pigro.engines.table import OWN, TABLE, choose_engine, logic_of, require_option
from pigro.limits import no_poll
from pigro.records import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pigro.engines.engine import CheckJob, Engine
    from pigro.limits import Poll
    from pigro.logic import Formula
    from pigro.model.space import Model


_SHOWN = 60
_ON_DEMAND = "onthefly"


class AutoEngine(JobEngine, Record, frozen=True):
    """`demand` for CTL, LTL and CTL*, `game` for the mu-calculus.

    With a depth, `onthefly` for LTL and CTL*. Where states are computed on demand, `onthefly` for
    all three.
    """

    name: str = "auto"
    depth: int | None = None
    """For `onthefly`."""
    prepare: Callable[[Engine], Engine] | None = None
    """Changes of an engine before it is used: to make it prove its verdicts, say."""

    def with_options(self, **options: Any) -> Self:
        """The engine with a depth, which must be one that `onthefly` takes."""
        choose_engine(_ON_DEMAND).with_options(**options)
        return replace(self, **options)

    def pick(self, formula: Formula) -> Engine:
        """The engine for a formula."""
        return self._engine(self.row(formula))

    def row(self, formula: Formula) -> str:
        """The name of the first engine in the table that takes the formula's logic.

        All of them take CTL. With a depth, of those beyond CTL the first one that has a depth.
        """
        if formula.is_ctl:
            return OWN[0].name
        logic = logic_of(formula)
        rows = [row for row in OWN if logic in row.logics]
        deep = [row for row in rows if "depth" in row.options]
        return (deep if deep and self.depth is not None else rows)[0].name

    def _row_on(self, model: Model, formula: Formula) -> str:
        return _ON_DEMAND if not model.is_listed else self.row(formula)

    def _engine(self, name: str) -> Engine:
        engine = choose_engine(name)
        if self.depth is not None and "depth" in TABLE[name].options:
            engine = with_depth(engine, self.depth)
        return engine if self.prepare is None else self.prepare(engine)

    def run(self, model: Model, job: CheckJob) -> None:
        """See `JobEngine.run`. Formulas in a row for the same engine go to it together."""
        model = as_taken(self, model, job.formulas, job.budget.poll)
        for name, together in groupby(job.formulas, key=partial(self._row_on, model)):
            self._engine(name).check_all(
                model, list(together), jobs=job.jobs, budget=job.budget, on_verdict=job.deliver
            )


def require_fits(
    engine: Engine, model: Model, formulas: Iterable[Formula], poll: Poll = no_poll
) -> None:
    """CheckError P404 if an engine that will check one of these formulas can't check the model."""
    if not isinstance(engine, AutoEngine):
        require_fit(engine, model, poll)
        return
    beyond: dict[str, Formula] = {}
    for formula in formulas:
        if not formula.is_ctl:
            beyond.setdefault(engine.row(formula), formula)
    for formula in beyond.values():
        try:
            require_fit(engine.pick(formula), model, poll)
        except CheckError as error:
            from pigro.logic.spin import spin_hint

            error.message = f"`{printable(str(formula), _SHOWN)}` is beyond CTL; {error.message}"
            spin = spin_hint(formula)
            error.hint = error.hint if spin is None else f"{error.hint}; {spin}"
            raise


def with_depth(engine: Engine, depth: int) -> Engine:
    """The engine, which follows calls up to that deep. `UsageError` P006 if it has no depth."""
    require_option(engine, "depth")
    return engine.with_options(depth=depth)


AUTO = AutoEngine()
