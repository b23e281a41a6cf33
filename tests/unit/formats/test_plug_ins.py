"""Plug-ins that fail: they are named, and the program and other plug-ins go on."""

from __future__ import annotations

import subprocess
import sys
from functools import partial

import pytest

from pigro import UsageError, check, kripke, load, save
from pigro.formats import registry

from support.samples.plug_ins import TOGGLE, install_plug_in

MODEL = kripke({"a": ["b"], "b": ["b"]}, labels={"b": ["p"]}, initial="a")
RAISED = {
    "SystemExit(0)": "SystemExit: 0",
    "SystemExit": "SystemExit",
    "ValueError('no\\n\\x1b[31m')": "ValueError: no\\n\\x1b[31m",
    "GeneratorExit": "GeneratorExit",
    "BrokenPipeError('gone')": "BrokenPipeError: gone",
    "RecursionError": "RecursionError",
    "Mute": "Mute",
    "Foreign('x')": "Foreign: x",
}
ERRORS = """
class Foreign(BaseException): pass
class Mute(Exception):
    def __str__(self): raise SystemError
"""
BAD = (
    ERRORS
    + """
suffixes = (".bad",)
description = "fails"
def sniff(head):
    {sniff}
    return head.startswith(b"bad")
def read(data, *, source, semantics, dead_ends): {read}
def write(model): {write}
def requirements(data, *, source): {requirements}
def use_def(data, *, source): {use_def}
"""
)
DOING = dict.fromkeys(("sniff", "read", "write", "requirements", "use_def"), "pass")


def module(**deeds):
    return BAD.format(**{**DOING, **deeds})


@pytest.fixture
def install(tmp_path, monkeypatch):
    """A plug-in that works, and another one before it in the alphabet, with this code."""

    def make(code):
        install_plug_in(tmp_path, monkeypatch, TOGGLE, "bad = bad_plugin", "toggle = toggle_plugin")
        (tmp_path / "site" / "bad_plugin.py").write_text(code)
        monkeypatch.delitem(sys.modules, "bad_plugin", raising=False)
        (tmp_path / "m.bad").write_bytes(b"bad")
        (tmp_path / "unknown").write_bytes(b"nobody knows")
        (tmp_path / "m.toggle").write_bytes(b"toggle on off")
        (tmp_path / "other.txt").write_bytes(b"toggle on off")
        save(MODEL, tmp_path / "m.rsm")
        return tmp_path

    return make


def assert_others_work(folder):
    assert check(load(folder / "m.toggle"), "AG (on -> AX off)").holds
    assert check(load(folder / "other.txt"), "AG (on -> AX off)").holds
    assert check(load(folder / "m.rsm"), "EF p").holds
    assert [each.name for each in registry.formats()][-2:] == ["bad", "toggle"]
    save(load(folder / "m.toggle"), folder / "again.toggle")


def assert_named(what, caught):
    error = caught.value
    assert error.code == "P019"
    assert error.message == f"the plug-in bad_plugin of format bad: {what}"
    assert error.hint == "this is a fault of the package toggle_plugin, not of Pigro"


@pytest.mark.parametrize("raised", RAISED)
def test_what_functions_raise(install, raised):
    folder = install(module(read=f"raise {raised}", write=f"raise {raised}"))
    assert_others_work(folder)
    with pytest.raises(UsageError) as caught:
        load(folder / "m.bad")
    assert_named(f"read fails with {RAISED[raised]}", caught)
    with pytest.raises(UsageError) as caught:
        save(MODEL, folder / "out.bad")
    assert_named(f"write fails with {RAISED[raised]}", caught)
    assert not (folder / "out.bad").exists()


@pytest.mark.parametrize("raised", [*RAISED, "MemoryError", "pigro.UsageError('P001', 'x')"])
def test_what_loading_raises(install, raised):
    said = {"MemoryError": "MemoryError", **RAISED}.get(raised, "UsageError: P001: x")
    folder = install(f"import pigro\n{ERRORS}\nraise {raised}")
    assert_others_work(folder)
    for ask in (
        partial(load, folder / "m.rsm", format="bad"),
        partial(save, MODEL, folder / "x.bad", format="bad"),
    ):
        with pytest.raises(UsageError) as caught:
            ask()
        assert_named(f"loading it fails with {said}", caught)


@pytest.mark.parametrize("raised", [*RAISED, "MemoryError"])
def test_what_sniff_raises(install, raised):
    said = {"MemoryError": "MemoryError", **RAISED}[raised]
    folder = install(module(sniff=f"raise {raised}", read="raise SystemExit(3)"))
    assert_others_work(folder)
    with pytest.raises(UsageError) as caught:
        load(folder / "unknown")
    assert_named(f"sniff fails with {said}", caught)
    with pytest.raises(UsageError) as caught:
        load(folder / "m.bad")  # by its suffix
    assert_named("read fails with SystemExit: 3", caught)


