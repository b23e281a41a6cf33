"""The suite `mu`: its verdicts are confirmed, and its table has a row for each case."""

import pytest

from pigro.bench.case import Case
from pigro.bench.suites import SUITES
from pigro.bench.suites.mu import FORMULAS
from pigro.logic import Fragment, parse


@pytest.mark.parametrize("formula", FORMULAS)
def test_formulas_are_of_the_mu_calculus(formula):
    assert parse(formula).fragment is Fragment.MU
    assert SUITES["mu"].name == "mu"
    assert Case.of("mu", "game", nodes=10_000, formula=formula).runner == "game"
