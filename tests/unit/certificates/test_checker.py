"""Certificates that are right are accepted, and what the checker says of several sections."""

import pytest

import pigro
from pigro.certificates import CertificateResult, Mismatch, Problem

from support.certificates.drafts import (
    CHECKERS,
    Certificate,
    LemmaDrafts,
    file_bytes,
    graph,
    header_bytes,
    one_level,
    program,
    with_call,
)

pytestmark = pytest.mark.filterwarnings("ignore::pigro.engines.likely_mistakes.UnknownLabelWarning")
BOTH = pytest.mark.parametrize("dead_ends", ["stutter", "stop"])


@pytest.fixture(params=CHECKERS)
def checker(request):
    return request.param


@pytest.fixture
def accepted(checker):
    """Asserts that a certificate makes true claims, and is accepted, in both kinds of sets."""

    def check(model, certificate, *lemmas):
        proof = certificate.proof()
        truth = pigro.check(model.with_initial(proof.initial), proof.formula)
        assert truth.holds == proof.holds
        for as_bits in (False, True):
            sections = [*(each.lemmas() for each in lemmas), proof]
            found = checker(model, file_bytes(model, *sections, as_bits=as_bits))
            assert found == [
                CertificateResult(proof.formula, proof.holds, tuple(proof.initial), None)
            ]

    return check


# One component


@BOTH
@pytest.mark.parametrize("formula", ["EF p", "AF (!p -> AX p)", "p | !p", "A [!p W p]"])
def test_holds_by_labels_or_blocks(accepted, formula, dead_ends):
    model = graph("a>b b>b", {"b": ["p"]}, dead_ends=dead_ends)
    certificate = Certificate(model, formula, holds=True)
    if formula == "EF p":
        (level,) = certificate.levels
        level.sure(level.operands("main"), "b a")
        certificate.top("main", level.root(0))
    elif formula in {"p | !p", "A [!p W p]"}:  # true by the normal form
        certificate.top("main")
    else:  # !EG !(!p -> AX p), where !(!p -> AX p) = !p & EX !p
        inner, outer = certificate.levels
        inner.operands("main")
        outer.bound(outer.operands("main", None), "b a")
        certificate.top("main", outer.root(0))
    accepted(model, certificate)


@BOTH
def test_until_holds(accepted, dead_ends):
    model = graph("a>b b>c b>a", {"a": ["q"], "b": ["q"], "c": ["p"]}, dead_ends=dead_ends)
    certificate, level = one_level(model, "E [q U p]", holds=True)
    level.sure(0, "c b a")
    accepted(model, certificate)


@BOTH
def test_until_fails(accepted, dead_ends):
    model = graph("a>b a>d b>a c>c d>d", {"a": ["q"], "b": ["q"], "c": ["p"]}, dead_ends=dead_ends)
    certificate, level = one_level(model, "E [q U p]", holds=False)
    level.bound(0, "a b d")
    accepted(model, certificate)


@BOTH
def test_until_fails_at_a_dead_end(accepted, dead_ends):
    model = graph("a>b", dead_ends=dead_ends)
    certificate, level = one_level(model, "EF p", holds=False)
    level.bound(0, "a b")
    accepted(model, certificate)


@pytest.mark.parametrize(
    "formula, holds", [("EF (p & q & r)", False), ("EG (p | q | r)", True), ("EF !(p | q)", True)]
)
def test_boolean_operators(accepted, formula, holds):
    model = graph("a>b b>c c>b", {"a": ["p"], "b": ["p", "r"], "c": ["r"]})
    certificate, level = one_level(model, formula, holds=holds)
    if "EF !" in formula:
        level.sure(0, "c b a")
    else:
        (level.sure if holds else level.bound)(0, "a b c")
    accepted(model, certificate)


