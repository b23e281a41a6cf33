"""What a program calls: `check`, `check_all` and `compose_check`. Each makes a `Request`."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Unpack

from pigro.diagnostics import InputProblems, UsageError
from pigro.lazy_names import type_names
from pigro.limits import NO_LIMITS, Budget, Limits, OutOfMemory, OutOfTime, require_jobs
from pigro.logic import Formula
from pigro.options import Options
from pigro.session.asking import ask
from pigro.session.prepare import prepare
from pigro.session.request import Request

if TYPE_CHECKING:
    from pigro.model.composition import Composition
    from pigro.model.part import Part
    from pigro.session.request import CheckOutcome
    from pigro.verdict import Verdict
else:
    type_names(
        globals(),
        {
            "pigro.model.composition": "Composition",
            "pigro.model.part": "Part",
            "pigro.verdict": "Verdict",
        },
    )


_OF_MANY = ("files", "use_def", "requirements")


def check(subject: Any, formula: Formula | str, **options: Unpack[Options]) -> Verdict:
    """Checks whether a formula holds in every initial node of a model.

    `subject` can be one of these:

    - A model, as `load` and `ModelBuilder` make it.
    - The name of a model file. `format`, `semantics` and `dead_ends` are then used as for `load`.
    - A `System`: a Python object with `initial`, `successors` and `labels`. Only states that the
      answer needs are looked at. `verdict.trace()` shows it, if one run is enough.
    - A `Composition`, a `Part` or several parts. `compose_check` has more options for them.

    If a limit is reached, the verdict is unknown: `verdict.holds` is None. Evidence and proofs are
    left out if the limits leave no room for them. If a limit is reached while the file is read, you
    get a `TimeoutError` or a `MemoryError`.

    A label that no node carries is false, and you get an `UnknownLabelWarning`. You get a
    `SingleStepWarning` if `[]` or `<>` looks like LTL in the notation of SPIN, and a
    `BracketWarning` if brackets are missing that say how `AG p U q` is meant.

    Raises `FormulaError` if the text is not a formula, and `CheckError` if the engine can't check
    the formula on this model.

    >>> import pigro
    >>> model = pigro.kripke({"a": ["b"], "b": ["b"]}, labels={"b": ["done"]}, initial="a")
    >>> verdict = pigro.check(model, "AF done")
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
    """Checks many formulas on one subject, and returns their verdicts in the same order.

    Takes the same subjects as `check`. All formulas are parsed, and refused if the engine can't
    check them, before the first one is checked. `jobs` of them are checked at a time.

    >>> import pigro
    >>> model = pigro.load("examples/dataflow.rsm")
    >>> for verdict in pigro.check_all(model, ["AF use_i", "AG (def_i -> EF use_i)"], timeout=60):
    ...     print(verdict.outcome, verdict.formula)
    holds AF use_i
    fails AG (def_i -> EF use_i)
    """
    if isinstance(formulas, (str, Formula)):
        raise UsageError("P006", "formulas can't be one formula", hint="give a list of formulas")
    return _answered(request_of(subject, tuple(formulas), options))


def compose_check(  # noqa: PLR0913 - how to check is said by name
    composition: Composition | Part | Iterable[Part],
    formula: Formula | str,
    *,
    method: str = "concrete",
    refine: str | None = None,
    hyper: bool = True,
    dead_ends: str = "stutter",
    strict: bool = False,
    limits: Limits = NO_LIMITS,
    tick: Callable[[], None] | None = None,
    budget: Budget | None = None,
    witness: bool = False,
    assumption: bool = False,
) -> Verdict:
    """Checks whether a formula holds in every initial state of a composition.

    You can also give one part, or several parts that are not composed yet. The formula may be of
    the mu-calculus, CTL, LTL or CTL*. If the parts are not finished, a verdict about LTL or CTL* is
    about all ways to finish them, and `verdict.details.depends` says whether these ways differ.

    - `method` is `concrete`, `refine`, `refine-one`, `symbolic` or `full` (docs/compose.md).
    - `refine` is for methods that refine: `many` causes of doubt in a round (the default), or
      `one`. With it, `symbolic` checks abstract parts and refines them.
    - `hyper` is for them too: blocks have hyper-steps, so that decided positions stay decided.
    - `dead_ends` says how CTL reads states without a next state: `stutter` or `stop`. The
      mu-calculus is about steps only, and does not need it.
    - `strict` makes labels that no part sees an error. Otherwise they are false, with an
      `UnknownLabelWarning`.
    - `limits` bound time and memory. Beyond them the verdict is unknown. `tick` is called every few
      milliseconds, and may raise to stop. Give a `budget` instead if several checks share limits.
    - `witness` adds `verdict.evidence`: a strategy that wins the game. The method `predicates`
      does not take it.
    - `assumption` is for methods that refine. It adds `verdict.details.assumption`: the
      composition of the abstract parts that decided the formula. `pigro.save` writes it.

    >>> import pigro
    >>> one = pigro.PartBuilder("one", labels=["p", "go"]).state("a", "p", initial=True)
    >>> two = pigro.PartBuilder("two", labels=["q", "go"]).state("b", initial=True)
    >>> parts = [one.step("a", "a").build(), two.step("b", "b").build()]
    >>> verdict = pigro.compose_check(parts, "nu Z. p & [] Z")
    >>> verdict.holds, verdict.reason
    (True, 'part one decides it alone, whatever the others do')
    >>> pigro.compose_check(parts, "nu Z. p & <> Z").reason
    'decided on the composition of all parts'
    """
    from pigro.model.composition import as_composition

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
    return Request((os.fspath(subject),) if is_file else subject, formulas, **said)


def _answered(
    request: Request, budget: Budget | None = None, tick: Callable[[], None] | None = None
) -> list[Verdict]:
    """The verdicts, with warnings for the caller of the caller. Raises the first error."""
    outcome = outcome_of(request, budget, tick)
    for notice in outcome.question.notices:
        warnings.warn(notice.text, notice.kind, stacklevel=3)
    for text in outcome.notes:
        warnings.warn(text, UserWarning, stacklevel=3)
    return list(outcome.verdicts)


def outcome_of(
    request: Request, budget: Budget | None = None, tick: Callable[[], None] | None = None
) -> CheckOutcome:
    """The outcome of a request. Raises the first error."""
    try:
        question = prepare(request, budget, tick=tick)
    except InputProblems as problems:
        raise problems.errors[0] from None
    except OutOfTime as end:
        raise TimeoutError(f"the {end} was reached while the input was read") from None
    except OutOfMemory as end:
        raise MemoryError(f"the {end} was reached while the input was read") from None
    outcome = ask(question)
    if outcome.stopped_by is not None:
        raise outcome.stopped_by
    return outcome
