"""The modal form: exact arrays, simplifications, priorities, alternation, limits."""

from __future__ import annotations

import time

import pytest

from pigro.diagnostics import CheckError
from pigro.logic import parse
from pigro.logic.modal import MU, NU, VAR, ModalForm, modal_form

SIGNS = ("true", "false", "", "!", " & ", " | ", "<%> ", "[%] ", "mu ", "nu ")


def written(form: ModalForm) -> str:
    """The form as text, with variables called by their numbers."""
    order = {
        node: f"Z{i}" for i, node in enumerate(at for at, op in enumerate(form.ops) if op == VAR)
    }
    texts: list[str] = []
    for at, (op, left, right) in enumerate(zip(form.ops, form.left, form.right, strict=True)):
        if op == VAR:
            texts.append(order[at])
            continue
        sign = SIGNS[op]
        if op in (MU, NU):
            texts.append(f"({sign}{order[left]}. {texts[form.left[left]]})")
        elif "%" in sign:
            actions = ", ".join(form.actions[right]) if right >= 0 else ""
            texts.append(sign.replace("%", actions) + texts[left])
        elif right >= 0:
            texts.append(f"({texts[left]}{sign}{texts[right]})")
        else:
            texts.append(sign + form.atoms[left] if left >= 0 else sign)
    return texts[form.root]


def test_exact_arrays() -> None:
    form = modal_form(parse("mu Z. p | <> Z"))
    assert form.ops.tolist() == [10, 2, 6, 5, 8]
    assert form.left.tolist() == [3, 0, 0, 1, 0]
    assert form.right.tolist() == [-1, -1, -1, 2, -1]
    assert form.priority.tolist() == [1, 0, 0, 0, 0]
    assert [each.typecode for each in (form.ops, form.left, form.right, form.priority)] == [*"Biii"]
    assert (form.atoms, form.actions, form.root) == (("p",), (), 4)
    assert form.alternation_free
    assert len(form) == 5


