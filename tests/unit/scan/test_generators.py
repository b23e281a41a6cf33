"""Generators in `for` and managers in `with`: each way with a fault, and one without."""

import textwrap

import pytest

from pigro.limits import Budget
from pigro.rules import read_rules
from pigro.scan.scanning import read_sources, scan_modules
from pigro.sources.files import source_files

RULES = """
[rule.leak]
template = "must-release"
message = "`{name}`"
acquire = ["socket.socket"]
release = [".close"]
on = ["return", "raise"]

[rule.block]
template = "never-in"
context = "async"
bad = ["time.sleep"]

[rule.order]
template = "formula"
message = "{name}"
formula = "A [!pay W check]"
[rule.order.events]
check = ["bank.check"]
pay = ["bank.pay"]

[rule.deadlock]
template = "never-while-held"
message = "`{name}`"
locks = ["threading.Lock"]
what = "again"
"""

HEAD = """
import bank, contextlib, os, socket, sys, threading, time
from contextlib import contextmanager
"""

PAIRS = {
    "a generator in `for`": (
        """
        def rows():
            yield 1
            time.sleep(1)
        async def f():
            for x in rows():
                print(x)
        """,
        """
        def rows():
            yield 1
            time.sleep(1)
        async def f(later):
            later(rows())
        """,
    ),
    "what comes before a `yield` is run first": (
        """
        def rows():
            yield 1
            bank.check()
            yield 2
        def f():
            for x in rows():
                bank.pay(x)
        """,
        """
        def rows():
            bank.check()
            yield 1
            yield 2
        def f():
            for x in rows():
                bank.pay(x)
        """,
    ),
    "a generator goes on where it yielded": (
        """
        def rows(x):
            if x:
                bank.check()
                yield 1
            else:
                yield 2
        def f(x):
            for y in rows(x):
                print(y)
            bank.pay(1)
        """,
        """
        def rows(x):
            if x:
                bank.check()
                yield 1
            else:
                yield 2
                bank.check()
        def f(x):
            for y in rows(x):
                print(y)
            bank.pay(1)
        """,
    ),
    "a loop that is left begins a new generator when it is run again": (
        """
        def rows():
            yield 1
            bank.check()
            yield 2
        def f(y):
            while y:
                for x in rows():
                    break
                bank.pay(1)
        """,
        """
        def rows():
            bank.check()
            yield 1
            yield 2
        def f(y):
            while True:
                for x in rows():
                    break
                else:
                    return
                bank.pay(1)
        """,
    ),
    "a loop over nothing": (
        """
        def rows(x):
            if x:
                bank.check()
                yield 1
        def f(x):
            for y in rows(x):
                print(y)
            bank.pay(1)
        """,
        """
        def rows(x):
            bank.check()
            if x:
                yield 1
        def f(x):
            for y in rows(x):
                print(y)
            bank.pay(1)
        """,
    ),
    "a comprehension": (
        """
        def rows():
            time.sleep(1)
            yield 1
        async def f():
            return [x for x in rows()]
        """,
        """
        def rows():
            yield 1
        async def f():
            return [x for x in rows()]
        """,
    ),
    "a generator that delegates": (
        """
        def inner():
            yield 1
        def rows():
            yield from inner()
            bank.check()
        def f():
            for x in rows():
                bank.pay(x)
        """,
        """
        def inner():
            bank.check()
            yield 1
        def rows():
            yield from inner()
        def f():
            for x in rows():
                bank.pay(x)
        """,
    ),
    "the begin of a manager": (
        """
        @contextmanager
        def managed():
            yield
            bank.check()
        def f():
            with managed():
                bank.pay(1)
        """,
        """
        @contextmanager
        def managed():
            bank.check()
            yield
        def f():
            with managed():
                bank.pay(1)
        """,
    ),
    "the end of a manager": (
        """
        @contextmanager
        def managed(x):
            yield
            if x:
                bank.check()
        def f(x):
            with managed(x):
                print()
            bank.pay(1)
        """,
        """
        @contextmanager
        def managed(x):
            yield
            bank.check()
        def f(x):
            with managed(x):
                print()
            bank.pay(1)
        """,
    ),
    "the end of a manager when its body raises": (
        """
        @contextmanager
        def managed():
            try:
                yield
                bank.check()
            except ValueError:
                pass
        def f():
            with managed():
                raise ValueError
            bank.pay(1)
        """,
        """
        @contextmanager
        def managed():
            try:
                yield
            except ValueError:
                bank.check()
        def f():
            with managed():
                raise ValueError
            bank.pay(1)
        """,
    ),
    "a manager under a lock": (
        """
        class A:
            def __init__(self):
                self.lock = threading.Lock()
            @contextmanager
            def managed(self):
                with self.lock:
                    yield
            def f(self):
                with self.lock:
                    with self.managed():
                        print()
        """,
        """
        class A:
            def __init__(self):
                self.lock = threading.Lock()
            @contextmanager
            def managed(self):
                with self.lock:
                    yield
            def f(self, other):
                with self.lock:
                    with other.managed():
                        print()
        """,
    ),
    "a generator raises where `for` runs it": (
        """
        def rows(p):
            for line in open(p):
                yield line
        def f(p):
            s = socket.socket()
            for line in rows(p):
                s.setblocking(line)
            s.close()
        """,
        """
        def rows(p):
            try:
                for line in open(p):
                    yield line
            except OSError:
                return
        def f(p):
            s = socket.socket()
            for line in rows(p):
                s.setblocking(line)
            s.close()
        """,
    ),
    "a manager raises where its body begins": (
        """
        @contextmanager
        def managed(p):
            os.mkdir(p)
            yield
        def f(p):
            s = socket.socket()
            with managed(p):
                s.close()
        """,
        """
        @contextmanager
        def managed(p):
            yield
            os.mkdir(p)
        def f(p):
            s = socket.socket()
            with managed(p):
                s.close()
        """,
    ),
    "a manager raises where its body ends": (
        """
        @contextmanager
        def managed(p):
            yield
            os.rename(p, "x")
        def f(p):
            with managed(p):
                s = socket.socket()
            s.close()
        """,
        """
        @contextmanager
        def managed(p):
            os.rename(p, "x")
            yield
        def f(p):
            with managed(p):
                s = socket.socket()
            s.close()
        """,
    ),
    "a manager that suppresses": (
        """
        @contextmanager
        def managed():
            try:
                yield
            except ValueError:
                pass
        def f(a):
            s = socket.socket()
            with managed():
                s.connect(a)
            s.close()
        """,
        """
        @contextmanager
        def managed():
            try:
                yield
            except OSError:
                pass
        def f(a):
            s = socket.socket()
            with managed():
                s.connect(a)
            s.close()
        """,
    ),
    "a manager that raises again": (
        """
        @contextmanager
        def managed():
            try:
                yield
            except OSError:
                print()
                raise
        def f(a):
            s = socket.socket()
            with managed():
                s.connect(a)
            s.close()
        """,
        """
        @contextmanager
        def managed():
            try:
                yield
            except Exception:
                print()
        def f(a):
            s = socket.socket()
            with managed():
                s.connect(a)
            s.close()
        """,
    ),
    "`suppress` with types": (
        """
        def f(a):
            s = socket.socket()
            with contextlib.suppress(ValueError):
                s.connect(a)
            s.close()
        """,
        """
        def f(a):
            s = socket.socket()
            with contextlib.suppress(OSError, ValueError):
                s.connect(a)
            s.close()
        """,
    ),
    "`suppress` in a function that is called": (
        """
        def make(p):
            with contextlib.suppress(ValueError):
                os.mkdir(p)
        def f(p):
            s = socket.socket()
            make(p)
            s.close()
        """,
        """
        def make(p):
            with contextlib.suppress(OSError):
                os.mkdir(p)
        def f(p):
            s = socket.socket()
            make(p)
            s.close()
        """,
    ),
    "someone expects what `suppress` suppresses": (
        """
        def f(g):
            s = socket.socket()
            with contextlib.suppress(ValueError):
                g()
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
}


def found(tmp_path, text):
    """The rules of all findings, each with the last line of its run."""
    file = tmp_path / "m.py"
    file.write_text(HEAD + textwrap.dedent(text))
    rules = read_rules(RULES, "r.toml").values()
    sources = read_sources(source_files([str(file)]), Budget())
    report = scan_modules(*sources, rules, Budget(), verify=True)
    assert not report.errors
    lines = file.read_text().splitlines()
    return [(each.rule, lines[each.steps[-1].at[0] - 1].strip()) for each in report.findings]


@pytest.mark.parametrize("name", PAIRS)
def test_a_fault_is_found_and_right_code_is_not(name, tmp_path):
    fault, right = PAIRS[name]
    assert len(found(tmp_path, fault)) == 1
    assert found(tmp_path, right) == []


@pytest.mark.parametrize(
    "name, line",
    [
        ("a generator raises where `for` runs it", "for line in open(p):"),
        ("a manager raises where its body ends", 'os.rename(p, "x")'),
        ("a manager under a lock", "with self.lock:"),
    ],
)
def test_a_run_ends_in_the_generator(name, line, tmp_path):
    [(_, last)] = found(tmp_path, PAIRS[name][0])
    assert last == line
