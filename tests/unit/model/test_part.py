"""Parts by hand, from arrays and from models, and their faults in words."""

from array import array

import pytest

import pigro
from pigro import ModelError, Part, PartBuilder
from pigro.model.kripke_part import part_of


def small(**changed):
    """Two states, two labels, two steps; with some of it changed."""
    arrays = {
        "states": ["a", "b"],
        "initial": [0],
        "atoms": ["p", "q"],
        "values": bytes([0, 1, 2, 0]),
        "offsets": [0, 1, 2],
        "targets": [1, 0],
    }
    return Part.from_arrays("small", **arrays | changed)


def test_a_built_part_has_the_arrays_that_were_said():
    part = (
        PartBuilder("P", labels=["p", "q"])
        .step("b", "a", must=False)  # before its states are known
        .state("a", "p", initial=True)
        .state("b", unknown=["q"])
        .step("a", "b")
        .step("a", "a")
        .build()
    )
    assert (part.name, part.states, part.initial, part.atoms) == ("P", ("a", "b"), (0,), ("p", "q"))
    assert part.values == bytes([1, 0, 0, 2])
    assert part.actions is None
    assert part.offsets == array("i", [0, 2, 3])
    assert part.targets == array("i", [0, 1, 0])
    assert part.by == array("i", [0, 0, 0])
    assert part.must == bytes([1, 1, 0])
    assert (part.labels_of(0), part.labels_of(1), part.labels_of(1, 2)) == (["p"], [], ["q"])
    assert list(part.steps_of(0)) == [(0, 0, 1), (0, 1, 1)]


def test_actions_are_numbered_and_tau_is_local():
    part = (
        PartBuilder("P", actions=["send", "get"])
        .state("a", initial=True)
        .step("a", "a", "get")
        .step("a", "a", "tau")
        .build()
    )
    assert part.actions == ("send", "get")
    assert part.by == array("i", [-1, 1])
    assert [part.action_name(action) for action, _, _ in part.steps_of(0)] == ["tau", "get"]


def test_a_part_may_have_an_alphabet_without_actions():
    part = PartBuilder("P", actions=()).state("a", initial=True).step("a", "a", "tau").build()
    assert part.actions == ()
    assert repr(part) == "<Part P: 1 state, 1 step, no labels, no actions>"


def test_a_step_that_is_there_twice_counts_once_and_must_wins():
    part = (
        PartBuilder("P")
        .state("a", initial=True)
        .step("a", "a", must=False)
        .step("a", "a")
        .step("a", "a", must=False)
        .build()
    )
    assert (part.targets, part.must) == (array("i", [0]), b"\1")


@pytest.mark.parametrize(
    "unknown, must, concrete",
    [((), True, True), (("p",), True, False), ((), False, False)],
)
def test_concrete_means_no_unknown_label_and_no_step_that_only_may_be(unknown, must, concrete):
    builder = PartBuilder("P", labels="p").state("a", unknown=unknown, initial=True)
    assert builder.step("a", "a", must=must).build().is_concrete is concrete


def test_arrays_are_copied():
    values = bytearray(4)
    part = small(values=values)
    values[0] = 1
    assert part.values == bytes(4)