def test_exact_arrays_of_two_fixpoints() -> None:
    form = modal_form(parse("!(nu X. [b, a] X & (mu Y. !q | <c> Y & X))"))
    assert written(form) == "(mu Z0. (<a, b> Z0 | (nu Z1. (q & ([c] Z1 | Z0)))))"
    assert form.ops.tolist() == [10, 6, 10, 2, 7, 5, 4, 9, 5, 8]
    assert form.left.tolist() == [8, 0, 6, 0, 2, 4, 3, 2, 1, 0]
    assert form.right.tolist() == [-1, 0, -1, -1, 1, 0, 5, -1, 7, -1]
    assert form.priority.tolist() == [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    assert form.actions == (("a", "b"), ("c",))


STUTTER = [
    ("EX p", "(<> p | ([] false & p))"),
    ("AX p", "([] p & (<> true | p))"),
    ("!EX p", "([] !p & (<> true | !p))"),
]
STOP = [("EX p", "<> p"), ("AX p", "[] p"), ("!AX p", "<> !p"), ("EX true", "<> true")]
BOTH = [
    ("EF p", "(mu Z0. (p | <> Z0))"),
    ("AG p", "(nu Z0. (p & [] Z0))"),
    ("AF p", "(mu Z0. (p | ([] Z0 & <> true)))"),
    ("EG p", "(nu Z0. (p & (<> Z0 | [] false)))"),
    ("E [p U q]", "(mu Z0. (q | (p & <> Z0)))"),
    ("A [p U q]", "(mu Z0. (q | (p & ([] Z0 & <> true))))"),
    ("E [p W q]", "(nu Z0. (q | (p & (<> Z0 | [] false))))"),
    ("A [p W q]", "(nu Z0. (q | (p & [] Z0)))"),
    ("E [p R q]", "(nu Z0. (q & (p | (<> Z0 | [] false))))"),
    ("A [p R q]", "(nu Z0. (q & (p | [] Z0)))"),
    ("!E [p U q]", "(nu Z0. (!q & (!p | [] Z0)))"),
    ("!A [p W q]", "(mu Z0. (!q & (!p | <> Z0)))"),
    ("!(p -> EF q)", "(p & (nu Z0. (!q & [] Z0)))"),
    ("p xor q", "((p & !q) | (!p & q))"),
    ("p <-> q", "((p & q) | (!p & !q))"),
    ("!(p xor q)", "((p & q) | (!p & !q))"),
    ("!(p <-> q)", "((p & !q) | (!p & q))"),
    ("!<a> [] p", "[a] <> !p"),
    ("!(mu Z. !(p & !<> Z))", "(nu Z0. (p & [] Z0))"),
    ("EF (p | mu Z. q | <a> Z)", "(mu Z1. ((p | (mu Z0. (q | <a> Z0))) | <> Z1))"),
    ("mu Z. EF (p & Z)", "(mu Z0. (mu Z1. ((p & Z0) | <> Z1)))"),
    # constants
    ("true", "true"),
    ("p & !true", "false"),
    ("p | true -> q", "q"),
    ("<> false", "false"),
    ("[a] true", "true"),
    ("<a> true & [] false", "(<a> true & [] false)"),
    ("p & !p", "(p & !p)"),
    ("p & p", "p"),
    ("mu Z. Z", "false"),
    ("nu Z. Z & (p | true)", "true"),
    ("mu Z. p", "p"),
    ("nu Y. mu Z. p & <> p", "(p & <> p)"),
    ("mu Y. (nu Z. Y & p)", "(mu Z0. (Z0 & p))"),
    ("EF false | AF true", "true"),
    ("AG true & EG true & A [true W p]", "true"),
    ("E [false U p]", "p"),
    ("A [p U p]", "p"),
    ("A [p W false]", "(nu Z0. (p & [] Z0))"),
    ("!E [p W false]", "(mu Z0. (!p | ([] Z0 & <> true)))"),
    ("E [true R p]", "p"),
]


@pytest.mark.parametrize(("text", "wanted"), [*BOTH, *STUTTER])
def test_dead_ends_that_stutter(text: str, wanted: str) -> None:
    assert written(modal_form(parse(text))) == wanted


@pytest.mark.parametrize(("text", "wanted"), [*BOTH, *STOP])
def test_dead_ends_that_stop(text: str, wanted: str) -> None:
    assert written(modal_form(parse(text), dead_ends="stop")) == wanted


def test_equal_nodes_are_one() -> None:
    assert len(modal_form(parse("EF p & (q | EF p)"))) == 5 + 3
    assert len(modal_form(parse("AG p & (q | !EF !p)"))) == 5 + 3
    assert len(modal_form(parse("(mu Z. p | <> Z) & (nu Z. p | <> Z)"))) == 10
    assert len(modal_form(parse("(mu Z. p | <> Z) & (q | (mu Z. p | <> Z))"))) == 5 + 3


def test_the_form_is_kept_with_the_formula() -> None:
    formula = parse("EX p")
    form = modal_form(formula)
    assert modal_form(formula, dead_ends="stutter") is form
    assert modal_form(formula, dead_ends="stop") != form
    assert modal_form(parse("EX p")) == form
    assert hash(modal_form(parse("EX p"))) == hash(form)


PRIORITIES = [
    ("p", []),
    ("nu X. <> X", [0]),
    ("mu X. <> X", [1]),
    ("nu X. mu Y. <> X & [] Y", [2, 1]),
    ("mu X. nu Y. <> X & [] Y", [1, 0]),
    ("mu X. nu Y. mu Z. <> X & [] Y & Z", [3, 2, 1]),
    ("nu X. mu Y. nu Z. <> X & [] Y & Z", [2, 1, 0]),
    ("nu W. mu X. nu Y. mu Z. W & X & Y & <> Z", [4, 3, 2, 1]),
    # those that do not depend on each other are not compared
    ("nu X. [] X & (mu Y. p | <> Y)", [0, 1]),
    ("mu X. <> X | (nu Y. mu Z. p & <> Y | <> Z)", [1, 2, 1]),
    ("mu X. nu Y. <> X & (mu Z. p | <> Z)", [1, 1]),
    ("nu X. mu Y. <> Y | (nu Z. <> X & <> Z)", [2, 1, 0]),
    ("nu X. [] X & (mu Y. <> Y | (nu Z. <> Y & <> Z))", [0, 1, 0]),
    ("nu X. <> X & (mu Y. <> Y | (nu Z. <> X & <> Y & <> Z))", [2, 1, 0]),
    ("mu X. mu Y. <> X | <> Y", [1, 1]),
    ("AG EF p", [1, 0]),
    ("mu X. p | AG (q | X)", [1, 0]),
    ("nu X. p & EF (q & X)", [2, 1]),
    # and what is not needed does not count
    ("nu X. <> X & (mu Y. <> Y & (true | mu Z. X & Z))", [0, 1]),
]


@pytest.mark.parametrize(("text", "wanted"), PRIORITIES)
def test_priorities(text: str, wanted: list[int]) -> None:
    form = modal_form(parse(text), dead_ends="stop")
    found = zip(form.ops, form.priority, strict=True)
    assert [priority for op, priority in found if op == VAR] == wanted


@pytest.mark.parametrize(
    ("text", "free"),
    [
        ("p", True),
        ("AG (p -> AF q)", True),
        ("mu Z. p | <> Z", True),
        ("nu X. [] X & (mu Y. p | <> Y)", True),
        ("nu X. mu Y. <> X & [] Y", False),
        ("mu X. mu Y. <> X | <> Y", False),
        ("mu X. p | EF (q & X)", False),
        ("mu X. nu Y. X & p", True),
    ],
)
def test_alternation(text: str, free: bool) -> None:
    assert modal_form(parse(text)).alternation_free is free


@pytest.mark.parametrize("text", ["G F p", "A [G F p]", "mu Z. p | A [<> Z]", "<> F p & mu Z. Z"])
def test_paths_beyond_ctl_are_refused(text: str) -> None:
    with pytest.raises(CheckError) as caught:
        modal_form(parse(text))
    assert caught.value.code == "P401"


N = 100_000
LARGE = {
    "wide": "mu Z. " + " | ".join(f"p{i} & <> Z" for i in range(N // 16)),
    "many": " & ".join(f"(mu Z{i}. p | <> Z{i})" for i in range(N // 25)),
    "of one name": " & ".join(f"({'mn'[i % 2]}u Z. p{i} | <> Z)" for i in range(N // 25)),
    "negations": "mu Z. p | " + "!" * N + "<> Z",
    "nested": " ".join(f"{'mn'[i % 2]}u Z{i}." for i in range(250))
    + " & ".join(f"<> Z{i % 250}" for i in range(N // 25)),
    "CTL": " & ".join(f"AG EF p{i}" for i in range(N // 30)),
    "shared": "EG EF " * 128 + "p",
}


@pytest.mark.parametrize("name", LARGE)
def test_large_formulas(name: str) -> None:
    formula = parse(LARGE[name])
    started = time.process_time()
    form = modal_form(formula)
    assert form.root == len(form) - 1
    assert form.alternation_free == (name != "nested")
    assert max(form.priority) == (249 if name == "nested" else 1)
    assert time.process_time() - started < 60
