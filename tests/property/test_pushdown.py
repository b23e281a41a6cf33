"""Both translations of pushdown systems against the oracle, which knows nothing of components.

PIGRO_PDS_CASES sets the number of random systems for each. Four formulas are asked of each.
"""

from __future__ import annotations

import sys

import pytest

from pigro import _core
from pigro._core import SplitOutcome
from pigro.formats import pds
from pigro.logic import parse

from oracle.formula import to_text as formula_text
from oracle.pushdown import decide_many, random_case, to_text
from support.agreement.ctl import ALL_ENGINES
from support.selection.cases import FEW_CASES, number_of_cases, seeds

CASES = number_of_cases("PIGRO_PDS_CASES", 1600)
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
    assert FEW_CASES or decided > 0.7 * FORMULAS * size


def test_split_systems_translated_both_ways_agree():
    """Also where the oracle does not decide."""
    for seed in seeds(CASES // 5):
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


def needed_returns(data: bytes) -> int:
    """The least bound with which the native core splits a system. Each smaller one is refused."""
    bound, low = 1, -1
    while outcome(data, bound) is not SplitOutcome.DONE:
        low, bound = bound, 2 * bound
    while bound - low > 1:
        middle = (low + bound) // 2
        if outcome(data, middle) is SplitOutcome.DONE:
            bound = middle
        else:
            low = middle
    return bound


def outcome(data: bytes, most: int) -> SplitOutcome:
    made = pds.parse(data).core.split(most, _core.Semantics.STANDARD)
    assert (made.file is None) == (made.outcome is not SplitOutcome.DONE)
    return made.outcome


def test_systems_at_the_bound_of_returns(monkeypatch: pytest.MonkeyPatch):
    """The bound is exact, and beyond it the other translation says the same."""
    module = sys.modules[pds.translate.__module__]
    bounded = 0
    for seed in seeds(CASES // 8):
        system, formulas = random_case(seed, pure=True, formulas=FORMULAS)
        asked = [parse(formula_text(formula)) for formula in formulas]
        data = to_text(system).encode()
        bound = needed_returns(data)
        told = []
        for most in (bound, bound - 1):
            monkeypatch.setattr(module, "MOST_RETURNS", max(most, 0))
            model = pds.read(data, dead_ends=system.dead_ends)
            checked = ALL_ENGINES["exhaustive"].check_all(model, asked)
            told.append([verdict.holds for verdict in checked])
        assert told[0] == told[1], seed
        core = pds.parse(data).core.split(bound, _core.Semantics.STANDARD).file.core
        edges = [
            len(core.successors(n)) for n in range(core.nodes) if core.kind(n).name == "RETURN"
        ]
        assert sum(edges) <= bound
        bounded += bound > 0
    assert FEW_CASES or bounded > CASES // 16
