"""ALL machines up to a small size, on a fixed list of formulas, against the oracle.

The large sizes take minutes. The small ones are part of each run of the tests. The counts are part of the
test, so that the enumeration can't shrink unseen.
"""

import pytest

from pigro.logic import parse

from oracle.contexts import decide_many
from oracle.exhaustive import FORMULAS, Size
from oracle.formula import to_text
from support.agreement.ctl import ALL_ENGINES, agree_on_all

SHARDS = 16
SMALL = {
    "two components, 2 edges": (Size(components=2, nodes=2, exits=2, boxes=1, edges=2), 852),
    "one component, 3 edges": (Size(components=1, nodes=2, exits=2, boxes=1, edges=3), 760),
}
LARGE = {
    "two components, 2 nodes each": (
        Size(components=2, nodes=2, exits=2, boxes=1, edges=4),
        64_036,
    ),
    "one component, 3 nodes": (Size(components=1, nodes=3, exits=2, boxes=1, edges=4), 55_656),
}
ASKED = [parse(to_text(formula)) for formula in FORMULAS]


def decide(machine):
    return decide_many(machine, FORMULAS)


@pytest.mark.parametrize("name", SMALL)
def test_the_smallest_machines(name):
    agree_on_all(SMALL[name], 0, 1, decide, ASKED, ALL_ENGINES)


@pytest.mark.long
@pytest.mark.parametrize("shard", range(SHARDS))
@pytest.mark.parametrize("name", LARGE)
def test_all_small_machines(name, shard):
    agree_on_all(LARGE[name], shard, SHARDS, decide, ASKED, ALL_ENGINES)
