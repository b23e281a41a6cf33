"""Writing a model and reading it again keeps all that can be asked of it."""

from __future__ import annotations

import json
import warnings

import pytest

from pigro import RSM, ModelBuilder, ModelError, UsageError, check, kripke, load, save
from pigro.engines.likely_mistakes import UnknownLabelWarning
from pigro.formats import rsm_json

from oracle.formula import to_text
from oracle.generate import random_case
from support.agreement.ctl import as_model


def again(model: RSM) -> RSM:
    """The model after it was written. The file says how it is to be read."""
    return rsm_json.read(rsm_json.write(model))


def content(model: RSM) -> dict[str, object]:
    """All there is in a model, by names."""
    core = model.core
    labels = {
        label: [model.node_name(node) for node in core.labelled(number)]
        for label, number in model.label_ids.items()
    }
    return {
        "components": list(model.names.components),
        "nodes": list(model.names.nodes),
        "boxes": [
            (name, core.callee(box), core.box_component(box), core.listed_calls(box))
            for box, name in enumerate(model.names.boxes)
        ],
        "kinds": [(model.node_name(n), core.kind(n).name) for n in range(core.nodes)],
        "entries": [n for n in range(core.nodes) if core.is_entry(n)],
        "edges": [core.successors(n) for n in range(core.nodes)],
        "labels": labels,
        "initial": model.initial,
        "statistics": model.statistics,
    }


def verdict(model: RSM, formula: str) -> bool | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnknownLabelWarning)
        return check(model, formula).holds


@pytest.mark.parametrize("start", range(0, 400, 50))
def test_random_models(start: int):
    kinds = set()
    for seed in range(start, start + 50):
        case = random_case(seed)
        model = as_model(case.machine)
        copy = again(model)
        assert content(copy) == content(model), seed
        formula = to_text(case.formula)
        assert verdict(copy, formula) == verdict(model, formula), seed
        assert rsm_json.write(copy) == rsm_json.write(model), seed
        kinds.add((model.semantics.value, len(model.initial) > 1))
    assert kinds >= {("standard", False), ("rsmcheck", False), ("standard", True)}


@pytest.mark.parametrize("profile", ["rsmcheck", "oneliners", "ragged"])
@pytest.mark.parametrize("semantics", ["standard", "rsmcheck"])
def test_both_readings_of_one_liners(profile: str, semantics: str):
    for seed in range(40):
        written = rsm_json.write(as_model(random_case(seed, profile).machine))
        model = rsm_json.read(written, semantics=semantics)
        assert unread(rsm_json.write(model)) == unread(written), seed
        assert content(again(model)) == content(model), seed


def unread(written: bytes) -> dict[str, object]:
    """What a file has, apart from how it says that it is to be read."""
    return {
        key: value
        for key, value in json.loads(written).items()
        if key not in ("semantics", "dead_ends")
    }


def test_a_written_file():
    model = ModelBuilder()
    main = model.component("m")
    main.entry("a", labels=["p", "q"])
    box = main.box("b", calls="m")
    main.edge("a", box.call("a"))
    assert rsm_json.write(model.build(initial="m:a")).decode() == (
        "{\n"
        ' "initial_component": "m",\n'
        ' "initial_node": "a",\n'
        ' "components": [\n'
        "  {\n"
        '   "name": "m",\n'
        '   "nodes": [\n'
        "    {\n"
        '     "name": "a",\n'
        '     "is_entry": true,\n'
        '     "is_exit": false,\n'
        '     "labels": [\n'
        '      "p",\n'
        '      "q"\n'
        "     ]\n"
        "    }\n"
        "   ],\n"
        '   "boxes": [\n'
        "    {\n"
        '     "name": "b",\n'
        '     "component": "m",\n'
        '     "call_nodes": [\n'
        '      "a"\n'
        "     ],\n"
        '     "return_nodes": []\n'
        "    }\n"
        "   ],\n"
        '   "transitions": [\n'
        "    {\n"
        '     "source": {\n'
        '      "type": "node",\n'
        '      "name": "a"\n'
        "     },\n"
        '     "targets": [\n'
        "      {\n"
        '       "type": "box_node",\n'
        '       "node_name": "a",\n'
        '       "box_name": "b"\n'
        "      }\n"
        "     ]\n"
        "    }\n"
        "   ]\n"
        "  }\n"
        " ]\n"
        "}\n"
    )


def test_a_model_from_arrays_is_written_with_made_up_names(tmp_path):
    model = RSM.from_arrays(
        component_offsets=[0, 1, 2],
        node_flags=[0, 0],
        edge_sources=[0],
        edge_targets=[0],
        labels={"p": [1]},
        initial=[1],
    )
    save(model, tmp_path / "made.rsm")
    copy = load(tmp_path / "made.rsm")
    assert copy.node_name(copy.initial[0]) == "c1:n1"


def test_odd_names_survive(tmp_path):
    names = ["", "\x00\x1b[31m", '"\\', "\u2028", "\U0001f600", "<b>&amp;"]
    model = kripke(
        {name: [names[0]] for name in names},
        labels={name: [name] for name in names},
        initial=names,
    )
    save(model, tmp_path / "odd.rsm")
    copy = load(tmp_path / "odd.rsm")
    assert list(copy.names.nodes) == names
    assert content(copy) == content(model)


def test_initial_nodes_of_several_components_have_no_file():
    model = ModelBuilder()
    model.component("a").node("n")
    model.component("b").node("n")
    built = model.build(initial="a:n")
    with pytest.raises(ModelError) as caught:
        rsm_json.write(built.with_initial([0, 1]))
    assert caught.value.code == "P210"


def test_a_name_that_is_no_text_has_no_file():
    model = kripke({"\ud800": []}, labels={}, initial="\ud800")
    with pytest.raises(UsageError) as caught:
        rsm_json.write(model)
    assert caught.value.code == "P003"
    assert caught.value.message == 'the name "\\ud800" can\'t be written as UTF-8'
