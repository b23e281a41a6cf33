"""Which logic a formula belongs to, and the message of an engine that only does CTL."""

from __future__ import annotations

import pytest

from pigro.diagnostics import CheckError
from pigro.logic import Fragment, parse

CASES = [
    ("p", "PROPOSITIONAL"),
    ("true", "PROPOSITIONAL"),
    ("p -> !q xor r <-> false", "PROPOSITIONAL"),
    ("AG p", "CTL"),
    ("!E [p U AX q] & r", "CTL"),
    ("A [p W E [q R r]]", "CTL"),
    ("G p", "LTL"),
    ("p & X q", "LTL"),
    ("G F p -> G F q", "LTL"),
    ("A [G F p]", "LTL"),
    ("A [p]", "LTL"),
    ("A [p & X q]", "LTL"),
    ("A [(p U q) U r]", "LTL"),
    ("E p", "CTL_STAR"),
    ("E [G F p]", "CTL_STAR"),
    ("!A [G F p]", "CTL_STAR"),
    ("AG F AG p", "CTL_STAR"),
    ("A [G p] & A [G F p]", "CTL_STAR"),
    ("p U A [G q]", "CTL_STAR"),
    ("AG p & G p", "CTL_STAR"),
]


@pytest.mark.parametrize(("text", "fragment"), CASES)
def test_fragments(text: str, fragment: str) -> None:
    assert parse(text).fragment is Fragment[fragment]


REASONS = [
    ("G p", "`G p` is a path formula: its G is not directly under A or E", "on all paths: `AG p`"),
    (
        "p U q",
        "`p U q` is a path formula: its U is not directly under A or E",
        "on all paths: `A [p U q]`",
    ),
    (
        "G F p",
        "`G F p` is a path formula: its G is not directly under A or E",
        "in CTL each of X, F, G, U, W, R has its own A or E directly before it",
    ),
    (
        "G EF p",
        "`G EF p` is a path formula: its G is not directly under A or E",
        "on all paths: `AG EF p`",
    ),
    (
        "p & A [G F q]",
        "in `G F q` the F of `F q` is not directly under A or E",
        "in CTL each of X, F, G, U, W, R has its own A or E directly before it",
    ),
    (
        "AG E p",
        "in `E [p]` no path operator stands directly under E",
        "E needs one of X, F, G, U, W, R: for example EF or EG",
    ),
    (
        "A [p & X q]",
        "in `A [p & X q]` no path operator stands directly under A",
        "A needs one of X, F, G, U, W, R: for example AF or AG",
    ),
    (
        "E [a U b & c]",
        "in `E [(a U b) & c]` no path operator stands directly under E",
        "U binds tighter than &: write `E [a U (b & c)]`",
    ),
    (
        "AG A [a | b & AF c R d]",
        "in `A [a | b & ((AF c) R d)]` no path operator stands directly under A",
        "R binds tighter than &: write `A [(a | b & AF c) R d]`",
    ),
    (
        "E [a U b & X c]",
        "in `E [(a U b) & X c]` no path operator stands directly under E",
        "E needs one of X, F, G, U, W, R: for example EF or EG",
    ),
    (
        "E [a U b & c U d]",
        "in `E [(a U b) & (c U d)]` no path operator stands directly under E",
        "E needs one of X, F, G, U, W, R: for example EF or EG",
    ),
]


@pytest.mark.parametrize(("text", "message", "hint"), REASONS)
def test_why_it_is_not_ctl(text: str, message: str, hint: str) -> None:
    with pytest.raises(CheckError) as caught:
        parse(text).require_ctl()
    assert caught.value.code == "P401"
    assert caught.value.message == f"not a CTL formula: {message}"
    assert caught.value.hint == hint


def test_hostile_labels_are_escaped_in_the_reason() -> None:
    with pytest.raises(CheckError) as caught:
        parse('G F "\x1b[31m"').require_ctl()
    assert caught.value.message.isprintable()
