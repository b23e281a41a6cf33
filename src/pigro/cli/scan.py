"""`pigro scan`: rules to findings in source code."""

from __future__ import annotations

import click

FORMATS = ("text", "json")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path())
@click.option(
    "--rules",
    "rule_files",
    metavar="FILE",
    multiple=True,
    type=click.Path(),
    help="Check the rules of this TOML file too. Can be repeated.",
)
@click.option(
    "--select",
    metavar="RULE,...",
    multiple=True,
    help="Check these rules only; ALL is every rule. Can be repeated.",
)
@click.option("--ignore", metavar="RULE,...", multiple=True, help="Leave these rules out.")
@click.option("--explain", metavar="RULE", help="Tell about a rule, and scan nothing.")
@click.option("--list", "listing", is_flag=True, help="List the rules, and scan nothing.")
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", help="How to write findings."
)
@click.option("-o", "--output", metavar="FILE", default="-", help="Write to FILE.")
@click.option("--all-files", is_flag=True, help="Scan tests and folders with code of others too.")
@click.option("--full", is_flag=True, help="Show every step of a run.")
@click.option("--stats", is_flag=True, help="Tell what was looked at, on standard error.")
def scan(  # noqa: PLR0913 - one parameter an option
    *,
    paths: tuple[str, ...],
    rule_files: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    explain: str | None,
    listing: bool,
    form: str,
    output: str,
    all_files: bool,
    full: bool,
    stats: bool,
) -> int:
    """Find faults in source code.

    Reads the Python files of PATHs, which are files or folders (default: the working folder), and
    checks rules on them. Tests, and folders such as vendor, are left out. Nothing is executed. Each
    finding has a run: the lines that lead to it.

    \b
    Examples:
      pigro scan src/
      pigro scan src/ --select ALL --format json -o findings.json
      pigro scan --explain fd-leak

    \b
    Exit codes:
      0    no findings
      1    findings
      2    the command line, a rule file or a source file is wrong
      3    a limit was reached
      4    internal error
    """  # noqa: D301 - the backspace is click's sign to keep line ends
    import sys

    from pigro.cli.destination import write_output, write_stdout
    from pigro.cli.failures import Exit, show
    from pigro.cli.progress import loading
    from pigro.diagnostics import render_error
    from pigro.limits import Budget
    from pigro.rules.choosing import chosen_rules, explained, known_rules, listed
    from pigro.scan.scanning import scan_paths
    from pigro.sources.files import NOT_OWN

    known = known_rules(rule_files)
    if explain is not None or listing:
        write_stdout(listed(known) if explain is None else explained(known, explain))
        return int(Exit.HOLDS)
    rules = chosen_rules(known, select, ignore)
    with loading() as tick:
        exclude = () if all_files else NOT_OWN
        report = scan_paths(paths or (".",), rules, exclude=exclude, budget=Budget(tick=tick))
    if form == "json":
        from pigro.render.findings.json import findings_json

        write_output(output, findings_json(report))
    else:
        from pigro.render.findings.text import coloured, findings_text, plain

        paint = coloured if output == "-" and sys.stdout.isatty() else plain
        write_output(output, findings_text(report, paint=paint, full=full).encode())
    for each in report.errors:
        show(render_error(each))
    if stats:
        for name, value in report.statistics.rows():
            show(f"{name}: {value}")
    if report.errors:
        return int(Exit.BAD_INPUT)
    return int(Exit.FAILS if report.findings else Exit.HOLDS)
