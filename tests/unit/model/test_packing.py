"""Models as bytes: what the sections say, and which bytes are no model."""

from __future__ import annotations

import pickle
from array import array
from copy import deepcopy

import pytest

from pigro import RSM, InputError, ModelBuilder, ModelError, kripke
from pigro.formats import binary
from pigro.model.binary.packing import _ITEMS, _MODEL, pack
from pigro.model.binary.sections import join_sections, split_sections
from pigro.model.names import Names, NumberedNames, PackedLabels, PackedNames


def machine(**names: str) -> RSM:
    model = ModelBuilder()
    main = model.component(names.get("component", "main"))
    main.entry("start", labels=["p", names.get("label", "é")])
    main.exit("end")
    main.node("both", entry=True, exit=True)
    box = main.box("again", calls=main)
    main.edge("start", box.call("start"), box.call("both"), "end")
    main.edge(box.returned("end"), "start")
    box.returned("both")
    return model.build(initial=[f"{main.name}:start", f"{main.name}:end"])


MODEL = machine()


def sections(model: RSM = MODEL) -> dict[str, bytes]:
    return {
        tag: bytes(content) for tag, content in split_sections(pack(model), _MODEL, _ITEMS).items()
    }


def forged(**changes: bytes | None) -> bytes:
    """The model's file with other sections. None: without that one."""
    made = sections() | changes
    return join_sections(
        _MODEL,
        ((tag, _ITEMS.get(tag, 1), text) for tag, text in made.items() if text is not None),
    )


def ids(*values: int) -> bytes:
    return array("i", values).tobytes()


def test_the_sections_of_a_small_model():
    found = sections()
    assert found["CNOD"] == ids(0, 3)
    assert found["NFLG"] == b"\1\2\3"
    assert (found["CBOX"], found["BCAL"]) == (ids(0, 1), ids(0))
    assert (found["CALO"], found["CALE"]) == (ids(0, 2), ids(0, 2))
    assert (found["RETO"], found["RETE"]) == (ids(0, 2), ids(1, 2))
    assert found["INIT"] == ids(0, 1)
    assert sorted(zip(*(array("i", found[tag]) for tag in ("ESRC", "ETGT")), strict=True)) == [
        (0, 1),
        (0, 3),
        (0, 4),
        (5, 0),
    ]
    assert (found["LABO"], found["LABN"]) == (ids(0, 1, 2), ids(0, 0))
    assert (found["LTXO"], found["LTXT"]) == (ids(0, 1, 3), "pé".encode())
    assert found["LORD"] == ids(0, 1)
    assert (found["ntxo"], found["ntxt"]) == (ids(0, 5, 8, 12), b"startendboth")
    assert (found["ctxt"], found["btxt"]) == (b"main", b"again")


def test_names_are_decoded_when_asked_for():
    copy = binary.read(pack(MODEL))
    nodes = copy.names.nodes
    assert isinstance(nodes, PackedNames)
    assert (nodes[1], [*nodes], len(nodes)) == ("end", ["start", "end", "both"], 3)
    assert nodes == ("start", "end", "both")
    assert tuple.__eq__(("start", "end", "both"), nodes) is NotImplemented, "so it is asked here"
    assert nodes != ("start", "end", "other")
    assert nodes != ("start", "end")
    assert nodes != "startendboth"
    assert hash(nodes) == hash(("start", "end", "both"))
    for names in (copy.names, MODEL.names):
        assert pickle.loads(pickle.dumps(names)) == copy.names
        assert deepcopy(names) == copy.names
    for beyond in (-1, 3):
        with pytest.raises(IndexError):
            nodes[beyond]
    assert copy.find("main:both") == MODEL.find("main:both")


def test_labels_are_found_without_decoding_all():
    wanted = ["b", "a", "", "ab", "é", "\u20ac", "a\0", "zz" * 500]
    model = kripke({"s": ["s"]}, labels={"s": wanted}, initial="s")
    labels = binary.read(pack(model)).label_ids
    assert isinstance(labels, PackedLabels)
    assert {label: labels[label] for label in wanted} == dict(model.label_ids)
    for other in ("c", "aa", "\0", "\ud800", "zz", "\U0010ffff"):
        assert other not in labels
        assert labels.get(other) is None
    assert "_numbers" not in vars(labels)
    assert [*labels] == [*model.label_ids]
    assert list(labels.items()) == list(model.label_ids.items())
    assert list(labels.values()) == list(range(8))
    assert labels == dict(model.label_ids)
    with pytest.raises(KeyError, match="c"):
        labels["c"]


def test_names_that_are_numbers_take_no_room():
    model = RSM.from_arrays(
        component_offsets=[0, 2], node_flags=b"\1\0", edge_sources=[0], edge_targets=[1],
        labels={}, initial=[1],
    )  # fmt: skip
    assert not {"ctxo", "ntxo", "btxo"} & sections(model).keys()
    copy = binary.read(pack(model))
    assert isinstance(copy.names.nodes, NumberedNames)
    assert copy == model
    named = Names(("c0",), ("n0", "n1"), ())
    assert copy.names == named
    assert hash(copy.names) == hash(named)


