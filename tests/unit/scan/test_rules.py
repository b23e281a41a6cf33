"""Each built-in rule on the smallest programs that break it, and on those that do not."""

import textwrap
from dataclasses import replace

import pytest

from pigro.rules import built_in
from pigro.scan.scanning import scan_paths

from support.samples.faults import BAD

GOOD = {
    "fd-leak": """
        import os
        def close(fd):
            os.close(fd)
        def f(p):
            fd = os.open(p, 0)
            try:
                os.write(fd, b"")
            finally:
                close(fd)
        """,
    "resource-leak": """
        def f(p):
            x = None
            if p:
                x = open(p)
            print(1)
            if x:
                x.close()
        """,
    "attribute-not-restored": """
        class A:
            def f(self, g):
                old, self.x = self.x, 1
                try:
                    g()
                finally:
                    self.x = old
        """,
    "dead-store": """
        def f(g):
            x = g()
            try:
                x = g()
            except ValueError:
                pass
            return x
        """,
    "process-left-on-timeout": """
        import subprocess
        def f(c):
            p = subprocess.Popen(c)
            try:
                p.communicate(timeout=5)
            finally:
                p.kill()
        """,
    "cm-without-finally": """
        from contextlib import contextmanager
        @contextmanager
        def f(a, g):
            old = a.x
            a.x = 1
            try:
                yield
            finally:
                g()
                a.x = old
        """,
    "blocking-in-async": """
        import asyncio, time
        def deep():
            time.sleep(1)
        async def f():
            await asyncio.to_thread(deep)
        """,
    "yield-under-lock": """
        import threading
        lock = threading.Lock()
        def f():
            with lock:
                x = [1]
            yield x
        """,
    "endless-recursion": """
        def f(x):
            return f(x - 1) if x else 0
        """,
    "init-order": """
        class A:
            def __init__(self):
                self.x = 1
                self.read()
            def read(self):
                return self.x
        """,
}


def found(tmp_path, text, rules):
    path = tmp_path / "app.py"
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return scan_paths([str(path)], rules).findings


@pytest.mark.parametrize("name", BAD)
def test_a_fault_is_found_where_it_is(name, tmp_path):
    [finding] = found(tmp_path, BAD[name], [built_in()[name]])
    lines = textwrap.dedent(BAD[name]).split("\n")
    assert "# here" in lines[finding.line - 1]
    assert finding.rule == name


@pytest.mark.parametrize("name", GOOD)
def test_right_code_is_left_alone(name, tmp_path):
    assert found(tmp_path, GOOD[name], [built_in()[name]]) == []


def test_all_copies_of_finally_must_be_dead(tmp_path):
    text = """
        def f(g):
            try:
                x = g()
            finally:
                y = g()
            return y
        """
    lines = [each.line for each in found(tmp_path, text, [built_in()["dead-store"]])]
    assert lines == []


def test_every_rule_has_a_bad_program():
    assert BAD.keys() == built_in().keys()


def test_a_run_goes_through_helpers(tmp_path):
    [finding] = found(tmp_path, BAD["blocking-in-async"], [built_in()["blocking-in-async"]])
    assert [(step.depth, step.at[0]) for step in finding.steps] == [(0, 8), (1, 6), (2, 4)]
    assert finding.steps[-1].is_decisive


SOLD = """
from contextlib import contextmanager
def one_return(path, n):
    file = open(path)
    if n < 0:
        return None
    file.close()
def exception(path):
    file = open(path)
    file.readline()
    file.close()
@contextmanager
def verbose(log):
    old = log.level
    log.level = 2
    yield
    log.level = old
"""


def test_rules_that_are_on_find_what_the_readme_says(tmp_path):
    (tmp_path / "app.py").write_text(SOLD)
    rules = [each for each in built_in().values() if each.default]
    found = [(each.line, each.rule) for each in scan_paths([str(tmp_path)], rules).findings]
    assert found == [(4, "resource-leak"), (16, "cm-without-finally")]


def test_a_rule_can_ask_about_exceptions_too(tmp_path):
    (tmp_path / "app.py").write_text(SOLD)
    rule = replace(built_in()["resource-leak"], on=("return", "raise"))
    assert [each.line for each in scan_paths([str(tmp_path)], [rule]).findings] == [4, 9]
