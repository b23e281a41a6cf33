"""Building models by hand: what is pleasant, and what errors say."""

from __future__ import annotations

import pytest

from pigro import ModelBuilder, ModelError, UsageError, check, kripke


def two_components() -> ModelBuilder:
    model = ModelBuilder()
    main = model.component("main")
    main.entry("start", labels=["def"])
    main.exit("end")
    box = main.box("call", calls="helper")
    main.edge("start", box.call("in"))
    main.edge(box.returned("out"), "end")
    helper = model.component("helper")
    helper.entry("in")
    helper.exit("out", labels="use")
    helper.edge("in", "out")
    return model


def test_a_model_by_hand():
    model = two_components().build(initial="main:start")
    assert repr(model) == "<RSM: 2 components, 4 nodes, 3 edges, 1 box>"
    assert list(model.label_ids) == ["def", "use"]
    assert [model.node_name(node) for node in range(model.core.nodes)] == [
        "main:start",
        "main:end",
        "main:call.in",
        "main:call.out",
        "helper:in",
        "helper:out",
    ]
    assert check(model, "AG (def -> AF use)").holds is True


def test_a_builder_can_be_built_again_and_the_first_model_stays():
    builder = two_components()
    first = builder.build(initial="main:start")
    builder.component("more").node("n")
    second = builder.build(initial=["main:start", "main:end"])
    assert (first.core.components, second.core.components) == (2, 3)
    assert len(first.names.components) == 2
    assert second.initial == (0, 1)


def test_a_component_may_stand_for_its_name_and_path_chains_edges():
    model = ModelBuilder()
    main = model.component("main")
    for name in "abc":
        main.node(name, labels=name)
    main.node("both", entry=True, exit=True)
    main.path("a", "b", "c", "a")
    again = main.box("again", calls=main)
    main.edge("c", again.call("both"))
    built = model.build(initial="main:a", dead_ends="stop")
    assert built.statistics.edges == 4
    assert built.statistics.recursive
    assert check(built, "AG (a -> EF c)").holds is True


@pytest.mark.parametrize(
    ("components", "initial", "expected"),
    [
        (("a",), "a:n", "a:n"),
        (("a", "a:b"), "a:b:n", "a:b:n"),
        (("a:b", "a"), "a:b:n", "a:b:n"),
        (("a", "a:n"), "a:n", "a:n"),
    ],
)
def test_names_may_hold_colons(components: tuple[str, ...], initial: str, expected: str):
    model = ModelBuilder()
    for name in components:
        model.component(name).node("n")
    built = model.build(initial=initial)
    assert built.node_name(built.initial[0]) == expected


def broken(part: str) -> ModelBuilder:
    builder = two_components()
    main = builder.component("other")
    main.entry("start")
    main.exit("end")
    if part == "node":
        main.edge("start", "ennd")
    elif part == "component":
        main.box("b", calls="helpr")
    elif part == "entry":
        main.edge("start", main.box("b", calls="helper").call("out"))
    elif part == "exit":
        main.edge(main.box("b", calls="helper").returned("in"), "end")
    elif part == "missing entry":
        main.edge("start", main.box("b", calls="helper").call("inn"))
    elif part == "call as source":
        main.edge(main.box("b", calls="helper").call("in"), "end")
    elif part == "return as target":
        main.edge("start", main.box("b", calls="helper").returned("out"))
    elif part == "exit source":
        main.edge("end", "start")
    elif part == "two nodes":
        main.node("start")
    elif part == "two boxes":
        main.box("b", calls="helper")
        main.box("b", calls="helper")
    elif part == "two components":
        builder.component("main")
    elif part == "box of another":
        main.edge("start", builder.component("third").box("b3", calls="helper").call("in"))
    return builder


@pytest.mark.parametrize(
    ("part", "code", "message", "hint"),
    [
        ("node", "P203", 'component "other" has no node "ennd"', 'did you mean "end"?'),
        (
            "component",
            "P202",
            'box "b" of component "other" calls "helpr", which is not a component',
            'did you mean "helper"?',
        ),
        (
            "entry",
            "P205",
            'box "b" of component "other": node "out" of component "helper" is not an entry',
            'set "is_entry" of the node, or take it off the list',
        ),
        (
            "exit",
            "P206",
            'box "b" of component "other": node "in" of component "helper" is not an exit',
            'set "is_exit" of the node, or take it off the list',
        ),
        (
            "missing entry",
            "P203",
            'box "b" of component "other": component "helper" has no node "inn"',
            'did you mean "in"?',
        ),
        (
            "call as source",
            "P208",
            'box "b" of component "other" lists no return node "in"',
            'add it to "return_nodes" of the box',
        ),
        (
            "return as target",
            "P207",
            'box "b" of component "other" lists no call node "out"',
            'add it to "call_nodes" of the box',
        ),
        (
            "exit source",
            "P209",
            'exit "end" of component "other" has successors',
            "an exit only returns: continue from the return nodes of the boxes that call this "
            "component",
        ),
        ("two nodes", "P201", 'two nodes of component "other" are named "start"', None),
        ("two boxes", "P201", 'two boxes of component "other" are named "b"', None),
        ("two components", "P201", 'two components are named "main"', None),
        ("box of another", "P204", 'component "other" has no box "b3"', None),
    ],
)
def test_errors_name_the_fault(part: str, code: str, message: str, hint: str | None):
    with pytest.raises(ModelError) as caught:
        broken(part).build(initial="main:start")
    error = caught.value
    assert (error.code, error.message, error.hint) == (code, message, hint)
    assert error.position is None


