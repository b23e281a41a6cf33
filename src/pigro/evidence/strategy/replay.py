"""Checks a strategy for a composition by the rules of the game, claim by claim.

Nothing is searched for, and nothing of the engine is used. A strategy shows its verdict if

S1  blocks are an abstraction of their part: a partition of its states. What a block knows of a
    label is so in all of its states, and of labels that other parts see it knows all. Each step of
    a state is a step of its block, and a step that a block must have all of its states must have.
    If a block has a hyper-step, each of its states must have a step to a state of one of the
    blocks that the hyper-step leads to.
S2  a claim of a label is read off a part of its layer that sees it. A label that no part sees is
    false.
S3  where the winner chooses, the move leads to a claim. If it is a step, then one that is there
    for sure: all who take part in it are in the layer, each by a step that must be there, and they
    agree on joint labels afterwards, none of which is unknown. A step to one of several tuples
    of states is there for sure if these are all combinations of targets, a set for each part,
    each part must have a step to one of its set, and all combinations agree so. Then each of them
    leads to a claim.
S4  where the loser chooses, all moves lead to claims: all steps that may be there, as far
    as the layer can tell, to states that can agree. If others can make a step without the layer, it
    stays where it is.
S5  what leads to a position leads to a claim if the position, without some of the parts, is a claim
    of a smaller layer, or else if it is a claim of the same layer.
S6  no cycle of claims of a layer, each resting on the next, has the loser's parity as that of its
    largest priority.
S7  all tuples of initial states that can agree lead to claims of the whole formula if it holds. One
    that agrees for sure, if it fails.
S8  the formula names only actions that some part has. A box of another action has no steps, so that
    a claim about it would need no reasons. `pigro compose` refuses such a formula.

A strategy that is not whole shows nothing: S3, S4, S5 and S7 let claims be missing then. Those that
are there are checked.

A claim is about composed states that exist: where a joint label is unknown, a tuple of states may
turn out to be none, and then nothing is claimed.

A play that keeps to the claims changes to smaller layers only so often, so that the winner wins it
by S6, or where it ends by S2 and S4. Cost: the moves of the loser, but for those that a smaller
layer covers together, and for S6 the claims times the priorities.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.evidence.data import WrongEvidence, require
from pigro.evidence.strategy.steps import JointSteps
from pigro.evidence.strategy.strategy import AbstractPart
from pigro.logic.modal import AND, ATOM, BOX, DIAMOND, FALSE, NEGATED, OR, TRUE
from pigro.model.calls import cycles
from pigro.model.composition import Composition
from pigro.model.lazy.seen import SeenPart
from pigro.model.part import MUST, TAU, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pigro.evidence.strategy.strategy import (
        ClaimLayer,
        Position,
        States,
        Strategy,
        StrategyMove,
    )
    from pigro.logic.modal import ModalForm
    from pigro.model.lazy.seen import AnyPart, NumberedPart
    from pigro.model.part import Part

Place = tuple[int, "Position"]
"""A claim: the number of its layer, and its position."""


def replay_strategy(composition: Composition, strategy: Strategy) -> None:
    """`WrongEvidence` unless the strategy shows its verdict on this composition."""
    rules = StrategyRules(composition, strategy)
    for at, layer in enumerate(strategy.layers):
        rests = {position: rules.rests_on(at, position) for position in layer.claims}
        _check_cycles(strategy, at, rests)
    rules.starts()


class StrategyRules:
    """What claims rest on."""

    def __init__(self, composition: Composition, strategy: Strategy) -> None:
        """`WrongEvidence` unless parts, layers and actions are fine (S1, S8)."""
        require(
            len(strategy.parts) == len(composition.parts),
            "the strategy is about another number of parts",
        )
        self.composition = composition
        self.strategy = strategy
        self.form: ModalForm = strategy.form
        check_actions(self.form, composition)
        self.parts: tuple[NumberedPart, ...] = strategy.played_on(composition)
        joint = frozenset(composition.joint)
        self._block_of: list[list[int] | None] = []
        real = list(composition.parts)
        for at, (part, mine) in enumerate(zip(composition.parts, strategy.parts, strict=True)):
            self._block_of.append(None)
            if isinstance(mine, AbstractPart):
                self._block_of[at] = _check_blocks(part.listed(), mine, joint)
            elif mine is not None:
                real[at] = _checked_seen(part, mine)
        self._is_seen = any(isinstance(part, SeenPart) for part in real)
        if self._is_seen:
            self.composition = Composition(real)
        self.layers: tuple[ClaimLayer, ...] = strategy.layers
        _check_layers(self.layers, len(self.parts))
        self._choosing = (OR, DIAMOND) if strategy.holds else (AND, BOX)
        self._steps = JointSteps(self.parts)
        self.ending = [_endings(self.layers, at) for at in range(len(self.layers))]
        self._smaller = [[each for row in rows for each in row] for rows in self.ending]

    def starts(self) -> list[Place]:
        """The claims that the verdict rests on (S7)."""
        if self._is_seen and not (self.strategy.holds and self.strategy.is_whole):
            return [self._one_start()]
        layers = [(at, layer.parts) for at, layer in enumerate(self.layers)]
        found: dict[Place, None] = {}
        for states in self.composition.initial:
            if not self.strategy.holds and not self.composition.is_sure(states):
                continue
            blocks = [
                state if block_of is None else block_of[state]
                for state, block_of in zip(states, self._block_of, strict=True)
            ]
            place = self._claimed(layers, blocks, self.form.root)
            if place is not None:
                found[place] = None
                if not self.strategy.holds:
                    return [place]
            else:
                fine = not self.strategy.holds or not self.strategy.is_whole
                require(fine, "an initial state is not claimed")
        require(found, "no initial state is claimed")
        return list(found)

    def _one_start(self) -> Place:
        """A claim where all parts can start. Found without looking at all initial states."""
        for at, layer in enumerate(self.layers):
            for states, node in layer.claims:
                if node == self.form.root and self._can_start(layer.parts, states):
                    return at, (states, node)
        raise WrongEvidence("no initial state is claimed")

    def _can_start(self, parts: tuple[int, ...], states: States) -> bool:
        for part, state in zip(parts, states, strict=True):
            one = self.parts[part]
            is_initial = None if one.is_listed else one.is_initial(state)
            if not (state in one.initial if is_initial is None else is_initial):
                return False
        found = self.composition.starts_with(dict(zip(parts, states, strict=True)))
        return any(self.composition.is_sure(each) for each in found)

    def rests_on(self, at: int, position: Position) -> list[Place]:
        """The claims that a claim rests on (S2 to S5). `WrongEvidence` if they are not there."""
        layer = self.layers[at]
        self._check_position(layer.parts, position)
        states, node = position
        move = layer.claims[position]
        op = self.form.ops[node]
        if move is not None:
            require(op in self._choosing, "the winner moves where the other player chooses")
            legal = self._is_possible(layer.parts, position, move)
            require(legal, "the winner's move is not a legal move")
            return [self._resting(at, states, move.node) for states in move.goals]
        require(op not in self._choosing, "the winner's move is missing")
        if op <= NEGATED:
            require(self._literal(layer.parts, position), "a label is wrong, or not known")
            return []
        left, right = self.form.left[node], self.form.right[node]
        if op in {DIAMOND, BOX}:
            names = None if right < 0 else self.form.actions[right]
            return self._covering(at, states, left, names)
        children = (left, right) if op in {AND, OR} else (left,)
        return [self._resting(at, states, child) for child in children]

    def _check_position(self, parts: tuple[int, ...], position: Position) -> None:
        states, node = position
        require(0 <= node < len(self.form), "a subformula is not there")
        require(len(states) == len(parts), "a claim does not have exactly one state for each part")
        fine = all(
            0 <= state < len(self.parts[part].states)
            for part, state in zip(parts, states, strict=True)
        )
        require(fine, "a state is not there")

    def _literal(self, parts: tuple[int, ...], position: Position) -> bool:
        """Whether a label or constant is for the winner."""
        states, node = position
        op = self.form.ops[node]
        holds = self.strategy.holds
        if op in {TRUE, FALSE}:
            return (op == TRUE) is holds
        atom = self.form.atoms[self.form.left[node]]
        wanted = int((op == ATOM) is holds)
        if not self._steps.is_seen(atom):
            return wanted == 0
        places = zip(parts, states, strict=True)
        return any(self._steps.value(part, state, atom) == wanted for part, state in places)

    def _is_possible(self, parts: tuple[int, ...], position: Position, move: StrategyMove) -> bool:
        """Whether the winner can move so for sure (S3)."""
        states, node = position
        left, right = self.form.left[node], self.form.right[node]
        if self.form.ops[node] in {AND, OR}:
            stays = move.goals == (states,) and move.action is None
            return stays and move.node in {left, right}
        for goal in move.goals:
            self._check_position(parts, (goal, move.node))
        names = None if right < 0 else self.form.actions[right]
        can = self._steps.can(parts, states, move.action, move.goals, names)
        return can and move.node == left

    def _resting(self, at: int, states: States, node: int) -> Place:
        """The claim that a position leads to (S5)."""
        place = self._claimed(self._smaller[at], states, node)
        if place is None:
            place = (at, (states, node))
            require(self.may_be(place), "a claim rests on one that is not there")
        return place

    def is_there(self, place: Place) -> bool:
        """Whether a claim is there. If not, it was left out of a strategy that is not whole."""
        return place[1] in self.layers[place[0]].claims

    def may_be(self, place: Place) -> bool:
        """Whether a claim is there, or may have been left out."""
        return self.is_there(place) or not self.strategy.is_whole

    def _claimed(
        self, layers: Iterable[tuple[int, Sequence[int]]], states: Sequence[int], node: int
    ) -> Place | None:
        """The first layer that claims a position. Each with the places of its parts' states."""
        for at, places in layers:
            position = (tuple([states[place] for place in places]), node)
            if position in self.layers[at].claims:
                return at, position
        return None

    def _covering(
        self, at: int, states: States, node: int, names: Sequence[str] | None
    ) -> list[Place]:
        """The claims that all possible steps of a layer lead to (S4)."""
        layer = self.layers[at]
        covers = _Covers(self, at, node)
        found: dict[Place, None] = {}
        for after in self._steps.targets(layer.parts, states, names, covers):
            position = (after, node)
            require(self.may_be((at, position)), "a step of the loser leads to no claim")
            found[at, position] = None
        return [*covers.met, *found]


