"""Questions to the engine: one formula for all sites of a rule, and the runs of those that fail.

With `verify`, an independent checker checks a certificate for each answer: one for all sites where
the formula holds, and one for each site where it fails.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.diagnostics import InternalError
from pigro.engines.native import DEMAND, NativeEngine
from pigro.limits import OutOfTime
from pigro.logic import parse
from pigro.scan.runs import FindingRun, NodeOrigins, states_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from pigro.limits import Budget
    from pigro.model import RSM
    from pigro.scan.machine import ScanMachine
    from pigro.verdict import Verdict

_PROVING = NativeEngine("demand", DEMAND.policy, certify=True, shortest=True)


@dataclass
class SiteModel:
    """A model of all sites of a rule."""

    machine: ScanMachine
    starts: Sequence[tuple[Hashable, int]]
    """Keys of components, and their nodes: where questions start."""
    files: Mapping[str, str]
    budget: Budget
    verify: bool = False
    verified: int = 0
    """Certificates that were checked and accepted."""

    def __post_init__(self) -> None:
        self.model: RSM
        self.model, self.nodes = self.machine.model(self.starts, self.files)
        self.origins = NodeOrigins(self.model, list(self.machine.components.values()), self.files)

    def failing(self, formula: str) -> list[int]:
        """The numbers of the starts where a formula fails."""
        [verdict] = DEMAND.check_all(self.model, [parse(formula)], budget=self.budget)
        if verdict.holds is None:
            raise OutOfTime(verdict.reason)
        failed = {node for node, holds in verdict.starts if not holds}
        if self.verify:
            self._verify(formula, failed)
        return [number for number, node in enumerate(self.nodes) if node in failed]

    def alone(self, start: int) -> SiteModel:
        """A model of one start. It has the components that the start needs, and no others."""
        key, _ = at = self.starts[start]
        return SiteModel(self.machine.part([key]), [at], self.files, self.budget, self.verify)

    def _verify(self, formula: str, failed: set[int]) -> None:
        """Proves the answer at each start. `InternalError` if it is not what the engine said."""
        numbers = {node: number for number, node in enumerate(self.nodes)}
        safe = [node for node in numbers if node not in failed]
        if safe:
            self._prove(self, safe, formula, holds=True)
        for node in sorted(failed):
            alone = self.alone(numbers[node])
            self._prove(alone, alone.nodes, formula, holds=False)

    def _prove(
        self, asked: SiteModel, nodes: Sequence[int], formula: str, *, holds: bool
    ) -> Verdict:
        """A verdict with a certificate, which is counted here if it was checked."""
        verdict = asked._proved(nodes, formula)
        if verdict.holds is not holds:
            raise InternalError("P903", f"two answers to the same question: {formula}")
        self.verified += self.verify
        return verdict

    def _proved(self, nodes: Sequence[int], formula: str) -> Verdict:
        """The verdict of a formula at some nodes, with a certificate."""
        model = self.model.with_initial(nodes)
        [verdict] = _PROVING.check_all(model, [parse(formula)], budget=self.budget)
        if verdict.holds is None or verdict.certificate is None:
            raise OutOfTime(verdict.reason)
        if self.verify:
            from pigro.engines.proving import CertificateCollector

            proofs = CertificateCollector(model, verify=True, shortest=True, budget=self.budget)
            proofs.take(verdict)
            if proofs.unverified or proofs.missing:
                raise OutOfTime("a limit was reached while a certificate was checked")
        return verdict

    def run(self, start: int, formula: str, notes: Mapping[str, str]) -> FindingRun:
        """The run that shows that a formula fails at a start. From its certificate."""
        from pigro.evidence import evidence_of

        alone = self.alone(start)
        verdict = self._prove(alone, alone.nodes, formula, holds=False)
        assert verdict.certificate is not None
        return alone.origins.run(states_of(evidence_of(verdict.certificate)), notes)
