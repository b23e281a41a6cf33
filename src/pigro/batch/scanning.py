"""Scans of source code as tasks: each finding is a result."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pigro.batch.tasks import Result
from pigro.diagnostics import PigroError
from pigro.limits import Budget, Limits
from pigro.scan.project.cache import GraphCache, default_folder
from pigro.scan.project.settings import Project, ScanSettings
from pigro.scan.project.whole import RuleSet, ScanOptions, project_files, scan_project

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.batch.tasks import Task


def sources_of(task: Task) -> Iterator[tuple[str, str, str]]:
    """The files that a scan reads: the path, the name in findings, and the module of each."""
    try:
        files, _ = project_files(_options_of(task))
    except (PigroError, OSError):
        return  # the scan names the fault
    for file in files:
        yield str(file.path), file.shown, file.module


def scan_sources(task: Task) -> Iterator[Result]:
    """The findings of a scan, or one result that says that there are none.

    The rules are those of the task. Settings of projects do not count, so that the answer depends
    on the task alone.
    """
    options = _options_of(task, GraphCache(default_folder()))
    budget = Budget(Limits(task.timeout, task.memory))
    outcome = scan_project(options, RuleSet(options.project, ()), budget, lambda _: lambda: None)
    report = outcome.report
    for finding in report.findings:
        reason = f"{finding.file}:{finding.line}: {finding.message}"
        yield Result(task=task, formula=finding.rule, verdict="fails", reason=reason, engine="scan")
    for error in report.errors:
        yield Result(task=task, formula="", verdict="error", reason=str(error), engine="scan")
    if report.unfinished:
        reason = "a limit was reached before all files were scanned"
        yield Result(task=task, formula="", verdict="unknown", reason=reason, engine="scan")
    elif not report.findings:
        yield Result(task=task, formula="", verdict="holds", reason="no findings", engine="scan")


def _options_of(task: Task, cache: GraphCache | None = None) -> ScanOptions:
    project = Project(Path.cwd(), ScanSettings())
    return ScanOptions(project, task.scan, select=task.select, cache=cache)
