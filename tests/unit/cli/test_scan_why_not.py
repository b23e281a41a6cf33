"""All that `pigro scan --why-not` says, each beside a program about which it does not say that.

The place that is asked about is the line that ends with `# here`.
"""

import re
import textwrap
from typing import NamedTuple

import pytest

from pigro.limits import OutOfTime
from pigro.scan.asking import SiteModel
from pigro.scan.project.sentences import ReasonSentence

HEAD = """\
import asyncio, contextlib, json, os, other, socket, threading, time
from io import BytesIO, TextIOWrapper, open
from tempfile import mkstemp

lock = threading.Lock()

def rows(fd):
    time.sleep(1)
    yield fd

@contextlib.contextmanager
def managed(fd):
    time.sleep(1)
    yield fd

async def later(fd):
    os.close(fd)

def take(fds):
    print(fds)

def nap():
    time.sleep(1)

class A:
    def put(self, fd): os.close(fd)
    @property
    def size(self): time.sleep(1)

class B(A):
    def put(self, fd): print(fd)

def again():
    with lock: print(1)

def show(lock): print(lock)

"""


class Row(NamedTuple):
    """A sentence, a program that gets it, and one that gets something else."""

    sentence: ReasonSentence
    program: str | dict[str, str]
    twin: str | dict[str, str]
    instead: str
    """What is said about the twin."""
    rule: str = ""
    """The rule that is selected. By default those that are on are checked."""
    names: dict[str, object] = {}
    """What stands in the braces of the sentence."""


def opened(sentence, line, /, **names):
    """About a descriptor that some line gives away. The twin only shows it."""
    text = "def f(p, box, a: A):\n    fd = os.open(p, 0)  # here\n    {}\n"
    twin = text.format("print(fd)")
    return Row(sentence, text.format(line), twin, "reported[fd-leak]", "fd-leak", names)


def unnamed(sentence, line, named, /, **names):
    """About a descriptor without a variable. The twin gives it one."""
    text = "def f(self, p, d):\n    {}  # here\n"
    twin = text.format(named)
    return Row(sentence, text.format(line), twin, "reported[fd-leak]", "fd-leak", names)


def opening(sentence, line, /, **names):
    """About a file without a variable."""
    text = "def f(p):\n    {}  # here\n    return 1\n"
    twin, rule = text.format("x = open(p)"), "resource-leak"
    return Row(sentence, text.format(line), twin, f"reported[{rule}]", rule, names)


def waiting(sentence, line, /, **names):
    """About code that no rule follows. The twin calls a function that sleeps."""
    text = "async def f(a: A, *more):\n    {}  # here\n"
    twin, rule = text.format("l = dict(l='l', x=nap())"), "blocking-in-async"
    return Row(sentence, text.format(line), twin, f"reported[{rule}]", rule, names)


def locked(sentence, first, second, instead, **names):
    """About what happens while a lock is held."""
    text = "def f(other):\n    with lock:  # here\n        {}\n"
    return Row(sentence, text.format(first), text.format(second), instead, "self-deadlock", names)


def connected(sentence, first, second, instead, **names):
    """About what happens between the making of a socket and its `close`."""
    text = "def f(a):\n    s = socket.socket()  # here\n    {}\n    s.close()\n"
    return Row(sentence, text.format(first), text.format(second), instead, "socket-leak", names)


LEAK = "def f(p):\n    fd = os.open(p, 0)  # here\n"
CLOSED = LEAK + "    os.close(fd)\n"
HELD = "def f():\n    with lock:  # here\n        time.sleep(1)\n"
TOGETHER = """import time
def low():
    time.sleep(1)
def high():
    low()
async def far():
    high()  # here
async def near():
    low()
"""
SELECTED = '[tool.pigro]\nselect = ["blocking-under-lock"]\n'
BLOCKS = "while `lock` is held, something blocks"
SELECT = "give `--select blocking-under-lock`"

