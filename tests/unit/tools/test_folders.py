"""Folders stay small enough to look through."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = sorted(
    {
        str(each.parent.relative_to(ROOT))
        for top, ending in (("src/pigro", "*.py"), ("native", "*.?pp"))
        for each in (ROOT / top).rglob(ending)
    }
)


@pytest.mark.parametrize("folder", FOLDERS)
def test_at_most_20_files_in_a_folder(folder):
    files = [each for each in (ROOT / folder).iterdir() if each.suffix in {".py", ".cpp", ".hpp"}]
    assert len(files) <= 20
