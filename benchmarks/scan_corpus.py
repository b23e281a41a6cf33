"""Judges `pigro scan` by labelled findings.

    python -m benchmarks.scan_corpus [--held-out] LABELS.json FOLDER [RULE...]

FOLDER has an unpacked package for each PACKAGE-VERSION of the labels. Packages that are missing are
fetched with pip. With `--held-out`, the packages are those that no rule was developed on. The rules
are those that are on by default, or those that are named, or ALL. Prints findings that are false or
have no label, faults that are missed, and a table with the precision of each rule. `python
-m benchmarks scan` also measures times.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from collections import Counter
from pathlib import Path

from benchmarks.labels import COLUMNS, StudyLabels, precision_row
from benchmarks.tables import StudyTable
from pigro.rules import built_in
from pigro.scan.scanning import scan_paths
from pigro.sources.files import NOT_OWN


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
        done = subprocess.run(  # noqa: S603 - pip
            [*command, form, ":all:", f"{package}=={version}"], check=False
        )
        if done.returncode == 0:
            break
    [archive] = downloads.iterdir()
    if archive.suffix in {".whl", ".zip"}:
        zipfile.ZipFile(archive).extractall(target)  # noqa: S202 - of the index
    else:
        with tarfile.open(archive) as opened:
            opened.extractall(target, filter="data")


def main() -> None:
    """Scans all packages of a corpus."""
    given = [each for each in sys.argv[1:] if each != "--held-out"]
    corpus, folder, *names = given
    labels = StudyLabels.read(Path(corpus))
    packages = labels.sample if given == sys.argv[1:] else labels.held_out
    known = built_in()
    rules = [each for each in known.values() if (each.id in names if names else each.default)]
    if names == ["ALL"]:
        rules = list(known.values())
    home = Path(folder).absolute()
    sites: Counter[str] = Counter()
    judged: Counter[tuple[str, str]] = Counter()
    for package, version in sorted(packages.items()):
        fetch(package, version, home)
        os.chdir(home / f"{package}-{version}")
        report = scan_paths(["."], rules, exclude=NOT_OWN)
        sites.update(report.statistics.sites)
        places = {(each.file, each.line, each.rule) for each in report.findings}
        found = labels.judged(package, places, [each.id for each in rules])
        for place, label in found.items():
            judged[place[2], label] += 1
            if label != "true":
                print("no label" if label == "none" else label, f"{package}-{version}", *place)
        for error in report.errors:
            print("error", f"{package}-{version}", error)
    groups = [(f"`{each.id}`", [each.id]) for each in rules]
    groups.append(("all", [each.id for each in rules]))
    rows = tuple(precision_row(name, mine, sites, judged) for name, mine in groups)
    print(StudyTable("", "", COLUMNS, rows).markdown, end="")


if __name__ == "__main__":
    main()
