"""Hyper-steps, by the definition: verdicts, strategies, runs, simulations, and refinement.

300 systems of parts with sets of steps, unless `PIGRO_HYPER_CASES` asks for more. The oracle
composes the sets as products of sets, and evaluates formulas by plain fixpoints. It also tries all
ways to finish small parts, in which of each set one step at least is there.
"""

import json
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from pigro import compose_check, simulates
from pigro.engines.simulation import _SimulationSearch
from pigro.evidence import replay_strategy
from pigro.logic import parse
from pigro.model.product import Product
from pigro.render.refinement import simulation_json
from pigro.session.judge import EvidenceCase, judge, piece_of
from pigro.verdict.simulation import Refuted, Simulation

from oracle.mu_formula import Shape, random_mu, text
from oracle.mu_semantics import finished_verdicts, value_sets, values, verdict
from oracle.mu_structures import (
    KMTS,
    composed,
    count_finishings,
    mixed_simulation,
    names_in,
    random_lts,
    random_parts,
    with_sets,
)
from support.agreement.compositions import Case, code, compare, composition_of
from support.evidence.documents import read_strategy, strategy_document
from support.judges.strategies import Judge
from support.selection.cases import FEW_CASES, covers, number_of_cases, seeds

CASES = number_of_cases("PIGRO_HYPER_CASES", 300)
OPEN = replace(KMTS, states=(2, 5), targets=(2, 4), may=0.7, unknown=0.1, joint=(0, 1))
SHAPES = (
    OPEN,
    replace(OPEN, parts=(1, 1)),
    replace(OPEN, parts=(3, 3), states=(2, 3)),
    replace(OPEN, unknown=0.0, joint=(0, 0)),
)
SMALL = replace(OPEN, states=(2, 3), targets=(2, 3), unknown=0.05, local=(1, 1))


def random_case(seed, shape=None):
    """Parts with sets, and a formula."""
    rng = Random(seed)
    make = random_lts if seed % 3 == 0 else random_parts
    parts = make(rng, shape or SHAPES[seed % len(SHAPES)])
    parts = tuple(with_sets(rng, part, 0.6) for part in parts)
    atoms, actions = names_in(parts)
    return Case(
        parts, random_mu(rng, atoms, rng.randint(1, 9), actions=actions, shape=Shape(ctl=0.0))
    )


def ask(case, method, **options):
    return compose_check(
        composition_of(case.parts), parse(text(case.formula)), method=method, **options
    )


def truth(case):
    return verdict(case.parts, case.formula)


@pytest.mark.parametrize("method", ["concrete", "full"])
def test_verdicts(method):
    """The value in the composition, which may be unknown. Sets decide some of them."""
    cases = [random_case(seed) for seed in seeds(CASES)]
    expected = [(case, truth(case)) for case in cases]
    assert covers(
        compare(expected, lambda case: ask(case, method).holds, truth), {True, False, None}
    )
    bare = [
        replace(case, parts=tuple(replace(p, sets=frozenset()) for p in case.parts))
        for case in cases
    ]
    helped = sum(
        truth(each) is None is not value for each, (_, value) in zip(bare, expected, strict=True)
    )
    assert FEW_CASES or helped > CASES // 50


