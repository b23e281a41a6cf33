"""From a request to a question that can be checked: all input is read here.

Needs: nothing. Leaves: a `Question` in which everything fits together, or `Problems` with all that
does not, in the order: model, formulas, start nodes, labels.
"""

from __future__ import annotations

import os.path
import time
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pigro.diagnostics import PigroError, Position, Problems, UsageError, printable
from pigro.engines import (
    SingleStepWarning,
    UnknownLabelWarning,
    choose_engine,
    require_fits,
    require_logic,
    require_provable,
    single_steps,
    unknown_labels,
    with_depth,
)
from pigro.formats.source import formulas_of, open_source, read_content, require_variables
from pigro.formats.use_def import named_requirements, use_def
from pigro.limits import Budget, unwatched
from pigro.logic import Formula, Fragment, parse
from pigro.logic.files import reader
from pigro.model import RSM
from pigro.session.formulas import (
    fitting,
    parse_arguments,
    parse_file,
    polled,
    require_formula_type,
)
from pigro.session.request import Notice, Question, Request

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from pigro.engines import Engine, UnknownLabels
    from pigro.formats.source import Source
    from pigro.limits import Poll
    from pigro.session.formulas import Require

    Watch = Callable[[Budget], AbstractContextManager[Budget]]

NO_RUN = "no run is shown for the mu-calculus"
STRATEGY = "`pigro compose MODEL --check FORMULA --witness` shows a strategy"
_SHOWN = 60
"""Characters of a formula inside a warning."""


def prepare(
    request: Request,
    budget: Budget | None = None,
    problems: Problems | None = None,
    watch: Watch = nullcontext,
) -> Question:
    """Reads and validates all input; raises `Problems` with everything that is wrong.

    Of a subject that is no file, an error is raised alone. The budget is that of the whole run,
    from here on. It may end while the input is read. `problems` has those of the caller's own;
    `watch` makes the budget tell how the reading goes on.
    """
    budget = budget or Budget(request.limits)
    with watch(budget) as watched:
        return replace(_prepare(request, watched, problems or Problems()), budget=budget)


def _prepare(request: Request, budget: Budget, problems: Problems) -> Question:
    for each in request.formulas:
        require_formula_type(each)
    if type(request.subject) is tuple and all(isinstance(e, str) for e in request.subject):
        if is_of_parts(request):
            from pigro.session.parts import prepare_parts  # noqa: PLC0415 - few need it

            return prepare_parts(request, budget, problems)
        return _prepare_model(request, budget, problems)
    return prepare_given(request, budget)


def is_of_parts(request: Request) -> bool:
    """Whether files are to be composed: several, or one that has parts."""
    paths = request.subject
    return len(paths) != 1 or request.composes or _has_parts(paths[0], request.format)


def _has_parts(path: str, format_name: str | None) -> bool:
    name = path.lower() if format_name is None else f".{format_name}"
    return name.endswith(".parts")


def _prepare_model(request: Request, budget: Budget, problems: Problems) -> Question:
    engine = set_up(request)
    require = requirement(engine, request)
    began = time.perf_counter()
    source = _open(request, problems, budget.poll)
    model = None
    if source is None or source.document is None:
        model = _read_model(request, source, problems, budget.poll)
        load_seconds = time.perf_counter() - began
        asked = _read_formulas(request, source, problems, require, budget.poll)
    else:  # its formulas say which labels the model needs
        asked = _read_formulas(request, source, problems, require, budget.poll)
        model = _read_model(request, source, problems, budget.poll)
        load_seconds = time.perf_counter() - began
    if source is not None and model is not None:
        try:
            model = model.about(atom for each in asked.formulas for atom in each.atoms)
            asked = _with_own(asked, request, source, model, require)
        except PigroError as error:
            problems.add(error)
            asked = replace(asked, wrong=True)
        model = started(model, request.starts, problems)
    nothing = not asked.formulas and not asked.own and not asked.wrong
    if nothing and model is not None:  # else the file may hold some
        problems.add(_no_formula(request.files))
    problems.raise_if_any()
    assert model is not None, "else there is a problem"
    budget.look()
    question = Question(
        subject=model,
        formulas=(*asked.formulas, *asked.own),
        request=request,
        budget=budget,
        notices=(*_notes(source, request), *_notices(model, asked, request)),
        load_seconds=load_seconds,
        engine=engine,
        starts=() if request.starts else asked.starts,
    )
    for part, formulas in question.parts():
        require_fits(engine, part, formulas)
    return question


