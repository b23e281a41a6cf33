"""One random machine with questions of CTL*, asked of the oracle and of the native engines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro import _core
from pigro.engines.native import NativeEngine
from pigro.logic import parse

from oracle import star_pushdown
from oracle.star_cases import star_case
from oracle.star_formula import to_text
from support.agreement.ctl import as_model

if TYPE_CHECKING:
    from pigro.engines.engine import Engine

STAR_ENGINES: dict[str, Engine] = {
    "demand": NativeEngine("demand", _core.Engine.DEMAND),
    "demand, paths only": NativeEngine("demand", _core.Engine.DEMAND, only_paths=True),
    "demand, backward": NativeEngine("demand", _core.Engine.DEMAND_BACKWARD),
    "exhaustive": NativeEngine("exhaustive", _core.Engine.EXHAUSTIVE),
    "exhaustive, paths only": NativeEngine("exhaustive", _core.Engine.EXHAUSTIVE, only_paths=True),
}
"""With all laziness and with none; with levels of CTL and without."""
FORMULAS = 4
"""Questions for each random machine."""


def star_disagreements(seed: int) -> list[str]:
    """Case `seed`: a line for each question on which not all say the same."""
    machine, formulas = star_case(seed, FORMULAS)
    model = as_model(machine)
    asked = [parse(to_text(formula)) for formula in formulas]
    truths = star_pushdown.decide_many(machine, formulas)
    told = {
        name: [verdict.holds for verdict in engine.check_all(model, asked)]
        for name, engine in STAR_ENGINES.items()
    }
    return [
        f"machine {seed}: oracle {truth}, { {name: found[i] for name, found in told.items()} }, "
        f"{asked[i]}"
        for i, truth in enumerate(truths)
        if any(found[i] is not truth for found in told.values())
    ]
