"""Scans of packages: how long they take beside a bare `ast.parse`, and how good findings are.

The packages are those of `scan-labels.json` that are not held out. They are unpacked in folders
PACKAGE-VERSION of the folder `packages` of the files, and never executed. Times are those of the
processor, in this process: the time to start a command is in the suite `start`.

| runner | what it does |
|---|---|
| parse | reads the files with `ast.parse` |
| cold | scans them with the default rules and an empty cache |
| again | scans them a second time |
| changed | scans them a second time, after a line was added to one function |
"""

from __future__ import annotations

import ast
import contextlib
import random
import re
import shutil
import time
from collections import Counter
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks.case import Case, Measurement
from benchmarks.labels import COLUMNS, StudyLabels, precision_row
from benchmarks.suite import Suite
from benchmarks.tables import StudyTable, amount_of_time, count, ratio
from pigro.limits import Budget
from pigro.rules import built_in
from pigro.scan.project.cache import GraphCache
from pigro.scan.project.settings import Project, ScanSettings
from pigro.scan.project.whole import RuleSet, ScanOptions, project_files, scan_project

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.findings import ResultSet
    from benchmarks.suite import StudyScope
    from pigro.scan.project.whole import ScanResult as Scanned

RUNNERS = ("parse", "cold", "again", "changed")
LABELS = "scan-labels.json"
LARGE = 20_000
"""Lines. Of smaller packages the times are short, and ratios say little."""
QUICK = 3
"""Packages for a first look."""
_STATEMENT = re.compile(rb"^( +)return\b", re.MULTILINE)


class ScanSuite(Suite):
    """Packages by runners."""

    name = "scan"
    about = "scans of packages from PyPI, beside ast.parse and labels"
    repeat = 5

    def cases(self, scope: StudyScope) -> Iterator[Case]:
        """Package by package."""
        there = [each for each in packages(scope) if folder(scope, *each).is_dir()]
        for package, version in there[: QUICK if scope.quick else None]:
            for runner in RUNNERS:
                yield Case.of(self.name, runner, package=package, version=version)

    def skipped(self, scope: StudyScope) -> list[str]:
        """Packages that are not there."""
        if scope.files is None or not packages(scope):
            return ["all packages: give --files FOLDER with FOLDER/packages/PACKAGE-VERSION"]
        missing = [each for each in packages(scope) if not folder(scope, *each).is_dir()]
        return [f"{package} {version}: no folder" for package, version in missing]

    def run(self, case: Case, scope: StudyScope) -> Measurement:
        """One scan."""
        package = case.text("package")
        source = folder(scope, package, case.text("version"))
        with TemporaryDirectory() as place:
            cache = Path(place, "cache")
            if case.runner == "changed":
                source = Path(shutil.copytree(source, Path(place, "copy")))
            with contextlib.chdir(source):
                if case.runner == "parse":
                    return Measurement("done", seconds=parse_seconds())
                spent, scanned = timed_scan(cache)
                if case.runner == "cold":
                    return Measurement(
                        "done", seconds=spent, details=details(scanned, package, scope)
                    )
                if case.runner == "changed":
                    add_a_line(random.Random(package))
                spent, _ = timed_scan(cache)
                return Measurement("done", seconds=spent)

    def tables(self, found: ResultSet) -> list[StudyTable]:
        """Times of packages, and the precision of rules."""
        return [_times(found), _precision(found)]

    def facts(self, found: ResultSet) -> dict[str, str]:
        """Sums, and medians over the large packages."""
        by = _by_package(found)
        cold = [each.last.details for each in found if each.case.runner == "cold"]
        known = {
            "packages": count(len(by)),
            "lines": count(sum(int(each.get("lines", 0)) for each in cold)),
            "nodes": count(sum(int(each.get("nodes", 0)) for each in cold)),
            "seconds": amount_of_time(sum(times.get("cold", 0.0) for times in by.values())),
        }
        large = [by[str(key)] for key, size in _sizes(found).items() if size >= LARGE]
        for runner in RUNNERS[1:]:
            for other in ("parse", "cold"):
                rows = [
                    times[runner] / times[other]
                    for times in large
                    if runner in times and times.get(other)
                ]
                if rows and runner != other:
                    known[f"{runner}-by-{other}"] = f"{median(rows):.2g}"
        return known


def packages(scope: StudyScope) -> list[tuple[str, str]]:
    """The packages of the study, with their versions."""
    path = labels_file(scope)
    return [] if path is None else sorted(StudyLabels.read(path).sample.items())


def labels_file(scope: StudyScope) -> Path | None:
    """The labels: beside the packages, or in the documentation of a checkout."""
    places = [Path(__file__).resolve().parents[2] / "docs" / "study" / LABELS]
    if scope.files is not None:
        places.insert(0, scope.files / LABELS)
    return next((each for each in places if each.is_file()), None)


