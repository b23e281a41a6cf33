"""Source positions: what they may be, and that they go through every format and leave verdicts alone."""

from __future__ import annotations

import json
import pickle
import random
from array import array
from copy import deepcopy
from dataclasses import replace

import pytest

import pigro
from pigro import RSM, InputError, ModelBuilder, ModelError, Positions
from pigro.formats import binary, model_json, rsm_json
from pigro.generate import ModelShape, random_model
from pigro.model.binary.packing import _ITEMS, _MODEL, pack
from pigro.model.binary.sections import join_sections, split_sections
from pigro.model.positions import OWN, SourcePosition


def machine() -> RSM:
    model = ModelBuilder(file="app.c")
    main = model.component("main", at=(1, 1, 9, 2))
    main.entry("start", at=3)
    main.exit("end")
    box = main.box("call", calls="sub", at=[4, 5, 4, 11])
    main.edge("start", box.call("in"))
    main.edge(box.returned("out"), "end")
    sub = model.component("sub", file="lib.c")
    sub.entry("in", labels=["p"], at=(20, 0, 22))
    sub.exit("out", at=(23, 7), file="other.h")
    sub.edge("in", "out")
    return model.build(initial="main:start")


MODEL = machine()


def without(model: RSM) -> RSM:
    return replace(model, positions=None)


def test_positions_of_a_builder():
    assert MODEL.positions is not None
    assert MODEL.positions.component(0) == ("app.c", 1, 1, 9, 2)
    assert MODEL.positions.component(1) is None
    assert MODEL.positions.box(0) == ("app.c", 4, 5, 4, 11)
    assert MODEL.position(MODEL.find("main:start")) == ("app.c", 3, 0, 3, 0)
    assert MODEL.position(MODEL.find("main:end")) is None
    assert MODEL.position(MODEL.find("sub:in")) == ("lib.c", 20, 0, 22, 0)
    assert MODEL.position(MODEL.find("sub:out")) == ("other.h", 23, 7, 23, 0)
    calls = [node for node in range(MODEL.core.nodes) if MODEL.core.box(node) >= 0]
    assert [MODEL.position(node) for node in calls] == [MODEL.positions.box(0)] * 2
    assert MODEL.positions.counts() == (3, 1, 1)


def test_a_model_without_positions_has_none():
    plain = ModelBuilder(file="app.c")
    plain.component("main", file="b.c").entry("start")
    model = plain.build(initial="main:start")
    assert model.positions is None
    assert model.position(0) is None


def test_verdicts_and_equality_ignore_positions():
    assert without(MODEL) == MODEL
    assert without(MODEL).digest == MODEL.digest
    assert hash(without(MODEL)) == hash(MODEL)
    assert MODEL.with_initial([1]).positions is MODEL.positions
    assert MODEL.with_labels({"q": [0]}).positions is MODEL.positions


@pytest.mark.parametrize("form", [rsm_json, model_json, binary])
def test_files_keep_positions(form):
    again = form.read(form.write(MODEL))
    assert again == MODEL
    told = [again.positions.node(each) for each in range(4)]
    assert told == [MODEL.positions.node(each) for each in range(4)]
    assert again.positions.box(0) == MODEL.positions.box(0)
    assert [again.positions.component(each) for each in range(2)] == [
        ("app.c", 1, 1, 9, 2),
        None,
    ]


@pytest.mark.parametrize("protocol", [4, 5])
def test_pickles_and_copies_keep_positions(protocol):
    assert pickle.loads(pickle.dumps(MODEL, protocol)).positions == MODEL.positions
    assert deepcopy(MODEL).positions == MODEL.positions


def test_models_without_positions_are_written_as_before():
    plain = without(MODEL)
    assert b'"at"' not in rsm_json.write(plain)
    assert b'"file"' not in model_json.write(plain)
    tags = split_sections(pack(plain), _MODEL, _ITEMS)
    assert not {"file", "npos", "bpos", "cpos"} & set(tags)
    assert rsm_json.read(rsm_json.write(plain)).positions is None


def test_each_file_is_said_as_far_outside_as_it_can_be():
    told = json.loads(rsm_json.write(MODEL))
    assert told["file"] == "app.c"
    main, sub = told["components"]
    assert "file" not in main
    assert main["at"] == [1, 1, 9, 2]
    assert main["nodes"][0]["at"] == [3]
    assert "at" not in main["nodes"][1]
    assert (sub["file"], sub["nodes"][0]["at"]) == ("lib.c", [20, 0, 22])
    assert (sub["nodes"][1]["file"], sub["nodes"][1]["at"]) == ("other.h", [23, 7])


