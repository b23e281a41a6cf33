"""An adversary: changes what a checker complained about, so that it complains no more."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from support.certificates.mutations import (
    OF_BLOCKS,
    OF_PROOFS,
    Workshop,
    change,
    change_level,
    put,
    well_formed,
)

if TYPE_CHECKING:
    from random import Random

    from support.certificates.sections import Proof
    from support.judges.claims import Judge

PROBLEM = re.compile(r"R(\d): (lemmas, )?level (\d+), ([a-z ]+) (\d+)(?:, node (\d+))?")
NEAR = {
    "operand context": ["lower instance changed", "operand context's component changed"],
    "link": ["link dropped", "link retargeted", "lower instance changed"],
    "instance": ["mask dropped", "root changed", "mask moved", "instance's operand context changed"],
    "instance link": [
        "instance link dropped", "instance link retargeted", "link added", "mask dropped",
        "node added", "link retargeted", "mask added",
    ],
    "component": ["relevant added", "relevant removed"],
    "initial node": [
        "top's lower instance changed", "mask added", "node added", "block made up", "exit dropped",
        "initial replaced", "walk added",
    ],
}  # fmt: skip


def repair(rng: Random, judge: Judge, proof: Proof, problem: str) -> Proof | None:
    """Changes something near the problem that a checker has told."""
    found = PROBLEM.fullmatch(problem)
    assert found, problem
    _, of_lemmas, level, what, index, node = found.groups()
    number = int(level) - 1 - (len(proof.lemmas) if of_lemmas else 0)
    if what == "block":
        return _repair_block(rng, judge, proof, number, int(index), int(node))
    kind = rng.choice(NEAR[what])
    if kind in OF_PROOFS or number >= len(proof.levels):
        return change(rng, judge, proof, kind)
    if number < 0 and kind not in OF_BLOCKS:
        return None
    return change_level(rng, judge, proof, number, kind)


def _repair_block(rng, judge, proof, number, index, node) -> Proof | None:
    shop = Workshop(judge, proof, number)
    block = shop.level.blocks[index]
    core = judge.model.core
    first = core.nodes_of(shop.level.operand_contexts[block.operands].component)[0]
    exits = shop.of(block.operands).exit_at
    way = rng.randrange(6)
    if node in exits and way < 3:
        block = block._replace(exits=block.exits | 1 << exits.index(node))
    elif way < 2:  # what it rests on, before it
        after = [at - first for at in core.successors(node + first)]
        after = [at for at in after if shop.of(block.operands).points[at] is not None]
        rest = [at for at in block.nodes if at not in after]
        if not after or node not in rest:
            return None
        at = rest.index(node)
        block = block._replace(nodes=(*rest[:at], *after, *rest[at:]))
    elif way == 2:  # later
        block = block._replace(nodes=(*(at for at in block.nodes if at != node), node))
    elif way == 3:
        block = block._replace(nodes=tuple(at for at in block.nodes if at != node))
    elif way == 4:  # other blocks, which it may need
        kinds = ["block copied", "block made up", "link added", "exit dropped", "blocks swapped"]
        return change_level(rng, judge, proof, number, rng.choice(kinds))
    else:  # other values below
        kind = rng.choice(
            ["lower instance changed", "block's operand context changed", "link retargeted"]
        )
        if number < 0 and kind not in OF_BLOCKS:
            return None
        return change_level(rng, judge, proof, number, kind)
    level = shop.level._replace(blocks=put(shop.level.blocks, index, well_formed(shop, block)))
    if number < 0:
        return proof._replace(lemmas=put(proof.lemmas, len(proof.lemmas) + number, level))
    return proof._replace(levels=put(proof.levels, number, level))
