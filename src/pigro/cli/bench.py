"""`pigro bench`: options and help. The work is in session/measuring.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pigro.cli.options import DURATION, formula_files_option, from_option, memory_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.session.measuring import MeasuredRun
    from pigro.session.request import CheckQuestion


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("models", metavar="FILE...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--check",
    "formulas",
    metavar="FORMULA",
    multiple=True,
    help="Check this formula. Can be repeated. Without formulas, those that the files state.",
)
@formula_files_option
@click.option(
    "--engine",
    "engines",
    metavar="NAME",
    multiple=True,
    help="Measure this engine, or for a composition this method. Can be repeated. Ratios are to "
    "the first one. By default all that take the model and all formulas.",
)
@click.option(
    "--repeat",
    metavar="N",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help="Measure N times, after a run that warms up. With 1, there is no such run.",
)
@click.option(
    "--timeout",
    metavar="TIME",
    type=DURATION,
    default="1m",
    show_default=True,
    help="Give up on a formula after TIME (30s, 2m, 500ms). It is then unknown.",
)
@memory_option
@from_option
@click.option(
    "--csv",
    metavar="FILE",
    type=click.Path(),
    help="Write every run to FILE, or in place of the table if FILE is -.",
)
@click.option(
    "--json",
    metavar="FILE",
    type=click.Path(),
    help="Write times and ratios to FILE, or in place of the table if FILE is -.",
)
def bench(
    *,
    models: tuple[str, ...],
    formulas: tuple[str, ...],
    engines: tuple[str, ...],
    repeat: int,
    timeout: float,
    csv: str | None,
    json: str | None,
    memory: float | None,
    **said: Any,
) -> int:
    """Measure engines on your models.

    Checks the formulas on each FILE by several engines, which take turns, and compares their times
    and contexts. Times are medians, without reading the file.

    \b
    Examples:
      pigro bench app.rsm --check "AG (def -> EF use)"
      pigro bench app.rsm -f all.ctl --engine demand --engine lazy --repeat 20
      pigro bench *.rsm -f all.ctl --timeout 10s --csv runs.csv

    \b
    Exit codes:
      0    all was measured (no verdict within the limits is a result too)
      1    engines disagree
      2    the command line, a model or a formula is wrong
      4    internal error
      130  interrupted, but what was measured is printed
    """
    from pigro.cli.destination import STDOUT, check_destination, require_apart, write_output
    from pigro.cli.failures import ExitCode, interrupted, show
    from pigro.diagnostics import PigroError
    from pigro.limits import Limits
    from pigro.render import measurements
    from pigro.session.measuring import engines_for

    for output in (csv, json):
        check_destination(output, (*models, *said["files"]))
    require_apart({"runs": csv, "times": json})
    questions = [_read(file, formulas, engines, memory, said) for file in models]
    plans = [engines_for(each, engines) for each in questions]
    measured: list[tuple[str, list[MeasuredRun]]] = []
    stopped_by: KeyboardInterrupt | PigroError | None = None
    wrong = False
    for file, question, (chosen, left_out) in zip(models, questions, plans, strict=True):
        for each in left_out:
            show(f"{file}: left out: {each}")
        runs: list[MeasuredRun] = []
        measured.append((file, runs))
        try:
            _run(question, chosen, repeat, Limits(None, memory, timeout), runs)
        except (KeyboardInterrupt, PigroError) as error:
            stopped_by = error
        wrong |= _tell(file, runs, shows=not {csv, json} & {*STDOUT})
        if stopped_by is not None:
            break
    for output, write in ((csv, measurements.as_csv), (json, measurements.as_json)):
        if output is not None:
            write_output(output, write(measured))
    if isinstance(stopped_by, PigroError):
        raise stopped_by
    if stopped_by is not None:
        show("interrupted")
        return int(interrupted(stopped_by))
    return int(ExitCode.FAILS if wrong else ExitCode.HOLDS)


def _read(
    file: str,
    formulas: tuple[str, ...],
    engines: tuple[str, ...],
    memory: float | None,
    said: dict[str, Any],
) -> CheckQuestion:
    """The question about a file, which the engine `auto` takes.

    If only one method is measured, parts are read as it takes them.
    """
    from msgspec.structs import replace

    from pigro.cli.failures import warn
    from pigro.cli.progress import loading
    from pigro.options import PARTS_FILE
    from pigro.session.prepare import how_given, prepare
    from pigro.session.request import Request

    request = Request(
        subject=(file,),
        formulas=formulas,
        files=said["files"],
        format=said["from_"],
        memory=memory,
        typed=True,
    )
    if len(set(engines)) == 1 and how_given(request) == PARTS_FILE:
        request = replace(request, method=engines[0])
    with loading() as tick:
        question = prepare(request, tick=tick)
    for notice in question.notices:
        warn(notice.text)
    return question


def _run(
    question: CheckQuestion,
    engines: Sequence[Any],
    repeat: int,
    limits: Any,
    runs: list[MeasuredRun],
) -> None:
    """Measures one file, with a line about the progress."""
    import sys

    from pigro.cli.progress import Progress
    from pigro.session.measuring import measure, turns_for

    checks = turns_for(repeat) * len(engines) * len(question.formulas)
    progress = Progress(checks, sys.stderr, verb="measured")
    try:
        for run in measure(question, engines, repeat, limits, progress.ticking):
            runs.append(run)
            progress.now = run.engine
            progress.advance()
    finally:
        if progress.ticking is not None:
            progress.clear()


def _tell(file: str, runs: list[MeasuredRun], *, shows: bool) -> bool:
    """Prints the table of a file. Returns whether engines disagree, which it reports."""
    from pigro.cli.destination import write_stdout
    from pigro.cli.failures import show
    from pigro.render.measurements import as_text
    from pigro.session.measuring import cells, disagreements

    if runs and shows:
        write_stdout(as_text(file, runs) + "\n")
    lines = list(disagreements(cells(runs)))
    for line in lines:
        show(f"disagreement: {file}: {line}")
    return bool(lines)
