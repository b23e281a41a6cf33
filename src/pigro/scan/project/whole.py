"""A whole scan of a project: which files, which rules, and which findings are worth a report."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pigro.diagnostics import InputError, InputProblems, PigroError, UsageError
from pigro.rules.choosing import chosen_rules, known_rules, named_rules, wanted_rules
from pigro.rules.places import TomlFile
from pigro.rules.raising import built_in_beliefs
from pigro.rules.reading import table_rules
from pigro.scan.project.baseline import read_baseline, without_known
from pigro.scan.project.changes import changed, changes_since
from pigro.scan.project.comments import ScanNotice, unused, without_ignored
from pigro.scan.project.leaving_out import LeavingOut
from pigro.scan.project.parallel import check_in_processes
from pigro.scan.project.reading import ProjectReader
from pigro.scan.project.sentences import ReasonSentence
from pigro.scan.scanning import scan_modules
from pigro.sources.files import source_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pigro.limits import Budget
    from pigro.rules import Rule
    from pigro.scan.findings import Finding, ScanReport
    from pigro.scan.project.cache import GraphCache
    from pigro.scan.project.settings import Project
    from pigro.scan.scanning import Scan
    from pigro.sources.files import SourceFile


@dataclass(frozen=True, slots=True)
class ScanOptions:
    """The settings of a scan: the options of the command line."""

    project: Project
    paths: Sequence[str] = ()
    rule_files: Sequence[str] = ()
    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    exclude: Sequence[str] = ()
    all_files: bool = False
    """Whether tests and code of others are scanned too."""
    git: bool = True
    """Whether files that `.gitignore` names are left out."""
    baseline: str | None = None
    use_baseline: bool = True
    since: str | None = None
    """Only findings on lines that changed since this commit."""
    jobs: int = 1
    cache: GraphCache | None = None
    verify: bool = False
    """Whether certificates of all verdicts are checked."""

    @property
    def name(self) -> str:
        """What tells this project, and these paths in it, from others."""
        return "\0".join((str(Path.cwd()), *self.given))

    @property
    def given(self) -> list[str]:
        """The paths to scan."""
        settings = self.project.settings
        return list(self.paths) or [self.project.path(each) for each in settings.paths] or ["."]

    @property
    def baseline_file(self) -> str | None:
        """The baseline, as seen from the working folder."""
        written = self.project.settings.baseline
        if self.baseline is not None or written is None:
            return self.baseline
        return self.project.path(written)


@dataclass(slots=True)
class ScanResult:
    """A report, and what else there is to say."""

    report: ScanReport
    rules: list[Rule]
    """Those that were checked."""
    notices: list[ScanNotice] = field(default_factory=list)
    ignored: int = 0
    """Findings that comments ignore."""
    known: int = 0
    """Findings that the baseline knows."""
    left_out: dict[str, str] = field(default_factory=dict)
    """Paths that were not scanned, and why."""


class RuleSet:
    """The rules that there are, and the errors of those that are wrong."""

    def __init__(self, project: Project, files: Iterable[str]) -> None:
        self.errors: list[InputError | UsageError] = []
        self.known = known_rules()
        self.beliefs = built_in_beliefs()
        """Which calls raise."""
        settings = project.settings
        for file in (*map(project.path, settings.rules), *files):
            self._add(partial(known_rules, [file]))
            self._extend(file, ())
        if settings.rule:
            home = ("tool", "pigro", "rule")
            written = TomlFile(project.file, project.text, home)
            self._add(partial(table_rules, settings.rule, written, default=True))
        if settings.raises or settings.never:
            self._extend(project.file, ("tool", "pigro"))
        for name, severity in settings.severity.items():
            if name in self.known:
                self.known[name] = replace(self.known[name], severity=severity)

    def _add(self, read: Callable[[], dict[str, Rule]]) -> None:
        try:
            self.known.update(read())
        except (InputError, UsageError) as error:
            self.errors.append(error)

    def _extend(self, file: str, home: tuple[str, ...]) -> None:
        """Adds what a table of a file says about calls that raise."""
        try:
            text = Path(file).read_text("utf-8")
            self.beliefs = self.beliefs.extended(TomlFile(file, text, home))
        except InputError as error:
            self.errors.append(error)
        except (OSError, ValueError, RecursionError):
            pass  # the rules of the file have the same error

    def chosen(self, asked: ScanOptions) -> list[Rule]:
        """The rules to check. If a name is unknown and a file is wrong, both are errors."""
        settings = asked.project.settings
        try:
            return chosen_rules(
                self.known, asked.select or settings.select, (*settings.ignore, *asked.ignore)
            )
        except PigroError as error:
            if self.errors:
                raise InputProblems([*self.errors, error]) from None
            raise

    def to_check(self, name: str, asked: ScanOptions) -> str:
        """How to switch a rule on that is off."""
        settings = asked.project.settings
        file = asked.project.file
        left_out = {"`--ignore`": asked.ignore, f"`ignore` in {file}": settings.ignore}
        steps = [
            ReasonSentence.LEAVE_OUT.format(where=where)
            for where, given in left_out.items()
            if name in named_rules(self.known, given)
        ]
        if name not in wanted_rules(self.known, asked.select or settings.select):
            steps.append(ReasonSentence.SELECT.format(rule=name))
        return " and ".join(steps)


def scan_project(
    asked: ScanOptions, rules: RuleSet, budget: Budget, advance: Callable[[int], Callable[[], None]]
) -> ScanResult:
    """Scans. `advance` is told the number of files, and returns the function to call after each."""
    chosen = rules.chosen(asked)
    changes = None if asked.since is None else changes_since(asked.since)
    path = asked.baseline_file
    known = None if path is None or not asked.use_baseline else read_baseline(path)
    files, left_out = project_files(asked)
    reading = ProjectReader(budget, asked.jobs, asked.cache, asked.name, advance(len(files)))
    sources = reading.read(files)
    check = _unchecked if sources.end else partial(check_in_processes, jobs=asked.jobs)
    report = scan_modules(
        sources.modules,
        sources.errors,
        sources.texts,
        chosen,
        budget,
        check,
        sources.surveys,
        verify=asked.verify,
        beliefs=rules.beliefs,
    )
    reading.keep()
    outcome = ScanResult(report, chosen, left_out=left_out)
    if sources.end:
        counted = f"only {len(files) - sources.unread:,} of {len(files):,} files were read"
        outcome.notices.append(ScanNotice(f"{counted}, so no rule was checked"))
    found, comments = without_ignored(report.findings, sources.texts)
    outcome.ignored = len(report.findings) - len(found)
    if not report.unfinished:
        outcome.notices += unused(comments, rules.known, [each.id for each in chosen])
    if path is not None and known is not None:
        found, outcome.known, gone = without_known(found, known, path)
        if gone and not asked.paths and not report.unfinished:
            what = "1 finding" if gone == 1 else f"{gone:,} findings"
            message = f"{what} of the baseline {path} can't be found any more"
            outcome.notices.append(ScanNotice(f"{message}; --write-baseline renews it"))
    if changes is not None:
        found = changed(found, changes)
    report.findings = found
    return outcome


def _unchecked(_: Scan, rules: Iterable[Rule]) -> tuple[list[Finding], list[str]]:
    """No finding: without all files, names mean something else, and findings may be wrong."""
    return [], [each.id for each in rules]


def project_files(asked: ScanOptions) -> tuple[list[SourceFile], dict[str, str]]:
    """The files to scan, and the paths that were left out."""
    project = asked.project
    settings = project.settings
    paths = asked.given
    leaving = LeavingOut(
        project.home if not asked.exclude else Path.cwd(),
        asked.exclude or settings.exclude,
        defaults=settings.default_excludes and not asked.all_files,
        git=asked.git,
    )
    for each in paths:
        leaving.begin(each)
    return source_files(paths, leaving), leaving.why
