"""From a request to a question that can be checked: all input is read here, in five phases.

1. The options are looked at, and the engine is chosen.
2. The subject is opened and read, by the reader for the way in which it is given: a row of `ROWS`.
3. The formulas are read: before the subject, if it needs their labels or they don't need it.
4. The question is completed: formulas of the subject itself, labels, start nodes.
5. Warnings are collected (`notices`).

This is the one place that looks at what a request is about. See `pigro.options` for the table of
options. A subject that is given in a new way needs a row here, a row there, and a reader.

Needs: nothing. Leaves: a `CheckQuestion` in which everything fits together, or `InputProblems` with
all that does not, in the order: subject, formulas, start nodes, labels.
"""

from __future__ import annotations

import time
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from msgspec.structs import replace

from pigro.diagnostics import InputProblems, PigroError, UsageError, printable
from pigro.engines import table
from pigro.engines.table import options_for, require_logic, require_option
from pigro.limits import NO_LIMITS, Budget, Limits, no_poll
from pigro.logic import Formula, parse
from pigro.model.kinds import SubjectKind
from pigro.options import FILE, MODEL, OPTIONS, PARTS, PARTS_FILE, PROGRAM, why_not
from pigro.session.formulas import not_a_formula, parsed_formulas
from pigro.session.notices import notices_of
from pigro.session.request import MANY, CheckQuestion, Request

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pigro.engines import Engine
    from pigro.limits import Poll
    from pigro.session.formulas import ParsedFormulas, Require
    from pigro.session.request import SubjectNotice

_NO_LIMITS = (None, None, None)


def prepare(
    request: Request,
    budget: Budget | None = None,
    problems: InputProblems | None = None,
    tick: Callable[[], None] | None = None,
) -> CheckQuestion:
    """Reads and validates all input. Raises `InputProblems` with everything that is wrong.

    The budget is that of the whole run, from here on. It may end while the input is read.
    `problems` has those of the caller's own. `tick` runs every few milliseconds from here on, and
    may raise to stop.
    """
    for each in request.formulas:
        if not isinstance(each, (str, Formula)):
            raise not_a_formula(each)
    problems = problems or InputProblems()
    given = how_given(request)
    try:
        engine = engine_for(request, given)
    except PigroError as error:
        problems.add(error)
        raise problems from None
    if budget is None:
        limits = (request.timeout, request.memory, request.timeout_each)
        budget = Budget(NO_LIMITS if limits == _NO_LIMITS else Limits(*limits), tick)
    elif tick is not None:
        budget = budget.watched_by(tick)
    question = _read(reader_for(given)(request, engine, budget, problems))
    question = replace(question, notices=(*question.notices, *notices_of(question, given)))
    if request.witness != "few":
        return question
    witness = "full" if len(question.formulas) <= MANY else "none"
    return replace(question, request=replace(request, witness=witness))


def _read(reader: SubjectReader) -> CheckQuestion:
    """The question about a subject, and what only its reader can warn of."""
    request, budget, problems = reader.request, reader.budget, reader.problems
    began = time.perf_counter()
    reader.open()
    asked = parsed_formulas(reader) if reader.formulas_first else None
    try:
        reader.read()
    except PigroError as error:
        problems.add(error)
    load_seconds = time.perf_counter() - began if reader.is_file else 0.0
    asked = asked or parsed_formulas(reader)
    if reader.subject is not None:
        asked = reader.completed(asked)
        if reader.is_file and not (asked.formulas or asked.own or asked.wrong):
            problems.add(_no_formula(request.files, *reader.no_formula))
    reader.conclude(asked)
    if problems.errors:
        raise problems
    if reader.is_file:
        budget.look()
    question = CheckQuestion(
        subject=reader.subject,
        formulas=(*asked.formulas, *asked.own),
        request=request,
        budget=budget,
        engine=reader.engine,
        notices=tuple(reader.notices(asked)),
        load_seconds=load_seconds,
        starts=() if request.starts else asked.starts,
        node=reader.node,
        stated=len(asked.own),
        reordered=reader.reordered,
    )
    reader.require_fit(question)
    return question


def _no_formula(files: tuple[str, ...], message: str, hint: str) -> UsageError:
    if files:
        listed = ", ".join(printable(each) for each in files[:3])
        more = f" and {len(files) - 3} more" if len(files) > 3 else ""
        message, hint = f"no formula in {listed}{more}", "write one formula per line"
    return UsageError("P002", message, hint=hint)


class GivenRow(NamedTuple):
    """A way to give a subject."""

    kind: SubjectKind
    reader: str
    """Module and class."""
    engine: str | None = None
    """What `--engine` may name, if there is no choice."""


ROWS = {
    FILE: GivenRow(SubjectKind.MODEL, "models.FileReader"),
    MODEL: GivenRow(SubjectKind.MODEL, "models.ObjectReader"),
    PARTS_FILE: GivenRow(SubjectKind.COMPOSITION, "parts.PartsFileReader", "game"),
    PARTS: GivenRow(SubjectKind.COMPOSITION, "parts.PartsObjectReader", "game"),
    PROGRAM: GivenRow(SubjectKind.MODEL, "programs.SystemReader", "onthefly"),
}
_NOT_ITS_OWN = ("jobs", "witness")
"""Options that some engines take when they are asked, and not before."""


