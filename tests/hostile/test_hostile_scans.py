"""Source files that are huge, deep, broken or strange: a clear error, and the rest is scanned."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import pigro

from support.processes.children import PATIENCE
from support.samples.leaks import LEAK


def scan(folder, *args):
    """`pigro scan` in a child process: it may not crash."""
    package = str(Path(pigro.__file__).resolve().parents[1])
    return subprocess.run(
        [sys.executable, "-m", "pigro", "scan", "--no-cache", *args],
        cwd=folder, capture_output=True, timeout=PATIENCE, text=True,
        env=os.environ | {"PYTHONPATH": package},
    )  # fmt: skip


def nested(count):
    lines = [" " * depth + f"def f{depth}():" for depth in range(count)]
    return "\n".join([*lines, " " * count + "pass"])


WRONG = {
    "encoding": (b"# -*- coding: martian -*-\nx = 1\n", "P151"),
    "utf8": (b"x = '\xff\xfe'\n", "P15"),
    "null": (b"x = 1\0\n", "P150"),
    "newer": (b"def f[T](x: T) -> T: ...\ntype X = int\nlazy import os\n", "P150"),
    "deep": (b"x = " + b"(" * 5000 + b")" * 5000 + b"\n", "P15"),
    "minus": (b"x = " + b"-" * 200_000 + b"1\n", "P15"),
    "indented": (nested(1000).encode(), "P150"),
    "bytes": (bytes(range(256)) * 20, "P15"),
}


@pytest.mark.parametrize(
    "name, jobs", [*((name, "1") for name in WRONG), ("encoding", "2"), ("deep", "2")]
)
def test_a_wrong_file_is_told_and_the_others_are_scanned(name, jobs, tmp_path):
    data, code = WRONG[name]
    (tmp_path / "wrong.py").write_bytes(data)
    for number in range(18 if jobs == "2" else 1):
        (tmp_path / f"app{number}.py").write_text(LEAK)
    done = scan(tmp_path, "--jobs", jobs)
    assert done.returncode == 2, done.stderr
    assert f"error[{code}" in done.stderr
    assert "wrong.py" in done.stderr
    assert "app0.py:5:10" in done.stdout
    assert "Traceback" not in done.stderr


RIGHT = {
    "long": "x = 1\n" * 100_000 + LEAK,
    "calls": LEAK + "\n\ndef g():\n" + "    is_known(1)\n" * 20_000,
    "sum": "x = " + "1 + " * 2000 + "1\n" + LEAK,
    "chain": "x = a" + ".b(1)" * 1000 + "\n" + LEAK,
    "ifs": LEAK + "\n\ndef g(a):\n" + "".join(f"    if a == {n}:\n        a = {n}\n" for n in range(3000)),
    "elifs": LEAK + "\n\ndef g(a):\n    if a: pass\n" + "".join(f"    elif a == {n}: pass\n" for n in range(800)),
    "nested": "".join("  " * d + f"def f{d}():\n" for d in range(48)) + "  " * 48 + "pass\n" + LEAK,
    "functions": "".join(f"def f{n}(x):\n    return f{n + 1}(x)\n" for n in range(1000)) + LEAK,
    "lambdas": "x = " + "lambda: " * 1000 + "1\n" + LEAK,
    "classes": "".join(f"class C{n}(C{n - 1}):\n    def m(self): return super().m()\n" for n in range(1, 800)) + LEAK,
    "loop": "class A(B): pass\nclass B(A): pass\nfrom app import x as x\n" + LEAK,
    "line": "x = [" + "1, " * 200_000 + "]\n" + LEAK,
}  # fmt: skip


LARGEST = {"classes", "long", "line", "calls", "ifs", "elifs"}


@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=pytest.mark.long) if each in LARGEST else each for each in RIGHT],
)
def test_a_large_file_is_scanned(name, tmp_path):
    (tmp_path / "app.py").write_text(RIGHT[name])
    done = scan(tmp_path, "--select", "ALL")
    assert done.returncode == 1, done.stderr
    assert "[fd-leak]" in done.stdout
    assert done.stderr == ""


def test_names_of_files(tmp_path):
    name = b"a\n::error::\x1b[31m\xff.py"
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_text(LEAK)
    for form in ("text", "json", "sarif", "github", "junit", "html"):
        done = scan(tmp_path, "--format", form)
        assert done.returncode == 1, done.stderr
        assert "\x1b" not in done.stdout
        assert not any(each.startswith("::error::") for each in done.stdout.splitlines())


def test_pipes_and_folders_named_like_sources_are_no_files(tmp_path):
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "app.py").write_text(LEAK)
    assert scan(tmp_path).returncode == 1


def test_links_that_lead_in_circles_are_not_followed(tmp_path):
    (tmp_path / "app.py").write_text(LEAK)
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "self.py").symlink_to("self.py")
    (tmp_path / "gone.py").symlink_to("nowhere.py")
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    done = scan(tmp_path)
    assert done.returncode == 1, done.stderr
    assert done.stdout.count("[fd-leak]") == 1
    assert done.stderr == ""


WRONG_RULES = {
    "syntax": ("[rule.x", "P160"),
    "template": ('[rule.x]\ntemplate = "must-relase"\nmessage = "m"\n', "P16"),
    "pattern": ('[rule.x]\ntemplate = "must-release"\nmessage = "m"\nacquire = [3]\n', "P16"),
    "formula": (
        '[rule.x]\ntemplate = "formula"\nmessage = "m"\nformula = "A [p"\nevents = {p = ["os.open"]}\n',
        "P161",
    ),
    "bytes": ("\udcff", "P001"),
    "deep": ("x = " + "[" * 100_000, "P16"),
}


@pytest.mark.parametrize("name", WRONG_RULES)
def test_a_wrong_rule_file_is_told_and_the_other_rules_are_checked(name, tmp_path):
    text, code = WRONG_RULES[name]
    (tmp_path / "team.toml").write_text(text, encoding="utf-8", errors="surrogateescape")
    (tmp_path / "app.py").write_text(LEAK)
    done = scan(tmp_path, "--rules", "team.toml")
    assert done.returncode == 2, done.stderr
    assert f"error[{code}" in done.stderr
    assert "team.toml" in done.stderr
    assert "app.py:5:10" in done.stdout
    assert "Traceback" not in done.stderr
