"""The cache of graphs: what it gives back is what was kept, and damage is as if it were empty."""

import os
import random
from pathlib import Path

import pytest

from pigro.limits import Budget
from pigro.scan.project.cache import GraphCache, key_of
from pigro.scan.project.codec import decoded, encoded, whole
from pigro.scan.project.reading import graph_of, read_project
from pigro.scan.scanning import scan_modules
from pigro.sources.files import source_files
from pigro.sources.python.reading import read_module

from support.samples.leaks import HELPERS, LEAK

STRANGE = """
import os

def f(a=b"x", b=1.5, c=10**30, d=..., e=2j, *args, g: "int" = None, **more):
    x = 123456789012345678901234567890
    y = (((((((((((((1, 2), 3), 4), 5), 6), 7), 8), 9), 10), 11), 12), 13), b"bytes")
    global z
    z = [x, y, {"k": b"v"}, "\\ud800"]
    while x is None and a:
        try:
            with open(a) as h, h:
                yield from h
        except (OSError, ValueError) as error:
            raise error from None
        finally:
            del x
    return lambda q: q + x

class C(Exception):
    a: int = 3
    def m(self):
        match self:
            case C(): return super().m()
"""


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number in range(20):
        (tmp_path / f"leak{number}.py").write_text(LEAK)
    (tmp_path / "helpers.py").write_text(HELPERS)
    (tmp_path / "strange.py").write_text(STRANGE)
    (tmp_path / "wrong.py").write_text("def f(:\n")
    return source_files(["."])


@pytest.mark.parametrize("text", [LEAK, HELPERS, STRANGE, ""])
def test_a_graph_comes_back_the_same(text, tmp_path):
    (tmp_path / "a.py").write_text(text)
    [file] = source_files([str(tmp_path / "a.py")])
    made = graph_of(file, text.encode())
    made.file = ""
    again = whole(decoded(encoded(made)))
    assert again == made
    assert [type(op) for f in again.functions for op in f.ops] == [
        type(op) for f in made.functions for op in f.ops
    ]


def test_the_standard_library_comes_back_the_same():
    home = Path(os.__file__).parent
    files = source_files([str(home / each) for each in ("json", "asyncio", "ssl.py")])
    modules, _, _ = read_project(files, Budget())
    kept = [encoded(each) for each in modules]
    assert [whole(decoded(each)).functions for each in kept] == [each.functions for each in modules]


def test_a_second_read_parses_nothing(files, tmp_path, monkeypatch):
    cache = GraphCache(tmp_path / "cache")
    first = read_project(files, Budget(), cache=cache)
    assert cache.hits == 0
    monkeypatch.setattr("pigro.sources.python.reading.read_module", only_wrong)
    cache = GraphCache(tmp_path / "cache")
    second = read_project(files, Budget(), cache=cache)
    assert cache.hits == 22
    assert wholes(second[0]) == wholes(first[0])
    assert [each.code for each in second[1]] == [each.code for each in first[1]] == ["P150"]


def wholes(modules):
    return [whole(each) for each in modules]


def only_wrong(data, file, name, *, is_package):
    assert file == "wrong.py", file
    return read_module(data, file, name, is_package=is_package)


def test_a_changed_file_is_read_again(files, tmp_path):
    cache = GraphCache(tmp_path / "cache")
    read_project(files, Budget(), cache=cache)
    (tmp_path / "helpers.py").write_text(HELPERS + "\n\nx = 1\n")
    modules, _, _ = read_project(files, Budget(), cache=cache)
    [helpers] = [each for each in modules if each.name == "helpers"]
    assert "x" in helpers.functions[0].assigned


def test_the_key_is_of_module_and_content(files):
    keys = {key_of(each, b"x = 1\n") for each in files}
    assert len(keys) == len(files)
    assert key_of(files[0], b"") != key_of(files[0], b" ")


def test_damaged_files_are_ignored(files, tmp_path):
    folder = tmp_path / "cache"
    first = read_project(files, Budget(), cache=GraphCache(folder))
    source = random.Random(3)
    for at, each in enumerate(sorted(folder.rglob("*.graph"))):
        data = bytearray(each.read_bytes())
        damage = at % 4
        if damage == 0:
            data[source.randrange(len(data))] ^= 1 << source.randrange(8)
        elif damage == 1:
            del data[source.randrange(len(data)) :]
        elif damage == 2:
            data = bytearray()
        else:
            data = bytearray(b"\x80\x04cos\nsystem\n(S'touch hacked'\ntR.")
        each.write_bytes(data)
    cache = GraphCache(folder)
    second = read_project(files, Budget(), cache=cache)
    assert cache.hits == 0
    assert wholes(second[0]) == wholes(first[0])
    assert not (tmp_path / "hacked").exists()


@pytest.mark.parametrize(
    "value", [[], {}, 3, {"name": 1}, {"name": "a", "file": "", "is_package": 0}]
)
def test_other_content_is_no_graph(value):
    import msgspec

    assert decoded(msgspec.msgpack.encode(value)) is None


def test_random_bytes_are_no_graph(tmp_path):
    (tmp_path / "a.py").write_text(LEAK)
    [file] = source_files([str(tmp_path / "a.py")])
    data = encoded(graph_of(file, LEAK.encode()))
    source = random.Random(5)
    for _ in range(2000):
        other = bytearray(data)
        for _ in range(source.randrange(1, 4)):
            other[source.randrange(len(other))] = source.randrange(256)
        decoded(bytes(other))  # raises nothing


def test_a_folder_that_can_not_be_written(files, tmp_path):
    (tmp_path / "cache").write_text("a file\n")
    modules, _, _ = read_project(files, Budget(), cache=GraphCache(tmp_path / "cache"))
    assert len(modules) == 22


def test_old_files_are_removed(files, tmp_path):
    folder = tmp_path / "cache"
    cache = GraphCache(folder)
    cache.write("ab" + "0" * 62, b"old")
    [old] = folder.rglob("*.graph")
    os.utime(old, (0, 0))
    GraphCache(folder).write("ab" + "1" * 62, b"new")
    assert not old.exists()


def test_processes_give_the_same(files, tmp_path):
    one = read_project(files, Budget(), jobs=1)
    two = read_project(files, Budget(), jobs=2, cache=GraphCache(tmp_path / "cache"))
    assert wholes(one[0]) == wholes(two[0])
    assert [str(each) for each in one[1]] == [str(each) for each in two[1]]


def test_a_report_from_the_cache_is_the_same(files, tmp_path):
    from pigro.rules.choosing import chosen_rules, known_rules

    rules = chosen_rules(known_rules(), ["ALL"])
    reports = []
    for _ in range(2):
        sources = read_project(files, Budget(), cache=GraphCache(tmp_path / "cache"))
        reports.append(scan_modules(*sources, rules, Budget()))
    first, second = reports
    assert first.findings == second.findings
    assert first.statistics == second.statistics
    assert len(first.findings) == 21
