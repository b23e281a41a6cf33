"""The rules K0 to K9 of path formulas: what they accept, and a false certificate for each condition."""

from dataclasses import replace

import pytest

from pigro.certificates.tableau import Tableau
from pigro.engines.native import DEMAND, EXHAUSTIVE
from pigro.logic import parse
from pigro.logic.levels import levels_of
from pigro.logic.normal import ATOM, TRUE
from pigro.logic.path_normal import path_normal_form

from support.agreement.ctl import as_model
from support.certificates.drafts import CHECKERS
from support.certificates.false_paths import false_certificates
from support.certificates.star_traps import TRAPS
from support.certificates.weak_paths import WEAKER, weaker

FALSE = false_certificates()
ENGINES = [replace(each, certify=True, certify_paths=True) for each in (DEMAND, EXHAUSTIVE)]


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@pytest.mark.parametrize("check", CHECKERS)
def test_all_traps_are_proved(check, engine):
    for trap in TRAPS:
        model = as_model(trap.machine)
        verdict = engine(model, parse(trap.formula))
        [found] = check(model, verdict.certificate.to_bytes())
        assert (found.holds, found.problem) == (trap.holds, None), trap


@pytest.mark.parametrize("name", FALSE)
@pytest.mark.parametrize("check", CHECKERS)
def test_a_false_certificate_is_rejected(check, name):
    case = FALSE[name]
    model = case.read
    assert DEMAND(model, parse(case.formula)).holds is not case.holds
    [found] = check(model, bytes.fromhex(case.certificate))
    assert found.problem is not None


@pytest.mark.parametrize("name", FALSE)
def test_a_weaker_rule_accepts_it(name):
    case = FALSE[name]
    [found] = weaker(name)(case.read, bytes.fromhex(case.certificate))
    assert (found.holds, found.problem) == (case.holds, None)


def test_checkers_name_the_rule():
    case = FALSE["K3: all marks"]
    data = bytes.fromhex(case.certificate)
    told = [str(found.problem) for check in CHECKERS for found in check.values[0](case.read, data)]
    assert told[0] == told[1]
    assert told[0].startswith("K3: level ")


def test_each_rule_has_a_false_certificate():
    rules = {name.split(":")[0] for name in FALSE}
    assert rules >= {f"K{number}" for number in range(10)}
    assert FALSE.keys() == WEAKER.keys()


def tableau(formula):
    [level, _] = levels_of(path_normal_form(parse(formula)))
    return Tableau(level)


def test_branches_of_until():
    """E [F (p & X q)]: it is put off, or p is true now and q next."""
    made = tableau("E [F (p & X q)]")
    rows = [made.row(made.first, letter) for letter in range(1 << made.leaves)]
    put_off = {branch for row in rows for branch in row if not branch.marks}
    done = {branch for row in rows for branch in row if branch.marks}
    assert {branch.next for branch in put_off} == {made.first}
    assert len(done) == 1
    assert not any(branch.ends for branch in put_off | done)


def test_a_true_disjunct_is_enough():
    """E [G (p or F q)]: where labels say p, nobody looks for q."""
    [level, _] = levels_of(path_normal_form(parse("E [G (p or F q)]")))
    form, made = level.form, Tableau(level)
    atoms = {
        form.atoms[form.left[at]]: n for n, at in enumerate(level.roots) if form.ops[at] == ATOM
    }
    true = sum(1 << n for n, at in enumerate(level.roots) if form.ops[at] == TRUE)
    [only] = made.row(made.first, true | 1 << atoms["p"])
    assert (only.next, only.tests, only.ends) == (made.first, 0, True)
    [put_off] = made.row(made.first, true)
    assert put_off.next != made.first
    assert not put_off.marks
