"""`pigro compose`: which parts and formulas it takes, its methods, and its exit codes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import pigro
from pigro.engines.table import METHODS as ENGINE_METHODS
from pigro.options import METHODS

from support.samples.compose_examples import (
    FAILS,
    HANDSHAKE,
    HOLDS,
    OPEN,
    RECEIVER,
    SENDER,
    VENDING,
    result_of,
)

ALTERNATING = "nu X. mu Y. <> (thirsty & X | Y)"


def test_methods_are_those_of_the_engine():
    assert METHODS == ENGINE_METHODS


def test_what_a_file_says_is_checked(run):
    result = run("compose", HANDSHAKE)
    assert (result.exit_code, result.stderr) == (1, "")
    lines = result.stdout.splitlines()
    assert lines[0] == "holds    AG !(request & happy)"
    assert lines[1].startswith("         part client decides it alone, whatever the others do; ")
    assert lines[2] == "         game positions: 19 on one part (full composition: at most 35)"
    assert (
        lines[5]
        == "         game positions: 13 + 13 on single parts, 8 on several parts (full composition: at most 25)"
    )
    assert lines[-1].startswith("3 hold, 1 fails, ")


@pytest.mark.parametrize("method", METHODS)
def test_methods_agree(run, method):
    document = result_of(run, HANDSHAKE, "--method", method)
    assert [each["verdict"] for each in document["results"]] == ["holds"] * 3 + ["fails"]
    assert {each["method"] for each in document["results"]} == {method}
    assert (document["results"][0]["decided_by"] == ["client"]) is (method != "full")
    if method == "symbolic":
        return
    document = result_of(run, VENDING, "--method", method)
    assert [each["verdict"] for each in document["results"]] == ["holds"] * 2 + ["fails"] * 2


def test_formulas_are_those_of_the_person_then_those_of_files(run):
    Path("more.ctl").write_text("# one more\nnu Z. <> Z\n")
    document = result_of(run, HANDSHAKE, "-f", "more.ctl", "--check", FAILS, "--check", HOLDS)
    assert [each["formula"] for each in document["results"]] == [FAILS, HOLDS, "nu Z. <> Z"]


def test_formulas_from_standard_input(run):
    result = run("compose", HANDSHAKE, "-f", "-", stdin="EF busy\n")
    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "holds    EF busy")


def test_parts_from_several_files(run):
    result = run("compose", SENDER, RECEIVER, "--check", "AG (message -> AF ack)")
    assert result.exit_code == 0
    assert "decided on the composition of all parts" in result.stdout
    alone = run("compose", SENDER, "--check", "AG (message -> AF ack)")
    assert alone.exit_code == 1
    assert "there is one part only" in alone.stdout


def test_parts_by_name(run):
    document = result_of(run, f"{HANDSHAKE}:server", f"{HANDSHAKE}:client")
    assert [part["name"] for part in document["parts"]] == ["server", "client"]
    assert len(document["results"]) == 4  # what the file says is asked once


def test_a_model_without_calls_is_a_part(run):
    pigro.save(pigro.kripke({"a": ["a"]}, labels={"a": ["p"]}, initial="a"), "one.rsm")
    assert run("compose", "one.rsm", "--check", "AG p").exit_code == 0


@pytest.mark.parametrize(
    ("formulas", "what", "code"),
    [
        ([HOLDS], [], 0),
        ([HOLDS, FAILS], [], 1),
        ([HOLDS, FAILS], [None, ZeroDivisionError()], 4),
        ([FAILS, HOLDS], [None, KeyboardInterrupt()], 130),
    ],
)
def test_exit_codes(run, deeds, formulas, what, code):
    deeds(*what)
    checks = [word for formula in formulas for word in ("--check", formula)]
    assert run("compose", HANDSHAKE, *checks).exit_code == code


def test_what_the_parts_leave_open_is_unknown(run):
    Path("open.parts").write_text(OPEN)
    result = run("compose", "open.parts", "--check", "AG p", "--stats")
    assert result.exit_code == 3
    assert "the parts leave open whether " in result.stdout
    assert "not concrete" in result.stdout
    assert result_of(run, "open.parts", "--check", "AG p")["results"][0]["decided_by"] == []


def test_the_symbolic_method_takes_parts_with_actions(run):
    pytest.importorskip("dd")
    checks = ("--check", "AG [coin] <tea> true", "--check", "<coin> <coffee> true")
    result = run("compose", VENDING, *checks, "--method", "symbolic")
    assert result.exit_code == 1
    assert "1 holds, 1 fails" in result.stdout
    beyond = run("compose", VENDING, "--check", ALTERNATING, "--method", "symbolic")
    assert beyond.stderr.startswith("error[P409]: the formula is not alternation-free")
    misspelt = run("compose", VENDING, "--check", "<cion> true", "--method", "symbolic")
    assert 'no part has the action "cion"' in misspelt.stderr


def test_composed_states_that_may_be_missing(run):
    Path("doubt.parts").write_text(
        "part a\n labels r\n state x {r?} initial\npart b\n labels r\n state y {r} initial\n"
    )
    result = run("compose", "doubt.parts", "--check", "r", "--check", "!r", "--stats")
    assert "composed      at most 1 state, at most 1 initial" in result.stdout
    assert (result.exit_code, "1 holds, 1 unknown" in result.stdout) == (3, True)


@pytest.mark.parametrize("form", ["text", "json"])
def test_check_of_parts_is_compose(run, form):
    def told(result):
        return re.sub(r"[0-9.e-]+ ?(ms|s\b)|seconds.: [0-9.e-]+", "TIME", result.stdout)

    one = run("check", HANDSHAKE, "EF busy", "--format", form)
    other = run("compose", HANDSHAKE, "--check", "EF busy", "--format", form)
    assert (one.exit_code, told(one)) == (other.exit_code, told(other))
    assert run("check", HANDSHAKE).exit_code == run("compose", HANDSHAKE).exit_code
