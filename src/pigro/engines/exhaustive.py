"""The `exhaustive` engine: every reachable instance and every subformula, in the native core.

The plain use of the machinery of native/core/level.hpp: it asks for everything and reads the
verdict off the root. It is the reference for engines that ask for less.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from pigro import _core
from pigro.engines.reason import explain
from pigro.engines.verdict import CheckStats, Verdict
from pigro.logic import existential_normal_form
from pigro.model import DeadEnds

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.logic import Formula
    from pigro.model import RSM


def check_exhaustive(
    model: RSM, formula: Formula, *, tick: Callable[[], None] | None = None
) -> Verdict:
    """The verdict on a CTL formula. `tick` runs every few milliseconds and may raise to stop."""
    began = time.perf_counter()
    normal = existential_normal_form(formula)
    stop = model.dead_ends is DeadEnds.STOP
    found = _core.check_exhaustive(
        model.core,
        memoryview(normal.ops),
        memoryview(normal.left),
        memoryview(normal.right),
        [model.label_ids.get(atom, -1) for atom in normal.atoms],
        list(model.initial),
        _core.DeadEnds.STOP if stop else _core.DeadEnds.STUTTER,
        tick,
    )
    seconds = time.perf_counter() - began
    holds_at = tuple(zip(model.initial, found.holds, strict=True))
    return Verdict(
        formula=formula,
        holds=all(found.holds),
        reason=explain(model, formula, holds_at),
        engine="exhaustive",
        stats=CheckStats(seconds, found.contexts, found.visited, found.passes),
        holds_at=holds_at,
    )
