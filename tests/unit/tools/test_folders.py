"""Folders stay small enough to look through."""

from pathlib import Path

import pytest

SOURCES = Path(__file__).resolve().parents[3] / "src/pigro"


@pytest.mark.parametrize("folder", ["model", "logic", "formats", "formats/smv", "formats/parts"])
def test_at_most_20_files_in_a_folder(folder):
    assert len(list((SOURCES / folder).glob("*.py"))) <= 20
