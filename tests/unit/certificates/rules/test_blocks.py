"""R2 to R6: blocks of values, each side condition broken by a false certificate. See conftest.py."""

import pytest

from support.certificates.drafts import (
    graph,
    one_level,
    program,
    with_call,
)

pytestmark = pytest.mark.filterwarnings("ignore::pigro.engines.likely_mistakes.UnknownLabelWarning")


# R2


def test_r2_order(rejected):
    model = graph("a>b b>a")
    certificate, level = one_level(model, "EF p", holds=True)
    level.sure(0, "a b")
    assert rejected(model, certificate) == ("R2", 1, "block", 0, "main:a")


def test_r2_a_successor(rejected):
    model = graph("a>a b>b", {"b": ["p"]})
    certificate, level = one_level(model, "EF p", holds=True)
    level.sure(0, "b a")
    assert rejected(model, certificate) == ("R2", 1, "block", 0, "main:a")


def test_r2_phi1(rejected):
    model = graph("a>b b>b", {"b": ["p"]})
    certificate, level = one_level(model, "E [q U p]", holds=True)
    level.sure(0, "b a")
    assert rejected(model, certificate) == ("R2", 1, "block", 0, "main:a")


def test_r2_exit_is_in_the_set(rejected):
    model = program("main:a", main="a > out; out")
    certificate, level = one_level(model, "EF p", holds=True)
    level.sure(0, "out a")
    assert rejected(model, certificate) == ("R2", 1, "block", 0, "main:out")


def test_r2_exit_needs_phi1(rejected):
    model = program("main:a", main="a q > b.in; b.out > c; c p > c; b calls f", f="in q > out; out")
    certificate, level = with_call(model, "E [q U p]", holds=True)
    level.sure(1, "out in", "out", entry="in")
    level.sure(0, "c b.out a")
    assert rejected(model, certificate) == ("R2", 1, "block", 0, "f:out")


# R3


def test_r3_order_of_callee_block(rejected):
    model = program("main:in", main="in > b.in; b calls main")
    certificate, level = one_level(model, "EF p", holds=True)
    level.link(0, "b", 0)
    level.sure(0, "in", entry="in")
    assert rejected(model, certificate) == ("R3", 1, "block", 0, "main:in")


def test_r3_order_of_callee_blocks(rejected):
    model = program("main:in", main="in > b.in; b calls f", f="in > c.in; c calls main")
    certificate, level = with_call(model, "EF p", holds=True)
    level.link(1, "c", 0)
    level.sure(0, "in", entry="in")
    level.sure(1, "in", entry="in")
    assert rejected(model, certificate) == ("R3", 1, "block", 0, "main:in")


def test_r3_phi1(rejected):
    model = program("main:a", main="a > b.in; b calls f", f="in p > in")
    certificate, level = with_call(model, "E [q U p]", holds=True)
    level.sure(1, "in", entry="in")
    level.sure(0, "a")
    assert rejected(model, certificate) == ("R2", 1, "block", 1, "main:a")


def test_r3_entry(rejected):
    model = program("main:a", main="a > b.in2; b calls f", f="in p > in; in2 > in2")
    certificate, level = with_call(model, "EF p", holds=True)
    level.sure(1, "in", entry="in")
    level.sure(0, "a")
    assert rejected(model, certificate) == ("R3", 1, "block", 1, "main:a")


def test_r3_block_with_an_entry(rejected):
    model = program("main:a", main="a > b.in2; b calls f", f="in2 > in2; c p > c")
    certificate, level = with_call(model, "EF p", holds=True)
    level.sure(1, "c")
    level.sure(0, "a")
    assert rejected(model, certificate) == ("R3", 1, "block", 1, "main:a")


def test_r3_operand_context(rejected):
    model = program("main:a", main="a > b.in; b calls f", f="in > in", g="in p > in")
    certificate, level = with_call(model, "EF p", holds=True)
    level.sure(level.operands("g"), "in", entry="in")
    level.sure(0, "a")
    assert rejected(model, certificate) == ("R3", 1, "block", 1, "main:a")


def test_r3_a_bound_block_is_not_sure(rejected):
    model = program("main:a", main="a > b.in; b calls f", f="in > in")
    certificate, level = with_call(model, "EF p", holds=True)
    level.bound(1, "in", entry="in")
    level.sure(0, "a")
    assert rejected(model, certificate) == ("R3", 1, "block", 1, "main:a")


