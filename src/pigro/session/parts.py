"""From a request about parts to a question: all input is read here.

Needs: nothing. Leaves: a `Question` in which everything fits together, or `Problems` with all that
does not, in the order: parts, composition, formulas, labels.
"""

from __future__ import annotations

import re
import shlex
import time
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from pigro.diagnostics import (
    FormulaError,
    PigroError,
    Position,
    Problems,
    UsageError,
    printable,
)
from pigro.engines.game.checking import (
    WITHOUT_STATES,
    named_labels,
    require_formula,
    require_method,
)
from pigro.engines.game.modules import as_needed, of_modules, with_predicates
from pigro.formats.parts import load_parts, together
from pigro.logic import Formula, parse
from pigro.logic.syntax import mark
from pigro.model.composition import Composition, as_composition
from pigro.model.lazy.seen import AnyPart
from pigro.session.formulas import fitting, read_given
from pigro.session.request import Notice, Question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pigro.engines import Engine
    from pigro.formats.parts import PartsFile
    from pigro.limits import Budget, Poll
    from pigro.session.formulas import Require
    from pigro.session.request import Request

_IN_MODULES = re.compile(r"\.smv(?:$|:)")
"""Files whose parts have labels for conditions."""
_FEWEST_TO_ORDER = 3
"""Parts. Of two it does not matter which is first."""


def prepare_parts(request: Request, engine: Engine, budget: Budget, problems: Problems) -> Question:
    """Reads and validates all input. Raises `Problems` with everything that is wrong."""
    parts = as_parts(request.subject)
    if parts is not None:
        return given_parts(request, engine, parts, budget, problems)
    budget.poll()
    began = time.perf_counter()
    files = list(_read_parts(request.subject, problems, budget.poll))
    given = _composed(files, problems, request, budget.poll)
    composition = None if given is None else _ordered(given, request.method)
    if composition is not None:
        with problems.collecting():
            require_method(composition, method=request.method)
    require = _requirement(request, composition)
    if composition is None and any(_IN_MODULES.search(each) for each in request.subject):
        raise problems  # who can say what the formulas mean?
    before = len(problems.errors)
    read = reader_over(composition)
    formulas = read_given(request.formulas, request.files, problems, read, require, budget.poll)
    if not request.formulas and not request.files and composition is not None:
        formulas += _stated_formulas(files, problems, require)
    if not formulas and len(problems.errors) == before and composition is not None:
        problems.add(_no_formula(request))
    if request.assumption and len(formulas) > 1:
        hint = "give the one formula with --check"
        message = f"an assumption is about one formula, and there are {len(formulas):,}"
        problems.add(UsageError("P006", message, hint=hint))
    problems.raise_if_any()
    assert given is not None
    assert composition is not None, "else there is a problem"
    _ = composition.counted  # part of loading
    budget.look()
    unused = [Notice(each) for each in (*_unused(files), *_wrong(files))]
    return Question(
        subject=composition,
        formulas=tuple(formulas),
        request=request,
        budget=budget,
        engine=engine,
        notices=tuple(unused),
        load_seconds=time.perf_counter() - began,
        reordered=composition.parts != given.parts,
    )


def reader_over(composition: Composition | None) -> Callable[..., Formula]:
    """What reads formulas: `parse`, and the language of modules for conditions that are labels."""

    def read(text: str, *, source: str | None = None, line: int = 1) -> Formula:
        try:
            return parse(text, source=source, line=line)
        except FormulaError as error:
            labels = () if composition is None else composition.atoms
            if not any(" = " in each for each in labels):
                raise
            from pigro.formats.smv.specs.over_labels import over_labels

            try:
                return mark(over_labels(text, frozenset(labels)), text)
            except FormulaError as other:
                if other.code == "P121":
                    raise error from None
                if other.position is not None:
                    other.position = replace(other.position, source=source, line=line)
                raise other from None

    return read


