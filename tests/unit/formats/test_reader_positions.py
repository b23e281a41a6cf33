"""Readers of `.pds`, `.pdmu` and `.smv` files say which lines of the file a model comes from."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pigro import RSM, ModelError, load, save
from pigro.formats import pdmu, pds, smv
from pigro.formats.pds import PushdownTranslation
from pigro.generate import PushdownShape, random_pushdown_system

PDS = b"""# a comment
(p <main>)
ATOMS main start

p <main> --> p <work rest> // a call
p <rest> --> p <rest>
/* lines
   of comment */ p <work> --> p <done>
p <work> --> p <\xc3\xa4 done>
p <done> --> p <>
p <\xc3\xa4> --> p <>
"""
SMV = b"""-- a comment
MODULE main
VAR x : 0..2;
ASSIGN
  init(x) := 0;
  next(x) := case x = 0 : 1; TRUE : 2; esac;
CALL
  sub :=
    x = 1;

MODULE sub
VAR y : boolean;
ASSIGN init(y) := FALSE; next(y) := EXIT;
"""
PDMU = b"""Rules:
 start a -> run b;
 run b -> run c; run c
   -> run _;

Propositions:
"""
NODES = {
    "split": {"start main": 5, "main": 5, "rest": 6, "work": 8, "done": 10, "ä": 11},
    "general": {
        "p <main>": 5,
        "p <rest>": 6,
        "p <work> on work": 8,
        "p <done> on work": 10,
        "p <> on work": 0,
        "p <ä> on work": 11,
    },
}


def lines(model: RSM) -> dict[str, int]:
    """By the name of a node without its component: its line."""
    found = {}
    for declared, name in enumerate(model.names.nodes):
        position = model.position(model.core.node_of_declared(declared))
        found[name] = position.line if position else 0
    return found


@pytest.mark.parametrize("way", ["split", "general"])
def test_nodes_of_a_pushdown_system_are_at_their_first_rule(way):
    model = pds.read(PDS, source="x.pds", translation=way)
    assert lines(model) == NODES[way]
    texts = PDS.decode().split("\n")
    for node in range(model.core.nodes):
        position = model.position(node)
        if position is not None:
            assert position.file == "x.pds"
            assert (position.column, position.end_line) == (0, position.line)
            assert "-->" in texts[position.line - 1]
    assert model.positions.counts()[0] >= 5


def test_boxes_of_a_pushdown_system_are_at_the_rule_that_pushes():
    for way in ("split", "general"):
        model = pds.read(PDS, translation=way)
        boxes = {model.box_position(box).line for box in range(model.core.boxes)}
        assert boxes - {5, 9} == set()
        assert boxes


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("way", list(PushdownTranslation))
def test_random_pushdown_systems(seed, way):
    """Each node is at a rule of its head, and positions change nothing else."""
    text = random_pushdown_system(PushdownShape(), seed)
    try:
        model = pds.read(text.encode(), source="r.pds", translation=way)
    except ModelError as error:
        assert error.code == "P214"
        return
    shown = text.split("\n")
    for declared, name in enumerate(model.names.nodes):
        position = model.position(model.core.node_of_declared(declared))
        if position is None:
            continue
        left = shown[position.line - 1].split("-->")[0]
        state, symbol = left.replace(">", "").split("<")
        assert symbol.strip() in name or state.strip() in name
    assert replace(model, positions=None) == model


def test_a_pdmu_file():
    model = pdmu.read(PDMU, source="x.pdmu")
    assert set(lines(model).values()) >= {2, 3}
    assert max(lines(model).values()) == 3


def test_states_of_a_module_are_at_its_name_and_calls_at_the_call():
    model = smv.read(SMV, source="x.smv")
    assert model.component_position(0) == ("x.smv", 2, 8, 2, 12)
    assert model.component_position(1) == ("x.smv", 11, 8, 11, 11)
    assert lines(model) == {"0": 2, "2": 2, "FALSE": 11, "EXIT": 11}
    assert [model.box_position(box)[:2] for box in range(model.core.boxes)] == [("x.smv", 8)]
    assert model.positions.counts() == (4, 1, 2)


def test_a_state_that_calls_and_has_a_label_is_at_the_call():
    model = smv.read(SMV.replace(b"CALL", b"DEFINE l := x = 1;\nCALL"))
    assert lines(model)["1"] == 9
    assert str(model.position(0)) == "line 2:8"


@pytest.mark.parametrize(("data", "name"), [(PDS, "x.pds"), (SMV, "x.smv")])
def test_conversions_keep_the_lines(tmp_path, monkeypatch, data, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(data)
    model = load(name)
    before = [model.position(node) for node in range(model.core.nodes)]
    assert before[0].file == name
    for to in ("y.rsm", "y.json", "y.pigro"):
        save(model, to)
        again = load(to)
        assert [again.position(node) for node in range(again.core.nodes)] == before
