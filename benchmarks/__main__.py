"""`python -m benchmarks`: options and help. The work is in measuring.py."""

from __future__ import annotations

import gc

import click

from benchmarks.suites import SUITES
from pigro.cli.main import ReportingCommand
from pigro.cli.options import DURATION, SIZE

_OBJECTS_BETWEEN_COLLECTIONS = 1_000_000


@click.command(cls=ReportingCommand, context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("suites", metavar="SUITE...", nargs=-1, type=click.Choice([*SUITES, "all"]))
@click.option("--list", "listing", is_flag=True, help="List the suites, and run nothing.")
@click.option("--quick", is_flag=True, help="Small sizes, one run each, 10 s each: a first look.")
@click.option(
    "--engine",
    "engines",
    metavar="NAME",
    multiple=True,
    help="Run this engine, method or tool only. Can be repeated.",
)
@click.option(
    "--peer",
    "peers",
    metavar="NAME[=PATH]",
    multiple=True,
    help="Run another tool beside Pigro, in the suite peers: rsmcheck=FOLDER[@PYTHON] or "
    "pymodelchecking[=PYTHON]. In the suites smv and ondemand: nusmv[=PATH]. Can be repeated.",
)
@click.option(
    "--files",
    metavar="FOLDER",
    type=click.Path(),
    envvar="PIGRO_BENCHMARKS",
    help="The folder with the models of other tools. The default is $PIGRO_BENCHMARKS.",
)
@click.option(
    "--store",
    metavar="FILE",
    type=click.Path(),
    default="pigro-bench.sqlite",
    show_default=True,
    help="Keep every run in FILE. Runs that are in it already are not repeated.",
)
@click.option("--again", is_flag=True, help="Run everything anew. The store keeps the old runs.")
@click.option("--show", is_flag=True, help="Run nothing, and print the runs of the store.")
@click.option(
    "--against",
    metavar="STORE",
    type=click.Path(),
    help="Compare with the runs that STORE keeps of another build or of --again, on the same "
    "machine, and report cases that became slower beyond noise.",
)
@click.option(
    "--repeat",
    metavar="N",
    type=click.IntRange(min=1),
    help="Measure each case N times, after one run to warm up. With 1, there is no such run.",
)
@click.option(
    "--timeout",
    metavar="TIME",
    type=DURATION,
    help="The limit of each run. The default is 30m, as published, or 10s with --quick.",
)
@click.option(
    "--memory",
    metavar="SIZE",
    type=SIZE,
    default="4G",
    show_default=True,
    help="For each run, as in the published experiments.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    show_default=True,
    help="How to print the results.",
)
@click.option(
    "--csv",
    metavar="FILE",
    type=click.Path(),
    help="Write every run to FILE as CSV, packed if its name ends in .gz.",
)
@click.option("--json", metavar="FILE", type=click.Path(), help="Write runs and tables to FILE.")
@click.option(
    "--plots",
    metavar="FOLDER",
    type=click.Path(),
    help="Draw plots into FOLDER as SVG. This needs the package matplotlib.",
)
@click.option(
    "--tables",
    metavar="FOLDER",
    type=click.Path(),
    help="Write each table to FOLDER/NAME.csv.",
)
@click.option(
    "--fill",
    metavar="FILE",
    type=click.Path(),
    multiple=True,
    help="Put tables and numbers into the marks of a Markdown document. Can be repeated.",
)
def study(
    *,
    suites: tuple[str, ...],
    listing: bool,
    quick: bool,
    engines: tuple[str, ...],
    peers: tuple[str, ...],
    files: str | None,
    store: str,
    again: bool,
    show: bool,
    against: str | None,
    repeat: int | None,
    timeout: float | None,
    memory: float,
    form: str,
    csv: str | None,
    json: str | None,
    plots: str | None,
    tables: str | None,
    fill: tuple[str, ...],
) -> int:
    """Measure Pigro, and other tools beside it.

    Runs suites of experiments: each case in a process apart, within limits, several times. Every
    run is kept in a file, so that an interrupted measurement goes on where it stopped: give the
    same command again.

    \b
    Examples:
      python -m benchmarks --list
      python -m benchmarks java grid --quick
      python -m benchmarks grid --engine demand --plots plots
      python -m benchmarks all --csv runs.csv --json results.json
      python -m benchmarks peers --peer rsmcheck=RSMCheck@pypy3 --peer pymodelchecking
      python -m benchmarks all --show --format markdown
      python -m benchmarks usedef --store new.sqlite --against old.sqlite

    \b
    Exit codes:
      0    all was measured (runs over a limit are results too)
      1    engines of Pigro disagree, a verdict is wrong, or a case is slower than
           in the runs of --against
      2    the command line or a file is wrong, and nothing was run
      4    internal error
      130  interrupted, but finished runs are kept
    """
    from benchmarks.measuring import list_suites, measure
    from benchmarks.request import StudyRequest

    if listing:
        return int(list_suites())
    return int(
        measure(
            StudyRequest(
                suites=suites,
                quick=quick,
                engines=engines,
                peers=peers,
                files=files,
                store=store,
                again=again,
                show=show,
                against=against,
                repeat=repeat,
                timeout=timeout,
                memory=int(memory),
                form=form,
                csv=csv,
                json=json,
                plots=plots,
                tables=tables,
                fill=fill,
            )
        )
    )


def main() -> None:
    """The entry point, with the collector and the signals of the command `pigro`."""
    from pigro.cli.stopping import listen

    listen()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    study.main(prog_name="python -m benchmarks")


if __name__ == "__main__":
    main()
