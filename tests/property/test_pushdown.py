"""Both translations of pushdown systems against the oracle, which knows nothing of components.

PIGRO_PDS_CASES sets the number of random systems for each. Four formulas are asked of each.
"""

from __future__ import annotations

import os

import pytest

from pigro.formats import pds
from pigro.logic import parse

from agreement import ALL_ENGINES
from oracle.formula import to_text as formula_text
from oracle.pushdown import decide_many, random_case, to_text

CASES = int(os.environ.get("PIGRO_PDS_CASES", "1600"))
CHUNKS = 4
FORMULAS = 4


def disagreements(seed: int, translation: str) -> tuple[int, list[str]]:
    """How many formulas the oracle decides, and those where an engine says something else."""
    system, formulas = random_case(seed, pure=translation == "split", formulas=FORMULAS)
    truths = decide_many(system, formulas)
    model = pds.read(to_text(system).encode(), dead_ends=system.dead_ends, translation=translation)
    asked = [parse(formula_text(formula)) for formula in formulas]
    found = []
    for name, engine in ALL_ENGINES.items():
        told = [verdict.holds for verdict in engine.check_all(model, asked)]
        found += [
            f"system {seed}, {translation}: oracle {truth}, {name} {said}, {formula}"
            for truth, said, formula in zip(truths, told, asked, strict=True)
            if truth is not None and said is not truth
        ]
    return sum(truth is not None for truth in truths), found


@pytest.mark.parametrize("translation", ["split", "general", "single"])
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_translations_agree_with_the_oracle(chunk: int, translation: str):
    decided = 0
    size = CASES // CHUNKS
    for seed in range(chunk * size, (chunk + 1) * size):
        count, found = disagreements(seed, translation)
        decided += count
        assert not found
    assert decided > 0.7 * FORMULAS * size


def test_split_systems_translated_both_ways_agree():
    """Also where the oracle does not decide."""
    for seed in range(CASES // 5):
        system, formulas = random_case(seed, pure=True, formulas=FORMULAS)
        asked = [parse(formula_text(formula)) for formula in formulas]
        data = to_text(system).encode()
        told = [
            [
                verdict.holds
                for verdict in ALL_ENGINES["exhaustive"].check_all(
                    pds.read(data, dead_ends=system.dead_ends, translation=how), asked
                )
            ]
            for how in ("split", "general", "single")
        ]
        assert told[0] == told[1], seed
