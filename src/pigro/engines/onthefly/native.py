"""The engine `onthefly` for models: the search of the native core, over stacks and nodes."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from pigro import _core
from pigro.diagnostics import UsageError, printable
from pigro.engines.python_engine import EngineAnswer, PythonEngine, kleene_all
from pigro.limits import LIMIT_ERRORS
from pigro.logic.positive import positive_form
from pigro.model import DeadEnds

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.limits import Budget
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.model.space import Model


DEEPEST = 2**31 - 1
"""The highest stack that can be asked for."""


@dataclass(frozen=True, slots=True)
class OnTheFlyEngine(PythonEngine):
    """Decides CTL* on the states of a model. Recursion needs a depth, to be cut off there."""

    name: str = "onthefly"
    depth: int | None = None
    """How high stacks may get. What comes beyond is not known. None: as high as they get."""
    show: bool = False
    """Whether to tell why, where no certificate will: outside of CTL."""

    def __post_init__(self) -> None:
        """A depth is a number of calls."""
        fine = isinstance(self.depth, int) and 0 <= self.depth <= DEEPEST
        if self.depth is not None and not fine:
            hint = f"give a whole number from 0 to {DEEPEST}, or None"
            raise UsageError("P006", f"depth can't be {self.depth}", hint=hint)

    def fits(self, model: Model) -> str | None:
        """Without a depth there must be no recursion."""
        if not model.is_listed:
            return None
        if self.depth is not None or model.core.boxes == 0:
            return None
        component = _core.recursive_component(model.core, list(model.initial))
        if component < 0:
            return None
        return f'component "{printable(model.names.components[component])}" can call itself'

    def decider(self, model: Model) -> Callable[[Formula, Budget], EngineAnswer]:
        """Each formula is decided on its own."""
        if not model.is_listed:
            from pigro.engines.onthefly.computed import decide_computed

            return partial(decide_computed, model, self.show)

        def decide(formula: Formula, budget: Budget) -> EngineAnswer:
            search = NativeSearch(model, formula, self.depth, budget)
            truths = [search.at(node) for node in model.initial]
            gave_up = f"no verdict: it depends on calls deeper than {self.depth}"
            core = search.core
            found = EngineAnswer(
                truths, visited=core.visited, states=core.looked_at, gave_up=gave_up
            )
            return self._showing(model, formula, search, found) if self.show else found

        return decide

    def _showing(
        self, model: RSM, formula: Formula, search: NativeSearch, found: EngineAnswer
    ) -> EngineAnswer:
        """The same, with evidence if there is a verdict, and if there is time for it."""
        holds = kleene_all(found.truths)
        if holds is None or formula.is_ctl:
            return found
        from pigro.engines.onthefly.native_evidence import show

        began = time.perf_counter()
        node = model.initial[found.truths.index(holds)]
        try:
            shown = show(model, formula, search, node)
        except LIMIT_ERRORS:
            return found
        spent = time.perf_counter() - began
        shown = replace(shown, depth=self.depth)
        return replace(found, evidence=shown, show_seconds=spent)


class NativeSearch:
    """One formula on one model, asked about states."""

    def __init__(self, model: RSM, formula: Formula, depth: int | None, budget: Budget) -> None:
        self.form = positive_form(formula)
        self.budget = budget
        stop = model.dead_ends is DeadEnds.STOP
        self.core = _core.OnTheFly(
            model.core,
            _core.DeadEnds.STOP if stop else _core.DeadEnds.STUTTER,
            depth,
            memoryview(self.form.ops),
            memoryview(self.form.left),
            memoryview(self.form.right),
            [model.label_ids.get(atom, -1) for atom in self.form.atoms],
        )

    def at(self, node: int) -> bool | None:
        """The truth of the formula at a node with the empty stack. None beyond the depth."""
        return self.core.value(self.form.root, self.core.state([], node), self.budget.look)


ONTHEFLY = OnTheFlyEngine()
