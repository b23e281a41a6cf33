"""docs/study.md and the tables in docs/study: every number in them comes from a run that is in docs/study.

`make study` writes runs.csv.gz. `make published` writes published.csv.gz, whose suites count.
"""

from __future__ import annotations

import csv
import gzip
import io
import re
from pathlib import Path

import pytest

from benchmarks.findings import ResultSet
from benchmarks.report import fill, tell
from benchmarks.store import run_of
from benchmarks.suites import SUITES

DOCS = Path(__file__).resolve().parents[2] / "docs"
STUDY = (DOCS / "study.md").read_text("utf-8")
MARK = re.compile(r"<!-- bench: ([\w-]+) -->.*?<!-- end -->", re.DOTALL)
NUMBERS = {"seconds": float, "load_seconds": float, "whole_seconds": float}
NUMBERS |= dict.fromkeys(["peak_memory", "contexts", "visited", "repetition"], int)
ABOUT_THE_RUN = {"run-pigro", "run-machine", "run-limits", "java-run", "grid-run"}
"""What the file of runs does not tell."""
TYPED = {"10^9", "2.5.4", "20", "5", "50", "6.4.1"}
"""Parameters of experiments, and the numbers of a section and of a version."""


@pytest.fixture(scope="module")
def runs():
    found = {}
    for name in ("runs", "published"):
        path = DOCS / "study" / f"{name}.csv.gz"
        if path.is_file():
            of_file = runs_of(path)
            suites = {case.suite for case, _ in of_file}
            found |= {each: [run for run in of_file if run[0].suite == each] for each in suites}
    return [run for suite in SUITES for run in found.get(suite, ())]


def runs_of(path):
    text = gzip.decompress(path.read_bytes()).decode()
    rows = csv.DictReader(io.StringIO(text, newline=""))
    return [run_of({name: read(name, value) for name, value in row.items()}) for row in rows]


def read(name, value):
    """A cell as the store has it."""
    if name == "edition" or value:
        return NUMBERS.get(name, str)(value)
    return None


@pytest.fixture(scope="module")
def told(runs):
    return tell(list(SUITES.values()), ResultSet(runs))


def test_every_table_is_that_of_the_runs(told):
    tables, _ = told
    found = {each.name: each.read_text("utf-8") for each in (DOCS / "study/tables").iterdir()}
    assert found == {f"{table.name}.csv": table.csv for table in tables}


def test_every_table_is_linked_or_shown():
    files = [each.relative_to(DOCS) for each in (DOCS / "study").rglob("*.csv")]
    pages = "".join(each.read_text("utf-8") for each in DOCS.rglob("*.md"))
    missing = [
        str(each)
        for each in files
        if f"({each})" not in pages and f"<!-- bench: {each.stem} -->" not in STUDY
    ]
    assert missing == []


def test_every_number_is_that_of_the_runs(told):
    tables, facts = told
    parts = {table.name: table.markdown for table in tables} | facts
    filled, empty = fill(STUDY, parts)
    assert filled == STUDY
    assert set(empty) == ABOUT_THE_RUN


def test_no_run_was_wrong(runs):
    ours = ("pigro", "demand", "exhaustive", "eager", "lazy", "ternary", "random", "onthefly")
    assert [
        (case, each.problem)
        for case, each in runs
        if each.word == "error" and case.runner.startswith(ours)
    ] == []
    assert [each for each in ResultSet(runs).disagreements() if each.place[0] != "peers"] == []


def test_no_other_number_was_typed():
    text = MARK.sub("", STUDY)
    text = re.sub(
        r"^```.*?^```$|^    .*?$|\(study/[\w./-]+\)|`[^`\n]*`|\[[^\]]*\]\([^)]*\)",
        "",
        text,
        flags=re.MULTILINE | re.DOTALL,
    )
    text = re.sub(r"\{cite:[tp]\}\w*", "", text)
    assert set(re.findall(r"\d[\d.,^]*\d|\d", text)) <= TYPED