@pytest.mark.parametrize(
    ("initial", "code", "message", "hint"),
    [
        ([], "P210", "the model has no initial node", None),
        (
            "mian:start",
            "P202",
            'initial node "mian:start" names no component',
            'did you mean "main"?',
        ),
        (
            "start",
            "P202",
            'initial node "start" names no component',
            "write COMPONENT:NODE, all in one component",
        ),
        (
            "main:strat",
            "P203",
            'initial node "strat" is not a node of component "main"',
            'did you mean "start"?',
        ),
        (
            ["main:start", "helper:in"],
            "P202",
            'initial node "main:start" names no component',
            'did you mean "main"?',
        ),
    ],
)
def test_initial_nodes(initial: str | list[str], code: str, message: str, hint: str | None):
    with pytest.raises(ModelError) as caught:
        two_components().build(initial=initial)
    error = caught.value
    assert (error.code, error.message, error.hint) == (code, message, hint)


def test_kripke():
    lights = {"red": ["green"], "green": ["yellow"], "yellow": ["red"]}
    model = kripke(lights, labels={"green": ["go"]}, initial="red")
    assert model.is_kripke
    assert check(model, "AG AF go").holds is True
    assert check(model, "EG !go").holds is False


def test_kripke_takes_a_lone_string_as_one_name():
    model = kripke({"red": "green", "green": ()}, labels={"green": "go"}, initial=["red", "green"])
    assert model.core.successors(0) == [1]
    assert list(model.label_ids) == ["go"]
    assert model.initial == (0, 1)


@pytest.mark.parametrize(
    ("states", "names"),
    [
        ((0, 1), ["kripke:0", "kripke:1"]),
        (((0, 1), (1, 0)), ["kripke:(0, 1)", "kripke:(1, 0)"]),
        ((0, 1.5), ["kripke:0", "kripke:1.5"]),
        ((None, "a"), ["kripke:None", "kripke:a"]),
    ],
)
def test_states_of_kripke_are_keys_of_any_kind(states, names):
    one, two = states
    for initial in (one, [one]):
        model = kripke({one: [two], two: [one]}, labels={two: ["p"]}, initial=initial)
        assert [model.node_name(node) for node in range(2)] == names
        assert model.initial == (0,)
        assert check(model, "AX p").holds is True


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ({"initial": 2}, "P203", 'initial node "2" is not a node of component "kripke"'),
        ({"initial": "0"}, "P203", 'initial node "0" is not a node of component "kripke"'),
        ({"initial": [[0]]}, "P203", 'initial node "[0]" is not a node of component "kripke"'),
        ({"labels": {2: ["x"]}}, "P203", 'labels name state "2", which has no successors entry'),
        ({"labels": {0: [3]}}, "P224", "labels must be text, not 3"),
        ({"labels": {0: 3}}, "P224", "labels must be a list, not 3"),
        ({"labels": None}, "P224", "labels must be a dictionary with states as keys, not None"),
        ({"successors": {0: ["0"]}}, "P203", 'component "kripke" has no node "0"'),
        ({"successors": {0: [[0]]}}, "P203", 'component "kripke" has no node "[0]"'),
        ({"successors": {0: 0}}, "P224", 'the successors of "0" must be a list, not 0'),
        ({"successors": {0: [], "0": []}}, "P201", 'two nodes of component "kripke" are named "0"'),
        (
            {"successors": [0]},
            "P224",
            "successors must be a dictionary with states as keys, not [0]",
        ),
    ],
)
def test_wrong_values_for_kripke_are_errors_of_pigro(arguments, code, message):
    with pytest.raises(ModelError) as caught:
        kripke(**{"successors": {0: [0]}, "labels": {}, "initial": 0, **arguments})
    assert (caught.value.code, caught.value.message) == (code, message)


def test_names_of_a_builder_are_texts():
    with pytest.raises(ModelError, match="the name of a node must be text, not 3"):
        ModelBuilder().component("main").node(3)


@pytest.mark.parametrize(
    ("arguments", "code", "message", "hint"),
    [
        (
            {"successors": {"a": ["bb"], "ab": []}, "labels": {}, "initial": "a"},
            "P203",
            'component "kripke" has no node "bb"',
            None,
        ),
        (
            {"successors": {"green": []}, "labels": {"gren": ["p"]}, "initial": "green"},
            "P203",
            'labels name state "gren", which has no successors entry',
            'did you mean "green"?',
        ),
        (
            {"successors": {"green": []}, "labels": {}, "initial": "gren"},
            "P203",
            'initial node "gren" is not a node of component "kripke"',
            'did you mean "green"?',
        ),
        (
            {"successors": {"a": []}, "labels": {}, "initial": []},
            "P210",
            "the model has no initial node",
            None,
        ),
        (
            {"successors": {"a": []}, "labels": {}, "initial": "a", "dead_ends": "error"},
            "P211",
            "1 dead end; the first: kripke:a (a node without successor)",
            "give it a successor, or read dead ends as self-loops with dead_ends=stutter",
        ),
    ],
)
def test_kripke_errors(arguments: dict, code: str, message: str, hint: str | None):
    with pytest.raises(ModelError) as caught:
        kripke(**arguments)
    error = caught.value
    assert (error.code, error.message, error.hint) == (code, message, hint)


@pytest.mark.parametrize(
    ("option", "value", "message", "hint"),
    [
        (
            "dead_ends",
            "loop",
            "dead_ends can't be 'loop'",
            "choose one of: stutter, stop, error",
        ),
        ("semantics", "", "semantics can't be ''", "choose one of: standard, rsmcheck, rmv"),
    ],
)
def test_unknown_choices(option: str, value: str, message: str, hint: str):
    with pytest.raises(UsageError) as caught:
        two_components().build(initial="main:start", **{option: value})
    error = caught.value
    assert (error.code, error.message, error.hint) == ("P006", message, hint)
