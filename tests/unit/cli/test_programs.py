"""`pigro check FILE.py:NAME`: programs as state spaces, and what can be wrong with them."""

import json
from pathlib import Path

import pytest

PROGRAM = """
print("loading")


class Counter:
    initial = 0

    def successors(self, state):
        return [0, 11] if state == 10 else [state + 1]

    def labels(self, state):
        return {0: ["zero"], 10: ["ten"]}.get(state, ["large"] if state > 100 else [])


class Lame:
    initial = 0

    def labels(self, state):
        return []


class Broken(Counter):
    def successors(self, state):
        yield state // 2
        raise KeyError(state)


class Ends(Counter):
    def successors(self, state):
        return [state + 1] if state < 3 else []


class Cut(Counter):
    def is_cut(self, state):
        return state > 4


def make():
    return Counter()


ready = Counter()
number = 3
"""


@pytest.fixture
def program(run):
    """The name of a file in the folder that the command runs in."""
    Path("states.py").write_text(PROGRAM, encoding="utf-8")
    return "states.py"


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("tower/__init__.py", "tower:Ends"),
        ("ringing/bells.py", "ringing.bells:Ends"),
        ("rope.py", "rope:Ends"),
    ],
)
def test_modules_and_packages_of_the_working_folder(run, file, name):
    if "/" in file:
        Path(file).parent.mkdir()
        Path(file).with_name("__init__.py").touch()
    Path(file).write_text(PROGRAM, encoding="utf-8")
    done = run("check", name, "EF zero")
    assert (done.exit_code, done.stdout.split()[0]) == (0, "holds"), done.stderr


@pytest.mark.parametrize("name", ["Counter", "make", "ready"])
def test_classes_functions_and_objects(run, program, name):
    result = run("check", f"{program}:{name}", "E [G F zero & F ten]", "AG !large")
    assert (result.exit_code, result.stderr) == (1, "loading\n")
    assert result.stdout.splitlines()[::2] == [
        "holds    E [G F zero & F ten]",
        "fails    AG !large",
        "",
    ]


def test_a_module_by_its_name(run, program, monkeypatch):
    result = run("check", "states:Counter", "EF ten")
    assert result.exit_code == 0


def test_a_run_is_shown(run, program):
    result = run("check", f"{program}:Counter", "E [G F zero & F ten]", "--witness")
    assert "              0  Counter:0   [zero]" in result.stdout
    assert "           and on from state 0 again, forever" in result.stdout


def test_a_run_in_json_and_html(run, program):
    args = ("check", f"{program}:Ends", "AF ten", "--witness", "--format", "json")
    result = run(*args, "--html", "why.html")
    (told,) = json.loads(result.stdout)["results"]
    assert told["verdict"] == "fails"
    path = told["evidence"]["evidence"][0]["path"]
    assert (path["nodes"], path["ends"]) == ([1, 2, 3, 4], "stays")
    assert "Ends:3" in Path("why.html").read_text(encoding="utf-8")


def test_where_a_system_is_cut_off_there_is_no_verdict(run, program):
    result = run("check", f"{program}:Cut", "EF ten")
    assert result.exit_code == 3
    assert "no verdict: it depends on what comes where the system is cut off" in result.stdout


@pytest.mark.parametrize(
    "name, message",
    [
        (":Lame", "error[P407]: not a system: a Lame has no `successors`"),
        (":number", "error[P407]: not a system: an int has no `successors`"),
        (":Count", "error[P412]: states.py has nothing called Count"),
    ],
)
def test_objects_that_are_no_system(run, program, name, message):
    result = run("check", program + name, "EF ten")
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr.splitlines()


def test_an_error_of_the_program_has_its_line(run, program):
    result = run("check", f"{program}:Broken", "AG !zero | EF ten")
    assert result.exit_code == 2
    assert "error[P411]: the program raised KeyError: 0" in result.stderr
    assert "  --> states.py:25:1\n   | raise KeyError(state)" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    "text, message",
    [
        ("def f(:", "P411]: the program raised SyntaxError: invalid syntax\n  --> wrong.py:1:7"),
        ("import no_such_thing", "P411]: the program raised ModuleNotFoundError"),
        ("raise SystemExit(3)", "P411]: the program raised SystemExit: 3"),
    ],
)
def test_programs_that_can_not_be_loaded(run, text, message):
    Path("wrong.py").write_text(text, encoding="utf-8")
    result = run("check", "wrong.py:A", "p")
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize(
    "args, message",
    [
        (("check", "no.py:A", "p"), "error[P001]: can't read no.py: no such file"),
        (("check", "no_such.module:A", "p"), "error[P412]: there is no module no_such.module"),
        (("check", "states.py:Counter"), "error[P002]: no formula given"),
        (("check", "states.py:Counter", "p", "--engine", "demand"), "error[P006]: engine demand"),
        (("check", "states.py:Counter", "p", "--verify"), "error[P006]: --verify is for models"),
        (("check", "states.py", "p"), "error[P105]"),
        (
            ("show", "states.py:Counter"),
            "hint: only `pigro check`, `bench`, `batch` and `validate-witness` take programs",
        ),
        (
            ("convert", "states.py:Counter", "x.rsm"),
            "hint: only `pigro check`, `bench`, `batch` and `validate-witness` take programs",
        ),
        (
            ("explain", "states.py:Counter", "p"),
            "hint: only `pigro check`, `bench`, `batch` and `validate-witness` take programs",
        ),
    ],
)
def test_refusals(run, program, args, message):
    result = run(*args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
