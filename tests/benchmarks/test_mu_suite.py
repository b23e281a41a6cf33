"""The suite `mu`: its verdicts are confirmed, and its tables have a row for each case."""

import pytest

from benchmarks.findings import ResultSet
from benchmarks.generators.models import permutations
from benchmarks.suite import StudyScope
from benchmarks.suites import SUITES
from benchmarks.suites.mu import ALTERNATING
from benchmarks.suites.programs import Programs
from pigro import check, validate
from pigro.logic import Fragment, parse
from pigro.logic.modal import VAR, modal_form

from support.evidence.documents import document_of

SUITE = SUITES["mu"]


@pytest.mark.parametrize("formula", SUITE.formulas)
def test_formulas_are_of_the_mu_calculus(formula):
    assert parse(formula).fragment is Fragment.MU


def test_suites_on_programs_have_their_cases_from_one_place():
    for name in ("mu", "scale"):
        assert isinstance(SUITES[name], Programs)
        assert "skipped" not in vars(type(SUITES[name]))


@pytest.mark.parametrize("depth", ALTERNATING)
def test_alternation_is_as_deep_as_said_and_a_strategy_shows_the_verdict(depth):
    formula, word = ALTERNATING[depth]
    form = modal_form(parse(formula), dead_ends="stop")
    variables = [at for at, op in enumerate(form.ops) if op == VAR]
    assert len({form.priority[at] for at in variables}) == depth
    for exits in (2, 3, 4):
        model = permutations(exits)
        verdict = check(model, formula, witness=True)
        assert verdict.outcome == word
        found = validate(model, document_of(verdict))
        assert [each.word for each in found.findings] == ["accepted"]


def test_cases_run_and_are_told():
    cases = [
        case for case in SUITE.cases(StudyScope(quick=True)) if case.place[1][0][1] in (2, 10_000)
    ]
    assert len(cases) == len(SUITE.formulas) + len(ALTERNATING)
    for case in cases:
        assert SUITE.run(case, StudyScope(quick=True)).word in ("holds", "fails")
    assert [table.name for table in SUITE.tables(ResultSet([]))] == ["mu", "mu-exits"]
