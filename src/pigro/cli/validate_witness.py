"""`pigro validate-witness`: evidence of every kind, checked by programs that did not make it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from pigro.cli.options import format_option, formula_files_option, from_option

if TYPE_CHECKING:
    from pigro.session.findings import Validation


@click.command("validate-witness", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("subject", metavar="MODEL...", nargs=-1, required=True, type=click.Path())
@click.argument("file", type=click.Path())
@click.option(
    "--check",
    "formulas",
    metavar="FORMULA",
    multiple=True,
    help="The certificates must prove that this formula holds. Can be repeated.",
)
@formula_files_option
@from_option
@click.option(
    "--semantics",
    type=click.Choice(["standard", "rsmcheck", "rmv"]),
    help="The semantics in which formulas must be proved. The default is that of `pigro check`.",
)
@click.option(
    "--dead-ends",
    type=click.Choice(["stutter", "stop"]),
    help="How dead ends are read where formulas must be proved: as `pigro check` does by default.",
)
@click.option(
    "--checker",
    type=click.Choice(["python", "native", "both"]),
    help="Which program checks certificates: the native one (the default), the small one in "
    "Python that is easy to read, or both.",
)
@format_option
@click.option("--quiet", is_flag=True, help="Print only the faults, and how many there are.")
def validate_witness(
    *, subject: tuple[str, ...], file: str, form: str, quiet: bool, **given: Any
) -> int:
    """Check evidence: certificates, and the evidence in results.

    FILE is a file that `pigro check MODEL ...` wrote with --certificate, or with --witness
    --format json, or one piece of evidence alone. Evidence that `pigro compose` wrote is checked on
    the same PARTs, in place of MODEL, and that of `pigro compose --refines ABSTRACT` on ABSTRACT
    and the PARTs. The command recognizes the kind of FILE.

    Certificates are accepted or rejected, with the first rule that they break and the place.
    Nothing is searched for: the checker only follows the proof. --check and -f say which formulas
    must be proved to hold at the initial nodes of MODEL.

    For other evidence, each path is followed step by step on MODEL: labels and stacks must agree,
    and loops must close. Claims about all runs are checked by their certificate or, for LTL and
    CTL*, decided again. Formulas, verdicts, names and initial nodes around the evidence are
    compared too. Sentences for people, sizes and times are not judged.

    \b
    Examples:
      pigro check app.rsm "AG EF use" --witness --format json --output why.json
      pigro validate-witness app.rsm why.json
      pigro check app.rsm "AG (def -> EF use)" --certificate app.cert
      pigro validate-witness app.rsm app.cert --check "AG (def -> EF use)"
      pigro compose system.parts --witness --format json --output why.json
      pigro validate-witness system.parts why.json
      pigro compose --refines a.parts b.parts --format json --output why.json
      pigro validate-witness a.parts b.parts why.json

    \b
    Exit codes:
      0    all is accepted
      1    something is rejected or not proved, or a verdict has no evidence
      2    FILE holds no evidence about MODEL, or MODEL can't be read
      130  interrupted
    """
    from pigro.cli.destination import write_stdout
    from pigro.cli.failures import warn
    from pigro.render.validation import validation_json, validation_text

    found = _validated(subject, file, **given)
    for warning in found.warnings:
        warn(warning)
    if form == "json":
        write_stdout(validation_json(found))
    else:
        for line in validation_text(found, quiet=quiet):
            write_stdout(line)
    return int(not found.accepted)


def _validated(
    subject: tuple[str, ...], file: str, *, from_: str | None = None, **more: Any
) -> Validation:
    """The findings, with a line on the terminal meanwhile that says how far it has come."""
    from pigro.cli.progress import Progress
    from pigro.diagnostics import InputProblems, PigroError
    from pigro.session.validating import validate

    shown: list[Progress] = []

    def advance(total: int) -> None:
        if not shown:
            shown.append(Progress(total, sys.stderr))
        shown[0].advance()

    try:
        return validate(subject, file, format=from_, advance=advance, **more)
    except PigroError as first:
        if isinstance(first.__cause__, InputProblems):
            raise first.__cause__ from None
        raise
    finally:
        for each in shown:
            each.clear()
