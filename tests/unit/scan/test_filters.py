"""Runs that can't happen, each beside a fault that looks the same."""

import textwrap

import pytest

from pigro.rules import read_rules
from pigro.scan.scanning import scan_paths
from pigro.sources.files import NOT_OWN

RULES = """
[rule.file]
template = "must-release"
message = "`{name}`"
acquire = ["tempfile.mkstemp[1]", "tempfile.mkdtemp"]
release = ["os.remove(@)"]
borrow = ["os.*", "os.path.*", "open"]
on = ["return", "raise"]

[rule.object]
template = "must-release"
message = "`{name}`"
acquire = ["mmap.mmap", "socket.socket", "anyio.connect"]
release = [".close"]
on = ["return", "raise"]

[rule.returned]
template = "must-release"
message = "`{name}`"
acquire = ["socket.create_connection", "tarfile.open"]
release = [".close"]

[rule.lock]
template = "undo"
message = "`{call}`"
do = [".start"]
undo = [".stop"]
on = ["return", "raise"]

[rule.state]
template = "undo"
message = "`{call}`"
do = ["os.chdir", "signal.signal"]
saved = ["os.getcwd", "signal.getsignal"]
on = ["raise"]
"""

PAIRS = {
    "a file that was made is there": (
        """
        def f():
            fd, name = tempfile.mkstemp()
            if other.path.exists(fd):
                os.remove(name)
        """,
        """
        def f():
            fd, name = tempfile.mkstemp()
            if os.path.exists(name):
                os.remove(name)
        """,
    ),
    "an element of a result is true": (
        """
        def f(p):
            fd, name = tempfile.mkstemp()
            if p:
                os.remove(name)
        """,
        """
        def f(p):
            fd, name = tempfile.mkstemp()
            if name:
                os.remove(name)
        """,
    ),
    "elements of one result are set together": (
        """
        def f(p):
            fd, name = -1, None
            try:
                fd, name = tempfile.mkstemp()
                open(p)
            finally:
                if fd == 7:
                    os.remove(name)
        """,
        """
        def f(p):
            fd, name = -1, None
            try:
                fd, name = tempfile.mkstemp()
                open(p)
            finally:
                if fd != -1:
                    os.remove(name)
        """,
    ),
    "a function of the program that releases by its name": (
        """
        def look(path):
            os.path.exists(path)
        def f():
            d = tempfile.mkdtemp()
            look(d)
        """,
        """
        def rmtree(path):
            os.path.exists(path)
        def f():
            d = tempfile.mkdtemp()
            rmtree(d)
        """,
    ),
    "an unknown function that releases by its name": (
        """
        def f(a):
            s = socket.socket()
            try:
                s.connect(a)
            except OSError:
                print(s)
                raise
            s.close()
        """,
        """
        def f(a):
            s = socket.socket()
            try:
                s.connect(a)
            except OSError:
                other.safe_close(s)
                raise
            s.close()
        """,
    ),
    "what has methods is not None": (
        """
        def f(p, make):
            lock = None
            try:
                lock = make()
                lock.start()
                open(p)
            finally:
                if p is not None:
                    lock.stop()
        """,
        """
        def f(p, make):
            lock = None
            try:
                lock = make()
                lock.start()
                open(p)
            finally:
                if lock is not None:
                    lock.stop()
        """,
    ),
    "the token of a context variable is true": (
        """
        def f(p):
            token = s = None
            try:
                token = state.set(1)
                s = socket.socket()
                open(p)
            finally:
                if p:
                    s.close()
        """,
        """
        def f(p):
            token = s = None
            try:
                token = state.set(1)
                s = socket.socket()
                open(p)
            finally:
                if token:
                    s.close()
        """,
    ),
    "a new object is no other object": (
        """
        def f(given, g):
            s = socket.socket()
            if g is not given:
                s.close()
        """,
        """
        def f(given, g):
            s = socket.socket()
            if s is not given:
                s.close()
        """,
    ),
    "the class of the object is known": (
        """
        def f(fd, g):
            m = mmap.mmap(fd, 0)
            if isinstance(m, g):
                m.close()
        """,
        """
        def f(fd, g):
            m = mmap.mmap(fd, 0)
            if isinstance(m, mmap.mmap):
                m.close()
        """,
    ),
    "an `await` that raises acquires nothing": (
        """
        async def f(a):
            c = await anyio.connect(a)
            try:
                await c.start()
            except ValueError:
                return
            c.close()
        """,
        """
        async def f(a):
            try:
                c = await anyio.connect(a)
            except ValueError:
                return
            c.close()
        """,
    ),
    "an `await` that raises changes nothing": (
        """
        async def f(lock, p):
            await lock.start()
            try:
                p()
            except ValueError:
                return
            lock.stop()
        """,
        """
        async def f(lock, p):
            try:
                await lock.start()
            except ValueError:
                return
            p()
            lock.stop()
        """,
    ),
    "a change that is kept on a condition": (
        """
        def f(p, q):
            old = os.getcwd()
            os.chdir(p)
            open(q)
            if other.may_go(old):
                os.chdir(old)
        """,
        """
        def f(p, q):
            old = os.getcwd()
            os.chdir(p)
            if other.may_go(old):
                os.chdir(old)
            open(q)
        """,
    ),
    "a change in a loop": (
        """
        def f(p, q):
            old = os.getcwd()
            for each in p:
                os.chdir(each)
                open(q)
                os.chdir(old)
        """,
        """
        def f(p, q):
            old = os.getcwd()
            for each in p:
                os.chdir(each)
                os.chdir(old)
                open(q)
        """,
    ),
    "a change of another signal": (
        """
        def f(p, h):
            old = signal.getsignal(signal.SIGINT)
            signal.signal(signal.SIGINT, h)
            open(p)
            signal.signal(signal.SIGINT, old)
        """,
        """
        def f(p, h):
            old = signal.getsignal(signal.SIGINT)
            signal.signal(signal.SIGHUP, h)
            open(p)
            signal.signal(signal.SIGINT, old)
        """,
    ),
    "a function inside that undoes": (
        """
        def f(p, q):
            old = os.getcwd()
            def undo(old):
                os.chdir(old)
            os.chdir(p)
            if q:
                os.chdir(old)
            open(p)
            os.chdir(old)
        """,
        """
        def f(p, q):
            old = os.getcwd()
            def undo():
                os.chdir(old)
            os.chdir(p)
            if q:
                os.chdir(old)
            try:
                open(p)
            except OSError:
                undo()
                raise
            os.chdir(old)
        """,
    ),
    "a working folder has a name": (
        """
        def f(p, q):
            old = os.getcwd()
            os.chdir(p)
            try:
                open(p)
            finally:
                if q:
                    os.chdir(old)
        """,
        """
        def f(p, q):
            old = None
            if q:
                old = os.getcwd()
                os.chdir(p)
            try:
                open(p)
            finally:
                if old:
                    os.chdir(old)
        """,
    ),
    "a function inside that releases": (
        """
        def f(a, given):
            s = None
            cleanup = lambda: None
            def cleanup():
                if given:
                    given.close()
            s = socket.socket()
            try:
                s.connect(a)
            finally:
                cleanup()
        """,
        """
        def f(a, given):
            s = None
            cleanup = lambda: None
            def cleanup():
                if s:
                    s.close()
            s = socket.socket()
            try:
                s.connect(a)
            finally:
                cleanup()
        """,
    ),
    "a function inside that releases and is given away": (
        """
        def f(a, given):
            s = None
            def cleanup():
                given.close()
            s = socket.socket()
            other.register(cleanup)
            s.connect(a)
            s.close()
        """,
        """
        def f(a, given):
            s = None
            def cleanup():
                s.close()
            s = socket.socket()
            other.register(cleanup)
            s.connect(a)
            s.close()
        """,
    ),
    "an archive that reads what it is given holds nothing": (
        """
        def f(p, q):
            t = tarfile.open(fileobj=p, mode="w:gz" if q else "w")
        """,
        """
        def f(p):
            t = tarfile.open(fileobj=p, mode="r")
        """,
    ),
    "making a manager does not fail": (
        """
        def f(a):
            with contextlib.suppress(OSError):
                s = socket.socket()
                with contextlib.suppress(KeyError):
                    s.connect(a)
                s.close()
        """,
        """
        def f(a):
            with contextlib.suppress(OSError):
                s = socket.socket()
                with contextlib.suppress(OSError):
                    s.connect(a)
                s.close()
        """,
    ),
    "each of many types gets to its handler": (
        """
        def read(s, n):
            if n == 1: raise AttributeError
            if n == 2: raise BufferError
            if n == 3: raise EOFError
            if n == 4: raise ImportError
            if n == 5: raise IndexError
            if n == 6: raise KeyError
            return n.decode()
        def f(a, n):
            s = socket.create_connection(a)
            try:
                read(s, n)
            except UnicodeDecodeError:
                return
            s.close()
        """,
        """
        def read(s, n):
            if n == 1: raise AttributeError
            if n == 2: raise BufferError
            if n == 3: raise EOFError
            if n == 4: raise ImportError
            if n == 5: raise IndexError
            if n == 6: raise KeyError
            return n.decode()
        def f(a, n):
            s = socket.create_connection(a)
            try:
                read(s, n)
            except ConnectionError:
                return
            s.close()
        """,
    ),
    "entering an object that is there does not fail": (
        """
        def f(given, g):
            try:
                s = socket.socket()
                g()
                with given, s:
                    print(1)
            except Exception:
                return
        """,
        """
        def f(given, g):
            try:
                s = socket.socket()
                with given, s:
                    print(1)
            except Exception:
                return
        """,
    ),
    "a value with a true alternative is true": (
        """
        def f(user=None):
            s = socket.socket()
            if not user:
                user = other.user() or ""
            if not user:
                return
            s.close()
        """,
        """
        def f(user=None):
            s = socket.socket()
            if not user:
                user = other.user() or "root"
            if not user:
                return
            s.close()
        """,
    ),
    "a true text after `and` may not be the value": (
        """
        def f(user=None):
            s = socket.socket()
            if not user:
                user = other.user() and "root"
            if not user:
                return
            s.close()
        """,
        """
        def f(user=None):
            s = socket.socket()
            if not user:
                user = other.user() or "root"
            if not user:
                return
            s.close()
        """,
    ),
    "a choice with a true text may be false": (
        """
        def f(user=None):
            s = socket.socket()
            if not user:
                user = None if other.user() else "root"
            if not user:
                return
            s.close()
        """,
        """
        def f(user=None):
            s = socket.socket()
            if not user:
                user = other.user() or "root"
            if not user:
                return
            s.close()
        """,
    ),
    "two long texts are not the same": (
        """
        def f(p, mode):
            s = socket.socket()
            if mode != "the first of two texts that take more than forty characters":
                s.close()
            if mode == "the other of two texts that take more than forty characters":
                s.close()
        """,
        """
        def f(p, mode):
            s = socket.socket()
            if mode != "the first of two texts that take more than forty characters":
                s.close()
            if mode == "the first of two texts that take more than forty characters":
                s.close()
        """,
    ),
    "two wide numbers are not the same": (
        """
        def f(p, mode=None):
            s = socket.socket()
            mode = 0x1234567890123456789012345
            if mode == 0x1234567890123456789012346:
                s.close()
        """,
        """
        def f(p, mode=None):
            s = socket.socket()
            mode = 0x1234567890123456789012345
            if mode:
                s.close()
        """,
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_a_fault_is_found_and_right_code_is_not(name, tmp_path):
    rules = list(read_rules(RULES, "r.toml").values())
    for at, text in enumerate(PAIRS[name]):
        file = tmp_path / f"m{at}.py"
        head = "import anyio, contextlib, contextvars, mmap, os, other, signal, socket, tarfile, tempfile\n"
        head += "state = contextvars.ContextVar('state')\n"
        file.write_text(head + textwrap.dedent(text))
        report = scan_paths([str(file)], rules)
        assert not report.errors
        assert len(report.findings) == 1 - at


@pytest.mark.parametrize(
    "name",
    ["testsuite", "testing", "unittests", "Tests", "examples", "samples", "benchmarks", "docs_src"],
)
def test_tests_and_examples_are_left_out(name, tmp_path):
    text = "import socket\ndef f(a):\n    s = socket.socket()\n    s.connect(a)\n"
    for home in (name, "own"):
        (tmp_path / home).mkdir()
        (tmp_path / home / "a.py").write_text(text)
        (tmp_path / home / "a_test.py").write_text(text)
    rules = list(read_rules(RULES, "r.toml").values())
    [found] = scan_paths([str(tmp_path)], rules, exclude=NOT_OWN).findings
    assert found.file.endswith("own/a.py")