def test_two_evaluations_of_the_oracle_agree():
    for seed in seeds(CASES // 3):
        case = random_case(seed)
        whole = composed(case.parts).whole
        true, false = value_sets(whole, case.formula)
        told = values(whole, case.formula)
        assert true == {state for state in whole.states if told[state] is True}, code(case)
        assert false == {state for state in whole.states if told[state] is False}, code(case)


def test_strategies():
    """Each definite verdict has one that replays, is right in each claim, and can be written down."""
    wide = 0
    for seed in seeds(CASES):
        case = random_case(seed)
        system = composition_of(case.parts)
        found = compose_check(system, parse(text(case.formula)), witness=True)
        assert (found.evidence is None) is (found.holds is None)
        if found.evidence is None:
            continue
        replay_strategy(system, found.evidence)
        assert not Judge(case.parts, found.evidence.form).wrong_claims(found.evidence), code(case)
        again = read_strategy(system, strategy_document(system, found.evidence))
        assert again == found.evidence
        wide += any(
            move is not None and move.others
            for layer in found.evidence.layers
            for move in layer.claims.values()
        )
    assert FEW_CASES or wide > CASES // 100


def finishable(seed, most=512):
    while True:
        case = random_case(seed, SMALL)
        if any(part.sets for part in case.parts) and count_finishings(case.parts) <= most:
            return case
        seed += 1_000_003


def test_no_way_to_finish_the_parts_contradicts():
    said = Counter()
    for seed in seeds(CASES // 6):
        case = finishable(seed)
        found = truth(case)
        said[found] += 1
        if found is not None:
            assert set(finished_verdicts(case.parts, case.formula)) == {found}, code(case)
    assert FEW_CASES or said[True]
    assert FEW_CASES or said[False]


@pytest.mark.filterwarnings("ignore:.*seen by no part")
def test_runs():
    """Formulas about runs are decided for all ways to finish the parts, and for no others."""
    said = Counter()
    for seed in seeds(CASES // 3):
        case = finishable(seed, 256)
        rng = Random(seed)
        label = rng.choice(names_in(case.parts)[0])
        atom = ("atom", label)
        path, state = rng.choice(
            (
                (f"A [G F {label}]", ("AG", ("AF", atom))),
                (f"E [F X {label}]", ("EX", ("EF", atom))),
                (f"E [G X {label}]", ("EX", ("EG", atom))),
                (f"A [X X {label}]", ("AX", ("AX", atom))),
                (f"E [X X !{label}]", ("EX", ("EX", ("not", atom)))),
            )
        )
        found = compose_check(composition_of(case.parts), path)
        ways = set(finished_verdicts(case.parts, state))
        assert found.holds is (next(iter(ways)) if len(ways) == 1 else None), (seed, code(case))
        said[found.holds] += 1
    assert FEW_CASES or min(said[value] for value in (True, False, None)) > 0


def pair(seed):
    """Parts, and others that often abstract them: sets in place of must steps."""
    rng = Random(seed)
    case = random_case(seed, replace(SMALL, parts=(1, 2)))
    abstract = []
    for part in case.parts:
        steps = {step: must and rng.random() < 0.6 for step, must in part.steps.items()}
        looser = with_sets(
            rng, replace(part, steps=steps, sets=part.sets if rng.random() < 0.5 else frozenset())
        )
        abstract.append(looser)
    return (case.parts, tuple(abstract)) if rng.random() < 0.8 else (tuple(abstract), case.parts)


def judged(abstract, concrete, found):
    """What the judge of documents says."""
    document = json.loads(simulation_json(found, abstract, concrete, 0.0))
    return next(judge(EvidenceCase((abstract, concrete), [piece_of(document, "refinement")]))).word


def false_claim(abstract, concrete, found, rng):
    """The contrary, with as good a reason as can be: all pairs without a difference are related, or
    each of them is refuted by one of its rules."""
    search = _SimulationSearch(Product(abstract), Product(concrete), lambda: None)
    search.explore()
    if not found.holds:
        gone = {*search.left, *search.choices}
        related = [pair for at, pair in enumerate(search.pairs) if at not in gone]
        return Simulation(holds=True, relation=tuple(related))
    for demand in rng.sample(search.demands, len(search.demands)):
        search.left.setdefault(demand.pair, demand.why._replace(answers=tuple(demand.answers)))
    for at in range(len(search.pairs)):
        search.left.setdefault(at, Refuted("label", label=search.labels[0]))
    return Simulation(holds=False, game=search._game())


def test_simulation():
    said = Counter()
    for seed in seeds(CASES):
        concrete, abstract = pair(seed)
        ours, theirs = composed(concrete).whole, composed(abstract).whole
        related = mixed_simulation(ours, theirs)
        expected = all(
            any((c, a) in related for a in theirs.initial) for c in ours.initial
        ) and all(
            any((c, a) in related for c in ours.initial if c not in ours.perhaps)
            for a in theirs.initial
            if a not in theirs.perhaps
        )
        sides = composition_of(abstract), composition_of(concrete)
        found = simulates(*sides)
        assert found.holds is expected, seed
        said[found.holds] += 1
        assert judged(*sides, found) == "accepted", seed
        assert judged(*sides, false_claim(*sides, found, Random(seed))) == "rejected", seed
        said["choice"] += any(why.kind == "concrete choice" for _, why in found.game)
        if found.holds:
            formula = random_case(seed, replace(SMALL, parts=(1, 2))).formula
            value = verdict(abstract, formula)
            assert value is None or verdict(concrete, formula) is value, seed
    assert FEW_CASES or min(said[True], said[False]) > CASES // 20
    assert FEW_CASES or said["choice"] > CASES // 100