def test_foreign_sections_are_skipped():
    assert binary.read(forged(zzzz=b"something")) == MODEL


@pytest.mark.parametrize(
    ("changes", "code", "message"),
    [
        ({"INIT": None}, "P140", "INIT is missing"),
        ({"LTXT": None}, "P140", "LTXT is missing"),
        ({"ESRC": None}, "P140", "ESRC is missing"),
        ({"ntxo": None}, "P140", "names are missing"),
        ({"ctxo": None, "ctxt": None}, "P140", "names are missing"),
        ({"LTXT": b"p\xe9x"}, "P140", "LTXT is not valid UTF-8"),
        ({"LTXT": b"p\xed\xa0\x80", "LTXO": ids(0, 1, 4)}, "P140", "LTXT is not valid UTF-8"),
        ({"LTXO": ids(0, 2, 3)}, "P140", "cut a character"),
        ({"LTXO": ids(1, 1, 3)}, "P140", "begin at 0"),
        ({"LTXO": ids(0, 9, 3)}, "P140", "do not ascend"),
        ({"LTXO": ids(0, -1, 3)}, "P140", "do not ascend"),
        ({"LTXO": ids(0, 1, 2**31 - 1)}, "P140", "do not end with it"),
        ({"LTXO": b""}, "P140", "begin at 0"),
        ({"LTXO": ids(0, 3)}, "P140", "order has another length"),
        ({"LTXO": ids(0, 3), "LORD": ids(0)}, "P212", "1 names for 2 labels"),
        ({"LTXO": ids(0, 1, 1, 3), "LORD": ids(1, 0, 2)}, "P212", "3 names for 2 labels"),
        ({"LTXT": b"pp", "LTXO": ids(0, 1, 2)}, "P140", "not distinct, or not in order"),
        ({"LORD": None}, "P140", "LORD is missing"),
        ({"LORD": ids(1, 0)}, "P140", "not distinct, or not in order"),
        ({"LORD": ids(0, 0)}, "P140", "not distinct, or not in order"),
        ({"LORD": ids(0, 2)}, "P140", "order names no text"),
        ({"LORD": ids(-1, 0)}, "P140", "order names no text"),
        ({"LORD": ids(0)}, "P140", "order has another length"),
        ({"LORD": b""}, "P140", "order has another length"),
        ({"ntxt": b"startendbot\xff"}, "P140", "ntxt is not valid UTF-8"),
        ({"ntxo": ids(0, 5, 12)}, "P212", "2 names for 3 nodes"),
        ({"btxo": ids(0, 0, 0, 5)}, "P212", "3 names for 1 boxes"),
        ({"INIT": b""}, "P210", "no initial node"),
        ({"INIT": ids(3)}, "P212", "initial node 3"),
        ({"INIT": ids(-1)}, "P212", "initial node -1"),
        ({"CNOD": b""}, "P212", "component_offsets"),
        ({"CNOD": ids(0)}, "P212", "component_offsets"),
        ({"CNOD": ids(0, 2**31 - 1)}, "P212", "component_offsets"),
        ({"CNOD": ids(0, -1, 3)}, "P212", "component_offsets"),
        ({"NFLG": b"\1\2\4"}, "P212", "node 2 has the flags 4"),
        ({"NFLG": b""}, "P212", "component_offsets"),
        ({"BCAL": ids(1)}, "P212", "box 0 calls component 1"),
        ({"CALE": ids(0, 1)}, "P212", "not an entry"),
        ({"RETE": ids(1, -5)}, "P212", "not an exit"),
        ({"ESRC": ids(0, 0, 0)}, "P212", "equally long"),
        ({"ETGT": ids(1, 3, 4, 2**31 - 1)}, "P212", "edge 3 goes to"),
        ({"ESRC": ids(1, 0, 0, 5)}, "P209", 'exit "end" has successors'),
        ({"LABN": ids(0, 3)}, "P212", "label names node 3"),
        ({"LABO": b""}, "P212", "label rows"),
    ],
)
def test_sections_that_are_no_model(changes: dict[str, bytes | None], code: str, message: str):
    with pytest.raises((InputError, ModelError), match=message) as caught:
        binary.read(forged(**changes), source="forged.pigro")
    assert caught.value.code == code
    assert caught.value.position.source == "forged.pigro"


def test_dead_ends_are_looked_for():
    data = pack(kripke({"a": []}, labels={}, initial="a"))
    assert binary.read(data, dead_ends="stop").dead_ends == "stop"
    with pytest.raises(ModelError) as caught:
        binary.read(data, dead_ends="error", source="x")
    assert (caught.value.code, caught.value.position.source) == ("P211", "x")
