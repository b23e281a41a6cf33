"""What a program calls: `check`, `check_all` and `compose_check`. Each makes a `Request`."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any, TypedDict

from pigro.diagnostics import Problems, UsageError
from pigro.limits import NO_LIMITS, Budget, OutOfMemory, OutOfTime, require_jobs
from pigro.logic import Formula
from pigro.model import RSM
from pigro.session.asking import ask, seen
from pigro.session.reading import prepare
from pigro.session.request import OF_MODELS, Request

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Unpack

    from pigro.limits import Limits
    from pigro.model.composition import Composition
    from pigro.model.part import Part
    from pigro.session.request import Question
    from pigro.verdict import Verdict


class Options(TypedDict, total=False):
    """How to check. All that the command line can say. See `Request`."""

    files: Sequence[str]
    use_def: Sequence[str]
    requirements: Sequence[str]
    starts: Sequence[str]
    format: str | None
    semantics: str
    dead_ends: str | None
    engine: str
    method: str
    refine: str
    assumption: bool
    depth: int | None
    heuristic: str | None
    seed: int | None
    variant: str | None
    trace: bool
    strict: bool
    jobs: int
    witness: bool
    certify: bool
    verify: bool
    timeout: float | None
    timeout_each: float | None
    memory: float | None


_OF_SYSTEMS = ("strict", "trace", "method", "refine", "assumption", "dead_ends")
"""Options that make no sense for systems."""
_OF_MANY = ("files", "use_def", "requirements")


def check(subject: Any, formula: Formula | str, **options: Unpack[Options]) -> Verdict:
    """Does the formula hold in every initial node of the model?

    Labels that no node carries are false, with an `UnknownLabelWarning`. With `strict` they are an
    error. `[]` and `<>` are single steps, with a `SingleStepWarning` if the formula looks like LTL
    as SPIN writes it. `timeout` in seconds and `memory` in bytes (of the whole process) bound the
    check. Beyond them the verdict is unknown: `holds` is None. Without `memory` the bound is 80 %
    of what the machine, or the control group of the process, has. `math.inf` is no bound. With
    `witness` the verdict has `evidence`: runs that show why, or a strategy for the mu-calculus.
    With `certify` it also has a `certificate`: a proof for `check_certificates`. With
    `verify` that is checked at once. Both are for CTL. Evidence and proofs are left out where the
    limits leave no room for them. Formulas beyond CTL need a model without recursion, or a
    `depth`: calls are followed up to that deep, and a verdict that depends on deeper ones is
    unknown. `starts` are names of nodes to start at. The others are `engine` and its `heuristic`,
    `seed`, `variant` and `trace` (docs/engines.md). Raises `FormulaError` for text that is no
    formula, `CheckError` for one that the engine can't check.

    Instead of a model there may be the name of its file. Then `format`, `semantics` and
    `dead_ends` say how to read it, as for `load`. Or there may be a system: an object with an
    `initial` state and with methods `successors(state)` and `labels(state)` (docs/on-the-fly.md).
    Its states may be any hashable values, and any number: only those are looked at that the answer
    needs. Its verdict has a `run` where one run shows it, asked for or not. Or there may be a
    `Composition` of parts, or these (docs/compose.md), with `method`, `refine`, `assumption` and
    `dead_ends` as for `compose_check`. The limits count from the reading of a file on. If they end
    before it is read, that is a `TimeoutError` or a `MemoryError`.

    >>> from pigro import kripke
    >>> model = kripke({"a": ["b"], "b": ["b"]}, labels={"b": ["done"]}, initial="a")
    >>> verdict = check(model, "AF done")
    >>> verdict.holds, verdict.reason
    (True, 'every run reaches a state with done')
    """
    for name in _OF_MANY:
        if options.get(name):
            raise UsageError("P006", f"{name} is for check_all: check is about one formula")
    return _answered(request_of(subject, (formula,), options))[0]


def check_all(
    subject: Any, formulas: Iterable[Formula | str] = (), **options: Unpack[Options]
) -> list[Verdict]:
    """Checks many formulas on one model, on `jobs` threads. Their verdicts, in order.

    All formulas are parsed, and refused if the engine can't check them, before the first is
    checked. `timeout` is for all of them together, `timeout_each` for each. Both may be given.
    `use_def` names variables whose use-def formulas are checked too, or `all`, `requirements` has
    requirements as NAME[:VARIABLE|all]. `files` are files of formulas. The others are as for
    `check`.
    """
    _refuse_mistakes(subject, formulas)
    return _answered(request_of(subject, tuple(formulas), options))


def compose_check(  # noqa: PLR0913 - how to check is said by name
    composition: Composition | Part | Iterable[Part],
    formula: Formula | str,
    *,
    method: str = "concrete",
    refine: str = "many",
    hyper: bool = True,
    dead_ends: str = "stutter",
    strict: bool = False,
    limits: Limits = NO_LIMITS,
    tick: Callable[[], None] | None = None,
    budget: Budget | None = None,
    witness: bool = False,
    assumption: bool = False,
) -> Verdict:
    """Does a formula hold in every initial state of a composition?

    It may be of the mu-calculus, CTL, LTL or CTL*. If it is of LTL or CTL* and the parts are not
    finished, the verdict is about all ways to finish them, and `verdict.depends` says whether these
    differ.

    Parts that are not composed yet, or one part, will do as well.
    `dead_ends` says how CTL reads states without a next state, as for `check`. The mu-calculus
    speaks of steps only, and needs no reading. Labels that no part sees are false, with an
    `UnknownLabelWarning`. With `strict` they are an error. Beyond the limits the verdict is
    unknown. `refine` is how methods that refine take causes of doubt: `many` in a round, or `one`,
    as the paper does. With `hyper` their blocks have steps that must be there, to one of several
    blocks, so that a position that is decided stays decided. `tick` is called every few
    milliseconds and may raise to stop. A `budget` says both for several questions of one run, of
    which this is one. With `witness` the verdict has `evidence`: a strategy that wins the game, for
    all methods but `symbolic`. With `assumption`, methods that refine also give
    `verdict.assumption`: the composition of the abstract parts that they made. It decides the
    formula the same, and `pigro.save` writes it.

    >>> from pigro import Composition, PartBuilder
    >>> one = PartBuilder("one", labels=["p", "go"]).state("a", "p", initial=True).step("a", "a")
    >>> two = PartBuilder("two", labels=["q", "go"]).state("b", initial=True).step("b", "b")
    >>> system = Composition([one.build(), two.build()])
    >>> verdict = compose_check(system, "nu Z. p & [] Z")
    >>> verdict.holds, verdict.reason
    (True, 'part one decides it alone, whatever the others do')
    >>> compose_check(system, "nu Z. p & <> Z").reason
    'it takes all parts together'
    """
    from pigro.model.composition import as_composition  # noqa: PLC0415 - few need it

    request = Request(
        as_composition(composition),
        (formula,),
        method=method,
        refine=refine,
        hyper=hyper,
        dead_ends=dead_ends,
        strict=strict,
        witness="full" if witness else "none",
        assumption=assumption,
    )
    return _answered(request, Budget(limits) if budget is None else budget, tick)[0]


def request_of(subject: Any, formulas: tuple[Formula | str, ...], options: Options) -> Request:
    """The request that says the same. `UsageError` P006 for options that do not go together."""
    unknown = [name for name in options if name not in Options.__annotations__]
    if unknown:
        raise TypeError(f"check() got an unexpected keyword argument {unknown[0]!r}")
    said: dict[str, Any] = dict(options)
    proves = said.get("certify") or said.get("verify")
    said["witness"] = "full" if said.get("witness") else "proved" if proves else "none"
    for name in ("files", "use_def", "requirements", "starts"):
        if isinstance(said.get(name), (str, os.PathLike)):
            raise UsageError("P006", f"{name} can't be one name", hint="give a list of names")
        said[name] = tuple(said.get(name) or ())
    said["files"] = tuple(map(os.fspath, said["files"]))
    if "jobs" in said:
        said["jobs"] = require_jobs(said["jobs"])
    is_file = isinstance(subject, (str, os.PathLike))
    request = Request((os.fspath(subject),) if is_file else subject, formulas, **said)
    if not is_file and isinstance(subject, RSM):
        for name in ("format", "semantics", "dead_ends"):
            if said.get(name) is not None:
                hint = "give the name of the file, or say it when the model is loaded"
                raise UsageError("P006", f"{name} is for files, not for models", hint=hint)
    elif not is_file:
        _refuse_options(request)
    return request


def _answered(
    request: Request, budget: Budget | None = None, tick: Callable[[], None] | None = None
) -> list[Verdict]:
    """The verdicts, with warnings for the caller of the caller. Raises the first error."""
    try:
        question: Question = prepare(request, budget, tick=tick)
    except Problems as problems:
        raise problems.errors[0] from None
    except OutOfTime as end:
        raise TimeoutError(f"the {end} was reached while the input was read") from None
    except OutOfMemory as end:
        raise MemoryError(f"the {end} was reached while the input was read") from None
    for notice in question.notices:
        warnings.warn(notice.text, notice.kind, stacklevel=3)
    outcome = ask(question)
    for text in seen(question):
        warnings.warn(text, UserWarning, stacklevel=3)
    if outcome.stopped_by is not None:
        raise outcome.stopped_by
    return list(outcome.verdicts)


def _refuse_options(request: Request) -> None:
    """`UsageError` for options that make sense for models only."""
    from pigro.session.parts import is_composed, refuse_options  # noqa: PLC0415 - few need it

    if is_composed(request.subject):
        refuse_options(request, (*OF_MODELS, "format"), "compositions", "game")
    else:
        refuse_options(request, (*_OF_SYSTEMS, *OF_MODELS, "format"), "systems", "onthefly")


def _refuse_mistakes(subject: object, formulas: object) -> None:
    """`UsageError` for one formula, and for a system."""
    if isinstance(formulas, (str, Formula)):
        raise UsageError("P006", "formulas can't be one formula", hint="give a list of formulas")
    if not isinstance(subject, (RSM, str, os.PathLike)):
        from pigro.session.parts import is_composed  # noqa: PLC0415 - few need it

        hint = "ask check about each formula"
        what = "compositions" if is_composed(subject) else "systems"
        raise UsageError("P006", f"check_all is for models, not for {what}", hint=hint)
