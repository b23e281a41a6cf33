"""Fixpoints and modalities over conditions on variables, in one language with the rest."""

from __future__ import annotations

import random

import pytest

import pigro
from pigro.diagnostics import FormulaError
from pigro.formats.smv import SmvDocument
from pigro.formats.smv.composing import parts_of_modules
from pigro.logic.files import reader

COUNTER = b"""MODULE main
VAR x : 0..3; b : boolean; w : unsigned word[2];
ASSIGN init(x) := 0; next(x) := x < 3 ? x + 1 : 3;
DEFINE two := x = 2;
"""
_CONDITIONS = (
    "x = 2",
    "x < 3",
    "!(x = 1)",
    "b",
    "two",
    "x in {1, 2}",
    "x + 1 = 3",
    "w[1:1] = 0ud1_1",
)
_SAME = {
    "mu Z. x = 2 | EX Z": 'mu Z. "x = 2" | EX Z',
    "mu Z.x=2|<>Z": 'mu Z. "x = 2" | <> Z',
    "nu X. mu Y. <> (x = 3 & X | Y)": 'nu X. mu Y. <> ("x = 3" & X | Y)',
    "nu X. x <= 3 & [] X & X": 'nu X. "x <= 3" & [] X & X',
    "mu U. x > 1 & (U | <> U)": 'mu U. "x > 1" & (U | <> U)',
    "mu H. !<> !(x = 2) | AX H": 'mu H. !<> !"x = 2" | AX H',
    "mu x. b | EX x": "mu x. b | EX x",
    "(mu Z. x = 1 | <> Z) & Z two": None,
    "<a, tau> x = 1": '<a, tau> "x = 1"',
    '["time out"] x = 1': '["time out"] "x = 1"',
    "E [b U mu Z. x != 3 | <> Z]": 'E [b U (mu Z. !"x = 3" | <> Z)]',
    "mu Z. EBF 0..1 <> Z | x = 1": 'mu Z. <> Z | EX <> Z | "x = 1"',
    "mu O. case x = 1 : b; TRUE : !b; esac | <> O": 'mu O. "case x = 1 : b; TRUE : !b; esac" | <> O',
    "<> x = 1 -> [] (x in {1, 2})": '<> "x = 1" -> [] "x in {1, 2}"',
    "mu Z. !w = 0ud2_1 | <> Z": 'mu Z. "!w = 0ud2_1" | <> Z',
}


@pytest.mark.parametrize("text", _SAME)
def test_conditions_stand_bare_in_the_mu_calculus(text: str) -> None:
    document = SmvDocument(COUNTER)
    if _SAME[text] is None:
        with pytest.raises(FormulaError, match="past operator"):
            document.formula(text)
        return
    assert str(document.formula(text)) == _SAME[text]
    assert str(reader(document)(str(_SAME[text]))) == _SAME[text]


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("mu Z. x = Z", "P125", 11),
        ("nu Z. x = 2 & (<> Z -> b)", "P306", 19),
        ("mu Z. x = 2 | (nu Z. <> Z)", "P307", 19),
        ("mu AX. x = 2", "P303", 4),
        ("mu Z. x = 2 | <>", "P121", 17),
        ("mu Z. x = 2 | (<> Z", "P121", 15),
        ("mu Z. y = 2 | <> Z", "P123", 7),
        ("mu Z x = 2", "P121", 4),
        ("x + (<> b) = 2", "P125", 3),
    ],
)
def test_faults_have_their_place(text: str, code: str, column: int) -> None:
    with pytest.raises(FormulaError) as caught:
        reader(SmvDocument(COUNTER))(text)
    assert caught.value.code == code
    assert caught.value.position is not None
    assert caught.value.position.column == column


def _random_formula(chance: random.Random, bound: tuple[str, ...], depth: int) -> str:
    condition = f'"{chance.choice(_CONDITIONS)}"'
    if depth == 0 or chance.random() < 0.15:
        return chance.choice(bound) if bound and chance.random() < 0.6 else condition
    inner = [_random_formula(chance, bound, depth - 1) for _ in range(2)]
    kind = chance.randrange(6)
    if kind == 0:
        free = [name for name in ("Z", "X", "Y", "U", "O", "S", "x", "w2") if name not in bound]
        name = chance.choice(free)
        body = _random_formula(chance, (*bound, name), depth - 1)
        return f"({chance.choice(('mu', 'nu'))} {name}. {body})"
    if kind < 3:
        return f"({inner[0]} {chance.choice('&|')} {inner[1]})"
    if kind == 3:
        return f"{chance.choice(('<>', '[]', 'EX', 'AX'))} {inner[0]}"
    if kind == 4:
        return f"(<> {inner[0]} | {inner[1]})"
    return f"({condition} -> {inner[0]})"


def test_bare_conditions_mean_the_same_as_quoted_ones() -> None:
    chance = random.Random(3912)
    document = SmvDocument(COUNTER)
    for _ in range(400):
        quoted = _random_formula(chance, (), 5)
        formula = pigro.parse(quoted)
        if "x" in formula.variables:
            continue  # conditions on x would be about the variable of the fixpoint
        assert document.formula(quoted.replace('"', "")) == document.resolved(formula), quoted


def test_programs_and_compositions_read_conditions_too() -> None:
    model = SmvDocument(COUNTER).model()
    assert pigro.check(model, "mu Z. x = 2 | EX Z").holds
    assert pigro.check(model, "mu Z. x = 4 | EX Z").holds is False
    parts = parts_of_modules(COUNTER, source="c.smv").parts
    assert pigro.compose_check(parts, "mu Z. x = 2 & two | <> Z").holds
    assert pigro.compose_check(parts, "AG x != 3").holds is False
    with pytest.raises(FormulaError, match="no part has the label `x > 1`") as caught:
        pigro.compose_check(parts, "EF x > 1")
    assert caught.value.code == "P123"
    assert "DEFINE" in str(caught.value.hint)
