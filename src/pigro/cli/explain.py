"""`pigro explain`: the truth of parts of a formula. `pigro label`: all states that satisfy one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pigro.cli.options import (
    dead_ends_option,
    format_option,
    from_option,
    memory_option,
    semantics_option,
    timeout_option,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.engines.labelling import Satisfying
    from pigro.limits import Budget

    Write = Callable[[Satisfying], None]


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
def explain(
    *,
    model: str,
    formula: str,
    node: str | None,
    form: str,
    from_: str | None,
    semantics: str | None,
    dead_ends: str | None,
    timeout: float | None,
    memory: float | None,
) -> int:
    """Show where each subformula is true.

    Is each subformula of FORMULA true at the initial nodes of MODEL? With --at: is it true in all
    states at that node that can be reached, in none, or does that depend on the caller? If it
    depends, you see one call stack where it is true and one where it is false. MODEL can be - for
    standard input.

    \b
    Examples:
      pigro explain app.rsm "AG (def -> EF use)"
      pigro explain app.rsm "AG (def -> EF use)" --at helper:in
      pigro explain app.rsm "A [G (def -> F use)]" --at helper:in

    \b
    Exit codes:
      0    explained, whatever is true
      2    the command line, the model or the formula is wrong
      3    some subformula has no verdict within the limits
      130  interrupted (143 by SIGTERM)
    """
    from pigro.cli.destination import write_stdout
    from pigro.cli.failures import Exit, warn
    from pigro.engines.labelling import Truth
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
def label(
    *,
    model: str,
    formula: str,
    automaton: str | None,
    form: str,
    from_: str | None,
    semantics: str | None,
    dead_ends: str | None,
    timeout: float | None,
    memory: float | None,
) -> int:
    """Show where a formula holds: at every node, under all call stacks.

    For each node of MODEL: FORMULA holds (in all states there that can be reached), fails (in all
    of them), or that depends on the caller. MODEL can be - for standard input.

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
    """
    from pigro.cli.destination import STDOUT
    from pigro.diagnostics import UsageError
    from pigro.limits import Budget, Limits

    if form == "json" and automaton in STDOUT:
        raise UsageError(
            "P006",
            "--format json and --automaton - would write two documents to standard output",
            hint="give a file to --automaton",
        )
    budget = Budget(Limits(timeout, memory))
    write = None if automaton is None else _automaton_file(automaton, model, budget)
    return _label_nodes(
        model,
        formula,
        write,
        form=form,
        from_=from_,
        semantics=semantics,
        dead_ends=dead_ends,
        budget=budget,
    )


def _automaton_file(path: str, model: str, budget: Budget) -> Write:
    """Writes the automaton to this file. `UsageError` if that can't be done."""
    from pigro.cli.destination import STDOUT, check_destination, write_output
    from pigro.diagnostics import UsageError, printable
    from pigro.render.explanation import automaton_dot, automaton_json

    check_destination(path, [model])
    lower = path.lower()
    if path in STDOUT or lower.endswith(".json"):
        return lambda found: write_output(path, automaton_json(found))
    if lower.endswith((".dot", ".gv")):
        return lambda found: write_output(path, automaton_dot(found))
    if lower.endswith(".svg"):
        from pigro.formats import svg

        svg.need_graphviz()
        return lambda found: write_output(path, svg.draw(automaton_dot(found), budget))
    raise UsageError(
        "P007",
        f"the name {printable(path)} does not say how to write the automaton",
        hint="use a name that ends in .json, .dot or .svg",
    )


def _label_nodes(
    path: str,
    text: str,
    write: Write | None,
    *,
    form: str,
    from_: str | None,
    semantics: str | None,
    dead_ends: str | None,
    budget: Budget,
) -> int:
    """Labels and writes. Returns the exit code. `PigroError` or `Problems` for wrong input."""
    import warnings

    from pigro.cli.destination import write_stdout
    from pigro.cli.failures import Exit, show, warn
    from pigro.engines import UnknownLabelWarning
    from pigro.engines.labelling import satisfying
    from pigro.limits import OVER
    from pigro.render.explanation import labels_json, labels_text
    from pigro.session.explaining import read_question

    model, formula, _, told = read_question(
        path, text, from_=from_, semantics=semantics, dead_ends=dead_ends, budget=budget
    )
    for each in told:
        warn(each)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnknownLabelWarning)
        try:
            found = satisfying(model, formula, budget=budget)
            if write is None or form == "json":
                found.reach(budget.poll)
        except OVER as error:
            show(f"no labels: {error}")
            return int(Exit.NO_VERDICT)
    if write is None or form == "json":
        write_stdout(labels_json(found) if form == "json" else labels_text(found))
    try:
        if write is not None:
            write(found)
    except OVER as error:
        show(f"no automaton: {error}")
        return int(Exit.NO_VERDICT)
    return int(Exit.HOLDS)
