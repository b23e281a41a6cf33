"""The mu-calculus: what is read, how it is printed, what is refused and with which words."""

from __future__ import annotations

import time
import traceback
from random import Random
from typing import TYPE_CHECKING

import pytest

import pigro
from pigro.diagnostics import CheckError, FormulaError
from pigro.engines import ENGINES
from pigro.explore.takeaway import certificate
from pigro.limits import Budget
from pigro.logic import Formula, Fragment, Op, X, atom, box, diamond, mu, nu, parse, read_formulas
from pigro.logic.construct import count_subformulas, subformulas
from pigro.logic.normal import existential_normal_form
from pigro.logic.positive import positive_form
from pigro.logic.syntax import join

from oracle.mu_formula import text
from support.agreement.mu import random_mu_formula

if TYPE_CHECKING:
    from collections.abc import Callable

N = 100_000

CANONICAL = [
    "mu Z. p | <> Z",
    "nu Z. p & [] Z",
    "<> p",
    "[] p",
    "<a> p",
    "[a, b] p",
    '[" a", "AG", b] !<> [] p',
    "nu X. mu Y. p & <> X | <a> Y",
    "AG (mu Z. p | <> Z)",
    "(mu Z. p | <> Z) & (nu Z. p | <> Z) & Z",
    'mu Z. "Z" | <> Z',
    "mu X. p | <> X | AX X | EX (q & X)",
    "mu U. p | (U U U)",
    "mu F. AG F | EF F",
    "!(mu Z. !p & !!Z)",
    "p -> (mu Z. q -> Z)",
    "E [[a] p U <b> q]",
    "A [[] p]",
    "mu X. AX F p | X",
    "mu \u00e9t\u00e9. <> \u00e9t\u00e9",
]


@pytest.mark.parametrize("text", CANONICAL)
def test_canonical_texts_are_printed_as_they_are_read(text: str) -> None:
    formula = parse(text)
    assert str(formula) == text
    assert formula.fragment is Fragment.MU
    assert not formula.is_ctl
    assert formula.fragment.value == "mu-calculus"


ALIKE = [
    ("mu X.p", "mu X. p"),
    ("mu  Z\n.\tp|<>Z", "mu Z. p | <> Z"),
    ("mu Z.p.q", "mu Z. p.q"),
    ("mu Z. r -> p | <>Z & q", "mu Z. (r -> (p | ((<> Z) & q)))"),
    ("p & mu Z. q | Z", "p & (mu Z. (q | Z))"),
    ("! mu Z. q | Z", "!(mu Z. (q | Z))"),
    ("<> mu Z. p | Z", "<> (mu Z. (p | Z))"),
    ("<b, a, b> p", "<a, b> p"),
    ('<"a"> p', "<a> p"),
    ("<a> p & q", "(<a> p) & q"),
    ("[a]<b>[]<>p", "[a] (<b> ([] (<> p)))"),
    ("A G [a] p", "AG ([a] p)"),
    ("p-><>q", "p -> (<> q)"),
    ("p<-><>q", "p <-> (<> q)"),
    ("Z & mu Z. Z", "Z & (mu Z. Z)"),
    ("(mu X. X) & X p", "(mu X. X) & (X p)"),
    ("E (mu Z. p) U q", "E [(mu Z. p) U q]"),
]


@pytest.mark.parametrize(("text", "clear"), ALIKE)
def test_how_it_is_read(text: str, clear: str) -> None:
    assert parse(text) == parse(clear)


def test_the_nodes_of_a_formula() -> None:
    formula = parse("nu Y. mu Z. <b> Z & <> Y & [b] p")
    assert formula.ops == tuple(
        map(
            int,
            (
                *(Op.VARIABLE, Op.DIAMOND, Op.VARIABLE, Op.DIAMOND, Op.AND),
                *(Op.ATOM, Op.BOX, Op.AND, Op.MU, Op.NU),
            ),
        )
    )
    assert formula.left == (0, 0, 1, 2, 1, 0, 5, 4, 7, 8)
    assert formula.right == (-1, 0, -1, -1, 3, -1, 0, 6, 0, 1)
    assert (formula.atoms, formula.variables, formula.actions) == (("p",), ("Z", "Y"), (("b",),))
    assert formula.temporal_depth == 3


def test_names_tell_formulas_apart() -> None:
    assert parse("mu Z. <> Z") == parse("mu Z. <>Z")
    assert parse("mu Z. <> Z") != parse("mu Y. <> Y")
    assert parse("<a> p") != parse("<b> p")
    assert len(parse("(mu Z. p | <> Z) & (nu Z. p | <> Z)")) == 7


