"""The engine `incremental`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.engines.engine import NO_LIMITS, Limits, require_fit
from pigro.engines.incremental.context import Question
from pigro.engines.incremental.refinement import Refinement
from pigro.engines.incremental.structure import misfit, structures_of
from pigro.engines.python_run import Decision, Watch, check_in_python
from pigro.logic import existential_normal_form

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro.engines.verdict import Verdict
    from pigro.logic import Formula
    from pigro.model import RSM


@dataclass(frozen=True, slots=True)
class IncrementalEngine:
    """Incremental refinement: local, vertical and horizontal checking."""

    name: str = "incremental"

    def fits(self, model: RSM) -> str | None:
        """See `Particular.fits`."""
        return misfit(model)

    def __call__(self, model: RSM, formula: Formula) -> Verdict:
        """The verdict on one formula, without limits."""
        return self.check_all(model, [formula])[0]

    def check_all(  # noqa: PLR0913 - how to run is said by name
        self,
        model: RSM,
        formulas: Sequence[Formula],
        *,
        jobs: int = 1,  # noqa: ARG002 - one at a time
        limits: Limits = NO_LIMITS,
        on_verdict: Callable[[Verdict], None] | None = None,
        tick: Callable[[], None] | None = None,
    ) -> list[Verdict]:
        """See `Engine.check_all`. Raises `CheckError` P404 if the model does not fit."""
        require_fit(self, model)
        structures = structures_of(model)

        def decide(formula: Formula, watch: Watch) -> Decision:
            question = Question(model, existential_normal_form(formula))
            refinement = Refinement(structures, question, watch.poll)
            truth: dict[int, bool] = {}
            for component, nodes in by_component(model).items():
                structure = structures[component]
                inside = [node - structure.first for node in nodes]
                truth.update(zip(nodes, refinement.decide(structure, inside), strict=True))
            truths = [truth[node] for node in model.initial]
            return Decision(truths, refinement.contexts, refinement.checks)

        return check_in_python(
            self.name, model, formulas, decide, limits=limits, on_verdict=on_verdict, tick=tick
        )


def by_component(model: RSM) -> dict[int, list[int]]:
    """The initial nodes by the component that they are in."""
    found: dict[int, list[int]] = {}
    for node in model.initial:
        found.setdefault(model.core.component(node), []).append(node)
    return found


INCREMENTAL = IncrementalEngine()
