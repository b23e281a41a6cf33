"""What users can say about how the engines of this package run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pigro.diagnostics import UsageError
from pigro.engines.contexts.engine import ContextEngine
from pigro.engines.contexts.finding import guarded
from pigro.engines.contexts.variant import Variant

if TYPE_CHECKING:
    from pigro.engines.engine import Engine


_ALL = "eager, lazy, ternary or random"


def with_options(
    engine: Engine,
    *,
    heuristic: str | None = None,
    seed: int | None = None,
    trace: bool = False,
    variant: str | None = None,
) -> Engine:
    """The engine, set up as said; `UsageError` P006 for what it does not have.

    >>> from pigro.engines.contexts import LAZY
    >>> with_options(LAZY, heuristic="all").heuristic
    'all'
    """
    if trace:
        engine = replace(_contextual(engine, "--trace", _ALL), trace=True)
    if variant is not None:
        engine = replace(_contextual(engine, "--variant", _ALL), variant=Variant(variant))
    if seed is not None:
        engine = replace(_contextual(engine, "--seed", "lazy or random"), seed=seed)
        if engine.name not in ("lazy", "random"):
            raise _refusal(engine, "--seed", "lazy or random")
    if heuristic is not None:
        guarded(heuristic, seed or 0)  # so that a broken one is told before anything is checked
        engine = replace(_contextual(engine, "--heuristic", "lazy"), heuristic=heuristic)
        if engine.name != "lazy":
            raise _refusal(engine, "--heuristic", "lazy")
    return engine


def _contextual(engine: Engine, option: str, engines: str) -> ContextEngine:
    if not isinstance(engine, ContextEngine):
        raise _refusal(engine, option, engines)
    return engine


def _refusal(engine: Engine, option: str, engines: str) -> UsageError:
    message = f"engine {engine.name} has no {option}"
    return UsageError("P006", message, hint=f"{option} goes with --engine {engines}")
