"""The oracle for the mu-calculus against itself: two semantics, the game, abstraction, composition.

`PIGRO_MU_ORACLE_CASES` asks more random cases.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from oracle import contexts, generate
from oracle.mu_formula import (
    FALSE,
    TAU,
    TRUE,
    Shape,
    atom,
    both,
    box,
    dia,
    either,
    everything_in,
    free,
    is_alternation_free,
    is_well_formed,
    mu,
    no,
    nu,
    pnf,
    random_ctl,
    random_mu,
    text,
    var,
)
from oracle.mu_graphs import open_graph, product_graph, solved, whole_graph
from oracle.mu_semantics import finished_verdicts, value_sets, values, verdict
from oracle.mu_structures import (
    KMTS,
    KRIPKE,
    STEP,
    THREE,
    Composed,
    Structure,
    are_composable,
    composed,
    count_finishings,
    finishings,
    lifted,
    mixed_simulation,
    names_in,
    random_abstraction,
    random_lts,
    random_parts,
    reached,
)
from oracle.parity import NOBODY, Game, game_of, random_game, winners
from oracle.star_structures import Structure as Kripke
from oracle.star_structures import as_machine, random_structure
from support.selection.cases import FEW_CASES, covers, number_of_cases, seeds

pytestmark = pytest.mark.random

CASES = number_of_cases("PIGRO_MU_ORACLE_CASES", 150)
P, Q, Z, Y = atom("p"), atom("q"), var("Z"), var("Y")


def random_system(rng):
    """Parts of any kind, with a random formula about them."""
    shape = rng.choice((KRIPKE, KMTS, THREE))
    parts = random_lts(rng, shape) if rng.random() < 0.4 else random_parts(rng, shape)
    atoms, actions = names_in(parts)
    return parts, random_mu(rng, atoms, rng.randint(1, 9), actions=actions)


def line(*labels, loop=False, must=True):
    """States in a row, each with the labels p and q that its string names; `?p` is unknown."""
    rows = tuple(
        {name: None if f"?{name}" in text else name in text for name in "pq"} for text in labels
    )
    steps = {(state, STEP, state + 1): must for state in range(len(rows) - 1)}
    if loop:
        steps[len(rows) - 1, STEP, len(rows) - 1] = must
    return Structure(rows, (0,), steps)


EVENTUALLY_Q = mu("Z", either(Q, box(Z)))
ALWAYS_P = nu("Z", both(P, box(Z)))
INFINITELY_P = nu("Z", mu("Y", dia(either(both(P, Z), Y))))


@pytest.mark.parametrize(
    "structure, formula, expected",
    [
        (line("p", "pq"), ALWAYS_P, [True, True]),
        (line("p", "q"), ALWAYS_P, [False, False]),
        (line("p", "?p"), ALWAYS_P, [None, None]),
        (line("p", "?p", must=False), ALWAYS_P, [None, None]),
        (line("p", "", must=False), ALWAYS_P, [None, False]),
        (line("p", "q"), EVENTUALLY_Q, [True, True]),
        (line("p", ""), EVENTUALLY_Q, [True, True]),  # [] holds where there is no step
        (line("p", "", loop=True), EVENTUALLY_Q, [False, False]),
        (line("?q", "q", loop=True), EVENTUALLY_Q, [True, True]),
        (line("?q", "", loop=True), EVENTUALLY_Q, [None, False]),
        (line("p"), dia(TRUE), [False]),
        (line("p"), box(FALSE), [True]),
        (line("p", loop=True, must=False), dia(P), [None]),
        (line("p", loop=True, must=False), box(P), [True]),
        (line("p", loop=True), INFINITELY_P, [True]),
        (line("p", "", loop=True), INFINITELY_P, [False, False]),
        (line("p", "p", loop=True, must=False), INFINITELY_P, [None, None]),
        (line("p", "q"), no(EVENTUALLY_Q), [False, False]),
        (line("", "q"), dia(Q, ("a",)), [False, False]),
    ],
)
def test_known_values(structure, formula, expected):
    assert values(structure, formula) == expected


def test_texts():
    formula = nu("Z", mu("Y", box(either(both(no(P), Z), dia(Y, ("a", TAU))))))
    assert text(formula) == "(nu Z. (mu Y. ([] (((!p) & Z) | (<a, tau> Y)))))"
    assert text(("AU", P, ("implies", P, TRUE))) == "(A [p U (p -> true)])"


def test_random_formulas_are_well_formed():
    rng = Random(1)
    kinds = set()
    alternating = 0
    for _ in range(10 * CASES):
        f = random_mu(rng, ("p", "q"), rng.randint(0, 12), actions=("a", TAU), shape=Shape(ctl=0.1))
        assert is_well_formed(f)
        assert not free(f)
        kinds |= {g[0] for g in everything_in(f)}
        alternating += not is_alternation_free(f)
        g = random_mu(rng, ("p",), 9, shape=Shape(alternation=False))
        assert is_alternation_free(g)
    assert FEW_CASES or len(kinds) == 11 + 12 + 1
    assert FEW_CASES or alternating > CASES


@pytest.mark.parametrize(
    "formula, is_right",
    [
        (mu("Z", Z), True),
        (mu("Z", no(no(Z))), True),
        (no(mu("Z", Z)), True),
        (mu("Z", ("implies", ("implies", Z, P), Q)), True),
        (Z, False),
        (mu("Z", no(Z)), False),
        (mu("Z", ("implies", Z, P)), False),
        (no(mu("Z", dia(no(Z)))), False),
        (both(mu("Z", Z), nu("Z", Z)), False),
    ],
)
def test_well_formed(formula, is_right):
    assert is_well_formed(formula) is is_right


def test_both_semantics_agree():
    found = set()
    for seed in seeds(CASES):
        parts, formula = random_system(Random(seed))
        whole = reached(composed(parts)).whole
        rows = values(whole, formula)
        true, false = value_sets(whole, formula)
        assert [s in true for s in whole.states] == [value is True for value in rows], seed
        assert [s in false for s in whole.states] == [value is False for value in rows], seed
        assert values(whole, pnf(formula)) == rows, seed
        negated = values(whole, no(formula))
        assert negated == [None if value is None else not value for value in rows], seed
        found |= set(rows)
    assert covers(found, {True, False, None})


def test_the_game_decides_the_formula():
    found = []
    for seed in seeds(CASES):
        rng = Random(seed)
        shape = rng.choice((KRIPKE, KMTS))
        part = (random_lts if rng.random() < 0.4 else random_parts)(rng, shape)[0]
        atoms, actions = names_in((part,))
        if not atoms:
            continue
        formula = random_mu(rng, atoms, rng.randint(1, 8), actions=actions)
        game, nodes = game_of(part, formula)
        if max(game.strategies(player) for player in (0, 1)) > 300:
            continue
        won = winners(game)
        expected = values(part, formula)
        for state in part.initial:
            assert won[nodes[state, pnf(formula)]] is expected[state], seed
            found.append(expected[state])
    assert FEW_CASES or len(found) > CASES / 3
    assert covers(found, {True, False, None})


@pytest.mark.parametrize(
    "game, expected",
    [
        (Game((0,), (0,), ((),)), [False]),
        (Game((1,), (0,), ((),)), [True]),
        (Game((NOBODY,), (0,), ((),)), [None]),
        (Game((0,), (1,), (((0, True),),)), [False]),
        (Game((1,), (1,), (((0, False),),)), [None]),
        (Game((0,), (1,), (((0, False),),)), [False]),
        (Game((0, 1), (0, 0), (((1, False),), ())), [None, True]),
        (Game((0, 1), (0, 0), (((1, True),), ())), [True, True]),
        (Game((0, 0), (0, 0), (((1, False),), ())), [False, False]),
        (Game((0, NOBODY), (1, 0), (((0, True), (1, False)), ())), [None, None]),
        (Game((0, NOBODY), (2, 0), (((0, True), (1, False)), ())), [True, None]),
        (Game((0, 1), (2, 3), (((1, True),), ((0, True),))), [False, False]),
        (Game((0, 1), (4, 3), (((1, True),), ((0, True),))), [True, True]),
    ],
)
def test_known_games(game, expected):
    assert winners(game) == expected


def test_swapping_the_players_swaps_the_winners():
    found = set()
    for seed in seeds(CASES):
        game = random_game(Random(seed), 6)
        swapped = Game(
            tuple(NOBODY if owner == NOBODY else 1 - owner for owner in game.owner),
            tuple(priority + 1 for priority in game.priority),
            game.edges,
        )
        won = winners(game)
        assert winners(swapped) == [None if value is None else not value for value in won], seed
        found |= set(won)
    assert covers(found, {True, False, None})


def test_every_winner_shows_in_the_sons():
    for seed in seeds(CASES):
        game = random_game(Random(seed), 6)
        won = winners(game)
        for node in game.nodes:
            if game.owner[node] == NOBODY:
                assert won[node] is None
                continue
            mine, theirs = (True, False) if game.owner[node] == 0 else (False, True)
            wins = any(must and won[target] is mine for target, must in game.edges[node])
            loses = all(won[target] is theirs for target, _ in game.edges[node])
            assert won[node] is (mine if wins else theirs if loses else None), seed


def test_nested_fixpoints_find_the_winners():
    for seed in seeds(CASES):
        game = random_game(Random(seed))
        assert solved(game) == winners(game), seed


def test_undecided_nodes_decide_the_whole():
    """Every colour in the product of what the parts leave open is right for the composition."""
    left, built = 0, 0
    for seed in seeds(CASES):
        rng = Random(seed)
        parts = random_parts(rng, rng.choice((KRIPKE, KMTS, THREE)))
        atoms, _ = names_in(parts)
        formula = random_mu(rng, atoms, rng.randint(1, 9))
        graphs = [whole_graph(lifted(parts, index), formula) for index in range(len(parts))]
        composition = reached(composed(parts))
        truth = whole_graph(composition.whole, formula)
        product = product_graph(parts, [open_graph(graph) for graph in graphs])
        for (states, f), colour in product.colour.items():
            assert truth.colour[composition.tuples.index(states), f] is colour, seed
        for start in truth.initial:
            value = values(composition.whole, formula)[start[0]]
            assert product.colour[composition.tuples[start[0]], start[1]] is value, seed
        left += len(product.edges)
        built += len(truth.edges)
    assert left < 0.8 * built


def test_undecided_nodes_keep_their_colours():
    for seed in seeds(CASES):
        rng = Random(seed)
        (part, *_) = random_parts(rng, KMTS)
        graph = whole_graph(part, random_mu(rng, part.atoms, rng.randint(1, 9)))
        left = open_graph(graph)
        assert left.colour == {node: graph.colour[node] for node in left.edges}
        again = product_graph([part], [left])
        assert {(s, f): c for ((s,), f), c in again.colour.items()} == left.colour, seed


def test_abstraction_keeps_what_is_known():
    known = 0
    for seed in seeds(CASES):
        rng = Random(seed)
        parts, formula = random_system(rng)
        concrete = reached(composed(parts)).whole
        abstract, block = random_abstraction(rng, concrete)
        related = mixed_simulation(concrete, abstract)
        assert {(s, block[s]) for s in concrete.states} <= related
        below, above = values(concrete, formula), values(abstract, formula)
        for s, t in related:
            assert above[t] is None or below[s] is above[t], (seed, s, t)
            known += above[t] is not None
    assert FEW_CASES or known > CASES


def test_related_structures_agree():
    """Also where the relation comes from no abstraction."""
    related = 0
    for seed in seeds(CASES):
        rng = Random(seed)
        first, second = random_parts(rng, KMTS)
        both_see = sorted(set(first.atoms) & set(second.atoms))
        first, second = (only(part, both_see) for part in (first, second))
        formula = random_mu(rng, both_see, rng.randint(1, 7))
        below, above = values(first, formula), values(second, formula)
        for s, t in mixed_simulation(first, second):
            assert above[t] is None or below[s] is above[t], (seed, s, t)
            related += 1
    assert FEW_CASES or related > CASES / 10


def only(part, names):
    labels = tuple({name: row[name] for name in names} for row in part.labels)
    return Structure(labels, part.initial, part.steps, part.actions, tuple(names))


def test_a_part_alone_abstracts_the_whole():
    known = 0
    for seed in seeds(CASES):
        parts, formula = random_system(Random(seed))
        composition = reached(composed(parts))
        inside = values(composition.whole, formula)
        for index in range(len(parts)):
            alone = lifted(parts, index)
            related = mixed_simulation(composition.whole, alone)
            own = values(alone, formula)
            for s, states in enumerate(composition.tuples):
                assert (s, states[index]) in related, seed
                assert own[states[index]] is None or own[states[index]] is inside[s], seed
                known += own[states[index]] is not None
    assert FEW_CASES or known > CASES


def test_abstracted_parts_abstract_the_whole():
    known = 0
    for seed in seeds(CASES):
        rng = Random(seed)
        parts, formula = random_system(rng)
        seen = [name for part in parts for name in part.atoms]
        joint = [name for name in set(seen) if seen.count(name) > 1]
        smaller, blocks = zip(
            *(random_abstraction(rng, p, [n for n in p.atoms if n in joint]) for p in parts),
            strict=True,
        )
        composition, abstract = reached(composed(parts)), composed(smaller)
        below, above = values(composition.whole, formula), values(abstract.whole, formula)
        for s, states in enumerate(composition.tuples):
            image = tuple(block[state] for block, state in zip(blocks, states, strict=True))
            value = above[abstract.tuples.index(image)]
            assert value is None or value is below[s], seed
            known += value is not None
    assert FEW_CASES or known > CASES


def test_what_is_known_stays_however_parts_are_finished():
    """In each composed state, of parts whose joint labels are unknown too."""
    shape = replace(KMTS, states=(1, 3), targets=(1, 2), joint=(1, 2), local=(0, 1))
    known = lost = 0
    for seed in seeds(CASES):
        rng = Random(seed)
        parts = random_parts(rng, shape)
        if count_finishings(parts) > 256:
            continue
        formula = random_mu(rng, names_in(parts)[0], rng.randint(1, 7))
        before = composed(parts)
        row = dict(zip(before.tuples, values(before.whole, formula), strict=True))
        for finished in product(*map(finishings, parts)):
            if are_composable(finished):
                after = composed(finished)
                for states, value in zip(after.tuples, values(after.whole, formula), strict=True):
                    assert row[states] in (value, None), seed
                    known += row[states] is not None
                lost += len(before.tuples) - len(after.tuples)
        found = verdict(parts, formula)
        assert found is None or set(finished_verdicts(parts, formula)) == {found}, seed
    assert FEW_CASES or known > CASES
    assert FEW_CASES or lost > CASES


def test_composition_is_associative_and_commutative():
    for seed in seeds(CASES):
        rng = Random(seed)
        shape = THREE if rng.random() < 0.5 else replace(KMTS, parts=(3, 3))
        a, b, c = (random_lts if rng.random() < 0.4 else random_parts)(rng, shape)
        whole = as_told(composed((a, b, c)))
        ab, bc, cab = composed((a, b)), composed((b, c)), composed((c, a, b))
        left, right = composed((ab.whole, c)), composed((a, bc.whole))
        assert whole == as_told(Composed(left.whole, [(*ab.tuples[s], t) for s, t in left.tuples]))
        assert whole == as_told(
            Composed(right.whole, [(s, *bc.tuples[t]) for s, t in right.tuples])
        )
        assert whole == as_told(Composed(cab.whole, [(s, t, r) for r, s, t in cab.tuples]))


def as_told(composition):
    """A composition by the names of its states, whatever their order."""
    whole, name = composition.whole, composition.tuples
    return (
        {name[s]: whole.labels[s] for s in whole.states},
        {name[s]: s in whole.perhaps for s in whole.initial},
        {(name[s], action, name[t]): must for (s, action, t), must in whole.steps.items()},
        whole.actions,
        whole.atoms,
    )


def test_concrete_parts_leave_nothing_unknown():
    for seed in seeds(CASES):
        rng = Random(seed)
        parts = (random_lts if rng.random() < 0.4 else random_parts)(rng, KRIPKE)
        atoms, actions = names_in(parts)
        formula = random_mu(rng, atoms, 6, actions=actions)
        assert composed(parts).whole.is_concrete
        assert verdict(parts, formula) is not None


FIXPOINTS = {
    "EF": lambda f: mu("Z", either(f, dia(Z))),
    "AG": lambda f: nu("Z", both(f, box(Z))),
    "AF": lambda f: mu("Z", either(f, both(box(Z), dia(TRUE)))),
    "EG": lambda f: nu("Z", both(f, either(dia(Z), box(FALSE)))),
    "EX": lambda f: either(dia(f), both(box(FALSE), f)),
    "AX": lambda f: both(box(f), either(dia(TRUE), f)),
    "EU": lambda f, g: mu("Z", either(g, both(f, dia(Z)))),
    "AU": lambda f, g: mu("Z", either(g, both(f, both(box(Z), dia(TRUE))))),
    "EW": lambda f, g: nu("Z", either(g, both(f, either(dia(Z), box(FALSE))))),
    "AW": lambda f, g: nu("Z", either(g, both(f, box(Z)))),
    "ER": lambda f, g: nu("Z", both(g, either(f, either(dia(Z), box(FALSE))))),
    "AR": lambda f, g: nu("Z", both(g, either(f, box(Z)))),
}


@pytest.mark.parametrize("kind", FIXPOINTS)
def test_ctl_on_paths_is_a_fixpoint(kind):
    make = FIXPOINTS[kind]
    operands = (P, Q)[: make.__code__.co_argcount]
    found = set()
    for seed in seeds(CASES):
        structure = from_kripke(random_structure(Random(seed), 6, ("p", "q")))
        rows = values(structure, (kind, *operands))
        assert rows == values(structure, make(*operands)), seed
        found |= set(rows)
    assert covers(found, {True, False})


def from_kripke(structure):
    return Structure(
        tuple({name: name in row for name in ("p", "q", "r")} for row in structure.labels),
        (0,),
        {(s, STEP, t): True for s, row in enumerate(structure.successors) for t in row},
    )


def test_ctl_agrees_with_the_oracle_for_machines():
    found = set()
    for seed in seeds(CASES):
        rng = Random(seed)
        structure = random_structure(rng, 6, ("p", "q", "r"))
        formula = generate.random_formula(rng)
        if "rare" in str(formula):
            continue
        truth = contexts.decide(as_machine(structure), formula)
        rows = values(from_kripke(structure), formula, structure.dead_ends)
        assert rows[0] is truth, (seed, formula)
        found.add(truth)
    assert covers(found, {True, False})


def test_random_ctl_is_ctl():
    rng = Random(3)
    assert all(
        not {g[0] for g in everything_in(random_ctl(rng, ("p",), 6))} & {"mu", "nu", "dia", "box"}
        for _ in seeds(CASES)
    )


def test_kripke_structures_are_read_as_they_are():
    kripke = Kripke(((1,), ()), (frozenset("p"), frozenset()))
    assert from_kripke(kripke).steps == {(0, STEP, 1): True}
