"""`pigro check`: options and help. The work is done in pigro.session."""

from __future__ import annotations

from typing import Any

import click

from pigro.cli.options import (
    GroupedCommand,
    GroupedOption,
    checking_options,
    output_option,
    report_options,
    request_values,
    results_format_option,
)
from pigro.options import RARE


@click.command(cls=GroupedCommand, context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("model", type=click.Path())
@click.argument("formulas", metavar="[FORMULA]...", nargs=-1)
@checking_options("check")
@click.option(
    "--list-variables",
    cls=GroupedOption,
    group=RARE,
    is_flag=True,
    help="List the variables for --use-def.",
)
@results_format_option
@output_option
@report_options
@click.option("--stats", is_flag=True, help="Also describe the model and what checks cost.")
def check(
    *,
    model: str,
    formulas: tuple[str, ...],
    list_variables: bool,
    form: str,
    output: str | None,
    html: str | None,
    draw: str | None,
    stats: bool,
    **said: Any,
) -> int:
    """Check formulas on a model.

    Does each FORMULA hold in every initial node of MODEL? FORMULAs are checked in the order given,
    those in files after those on the command line. MODEL or FILE can be - for standard input.
    Without formulas, the properties that MODEL itself states are checked, if its format has any.
    MODEL can also be a program, FILE.py:NAME or package.module:NAME, that computes states: its code
    is run.

    \b
    Examples:
      pigro check app.rsm "AG (def -> EF use)"
      pigro check app.rsm -f properties.ctl --stats --jobs 2 --timeout 1m
      pigro check app.rsm "AF done" --start main:begin --dead-ends stop
      pigro check app.rsm -f properties.ctl --format json --output results.json
      pigro check app.rsm "AG (def -> EF use)" --witness --html why.html
      pigro check counter.py:Counter "E [G F zero & F ten]" --timeout 10s

    \b
    Exit codes:
      0    all formulas hold
      1    some formula fails
      2    the command line, the model or a formula is wrong: nothing was checked
      3    no formula fails, but some have no verdict
      4    internal error, or a proof was rejected
      130  interrupted (143 by SIGTERM), but finished verdicts are printed
    """
    if list_variables:
        from pigro.cli.destination import write_stdout
        from pigro.diagnostics import printable
        from pigro.formats.source import open_source
        from pigro.limits import Budget, Limits

        poll = Budget(Limits(said["timeout"], said["memory"])).poll
        source = open_source(model, said["format"], poll)
        names = source.variables(source.model(poll=poll))
        write_stdout("".join(f"{printable(name, len(name))}\n" for name in names))
        return 0
    from pigro.cli.output import OutputOptions, run
    from pigro.session.request import Request

    wanted = OutputOptions(
        form=form,
        output=output,
        statistics=stats,
        witness=said["witness"],
        certificate=said["certify"],
        html=html,
        draw=draw,
    )
    request = Request(
        subject=(model,),
        formulas=formulas,
        typed=True,
        **request_values("check", said),
    )
    return int(run(request, wanted))
