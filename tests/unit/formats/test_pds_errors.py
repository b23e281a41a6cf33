"""What is wrong with a pushdown system, where, and what to do."""

from __future__ import annotations

import sys
import time

import pytest

from pigro import ModelBuilder, ModelError, PigroError, UsageError, kripke
from pigro.diagnostics import render_error
from pigro.formats import pdmu, pds

START = "(p <g>)\n"


@pytest.mark.parametrize(
    "text, code, line, column, message",
    [
        ("p <g> --> p <>", "P111", 1, None, "the file has no initial configuration"),
        ("", "P111", 1, None, "the file has no initial configuration"),
        (START + START, "P111", 2, 1, "a second initial configuration; the first is in line 1"),
        (START + "p <g> -> p <>", "P110", 2, 7, 'expected --> after the left side, found "-"'),
        (START + "p <g> --> p", "P110", 2, 12, "expected < after the control state, found the end of the line"),
        (START + "p <g> --> p <h", "P110", 2, 15, "expected > after the stack, found the end of the line"),
        (START + "p <g> --> <h>", "P110", 2, 11, 'expected a control state after -->, found "<"'),
        (START + "p <g> --> p <h> x\r\n", "P110", 2, 17, 'expected the end of the line, found "x"'),
        (START + "p <g h> --> p <h>", "P110", 2, 3, "the left side of a rule has one symbol, not 2"),
        (START + "p <> --> p <h>", "P110", 2, 3, "the left side of a rule has one symbol, not 0"),
        (START + "p <g<> --> p <h>", "P110", 2, 5, 'expected a symbol or >, found "<"'),
        (START + "p <g>> --> p <h>", "P110", 2, 6, 'expected --> after the left side, found ">"'),
        (START + "hello", "P110", 2, 1, 'expected a statement, found "hello"'),
        (START + "ATOMS", "P110", 2, 1, 'expected a statement, found "ATOMS"'),
        (START + "ATOMS g", "P110", 2, 8, "expected a label, found the end of the line"),
        (START + "ATOMS g ,", "P110", 2, 9, 'expected a label, found ","'),
        (START + "ATOMS g a<b", "P110", 2, 10, 'expected a label, found "<"'),
        (START + "ATOMS p <g h> a", "P110", 2, 9, "expected one symbol after the control state, not 2"),
        ("(p <g>", "P110", 1, 7, "expected ) after the initial configuration, found the end of the line"),
        ("()", "P110", 1, 2, 'expected a control state, found ")"'),
        (START + " /* never", "P112", 2, 2, "a comment is not closed"),
    ],
)  # fmt: skip
def test_pds(text: str, code: str, line: int, column: int | None, message: str):
    with pytest.raises(PigroError) as caught:
        pds.read(text.encode(), source="bad.pds")
    error = caught.value
    place = error.position
    assert (error.code, error.message) == (code, message)
    assert (place.source, place.line, place.column) == ("bad.pds", line, column)
    assert f"bad.pds:{line}" in render_error(error)
    assert error.hint


@pytest.mark.parametrize(
    "text, code, line, column, message",
    [
        ("", "P113", 1, 1, 'expected the section "Rules:"'),
        ("x\nRules:\n", "P113", 1, 1, 'expected the section "Rules:"'),
        ("Propositions:\n", "P113", 1, None, 'the file has no section "Rules:"'),
        ("Rules:\nRules:\n", "P113", 2, 1, 'section "Rules:" is out of place'),
        ("Rules:\n\np g -> q h", "P110", 3, 1, "expected ; at the end of the statement"),
        ("Rules:\n p g -> q;", "P110", 2, 2, 'expected STATE SYMBOL -> STATE SYMBOL ...; and found "p g -> q"'),
        ("Rules:\np g -> q _;\nPropositions:\np;", "P110", 4, 1, 'expected STATE SYMBOL LABEL ...; and found "p"'),
        ("Rules:\np g -> p _;", "P111", 1, None, "the rules do not tell where to start: every control state is led into"),
        ("Rules:\np g -> q _; r h -> q _;", "P111", 1, None, "the rules do not tell where to start: p g, r h are never led into"),
    ],
)  # fmt: skip
def test_pdmu(text: str, code: str, line: int, column: int | None, message: str):
    with pytest.raises(PigroError) as caught:
        pdmu.read(text.encode(), source="bad.pdmu")
    error = caught.value
    assert (error.code, error.message) == (code, message)
    assert (error.position.line, error.position.column) == (line, column)


