"""What strategies for compositions say, judged by the oracle, and strategies with mistakes.

`wrong_claims` expands every claim to all composed states that it is about, and asks who wins there
in the game on the whole composition, which is solved by nested fixpoints.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from pigro.evidence.strategy.strategy import AbstractPart, ClaimLayer, StrategyMove
from pigro.logic.modal import AND, ATOM, BOX, DIAMOND, NEGATED, OR, TRUE
from pigro.model.part import Part
from pigro.model.parts.hyper import HyperStep

from oracle.mu_graphs import solved
from oracle.mu_structures import composed
from oracle.parity import NOBODY, Game

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from pigro.evidence import Strategy
    from pigro.logic.modal import ModalForm

    from oracle.mu_structures import Structure, Value


class Judge:
    """Who wins which position of the game of a modal form on a composition."""

    def __init__(self, parts: Sequence[Structure], form: ModalForm) -> None:
        made = composed(parts)
        whole, width = made.whole, len(form.ops)
        owner, edges, priority = [], [], []
        wide = []
        """Of each set of steps: who chooses among its edges, and these. Its number comes last."""
        last = len(whole.states) * width
        for state in whole.states:
            for node in range(width):
                who, after = _rule(whole, state, form, node)
                owner.append(who)
                row = [(to * width + child, must) for (to, child), must in after.items()]
                for targets in _sets(whole, state, form, node):
                    row.append((last + len(wide), True))
                    wide.append((1 - who, [to * width + form.left[node] for to in targets]))
                edges.append(tuple(row))
                priority.append(form.priority[node])
        for who, targets in wide:
            owner.append(who)
            edges.append(tuple((to, True) for to in targets))
            priority.append(0)
        colours = solved(Game(tuple(owner), tuple(priority), tuple(edges)))
        self.tuples = made.tuples
        self.colour = {
            (states, node): colours[number * width + node]
            for number, states in enumerate(made.tuples)
            for node in range(width)
        }

    def wrong_claims(self, strategy: Strategy) -> list[tuple[ClaimLayer, object]]:
        """Claims that are not true in some composed state."""
        block_of = [
            None
            if blocks is None
            else {s: block for block, states in enumerate(blocks.members) for s in states}
            for blocks in strategy.parts
        ]
        wrong = []
        for layer, states in product(strategy.layers, self.tuples):
            here = [
                states[part] if block_of[part] is None else block_of[part][states[part]]
                for part in layer.parts
            ]
            for position in layer.claims:
                if list(position[0]) == here:
                    colour = self.colour[states, position[1]]
                    wrong += [(layer, position)] if colour is not strategy.holds else []
        return wrong


def _rule(whole: Structure, state: int, form: ModalForm, node: int) -> tuple[int, dict]:
    """Whose turn it is, and where he can go, and whether for sure."""
    op, left, right = form.ops[node], form.left[node], form.right[node]
    if op <= NEGATED:
        value: Value = op == TRUE
        if op in (ATOM, NEGATED):
            value = whole.labels[state].get(form.atoms[left], False)
            value = value if op == ATOM or value is None else not value
        return {None: NOBODY, True: 1, False: 0}[value], {}
    if op in (AND, OR):
        return int(op == AND), {(state, left): True, (state, right): True}
    if op not in (DIAMOND, BOX):
        return 0, {(state, left): True}
    names = None if right < 0 else form.actions[right]
    sure = set(whole.after(state, names, must=True))
    return int(op == BOX), {(to, left): to in sure for to in whole.after(state, names)}


def _sets(whole: Structure, state: int, form: ModalForm, node: int) -> list:
    if form.ops[node] not in (DIAMOND, BOX):
        return []
    right = form.right[node]
    return whole.sets_of(state, None if right < 0 else form.actions[right])


def mutant(rng: Random, strategy: Strategy) -> Strategy:
    """One mistake."""
    changes = [_dropped, _moved, _elsewhere, _other_node, _flipped, _other_layer, _added, _unmoved]
    if any(strategy.parts):
        changes += [_other_blocks] * 3
    return rng.choice(changes)(rng, strategy)


def _with_claims(strategy: Strategy, at: int, claims: dict) -> Strategy:
    layers = list(strategy.layers)
    layers[at] = ClaimLayer(layers[at].parts, claims)
    return replace(strategy, layers=tuple(layers))


def _some(rng: Random, strategy: Strategy, only: str = "") -> tuple[int, dict, tuple]:
    """A layer, its claims, and one of them."""
    places = [
        (at, position)
        for at, layer in enumerate(strategy.layers)
        for position, move in layer.claims.items()
        if not only or move is not None
    ]
    at, position = rng.choice(places) if places else (0, next(iter(strategy.layers[0].claims)))
    return at, dict(strategy.layers[at].claims), position


def _nearby(rng: Random, states: tuple[int, ...]) -> tuple[int, ...]:
    place = rng.randrange(len(states))
    return (*states[:place], states[place] + rng.choice((-1, 1)), *states[place + 1 :])


def _dropped(rng, strategy):
    at, claims, position = _some(rng, strategy)
    del claims[position]
    return _with_claims(strategy, at, claims)


def _moved(rng, strategy):
    at, claims, position = _some(rng, strategy, "moves")
    move = claims[position]
    if move is not None:
        others = [StrategyMove(states, node, move.action) for states, node in claims]
        claims[position] = rng.choice(
            (
                rng.choice(others),
                replace(move, states=_nearby(rng, move.states)),
                replace(move, node=move.node + rng.choice((-1, 1))),
                replace(move, action=rng.choice((None, "a0", "b00", "tau", "no such"))),
                replace(move, others=move.others[1:] or (_nearby(rng, move.states),)),
                StrategyMove(*position),
            )
        )
    return _with_claims(strategy, at, claims)


def _unmoved(rng, strategy):
    at, claims, position = _some(rng, strategy)
    claims[position] = None if claims[position] else StrategyMove(*position)
    return _with_claims(strategy, at, claims)


def _elsewhere(rng, strategy):
    at, claims, position = _some(rng, strategy)
    claims[_nearby(rng, position[0]), position[1]] = claims.pop(position)
    return _with_claims(strategy, at, claims)


def _other_node(rng, strategy):
    at, claims, position = _some(rng, strategy)
    claims[position[0], position[1] + rng.choice((-1, 1))] = claims.pop(position)
    return _with_claims(strategy, at, claims)


def _added(rng, strategy):
    """Something that need not be true."""
    at, claims, position = _some(rng, strategy)
    other = rng.choice(list(claims))
    claims.setdefault((position[0], other[1]), claims[other])
    return _with_claims(strategy, at, claims)


def _flipped(rng, strategy):
    return replace(strategy, holds=not strategy.holds)


def _other_layer(rng, strategy):
    """A claim, or all of them, for fewer or other parts."""
    at, claims, position = _some(rng, strategy)
    layers = list(strategy.layers)
    parts = layers[at].parts
    count = len(strategy.parts)
    if len(parts) == 1 or rng.random() < 0.3:
        shifted = tuple(part + rng.choice((-1, 1)) for part in parts)
        layers[at] = replace(layers[at], parts=rng.choice((shifted, tuple(range(count)))))
        return replace(strategy, layers=tuple(layers))
    gone = rng.randrange(len(parts))

    def less(states):
        return states[:gone] + states[gone + 1 :]

    move = claims.pop(position)
    fewer = (less(position[0]), position[1])
    made = None if move is None else replace(move, states=less(move.states))
    layers[at] = replace(layers[at], claims=claims)
    for number, layer in enumerate(layers):
        if layer.parts == less(parts):
            layers[number] = replace(layer, claims={fewer: made, **layer.claims})
            break
    else:
        layers.append(ClaimLayer(less(parts), {fewer: made}))
    return replace(strategy, layers=tuple(layers))


def _other_blocks(rng, strategy):
    """Blocks with another label, step or state."""
    at = rng.choice([at for at, blocks in enumerate(strategy.parts) if blocks is not None])
    blocks = strategy.parts[at]
    part, members = blocks.part, [list(each) for each in blocks.members]
    change = rng.randrange(6)
    if change == 0 and part.values:
        values = bytearray(part.values)
        values[rng.randrange(len(values))] = rng.randrange(3)
        part = replace(part, values=bytes(values))
    elif change == 1 and part.must:
        must = bytearray(part.must)
        must[rng.randrange(len(must))] ^= 1
        part = replace(part, must=bytes(must))
    elif change == 2:
        rng.choice(members).append(rng.choice([each for each in members if each]).pop())
    elif change == 3:
        rng.choice(members).append(rng.randrange(-1, sum(map(len, members)) + 1))
    elif change == 4 and part.targets:
        source = rng.randrange(len(part.states))
        targets = sorted({to for by, to, _ in part.steps_of(source) if not by})
        if len(targets) > 1:
            wide = HyperStep(source, 0, tuple(targets[:2]))
            part = replace(part, hyper=tuple(sorted({*part.hyper, wide})))
    elif part.targets:
        part = _without_step(part, rng.randrange(len(part.targets)))
    parts = list(strategy.parts)
    parts[at] = AbstractPart(part, tuple(map(tuple, members)))
    return replace(strategy, parts=tuple(parts))


def _without_step(part: Part, gone: int) -> Part:
    steps = [
        (source, *step) for source in range(len(part.states)) for step in part.steps_of(source)
    ]
    del steps[gone]
    return Part.from_steps(
        part.name,
        states=part.states,
        initial=part.initial,
        atoms=part.atoms,
        values=part.values,
        actions=part.actions,
        sources=[step[0] for step in steps],
        by=[step[1] for step in steps],
        targets=[step[2] for step in steps],
        must=[step[3] for step in steps],
    )