FILES = [
    Row(
        ReasonSentence.NOT_GIVEN, {"a.py": LEAK, "pyproject.toml": '[tool.pigro]\npaths = ["src"]\n',
        "src/a.py": ""}, {"src/a.py": LEAK}, "reported[fd-leak]",
    ),
    Row(
        ReasonSentence.NOT_SCANNED, {"tests/a.py": LEAK, "b.py": ""}, {"own/a.py": LEAK}, "reported[fd-leak]",
        names={"why": ReasonSentence.NOT_OWN},
    ),
    Row(ReasonSentence.NOT_OWN, {"tests/a.py": LEAK, "b.py": ""}, {"own/a.py": LEAK}, "reported[fd-leak]"),
    Row(
        ReasonSentence.EXCLUDED, {"a.py": LEAK, "b.py": "", "pyproject.toml": '[tool.pigro]\nexclude = ["a.py"]\n'},
        {"a.py": LEAK, "pyproject.toml": '[tool.pigro]\nexclude = ["b.py"]\n'}, "reported[fd-leak]",
    ),
    Row(
        ReasonSentence.IGNORED_BY_GIT, {"a.py": LEAK, "b.py": "", ".gitignore": "a.py\n"},
        {"a.py": LEAK, ".gitignore": "b.py\n"}, "reported[fd-leak]",
    ),
    Row(
        ReasonSentence.UNREADABLE, LEAK + "    )\n", LEAK, "reported[fd-leak]",
        names={"error": "unmatched ')'"},
    ),
]  # fmt: skip

ANSWERS = [
    Row(
        ReasonSentence.COMMENT, LEAK.replace("# here", "# pigro: ignore # here"), LEAK,
        "reported[fd-leak]", names={"message": "`fd` from `os.open` is not released"},
    ),
    Row(
        ReasonSentence.TOGETHER, TOGETHER, TOGETHER.partition("async def near")[0], "reported[blocking-in-async]",
        names={"file": "app.py", "line": len(HEAD.splitlines()) + 9, "message": "`low` can block in async `near`"},
    ),
    Row(
        ReasonSentence.OFF, HELD, {"app.py": HELD, "pyproject.toml": SELECTED},
        "reported[blocking-under-lock]",
        names={"how": SELECT, "says": "reports", "sentence": BLOCKS},
    ),
    Row(
        ReasonSentence.SELECT, HELD, {"app.py": HELD, "pyproject.toml": SELECTED},
        "reported[blocking-under-lock]", names={"rule": "blocking-under-lock"},
    ),
    Row(
        ReasonSentence.LEAVE_OUT, {"app.py": LEAK, "pyproject.toml": '[tool.pigro]\nignore = ["fd-leak"]\n'},
        LEAK, "reported[fd-leak]", names={"where": "`ignore` in pyproject.toml"},
    ),
    Row(ReasonSentence.NO_CODE, f"# here\n{LEAK.replace('# here', '')}", LEAK, "reported[fd-leak]"),
    Row(ReasonSentence.NO_CODE, "def f(x):\n    try:  # here\n        x()\n    finally:\n        print(x)\n", LEAK,
        "reported[fd-leak]"),
    Row(ReasonSentence.NO_CODE, "def f(x):\n    while True:  # here\n        x()\n", LEAK, "reported[fd-leak]"),
    Row(ReasonSentence.NO_RUN, "if False:\n    os.open('x', 0)  # here\n",
        "if other.x:\n    os.open('x', 0)  # here\n", ReasonSentence.NO_NAME),
    Row(ReasonSentence.NO_RULE, "def f(x):\n    print(x)  # here\n", LEAK, "reported[fd-leak]"),
    Row(ReasonSentence.HOLDS, CLOSED, LEAK, "reported[fd-leak]"),
    Row(ReasonSentence.NO_EXCEPTIONS, CLOSED,
        "def f(a):\n    s = socket.socket()  # here\n    s.close()\n", ReasonSentence.HOLDS),
    locked(ReasonSentence.NOT_AGAIN, "show(lock)", "again()", "reported[self-deadlock]"),
    locked(ReasonSentence.NOT_FOLLOWED, "other.back()", "print(1)", ReasonSentence.NOT_AGAIN,
           calls="`other.back` (app.py:40)"),
    Row(
        ReasonSentence.NOT_FOLLOWED,
        "@contextlib.contextmanager\ndef f():\n    with lock:  # here\n        yield\n",
        "def f():\n    with lock:  # here\n        print(1)\n", ReasonSentence.NOT_AGAIN,
        "self-deadlock", {"calls": "`yield` (app.py:41)"},
    ),
    connected(ReasonSentence.NOT_BELIEVED, "s.settimeout(1)", "s.connect(a)", "reported[socket-leak]",
              calls="`settimeout` (line 40): the socket is fresh, `close` (line 41): "
              "closing does not fail"),
    connected(ReasonSentence.NOT_KNOWN, "a()", "s.connect(a)", "reported[socket-leak]"),
    connected(ReasonSentence.MORE, "; ".join(f"a.f{n}()" for n in range(6)),
              "; ".join(f"a.f{n}()" for n in range(4)), ReasonSentence.NOT_KNOWN, number=2),
]  # fmt: skip

