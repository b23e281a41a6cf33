"""Each test is run by `make test` or by `make test-all`, and random comparisons by both."""

import re
import tomllib
from pathlib import Path

import pytest
from _pytest.mark.expression import Expression

from support.selection import cases
from support.selection.folders import LONG, RANDOM, TESTS, mark_of

ROOT = TESTS.parent
MARKS = [
    row.split(":")[0]
    for row in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"][
        "ini_options"
    ]["markers"]
]


def selected(target, *marks):
    """Whether a target of the Makefile runs a test with these marks."""
    recipe = re.search(
        rf"^{target}:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE
    )
    [expression] = re.findall('-m "([^"]+)"', recipe[1])
    return Expression.compile(expression).evaluate(lambda name, **_: name in marks)


def test_nothing_is_left_out():
    assert MARKS == ["long", "random"]
    assert selected("test")
    assert not selected("test-all")
    assert selected("test-all", "long")
    assert not selected("test", "long")
    assert selected("test", "random")
    assert selected("test-all", "random")
    assert selected("test-all", "long", "random")


def test_continuous_integration_runs_both():
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    assert {"make lint", "make test", "make test-all"} <= {*lines}


def test_folders():
    assert all((TESTS / folder).is_dir() for folder in (*LONG, *RANDOM))
    assert mark_of(TESTS / "browser" / "test_explorer.py") == "long"
    assert mark_of(TESTS / "property" / "test_agreement.py") == "random"
    assert mark_of(Path(__file__)) is None


@pytest.mark.parametrize("folder", [each for each in TESTS.iterdir() if each.is_dir()])
def test_random_comparisons_are_marked(folder):
    """A file that takes fewer cases in `make test` has tests that `make test-all` runs with all."""
    for file in folder.rglob("test_*.py"):
        text = file.read_text()
        if mark_of(file) is None and re.search(r"= number_of_cases\(", text):
            assert "mark.random" in text, file


def test_seeds():
    assert list(cases.seeds(4)) == [cases.START + each for each in range(4)]
    chunks = [*cases.seeds(7, 0, 2), *cases.seeds(7, 1, 2)]
    assert sorted(chunks) == list(cases.seeds(7))


@pytest.mark.parametrize("few, wanted", [(True, (100, 20, 12)), (False, (1000, 100, 12))])
def test_few_cases_are_a_tenth_but_never_too_few(few, wanted, monkeypatch):
    monkeypatch.setattr(cases, "SHARE", 10 if few else 1)
    monkeypatch.delenv("PIGRO_NONE", raising=False)
    assert tuple(cases.number_of_cases("PIGRO_NONE", each) for each in (1000, 100, 12)) == wanted
    monkeypatch.setenv("PIGRO_NONE", "3")
    assert cases.number_of_cases("PIGRO_NONE", 1000) == 3


def test_few_cases_may_lack_a_kind_but_have_no_other(monkeypatch):
    monkeypatch.setattr(cases, "FEW_CASES", True)
    assert cases.covers([True], {True, False})
    assert not cases.covers([True, None], {True, False})
    monkeypatch.setattr(cases, "FEW_CASES", False)
    assert not cases.covers([True], {True, False})
    assert cases.covers([True, False], {True, False})
