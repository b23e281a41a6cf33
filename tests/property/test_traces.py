"""Each trace is a run of its subject, step by step, and shows its verdict.

Random models of all shapes, with calls that return, and random compositions. Steps are judged by
the definition of models (`Steps`) and of compositions (`Product`). The run alone, as a structure
without branches, must give the formula the same truth, unless facts about other runs are needed.
`PIGRO_TRACES` asks for more cases.
"""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

import pigro
from pigro import compose_check
from pigro.evidence import Steps
from pigro.logic import parse
from pigro.model.composition import Composition
from pigro.model.part import PartBuilder
from pigro.model.product import Product

from oracle.generate import PROFILES, is_lively, random_machine
from oracle.mu_formula import Shape, random_mu, text
from oracle.mu_structures import KMTS, KRIPKE, THREE, names_in, random_lts, random_parts
from support.agreement.compositions import composition_of
from support.agreement.ctl import as_model
from support.selection.cases import FEW_CASES, number_of_cases, seeds

CASES = number_of_cases("PIGRO_TRACES", 12, least=3)
"""Of each shape."""
PATHS = ["AG !p", "EF (p & q)", "AF q", "EG !p", "AG (p -> AF q)", "E [!p U (q & EX r)]", "AX AX p"]
RUNS = ["G !p", "F q", "G (p -> F q)", "!(p U q)", "G F p", "E [G F q]", "X X p"]
GAMES = [
    "nu X. !p & [] X",
    "mu X. q | <> X",
    "mu X. q | ([] X & <> true)",
    "nu X. mu Y. <> (p & X | Y)",
    "mu X. nu Y. [] (p & X | !p & Y)",
    "<> (p & <> (q | <> r))",
]


def asked(model, formula):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pigro.check(model, formula, witness=True, vacuity=False)


def lasso(trace, dead_ends, *, stops):
    """The run alone. A round that goes deeper has the labels of the one before."""
    last = len(trace) - 1
    stays = None if stops else last
    following = {"loop": trace.start, "open": last, "stays": stays}.get(trace.end)
    if trace.end == "deeper":
        following = trace.start + 1
    edges = {at: [at + 1] for at in range(last)}
    edges[last] = [] if following is None else [following]
    labels = {at: list(state.labels) for at, state in enumerate(trace)}
    return pigro.kripke(edges, labels=labels, initial=0, dead_ends=dead_ends)


def check_steps(model, trace, counts):
    steps = Steps(model)
    states = [each.state for each in trace]
    assert states[0].node in model.initial
    assert not states[0].stack
    for before, after in pairwise(states):
        assert after in steps.maximal_next(before)
        counts["returns"] += after.stack.depth < before.stack.depth
        counts["calls"] += after.stack.depth > before.stack.depth
    if trace.end == "loop":
        assert states[trace.start] in steps.maximal_next(states[-1])
    elif trace.end == "deeper":
        first, last = states[trace.start], states[-1]
        assert first.node == last.node
        assert last.stack.above(0)[: first.stack.depth] == first.stack.above(0)
        assert all(each.stack.depth >= first.stack.depth for each in states[trace.start :])
        assert last.stack.depth > first.stack.depth
    elif trace.end == "stays":
        assert steps.next(states[-1]) in ([], [states[-1]])
    for row, state in zip(trace, states, strict=True):
        carried = set(model.labels_of(model.core.subject(state.node)))
        assert set(row.labels) <= carried
        assert (row.name, row.depth) == (model.node_name(state.node), state.stack.depth)
    counts["long"] += len(trace) > 1
    counts["traces"] += 1


