"""The sentence that a verdict gets: those of CTL by operator, all others by their text."""

from types import SimpleNamespace

import pytest

from pigro.engines.native import _what_grew
from pigro.logic import conjunction, parse
from pigro.verdict.reason import sentence


@pytest.mark.parametrize(
    "text, holds, told",
    [
        ("A [G F p]", True, "every run satisfies G F p"),
        ("A [G F p]", False, "some run violates G F p"),
        ("G F p", True, "every run satisfies G F p"),
        ("G F p", False, "some run violates G F p"),
        ("E [G F p]", True, "some run satisfies G F p"),
        ("E [G F p]", False, "no run satisfies G F p"),
        ("!E [G F p]", True, "no run satisfies G F p"),
        ("!(G F p)", True, "every run satisfies !G F p"),
        ("!(G F p)", False, "some run violates !G F p"),
        ("G p & F q", True, "every run satisfies G p & F q"),
        ("A [F p | G q]", False, "some run violates F p | G q"),
        ("E [p U X q]", True, "some run satisfies p U X q"),
        ("E [!F p]", True, "some run satisfies !F p"),
        ("G p", False, "some reachable state violates p"),
        ("p U (q & A [F G r])", True, "on every run p lasts until (q & A [F G r])"),
        ("A [p]", True, "the initial state carries p"),
        ("!E [!p]", True, "the initial state carries p"),
        ("E [A [F p]]", False, "some run never reaches p"),
        ("!p", False, "the initial state carries p"),
        ("AG p | G F q", True, "every run satisfies AG p | G F q"),
        ("AG p | A [G F q]", True, "(AG p | A [G F q]) is true in the initial state"),
    ],
)
def test_sentence(text, holds, told):
    assert sentence(parse(text), holds=holds) == told


def test_long_formulas_are_cut():
    many = conjunction(parse(f"F p{at}") for at in range(1000))
    assert (
        sentence(many, holds=True)
        == "every run satisfies F p0 & F p1 & F p2 & F p3 & F p4 & F p5 & F p6 & F p7 & F..."
    )


@pytest.mark.parametrize(
    "text, told",
    [
        ("A [{((p | q) ; q)? ; (p*)+}^w]", "the automaton of the regular operators has 329 states"),
        ("E [{p ; q} |-> F q]", "the automaton of the regular operators has 329 states"),
        ("A [G F p | G F q]", "each F, U or X beside others can double it"),
    ],
)
def test_the_reason_why_there_is_no_verdict_names_what_grew(text, told):
    grown = SimpleNamespace(states=329, branches=50_000 if "regular" in told else 0, contexts=1)
    assert told in _what_grew(grown, parse(text))
