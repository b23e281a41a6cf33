"""`pigro explain`: the truth of a formula's parts at a node; the work is in explaining.py."""

from __future__ import annotations

import click

from pigro.cli.options import (
    dead_ends_option,
    format_option,
    from_option,
    memory_option,
    semantics_option,
    timeout_option,
)


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
@timeout_option
@memory_option
def explain(  # noqa: PLR0913 - one parameter an option
    *,
    model: str,
    formula: str,
    node: str | None,
    form: str,
    from_: str | None,
    semantics: str,
    dead_ends: str | None,
    timeout: float | None,
    memory: float | None,
) -> int:
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
      3    some subformula has no verdict within the limits
      130  interrupted (143 by SIGTERM)
    """  # noqa: D301 - the backspace is click's sign to keep line ends
    from pigro.cli.destination import write_stdout
    from pigro.cli.failures import Exit, warn
    from pigro.engines.explaining import Truth
    from pigro.limits import Budget, Limits
    from pigro.render.explanation import explanation_json, explanation_text
    from pigro.session.explaining import explain_formula

    told = explain_formula(
        model,
        formula,
        node,
        from_=from_,
        semantics=semantics,
        dead_ends=dead_ends,
        budget=Budget(Limits(timeout, memory)),
    )
    for each in told.warnings:
        warn(each)
    write_stdout(explanation_json(told) if form == "json" else explanation_text(told))
    unknown = any(each.truth is Truth.UNKNOWN for each in told.truths)
    return int(Exit.NO_VERDICT if unknown else Exit.HOLDS)
