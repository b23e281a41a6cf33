"""How much is looked at: exactly, so that laziness can't rot, and how deep it can get."""

import sys
from functools import reduce
from itertools import pairwise

import pytest

from pigro.engines.onthefly.native import ONTHEFLY
from pigro.engines.onthefly.program import space_of
from pigro.logic import atom, conjunction, parse

from support.agreement.systems import Counting, Graph, check_system, run_of

STEPS = (lambda n: n + 1, lambda n: 3 * n + 1, lambda n: n // 2)


@pytest.mark.parametrize(
    "formula, holds, states, assertions",
    [
        ("p", True, 0, 0),
        ("p | EF q", True, 0, 0),
        ("!p & EF q", False, 0, 0),
        ("p -> EX p", True, 1, 3),
        ("AX (p | q)", True, 1, 1 + 2),
        ("EX EX !p", False, 2, 2 + 2 * 2 + 3),
        ("A [X X (p & q)]", False, 2, 4),
        ("EF q", True, 100, 3 * 101),  # {G !q}, {!q}, {X G !q} in each state; at last {}
        ("A [G !q]", False, 100, 3 * 101),
        ("A [p U q]", False, 10, 4 * 10 + 4),  # {p U q}, {p, q}, {q, X}, {X}; at 10 {q} and {}
        ("A [p W q]", False, 10, 43),
        ("E [p U q]", False, 10, 61),
        ("EG p", True, 10, 34),
        ("E [F (q & X !q)]", True, 101, 406),
        ("E [X F (q & X X X !q)]", True, 103, 405),
    ],
)
def test_a_billion_states_are_decided_locally(formula, holds, states, assertions):
    system = Counting(10**9, STEPS, p=lambda n: n < 10, q=lambda n: n == 100)
    verdict = check_system(system, formula)
    assert verdict.holds is holds
    assert verdict.stats.states == states
    assert verdict.stats.visited == assertions


def test_no_end_is_needed():
    system = Counting(steps=STEPS, p=lambda n: n == 200, q=lambda n: n < 200)
    for formula, holds in (("EF p", True), ("AG q", False), ("AF !q", False), ("A [q W p]", False)):
        verdict = check_system(system, formula)
        assert verdict.holds is holds
        assert verdict.stats.states <= 200


def test_labels_are_asked_for_only_where_they_count():
    system = Graph("a:p > b c; b > d; c > d; d:q > a")
    assert ONTHEFLY(space_of(system), parse("AX AX q")).holds is True
    assert system.labelled == {"d": 1}
    assert system.asked == {"a": 1, "b": 1, "c": 1}


@pytest.mark.parametrize(
    "formula", ["A [G F p] <-> !E [F G !p]", "AG (EF p xor EG q) & A [(p R q) | G F (p & X q)]"]
)
def test_each_state_is_asked_at_most_once(formula):
    system = Graph("a:p > b c; b:q > d; c:p,q > d e; d > a; e:q > e f; f")
    verdict = check_system(system, formula)
    assert set(system.asked.values()) == set(system.labelled.values()) == {1}
    assert verdict.stats.states == len(system.asked)


def test_ctl_is_linear():
    """In AG EF AG EF ... p, on a ring, each operator makes as many assertions at each state."""
    for size in (5, 10, 20):
        for length in (2, 4, 8, 16, 32, 64):
            verdict = check_system(Counting(size, p=lambda n: n == 3), "AG EF " * length + "p")
            assert verdict.holds is True
            assert verdict.stats.visited == (5 * length + 2) * size - 1
            assert verdict.stats.states == size


def test_ctl_is_linear_where_every_inner_formula_is_asked_everywhere():
    ring = Counting(50, p=lambda n: n == 7)
    visited = [
        check_system(ring, "AG (q | AF " * length + "p" + ")" * length).stats.visited
        for length in range(2, 20)
    ]
    growth = {after - before for before, after in pairwise(visited)}
    assert len(growth) == 1


def test_a_formula_that_occurs_twice_is_decided_once():
    once = check_system(Counting(100, p=lambda n: n == 7), "AG EF p")
    twice = check_system(Counting(100, p=lambda n: n == 7), "AG EF p & (AG EF p | AX AG EF p)")
    assert once.stats.visited == twice.stats.visited


def test_nested_quantifiers():
    text = "p"
    for at in range(256):
        text = f"E [F {text}]" if at % 2 else f"A [X {text}]"
    verdict = check_system(Counting(3, p=lambda n: n == 2), text)
    assert verdict.holds is True
    path = "A [X E [X " * 128 + "p" + "]]" * 128
    assert check_system(Counting(p=lambda n: n == 256), path).holds is True
    assert check_system(Counting(p=lambda n: n == 255), path).holds is False


@pytest.mark.long
@pytest.mark.parametrize("temporal", ["{}", "A [G F ({})]"])
def test_booleans_without_end(temporal):
    many = temporal.format("!(" * 50_000 + "p & (q | " * 25_000 + "p" + ")" * 75_000)
    assert check_system(Graph("a:p > a"), many).holds is True
    names = " & ".join(f"p{at}" for at in range(30_000))
    assert check_system(Graph("a:p0,p1 > a"), temporal.format(names)).holds is False


def test_shared_booleans_are_decided_once():
    """As a tree this formula has 2^100 leaves."""
    formula = reduce(lambda f, _: f ^ f.implies(atom("q")), range(100), parse("EX p"))
    assert check_system(Graph("a > b; b:p > a"), formula).holds is True


def test_many_path_formulas():
    all_of_them = conjunction(parse(f"F p{at}") for at in range(300))
    verdict = check_system(Graph("a > a"), all_of_them)
    assert verdict.holds is False
    verdict = check_system(Graph(f"a:{','.join(f'p{at}' for at in range(300))} > a"), all_of_them)
    assert verdict.holds is True
    assert verdict.stats.visited <= 3 * 300


@pytest.mark.long
def test_a_long_way():
    long = Counting(60_000, p=lambda n: n == 59_999)
    verdict = check_system(long, "A [G !p]")
    assert verdict.holds is False
    assert len(run_of(verdict).states) == 60_000


def lines_of(operators):
    """The lines of the search that are run for each assertion."""
    count = 0

    def local(_frame, event, _argument):
        nonlocal count
        count += event == "line"
        return local

    def trace(frame, _event, _argument):
        return local if "onthefly" in frame.f_code.co_filename else None

    body = " & ".join(f"G F (p | q{at})" for at in range(operators))
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        verdict = check_system(Counting(20, p=lambda n: True), f"A [{body}]")
    finally:
        sys.settrace(before)
    assert verdict.holds
    return count / verdict.stats.visited


def test_a_step_takes_the_same_work_in_long_formulas():
    few, many = lines_of(8), lines_of(96)
    assert many < 1.1 * few, (few, many)
