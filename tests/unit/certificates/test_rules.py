"""Each side condition of each rule: a false certificate that breaks it and nothing else.

A checker that skips just that condition would accept the false verdict.
"""

import pytest

import pigro

from certificates import (
    CHECKERS,
    Certificate,
    LemmaDrafts,
    file_bytes,
    graph,
    one_level,
    program,
    with_call,
)

pytestmark = pytest.mark.filterwarnings("ignore::pigro.engines.labels.UnknownLabelWarning")


@pytest.fixture(params=CHECKERS)
def rejected(request):
    """Asserts that a certificate claims what is false, and is rejected: for which problem?"""
    return rejected_by(request.param)


def rejected_by(checker):
    def check(model, certificate, *lemmas):
        proof = certificate.proof()
        truth = pigro.check(model.with_initial(proof.initial), proof.formula)
        assert truth.holds is not None
        assert truth.holds != proof.holds
        sections = [each.lemmas() for each in lemmas]
        (checked,) = checker(model, file_bytes(model, *sections, proof))
        assert (checked.formula, checked.holds) == (proof.formula, proof.holds)
        assert checked.initial == tuple(proof.initial)
        assert checked.problem is not None
        rule, level, what, index, node, in_lemmas = checked.problem
        named = node
        if what == "block":
            levels = sections[-1].levels if in_lemmas else proof.levels
            block = levels[level - 1].blocks[index]
            component = levels[level - 1].arguments[block.argument].component
            named = name_of(model, component, node)
        elif what == "component" and node is not None:
            named = name_of(model, index, node)
        return (rule, level, what, index, named, *(["lemmas"] if in_lemmas else []))

    return check


def name_of(model, component, node):
    return model.node_name(model.core.nodes_of(component)[node])


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


def test_r3_argument(rejected):
    model = program("main:a", main="a > b.in; b calls f", f="in > in", g="in p > in")
    certificate, level = with_call(model, "EF p", holds=True)
    level.sure(level.argument("g"), "in", entry="in")
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


# R7

AFTER_A_CALL = {"main": "a > b.in; b.out > c; c > c; b calls f", "f": "in q > out; out"}


def two_levels(model, formula, *, holds, true="", false=""):
    """Outer EF over an inner operator that is asked in `f`: at `C`, which box `b` links to."""
    certificate = Certificate(model, formula, holds=holds)
    inner, outer = certificate.levels
    inner.link(inner.argument("main"), "b", inner.argument("f"))
    inner.instance_link(inner.root(0), "b", inner.instance(1, true, false))
    outer.link(outer.argument("main", 0), "b", outer.argument("f", 1))
    certificate.top("main", outer.root(0))
    return certificate, inner, outer


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
    certificate.top("main", level.root(level.argument("main"), true="out"))
    assert rejected(model, certificate) == ("R7", 1, "instance", 0, 0)


@pytest.mark.parametrize("formula", ["EF p", "EG p", "EX p"])
def test_r7_false_root_mask(rejected, formula):
    model = program("main:out", main="out p")
    certificate = Certificate(model, formula, holds=False)
    (level,) = certificate.levels
    certificate.top("main", level.root(level.argument("main"), false="out"))
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
    inner.root(inner.argument("main"))
    inner.sure(0, "a")
    if formula == "EF p":
        certificate.top("other", 0)
    else:
        outer = certificate.levels[1]
        certificate.top("other", outer.root(outer.argument("other", 0)))
    assert rejected(model, certificate) == ("R1", level, "argument", 0, None)


def test_r1_callee(rejected):
    model = program("main:a", main="a > b.in; b calls f", f="in > in", g="in p > in")
    certificate, level = one_level(model, "EF p", holds=True)
    level.link(0, "b", level.argument("g"))
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
    outer.arguments[0] = outer.arguments[0]._replace(lower=(None,))
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
    first.instance(first.argument("f"), "out")  # describes nothing, so that it may say anything
    first.sure(0, "out m", "out")
    second.link(second.argument("main", None), "b", second.argument("f", None))
    second.instance_link(second.root(0), "b", second.instance(second.argument("f", 0)))
    third.link(third.argument("main", 0), "b", third.argument("f", 1))
    third.sure(1, "in", entry="in")
    third.sure(0, "a")
    certificate.top("main", third.root(0))
    assert rejected(model, certificate) == ("R1", 2, "instance link", 0, None)


