"""The semantics `rmv`: every engine, both checkers and the replay agree with the oracle.

The oracle was written from [Finis2012], definition 2.4.3 (oracle/machine.py) and the initial context
assumption of section 3.3.3 (oracle/contexts.py); its unfolding knows the definition alone. PIGRO_RMV_CASES
random machines; docs/reliability.md reports 20,000.
"""

import os
import pickle
from dataclasses import replace
from random import Random

import pytest

from pigro.engines.basic import BASIC
from pigro.engines.contexts import EAGER, LAZY, RANDOM, TERNARY
from pigro.engines.incremental import INCREMENTAL
from pigro.engines.incremental.knowledge import KNOWLEDGE
from pigro.engines.native import DEMAND, EXHAUSTIVE
from pigro.evidence.replay import replay
from pigro.evidence.tree import evidence_for
from pigro.formats import rsm_json
from pigro.logic import parse

from agreement import as_model, disagreements
from checkers import CHECKERS, answers, certified
from oracle import contexts, unfold
from oracle.formula import to_text
from oracle.generate import random_case, random_formula, single_machine

CASES = int(os.environ.get("PIGRO_RMV_CASES", "1000"))
CHUNKS = 10
PUBLISHED = (EAGER, LAZY, TERNARY, RANDOM)
SINGLE = (INCREMENTAL, BASIC, KNOWLEDGE)
CERTIFYING = replace(DEMAND, certify=True)


def seeds(chunk, share=1):
    return range(chunk, max(CASES // share, 2 * CHUNKS), CHUNKS)


def rmv(machine):
    return replace(machine, semantics="rmv")


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_native_engines(chunk):
    found = [line for seed in seeds(chunk) for line in disagreements(seed, semantics="rmv")]
    assert found == []


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_published_engines(chunk):
    found = []
    for seed in seeds(chunk):
        case = random_case(seed)
        machine = rmv(case.machine)
        truth = contexts.decide(machine, case.formula)
        model, formula = as_model(machine), parse(to_text(case.formula))
        said = {engine.name: engine(model, formula).holds for engine in PUBLISHED}
        if set(said.values()) != {truth}:
            found.append(f"case {seed}: oracle {truth}, {said}, {formula}")
    assert found == []


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_engines_for_one_entry_and_exit(chunk):
    found = []
    for seed in seeds(chunk):
        rng = Random(seed)
        machine, formula = rmv(single_machine(rng)), random_formula(rng)
        truth = contexts.decide(machine, formula)
        model, asked = as_model(machine), parse(to_text(formula))
        said = {
            engine.name: engine(model, asked).holds
            for engine in SINGLE
            if engine.fits(model) is None
        }
        if set(said.values()) != {truth}:
            found.append(f"machine {seed}: oracle {truth}, {said}, {asked}")
    assert found == []


def test_the_oracle_obeys_the_definition():
    """The context oracle says what unfolding by the definition says, where that says something."""
    found, told, different = [], 0, 0
    for seed in range(max(CASES, 200)):
        case = random_case(seed)
        machine = rmv(case.machine)
        truth = contexts.decide(machine, case.formula)
        different += truth is not contexts.decide(case.machine, case.formula)
        near = unfold.decide(machine, case.formula, max_depth=4, max_states=40)
        told += near is not None
        if near not in (None, truth):
            found.append(seed)
    assert found == []
    assert told > 100
    assert different > 5


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_certificates_and_evidence(chunk):
    faults = []
    for seed in seeds(chunk, 2):
        case = random_case(seed)
        model, text = as_model(rmv(case.machine)), to_text(case.formula)
        sections = certified(model, [text], "exhaustive" if seed % 2 else "demand")
        faults += [
            (seed, name)
            for name in CHECKERS
            if answers(name, model, sections) != [None] * len(sections)
        ]
        verdict = CERTIFYING(model, parse(text))
        data = verdict.certificate.to_bytes()
        evidence = evidence_for(model, data)
        assert evidence.truth is verdict.holds
        replay(model, data, evidence)
    assert faults == []


def test_a_converted_model_means_the_same_in_the_standard_semantics():
    found = []
    for seed in range(max(CASES // 10, 60)):
        case = random_case(seed)
        model = as_model(rmv(case.machine))
        again = rsm_json.read(rsm_json.write(model), dead_ends=case.machine.dead_ends)
        formula = parse(to_text(case.formula))
        if EXHAUSTIVE(model, formula).holds is not EXHAUSTIVE(again, formula).holds:
            found.append(seed)
        assert pickle.loads(pickle.dumps(model)) == model
    assert found == []
