"""Engine `game` agrees with the oracle on random compositions, and its solver on random games.

A hundred cases of each kind, unless `PIGRO_COMPOSE_CASES` asks for more; 2,000 games, unless
`PIGRO_GAME_CASES` does. A wrong answer is told as the smallest such case, as code.
"""

from array import array
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from pigro.logic import parse
from pigro.logic.modal import modal_form

from oracle.mu_formula import (
    ORDINARY,
    Shape,
    everything_in,
    is_alternation_free,
    is_ctl_free,
    pnf,
    random_ctl,
    random_mu,
    text,
)
from oracle.mu_graphs import open_graph, product_graph, whole_graph
from oracle.mu_semantics import values, verdict
from oracle.mu_structures import (
    KMTS,
    KRIPKE,
    THREE,
    agreement,
    lifted,
    names_in,
    random_lts,
    random_parts,
    value_at_start,
)
from oracle.parity import random_game, smaller_games, winners
from support.agreement.compositions import Case, ask, code, compare, composition_of
from support.selection.cases import covers, number_of_cases, seeds

CASES = number_of_cases("PIGRO_COMPOSE_CASES", 100)
GAMES = number_of_cases("PIGRO_GAME_CASES", 2000)
CHUNKS = 4

RefinementRounds = pytest.importorskip("pigro.engines.game.refinement").RefinementRounds

ONE = replace(KRIPKE, parts=(1, 1))
THREE_KMTS = replace(KMTS, parts=(3, 3), states=(1, 4))
SYNCHRONOUS = {"kripke": KRIPKE, "three": THREE, "one": ONE}
CONCRETE = {
    **{name: (random_parts, shape) for name, shape in SYNCHRONOUS.items()},
    **{f"lts-{name}": (random_lts, shape) for name, shape in SYNCHRONOUS.items()},
}
UNKNOWN = {
    "kmts": (random_parts, KMTS),
    "kmts-three": (random_parts, THREE_KMTS),
    "kmts-one": (random_parts, replace(KMTS, parts=(1, 1))),
    "kmts-lts": (random_lts, KMTS),
    "kmts-lts-three": (random_lts, THREE_KMTS),
}
ALL = CONCRETE | UNKNOWN
NO_ALTERNATION = Shape(alternation=False)
MIXED = Shape(ctl=0.2)


def truth(case):
    return verdict(case.parts, case.formula)


@cache
def cases(kind, shape=ORDINARY):
    """Random cases with their true answers."""
    make, parts_shape = ALL[kind]
    found = []
    for seed in seeds(CASES):
        rng = Random(seed)
        parts = make(rng, parts_shape)
        atoms, actions = names_in(parts)
        formula = random_mu(rng, atoms, rng.randint(1, 9), actions=actions, shape=shape)
        found.append(Case(parts, formula))
    return [(case, truth(case)) for case in found]


@cache
def ctl_cases(kind):
    make, shape = ALL[kind]
    found = []
    for seed in seeds(CASES):
        rng = Random(seed)
        parts = make(rng, shape)
        found.append(Case(parts, random_ctl(rng, names_in(parts)[0], rng.randint(1, 6))))
    return [(case, truth(case)) for case in found]


def told_by(method):
    return lambda case: ask(case, method).holds


@pytest.mark.parametrize("method", ["concrete", "full", "refine", "refine-one"])
@pytest.mark.parametrize("kind", CONCRETE)
def test_concrete_parts(kind, method):
    """Every method ends with the right definite answer."""
    assert covers(compare(cases(kind), told_by(method), truth), {True, False})


@pytest.mark.parametrize("method", ["concrete", "full"])
@pytest.mark.parametrize("kind", UNKNOWN)
def test_parts_with_unknowns(kind, method):
    """The answer is exactly the value in the composition, which may be unknown."""
    assert covers(compare(cases(kind), told_by(method), truth), {True, False, None})


def alone(case):
    """What each part tells alone, by the oracle."""
    lifts = [lifted(case.parts, index) for index in range(len(case.parts))]
    return tuple(value_at_start(lift, values(lift, case.formula)) for lift in lifts)


def told_alone(case):
    """What the product finds on parts alone: on all of them, or up to the first that decides."""
    found = ask(case, "concrete").details.alone
    told = tuple(found.values()) if isinstance(found, dict) else tuple(found)
    assert len(told) == len(case.parts) or told[-1] is not None
    return told + alone(case)[len(told) :]


@pytest.mark.parametrize("kind", ALL)
def test_each_part_alone(kind):
    found = compare([(case, alone(case)) for case, _ in cases(kind)], told_alone, alone)
    known = {True, False} if kind in ("one", "lts-one") else {True, False, None}
    assert covers((value for row in found for value in row), known)


@pytest.mark.parametrize("kind", ALL)
def test_what_a_part_knows_alone_holds_for_the_whole(kind):
    """Whatever the product takes for known, if it looks at a part alone."""

    for case, expected in cases(kind):
        assert set(told_alone(case)) <= {expected, None}, code(case)
        assert ask(case, "concrete").holds is expected, code(case)


