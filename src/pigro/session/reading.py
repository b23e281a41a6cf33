"""From a request to a question that can be checked: all input is read here.

Needs: nothing. Leaves: a `Question` in which everything fits together, or `Problems` with all that
does not, in the order: model, formulas, start nodes, labels.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from pigro.diagnostics import PigroError, Position, Problems, UsageError, printable
from pigro.engines import (
    require_fits,
    require_logic,
)
from pigro.formats.registry import format_of_suffix
from pigro.formats.rsm_keys import UnknownKeyWarning, taking_key_warnings
from pigro.formats.source import find_source
from pigro.limits import NO_LIMITS, Budget, Limits, unwatched
from pigro.logic import Formula, parse
from pigro.logic.files import reader
from pigro.model import RSM, Semantics
from pigro.model.space import Model
from pigro.options import FILE, MODEL, PARTS, PARTS_FILE, PROGRAM, SYSTEM
from pigro.records import Record
from pigro.session.formulas import fitting, not_a_formula, read_given
from pigro.session.given import engine_for, how_given
from pigro.session.notices import notices_of
from pigro.session.request import MANY, Notice, Question, Request

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pigro.engines import Engine
    from pigro.formats.source import Source
    from pigro.limits import Poll
    from pigro.session.formulas import Require


_Read = TypeVar("_Read")
_NONE = (None, None, None)


def prepare(
    request: Request,
    budget: Budget | None = None,
    problems: Problems | None = None,
    tick: Callable[[], None] | None = None,
) -> Question:
    """Reads and validates all input. Raises `Problems` with everything that is wrong.

    Of a subject that is no file, an error is raised alone. The budget is that of the whole run,
    from here on. It may end while the input is read. `problems` has those of the caller's own.
    `tick` runs every few milliseconds from here on, and may raise to stop.
    """
    for each in request.formulas:
        if not isinstance(each, (str, Formula)):
            raise not_a_formula(each)
    problems = problems or Problems()
    before, given = len(problems.errors), how_given(request)
    with problems.collecting():
        engine = engine_for(request, given)
    if len(problems.errors) > before:
        raise problems
    if budget is None:
        limits = (request.timeout, request.memory, request.timeout_each)
        budget = Budget(NO_LIMITS if limits == _NONE else Limits(*limits), tick)
    elif tick is not None:
        budget = budget.watched_by(tick)
    question = _READERS[given](request, engine, budget, problems)
    notices = (*question.notices, *notices_of(question, given))
    question = replace(question, notices=notices)
    if request.witness != "few":
        return question
    witness = "full" if len(question.formulas) <= MANY else "none"
    return replace(question, request=replace(request, witness=witness))


def _prepare_model(
    request: Request, engine: Engine, budget: Budget, problems: Problems
) -> Question:
    budget.poll()
    require = requirement(engine)
    poll, semantics, dead_ends = budget.poll, request.semantics, request.dead_ends
    began = time.perf_counter()
    model = asked = None
    strays: list[UnknownKeyWarning] = []
    found = _tried(problems, lambda: find_source(request.subject[0], request.format, poll))
    source = None if found is None else _tried(problems, lambda: found.fresh(poll))
    if source is None and _has_language(found, request):
        raise problems  # who can say what the formulas mean?
    if source is not None and source.document is not None:
        asked = _read_formulas(request, source, problems, require, poll)  # the model needs labels
    if source is not None:
        read = partial(source.model, semantics=semantics, dead_ends=dead_ends, poll=poll)
        with taking_key_warnings(strays.append):
            model = _tried(problems, read)
    load_seconds = time.perf_counter() - began
    node = None
    asked = asked or _read_formulas(request, source, problems, require, poll)
    if source is not None and model is not None:
        if request.starts or request.at is not None:
            model = model.listed(poll)
        model, asked = _completed(model, asked, request, source, problems, require)
        node = _node_asked(model, request, problems)
    keys = [*_key_notices(strays, request, problems)]
    if model is not None and not model.is_listed and not problems.errors:
        from pigro.engines.onthefly.computed import require_start

        with problems.collecting():  # files whose states are listed are refused by then
            require_start(model, budget)
    if problems.errors:
        raise problems
    assert model is not None, "else there is a problem"
    budget.look()
    question = Question(
        subject=model,
        formulas=(*asked.formulas, *asked.own),
        request=request,
        budget=budget,
        notices=(*_notes(source, model, asked, request), *keys),
        load_seconds=load_seconds,
        engine=engine,
        starts=() if request.starts else asked.starts,
        stated=len(asked.own),
        node=node,
    )
    if request.engine != "auto" or not all(each.is_ctl for each in question.formulas):
        for part, formulas in question.parts():  # auto checks CTL on all models
            require_fits(engine, part, formulas, budget.poll)
    return question


def _node_asked(model: Model, request: Request, problems: Problems) -> int | None:
    """The node that the request names, if it names one that there is."""
    if request.at is None:
        return None
    return _tried(problems, partial(model.listed().find, request.at))


def _has_language(found: Source | None, request: Request) -> bool:
    """Whether formulas about a file, which could not be read, are in a language of its own."""
    if found is not None:
        return found.format.offer("Document") is not None
    path = request.subject[0] if request.format is None else f".{request.format}"
    kind = format_of_suffix(path)
    return kind is not None and kind.offer("Document") is not None


def _completed(
    model: Model,
    asked: _Asked,
    request: Request,
    source: Source,
    problems: Problems,
    require: Require,
) -> tuple[Model, _Asked]:
    """The model as it is asked about, and the formulas, those of its file among them."""
    try:
        if model.conditions is not None:
            model = model.about(atom for each in asked.formulas for atom in each.atoms)
        named = request.use_def or request.requirements
        if named or not (request.formulas or request.files):
            if not named:
                _refuse_faults(source)
            asked = _with_own(asked, request, source, model, require)
    except PigroError as error:
        problems.add(error)
        asked = replace(asked, wrong=True)
    except Problems as faults:
        problems.errors += faults.errors
        asked = replace(asked, wrong=True)
    if request.starts:
        model = started(model.listed(), request.starts, problems)
    if not asked.formulas and not asked.own and not asked.wrong:
        problems.add(_no_formula(request.files))
    return model, asked


def requirement(engine: Engine) -> Require:
    """What every formula must be. All engines take CTL."""
    return lambda formula: formula if formula.is_ctl else require_logic(engine, formula)


def _tried(problems: Problems, read: Callable[[], _Read]) -> _Read | None:
    """What could be read. None if it is wrong, which is kept."""
    try:
        return read()
    except PigroError as error:
        problems.add(error)
        return None


class _Asked(Record, frozen=True):
    """The formulas of a run."""

    formulas: tuple[Formula, ...]
    """Those of the person: of the command line, then of the files in the order given."""
    own: tuple[Formula, ...] = ()
    """Those of the model's file, whose labels are its own business: use-def formulas or, if nothing
    is asked, what it states."""
    starts: tuple[tuple[int, ...] | None, ...] = ()
    """Where those of the file start, if it says so."""
    wrong: bool = False
    """Whether some could not be read."""


def _read_formulas(
    request: Request, source: Source | None, problems: Problems, require: Require, poll: Poll
) -> _Asked:
    before = len(problems.errors)
    read = _reader(request.subject, source)
    document = request.subject.document if isinstance(request.subject, Model) else None
    document = document if source is None else source.document
    formulas = read_given(request.formulas, request.files, problems, read, require, poll, document)
    return _Asked(tuple(formulas), wrong=len(problems.errors) > before)


def _reader(subject: object, source: Source | None) -> Callable[..., Formula]:
    """What reads formulas: they mean the same about a file and about the model of it."""
    if isinstance(subject, Model):
        return reader(subject.document, lenient=True)
    return parse if source is None or source.document is None else reader(source.document)


def _with_own(
    asked: _Asked, request: Request, source: Source, model: Model, require: Require
) -> _Asked:
    """Also those that the file states."""
    if request.use_def or request.requirements:
        return replace(asked, own=_by_labels(request, model, source))
    own = source.requirements(model)
    for each in own:
        fitting(each.formula, Position(source=source.name, line=each.line), require)
    starts = tuple(each.initial for each in own)
    said = any(start is not None for start in starts)
    return replace(asked, own=tuple(e.formula for e in own), starts=starts if said else ())


def _refuse_faults(source: Source) -> None:
    """Raises the errors of all formulas that the file states, if some are wrong."""
    Problems(list(getattr(source.document, "faults", ()))).raise_if_any()


def _by_labels(request: Request, model: Model, source: Source | None) -> tuple[Formula, ...]:
    """The formulas of the variables and of the requirements that are named."""
    from pigro.formats.use_def import (
        formulas_of,
        named_requirements,
        use_def,
    )

    found: list[Formula] = []
    if request.use_def:
        known = source.variables(model) if source else {e.variable: e for e in use_def(model)}
        found += formulas_of(known, request.use_def)
    if request.requirements:
        found += named_requirements(model, request.requirements)
    return tuple(found)


def _no_formula(files: tuple[str, ...]) -> UsageError:
    if files:
        listed = ", ".join(printable(each) for each in files[:3])
        more = f" and {len(files) - 3} more" if len(files) > 3 else ""
        hint = "write one formula per line"
        return UsageError("P002", f"no formula in {listed}{more}", hint=hint)
    hint = 'for example: pigro check MODEL "AG EF p", or -f FILE with one formula per line'
    return UsageError("P002", "no formula given", hint=hint)


def started(model: RSM, starts: tuple[str, ...], problems: Problems) -> RSM:
    """The model as it starts at the nodes of these names, as far as there are such."""
    nodes = []
    for name in starts:
        with problems.collecting():
            nodes.append(model.find(name))
    return model.with_initial(nodes) if nodes else model


def _notes(
    source: Source | None, model: Model, asked: _Asked, request: Request
) -> Iterator[Notice]:
    """What the document of a file says about how it is read."""
    document = source.document if source else None
    notes = getattr(document, "notes", None)
    if notes is not None:
        yield from map(Notice, notes())
    has_calls = model.is_listed and getattr(document, "has_calls", False)
    if has_calls and model.semantics is not Semantics.RMV:
        from pigro.session.exit_reading import exit_note

        starts = asked.starts if asked.starts and not request.starts else ()
        own = zip(asked.own, starts or (None,) * len(asked.own), strict=True)
        given = ((each, None) for each in asked.formulas)
        starting = model.listed()
        note = exit_note(starting, [(each, at or starting.initial) for each, at in (*given, *own)])
        if note is not None:
            yield Notice(note)


def _key_notices(
    strays: Iterable[UnknownKeyWarning], request: Request, problems: Problems
) -> Iterator[Notice]:
    """One for each key that looks misspelled. Errors with `strict`."""
    for each in strays:
        if request.strict and each.error is not None:
            problems.add(each.error)
        else:
            yield Notice(str(each), UnknownKeyWarning)


def _given_system(request: Request, engine: Engine, budget: Budget, problems: Problems) -> Question:
    from pigro.engines.onthefly.check_system import refuse_mu_on_systems

    given, files = request.formulas, request.files
    formulas = read_given(given, files, problems, parse, refuse_mu_on_systems)
    problems.raise_if_any()
    return Question(request.subject, tuple(formulas), request, budget, engine)


def _given_model(request: Request, engine: Engine, budget: Budget, problems: Problems) -> Question:
    model: Model = request.subject
    asked = _read_formulas(request, None, problems, requirement(engine), unwatched)
    problems.raise_if_any()
    formulas = asked.formulas
    model = model.about(atom for each in formulas for atom in each.atoms)
    if request.use_def or request.requirements:
        asked = replace(asked, own=_by_labels(request, model, None))
    if request.starts:
        model = model.listed(budget.poll)
        model = model.with_initial([model.find(name) for name in request.starts])
    require_fits(engine, model, (*formulas, *asked.own), budget.poll)
    formulas = (*formulas, *asked.own)
    return Question(model, formulas, request, budget, engine, stated=len(asked.own))


def _prepare_parts(
    request: Request, engine: Engine, budget: Budget, problems: Problems
) -> Question:
    from pigro.session.parts import prepare_parts

    return prepare_parts(request, engine, budget, problems)


def _prepare_program(
    request: Request, engine: Engine, budget: Budget, problems: Problems
) -> Question:
    from pigro.session.programs import prepare_program

    return prepare_program(request, engine, budget, problems)


_READERS = {
    FILE: _prepare_model,
    MODEL: _given_model,
    PARTS_FILE: _prepare_parts,
    PARTS: _prepare_parts,
    PROGRAM: _prepare_program,
    SYSTEM: _given_system,
}
