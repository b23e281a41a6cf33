"""A file is the same module whichever folder around it is given."""

from pathlib import Path

import pytest

from pigro.rules import built_in
from pigro.scan.scanning import scan_paths
from pigro.sources.files import source_files

OPENING = "import os\n\ndef opened(path):\n    return os.open(path, os.O_RDONLY)\n"
USING = """\
import os
from PKG.inner import opening
import PKG.inner.opening as again

def first(path):
    fd = opening.opened(path)
    if path == "x":
        return None
    os.close(fd)

def second(path):
    fd = again.opened(path)
    return os.read(fd, 3)
"""


def written(home, files):
    for name, text in files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def project(folder, name):
    """A package whose files call one another by absolute names."""
    return {
        f"{folder}/__init__.py": "",
        f"{folder}/inner/__init__.py": "",
        f"{folder}/inner/opening.py": OPENING,
        f"{folder}/using.py": USING.replace("PKG", name),
    }


def scanned(*paths):
    report = scan_paths(paths, [built_in()["fd-leak"]])
    return report.findings, report.statistics


@pytest.mark.parametrize(
    ("folder", "name", "given"),
    [
        ("src/pkg", "pkg", (".", "src", "src/pkg")),
        ("pkg", "pkg", (".", "pkg")),
        ("backend/app", "app", (".", "backend", "backend/app")),
        ("src/ns/pkg", "ns.pkg", (".", "src", "src/ns", "src/ns/pkg")),
        ("libs/one/ns/deep/pkg", "ns.deep.pkg", (".", "libs", "libs/one/ns", "libs/one/ns/deep/pkg")),
    ],
)  # fmt: skip
def test_the_same_report_for_every_folder_around(folder, name, given, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, project(folder, name))
    made = [scanned(each) for each in given]
    findings, statistics = made[0]
    assert [each.line for each in findings] == [6, 12]
    assert {each.function for each in findings} == {f"{name}.using.first", f"{name}.using.second"}
    assert (statistics.calls, statistics.outside_calls, statistics.unknown_calls) == (5, 3, 0)
    assert all(each == made[0] for each in made)


@pytest.mark.parametrize(
    ("folders", "given"),
    [
        ({"src/one": "one", "src/two": "two"}, (".", "src", ("src/one", "src/two"))),
        ({"a/src/one": "one", "b/src/two": "two"}, (".", ("a", "b"), ("a/src", "b/src/two"))),
        ({"one": "one", "one/plugins/src/two": "two"}, (".", ("one", "one/plugins/src/two"))),
    ],
)
def test_the_same_report_for_two_packages(folders, given, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder, name in folders.items():
        written(tmp_path, project(folder, name))
        home = Path(folder).parent
        project_home = home.parent if home.name == "src" else home
        written(tmp_path, {f"{project_home}/pyproject.toml": ""})
    made = [scanned(*((each,) if isinstance(each, str) else each)) for each in given]
    assert len(made[0][0]) == 4
    assert {each.function.partition(".")[0] for each in made[0][0]} == set(folders.values())
    assert all(each == made[0] for each in made)


def test_files_without_a_package_are_named_from_the_base_beside_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, {**project("src/pkg", "pkg"), "src/tool.py": "", "tools/one/two.py": ""})
    names = {each.shown: each.module for each in source_files(["."])}
    assert names["src/tool.py"] == "tool"
    assert names["tools/one/two.py"] == "tools.one.two"


def test_two_packages_of_one_name_are_both_scanned(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    leak = "import os\n\ndef f(p):\n    fd = os.open(p, 0)\n    return 1\n"
    written(tmp_path, {f"{each}/pkg/__init__.py": leak for each in "ab"})
    assert [each.module for each in source_files(["."])] == ["pkg", "b.pkg"]
    assert len(scanned(".")[0]) == 2


def test_a_folder_of_the_program_hides_no_module_of_the_standard_library(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    leak = "import os\n\ndef f(p):\n    fd = os.open(p, 0)\n    return 1\n"
    written(tmp_path, {"tools/os/__init__.py": "", "a.py": leak})
    assert len(scanned(".")[0]) == 1


def test_calls_into_code_that_was_not_scanned_are_counted_apart(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, project("src/pkg", "pkg"))
    _, statistics = scanned("src/pkg/using.py")
    assert dict(statistics.rows())["calls into the scanned files"] == "0 (0 %)"
    assert dict(statistics.rows())["calls into code that was not scanned"] == "4 (100 %)"
