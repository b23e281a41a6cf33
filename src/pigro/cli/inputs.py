"""From what the command line asks to a question that can be checked: all input is read here.

Needs: nothing. Leaves: a `Question` in which everything fits together, or `Problems` with all that
does not, in the order: output, model, formulas, start nodes, labels.
"""

from __future__ import annotations

import os.path
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.cli.destination import check_destination
from pigro.cli.failures import Problems
from pigro.cli.formulas import parse_arguments, parse_file
from pigro.diagnostics import UsageError, printable
from pigro.engines import Limits, choose_engine, require_fit, unknown_labels
from pigro.formats import choose_format, read_bytes, read_model

if TYPE_CHECKING:
    from pigro.engines import Engine
    from pigro.logic import Formula
    from pigro.model import RSM

STDIN = "-"


@dataclass(frozen=True, slots=True)
class Request:
    """A command line of `pigro check`, as given."""

    model: str
    kind: str | None = None
    """The format of the model's file, if it was said."""
    formulas: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    engine: str = "auto"
    heuristic: str | None = None
    seed: int | None = None
    trace: bool = False
    semantics: str = "standard"
    dead_ends: str | None = None
    starts: tuple[str, ...] = ()
    strict: bool = False
    output: str | None = None
    timeout: float | None = None
    memory: float | None = None
    jobs: int = 1


@dataclass(frozen=True, slots=True)
class Question:
    """What to check: everything is read and fits together."""

    model: RSM
    formulas: tuple[Formula, ...]
    engine: Engine
    limits: Limits
    jobs: int
    warnings: tuple[str, ...]
    load_seconds: float


def prepare(request: Request) -> Question:
    """Reads and validates all input; raises `Problems` with everything that is wrong."""
    problems = Problems()
    inputs = (request.model, *request.files)
    with problems.collecting():
        _check_stdin(inputs)
    problems.raise_if_any()
    with problems.collecting():
        check_destination(request.output, inputs)
    began = time.perf_counter()
    model = _read_model(request, problems)
    load_seconds = time.perf_counter() - began
    formulas = _read_formulas(request, problems)
    if model is not None:
        model = _started(model, request.starts, problems)
    engine = _engine(request)
    problems.raise_if_any()
    assert model is not None, "else there is a problem"
    require_fit(engine, model)
    warnings = _label_warnings(model, formulas, request)
    memory = None if request.memory is None else int(request.memory)
    limits = Limits(request.timeout, memory)
    return Question(model, formulas, engine, limits, request.jobs, warnings, load_seconds)


def _engine(request: Request) -> Engine:
    engine = choose_engine(request.engine)
    if request.heuristic is None and request.seed is None and not request.trace:
        return engine
    from pigro.engines.contexts import with_options  # costs time that most runs need not spend

    return with_options(engine, heuristic=request.heuristic, seed=request.seed, trace=request.trace)


def _check_stdin(inputs: tuple[str, ...]) -> None:
    if inputs.count(STDIN) > 1:
        raise UsageError("P001", "standard input (-) can be read only once")


def _read_model(request: Request, problems: Problems) -> RSM | None:
    with problems.collecting():
        stdin = request.model == STDIN
        data = _stdin() if stdin else read_bytes(request.model)
        kind = choose_format(data, None if stdin else request.model, request.kind)
        source = "<stdin>" if stdin else request.model
        choices = {"semantics": request.semantics, "dead_ends": request.dead_ends}
        return read_model(kind, data, source, **choices)
    return None


def _read_formulas(request: Request, problems: Problems) -> tuple[Formula, ...]:
    """Those of the command line first, then the files in the order given."""
    before = len(problems.errors)
    formulas = list(parse_arguments(request.formulas, problems))
    for path in request.files:
        with problems.collecting():
            content = _stdin() if path == STDIN else read_bytes(path)
            source = "<stdin>" if path == STDIN else path
            formulas += parse_file(content, source, problems)
    if not formulas and len(problems.errors) == before:
        problems.add(_no_formula(request.files))
    return tuple(formulas)


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


def _stdin() -> bytes:
    if sys.stdin is None:
        raise UsageError("P001", "standard input (-) is closed")
    return sys.stdin.buffer.read()
