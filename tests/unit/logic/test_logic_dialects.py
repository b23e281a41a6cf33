"""One parser for the dialects of NuSMV, RSMCheck/pyModelChecking and PuMoC."""

from __future__ import annotations

import pytest

from pigro.logic import Formula, Op, parse

SAME = [
    ("AG (p -> EF q)", "A G (p --> E F q)", "AG(p => EF q)", "A G(p->E F q)"),
    ("A [p U q]", "A[p U q]", "A(p U q)", "A p U q", "A ( ( p ) U ( q ) )"),
    ("E [p U q]", "E[p U q]", "E(p U q)", "E p U q", "E[(p) U (q)]"),
    ("E [p R q]", "E[p V q]", "E p V q", "E(p R q)"),
    ("A [p W q]", "A(p W q)", "A p W q"),
    ("!p & q | r", "not p and q or r", "~p && q || r", "((!p) & q) | r"),
    ("p <-> q", "p <--> q", "p <=> q"),
    ("p xor q", "(p) xor (q)", '"p" xor "q"'),
    ("true", "TRUE", "tt"),
    ("false", "FALSE", "ff"),
    ("EX EG blue", "E X E G blue", "EX(EG(blue))", "E(X(E(G(blue))))", "E[X E[G blue]]"),
    ("AX E [blue U red]", "A X E blue U red", "AX E blue U red"),
    ("EX red | EX E [blue U black]", "E X red or E X E ( blue U black )"),
    ("!E [p U q]", "! E p U q", "~E(p U q)", "not E[p U q]"),
    ("AX p", "A\tX\np", "\u00a0AX p "),
]


@pytest.mark.parametrize("texts", SAME, ids=lambda texts: texts[0])
def test_the_dialects_mean_the_same(texts: tuple[str, ...]) -> None:
    canonical = parse(texts[0])
    assert str(canonical) == texts[0]
    for text in texts[1:]:
        assert parse(text) == canonical, text
        assert hash(parse(text)) == hash(canonical)


def test_ag_is_two_operators() -> None:
    assert parse("AG p").ops == (Op.ATOM, Op.G, Op.A)


def test_equal_subformulas_are_one_node() -> None:
    f = parse("(EF p & q) | (EF p & q)")
    assert (f.ops, f.left, f.right, f.atoms) == (
        (Op.ATOM, Op.F, Op.E, Op.ATOM, Op.AND, Op.OR),
        (0, 0, 1, 1, 2, 4),
        (-1, -1, -1, -1, 3, 4),
        ("p", "q"),
    )


def test_the_constructor_parses() -> None:
    assert Formula("A G p") == parse("AG p")
