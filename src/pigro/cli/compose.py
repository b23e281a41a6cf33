"""`pigro compose`: options and help. The work is done in pigro.session."""

from __future__ import annotations

import click

from pigro.cli.options import (
    format_option,
    formula_files_option,
    memory_option,
    output_option,
    refuse_others,
    timeout_each_option,
    timeout_option,
)

METHODS = ("concrete", "refine", "refine-one", "predicates", "symbolic", "full")
"""Written out, for help and completion must not import the engines."""
_REFINES_TAKES = {"parts", "refines", "form", "output", "timeout", "memory"}
"""What goes with `--refines`, by parameter."""


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("parts", metavar="PART...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--check",
    "formulas",
    metavar="FORMULA",
    multiple=True,
    help="Check this formula of CTL, the mu-calculus, LTL or CTL*. Can be repeated.",
)
@formula_files_option
@click.option(
    "--method",
    metavar="NAME",
    type=click.Choice(METHODS),
    default="concrete",
    help="How to check: concrete (part by part, the default), refine (on abstract parts that are "
    "refined), refine-one (like refine, but the first part is not abstracted), predicates (on .smv "
    "parts abstracted by conditions, which are refined), symbolic (with decision diagrams) or full "
    "(composing everything, to compare).",
)
@click.option(
    "--refine",
    type=click.Choice(["many", "one"]),
    help="With a method that refines: look at many causes of doubt in a round (the default), or at "
    "one, which may keep the parts more abstract. With --method symbolic: check abstract parts, "
    "and refine them so.",
)
@click.option(
    "--predicate",
    "predicates",
    metavar="[PART:]CONDITION",
    multiple=True,
    help="Abstract a .smv part by this condition over its variables. Can be repeated. With "
    "--method predicates, conditions of its file are added where a verdict needs them.",
)
@click.option(
    "--hyper/--no-hyper",
    default=True,
    help="With --method refine or refine-one: let blocks have steps that must be there, to one of "
    "several blocks (the default), or to single blocks only.",
)
@click.option(
    "--dead-ends",
    type=click.Choice(["stutter", "stop"]),
    default="stutter",
    show_default=True,
    help="How CTL reads states without a next state: a run stays there forever, or ends.",
)
@click.option("--trace", is_flag=True, help="With a method that refines: also show each round.")
@click.option(
    "--save-assumption",
    "assumption",
    metavar="FILE.parts",
    type=click.Path(),
    help="With --method refine or refine-one and one formula: also write the abstract parts that "
    "decided it, as parts to compose again.",
)
@click.option(
    "--refines",
    metavar="ABSTRACT",
    type=click.Path(),
    help="Check no formula, but whether the parts refine those of this file: a mixed simulation "
    "shows that they do, a game that they do not.",
)
@format_option
@output_option
@click.option(
    "--witness/--no-witness",
    default=False,
    help="Also show a strategy that wins, position by position. --format json has all of it.",
)
@click.option(
    "--replay",
    metavar="FILE",
    type=click.Path(),
    help="Check only the evidence in FILE, and no formulas. --witness --format json --output FILE "
    "writes such a file.",
)
@click.option("--stats", is_flag=True, help="Also describe the parts, and each game played.")
@timeout_option
@timeout_each_option
@memory_option
@click.option("--strict", is_flag=True, help="Labels that no part sees are an error.")
def compose(
    *,
    parts: tuple[str, ...],
    formulas: tuple[str, ...],
    files: tuple[str, ...],
    method: str,
    refine: str | None,
    predicates: tuple[str, ...],
    hyper: bool,
    dead_ends: str,
    trace: bool,
    assumption: str | None,
    refines: str | None,
    form: str,
    output: str | None,
    witness: bool,
    replay: str | None,
    stats: bool,
    timeout: float | None,
    timeout_each: float | None,
    memory: float | None,
    strict: bool,
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
      pigro compose system.parts --replay why.json
      pigro compose --refines abstract.parts system.parts

    \b
    Exit codes:
      0    all formulas hold (with --replay: all is accepted; with --refines: it holds)
      1    some formula fails (something is rejected, or evidence is missing; it fails)
      2    the command line, a part or a formula is wrong: nothing was checked
      3    no formula fails, but some have no verdict
      4    internal error
      130  interrupted (143 by SIGTERM), but finished verdicts are printed
    """
    if replay is not None:
        from pigro.cli.validate_witness import replay as replayed

        return replayed(click.get_current_context(), parts, replay)
    if refines is not None:
        hint = "--refines is about parts, not about formulas"
        refuse_others(click.get_current_context(), "--refines", _REFINES_TAKES, hint)
        return _refines(refines, parts, form, output, timeout, memory)
    from pigro.cli.output import Wanted, run
    from pigro.session.request import Request

    request = Request(
        subject=parts,
        composes=True,
        formulas=formulas,
        files=files,
        method=method,
        refine=refine,
        predicates=predicates,
        hyper=hyper,
        dead_ends=dead_ends,
        trace=trace,
        assumption=assumption is not None,
        strict=strict,
        timeout=timeout,
        memory=memory,
        timeout_each=timeout_each,
        typed=True,
    )
    wanted = Wanted(form, output, statistics=stats, witness=witness, assumption=assumption)
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
    from pigro.cli.failures import Exit
    from pigro.cli.progress import loading
    from pigro.limits import Budget, Limits
    from pigro.render.parts.simulation import simulation_text
    from pigro.render.parts.simulation_json import simulation_json
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
    return int(Exit.HOLDS if found.holds else Exit.FAILS)
