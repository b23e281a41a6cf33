"""What chapter 4 of [Finis2012] promises: modules behind what the answer needs cost nothing.

The model is figure 4.1 of the thesis, with a chain of modules behind the call of D. E[(EG p) U q]
holds because of A, B and C alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.case import Case
from benchmarks.checking import LastValueCache, confirmed
from benchmarks.generators.modules import behind
from benchmarks.suite import Suite
from benchmarks.suites.smv import contexts_and_time
from benchmarks.tables import StudyTable, count
from pigro.formats import smv

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.case import Measurement
    from benchmarks.findings import ResultSet
    from benchmarks.suite import StudyScope
    from pigro.model import RSM

ENGINES = ("demand", "exhaustive", "incremental", "knowledge", "basic")
MODULES = (10, 100, 1_000, 2_000)
QUICK = 100
FORMULA = "E [EG p U q]"


class Increment(Suite):
    """Engines by modules that the answer does not need."""

    name = "increment"
    about = (
        "figure 4.1 of the thesis on RMV, with up to 2,000 modules that the answer does not need"
    )

    def __init__(self) -> None:
        self._models: LastValueCache[RSM] = LastValueCache()

    def cases(self, scope: StudyScope) -> Iterator[Case]:
        """Model by model."""
        for modules in MODULES:
            if not scope.quick or modules <= QUICK:
                for engine in ENGINES:
                    yield Case.of(self.name, engine, modules=modules)

    def run(self, case: Case, scope: StudyScope) -> Measurement:
        """One formula on one model."""
        modules = case.number("modules")
        model, seconds = self._models.take(
            modules, lambda: smv.read(behind(modules).encode(), semantics="rmv").listed()
        )
        return confirmed(case.runner, model, FORMULA, "holds", scope.limits, seconds)

    def tables(self, found: ResultSet) -> list[StudyTable]:
        """Contexts and time."""
        rows = []
        for modules in MODULES:
            cells = [found.one(engine, modules=modules) for engine in ENGINES]
            if any(cells):
                rows.append((count(modules), *map(contexts_and_time, cells)))
        title = "Modules that the answer does not need: contexts, time"
        return [StudyTable("increment", title, ("modules", *ENGINES), tuple(rows))]
