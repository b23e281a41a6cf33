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
    help="The format to write, if the name of OUT does not tell.",
)
@semantics_option
def convert(
    *, out: str, from_: str | None, to: str | None, semantics: str, **arguments: str
) -> None:
    """Convert a model file to another format.

    Reads the model IN and writes it to OUT, whole or not at all. IN can be - for standard input and
    OUT - for standard output, which needs --to. A .pds file holds one reading of calls of
    nodes that are entry and exit at once: the one that --semantics says.

    \b
    Examples:
      pigro convert app.pds app.rsm
      pigro convert app.rsm app.json
      pigro convert app.rsm app.pigro
      pigro convert app.rsm - --to dot
    """  # noqa: D301 - the backspace is click's sign to keep line ends
    from pigro.cli.destination import check_destination, write_output
    from pigro.cli.sources import open_source
    from pigro.formats import registry, write_model

    source = arguments["in"]
    kind = registry.format_to_write(out) if to is None else registry.format_named(to)
    kind.need("write", "written")
    check_destination(out, [source])
    model = open_source(source, from_).model(semantics=semantics)
    if kind.name == "pds" and semantics == "standard" and model.calls_pass_through:
        click.echo(
            "warning: calls of nodes that are entry and exit at once are written as steps; "
            "verdicts with --semantics rsmcheck can change (convert with that option to keep them)",
            err=True,
        )
    write_output(out, write_model(kind, model))
