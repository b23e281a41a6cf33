"""The load-time normal form: which call and return nodes exist, and what becomes of one-liners."""

from __future__ import annotations

import pytest

from pigro import RSM, ModelBuilder, check
from pigro._core import NodeKind


def names(model: RSM, component: int = 0) -> list[str]:
    return [model.node_name(node).partition(":")[2] for node in model.core.nodes_of(component)]


def kinds(model: RSM, component: int = 0) -> list[str]:
    return [model.core.kind(node).name for node in model.core.nodes_of(component)]


def successors(model: RSM, name: str) -> list[str]:
    node = next(n for n in range(model.core.nodes) if model.node_name(n) == name)
    return [model.node_name(each) for each in model.core.successors(node)]


def one_liner(*, listed: bool, plain_entry: bool = False, semantics: str = "standard") -> RSM:
    """`main` calls the node `both` of `sub`, entry and exit at once, labelled `b`."""
    model = ModelBuilder()
    main = model.component("main")
    main.node("before")
    main.node("after", labels="after")
    main.edge("after", "after")
    box = main.box("box", calls="sub")
    main.edge("before", box.call("both"))
    if plain_entry:
        main.edge("before", box.call("in"))
    if listed:
        main.edge(box.returned("both"), "after")
    sub = model.component("sub")
    sub.node("both", entry=True, exit=True, labels="b")
    sub.entry("in", labels="i")
    sub.edge("in", "both")
    return model.build(initial="main:before", semantics=semantics)


def test_only_called_call_nodes_and_listed_return_nodes_exist():
    model = ModelBuilder()
    main = model.component("main")
    main.node("n")
    box = main.box("box", calls="sub")
    for entry in ("in1", "in2", "in3"):
        box.call(entry)
    main.edge("n", box.call("in2"))
    box.returned("out3")
    box.returned("out1")
    sub = model.component("sub")
    for number in (1, 2, 3):
        sub.entry(f"in{number}")
        sub.exit(f"out{number}")
        sub.edge(f"in{number}", f"out{number}")
    built = model.build(initial="main:n")
    assert names(built) == ["n", "box.in2", "box.out1", "box.out3"]
    assert kinds(built) == ["PLAIN", "CALL", "RETURN", "RETURN"]
    assert [built.node_name(each) for each in built.core.listed_calls(0)] == [
        "sub:in1",
        "sub:in2",
        "sub:in3",
    ]
    assert [built.node_name(each) for each in built.core.returns(0)] == [
        "main:box.out1",
        "main:box.out3",
    ]


def test_nodes_are_numbered_by_component():
    model = one_liner(listed=True)
    assert model.core.nodes_of(0) == [0, 1, 2]
    assert model.core.nodes_of(1) == [3, 4]
    assert [model.core.component(node) for node in range(5)] == [0, 0, 0, 1, 1]
    assert [model.core.subject(node) for node in range(5)] == [0, 1, 3, 3, 4]
    assert [model.core.box(node) for node in range(5)] == [-1, -1, 0, -1, -1]
    assert [model.core.node_of_declared(number) for number in range(4)] == [0, 1, 3, 4]
    assert [model.core.declared_of_node(node) for node in range(5)] == [0, 1, 2, 2, 3]


def test_a_call_of_an_entry_exit_node_is_its_return_node():
    model = one_liner(listed=True)
    assert kinds(model) == ["PLAIN", "PLAIN", "RETURN"]
    assert successors(model, "main:before") == ["main:box.both"]
    assert successors(model, "main:box.both") == ["main:after"]
    assert check(model, "AX b").holds is True
    assert check(model, "AX AX after").holds is True


def test_without_a_listed_return_it_is_a_node_without_successor():
    model = one_liner(listed=False)
    assert kinds(model) == ["PLAIN", "PLAIN", "PLAIN"]
    assert successors(model, "main:before") == ["main:box.both"]
    assert successors(model, "main:box.both") == []
    assert check(model, "AX AG b").holds is True
    assert check(model, "EF after").holds is False


@pytest.mark.parametrize("listed", [False, True])
def test_rsmcheck_reads_it_as_a_node_without_successor(listed: bool):
    model = one_liner(listed=listed, semantics="rsmcheck")
    assert names(model) == ["before", "after", *["box.both"] * (1 + listed)]
    assert kinds(model) == ["PLAIN", "PLAIN", *["RETURN"] * listed, "PLAIN"]
    stub = model.core.nodes_of(0)[-1]
    assert model.core.successors(0) == [stub]
    assert model.core.successors(stub) == []
    assert model.dead_ends == "stop"
    assert check(model, "EX b").holds is True
    assert check(model, "EX EX true").holds is False
    assert check(model, "EF after").holds is False


@pytest.mark.parametrize("semantics", ["standard", "rsmcheck"])
def test_other_entries_of_the_same_box_are_called(semantics: str):
    model = one_liner(listed=True, plain_entry=True, semantics=semantics)
    call = model.core.nodes_of(0)[2]
    assert model.core.kind(call) is NodeKind.CALL
    assert model.node_name(call) == "main:box.in"
    assert model.core.successors(call) == []
    assert check(model, "EX (i & EX (b & EX after))").holds is True


def test_labels_reach_call_and_return_nodes():
    model = one_liner(listed=True, plain_entry=True)
    assert check(model, "EX i & EX b & AX (i | b)").holds is True
    assert model.core.labelled(model.label_ids["b"]) == [model.find("sub:both")]


def test_repeated_listings_and_edges_are_one():
    built = RSM.from_arrays(
        component_offsets=[0, 1, 3],
        node_flags=[0, 1, 2],
        box_offsets=[0, 1, 1],
        box_callee=[1],
        call_offsets=[0, 3],
        call_entries=[1, 1, 1],
        return_offsets=[0, 2],
        return_exits=[2, 2],
        edge_sources=[0, 0, 0, 6, 7, 1, 1],
        edge_targets=[3, 4, 5, 0, 0, 2, 2],
        labels={"p": [0, 0]},
        initial=[0, 0],
    )
    assert built.statistics.edges == 3
    assert (built.statistics.calls, built.statistics.returns) == (1, 1)
    assert built.core.labelled(0) == [0]
    assert built.initial == (0,)


def test_exits_keep_their_order_in_return_nodes():
    model = ModelBuilder()
    main = model.component("main")
    main.entry("n")
    box = main.box("box", calls="sub")
    for name in ("c", "a", "b"):
        main.edge(box.returned(name), "n")
    sub = model.component("sub")
    for name in "abc":
        sub.exit(name)
    built = model.build(initial="main:n")
    assert names(built) == ["n", "box.a", "box.b", "box.c"]
