"""`pigro compose` on wrong input: parts, labels, formulas and options that it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.samples.compose_examples import (
    EXAMPLES,
    HANDSHAKE,
    HOLDS,
    OPEN,
    SENDER,
    VENDING,
)


def test_labels_that_no_part_sees(run):
    result = run("compose", HANDSHAKE, "--check", "EF bsuy", "--check", "EF zebra")
    assert result.exit_code == 1
    assert result.stderr.startswith("warning: 2 labels are seen by no part, so false everywhere: ")
    assert 'did you mean "busy"?' in result.stderr
    strict = run("compose", HANDSHAKE, "--check", "EF bsuy", "--strict")
    assert (strict.exit_code, strict.stdout) == (2, "")
    assert strict.stderr.startswith("error[P402]: 1 label is seen by no part")


def test_labels_that_may_be_something_else(run):
    result = run("compose", VENDING, "--check", "EF coin", "--check", "mu X. empty | <> Y")
    assert '"coin" (an action: `<coin> true` says that there is a step by it)' in result.stderr
    assert '"Y" (or a variable that nothing binds?)' in result.stderr


@pytest.mark.parametrize(
    ("formula", "instead"),
    [
        ("G F empty", "for the others, `A [G F p]` is `AG AF p`"),
        ("A [F G empty]", "for the others, `A [F G p]` is `mu X. nu Y. AX ((p | X) & Y)`"),
        ("AG E [G F EX empty]", "for the others, `E [G F p]` is `nu X. mu Y. EX (p & X | Y)`"),
        ("thirsty | E [F G empty]", "for the others, `E [F G p]` is `EF EG p`"),
        ("G F empty -> G F thirsty", "check LTL and CTL*\n"),
        ("G F X empty", "check LTL and CTL*\n"),
        ("G X F empty", "check LTL and CTL*\n"),
    ],
)
def test_what_ltl_says_in_other_words(run, formula, instead):
    asked = ("compose", VENDING, "--check", formula, "--method", "refine")
    result = run(*asked)
    assert result.exit_code == 2
    assert instead in result.stderr
    assert "infinite" not in result.stderr
    stopping = run(*asked, "--dead-ends", "stop")
    assert ("of infinite runs" in stopping.stderr) == ("Y" in instead)


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        ([HANDSHAKE, "--check", "EF ("], "P301", "-->"),
        ([HANDSHAKE, "--check", "G F busy", "--method", "refine"], "P401", "only the methods"),
        ([HANDSHAKE, "--check", "A [F G busy]", "--method", "refine"], "P401", "only the methods"),
        ([HANDSHAKE, "--check", "<coin> busy"], "P410", "write <> or []"),
        ([VENDING, "--check", "<cion> true"], "P410", 'did you mean "coin"?'),
        ([SENDER, VENDING, "--check", "EF p"], "P220", "parts share either labels or actions"),
        ([HANDSHAKE, HANDSHAKE], "P131", "a second compose"),
        ([f"{HANDSHAKE}:cleint"], "P009", 'did you mean "client"?'),
        (["no.parts"], "P001", "no.parts"),
        (
            [HANDSHAKE, "EF busy"],
            "P001",
            "hint: formulas are given with --check: --check 'EF busy'",
        ),
        ([SENDER], "P002", "--check"),
        ([HANDSHAKE, "--method", "fulll"], "P006", 'did you mean "full"?'),
        ([HANDSHAKE, "--trace"], "P006", "choose the method refine"),
        ([HANDSHAKE, "--method", "predicates", "--witness"], "P006", "predicates"),
        ([HANDSHAKE, "--output", "no/out.txt"], "P003", "its folder does not exist"),
        ([str(EXAMPLES / "walk.rsm"), "--check", "EF p"], "P222", "calls"),
        ([HANDSHAKE, "-f", "-", "-f", "-"], "P001", "only once"),
    ],
)
def test_refusals(run, args, code, words):
    result = run("compose", *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error[{code}]: ")
    assert words in result.stderr


def test_a_file_of_which_nothing_is_composed(run):
    result = run("compose", HANDSHAKE, VENDING, "--check", HOLDS)
    assert result.exit_code == 0
    assert result.stderr == (
        f"warning: nothing of {VENDING} (machine, customer) is composed: another file chooses the parts\n"
    )


def test_no_part(run):
    result = run("compose", "--check", "EF p")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "PART" in result.stderr


def test_an_empty_file_of_formulas(run):
    Path("none.ctl").write_text("# nothing\n")
    assert run("compose", HANDSHAKE, "-f", "none.ctl").stderr.startswith("error[P002]")


def test_open_parts_are_not_refined(run):
    Path("open.parts").write_text(OPEN)
    result = run("compose", "open.parts", "--check", "AG p", "--method", "refine")
    assert result.exit_code == 2
    assert result.stderr.startswith('error[P410]: part "sure" has unknown labels')


def test_what_does_not_fit_the_parts_is_told_once(run):
    Path("open.parts").write_text("part open\n  labels p\n  actions a\n  state s { p? } initial\n")
    checks = ("--check", "AG p", "--check", "EF p", "--check", "<b> true")
    result = run("compose", "open.parts", *checks, "--method", "refine")
    assert result.stderr.startswith('error[P410]: part "open" has unknown labels')
    assert result.stderr.count("error[") == 2
    assert 'error[P410]: no part has the action "b"' in result.stderr


def test_an_input_is_never_written_to(run):
    Path("my.parts").write_text("part p\n  state s {} initial\ncheck true\n")
    for part in ("my.parts", "my.parts:p"):
        result = run("compose", part, "--output", "my.parts")
        assert result.stderr == "error[P003]: can't write my.parts: it is an input of this run\n"


def test_all_that_is_wrong_is_told_in_one_run(run):
    Path("bad.parts").write_text("part p\n  stat s\n")
    Path("bad.ctl").write_text("EF (\nEF p\nmu X. !X\n")
    result = run("compose", "bad.parts", "no.parts", "--check", "p &", "-f", "bad.ctl")
    codes = [line[6:10] for line in result.stderr.splitlines() if line.startswith("error[")]
    assert codes[:4] == ["P130", "P001", "P301", "P301"]
    assert len(codes) == 5
    assert "--> bad.parts:2:8" in result.stderr
    assert "bad.ctl:3" in result.stderr


def test_what_a_file_says_wrongly_is_told_with_its_line(run):
    Path("own.parts").write_text("part p\n  state s {} initial\ncheck EF q\ncheck <a> p\n")
    result = run("compose", "own.parts")
    assert result.exit_code == 2
    assert "--> own.parts:4" in result.stderr


@pytest.mark.parametrize(
    "options",
    [("--depth", "3"), ("--verify",), ("--start", "a"), ("--engine", "lazy")],
)
def test_options_of_models_are_refused_for_parts(run, options):
    result = run("check", HANDSHAKE, "EF busy", *options)
    assert result.exit_code == 2
    assert "not for compositions" in result.stderr or "not compositions" in result.stderr
