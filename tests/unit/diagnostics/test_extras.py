"""Hints name packages that can be installed: extras of the project, from a clone."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SOURCES = sorted((ROOT / "src/pigro").rglob("*.py"))


def test_hints_name_extras_that_there_are():
    named = set()
    for file in SOURCES:
        named.update(
            re.findall(r"with_extra\(\"([a-z]+)\"\)|'\.\[([a-z]+)\]'", file.read_text("utf-8"))
        )
        named.update(re.findall(r"with_extra\('([a-z]+)'\)()", file.read_text("utf-8")))
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    found = {name for pair in named for name in pair if name}
    assert {"bdd", "cluster", "draw", "explore"} <= found
    assert found <= set(extras["optional-dependencies"])


def test_no_hint_names_a_package_that_no_index_has():
    assert [file for file in SOURCES if re.search(r"pigro\[[a-z]", file.read_text("utf-8"))] == []
