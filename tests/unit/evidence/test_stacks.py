"""Stacks as shared lists."""

import copy
import pickle

import pytest

from pigro.evidence import EMPTY, Stack, State


def test_pushes_and_pops():
    stack = EMPTY.push(3).push(5)
    assert (tuple(stack), len(stack), stack.box, tuple(stack.below)) == ((3, 5), 2, 5, (3,))
    assert stack.below.below is EMPTY
    assert not EMPTY
    assert EMPTY.below is EMPTY
    assert stack.above(1) == (5,)
    assert stack.above(2) == ()


@pytest.mark.parametrize("one", [(), (1,), (1, 2), (2, 1), (1, 2, 3)])
@pytest.mark.parametrize("two", [(), (1,), (1, 2), (2, 1), (1, 2, 3)])
def test_equal_stacks_are_equal_however_they_were_made(one, two):
    assert (Stack.of(one) == Stack.of(two)) is (one == two)
    assert (hash(Stack.of(one)) == hash(Stack.of(two))) or one != two


def test_a_stack_is_no_tuple():
    assert Stack.of([1]) != (1,)


def test_a_state_takes_boxes_in_any_way():
    assert State([1, 2], 3) == State(Stack.of((1, 2)), 3)
    assert State((), 3).stack is EMPTY


def test_copies():
    state = State((1, 2), 3)
    assert pickle.loads(pickle.dumps(state)) == state == copy.deepcopy(state)
    assert pickle.loads(pickle.dumps(EMPTY)) is EMPTY


def test_deep_stacks_are_compared_and_forgotten_without_recursion():
    deep, twin = Stack.of(range(200_000)), Stack.of(range(200_000))
    assert deep == twin
    assert deep.push(1) == deep.push(1)
    assert deep.push(1) != deep.push(2)
    del deep, twin
