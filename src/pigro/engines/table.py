"""All engines, and what each of them can do: data that is read before an engine is imported.

Packages can add engines without touching this folder. A package has a tuple `ENGINES` of records
like those below, and an entry point of the group `pigro.engines` leads to it. Pigro's own
`pigro.papers` is such a package. It is known here by name, because looking entry points up takes
longer than most checks. Packages are asked only when an engine is none of this folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from typing import TYPE_CHECKING

from pigro.diagnostics import CheckError, UsageError, did_you_mean, printable
from pigro.logic.operators import Fragment
from pigro.model.kinds import SubjectKind
from pigro.model.mistakes import quoted
from pigro.options import METHODS
from pigro.records import Record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.metadata import EntryPoint

    from pigro.engines.engine import Engine
    from pigro.logic import Formula
    from pigro.options import Method


class ModelClass(StrEnum):
    """Which models an engine takes. The engine's `fits` says why it does not take another one."""

    ANY = "any"
    ONE_EXIT = "one entry and one exit per component"
    NO_RECURSION = "no recursion, unless a depth is given"


_CTL = frozenset({Fragment.CTL})
_CTL_STAR = frozenset({Fragment.CTL, Fragment.LTL, Fragment.CTL_STAR, Fragment.ECTL_STAR})
_MU = frozenset({Fragment.CTL, Fragment.MU})
_ALL = _CTL_STAR | _MU
_MODELS = frozenset({SubjectKind.MODEL})
_COMPOSITIONS = frozenset({SubjectKind.COMPOSITION})


class Capabilities(Record, frozen=True):
    """What an engine can do."""

    name: str
    home: str
    """The module that has it, under its name in capitals."""
    logics: frozenset[Fragment] = _CTL
    subjects: frozenset[SubjectKind] = _MODELS
    shape: ModelClass = ModelClass.ANY
    computed: frozenset[Fragment] = frozenset()
    """The logics for which it needs no list of states that are computed on demand."""
    options: tuple[str, ...] = ()
    """The options of a request that it takes besides the usual ones."""
    proves: bool = False
    """Whether it makes certificates itself, for CTL*. For the others, `demand` does."""
    shows: bool = False
    """Whether it makes evidence without certificates. For others beyond CTL, `onthefly` does."""
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


def _method(name: str, row: Method) -> Capabilities:
    """A method for compositions."""
    logics = _ALL if row.has_paths else _MU
    return Capabilities(
        name,
        row.home,
        logics,
        _COMPOSITIONS,
        computed=logics,
        options=("dead_ends", *row.options, *(("witness",) if row.shows else ())),
        shows=row.shows,
        actions=True,
    )


OWN = (
    Capabilities("demand", "pigro.engines.native", _CTL_STAR, proves=True, options=("jobs",)),
    Capabilities(
        "onthefly",
        "pigro.engines.onthefly",
        _CTL_STAR,
        shape=ModelClass.NO_RECURSION,
        computed=_CTL_STAR,
        options=("depth",),
        shows=True,
        hint=_WITHOUT_DEPTH,
    ),
    Capabilities("game", "pigro.engines.game", _MU, shows=True),
    Capabilities("exhaustive", "pigro.engines.native", _CTL_STAR, proves=True, options=("jobs",)),
    Capabilities(
        "auto",
        "pigro.engines.auto",
        _ALL,
        computed=_CTL_STAR,
        options=("depth", "jobs"),
    ),
    *(_method(name, row) for name, row in METHODS.items()),
)
"""Of this folder. `auto` is a choice among those for models: the first that takes the formula's
logic."""
PACKAGES = ("pigro.papers",)
"""Those of Pigro that have engines. Without one of them everything else works."""
GROUP = "pigro.engines"
"""The entry points of other packages."""


class _EngineTable(Mapping[str, Capabilities]):
    """By name: the engines of this folder, then those of packages, which are asked when needed."""

    def __init__(self) -> None:
        self._found = {row.name: row for row in OWN}
        self._left = [_packaged, _plugged_in]

    def _ask(self) -> bool:
        """Asks for more engines. False if all are known."""
        if not self._left:
            return False
        for row in self._left[0]():
            self._found.setdefault(row.name, row)
        self._left.pop(0)
        return True

    def __getitem__(self, name: str) -> Capabilities:
        while name not in self._found and self._ask():
            pass
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        told = 0
        while told < len(self._found) or self._ask():
            names = list(self._found)[told:]
            told += len(names)
            yield from names

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _packaged() -> Iterator[Capabilities]:
    for name in PACKAGES:
        if find_spec(name) is not None:
            yield from import_module(name).ENGINES