class _Covers:
    """Claims of smaller layers that a step of a layer leads to. Those that were met are kept."""

    def __init__(self, rules: StrategyRules, at: int, node: int) -> None:
        self._layers, self._node = rules.layers, node
        self._parts = rules.layers[at].parts
        self._ending: list[list[tuple[int, list[int]]]] = rules.ending[at]
        self.met: dict[Place, None] = {}

    def alone(self, last: int, state: int) -> bool:
        return any(
            len(places) == 1 and self._has(number, (state,))
            for number, places in self._ending[last]
        )

    def together(self, states: States) -> bool:
        return any(
            self._has(number, tuple([states[place] for place in places]))
            for number, places in self._ending[len(states) - 1]
            if len(places) > 1
        )

    def _has(self, number: int, states: States) -> bool:
        position = (states, self._node)
        if position not in self._layers[number].claims:
            return False
        self.met[number, position] = None
        return True


def _endings(layers: Sequence[ClaimLayer], at: int) -> list[list[tuple[int, list[int]]]]:
    """For each part of a layer, the smaller layers that end with it, and where their parts are."""
    parts = layers[at].parts
    found: list[list[tuple[int, list[int]]]] = [[] for _ in parts]
    for number, other in enumerate(layers):
        if set(other.parts) < set(parts):
            places = [parts.index(part) for part in other.parts]
            found[places[-1]].append((number, places))
    return found


