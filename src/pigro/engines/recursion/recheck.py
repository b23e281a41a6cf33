"""Decides once more what evidence of runs says, for its replay.

Without recursion, or up to a depth, that is the search in Python of `onthefly`. On recursive models
a labelling tells the truths. They count only if `exhaustive` proves them, which asks for everything
and skips nothing, by a certificate that the checker in Python accepts. New nodes lead to the states
(probe_model.py), so one certificate proves a truth in all states of a path that have it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pigro.certificates import check_certificates
from pigro.certificates.certificate import CertificateFile
from pigro.engines.engine import misfit_reason
from pigro.engines.labelling import LabellingTruths
from pigro.engines.native import EXHAUSTIVE
from pigro.engines.onthefly.native import OnTheFlyEngine
from pigro.engines.onthefly.recheck import decider
from pigro.engines.recursion.probe_model import probe_model
from pigro.evidence import Path
from pigro.limits import Budget, no_poll
from pigro.logic import AG, AX, atom

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro.engines.recursion.probe_model import ProbeModel
    from pigro.evidence import State
    from pigro.evidence.run.runs import Truths
    from pigro.logic import Formula
    from pigro.model import RSM

    Decide = Callable[[int, State], bool | None]


def deciders(
    model: RSM, formula: Formula, depth: int | None = None
) -> tuple[Decide, Truths | None]:
    """What tells the truth of state formulas, by their numbers in the formula: in states, and in
    all states of a path (None: each is asked about alone). See `replay_run`.
    """
    if misfit_reason(OnTheFlyEngine(depth=depth), model) is None:
        return decider(model, formula, depth), None
    truths = _ProvedTruths(LabellingTruths(model, formula, Budget()))
    return truths.value, truths.on_path


@dataclass(frozen=True, slots=True)
class _ProvedTruths:
    """The truths that a labelling tells, as far as they are proved."""

    told: LabellingTruths

    def value(self, node: int, state: State) -> bool | None:
        """The truth in a state. Of the whole formula, if it is of paths, on all runs from there."""
        if state.stack:
            return self.on_path(node, Path((state,)), [True])[0]
        return _proved(self.told.model.with_initial([state.node]), self.told.part(node))

    def on_path(self, node: int, path: Path, where: Sequence[bool]) -> tuple[bool | None, ...]:
        """The truth in some states of a path. See `pigro.evidence.run.runs.Truths`."""
        probed = probe_model(self.told.model, path)
        told = self.told.on_path(node, path, where)
        proved = [
            truth
            for truth in (True, False)
            if truth in told and self._is_true_behind(probed, node, told, truth)
        ]
        return tuple([truth if truth in proved else None for truth in told])

    def _is_true_behind(
        self, probed: ProbeModel, node: int, told: Sequence[bool | None], truth: bool
    ) -> bool:
        """Whether a truth is proved in all states that are told to have it."""
        part = self.told.part(node)
        probes = {probe for probe, each in zip(probed.probes, told, strict=True) if each is truth}
        name = "states that are asked about"
        while name in probed.model.label_ids:
            name += "'"
        asked = probed.model.with_labels({name: sorted(probes)})
        rule = AG(atom(name).implies(AX(part if truth else ~part)))
        return _proved(asked, rule) is True


_PROVING = replace(EXHAUSTIVE, certify=True, certify_paths=True)


def _proved(model: RSM, formula: Formula) -> bool | None:
    """The truth at the initial nodes, if a certificate of it is accepted by the other checker."""
    [verdict] = _PROVING.check_all(model, [formula])
    if verdict.certificate is None:
        return None
    file = CertificateFile(model)
    file.add(verdict.certificate, no_poll)
    [checked] = check_certificates(model, file.to_bytes())
    return verdict.holds if checked.problem is None and checked.holds is verdict.holds else None