def set_up(request: Request) -> Engine:
    """The engine that the request names, set up as it says."""
    if request.method != "concrete":
        raise UsageError("P006", "method is for compositions, not for models")
    engine = choose_engine(request.engine)
    if request.depth is not None:
        engine = with_depth(engine, request.depth)
    said = (request.heuristic, request.seed, request.variant, request.trace or None)
    if any(each is not None for each in said):
        from pigro.engines.contexts import with_options  # noqa: PLC0415 - few need it

        engine = with_options(
            engine,
            heuristic=request.heuristic,
            seed=request.seed,
            variant=request.variant,
            trace=request.trace,
        )
    return engine


def requirement(engine: Engine, request: Request) -> Require:
    """What every formula must be."""
    if request.certify or request.verify:
        return lambda formula: require_provable(require_logic(engine, formula))
    return lambda formula: require_logic(engine, formula)


def _open(request: Request, problems: Problems, poll: Poll) -> Source | None:
    try:
        return open_source(request.subject[0], request.format, poll)
    except PigroError as error:
        problems.add(error)
        return None


def _read_model(
    request: Request, source: Source | None, problems: Problems, poll: Poll
) -> RSM | None:
    if source is None:
        return None
    try:
        return source.model(semantics=request.semantics, dead_ends=request.dead_ends, poll=poll)
    except PigroError as error:
        problems.add(error)
        return None


@dataclass(frozen=True, slots=True)
class _Asked:
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
    read = polled(_reader(request.subject, source), poll)
    formulas = list(parse_arguments(request.formulas, problems, read, require))
    for path in request.files:
        with problems.collecting():
            formulas += parse_file(*read_content(path, poll), problems, read, require)
    return _Asked(tuple(formulas), wrong=len(problems.errors) > before)


def _reader(subject: object, source: Source | None) -> Callable[..., Formula]:
    """What reads formulas: they mean the same about a file and about the model of it."""
    if isinstance(subject, RSM):
        return reader(subject.document, lenient=True)
    return reader(None if source is None else source.document)


def _with_own(
    asked: _Asked, request: Request, source: Source, model: RSM, require: Require
) -> _Asked:
    if request.use_def or request.requirements:
        uses = source.use_def_formulas(model, request.use_def) if request.use_def else []
        named = named_requirements(model, request.requirements) if request.requirements else []
        return replace(asked, own=(*uses, *named))
    if request.formulas or request.files:
        return asked
    own = source.requirements(model)
    for each in own:
        fitting(each.formula, Position(source=source.name, line=each.line), require)
    starts = tuple(each.initial for each in own)
    said = any(start is not None for start in starts)
    return replace(asked, own=tuple(e.formula for e in own), starts=starts if said else ())


def _no_formula(files: tuple[str, ...]) -> UsageError:
    if files:
        listed = ", ".join(printable(each) for each in files[:3])
        more = f" and {len(files) - 3} more" if len(files) > 3 else ""
        return UsageError("P002", f"no formula in {listed}{more}", hint="write one formula a line")
    hint = 'for example: pigro check MODEL "AG EF p", or -f FILE with one formula a line'
    return UsageError("P002", "no formula given", hint=hint)


def started(model: RSM, starts: tuple[str, ...], problems: Problems) -> RSM:
    """The model as it starts at the nodes of these names, if there are some."""
    nodes = []
    for name in starts:
        with problems.collecting():
            nodes.append(model.find(name))
    return model.with_initial(nodes) if nodes else model


