"""`pigro check`: options and help. The work is done in pigro.session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pigro.cli.options import (
    dead_ends_option,
    format_option,
    formula_files_option,
    from_option,
    memory_option,
    output_option,
    semantics_option,
    timeout_each_option,
    timeout_option,
)

if TYPE_CHECKING:
    from click import Context, Parameter

ENGINE_NAMES = (
    "auto",
    "demand",
    "onthefly",
    "game",
    "exhaustive",
    "eager",
    "lazy",
    "ternary",
    "random",
    "incremental",
    "knowledge",
    "basic",
)
"""Written out, for help and completion must not import the engines."""


class _EngineName(click.Choice[str]):
    """Those of other packages are looked up."""

    def convert(self, value: str, param: Parameter | None, ctx: Context | None) -> str:
        """The name."""
        if value not in self.choices:
            from pigro.engines import TABLE

            if value in TABLE:
                return value
        return super().convert(value, param, ctx)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("model", type=click.Path())
@click.argument("formulas", metavar="[FORMULA]...", nargs=-1)
@formula_files_option
@click.option(
    "--use-def",
    metavar="all|NAME",
    multiple=True,
    help="Check that this variable of the program, wherever it is defined, can be used later. "
    "Labels def_NAME, use_NAME and usedef_NAME say where. Can be repeated.",
)
@click.option(
    "--requirement",
    "requirements",
    metavar="NAME[:VARIABLE|all]",
    multiple=True,
    help="Check a requirement on variables, by the same labels: usable (as --use-def), initialized "
    "(no use before a definition), used (each definition can be used before the next), or kept (no "
    "definition is overwritten unused). Can be repeated.",
)
@click.option("--list-variables", is_flag=True, help="List the variables for --use-def.")
@from_option
@click.option(
    "--engine",
    metavar="NAME",
    type=_EngineName(ENGINE_NAMES),
    default="auto",
    help="The algorithm. The default, auto, picks game for the mu-calculus, onthefly where states "
    "are computed on demand, and demand otherwise. "
    f"Others are {', '.join(ENGINE_NAMES[4:-1])} and {ENGINE_NAMES[-1]}.",
)
@click.option(
    "--depth",
    metavar="N",
    type=click.IntRange(min=0, max=2**31 - 1),
    help="For LTL and CTL* on recursive models: follow calls up to N deep. Verdicts that depend on "
    "deeper calls are unknown.",
)
@click.option(
    "--heuristic",
    metavar="NAME",
    help="With --engine lazy: which boxes get a context next: next (the default), next-random, all "
    "or random, a plug-in by its name, or FILE.py:NAME.",
)
@click.option(
    "--seed",
    metavar="N",
    type=int,
    help="With --engine lazy or random: the seed of random choices. The default is 0.",
)
@click.option(
    "--variant",
    type=click.Choice(["improved", "printed", "tool"]),
    help="With --engine eager, lazy, ternary or random: Pigro's version (the default), the "
    "algorithms as printed, or those of the authors' tool, whose verdicts can be wrong.",
)
@click.option(
    "--trace",
    is_flag=True,
    help="With --engine eager, lazy, ternary, random, incremental, knowledge or basic: also print "
    "each step and why it was taken.",
)
@format_option
@output_option
@click.option(
    "--certificate",
    metavar="FILE",
    type=click.Path(),
    help="Write the proofs of all verdicts to FILE, for `pigro validate-witness`.",
)
@click.option(
    "--verify",
    is_flag=True,
    help="Check the proof of each verdict at once. If one is rejected, stop with exit code 4 and "
    "a file for a bug report.",
)
@click.option(
    "--witness/--no-witness",
    default=None,
    help="Also show why: a run with its call stack, where one run can show it, or a strategy for "
    "the mu-calculus. By default a terminal shows a short form.",
)
@click.option(
    "--html",
    metavar="FILE",
    type=click.Path(),
    help="Write a report to open in a browser: verdicts, runs to step through, games to play.",
)
@click.option(
    "--draw",
    metavar="FILE",
    type=click.Path(),
    help="Draw the run of the first verdict that has one, on the components that it visits. FILE "
    "ends in .dot or .svg. If no verdict has a run, nothing is written.",
)
@click.option("--stats", is_flag=True, help="Also describe the model and the cost of each check.")
@semantics_option
@dead_ends_option
@timeout_option
@timeout_each_option
@memory_option
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Use N threads, for formulas or operands of one. The verdicts are the same for any N.",
)
@click.option("--strict", is_flag=True, help="Labels that no node carries are an error.")
@click.option(
    "--vacuity/--no-vacuity",
    default=True,
    help="Whether to warn of formulas AG (p -> q) that hold only because no reachable state "
    "satisfies p. By default they are warned of.",
)
@click.option(
    "--start",
    "starts",
    metavar="[COMPONENT:]NODE",
    multiple=True,
    help="Start here instead of at the model's initial nodes. Can be repeated.",
)
def check(
    *,
    model: str,
    formulas: tuple[str, ...],
    files: tuple[str, ...],
    use_def: tuple[str, ...],
    requirements: tuple[str, ...],
    list_variables: bool,
    from_: str | None,
    engine: str,
    depth: int | None,
    heuristic: str | None,
    seed: int | None,
    variant: str | None,
    trace: bool,
    form: str,
    output: str | None,
    certificate: str | None,
    verify: bool,
    witness: bool | None,
    html: str | None,
    draw: str | None,
    stats: bool,
    semantics: str | None,
    dead_ends: str | None,
    timeout: float | None,
    timeout_each: float | None,
    memory: float | None,
    jobs: int,
    strict: bool,
    vacuity: bool,
    starts: tuple[str, ...],
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
      pigro check app.rsm -f properties.ctl --certificate proofs.cert --verify
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

        poll = Budget(Limits(timeout, memory)).poll
        source = open_source(model, from_, poll)
        names = source.variables(source.model(poll=poll))
        write_stdout("".join(f"{printable(name, len(name))}\n" for name in names))
        return 0
    from pigro.cli.output import Wanted, run
    from pigro.session.request import Request

    wanted = Wanted(
        form=form,
        output=output,
        statistics=stats,
        witness=witness,
        certificate=certificate,
        html=html,
        draw=draw,
    )
    request = Request(
        subject=(model,),
        formulas=formulas,
        files=files,
        format=from_,
        use_def=use_def,
        requirements=requirements,
        engine=engine,
        depth=depth,
        heuristic=heuristic,
        seed=seed,
        variant=variant,
        trace=trace,
        semantics=semantics,
        dead_ends=dead_ends,
        starts=starts,
        strict=strict,
        vacuity=vacuity,
        certify=certificate is not None,
        verify=verify,
        timeout=timeout,
        memory=memory,
        timeout_each=timeout_each,
        jobs=jobs,
        typed=True,
    )
    return int(run(request, wanted))
