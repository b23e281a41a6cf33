"""The semantics `rmv`: every engine, both checkers and the replay agree with the oracle.

The oracle was written from [Finis2012], definition 2.4.3 (oracle/machine.py) and the initial context
assumption of section 3.3.3 (oracle/contexts.py). Its unfolding knows the definition alone. For CTL* and the
mu-calculus, the oracles of these logics decide on all states of the unfolding. PIGRO_RMV_CASES random
machines; docs/reliability.md reports 20,000.
"""

import pickle
from dataclasses import replace
from random import Random

import pytest

from pigro.engines.game import GAME
from pigro.engines.native import DEMAND, EXHAUSTIVE
from pigro.engines.onthefly import ONTHEFLY
from pigro.engines.onthefly.recheck import decider
from pigro.evidence import replay_run
from pigro.evidence.replaying import replay
from pigro.evidence.tree.following import evidence_for
from pigro.formats import rsm_json
from pigro.logic import parse
from pigro.papers.dubslaff2024 import EAGER, LAZY, RANDOM, TERNARY
from pigro.papers.finis2012 import INCREMENTAL
from pigro.papers.finis2012.basic import BASIC
from pigro.papers.finis2012.knowledge import KNOWLEDGE

from oracle import (
    contexts,
    mu_formula,
    mu_semantics,
    mu_structures,
    star_formula,
    star_tableau,
    unfold,
)
from oracle.bounded import TooLarge, cut, unfolded
from oracle.formula import to_text
from oracle.generate import (
    LABELS,
    PROFILES,
    Shape,
    random_case,
    random_formula,
    random_machine,
    single_machine,
)
from oracle.machine import TERMINATED, initial_states
from support.agreement.ctl import as_model, disagreements
from support.certificates.checkers import CHECKERS, answers, certified
from support.selection.cases import FEW_CASES, START, number_of_cases, seeds

CASES = number_of_cases("PIGRO_RMV_CASES", 1000)
CHUNKS = 10
PUBLISHED = (EAGER, LAZY, TERNARY, RANDOM)
SINGLE = (INCREMENTAL, BASIC, KNOWLEDGE)
CERTIFYING = replace(DEMAND, certify=True)
SHOWING = replace(ONTHEFLY, show=True)
MOST = 100
"""States of a machine that is small enough for CTL*."""
NO_CALLS = Shape(components=(1, 1), exits=(1, 3), boxes=(0, 0), targets=(1, 3))


def cases_of(chunk, share=1):
    return seeds(max(CASES // share, 2 * CHUNKS), chunk, CHUNKS)


def rmv(machine):
    return replace(machine, semantics="rmv")


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_native_engines(chunk):
    found = [line for seed in cases_of(chunk) for line in disagreements(seed, semantics="rmv")]
    assert found == []


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_published_engines(chunk):
    found = []
    for seed in cases_of(chunk):
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
    for seed in cases_of(chunk):
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
    assert FEW_CASES or told > 100
    assert FEW_CASES or different > 5


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_certificates_and_evidence(chunk):
    faults = []
    for seed in cases_of(chunk, 2):
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


# --- Logics beyond CTL: the oracle decides on all states that `steps`, the definition, leads to ------


def finite_machines(rng):
    """Random machines without recursion, some cut at a depth: read by `rmv`, and their states."""
    while True:
        machine = random_machine(rng, PROFILES[rng.choice(("default", "tiny", "sparse", "many"))])
        machine = rmv(cut(machine, rng.randint(0, 2)) if rng.random() < 0.7 else machine)
        try:
            numbers, structure = unfolded(machine, initial_states(machine), MOST)
        except TooLarge:
            continue
        if TERMINATED in numbers and ONTHEFLY.fits(as_model(machine)) is None:
            yield machine, structure


def everywhere(machine, true):
    """Whether all initial states, which come first, are among those where a formula is true."""
    return all(number in true for number in range(len(initial_states(machine))))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_on_the_fly(chunk):
    """CTL*, with evidence that replays."""
    rng, found, different, shown = Random(START + chunk), [], 0, 0
    machines = finite_machines(rng)
    for seed in cases_of(chunk):
        machine, structure = next(machines)
        asked = star_formula.random_star(rng, LABELS, rng.randint(1, 7))
        truth = everywhere(machine, star_tableau.decide(structure, asked))
        model, formula = as_model(machine), parse(star_formula.to_text(asked))
        verdict = SHOWING(model, formula)
        if verdict.holds is not truth:
            found.append(f"machine {seed}: oracle {truth}, {verdict.holds}, {formula}")
            continue
        different += (
            ONTHEFLY(as_model(replace(machine, semantics="standard")), formula).holds is not truth
        )
        if not formula.is_ctl:
            replay_run(model, formula, truth, verdict.evidence, decider(model, formula))
            shown += 1
    assert found == []
    assert FEW_CASES or different > 0
    assert FEW_CASES or shown > 0


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_games(chunk):
    """The mu-calculus, with operators of CTL in some formulas."""
    rng, found, different = Random(START + chunk), [], 0
    for seed in cases_of(chunk):
        machine = rmv(random_machine(rng, NO_CALLS))
        shape = mu_formula.Shape(ctl=rng.choice((0, 0.3)))
        asked = mu_formula.random_mu(rng, LABELS, rng.randint(1, 9), shape=shape)
        _, structure = unfolded(machine, initial_states(machine), MOST)
        values = mu_semantics.values(as_parts(structure), asked, machine.dead_ends)
        truth = everywhere(machine, {number for number, value in enumerate(values) if value})
        formula = parse(mu_formula.text(asked))
        said = GAME(as_model(machine), formula).holds
        if said is not truth:
            found.append(f"machine {seed}: oracle {truth}, {said}, {formula}")
        different += (
            GAME(as_model(replace(machine, semantics="standard")), formula).holds is not said
        )
    assert found == []
    assert FEW_CASES or different > 0


def as_parts(structure):
    """The structure as the oracle for the mu-calculus has it."""
    rows = tuple({label: label in row for label in LABELS} for row in structure.labels)
    steps = {
        (source, mu_structures.STEP, target): True
        for source, targets in enumerate(structure.successors)
        for target in targets
    }
    return mu_structures.Structure(rows, (0,), steps)