@BOTH
@pytest.mark.parametrize("edges", ["a>b b>a", "a>b"])
def test_globally_holds(accepted, edges, dead_ends):
    model = graph(edges, {"a": ["p"], "b": ["p"]}, dead_ends=dead_ends)
    certificate, level = one_level(model, "EG p", holds=True)
    level.sure(0, "a b")
    accepted(model, certificate)


@BOTH
def test_globally_fails(accepted, dead_ends):
    model = graph("a>b a>c b>c c>c", {"a": ["p"], "b": ["p"]}, dead_ends=dead_ends)
    certificate, level = one_level(model, "EG p", holds=False)
    level.bound(0, "c b a")
    accepted(model, certificate)


@pytest.mark.parametrize(
    "edges, dead_ends, formula, holds",
    [
        ("a>b b>b", "stutter", "EX p", True),
        ("a>a b>b", "stutter", "EX p", False),
        ("a>b", "stutter", "EX EX p", True),
        ("a>b", "stop", "EX EX p", False),
        ("b>a a", "stutter", "EX p", False),
        ("b>a a", "stop", "EX true", False),
        ("a>b a>a b", "stop", "EX EX true", True),
    ],
)
def test_next(accepted, edges, dead_ends, formula, holds):
    model = graph(edges, {"b": ["p"]}, dead_ends=dead_ends)
    certificate = Certificate(model, formula, holds=holds)
    certificate.top("main", None)  # the values at none do
    accepted(model, certificate)


def test_several_initial_nodes(accepted):
    model = graph("a>b b>c c>c d>d", {"c": ["p"]}, initial=["a", "b"])
    certificate, level = one_level(model, "EF p", holds=True)
    level.sure(0, "c b a")
    accepted(model, certificate)
    certificate = Certificate(model, "EF p", holds=False, initial=[0, 3])
    (level,) = certificate.levels
    certificate.top("main", level.root(level.operands("main")))
    level.bound(0, "d")
    accepted(model, certificate)


def test_initial_nodes_of_several_components(accepted):
    model = program("main:a", main="a p > a", f="in > in").with_initial([0, 1])
    certificate = Certificate(model, "EF p", holds=False)
    (level,) = certificate.levels
    level.sure(level.operands("main"), "a")
    level.bound(level.operands("f"), "in")
    certificate.top("f", level.root(1))
    accepted(model, certificate)


@pytest.mark.parametrize("formula", ["EF p", "EG p", "EX p"])
@pytest.mark.parametrize("holds", [True, False])
@BOTH
def test_exits_loop(accepted, formula, holds, dead_ends):
    model = program(
        "main:a", main=f"a p > out; out {'p' if holds else ''}", dead_ends=dead_ends
    ).with_initial([1])
    certificate = Certificate(model, formula, holds=holds)
    (level,) = certificate.levels
    masks = ("out", "") if holds else ("", "out")
    certificate.top("main", level.root(level.operands("main"), *masks))
    accepted(model, certificate)


@BOTH
def test_exits_that_loop_through_masks(accepted, dead_ends):
    model = program("main:a", main="a p > out; out p", dead_ends=dead_ends)
    certificate = Certificate(model, "EG p", holds=True)
    (level,) = certificate.levels
    certificate.top("main", level.root(level.operands("main"), "out"))
    level.sure(0, "a out", "out")
    accepted(model, certificate)


# Calls


@BOTH
def test_until_through_a_call(accepted, dead_ends):
    model = program(
        "main:a",
        main="a > b.in; b.out > c; c p > c; b calls f",
        f="in > out; out",
        dead_ends=dead_ends,
    )
    certificate, level = with_call(model, "EF p", holds=True)
    level.sure(1, "out in", "out", entry="in")
    level.sure(0, "c b.out a")
    accepted(model, certificate)


@pytest.mark.parametrize("back", ["", "b.out > a; "])
@BOTH
def test_until_not_through_a_call(accepted, back, dead_ends):
    model = program(
        "main:a", main=f"a > b.in; {back}b calls f", f="in > out; out; c p", dead_ends=dead_ends
    )
    certificate, level = with_call(model, "EF p", holds=False)
    level.bound(0, "a b.out" if back else "a")
    level.bound(1, "in out", "out", entry="in")
    accepted(model, certificate)


