"""Questions to the engine: one formula for all sites of a rule, and the runs of those that fail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.engines.native import DEMAND, NativeEngine
from pigro.limits import OutOfTime
from pigro.logic import parse
from pigro.scan.runs import Origins, states_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from pigro.limits import Budget
    from pigro.model import RSM
    from pigro.scan.findings import Step
    from pigro.scan.machine import Machine

_PROVING = NativeEngine("demand", DEMAND.policy, certify=True, shortest=True)


@dataclass
class Asked:
    """A model of all sites of a rule."""

    machine: Machine
    starts: Sequence[tuple[Hashable, int]]
    """Keys of components, and their nodes: where questions start."""
    files: Mapping[str, str]
    budget: Budget

    def __post_init__(self) -> None:
        self.model: RSM
        self.model, self.nodes = self.machine.model(self.starts, self.files)
        self.origins = Origins(self.model, list(self.machine.components.values()), self.files)

    def failing(self, formula: str) -> list[int]:
        """The numbers of the starts where a formula fails."""
        [verdict] = DEMAND.check_all(self.model, [parse(formula)], budget=self.budget)
        if verdict.holds is None:
            raise OutOfTime(verdict.reason)
        failed = {node for node, holds in verdict.holds_at if not holds}
        return [number for number, node in enumerate(self.nodes) if node in failed]

    def run(self, start: int, formula: str, notes: Mapping[str, str]) -> list[Step]:
        """The run that shows that a formula fails at a start; from its certificate."""
        from pigro.evidence import evidence_of  # noqa: PLC0415 - only findings need it

        model = self.model.with_initial([self.nodes[start]])
        [verdict] = _PROVING.check_all(model, [parse(formula)], budget=self.budget)
        if verdict.certificate is None:
            return []
        return self.origins.steps(states_of(evidence_of(verdict.certificate)), notes)
