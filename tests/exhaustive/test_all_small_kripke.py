"""ALL Kripke structures of up to three states and two labels, against the tableau for CTL*.

Each is asked some formulas of a fixed list, drawn anew for each structure. `PIGRO_STAR_CASES=1000000`
asks all of them of every structure.
"""

import os
from itertools import islice
from random import Random

import pytest

from pigro.engines import ENGINES
from pigro.logic import parse

from oracle.star_formula import to_text
from oracle.star_questions import FORMULAS
from oracle.star_structures import all_structures
from oracle.star_tableau import holds
from support.agreement.ctl import as_kripke

CASES = int(os.environ.get("PIGRO_STAR_CASES", "100000"))
STRUCTURES = 9_980
OF_TWO_STATES = 172
EACH = min(len(FORMULAS), max(1, CASES // STRUCTURES))
SHARDS = 8
ASKED = [parse(to_text(formula)) for formula in FORMULAS]


def structures():
    """All of one, two and three states. Those with a dead end in both readings."""
    for states in (1, 2, 3):
        yield from all_structures(states, ("p", "q"), "stutter")
        for structure in all_structures(states, ("p", "q"), "stop"):
            if structure.has_dead_end:
                yield structure


def disagreements(number, structure):
    """Formulas of a structure on which engine and tableau say different things."""
    asked = Random(number).sample(range(len(FORMULAS)), EACH)
    truths = [holds(structure, FORMULAS[i]) for i in asked]
    verdicts = ENGINES["onthefly"].check_all(as_kripke(structure), [ASKED[i] for i in asked])
    return [
        (structure, truth, str(ASKED[i]))
        for i, truth, verdict in zip(asked, truths, verdicts, strict=True)
        if verdict.holds is not truth
    ]


def test_structures_of_one_and_two_states():
    for number, structure in islice(enumerate(structures()), OF_TWO_STATES):
        assert len(structure.successors) <= 2
        assert disagreements(number, structure) == []


@pytest.mark.long
@pytest.mark.parametrize("shard", range(SHARDS))
def test_all_small_kripke_structures(shard):
    checked = 0
    for number, structure in islice(enumerate(structures()), shard, None, SHARDS):
        assert disagreements(number, structure) == []
        checked += 1
    assert checked == len(range(shard, STRUCTURES, SHARDS))


def test_at_least_50_000_cases():
    assert min(CASES, 50_000) <= STRUCTURES * EACH
    assert EACH == 10 or "PIGRO_STAR_CASES" in os.environ
