"""Measures `pigro scan` on labelled findings: python tools/scan_corpus.py LABELS.json FOLDER [RULE...]

FOLDER has an unpacked package for each PACKAGE-VERSION of the labels; those that are missing are
fetched with pip. The rules are those that are on by default, or those that are named, or ALL. Prints
findings that are false or have no label, faults that are missed, and a table with the precision of
each rule. Several findings of a rule on one line count once.
"""

from __future__ import annotations

import ast
import json
import os
import resource
import subprocess
import sys
import tarfile
import time
import zipfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pigro.rules import built_in
from pigro.scan.scanning import scan_paths
from pigro.sources.files import NOT_OWN, source_files

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.rules import Rule


def fetch(package: str, version: str, home: Path) -> None:
    """Downloads and unpacks a package: a wheel if there is one."""
    target = home / f"{package}-{version}"
    if target.is_dir():
        return
    downloads = home / "downloads" / package
    for form in ("--only-binary", "--no-binary"):
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--dest",
            str(downloads),
        ]
        done = subprocess.run([*command, form, ":all:", f"{package}=={version}"], check=False)
        if done.returncode == 0:
            break
    [archive] = downloads.iterdir()
    if archive.suffix in {".whl", ".zip"}:
        zipfile.ZipFile(archive).extractall(target)
    else:
        with tarfile.open(archive) as opened:
            opened.extractall(target, filter="data")


@dataclass
class Measured:
    """What the scans of all packages gave, by rule."""

    sites: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    labelled: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Findings by rule and label; those without a label by `none`."""
    missed: Counter[str] = field(default_factory=Counter)
    """Faults with a label that were not reported."""
    packages: int = 0
    lines: int = 0
    nodes: int = 0
    seconds: float = 0.0
    parsing: float = 0.0

    def row(self, name: str, rules: Iterable[str]) -> str:
        """Of some rules together: sites, findings, true, false, without label, missed, precision."""
        rules = list(rules)
        true, false, none = (
            sum(self.labelled[rule, label] for rule in rules) for label in ("true", "false", "none")
        )
        numbers = (
            sum(self.sites[rule] for rule in rules),
            sum(self.findings[rule] for rule in rules),
            true,
            false,
            none,
            sum(self.missed[rule] for rule in rules),
        )
        share = f"{100 * true / (true + false):.0f} %" if true + false else "none"
        return f"| {name} | {' | '.join(f'{each:,}' for each in numbers)} | {share} |"


def main() -> None:
    """Scans all packages of a corpus."""
    corpus, folder, *names = sys.argv[1:]
    read = json.loads(Path(corpus).read_text("utf-8"))
    labels = [each for each in read["findings"] if each.get("language", "python") == "python"]
    packages = {each["package"]: each["version"] for each in labels} | read.get("packages", {})
    known = built_in()
    rules = [each for each in known.values() if (each.id in names if names else each.default)]
    if names == ["ALL"]:
        rules = list(known.values())
    home = Path(folder).absolute()
    measured = Measured()
    for package, version in sorted(packages.items()):
        fetch(package, version, home)
        os.chdir(home / f"{package}-{version}")
        mine = {
            (each["file"], each["line"], each["rule"]): each["label"]
            for each in labels
            if each["package"] == package
        }
        measure(f"{package}-{version}", rules, mine, measured)
    print("| rule | sites | findings | true | false | no label | missed | precision |")
    print("|---|---|---|---|---|---|---|---|")
    for each in rules:
        print(measured.row(f"`{each.id}`", [each.id]))
    print(measured.row("severity *error*", [x.id for x in rules if x.severity == "error"]))
    print(measured.row("all", [each.id for each in rules]))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{measured.packages} packages, {measured.lines:,} lines, {measured.nodes:,} nodes, "
        f"{measured.seconds:.1f} s of CPU, {measured.seconds / measured.parsing:.1f} times ast.parse, "
        f"{memory} MB at most"
    )


def measure(
    name: str, rules: list[Rule], labels: dict[tuple[str, int, str], str], measured: Measured
) -> None:
    """Scans the package in the working folder; prints what the labels do not expect."""
    measured.parsing += parse_seconds()
    began = time.process_time()
    report = scan_paths(["."], rules, exclude=NOT_OWN)
    measured.seconds += time.process_time() - began
    measured.packages += 1
    measured.lines += report.statistics.lines
    measured.nodes += report.statistics.nodes
    measured.sites.update(report.statistics.sites)
    found = {(each.file, each.line, each.rule) for each in report.findings}
    for place in sorted(found):
        label = labels.get(place, "none")
        measured.findings[place[2]] += 1
        measured.labelled[place[2], label] += 1
        if label != "true":
            print("no label" if label == "none" else label, name, *place)
    chosen = {each.id for each in rules}
    for place, label in sorted(labels.items()):
        if label == "true" and place[2] in chosen and place not in found:
            measured.missed[place[2]] += 1
            print("missed", name, *place)
    for error in report.errors:
        print("error", name, error)


def parse_seconds() -> float:
    """The time that a bare `ast.parse` of the same files takes."""
    texts = [each.path.read_bytes() for each in source_files(["."], NOT_OWN)]
    began = time.process_time()
    for text in texts:
        try:
            ast.parse(text)
        except (SyntaxError, ValueError):
            continue
    return time.process_time() - began


if __name__ == "__main__":
    main()
