"""Right code that looks like a fault, each beside a fault that looks the same."""

import textwrap

import pytest

from pigro.rules import built_in
from pigro.scan.scanning import scan_paths

RIGHT = {
    "a descriptor is closed in a loop over a tuple": (
        "fd-leak",
        """
        import os
        def f():
            a, b = os.pipe()
            for each in (a, b):
                os.close(each)
        """,
    ),
    "a descriptor is not negative": (
        "fd-leak",
        """
        import os
        def f(p, g):
            fd = os.open(p, 0)
            if fd >= 0:
                os.close(fd)
        """,
    ),
    "a descriptor is not -1": (
        "fd-leak",
        """
        import os
        def f(p, g):
            fd = os.open(p, 0)
            if fd != -1:
                os.close(fd)
        """,
    ),
    "a descriptor that is in a container has another owner": (
        "fd-leak",
        """
        import os
        def f(p, known):
            fd = os.open(p, 0)
            if fd not in known:
                os.close(fd)
        """,
    ),
    "a file in memory need not be closed": (
        "resource-leak",
        """
        import gzip, io
        def f(data):
            g = gzip.GzipFile(fileobj=io.BytesIO(data))
            return g.read()
        """,
    ),
    "a method whose name begins with close": (
        "socket-leak",
        """
        import socket
        def f():
            s = socket.socket()
            s.close_now()
        """,
    ),
    "a file keeps its socket": (
        "socket-leak",
        """
        import socket
        class A:
            def f(self):
                s = socket.socket()
                self.file = s.makefile()
        """,
    ),
    "a helper makes what is closed": (
        "resource-leak",
        """
        def make(p):
            return open(p)
        def f(p):
            with make(p) as x:
                return x.read()
        def g(p):
            x = make(p)
            x.close()
        """,
    ),
    "a helper looks at a file, and does not return it": (
        "resource-leak",
        """
        def first(x):
            y = x.read(1)
            return y
        def f(p):
            x = open(p)
            try:
                return first(x)
            finally:
                x.close()
        def g(p):
            return f(p)
        def h(p):
            y = g(p)
            print(y)
        """,
    ),
    "a context manager that undoes on a condition": (
        "cm-without-finally",
        """
        import gc
        from contextlib import contextmanager
        @contextmanager
        def f():
            enabled = gc.isenabled()
            gc.disable()
            try:
                yield
            finally:
                if enabled:
                    gc.enable()
        """,
    ),
    "an assertion in finally": (
        "cm-without-finally",
        """
        from contextlib import contextmanager
        @contextmanager
        def f(a):
            old = a.x
            a.x = 1
            try:
                yield
            finally:
                assert a.y
                a.x = old
        """,
    ),
    "a call that is awaited gave something to wait for": (
        "blocking-in-async",
        """
        import time
        def call(later, g):
            if later:
                return g()
            time.sleep(1)
        async def f(g):
            await call(True, g)
        """,
    ),
    "a flag that says not to wait": (
        "blocking-in-async",
        """
        import os
        def look(pid):
            os.waitpid(pid, os.WNOHANG)
        async def f(pid):
            look(pid)
        """,
    ),
    "a datagram socket connects at once": (
        "blocking-in-async",
        """
        import socket
        def send(to):
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            s.connect(to)
        async def f(to):
            send(to)
        """,
    ),
    "the name of a with": (
        "dead-store",
        """
        def f(g):
            with g() as x:
                pass
            with g() as x:
                return x
        """,
    ),
    "an empty value for a start": (
        "dead-store",
        """
        def f(g):
            x = set()
            x = g()
            return x
        """,
    ),
    "a stack loses its top": (
        "dead-store",
        """
        def f(stack):
            x = list(reversed([stack.pop() for _ in stack]))
            x = stack.pop()
            return x
        """,
    ),
    "a helper reads on": (
        "dead-store",
        """
        def skip(stream):
            return stream.read(1)
        def f(stream):
            x = skip(stream)
            x = stream.tell()
            return x
        """,
    ),
    "a call that is made for its exception": (
        "dead-store",
        """
        def f(x, g):
            try:
                x = g(x)
            except ValueError:
                return False
            return True
        """,
    ),
    "a call that ought to raise": (
        "dead-store",
        """
        def f(g, x):
            try:
                x = g(x)
                raise ValueError("known")
            except KeyError:
                pass
        """,
    ),
}
WRONG = {
    "a helper opens": (
        "fd-leak",
        """
        import os
        def open_log(path):
            return os.open(path, os.O_RDONLY)
        def header(path):
            fd = open_log(path)  # here
            data = os.read(fd, 10)
            if not data:
                return None
            os.close(fd)
            return data
        """,
    ),
    "a helper of a helper, as a method": (
        "fd-leak",
        """
        import os
        class A:
            def one(self):
                return os.open("a", 0)
            def two(self):
                return self.one()
            def f(self, x):
                fd = self.two()  # here
                if x:
                    return
                os.close(fd)
        """,
    ),
    "a helper gives a file back": (
        "resource-leak",
        """
        def checked(x):
            print(x.read(1))
            return x
        def f(p):
            x = open(p)
            return checked(x)
        def g(p):
            y = f(p)  # here
            return y.read()
        """,
    ),
    "a helper makes two things": (
        "fd-leak",
        """
        import os, tempfile
        def make():
            return tempfile.mkstemp()
        def f(x):
            fd, name = make()  # here
            if x:
                return name
            os.close(fd)
        """,
    ),
    "a descriptor may be 0": (
        "fd-leak",
        """
        import os
        def f(p, g):
            fd = os.open(p, 0)  # here
            if fd > 0:
                os.close(fd)
        """,
    ),
    "a loop over the lines of a file": (
        "resource-leak",
        """
        def f(p):
            x = open(p)  # here
            for line in x:
                print(line)
        """,
    ),
    "a context manager that undoes on every normal way": (
        "cm-without-finally",
        """
        from contextlib import contextmanager
        @contextmanager
        def f(a, g):
            old = a.x
            a.x = 1
            g()
            yield  # here
            a.x = old
        """,
    ),
    "a call that is not awaited": (
        "blocking-in-async",
        """
        import socket
        def send(to):
            s = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            s.connect(to)
        async def f(to):
            send(to)  # here
        """,
    ),
    "a value that a later line ignores": (
        "dead-store",
        """
        def f(names, g):
            for each in names:
                if each:
                    found = g(each)  # here
            found = g(names)
            return found
        """,
    ),
}


def found(tmp_path, rule, text):
    path = tmp_path / "app.py"
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return scan_paths([str(path)], [built_in()[rule]]).findings


@pytest.mark.parametrize("name", RIGHT)
def test_right_code_is_left_alone(name, tmp_path):
    assert found(tmp_path, *RIGHT[name]) == []


@pytest.mark.parametrize("name", WRONG)
def test_the_fault_beside_it_is_found(name, tmp_path):
    [finding] = found(tmp_path, *WRONG[name])
    assert textwrap.dedent(WRONG[name][1]).split("\n")[finding.line - 1].endswith("# here")
