"""R1, R7, R8 and values: each side condition, broken by a false certificate. See conftest.py."""

import pytest

from support.certificates.drafts import (
    Certificate,
    graph,
    one_level,
    program,
    two_levels,
)

pytestmark = pytest.mark.filterwarnings("ignore::pigro.engines.likely_mistakes.UnknownLabelWarning")


# R7

AFTER_A_CALL = {"main": "a > b.in; b.out > c; c > c; b calls f", "f": "in q > out; out"}


def test_r7_true_mask(rejected):
    model = program("main:a", **AFTER_A_CALL)
    certificate, inner, outer = two_levels(model, "EF (q & EF p)", holds=True, true="out")
    inner.sure(1, "out in", "out")
    outer.sure(1, "in", entry="in")
    outer.sure(0, "a")
    assert rejected(model, certificate) == ("R7", 1, "instance link", 0, 0)


def test_r7_false_mask(rejected):
    model = program("main:a", **AFTER_A_CALL | {"main": "a > b.in; b.out > c; c p > c; b calls f"})
    certificate, inner, outer = two_levels(model, "EF (q & !EF p)", holds=True, false="out")
    inner.bound(1, "out in", "out")
    outer.sure(1, "in", entry="in")
    outer.sure(0, "a")
    assert rejected(model, certificate) == ("R7", 1, "instance link", 0, 0)


def test_r7_true_mask_of_next(rejected):
    model = program("main:a", main="a > b.in; b.out > c; c > c; b calls f", f="in > out; out q")
    certificate, _, outer = two_levels(model, "EF (q & EX p)", holds=True, true="out")
    outer.sure(1, "out in", entry="in")
    outer.sure(0, "a")
    assert rejected(model, certificate) == ("R7", 1, "instance link", 0, 0)


def test_r7_second_exit(rejected):
    model = program(
        "main:a",
        main="a > b.in; b.out1 > c; b.out2 > d; c p > c; d > d; b calls f",
        f="in > out2; out1; out2 q",
    )
    certificate, inner, outer = two_levels(model, "EF (q & EF p)", holds=True, true="out1 out2")
    inner.sure(0, "c b.out1")
    outer.sure(1, "out2 in", entry="in")
    outer.sure(0, "a")
    assert rejected(model, certificate) == ("R7", 1, "instance link", 0, 1)


@pytest.mark.parametrize("formula", ["EF p", "EG p", "EX p"])
def test_r7_root_mask(rejected, formula):
    model = program("main:out", main="out")
    certificate = Certificate(model, formula, holds=True)
    (level,) = certificate.levels
    certificate.top("main", level.root(level.operands("main"), true="out"))
    assert rejected(model, certificate) == ("R7", 1, "instance", 0, 0)


@pytest.mark.parametrize("formula", ["EF p", "EG p", "EX p"])
def test_r7_false_root_mask(rejected, formula):
    model = program("main:out", main="out p")
    certificate = Certificate(model, formula, holds=False)
    (level,) = certificate.levels
    certificate.top("main", level.root(level.operands("main"), false="out"))
    assert rejected(model, certificate) == ("R7", 1, "instance", 0, 0)


NO_RETURN = {"main": "a > b.in; b calls f", "f": "in > out; out q"}


def test_r7_missing_return_stop(rejected):
    model = program("main:a", **NO_RETURN, dead_ends="stop")
    certificate, _, outer = two_levels(model, "EF (q & EX true)", holds=True, true="out")
    outer.sure(1, "out in", entry="in")
    outer.sure(0, "a")
    assert rejected(model, certificate) == ("R7", 1, "instance link", 0, 0)


@pytest.mark.parametrize("formula", ["EF (q & EF p)", "EF (q & EG p)", "EF (q & EX p)"])
def test_r7_missing_return(rejected, formula):
    model = program("main:a", **NO_RETURN)
    certificate, _, outer = two_levels(model, formula, holds=True, true="out")
    outer.sure(1, "out in", entry="in")
    outer.sure(0, "a")
    assert rejected(model, certificate) == ("R7", 1, "instance link", 0, 0)


