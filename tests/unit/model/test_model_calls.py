"""The call graph agrees with what the native core counts."""

from __future__ import annotations

from pigro import ModelBuilder
from pigro.model.calls import call_graph

from oracle.generate import random_case
from support.agreement.ctl import as_model


def test_counts_are_those_of_the_statistics():
    for seed in range(300):
        model = as_model(random_case(seed).machine)
        graph, counted = call_graph(model), model.statistics
        assert sum(graph.recursive) == counted.recursive_components, seed
        assert graph.reachable.count(False) == counted.unreachable_components, seed


def chain(length, *, back=False):
    model = ModelBuilder()
    for number in range(length):
        component = model.component(f"c{number}")
        component.entry("in")
        if number + 1 < length or back:
            box = component.box("b", calls=f"c{(number + 1) % length}")
            component.edge("in", box.call("in"))
    return model.build(initial="c1:in")


def test_chains():
    graph = call_graph(chain(4))
    assert graph.callees == ((1,), (2,), (3,), ())
    assert graph.recursive == (False,) * 4
    assert graph.reachable == (False, True, True, True)
    assert call_graph(chain(4, back=True)).recursive == (True,) * 4


def test_long_chains():
    assert not any(call_graph(chain(20_000)).recursive)
    assert all(call_graph(chain(20_000, back=True)).recursive)


def test_a_box_that_no_edge_leads_to_is_not_called():
    model = ModelBuilder()
    main = model.component("main")
    main.entry("in")
    main.box("b", calls="main")
    assert call_graph(model.build(initial="main:in")).callees == ((),)
