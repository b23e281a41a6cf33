"""Every console and Python block of the README and the documentation runs, and prints what it shows.

The blocks of a page run in order, in a folder of their own with examples/. A block after
`<!-- file: NAME -->` is the content of that file. `<!-- uses: PAGE... -->` gives a page the files of others.
"""

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.processes.children import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(
    r"(?:^<!-- file: (?P<file>\S+) -->\n+)?^```(?P<kind>[a-z]*)[^\n]*\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
USES = re.compile(r"^<!-- uses: (?P<pages>.*?) -->$", re.MULTILINE)
FEWEST = {
    "README.md": 2,
    "tutorial.md": 6,
    "how-to.md": 5,
    "semantics.md": 7,
    "algorithm.md": 5,
    "formulas.md": 8,
    "command-line.md": 2,
    "compose.md": 8,
    "formats.md": 1,
    "rsm.md": 2,
    "smv.md": 5,
    "pushdown.md": 3,
    "parts.md": 2,
    "generate.md": 3,
    "results.md": 8,
    "ten-examples.md": 11,
}


def blocks_of(page):
    text = page.read_text(encoding="utf-8")
    for match in BLOCK.finditer(text):
        line = text.count("\n", 0, match.start("body")) + 1
        yield line, match["kind"], match["file"], match["body"]


def name_of(page):
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", [p for p in PAGES if "_build" not in p.parts], ids=name_of)
def test_blocks_run_and_print_what_they_show(page, tmp_path, monkeypatch, environment, timeless):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    for other in USES.findall(page.read_text(encoding="utf-8")):
        give_files(other.split(), tmp_path)
    names, code, ran = {"__name__": "__main__"}, 0, 0
    for line, kind, file, body in blocks_of(page):
        if file:
            (tmp_path / file).write_text(body, encoding="utf-8")
        elif kind == "console":
            code = run_console(body, code, environment, timeless, f"{page.name}:{line}")
        elif kind == "python" and ">>>" in body:
            run_doctest(body, names, page, line)
        elif kind == "python":
            exec(compile(body, f"{page.name}:{line}", "exec"), names)
        else:
            continue
        ran += 1
    assert ran >= FEWEST.get(page.name, 0), "blocks have been lost"


@pytest.mark.long
@pytest.mark.parametrize("name", ["how-to.md", "tutorial.md"])
def test_blocks_of_programmers_pass_a_type_checker(name, tmp_path):
    """As `mypy --strict` of a user sees them, who has no settings of ours."""
    code = [code_of(body) for _, kind, file, body in blocks_of(ROOT / "docs" / name)
            if kind == "python" and not file]  # fmt: skip
    (tmp_path / "page.py").write_text("\n".join(code), encoding="utf-8")
    options = "--strict --config-file= --follow-imports=silent --cache-dir=cache".split()
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "page.py"],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT / "src")},
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
    )
    assert done.stdout.startswith("Success"), done.stdout + done.stderr


def code_of(body):
    """The code of a block, without prompts and output."""
    if ">>>" not in body:
        return body
    return "".join(each.source for each in doctest.DocTestParser().get_examples(body))


def give_files(pages, folder):
    for page in pages:
        for _, _, file, body in blocks_of(ROOT / page):
            if file:
                (folder / file).write_text(body, encoding="utf-8")


def run_console(body, code, environment, timeless, place):
    """Runs each `$ command`. The exit code of the last one."""
    first, *sessions = re.split(r"^\$ ", body, flags=re.MULTILINE)
    assert first.strip() == "", f"{place}: a console block begins with $"
    for session in sessions:
        command, expected = split_command(session)
        done = subprocess.run(
            ["bash", "-c", f"(exit {code})\n{command}"],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=PATIENCE,
        )
        assert timeless(done.stdout) == timeless(expected), f"{place}: {command}"
        code = done.returncode
    return code


def split_command(session):
    """The command, which goes on after lines that end in a backslash, and its output."""
    lines = session.split("\n")
    length = 1
    while lines[length - 1].endswith("\\"):
        length += 1
    return "\n".join(lines[:length]), "\n".join(lines[length:])


def run_doctest(body, names, page, line):
    test = doctest.DocTestParser().get_doctest(body, {}, page.name, str(page), line - 1)
    test.globs = names
    report = []
    doctest.DocTestRunner(verbose=False).run(test, out=report.append, clear_globs=False)
    assert not report, "".join(report)
