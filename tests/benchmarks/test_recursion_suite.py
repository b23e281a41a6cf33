"""The suite of LTL and CTL* on recursive programs."""

import pytest

from benchmarks.case import Case
from benchmarks.suite import StudyScope
from benchmarks.suites import SUITES
from benchmarks.suites.recursion import EXITS, FORMULAS, strong_fairness
from pigro.limits import Limits
from pigro.logic import parse

SUITE = SUITES["recursion"]
SCOPE = StudyScope(files=None, quick=True, limits=Limits(60))


def test_cases():
    cases = list(SUITE.cases(SCOPE))
    families = [case["family"] for case in cases]
    assert families.count("nodes") == 2 * len(FORMULAS)
    assert families.count("exits") == len(EXITS)
    assert families.count("fairness") == 6
    assert len({case.key for case in cases}) == len(cases)
    for case in cases:
        assert not parse(case.text("formula")).is_ctl


@pytest.mark.parametrize("formula", [*FORMULAS, strong_fairness(2)])
def test_formulas_hold(formula):
    place = {"family": "nodes", "nodes": 2_000, "exits": 0, "formula": formula}
    outcome = SUITE.run(Case.of("recursion", "demand", **place), SCOPE)
    assert outcome.word == "holds"
    assert outcome.visited
