"""What the run of a finding shows: the `raise` in a callee, a likely call, and the right line."""

import textwrap
from dataclasses import replace

import pytest

from pigro.rules import built_in, read_rules
from pigro.scan.scanning import scan_paths

RULES = """
[rule.check-first]
template = "formula"
formula = "A [!pay W check]"
[rule.check-first.events]
check = ["bank.check"]
pay = ["bank.pay"]

[rule.closes]
template = "formula"
formula = "AG (open -> !E [!close U return])"
[rule.closes.events]
open = ["bank.open"]
close = [".close"]
"""


def scanned(folder, rule, text):
    (folder / "app.py").write_text(textwrap.dedent(text))
    [finding] = scan_paths([str(folder)], [rule]).findings
    return finding


def noted(finding):
    return [(each.at[0], each.depth, each.note) for each in finding.steps if each.note]


@pytest.mark.parametrize(
    "rule, body, line",
    [
        ("check-first", "if x: bank.check(x)\nbank.pay(x)", 4),
        ("check-first", "if x: bank.check(x)\nprint(x)\nbank.pay(x)\nprint(x)", 5),
        ("check-first", "if x: bank.check(x)\nelse: pay(x)", 4),
        ("closes", "a = bank.open()\nprint(x)\nif x: a.close()", 3),
    ],
)
def test_a_formula_points_at_the_last_event_of_its_run(rule, body, line, tmp_path):
    text = (
        f"import bank\ndef f(x):\n{textwrap.indent(body, '    ')}\ndef pay(x):\n    bank.pay(x)\n"
    )
    (tmp_path / "app.py").write_text(text)
    found = scan_paths([str(tmp_path)], [read_rules(RULES, "own.toml")[rule]]).findings
    assert [each.line for each in found if each.function == "app.f"] == [line]


@pytest.mark.parametrize(
    "raising, raised",
    [
        ("raise ValueError(x)", [(9, 1, "raised here")]),
        ("deeper(x)", [(5, 2, "raised here")]),
    ],
)
def test_the_raise_in_a_callee_is_shown(raising, raised, tmp_path):
    text = f"""\
        import os
        def g(x):
            pass
        def deeper(x):
            raise ValueError
        def check(x):
            if x:
                g(x)
                {raising}
        def f(p):
            fd = os.open(p, 0)
            try:
                check(p)
                os.close(fd)
            except ValueError:
                return
        """
    finding = scanned(tmp_path, built_in()["fd-leak"], text)
    assert noted(finding) == [
        (11, 0, "acquired here"),
        *raised,
        (16, 0, "then it is not released"),
    ]


def test_the_raise_in_a_callee_that_is_followed_is_shown(tmp_path):
    text = """\
        import os
        def check(fd):
            if not fd.real:
                raise ValueError
        def f(p):
            fd = os.open(p, 0)
            try:
                check(fd)
                os.close(fd)
            except ValueError:
                return
        """
    finding = scanned(tmp_path, built_in()["fd-leak"], text)
    assert (4, 1, "raised here") in noted(finding)


@pytest.mark.parametrize(
    "calls, shown, note",
    [
        (("s.settimeout(1)", "s.connect(a)"), 1, "if it raises OSError: nobody answers"),
        (("s.settimeout(1)", "a.before()"), 1, "if this call raises"),
        (("a.before()", "s.connect(a)", "s.recv(1)"), 1, "if it raises OSError: nobody answers"),
        (("a.before()", "s.bind(a)"), 1, "if it raises OSError: the address is in use"),
    ],
)
def test_of_calls_that_may_raise_the_run_shows_a_likely_one(calls, shown, note, tmp_path):
    lines = "".join(f"        {each}\n" for each in calls)
    text = (
        "import socket\ndef f(a):\n    s = socket.socket()\n    try:\n"
        f"{lines}        s.close()\n    except OSError:\n        return\n"
    )
    finding = scanned(tmp_path, built_in()["socket-leak"], text)
    assert (5 + shown, 0, note) in noted(finding)


CHANGED = """
import os
def f(new, work):
    old = os.getcwd()
    os.chdir(new)
    {}
    os.chdir(old)
def g(path):
    open(path)
"""


@pytest.mark.parametrize(
    "body, message",
    [
        ("if work: return 1", "`os.chdir` is not undone on this return"),
        ("if work: raise ValueError", "`os.chdir` is not undone when line 6 raises"),
        ("os.rename(new, work)", "`os.chdir` is not undone when line 6 raises"),
        ("g(work)", "`os.chdir` is not undone when line 6 raises"),
    ],
)
def test_the_message_fits_the_way_out_of_the_function(body, message, tmp_path):
    rule = replace(built_in()["state-not-restored"], on=("raise", "return"))
    assert scanned(tmp_path, rule, CHANGED.format(body)).message == message


def test_nothing_is_said_about_a_change_that_every_way_undoes(tmp_path):
    text = "try:\n        if work: return 1\n    finally:\n        os.chdir(old)"
    (tmp_path / "app.py").write_text(CHANGED.format(text))
    assert scan_paths([str(tmp_path)], [built_in()["state-not-restored"]]).findings == []


@pytest.mark.parametrize(
    "rule, body, line",
    [
        ("fd-leak", "with lock:\n    print(p)\n    if p:\n        return 1", 7),
        ("fd-leak", "with lock, p:\n    for x in p:\n        with x:\n            return 1", 7),
        ("fd-leak", "if p: return 1\nwith lock:\n    print(p)", 4),
        ("socket-leak", "with lock:\n    print(p)\n    fd.connect(p)", 6),
    ],
)
def test_a_run_through_with_ends_with_what_returns_or_raises(rule, body, line, tmp_path):
    made, closed = {
        "fd-leak": ("os.open(p, 0)", "os.close(fd)"),
        "socket-leak": ("socket.socket()", "fd.close()"),
    }[rule]
    inside = textwrap.indent(f"fd = {made}\n{body}\n{closed}\n", "    ")
    text = f"import os, socket\ndef f(p, lock):\n{inside}"
    found = scanned(tmp_path, replace(built_in()[rule], on=("return", "raise")), text)
    assert [each.at[0] for each in found.steps if each.is_decisive] == [line]
    assert found.steps[-1].at[0] == line


def test_a_with_around_a_safe_way_gives_no_run(tmp_path):
    text = (
        "import os\ndef f(p, lock):\n    fd = os.open(p, 0)\n    with lock:\n        os.close(fd)\n"
    )
    (tmp_path / "app.py").write_text(text)
    assert scan_paths([str(tmp_path)], [built_in()["fd-leak"]]).findings == []
