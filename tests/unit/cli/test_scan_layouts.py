"""`pigro scan` reports the same whichever folder around a package is given, for all common layouts."""

import json

import pytest

OPENING = """\
import os, time

def opened(path):
    return os.open(path, os.O_RDONLY)

def wait():
    time.sleep(1)
"""
USING = """\
import os, socket, tempfile
from PKG.inner import opening
import PKG.inner.opening as again

def descriptor(path):
    fd = opening.opened(path)
    return os.read(fd, 3)

def connection(address):
    s = socket.socket()
    s.connect(address)
    s.close()

async def waiting():
    again.wait()
"""
RULES = ["blocking-in-async", "fd-leak", "socket-leak"]
LAYOUTS = {
    "src": ({"src/pkg": "pkg"}, (".", "src", "src/pkg")),
    "flat": ({"pkg": "pkg"}, (".", "pkg")),
    "a namespace package": ({"src/ns/pkg": "ns.pkg"}, (".", "src", "src/ns", "src/ns/pkg")),
    "a namespace of two packages": (
        {"src/ns/one": "ns.one", "src/ns/two": "ns.two"},
        (".", "src", "src/ns", "src/ns/one src/ns/two"),
    ),
    "two topmost packages": (
        {"one": "one", "two": "two"},
        (".", "one two", "two one"),
    ),
    "two topmost packages in src": (
        {"src/one": "one", "src/two": "two"},
        (".", "src", "src/one src/two"),
    ),
    "two projects": (
        {"one/src/one": "one", "two/src/two": "two"},
        (".", "one two", "one/src two/src/two"),
    ),
}  # fmt: skip


def written(home, files):
    for name, text in files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def project(folder, name):
    """A package whose files call one another, with tests beside it and inside of it."""
    using = USING.replace("PKG", name)
    return {
        f"{folder}/__init__.py": "",
        f"{folder}/inner/__init__.py": "",
        f"{folder}/inner/opening.py": OPENING,
        f"{folder}/using.py": using,
        f"{folder}/tests/__init__.py": "",
        f"{folder}/tests/test_using.py": using,
        "tests/test_all.py": using,
        "examples/using.py": using,
        "conftest.py": using,
    }


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("form", ["json", "text", "sarif"])
def test_the_same_report(layout, form, run, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path.parent / f"{tmp_path.name}-cache"))
    folders, given = LAYOUTS[layout]
    for folder, name in folders.items():
        home = folder.partition("/src")[0] if layout == "two projects" else ""
        written(tmp_path / home, project(folder.removeprefix(f"{home}/"), name))
        written(tmp_path / home, {"pyproject.toml": f'[project]\nname = "{name}"\n'})
    asked = [args.split() for args in ("", *given)]
    made = {run("scan", "--format", form, "--stats", *paths).stdout for paths in asked}
    assert len(made) == 1
    if form == "json":
        [output] = made
        found = json.loads(output)["findings"]
        assert sorted({each["rule"] for each in found}) == RULES
        assert len(found) == len(RULES) * len(folders)
        files = {each["file"] for each in found}
        assert files == {f"{folder}/using.py" for folder in folders}
