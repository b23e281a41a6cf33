"""The engine `incremental`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.engines.python_engine import EngineAnswer, PythonEngine
from pigro.logic import existential_normal_form
from pigro.papers.finis2012.context import RmvRequest
from pigro.papers.finis2012.refinement import RefinementCheck
from pigro.papers.finis2012.structure import misfit, structures_of
from pigro.papers.finis2012.trace import StepWatcher

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.limits import Budget
    from pigro.logic import Formula
    from pigro.model import RSM


@dataclass(frozen=True, slots=True)
class IncrementalEngine(PythonEngine):
    """Incremental refinement: local, vertical and horizontal checking."""

    name: str = "incremental"
    trace: bool = False
    """Whether verdicts tell the steps that were taken."""

    def fits(self, model: RSM) -> str | None:
        """See `Particular.fits`."""
        return misfit(model)

    def decider(self, model: RSM) -> Callable[[Formula, Budget], EngineAnswer]:
        """See `PythonEngine.decider`."""
        structures = structures_of(model)

        def decide(formula: Formula, budget: Budget) -> EngineAnswer:
            question = RmvRequest(model, existential_normal_form(formula))
            refinement = RefinementCheck(structures, question, budget.poll)
            watch = StepWatcher(model, question, refinement.assumed) if self.trace else None
            if watch is not None:
                refinement.show_steps(watch)
            truth: dict[int, bool] = {}
            for component, nodes in by_component(model).items():
                structure = structures[component]
                inside = [node - structure.first for node in nodes]
                truth.update(zip(nodes, refinement.decide(structure, inside), strict=True))
            truths = [truth[node] for node in model.initial]
            steps = None if watch is None else tuple(watch.steps)
            return EngineAnswer(truths, refinement.contexts, refinement.checks, steps)

        return decide


def by_component(model: RSM) -> dict[int, list[int]]:
    """The initial nodes by the component that they are in."""
    found: dict[int, list[int]] = {}
    for node in model.initial:
        found.setdefault(model.core.component(node), []).append(node)
    return found


INCREMENTAL = IncrementalEngine()