@pytest.mark.parametrize("method", ["concrete", "refine"])
@pytest.mark.parametrize("kind", CONCRETE)
def test_ctl(kind, method):
    """CTL is read on maximal paths of the composition; at a dead end time goes on."""
    assert covers(compare(ctl_cases(kind), told_by(method), truth), {True, False})


@pytest.mark.parametrize("kind", CONCRETE)
def test_ctl_among_fixpoints(kind):
    mixed = [each for each in cases(kind, MIXED) if not is_ctl_free(each[0].formula)]
    assert covers(compare(mixed, told_by("concrete"), truth), {True, False})


@pytest.mark.parametrize("kind", SYNCHRONOUS)
def test_symbolic(kind):
    pytest.importorskip("dd")
    simple = cases(kind, NO_ALTERNATION)
    assert all(is_alternation_free(case.formula) for case, _ in simple)
    assert covers(compare(simple, told_by("symbolic"), truth), {True, False})


@pytest.mark.parametrize("kind", ["kmts", "kmts-three", "kmts-one"])
def test_symbolic_with_unknowns(kind):
    pytest.importorskip("dd")
    simple = cases(kind, NO_ALTERNATION)
    assert covers(compare(simple, told_by("symbolic"), truth), {True, False, None})


@pytest.mark.parametrize("kind", SYNCHRONOUS)
def test_symbolic_ctl(kind):
    pytest.importorskip("dd")
    assert covers(compare(ctl_cases(kind), told_by("symbolic"), truth), {True, False})


ONE_START = replace(KRIPKE, more_initial=0.0)


@pytest.mark.parametrize("shape", [ONE_START, replace(KMTS, more_initial=0.0)])
def test_what_is_built(shape):
    """The games have the nodes and edges that they need, and no others."""
    layers = set()
    for seed in seeds(2 * CASES):
        rng = Random(seed)
        parts = random_parts(rng, shape)
        formula = random_mu(rng, names_in(parts)[0], rng.randint(1, 9), shape=Shape(constant=0.0))
        if len(modal_form(parse(text(formula))).ops) != len(set(everything_in(pnf(formula)))):
            continue  # constants were folded
        case = Case(parts, formula)
        reports = ask(case, "concrete").details.layers
        told = [(r.value, r.nodes, r.edges, r.open_nodes, r.open_edges) for r in reports]
        assert told == sizes(case), code(case)
        layers.add(len(told))
    assert covers(layers, {1, 2, 3})


def sizes(case):
    """Of the game on each part alone, and on both if need be: its value, its nodes and edges, and
    those that are left open."""
    found, left = [], []
    sure = agreement(case.parts, [part.initial[0] for part in case.parts])
    for index in range(len(case.parts)):
        graph = whole_graph(lifted(case.parts, index), case.formula)
        left.append(open_graph(graph))
        found.append(size(graph, left[-1], sure))
        if found[-1][0] is not None:
            return found
    product = product_graph(case.parts, left)
    return [*found, size(product, open_graph(product), sure)]


def size(graph, left, sure):
    """Where parts start only perhaps, nothing fails, and of nothing undecided, nothing is left."""
    (start,) = graph.initial
    colour = graph.colour[start]
    value = colour if sure or colour else None
    counts = [(len(each.edges), sum(map(len, each.edges.values()))) for each in (graph, left)]
    return (value, *counts[0], *(counts[1] if colour is None else (0, 0)))


@pytest.mark.parametrize("concrete", [(), (0,)])
@pytest.mark.parametrize("kind", CONCRETE)
def test_refinement_by_any_cause(kind, concrete):
    """Whichever causes of doubt are looked at, the answer is right."""

    def told(case):
        rng = Random(len(text(case.formula)))

        def choose(causes):
            return rng.sample(causes, rng.randint(1, min(2, len(causes))))

        form = modal_form(parse(text(case.formula)))
        return (
            RefinementRounds(composition_of(case.parts), form, concrete=concrete)
            .run(None, choose)
            .value
        )

    assert covers(compare(cases(kind), told, truth), {True, False})


def told_winners(game):
    from pigro.engines.game.solver import solve

    offsets = [0]
    for row in game.edges:
        offsets.append(offsets[-1] + len(row))
    colours = solve(
        bytes(game.owner),
        array("i", game.priority),
        array("i", offsets),
        array("i", [target for row in game.edges for target, _ in row]),
        bytes([must for row in game.edges for _, must in row]),
    )
    return [(False, True, None)[colour] for colour in colours]


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_solver(chunk):
    found = set()
    for seed in seeds(GAMES, chunk, CHUNKS):
        game = random_game(Random(seed))
        expected = winners(game)
        if told_winners(game) != expected:
            small = smallest(game)
            pytest.fail(f"{small!r}: told {told_winners(small)}, true {winners(small)}")
        found |= set(expected)
    assert covers(found, {True, False, None})


def smallest(game):
    while True:
        wrong = (each for each in smaller_games(game) if told_winners(each) != winners(each))
        smaller = next((each for each in wrong if each.owner), None)
        if smaller is None:
            return game
        game = smaller