@pytest.mark.parametrize("back", ["", "b.out; ", "b.out > a; "])
@BOTH
def test_globally_through_a_call(accepted, back, dead_ends):
    model = program(
        "main:a",
        main=f"a p > b.in; {back}b calls f",
        f="in p > out; out p",
        dead_ends=dead_ends,
    )
    certificate, level = with_call(model, "EG p", holds=True)
    level.sure(0, "a b.out" if back else "a")
    level.sure(1, "in out", "out", entry="in")
    accepted(model, certificate)


@BOTH
def test_globally_not_through_a_call(accepted, dead_ends):
    model = program(
        "main:a",
        main="a p > b.in; b.out > c; c > c; b calls f",
        f="in p > out; out p",
        dead_ends=dead_ends,
    )
    certificate, level = with_call(model, "EG p", holds=False)
    level.bound(1, "out in", "out", entry="in")
    level.bound(0, "c b.out a")
    accepted(model, certificate)


def test_next_looks_through_calls(accepted):
    model = program("main:a", main="a > b.in; b calls f", f="in p > in")
    for holds in (True, False):
        certificate, _ = with_call(model, "EX p" if holds else "EX !p", holds=holds)
        accepted(model, certificate)


def test_recursion_returns(accepted):
    model = program(
        "main:a",
        main="a > b.in; b.out > c; c p > c; b calls f",
        f="in > d.in c; d.out > out; c > out; out; d calls f",
    )
    certificate, level = with_call(model, "EF p", holds=True)
    level.sure(1, "out c in", "out", entry="in")
    level.sure(0, "c b.out a")
    accepted(model, certificate)


def test_recursion_for_ever(accepted):
    model = program("main:in", main="in p > b.in; b.out > out; out; b calls main")
    for formula, holds in (("EG p", True), ("EF q", False), ("AG p", True)):
        certificate, level = one_level(model, formula, holds=holds)
        level.link(0, "b", 0)
        if formula == "EG p":
            level.sure(0, "in", entry="in")
        else:
            level.bound(0, "in", entry="in")
        accepted(model, certificate)


def test_several_sure_blocks_of_an_entry(accepted):
    model = program(
        "main:a",
        main="a > b.in; b.out1 > a; b.out2 > c; c p > c; b calls f",
        f="in > out1 out2; out1; out2",
    )
    certificate, level = with_call(model, "EF p", holds=True)
    level.sure(1, "out1 in", "out1", entry="in")
    level.sure(1, "out2 in", "out2", entry="in")
    level.sure(0, "c b.out2 a")
    accepted(model, certificate)


def test_calls_of_empty_procedures(accepted):
    builder = pigro.ModelBuilder()
    main = builder.component("main")
    main.entry("start")
    main.node("after", labels=["p"])
    box = main.box("b", calls="nothing")
    main.edge("start", box.call("e"))
    main.edge(box.returned("e"), "after")
    main.edge("after", "after")
    builder.component("nothing").node("e", entry=True, exit=True)
    model = builder.build(initial="main:start")
    certificate, level = one_level(model, "AF p", holds=True)
    level.bound(0, "after b.e start")
    accepted(model, certificate)
    stuck = builder.build(initial="main:start", semantics="rsmcheck")
    certificate, level = one_level(stuck, "AF p", holds=False)
    (stub,) = stuck.core.successors(0)
    level.sure(0, "start")
    level.blocks[0] = level.blocks[0]._replace(nodes=(0, stub))
    accepted(stuck, certificate)


# Nested operators, with masks


def nested(model, formula, *, holds, true="", false=""):
    certificate = Certificate(model, formula, holds=holds)
    inner, outer = certificate.levels
    inner.link(inner.operands("main"), "b", inner.operands("f"))
    inner.instance_link(inner.root(0), "b", inner.instance(1, true, false))
    outer.link(outer.operands("main", 0), "b", outer.operands("f", 1))
    certificate.top("main", outer.root(0))
    return certificate, inner, outer


