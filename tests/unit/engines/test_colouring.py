"""Truths at many nodes are those that `explain_at` and `satisfying` give, one node at a time."""

from __future__ import annotations

import os

import pytest

import pigro
from pigro.engines.colouring import truths_at, truths_under
from pigro.engines.explaining import explain_at
from pigro.engines.labelling import satisfying
from pigro.evidence.states import EMPTY, Stack
from pigro.generate import FormulaShape, ModelShape, random_formula, random_model
from pigro.limits import Budget

CASES = int(os.environ.get("PIGRO_EXPLORE_CASES", "30"))
MODELS = ModelShape(components=3, boxes=2, nodes=5, density=0.3)
FORMULAS = FormulaShape(depth=2, operators=("EX", "EF", "EG", "EU", "AX", "AF", "AG", "AU"))


def declared(model, component):
    return [node for node in model.core.nodes_of(component) if model.core.box(node) < 0]


@pytest.mark.parametrize("seed", range(CASES))
def test_truths_of_random_models(seed):
    model, formula = random_model(MODELS, seed), random_formula(FORMULAS, seed)
    known = satisfying(model, formula)
    for component in range(model.core.components):
        nodes = declared(model, component)
        found = truths_at(model, formula, nodes, Budget())
        assert found == {node: known.truth(node) for node in nodes}
    [first] = {model.core.component(node) for node in model.initial}
    for stack in [(), *((box,) for box in model.core.boxes_of(first))]:
        if not known.states(stack):  # no run has this stack
            continue
        nodes = declared(model, model.core.callee(stack[-1]) if stack else first)
        found = truths_under(model, formula, Stack.of(stack), nodes, Budget())
        assert found == {node: (stack, node) in known for node in nodes}


@pytest.mark.parametrize("text", ["G F a", "E [F (a & X b)]", "A [G (a -> F b)] & !c"])
def test_truths_beyond_ctl(text):
    model = random_model(MODELS, 3)
    for component in range(model.core.components):
        nodes = declared(model, component)
        found = truths_at(model, text, nodes, Budget())
        assert found == {node: explain_at(model, text, node)[0].truth for node in nodes}


def test_several_initial_nodes():
    """A node that is reached from one of them only is reached."""
    after = {"a": ["a"], "b": ["c"], "c": ["c"], "d": ["d"]}
    model = pigro.kripke(after, labels={"c": ["p"]}, initial=["a", "b"])
    nodes = declared(model, 0)
    found = truths_at(model, "p", nodes, Budget())
    assert found == {node: explain_at(model, "p", node)[0].truth for node in nodes}
    assert [str(each) for each in found.values()].count("not reachable") == 1


def test_no_nodes():
    model = random_model(MODELS, 1)
    assert truths_under(model, "EF a", EMPTY, [], Budget()) == {}
    assert truths_at(model, "EF a", [], Budget()) == {}
