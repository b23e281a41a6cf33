"""docs/papers.csv: every numbered item of a paper has a row, and what a row names is there."""

import csv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
with (ROOT / "docs" / "papers.csv").open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file))
NUMBERED: dict[str, dict[str, int | list[str]]] = {  # of each paper: how many of each kind, or which
    "Dubslaff2024": {
        "Algorithm": 7, "Example": 13, "Lemma": 6, "Theorem": 3, "Fig.": 9, "Table": 1,
    },
    "Dubslaff2021": {"Algorithm": 5, "Theorem": 2, "Fig.": 4, "Table": 1},
    "Finis2012": {
        "Algorithm": [*(f"3.{n}" for n in range(1, 9)), *(f"4.{n}" for n in range(1, 6)), *(f"A.{n}" for n in range(1, 5))],
        "Fig.": ["1.1", *(f"2.{n}" for n in range(1, 6)), *(f"3.{n}" for n in range(1, 8)), "4.1", "4.2", "5.1", "5.2"],
        "Table": ["3.1", "3.2", "3.3", "3.4", "3.5", "5.1"],
        "Listing": ["5.1", "5.2"],
        "Definition": [
            "2.1.1", "2.2.1", "2.2.2", "2.4.1", "2.4.2", "2.4.3", "2.5.1", "3.3.1", "3.3.2", "3.3.4", "3.3.5",
            "3.3.6", "3.3.7", "3.5.1", "4.3.1", "4.4.1", *(f"A.2.{n}" for n in range(1, 6)),
        ],
        "Lemma": ["3.3.3", "3.4.1", "3.4.2", *(f"3.5.{n}" for n in range(2, 6)), *(f"4.5.{n}" for n in range(1, 8))],
        "Theorem": ["3.6.1", "4.5.8"],
    },
    "Bhat1995": {
        "Definition": ["2.1", "2.2", "2.3", "3.2", "3.3", "3.6", "A.1"],
        "Lemma": ["2.4", "3.1", "3.7", "4.1", "5.2", "A.2", "A.3", "A.4", "A.5"],
        "Theorem": ["3.4", "3.5", "4.2", "5.1"],
        "Corollary": ["4.3"],
        "Rule": [f"R{n}" for n in range(1, 8)],
        "Fig.": 4,
    },
    "Shoham2010": {
        "Definition": [
            "2.1", "2.2", "2.6", "3.1", "3.2", "3.4", "4.1", "4.2", "4.3", "4.5", "4.7", "5.1", "5.3", "5.5", "5.8",
        ],
        "Theorem": ["2.3", "2.4", "2.7", "3.3", "4.4", "4.8", "5.2", "5.4", "5.6", "5.9", "5.10"],
        "Proposition": ["4.6"], "Corollary": ["5.7"], "Remark": ["6.1", "6.2"],
        "Example": ["2.5", "2.8", "3.5", "4.9", "5.11"], "Fig.": 10,
    },
}  # fmt: skip


def faults_of(named):
    """What a cell names that is not there."""
    faults = []
    for name in named.split():
        path, _, test = name.partition("::")
        file = ROOT / path
        if not file.exists():
            faults.append(path)
        elif test and f"def {test}(" not in file.read_text("utf-8"):
            faults.append(name)
    return faults


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['paper']}: {row['item']}")
def test_a_row_names_what_is_there(row):
    assert row["where"]
    assert faults_of(row["where"]) + faults_of(row["test"]) == []


@pytest.mark.parametrize("paper", NUMBERED)
def test_every_numbered_item_has_a_row(paper):
    """A new paper in the table also says here how many items it has."""
    wanted = [
        f"{kind} {n}"
        for kind, items in NUMBERED[paper].items()
        for n in (range(1, items + 1) if isinstance(items, int) else items)
    ]
    found = [row["item"].partition(",")[0] for row in ROWS if row["paper"] == paper]
    assert set(wanted) <= set(found)
    assert {row["paper"] for row in ROWS} == set(NUMBERED)


def test_a_missing_file_or_test_is_found():
    assert faults_of("no/such.py") == ["no/such.py"]
    here = "tests/docs/test_papers.py"
    assert faults_of(f"{here}::test_nothing") == [f"{here}::test_nothing"]
    assert faults_of(f"{here} {here}::faults_of") == []