@pytest.mark.parametrize("profile", PROFILES)
def test_models(profile):
    rng, counts = Random(f"traces {profile}"), Counter()
    for _ in seeds(CASES):
        machine = random_machine(rng, PROFILES[profile])
        while not is_lively(machine) and rng.random() < 0.9:
            machine = random_machine(rng, PROFILES[profile])
        machine = replace(machine, dead_ends=rng.choice(("stutter", "stop")))
        model = as_model(machine)
        for formula in (*PATHS, *RUNS, *GAMES):
            verdict = asked(model, formula)
            trace = verdict.trace()
            assert str(verdict.formula) in str(verdict)
            counts[verdict.evidence.KIND, trace is not None] += 1
            if trace is None:
                continue
            check_steps(verdict.subject, trace, counts)
            stops = not Steps(verdict.subject).next(trace[-1].state)
            alone = asked(lasso(trace, machine.dead_ends, stops=stops), formula)
            assert alone.holds is verdict.holds, (formula, [each.name for each in trace], trace.end)
    print(profile, dict(counts))
    assert FEW_CASES or counts["long"] > 0
    assert FEW_CASES or all(counts[kind, True] for kind in ("tree", "run", "game"))


def check_composed(system, trace, counts):
    product = Product(system)
    states = [each.state for each in trace]
    assert states[0] in system.initial
    assert all(len(each) == len(system.parts) for each in states)
    pairs = [*pairwise(states)]
    if trace.end == "loop":
        pairs.append((states[-1], states[trace.start]))
    for before, after in pairs:
        assert (after, True) in [(target, must) for _, target, must in product.moves(before)]
    counts["traces"] += 1
    counts["long"] += len(trace) > 1


def composed_lasso(trace, atoms):
    """The run of a composition alone, as one part."""
    last = len(trace) - 1
    part = PartBuilder("run", labels=atoms)
    for at, state in enumerate(trace):
        part.state(f"s{at}", *state.labels, initial=at == 0)
    for at in range(last):
        part.step(f"s{at}", f"s{at + 1}")
    if trace.end != "stays":
        part.step(f"s{last}", f"s{last if trace.end == 'open' else trace.start}")
    return Composition([part.build()])


def composed(system, formula):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compose_check(system, formula, witness=True)


@pytest.mark.parametrize("shape", [KRIPKE, KMTS, THREE, replace(KRIPKE, parts=(1, 1))])
@pytest.mark.parametrize("make", [random_parts, random_lts])
def test_compositions(shape, make):
    counts = Counter()
    for seed in seeds(4 * CASES):
        rng = Random(seed)
        parts = make(rng, shape)
        system = composition_of(parts)
        atoms, actions = names_in(parts)
        formulas = [
            random_mu(rng, atoms, rng.randint(1, 10), actions=actions, shape=Shape(ctl=ctl))
            for ctl in (0, 0.3, 0.6)
        ]
        asked = [text(each) for each in formulas]
        asked += [f"{some} {atom}" for some in ("AG", "EF", "AF") for atom in atoms[:1]]
        for formula in map(parse, asked):
            verdict = composed(system, formula)
            trace = verdict.trace()
            counts[verdict.holds, trace is not None] += 1
            if trace is None:
                continue
            check_composed(system, trace, counts)
            if not actions:
                alone = composed(composed_lasso(trace, formula.atoms), formula)
                assert alone.holds is verdict.holds, (str(formula), str(trace))
    print(dict(counts))
    assert FEW_CASES or counts["long"] > 0


@pytest.mark.parametrize("shape", [KRIPKE, replace(KRIPKE, parts=(1, 1))])
def test_truths_along_runs_of_compositions(shape):
    """What a trace says of a subformula in a state is its truth on the run alone from there on."""
    counts = Counter()
    for seed in seeds(4 * CASES):
        parts = random_parts(Random(seed), shape)
        system = composition_of(parts)
        names = [*names_in(parts)[0], "true", "true"]
        for formula in (each.replace("p", names[0]).replace("q", names[1]) for each in RUNS):
            trace = composed(system, formula).trace()
            if trace is None:
                continue
            alone = lasso(trace, "stutter", stops=False)
            assert trace[0].truths, formula
            for at, state in enumerate(trace):
                from_there = alone.with_initial([alone.find(str(at))])
                for told, truth in state.truths.items():
                    if told.startswith(("A ", "E ")):
                        continue  # about other runs too
                    assert asked(from_there, told).holds is truth, (formula, at, told, str(trace))
                    counts[truth] += 1
    print(dict(counts))
    assert FEW_CASES or min(counts[True], counts[False]) > 100