class SubjectReader:
    """Reads a subject for one question. What it does not need has an empty default."""

    formulas_first: bool = True
    """Whether formulas are read before the subject."""
    no_formula: ClassVar[tuple[str, str]] = ("no formula given", "give one")
    """What to say and to advise if no formula is given for a file."""
    document: Any = None
    """What says how formulas that are no texts are meant."""
    is_file: bool = False
    """Whether something is read here, which takes time and has limits."""

    def __init__(
        self, request: Request, engine: Engine, budget: Budget, problems: InputProblems
    ) -> None:
        self.request, self.engine, self.budget = request, engine, budget
        self.poll: Poll = budget if self.is_file else no_poll
        """What is called while the input is read."""
        self.problems = problems
        """What is wrong so far."""
        self.parse: Callable[..., Formula] = parse
        """What reads the text of formulas."""
        self.require: Require = lambda formula: (
            formula if formula.is_ctl else require_logic(engine, formula)
        )
        """Gives formulas back that the engine can check. All engines for models take CTL."""
        self.subject: Any = None
        """None until it is read, and if it can't be."""
        self.node: int | None = None
        """The node of the request, if it names one."""
        self.reordered = False
        """See `CheckQuestion`."""

    def open(self) -> None:
        """Finds out what reads formulas. `InputProblems` if nobody can say what they mean."""

    def read(self) -> None:
        """Reads the subject. An error that is raised is a problem."""
        raise NotImplementedError

    def completed(self, asked: ParsedFormulas) -> ParsedFormulas:
        """The formulas, with those of the subject's own. Makes the subject fit them."""
        return asked

    def conclude(self, asked: ParsedFormulas) -> None:
        """What else can be wrong, though the subject may not have been read."""

    def notices(self, asked: ParsedFormulas) -> Iterable[SubjectNotice]:
        """Warnings about how the subject is read."""
        return ()

    def require_fit(self, question: CheckQuestion) -> None:
        """An error if the engine can't check the subject."""


def how_given(request: Request) -> str:
    """How the subject of a request is given: one of `pigro.options.GIVEN`."""
    subject = request.subject
    kind = getattr(subject, "kind", None)
    if isinstance(kind, SubjectKind):
        return MODEL if kind is SubjectKind.MODEL else PARTS
    if type(subject) is not tuple or not all(isinstance(each, str) for each in subject):
        return PARTS if type(subject) in (list, tuple) else PROGRAM
    name = "".join(subject).lower() if request.format is None else f".{request.format}"
    if len(subject) != 1 or request.composes or name.endswith(".parts"):
        return PARTS_FILE
    if ":" not in name:
        return FILE
    from pigro.session.programs import program_of

    return FILE if program_of(subject[0]) is None else PROGRAM


def reader_for(given: str) -> type[SubjectReader]:
    """What reads a subject that is given so."""
    home, _, name = ROWS[given].reader.partition(".")
    found: type[SubjectReader] = getattr(import_module(f"pigro.session.{home}"), name)
    return found


def require_engine_for(given: str, name: str) -> None:
    """`UsageError` P006 if `--engine` names one for subjects that are given in another way."""
    row = ROWS[given]
    if row.engine is not None and name not in {"auto", row.engine}:
        table.choose_engine(name)
        what = "compositions" if row.kind is SubjectKind.COMPOSITION else f"{given}s"
        hint = f"{what} are checked by {row.engine}, which auto picks"
        raise UsageError("P006", f"engine {name} checks models, not {what}", hint=hint)


def engine_for(request: Request, given: str) -> Engine:
    """The engine that a request asks for, with its options.

    `UsageError` P006 for an option that the subject or the engine does not take.
    """
    said, row = _said(request), ROWS[given]
    for option in OPTIONS:
        reason = why_not(option, given) if option.name in said else None
        if reason is not None:
            hint = None
            if given == MODEL and FILE in option.takers:
                hint = "give the name of the file, or say it when the model is loaded"
            raise UsageError("P006", f"{request.name_of(option.name)} {reason}", hint=hint)
    require_engine_for(given, request.engine)
    name = "auto" if given == PROGRAM else request.engine
    engine = table.choose_engine(
        request.method if row.kind is SubjectKind.COMPOSITION else name, row.kind
    )
    options = [each for each in options_for(row.kind) if each in said]
    if request.witness != "full" and "witness" in options:
        options.remove("witness")
    for each in options:
        require_option(engine, each, request.name_of(each))
    own = {each: getattr(request, each) for each in options if each not in _NOT_ITS_OWN}
    return engine.with_options(**own) if own else engine


def _said(request: Request) -> list[str]:
    """The options that have another value than by default. 0 differs from None."""
    defaults = request.__struct_defaults__
    pairs = zip(request.__struct_fields__[-len(defaults) :], defaults, strict=True)
    return [name for name, default in pairs if getattr(request, name) != default]
