"""The RSM as a value: immutable, shown, searched by name, restarted elsewhere."""

from __future__ import annotations

from array import array

import pytest

from pigro import RSM, ModelBuilder, ModelError, UsageError, _core, check, kripke


def machine() -> ModelBuilder:
    model = ModelBuilder()
    main = model.component("main")
    main.entry("start")
    main.node("a:b")
    main.exit("end", labels="done")
    box = main.box("call", calls="sub")
    main.edge("start", box.call("start"))
    main.edge(box.returned("end"), "end")
    sub = model.component("sub")
    sub.entry("start")
    sub.exit("end")
    sub.edge("start", "end")
    odd = model.component("a")
    odd.node("b")
    odd.node("sub:start")
    odd.node("")
    return model


MODEL = machine().build(initial="main:start")


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("main:start", "main:start"),
        ("sub:start", "sub:start"),  # and not "a:sub:start", which has its own full name
        ("a:sub:start", "a:sub:start"),
        ("b", "a:b"),
        ("a:b", "a:b"),  # COMPONENT:NODE goes before NODE
        ("main:a:b", "main:a:b"),
        ("a:", "a:"),
        ("", "a:"),
    ],
)
def test_find(name: str, found: str):
    node = MODEL.find(name)
    assert MODEL.node_name(node) == found


@pytest.mark.parametrize(
    ("name", "code", "message", "hint"),
    [
        ("strat", "P004", 'the model has no node "strat"', 'did you mean "start"?'),
        ("nothing", "P004", 'the model has no node "nothing"', None),
        ("mian:start", "P004", 'the model has no node "mian:start"', 'did you mean "main:start"?'),
        ("main:b.end", "P004", 'the model has no node "main:b.end"', 'did you mean "main:end"?'),
        ("x\n\x1b[0m", "P004", 'the model has no node "x\\n\\x1b[0m"', None),
        (
            "start",
            "P005",
            '"start" is ambiguous: "main:start", "sub:start"',
            "say which one by COMPONENT:NODE",
        ),
    ],
)
def test_find_errors(name: str, code: str, message: str, hint: str | None):
    with pytest.raises(UsageError) as caught:
        MODEL.find(name)
    error = caught.value
    assert (error.code, error.message) == (code, message)
    assert error.hint == hint


def test_many_candidates_are_counted():
    model = ModelBuilder()
    for number in range(11):
        model.component(f"c{number}").node("n")
    with pytest.raises(UsageError) as caught:
        model.build(initial="c0:n").find("n")
    listed = ", ".join(f'"c{number}:n"' for number in range(8))
    assert caught.value.message == f'"n" is ambiguous: {listed} and 3 more'


def test_a_name_that_can_be_split_in_two_ways_is_ambiguous():
    model = ModelBuilder()
    model.component("x").node("y:z")
    model.component("x:y").node("z")
    with pytest.raises(UsageError) as caught:
        model.build(initial="x:y:z").find("x:y:z")
    assert caught.value.code == "P005"


def test_a_hostile_name_takes_no_time():
    with pytest.raises(UsageError) as caught:
        MODEL.find(":" * 200_000)
    assert caught.value.code == "P004"
    assert len(caught.value.message) < 200


def test_node_names():
    core = MODEL.core
    assert [MODEL.node_name(node) for node in core.nodes_of(0)] == [
        "main:start",
        "main:a:b",
        "main:end",
        "main:call.start",
        "main:call.end",
    ]
    with pytest.raises(IndexError):
        MODEL.node_name(core.nodes)
    with pytest.raises(IndexError):
        MODEL.node_name(-1)


def test_with_initial():
    end = MODEL.find("main:end")
    restarted = MODEL.with_initial([end, end])
    assert restarted.initial == (end,)
    assert restarted.core is MODEL.core
    assert MODEL.initial == (0,)
    assert check(restarted, "done").holds is True
    assert check(MODEL, "done").holds is False
    assert restarted.statistics.unreachable_components == 1
    assert MODEL.with_initial([MODEL.find("a:b")]).statistics.unreachable_components == 2