@pytest.mark.parametrize("formula", ["EF (q & !EF q)", "EF (q & !EG q)", "EF (q & !EX q)"])
def test_r7_missing_return_false(rejected, formula):
    model = program("main:a", **NO_RETURN)
    certificate, _, outer = two_levels(model, formula, holds=True, false="out")
    outer.sure(1, "out in", entry="in")
    outer.sure(0, "a")
    assert rejected(model, certificate) == ("R7", 1, "instance link", 0, 0)


# R1


@pytest.mark.parametrize("formula, level", [("EF p", 2), ("EX EF p", 2)])
def test_r1_component(rejected, formula, level):
    model = program("other:a", main="a p > a", other="a > a")
    certificate = Certificate(model, formula, holds=True)
    inner = certificate.levels[0]
    inner.root(inner.operands("main"))
    inner.sure(0, "a")
    if formula == "EF p":
        certificate.top("other", 0)
    else:
        outer = certificate.levels[1]
        certificate.top("other", outer.root(outer.operands("other", 0)))
    assert rejected(model, certificate) == ("R1", level, "operand context", 0, None)


def test_r1_callee(rejected):
    model = program("main:a", main="a > b.in; b calls f", f="in > in", g="in p > in")
    certificate, level = one_level(model, "EF p", holds=True)
    level.link(0, "b", level.operands("g"))
    level.sure(1, "in", entry="in")
    level.sure(0, "a")
    assert rejected(model, certificate) == ("R1", 1, "link", 0, None)


def test_r1_lower_link(rejected):
    model = program("main:a", **AFTER_A_CALL)
    certificate, inner, outer = two_levels(model, "EF (q & EF p)", holds=True, true="out")
    inner.instance_links.clear()
    inner.sure(1, "out in", "out")
    outer.sure(1, "in", entry="in")
    outer.sure(0, "a")
    assert rejected(model, certificate) == ("R1", 2, "link", 0, None)


def test_r1_lower_link_of_none(rejected):
    model = program("main:a", **AFTER_A_CALL)
    certificate, inner, outer = two_levels(model, "EF (q & EF p)", holds=True, true="out")
    inner.instance_links.clear()
    outer.operand_contexts[0] = outer.operand_contexts[0]._replace(lower=(None,))
    inner.sure(1, "out in", "out")
    outer.sure(1, "in", entry="in")
    outer.sure(0, "a")
    assert rejected(model, certificate) == ("R1", 2, "link", 0, None)


def test_r1_instance_link(rejected):
    model = program(
        "main:a", main="a > b.in; b.out > c; c > c; b calls f", f="in q > m; m > out; out"
    )
    certificate = Certificate(model, "EF (q & EX EF p)", holds=True)
    first, second, third = certificate.levels
    first.instance(first.operands("f"), "out")  # describes nothing, so that it may say anything
    first.sure(0, "out m", "out")
    second.link(second.operands("main", None), "b", second.operands("f", None))
    second.instance_link(second.root(0), "b", second.instance(second.operands("f", 0)))
    third.link(third.operands("main", 0), "b", third.operands("f", 1))
    third.sure(1, "in", entry="in")
    third.sure(0, "a")
    certificate.top("main", third.root(0))
    assert rejected(model, certificate) == ("R1", 2, "instance link", 0, None)


def test_r1_root_parent(rejected):
    model = program("main:a", main="a > out; out")
    certificate = Certificate(model, "EX EF p", holds=True)
    inner, outer = certificate.levels
    inner.instance(inner.operands("main"), "out")
    inner.sure(0, "out a", "out")
    certificate.top("main", outer.root(outer.operands("main", 0)))
    assert rejected(model, certificate) == ("R1", 2, "instance", 0, None)


def test_r1_top_has_roots(rejected):
    model = program("main:a", main="a > out; out")
    certificate = Certificate(model, "EF p", holds=True)
    (level,) = certificate.levels
    certificate.top("main", level.instance(level.operands("main"), "out"))
    level.sure(0, "out a", "out")
    assert rejected(model, certificate) == ("R1", 2, "operand context", 0, None)