def test_true_masks(accepted):
    model = program("main:a", main="a > b.in; b.out > c; c p > c; b calls f", f="in q > out; out")
    certificate, inner, outer = nested(model, "EF (q & EF p)", holds=True, true="out")
    inner.sure(0, "c b.out")
    inner.sure(1, "out in", "out")
    outer.sure(1, "in", entry="in")
    outer.sure(0, "a")
    accepted(model, certificate)


def test_false_masks(accepted):
    model = program("main:a", main="a > b.in; b.out > c; c > c; b calls f", f="in q > out; out")
    certificate, inner, outer = nested(model, "AG (q -> EF p)", holds=False, false="out")
    inner.bound(0, "c b.out")
    inner.bound(1, "out in", "out")
    outer.sure(1, "in", entry="in")
    outer.sure(0, "a")
    accepted(model, certificate)


def test_masks_of_globally(accepted):
    model = program(
        "main:a", main="a > b.in; b.out > c; c p > c; b calls f", f="in q p > out; out p"
    )
    certificate, inner, outer = nested(model, "EF (q & EG p)", holds=True, true="out")
    inner.sure(0, "b.out c")
    inner.sure(1, "in out", "out")
    outer.sure(1, "in", entry="in")
    outer.sure(0, "a")
    accepted(model, certificate)


@pytest.mark.parametrize(
    "dead_ends, back, formula, true, false",
    [
        ("stutter", "b.out > c; ", "EF (q & EX p)", "out", ""),
        ("stutter", "", "EF (q & EX q)", "out", ""),
        ("stutter", "b.out; ", "EF (q & EX q)", "out", ""),
        ("stutter", "", "EF (q & !EX p)", "", "out"),
        ("stop", "", "EF (q & !EX true)", "", "out"),
        ("stop", "b.out; ", "EF (q & !EX true)", "", "out"),
        ("stop", "b.out > c; ", "EF (q & EX true)", "out", ""),
    ],
)
def test_masks_of_next(accepted, dead_ends, back, formula, true, false):
    model = program(
        "main:a",
        main=f"a > b.in; {back}c p > c; b calls f",
        f="in > out; out q",
        dead_ends=dead_ends,
    )
    certificate, _, outer = nested(model, formula, holds=True, true=true, false=false)
    outer.sure(1, "out in", entry="in")
    outer.sure(0, "a")
    accepted(model, certificate)


@pytest.mark.parametrize(
    "formula", ["EF (q & EF q)", "EF (q & EG q)", "EF (q & !EF p)", "EF (q & !EG p)"]
)
@BOTH
def test_masks_at_missing_returns(accepted, formula, dead_ends):
    model = program("main:a", main="a > b.in; b calls f", f="in > out; out q", dead_ends=dead_ends)
    masks = {"false" if "!" in formula else "true": "out"}
    certificate, _, outer = nested(model, formula, holds=True, **masks)
    outer.sure(1, "out in", entry="in")
    outer.sure(0, "a")
    accepted(model, certificate)


def test_different_contexts(accepted):
    """From one call `p` is reached, from the other it is not."""
    model = program(
        "main:a",
        main="a > b.in; b.out > c; c p > d; d > e.in; e.out > g; g > g; b calls f; e calls f",
        f="in q > out; out",
    )
    certificate = Certificate(model, "EF (q & !EF p)", holds=True)
    inner, outer = certificate.levels
    inner.link(inner.operands("main"), "b", inner.operands("f"))
    inner.link(0, "e", 1)
    root, one, two = inner.root(0), inner.instance(1, true="out"), inner.instance(1, false="out")
    inner.instance_link(root, "b", one)
    inner.instance_link(root, "e", two)
    inner.sure(1, "out in", "out", entry="in")
    inner.sure(0, "c b.out")
    inner.bound(0, "g e.out")
    inner.bound(1, "in out", "out")
    outer.link(outer.operands("main", root), "b", outer.operands("f", one))
    outer.link(0, "e", outer.operands("f", two))
    outer.sure(1, "out in", "out", entry="in")
    outer.sure(2, "in", entry="in")
    outer.sure(0, "d c b.out a")
    certificate.top("main", outer.root(0))
    accepted(model, certificate)