@pytest.mark.parametrize(
    ("nodes", "code", "message"),
    [
        ([], "P210", "the model has no initial node"),
        ([-1], "P212", "initial node -1 is not a node that was declared"),
        ([0, 10**9], "P212", "initial node 1000000000 is not a node that was declared"),
        ([3], "P212", "initial node 3 is not a node that was declared"),  # a call node
        ([4], "P212", "initial node 4 is not a node that was declared"),  # a return node
        (["main:start"], "P212", "initial nodes must be a list of integers"),
        (7, "P212", "initial nodes must be a list of integers"),
    ],
)
def test_with_initial_refuses(nodes: object, code: str, message: str):
    with pytest.raises(ModelError) as caught:
        MODEL.with_initial(nodes)
    assert (caught.value.code, caught.value.message) == (code, message)


def test_nothing_can_be_changed():
    with pytest.raises(AttributeError):
        MODEL.initial = (1,)
    with pytest.raises(AttributeError):
        MODEL.names.nodes = []
    with pytest.raises(AttributeError):
        MODEL.statistics.nodes = 1
    with pytest.raises(TypeError):
        MODEL.label_ids["more"] = 1
    assert isinstance(MODEL.names.nodes, tuple)
    assert isinstance(MODEL.names.boxes, tuple)
    assert isinstance(MODEL.names.components, tuple)
    with pytest.raises(AttributeError):
        MODEL.core.nodes = 3


def test_statistics_are_counted_once():
    assert MODEL.statistics is MODEL.statistics


@pytest.mark.parametrize(
    ("successors", "text"),
    [
        ({"a": []}, "<RSM: 1 component, 1 node, 0 edges, 0 boxes>"),
        (
            {str(i): [str(i)] for i in range(1234)},
            "<RSM: 1 component, 1,234 nodes, 1,234 edges, 0 boxes>",
        ),
    ],
)
def test_repr(successors: dict[str, list[str]], text: str):
    assert repr(kripke(successors, labels={}, initial=next(iter(successors)))) == text


def test_is_kripke():
    assert not MODEL.is_kripke
    assert kripke({"a": []}, labels={}, initial="a").is_kripke


def test_added_labels_are_no_part_of_the_model():
    model = kripke({"a": ["b"], "b": ["a"]}, labels={"a": ["p"]}, initial="a")
    more = model.with_labels({"q": [1, 1, 0], "r": []})
    assert [more.core.labelled(more.label_ids[label]) for label in "pqr"] == [[0], [0, 1], []]
    assert (more.digest, more.statistics) == (model.digest, model.statistics)
    again = more.with_labels({"s": [1]})
    assert again.digest == model.digest
    assert list(again.showing(["s", "q", "none"]).label_ids) == ["p", "s", "q"]
    assert check(again.showing(["s"]), "AX s & p").holds
    assert model.showing(["q"]) is model


def test_added_labels_must_fit():
    model = kripke({"a": ["a"]}, labels={"a": ["p"]}, initial="a")
    for labels in ({"p": [0]}, {"q": [1]}, {"q": [-1]}, {"q": ["a"]}):
        with pytest.raises(ModelError) as caught:
            model.with_labels(labels)
        assert caught.value.code == "P212"
    with pytest.raises(_core.ModelFault):
        model.core.with_labels(memoryview(array("i", [0, 2])), memoryview(array("i", [0])))
    for count in (-1, 2):
        with pytest.raises(IndexError):
            model.core.parts(count)


def test_conditions_are_found_when_asked_for():
    asked = []

    def conditions(label):
        asked.append(label)
        return [0] if label == "x = 1" else None

    model = RSM.from_arrays(
        component_offsets=[0, 1],
        node_flags=bytes([1]),
        edge_sources=[0],
        edge_targets=[0],
        labels={"p": [0]},
        initial=[0],
        conditions=conditions,
    )
    found = model.about(["p", "x = 1", "y = 1", "x = 1"])
    assert asked == ["x = 1", "y = 1"]
    assert list(found.label_ids) == ["p", "x = 1"]
    assert found.about(["x = 1"]) is found
    assert model.about(["y = 1"]) is model
    assert check(model, 'AG "x = 1"').holds
