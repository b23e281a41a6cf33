"""The truth of each subformula in the states of evidence of runs: what labels and facts tell.

Path formulas are among them: in a state of a run, they are read on this run from that state on. In
a state without a run, only what is true of all runs from there is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.evidence import Path, Steps
from pigro.evidence.lasso import evaluate
from pigro.evidence.runs import OnRun
from pigro.logic.fragments import state_formulas
from pigro.logic.operators import Op
from pigro.logic.printer import text_of
from pigro.render.truths import LONGEST, formula_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.evidence import Evidence, State
    from pigro.evidence.lasso import Sets
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.render.truths import Place, Row


class RunTruths:
    """Truths of subformulas, each state's in one string of `t`, `f` and `?`."""

    def __init__(self, model: RSM, formula: Formula) -> None:
        self._steps, self._formula = Steps(model), formula
        rows, is_state = formula_rows(formula, paths=True), state_formulas(formula)
        self.rows: list[Row] = []
        """Each subformula, in preorder."""
        self.strings: dict[str, int] = {}
        """All strings that there are, and their numbers."""
        self._wanted = [node for _, node in rows]
        for depth, node in rows:
            text = printable(text_of(formula, node, LONGEST), LONGEST)
            self.rows.append((depth, text) if is_state[node] else (depth, text, True))
        self._told: dict[Place, dict[int, bool]] = {}

    def note(self, at: Evidence, places: Sequence[Place]) -> None:
        """What evidence shows: its part where it begins; and its facts."""
        self._told.setdefault(places[0], {})[at.part] = at.truth
        for node, truths in at.facts:
            for place, truth in zip(places, truths, strict=True):
                if truth is not None:
                    self._told.setdefault(place, {})[node] = truth

    def of(self, state: State, place: Place) -> int:
        """The number of the string of a state."""
        return self._numbers(Path((state,)), (place,))[0]

    def along(self, at: Evidence, places: Sequence[Place]) -> list[int]:
        """The numbers of the strings of the states of a run."""
        return [] if at.path is None else self._numbers(at.path, places)

    def _numbers(self, path: Path, places: Sequence[Place]) -> list[int]:
        if not self._wanted:
            return [self.strings.setdefault("", 0)] * len(places)
        formula, sets = self._formula, dict[int, "Sets"]()
        run = OnRun(self._steps, formula, len(formula) - 1, path)

        def leaf(node: int) -> Sets:
            if formula.ops[node] == Op.ATOM:
                return run.label(node)
            truths = [self._told.get(place, {}).get(node) for place in places]
            yes, no = run.quantified(node, truths)
            on_this, not_on_this = sets[formula.left[node]]
            return (yes | on_this, no) if formula.ops[node] == Op.E else (yes, no | not_on_this)

        evaluate(formula, range(len(formula)), run.line, leaf, sets)
        columns = [self._column(run, sets[node]) for node in self._wanted]
        strings = ("".join(each) for each in zip(*columns, strict=True))
        return [
            self.strings.setdefault(string, len(self.strings))
            for string, _ in zip(strings, places, strict=False)
        ]

    def _column(self, run: OnRun, sets: Sets) -> list[str]:
        """A letter for each position."""
        flags = zip(*map(run.line.flags, sets), strict=True)
        return ["t" if yes else "f" if no else "?" for yes, no in flags]
