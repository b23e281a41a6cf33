"""Corners of the `.rsm` format that are no errors."""

from __future__ import annotations

import json

import pytest

from pigro import RSM, check, load
from pigro.formats import rsm_json


def node(name: str, **more: object) -> dict[str, object]:
    return {"name": name, **more}


def ref(name: str) -> dict[str, str]:
    return {"type": "node", "name": name}


def box_ref(box: str, name: str) -> dict[str, str]:
    return {"type": "box_node", "box_name": box, "node_name": name}


def edge(source: dict[str, str], *targets: dict[str, str]) -> dict[str, object]:
    return {"source": source, "targets": list(targets)}


def model_of(*components: dict[str, object], initial: object = "a") -> dict[str, object]:
    return {"initial_component": "m", "initial_node": initial, "components": list(components)}


def read(model: dict[str, object], **options: str) -> RSM:
    return rsm_json.read(json.dumps(model).encode(), **options)


def edges_of(model: RSM) -> list[tuple[str, str]]:
    core = model.core
    return [
        (model.node_name(source), model.node_name(target))
        for source in range(core.nodes)
        for target in core.successors(source)
    ]


def test_the_smallest_model():
    model = read(model_of({"name": "m", "nodes": [node("a")]}))
    assert repr(model) == "<RSM: 1 component, 1 node, 0 edges, 0 boxes>"
    assert check(model, "AG true").holds is True


def test_unknown_keys_are_ignored_everywhere():
    extra = {"formulas": {}, "x": [1, {"name": 3}], "": None}
    component = {
        "name": "m",
        "nodes": [node("a", **extra)],
        "boxes": [{"name": "b", "component": "m", **extra}],
        "transitions": [{**edge({**ref("a"), **extra}, {**ref("a"), **extra}), **extra}],
        **extra,
    }
    model = read({**model_of(component), **extra})
    assert edges_of(model) == [("m:a", "m:a")]


def test_empty_target_lists_are_ignored_whatever_their_source():
    component = {
        "name": "m",
        "nodes": [node("a"), node("x", is_exit=True)],
        "transitions": [
            edge(ref("nothing")),
            edge(ref("x")),
            edge(box_ref("nothing", "x")),
            {"source": {"type": "node"}},
            {"source": ref("also nothing")},
        ],
    }
    assert edges_of(read(model_of(component))) == []


def test_node_for_name_in_references():
    component = {
        "name": "m",
        "nodes": [node("a"), node("b"), node("")],
        "transitions": [
            edge({"type": "node", "node": "a"}, {"type": "node", "node": "b"}),
            edge({"type": "node", "name": "b", "node": "a"}, {"type": "node", "name": ""}),
            edge({"type": "node", "name": "", "node": "a"}, {"type": "node", "node": ""}),
            edge({"type": "node", "name": None, "node": "a"}, ref("a")),
        ],
    }
    assert edges_of(read(model_of(component))) == [
        ("m:a", "m:a"),
        ("m:a", "m:b"),
        ("m:b", "m:"),
        ("m:", "m:"),
    ]


def test_a_node_that_is_entry_and_exit_is_a_return_as_source_and_a_call_as_target():
    box = {"name": "b", "component": "s", "call_nodes": ["e"], "return_nodes": ["e"]}
    main = {
        "name": "m",
        "nodes": [node("a"), node("z", labels=["z"])],
        "boxes": [box],
        "transitions": [
            edge(ref("a"), box_ref("b", "e")),
            edge(box_ref("b", "e"), ref("z"), box_ref("b", "e")),
        ],
    }
    sub = {"name": "s", "nodes": [node("e", is_entry=True, is_exit=True, labels=["e"])]}
    model = read(model_of(main, sub))
    assert edges_of(model) == [("m:a", "m:b.e"), ("m:b.e", "m:z"), ("m:b.e", "m:b.e")]
    assert check(model, "AX (e & EX e & EX z)").holds is True
    rsmcheck = read(model_of(main, sub), semantics="rsmcheck")
    assert rsmcheck.dead_ends == "stop"
    assert check(rsmcheck, "EF z").holds is False
    assert check(rsmcheck, "AX (e & !EX true)").holds is True


