"""Normal forms of the mu-calculus mean what the formulas mean.

The game of the normal form is played on random structures, and every formula is printed and read
back. A few hundred formulas, unless `PIGRO_MODAL_CASES` asks for more.
"""

from random import Random

import pytest

from pigro.logic import modal, parse

from oracle.mu_formula import (
    Shape,
    everything_in,
    is_alternation_free,
    random_ctl,
    random_mu,
    text,
)
from oracle.mu_graphs import solved
from oracle.mu_semantics import values
from oracle.mu_structures import KMTS, KRIPKE, names_in, random_lts, random_parts
from oracle.parity import NOBODY, Game
from support.selection.cases import covers, number_of_cases, seeds

CASES = number_of_cases("PIGRO_MODAL_CASES", 150)
MOVERS = {modal.AND: 1, modal.BOX: 1, modal.TRUE: 1}
"""Whose turn it is; 0 for all others but labels."""


def game_of(form, structure):
    """The game of a normal form: state s and node n are number s * (nodes) + n."""
    width = len(form.ops)
    owner, priority, edges = [], [], []
    for state in structure.states:
        for node, op in enumerate(form.ops):
            left, right = form.left[node], form.right[node]
            turn, children = MOVERS.get(op, 0), []
            if op in (modal.ATOM, modal.NEGATED):
                value = structure.labels[state][form.atoms[left]]
                turn = NOBODY if value is None else int(value is (op == modal.ATOM))
            elif op in (modal.DIAMOND, modal.BOX):
                actions = None if right < 0 else form.actions[right]
                must = structure.after(state, actions, must=True)
                after = dict.fromkeys(structure.after(state, actions))
                children = [(target * width + left, target in must) for target in after]
            elif op in (modal.AND, modal.OR):
                children = [(state * width + each, True) for each in dict.fromkeys((left, right))]
            elif op in (modal.MU, modal.NU, modal.VAR):
                children = [(state * width + left, True)]
            owner.append(turn)
            priority.append(form.priority[node])
            edges.append(tuple(children))
    return Game(tuple(owner), tuple(priority), tuple(edges))


def played(form, structure):
    width = len(form.ops)
    colours = solved(game_of(form, structure))
    return [colours[state * width + form.root] for state in structure.states]


def structure_of(rng, shape):
    (structure, *_) = (random_lts if rng.random() < 0.4 else random_parts)(rng, shape)
    return structure


@pytest.mark.parametrize("alternation", [True, False])
def test_fixpoints(alternation):
    found = set()
    for seed in seeds(CASES):
        rng = Random(seed)
        structure = structure_of(rng, rng.choice((KRIPKE, KMTS)))
        atoms, actions = names_in((structure,))
        shape = Shape(alternation=alternation)
        formula = random_mu(rng, atoms, rng.randint(1, 10), actions=actions, shape=shape)
        form = modal.modal_form(parse(text(formula)))
        expected = values(structure, formula)
        assert played(form, structure) == expected, (seed, text(formula), structure)
        assert not is_alternation_free(formula) or form.alternation_free
        found |= set(expected)
    assert covers(found, {True, False, None})


@pytest.mark.parametrize("dead_ends", ["stutter", "stop"])
@pytest.mark.parametrize("mixed", [False, True])
def test_ctl(mixed, dead_ends):
    found = set()
    for seed in seeds(CASES):
        rng = Random(seed)
        structure = structure_of(rng, KRIPKE)
        atoms, _ = names_in((structure,))
        size = rng.randint(1, 7)
        shape = Shape(ctl=0.25)
        formula = (
            random_mu(rng, atoms, size, shape=shape) if mixed else random_ctl(rng, atoms, size)
        )
        form = modal.modal_form(parse(text(formula)), dead_ends=dead_ends)
        expected = values(structure, formula, dead_ends)
        assert played(form, structure) == expected, (seed, text(formula), structure)
        found |= set(expected)
    assert covers(found, {True, False})


def test_printed_formulas_are_read_back():
    for seed in seeds(CASES):
        rng = Random(seed)
        formula = random_mu(rng, ("p", "q"), 9, actions=("a", "tau"), shape=Shape(ctl=0.15))
        read = parse(text(formula))
        again = parse(str(read))
        assert str(again) == str(read), text(formula)
        form, same = modal.modal_form(read), modal.modal_form(again)
        assert form.ops == same.ops, text(formula)
        assert (form.left, form.right, form.priority) == (same.left, same.right, same.priority)


def test_nodes_are_in_order():
    """What a normal form promises about its arrays."""
    for seed in seeds(CASES):
        formula = random_mu(Random(seed), ("p", "q"), 9, actions=("a", "tau"))
        form = modal.modal_form(parse(text(formula)))
        for node, op in enumerate(form.ops):
            if op in (modal.MU, modal.NU):
                assert form.ops[form.left[node]] == modal.VAR
                assert form.priority[form.left[node]] % 2 == (op == modal.MU)
            if op != modal.VAR:
                assert form.priority[node] == 0
        assert len(form.ops) <= 3 * sum(1 for _ in everything_in(formula)) + 2