def test_r3_return_must_exist(rejected):
    model = program("main:a", main="a > b.in; b calls f", f="in > out; out")
    certificate, level = with_call(model, "EF p", holds=True)
    level.sure(1, "out in", "out", entry="in")
    level.sure(0, "a")
    assert rejected(model, certificate) == ("R3", 1, "block", 1, "main:a")


def test_r3_return_must_be_claimed(rejected):
    model = program("main:a", main="a > b.in; b.out > a; b calls f", f="in > out; out")
    certificate, level = with_call(model, "EF p", holds=True)
    level.sure(1, "out in", "out", entry="in")
    level.sure(0, "a")
    assert rejected(model, certificate) == ("R3", 1, "block", 1, "main:a")


def test_r3_returns_order(rejected):
    model = program("main:a", main="a > b.in; b.out > a; b calls f", f="in > out; out")
    certificate, level = with_call(model, "EF p", holds=True)
    level.sure(1, "out in", "out", entry="in")
    level.sure(0, "a b.out")
    assert rejected(model, certificate) == ("R3", 1, "block", 1, "main:a")


# R4


def test_r4_phi(rejected):
    model = graph("a>a")
    certificate, level = one_level(model, "EG p", holds=True)
    level.sure(0, "a")
    assert rejected(model, certificate) == ("R4", 1, "block", 0, "main:a")


def test_r4_phi_at_a_dead_end(rejected):
    model = graph("a>b", {"a": ["p"]})
    certificate, level = one_level(model, "EG p", holds=True)
    level.sure(0, "a b")
    assert rejected(model, certificate) == ("R4", 1, "block", 0, "main:b")


def test_r4_dead_ends_have_no_successor(rejected):
    model = graph("a>b b>b", {"a": ["p"]})
    certificate, level = one_level(model, "EG p", holds=True)
    level.sure(0, "a")
    assert rejected(model, certificate) == ("R4", 1, "block", 0, "main:a")


def test_r4_calls_are_successors(rejected):
    model = program("main:a", main="a p > b.in; b calls f", f="in > in")
    certificate, level = one_level(model, "EG p", holds=True)
    level.sure(0, "a")
    assert rejected(model, certificate) == ("R4", 1, "block", 0, "main:a")


CALL_AND_RETURN = {"main": "a p > b.in; b.out > c; c > c; b calls f", "f": "in p > out; out p"}


def test_r4_dead_ends_are_no_exits(rejected):
    model = program("main:a", **CALL_AND_RETURN)
    certificate, level = with_call(model, "EG p", holds=True)
    level.sure(1, "in out", entry="in")
    level.sure(0, "a")
    assert rejected(model, certificate) == ("R4", 1, "block", 0, "f:out")


def test_r4_returns(rejected):
    model = program("main:a", **CALL_AND_RETURN)
    certificate, level = with_call(model, "EG p", holds=True)
    level.sure(0, "a")
    level.sure(1, "in out", "out", entry="in")
    assert rejected(model, certificate) == ("R4", 1, "block", 0, "main:a")


def test_r4_entry(rejected):
    model = program("main:a", main="a p > b.in2; b calls f", f="in p > in; in2 > in2")
    certificate, level = with_call(model, "EG p", holds=True)
    level.sure(0, "a")
    level.sure(1, "in", entry="in")
    assert rejected(model, certificate) == ("R4", 1, "block", 0, "main:a")


# R5


def test_r5_phi2(rejected):
    model = graph("a>a", {"a": ["p"]})
    certificate, level = one_level(model, "EF p", holds=False)
    level.bound(0, "a")
    assert rejected(model, certificate) == ("R5", 1, "block", 0, "main:a")


def test_r5_phi2_where_phi1_is_false(rejected):
    model = graph("a>a", {"a": ["p"]})
    certificate, level = one_level(model, "E [q U p]", holds=False)
    level.bound(0, "a")
    assert rejected(model, certificate) == ("R5", 1, "block", 0, "main:a")


def test_r5_successors(rejected):
    model = graph("a>b a>c b>b c>c", {"c": ["p"]})
    certificate, level = one_level(model, "EF p", holds=False)
    level.bound(0, "a b")
    assert rejected(model, certificate) == ("R5", 1, "block", 0, "main:a")


def test_r5_exit_case(rejected):
    model = program("main:a", main="a > b.in; b.out > c; c p > c; b calls f", f="in > out; out")
    certificate, level = with_call(model, "EF p", holds=False)
    level.bound(1, "in out", entry="in")
    level.bound(0, "a")
    assert rejected(model, certificate) == ("R5", 1, "block", 0, "f:out")