BAD = [
    ("mu Z. !Z", "P306", "the variable `Z` stands under an odd number of negations", 8, 1),
    ("nu Zz. <> Zz -> p", "P306", "the variable `Zz` stands under an odd number of negations", 11, 2),
    ("mu Z. p -> Z & (Z xor q)", "P306", "the variable `Z` stands under an odd number of negations", 17, 1),
    ("mu Z. p <-> Z", "P306", "the variable `Z` stands under an odd number of negations", 13, 1),
    ("mu Y. !(mu Z. Z & Y)", "P306", "the variable `Y` stands under an odd number of negations", 19, 1),
    ("mu Z. p | mu Z. Z", "P307", "the variable `Z` is bound again inside its own scope", 14, 1),
    ("mu X. <> nu  X . p", "P307", "the variable `X` is bound again inside its own scope", 14, 1),
    ("mu Z p", "P301", "expected `.` after `mu Z`, found `p`", 5, 1),
    ("p & nu Z", "P301", "expected `.` after `nu Z`, found the end", 9, 1),
    ('mu "Z". p', "P301", 'expected the name of a variable after `mu`, found `"Z"`', 4, 3),
    ("mu . p", "P303", "expected a formula, found the reserved word `mu`", 1, 2),
    ("mu true. p", "P303", "expected the name of a variable after `mu`, found the reserved word `true`", 4, 4),
    ("nu AX. p", "P303", "expected the name of a variable after `nu`, found the reserved word `AX`", 4, 2),
    ("mu x.y. p", "P301", "unexpected character `.`", 7, 1),
    ("mu Z\u00b2. p", "P301", "unexpected character `\u00b2`", 5, 1),
    ("mu Z.", "P301", "expected a formula after `mu Z.`, found the end", 6, 1),
    ("p mu Z. p", "P301", "expected an operator or the end, found `mu Z.`", 3, 5),
    ("mu X. X p", "P301", "expected an operator or the end, found `p`", 9, 1),
    ("(mu Z. Z", "P302", "this `(` is not closed", 1, 1),
    ("<a", "P302", "this `<` is not closed", 1, 1),
    ("p & <", "P302", "this `<` is not closed", 5, 1),
    ("[a, b p", "P301", "expected `,` or `]` after `b`, found `p`", 7, 1),
    ("[a, b", "P302", "this `[` is not closed", 1, 1),
    ("<a b> p", "P301", "expected `,` or `>` after `a`, found `b`", 4, 1),
    ("<a,> p", "P301", "expected an action after `,`, found `>`", 4, 1),
    ("<,> p", "P301", "expected an action or `>` after `<`, found `,`", 2, 1),
    ("<%> p", "P301", "unexpected character `%`", 2, 1),
    ('<"a> p', "P302", "the quote is not closed", 2, 5),
    ("<A> p", "P303", "expected an action or `>` after `<`, found the reserved word `A`", 2, 1),
    ("<>", "P301", "expected a formula after `<>`, found the end", 3, 1),
    ("<a> & p", "P301", "expected a formula after `<a>`, found `&`", 5, 1),
    ("<a> %", "P301", "unexpected character `%`", 5, 1),
    ("[a, b])", "P301", "expected a formula after `[a, b]`, found `)`", 7, 1),
    ("[] < p", "P302", "this `<` is not closed", 4, 1),
    ("A [a] p", "P301", "expected an operator or the end, found `p`", 7, 1),
    ("A [] p", "P301", "expected a formula after `[`, found `]`", 4, 1),
    ("[!a] p", "P301", "expected an action or `]` after `[`, found `!`", 2, 1),
    ("[a && b] p", "P301", "expected `,` or `]` after `a`, found `&&`", 4, 2),
    ("q & [a | (b)] mu Z. Z", "P301", "expected `,` or `]` after `a`, found `|`", 8, 1),
    ("<*> p", "P301", "expected an action or `>` after `<`, found `*`", 2, 1),
    ("<a . b> p", "P301", "expected `,` or `>` after `a`, found `.`", 4, 1),
    ("[-] p", "P301", "expected an action or `]` after `[`, found `-`", 2, 1),
    ("<true*> p", "P303", "expected an action or `>` after `<`, found the reserved word `true`", 2, 4),
    ("[not a] <> p", "P303", "expected an action or `]` after `[`, found the reserved word `not`", 2, 3),
    ("x < 1", "P301", "`<` is not supported: a formula speaks of labels, not of values", 3, 1),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "message", "column", "width"), BAD)
def test_errors_point_at_the_place(
    text: str, code: str, message: str, column: int, width: int
) -> None:
    with pytest.raises(FormulaError) as caught:
        parse(text)
    error = caught.value
    assert (error.code, error.message) == (code, message)
    assert error.position is not None
    assert (error.position.column, error.position.width) == (column, width)


