"""The truth of state formulas in states of runs on a recursive model, by the native engines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pigro.certificates import check_certificates
from pigro.certificates.certificate import CertificateFile
from pigro.engines.recursion.leading import Leading, leading_to
from pigro.evidence import Path
from pigro.logic import AG, AX, A, atom
from pigro.logic.construct import part_of
from pigro.logic.fragments import state_formulas

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.engines.engine import Engine
    from pigro.evidence import State
    from pigro.limits import Budget
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.verdict import Verdict

_GROUP = "states that are asked about"


@dataclass(slots=True)
class StateTruths:
    """Asks an engine about the subformulas of a formula, by their numbers in it."""

    model: RSM
    formula: Formula
    engine: Engine
    budget: Budget
    proves: bool = False
    """Whether the engine certifies. What it says counts then only with a certificate, which the
    checker that shares nothing with it accepts."""
    known: tuple[Path, Leading] | None = field(default=None, init=False)
    """The last path that was asked about, and the model that leads to its states."""

    def value(self, node: int, state: State) -> bool | None:
        """The truth in a state. Of the whole formula, if it is of paths, on all runs from there."""
        if state.stack:
            return self.on_path(node, Path((state,)), [True])[0]
        model = self.model.with_initial([state.node])
        return self._decide(model, part_of(self.formula, node))

    def on_path(self, node: int, path: Path, where: Sequence[bool]) -> tuple[bool | None, ...]:
        """The truth in some states of a path. See `pigro.evidence.runs.Truths`."""
        if self.known is None or self.known[0] is not path:
            self.known = path, leading_to(self.model, path)
        leading = self.known[1]
        asked = {door for door, wanted in zip(leading.doors, where, strict=True) if wanted}
        part = part_of(self.formula, node)
        if not state_formulas(part)[-1]:
            part = A(part)
        found = self._truths(leading.model, part, sorted(asked))
        return tuple([found.get(door) for door in leading.doors])

    def _truths(self, model: RSM, formula: Formula, doors: list[int]) -> dict[int, bool]:
        """Of each door the truth behind it, asked for as many at once as have the same."""
        found: dict[int, bool] = {}
        pending = [doors]
        while pending:
            self.budget.poll()
            group = pending.pop()
            truth = self._common(model, formula, group)
            if truth is not None:
                found.update(dict.fromkeys(group, truth))
            elif len(group) > 1:
                half = len(group) // 2
                pending += [group[half:], group[:half]]
        return found

    def _common(self, model: RSM, formula: Formula, doors: list[int]) -> bool | None:
        """The truth behind all of these doors. None if there is no such one."""
        name = _GROUP
        while name in model.label_ids:
            name += "'"
        asked = model.with_labels({name: doors})
        for truth, what in ((True, formula), (False, ~formula)):
            if self._decide(asked, AG(atom(name).implies(AX(what)))):
                return truth
        return None

    def _decide(self, model: RSM, formula: Formula) -> bool | None:
        [verdict] = self.engine.check_all(model, [formula], budget=self.budget)
        if verdict.holds is None or not self.proves:
            return verdict.holds
        return verdict.holds if self._is_proved(verdict) else None

    def _is_proved(self, verdict: Verdict) -> bool:
        if verdict.certificate is None:
            return False
        file = CertificateFile(verdict.model)
        file.add(verdict.certificate, self.budget.poll)
        [checked] = check_certificates(verdict.model, file.to_bytes())
        return checked.problem is None and checked.holds is verdict.holds