def test_transitions_of_one_source_merge_and_repeats_count_once():
    component = {
        "name": "m",
        "nodes": [node("a", labels=["p", "q", "p", "p"]), node("b", labels=["q"])],
        "transitions": [
            edge(ref("a"), ref("b"), ref("b")),
            edge(ref("a"), ref("a")),
            edge(ref("a"), ref("b")),
        ],
    }
    model = read(model_of(component))
    assert edges_of(model) == [("m:a", "m:a"), ("m:a", "m:b")]
    assert {label: model.core.labelled(i) for label, i in model.label_ids.items()} == {
        "p": [0],
        "q": [0, 1],
    }


def test_repeated_call_and_return_nodes_count_once():
    sub = {"name": "s", "nodes": [node("i", is_entry=True), node("o", is_exit=True)]}
    main = {
        "name": "m",
        "nodes": [node("a")],
        "boxes": [
            {"name": "b", "component": "s", "call_nodes": ["i", "i"], "return_nodes": ["o", "o"]}
        ],
        "transitions": [edge(ref("a"), box_ref("b", "i")), edge(box_ref("b", "o"), ref("a"))],
    }
    model = read(model_of(main, sub))
    assert edges_of(model) == [("m:a", "m:b.i"), ("m:b.o", "m:a")]
    assert (model.statistics.calls, model.statistics.returns) == (1, 1)


@pytest.mark.parametrize(
    ("initial", "expected"),
    [("a", [0]), (["a"], [0]), (["b", "a"], [1, 0]), (["b", "b", "a", "b"], [1, 0])],
)
def test_initial_nodes(initial: object, expected: list[int]):
    model = read(model_of({"name": "m", "nodes": [node("a"), node("b")]}, initial=initial))
    assert list(model.initial) == expected


def test_a_node_and_a_box_may_share_a_name():
    main = {
        "name": "m",
        "nodes": [node("a", is_entry=True)],
        "boxes": [{"name": "a", "component": "m", "call_nodes": ["a"]}],
        "transitions": [edge(ref("a"), box_ref("a", "a"), ref("a"))],
    }
    assert edges_of(read(model_of(main))) == [("m:a", "m:a"), ("m:a", "m:a.a")]


def test_edges_into_entries_and_names_of_any_script():
    main = {
        "name": "m",
        "nodes": [node("a", is_entry=True, labels=["gr\u00fcn", "\u7dd1", ""])],
        "transitions": [edge(ref("a"), ref("a"))],
    }
    model = read(model_of(main))
    assert list(model.label_ids) == ["gr\u00fcn", "\u7dd1", ""]
    assert check(model, 'AG (gr\u00fcn & \u7dd1 & "")').holds is True


TEXT = json.dumps(model_of({"name": "m", "nodes": [node("a", labels=["\u00e9"])]}), indent=1)


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + TEXT.encode(),
        TEXT.encode() + b"\n",
        b" \t\r\n" + TEXT.encode() + b" \r\n\t",
        json.dumps(json.loads(TEXT), ensure_ascii=False).encode(),
    ],
)
def test_line_ends_and_marks(data: bytes):
    model = rsm_json.read(data)
    assert list(model.label_ids) == ["\u00e9"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_places_in_files_with_any_line_ends_and_a_mark(end: str, tmp_path):
    file = tmp_path / "bad.rsm"
    bad = TEXT.replace('"a"', '"\u00e9\u00e9"', 1).replace("\n", end)
    file.write_bytes(b"\xef\xbb\xbf" + bad.encode())
    with pytest.raises(Exception, match="P203") as caught:
        load(file)
    place = caught.value.position
    assert (place.source, place.line, place.column) == (str(file), 3, 18)
    assert (place.text, place.width) == (' "initial_node": "\u00e9\u00e9",', 4)


def test_the_source_is_kept(tmp_path):
    file = tmp_path / "fine.json"
    file.write_text(TEXT)
    assert load(str(file)).source == str(file)
    assert rsm_json.read(TEXT.encode()).source is None
