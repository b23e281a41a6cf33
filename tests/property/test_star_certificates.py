"""Certificates of CTL* on random machines: the engines' are accepted, and no spoiled one that is false.

PIGRO_STAR_CERTIFICATES machines with four formulas each, of both engines. PIGRO_STAR_SPOILED spoiled certificates.
PIGRO_STAR_SEED gives others.
"""

from dataclasses import replace

from pigro.certificates import check_certificates
from pigro.certificates.native_checker import check_certificates_natively
from pigro.engines.native import DEMAND, EXHAUSTIVE
from pigro.logic import parse

from oracle.star_cases import star_case
from oracle.star_formula import to_text
from support.agreement.ctl import as_model
from support.certificates.spoiled_paths import spoil
from support.selection.cases import FEW_CASES, first_seed, number_of_cases

MACHINES = number_of_cases("PIGRO_STAR_CERTIFICATES", 200)
SPOILED = number_of_cases("PIGRO_STAR_SPOILED", 1500)
FIRST = first_seed("PIGRO_STAR_SEED")
ENGINES = [replace(each, certify=True, certify_paths=True) for each in (DEMAND, EXHAUSTIVE)]


def test_certificates_of_random_machines_are_accepted():
    proved = 0
    for seed in range(FIRST, FIRST + MACHINES):
        machine, formulas = star_case(seed)
        model = as_model(machine)
        asked = [parse(to_text(formula)) for formula in formulas]
        for engine in ENGINES:
            for verdict in engine.check_all(model, asked):
                data = verdict.certificate.to_bytes()
                for check in (check_certificates, check_certificates_natively):
                    [found] = check(model, data)
                    assert found.problem is None, f"machine {seed}, {engine.name}: {found}"
                    assert found.holds is verdict.holds
                proved += 1
    print(f"{proved} certificates from machine {FIRST} on")


def test_no_spoiled_certificate_of_a_wrong_verdict_is_accepted():
    tally = spoil(FIRST, SPOILED)
    assert not tally.wrong, tally.wrong[:5]
    assert FEW_CASES or tally.false > SPOILED / 4
    assert FEW_CASES or tally.malformed < SPOILED / 4
