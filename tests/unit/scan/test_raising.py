"""Which calls are believed to raise: each kind with a program that has a fault, and one without."""

import textwrap

import pytest

from pigro.diagnostics import InputError
from pigro.limits import Budget
from pigro.rules import read_rules
from pigro.rules.places import TomlFile
from pigro.rules.raising import built_in_beliefs
from pigro.scan.scanning import read_sources, scan_modules
from pigro.sources.files import source_files

RULE = """
[rule.leak]
template = "must-release"
message = "`{name}`"
acquire = ["socket.socket", "sqlite3.connect", "anyio.connect"]
release = [".close"]
on = ["return", "raise"]
"""


def found(tmp_path, text, table=""):
    """The notes of the last steps of all findings."""
    file = tmp_path / "m.py"
    file.write_text("import os, socket, sqlite3, anyio\n" + textwrap.dedent(text))
    beliefs = built_in_beliefs()
    if table:
        beliefs = beliefs.extended(TomlFile("t.toml", table, ()))
    sources = read_sources(source_files([str(file)]), Budget())
    rules = read_rules(RULE, "r.toml").values()
    report = scan_modules(*sources, rules, Budget(), beliefs=beliefs)
    assert not report.errors
    return [each.steps[-1].note for each in report.findings]


PAIRS = {
    "a call that fails, and one that does not": (
        """
        def f(a):
            s = socket.socket()
            s.bind(a)
            s.close()
        """,
        """
        def f(a):
            s = socket.socket()
            s.setsockopt(1, 2, 3)
            s.close()
        """,
    ),
    "an unknown call raises into a handler only": (
        """
        def f(g):
            s = socket.socket()
            try:
                g()
            except ValueError:
                return
            s.close()
        """,
        """
        def f(g):
            s = socket.socket()
            g()
            s.close()
        """,
    ),
    "an unknown call in `with` raises into a handler only": (
        """
        def f(g, lock):
            s = socket.socket()
            try:
                with lock:
                    g()
            except Exception:
                return
            s.close()
        """,
        """
        def f(g, lock):
            s = socket.socket()
            with lock:
                g()
            s.close()
        """,
    ),
    "a function of the program raises what its calls do": (
        """
        def read(p):
            return open(p)
        def more(p):
            return read(p)
        def f(p):
            s = socket.socket()
            more(p)
            s.close()
        """,
        """
        def read(p):
            return open(p)
        def more(p):
            try:
                return read(p)
            except OSError:
                return None
        def f(p):
            s = socket.socket()
            more(p)
            s.close()
        """,
    ),
    "what raises is at most two calls deep": (
        """
        def read(p):
            return open(p)
        def more(p):
            return read(p)
        def f(p):
            s = socket.socket()
            more(p)
            s.close()
        """,
        """
        def read(p):
            return open(p)
        def more(p):
            return read(p)
        def most(p):
            return more(p)
        def f(p):
            s = socket.socket()
            most(p)
            s.close()
        """,
    ),
    "a callee that catches and raises again": (
        """
        def read(p):
            try:
                return open(p)
            except OSError:
                print(p)
                raise
        def f(p):
            s = socket.socket()
            read(p)
            s.close()
        """,
        """
        def read(p):
            try:
                return open(p)
            except OSError:
                print(p)
        def f(p):
            s = socket.socket()
            read(p)
            s.close()
        """,
    ),
    "the type is caught": (
        """
        def f(a):
            s = socket.socket()
            try:
                s.connect(a)
            except ValueError:
                s.close()
                raise
            s.close()
        """,
        """
        def f(a):
            s = socket.socket()
            try:
                s.connect(a)
            except OSError:
                s.close()
                raise
            s.close()
        """,
    ),
    "the type goes through `with`": (
        """
        def f(a, lock):
            s = socket.socket()
            try:
                with lock:
                    s.connect(a)
            except ValueError:
                s.close()
                raise
            s.close()
        """,
        """
        def f(a, lock):
            s = socket.socket()
            try:
                with lock:
                    s.connect(a)
            except OSError:
                s.close()
                raise
            s.close()
        """,
    ),
    "a handler for another type is no way": (
        """
        def f(a, x):
            s = socket.socket()
            try:
                s.connect(a)
            except ConnectionRefusedError:
                return
            except OSError:
                pass
            s.close()
        """,
        """
        def f(a, x):
            s = socket.socket()
            try:
                s.connect(a)
            except PermissionError:
                return
            except OSError:
                pass
            s.close()
        """,
    ),
    "`raise` in the function counts, in a callee it does not": (
        """
        def f(a):
            s = socket.socket()
            if a:
                raise ValueError
            s.close()
        """,
        """
        def check(a):
            if a:
                raise ValueError
        def f(a):
            s = socket.socket()
            check(a)
            s.close()
        """,
    ),
    "`raise` in a callee gets to handlers, and SystemExit out": (
        """
        import sys
        def check(a):
            if a:
                sys.exit(1)
        def f(a):
            s = socket.socket()
            check(a)
            s.close()
        """,
        """
        def check(a):
            if a:
                raise ValueError
        def f(a):
            s = socket.socket()
            try:
                check(a)
            except ValueError:
                s.close()
                return
            s.close()
        """,
    ),
    "assertions hold": (
        """
        def f(a):
            s = socket.socket()
            if a:
                raise RuntimeError
            s.close()
        """,
        """
        def f(a):
            s = socket.socket()
            assert a
            if a > 1:
                raise NotImplementedError
            s.close()
        """,
    ),
    "`bind` to port 0": (
        """
        def f():
            s = socket.socket()
            s.bind(("", 80))
            s.close()
        """,
        """
        def f():
            s = socket.socket()
            s.bind(("", 0))
            s.close()
        """,
    ),
    "`decode` that can't fail": (
        """
        def f(data):
            s = socket.socket()
            data.decode("utf-8")
            s.close()
        """,
        """
        def f(data):
            s = socket.socket()
            data.decode("latin-1")
            data.decode("utf-8", "replace")
            data.decode("utf-8", errors="ignore")
            s.close()
        """,
    ),
    "a coroutine raises where it is awaited": (
        """
        async def read(p):
            return open(p)
        async def f(p):
            s = socket.socket()
            await read(p)
            s.close()
        """,
        """
        async def read(p):
            return open(p)
        async def f(p, later):
            s = socket.socket()
            later.append(read(p))
            s.close()
        """,
    ),
    "a file in memory": (
        """
        def f(file):
            s = socket.socket()
            file.write("x")
            s.close()
        """,
        """
        import io
        def f():
            s = socket.socket()
            file = io.StringIO()
            file.write("x")
            s.close()
        """,
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_a_fault_is_found_and_right_code_is_not(name, tmp_path):
    fault, right = PAIRS[name]
    assert len(found(tmp_path, fault)) == 1
    assert found(tmp_path, right) == []


def test_the_run_says_why_the_call_raises(tmp_path):
    fault, _ = PAIRS["a call that fails, and one that does not"]
    assert found(tmp_path, fault) == ["if it raises OSError: the address is in use"]
    fault, _ = PAIRS["a function of the program raises what its calls do"]
    why = "if it raises OSError: the file is not there, or may not be opened"
    assert found(tmp_path, fault) == [why]


def test_a_rule_file_adds_to_the_table(tmp_path):
    text = """
        import bank
        def f(a):
            s = socket.socket()
            bank.pay(a)
            s.close()
        """
    assert found(tmp_path, text) == []
    table = '[[raises]]\ncalls = ["bank.pay"]\ntypes = ["ValueError"]\nwhy = "no money"\n'
    assert found(tmp_path, text, table) == ["if it raises ValueError: no money"]
    fault, _ = PAIRS["a call that fails, and one that does not"]
    assert found(tmp_path, fault, '[[never]]\ncalls = [".bind"]\nwhy = "it is ours"\n') == []


@pytest.mark.parametrize(
    "table, message, line",
    [
        ('[[raises]]\ncalls = ["a b"]\ntypes = ["OSError"]\n', "never matches", 2),
        ('[[raises]]\ncalls = ["a.b"]\n', "lacks types", 1),
        ('[[never]]\ncals = ["a.b"]\n', 'unknown key "cals"', 2),
        ("raises = 1\n", "is not a list of tables", 1),
        ('[[never]]\ncalls = ["a.b"]\nwhy = 1\n', "why that is not a text", 3),
    ],
)
def test_a_wrong_table_is_an_error_with_its_place(table, message, line):
    with pytest.raises(InputError, match=message) as caught:
        built_in_beliefs().extended(TomlFile("t.toml", table, ()))
    assert caught.value.position.line == line


def called(call):
    """A statement that makes a call of the table, and its import."""
    if call.startswith("."):
        return f"x{call}(y)", ""
    home, _, _ = call.rpartition(".")
    return f"{call}(y)", f"import {home}" if home else ""


def is_plain(call):
    """Whether a call can be written as a function of a module, and is no acquisition."""
    *homes, last = call.split(".")
    is_acquisition = call in {"socket.socket", "sqlite3.connect", "anyio.connect"}
    return bool(last) and not is_acquisition and not any(each[:1].isupper() for each in homes)


def leaking(tmp_path, calls, body, table=""):
    """The calls whose functions have a finding, each with the note of its last step."""
    text = ""
    for number, call in enumerate(calls):
        statement, needs = called(call)
        made = body.replace("IMPORT", needs or "pass").replace("CALL", statement)
        text += f"def f{number}(x, y):\n{textwrap.indent(textwrap.dedent(made).strip(), '    ')}\n"
    file = tmp_path / "m.py"
    file.write_text(f"import socket\n{text}")
    beliefs = built_in_beliefs().extended(TomlFile("t.toml", table, ()))
    sources = read_sources(source_files([str(file)]), Budget())
    report = scan_modules(*sources, read_rules(RULE, "r.toml").values(), Budget(), beliefs=beliefs)
    assert not report.errors
    return {calls[int(x.function.rpartition("f")[2])]: x.steps[-1].note for x in report.findings}


BODY = """
IMPORT
s = socket.socket()
CALL
s.close()
"""
CAUGHT = """
IMPORT
s = socket.socket()
try:
    CALL
except Exception:
    pass
s.close()
"""
TABLE = built_in_beliefs()
ROWS = [*TABLE.functions.items(), *((f".{name}", each) for name, each in TABLE.methods.items())]


def test_each_call_that_fails_is_a_fault_with_its_reason_unless_it_is_caught(tmp_path):
    calls = {call: each for call, each in ROWS if each.types and is_plain(call)}
    found = leaking(tmp_path, list(calls), BODY)
    assert found.keys() == calls.keys()
    assert all(note.endswith(f": {calls[call].why}") for call, note in found.items())
    assert leaking(tmp_path, list(calls), CAUGHT) == {}


def test_each_call_that_does_not_fail_is_no_fault_unless_a_table_says_so(tmp_path):
    calls = [call for call, each in ROWS if not each.types and is_plain(call)]
    assert leaking(tmp_path, calls, BODY) == {}
    rows = ", ".join(f'"{each}"' for each in calls)
    table = f'[[raises]]\ncalls = [{rows}]\ntypes = ["OSError"]\nwhy = "on purpose"\n'
    found = leaking(tmp_path, calls, BODY, table)
    assert found == dict.fromkeys(calls, "if it raises OSError: on purpose")


def test_each_row_of_the_table_has_a_reason():
    assert all(each.why for _, each in ROWS)
