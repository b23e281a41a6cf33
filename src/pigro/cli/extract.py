"""`pigro extract`: source code to a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pigro.cli.options import complete_format

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.diagnostics import InputError
    from pigro.limits import Budget
    from pigro.sources.link import LinkedProgram


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True, type=click.Path())
@click.option(
    "-o", "--output", metavar="MODEL", required=True, help="Write the model to this file."
)
@click.option(
    "--to",
    metavar="FORMAT",
    shell_complete=complete_format,
    help="The format to write, if the name of MODEL does not show it.",
)
@click.option(
    "--entry",
    "entries",
    metavar="FUNCTION",
    multiple=True,
    help="Start with this function, by its qualified name. Can be repeated. Default: all modules, "
    "and all functions without a leading underscore.",
)
@click.option(
    "--unknown",
    type=click.Choice(["raise", "return"]),
    default="raise",
    show_default=True,
    help="What calls of unknown code may do: raise through a node labelled soft, or only return.",
)
@click.option("--stats", is_flag=True, help="Print on standard error how much was extracted.")
def extract(
    *,
    sources: tuple[str, ...],
    output: str,
    to: str | None,
    entries: tuple[str, ...],
    unknown: str,
    stats: bool,
) -> int:
    """Make a model of source code.

    Reads the Python files of SOURCEs, which are files or folders, and writes one model of them: a
    component for each function, with source positions, and a driver that calls the functions that
    users can call. Nothing is imported or executed. Files of a folder that can't be read are
    reported and left out. If a file that you name can't be read, no model is written.

    \b
    Examples:
      pigro extract src/ -o app.rsm
      pigro check app.rsm --use-def all
      pigro extract app.py -o app.pigro --entry app.run
    """
    from pigro.cli.destination import check_destination, write_output
    from pigro.cli.failures import ExitCode, show
    from pigro.cli.progress import loading
    from pigro.diagnostics import render_error
    from pigro.formats import registry, write_subject
    from pigro.limits import Budget
    from pigro.scan.extracting import extract as extracted

    kind = registry.format_to_write(output) if to is None else registry.format_named(to)
    kind.need("write", "written")
    check_destination(output, sources)
    with loading() as tick:
        program, errors = _program(sources, entries, Budget(tick=tick))
        made = extracted(program, entries=entries, unknown_raises=unknown == "raise")
    write_output(output, write_subject(kind, made.model, []))
    for error in errors:
        show(render_error(error))
    if errors:
        count = "1 file" if len(errors) == 1 else f"{len(errors):,} files"
        show(f"note: {count} left out of the model")
    if stats:
        core = made.model.core
        show(f"components: {core.components:,}")
        show(f"nodes: {core.declared_nodes:,}")
        show(f"calls: {made.calls:,}")
        show(f"calls of functions outside of the sources: {made.outside:,}")
        show(f"calls that could lead anywhere: {made.unknown:,}")
    return int(ExitCode.BAD_INPUT if errors else ExitCode.HOLDS)


def _program(
    sources: Iterable[str], entries: Iterable[str], budget: Budget
) -> tuple[LinkedProgram, list[InputError]]:
    """The program of these sources, and the errors of files of folders that can't be read.

    `InputProblems` if a file that was named can't be read, no file can, or an entry does not exist.
    """
    from pigro.diagnostics import InputProblems, UsageError, did_you_mean, printable
    from pigro.scan.scanning import read_sources
    from pigro.sources.files import source_files
    from pigro.sources.link import LinkedProgram

    files = source_files(sources)
    modules, errors, _ = read_sources(files, budget)
    problems = InputProblems(list(errors))
    named = {each.shown for each in files if each.is_named}
    if not modules or any(each.position and each.position.source in named for each in errors):
        raise problems
    program = LinkedProgram.of(modules)
    for each in entries:
        if each not in program.functions:
            hint = did_you_mean(each, program.functions)
            told = f'there is no function "{printable(each)}"'
            problems.add(UsageError("P009", told, hint=hint))
            raise problems
    return program, errors
