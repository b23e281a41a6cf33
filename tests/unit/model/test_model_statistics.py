"""What the statistics count, each on a model small enough to count by hand."""

from __future__ import annotations

import pytest

from pigro import RSM, ModelBuilder, ModelError, Statistics


def caller(
    *, returns: tuple[str, ...] = ("out", "err"), entries: tuple[str, ...] = ("in",)
) -> ModelBuilder:
    """`main` calls `sub`, which leaves through `out` or, from the entry `alt` only, through `err`."""
    model = ModelBuilder()
    main = model.component("main")
    main.entry("start", labels=["p", "q"])
    main.node("after")
    main.edge("after", "after")
    box = main.box("call", calls="sub")
    for entry in entries:
        main.edge("start", box.call(entry))
    for name in returns:
        main.edge(box.returned(name), "after")
    sub = model.component("sub")
    sub.entry("in", labels=["q"])
    sub.entry("alt")
    sub.exit("out")
    sub.exit("err")
    sub.edge("in", "out")
    sub.edge("alt", "err", "out")
    return model


def count(model: ModelBuilder, initial: str = "main:start", **options: str) -> Statistics:
    return model.build(initial=initial, **options).statistics


def test_every_field():
    assert count(caller()).as_dict() == {
        "components": 2,
        "nodes": 6,
        "edges": 7,
        "boxes": 1,
        "calls": 1,
        "returns": 2,
        "entries": 3,
        "exits": 2,
        "most_exits": 2,
        "entry_exits": 0,
        "labels": 2,
        "recursive_components": 0,
        "unreachable_components": 0,
        "dead_plain": 0,
        "dead_return": 0,
        "dead_missing": 0,
        "dead_call": 0,
        "recursive": False,
    }


def deadly(kind: str) -> tuple[ModelBuilder, dict[str, str]]:
    if kind == "missing":
        return caller(returns=("out",), entries=("in", "alt")), {}
    if kind == "two missing":
        return caller(returns=(), entries=("in", "alt")), {}
    if kind == "unreached missing":
        return caller(returns=("out",)), {}
    if kind == "no call":
        return caller(returns=(), entries=()), {}
    if kind == "exits loop":
        model = ModelBuilder()
        model.component("main").exit("start")
        return model, {}
    model = caller()
    more = model.component("more")
    if kind == "plain":
        more.node("n")
        more.entry("m")
    elif kind == "return":
        more.box("b", calls="sub").returned("err")
    elif kind in ("stub", "redirected", "rsmcheck"):
        more.node("both", entry=True, exit=True)
        more.node("before")
        box = more.box("self", calls="more")
        more.edge("before", box.call("both"))
        if kind != "stub":
            more.edge(box.returned("both"), "before")
    return model, {"semantics": "rsmcheck"} if kind == "rsmcheck" else {}


@pytest.mark.parametrize(
    ("kind", "counts", "firsts"),
    [
        ("plain", (2, 0, 0, 0), [("a node without successor", "more:n", None)]),
        ("return", (0, 1, 0, 0), [("a return node without successor", "more:b.err", None)]),
        ("missing", (0, 0, 1, 0), [("no return node for this exit", "sub:err", "call")]),
        ("two missing", (0, 0, 2, 0), [("no return node for this exit", "sub:out", "call")]),
        ("unreached missing", (0, 0, 0, 0), []),
        ("no call", (1, 0, 0, 0), [("a node without successor", "main:start", None)]),
        ("exits loop", (0, 0, 0, 0), []),
        ("stub", (0, 0, 1, 0), [("no return node for this exit", "more:both", "self")]),
        ("redirected", (0, 0, 0, 0), []),
        ("rsmcheck", (0, 0, 0, 1), [("a call of an entry-exit node", "more:self.both", None)]),
    ],
)
def test_dead_ends(kind: str, counts: tuple[int, ...], firsts: list[tuple[str, str, str | None]]):
    builder, options = deadly(kind)
    model = builder.build(initial="main:start", **options)
    found = model.statistics
    assert (found.dead_plain, found.dead_return, found.dead_missing, found.dead_call) == counts
    assert found.dead_ends == sum(counts)
    named = [
        (what, model.node_name(node), None if box is None else model.names.boxes[box])
        for what, node, box in found.first_dead_ends
    ]
    assert named == firsts


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("plain", "2 dead ends; the first: more:n (a node without successor)"),
        ("return", "1 dead end; the first: more:b.err (a return node without successor)"),
        ("missing", "1 dead end; the first: sub:err under box call (no return node for this exit)"),
        ("stub", "1 dead end; the first: more:both under box self (no return node for this exit)"),
        ("rsmcheck", "1 dead end; the first: more:self.both (a call of an entry-exit node)"),
    ],
)
def test_dead_ends_as_an_error(kind: str, message: str):
    builder, options = deadly(kind)
    with pytest.raises(ModelError) as caught:
        builder.build(initial="main:start", dead_ends="error", **options)
    assert (caught.value.code, caught.value.message) == ("P211", message)


@pytest.mark.parametrize("kind", ["unreached missing", "exits loop", "redirected"])
def test_no_dead_end_is_no_error(kind: str):
    builder, options = deadly(kind)
    assert isinstance(builder.build(initial="main:start", dead_ends="error", **options), RSM)


def calling(graph: dict[str, list[str]], *, used: bool = True) -> ModelBuilder:
    """A component per key that calls the components of the value, one after another."""
    model = ModelBuilder()
    for name, callees in graph.items():
        component = model.component(name)
        component.entry("in")
        component.exit("out")
        for number, callee in enumerate(callees):
            box = component.box(f"b{number}", calls=callee)
            if used:
                component.edge("in", box.call("in"))
                component.edge(box.returned("out"), "out")
    return model


@pytest.mark.parametrize(
    ("graph", "recursive", "unreachable"),
    [
        ({"main": []}, 0, 0),
        ({"main": ["main"]}, 1, 0),
        ({"main": ["a"], "a": ["b"], "b": ["a"]}, 2, 0),
        ({"main": ["a"], "a": ["b"], "b": ["main"]}, 3, 0),
        ({"main": ["a", "b"], "a": ["c"], "b": ["c"], "c": []}, 0, 0),
        ({"main": [], "a": ["a", "b"], "b": []}, 1, 2),
        ({"main": ["a"], "a": ["a"], "b": ["b"], "c": ["a"]}, 2, 2),
        ({"main": ["a", "c"], "a": ["b"], "b": ["a"], "c": ["d"], "d": ["c"]}, 4, 0),
    ],
)
def test_recursive_and_unreachable(graph: dict[str, list[str]], recursive: int, unreachable: int):
    found = count(calling(graph), "main:in")
    assert (found.recursive_components, found.unreachable_components) == (recursive, unreachable)
    assert found.recursive is (recursive > 0)


def test_a_box_that_nothing_calls_reaches_nothing():
    found = count(calling({"main": ["main", "a"], "a": []}, used=False), "main:in")
    assert (found.boxes, found.calls, found.recursive_components) == (2, 0, 0)
    assert found.unreachable_components == 1


def test_entry_exits_and_most_exits():
    model = ModelBuilder()
    for name, exits in (("main", 1), ("many", 3)):
        component = model.component(name)
        component.node("both", entry=True, exit=True)
        component.node("also", entry=True, exit=True)
        for number in range(exits):
            component.exit(f"x{number}")
    found = count(model, "main:both")
    assert (found.entry_exits, found.entries, found.exits, found.most_exits) == (4, 4, 8, 5)