def test_r1_root_parent(rejected):
    model = program("main:a", main="a > out; out")
    certificate = Certificate(model, "EX EF p", holds=True)
    inner, outer = certificate.levels
    inner.instance(inner.argument("main"), "out")
    inner.sure(0, "out a", "out")
    certificate.top("main", outer.root(outer.argument("main", 0)))
    assert rejected(model, certificate) == ("R1", 2, "instance", 0, None)


def test_r1_top_has_roots(rejected):
    model = program("main:a", main="a > out; out")
    certificate = Certificate(model, "EF p", holds=True)
    (level,) = certificate.levels
    certificate.top("main", level.instance(level.argument("main"), "out"))
    level.sure(0, "out a", "out")
    assert rejected(model, certificate) == ("R1", 2, "argument", 0, None)


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


def test_values_at_none_are_of_the_free_argument(rejected):
    model = program("main:a", main="a > m; m > out; out")
    certificate = Certificate(model, "EF EX EF p", holds=True)
    first, second, third = certificate.levels
    first.instance(first.argument("main"), "out")  # describes nothing
    first.sure(0, "out m a", "out")
    second.argument("main", 0)
    third.sure(third.argument("main", None), "a")
    certificate.top("main", third.root(0))
    assert rejected(model, certificate) == ("R2", 3, "block", 0, "main:a")


def test_claims_are_of_one_argument(rejected):
    model = program("main:a", main="a > a", f="a p > a")
    certificate, level = one_level(model, "EF p", holds=True)
    level.sure(level.argument("f"), "a")
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


def test_r8_argument_of_the_component(rejected):
    model = program("other:a", main="a p > a", other="a > a")
    certificate = Certificate(model, "p", holds=True)
    certificate.top("main")
    assert rejected(model, certificate) == ("R8", 1, "initial node", 0, None)


# R9


def test_r9_closure(rejected):
    model = program("main:a", main="a > b.in; b calls f", f="in p > in")
    certificate, level = one_level(model, "EF p", holds=False)
    level.cold_but("f")
    assert rejected(model, certificate) == ("R9", 1, "component", 0, None)


def test_r9_closure_over_two_calls(rejected):
    model = program("main:a", main="a > b.in; b calls f", f="in > c.in; c calls g", g="in p > in")
    certificate, level = one_level(model, "EF p", holds=False)
    level.cold_but("g")
    assert rejected(model, certificate) == ("R9", 1, "component", 1, None)


def test_r9_nodes(rejected):
    model = graph("a>b b>b", {"b": ["p"]})
    certificate, level = one_level(model, "EF p", holds=False)
    level.cold_but()
    assert rejected(model, certificate) == ("R9", 1, "component", 0, "main:b")


def test_r9_nodes_of_callees(rejected):
    model = program("main:a", main="a > b.in; b calls f", f="in > m; m p > m")
    certificate, level = one_level(model, "EF p", holds=False)
    level.cold_but()
    assert rejected(model, certificate) == ("R9", 1, "component", 1, "f:m")


def test_r9_return_nodes(rejected):
    model = program("main:a", main="a p > b.in; b.out; b calls f", f="in p > out; out")
    certificate, level = one_level(model, "EG p", holds=True)
    level.cold_but()
    assert rejected(model, certificate) == ("R9", 1, "component", 0, "main:b.out")


def test_r9_nodes_of_globally(rejected):
    model = graph("a>b b>b", {"a": ["p"]})
    certificate, level = one_level(model, "EG p", holds=True)
    level.cold_but()
    assert rejected(model, certificate) == ("R9", 1, "component", 0, "main:b")


def test_r9_what_labels_leave_open(rejected):
    model = graph("a>b b>b", {"b": ["p"]})
    certificate = Certificate(model, "EF EX p", holds=False)
    inner, outer = certificate.levels
    inner.argument("main")
    outer.root(outer.argument("main", None))
    outer.cold_but()
    certificate.top("main", 0)
    assert rejected(model, certificate) == ("R9", 2, "component", 0, "main:a")


def test_r9_free_argument(rejected):
    model = program("main:a", main="a > out; out")
    certificate = Certificate(model, "EG EF p", holds=True)
    inner, outer = certificate.levels
    inner.instance(inner.argument("main"), "out")  # describes nothing
    inner.sure(0, "out a", "out")
    outer.argument("main", 0)
    outer.cold_but()
    outer.sure(outer.argument("main", None), "a", "out")
    certificate.top("main", outer.root(1))
    assert rejected(model, certificate)[:2] == ("R9", 2)


def test_r9_exits_of_cold_values(rejected):
    model = program("main:a", main="a > b.in; b.out > c; c p > c; b calls f", f="in q > out; out")
    certificate, inner, outer = two_levels(model, "EF (q & !EF p)", holds=True)
    inner.cold_but("main")
    outer.sure(1, "in", entry="in")
    outer.sure(0, "a")
    assert rejected(model, certificate) == ("R2", 2, "block", 0, "f:in")


