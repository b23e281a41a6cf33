"""`pigro show`: a model described or drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pigro.cli.options import (
    dead_ends_option,
    from_option,
    memory_option,
    semantics_option,
    timeout_option,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("model", type=click.Path())
@click.option(
    "--component",
    "components",
    metavar="NAME",
    multiple=True,
    help="Tell or draw all about this component, or part. Can be repeated.",
)
@click.option(
    "--draw",
    metavar="FILE",
    type=click.Path(),
    help="Draw into FILE, which is .dot or .svg, or - for DOT on standard output: small models as "
    "a whole, large ones by their call graph.",
)
@click.option("--all", "everything", is_flag=True, help="List or draw all components, or parts.")
@from_option
@semantics_option
@dead_ends_option
@timeout_option
@memory_option
def show(
    *,
    model: str,
    components: tuple[str, ...],
    draw: str | None,
    everything: bool,
    from_: str | None,
    semantics: str | None,
    dead_ends: str | None,
    timeout: float | None,
    memory: float | None,
) -> int:
    """Describe a model, or draw it.

    Prints statistics, frequent labels, and the components of MODEL with their sizes and the
    components that they call. For a file of parts, prints the parts and the labels that they share.
    MODEL can be - for standard input. Drawing SVG needs the optional package pygraphviz: in a
    clone of Pigro, pip install '.[draw]'.

    \b
    Examples:
      pigro show app.rsm
      pigro show app.rsm --component main
      pigro show system.parts
      pigro show app.rsm --draw app.svg
      pigro show app.rsm --component main --component helper --draw two.dot

    \b
    Exit codes:
      0    shown
      2    the command line or the model is wrong
      3    a limit was reached: nothing was shown
      130  interrupted (143 by SIGTERM)
    """
    from pigro.cli.destination import check_destination, write_output, write_stdout
    from pigro.cli.failures import ExitCode, report_over
    from pigro.cli.failures import show as note
    from pigro.cli.progress import loading
    from pigro.formats.source import open_source
    from pigro.limits import LIMIT_ERRORS, Budget, Limits
    from pigro.render.drawing import drawing_format, too_large
    from pigro.render.summary import component_text, names_of, summary

    if draw is not None:
        kind = drawing_format(draw)
        check_destination(draw, [model])
    try:
        with loading() as tick:
            budget = Budget(Limits(timeout, memory), tick)
            source = open_source(model, from_, budget.poll)
            loaded = source.subject(semantics=semantics, dead_ends=dead_ends, poll=budget.poll)
            drawn, text, numbers = b"", "", list[int]()
            if not components and draw is None:
                text = summary(loaded, everything=everything, poll=budget.poll)
            else:
                listed = loaded.listed(budget.poll)
                numbers = [_find(names_of(listed), name) for name in components]
            if draw is not None:
                drawn = kind(listed, numbers, everything=everything, poll=budget.poll)
            elif numbers:
                texts = [component_text(listed, number, budget.poll) for number in numbers]
                text = "\n".join(texts)
        budget.look()
    except LIMIT_ERRORS as error:
        return int(report_over("nothing was shown", error))
    for each in getattr(source.document, "fault_notes", ()):
        note(f"warning: {each}")
    if draw is None:
        write_stdout(text)
        return int(ExitCode.HOLDS)
    if not numbers and not everything and (why := too_large(listed)):
        note(f"note: {why}")
    write_output(draw, drawn)
    return int(ExitCode.HOLDS)


def _find(names: Sequence[str], name: str) -> int:
    from pigro.diagnostics import UsageError, did_you_mean, printable

    try:
        return names.index(name)
    except ValueError:
        raise UsageError(
            "P009",
            f'there is no component or part "{printable(name)}"',
            hint=did_you_mean(name, names),
        ) from None
