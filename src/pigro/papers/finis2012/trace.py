"""What `incremental`, `basic` and `knowledge` did, step by step: `--trace`.

A step is a visit of a component under a context, or the labels that a local check gave to it. The
iterations are those of the tables in [Finis2012], chapter 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.papers.finis2012.local import M, T
from pigro.papers.finis2012.structure import NONE
from pigro.verdict import Step

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pigro.model import RSM
    from pigro.papers.finis2012.context import RmvRequest
    from pigro.papers.finis2012.local import ContextLabels
    from pigro.papers.finis2012.structure import Structure


class StepWatcher:
    """Notes the steps of a run."""

    def __init__(
        self,
        model: RSM,
        question: RmvRequest,
        assumed: Callable[[ContextLabels], Mapping[int, bool]],
    ) -> None:
        self.model = model
        self.question = question
        self.assumed = assumed
        """The context of a pair: for subformulas, whether they hold after the return."""
        self.steps: list[Step] = []

    def visited(
        self, how: str, structure: Structure, formula: int, context: Mapping[int, bool]
    ) -> None:
        """A component is visited for a subformula, under these assumptions about its return."""
        step = Step(
            action="visit",
            formula=self._text(formula),
            instance=self.model.names.components[structure.component],
            context=self._context(structure, context),
            reason=how,
        )
        self.steps.append(step)

    def labelled(self, iteration: int | None, pair: ContextLabels, before: bytes) -> None:
        """A check has labelled nodes of a pair whose row was `before`.

        Iteration 0 comes after the last: labels still unknown are decided (Alg. 3.6). None is local
        checking, outside of a fixpoint.
        """
        structure = pair.structure
        reason = f"iteration {iteration}" if iteration else "what remains"
        reason = "locally" if iteration is None else reason
        context = self.assumed(pair)
        for value in (True, False):
            label = T if value else 0
            nodes = [
                node
                for node in structure.locations
                if before[node] == M and pair.row[node] == label and self._is_shown(structure, node)
            ]
            if nodes:
                step = Step(
                    action="label",
                    formula=self._text(pair.formula),
                    value="true" if value else "false",
                    nodes=tuple(self._node(structure, node) for node in nodes),
                    instance=self.model.names.components[structure.component],
                    context=self._context(structure, context),
                    reason=reason,
                )
                self.steps.append(step)

    def _context(
        self, structure: Structure, context: Mapping[int, bool]
    ) -> tuple[tuple[str, str, str], ...]:
        if structure.exit == NONE:
            return ()
        leave = self._node(structure, structure.exit)
        return tuple(
            (leave, self._text(formula), "true" if value else "false")
            for formula, value in sorted(context.items(), reverse=True)
        )

    def _is_shown(self, structure: Structure, node: int) -> bool:
        """Return nodes are no locations of the thesis."""
        return self.model.core.box(structure.first + node) < 0

    def _node(self, structure: Structure, node: int) -> str:
        return self.model.node_name(structure.first + node)

    def _text(self, formula: int) -> str:
        return str(self.question.normal.to_formula(formula))
