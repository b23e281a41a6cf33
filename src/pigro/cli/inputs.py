"""From what the command line asks to a question that can be checked: all input is read here.

Needs: nothing. Leaves: a `Question` in which everything fits together, or `Problems` with all that
does not, in the order: output, model, formulas, start nodes, labels.
"""

from __future__ import annotations

import os.path
import time
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from pigro.cli.destination import STDOUT, check_destination
from pigro.cli.failures import Problems
from pigro.cli.formulas import fitting, parse_arguments, parse_file, polled, reader
from pigro.cli.progress import loading
from pigro.diagnostics import PigroError, Position, UsageError, printable
from pigro.engines import (
    choose_engine,
    require_fits,
    require_logic,
    require_provable,
    single_steps,
    unknown_labels,
    with_depth,
)
from pigro.formats.source import STDIN, open_source, read_content
from pigro.limits import Budget, Limits
from pigro.logic import Fragment
from pigro.render.text import MANY
from pigro.render.wording import NO_RUN, STRATEGY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.cli.formulas import Require
    from pigro.engines import Engine
    from pigro.formats.source import Source
    from pigro.limits import Poll
    from pigro.logic import Formula
    from pigro.model import RSM

_SHOWN = 60
"""Characters of a formula inside a warning."""


@dataclass(frozen=True, slots=True)
class Request:
    """A command line of `pigro check`, as given."""

    model: str
    format: str | None = None
    """The format of the model's file, if it was said."""
    formulas: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    use_def: tuple[str, ...] = ()
    """Variables whose use-def formulas to check, or `all`."""
    engine: str = "auto"
    depth: int | None = None
    heuristic: str | None = None
    seed: int | None = None
    variant: str | None = None
    trace: bool = False
    semantics: str = "standard"
    dead_ends: str | None = None
    starts: tuple[str, ...] = ()
    strict: bool = False
    output: str | None = None
    certificate: str | None = None
    verify: bool = False
    witness: bool | None = None
    """None: as the place where results go suggests."""
    html: str | None = None
    draw: str | None = None
    to_terminal: bool = False
    """Whether results are text on a terminal."""
    timeout: float | None = None
    timeout_each: float | None = None
    memory: float | None = None
    jobs: int = 1


@dataclass(frozen=True, slots=True)
class Question:
    """What to check: everything is read and fits together."""

    model: RSM
    formulas: tuple[Formula, ...]
    engine: Engine
    budget: Budget
    jobs: int
    warnings: tuple[str, ...]
    load_seconds: float
    certificate: str | None = None
    """The file for the proofs, if they are to be kept."""
    verify: bool = False
    """Whether each proof is checked at once."""
    witness: str = "none"
    """How much of the evidence to show: `none`, `short` or `full`."""
    html: str | None = None
    """The file for a report as HTML, if one is wanted."""
    draw: str | None = None
    """The file for a drawing of a run, if one is wanted."""
    starts: tuple[tuple[int, ...] | None, ...] = ()
    """For each formula, where it starts if not at the model's initial nodes; empty: none does."""

    @property
    def shows(self) -> bool:
        """Whether evidence is wanted."""
        return self.witness != "none" or self.html is not None or self.draw is not None

    def parts(self) -> Iterator[tuple[RSM, tuple[Formula, ...]]]:
        """The formulas in order, with the model as it starts for them."""
        if not self.starts:
            yield self.model, self.formulas
            return
        pairs = zip(self.starts, self.formulas, strict=True)
        for start, together in groupby(pairs, key=lambda pair: pair[0]):
            model = self.model if start is None else self.model.with_initial(start)
            yield model, tuple(formula for _, formula in together)


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
    inputs = (request.model, *request.files)
    with problems.collecting():
        _check_stdin(inputs)
    problems.raise_if_any()
    with problems.collecting():
        check_destination(STDOUT[0] if request.output is None else request.output, inputs)
    with problems.collecting():
        check_destination(request.certificate, inputs)
        _check_apart(request)
    with problems.collecting():
        check_destination(request.html, inputs)
    with problems.collecting():
        check_destination(request.draw, inputs)
        if request.draw is not None:
            check_drawing(request.draw)
    engine = _engine(request)
    require = _requirement(engine, request)
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
        model = _started(model, request.starts, problems)
    nothing = not asked.formulas and not asked.own and not asked.wrong
    if nothing and model is not None:  # else the file may hold some
        problems.add(_no_formula(request.files))
    problems.raise_if_any()
    assert model is not None, "else there is a problem"
    budget.look()
    question = Question(
        model=model,
        formulas=(*asked.formulas, *asked.own),
        engine=engine,
        budget=budget,
        jobs=request.jobs,
        warnings=_warnings(model, asked, request),
        load_seconds=load_seconds,
        certificate=request.certificate,
        verify=request.verify,
        witness=_witness(request, len(asked.formulas) + len(asked.own)),
        html=request.html,
        draw=request.draw,
        starts=() if request.starts else asked.starts,
    )
    for part, formulas in question.parts():
        require_fits(engine, part, formulas)
    return question