def _checked_seen(part: AnyPart, mine: SeenPart) -> SeenPart:
    """A part as far as it is seen, if it is of the module of a part. Its formulas are asked."""
    require(part.formulas is mine.formulas, "states are numbered as those of another part")
    return mine


def check_actions(form: ModalForm, composition: Composition) -> None:
    """S8: `WrongEvidence` if a formula names an action that no part has."""
    known = {TAU, *composition.actions} if composition.has_actions else frozenset()
    for name in {name for names in form.actions for name in names}:
        require(
            name in known, f"the formula names the action {printable(name)!r}, which no part has"
        )


def _check_layers(layers: Sequence[ClaimLayer], parts: int) -> None:
    seen = set[tuple[int, ...]]()
    for layer in layers:
        rising = all(a < b for a, b in pairwise((-1, *layer.parts, parts)))
        require(layer.parts and rising, "a layer has other parts, or not in their order")
        require(layer.parts not in seen, "two layers have the same parts")
        seen.add(layer.parts)


def _check_blocks(part: Part, blocks: AbstractPart, joint: frozenset[str]) -> list[int]:
    """S1. The block of each state."""
    far = blocks.part
    require(
        (far.name, far.atoms, far.actions) == (part.name, part.atoms, part.actions),
        "blocks have other labels or actions than their part",
    )
    require(len(blocks.members) == len(far.states), "there are more or fewer blocks than listed")
    block_of = [-1] * len(part.states)
    for block, members in enumerate(blocks.members):
        require(members, "a block is empty")
        for state in members:
            require(
                0 <= state < len(block_of) and block_of[state] < 0, "blocks are not a partition"
            )
            block_of[state] = block
    require(-1 not in block_of, "blocks are not a partition")
    for state, block in enumerate(block_of):
        for column, atom in enumerate(part.atoms):
            told = far.value(block, column)
            fine = told == part.value(state, column) or (told == UNKNOWN and atom not in joint)
            require(fine, "a block has a label that not all of its states have")
        _check_steps(part, state, far, block, block_of)
    return block_of


