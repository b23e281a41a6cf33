"""ALL machines up to a small size, on a fixed list of formulas, against the oracle.

The two sizes are as large as two minutes on two cores allow; the counts are part of the test, so
that the enumeration can't shrink unseen.
"""

from itertools import islice

import pytest

from pigro.logic import parse

from agreement import ALL_ENGINES, as_model
from oracle.contexts import decide_many
from oracle.exhaustive import FORMULAS, Size, all_machines
from oracle.formula import to_text

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
    size, count = SIZES[name]
    checked = 0
    for machine in islice(all_machines(size), shard, None, SHARDS):
        truths = decide_many(machine, FORMULAS)
        model = as_model(machine)
        for engine in ALL_ENGINES.values():
            found = [verdict.holds for verdict in engine.check_all(model, ASKED)]
            assert found == truths, machine
        checked += 1
    assert checked == len(range(shard, count, SHARDS))