def as_parts(subject: object) -> Composition | None:
    """The parts to compose. None for the names of files."""
    if type(subject) is tuple and all(isinstance(each, str) for each in subject):
        return None
    return as_composition(cast("Composition | AnyPart | Sequence[AnyPart]", subject))


def is_composed(subject: object) -> bool:
    """Whether a subject is parts, or made of them."""
    return isinstance(subject, (Composition, AnyPart)) or type(subject) in (list, tuple)


def given_parts(
    request: Request,
    engine: Engine,
    composition: Composition,
    budget: Budget,
    problems: Problems,
) -> Question:
    """A question about a composition that a program gives."""
    read = reader_over(composition)
    composition = of_modules(composition, request.method, request.predicates, budget.poll)
    require_method(composition, method=request.method)
    require = _requirement(request, composition)
    formulas = read_given(request.formulas, request.files, problems, read, require)
    problems.raise_if_any()
    return Question(composition, tuple(formulas), request, budget, engine)


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


def _composed(
    files: list[PartsFile], problems: Problems, request: Request, poll: Poll
) -> Composition | None:
    """None if something is wrong with the parts, or was before. Lists their states if need be."""
    if problems.errors:
        return None
    composition = None
    with problems.collecting():
        parts = with_predicates(together(files)[0], request.predicates)
        composition = Composition([as_needed(part, request.method, poll) for part in parts])
        if request.method not in WITHOUT_STATES:
            _ = composition.initial  # may be too many
    return composition


def _ordered(composition: Composition, method: str) -> Composition:
    """Of three parts and more, neighbours next to each other. Refine-one is about the first."""
    if len(composition.parts) < _FEWEST_TO_ORDER:
        return composition
    return composition.neighbours_first(start=0 if method == "refine-one" else None)


def _requirement(request: Request, composition: Composition | None) -> Require:
    """What every formula must be. As far as that can be said without a composition."""
    dead_ends = request.dead_ends or "stutter"

    def require(formula: Formula) -> Formula:
        if composition is None:
            named_labels(formula, dead_ends=dead_ends)
        else:
            require_formula(composition, formula, method=request.method, dead_ends=dead_ends)
        return formula

    return require


def _stated_formulas(
    files: list[PartsFile], problems: Problems, require: Require
) -> Iterator[Formula]:
    """What the files state. A file of which several parts are taken says it once."""
    said = set[tuple[str | None, int | None, str]]()
    wrong = set[str]()
    for file in files:
        for error in file.faults:
            if (shown := str(error.position)) not in wrong:
                wrong.add(shown)
                problems.add(error)
        for each in file.formulas:
            key = (file.source, each.line, each.text)
            if key in said:
                continue
            said.add(key)
            with problems.collecting():
                yield fitting(each.formula, Position(file.source, each.line), require)


def _no_formula(request: Request) -> UsageError:
    if request.files:
        return UsageError("P002", "no formula in the files", hint="write one formula per line")
    hint = 'give one with --check "AG EF p", or -f FILE with one formula per line'
    return UsageError("P002", "no formula given, and none in the files of the parts", hint=hint)


def _unused(files: list[PartsFile]) -> Iterator[str]:
    """A warning for each file that was given and of which nothing is composed."""
    composed, _ = together(files)
    for file in files:
        if not any(part == each for part in file.parts for each in composed):
            names = ", ".join(printable(part.name) for part in file.parts[:3])
            more = " and more" if len(file.parts) > 3 else ""
            source = printable(str(file.source))
            yield f"nothing of {source} ({names}{more}) is composed: another file chooses the parts"


def _wrong(files: list[PartsFile]) -> Iterator[str]:
    """A warning for each file with formulas that can't be checked."""
    for file in files:
        for error in file.faults[:1]:
            more = f" and {len(file.faults) - 1:,} more" if len(file.faults) > 1 else ""
            place = printable(str(file.source))
            yield f"a formula of {place}{more} can't be checked: {error.code}: {error.message}"
