"""ALL machines up to a small size, on a fixed list of formulas, against the oracle.

The two sizes are as large as two minutes on two cores allow. The counts are part of the test, so
that the enumeration can't shrink unseen.
"""

import pytest

from pigro.logic import parse

from oracle.contexts import decide_many
from oracle.exhaustive import FORMULAS, Size
from oracle.formula import to_text
from support.agreement.ctl import ALL_ENGINES, agree_on_all

SHARDS = 16
SIZES = {
    "two components, 2 nodes each": (
        Size(components=2, nodes=2, exits=2, boxes=1, edges=4),
        64_036,
    ),
    "one component, 3 nodes": (Size(components=1, nodes=3, exits=2, boxes=1, edges=4), 55_656),
}
ASKED = [parse(to_text(formula)) for formula in FORMULAS]


@pytest.mark.parametrize("shard", range(SHARDS))
@pytest.mark.parametrize("name", SIZES)
def test_all_small_machines(name, shard):
    def decide(machine):
        return decide_many(machine, FORMULAS)

    agree_on_all(SIZES[name], shard, SHARDS, decide, ASKED, ALL_ENGINES)
