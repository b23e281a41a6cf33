"""Models, parts, compositions and formulas go to other processes, are copied, and are compared."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pigro import (
    RSM,
    Composition,
    Formula,
    ModelBuilder,
    ModelError,
    Part,
    PartBuilder,
    check,
    kripke,
    parse,
)
from pigro.formats import rsm_json, smv
from pigro.generate import ModelShape, random_model
from pigro.model.conditions import FoundLabels
from pigro.model.names import Names

if TYPE_CHECKING:
    from collections.abc import Callable

KRIPKE = kripke({"a": ["b"], "b": ["a", "b"]}, labels={"b": ["p", "q q"]}, initial=["a", "b"])
COUNTER = b"""
MODULE main
VAR x : 0..3;
DEFINE top := x = 3;
ASSIGN init(x) := 0; next(x) := (x + 1) mod 4;
SPEC AG (top -> AX x = 0)
"""


def calls() -> ModelBuilder:
    model = ModelBuilder()
    main = model.component("main")
    main.entry("start")
    main.exit("end", labels=["done", "fin"])
    main.node("both", entry=True, exit=True)
    box = main.box("again", calls=main)
    main.edge("start", box.call("start"), box.call("both"), "end")
    main.edge(box.returned("end"), "end")
    main.edge(box.returned("both"), "start")
    return model


def numbered() -> RSM:
    return random_model(ModelShape(components=3, boxes=2, nodes=6), seed=4)


def asked() -> RSM:
    """The labels of a document's model depend on the formulas that it was asked for."""
    document = smv.SmvDocument(COUNTER, source="counter.smv")
    document.formula("EF x > 1")
    return document.model(semantics="standard", dead_ends=None)


def surrogate() -> RSM:
    return kripke({"\ud800": ["\ud800"]}, labels={"\ud800": ["\udfff"]}, initial="\ud800")


MODELS: dict[str, Callable[[], RSM]] = {
    "kripke": lambda: KRIPKE,
    "calls": lambda: calls().build(initial="main:start"),
    "rsmcheck": lambda: calls().build(initial="main:start", semantics="rsmcheck"),
    "stop": lambda: calls().build(initial="main:start", dead_ends="stop"),
    "no dead ends": lambda: replace(KRIPKE, dead_ends=kripke_error().dead_ends),
    "with_initial": lambda: KRIPKE.with_initial([1]),
    "with_labels": lambda: KRIPKE.with_labels({"new": [0, 1]}),
    "showing": lambda: KRIPKE.with_labels({"new": [0], "other": [1]}).showing(["other"]),
    "numbered": numbered,
    "smv": lambda: smv.read(COUNTER, source="counter.smv"),
    "smv, asked": asked,
    "surrogates": surrogate,
}


def kripke_error() -> RSM:
    return kripke({"a": ["a"]}, labels={}, initial="a", dead_ends="error")


def sender() -> PartBuilder:
    made = PartBuilder("sender", labels=["ready", "é"])
    made.state("idle", initial=True).state("sent", "ready", unknown=["é"], initial=True)
    return made.step("idle", "sent").step("sent", "idle", must=False)


def actor(name: str = "actor") -> PartBuilder:
    made = PartBuilder(name, labels=[f"p of {name}"], actions=["go", "rest"])
    return made.state("s", initial=True).state("t").step("s", "t", "go").step("t", "s", "tau")


PARTS: dict[str, Callable[[], Part]] = {
    "labels": lambda: sender().build(),
    "actions": lambda: actor().build(),
    "no steps": lambda: PartBuilder("alone").state("s", initial=True).build(),
}
COMPOSITIONS: dict[str, Callable[[], Composition]] = {
    "one": lambda: Composition([sender().build()]),
    "actions": lambda: Composition([actor("left").build(), actor("right").build()]),
}
FORMULAS: dict[str, Callable[[], Formula]] = {
    text: lambda text=text: parse(text)
    for text in ("p", "AG (p -> EF q)", "A (G F p)", "mu Z. p | <go> Z", '"é\\"x" U true')
}
EVERY: dict[str, Callable[[], Any]] = {
    f"{kind}: {name}": make
    for kind, group in (
        ("model", MODELS), ("part", PARTS), ("composition", COMPOSITIONS), ("formula", FORMULAS),
    )
    for name, make in group.items()
}  # fmt: skip


@pytest.fixture(params=EVERY)
def made(request):
    return EVERY[request.param]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles(made, protocol: int):
    thing = made()
    again = pickle.loads(pickle.dumps(thing, protocol))
    assert_same(again, thing)


def test_pickles_out_of_band(made):
    thing = made()
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(thing, 5, buffer_callback=buffers.append)
    assert_same(pickle.loads(data, buffers=buffers), thing)
    assert bool(buffers) == (not isinstance(thing, Formula))
    if isinstance(thing, RSM):
        assert len(buffers) == 1
        assert len(data) < (150 if thing.conditions is None else 400)
    # as they may come from elsewhere: writable, and not aligned
    odd = [memoryview(bytearray(b"x" + each.raw()))[1:] for each in buffers]
    assert_same(pickle.loads(data, buffers=odd), thing)


def test_copies(made):
    thing = made()
    assert copy.copy(thing) is thing
    assert copy.deepcopy(thing) is thing
    assert copy.deepcopy([thing, thing])[0] is thing


def test_equal_if_made_in_the_same_way(made):
    one, other = made(), made()
    assert one == other
    assert hash(one) == hash(other)
    assert len({one, other}) == 1
    assert one != 5
    assert one != made


