"""The known bugs can still be put into the native core: `make mutants` itself is too slow for a test."""

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def script():
    spec = importlib.util.spec_from_file_location("mutants", ROOT / "tools/mutants.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["mutants"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


MUTANTS = [
    each
    for value in vars(script()).values()
    if isinstance(value, tuple)
    for each in value
    if type(each).__name__ == "Mutant"
]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda each: each.bug)
def test_the_text_to_change_is_there_once(mutant):
    changes = [(mutant.file, mutant.old), *([mutant.extra[:2]] if mutant.extra else [])]
    for file, old in changes:
        path = ROOT / "native" / (file if mutant.of_checker else f"core/{file}")
        assert path.read_text(encoding="utf-8").count(old) == 1
