"""`pigro label`: all states that satisfy a formula."""

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
    "--automaton",
    metavar="FILE",
    type=click.Path(),
    help="Write the automaton that accepts the stacks under which the formula holds to FILE: as "
    "JSON (.json, or - for standard output), or as a drawing (.dot, .svg).",
)
@format_option
@from_option
@semantics_option
@dead_ends_option
@timeout_option
@memory_option
def label(  # noqa: PLR0913 - one parameter an option
    *,
    model: str,
    formula: str,
    automaton: str | None,
    form: str,
    from_: str | None,
    semantics: str,
    dead_ends: str | None,
    timeout: float | None,
    memory: float | None,
) -> int:
    """Tell where a formula holds: at every node, under all call stacks.

    For each node of MODEL: does FORMULA hold always, in all states there that can be reached;
    never; or does that depend on the caller? MODEL can be - for standard input.

    \b
    Examples:
      pigro label app.rsm "EF use"
      pigro label app.rsm "EF use" --automaton stacks.svg

    \b
    Exit codes:
      0    labelled, whatever holds
      2    the command line, the model or the formula is wrong
      3    the limits were used up
      130  interrupted (143 by SIGTERM)
    """  # noqa: D301 - the backspace is click's sign to keep line ends
    from pigro.cli.labelling import automaton_file, label_nodes
    from pigro.limits import Budget, Limits

    write = None if automaton is None else automaton_file(automaton, model)
    return label_nodes(
        model,
        formula,
        write,
        form=form,
        from_=from_,
        semantics=semantics,
        dead_ends=dead_ends,
        budget=Budget(Limits(timeout, memory)),
    )
