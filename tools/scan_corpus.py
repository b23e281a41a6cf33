"""Measures `pigro scan` on labelled findings: python tools/scan_corpus.py CORPUS.json FOLDER [RULE...]

FOLDER has an unpacked package for each PACKAGE-VERSION of the corpus; those that are missing are
fetched with pip. Prints labelled findings that are missed, false ones that are reported, other findings, and
counts.
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
from pathlib import Path

from pigro.rules import built_in
from pigro.scan.scanning import scan_paths
from pigro.sources.files import NOT_OWN, source_files


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


def main() -> None:
    """Scans all packages of a corpus."""
    corpus, home, *names = sys.argv[1:]
    wanted = [
        each
        for each in json.loads(Path(corpus).read_text("utf-8"))["findings"]
        if each["language"] == "python"
    ]
    rules = [rule for rule in built_in().values() if not names or rule.id in names]
    chosen = {rule.id for rule in rules}
    seen: Counter[tuple[str, str]] = Counter()
    hit: Counter[tuple[str, str]] = Counter()
    other: Counter[str] = Counter()
    lines, seconds, parsing = 0, 0.0, 0.0
    for package, version in sorted({(each["package"], each["version"]) for each in wanted}):
        fetch(package, version, Path(home).absolute())
        os.chdir(Path(home).absolute() / f"{package}-{version}")
        parsing += parse_seconds()
        began = time.process_time()
        report = scan_paths(["."], rules, exclude=NOT_OWN)
        seconds += time.process_time() - began
        lines += report.statistics.lines
        found = {(each.file, each.line, each.rule) for each in report.findings}
        mine = [each for each in wanted if each["package"] == package and each["rule"] in chosen]
        for each in mine:
            place = (each["file"], each["line"], each["rule"])
            seen[each["rule"], each["label"]] += 1
            hit[each["rule"], each["label"]] += place in found
            if (place in found) is (each["label"] == "false"):
                print(
                    "missed" if each["label"] == "true" else "false",
                    package,
                    *place,
                    each["reason"],
                )
        rest = found - {(each["file"], each["line"], each["rule"]) for each in mine}
        for file, line, rule in sorted(rest):
            print("other", f"{package}-{version}/{file}:{line}", rule)
        other.update(rule for *_, rule in rest)
        for error in report.errors:
            print("error", package, error)
        os.chdir(Path(home).absolute().anchor)
    for rule in sorted(chosen):
        rows = [f"{label} {hit[rule, label]}/{seen[rule, label]}" for label in ("true", "false")]
        print(f"{rule:<24}", *rows, f"not labelled {other[rule]}")
    for label in ("true", "false"):
        total = sum(count for (_, kind), count in seen.items() if kind == label)
        print(label, sum(count for (_, kind), count in hit.items() if kind == label), "of", total)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{lines:,} lines, {seconds:.1f} s of CPU, {seconds / parsing:.1f} times ast.parse, {memory} MB at most"
    )


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