def _plugged_in() -> Iterator[Capabilities]:
    from importlib.metadata import entry_points

    for point in entry_points(group=GROUP):
        try:
            rows = _loaded(point)
        except Exception as error:  # noqa: BLE001 - whatever the package raises
            raise UsageError(
                "P019",
                f"the plug-in {printable(point.value)} of engines: loading it fails with "
                f"{type(error).__name__}: {printable(str(error))}",
                hint="this is a fault of the package that has it, not of Pigro",
            ) from None
        yield from rows


def _loaded(point: EntryPoint) -> tuple[Capabilities, ...]:
    rows = tuple(point.load().ENGINES)
    if not all(isinstance(row, Capabilities) for row in rows):
        raise TypeError("ENGINES has other things than Capabilities")
    return rows


TABLE = _EngineTable()


def names_for(kind: SubjectKind) -> tuple[str, ...]:
    """The names of the engines that take subjects of a kind."""
    return tuple(row.name for row in TABLE.values() if kind in row.subjects)


def logic_of(formula: Formula) -> Fragment:
    """The least logic that a formula is in, as engines see it."""
    return Fragment.CTL if formula.is_ctl else formula.fragment


def capabilities(engine: Engine) -> Capabilities:
    """What an engine can do. One that is not in the table takes CTL on all models."""
    return TABLE.get(engine.name, Capabilities(engine.name, ""))


_OF_PACKAGES = {
    SubjectKind.MODEL: ("trace", "variant", "seed", "heuristic"),
    SubjectKind.COMPOSITION: (),
}
"""Options that only engines of packages take."""


def options_for(kind: SubjectKind) -> tuple[str, ...]:
    """The options that some engines for a kind of subject take, besides the usual ones."""
    rows = (row for row in OWN if kind in row.subjects)
    return tuple(dict.fromkeys(chain(*(row.options for row in rows), _OF_PACKAGES[kind])))


class _ModelEngines(Mapping[str, "Engine"]):
    """All engines for models. Each is imported when it is asked for."""

    def __getitem__(self, name: str) -> Engine:
        if name == "auto" or SubjectKind.MODEL not in TABLE[name].subjects:
            raise KeyError(name)
        return choose_engine(name)

    def __iter__(self) -> Iterator[str]:
        return (name for name in names_for(SubjectKind.MODEL) if name != "auto")

    def __len__(self) -> int:
        return len(names_for(SubjectKind.MODEL)) - 1


ENGINES = _ModelEngines()
"""By name: those for models, without `auto`."""


def choose_engine(name: str, kind: SubjectKind = SubjectKind.MODEL) -> Engine:
    """The engine of that name for a kind of subject. `CheckError` P403 if there is none.

    `UsageError` P006 for a composition, whose engines are called methods.
    """
    if name not in TABLE or kind not in TABLE[name].subjects:
        known = names_for(kind)
        if kind is SubjectKind.COMPOSITION:
            hint = did_you_mean(str(name), known) or f"methods: {', '.join(known)}"
            raise UsageError("P006", f"there is no method {name!r}", hint=hint)
        known = ("auto", *ENGINES)
        hint = did_you_mean(str(name), known) or f"engines: {', '.join(known)}"
        raise CheckError("P403", f"there is no engine {name!r}", hint=hint)
    home = import_module(TABLE[name].home)
    engine: Engine = getattr(home, name.upper().replace("-", "_"))
    return engine


def require_option(engine: Engine, option: str, name: str | None = None) -> None:
    """`UsageError` P006 if the engine has no such option, which the caller calls by that name."""
    if option in capabilities(engine).options:
        return
    name = name or f"--{option}"
    kinds = capabilities(engine).subjects
    names = [row.name for row in TABLE.values() if option in row.options and kinds & row.subjects]
    listed = f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]
    if SubjectKind.COMPOSITION in kinds:
        message = f"method {engine.name} has no {name}"
        raise UsageError("P006", message, hint=f"choose the method {listed}, or leave it out")
    message = f"engine {engine.name} has no {name}"
    raise UsageError("P006", message, hint=f"{name} goes with --engine {listed}")


def with_options(engine: Engine, **options: object) -> Engine:
    """The engine, set up so. `UsageError` P006 for an option that it does not have.

    >>> with_options(choose_engine("lazy"), heuristic="all").heuristic
    'all'
    """
    for name in options:
        require_option(engine, name)
    return engine.with_options(**options) if options else engine


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