def test_values_at_none(accepted):
    model = program("main:a", main="a > b.in; b calls f", f="in > m; m p > m")
    certificate = Certificate(model, "EF EX p", holds=True)
    inner, outer = certificate.levels
    outer.link(outer.operands("main", None), "b", outer.operands("f", None))
    outer.sure(1, "in", entry="in")
    outer.sure(0, "a")
    certificate.top("main", None)
    assert inner.operand_contexts == []
    accepted(model, certificate)


def test_deep_nesting(accepted):
    model = graph("a>a", {"a": ["p"]})
    certificate = Certificate(model, "EX " * 256 + "p", holds=True)
    certificate.top("main", None)
    accepted(model, certificate)


def test_deep_nesting_of_instances(accepted):
    model = graph("a>a", {"a": ["p"]})
    certificate = Certificate(model, "EX " * 256 + "p", holds=True)
    for number, level in enumerate(certificate.levels):
        level.root(level.operands("main", *([0] if number else [])))
    certificate.top("main", 0)
    accepted(model, certificate)


def test_many_boolean_operators(accepted):
    model = graph("a>b b>b", {"b": ["p19999"]})
    formula = " | ".join(f"p{number}" for number in range(20_000))
    certificate = Certificate(model, f"EF ({formula})", holds=True)
    (level,) = certificate.levels
    level.sure(level.operands("main"), "b a")
    certificate.top("main", level.root(0))
    accepted(model, certificate)


# Irrelevant components and lemmas


def test_irrelevant_until_fails(accepted):
    model = program("main:a", main="a > b.in; b.out > a; b calls f", f="in > out; out", g="in p")
    certificate, level = one_level(model, "EF p", holds=False)
    level.irrelevant_but("g")
    accepted(model, certificate)


def test_irrelevant_globally_holds(accepted):
    model = program(
        "main:a", main="a p > b.in; b.out > a; b calls f", f="in p > out; out p", g="in"
    )
    certificate, level = one_level(model, "EG p", holds=True)
    level.irrelevant_but("g")
    accepted(model, certificate)


def test_irrelevant_by_values_of_children(accepted):
    model = graph("a>a b>b", {"a": ["p"]})
    for formula in ("EG EX p", "EG !EX q"):
        certificate = Certificate(model, formula, holds=True)
        inner, outer = certificate.levels
        inner.operands("main")
        certificate.top("main", outer.root(outer.operands("main", None)))
        if formula == "EG EX p":
            outer.sure(0, "a")
        else:
            outer.irrelevant_but()
        accepted(model, certificate)


def test_irrelevant_with_masks(accepted):
    model = program("main:a", main="a > b.in; b.out > c; c > c; b calls f", f="in q > out; out")
    certificate, inner, outer = nested(model, "EF (q & !EF p)", holds=True, false="out")
    inner.irrelevant_but("main")
    inner.bound(0, "b.out c")
    outer.sure(1, "in", entry="in")
    outer.sure(0, "a")
    accepted(model, certificate)


@pytest.fixture
def irrelevant_callee():
    return program(
        "main:a",
        main="a q > b.in; b.out q > c; c p > c; b calls f",
        f="in q > e.in; e.out > out; out q; e calls g",
        g="in q > out; out q",
    )


