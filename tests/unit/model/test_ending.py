"""Ending states, which the semantics `rmv` adds to a model."""

import pickle

import pytest

import pigro
from pigro.engines.explaining import explain_at
from pigro.formats import binary
from pigro.model.positions import Positions

from oracle.notation import machine_from
from support.agreement.ctl import as_model

LABELLED_EXIT = """
main >start:p stop>:p
  start -> stop
"""
RECURSIVE = """
A >a1:p a3>:q
  box b = A
  a1 -> b.a1 a3
  b.a3 -> a3
main m1 end>
  box c = A
  m1 -> c.a1
  c.a3 -> end
"""


def rmv(text, **reading):
    return as_model(machine_from(text, semantics="rmv", **reading))


@pytest.mark.parametrize(
    "engine", ["demand", "exhaustive", "lazy", "incremental", "basic", "onthefly"]
)
def test_the_exit_leads_to_a_state_without_labels(engine):
    formulas = {"EG p": False, "AF !p": True, "AG p": False, "EX EX !p": True}
    model = rmv(LABELLED_EXIT)
    assert {each: pigro.check(model, each, engine=engine).holds for each in formulas} == formulas


def test_a_kripke_structure_stays_one():
    model = rmv(LABELLED_EXIT)
    assert model.is_kripke
    assert list(model.names.nodes) == ["start", "stop", "end"]
    assert pigro.check(model, "A G p", engine="onthefly").holds is False


def test_components_that_are_called_have_a_twin():
    model = rmv(RECURSIVE)
    assert list(model.names.components) == ["A", "main", "A_initial"]
    assert [model.node_name(node) for node in model.initial] == ["A_initial:a1"]
    assert model.names.nodes[-1] == "end"
    assert model.names.nodes[4] == "end2", "its component has a node end already"
    assert pigro.check(model, "EF (q & EX !q)").holds
    assert pigro.check(model, "AG (q -> EX q)").holds is False


def test_all_choices_of_initial_nodes_have_the_same_nodes():
    model = rmv(RECURSIVE)
    other = model.with_initial([model.find("main:m1")])
    assert other.core is model.core
    assert other.digest == model.digest
    assert [other.node_name(node) for node in other.initial] == ["main:m1"]
    assert [model.node_name(node) for node in other.with_initial([model.find("A:a1")]).initial] == [
        "A_initial:a1"
    ]


def test_labels_are_on_twins_too():
    model = rmv(RECURSIVE)
    at = model.core.declared_of_node(model.find("A:a3"))
    more = model.with_labels({"here": [at]})
    assert pigro.check(more, "AG (here <-> q)").holds
    assert [model.node_name(node) for node in more.core.labelled(more.label_ids["here"])] == [
        "A:a3",
        "A_initial:a3",
    ]


def test_explanations_ask_about_twins_too():
    [whole, *_] = explain_at(rmv(RECURSIVE), "EX q", "A:a3")
    assert whole.truth == "depends"


def test_pickles_and_files():
    model = rmv(RECURSIVE)
    assert pickle.loads(pickle.dumps(model)) == model
    again = binary.read(binary.write(model))
    for formula in ("EF (q & EX !q)", "EG p", "AF !q"):
        assert pigro.check(again, formula).holds is pigro.check(model, formula).holds


def test_positions():
    rows = [0, 1, 1, 1, 2] * 2
    model = pigro.RSM.from_arrays(
        component_offsets=[0, 2],
        node_flags=bytes([1, 2]),
        edge_sources=[0],
        edge_targets=[1],
        labels={},
        initial=[0],
        semantics="rmv",
        positions=Positions.of(["a.c"], nodes=rows, components=rows[:5]),
    )
    assert [str(model.position(node)) for node in range(3)] == ["a.c:1:1", "a.c:1:1", "None"]
    assert str(model.component_position(0)) == "a.c:1:1"
