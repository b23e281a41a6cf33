"""What `pigro scan` and `--why-not` once said of faults: that they are safe, or that no rule asks.

The comment at the end of a line names it.
"""

import json
from pathlib import Path

import pytest

PROGRAM = """\
import asyncio, os, threading, time
from tempfile import mkstemp

module_lock = threading.Lock()


class Other:
    def __init__(self, owner):
        self.owner = owner

    def back(self):
        self.owner.take()


class Owner:
    def __init__(self, other):
        self.lock = threading.Lock()
        self.alock = asyncio.Lock()
        self.other = other

    def take(self):
        with self.lock:
            print(1)

    def through_another(self):
        with self.lock:  # another object
            self.other.back()

    @property
    def size(self):
        with self.lock:
            return 1

    def by_property(self):
        with self.lock:  # a property
            print(self.size)

    async def twice(self):
        async with self.alock:  # an asyncio lock
            async with self.alock:
                print(1)

    def keep(self, path):
        self.fd = os.open(path, 0)  # an attribute

    def put(self, d, path):
        d["x"] = os.open(path, 0)  # an element


def helper(lock):
    with lock:
        print(1)


def as_argument():
    with module_lock:  # an argument
        helper(module_lock)


def of_module():
    with module_lock:  # a module lock
        other_function()


def other_function():
    with module_lock:
        print(2)


def one_name():
    t = mkstemp()  # one name
    return 1


def read(p):
    return open(p).read()  # no name


def rows():
    time.sleep(1)
    yield 1


async def runs():
    for x in rows():  # a generator in for
        print(x)


async def gives():
    x = list(rows())  # a generator elsewhere
    return x


async def lam():
    f = lambda: time.sleep(1)  # a lambda
    return f


def boxed(p):
    fd = os.open(p, 0)  # a list
    box = [fd]
    return 1


def ends(p, q):
    old = os.getcwd()
    os.chdir(p)  # a way that returns
    try:
        open(q)
    except OSError:
        return 1
    os.chdir(old)


def through_with(p, q):
    old = os.getcwd()
    os.chdir(p)  # a way through with
    with module_lock:
        open(q)  # what raises
    os.chdir(old)
"""
SAID = {
    "another object": "no run of the model takes it again; not followed: `self.other.back` (a.py:",
    "a property": "no run of the model takes it again; not followed: `self.size` (a.py:",
    "an argument": "no run of the model takes it again; not followed: `helper` (a.py:",
    "a module lock": "reported[self-deadlock]: while `module_lock` is held, it is acquired again",
    "an asyncio lock": "because the rule is not about `asyncio.Lock`",
    "an attribute": "because it is stored in `self.fd`, which is no variable of the function",
    "an element": "because it is stored in `d[]`, which is no variable of the function",
    "one name": "because it is only a part of `t`, and parts without names are not followed",
    "no name": "what `open` acquires is not followed, because it gets no name",
    "a generator in for": "reported[blocking-in-async]: `a.rows` can block in async `runs`",
    "a generator elsewhere": "because it is a generator, and no `for` runs it here",
    "a lambda": "the code of a lambda is not followed",
    "a list": "the object is stored in `box`, which is not followed",
}


def line_of(name):
    [found] = [at for at, text in enumerate(PROGRAM.split("\n"), 1) if text.endswith(f"# {name}")]
    return found


@pytest.fixture
def scan(run, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path.parent / f"{tmp_path.name}-cache"))
    Path("a.py").write_text(PROGRAM)
    return lambda *args: run("scan", "a.py", "--select", "ALL", *args).stdout


@pytest.mark.parametrize("name", SAID)
def test_why_nothing_is_reported(name, scan):
    told = scan("--why-not", f"a.py:{line_of(name)}")
    assert SAID[name] in told
    assert "no site" not in told


def test_findings_fit_their_runs(scan):
    found = json.loads(scan("--format", "json"))["findings"]
    rows = {each["line"]: each for each in found}
    assert line_of("a way that returns") not in rows  # the rule asks about ways that raise
    way = rows[line_of("a way through with")]
    assert way["message"] == f"`os.chdir` is not undone when line {line_of('what raises')} raises"
    assert way["steps"][-1]["line"] == line_of("what raises")