def _engine(request: Request) -> Engine:
    engine = choose_engine(request.engine)
    if request.depth is not None:
        engine = with_depth(engine, request.depth)
    said = (request.heuristic, request.seed, request.variant, request.trace or None)
    if any(each is not None for each in said):
        from pigro.engines.contexts import with_options  # costs time that most runs need not spend

        engine = with_options(
            engine,
            heuristic=request.heuristic,
            seed=request.seed,
            trace=request.trace,
            variant=request.variant,
        )
    return engine


def _requirement(engine: Engine, request: Request) -> Require:
    """What every formula must be."""
    if request.certificate is not None or request.verify:
        return lambda formula: require_provable(require_logic(engine, formula))
    return lambda formula: require_logic(engine, formula)


def _check_stdin(inputs: tuple[str, ...]) -> None:
    if inputs.count(STDIN) > 1:
        raise UsageError("P001", "standard input (-) can be read only once")


def check_drawing(path: str) -> None:
    """`UsageError` if nothing can be drawn into this file."""
    from pigro.render.drawing import draw_svg, drawing_format  # few need it

    if drawing_format(path) is draw_svg:
        from pigro.formats import svg

        svg.need_graphviz()


def _witness(request: Request, formulas: int) -> str:
    """All of it if asked for; in short where a person looks at a few results."""
    if request.witness is not None:
        return "full" if request.witness else "none"
    looking = request.to_terminal and formulas <= MANY
    return "short" if looking else "none"


def _check_apart(request: Request) -> None:
    """What a run writes must not end up in the same place."""
    outputs = {
        "results": request.output or STDOUT[0],
        "certificates": request.certificate,
        "report": request.html,
        "drawing": request.draw,
    }
    taken: dict[str, str] = {}
    for what, path in outputs.items():
        if path is None:
            continue
        place = STDOUT[0] if path in STDOUT else os.path.realpath(path)
        if place in taken:
            where = "to standard output" if place == STDOUT[0] else "into the same file"
            message = f"{taken[place]} and {what} can't both go {where}"
            raise UsageError("P003", message, hint="give each a file of its own")
        taken[place] = what


def _open(request: Request, problems: Problems, poll: Poll) -> Source | None:
    try:
        return open_source(request.model, request.format, poll)
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
    read = polled(reader(None if source is None else source.document), poll)
    formulas = list(parse_arguments(request.formulas, problems, read, require))
    for path in request.files:
        with problems.collecting():
            formulas += parse_file(*read_content(path, poll), problems, read, require)
    return _Asked(tuple(formulas), wrong=len(problems.errors) > before)


def _with_own(
    asked: _Asked, request: Request, source: Source, model: RSM, require: Require
) -> _Asked:
    if request.use_def:
        return replace(asked, own=tuple(source.use_def_formulas(model, request.use_def)))
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


def _started(model: RSM, starts: tuple[str, ...], problems: Problems) -> RSM:
    nodes = []
    for name in starts:
        with problems.collecting():
            nodes.append(model.find(name))
    return model.with_initial(nodes) if nodes else model


def _warnings(model: RSM, asked: _Asked, request: Request) -> tuple[str, ...]:
    """At most one of each kind. An error with `--strict` for labels that no node carries."""
    labels = _label_warnings(model, (*asked.formulas, *_about_nothing(model, asked)), request)
    told = (single_steps(asked.formulas), _without_runs((*asked.formulas, *asked.own), request))
    return *labels, *filter(None, told)


def _without_runs(formulas: tuple[Formula, ...], request: Request) -> str | None:
    """That runs are asked for, but there are none for some of the formulas."""
    if not (request.witness or request.html or request.draw):
        return None
    found = [each for each in formulas if each.fragment is Fragment.MU]
    if not found:
        return None
    more = f" (and {len(found) - 1:,} more)" if len(found) > 1 else ""
    return f"{NO_RUN}: `{printable(str(found[0]), _SHOWN)}`{more}; {STRATEGY}"


def _about_nothing(model: RSM, asked: _Asked) -> Iterator[Formula]:
    """Formulas of the file itself of which no label is on any node: they can't be meant so."""
    for formula in asked.own:
        if formula.atoms and not any(atom in model.label_ids for atom in formula.atoms):
            yield formula


def _label_warnings(model: RSM, formulas: tuple[Formula, ...], request: Request) -> tuple[str, ...]:
    """At most one warning for all labels that no node carries; an error with `--strict`."""
    unknown = unknown_labels(model, formulas)
    if not unknown:
        return ()
    if request.strict:
        raise unknown.as_error()
    mistaken = [each for each in request.formulas if each in unknown.names]
    file = next((each for each in mistaken if os.path.isfile(each)), None)  # noqa: PTH113 - as given
    hint = f"; to read formulas from the file {printable(file)}, write -f before it" if file else ""
    return (unknown.message() + hint,)
