"""R9: lemmas, and instances that do not matter, each side condition broken by a false certificate. See conftest.py."""

import pytest

from support.certificates.drafts import (
    Certificate,
    LemmaDrafts,
    graph,
    one_level,
    program,
    two_levels,
)

pytestmark = pytest.mark.filterwarnings("ignore::pigro.engines.likely_mistakes.UnknownLabelWarning")


# R9


def test_r9_closure(rejected):
    model = program("main:a", main="a > b.in; b calls f", f="in p > in")
    certificate, level = one_level(model, "EF p", holds=False)
    level.irrelevant_but("f")
    assert rejected(model, certificate) == ("R9", 1, "component", 0, None)


def test_r9_closure_over_two_calls(rejected):
    model = program("main:a", main="a > b.in; b calls f", f="in > c.in; c calls g", g="in p > in")
    certificate, level = one_level(model, "EF p", holds=False)
    level.irrelevant_but("g")
    assert rejected(model, certificate) == ("R9", 1, "component", 1, None)


def test_r9_nodes(rejected):
    model = graph("a>b b>b", {"b": ["p"]})
    certificate, level = one_level(model, "EF p", holds=False)
    level.irrelevant_but()
    assert rejected(model, certificate) == ("R9", 1, "component", 0, "main:b")


def test_r9_nodes_of_callees(rejected):
    model = program("main:a", main="a > b.in; b calls f", f="in > m; m p > m")
    certificate, level = one_level(model, "EF p", holds=False)
    level.irrelevant_but()
    assert rejected(model, certificate) == ("R9", 1, "component", 1, "f:m")


def test_r9_return_nodes(rejected):
    model = program("main:a", main="a p > b.in; b.out; b calls f", f="in p > out; out")
    certificate, level = one_level(model, "EG p", holds=True)
    level.irrelevant_but()
    assert rejected(model, certificate) == ("R9", 1, "component", 0, "main:b.out")


def test_r9_nodes_of_globally(rejected):
    model = graph("a>b b>b", {"a": ["p"]})
    certificate, level = one_level(model, "EG p", holds=True)
    level.irrelevant_but()
    assert rejected(model, certificate) == ("R9", 1, "component", 0, "main:b")


def test_r9_what_labels_leave_open(rejected):
    model = graph("a>b b>b", {"b": ["p"]})
    certificate = Certificate(model, "EF EX p", holds=False)
    inner, outer = certificate.levels
    inner.operands("main")
    outer.root(outer.operands("main", None))
    outer.irrelevant_but()
    certificate.top("main", 0)
    assert rejected(model, certificate) == ("R9", 2, "component", 0, "main:a")


def test_r9_free_operand_context(rejected):
    model = program("main:a", main="a > out; out")
    certificate = Certificate(model, "EG EF p", holds=True)
    inner, outer = certificate.levels
    inner.instance(inner.operands("main"), "out")  # describes nothing
    inner.sure(0, "out a", "out")
    outer.operands("main", 0)
    outer.irrelevant_but()
    outer.sure(outer.operands("main", None), "a", "out")
    certificate.top("main", outer.root(1))
    assert rejected(model, certificate)[:2] == ("R9", 2)


def test_r9_exits_of_irrelevant_values(rejected):
    model = program("main:a", main="a > b.in; b.out > c; c p > c; b calls f", f="in q > out; out")
    certificate, inner, outer = two_levels(model, "EF (q & !EF p)", holds=True)
    inner.irrelevant_but("main")
    outer.sure(1, "in", entry="in")
    outer.sure(0, "a")
    assert rejected(model, certificate) == ("R2", 2, "block", 0, "f:in")


def test_r9_exits_of_irrelevant_values_of_globally(rejected):
    model = program("main:a", main="a > b.in; b.out > c; c > c; b calls f", f="in p q > out; out p")
    certificate, inner, outer = two_levels(model, "EF (q & EG p)", holds=True)
    inner.irrelevant_but("main")
    outer.sure(1, "in", entry="in")
    outer.sure(0, "a")
    assert rejected(model, certificate) == ("R2", 2, "block", 0, "f:in")


THROUGH = {"main": "a q > b.in; b.out > c; c p > c; b calls f", "f": "in > out; out q"}


def exit_lemma(model):
    lemmas = LemmaDrafts(model)
    lemmas.until.sure(lemmas.until.operands("f"), "out in", "out", entry="in")
    return lemmas


def test_r9_nodes_of_lemmas(rejected):
    model = program("main:a", **THROUGH)
    certificate, level = one_level(model, "E [q U p]", holds=True)
    level.irrelevant_but("main")
    level.sure(0, "c b.out a")
    assert rejected(model, certificate, exit_lemma(model)) == ("R9", 1, "component", 1, "f:in")


def test_r9_lemma_needs_an_irrelevant_callee(rejected):
    model = program("main:a", **THROUGH)
    certificate, level = one_level(model, "E [q U p]", holds=True)
    level.irrelevant_but("main", "f")
    level.sure(0, "c b.out a")
    assert rejected(model, certificate, exit_lemma(model)) == ("R3", 1, "block", 0, "main:a")


def test_r9_lemma_when_all_are_relevant(rejected):
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
    lemmas.until.operands("f")
    if linked:
        lemmas.until.link(0, "d", 0)
    lemmas.until.sure(0, "out d.out in", "out", entry="in")
    certificate, level = one_level(model, "EF p", holds=True)
    level.irrelevant_but("main")
    level.sure(0, "c b.out a")
    assert rejected(model, certificate, lemmas) == ("R3", 1, "block", 0, "f:in", "lemmas")


def test_r9_lemma_returns(rejected):
    model = program("main:a", main="a > b.in; b.out > a; b calls f", f="in > out; out")
    certificate, level = one_level(model, "EF p", holds=True)
    level.irrelevant_but("main")
    level.sure(0, "a b.out")
    assert rejected(model, certificate, exit_lemma(model)) == ("R3", 1, "block", 0, "main:a")


def test_r9_bound_lemma(rejected):
    model = program("main:a", **THROUGH)
    lemmas = LemmaDrafts(model)
    lemmas.until.bound(lemmas.until.operands("f"), "in", entry="in")
    certificate, level = one_level(model, "EF p", holds=False)
    level.irrelevant_but("main")
    level.bound(0, "a")
    assert rejected(model, certificate, lemmas) == ("R5", 1, "block", 0, "f:in", "lemmas")


def test_r9_lemma_of_globally(rejected):
    model = program("main:a", main="a p > b.in; b calls f", f="in p > c; c p > c")
    lemmas = LemmaDrafts(model)
    lemmas.globally.bound(lemmas.globally.operands("f"), "c in", entry="in")
    certificate, level = one_level(model, "EG p", holds=False)
    level.irrelevant_but("main")
    level.bound(0, "a")
    assert rejected(model, certificate, lemmas) == ("R6", 2, "block", 0, "f:c", "lemmas")


def test_r9_lemmas_of_the_other_operator(rejected):
    model = program("main:a", main="a p > b.in; b calls f", f="in p > in")
    lemmas = LemmaDrafts(model)
    lemmas.until.bound(lemmas.until.operands("f"), "in", entry="in")
    certificate, level = one_level(model, "EG p", holds=False)
    level.irrelevant_but("main")
    level.bound(0, "a")
    assert rejected(model, certificate, lemmas) == ("R6", 1, "block", 0, "main:a")
