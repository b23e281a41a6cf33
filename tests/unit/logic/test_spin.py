"""Formulas that look like SPIN's LTL, and what to write instead."""

from __future__ import annotations

import pytest

from pigro.diagnostics import CheckError
from pigro.logic import parse
from pigro.logic.spin import alternates, looks_like_spin, spin_hint

ALIKE = [  # formula, in LTL
    ("[](p -> <>q)", "A [G (p -> F q)]"),
    ("[]<>p", "A [G F p]"),
    ("<>[]p", "A [F G p]"),
    ("[] p", "AG p"),
    ("<> p", "AF p"),
    ("!<> p", "A [!F p]"),
    ("[] (p && q)", "AG (p & q)"),
    ("[] p & <> q", "A [G p & F q]"),
    ("[] p | <> q", "A [G p | F q]"),
    ("q | [] p", "A [q | G p]"),
    ("[] p | q", "A [G p | q]"),
    ("[] p -> <> q", "A [G p -> F q]"),
    ("[] (p -> [] (q | <> !p))", "A [G (p -> G (q | F !p))]"),
    ("[] (p <-> <> q)", "A [G (p <-> F q)]"),
    ("[] (p -> X q)", "A [G (p -> X q)]"),
    ("(!q U p) || [] !q", "A [(!q U p) | G !q]"),
    ("[] ([] p) U <> q", "A [(G G p) U F q]"),
    ('[] "[] p" | "<> "', 'A [G "[] p" | "<> "]'),
    ('[] <> "F"', 'A [G F "F"]'),
]


@pytest.mark.parametrize("text, ltl", ALIKE)
def test_what_to_write(text, ltl):
    formula = parse(text)
    assert looks_like_spin(formula)
    assert spin_hint(formula) == f"for SPIN's always and eventually write `{parse(ltl)}`"


@pytest.mark.parametrize(
    "text",
    [
        "p",
        "G F p",
        "AG (p -> AF q)",
        "<> true",
        "[] false",
        "[] <> true",
        "[] (p -> <> true)",
        "<a> p",
        "[a] (p -> <> q)",
        "mu Z. p | <> Z",
        "[] (nu Z. p & <> Z)",
        "AG <> p",
        "<> AG p",
    ],
)
def test_what_is_meant_as_single_steps(text):
    formula = parse(text)
    assert not looks_like_spin(formula)
    assert spin_hint(formula) is None


@pytest.mark.parametrize(
    "text, found",
    [
        ("[] (p -> <> q)", True),
        ("<> [] p", True),
        ("[] (p & (q | !<> p))", True),
        ("<> p", False),
        ("<> <> p", False),
        ("[] p & <> p", False),
        ("mu Z. p | [] <> Z", True),
        ("mu Z. p | <> Z", False),
    ],
)
def test_alternating(text, found):
    assert alternates(parse(text)) is found


def test_errors_say_it():
    for text in ("[] (p U q)", "[] p U q", "[] (p -> X q)"):
        with pytest.raises(CheckError) as caught:
            parse(text).require_ctl()
        assert "for SPIN's always and eventually write `A [" in caught.value.hint


def test_long_and_hostile_formulas():
    shared = parse("[] p")
    for _ in range(60):
        shared = shared & shared | shared.implies(parse("q"))
    assert spin_hint(shared) == "for SPIN's always and eventually write G for [] and F for <>"
    many = parse("[] (" + " | ".join(f"p{at}" for at in range(100)) + ")")
    assert spin_hint(many) == "for SPIN's always and eventually write G for [] and F for <>"
    assert "\x1b" not in spin_hint(parse('[] "\x1b[31m"'))
