"""Deciding again: in any state, as deep as asked for."""

import pytest

from pigro.diagnostics import CheckError
from pigro.engines.onthefly.recheck import decider
from pigro.evidence import State
from pigro.logic import parse

from oracle.notation import machine_from
from support.agreement.ctl import as_model

DEEPER = "main  >a:p  x>\n  box b = main\n  a -> b.a x\n  b.x -> x"


def test_any_state():
    model = as_model(machine_from("main  a  b:p\n  a -> a b\n  b -> b", initial=("a", "b")))
    formula = parse("E [F G p] & A [F G p]")
    decide = decider(model, formula)
    a, b = (State((), model.find(f"main:{name}")) for name in "ab")
    some, every = (
        next(at for at, op in enumerate(formula.ops) if op == wanted) for wanted in (10, 9)
    )
    assert [decide(some, each) for each in (a, b)] == [True, True]
    assert [decide(every, each) for each in (a, b)] == [False, True]
    assert decide(len(formula) - 1, a) is False


def test_states_inside_of_calls():
    model = as_model(machine_from(DEEPER))
    formula = parse("X F G !p")
    decide = decider(model, formula, 3)
    root, node = len(formula) - 1, model.find("main:a")
    out = model.find("main:x")
    assert decide(root, State((), node)) is None
    assert decide(root, State((0, 0), node)) is None
    assert decide(root, State((0, 0), out)) is True
    assert decide(root, State((0, 0, 0, 0), out)) is None


def test_recursion_needs_a_depth():
    with pytest.raises(CheckError, match="P404"):
        decider(as_model(machine_from(DEEPER)), parse("F G p"))
