"""Folders stay small enough to look through."""

from pathlib import Path

import pytest

SOURCES = Path(__file__).resolve().parents[3] / "src/pigro"


FOLDERS = sorted(str(each.parent.relative_to(SOURCES)) for each in SOURCES.rglob("__init__.py"))


@pytest.mark.parametrize("folder", FOLDERS)
def test_at_most_20_files_in_a_folder(folder):
    assert len(list((SOURCES / folder).glob("*.py"))) <= 20
