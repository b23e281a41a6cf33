"""`pigro convert`: a model file in another format."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pigro.cli.options import (
    complete_format,
    dead_ends_option,
    from_option,
    memory_option,
    semantics_option,
    timeout_option,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.formats.registry import Format
    from pigro.formats.source import OpenedFile
    from pigro.model.composition import ListedSubject

_LOOPING = ("smv", "parts")
"""Formats in which a run goes on from every state."""


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("in", type=click.Path())
@click.argument("out", type=click.Path())
@from_option
@click.option(
    "--to",
    metavar="FORMAT",
    shell_complete=complete_format,
    help="The format to write, if the name of OUT does not show it.",
)
@semantics_option
@dead_ends_option
@timeout_option
@memory_option
def convert(
    *,
    out: str,
    from_: str | None,
    to: str | None,
    semantics: str | None,
    dead_ends: str | None,
    timeout: float | None,
    memory: float | None,
    **arguments: str,
) -> int:
    """Convert a model file to another format.

    Reads the model or the parts of IN and writes them to OUT, whole or not at all. OUT gives the
    verdicts of IN: .rsm, .json and .pigro files say how they are to be read, and other formats
    refuse models that they would change. Formulas that IN states go along where the format of OUT
    has a place for them. IN can be - for standard input and OUT - for standard output, which needs
    --to.

    A .pds file holds one reading of calls of nodes that are entry and exit at once: the one that
    --semantics says. With --semantics rmv the ending states of that reading are written too: then
    the standard reading of OUT gives the verdicts of IN under rmv.

    \b
    Examples:
      pigro convert app.pds app.rsm
      pigro convert app.rsm app.json
      pigro convert app.rsm app.pigro
      pigro convert app.rsm - --to dot
      pigro convert app.smv app.rsm --timeout 1m --memory 4G

    \b
    Exit codes:
      0    written
      2    the command line or the model is wrong: nothing was written
      3    a limit was reached: nothing was written
      130  interrupted (143 by SIGTERM): nothing was written
    """
    from pigro.cli.destination import check_destination, write_output
    from pigro.cli.failures import ExitCode, report_over, show
    from pigro.cli.progress import loading
    from pigro.formats import registry, statable, write_subject
    from pigro.formats.source import open_source
    from pigro.limits import LIMIT_ERRORS, Budget, Limits

    source = arguments["in"]
    kind = registry.format_to_write(out) if to is None else registry.format_named(to)
    kind.need("write", "written")
    check_destination(out, [source])
    can_be_read = kind.offer("read") is not None
    try:
        with loading() as tick:
            budget = Budget(Limits(timeout, memory), tick)
            opened = open_source(source, from_, budget.poll)
            subject = opened.subject(semantics=semantics, dead_ends=dead_ends, poll=budget.poll)
            stated = opened.requirements(subject) if can_be_read else []
            listed = subject.listed(budget.poll)
            kept, left = statable(kind, listed, stated)
            data = write_subject(kind, listed, kept, poll=budget.poll)
        budget.look()
    except LIMIT_ERRORS as error:
        return int(report_over("nothing was written", error))
    write_output(out, data)
    if left:
        count = f"{left:,} of {len(stated):,} formulas" if kept else f"{left:,} formulas"
        count = "1 formula" if len(stated) == 1 else count
        show(f"note: {count} left behind: a .{kind.name} file can't state such formulas")
    for each in _notes(kind, opened, listed) if can_be_read else ():
        show(each)
    return int(ExitCode.HOLDS)


def _notes(kind: Format, opened: OpenedFile, subject: ListedSubject) -> Iterator[str]:
    """What is other about the new file than about the old one."""
    from pigro.formats.files import loses_ends
    from pigro.model import Semantics
    from pigro.model.kinds import SubjectKind
    from pigro.model.statistics import why_lost

    if getattr(opened.document, "restricts_paths", False):
        yield (
            "note: formulas about the old file are about endless or fair paths only; its own say "
            "so in the new file, and others are about all paths"
        )
    if loses_ends(kind, subject):
        yield "note: in the new file, the mu-calculus reads dead ends as loops"
    if subject.kind is not SubjectKind.MODEL:
        return
    if kind.name in _LOOPING and (count := subject.statistics.dead_ends):
        ends = "1 dead end is a loop" if count == 1 else f"{count:,} dead ends are loops"
        yield f"note: {ends} in the new file, which gives the same verdicts"
    if kind.name == "pds" and subject.semantics is Semantics.RSMCHECK and why_lost(subject):
        yield (
            "warning: in the semantics rsmcheck runs end at dead ends, and a .pds file can't say "
            "so; check the new file with --dead-ends stop"
        )
    standard = subject.semantics is Semantics.STANDARD
    if kind.name == "pds" and standard and subject.calls_pass_through:
        yield (
            "warning: calls of nodes that are entry and exit at once are written as steps; "
            "verdicts with --semantics rsmcheck can change (convert with that option to keep them)"
        )
