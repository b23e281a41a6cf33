"""The pictures of the page about the explorer are made by its tests, and all of them are shown."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_pictures():
    tests = (ROOT / "tests/browser/test_explorer.py").read_text("utf-8")
    made = {f"explore-{name}.png" for name in re.findall(r'picture\(page, "(\w+)"\)', tests)}
    page = (ROOT / "docs/explore.md").read_text("utf-8")
    assert set(re.findall(r"\((explore-\w+\.png)\)", page)) == made
    assert {path.name for path in (ROOT / "docs").glob("explore-*.png")} == made