def folder(scope: StudyScope, package: str, version: str) -> Path:
    """Where a package is."""
    return (scope.files or Path()) / "packages" / f"{package}-{version}"


def _asked(cache: Path | None) -> ScanOptions:
    project = Project(Path.cwd(), ScanSettings())
    return ScanOptions(
        project, ["."], git=False, cache=None if cache is None else GraphCache(cache)
    )


def parse_seconds() -> float:
    """The time that a bare `ast.parse` of the files of the working folder takes."""
    files, _ = project_files(_asked(None))
    texts = [each.path.read_bytes() for each in files]
    began = time.process_time()
    for text in texts:
        with contextlib.suppress(SyntaxError, ValueError):
            ast.parse(text)
    return time.process_time() - began


def timed_scan(cache: Path | None) -> tuple[float, Scanned]:
    """A scan of the working folder with the default rules."""
    asked = _asked(cache)
    began = time.process_time()
    found = scan_project(asked, RuleSet(asked.project, ()), Budget(), lambda _: lambda: None)
    return time.process_time() - began, found


def add_a_line(source: random.Random) -> None:
    """Adds a call before some `return` of some file of the working folder."""
    paths = [each.path for each in project_files(_asked(None))[0]]
    paths = [each for each in paths if _STATEMENT.search(each.read_bytes())]
    if not paths:
        return
    path = source.choice(paths)
    data = path.read_bytes()
    at = source.choice([*_STATEMENT.finditer(data)])
    path.write_bytes(data[: at.start()] + at[1] + b"print()\n" + data[at.start() :])


def details(scanned: Scanned, package: str, scope: StudyScope) -> dict[str, str | int | float]:
    """What a scan looked at, and how its findings are labelled."""
    report = scanned.report
    made: dict[str, str | int | float] = {
        "lines": report.statistics.lines,
        "nodes": report.statistics.nodes,
        "findings": len(report.findings),
    }
    made |= {f"sites {rule}": sites for rule, sites in report.statistics.sites.items()}
    path = labels_file(scope)
    if path is not None:
        places = [(each.file, each.line, each.rule) for each in report.findings]
        rules = [each.id for each in scanned.rules]
        judged = StudyLabels.read(path).judged(package, places, rules)
        counted = Counter(f"{label} {rule}" for (_, _, rule), label in judged.items())
        made |= counted
    return made


def _by_package(found: ResultSet) -> dict[str, dict[str, float]]:
    """The median times of each package, by runner."""
    rows: dict[str, dict[str, float]] = {}
    for each in found:
        if each.seconds is not None:
            rows.setdefault(each.case.text("package"), {})[each.case.runner] = each.seconds
    return rows


def _sizes(found: ResultSet) -> dict[str, int]:
    return {
        each.case.text("package"): int(each.last.details.get("lines", 0))
        for each in found
        if each.case.runner == "cold" and each.decided
    }


def _times(found: ResultSet) -> StudyTable:
    by = _by_package(found)
    known = {each.case.text("package"): each for each in found if each.case.runner == "cold"}
    rows = []
    for package, times in by.items():
        about = known[package].last.details if package in known else {}
        sites = sum(int(value) for name, value in about.items() if name.startswith("sites "))
        counts = (about.get("lines"), about.get("nodes"), sites or None, about.get("findings"))
        shown = (count(None if each is None else float(each)) for each in counts)
        ratios = (ratio(times.get(runner), times.get("parse")) for runner in RUNNERS[1:])
        share = ratio(times.get("changed"), times.get("cold"))
        rows.append((package, *shown, amount_of_time(times.get("cold")), *ratios, share))
    columns = ("package", "lines", "nodes", "sites", "findings", "cold", "cold / parse",
               "again / parse", "changed / parse", "changed / cold")  # fmt: skip
    return StudyTable("scan", "Scans of packages, in times of `ast.parse`", columns, tuple(rows))


def _precision(found: ResultSet) -> StudyTable:
    sites: Counter[str] = Counter()
    judged: Counter[tuple[str, str]] = Counter()
    for each in found:
        for name, value in each.last.details.items():
            word, _, rule = name.partition(" ")
            if word == "sites":
                sites[rule] += int(value)
            elif rule:
                judged[rule, word] += int(value)
    rules = [each for each in built_in().values() if each.default]
    errors = [each.id for each in rules if each.severity == "error"]
    rows = [precision_row(f"`{each.id}`", [each.id], sites, judged) for each in rules]
    rows.append(precision_row("severity *error*", errors, sites, judged))
    rows.append(precision_row("all", [each.id for each in rules], sites, judged))
    return StudyTable("scan-precision", "Precision of the default rules", COLUMNS, tuple(rows))
