"""Each entry of each table of `pigro.scan.knowledge` decides between a fault and right code."""

import keyword
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from pigro.limits import Budget
from pigro.rules import built_in, read_rules
from pigro.rules.places import TomlFile
from pigro.rules.raising import built_in_beliefs
from pigro.scan import knowledge
from pigro.scan.scanning import read_sources, scan_modules
from pigro.sources.files import NOT_OWN, by_name, source_files

RULES = """
[rule.socket]
template = "must-release"
message = "`{name}`"
acquire = ["socket.socket"]
release = [".close"]
on = ["return", "raise"]

[rule.path]
template = "must-release"
message = "`{name}`"
acquire = ["tempfile.mkdtemp", "tempfile.mkstemp[1]"]
release = ["os.rmdir(@)"]
paths = true
on = ["return", "raise"]
"""
KNOWN = {**read_rules(RULES, "r.toml"), **built_in()}


def with_findings(tmp_path, rule, programs, raised=()):
    """The names of the programs in which a rule has one finding. The others have none.

    `raised` are the types that `other.go` raises in them.
    """
    rows = ""
    for number, (name, text) in enumerate(programs.items()):
        (tmp_path / f"m{number}.py").write_text(
            textwrap.dedent(text).replace("other.go(", f"other.go{number}(")
        )
        if raised:
            rows += f'[[raises]]\ncalls = ["other.go{number}"]\ntypes = ["{raised[name]}"]\n'
    beliefs = built_in_beliefs().extended(TomlFile("t.toml", rows, ()))
    sources = read_sources(source_files([str(tmp_path)]), Budget())
    report = scan_modules(*sources, [KNOWN[rule]], Budget(), beliefs=beliefs)
    assert not report.errors
    numbers = [int(Path(each.file).stem[1:]) for each in report.findings]
    assert len(numbers) == len(set(numbers))
    return {list(programs)[each] for each in numbers}


class Table(NamedTuple):
    """A table, and a program for each of its entries."""

    rule: str
    program: Callable[[str], str]
    other: str | Callable[[str], str]
    """What stands in the twin for an entry: the program is right, and the twin has the fault."""
    is_fault: bool = False
    """Whether it is the other way round: the entry makes the fault."""


def called(entry, argument):
    """A call of a function, or of a method of the argument."""
    if entry.startswith("."):
        more = '"x"' if entry in knowledge.INNER else ""
        return f"{argument}{entry}({more})"
    return f"{entry}({argument})"


def imports(entry):
    """The import that a function needs."""
    home = entry.rpartition(".")[0]
    return f"import {home}" if home and not entry.startswith(".") else "pass"


def statement(entry):
    """The name of a function that begins with a word."""
    return f"{entry}_it" if keyword.iskeyword(entry) else entry


def caught(name):
    return f"""
        import asyncio, binascii, concurrent.futures, json, mmap, os, other, select, shutil
        import socket, ssl, subprocess, urllib.error
        def f(a):
            s = socket.socket()
            try:
                other.go(a)
            except {name}:
                s.close()
                raise
            s.close()
        """


def decided(made, test):
    """A socket that is closed if a test says so."""
    return f"""
        import array, collections, contextvars, decimal, fractions, numpy, os, other, pandas, queue
        import socket, tempfile
        state = contextvars.ContextVar("x")
        def f(p):
            token = s = None
            try:
                token = {made}
                s = socket.socket()
                open(p)
            finally:
                if {test}:
                    s.close()
        """


def stored(call):
    return f"""
        import collections, other
        def f(a):
            x = {call}
            x = other.more(a)
            return x
        """


def logged(name):
    return f"""
        import socket
        def {name}(data):
            print(data.decode())
        def f(data):
            s = socket.socket()
            {name}(data)
            s.close()
        """


def given(rule, name):
    made = "socket.socket()" if rule == "socket" else "tempfile.mkdtemp()"
    return f"""
        import socket, tempfile
        def {name}(x):
            print(x)
        def f():
            s = {made}
            {name}(s)
        """


def made_path(entry, argument):
    return f"""
        import os, tempfile
        def f(p):
            {imports(entry)}
            d = tempfile.mkdtemp()
            q = {called(entry, argument)}
            return q
        """


