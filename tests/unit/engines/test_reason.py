"""The sentence that a verdict gets: those of CTL by operator, all others by their text."""

import pytest

from pigro.engines.reason import sentence
from pigro.logic import conjunction, parse


@pytest.mark.parametrize(
    "text, holds, told",
    [
        ("A [G F p]", True, "on every run, G F p"),
        ("A [G F p]", False, "on some run not: G F p"),
        ("G F p", True, "on every run, G F p"),
        ("G F p", False, "on some run not: G F p"),
        ("E [G F p]", True, "on some run, G F p"),
        ("E [G F p]", False, "on no run, G F p"),
        ("!E [G F p]", True, "on no run, G F p"),
        ("!(G F p)", True, "on every run, !G F p"),
        ("!(G F p)", False, "on some run not: !G F p"),
        ("G p & F q", True, "on every run, G p & F q"),
        ("A [F p | G q]", False, "on some run not: F p | G q"),
        ("E [p U X q]", True, "on some run, p U X q"),
        ("E [!F p]", True, "on some run, !F p"),
        ("G p", False, "some reachable state violates p"),
        ("p U (q & A [F G r])", True, "on every run p lasts until (q & A [F G r])"),
        ("A [p]", True, "the initial state carries p"),
        ("!E [!p]", True, "the initial state carries p"),
        ("E [A [F p]]", False, "some run never reaches p"),
        ("!p", False, "the initial state carries p"),
        ("AG p | G F q", True, "on every run, AG p | G F q"),
        ("AG p | A [G F q]", True, "(AG p | A [G F q]) is true in the initial state"),
    ],
)
def test_sentence(text, holds, told):
    assert sentence(parse(text), holds=holds) == told


def test_long_formulas_are_cut():
    many = conjunction(parse(f"F p{at}") for at in range(1000))
    assert (
        sentence(many, holds=True)
        == "on every run, F p0 & F p1 & F p2 & F p3 & F p4 & F p5 & F p6 & F p7 & F..."
    )
