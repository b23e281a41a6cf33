"""docs/papers.md: every numbered item of a paper has a row, and what a row names is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "papers.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
NUMBERED = {  # of each paper, how many there are of each kind
    "Lazy model checking for recursive state machines": {
        "Algorithm": 7, "Example": 13, "Lemma": 6, "Theorem": 3, "Fig.": 9, "Table": 1,
    },
    "Be lazy and don't care": {"Algorithm": 5, "Theorem": 2, "Fig.": 4, "Table": 1},
}  # fmt: skip


def rows_of(section):
    lines = [line for line in section.splitlines() if line.startswith("| ")][1:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


ROWS = {f"{paper}: {row[0]}": row for paper, text in SECTIONS.items() for row in rows_of(text)}


def faults_of(cell, *, is_test):
    """What a cell names that is not there."""
    if is_test and cell == "none":
        return []
    named = re.findall(r"`([^`]+)`", cell)
    faults = [] if named else [f"no name in {cell!r}"]
    for name in named:
        path, _, test = name.partition("::")
        file = ROOT / path
        if not file.exists():
            faults.append(path)
        elif test and f"def {test}(" not in file.read_text("utf-8"):
            faults.append(name)
    return faults


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_a_row_names_what_is_there(row):
    assert len(row) == 4
    assert faults_of(row[1], is_test=False) + faults_of(row[2], is_test=True) == []


@pytest.mark.parametrize("paper", SECTIONS)
def test_every_numbered_item_has_a_row(paper):
    """A new section of the page also says here how many items its paper has."""
    wanted = [f"{kind} {n}" for kind, most in NUMBERED[paper].items() for n in range(1, most + 1)]
    found = [row[0].partition(",")[0] for row in rows_of(SECTIONS[paper])]
    assert set(wanted) <= set(found)


def test_a_missing_file_or_test_is_found():
    assert faults_of("`no/such.py`", is_test=False) == ["no/such.py"]
    here = "tests/docs/test_papers.py"
    assert faults_of(f"`{here}::test_nothing`", is_test=True) == [f"{here}::test_nothing"]
    assert faults_of(f"`{here}::rows_of`", is_test=True) == []
