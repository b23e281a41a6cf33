"""`pigro validate-witness`: the evidence in results, walked through once more."""

from __future__ import annotations

import click

from pigro.cli.options import from_option


@click.command("validate-witness", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("model", type=click.Path())
@click.argument("file", type=click.Path())
@from_option
def validate_witness(*, model: str, file: str, from_: str | None) -> int:
    """Check the evidence in results.

    FILE holds results that `pigro check MODEL ... --witness --format json` wrote, or one piece of
    evidence alone. Each path is walked step by step on MODEL, labels and stacks are
    compared, loops closed; what the evidence says about all runs is checked by its certificate or,
    for LTL and CTL*, decided again. All else that the file says of the model and the verdicts is
    compared too; warnings and steps that can't be judged are listed as such.

    \b
    Examples:
      pigro check app.rsm "AG EF use" --witness --format json --output why.json
      pigro validate-witness app.rsm why.json

    \b
    Exit codes:
      0    all is right
      1    something is wrong, or a verdict that holds or fails has no evidence
      2    FILE holds no evidence, or MODEL can't be read
      130  interrupted
    """  # noqa: D301 - the backspace is click's sign to keep line ends
    from pigro.cli.findings import tell
    from pigro.cli.witnesses import validate_file

    return tell(validate_file(model, file, from_))
