"""From what the command line of `pigro compose` asks to a question: all input is read here.

Needs: nothing. Leaves: a `Question` in which everything fits together, or `Problems` with all that
does not, in the order: output, parts, composition, formulas, labels.
"""

from __future__ import annotations

import shlex
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pigro.cli.destination import STDOUT, check_destination
from pigro.cli.failures import Problems
from pigro.cli.formulas import fitting, parse_arguments, parse_file, polled
from pigro.cli.progress import loading
from pigro.diagnostics import PigroError, Position, UsageError, printable
from pigro.engines import single_steps
from pigro.engines.game.checking import (
    require_formula,
    require_method,
    require_modal,
    unknown_names,
)
from pigro.formats.parts import load_parts, together
from pigro.formats.source import read_content
from pigro.limits import Budget, Limits, unwatched
from pigro.logic import parse
from pigro.model.composition import Composition

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.cli.formulas import Require
    from pigro.formats.parts import PartsFile
    from pigro.limits import Poll
    from pigro.logic import Formula

_FEWEST_TO_ORDER = 3
"""Parts; of two it does not matter which is first."""


@dataclass(frozen=True, slots=True)
class Request:
    """A command line of `pigro compose`, as given."""

    parts: tuple[str, ...]
    formulas: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    method: str = "concrete"
    dead_ends: str = "stutter"
    trace: bool = False
    witness: bool = False
    strict: bool = False
    output: str | None = None
    timeout: float | None = None
    timeout_each: float | None = None
    memory: float | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What to check: everything is read and fits together."""

    composition: Composition
    formulas: tuple[Formula, ...]
    method: str
    dead_ends: str
    budget: Budget
    warnings: tuple[str, ...]
    load_seconds: float
    states: int | None
    """Composed states; None: too many combinations to count."""
    witness: bool = False
    """Whether to show why."""
    reordered: bool = False
    """Whether the parts are in another order than the given one."""


def prepare(request: Request, budget: Budget | None = None) -> Question:
    """Reads and validates all input; raises `Problems` with everything that is wrong.

    The budget is that of the whole run, from here on. It may end while the input is read.
    """
    limits = Limits(request.timeout, request.memory, request.timeout_each)
    budget = budget or Budget(limits)
    with loading(budget) as watched:
        return replace(_prepare(request, watched), budget=budget)


def _prepare(request: Request, budget: Budget) -> Question:
    problems = Problems()
    with problems.collecting():
        _refuse_options(request)
    with problems.collecting():
        _check_inputs(request)
    problems.raise_if_any()
    began = time.perf_counter()
    files = list(_read_parts(request.parts, problems, budget.poll))
    given = _composed(files, problems)
    composition = None if given is None else _ordered(given, request.method)
    if composition is not None:
        with problems.collecting():
            require_method(composition, method=request.method, dead_ends=request.dead_ends)
    require = _requirement(request, composition)
    before = len(problems.errors)
    read = polled(parse, budget.poll)
    formulas = list(parse_arguments(request.formulas, problems, read, require))
    for path in request.files:
        with problems.collecting():
            formulas += parse_file(*read_content(path, budget.poll), problems, read, require)
    if not request.formulas and not request.files and composition is not None:
        formulas += _own_formulas(files, problems, require)
    if not formulas and len(problems.errors) == before and composition is not None:
        problems.add(_no_formula(request))
    problems.raise_if_any()
    assert given is not None
    assert composition is not None, "else there is a problem"
    states = composition.counted
    budget.look()
    return Question(
        composition=composition,
        formulas=tuple(formulas),
        method=request.method,
        dead_ends=request.dead_ends,
        budget=budget,
        warnings=(
            *_unused(files, composition),
            *_label_warnings(composition, formulas, request),
            *filter(None, [single_steps(formulas, of_parts=True)]),
        ),
        load_seconds=time.perf_counter() - began,
        states=states,
        witness=request.witness,
        reordered=composition.parts != given.parts,
    )


def read_composition(arguments: tuple[str, ...]) -> Composition:
    """The parts that the command line names, together; `Problems` with all that is wrong."""
    problems = Problems()
    composition = _composed(list(_read_parts(arguments, problems, unwatched)), problems)
    problems.raise_if_any()
    assert composition is not None, "else there is a problem"
    return composition


def _refuse_options(request: Request) -> None:
    if request.trace and not request.method.startswith("refine"):
        hint = "add --method refine, or leave it out"
        raise UsageError("P006", f"--trace tells nothing of method {request.method}", hint=hint)
    if request.witness and request.method == "symbolic":
        hint = "use another method, or leave it out"
        raise UsageError("P006", "there is no --witness for method symbolic", hint=hint)


def _check_inputs(request: Request) -> None:
    if request.files.count("-") > 1:
        raise UsageError("P001", "standard input (-) can be read only once")
    paths = [argument.rpartition(":")[0] or argument for argument in request.parts]
    check_destination(
        STDOUT[0] if request.output is None else request.output,
        (*request.parts, *paths, *request.files),
    )


def _read_parts(arguments: tuple[str, ...], problems: Problems, poll: Poll) -> Iterator[PartsFile]:
    for argument in arguments:
        with problems.collecting():
            try:
                yield load_parts(argument, poll)
            except UsageError as error:
                if error.code == "P001" and _is_formula(argument):
                    error.hint = f"formulas are given with --check: --check {shlex.quote(argument)}"
                raise


def _is_formula(argument: str) -> bool:
    """Whether it can be meant as one: a label alone is rather a file."""
    with suppress(PigroError):
        return len(parse(argument)) > 1
    return False


def _composed(files: list[PartsFile], problems: Problems) -> Composition | None:
    """None if something is wrong with the parts, or was before."""
    if problems.errors:
        return None
    composition = None
    with problems.collecting():
        composition = Composition(together(files)[0])
        _ = composition.initial  # may be too many
    return composition


def _ordered(composition: Composition, method: str) -> Composition:
    """Of three parts and more, neighbours next to each other; refine-one is about the first."""
    if len(composition.parts) < _FEWEST_TO_ORDER:
        return composition
    return composition.neighbours_first(start=0 if method == "refine-one" else None)


def _requirement(request: Request, composition: Composition | None) -> Require:
    """What every formula must be; as far as that can be said without a composition."""

    def require(formula: Formula) -> Formula:
        if composition is None:
            require_modal(formula, dead_ends=request.dead_ends)
        else:
            require_formula(
                composition, formula, method=request.method, dead_ends=request.dead_ends
            )
        return formula

    return require


def _own_formulas(
    files: list[PartsFile], problems: Problems, require: Require
) -> Iterator[Formula]:
    """What the files state; a file of which several parts are taken says it once."""
    said = set[tuple[str | None, int | None, str]]()
    for file in files:
        for each in file.formulas:
            key = (file.source, each.line, each.text)
            if key in said:
                continue
            said.add(key)
            with problems.collecting():
                yield fitting(each.formula, Position(file.source, each.line), require)


def _no_formula(request: Request) -> UsageError:
    if request.files:
        return UsageError("P002", "no formula in the files", hint="write one formula a line")
    hint = 'give one with --check "AG EF p", or -f FILE with one formula a line'
    return UsageError("P002", "no formula given, and none in the files of the parts", hint=hint)


def _unused(files: list[PartsFile], composition: Composition) -> Iterator[str]:
    """A warning for each file that was given and of which nothing is composed."""
    for file in files:
        if not any(part in composition.parts for part in file.parts):
            names = ", ".join(printable(part.name) for part in file.parts[:3])
            more = " and more" if len(file.parts) > 3 else ""
            source = printable(str(file.source))
            yield f"nothing of {source} ({names}{more}) is composed: another file says what is"


def _label_warnings(
    composition: Composition, formulas: list[Formula], request: Request
) -> tuple[str, ...]:
    """At most one warning for all labels that no part sees; an error with `--strict`."""
    forms = [require_modal(each, dead_ends=request.dead_ends) for each in formulas]
    unknown = unknown_names(composition, forms)
    if unknown and request.strict:
        raise unknown.as_error()
    return (unknown.message(),) if unknown else ()
