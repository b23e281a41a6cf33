"""ALL machines with one component of two nodes, on formulas of CTL*, against the pushdown oracle."""

from itertools import islice

import pytest

from pigro.logic import parse

from agreement import as_model
from oracle.exhaustive import Size, all_machines
from oracle.star_formula import A, E, F, G, U, X, atom, both, either, no, to_text
from oracle.star_pushdown import decide_many
from star_agreement import STAR_ENGINES

SHARDS = 8
SIZES = {
    "one box, 8 edges": (Size(components=1, nodes=2, exits=2, boxes=1, edges=8), 2_892),
    "two boxes, 4 edges": (Size(components=1, nodes=2, exits=2, boxes=2, edges=4), 10_136),
}
P, Q = atom("p"), no(atom("p"))
FORMULAS = [
    E(G(F(P))),
    A(F(G(P))),
    E(both(G(F(P)), G(F(Q)))),
    A(G(either(Q, X(F(Q))))),
    E(U(X(P), G(Q))),
    E(F(both(P, E(X(X(Q)))))),
    E(G(F(both(P, A(X(F(Q))))))),
    E(X(A(F(G(Q))))),
]
ASKED = [parse(to_text(formula)) for formula in FORMULAS]


@pytest.mark.parametrize("shard", range(SHARDS))
@pytest.mark.parametrize("name", SIZES)
def test_all_small_machines(name, shard):
    size, count = SIZES[name]
    checked = 0
    for machine in islice(all_machines(size), shard, None, SHARDS):
        truths = decide_many(machine, FORMULAS)
        model = as_model(machine)
        for engine in STAR_ENGINES.values():
            found = [verdict.holds for verdict in engine.check_all(model, ASKED)]
            assert found == truths, machine
        checked += 1
    assert checked == len(range(shard, count, SHARDS))
