"""A scan with a cache gives the same bytes as one without, after any edit.

`PIGRO_EDITS` is the number of edits of each project, and `PIGRO_EDITS_SEEDS` the number of projects,
for a soak.
"""

import hashlib
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pigro
from pigro.limits import Budget
from pigro.render.findings.json import render
from pigro.scan.project.cache import GraphCache
from pigro.scan.project.index import KeptModule
from pigro.scan.project.settings import find_project
from pigro.scan.project.whole import RuleSet, ScanOptions, scan_project
from pigro.scan.surveys import ProgramSurveys

from oracle.random_projects import Writing
from support.processes.children import PATIENCE
from support.samples.leaks import HELPERS, LEAK
from support.selection.cases import number_of_cases

EDITS = number_of_cases("PIGRO_EDITS", 12)
SEEDS = range(number_of_cases("PIGRO_EDITS_SEEDS", 4))


@pytest.fixture
def home(tmp_path, monkeypatch):
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path / "home")
    Path("a.py").write_text(LEAK)
    Path("h.py").write_text(HELPERS)
    return tmp_path / "home"


def scanned(cache, select, jobs=1):
    project = find_project(Path.cwd(), None)
    asked = ScanOptions(project, (), select=select, cache=cache, jobs=jobs)
    outcome = scan_project(asked, RuleSet(project, ()), Budget(), lambda _: lambda: None)
    report = outcome.report
    return render(outcome), report.statistics, [str(each) for each in report.errors]


def test_two_scans_at_once(home, tmp_path):
    """Scans of several states of a project write one cache while others read it."""
    script = (
        "import sys; from test_edits import scanned, GraphCache, Path\n"
        "for number in range(12):\n"
        "    Path(f'only{sys.argv[1]}.py').write_text(f'x = {number}\\n' + Path('a.py').read_text())\n"
        "    print(scanned(GraphCache(Path('../cache')), [])[0].count(b'fd-leak') > 0)\n"
    )
    here = Path(__file__).parent
    path = os.pathsep.join(map(str, (here, here.parents[2], Path(pigro.__file__).parents[1])))
    children = [
        subprocess.Popen([sys.executable, "-c", script, each], stdout=subprocess.PIPE,
                         env={**os.environ, "PYTHONPATH": path})
        for each in ("1", "2")
    ]  # fmt: skip
    said = [each.communicate(timeout=PATIENCE)[0] for each in children]
    assert said == [b"True\n" * 12] * 2
    assert scanned(GraphCache(tmp_path / "cache"), ["ALL"]) == scanned(None, ["ALL"])


def spoiled(data, how):
    if how == "cut":
        return data[: len(data) // 2]
    if how == "bits":
        return bytes(255 - each for each in data)
    return b"" if how == "empty" else hashlib.sha256(b"\x93\x01").digest() + b"\x93\x01"


@pytest.mark.parametrize("how", ["cut", "bits", "empty", "other"])
def test_a_damaged_cache_is_no_cache(how, home, tmp_path):
    expected = scanned(GraphCache(tmp_path / "cache"), ["ALL"])
    kept = sorted((tmp_path / "cache").rglob("*.graph"))
    assert len(kept) == 3
    for each in kept:
        before = each.read_bytes()
        each.write_bytes(spoiled(before, how))
        assert scanned(GraphCache(tmp_path / "cache"), ["ALL"]) == expected
        each.write_bytes(before)
    for each in kept:
        each.write_bytes(spoiled(each.read_bytes(), how))
    for _ in range(2):
        assert (
            scanned(GraphCache(tmp_path / "cache"), ["ALL"]) == expected == scanned(None, ["ALL"])
        )


def test_a_read_only_cache(home, tmp_path, monkeypatch):
    scanned(GraphCache(tmp_path / "cache"), [])

    def refused(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pigro.formats.files.write_atomically", refused)
    (home / "h.py").write_text(HELPERS + "\ndef more():\n    return open('x')\n")
    for _ in range(2):
        assert scanned(GraphCache(tmp_path / "cache"), ["ALL"]) == scanned(None, ["ALL"])


def test_a_cache_of_another_version_is_no_cache(home, tmp_path, monkeypatch):
    scanned(GraphCache(tmp_path / "cache"), [])
    monkeypatch.setattr("pigro.scan.project.cache._reader", lambda: "another version")
    cache = GraphCache(tmp_path / "cache")
    assert scanned(cache, ["ALL"]) == scanned(None, ["ALL"])
    assert cache.hits == 0


def test_a_change_inside_a_function_links_one_file_only(home, tmp_path, monkeypatch):
    for number in range(8):
        (home / f"m{number}.py").write_text(LEAK)
    scanned(GraphCache(tmp_path / "cache"), [])
    linked = []
    search = ProgramSurveys._find_calls
    monkeypatch.setattr(
        ProgramSurveys, "_find_calls", lambda self, at: linked.append(at) or search(self, at)
    )
    scanned(GraphCache(tmp_path / "cache"), [])
    assert linked == []
    (home / "h.py").write_text(HELPERS.replace("    return", "    print(1)\n    return"))
    scanned(GraphCache(tmp_path / "cache"), [])
    assert linked == [1]
    (home / "h.py").write_text(HELPERS + "\ndef another():\n    pass\n")
    scanned(GraphCache(tmp_path / "cache"), [])
    assert len(linked) == 11


def test_a_method_of_unknown_objects_is_looked_for_by_name(home, tmp_path, monkeypatch):
    """Whether `stop()` never returns is asked of classes that have it, and of no other file."""
    (home / "a.py").write_text(LEAK.replace("fd = os", "print(path.stop())\n    fd = os"))
    for number in range(8):
        (home / f"m{number}.py").write_text(f"class C{number}:\n    def run(self):\n        pass\n")
    scanned(GraphCache(tmp_path / "cache"), [])
    read = []
    decode = KeptModule.__getattr__
    monkeypatch.setattr(
        KeptModule, "__getattr__", lambda self, name: read.append(self.name) or decode(self, name)
    )
    (home / "h.py").write_text(HELPERS.replace("    return", "    print(1)\n    return"))
    scanned(GraphCache(tmp_path / "cache"), [])
    assert set(read) == {"a"}


def written(project, home):
    shutil.rmtree(home)
    for name, pieces in project.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("\n".join(pieces) + "\n")


def edited(seed, home, monkeypatch):
    """Compares scans with and without a cache after edits. The number of findings."""
    (home / "home").mkdir()
    writing = Writing(random.Random(seed))
    project = writing.project()
    findings = 0
    for number in range(EDITS):
        edit = writing.edit(project)
        written(project, home / "home")
        monkeypatch.chdir(home / "home")
        select = ["ALL"] if number % 4 == 0 else []
        expected = scanned(None, select)
        for _ in range(2):
            given = scanned(GraphCache(home / "cache"), select)
            assert given == expected, (seed, number, edit)
        findings += expected[0].count(b'"rule"')
    return findings


@pytest.mark.random
@pytest.mark.parametrize("seed", SEEDS)
def test_edits(seed, tmp_path, monkeypatch):
    assert edited(seed, tmp_path, monkeypatch)
