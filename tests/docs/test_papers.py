"""docs/papers.md: every numbered item of a paper has a row, and what a row names is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "papers.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
NUMBERED: dict[str, dict[str, int | list[str]]] = {  # of each paper: how many of each kind, or which
    "Lazy model checking for recursive state machines": {
        "Algorithm": 7, "Example": 13, "Lemma": 6, "Theorem": 3, "Fig.": 9, "Table": 1,
    },
    "Be lazy and don't care": {"Algorithm": 5, "Theorem": 2, "Fig.": 4, "Table": 1},
    "Incremental model checking of recursive Kripke structures": {
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
    "Efficient on-the-fly model checking for CTL\\*": {
        "Definition": ["2.1", "2.2", "2.3", "3.2", "3.3", "3.6", "A.1"],
        "Lemma": ["2.4", "3.1", "3.7", "4.1", "5.2", "A.2", "A.3", "A.4", "A.5"],
        "Theorem": ["3.4", "3.5", "4.2", "5.1"],
        "Corollary": ["4.3"],
        "Rule": [f"R{n}" for n in range(1, 8)],
        "Fig.": 4,
    },
    "Compositional verification and 3-valued abstractions join forces": {
        "Definition": [
            "2.1", "2.2", "2.6", "3.1", "3.2", "3.4", "4.1", "4.2", "4.3", "4.5", "4.7", "5.1", "5.3", "5.5", "5.8",
        ],
        "Theorem": ["2.3", "2.4", "2.7", "3.3", "4.4", "4.8", "5.2", "5.4", "5.6", "5.9", "5.10"],
        "Proposition": ["4.6"], "Corollary": ["5.7"], "Remark": ["6.1", "6.2"],
        "Example": ["2.5", "2.8", "3.5", "4.9", "5.11"], "Fig.": 10,
    },
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
    wanted = [
        f"{kind} {n}"
        for kind, items in NUMBERED[paper].items()
        for n in (range(1, items + 1) if isinstance(items, int) else items)
    ]
    found = [row[0].partition(",")[0] for row in rows_of(SECTIONS[paper])]
    assert set(wanted) <= set(found)


def test_a_missing_file_or_test_is_found():
    assert faults_of("`no/such.py`", is_test=False) == ["no/such.py"]
    here = "tests/docs/test_papers.py"
    assert faults_of(f"`{here}::test_nothing`", is_test=True) == [f"{here}::test_nothing"]
    assert faults_of(f"`{here}::rows_of`", is_test=True) == []
