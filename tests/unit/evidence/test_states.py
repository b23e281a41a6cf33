"""States and steps, by the definition."""

from __future__ import annotations

from pigro.evidence.states import State, Steps, enters_call

from oracle.generate import random_case
from oracle.notation import machine_from
from support.agreement.ctl import as_model

DEEPEST, MOST = 3, 60


def some_states(model):
    """States that are reached first."""
    steps, found = Steps(model), [State((), node) for node in model.initial]
    for state in found:  # grows while we walk
        if len(found) < MOST and len(state.stack) < DEEPEST:
            found += [each for each in steps.next(state) if each not in found]
    return found


def moves(model, state):
    """Each next state by the edge that leads there, and whether that is a call."""
    core, returned = model.core, Steps(model).after_return(state)
    moment = state if returned is None else returned
    for node in core.successors(moment.node):
        called = core.kind(node).name == "CALL"
        stack = (*moment.stack, core.box(node)) if called else moment.stack
        yield State(stack, core.subject(node) if called else node), called


def test_calls_are_known_by_the_states_around_them():
    after_return = 0
    for seed in range(300):
        model = as_model(random_case(seed).machine)
        for state in some_states(model):
            for after, called in moves(model, state):
                assert enters_call(model, state, after) is called, (seed, state, after)
                after_return += called and len(after.stack) == len(state.stack)
    assert after_return > 20


def test_the_same_box_again():
    model = as_model(
        machine_from("main  s\n  box b = f\n  s -> b.e\n  b.x -> b.e\nf  >e  x>\n  e -> x")
    )
    entry, out = model.find("f:e"), model.find("f:x")
    assert enters_call(model, State((0,), out), State((0,), entry))
    assert not enters_call(model, State((0,), entry), State((0,), out))
    assert not enters_call(model, State((0,), out), State((0,), out))
