"""Texts in which U, W or R comes after a formula that begins with A or E, without brackets."""

from __future__ import annotations

import random

import pytest

from pigro import Formula
from pigro.logic import parse
from pigro.logic.construct import A
from pigro.logic.syntax import UNCLEAR
from pigro.logic.unclear import read_as


@pytest.mark.parametrize(
    "text, read",
    [
        ("AG lock U unlock", "A [(AG lock) U unlock]"),
        ("A G lock U unlock", "A [(AG lock) U unlock]"),
        ("A (G lock) U unlock", "A [(AG lock) U unlock]"),
        ("E AG p U q", "E [(AG p) U q]"),
        ("!EX p W q", "A [(!EX p) W q]"),
        ("X AG p R q", "A [(X AG p) R q]"),
        ("<a> AG p U q", "A [(<a> AG p) U q]"),
        ("AG (AF p V q)", "A [G ((AF p) R q)]"),
        ("E p U AG q U r", "E [p U ((AG q) U r)]"),
        ("A [AG p U q -> r]", "A [((AG p) U q) -> r]"),
        ("A [AG p U q U r]", "A [(AG p) U (q U r)]"),
        ("AG A [p U q] U r", "A [(AG A [p U q]) U r]"),
        ("E (p U q) U r", "A [E [p U q] U r]"),
        ("nu Z. AX p U q", "nu Z. (AX p) U q"),
    ],
)
def test_unclear(text, read):
    formula = parse(text)
    assert formula.kept[UNCLEAR] == text
    assert Formula(text).kept[UNCLEAR] == text
    assert read_as(formula) == read
    assert parse(read) in (formula, A(formula))


@pytest.mark.parametrize(
    "text",
    [
        "(AG lock) U unlock",
        "A [AG lock U unlock]",
        "E (EX p U q)",
        "E [!EX p U q]",
        "E (E (p U q) U r)",
        "A [p U q] U r",
        "E (p | q) U r",
        "E (AG p) U q",
        "AF E p U q",
        "AF E (p | q) U r",
        "AG p & q U r",
        "AG (p U q)",
        '"AG" U q',
        "nu U. AX (p & AG U)",
        "{AG p ; q}! U r",
        "!(AG p) U q",
    ],
)
def test_clear(text):
    assert UNCLEAR not in parse(text).kept


def test_formulas_that_programs_make_have_no_text():
    assert UNCLEAR not in A(parse("AG p U q")).kept


def test_a_long_formula_is_cut():
    text = "AG p U q & " + " & ".join(f"p{number}" for number in range(200))
    assert read_as(parse(text)).endswith("...]")


_WORDS = ("AX", "AF", "AG", "EX", "EF", "EG", "!", "X", "G", "A", "E")
_SIGNS = ("U", "W", "R", "&", "->")
_BRACKETS = ("({})", "A [{}]", "E ({})")


def _text(rng, depth):
    kind = rng.randrange(8) if depth else 0
    if kind < 2:
        return rng.choice("pqr")
    if kind < 5:
        return f"{rng.choice(_WORDS)} {_text(rng, depth - 1)}"
    if kind < 6:
        return rng.choice(_BRACKETS).format(_text(rng, depth - 1))
    return f"{_text(rng, depth - 1)} {rng.choice(_SIGNS)} {_text(rng, depth - 1)}"


def test_printed_formulas_are_clear_and_mean_the_same():
    rng = random.Random(20)
    unclear = 0
    for _ in range(2000):
        formula = parse(_text(rng, 5))
        printed = parse(str(formula))
        assert printed == formula
        assert UNCLEAR not in printed.kept
        if UNCLEAR in formula.kept and "..." not in (read := read_as(formula)):
            unclear += 1
            assert parse(read) in (formula, A(formula))
            assert UNCLEAR not in parse(read).kept
    assert unclear > 100
