"""`pigro convert`: a model file in another format."""

from __future__ import annotations

import click

from pigro.cli.options import complete_format, from_option, semantics_option


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
def convert(
    *, out: str, from_: str | None, to: str | None, semantics: str, **arguments: str
) -> None:
    """Convert a model file to another format.

    Reads the model or the parts of IN and writes them to OUT, whole or not at all. Formulas that IN
    states go along where the format of OUT has a place for them. IN can be - for standard input
    and OUT - for standard output, which needs --to. A .pds file holds one reading of calls of nodes
    that are entry and exit at once: the one that --semantics says. With --semantics rmv the ending
    states of that reading are written too: then the standard reading of OUT gives the verdicts of
    IN under rmv.

    \b
    Examples:
      pigro convert app.pds app.rsm
      pigro convert app.rsm app.json
      pigro convert app.rsm app.pigro
      pigro convert app.rsm - --to dot
    """  # noqa: D301 - the backspace is click's sign to keep line ends
    from pigro.cli.destination import check_destination, write_output
    from pigro.cli.failures import show
    from pigro.cli.progress import loading
    from pigro.formats import registry, statable, write_subject
    from pigro.formats.source import open_source
    from pigro.limits import Budget
    from pigro.model import RSM

    source = arguments["in"]
    kind = registry.format_to_write(out) if to is None else registry.format_named(to)
    kind.need("write", "written")
    check_destination(out, [source])
    with loading() as tick:
        budget = Budget(tick=tick)
        opened = open_source(source, from_, budget.poll)
        subject = opened.subject(semantics=semantics, poll=budget.poll)
    stated = opened.requirements(subject) if kind.offer("read") is not None else []
    kept, left = statable(kind, subject, stated)
    write_output(out, write_subject(kind, subject, kept))
    if left:
        count = f"{left:,} of {len(stated):,} formulas" if kept else f"{left:,} formulas"
        count = "1 formula" if len(stated) == 1 else count
        show(f"note: {count} left behind: a .{kind.name} file can't state such formulas")
    if (
        kind.name == "pds"
        and semantics == "standard"
        and isinstance(subject, RSM)
        and subject.calls_pass_through
    ):
        show(
            "warning: calls of nodes that are entry and exit at once are written as steps; "
            "verdicts with --semantics rsmcheck can change (convert with that option to keep them)"
        )
