"""Formulas as Python values: building, comparing, copying, printing."""

from __future__ import annotations

import copy
import pickle

import pytest

from pigro.diagnostics import FormulaError
from pigro.logic import (
    AF,
    AG,
    AR,
    AU,
    AW,
    AX,
    EF,
    EG,
    ER,
    EU,
    EW,
    EX,
    A,
    E,
    F,
    Formula,
    G,
    R,
    U,
    W,
    X,
    atom,
    conjunction,
    disjunction,
    false,
    parse,
    true,
)
from pigro.logic.arena import Arena
from pigro.logic.operators import Op

p, q, r = atom("p"), atom("q"), atom("r")

BUILT = [
    (AG(p.implies(EF(q))), "AG (p -> EF q)"),
    ((p & q) | ~r, "p & q | !r"),
    (p & (q & r), "p & (q & r)"),
    ((p ^ q).iff(r), "p xor q <-> r"),
    (AX(p) & AF(p) & EX(p) & EG(p), "AX p & AF p & EX p & EG p"),
    (EU(p, q) | AU(p, q), "E [p U q] | A [p U q]"),
    (EW(p, q) | AW(p, q), "E [p W q] | A [p W q]"),
    (ER(p, q) | AR(p, q), "E [p R q] | A [p R q]"),
    (A(G(F(p))), "A [G F p]"),
    (E(X(p) & U(p, W(q, R(r, p)))), "E [X p & (p U (q W (r R p)))]"),
    (EF(EF(p) & q) | EF(p), "EF (EF p & q) | EF p"),
    (conjunction([p, q | r, p]), "p & (q | r) & p"),
    (disjunction([EX(p), EX(p)]), "EX p | EX p"),
    (conjunction([]), "true"),
    (disjunction([]), "false"),
    (true() & false(), "true & false"),
]


@pytest.mark.parametrize(("built", "text"), BUILT, ids=[text for _, text in BUILT])
def test_building_is_like_parsing(built: Formula, text: str) -> None:
    assert str(built) == text
    assert built == parse(text)
    assert hash(built) == hash(parse(text))


@pytest.mark.parametrize("text", [text for _, text in BUILT])
def test_copies_are_equal(text: str) -> None:
    formula = parse(text)
    assert pickle.loads(pickle.dumps(formula)) == formula
    assert copy.deepcopy(formula) is formula
    assert eval(repr(formula)) == formula


def test_formulas_are_immutable() -> None:
    with pytest.raises(AttributeError):
        p.ops = ()
    with pytest.raises(AttributeError):
        del p.ops


def test_other_types_are_not_formulas() -> None:
    assert p != "p"
    with pytest.raises(TypeError):
        p & "q"  # type: ignore[operator]


def test_repr_is_cut_but_str_is_not() -> None:
    formula = conjunction(atom(f"p{i}") for i in range(1000))
    assert len(repr(formula)) < 250
    assert "..." in repr(formula)
    assert parse(str(formula)) == formula


def test_repr_of_a_formula_whose_text_would_not_fit_in_memory() -> None:
    formula = p
    for _ in range(200):
        formula = formula & formula
    assert len(formula) == 201
    assert "..." in repr(formula)


def test_building_has_the_same_limit_as_parsing() -> None:
    formula = p
    for _ in range(256):
        formula = EX(formula)
    with pytest.raises(FormulaError) as caught:
        EX(formula)
    assert caught.value.code == "P304"


def test_one_numbering_whatever_was_made_first():
    """Nodes of an arena have the numbers in which they were made. Those of a formula do not."""
    arena = Arena()
    q, p = arena.atom("q"), arena.atom("p")
    stray = arena.node(int(Op.AND), p, q)
    both = arena.node(int(Op.OR), p, q)
    root = arena.node(int(Op.AND), both, arena.node(int(Op.NOT), q))
    made = Formula.from_arena(arena, root)
    assert str(made) == "(p | q) & !q"
    assert made == Formula(str(made))
    assert Formula.from_arena(arena, stray) == Formula("p & q")
    assert arena.order(root) == [p, q, both, root - 1, root]


@pytest.mark.parametrize(
    "text",
    [
        "A [{((p | q) ; q)? ; (p*)+}^w]",
        "nu Y. mu X. (p & <a> Y) | [b, a] X",
        "E [p U q] | A [q U p]",
    ],
)
def test_texts_are_read_in_that_numbering(text):
    formula, arena = Formula(text), Arena()
    arena.add(formula)
    assert arena.order() == list(range(len(formula)))
    assert Formula.from_arena(arena) == formula
