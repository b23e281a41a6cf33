"""All engines, and what each of them can do: data that is read before an engine is imported."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING

from pigro.diagnostics import CheckError, UsageError, did_you_mean
from pigro.logic.operators import Fragment
from pigro.model.mistakes import quoted
from pigro.records import Record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.engines.engine import Engine
    from pigro.logic import Formula


class Shape(StrEnum):
    """Which models an engine takes. The engine's `fits` says why it does not take another one."""

    ANY = "any"
    ONE_EXIT = "one entry and one exit per component"
    NO_RECURSION = "no recursion, unless a depth is given"


_CTL = frozenset({Fragment.CTL})
_CTL_STAR = frozenset({Fragment.CTL, Fragment.LTL, Fragment.CTL_STAR, Fragment.ECTL_STAR})
_MU = frozenset({Fragment.CTL, Fragment.MU})


class Capabilities(Record, frozen=True):
    """What an engine can do."""

    name: str
    home: str
    """The module in this folder that has it, under its name in capitals."""
    logics: frozenset[Fragment] = _CTL
    shape: Shape = Shape.ANY
    computed: frozenset[Fragment] = frozenset()
    """The logics for which it needs no list of states that are computed on demand."""
    options: tuple[str, ...] = ()
    """Of `depth`, `heuristic`, `seed`, `trace` and `variant`."""
    proves: bool = False
    """Whether it makes certificates itself, for CTL*. For the others, `demand` does."""
    shows: bool = False
    """Whether it makes evidence without certificates. For others beyond CTL, `onthefly` does."""
    parallel: bool = False
    """Whether it checks several formulas at a time."""
    actions: bool = False
    """Whether formulas may name actions: of parts, which models have none of."""
    hint: str = "use --engine demand (or auto), which takes all models"
    """What to do about a model that it does not take."""

    def takes(self, formula: Formula) -> bool:
        """Whether it checks formulas of this logic."""
        return logic_of(formula) in self.logics


_WITHOUT_DEPTH = (
    "use --engine demand (or auto), which takes all models; "
    "or --depth 20 (depth=20), which follows calls up to 20 deep"
)
_ROWS = (
    Capabilities("demand", "native", _CTL_STAR, proves=True, parallel=True),
    Capabilities("exhaustive", "native", _CTL_STAR, proves=True, parallel=True),
    Capabilities("eager", "dubslaff2024", options=("trace", "variant")),
    Capabilities("lazy", "dubslaff2024", options=("heuristic", "seed", "trace", "variant")),
    Capabilities("ternary", "dubslaff2024", options=("trace", "variant")),
    Capabilities("random", "dubslaff2024", options=("seed", "trace", "variant")),
    Capabilities("incremental", "finis2012", shape=Shape.ONE_EXIT, options=("trace",)),
    Capabilities("knowledge", "finis2012.knowledge", shape=Shape.ONE_EXIT, options=("trace",)),
    Capabilities("basic", "finis2012.basic", shape=Shape.ONE_EXIT, options=("trace",)),
    Capabilities(
        "onthefly",
        "onthefly",
        _CTL_STAR,
        Shape.NO_RECURSION,
        computed=_CTL_STAR,
        options=("depth",),
        shows=True,
        hint=_WITHOUT_DEPTH,
    ),
    Capabilities("game", "game", _MU, shows=True),
    Capabilities(
        "auto", "auto", _CTL_STAR | _MU, computed=_CTL_STAR, options=("depth",), parallel=True
    ),
)
TABLE: Mapping[str, Capabilities] = {row.name: row for row in _ROWS}
"""By name. `auto` is a choice among the others: the first that takes the formula's logic."""


def logic_of(formula: Formula) -> Fragment:
    """The least logic that a formula is in, as engines see it."""
    return Fragment.CTL if formula.is_ctl else formula.fragment


def capabilities(engine: Engine) -> Capabilities:
    """What an engine can do. One that is not in the table takes CTL on all models."""
    return TABLE.get(engine.name, Capabilities(engine.name, ""))


class _Engines(Mapping[str, "Engine"]):
    """All engines. Each is imported when it is asked for."""

    def __getitem__(self, name: str) -> Engine:
        if name == "auto" or name not in TABLE:
            raise KeyError(name)
        return choose_engine(name)

    def __iter__(self) -> Iterator[str]:
        return (name for name in TABLE if name != "auto")

    def __len__(self) -> int:
        return len(TABLE) - 1


ENGINES = _Engines()
"""By name, without `auto`."""


def choose_engine(name: str) -> Engine:
    """The engine of that name. `CheckError` P403 if there is none."""
    if name not in TABLE:
        known = ["auto", *ENGINES]
        raise CheckError(
            "P403",
            f"there is no engine {name!r}",
            hint=did_you_mean(str(name), known) or f"engines: {', '.join(known)}",
        )
    engine: Engine = getattr(import_module(f"pigro.engines.{TABLE[name].home}"), name.upper())
    return engine


def require_option(engine: Engine, option: str) -> None:
    """`UsageError` P006 if the engine has no such option."""
    if option in capabilities(engine).options:
        return
    names = [row.name for row in _ROWS if option in row.options]
    listed = f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]
    raise UsageError(
        "P006",
        f"engine {engine.name} has no --{option}",
        hint=f"--{option} goes with --engine {listed}",
    )


_TAKES_MU = (
    "use --engine game (or auto), which takes all models, or `pigro compose`, which takes parts"
)


def require_logic(engine: Engine, formula: Formula) -> Formula:
    """The formula itself. CheckError P401 if it is not in CTL and the engine needs that.

    P408 if it is one of the mu-calculus, and the engine does not take that. P410 if it names
    actions, which models have none of.
    """
    if capabilities(engine).takes(formula):
        return formula if formula.fragment is not Fragment.MU else _without_actions(formula)
    formula.refuse_mu(f", which engine {engine.name} does not take", _TAKES_MU)
    try:
        return formula.require_ctl()
    except CheckError as error:
        error.hint = f"{error.hint}; or use --engine demand (or auto), which takes all of CTL*"
        raise


def _without_actions(formula: Formula) -> Formula:
    from pigro.logic.modal import modal_form

    for names in modal_form(formula).actions:
        message = f"the formula names the action {quoted(names[0])}, but models have no actions"
        hint = "write <> or []; parts with actions are checked by `pigro compose`"
        raise CheckError("P410", message, hint=hint)
    return formula