WENT = [
    opened(ReasonSentence.WENT, "return fd", file="app.py", line=40, went=ReasonSentence.RETURNED),
    opened(ReasonSentence.RETURNED, "return fd"),
    opened(ReasonSentence.RETURNED, "return [fd]"),
    opened(ReasonSentence.YIELDED, "yield fd"),
    opened(ReasonSentence.TAKEN_APART, "for x in [fd]: box(x)"),
    opened(ReasonSentence.USED, "def g(): os.close(fd)", function="g"),
    opened(ReasonSentence.DELETED, "del fd"),
    opened(ReasonSentence.STORED, "box = [fd]", names="`box`"),
    opened(ReasonSentence.STORED_OUTSIDE, "box.fd = fd", names="`box.fd`"),
    opened(ReasonSentence.STORED_OUTSIDE, "box[0] = fd", names="`box[]`"),
    opened(
        ReasonSentence.GIVEN, "json.dump(1, fd)", call="json.dump", because=ReasonSentence.NO_SOURCE
    ),
    opened(ReasonSentence.NO_SOURCE, "json.dump(1, fd)"),
    opened(ReasonSentence.UNKNOWN, "box(fd)"),
    opened(ReasonSentence.GENERATOR, "rows(fd)"),
    opened(ReasonSentence.MANAGER, "managed(fd)"),
    opened(ReasonSentence.COROUTINE, "later(fd)"),
    opened(ReasonSentence.KEEPS, "take([fd])"),
    opened(ReasonSentence.MANY, "a.put(fd)", number=2),
]

UNNAMED = [
    unnamed(ReasonSentence.NO_VARIABLE, "os.open(p, 0)", "fd = os.open(p, 0)", call="os.open",
            because=ReasonSentence.NO_NAME),
    unnamed(ReasonSentence.NO_NAME, "os.open(p, 0)", "fd = os.open(p, 0)"),
    unnamed(ReasonSentence.NOT_LOCAL, "self.fd = os.open(p, 0)", "fd = os.open(p, 0)", place="self.fd"),
    unnamed(ReasonSentence.NOT_LOCAL, "d['x'] = os.open(p, 0)", "fd = os.open(p, 0)", place="d[]"),
    unnamed(ReasonSentence.ONLY_A_PART, "t = mkstemp()", "fd, t = mkstemp()", place="t"),
    unnamed(ReasonSentence.AMONG_OTHERS, "x = [os.open(p, 0)]", "x = os.open(p, 0)", place="x"),
    unnamed(ReasonSentence.NO_NAME_GIVEN, "print(os.open(p, 0))", "f = os.open(p, 0)", call="print"),
    unnamed(ReasonSentence.MADE, "return os.open(p, 0)", "fd = os.open(p, 0); return 1"),
    Row(ReasonSentence.OF_A_CLASS, "class C:\n    fd = os.open('x', 0)  # here\n", LEAK,
        "reported[fd-leak]"),
    opening(ReasonSentence.NO_NAME, "x = open(p).read()"),
    opening(ReasonSentence.NO_NAME_GIVEN, "x = TextIOWrapper(open(p))", call="TextIOWrapper"),
    opening(ReasonSentence.WITH, "with open(p): print(p)"),
    opening(ReasonSentence.OTHER_OWNER, "x = open(BytesIO(p))"),
    Row(
        ReasonSentence.IN_TEMPORARY, "def f(m, fd):\n    fd, x = mkstemp(dir=m.tmpdir)  # here\n",
        "def f(m, fd):\n    fd, x = mkstemp(dir=m.home)  # here\n",
        "reported[temporary-file-left]", "temporary-file-left", {"folder": "m.tmpdir"},
    ),
]  # fmt: skip