# Values


def test_sure_values_need_their_exits_in_the_true_mask(rejected):
    model = program("main:a", main="a > out; out")
    certificate, level = one_level(model, "EF p", holds=True)
    level.sure(0, "out a", "out")
    assert rejected(model, certificate) == ("R8", 2, "initial node", 0, None)


def test_bound_values_need_their_exits_in_the_false_mask(rejected):
    model = program("main:a", main="a p > out; out p")
    certificate, level = one_level(model, "EG p", holds=False)
    level.bound(0, "out a", "out")
    assert rejected(model, certificate) == ("R8", 2, "initial node", 0, None)


def test_values_at_none_have_empty_masks(rejected):
    model = program("main:a", main="a > out; out")
    certificate, level = one_level(model, "EF p", holds=True)
    level.sure(0, "out a", "out")
    certificate.tops[0] = certificate.tops[0]._replace(lower=(None,))
    assert rejected(model, certificate) == ("R8", 2, "initial node", 0, None)


def test_values_at_none_are_of_the_free_operand_context(rejected):
    model = program("main:a", main="a > m; m > out; out")
    certificate = Certificate(model, "EF EX EF p", holds=True)
    first, second, third = certificate.levels
    first.instance(first.operands("main"), "out")  # describes nothing
    first.sure(0, "out m a", "out")
    second.operands("main", 0)
    third.sure(third.operands("main", None), "a")
    certificate.top("main", third.root(0))
    assert rejected(model, certificate) == ("R2", 3, "block", 0, "main:a")


def test_claims_are_of_one_operand_context(rejected):
    model = program("main:a", main="a > a", f="a p > a")
    certificate, level = one_level(model, "EF p", holds=True)
    level.sure(level.operands("f"), "a")
    assert rejected(model, certificate) == ("R8", 2, "initial node", 0, None)


def test_next_of_a_call_without_a_link_is_unknown(rejected):
    model = program("main:a", main="a > c b.in; c > c; b calls f", f="in p > in")
    certificate, _ = one_level(model, "EX p", holds=False)
    assert rejected(model, certificate) == ("R8", 2, "initial node", 0, None)


@pytest.mark.parametrize("dead_ends, formula", [("stutter", "EX q"), ("stop", "!EX true")])
def test_next_at_an_exit_is_unknown(rejected, dead_ends, formula):
    model = program("main:a", **AFTER_A_CALL | {"f": "in > out; out q"}, dead_ends=dead_ends)
    certificate, _, outer = two_levels(model, f"EF (q & {formula})", holds=True)
    outer.sure(1, "out in", entry="in")
    outer.sure(0, "a")
    assert rejected(model, certificate) == ("R2", 2, "block", 0, "f:out")


def test_next_at_a_dead_end_is_false_under_stop(rejected):
    model = graph("a", {"a": ["p"]}, dead_ends="stop")
    certificate, _ = one_level(model, "EX p", holds=True)
    assert rejected(model, certificate) == ("R8", 2, "initial node", 0, None)


# R8


def test_r8_each_initial_node(rejected):
    model = graph("a>a b>b", {"a": ["p"]}, initial=["a", "b"])
    certificate = Certificate(model, "p", holds=True)
    certificate.top("main")
    assert rejected(model, certificate) == ("R8", 1, "initial node", 1, None)


def test_r8_some_initial_node_is_false(rejected):
    model = graph("a>b b>b", {"b": ["p"]})
    certificate, _ = one_level(model, "EF p", holds=False)
    assert rejected(model, certificate) == ("R8", 2, "initial node", 0, None)


def test_r8_unknown_is_not_true(rejected):
    model = graph("a>a")
    certificate, _ = one_level(model, "EF p", holds=True)
    assert rejected(model, certificate) == ("R8", 2, "initial node", 0, None)


def test_r8_operand_context_of_the_component(rejected):
    model = program("other:a", main="a p > a", other="a > a")
    certificate = Certificate(model, "p", holds=True)
    certificate.top("main")
    assert rejected(model, certificate) == ("R8", 1, "initial node", 0, None)
