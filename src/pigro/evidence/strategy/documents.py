"""A strategy as a JSON document, and back; data.py has its types.

Parts, states, blocks, labels and actions go by name, subformulas by number, with their texts once.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from pigro.certificates import Mismatch
from pigro.diagnostics import CheckError, FormulaError, ModelError, printable
from pigro.evidence.data import (
    STRATEGY,
    BlockData,
    BlockStepData,
    ClaimData,
    HyperData,
    LayerData,
    MoveData,
    NotEvidence,
    PartData,
    StrategyDocument,
    TextData,
    WrongEvidence,
    require,
)
from pigro.evidence.strategy.strategy import AbstractPart, ClaimLayer, Strategy, StrategyMove
from pigro.logic import parse
from pigro.logic.modal import modal_form
from pigro.logic.modal_text import modal_texts
from pigro.model.lazy.seen import SeenPart, seen
from pigro.model.part import FALSE, LOCAL, MUST, TAU, TRUE, UNKNOWN, Part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pigro.evidence.strategy.strategy import Position
    from pigro.logic import Formula
    from pigro.model.composition import Composition
    from pigro.model.lazy.seen import AnyPart, NumberedPart


def strategy_piece(composition: Composition, strategy: Strategy) -> StrategyDocument:
    """The document, as its type."""
    names = [part.states for part in strategy.played_on(composition)]
    texts = modal_texts(strategy.formula, dead_ends=strategy.dead_ends)

    def named(parts: Iterable[int], states: Iterable[int]) -> list[str]:
        return [names[part][state] for part, state in zip(parts, states, strict=True)]

    def claim_data(layer: ClaimLayer, position: Position, move: StrategyMove | None) -> ClaimData:
        states, node = position
        made = None
        if move is not None:
            others = [named(layer.parts, each) for each in move.others]
            made = MoveData(named(layer.parts, move.states), move.node, move.action, others)
        return ClaimData(named(layer.parts, states), node, made)

    layers = [
        LayerData(
            [composition.parts[part].name for part in layer.parts],
            [claim_data(layer, position, move) for position, move in layer.claims.items()],
        )
        for layer in strategy.layers
    ]
    parts = [
        PartData(
            part.name, _told_blocks(part.listed(), mine) if isinstance(mine, AbstractPart) else None
        )
        for part, mine in zip(composition.parts, strategy.parts, strict=True)
    ]
    return StrategyDocument(
        STRATEGY,
        str(strategy.formula),
        "holds" if strategy.holds else "fails",
        strategy.dead_ends,
        parts,
        [TextData(node, texts[node]) for node in sorted(_used(layers))],
        layers,
        partial=not strategy.is_whole,
    )


def take_strategy(composition: Composition, head: StrategyDocument) -> Strategy:
    """The strategy of a document.

    `NotEvidence` if it is none, `Mismatch` if it is about other parts, `WrongEvidence` if states or
    subformulas are not those of the parts and the formula. It is not yet replayed.
    """
    if [part.name for part in head.parts] != [part.name for part in composition.parts]:
        raise Mismatch("the evidence is about other parts")
    formula = _formula(head)
    parts = tuple(
        _taken_part(part, data.blocks)
        for part, data in zip(composition.parts, head.parts, strict=True)
    )
    _check_texts(formula, head)
    holds = head.verdict == "holds"
    strategy = Strategy(formula, head.dead_ends, holds, parts, (), is_whole=not head.partial)
    numbers = [_numbers(part) for part in strategy.played_on(composition)]
    own = {part.name: number for number, part in enumerate(composition.parts)}
    layers = tuple(_taken_layer(layer, own, numbers) for layer in head.layers)
    return replace(strategy, layers=layers)


def _formula(head: StrategyDocument) -> Formula:
    try:
        formula = parse(head.formula)
        modal_form(formula, dead_ends=head.dead_ends)
    except (FormulaError, CheckError) as error:
        raise NotEvidence(f"its formula can't be read: {error}") from None
    return formula


def _used(layers: Sequence[LayerData]) -> set[int]:
    """The subformulas that claims and moves speak of."""
    claims = [claim for layer in layers for claim in layer.claims]
    moves = [claim.move for claim in claims if claim.move is not None]
    return {claim.formula for claim in claims} | {move.formula for move in moves}


def _check_texts(formula: Formula, head: StrategyDocument) -> None:
    numbers = [each.number for each in head.subformulas]
    require(all(a < b for a, b in pairwise(numbers)), "subformulas are not in their order")
    require(_used(head.layers) == set(numbers), "other subformulas are listed than are used")
    texts = modal_texts(formula, dead_ends=head.dead_ends)
    for each in head.subformulas:
        require(each.number < len(texts), "a subformula is not there")
        right = texts[each.number] == each.text
        require(right, f"the text of a subformula is not that of number {each.number}")


def _taken_part(
    part: AnyPart, blocks: Sequence[BlockData] | None
) -> AbstractPart | SeenPart | None:
    """What a strategy is played on, as `Strategy.parts` has it."""
    if blocks is not None:
        return _taken_blocks(part.listed(), blocks)
    mine = seen(part)
    return None if mine.is_listed else mine


def _numbers(part: NumberedPart) -> Callable[[str], int | None]:
    """How to find a state by name."""
    if not part.is_listed:
        return part.named
    return {name: number for number, name in enumerate(part.states)}.get


def _told_blocks(part: Part, blocks: AbstractPart) -> list[BlockData]:
    far = blocks.part
    acting = far.actions is not None
    return [
        BlockData(
            far.states[block],
            [part.states[state] for state in members],
            far.labels_of(block),
            far.labels_of(block, UNKNOWN),
            [
                BlockStepData(
                    far.states[target], far.action_name(by) if acting else None, must == MUST
                )
                for by, target, must in sorted(far.steps_of(block))
            ],
            [
                HyperData(
                    [far.states[target] for target in step.targets],
                    far.action_name(step.by) if acting else None,
                )
                for step in far.hyper_of(block)
            ],
        )
        for block, members in enumerate(blocks.members)
    ]


def _taken_blocks(part: Part, data: Sequence[BlockData]) -> AbstractPart:
    numbers = {name: number for number, name in enumerate(part.states)}
    blocks = {each.name: number for number, each in enumerate(data)}
    columns = {atom: column for column, atom in enumerate(part.atoms)}
    actions: dict[str | None, int] = {None: 0}
    if part.actions is not None:
        actions = dict(zip((*part.actions, TAU), (*range(len(part.actions)), LOCAL), strict=True))
    values = bytearray(len(data) * len(columns))
    members: list[tuple[int, ...]] = []
    steps: list[tuple[int, int, int, int]] = []
    wide: list[tuple[int, int, list[int]]] = []
    for block, each in enumerate(data):
        members.append(tuple([_found(numbers, name, "state") for name in each.states]))
        for value, labels in ((TRUE, each.labels), (UNKNOWN, each.unknown)):
            for label in labels:
                at = block * len(columns) + _found(columns, label, "label")
                require(values[at] == FALSE, "a label of a block is listed twice")
                values[at] = value
        for step in each.steps:
            require(step.action in actions, f"there is no action {printable(str(step.action))!r}")
            target = _found(blocks, step.to, "block")
            steps.append((block, actions[step.action], target, step.must))
        for hyper in each.hyper:
            require(hyper.action in actions, f"there is no action {printable(str(hyper.action))!r}")
            goals = [_found(blocks, name, "block") for name in hyper.to]
            require(len({*goals}) > 1, "a hyper-step does not lead to two blocks at least")
            wide.append((block, actions[hyper.action], goals))
    starting = set(part.initial)
    try:
        far = Part.from_steps(
            part.name,
            states=[each.name for each in data],
            initial=[at for at, each in enumerate(members) if not starting.isdisjoint(each)],
            atoms=part.atoms,
            values=bytes(values),
            actions=part.actions,
            sources=[source for source, _, _, _ in steps],
            by=[by for _, by, _, _ in steps],
            targets=[target for _, _, target, _ in steps],
            must=[must for _, _, _, must in steps],
            hyper=wide,
        )
    except ModelError as error:
        raise WrongEvidence(f"blocks are wrong: {error}") from None
    return AbstractPart(far, tuple(members))


def _taken_layer(
    data: LayerData, parts: Mapping[str, int], numbers: Sequence[Callable[[str], int | None]]
) -> ClaimLayer:
    own = tuple([_found(parts, name, "part") for name in data.parts])

    def states(names: Sequence[str]) -> tuple[int, ...]:
        require(len(names) == len(own), "a claim does not have exactly one state for each part")
        pairs = zip(own, names, strict=True)
        return tuple([_is_there(numbers[part](name), name, "state") for part, name in pairs])

    claims: dict[Position, StrategyMove | None] = {}
    for each in data.claims:
        position = (states(each.states), each.formula)
        require(position not in claims, "a claim is made twice")
        move = None
        if each.move is not None:
            goals = [states(names) for names in (each.move.states, *each.move.others)]
            move = StrategyMove(goals[0], each.move.formula, each.move.action, tuple(goals[1:]))
        claims[position] = move
    return ClaimLayer(own, claims)


def _found(numbers: Mapping[str, int], name: str, what: str) -> int:
    return _is_there(numbers.get(name), name, what)


def _is_there(number: int | None, name: str, what: str) -> int:
    if number is None:
        raise WrongEvidence(f"there is no {what} {printable(name)!r}")
    return number