def random_positions(dice: random.Random, model: RSM) -> Positions:
    files = ["a.c", "b c.é", "/x/\n"][: dice.randint(1, 3)]

    def row() -> list[int]:
        line, column = dice.choice([1, 7, 2**31 - 1]), dice.choice([0, 1, 2**31 - 1])
        place = dice.randrange(len(files)), line, column, line, dice.choice([0, column])
        return list(place) if dice.random() < 0.7 else [0] * 5

    def rows(count: int) -> list[int]:
        return [each for _ in range(count) for each in row()] if dice.random() < 0.8 else []

    core = model.core
    counts = core.declared_nodes, core.boxes, core.components
    nodes, boxes, components = map(rows, counts)
    return Positions.of(files, nodes=nodes, boxes=boxes, components=components)


def told(model: RSM) -> list[object]:
    found, core = model.positions, model.core
    if found is None:
        return [None] * (core.declared_nodes + core.boxes + core.components)
    return [
        *map(found.node, range(core.declared_nodes)),
        *map(found.box, range(core.boxes)),
        *map(found.component, range(core.components)),
    ]


@pytest.mark.parametrize("seed", range(60))
def test_random_models_keep_random_positions(seed):
    dice = random.Random(seed)
    plain = random_model(ModelShape(components=3, boxes=2, nodes=6), seed)
    model = replace(plain, positions=random_positions(dice, plain))
    for form in (rsm_json, model_json, binary):
        again = form.read(form.write(model))
        assert told(again) == told(model)
        assert again == form.read(form.write(plain))
    assert told(pickle.loads(pickle.dumps(model))) == told(model)


def test_the_own_file_gets_its_name_when_it_is_left():
    own = Positions.of([OWN], nodes=[0, 1, 0, 1, 0] * 4)
    model = replace(MODEL, positions=own, source="x.pds")
    for form in (rsm_json, binary):
        again = form.read(form.write(model), source="elsewhere.rsm")
        assert again.position(0) == ("x.pds", 1, 0, 1, 0)
        assert form.read(form.write(replace(model, source=None))).positions is None
    assert pickle.loads(pickle.dumps(model)).positions == own


@pytest.mark.parametrize(
    "row",
    [
        (1, 1, 0, 1, 0),
        (-1, 1, 0, 1, 0),
        (0, -1, 0, 1, 0),
        (0, 0, 1, 0, 0),
        (0, 2, 0, 1, 0),
        (0, 2, 0, 0, 0),
        (0, 1, -1, 1, 0),
        (0, 1, 5, 1, 4),
        (0, 1, 0, 1, -4),
        (1, 0, 0, 0, 0),
    ],
)
def test_rows_that_can_not_be(row):
    for rows in (row, (*row, 0, 1, 0, 1, 0), (0, 1, 0, 1, 0, *row)):
        with pytest.raises(ModelError, match="row") as caught:
            Positions.of(["a"], nodes=rows)
        assert caught.value.code == "P223"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"nodes": [0, 1, 0, 1]}, "five numbers"),
        ({"nodes": [0, 1, 0, 1, 2**31]}, "32 bits"),
        ({"boxes": ["a"] * 5}, "integers"),
        ({"boxes": 3}, "integers"),
        ({"files": ["a\0b"]}, "name of a file"),
        ({"files": [3]}, "name of a file"),
        ({"files": [], "nodes": [0, 1, 0, 1, 0]}, "row 0"),
    ],
)
def test_positions_that_can_not_be(arguments, message):
    with pytest.raises(ModelError, match=message):
        Positions.of(**{"files": ["a"], **arguments})


def test_positions_must_be_as_many_as_things():
    arrays = {
        "component_offsets": [0, 2],
        "node_flags": bytes(2),
        "edge_sources": [0],
        "edge_targets": [1],
        "labels": {},
        "initial": [0],
    }
    good = RSM.from_arrays(**arrays, positions=Positions.of(["a"], nodes=[0, 1, 0, 1, 0] * 2))
    assert good.position(1) == SourcePosition("a", 1, 0, 1, 0)
    for wrong in ({"nodes": 1}, {"nodes": 3}, {"boxes": 1}, {"components": 2}):
        rows = {what: [0, 1, 0, 1, 0] * count for what, count in wrong.items()}
        with pytest.raises(ModelError, match="positions for") as caught:
            RSM.from_arrays(**arrays, positions=Positions.of(["a"], **rows))
        assert caught.value.code == "P223"