@pytest.mark.parametrize(
    "code",
    [
        "suffixes = ('',)\ndescription = ''",
        "suffixes = ('.',)\ndescription = ''",
        "suffixes = 'bad'\ndescription = ''",
        "suffixes = 7\ndescription = ''",
        "suffixes = ('.bad',)",
        "def __getattr__(name): raise SystemExit(name)",
        "suffixes = ('.bad',)\ndescription = ''\ndef __getattr__(name): raise SystemExit(name)",
    ],
)
def test_odd_modules(install, code):
    folder = install(code)
    assert_others_work(folder)
    with pytest.raises(UsageError) as caught:
        load(folder / "m.bad", format="bad")
    assert caught.value.code == "P019"
    assert caught.value.message.startswith(
        "the plug-in bad_plugin of format bad: loading it fails with "
    )


@pytest.mark.parametrize(
    ("function", "given"),
    [("read", "return 'x'"), ("read", "pass"), ("write", "return 'x'"), ("write", "return 7")],
)
def test_results_of_the_wrong_type(install, function, given):
    folder = install(module(**{function: given}))
    with pytest.raises(UsageError) as caught:
        load(folder / "m.bad") if function == "read" else save(MODEL, folder / "x.bad")
    assert_named(f"{function} gives a value of the wrong type", caught)


def test_errors_of_pigro_are_about_the_file(install):
    raised = "import pigro; raise pigro.InputError('P105', 'not so')"
    folder = install(module(read=raised))
    with pytest.raises(Exception, match="P105: not so"):
        load(folder / "m.bad")


DOCUMENT = """
import pigro
from pigro.logic import parse
class Document:
    def __init__(self, data, *, source): {init}
    def formula(self, text):
        {formula}
        return parse(text)
    def model(self, *, semantics, dead_ends):
        {model}
        return pigro.kripke({{"a": ["a"]}}, labels={{"a": ["p"]}}, initial="a")
    def requirements(self, model):
        {requirements}
        return []
"""
PLACES = {
    "init": "Document fails",
    "formula": "formula fails",
    "model": "model fails",
    "requirements": "requirements fails",
}


@pytest.mark.parametrize("place", PLACES)
def test_documents(install, place):
    """On the command line, in a process that the plug-in tries to end."""
    deeds = dict.fromkeys(PLACES, "pass")
    deeds[place] = "raise SystemExit(0)"
    folder = install(module() + DOCUMENT.format(**deeds))
    formulas = ["p"] if place == "formula" else []
    done = subprocess.run(
        [sys.executable, "-m", "pigro", "check", "m.bad", *formulas],
        cwd=folder,
        capture_output=True,
        env={"PYTHONPATH": ":".join(("site", *filter(None, sys.path)))},
    )
    assert (done.returncode, done.stdout) == (2, b"")
    told = f"error[P019]: the plug-in bad_plugin of format bad: {PLACES[place]} with SystemExit: 0"
    assert done.stderr.decode().startswith(told)


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        ("raise SystemExit(0)", "fails with SystemExit: 0"),
        ("yield 1; raise SystemExit", "fails with "),
        ("return [1]", "fails with "),
        ("return 3", "fails with TypeError: "),
        ("return [('x', 'y')]", ""),
    ],
)
def test_formulas_of_the_file(install, deed, said, monkeypatch):
    from click.testing import CliRunner

    from pigro.cli.main import cli

    read = "import pigro; return pigro.kripke({'a': ['a']}, labels={}, initial='a')"
    folder = install(module(read=read, requirements=deed, use_def=deed))
    monkeypatch.chdir(folder)
    for options, name in (((), "requirements"), (("--use-def", "all"), "use_def")):
        done = CliRunner().invoke(cli, ["check", "m.bad", *options], prog_name="pigro")
        assert (done.exit_code, done.stdout) == (2, "")
        told = f"error[P019]: the plug-in bad_plugin of format bad: {name} {said}"
        assert done.stderr.startswith(told)


def test_the_list_of_formats(install):
    from click.testing import CliRunner

    from pigro.cli.main import cli

    install("raise SystemExit('bye')")
    done = CliRunner().invoke(cli, ["formats"])
    assert done.exit_code == 0
    assert "bad_plugin of format bad: loading it fails with SystemExit: bye" in done.stdout
    assert "toggle" in done.stdout
