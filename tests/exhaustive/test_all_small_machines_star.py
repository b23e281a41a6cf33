"""ALL machines with one component of two nodes, on formulas of CTL*, against the pushdown oracle."""

import pytest

from pigro.logic import parse

from oracle.exhaustive import Size
from oracle.star_formula import A, E, F, G, U, X, atom, both, either, no, to_text
from oracle.star_pushdown import decide_many
from support.agreement.ctl import agree_on_all
from support.agreement.star import STAR_ENGINES

SHARDS = 8
SMALL = {
    "one box, 2 edges": (Size(components=1, nodes=2, exits=2, boxes=1, edges=2), 244),
    "two boxes, 2 edges": (Size(components=1, nodes=2, exits=2, boxes=2, edges=2), 350),
}
LARGE = {
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


def decide(machine):
    return decide_many(machine, FORMULAS)


@pytest.mark.parametrize("name", SMALL)
def test_the_smallest_machines(name):
    agree_on_all(SMALL[name], 0, 1, decide, ASKED, STAR_ENGINES)


@pytest.mark.long
@pytest.mark.parametrize("shard", range(SHARDS))
@pytest.mark.parametrize("name", LARGE)
def test_all_small_machines(name, shard):
    agree_on_all(LARGE[name], shard, SHARDS, decide, ASKED, STAR_ENGINES)
