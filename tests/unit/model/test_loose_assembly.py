"""A model that is put together in any order is the one that is put together component by component."""

from __future__ import annotations

import random

import pytest

from pigro import RSM
from pigro.generate.models import ModelShape, random_model
from pigro.model.assembly import LooseAssembly


def owners(offsets):
    return [at for at in range(len(offsets) - 1) for _ in range(offsets[at], offsets[at + 1])]


def shuffled(model: RSM, rng: random.Random) -> tuple[LooseAssembly, list[int]]:
    """The model in another order of nodes, boxes, calls, returns and edges, and the new number of each node."""
    arrays = {
        name: memoryview(row) if name == "node_flags" or not row else memoryview(row).cast("i")
        for name, row in model.core.arrays().items()
    }
    loose = LooseAssembly(model.core.components)

    def in_any_order(rows, add):
        found = {}
        for at in rng.sample(range(len(rows)), len(rows)):
            found[at] = add(*rows[at])
        return [found[at] for at in range(len(rows))]

    nodes = in_any_order(
        list(zip(owners(arrays["component_offsets"]), arrays["node_flags"], strict=True)),
        loose.add_node,
    )
    boxes = in_any_order(
        list(zip(owners(arrays["box_offsets"]), arrays["box_callee"], strict=True)), loose.add_box
    )
    calls, returns = (
        in_any_order(
            [
                (boxes[box], nodes[node])
                for box, node in zip(owners(arrays[first]), arrays[second], strict=True)
            ],
            add,
        )
        for first, second, add in (
            ("call_offsets", "call_entries", loose.call),
            ("return_offsets", "return_exits", loose.returned),
        )
    )
    count = len(nodes)
    in_any_order(
        [
            (
                nodes[a] if a < count else returns[a - count - len(calls)],
                nodes[b] if b < count else calls[b - count],
            )
            for a, b in zip(arrays["edge_sources"], arrays["edge_targets"], strict=True)
        ],
        loose.edge,
    )
    return loose, nodes


@pytest.mark.parametrize("seed", range(30))
def test_the_order_does_not_matter(seed):
    """Nodes of a component stand in the order in which they came, so they are compared as sets of named edges."""
    shape = ModelShape(components=1 + seed % 4, boxes=seed % 3, nodes=5, density=0.4)
    model, rng = random_model(shape, seed), random.Random(seed)
    loose, nodes = shuffled(model, rng)
    placed = loose.placed()
    made = RSM.from_arrays(
        **placed.arrays, labels={}, initial=[placed.place[nodes[0]]], dead_ends="stutter"
    )
    old = {placed.place[number]: at for at, number in enumerate(nodes)}

    def steps(which, name):
        core = which.core

        def shown(node):
            box = core.box(node)
            return (name(core.declared_of_node(node)), None if box < 0 else core.callee(box))

        return sorted(
            (shown(node), shown(after))
            for node in range(core.nodes)
            for after in core.successors(node)
        )

    assert steps(made, old.__getitem__) == steps(model, lambda at: at)
    assert made.core.boxes == model.core.boxes


def test_what_came_in_order_stays_in_order():
    """The arrays of a model, taken in their own order, are the same arrays again."""
    for seed in range(30):
        model = random_model(ModelShape(components=3, boxes=2, nodes=5, density=0.4), seed)
        loose, _ = shuffled(model, InOrder())
        made = RSM.from_arrays(**loose.placed().arrays, labels={}, initial=[0], dead_ends="stutter")
        rows = model.core.arrays()
        assert {name: row for name, row in made.core.arrays().items() if "label" not in name} == {
            name: row for name, row in rows.items() if "label" not in name
        }


class InOrder:
    """No random order."""

    def sample(self, rows, count):
        return list(rows)[:count]
