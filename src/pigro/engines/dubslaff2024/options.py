"""What users can say about how the engines of this package run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pigro.diagnostics import UsageError, did_you_mean
from pigro.engines.dubslaff2024.engine import ContextEngine
from pigro.engines.dubslaff2024.finding import guarded
from pigro.engines.dubslaff2024.variant import Variant
from pigro.engines.table import require_option

if TYPE_CHECKING:
    from pigro.engines.engine import Engine


def with_options(
    engine: Engine,
    *,
    heuristic: str | None = None,
    seed: int | None = None,
    trace: bool = False,
    variant: str | None = None,
) -> Engine:
    """The engine, set up as said. `UsageError` P006 for what it does not have.

    >>> from pigro.engines.dubslaff2024 import LAZY
    >>> with_options(LAZY, heuristic="all").heuristic
    'all'
    """
    if trace:
        require_option(engine, "trace")
        engine = replace(engine, trace=True)  # type: ignore[type-var]
    if variant is not None:
        engine = replace(_contextual(engine, "variant"), variant=_variant(variant))
    if seed is not None:
        engine = replace(_contextual(engine, "seed"), seed=seed)
    if heuristic is not None:
        guarded(heuristic, seed or 0)  # so that a broken one is told before anything is checked
        engine = replace(_contextual(engine, "heuristic"), heuristic=heuristic)
    return engine


def _variant(name: str) -> Variant:
    known = [str(each) for each in Variant]
    if name not in known:
        hint = did_you_mean(str(name), known) or f"variants: {', '.join(known)}"
        raise UsageError("P006", f"there is no variant {name!r}", hint=hint)
    return Variant(name)


def _contextual(engine: Engine, option: str) -> ContextEngine:
    require_option(engine, option)
    assert isinstance(engine, ContextEngine), "only these have the option"
    return engine
