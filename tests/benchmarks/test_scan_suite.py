"""The suite `scan`: packages that are there are scanned and judged, and others are named."""

import json

import pytest

from benchmarks.case import Case
from benchmarks.findings import ResultSet
from benchmarks.labels import StudyLabels
from benchmarks.suite import StudyScope
from benchmarks.suites import SUITES
from pigro.diagnostics import InputError

from support.samples.leaks import LEAK, SAFE

SUITE = SUITES["scan"]
LABELS = {
    "packages": {"small": "1.0", "gone": "2.0", "other": "3.0"},
    "held_out": {"first": ["other"]},
    "findings": [
        {"package": "small", "version": "1.0", "file": "a.py", "line": 5, "rule": "fd-leak",
         "label": "true", "reason": "it is not closed"},
        {"package": "small", "version": "1.0", "file": "b.py", "line": 5, "rule": "fd-leak",
         "label": "true", "reason": "it is closed now"},
    ],
}  # fmt: skip


@pytest.fixture
def scope(tmp_path):
    home = tmp_path / "packages" / "small-1.0"
    home.mkdir(parents=True)
    (home / "a.py").write_text(LEAK)
    (home / "b.py").write_text(SAFE)
    (tmp_path / "scan-labels.json").write_text(json.dumps(LABELS))
    return StudyScope(files=tmp_path)


def test_without_files_it_names_the_missing_part():
    assert list(SUITE.cases(StudyScope())) == []
    assert "--files" in SUITE.skipped(StudyScope())[0]


def test_packages_are_scanned_and_judged(scope):
    cases = list(SUITE.cases(scope))
    assert [each.runner for each in cases] == ["parse", "cold", "again", "changed"]
    assert SUITE.skipped(scope) == ["gone 2.0: no folder"]
    outcomes = [SUITE.run(each, scope) for each in cases]
    assert {each.word for each in outcomes} == {"done"}
    details = outcomes[1].details
    assert (details["lines"], details["findings"], details["sites fd-leak"]) == (23, 1, 2)
    assert (details["true fd-leak"], details["missed fd-leak"]) == (1, 1)
    found = ResultSet(zip(cases, outcomes, strict=True))
    times, precision = SUITE.tables(found)
    assert times.rows[0][:5] == ("small", "23", times.rows[0][2], "2", "1")
    assert ("`fd-leak`", "2", "1", "1", "0", "0", "0", "1", "100 %") in precision.rows
    assert SUITE.facts(found)["packages"] == "1"


def test_the_package_is_left_as_it_is(scope):
    before = (scope.files / "packages" / "small-1.0" / "a.py").read_text()
    SUITE.run(Case.of("scan", "changed", package="small", version="1.0"), scope)
    assert (scope.files / "packages" / "small-1.0" / "a.py").read_text() == before


def test_a_wrong_file_of_labels(tmp_path):
    (tmp_path / "labels.json").write_text("[]")
    with pytest.raises(InputError, match="P103"):
        StudyLabels.read(tmp_path / "labels.json")
