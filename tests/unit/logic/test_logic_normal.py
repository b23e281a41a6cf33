"""The existential normal form: exact results, sharing, and what may not be simplified."""

from __future__ import annotations

import pytest

from pigro.diagnostics import CheckError
from pigro.logic import NormalForm, existential_normal_form, parse
from pigro.logic.normal import AND, ATOM, EG, EU, EX, NOT, OR, TRUE

CASES = [
    ("p", "p"),
    ("!!p", "p"),
    ("p -> q", "!(p & !q)"),
    ("p | !q", "!(q & !p)"),
    ("!p & !q", "!(p | q)"),
    ("p xor q", "p & !q | q & !p"),
    ("p <-> q", "!(p & !q | q & !p)"),
    ("EF p", "E [true U p]"),
    ("AG p", "!E [true U !p]"),
    ("AF p", "!EG !p"),
    ("AX p", "!EX !p"),
    ("E [p W q]", "E [p U q] | EG p"),
    ("E [p R q]", "E [q U (p & q)] | EG q"),
    ("A [p R q]", "!E [!p U !q]"),
    ("A [p W q]", "!E [!q U !(p | q)]"),
    ("A [p U q]", "!(EG !q | E [!q U !(p | q)])"),
    ("A [true U q]", "!EG !q"),
    ("A [p U true]", "true"),
    ("A [p U false]", "false"),
    ("A [p W false]", "!E [true U !p]"),
    ("A [false R p]", "!E [true U !p]"),
    ("E [false R p]", "EG p"),
    ("EX true", "EX true"),
    ("EX false", "false"),
    ("AX true", "true"),
    ("AX false", "!EX true"),
    ("EG true", "true"),
    ("EG false", "false"),
    ("E [p U true]", "true"),
    ("E [p U false]", "false"),
    ("E [false U p]", "p"),
    ("E [p U p]", "p"),
    ("EF EF p", "E [true U p]"),
    ("AG AG p", "!E [true U !p]"),
    ("EG EG p", "EG p"),
    ("EX EX p", "EX EX p"),
    ("p & true", "p"),
    ("p | true", "true"),
    ("p & false", "false"),
    ("p | false", "p"),
    ("p & p", "p"),
    ("p | p", "p"),
    ("p & !p", "false"),
    ("p | !p", "true"),
    ("p xor p", "false"),
    ("p xor true", "!p"),
    ("p <-> p", "true"),
    ("p <-> false", "!p"),
    ("false -> p", "true"),
    ("EF (p & q) & EF (q & p)", "E [true U (p & q)]"),
    ("AG !(p & q) | EF (p & q)", "true"),
    ("AG (!p & !q) & EF (p | q)", "false"),
]


def _reparse(text: str) -> NormalForm:
    return existential_normal_form(parse(text))


@pytest.mark.parametrize(("text", "normal"), CASES)
def test_normal_forms(text: str, normal: str) -> None:
    form = existential_normal_form(parse(text))
    assert form.to_formula() == parse(normal)
    _assert_well_formed(form)


def _assert_well_formed(form: NormalForm) -> None:
    """Children before parents, no node twice, all of them and all atoms in use. NF1 to NF3."""
    assert (form.ops.typecode, form.left.typecode, form.right.typecode) == ("B", "i", "i")
    nodes = list(zip(form.ops, form.left, form.right, strict=True))
    assert len(set(nodes)) == len(nodes)
    used = {len(nodes) - 1}
    atoms = set()
    for number, (op, left, right) in enumerate(nodes):
        assert TRUE <= op <= EG
        assert (left >= 0) == (op != TRUE)
        assert (right >= 0) == (op in (AND, OR, EU))
        if op == ATOM:
            atoms.add(left)
            continue
        assert max(left, right) < number
        used |= {left, right}
        negated = [nodes[child][0] == NOT for child in (left, right) if child >= 0]
        assert not (op == NOT and negated[0])
        assert not (op == OR and any(negated))
        assert not (op == AND and all(negated))
    assert used - {-1} == set(range(len(nodes)))
    assert atoms == set(range(len(form.atoms)))


def test_arrays() -> None:
    form = existential_normal_form(parse("AG (p -> EX q)"))
    assert form.atoms == ("p", "q")
    assert list(form.ops) == [TRUE, ATOM, ATOM, EX, NOT, AND, EU, NOT]
    assert list(form.left) == [-1, 0, 1, 2, 3, 1, 0, 6]
    assert list(form.right) == [-1, -1, -1, -1, -1, 4, 5, -1]


def test_atoms_that_vanish_are_dropped_here_but_kept_in_the_formula() -> None:
    formula = parse("(p & false) | q")
    assert existential_normal_form(formula).atoms == ("q",)
    assert formula.atoms == ("p", "q")


def test_equal_forms_compare_equal() -> None:
    one, two = _reparse("EF (p & q)"), _reparse("E [true U (p & q)]")
    assert one == two
    assert hash(one) == hash(two)
    assert one != _reparse("EG p")


@pytest.mark.parametrize(
    ("text", "depth"), [("p", 0), ("AG p", 1), ("AG (p -> EF AX q)", 3), ("EX true", 1)]
)
def test_temporal_depth(text: str, depth: int) -> None:
    assert _reparse(text).temporal_depth() == depth


def test_subformulas_can_be_shown() -> None:
    form = _reparse("AG (p -> EF q)")
    shown = [str(form.to_formula(node)) for node in range(len(form))]
    assert shown[-1] == str(form.to_formula())
    assert "E [true U q]" in shown


def test_only_ctl_has_a_normal_form() -> None:
    with pytest.raises(CheckError):
        existential_normal_form(parse("A [G F p]"))
