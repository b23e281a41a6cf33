"""The verdicts of NuSMV 2.5.4 on 96 files that come with it: what is decided must be equal.

States beyond a bound are not waited for. Files with PSL are refused by name.
"""

from __future__ import annotations

import json
import warnings
import zipfile
from collections import Counter

import pytest

import pigro
from pigro.formats import smv

from support.samples.shared_files import benchmark

SECONDS = 2.0
"""For each formula, and for the listing of states."""
SMALL = 1000
"""Bytes of a file that is decided at once."""


def outcome(data: bytes, expected: list[tuple[str, str]]) -> str:
    document = smv.SmvDocument(data)
    if document.faults:
        assert {each.code for each in document.faults} == {"P122"}
        assert b"PSLSPEC" in data
        return "refused"
    model = document.model()
    asked = document.requirements(model)
    assert len(asked) == len(expected)
    found = pigro.check_all(model, [each.formula for each in asked], timeout_each=SECONDS)
    if any(each.holds is None for each in found):
        return "unknown"
    words = Counter("true" if each.holds else "false" for each in found)
    assert words == Counter(word for _, word in expected)
    return "equal"


def outcomes_of(most: int) -> Counter[str]:
    """What became of the files that have at most so many bytes."""
    folder = benchmark("nusmv")
    listed = json.loads((folder / "verdicts.json").read_text())["files"]
    found: Counter[str] = Counter()
    with zipfile.ZipFile(folder / "files.zip") as files, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for each in listed:
            data = files.read(each["path"])
            if len(data) > most:
                continue
            try:
                found[outcome(data, each["verdicts"])] += 1
            except AssertionError:
                pytest.fail(f"{each['path']} differs")
    print(dict(found))
    return found


def test_small_files():
    assert outcomes_of(SMALL)["equal"] >= 15


@pytest.mark.long
def test_all_files():
    found = outcomes_of(1 << 30)
    assert found["refused"] == 8
    assert found["equal"] >= 60  # 76 of them on a machine that is not slow
