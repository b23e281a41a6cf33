"""Formulas that look like SPIN's LTL, and what to write instead."""

from __future__ import annotations

from itertools import chain, islice

import pytest

from pigro.diagnostics import CheckError
from pigro.logic import parse
from pigro.logic.spin import alternates, looks_like_spin, reading_in_ctl, spin_hint, spin_reading

from oracle.star_structures import all_structures
from oracle.star_tableau import decide
from support.judges.star_decider import as_oracle

ALIKE = [  # formula, in LTL, in CTL
    ("[](p -> <>q)", "A [G (p -> F q)]", "AG (p -> AF q)"),
    ("[]<>p", "A [G F p]", "AG AF p"),
    ("<>[]p", "A [F G p]", None),
    ("[] p", "AG p", "AG p"),
    ("<> p", "AF p", "AF p"),
    ("!<> p", "A [!F p]", None),
    ("[] (p && q)", "AG (p & q)", "AG (p & q)"),
    ("[] p & <> q", "A [G p & F q]", "AG p & AF q"),
    ("[] p | <> q", "A [G p | F q]", None),
    ("q | [] p", "A [q | G p]", "q | AG p"),
    ("[] p | q", "A [G p | q]", "AG p | q"),
    ("[] p -> <> q", "A [G p -> F q]", None),
    ("[] (p -> [] (q | <> !p))", "A [G (p -> G (q | F !p))]", "AG (p -> AG (q | AF !p))"),
    ("[] (p <-> <> q)", "A [G (p <-> F q)]", None),
    ("[] (p -> X q)", "A [G (p -> X q)]", None),
    ("(!q U p) || [] !q", "A [(!q U p) | G !q]", None),
]


@pytest.mark.parametrize("text, ltl, ctl", ALIKE)
def test_what_to_write(text, ltl, ctl):
    formula = parse(text)
    assert looks_like_spin(formula)
    assert spin_reading(formula) == parse(ltl)
    assert reading_in_ctl(formula) == (None if ctl is None else parse(ctl))
    hint = spin_hint(formula)
    assert f"`{ltl}`" in hint
    assert (f"`{ctl}`" in hint) is (ctl is not None)


@pytest.mark.parametrize("text, ltl, ctl", [each for each in ALIKE if each[2]])
def test_ctl_means_the_same_as_ltl(text, ltl, ctl):
    said, again = (as_oracle(parse(each))[-1] for each in (ltl, ctl))
    assert parse(ctl).is_ctl
    for dead_ends in ("stutter", "stop"):
        small = [all_structures(count, ("p", "q"), dead_ends) for count in (1, 2)]
        some_of_three = islice(all_structures(3, ("p", "q"), dead_ends), 0, None, 197)
        for structure in chain(*small, some_of_three):
            assert decide(structure, said) == decide(structure, again), structure


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


def test_compositions_are_not_asked_about_ltl():
    assert spin_hint(parse("[] (p -> <> q)"), in_ctl=True).endswith("write `AG (p -> AF q)`")
    assert spin_hint(parse("<> [] p"), in_ctl=True) == (
        "SPIN's formula is `A [F G p]` here, which is not in CTL"
    )


def test_errors_say_it():
    for text in ("[] (p U q)", "[] p U q", "[] (p -> X q)"):
        with pytest.raises(CheckError) as caught:
            parse(text).require_ctl()
        assert "for SPIN's always and eventually write `A [" in caught.value.hint


def test_long_and_hostile_formulas():
    many = parse("[] (" + " | ".join(f"p{at}" for at in range(100)) + ")")
    assert spin_hint(many) == "for SPIN's always and eventually write G for [] and F for <>"
    assert "\x1b" not in spin_hint(parse('[] "\x1b[31m"'))