def test_r5_returns(rejected):
    model = program("main:a", main="a > b.in; b.out > c; c p > c; b calls f", f="in > out; out")
    certificate, level = with_call(model, "EF p", holds=False)
    level.bound(0, "a")
    level.bound(1, "in out", "out", entry="in")
    assert rejected(model, certificate) == ("R5", 1, "block", 0, "main:a")


def test_r5_calls_need_blocks(rejected):
    model = program("main:a", main="a > b.in; b calls f", f="in p > in")
    certificate, level = with_call(model, "EF p", holds=False)
    level.bound(0, "a")
    assert rejected(model, certificate) == ("R5", 1, "block", 0, "main:a")


def test_r5_every_call(rejected):
    model = program("main:a", main="a > b.in b.in2; b calls f", f="in > in; in2 p > in2")
    certificate, level = with_call(model, "EF p", holds=False)
    level.bound(1, "in", entry="in")
    level.bound(0, "a")
    assert rejected(model, certificate) == ("R5", 1, "block", 1, "main:a")


def test_r5_the_first_bound_block_counts(rejected):
    model = program("main:a", main="a > b.in; b.out > c; c p > c; b calls f", f="in > out; out")
    certificate, level = with_call(model, "EF p", holds=False)
    level.bound(1, "in out", "out", entry="in")
    level.bound(0, "a")
    level.bound(1, "in", entry="in")  # wrong, but not the first
    assert rejected(model, certificate) == ("R5", 1, "block", 1, "main:a")


# R6


def test_r6_order(rejected):
    model = graph("a>b b>a", {"a": ["p"], "b": ["p"]})
    certificate, level = one_level(model, "EG p", holds=False)
    level.bound(0, "a b")
    assert rejected(model, certificate) == ("R6", 1, "block", 0, "main:a")


@pytest.mark.parametrize("dead_ends", ["stutter", "stop"])
def test_r6_dead_end(rejected, dead_ends):
    model = graph("a", {"a": ["p"]}, dead_ends=dead_ends)
    certificate, level = one_level(model, "EG p", holds=False)
    level.bound(0, "a")
    assert rejected(model, certificate) == ("R6", 1, "block", 0, "main:a")


def test_r6_every_successor(rejected):
    model = graph("a>b a>c b>b c>c", {"a": ["p"], "c": ["p"]})
    certificate, level = one_level(model, "EG p", holds=False)
    level.bound(0, "b a")
    assert rejected(model, certificate) == ("R6", 1, "block", 0, "main:a")


def test_r6_exit(rejected):
    model = program(
        "main:a", main="a p > b.in; b.out > c; c p > c; b calls f", f="in p > out; out p"
    )
    certificate, level = with_call(model, "EG p", holds=False)
    level.bound(1, "out in", entry="in")
    level.bound(0, "a")
    assert rejected(model, certificate) == ("R6", 1, "block", 0, "f:out")


def test_r6_missing_return(rejected):
    model = program("main:a", main="a p > b.in; b calls f", f="in p > out; out p")
    certificate, level = with_call(model, "EG p", holds=False)
    level.bound(1, "out in", "out", entry="in")
    level.bound(0, "a")
    assert rejected(model, certificate) == ("R6", 1, "block", 1, "main:a")


def test_r6_returns_order(rejected):
    model = program("main:a", main="a p > b.in; b.out > a; b calls f", f="in p > out; out p")
    certificate, level = with_call(model, "EG p", holds=False)
    level.bound(1, "out in", "out", entry="in")
    level.bound(0, "a b.out")
    assert rejected(model, certificate) == ("R6", 1, "block", 1, "main:a")


def test_r6_order_of_callee_block(rejected):
    model = program("main:in", main="in p > b.in; b calls main")
    certificate, level = one_level(model, "EG p", holds=False)
    level.link(0, "b", 0)
    level.bound(0, "in", entry="in")
    assert rejected(model, certificate) == ("R6", 1, "block", 0, "main:in")


def test_r6_calls_need_blocks(rejected):
    model = program("main:a", main="a p > b.in; b calls f", f="in p > in")
    certificate, level = with_call(model, "EG p", holds=False)
    level.bound(0, "a")
    assert rejected(model, certificate) == ("R6", 1, "block", 0, "main:a")