UNFOLLOWED = [
    waiting(ReasonSentence.UNKNOWN_CALL, "more()", call="more"),
    waiting(ReasonSentence.UNFOLLOWED, "x = list(rows(1))", code="rows", because=ReasonSentence.GENERATOR),
    waiting(ReasonSentence.MANAGER, "m = managed(1)"),
    waiting(ReasonSentence.PROPERTY, "a.size"),
    waiting(ReasonSentence.MANY, "a.put(1)", number=2),
    waiting(ReasonSentence.LAMBDA, "g = lambda: time.sleep(1)"),
    waiting(ReasonSentence.LAMBDA, "sorted([], key=lambda x: time.sleep(x))"),
    waiting(ReasonSentence.LAMBDA, "return [lambda: time.sleep(1)]"),
    Row(
        ReasonSentence.OTHER_LOCK, "async def f():\n    l = asyncio.Lock()\n    async with l: pass  # here\n",
        "def f():\n    with threading.RLock(): pass  # here\n", ReasonSentence.NO_RULE, "self-deadlock",
        {"lock": "asyncio.Lock"},
    ),
    Row(
        ReasonSentence.TAKES_LOCK, "@contextlib.contextmanager\ndef held():\n    with lock: yield\n"
        "async def f():\n    with held():  # here\n        await g()\n",
        "@contextlib.contextmanager\ndef held():\n    yield\n"
        "async def f():\n    with held():  # here\n        await g()\n",
        ReasonSentence.NO_RULE, "await-under-lock",
    ),
    Row(
        ReasonSentence.UNKNOWN_LOCK, "def f(lock):\n    with lock: pass  # here\n",
        "def f():\n    with lock: again()  # here\n", "reported[self-deadlock]", "self-deadlock",
    ),
    Row(
        ReasonSentence.UNKNOWN_LOCK, "def f(lock):\n    with lock: pass  # here\n",
        "def f(file):\n    with file: pass  # here\n", ReasonSentence.NO_RULE, "self-deadlock",
    ),
]  # fmt: skip

KINDS = {
    ReasonSentence.NOT_GIVEN: "out of reach",
    ReasonSentence.NOT_SCANNED: "out of reach",
    ReasonSentence.UNREADABLE: "out of reach",
    ReasonSentence.COMMENT: "ignored[fd-leak]",
    ReasonSentence.TOGETHER: "reported[blocking-in-async]",
    ReasonSentence.OFF: "off[blocking-under-lock]",
    ReasonSentence.NO_CODE: "no site",
    ReasonSentence.NO_RUN: "out of reach",
    ReasonSentence.NO_RULE: "no site",
    ReasonSentence.HOLDS: "holds in the model[fd-leak]",
    ReasonSentence.NOT_AGAIN: "holds in the model[self-deadlock]",
    ReasonSentence.WENT: "escapes[fd-leak]",
    ReasonSentence.UNKNOWN_CALL: "unknown call",
    ReasonSentence.UNFOLLOWED: "not followed",
    ReasonSentence.LAMBDA: "not followed",
    ReasonSentence.NO_VARIABLE: "not followed[fd-leak]",
}
"""What stands before the sentences that are whole."""

ROWS = [*FILES, *ANSWERS, *WENT, *UNNAMED, *UNFOLLOWED]


@pytest.fixture
def told(run, tmp_path, monkeypatch):
    """What is said about a program, in a folder of its own and with a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def tell(program, home, rule):
        files = {"app.py": program} if isinstance(program, str) else program
        place = ""
        for name, text in files.items():
            path = tmp_path / home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            is_python = name.endswith(".py")
            path.write_text(HEAD + textwrap.dedent(text) if is_python else text)
            if "# here" in text:
                [line] = [
                    number
                    for number, each in enumerate(path.read_text().splitlines(), 1)
                    if each.endswith("# here")
                ]
                place = f"{name}:{line}"
        monkeypatch.chdir(tmp_path / home)
        done = run("scan", "--why-not", place, *(["--select", rule] if rule else []))
        assert done.exit_code == 0
        return done.stdout

    return tell


def says(text, sentence):
    """Whether a sentence, or a part of one, stands in a text as a whole."""
    return (
        re.search(rf"{re.escape(sentence)}($|[;,]| and |\. It reports)", text, re.MULTILINE)
        is not None
    )


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.sentence.name)
def test_a_sentence_is_said_where_it_is_right_only(row, told):
    sentence = row.sentence.format(**row.names)
    kind = f"{KINDS[row.sentence]}: " if row.sentence in KINDS else ""
    assert says(told(row.program, "program", row.rule), kind + sentence)
    text = told(row.twin, "twin", row.rule)
    assert not says(text, sentence)
    assert row.instead in text


def test_a_limit(told, monkeypatch):
    assert ReasonSentence.UNFINISHED not in told(LEAK, "finished", "fd-leak")

    def too_late(*_):
        raise OutOfTime(1)

    monkeypatch.setattr(SiteModel, "failing", too_late)
    assert f"unfinished[fd-leak]: {ReasonSentence.UNFINISHED}" in told(
        LEAK, "unfinished", "fd-leak"
    )


def test_each_sentence_has_a_row():
    assert {row.sentence for row in ROWS} | {ReasonSentence.UNFINISHED} == set(ReasonSentence)