def removed_path(entry):
    return f"""
        import os, tempfile
        def f():
            d = tempfile.mkdtemp()
            q = {called(entry, "d")}
            os.rmdir(q)
        """


def kept(call):
    return f"""
        import other, socket
        def f():
            s = socket.socket()
            x = {call}
            return x
        """


def closed_if(test):
    return f"""
        import other, six, socket
        def f():
            s = socket.socket()
            if {test}:
                s.close()
        """


def wrapped(entry, argument):
    return f"""
        {imports(entry)}
        def f(p):
            file = open(p, "rb")
            made = {entry}({argument})
            file.close()
        """


def in_memory(entry, name):
    return f"""
        {imports(entry)}
        import socket
        def f(given):
            s = socket.socket()
            file = {entry}()
            {name}.write("x")
            s.close()
        """


def opened(entry):
    return f"""
        import codecs, io, os, other, socket
        def f(p, a):
            p = None
            if a:
                p = a.name
            {entry}(p, 0)
            s = socket.socket()
            if p:
                s.close()
        """


def waiting(call):
    return f"""
        import asyncio
        async def f():
            p = await asyncio.create_subprocess_exec("x")
            await {call}
        """


def over(name):
    return f"""
        import subprocess
        def f(a):
            p = subprocess.Popen(a)
            try:
                p.wait(timeout=3)
            except {name}:
                p.kill()
        """


def in_folder(name):
    return f"""
        import tempfile
        def f(m):
            fd, path = tempfile.mkstemp(dir=m.{name})
        """


TABLES = {
    "EXCEPTION_ALIASES": Table("socket", caught, "KeyError"),
    "EXCEPTION_LINES": Table(
        "socket",
        lambda each: caught(dict(knowledge.EXCEPTION_LINES).get(each, [each])[0]),
        "KeyError",
    ),
    "HARMLESS_ARGUMENTS": Table("socket", lambda each: decoded(*each.split()), "decode utf-8"),
    "KEEPING_METHODS": Table("socket", lambda each: kept(f"s.{each}()"), "look"),
    "FILE_METHODS": Table("socket", lambda each: closed_if(f'hasattr(s, "{each}")'), "other"),
    "NOT_HELD": Table("socket", lambda each: closed_if(f"not isinstance(s, {each})"), "other.Type"),
    "WRAPPING": Table(
        "resource-leak", lambda each: wrapped(each.strip("!"), "p" if each[0] == "!" else "file"),
        lambda each: f"!{each}",
    ),
    "FOR_EFFECT": Table("dead-store", lambda each: stored(f"a.{statement(each)}(a)"), "compute"),
    "CONSUMING": Table("dead-store", lambda each: stored(f"a.{each}()"), "compute"),
    "EMPTY": Table("dead-store", lambda each: stored(f"{each.rstrip('!')}({'a' * ('!' in each)})"),
                   lambda each: f"{each}!"),
    "EMPTY_CONTAINERS": Table(
        "dead-store", lambda each: stored(f"{each.rstrip('!')}({'a, a' * ('!' in each)})"),
        lambda each: f"{each}!",
    ),
    "IN_MEMORY": Table(
        "socket", lambda each: in_memory(each.strip("!"), "given" if each[0] == "!" else "file"),
        lambda each: f"!{each}",
    ),
    "EMPTY_MODULES": Table(
        "socket", lambda each: decided(f"{each}.Thing(p)", "token"), "other", is_fault=True,
    ),
    "RELEASING": Table("socket", lambda each: given("socket", f"{each}_it"), "look"),
    "LOGGING": Table("socket", logged, "look"),
    "MOVING": Table("path", lambda each: given("path", f"{each}_it"), "look"),
    "PATHS": Table(
        "path", lambda each: made_path(each.strip("!"), "p" if each[0] == "!" else "d"),
        lambda each: f"!{each}",
    ),
    "INNER": Table("path", removed_path, ".resolve", is_fault=True),
    "TRUE_RESULTS": Table(
        "socket", lambda each: decided(f"{each.replace('contextvars.ContextVar', 'state')}(1)", "token"),
        "other.get",
    ),
    "TRUE_PARTS": Table("socket", lambda each: decided(f"None; fd, token = {each}()", "token"), "other.get"),
    "OPENING": Table("socket", opened, "other.look"),
    "LOOK_ONLY": Table("socket", lambda each: kept(f"0; {each}(s)"), "other.keep", is_fault=True),
    "TIME_OVER": Table("process-left-on-timeout", over, "OSError"),
    "TIME_LIMITS": Table(
        "process-left-on-timeout", lambda each: waiting(f"{each}(p.wait(), 3)" if each else "p.wait()"),
        "", is_fault=True,
    ),
    "TEMPORARY": Table("path", in_folder, "home"),
}  # fmt: skip
MATCHING = ("tmp", "temp", "tmpdir", "temp_dir", "temporary_directory", "my_tmp_folder", "TMP_DIR")
"""Names that the pattern TEMPORARY matches."""


