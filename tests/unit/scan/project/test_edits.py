"""A scan with a cache gives the same bytes as one without, after any edit.

`PIGRO_EDITS` is the number of edits of each project, and `PIGRO_EDITS_SEEDS` the number of projects,
for a soak.
"""

import os
import random
import shutil
from pathlib import Path

import pytest

from pigro.limits import Budget
from pigro.render.findings.json import render
from pigro.scan.project.cache import Cache
from pigro.scan.project.settings import find_project
from pigro.scan.project.whole import Asked, Rules, scan_project

from oracle.random_projects import Writing

EDITS = int(os.environ.get("PIGRO_EDITS", "12"))
SEEDS = range(int(os.environ.get("PIGRO_EDITS_SEEDS", "4")))


def scanned(cache, select, jobs=1):
    project = find_project(Path.cwd(), None)
    asked = Asked(project, (), select=select, cache=cache, jobs=jobs)
    outcome = scan_project(asked, Rules(project, ()), Budget(), lambda _: lambda: None)
    report = outcome.report
    return render(outcome), report.statistics, [str(each) for each in report.errors]


def written(project, home):
    shutil.rmtree(home)
    for name, pieces in project.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("\n".join(pieces) + "\n")


@pytest.mark.parametrize("seed", SEEDS)
def test_edits(seed, tmp_path, monkeypatch):
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.chdir(tmp_path)
    writing = Writing(random.Random(seed))
    project = writing.project()
    findings = 0
    for number in range(EDITS):
        edit = writing.edit(project)
        written(project, home)
        monkeypatch.chdir(home)
        select = ["ALL"] if number % 4 == 0 else []
        expected = scanned(None, select)
        for _ in range(2):
            given = scanned(Cache(tmp_path / "cache"), select)
            assert given == expected, (seed, number, edit)
        findings += expected[0].count(b'"rule"')
    assert findings
