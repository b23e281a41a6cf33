"""Every invariant and every rule has a number of its own, and the native core asserts what it declares."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
NUMBER = r"[A-Z][A-Za-z]{0,3}[1-9][0-9]?"
LISTED = re.compile(rf"^(?://)?[ ]*({NUMBER}) {{2,}}\S", re.MULTILINE)
BOLD = re.compile(rf"^\*\*({NUMBER})[.,]", re.MULTILINE)
ASSERT = re.compile(r"(?<![\w_])assert\(")
FEWEST = 15
"""Assertions for each thousand lines."""


def sources(*patterns):
    return [path for pattern in patterns for path in sorted(ROOT.glob(pattern))]


def text(path):
    return path.read_text(encoding="utf-8")


def declarations():
    """Of each number: the files that declare it."""
    found = defaultdict(list)
    for path in sources("native/**/*.[hc]pp", "src/pigro/**/*.py"):
        for number in LISTED.findall(text(path)):
            found[number].append(str(path.relative_to(ROOT)))
    for path in sources("docs/semantics.md", "docs/certificate-rules.md"):
        for number in BOLD.findall(text(path)):
            found[number].append(str(path.relative_to(ROOT)))
    return found


def letters(number):
    return number.rstrip("0123456789")


def test_no_number_is_declared_twice():
    assert {number: at for number, at in declarations().items() if len(at) > 1} == {}


def test_letters_belong_to_one_file():
    homes = defaultdict(set)
    for number, (at, *_) in declarations().items():
        homes[letters(number)].add(at)
    assert {each: at for each, at in homes.items() if len(at) > 1} == {}
    assert {"M", "L", "N", "B", "C", "E", "O", "F", "G", "A", "R", "T", "S", "Bhat"} <= set(homes)


@pytest.mark.parametrize("path", sources("native/**/*.[hc]pp"), ids=lambda path: path.stem)
def test_every_number_that_is_cited_is_declared(path):
    declared = declarations()
    known = {letters(number) for number in declared} - {"X"}
    comments = " ".join(re.findall(r"//(.*)", text(path)))
    cited = {
        number for number in re.findall(rf"\b{NUMBER}\b", comments) if letters(number) in known
    }
    assert cited <= set(declared)


@pytest.mark.parametrize("folder", ["core", "verify"])
def test_there_are_enough_assertions(folder):
    files = sources(f"native/{folder}/**/*.[hc]pp")
    lines = sum(text(path).count("\n") for path in files)
    asserted = sum(len(ASSERT.findall(text(path))) for path in files)
    assert asserted * 1000 >= FEWEST * lines, f"{asserted} in {lines} lines"


@pytest.mark.parametrize(
    "name",
    ["proofs/certify", "proofs/proofs", "games/game", "formula/obligations", "levels/level"],
)
def test_assertions_are_where_invariants_are(name):
    files = sources(f"native/core/{name}.[hc]pp")
    assert sum(len(ASSERT.findall(text(path))) for path in files) >= 8
