"""`pigro check-certificate`: the proofs of verdicts, checked by who did not make them."""

from __future__ import annotations

import click

from pigro.cli.options import format_option, formula_files_option, from_option


@click.command("check-certificate", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("model", type=click.Path())
@click.argument("file", type=click.Path())
@click.argument("formulas", nargs=-1)
@formula_files_option
@from_option
@click.option(
    "--semantics",
    type=click.Choice(["standard", "rsmcheck", "rmv"]),
    help="The semantics in which FORMULAS must be proved; standard by default.",
)
@click.option(
    "--dead-ends",
    type=click.Choice(["stutter", "stop"]),
    help="How dead ends are read where FORMULAS must be proved: as `pigro check` does by default.",
)
@click.option(
    "--checker",
    type=click.Choice(["python", "native", "both"]),
    default="native",
    show_default=True,
    help="Who checks: the native program, the small one in Python that is easy to read, or both.",
)
@format_option
@click.option("--quiet", is_flag=True, help="Only tell what was rejected, and how many there are.")
def check_certificate(  # noqa: PLR0913 - one parameter an option
    *,
    model: str,
    file: str,
    formulas: tuple[str, ...],
    files: tuple[str, ...],
    from_: str | None,
    semantics: str | None,
    dead_ends: str | None,
    checker: str,
    form: str,
    quiet: bool,
) -> int:
    """Check the proofs of verdicts.

    FILE holds certificates that `pigro check MODEL ... --certificate FILE` wrote. Each is accepted
    or rejected, with the first rule that it breaks and the place. Nothing is searched for: the
    checker only follows the proof. It reads MODEL as the certificates say they do: semantics, dead
    ends and initial nodes are told with the results.

    A certificate proves the formula that stands in it. FORMULAS, and those of -f, say what must be
    proved: that each of them holds at the initial nodes of MODEL, read as `pigro check` reads it.

    \b
    Examples:
      pigro check app.rsm "AG (def -> EF use)" --certificate app.cert
      pigro check-certificate app.rsm app.cert
      pigro check-certificate app.rsm app.cert "AG (def -> EF use)"

    \b
    Exit codes:
      0    all certificates are accepted, and all FORMULAS are proved
      1    some are rejected, or some FORMULAS are not proved
      2    FILE holds no certificates, or those of another model
      130  interrupted
    """  # noqa: D301 - the backspace is click's sign to keep line ends
    from pigro.cli.certificates import Wanted, check_file, report_json, report_text
    from pigro.cli.destination import write_stdout

    found = check_file(model, file, from_, checker, Wanted(formulas, files, semantics, dead_ends))
    if form == "json":
        write_stdout(report_json(found))
    else:
        for line in report_text(found, quiet=quiet):
            write_stdout(line)
    return int(found.rejected > 0 or bool(found.unproved))
