"""`pigro scan`: rules to findings in source code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pigro.cli.options import memory_option, timeout_option

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.limits import Limits
    from pigro.scan.project.cache import GraphCache
    from pigro.scan.project.settings import Project
    from pigro.scan.project.whole import RuleSet, ScanOptions, ScanResult

FORMATS = ("text", "json", "sarif", "github", "junit", "html")


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
    help="Check these rules only. ALL is every rule. Can be repeated.",
)
@click.option("--ignore", metavar="RULE,...", multiple=True, help="Leave these rules out.")
@click.option(
    "--exclude",
    metavar="PATTERN",
    multiple=True,
    help="Leave out files that match, as in .gitignore. Can be repeated.",
)
@click.option("--all-files", is_flag=True, help="Scan tests and folders with code of others too.")
@click.option("--no-gitignore", is_flag=True, help="Scan files that .gitignore names, too.")
@click.option(
    "--baseline", metavar="FILE", type=click.Path(), help="Report no findings that FILE has."
)
@click.option(
    "--write-baseline", is_flag=True, help="Write all findings to the baseline, and exit with 0."
)
@click.option(
    "--diff",
    metavar="[REF]",
    is_flag=False,
    flag_value="HEAD",
    help="Report only findings whose lines, or lines of their run, changed since the git commit "
    "REF (default: HEAD).",
)
@click.option(
    "--config",
    metavar="FILE",
    type=click.Path(),
    help="Read [tool.pigro] from FILE, not from the nearest pyproject.toml.",
)
@click.option(
    "--explain",
    metavar="RULE",
    help="Explain a rule or template, and scan nothing. raising is the table of calls that raise.",
)
@click.option("--list", "listing", is_flag=True, help="List the rules, and scan nothing.")
@click.option(
    "--why-not", metavar="FILE:LINE", help="Show why nothing is reported at a line, rule by rule."
)
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", help="How to write findings."
)
@click.option("-o", "--output", metavar="FILE", default="-", help="Write to FILE.")
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Colours in text. auto: on a terminal, unless NO_COLOR is set.",
)
@click.option(
    "--verify",
    is_flag=True,
    help="Prove each answer about the model, and check the proof with an independent checker. If "
    "one is rejected, stop with exit code 4.",
)
@click.option("--full", is_flag=True, help="Show every step of a run.")
@click.option("--stats", is_flag=True, help="Print on standard error how much was scanned.")
@click.option(
    "-j", "--jobs", type=click.IntRange(min=1), default=1, help="Use so many processes at once."
)
@click.option("--no-cache", is_flag=True, help="Read every file anew, and keep nothing.")
@click.option(
    "--cache-dir",
    metavar="FOLDER",
    type=click.Path(),
    help="Where graphs of files are kept. The default is ~/.cache/pigro.",
)
@timeout_option
@memory_option
def scan(
    *,
    paths: tuple[str, ...],
    rule_files: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    exclude: tuple[str, ...],
    all_files: bool,
    no_gitignore: bool,
    baseline: str | None,
    write_baseline: bool,
    diff: str | None,
    config: str | None,
    explain: str | None,
    listing: bool,
    why_not: str | None,
    form: str,
    output: str,
    color: str,
    verify: bool,
    full: bool,
    stats: bool,
    jobs: int,
    no_cache: bool,
    cache_dir: str | None,
    timeout: float | None,
    memory: float | None,
) -> int:
    """Find faults in source code.

    Reads the Python files of PATHs, which are files or folders, and checks rules on them. Nothing
    of them is executed. Each finding has a run: the lines that lead to it. Without PATH, it scans
    the paths of [tool.pigro] in pyproject.toml, or the working folder.

    Files that .gitignore names, tests and vendored code are left out, unless you give their path.

    \b
    Examples:
      pigro scan src/
      pigro scan src/ --select ALL --format json -o findings.json
      pigro scan --diff main
      pigro scan --explain fd-leak

    \b
    Exit codes:
      0    no findings
      1    findings
      2    the command line, a rule file or a source file is wrong
      3    a limit was reached, and there are no findings
      4    internal error
    """
    from pathlib import Path

    from pigro.cli.destination import check_destination
    from pigro.cli.failures import ExitCode
    from pigro.limits import Limits
    from pigro.scan.project.settings import find_project
    from pigro.scan.project.whole import RuleSet, ScanOptions

    project = find_project(Path.cwd(), config)
    rules = RuleSet(project, rule_files)
    if explain is not None or listing:
        return _tell_rules(rules, explain)
    check_destination(output, ())
    since, paths = _reference(diff, paths)
    asked = ScanOptions(
        project, paths, rule_files, select, ignore, exclude,
        all_files=all_files, git=not no_gitignore, baseline=baseline,
        use_baseline=not write_baseline and not why_not,
        since=since, jobs=jobs, cache=_cache(project, cache_dir, no_cache), verify=verify,
    )  # fmt: skip
    if write_baseline:
        check_destination(asked.baseline_file, ())
    limits = Limits(timeout, memory)
    if why_not is not None:
        return _tell_why(asked, rules, limits, why_not)
    outcome = _scanned(asked, rules, limits, write_baseline=write_baseline)
    if write_baseline:
        _write_baseline(asked, outcome)
    else:
        _write(outcome, form, output, color, full=full)
    _tell(rules, outcome, stats=stats)
    if rules.errors or outcome.report.errors:
        return int(ExitCode.BAD_INPUT)
    if outcome.report.findings and not write_baseline:
        return int(ExitCode.FAILS)
    return int(ExitCode.NO_VERDICT if outcome.report.unfinished else ExitCode.HOLDS)


def _tell_rules(rules: RuleSet, explain: str | None) -> int:
    """About one rule, or about all."""
    from pigro.cli.destination import write_stdout
    from pigro.cli.failures import ExitCode
    from pigro.render.findings.explanation import explained
    from pigro.rules.choosing import listed

    _show_errors(rules)
    if explain is None:
        write_stdout(listed(rules.known))
    else:
        write_stdout(explained(rules.known, explain, rules.beliefs))
    return int(ExitCode.BAD_INPUT if rules.errors else ExitCode.HOLDS)


def _reference(diff: str | None, paths: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
    """The commit of `--diff`. A value that is no commit but a path was meant as one."""
    from pathlib import Path

    from pigro.scan.project.changes import is_reference

    if diff is not None and diff != "HEAD" and Path(diff).exists() and not is_reference(diff):
        return "HEAD", (diff, *paths)
    return diff, paths


def _cache(project: Project, folder: str | None, no_cache: bool) -> GraphCache | None:
    from pathlib import Path

    from pigro.scan.project.cache import GraphCache, default_folder

    if no_cache:
        return None
    written = project.settings.cache_dir
    if folder is None and written is not None:
        folder = project.path(written)
    return GraphCache(default_folder() if folder is None else Path(folder))


def _scanned(
    asked: ScanOptions, rules: RuleSet, limits: Limits, *, write_baseline: bool
) -> ScanResult:
    import sys

    from pigro.cli.progress import Progress
    from pigro.diagnostics import UsageError
    from pigro.limits import Budget
    from pigro.scan.project.whole import scan_project

    if write_baseline and asked.baseline_file is None:
        hint = "give --baseline FILE, or baseline in [tool.pigro]"
        raise UsageError("P006", "--write-baseline needs the name of a file", hint=hint)
    shown = Progress(None, sys.stderr, verb="reading")
    budget = Budget(limits, tick=shown.ticking)

    def begin(files: int) -> Callable[[], None]:
        nonlocal shown
        shown.clear()
        shown = Progress(files, sys.stderr, verb="scanned")
        budget.tick = shown.ticking
        return shown.advance

    try:
        return scan_project(asked, rules, budget, begin)
    finally:
        shown.clear()


def _write_baseline(asked: ScanOptions, outcome: ScanResult) -> None:
    from pigro.cli.destination import write_output
    from pigro.cli.failures import show
    from pigro.diagnostics import printable
    from pigro.scan.project.baseline import baseline_bytes

    path = asked.baseline_file
    assert path is not None
    write_output(path, baseline_bytes(outcome.report.findings, path))
    count = len(outcome.report.findings)
    show(f"wrote {count:,} finding{'' if count == 1 else 's'} to {printable(path)}")


def _write(outcome: ScanResult, form: str, output: str, color: str, *, full: bool) -> None:
    from importlib import import_module

    from pigro.cli.destination import STDOUT, colour_wanted, on_terminal, write_output

    if form != "text":
        render = import_module(f"pigro.render.findings.{form}").render
        write_output(output, render(outcome))
        return
    from pigro.render.findings.text import coloured, findings_text, plain

    is_seen = output in STDOUT and on_terminal() and colour_wanted()
    paint = coloured if color == "always" or (color == "auto" and is_seen) else plain
    write_output(output, findings_text(outcome, paint=paint, full=full).encode("utf-8", "replace"))


def _show_errors(rules: RuleSet) -> None:
    from pigro.cli.failures import show
    from pigro.diagnostics import render_error

    for each in rules.errors:
        show(render_error(each))


def _tell(rules: RuleSet, outcome: ScanResult, *, stats: bool) -> None:
    """Messages that are not findings, on standard error."""
    from pigro.cli.failures import show, warn
    from pigro.diagnostics import render_error

    _show_errors(rules)
    for each in outcome.report.errors:
        show(render_error(each))
    for notice in outcome.notices:
        warn(str(notice))
    if outcome.report.statistics.verified:
        count = outcome.report.statistics.verified
        what = "1 certificate: it proves an answer" if count == 1 else (
            f"{count:,} certificates: they prove the answers")  # fmt: skip
        show(f"checked {what} about the model")
    if outcome.report.unfinished:
        warn(f"a limit was reached. Not checked to the end: {', '.join(outcome.report.unfinished)}")
    if stats:
        for name, value in outcome.report.statistics.rows():
            show(f"{name}: {value}")


def _tell_why(asked: ScanOptions, rules: RuleSet, limits: Limits, place: str) -> int:
    from pigro.cli.destination import write_stdout
    from pigro.cli.failures import ExitCode
    from pigro.limits import Budget
    from pigro.render.findings.reasons import reasons_text
    from pigro.scan.project.why_not import why_not

    write_stdout(reasons_text(why_not(asked, rules, Budget(limits), place)))
    return int(ExitCode.HOLDS)
