"""What the sanitizer commands run: the script is too slow for a test of its own."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = (ROOT / "tools/sanitize.sh").read_text(encoding="utf-8")


def test_the_tests_exist():
    named = set(re.findall(r"tests/[\w/.]+", SCRIPT))
    assert {"tests/hostile", "tests/limits", "tests/unit/certificates"} <= named
    assert all((ROOT / each).exists() for each in named)


def test_leaks_and_use_after_return_are_found():
    assert "detect_stack_use_after_return=1" in SCRIPT
    assert "detect_leaks=1" in SCRIPT


def test_nothing_of_pigro_is_suppressed():
    lines = (ROOT / "tools/leaks.txt").read_text(encoding="utf-8").splitlines()
    suppressed = [line for line in lines if not line.startswith("#")]
    assert not any("pigro" in line or line == "leak:_core" for line in suppressed)


def test_both_are_targets_and_run_before_a_release():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    checklist = (
        (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## Before a release")[1]
    )
    for target in ("asan", "tsan"):
        assert f"\n{target}: " in makefile
        assert f"`make {target}`" in checklist.split("## ")[0]
