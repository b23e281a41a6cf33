"""The normal form of CTL*: which quantifiers become levels of CTL, and which are over a path formula."""

import pytest

from pigro.logic import existential_normal_form, parse
from pigro.logic.path_normal import EXISTS, path_normal_form
from pigro.logic.simplify import EG, EU, EX


def levels(text, **options):
    """The quantifiers of the normal form, sorted: X, U and G of CTL, and * over a path formula."""
    signs = {EX: "X", EU: "U", EG: "G", EXISTS: "*"}
    form = path_normal_form(parse(text), **options)
    return "".join(sorted(signs[op] for op in form.ops if op in signs))


def test_ctl_is_as_it_was():
    formula = parse("AG (p -> A [q U EX p])")
    assert path_normal_form(formula) == existential_normal_form(formula)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A [G F p]", "*"),
        ("G (p -> F q)", "*"),
        ("E [p & F q]", "U"),  # about the first state
        ("E [p | X q]", "X"),
        ("A [p -> G q]", "U"),
        ("E [F (p & X q)]", "*"),
        ("E [F G p]", "*"),  # not split
        ("EF (p & E [G F q])", "*"),  # one level
        ("E [p U E [G F q]]", "*"),
        ("A [G (p -> A [F G q])]", "*"),
        ("EF (p & EG q)", "GU"),  # CTL stays
        ("EX E [G F q]", "*X"),
        ("EF (p | E [G F q])", "*U"),
        ("E [G F EX p]", "*X"),
        ("E [X true]", "X"),
        ("E [X X true]", "*"),
        ("E [X false | p]", ""),
    ],
)
def test_levels(text, expected):
    assert levels(text) == expected


def test_paths_only():
    assert levels("AG (p -> EF q)", only_paths=True) == "**"
    assert levels("AG (p -> AF q)", only_paths=True) == "**"
    assert levels("EX EX p", only_paths=True) == "**"


def test_deep_formulas_do_not_recurse():
    text = "E [" + "X (q & " * 200 + "F p" + ")" * 200 + "]"
    assert levels(text) == "*"
    text = "F p" + " & F p & q" * 5_000
    assert levels(f"E [{text}]") == "*"
