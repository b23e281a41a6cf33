"""A file says how it is to be read, unless who reads it says otherwise."""

from __future__ import annotations

import json

import pytest

from pigro import InputError, ModelBuilder, ModelError, check, compose_check, kripke, load, save
from pigro.diagnostics import render_error

CARRYING = ["rsm", "json", "pigro"]
ENDING = {"a": ["b"], "b": []}
"""Runs end in b, or stay there."""


def saved(tmp_path, model, suffix):
    path = str(tmp_path / f"m.{suffix}")
    save(model, path)
    return path


def lamp(**reading):
    return kripke(ENDING, labels={"b": ["p"]}, initial="a", **reading)


def empty_call(**reading):
    """A call of a node that is entry and exit at once: a dead end for `rsmcheck`."""
    model = ModelBuilder()
    nop = model.component("nop")
    nop.node("nop", entry=True, exit=True)
    main = model.component("main")
    main.node("start", entry=True)
    main.node("after", labels=["after"])
    box = main.box("call", calls="nop")
    main.edge("start", box.call("nop"))
    main.edge(box.returned("nop"), "after")
    return model.build(initial="main:start", **reading)


@pytest.mark.parametrize("suffix", CARRYING)
@pytest.mark.parametrize("dead_ends", ["stutter", "stop"])
def test_dead_ends_travel(tmp_path, suffix, dead_ends):
    model = lamp(dead_ends=dead_ends)
    path = saved(tmp_path, model, suffix)
    assert load(path) == model
    for asked in ("stutter", "stop"):
        assert check(load(path, dead_ends=asked), "AG EX true").holds is (asked == "stutter")


@pytest.mark.parametrize("suffix", CARRYING)
@pytest.mark.parametrize("dead_ends", ["stutter", "stop", None])
def test_the_semantics_travels(tmp_path, suffix, dead_ends):
    model = empty_call(semantics="rsmcheck", dead_ends=dead_ends)
    path = saved(tmp_path, model, suffix)
    assert load(path) == model
    assert not check(path, "EF after").holds
    other = load(path, semantics="standard")
    assert check(other, "EF after").holds
    assert other.dead_ends == ("stutter" if dead_ends != "stutter" else dead_ends)


@pytest.mark.parametrize("suffix", CARRYING)
def test_another_semantics_has_its_own_dead_ends(tmp_path, suffix):
    path = saved(tmp_path, lamp(), suffix)
    assert load(path, semantics="rsmcheck").dead_ends == "stop"
    path = saved(tmp_path, lamp(dead_ends="stop"), suffix)
    assert load(path, semantics="rmv").dead_ends == "stop"


@pytest.mark.parametrize("suffix", CARRYING)
def test_ending_states_are_written_for_the_standard_semantics(tmp_path, suffix):
    model = ModelBuilder()
    main = model.component("main")
    main.node("start", labels=["p"], entry=True)
    main.node("stop", labels=["p"], exit=True)
    main.edge("start", "stop")
    rmv = model.build(initial="main:start", semantics="rmv")
    again = load(saved(tmp_path, rmv, suffix))
    assert (again.semantics, again.digest) == ("standard", rmv.digest)
    assert check(again, "AF !p").holds


def test_usual_readings_are_not_written(tmp_path):
    data = json.loads((tmp_path / saved(tmp_path, lamp(), "rsm")).read_text())
    assert not {"semantics", "dead_ends"} & {*data}
    data = json.loads((tmp_path / saved(tmp_path, lamp(dead_ends="stop"), "rsm")).read_text())
    assert (data.get("semantics"), data["dead_ends"]) == (None, "stop")


@pytest.mark.parametrize("more", ["", '"file": "x", "at": [1], '])
def test_wrong_words_are_errors_with_their_place(tmp_path, more):
    path = tmp_path / "m.rsm"
    text = (tmp_path / saved(tmp_path, lamp(dead_ends="stop"), "rsm")).read_text()
    path.write_text(text.replace('"stop"', '"stopp"').replace("{", "{" + more, 1))
    with pytest.raises(InputError) as caught:
        load(path)
    assert render_error(caught.value).splitlines()[0] == "error[P103]: there is no choice 'stopp'"
    assert caught.value.hint == "choose one of: stutter, stop, error"
    path.write_text(text.replace('"stop"', "3"))
    with pytest.raises(InputError, match="P103: expected a string, got a number"):
        load(path)


@pytest.mark.parametrize(("suffix", "code"), [("pds", "P215"), ("parts", "P215"), ("smv", "P120")])
def test_other_formats_refuse_dead_ends_where_runs_stop(tmp_path, suffix, code):
    with pytest.raises(ModelError, match=rf"{code}: .*b.* is a dead end where runs stop"):
        saved(tmp_path, lamp(dead_ends="stop"), suffix)
    endless = kripke({"a": ["a"]}, labels={}, initial="a", dead_ends="stop")
    assert check(load(saved(tmp_path, endless, suffix)), "AG EX true").holds


def test_a_call_that_is_a_dead_end_is_not_written_as_a_call(tmp_path):
    with pytest.raises(ModelError, match=r"P120: .* in the semantics rsmcheck"):
        saved(tmp_path, empty_call(semantics="rsmcheck", dead_ends="stutter"), "smv")


def test_parts_have_the_loops_that_runs_make(tmp_path):
    part = load(saved(tmp_path, lamp(), "parts"))
    assert check(lamp(), "nu Z. <> Z").holds
    assert compose_check(part, "nu Z. <> Z").holds


@pytest.mark.parametrize("returns", [True, False])
def test_modules_for_rmv_obey_its_rules(tmp_path, returns):
    """One call right after another, which RMV refuses, and a call that never returns."""
    model = ModelBuilder()
    callee = model.component("callee")
    callee.node("in", entry=True)
    if returns:
        callee.node("out", exit=True)
        callee.edge("in", "out")
    else:
        callee.edge("in", "in")
    main = model.component("main")
    main.node("start", entry=True)
    first, second = main.box("first", calls="callee"), main.box("second", calls="callee")
    main.edge("start", first.call("in"))
    if returns:
        main.edge(first.returned("out"), second.call("in"))
        main.edge(second.returned("out"), "start")
    made = model.build(initial="main:start", semantics="rmv")
    if returns:
        with pytest.raises(
            ModelError, match='P120: .* "second" .* is called right after box "first"'
        ):
            saved(tmp_path, made, "smv")
    else:
        assert load(saved(tmp_path, made, "smv"), semantics="rmv").core.boxes == 1