def test_r9_exits_of_cold_values_of_globally(rejected):
    model = program("main:a", main="a > b.in; b.out > c; c > c; b calls f", f="in p q > out; out p")
    certificate, inner, outer = two_levels(model, "EF (q & EG p)", holds=True)
    inner.cold_but("main")
    outer.sure(1, "in", entry="in")
    outer.sure(0, "a")
    assert rejected(model, certificate) == ("R2", 2, "block", 0, "f:in")


THROUGH = {"main": "a q > b.in; b.out > c; c p > c; b calls f", "f": "in > out; out q"}


def exit_lemma(model):
    lemmas = LemmaDrafts(model)
    lemmas.until.sure(lemmas.until.argument("f"), "out in", "out", entry="in")
    return lemmas


def test_r9_nodes_of_lemmas(rejected):
    model = program("main:a", **THROUGH)
    certificate, level = one_level(model, "E [q U p]", holds=True)
    level.cold_but("main")
    level.sure(0, "c b.out a")
    assert rejected(model, certificate, exit_lemma(model)) == ("R9", 1, "component", 1, "f:in")


def test_r9_lemma_needs_a_cold_callee(rejected):
    model = program("main:a", **THROUGH)
    certificate, level = one_level(model, "E [q U p]", holds=True)
    level.cold_but("main", "f")
    level.sure(0, "c b.out a")
    assert rejected(model, certificate, exit_lemma(model)) == ("R3", 1, "block", 0, "main:a")


def test_r9_lemma_when_all_are_hot(rejected):
    model = program("main:a", **THROUGH)
    certificate, level = one_level(model, "E [q U p]", holds=True)
    level.sure(0, "c b.out a")
    assert rejected(model, certificate, exit_lemma(model)) == ("R3", 1, "block", 0, "main:a")


ENDLESS = {
    "main": "a > b.in; b.out > c; c p > c; b calls f",
    "f": "in > d.in; d.out > out; out; d calls f",
}


@pytest.mark.parametrize("linked", [True, False])
def test_r9_lemma_order(rejected, linked):
    model = program("main:a", **ENDLESS)
    lemmas = LemmaDrafts(model)
    lemmas.until.argument("f")
    if linked:
        lemmas.until.link(0, "d", 0)
    lemmas.until.sure(0, "out d.out in", "out", entry="in")
    certificate, level = one_level(model, "EF p", holds=True)
    level.cold_but("main")
    level.sure(0, "c b.out a")
    assert rejected(model, certificate, lemmas) == ("R3", 1, "block", 0, "f:in", "lemmas")


def test_r9_lemma_returns(rejected):
    model = program("main:a", main="a > b.in; b.out > a; b calls f", f="in > out; out")
    certificate, level = one_level(model, "EF p", holds=True)
    level.cold_but("main")
    level.sure(0, "a b.out")
    assert rejected(model, certificate, exit_lemma(model)) == ("R3", 1, "block", 0, "main:a")


def test_r9_bound_lemma(rejected):
    model = program("main:a", **THROUGH)
    lemmas = LemmaDrafts(model)
    lemmas.until.bound(lemmas.until.argument("f"), "in", entry="in")
    certificate, level = one_level(model, "EF p", holds=False)
    level.cold_but("main")
    level.bound(0, "a")
    assert rejected(model, certificate, lemmas) == ("R5", 1, "block", 0, "f:in", "lemmas")


def test_r9_lemma_of_globally(rejected):
    model = program("main:a", main="a p > b.in; b calls f", f="in p > c; c p > c")
    lemmas = LemmaDrafts(model)
    lemmas.globally.bound(lemmas.globally.argument("f"), "c in", entry="in")
    certificate, level = one_level(model, "EG p", holds=False)
    level.cold_but("main")
    level.bound(0, "a")
    assert rejected(model, certificate, lemmas) == ("R6", 2, "block", 0, "f:c", "lemmas")


def test_r9_lemmas_of_the_other_operator(rejected):
    model = program("main:a", main="a p > b.in; b calls f", f="in p > in")
    lemmas = LemmaDrafts(model)
    lemmas.until.bound(lemmas.until.argument("f"), "in", entry="in")
    certificate, level = one_level(model, "EG p", holds=False)
    level.cold_but("main")
    level.bound(0, "a")
    assert rejected(model, certificate, lemmas) == ("R6", 1, "block", 0, "main:a")
