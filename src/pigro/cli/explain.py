"""`pigro explain`: the truth of a formula's parts at a node; the work is in explaining.py."""

from __future__ import annotations

import click

from pigro.cli.options import dead_ends_option, format_option, from_option, semantics_option


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("model", type=click.Path())
@click.argument("formula")
@click.option(
    "--at",
    "node",
    metavar="[COMPONENT:]NODE",
    help="Explain at this node, under all call stacks, instead of at the initial nodes.",
)
@format_option
@from_option
@semantics_option
@dead_ends_option
def explain(  # noqa: PLR0913 - one parameter an option
    *,
    model: str,
    formula: str,
    node: str | None,
    form: str,
    from_: str | None,
    semantics: str,
    dead_ends: str | None,
) -> None:
    """Tell where the parts of a formula are true.

    Is each subformula of FORMULA true at the initial nodes of MODEL? With --at: is it true in all
    states at that node that can be reached, in none, or does that depend on the caller? Then one
    call stack is told where it is true and one where it is false. MODEL can be - for standard
    input.

    \b
    Examples:
      pigro explain app.rsm "AG (def -> EF use)"
      pigro explain app.rsm "AG (def -> EF use)" --at helper:in

    \b
    Exit codes:
      0    explained, whatever is true
      2    the command line, the model or the formula is wrong
      130  interrupted
    """  # noqa: D301 - the backspace is click's sign to keep line ends
    from pigro.cli.destination import write_stdout
    from pigro.cli.explaining import explain_formula
    from pigro.render.explanation import explanation_json, explanation_text

    told = explain_formula(
        model, formula, node, from_=from_, semantics=semantics, dead_ends=dead_ends
    )
    write_stdout(explanation_json(told) if form == "json" else explanation_text(told))
