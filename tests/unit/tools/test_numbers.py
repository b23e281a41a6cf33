"""Rules and invariants have numbers, such as L3 or Bhat2. Each number is declared once, each letter in one file."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
FILES = sorted(
    each
    for top, ending in (("src", "*.py"), ("native", "*.?pp"), ("docs", "*.md"))
    for each in (ROOT / top).rglob(ending)
    if "_build" not in each.parts
)
IN_SOURCES = re.compile(r"^(?://)?[ \t]*([A-Z][A-Za-z]{0,3}\d{1,2})  +\S", re.MULTILINE)
"""A line of a comment or docstring that begins with a number, two blanks and the rule."""
IN_PAGES = re.compile(r"^\*\*([A-Z][A-Za-z]{0,3}\d{1,2})[.,]", re.MULTILINE)
"""A paragraph that begins with a number in bold."""


def numbers_in(name: str, text: str) -> list[str]:
    return (IN_PAGES if name.endswith(".md") else IN_SOURCES).findall(text)


def twice(texts: dict[str, str]) -> dict[str, list[str]]:
    """Numbers that are declared more than once, and letters of several files."""
    found, files = defaultdict(list), defaultdict(set)
    for name, text in texts.items():
        for number in numbers_in(name, text):
            found[number].append(name)
            files[number.rstrip("0123456789")].add(name)
    numbers = {number: names for number, names in found.items() if len(names) > 1}
    return numbers | {letter: sorted(names) for letter, names in files.items() if len(names) > 1}


def test_no_number_is_declared_twice():
    texts = {str(each.relative_to(ROOT)): each.read_text("utf-8") for each in FILES}
    assert sum(len(numbers_in(name, text)) for name, text in texts.items()) > 100
    assert twice(texts) == {}


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ({"a.hpp": "//   L1  masks are small.\n//   L2  values agree.\n"}, {}),
        ({"a.hpp": "//   L1  one.\n//   L1  another.\n"}, {"L1": ["a.hpp", "a.hpp"]}),
        ({"a.hpp": "// N1  one.\n", "b.py": " N2  another.\n"}, {"N": ["a.hpp", "b.py"]}),
        ({"a.md": "**R1, links.** One.\n", "b.py": "    R1 is cited.\n"}, {}),
        (
            {"a.md": "**R1.** One.\n", "b.py": "    R1  another\n"},
            {"R1": ["a.md", "b.py"], "R": ["a.md", "b.py"]},
        ),
    ],
)
def test_numbers_that_are_declared_twice_are_found(texts, expected):
    assert twice(texts) == expected