@pytest.mark.parametrize(
    "changed, code, words",
    [
        ({"initial": []}, "P218", "no initial state"),
        ({"states": [], "initial": [], "values": b""}, "P218", "no state"),
        ({"initial": [2]}, "P212", "initial state 2"),
        ({"initial": ["a"]}, "P212", "integers"),
        ({"states": ["a", "a"]}, "P216", 'two states are named "a"'),
        ({"atoms": ["p", "p"]}, "P216", 'two labels are named "p"'),
        ({"values": bytes(3)}, "P212", "values has 3 elements, not 4"),
        ({"values": bytes([0, 0, 0, 3])}, "P212", "0, 1 or 2"),
        ({"offsets": [0, 2]}, "P212", "offsets has 2 elements, not 3"),
        ({"offsets": [0, 3, 2]}, "P212", "ascend"),
        ({"offsets": [1, 1, 2]}, "P212", "ascend"),
        ({"offsets": [0, 1, 1]}, "P212", "ascend"),
        ({"targets": [1, 2]}, "P212", "target"),
        ({"targets": [-1, 0]}, "P212", "target"),
        ({"by": [0]}, "P212", "by has 1"),
        ({"by": [0, 1]}, "P212", "none of the actions"),
        ({"by": [0, -1]}, "P212", "none of the actions"),
        ({"actions": ["x"], "by": [0, 1]}, "P212", "none of the actions"),
        ({"actions": ["x", "x"]}, "P216", 'two actions are named "x"'),
        ({"actions": ["tau"]}, "P216", "tau"),
        ({"must": b"\1"}, "P212", "must has 1"),
        ({"must": b"\1\2"}, "P212", "0 or 1"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(changed, code, words):
    with pytest.raises(ModelError) as found:
        small(**changed)
    assert found.value.code == code
    assert words in found.value.message


def test_a_table_of_labels_that_would_fill_the_memory_is_refused():
    many = [str(each) for each in range(20_000)]
    with pytest.raises(ModelError) as found:
        small(states=many, atoms=many, values=b"", offsets=[0], targets=[])
    assert found.value.code == "P213"


@pytest.mark.parametrize(
    "build, code, words, hint",
    [
        (lambda part: part.state("a"), "P216", 'two states "a"', None),
        (lambda part: part.state("c", "ready"), "P217", '"ready"', '"redy"'),
        (lambda part: part.state("c", "zzz"), "P217", '"zzz"', "labels="),
        (lambda part: part.state("c", "p", unknown=["p"]), "P216", "both true and unknown", None),
        (lambda part: part.step("a", "initail"), "P217", '"initail"', '"initial"'),
        (lambda part: part.step("b", "a"), "P217", '"b"', None),
        (lambda part: part.step("a", "a", "send"), "P219", "has no actions", "actions"),
    ],
)
def test_mistakes_while_building_are_explained(build, code, words, hint):
    part = PartBuilder("P", labels=["p", "redy"]).state("a", initial=True).state("initial")
    with pytest.raises(ModelError) as found:
        build(part).build()
    assert found.value.code == code
    assert words in found.value.message
    assert (hint is None) == (found.value.hint is None)
    assert hint is None or hint in found.value.hint


@pytest.mark.parametrize(
    "action, code, hint", [(None, "P219", "tau"), ("sned", "P217", '"send"'), ("x", "P217", "list")]
)
def test_steps_of_a_part_with_actions_name_one_that_it_has(action, code, hint):
    part = PartBuilder("P", actions=["send"]).state("a", initial=True)
    with pytest.raises(ModelError) as found:
        part.step("a", "a", action)
    assert found.value.code == code
    assert hint in found.value.hint


def test_a_kripke_structure_is_a_part():
    model = pigro.kripke(
        {"a": ["b", "a"], "b": []}, labels={"a": ["q"], "b": ["p", "q"]}, initial=["b", "a"]
    )
    part = part_of(model, "K")
    assert (part.name, part.states, part.initial) == ("K", ("a", "b"), (1, 0))
    assert [set(part.labels_of(state)) for state in (0, 1)] == [{"q"}, {"p", "q"}]
    assert sorted(target for _, target, _ in part.steps_of(0)) == [0, 1]
    assert not list(part.steps_of(1))  # a dead end stays one
    assert part.is_concrete


def recursive():
    model = pigro.ModelBuilder()
    main = model.component("main")
    main.entry("s", labels=["p"])
    helper = model.component("helper")
    helper.entry("in")
    helper.exit("out", labels=["q"])
    helper.edge("in", "out")
    main.edge("s", main.box("b", calls="helper").call("in"))
    return model


def test_a_model_with_calls_is_none():
    with pytest.raises(ModelError) as found:
        part_of(recursive().build(initial="main:s"))
    assert found.value.code == "P222"
    assert '"main"' in found.value.message
    assert '"b"' in found.value.message


def test_a_component_that_calls_nothing_is_a_part():
    part = part_of(recursive().build(initial="helper:in"))
    assert (part.name, part.states, part.atoms) == ("helper", ("in", "out"), ("p", "q"))
    assert part.labels_of(1) == ["q"]


def test_a_model_that_starts_in_two_components_is_none():
    model = recursive().build(initial="helper:in")
    with pytest.raises(ModelError) as found:
        part_of(model.with_initial([model.find("main:s"), model.find("helper:in")]))
    assert found.value.code == "P222"


@pytest.mark.parametrize(
    "make",
    [
        lambda: PartBuilder(1),
        lambda: PartBuilder("p", labels=["a", 1]),
        lambda: PartBuilder("p", actions=[1]),
        lambda: PartBuilder("p").state(1),
        lambda: PartBuilder("p").state("s", 1),
        lambda: PartBuilder("p").state("s", unknown=[1]),
        lambda: PartBuilder("p").step("s", 1),
        lambda: PartBuilder("p", actions=["a"]).step("s", "s", 1),
    ],
)
def test_names_are_text(make):
    with pytest.raises(ModelError, match="a name must be text, not 1") as caught:
        make()
    assert (caught.value.code, caught.value.hint) == ("P212", 'for example "1"')
