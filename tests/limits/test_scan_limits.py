"""Limits that a scan reaches while it reads: no finding, no verdict, and that is told."""

import json
from pathlib import Path

import pytest

from pigro.limits import Budget, Limits
from pigro.scan.project.cache import GraphCache
from pigro.scan.project.settings import find_project
from pigro.scan.project.whole import RuleSet, ScanOptions, scan_project

from support.samples.leaks import LEAK


class Clock:
    """Moves on by a second with each look."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        self.now += 1.0
        return self.now


@pytest.fixture
def home(tmp_path, monkeypatch):
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path / "home")
    for number in range(10):
        Path(f"m{number}.py").write_text(LEAK)
    return tmp_path


def scanned(budget, cache=None):
    project = find_project(Path.cwd(), None)
    asked = ScanOptions(project, (), cache=cache)
    return scan_project(asked, RuleSet(project, ()), budget, lambda _: lambda: None)


@pytest.mark.parametrize("seconds", [3, 6, 12, 20])
def test_time_passes_while_files_are_read(seconds, home):
    outcome = scanned(Budget(Limits(seconds), clock=Clock()))
    report = outcome.report
    assert report.findings == []
    assert report.unfinished == [each.id for each in outcome.rules]
    assert str(outcome.notices[0]).endswith("of 10 files were read, so no rule was checked")


def test_memory_is_used_up_while_files_are_read(home):
    sizes = iter(range(0, 1 << 40, 1 << 20))
    budget = Budget(Limits(memory=3 << 20), clock=Clock(), resident=lambda: next(sizes))
    assert scanned(budget).report.unfinished


def test_the_next_scan_goes_on_where_this_one_ended(home):
    scanned(Budget(Limits(31), clock=Clock()), GraphCache(home / "cache"))
    cache = GraphCache(home / "cache")
    outcome = scanned(Budget(), cache)
    assert 0 < cache.hits < 10
    assert len(outcome.report.findings) == 10


def test_the_command_says_so(home, monkeypatch):
    from click.testing import CliRunner

    from pigro.cli.main import cli
    from pigro.limits import OutOfTime

    def over(*_):
        raise OutOfTime("time limit of 1 s")

    monkeypatch.setattr("pigro.scan.project.reading.graph_of", over)
    result = CliRunner().invoke(cli, ["scan", "--format", "json", "--no-cache"])
    assert result.exit_code == 3
    assert json.loads(result.stdout)["findings"] == []
    assert "only 0 of 10 files were read" in result.stderr
    assert "a limit was reached" in result.stderr