def lemmas_of(model, kind):
    """That `f` returns through `out`. `g` in a section of its own, or linked."""
    sections = []
    for names in (["g", "f"],) if kind == "linked" else (["g"], ["f"]):
        drafts = LemmaDrafts(model)
        for level in (drafts.until, drafts.globally):
            for name in names:
                at = level.operands(name)
                nodes = "out in" if name == "g" else "out e.out in"
                if len(names) > 1 and name == "f":
                    level.link(at, "e", 0)
                level.sure(at, nodes, "out", entry="in")
                level.bound(at, nodes, "out", entry="in")
        sections.append(drafts)
    return sections


@pytest.mark.parametrize("kind", ["linked", "sections"])
@pytest.mark.parametrize(
    "formula, holds, nodes",
    [
        ("E [q U p]", True, "c b.out a"),
        ("E [q U r]", False, "a b.out c"),
        ("EG q", False, "c b.out a"),
        ("EG (p | q)", True, "a b.out c"),
    ],
)
def test_lemmas(accepted, irrelevant_callee, kind, formula, holds, nodes):
    certificate, level = one_level(irrelevant_callee, formula, holds=holds)
    level.irrelevant_but("main")
    (level.sure if holds else level.bound)(0, nodes)
    accepted(irrelevant_callee, certificate, *lemmas_of(irrelevant_callee, kind))


def test_lemmas_stand_beside_links(accepted, irrelevant_callee):
    """A link without a block about the entry: the lemma counts."""
    certificate, level = with_call(irrelevant_callee, "E [q U p]", holds=True)
    level.irrelevant_but("main")
    level.sure(0, "c b.out a")
    accepted(irrelevant_callee, certificate, *lemmas_of(irrelevant_callee, "linked"))


# Files


def test_several_formulas(checker):
    model = graph("a>b b>b", {"b": ["p"]})
    right, level = one_level(model, "EF p", holds=True)
    level.sure(0, "b a")
    wrong, level = one_level(model, "EG p", holds=True)
    level.sure(0, "a b")
    found = checker(model, file_bytes(model, right.proof(), wrong.proof(), right.proof()))
    assert [each.problem for each in found] == [None, Problem("R4", 1, "block", 0, 0), None]
    assert str(found[1].problem) == "R4: level 1, block 0, node 0"
    assert checker(model, header_bytes(model)) == []


def test_rejected_lemmas_reject_what_follows(checker, irrelevant_callee):
    certificate = Certificate(irrelevant_callee, "q", holds=True)
    certificate.top("main")
    wrong = LemmaDrafts(irrelevant_callee)
    wrong.globally.bound(wrong.globally.operands("f"), "in", entry="in")
    right = lemmas_of(irrelevant_callee, "linked")[0]
    proof = certificate.proof()
    sections = (proof, wrong.lemmas(), proof, right.lemmas(), proof)
    before, *after = checker(irrelevant_callee, file_bytes(irrelevant_callee, *sections))
    assert before.problem is None
    assert [str(each.problem) for each in after] == ["R6: lemmas, level 2, block 0, node 0"] * 2


@pytest.mark.parametrize(
    "at, value, message", [(20, 1, "semantics"), (21, 1, "dead ends"), (22, None, "another model")]
)
def test_mismatch(checker, at, value, message):
    model = graph("a>a")
    data = bytearray(header_bytes(model))
    data[at] = data[at] ^ 255 if value is None else value
    with pytest.raises(Mismatch, match=message):
        checker(model, bytes(data))


def test_models_without_dead_ends_stutter(accepted):
    model = graph("a>a", {"a": ["p"]}, dead_ends="error")
    certificate = Certificate(model, "EX p", holds=True)
    certificate.top("main", None)
    accepted(model, certificate)


@pytest.mark.parametrize(
    "problem, text",
    [
        (Problem("R5", 2, "block", 3, 17), "R5: level 2, block 3, node 17"),
        (Problem("R1", 1, "instance link", 0), "R1: level 1, instance link 0"),
        (Problem("R5", 1, "block", 0, 3, True), "R5: lemmas, level 1, block 0, node 3"),
    ],
)
def test_problems_in_words(problem, text):
    assert str(problem) == text
