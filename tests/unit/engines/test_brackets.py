"""The warning for formulas that may be meant otherwise, because brackets are missing."""

from __future__ import annotations

import warnings

import pytest

import pigro
from pigro.engines import BracketWarning
from pigro.model.kripke_part import part_of

TOLD = "`AG p U q` is read as `A [(AG p) U q]`; write brackets to say what you mean"


@pytest.fixture
def model():
    after = {"a": ["b"], "b": ["a", "c"], "c": ["c"]}
    return pigro.kripke(after, labels={"a": ["p"], "c": ["q"]}, initial="a")


class Loop:
    initial = 0

    def successors(self, state):
        return [0]

    def labels(self, state):
        return []


def warned(call, *args):
    with pytest.warns(BracketWarning) as caught:
        call(*args)
    [warning] = caught
    assert warning.filename == __file__
    return str(warning.message)


def test_from_python(model):
    assert warned(pigro.check, model, "AG p U q") == TOLD
    assert warned(pigro.check, model, pigro.parse("AG p U q")) == TOLD
    assert warned(pigro.check, Loop(), "AG p U q") == TOLD
    assert (
        warned(pigro.check_all, model, ["p", "AG p U q", "EX p U q"]) == f"{TOLD} (1 more of them)"
    )
    told = warned(pigro.compose_check, part_of(model, stutter=True), "E AG p U q")
    assert told.startswith("`E AG p U q` is read as `E [(AG p) U q]`;")


def test_no_warning(model):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pigro.check_all(model, ["(AG p) U q", "A [AG p U q]", "E (E (p U q) U p)"])
        pigro.check(model, pigro.parse(str(pigro.parse("(AG p) U q"))))
