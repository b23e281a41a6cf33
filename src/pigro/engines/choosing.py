"""Which engine answers, and the question asked of it: `check` and `check_all`."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar, cast, overload

from pigro.diagnostics import CheckError, UsageError, did_you_mean
from pigro.engines.auto import AutoEngine, require_fits, with_depth
from pigro.engines.engine import require_logic, require_provable
from pigro.engines.labels import UnknownLabelWarning, unknown_labels
from pigro.engines.single_steps import SingleStepWarning, single_steps
from pigro.limits import Budget, Limits, require_jobs
from pigro.logic import Formula, parse
from pigro.model import RSM
from pigro.model.composition import Composition, as_composition
from pigro.model.part import Part

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pigro.engines.engine import Engine
    from pigro.engines.game import CompositionVerdict
    from pigro.engines.onthefly.implicit import SystemVerdict
    from pigro.engines.onthefly.system import System
    from pigro.engines.verdict import Verdict

S = TypeVar("S", bound=Hashable)

_AUTO = AutoEngine()
_HOME = {  # the module of each; there, its name is in capitals
    "demand": "native",
    "exhaustive": "native",
    "eager": "contexts",
    "lazy": "contexts",
    "ternary": "contexts",
    "random": "contexts",
    "incremental": "incremental",
    "knowledge": "incremental.knowledge",
    "basic": "basic",
    "onthefly": "onthefly",
    "game": "game",
}


class _Engines(Mapping[str, "Engine"]):
    """All engines; each is imported when it is asked for."""

    def __getitem__(self, name: str) -> Engine:
        engine: Engine = getattr(import_module(f"pigro.engines.{_HOME[name]}"), name.upper())
        return engine

    def __iter__(self) -> Iterator[str]:
        return iter(_HOME)

    def __len__(self) -> int:
        return len(_HOME)


ENGINES = _Engines()
"""By name; `auto` is a choice among them."""


def choose_engine(name: str) -> Engine:
    """The engine of that name; `CheckError` P403 if there is none."""
    if name == "auto":
        return _AUTO
    if name not in _HOME:
        known = ["auto", *ENGINES]
        raise CheckError(
            "P403",
            f"there is no engine {name!r}",
            hint=did_you_mean(name, known) or f"engines: {', '.join(known)}",
        )
    return ENGINES[name]


@overload
def check(
    model: RSM,
    formula: Formula | str,
    *,
    engine: str = "auto",
    strict: bool = False,
    timeout: float | None = None,
    memory: float | None = None,
    depth: int | None = None,
    witness: bool = False,
    certify: bool = False,
    verify: bool = False,
) -> Verdict: ...


@overload
def check(
    model: Composition | Part | Sequence[Part],
    formula: Formula | str,
    *,
    engine: str = "auto",
    strict: bool = False,
    timeout: float | None = None,
    memory: float | None = None,
    witness: bool = False,
) -> CompositionVerdict: ...


@overload
def check(
    model: System[S],
    formula: Formula | str,
    *,
    engine: str = "auto",
    timeout: float | None = None,
    memory: float | None = None,
    witness: bool = False,
) -> SystemVerdict[S]: ...


def check(  # noqa: PLR0913 - how to check is said by name
    model: RSM | Composition | Part | Sequence[Part] | System[S],
    formula: Formula | str,
    *,
    engine: str = "auto",
    strict: bool = False,
    timeout: float | None = None,
    memory: float | None = None,
    depth: int | None = None,
    witness: bool = False,
    certify: bool = False,
    verify: bool = False,
) -> Verdict | CompositionVerdict | SystemVerdict[S]:
    """Does the formula hold in every initial node of the model?

    Labels that no node carries are false, with an `UnknownLabelWarning`; with `strict` they are an
    error. `[]` and `<>` are single steps, with a `SingleStepWarning` if the formula looks like LTL
    as SPIN writes it. `timeout` in seconds and `memory` in bytes (of the whole process) bound the
    check; beyond them the verdict is unknown: `holds` is None. Without `memory` the bound is 80 %
    of what the machine, or the control group of the process, has; `math.inf` is no bound. With
    `witness` the verdict has `evidence`: runs that show why, but for the mu-calculus there are
    none. They are found when asked for, without limits. With `certify` it has a `certificate`: a
    proof for `check_certificates`; with `verify` that is checked at once; both are for CTL. Proofs
    are left out where the limits leave no room for them. Formulas beyond CTL need a model without
    recursion, or a `depth`: calls are followed up to that deep, and a verdict that depends on
    deeper ones is unknown. Raises `FormulaError` for text that is no formula, `CheckError` for one
    that the engine can't check.

    Instead of a model there may be a system: an object with an `initial` state and with methods
    `successors(state)` and `labels(state)` (docs/on-the-fly.md). Its states may be any hashable
    values, and any number: only those are looked at that the answer needs. Its `SystemVerdict` has
    a `run` where one run shows it, asked for or not. Or there may be a `Composition` of parts,
    or these (docs/compose.md); `compose_check` has more to say about how to check these.

    >>> from pigro import kripke
    >>> model = kripke({"a": ["b"], "b": ["b"]}, labels={"b": ["done"]}, initial="a")
    >>> verdict = check(model, "AF done")
    >>> verdict.holds, verdict.reason
    (True, 'every run reaches a state with done')
    """
    if not isinstance(model, RSM):
        limits = Limits(timeout, memory)
        said = {"depth": depth, "certify": certify, "verify": verify}
        parts = _parts(model)
        if parts is not None:
            _refuse_options(engine, "game", "compositions", said)
            from pigro.engines.game import compose_check  # noqa: PLC0415 - few need it

            return compose_check(parts, formula, strict=strict, limits=limits, witness=witness)
        _refuse_options(engine, "onthefly", "systems", {"strict": strict, **said})
        from pigro.engines.onthefly.implicit import check_system  # noqa: PLC0415 - few need it

        return check_system(cast("System[S]", model), formula, limits=limits)
    return _check_all(
        [formula],
        model,
        engine,
        strict=strict,
        limits=Limits(timeout, memory),
        depth=depth,
        witness=witness,
        certify=certify,
        verify=verify,
    )[0]


def _parts(model: object) -> Composition | None:
    """What is to be composed; None for a system, which may be a tuple with a name."""
    if isinstance(model, (Composition, Part)) or type(model) in (list, tuple):
        return as_composition(cast("Composition | Part | Sequence[Part]", model))
    return None


def _refuse_options(engine: str, right: str, what: str, options: Mapping[str, object]) -> None:
    """`UsageError` for what makes sense for models only."""
    if engine not in {"auto", right}:
        choose_engine(engine)
        hint = f"{what} are checked by {right}, which auto picks"
        raise UsageError("P006", f"engine {engine} checks models, not {what}", hint=hint)
    for name, value in options.items():
        if value:
            raise UsageError("P006", f"{name} is for models, not for {what}")


def _refuse_mistakes(model: object, formulas: object) -> None:
    """`UsageError` for one formula, and for a system."""
    if isinstance(formulas, (str, Formula)):
        raise UsageError("P006", "formulas can't be one formula", hint="give a list of formulas")
    if not isinstance(model, RSM):
        hint = "ask check about each formula"
        what = "compositions" if isinstance(model, Composition) else "systems"
        raise UsageError("P006", f"check_all is for models, not for {what}", hint=hint)


def check_all(  # noqa: PLR0913 - how to check is said by name
    model: RSM,
    formulas: Iterable[Formula | str],
    *,
    engine: str = "auto",
    strict: bool = False,
    timeout: float | None = None,
    timeout_each: float | None = None,
    memory: float | None = None,
    jobs: int = 1,
    depth: int | None = None,
    witness: bool = False,
    certify: bool = False,
    verify: bool = False,
) -> list[Verdict]:
    """Checks many formulas on one model, on `jobs` threads; their verdicts, in order.

    All formulas are parsed, and refused if the engine can't check them, before the first is
    checked. `timeout` is for all of them together, `timeout_each` for each; both may be given.
    The others are as for `check`.
    """
    _refuse_mistakes(model, formulas)
    return _check_all(
        formulas,
        model,
        engine,
        strict=strict,
        limits=Limits(timeout, memory, timeout_each),
        jobs=jobs,
        depth=depth,
        witness=witness,
        certify=certify,
        verify=verify,
    )


def _check_all(  # noqa: PLR0913 - see above
    formulas: Iterable[Formula | str],
    model: RSM,
    engine: str,
    *,
    strict: bool,
    limits: Limits,
    jobs: int = 1,
    depth: int | None,
    witness: bool,
    certify: bool,
    verify: bool,
) -> list[Verdict]:
    jobs = require_jobs(jobs)
    budget = Budget(limits)
    run = choose_engine(engine)
    if depth is not None:
        run = with_depth(run, depth)
    parsed = [parse(each) if isinstance(each, str) else each for each in formulas]
    for each in parsed:
        require_logic(run, each)
        if certify or verify:
            require_provable(each)
    model = model.about(atom for each in parsed for atom in each.atoms)
    require_fits(run, model, parsed)
    unknown = unknown_labels(model, parsed)
    if unknown and strict:
        raise unknown.as_error()
    if unknown:
        warnings.warn(unknown.message(), UnknownLabelWarning, stacklevel=3)
    steps = single_steps(parsed)
    if steps is not None:
        warnings.warn(steps, SingleStepWarning, stacklevel=3)
    if not witness and not certify and not verify:
        return run.check_all(model, parsed, jobs=jobs, budget=budget)
    from pigro.engines.proving import Proofs, check_and_prove  # noqa: PLC0415 - few need it

    verdicts: list[Verdict] = []
    check_and_prove(
        run,
        [(model, parsed)],
        shortest=witness,
        jobs=jobs,
        budget=budget,
        on_verdict=verdicts.append,
    )
    if not certify and not verify:
        return verdicts
    proofs = Proofs(model, verify=verify, shortest=witness, budget=budget)
    return [proofs.take(each) for each in verdicts]
