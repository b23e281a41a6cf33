"""Every verdict of an engine has a certificate, and every checker accepts it.

PIGRO_CERT_CASES random machines, with some formulas each, by all profiles of the oracle's
generator: stutter, stop and rsmcheck, one initial node or several. The oracle agrees with the
verdicts.
"""

from random import Random

import pytest

from oracle import contexts
from oracle.formula import to_text
from oracle.generate import PROFILES, random_case, random_formula
from support.agreement.ctl import FORMULAS, as_model
from support.certificates.checkers import CHECKERS, answers, certified
from support.selection.cases import first_seed, number_of_cases

CASES = number_of_cases("PIGRO_CERT_CASES", 1000)
FIRST = first_seed("PIGRO_CERT_SEED")


@pytest.mark.parametrize("profile", PROFILES)
def test_every_verdict_is_certified_and_accepted(profile):
    faults, certificates = [], 0
    for seed in range(FIRST, FIRST + CASES // len(PROFILES)):
        found, accepted = faults_of(seed, profile)
        faults += found
        certificates += accepted
    print(
        f"{profile}: {certificates} certificates, {len(faults)} faults; checkers: {', '.join(CHECKERS)}"
    )
    assert faults == []


def faults_of(seed, profile):
    """The faults of a case's certificates, and how many there are."""
    case = random_case(seed, profile)
    rng = Random(seed)
    formulas = [case.formula, *(random_formula(rng) for _ in range(FORMULAS - 1))]
    texts = [to_text(formula) for formula in formulas]
    truths = contexts.decide_many(case.machine, formulas)
    model = as_model(case.machine)
    faults, certificates = [], 0
    for engine in ("demand", "exhaustive", rng.choice(["demand, forward", "demand, backward"])):
        where = f"case {seed} ({profile}), {engine}"
        try:
            sections = certified(model, texts, engine)
        except RuntimeError as error:
            faults.append(f"{where}: {error}; {texts}")
            continue
        certificates += len(sections)
        told = [each.holds for each in sections]
        if told != truths:
            faults.append(f"{where}: the oracle says {truths}, not {told}; {texts}")
        for name in CHECKERS:
            said = answers(name, model, sections)
            if said != [None] * len(texts):
                faults.append(f"{where}: {name} says {said}; {texts}")
    return faults, certificates