@pytest.mark.parametrize("read", [pds.read, pdmu.read])
def test_bytes_that_are_no_text(read):
    with pytest.raises(PigroError) as caught:
        read(b"\n\xc3\xa9\xff", source="x")
    assert caught.value.code == "P102"
    assert (caught.value.position.line, caught.value.position.column) == (2, 2)


def test_split_or_not_at_all():
    with pytest.raises(ModelError) as caught:
        pds.read(b"(p <g>)\np <g> --> p <>\np <g> --> p <g>", translation="split")
    assert caught.value.code == "P214"
    with pytest.raises(UsageError):
        pds.read(b"(p <g>)", translation="both")


def test_too_many_returns(monkeypatch: pytest.MonkeyPatch):
    """Two exits in a procedure that is called from two places make four of them."""
    text = b"""\
(p <m>)
p <m> --> p <f a>
p <a> --> p <f b>
p <f> --> p <x>
p <f> --> p <y>
p <x> --> p <>
p <y> --> q <>
"""
    module = sys.modules[pds.translate.__module__]
    monkeypatch.setattr(module, "MOST_RETURNS", 6)  # the first step is a call too
    split = pds.read(text, translation="split")
    monkeypatch.setattr(module, "MOST_RETURNS", 5)
    with pytest.raises(ModelError) as caught:
        pds.read(text, translation="split")
    assert caught.value.code == "P214"
    assert caught.value.message == (
        "the pushdown system can't be split into procedures: "
        "that takes more than 5 edges from return nodes"
    )
    general = pds.read(text)
    assert split.core.components != general.core.components


def test_what_cannot_be_written():
    model = ModelBuilder()
    model.component("m").node("a")
    both = kripke({"a": ["a"], "b": ["b"]}, labels={}, initial=["a", "b"])
    with pytest.raises(ModelError) as caught:
        pds.write(both)
    assert caught.value.code == "P215"


@pytest.mark.parametrize(
    "text",
    [
        "(" * 200_000,
        "(p <" + "g " * 200_000 + ">)",
        "(p <g>)\np <g> --> p <" + "g " * 50_000 + ">",
        "(p <g>)\n" + "p <g> --> p <g g g>\n" * 50_000 + "p <g> --> p <>",
        "(p <g>)\n" + "/* " * 200_000,
        "(p <g>)\n" + "/* */ " * 100_000,
        "(p <g>)\n" + "<" * 500_000,
        "(p <g>)\nATOMS g " + "a, " * 200_000,
        "(p <g>)\n" + "".join(f"p <g{i}> --> p <>\np <h{i}> --> p <g0 k{i}>\np <g{i}> --> p <h{i}>\n" for i in range(3_000)),
        "(p <g0>)\n" + "".join(f"p <g{i}> --> p <g{i + 1} h>\n" for i in range(30_000)),
        "(p <g0>)\n" + "".join(f"p{i} <g> --> p{i} <>\n" for i in range(2_000)) + "".join(f"p <h{i}> --> p <g k{i}>\n" for i in range(2_000)),
        "\x00\x1b[31m <\x07>",
        "Rules:" * 100_000,
        "Rules:\n" + "p g -> p g g;\n" * 100_000,
        "Rules:\n" + "Propositions:\n" * 100_000,
    ],
)  # fmt: skip
@pytest.mark.parametrize("read", [pds.read, pdmu.read])
def test_hostile_files_take_no_time(read, text: str):
    began = time.process_time()
    try:
        read(text.encode())
    except PigroError as error:
        assert len(render_error(error)) < 2_000
    assert time.process_time() - began < 60