def _check_steps(part: Part, state: int, far: Part, block: int, block_of: list[int]) -> None:
    """A state has no step that its block has not, and has all steps that its block must have."""
    may = {(by, target) for by, target, _ in far.steps_of(block)}
    must = {(by, target) for by, target, strength in far.steps_of(block) if strength == MUST}
    for by, target, strength in part.steps_of(state):
        step = (by, block_of[target])
        require(step in may, "a step is missing from a block")
        if strength == MUST:
            must.discard(step)
    require(not must, "a block has a step that not all of its states have")
    sure = {(by, block_of[target]) for by, target, strength in part.steps_of(state) if strength}
    for _, by, targets in far.hyper_of(block):
        fine = any((by, target) in sure for target in targets)
        require(fine, "a block has a hyper-step that not all of its states have")


def _check_cycles(strategy: Strategy, at: int, rests: dict[Position, list[Place]]) -> None:
    """S6, for one layer."""
    priority = strategy.form.priority
    bad = {priority[node] for _, node in rests if priority[node] % 2 == strategy.holds}
    numbers = {position: number for number, position in enumerate(rests)}
    ranks = [priority[node] for _, node in rests]
    after = [
        [numbers[position] for layer, position in places if layer == at and position in numbers]
        for places in rests.values()
    ]
    for worst in bad:
        kept = [
            [each for each in row if ranks[each] <= worst] if rank <= worst else []
            for row, rank in zip(after, ranks, strict=True)
        ]
        for cycle in cycles(kept):
            require(all(ranks[each] != worst for each in cycle), "the loser wins by going round")