def decoded(method, argument):
    return f"""
        import socket
        def f(data):
            s = socket.socket()
            data.{method}("{argument}")
            s.close()
        """


def entries(name):
    """What a table has."""
    table = getattr(knowledge, name)
    if name == "TEMPORARY":
        assert all(map(table.search, MATCHING))
        return MATCHING
    if name == "HARMLESS_ARGUMENTS":
        return sorted(f"{method} {each}" for method, row in table.items() for each in row)
    return [table] if isinstance(table, str) else sorted(table)


def test_each_table_is_listed():
    assert {name for name in vars(knowledge) if name.isupper()} == TABLES.keys()


@pytest.mark.parametrize("name", TABLES)
def test_each_entry_decides(name, tmp_path):
    table = TABLES[name]
    programs = {}
    for each in entries(name):
        other = table.other if isinstance(table.other, str) else table.other(each)
        programs |= {(each, True): table.program(each), (each, False): table.program(other)}
    raised = {}
    if name.startswith("EXCEPTION"):
        raised = {at: knowledge.EXCEPTION_ALIASES.get(at[0], at[0]) for at in programs}
    found = with_findings(tmp_path, table.rule, programs, raised)
    assert found == {at for at in programs if at[1] == table.is_fault}


@pytest.mark.parametrize("name", NOT_OWN)
def test_folders_and_files_of_others_are_left_out(name, tmp_path):
    file = name.replace("*", "x")
    path = f"pkg/{file}" if file.endswith(".py") else f"pkg/{file}/m.py"
    for each in (path, "pkg/own/m.py"):
        (tmp_path / each).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / each).write_text("")
    shown = {each.path.relative_to(tmp_path).as_posix() for each in source_files([str(tmp_path)])}
    assert shown == {path, "pkg/own/m.py"}
    kept = source_files([str(tmp_path)], by_name(NOT_OWN))
    assert [each.path.relative_to(tmp_path).as_posix() for each in kept] == ["pkg/own/m.py"]


def test_words_that_clean_up(tmp_path):
    text = """
        import contextlib
        @contextlib.contextmanager
        def f(box):
            box.change()
            yield
            box.WORD()
        """
    words = KNOWN["cm-without-finally"].settings["cleaning"]
    faults = [*words, *(f"_{each}_it" for each in words)]
    programs = {each: text.replace("WORD", each) for each in (*faults, "look", "closely")}
    assert with_findings(tmp_path, "cm-without-finally", programs) == set(faults)


def test_states_that_are_saved(tmp_path):
    """A function returns the state from before, so that giving it back undoes a change."""
    rule = KNOWN["state-not-restored"]
    pairs = {"os.getcwd": "os.chdir", "signal.getsignal": "signal.signal"}
    pairs |= {"locale.getlocale": "locale.setlocale"}
    text = """
        import decimal, gc, locale, os, other, signal, socket, sys
        def f(p, q):
            old = {0}(p)
            {1}(p, q)
            open(q)
            {1}(p, old)
        """
    programs = {}
    for each in rule.patterns("saved"):
        change = pairs.get(each, each.replace(".get", ".set"))
        assert change in rule.patterns("do")
        programs[each, True] = text.format(each, change)
        programs[each, False] = text.format("other.get", change)
    found = with_findings(tmp_path, "state-not-restored", programs)
    assert found == {at for at in programs if at[1]}
