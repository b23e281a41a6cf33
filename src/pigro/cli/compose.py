"""`pigro compose`: options and help. The work is done in pigro.session."""

from __future__ import annotations

from typing import Any

import click

from pigro.cli.options import (
    GroupedCommand,
    checking_options,
    output_option,
    refuse_others,
    report_options,
    request_values,
    results_format_option,
)
from pigro.forms import FORMS

_REFINES_TAKES = {"parts", "refines", "form", "output", "timeout", "memory"}
"""What goes with `--refines`, by parameter."""


@click.command(cls=GroupedCommand, context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("parts", metavar="PART...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--check",
    "formulas",
    metavar="FORMULA",
    multiple=True,
    help="Check this formula of CTL, the mu-calculus, LTL or CTL*. Can be repeated.",
)
@checking_options("compose")
@click.option(
    "--refines",
    metavar="ABSTRACT",
    type=click.Path(),
    help="Check no formula, but whether the parts refine those of this file: a mixed simulation "
    "shows that they do, a game that they do not.",
)
@results_format_option
@output_option
@report_options
@click.option("--stats", is_flag=True, help="Also describe the parts, and each game played.")
def compose(
    *,
    parts: tuple[str, ...],
    formulas: tuple[str, ...],
    refines: str | None,
    form: str,
    output: str | None,
    html: str | None,
    draw: str | None,
    stats: bool,
    **said: Any,
) -> int:
    """Check formulas on parts that run together.

    Does each formula hold in every initial state of the composition of all PARTs? Each part is
    checked alone, and parts are composed only where no part decides. A PART is FILE.parts or
    FILE.smv, with :NAME after it for one part or module of the file, or another model file
    without calls. Without formulas, those that the files themselves state are checked.

    \b
    Examples:
      pigro compose handshake.parts
      pigro compose sender.smv receiver.smv --check "AG (message -> AF ack)"
      pigro compose system.parts:client system.parts:server -f rules.ctl
      pigro compose system.parts --check "nu X. mu Y. <> (p & X | Y)" --stats
      pigro compose system.parts --method refine --trace
      pigro compose large.smv other.parts --method predicates --predicate "x < 3"
      pigro compose system.parts --method refine-one --save-assumption rest.parts
      pigro compose system.parts --witness --format json --output why.json
      pigro validate-witness system.parts why.json
      pigro compose --refines abstract.parts system.parts

    \b
    Exit codes:
      0    all formulas hold (--refines: it holds)
      1    some formula fails (--refines: it fails)
      2    the command line, a part or a formula is wrong: nothing was checked
      3    no formula fails, but some have no verdict
      4    internal error
      130  interrupted (143 by SIGTERM), but finished verdicts are printed
    """
    if refines is not None:
        hint = "--refines is about parts, not about formulas"
        refuse_others(click.get_current_context(), "--refines", _REFINES_TAKES, hint)
        if form not in {"text", "json"}:
            from pigro.diagnostics import UsageError

            raise UsageError("P006", f"--refines and --format {form} don't go together", hint=hint)
        return _refines(refines, parts, form, output, said["timeout"], said["memory"])
    witness: bool | None = said["witness"]
    source = click.get_current_context().get_parameter_source("witness")
    if FORMS[form].has_runs and source is click.core.ParameterSource.DEFAULT:
        witness = None
    from pigro.cli.output import OutputOptions, run
    from pigro.session.request import Request

    request = Request(
        subject=parts,
        composes=True,
        formulas=formulas,
        typed=True,
        **request_values("compose", said),
    )
    wanted = OutputOptions(
        form,
        output,
        statistics=stats,
        witness=witness,
        html=html,
        draw=draw,
        assumption=said["assumption"],
    )
    return int(run(request, wanted))


def _refines(
    abstract: str,
    parts: tuple[str, ...],
    form: str,
    output: str | None,
    timeout: float | None,
    memory: float | None,
) -> int:
    import time

    from pigro.cli.destination import STDOUT, check_destination, write_output
    from pigro.cli.failures import ExitCode
    from pigro.cli.progress import loading
    from pigro.limits import Budget, Limits
    from pigro.render.refinement import simulation_json, simulation_text
    from pigro.session.refining import read_sides, simulates

    check_destination(STDOUT[0] if output is None else output, [abstract, *parts])
    with loading() as tick:
        budget = Budget(Limits(timeout, memory), tick=tick)
        theirs, ours = read_sides(abstract, parts, budget)
        began = time.perf_counter()
        found = simulates(theirs, ours, budget=budget)
    if form == "json":
        data = simulation_json(found, theirs, ours, time.perf_counter() - began)
    else:
        data = simulation_text(found, theirs, ours).encode("utf-8", "backslashreplace")
    write_output(output, data)
    return int(ExitCode.HOLDS if found.holds else ExitCode.FAILS)