@pytest.mark.parametrize(
    "at", [0, -1, [], [1, 2, 3, 4, 5], "12", 1.5, (2, 1, 1), (1, 5, 1, 4), 2**31]
)
def test_a_builder_refuses_positions_that_can_not_be(at):
    model = ModelBuilder(file="a.c")
    with pytest.raises(ModelError) as caught:  # noqa: PT012 - some are seen late
        model.component("main").entry("start", at=at)
        model.build(initial="main:start")
    assert caught.value.code == "P223"
    assert caught.value.position is None


def test_a_position_needs_a_file():
    model = ModelBuilder()
    model.component("main").entry("start", at=1)
    with pytest.raises(ModelError, match="without a file"):
        model.build(initial="main:start")


LINES = """{
"initial_component": "main", "initial_node": "start",
"file": %s,
"components": [{"name": "main",
"at": %s,
"nodes": [{"name": "start",
"at": %s}]}]}"""


def rsm(*, file: str = '"a.c"', component: str = "[1]", node: str = "[2]") -> bytes:
    return (LINES % (file, component, node)).encode()


@pytest.mark.parametrize(
    ("given", "code", "line"),
    [
        ({"node": "12"}, "P103", 7),
        ({"node": "[-1]"}, "P103", 7),
        ({"node": "[1.5]"}, "P103", 7),
        ({"node": "[2147483648]"}, "P103", 7),
        ({"node": "[1e300]"}, "P103", 7),
        ({"node": "[99999999999999999999999999]"}, "P103", 7),
        ({"node": "[]"}, "P103", 7),
        ({"node": "[1, 2, 3, 4, 5]"}, "P103", 7),
        ({"node": "null"}, "P103", 7),
        ({"node": '"x"'}, "P103", 7),
        ({"node": "[0]"}, "P223", 7),
        ({"node": "[3, 0, 2]"}, "P223", 7),
        ({"node": "[3, 4, 3, 2]"}, "P223", 7),
        ({"component": "[true]"}, "P103", 5),
        ({"component": "[0]"}, "P223", 5),
        ({"component": '{"line": 1}'}, "P103", 5),
        ({"file": "3"}, "P103", 3),
        ({"file": "null"}, "P223", 5),
        ({"file": '"a\\u0000"'}, "P223", 5),
    ],
)
@pytest.mark.parametrize("form", [rsm_json, model_json])
def test_wrong_positions_in_a_file_are_errors_with_a_line(form, given, code, line):
    with pytest.raises((InputError, ModelError)) as caught:
        form.read(rsm(**given), source="x.rsm")
    assert (caught.value.code, caught.value.position.line) == (code, line)


def test_a_file_without_positions_may_hold_any_file():
    text = rsm(file="3").replace(b'"at"', b'"as"')
    assert rsm_json.read(text).positions is None


def forged(**changes: bytes | None) -> bytes:
    made = {tag: bytes(each) for tag, each in split_sections(pack(MODEL), _MODEL, _ITEMS).items()}
    made |= changes
    return join_sections(
        _MODEL, ((tag, _ITEMS[tag], each) for tag, each in made.items() if each is not None)
    )


def ids(*values: int) -> bytes:
    return array("i", values).tobytes()


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"file": None}, "P140"),
        ({"file": b"a.c"}, "P140"),
        ({"file": b"\xff\0"}, "P140"),
        ({"file": b""}, "P223"),
        ({"npos": ids(0, 1, 0, 1)}, "P223"),
        ({"npos": ids(0, 1, 0, 1, 0)}, "P223"),
        ({"npos": ids(9, 1, 0, 1, 0) * 4}, "P223"),
        ({"bpos": ids(0, -5, 0, 1, 0)}, "P223"),
        ({"cpos": ids(0, 5, 0, 1, 0) * 2}, "P223"),
    ],
)
def test_damaged_sections_are_errors(changes, code):
    with pytest.raises((InputError, ModelError)) as caught:
        binary.read(forged(**changes), source="x.pigro")
    assert caught.value.code == code
    assert caught.value.position.source == "x.pigro"


def test_sections_may_be_left_out():
    model = binary.read(forged(npos=None, cpos=None))
    assert model.position(0) is None
    assert model.positions.box(0) == MODEL.positions.box(0)
    assert binary.read(forged(npos=None, bpos=None, cpos=None)) == MODEL


def test_convert_keeps_positions(tmp_path):
    for name in ("a.rsm", "b.pigro", "c.json", "d.rsm"):
        pigro.save(MODEL, tmp_path / name)
        model = pigro.load(tmp_path / name)
        assert told(model) == told(MODEL)