ONLY_ACTIONS = (
    "only names of actions, separated by commas, may stand here, or nothing, for any action; "
    "regular expressions and negated sets of actions are not supported"
)
HINTS = [
    *((text, ONLY_ACTIONS) for text in (
        "[!a] p", "[a && b] p", "<*> p", "<a . b> p", "<true*> p", "[true] [] p", "<not a> p", "<a*> p",
    )),
    ("mu Z. !Z", "the left side of -> counts as one, either side of <-> and xor as one and as none"),
    ("mu Z. mu Z. Z", "give one of the two another name"),
    ("mu Z p", "a fixpoint is written `mu Z. f`"),
    ("<a", "add a `>`"),
    ("A [a] p", "right after A, `[` is a bracket; a modality stands without it"),
    ("E [] p", "right after E, `[` is a bracket; a modality stands without it"),
    ("<U> p", 'to use it as an action, write "U" with the quotes'),
    ("q []", "always is written G, now or later F"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "hint"), HINTS)
def test_hints(text: str, hint: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse(text)
    assert caught.value.hint == hint


def test_an_unbound_name_is_a_label() -> None:
    assert parse("p | <> Z").atoms == ("p", "Z")
    assert parse("(mu Z. Z) | Z").atoms == ("Z",)


# ---- from Python ----


def test_formulas_from_python() -> None:
    p, z = atom("p"), atom("Z")
    assert mu("Z", p | diamond(z)) == parse("mu Z. p | <> Z")
    assert nu("Z", p & box(z, "b", "a", "b")) == parse("nu Z. p & [a, b] Z")
    assert nu("Y", mu("Z", z & atom("Y"))) == parse("nu Y. mu Z. Z & Y")
    assert mu("Z", p) & z == parse("(mu Z. p) & Z")
    assert mu("Z", p | join(Op.A, X(z))) == parse("mu Z. p | AX Z")


def test_fixpoints_from_python_are_checked_too() -> None:
    z = atom("Z")
    for name, body, code in [
        ("Z", ~z, "P306"),
        ("Z", z.implies(z), "P306"),
        ("Z", mu("Z", z), "P307"),
        ("true", z, "P303"),
        ("x.y", z, "P303"),
        ("", z, "P303"),
        ("a b", z, "P303"),
        ("X", X(z), "P303"),
        ("X", diamond(X(z)), "P303"),
    ]:
        with pytest.raises(FormulaError) as caught:
            mu(name, body)
        assert caught.value.code == code


# ---- who checks them ----

TEXT = "AG (mu Z. p | <> Z)"


class Loop:
    """A system of one state."""

    initial = 0

    def successors(self, state: int) -> list[int]:
        return [state]

    def labels(self, state: int) -> list[str]:
        return [str(state)]


MODEL = pigro.kripke({"a": ["a"]}, labels={"a": ["p"]}, initial="a")
CHECKS = "`pigro check` decides it on models"
REFUSED: dict[str, tuple[Callable[[Formula], object], str, str]] = {
    "CTL": (Formula.require_ctl, ", not of CTL", CHECKS),
    "the normal form of CTL": (existential_normal_form, ", not of CTL", CHECKS),
    "the positive form": (positive_form, "", CHECKS),
    "certificates": (
        lambda formula: pigro.check(MODEL, formula, certify=True),
        ", and there are no certificates for the mu-calculus",
        "its evidence is a strategy",
    ),
    "the proof in the explorer": (
        lambda formula: certificate(MODEL, str(formula), None, Budget()),
        ", and there are no certificates for the mu-calculus",
        "its evidence is a strategy",
    ),
    "labels": (
        lambda formula: pigro.satisfying(MODEL, formula),
        ", and only formulas of CTL* are labelled",
        "`pigro explain --at` at any node",
    ),
    "programs": (
        lambda formula: pigro.check(Loop(), formula),
        ", which can't be checked on states that a program computes",
        "write it in CTL, LTL or CTL*; or list the states",
    ),
    **{
        f"engine {engine}": (
            lambda formula, engine=engine: pigro.check(MODEL, formula, engine=engine),
            f", which engine {engine} does not take",
            "use --engine game",
        )
        for engine in ENGINES
        if engine != "game"
    },
}


@pytest.mark.parametrize("case", REFUSED)
def test_who_refuses_them_names_the_cause(case: str) -> None:
    ask, why, instead = REFUSED[case]
    with pytest.raises(CheckError) as caught:
        ask(parse(TEXT))
    error = caught.value
    assert (error.code, error.message) == (
        "P408",
        f"`{TEXT}` is a formula of the mu-calculus{why}",
    )
    assert instead in str(error.hint)
    assert traceback.format_exception_only(error)[-1] == f"hint: {error.hint}\n"


@pytest.mark.parametrize("timeout", [None, 60.0])
def test_they_do_not_block_the_certificates_of_others(timeout: float | None) -> None:
    texts = ["AG p", TEXT, "A [G F p]"]
    verdicts = pigro.check_all(MODEL, texts, verify=True, witness=True, timeout=timeout)
    assert [each.certificate is not None for each in verdicts] == [True, False, True]
    assert all(each.holds and each.evidence for each in verdicts)


def test_lines_of_a_file() -> None:
    [(_, first), (line, second)] = read_formulas("EF p\n# reachable\nmu Z. p | <> Z\n")
    assert (first.fragment, second.fragment, line) == (Fragment.CTL, Fragment.MU, 3)


# ---- limits ----

LARGE = {
    "wide": "mu Z. " + " | ".join(f"p{i} & <> Z" for i in range(N // 20)),
    "many": " & ".join(f"(mu Z{i}. p | <> Z{i})" for i in range(N // 20)),
    "of one name": " & ".join(f"({'mn'[i % 2]}u Z. p{i} | <> Z)" for i in range(N // 20)),
    "negations": "mu Z. " + "!" * N + "Z",
    "on the right": "mu Z. " + "(p -> " * (N // 4) + "Z" + ")" * (N // 4),
    "actions": "<" + ", ".join(f"a{i}" for i in range(N // 4)) + "> p",
    "deep": " ".join(f"nu Z{i}." for i in range(255)) + " <> p",
}


@pytest.mark.parametrize("name", LARGE)
def test_large_formulas(name: str) -> None:
    started = time.process_time()
    formula = parse(LARGE[name])
    assert parse(str(formula)) == formula
    assert repr(formula)
    assert time.process_time() - started < 60


@pytest.mark.parametrize(
    "text",
    [
        "<> " * 257 + "p",
        "[a] " * 257 + "p",
        " ".join(f"mu Z{i}." for i in range(257)) + " p",
        "AG <> " * 128 + "EF p",
    ],
)
def test_nesting_has_a_limit(text: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse(f"q & {text}")
    assert caught.value.code == "P304"
    assert "257 levels" in caught.value.message
    assert caught.value.position is not None
    assert caught.value.position.column == 5
    below: Formula = parse(text.replace("<> ", "", 1).replace("[a] ", "", 1).replace("mu Z0. ", ""))
    assert below.temporal_depth == 256
    with pytest.raises(FormulaError):
        diamond(below)
    with pytest.raises(FormulaError):
        nu("Y", below)


HOSTILE = [
    "<" * N,
    "[" * N,
    "<a," * N,
    "[a," * N,
    "<a, " + "a, " * N,
    "mu " * N,
    "mu Z. " * N,
    "mu" + " " * N,
    "mu Z" + " " * N + "p",
    "mu " + "Z" * N,
    " ".join(f"mu Z{i}." for i in range(N // 4)) + " p",
    "<> " * (N // 4),
    "[] " * (N // 4) + "p",
    "mu Z. " + "!" * (N // 4 + 1) + "Z",
    "mu Z. " + "(Z xor " * (N // 4) + "p" + ")" * (N // 4),
]


@pytest.mark.parametrize("text", HOSTILE, ids=[f"{text[:9]!r}" for text in HOSTILE])
def test_hostile_texts_fail_fast(text: str) -> None:
    started = time.process_time()
    with pytest.raises(FormulaError) as caught:
        parse(text)
    assert len(str(caught.value)) < 300
    assert time.process_time() - started < 60


@pytest.mark.parametrize("seed", range(60))
def test_parts_are_closed_and_can_be_read(seed):
    """A variable of an outer fixpoint stands for it, and no name is taken twice."""
    rng = Random(seed)
    formula = parse(text(random_mu_formula(rng)))
    parts = list(subformulas(formula))
    assert parts[0] == formula
    assert len(parts) <= count_subformulas(formula)
    for part in parts:
        assert parse(str(part)) == part
        assert set(part.atoms) <= set(formula.atoms)


def test_parts_of_deep_fixpoints():
    """Texts would grow with every fixpoint. Parts that are too long are not listed."""
    names = [f"V{at}" for at in range(60)]
    heads = "".join(f"{'mu' if at % 2 else 'nu'} V{at}. <> (p{at} & " for at in range(60))
    formula = parse(heads + " | ".join(names) + ")" * 60)
    assert count_subformulas(formula) > 200
    assert 0 < sum(1 for _ in subformulas(formula)) < 150