def _notices(model: RSM, asked: _Asked, request: Request) -> tuple[Notice, ...]:
    """At most one of each kind. An error with `strict` for labels that no node carries."""
    formulas = (*asked.formulas, *asked.own)
    labels = _label_notices(model, (*asked.formulas, *_about_nothing(model, asked)), request)
    return *labels, *step_notices(asked.formulas), *_without_runs(formulas, request)


def _notes(source: Source | None, request: Request) -> Iterator[Notice]:
    """What the document of a file says about how it is read."""
    notes = getattr(source.document, "notes", None) if source else None
    if notes is not None:
        yield from map(Notice, notes(request.semantics))


def step_notices(formulas: Sequence[Formula], *, of_parts: bool = False) -> Iterator[Notice]:
    """That single steps may be meant as LTL, if so."""
    told = single_steps(formulas, of_parts=of_parts)
    if told is not None:
        yield Notice(told, SingleStepWarning)


def _without_runs(formulas: tuple[Formula, ...], request: Request) -> Iterator[Notice]:
    """That runs are asked for, but there are none for some of the formulas."""
    found = [each for each in formulas if each.fragment is Fragment.MU]
    if request.witness == "full" and found:
        more = f" (and {len(found) - 1:,} more)" if len(found) > 1 else ""
        yield Notice(f"{NO_RUN}: `{printable(str(found[0]), _SHOWN)}`{more}; {STRATEGY}")


def _about_nothing(model: RSM, asked: _Asked) -> Iterator[Formula]:
    """Formulas of the file itself of which no label is on any node: they can't be meant so."""
    for formula in asked.own:
        if formula.atoms and not any(atom in model.label_ids for atom in formula.atoms):
            yield formula


def label_notices(unknown: UnknownLabels, *, strict: bool, hint: str = "") -> Iterator[Notice]:
    """At most one for all labels that nothing carries; an error if `strict`."""
    if unknown and strict:
        raise unknown.as_error()
    if unknown:
        yield Notice(unknown.message() + hint, UnknownLabelWarning)


def _label_notices(model: RSM, formulas: tuple[Formula, ...], request: Request) -> Iterator[Notice]:
    unknown = unknown_labels(model, formulas)
    mistaken = [e for e in request.formulas if isinstance(e, str) and e in unknown.names]
    file = next((each for each in mistaken if os.path.isfile(each)), None)  # noqa: PTH113 - as given
    hint = f"; to read formulas from the file {printable(file)}, write -f before it" if file else ""
    return label_notices(unknown, strict=request.strict, hint=hint)


def prepare_given(request: Request, budget: Budget) -> Question:
    """A question about a model, parts, a composition or a system that a program gives."""
    if isinstance(request.subject, RSM):
        return _given_model(request, request.subject, budget)
    from pigro.session.parts import as_parts, given_parts  # noqa: PLC0415 - few need it

    formulas = tuple(e if isinstance(e, Formula) else parse(e) for e in request.formulas)
    parts = as_parts(request.subject)
    if parts is not None:
        return given_parts(request, parts, formulas, budget)
    return Question(request.subject, formulas, request, budget)


def _given_model(request: Request, model: RSM, budget: Budget) -> Question:
    engine, problems = set_up(request), Problems()
    asked = _read_formulas(request, None, problems, requirement(engine, request), unwatched)
    problems.raise_if_any()
    formulas = asked.formulas
    model = model.about(atom for each in formulas for atom in each.atoms)
    own: list[Formula] = []
    if request.use_def:
        known = require_variables({each.variable: each for each in use_def(model)})
        own += formulas_of(known, request.use_def)
    if request.requirements:
        own += named_requirements(model, request.requirements)
    asked = replace(asked, own=tuple(own))
    if request.starts:
        model = model.with_initial([model.find(name) for name in request.starts])
    require_fits(engine, model, (*formulas, *asked.own))
    labels = _label_notices(model, (*formulas, *_about_nothing(model, asked)), request)
    notices = (*labels, *step_notices(formulas))
    return Question(model, (*formulas, *asked.own), request, budget, notices, engine=engine)
