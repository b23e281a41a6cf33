"""The warning for formulas that look like SPIN's LTL."""

from __future__ import annotations

import warnings

import pytest

import pigro
from pigro.engines import SingleStepWarning, single_steps
from pigro.logic import parse
from pigro.model.kripke_part import part_of


@pytest.fixture
def model():
    after = {"a": ["b"], "b": ["a", "c"], "c": ["c"]}
    return pigro.kripke(after, labels={"a": ["p"], "c": ["q"]}, initial="a")


def test_the_formula_is_still_about_single_steps(model):
    with pytest.warns(SingleStepWarning, match=r"single steps in `\[\] \(p -> <> q\)`"):
        assert pigro.check(model, "[] (p -> <> q)").holds is True
    assert pigro.check(model, "A [G (p -> F q)]").holds is False


def test_one_warning_for_all(model):
    with pytest.warns(SingleStepWarning) as caught:
        pigro.check_all(model, ["<> p", "[] <> q", "AG p"])
    assert [str(each.message) for each in caught] == [
        "[] and <> are single steps in `<> p` (and 1 more); "
        "for SPIN's always and eventually write `AF p`"
    ]
    assert caught[0].filename == __file__


def test_parts_are_asked_about_single_steps(model):
    part = part_of(model, stutter=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert pigro.compose_check(part, "<> !p").holds is True
        assert pigro.compose_check(part, "[] <> true").holds is True
    with pytest.warns(SingleStepWarning, match=r"write `A \[G F p\]`"):
        pigro.compose_check(part, "[] <> p")


def test_no_warning():
    formulas = ["AG p", "nu Z. p & [] Z", "G F p", "<> true", "<a> p"]
    assert single_steps(map(parse, formulas)) is None
    assert single_steps([parse("<> p")], of_parts=True) is None
