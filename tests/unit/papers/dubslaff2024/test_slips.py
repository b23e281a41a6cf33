"""Slips of [Dubslaff2024] and of its tool: docs/slips.md lists them. There is a machine for each."""

import pytest

from pigro.logic import parse
from pigro.papers.dubslaff2024 import EAGER, LAZY, RANDOM, TERNARY

from oracle import contexts
from oracle.notation import machine_from
from support.agreement.ctl import as_model, to_oracle


@pytest.fixture(params=[EAGER, LAZY, TERNARY, RANDOM], ids=lambda engine: engine.name)
def engine(request):
    return request.param


def check(engine, text, cases):
    machine = machine_from(text)
    for formula, truth in cases.items():
        assert contexts.decide(machine, to_oracle(formula)) is truth, f"the oracle on {formula}"
        assert engine(as_model(machine), parse(formula)).holds is truth, formula


def test_alg_1_line_6_a_label_that_is_not_carried_is_false(engine):
    check(engine, "main >a b:p\n  a -> b\n  b -> b", {"p": False, "!p": True, "EX p": True})


def test_alg_1_line_13_an_exit_asks_for_the_whole_formula(engine):
    """At the exit p holds, but not after it: EX p must be read off the caller, not p."""
    check(
        engine,
        """
main >s end
  box b = callee
  s -> b.in
  b.x -> end
  end -> end
callee >in:p x>:p
  in -> x
""",
        {"EX EX EX p": False, "EX EX p": True, "EX EX !EX p": True},
    )


def test_alg_4_line_15_until_fails_on_a_cycle_through_exits(engine):
    """After the call it is called again, forever: the goal q is never reached."""
    check(
        engine,
        """
main >s
  box b = callee
  s -> b.in
  b.x -> b.in
callee >in x>
  in -> x
""",
        {"EF q": False, "AG !q": True, "EG !q": True, "EF EG !q": True},
    )


def test_fig_4_a_lasso_is_a_witness_for_always(engine):
    """s is on no cycle, but a path leads from it into one."""
    check(engine, "main >s:p c:p\n  s -> c\n  c -> c", {"EG p": True, "AF !p": False})


def test_alg_1_line_12_next_looks_through_calls(engine):
    """A call and the entry it calls are one moment: no step lies between them."""
    check(
        engine,
        """
main >s
  box b = callee
  s -> b.in
callee >in:q mid:p
  in -> mid
  mid -> mid
""",
        {"EX q": True, "EX EX p": True, "EX EX q": False},
    )


def test_alg_7_line_11_an_exit_returns_to_all_callers(engine):
    """The published tool returns only to the caller on top of its stack, yet marks nodes as visited.

    `callee` is entered from `one` first, where nothing follows. The goal lies behind the call of `two`.
    """
    check(
        engine,
        """
main >s
  box one = first
  box two = second
  s -> one.in two.in
first >in end
  box c = callee
  in -> c.in
  c.x -> end
  end -> end
second >in goal:q
  box c = callee
  in -> c.in
  c.x -> goal
  goal -> goal
callee >in x>
  box r = callee
  in -> x r.in
  r.x -> x
""",
        {"EF q": True, "AF q": False, "AG !q": False, "EX EX EX EF q": True},
    )


def test_a_cycle_is_not_resolved_before_its_subformulas(engine):
    """EG (EF q) hangs on EF q at the same exits. Deciding the outer one first would be wrong."""
    check(
        engine,
        """
main >s goal:q end
  box b = callee
  s -> b.in
  b.x -> b.in goal
  b.y -> end
  goal -> goal
  end -> end
callee >in x> y>
  in -> x y
""",
        {"EG EF q": True, "AG EF q": False, "EF AG !q": True, "EF (!q & EG EF q)": True},
    )