def assert_same(again: Any, thing: Any) -> None:
    assert type(again) is type(thing)
    assert again == thing
    assert hash(again) == hash(thing)
    assert repr(again) == repr(thing)
    if isinstance(thing, RSM):
        assert again.digest == thing.digest
        assert again.initial == thing.initial
        assert again.statistics == thing.statistics
        assert list(again.label_ids) == list(thing.label_ids)
        assert (again.semantics, again.dead_ends) == (thing.semantics, thing.dead_ends)
        assert again.source == thing.source


def test_all_are_different():
    """But which formulas a document was asked for is no part of its model."""
    same = {"model: smv, asked"}
    things = [make() for name, make in EVERY.items() if name not in same]
    assert len(set(things)) == len(things)
    for at, one in enumerate(things):
        assert [other == one for other in things].index(True) == at


@pytest.mark.parametrize(
    "other",
    [
        kripke({"a": ["b"], "b": ["a"]}, labels={"b": ["p", "q q"]}, initial=["a", "b"]),
        kripke({"a": ["b"], "b": ["a", "b"]}, labels={"b": ["p", "q"]}, initial=["a", "b"]),
        kripke({"a": ["b"], "b": ["a", "b"]}, labels={"a": ["p", "q q"]}, initial=["a", "b"]),
        kripke({"a": ["c"], "c": ["a", "c"]}, labels={"c": ["p", "q q"]}, initial=["a", "c"]),
        replace(KRIPKE, names=Names(("other",), KRIPKE.names.nodes, ())),
        replace(KRIPKE, initial=(1,)),
        replace(KRIPKE, dead_ends="stop"),
        replace(KRIPKE, semantics="rsmcheck"),
    ],
)
def test_models_differ(other: RSM):
    assert other != KRIPKE


def test_labels_for_formulas_count():
    one, other = KRIPKE.with_labels({"new": [0]}), KRIPKE.with_labels({"new": [1]})
    assert [check(each, "EX !new").holds for each in (one, other)] == [True, False]
    assert one != other
    assert one != KRIPKE
    assert one.digest == other.digest == KRIPKE.digest


def test_conditions_travel():
    """A copy finds the labels of conditions that the model itself was never asked for."""
    model = smv.read(COUNTER, source="counter.smv")
    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(model))))
    formulas = ('EF "x > 1"', 'AG "x = 0"', 'AF "x mod 2 = 1"')
    assert [check(again, each).holds for each in formulas] == [True, False, True]
    assert again == model
    assert again.about(["x > 1"]) == model.about(["x > 1"]) != model
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        found = pool.starmap(verdict_of, [(again, parse(each)) for each in formulas])
    assert found == [verdict_of(model, parse(each)) for each in formulas]


def test_a_model_without_the_conditions_of_another_is_not_equal():
    model = smv.read(COUNTER)
    assert replace(model, conditions=None) != model
    other = smv.read(COUNTER.replace(b"x = 3", b"x = 3 & x = 3"))
    assert other.digest == model.digest
    assert other != model


def test_conditions_that_cannot_travel_are_an_error():
    """To leave them out would change verdicts."""
    model = replace(KRIPKE, conditions=FoundLabels(lambda _: None))
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(model)


def test_the_file_of_a_model_does_not_matter():
    assert replace(KRIPKE, source="elsewhere.rsm") == KRIPKE


@pytest.mark.parametrize(
    "change",
    [
        {"name": "other"}, {"states": ("x", "sent")}, {"initial": (0,)}, {"atoms": ("ready", "e")},
        {"values": bytes(4)}, {"must": b"\1\1"},
    ],
)  # fmt: skip
def test_parts_differ(change: dict[str, Any]):
    part = sender().build()
    assert replace(part, **change) != part


def test_a_pickled_part_is_checked_when_read():
    data = pickle.dumps(sender().build(), 0)
    broken = data.replace(b"(I0\nI1\n", b"(I0\nI7\n").replace(b"K\x01", b"K\x07")
    for bad in {broken, pickle.dumps(replace(sender().build(), initial=(0, 7)))}:
        with pytest.raises(ModelError) as caught:
            pickle.loads(bad)
        assert caught.value.code == "P212"


def test_what_is_kept_for_a_model_is_made_once_and_left_behind():
    model = calls().build(initial="main:start")
    made = []
    for _ in range(3):
        assert model.kept("count", lambda of: made.append(of) or len(made)) == 1
    assert made == [model]
    assert made[0] is model
    again = pickle.loads(pickle.dumps(model))
    assert again.kept("count", lambda _: 5) == 5
    assert model.with_initial([0]).kept("count", lambda _: 6) == 6


def test_verdicts_in_another_process():
    """A process that shares nothing with this one checks the same models."""
    formulas = ("AG EF done", "AF done", "EF (done & EX true)", "EG !done")
    models = [
        pickle.loads(pickle.dumps(rsm_json.read(rsm_json.write(model))))
        for model in (MODELS["calls"](), MODELS["stop"]())
    ]
    models.append(MODELS["rsmcheck"]())
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        found = pool.starmap(verdict_of, [(m, parse(f)) for m in models for f in formulas])
    assert found == [verdict_of(m, parse(f)) for m in models for f in formulas]
    assert {holds for holds, _ in found} == {True, False}


def verdict_of(model: RSM, formula: Formula) -> tuple[bool | None, bytes]:
    return check(model, formula).holds, model.digest
