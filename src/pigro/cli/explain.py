"""`pigro explain`: the truth of parts of a formula. `pigro label`: all states that satisfy one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pigro.cli.options import checking_options, format_option

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.engines.labelling import Satisfying
    from pigro.limits import Budget
    from pigro.session.explaining import Explanation
    from pigro.session.request import CheckQuestion

    Write = Callable[[Satisfying], None]


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("model", type=click.Path())
@click.argument("formula")
@click.option(
    "--at",
    metavar="[COMPONENT:]NODE",
    help="Explain at this node, under all call stacks, instead of at the initial nodes.",
)
@format_option
@checking_options("explain")
def explain(*, model: str, formula: str, form: str, **said: Any) -> int:
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
    from pigro.session.explaining import explain_parts

    explanation = _answer(explain_parts, model, formula, _budget(said), said)
    if explanation is None:
        return _no_verdict()
    _write(explanation, form)
    return _no_verdict() if not explanation.is_known else 0


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
@checking_options("explain")
def label(*, model: str, formula: str, automaton: str | None, form: str, **said: Any) -> int:
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
    from pigro.cli.failures import show
    from pigro.diagnostics import UsageError
    from pigro.limits import LIMIT_ERRORS
    from pigro.session.explaining import label_nodes

    if form == "json" and automaton in STDOUT:
        raise UsageError(
            "P006",
            "--format json and --automaton - would write two documents to standard output",
            hint="give a file to --automaton",
        )
    budget = _budget(said)
    write = None if automaton is None else _automaton_file(automaton, model, budget)
    explanation = _answer(label_nodes, model, formula, budget, said)
    if explanation is None:
        return _no_verdict()
    if write is None or form == "json":
        _write(explanation, form)
    try:
        if write is not None and explanation.satisfying is not None:
            write(explanation.satisfying)
    except LIMIT_ERRORS as error:
        show(f"no automaton: {error}")
        return _no_verdict()
    return 0


def _budget(said: dict[str, Any]) -> Budget:
    from pigro.limits import Budget, Limits

    return Budget(Limits(said["timeout"], said["memory"]))


def _answer(
    ask: Callable[[CheckQuestion], Explanation],
    model: str,
    formula: str,
    budget: Budget,
    said: dict[str, Any],
) -> Explanation | None:
    """The answer, after its warnings. None beyond the limits, which are shown."""
    from pigro.cli.failures import show, warn
    from pigro.limits import LIMIT_ERRORS
    from pigro.session.explaining import prepare_explanation
    from pigro.session.request import Request

    request = Request((model,), (formula,), typed=True, **said)
    try:
        question = prepare_explanation(request, budget)
        for each in question.notices:
            warn(each.text)
        return ask(question)
    except LIMIT_ERRORS as error:
        show(f"no answer: {error}")
        return None


def _write(explanation: Explanation, form: str) -> None:
    from pigro.cli.destination import write_stdout
    from pigro.render.explanation import explanation_json, explanation_text

    write_stdout(explanation_json(explanation) if form == "json" else explanation_text(explanation))


def _no_verdict() -> int:
    from pigro.cli.failures import ExitCode

    return int(ExitCode.NO_VERDICT)


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
        return lambda found: write_output(path, svg.draw(automaton_dot(found), budget.poll))
    raise UsageError(
        "P007",
        f"the name {printable(path)} does not say how to write the automaton",
        hint="use a name that ends in .json, .dot or .svg",
    )
