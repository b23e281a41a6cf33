"""Template never-in: how many calls there may be down to the forbidden one."""

import textwrap

import pytest

from pigro.diagnostics import InputError
from pigro.rules import read_rules
from pigro.scan.scanning import scan_paths

RULE = """
[rule.blocks]
template = "never-in"
message = "blocks"
context = "async"
bad = ["time.sleep"]
"""
TEXT = """
import time
async def f0():
    time.sleep(1)
def g1():
    time.sleep(2)
async def f1():
    g1()
def h1():
    time.sleep(3)
def h2():
    h1()
async def f2():
    h2()
def k1():
    time.sleep(4)
def k2():
    k1()
def k3():
    k2()
async def f3():
    k3()
"""


def found(tmp_path, text, more=""):
    file = tmp_path / "m.py"
    file.write_text(textwrap.dedent(text))
    rules = read_rules(RULE + more, "r.toml").values()
    return [each.function.rpartition(".")[2] for each in scan_paths([str(file)], rules).findings]


@pytest.mark.parametrize(
    "more, functions",
    [
        ("", ["f0", "f1", "f2", "f3"]),
        ("shallowest = 1", ["f1", "f2", "f3"]),
        ("deepest = 0", ["f0"]),
        ("deepest = 1", ["f0", "f1"]),
        ("shallowest = 1\ndeepest = 2", ["f1", "f2"]),
    ],
)
def test_depths_limit_the_calls_down_to_what_is_forbidden(more, functions, tmp_path):
    assert found(tmp_path, TEXT, more) == functions


def test_a_place_that_blocks_is_one_finding_over_all_files(tmp_path):
    (tmp_path / "low.py").write_text("import time\ndef low():\n    time.sleep(1)\n")
    for name in ("a", "b", "c"):
        text = "from low import low\nasync def f():\n    low()\n"
        (tmp_path / f"{name}.py").write_text(text)
    rules = read_rules(RULE, "r.toml").values()
    [finding] = scan_paths([str(tmp_path)], rules).findings
    assert finding.file.endswith("a.py")
    assert [name[-4:] for name, _ in finding.also] == ["b.py", "c.py"]
    assert finding.message.endswith("c.py:3")


@pytest.mark.parametrize(
    "more, message",
    [
        ("deepest = -1", "deepest that is no number of calls"),
        ("shallowest = true", "shallowest that is no number of calls"),
        ("shallowest = 3\ndeepest = 2", "less than shallowest"),
    ],
)
def test_wrong_depths_are_errors(more, message):
    with pytest.raises(InputError, match=message):
        read_rules(RULE + more, "r.toml")


def test_findings_have_the_message_of_their_rule(tmp_path):
    text = (
        "import time\ndef low():\n    time.sleep(1)\nasync def f():\n    low()\n    time.sleep(2)\n"
    )
    (tmp_path / "m.py").write_text(text)
    rules = read_rules(RULE.replace('"blocks"', '"{call} in {name}: {{no}}"'), "r.toml").values()
    found = [each.message for each in scan_paths([str(tmp_path)], rules).findings]
    assert found == ["low in f: {no}", "time.sleep in f: {no}"]


UNLESS = """
[rule.waits]
template = "never-in"
message = "waits"
context = "async"
bad = ["queue.Queue.get", "socket.socket.connect", "os.waitpid"]
unless = ["queue.Queue.get(block=False)", "socket.socket(type=socket.SOCK_DGRAM)",
          "socket.socket(*, socket.SOCK_DGRAM)", "os.waitpid(*, 1)"]
"""


@pytest.mark.parametrize(
    "bad, allowed",
    [
        ("q.get(block=True)", "q.get(block=False)"),
        ("q.get(timeout=False)", "q.get(timeout=1, block=False)"),
        ("s = socket.socket(type=p)\n    s.connect(p)",
         "s = socket.socket(type=socket.SOCK_DGRAM)\n    s.connect(p)"),
        ("s = socket.socket(p, SOCK_STREAM)\n    s.connect(p)",
         "s = socket.socket(p, SOCK_DGRAM)\n    s.connect(p)"),
        ("os.waitpid(p, 2)", "os.waitpid(p, 1)"),
        ("os.waitpid(1, p)", "os.waitpid(p, 1)"),
    ],
)  # fmt: skip
def test_arguments_excuse_a_call(bad, allowed, tmp_path):
    head = "import os, queue, socket\nfrom socket import SOCK_DGRAM, SOCK_STREAM\n"
    rules = list(read_rules(UNLESS, "r.toml").values())
    for text, count in ((bad, 1), (allowed, 0)):
        (tmp_path / "m.py").write_text(
            f"{head}async def f(p):\n    q = queue.Queue()\n    {text}\n"
        )
        assert len(scan_paths([str(tmp_path)], rules).findings) == count
