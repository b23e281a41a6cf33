"""Context managers that clean up behind their `yield`, each beside one that is right."""

import textwrap

import pytest

from pigro.rules import built_in
from pigro.scan.scanning import scan_paths

HEAD = """
import gc, os, shutil
from contextlib import asynccontextmanager, contextmanager
level = 0
"""
PAIRS = {
    "a word that cleans up": (
        """
        @contextmanager
        def f(p):
            yield p  # here
            os.remove(p)
        """,
        """
        @contextmanager
        def f(p):
            yield p
            os.stat(p)
        """,
    ),
    "a word in a longer name": (
        """
        @contextmanager
        def f(log, h):
            yield  # here
            log.removeHandler(h)
        """,
        """
        @contextmanager
        def f(log, h):
            yield
            log.removedHandlers(h)
        """,
    ),
    "a class with such a name": (
        """
        def RemoveStep(a): pass
        @contextmanager
        def f(a):
            yield a  # here
            RemoveStep(a)
        """,
        """
        class RemoveStep:
            def __init__(self, a): pass
        @contextmanager
        def f(a):
            yield a
            a.add(RemoveStep(a))
        """,
    ),
    "a yield in a try": (
        """
        @contextmanager
        def f(p):
            with open(p) as x:
                yield x  # here
            os.remove(p)
        """,
        """
        @contextmanager
        def f(p):
            try:
                yield p
            except OSError:
                print(p)
            os.remove(p)
        """,
    ),
    "cleaning up on a condition": (
        """
        @contextmanager
        def f(p, own):
            yield p  # here
            if own:
                shutil.rmtree(p)
        """,
        """
        @contextmanager
        def f(p, own):
            if own:
                shutil.rmtree(p)
            yield p
        """,
    ),
    "an attribute that is assigned again": (
        """
        @contextmanager
        def f(a):
            a.x = True
            yield  # here
            a.x = False
        """,
        """
        @contextmanager
        def f(a):
            a.x = True
            yield
            a.y = False
        """,
    ),
    "an attribute that is deleted": (
        """
        @contextmanager
        def f(a):
            a.x = True
            yield  # here
            del a.x
        """,
        """
        @contextmanager
        def f(a):
            x = True
            yield
            del x
        """,
    ),
    "an element that is assigned again": (
        """
        @contextmanager
        def f(a):
            os.environ["A"] = a
            yield  # here
            os.environ["A"] = ""
        """,
        """
        @contextmanager
        def f(a):
            found = {}
            found["a"] = a
            yield found
            found["b"] = a
        """,
    ),
    "a global that is assigned again": (
        """
        @contextmanager
        def f():
            global level
            level += 1
            yield  # here
            level -= 1
        """,
        """
        @contextmanager
        def f():
            level = 1
            yield
            level = 0
        """,
    ),
    "the result of a manager": (
        """
        class Span: pass
        @contextmanager
        def f(span):
            span.state = 1
            yield span  # here
            span.state = 2
        """,
        """
        class Span: pass
        @contextmanager
        def f():
            span = Span()
            span.state = 1
            yield span
            span.state = 2
        """,
    ),
    "methods of the same object": (
        """
        class A:
            def go_in(self):
                self.depth += 1
            def go_out(self):
                self.depth -= 1
            @contextmanager
            def f(self):
                self.go_in()
                yield  # here
                self.go_out()
        """,
        """
        class A:
            def go_in(self):
                self.depth += 1
            def go_out(self):
                self.count += 1
            @contextmanager
            def f(self):
                self.go_in()
                yield
                self.go_out()
        """,
    ),
    "a method that belongs to another": (
        """
        @contextmanager
        def f():
            gc.disable()
            yield  # here
            gc.enable()
        """,
        """
        @contextmanager
        def f(a):
            a.disable()
            yield
            gc.enable()
        """,
    ),
    "a state of the process": (
        """
        @contextmanager
        def f(p):
            old = os.getcwd()
            os.chdir(p)
            yield  # here
            os.chdir(old)
        """,
        """
        @contextmanager
        def f(p):
            yield
            os.chdir(p)
        """,
    ),
    "an asynchronous manager": (
        """
        @asynccontextmanager
        async def f(a):
            yield a  # here
            await a.close()
        """,
        """
        @asynccontextmanager
        async def f(a):
            try:
                yield a
            finally:
                await a.close()
        """,
    ),
    "a generator that is no manager": (
        """
        @contextmanager
        def f(a):
            yield a  # here
            a.close()
        """,
        """
        def f(a):
            yield a
            a.close()
        """,
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_a_manager_that_does_not_clean_up_is_found(name, tmp_path):
    for at, text in enumerate(PAIRS[name]):
        file = tmp_path / f"m{at}.py"
        file.write_text(HEAD + textwrap.dedent(text))
        report = scan_paths([str(file)], [built_in()["cm-without-finally"]])
        assert not report.errors
        lines = file.read_text().splitlines()
        assert [each.line for each in report.findings] == [
            number for number, line in enumerate(lines, 1) if line.endswith("# here")
        ]


@pytest.mark.parametrize(
    "after, shown",
    [
        ("a.x = 2", "`a.x = ...`"),
        ("del a.x", "`del a.x`"),
        ("a.restore(1)", "`a.restore()`"),
        ("a.y[1] = 3", "`a.y[...] = ...`"),
    ],
)
def test_the_message_names_what_does_not_run(after, shown, tmp_path):
    text = f"@contextmanager\ndef f(a):\n    a.x = 1\n    a.y[1] = 2\n    yield\n    {after}\n"
    (tmp_path / "m.py").write_text(HEAD + text)
    [found] = scan_paths([str(tmp_path)], [built_in()["cm-without-finally"]]).findings
    assert found.message == f"{shown} does not run when the body raises"
    assert found.severity == "warning"
