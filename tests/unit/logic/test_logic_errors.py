"""Errors: the code, the message, the column, the caret's width."""

from __future__ import annotations

import pytest

from pigro.diagnostics import FormulaError, render_error
from pigro.logic import parse

BAD = [
    ("", "P305", "the formula is empty", 1, 1),
    ("  \t ", "P305", "the formula is empty", 1, 1),
    ("p &", "P301", "expected a formula after `&`, found the end", 4, 1),
    ("p & & q", "P301", "expected a formula after `&`, found `&`", 5, 1),
    ("-> q", "P301", "expected a formula, found `->`", 1, 2),
    ("p --> --> q", "P301", "expected a formula after `-->`, found `-->`", 7, 3),
    ("()", "P301", "expected a formula after `(`, found `)`", 2, 1),
    ("p q", "P301", "expected an operator or the end, found `q`", 3, 1),
    ("(p qq)", "P301", "expected an operator or `)`, found `qq`", 4, 2),
    ("E [p q]", "P301", "expected an operator or `]`, found `q`", 6, 1),
    ("p AND q", "P301", "expected an operator or the end, found `AND`", 3, 3),
    ("p ! q", "P301", "expected an operator or the end, found `!`", 3, 1),
    ("[p | q]", "P301", "`[` may only stand right after A or E", 1, 1),
    ("AG [p U q] & r", "P301", "`[` may only stand right after A or E", 4, 1),
    ("[p]", "P301", "expected a formula after `[p]`, found the end", 1, 3),
    ("AG [p] & q", "P301", "expected a formula after `[p]`, found `&`", 4, 3),
    ("AG (p -> (q & r)", "P302", "this `(` is not closed", 4, 1),
    ("E [p U q", "P302", "this `[` is not closed", 3, 1),
    ("AG p)", "P302", "`)` closes a bracket that was never opened", 5, 1),
    ("p]", "P302", "`]` closes a bracket that was never opened", 2, 1),
    (")", "P302", "`)` closes a bracket that was never opened", 1, 1),
    ("E (p U q]", "P302", "this `(` is closed by `]`, expected `)`", 3, 1),
    ("E [p U (q]", "P302", "this `(` is closed by `]`, expected `)`", 8, 1),
    ('p & "open', "P302", "the quote is not closed", 5, 5),
    ('"a\\"', "P302", "the quote is not closed", 1, 4),
    ('"a\\', "P302", "the quote is not closed", 1, 3),
    ('p | "a\\n"', "P301", "unknown escape `\\n` in a quoted label", 7, 2),
    ("AG U", "P303", "expected a formula after the reserved word `AG`, found `U`", 1, 2),
    ("p & mu", "P303", "expected a formula after `&`, found the reserved word `mu`", 5, 2),
    ("p and or", "P303", "expected a formula after `and`, found the reserved word `or`", 7, 2),
    ("p -> G", "P303", "expected a formula after the reserved word `G`, found the end", 6, 1),
    ("(A) & p", "P303", "expected a formula after the reserved word `A`, found `)`", 2, 1),
    ("x = 1", "P301", "`=` is not supported: a formula speaks of labels, not of values", 3, 1),
    ("x != y", "P301", "`!=` is not supported: a formula speaks of labels, not of values", 3, 2),
    ("p \u2227 q", "P301", "unexpected character `\u2227`", 3, 1),
    ("p % q", "P301", "unexpected character `%`", 3, 1),
    ("AG 1x", "P301", "unexpected character `1`", 4, 1),
    ("AG p.", "P301", "unexpected character `.`", 5, 1),
    ("AG x\u00b2", "P301", "unexpected character `\u00b2`", 5, 1),
    ("p & \x1b[31m", "P301", "unexpected character `\\x1b`", 5, 1),
    ("p \x00", "P301", "unexpected character `\\x00`", 3, 1),
    ("# p", "P301", "unexpected character `#`", 1, 1),
]


@pytest.mark.parametrize(("text", "code", "message", "column", "width"), BAD)
def test_errors_point_at_the_place(
    text: str, code: str, message: str, column: int, width: int
) -> None:
    with pytest.raises(FormulaError) as caught:
        parse(text, source="some.ctl", line=7)
    error = caught.value
    assert (error.code, error.message) == (code, message)
    assert error.position is not None
    assert (error.position.column, error.position.width) == (column, width)
    assert (error.position.source, error.position.line) == ("some.ctl", 7)
    assert error.position.text == text
    assert message in render_error(error)


HINTS = [
    ("GF p", "`GF` is a label; operators are written apart: `G F`"),
    ("p -> AGF q", "`AGF` is a label; operators are written apart: `A G F`"),
    ("AG [!p]", "group with ( and )"),
    (
        "AG [p]",
        "`[p]` speaks of steps by an action, as in `[a, b] f`; to group, write ( and )",
    ),
    ("p & U", 'to use it as a label, write "U" with the quotes'),
    ("x == y", 'if the model has such a label, quote it whole: "x = 1"'),
    ("p \u2192 q", "write ->"),
    ("p /\\ q", "write & or |"),
    ("p OR q", "the operator is written or"),
    ("NOT p", "the operator is written not"),
    ("p until q", "the operator is written U"),
    ("(p", "add a `)`"),
    ("AG p.", "a label without quotes can't end in a dot"),
    ('"\\x"', 'only \\" and \\\\ are escapes'),
]


@pytest.mark.parametrize(("text", "hint"), HINTS)
def test_hints(text: str, hint: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse(text)
    assert caught.value.hint == hint


def test_a_formula_over_several_lines() -> None:
    with pytest.raises(FormulaError) as caught:
        parse("AG (p &\r\n  q ? r)\r\n", line=3)
    position = caught.value.position
    assert position is not None
    assert (position.line, position.column, position.text) == (4, 5, "  q ? r)")


def test_messages_hold_no_control_characters_and_stay_short() -> None:
    hostile = '"' + "\x1b[2J<script>" * 1000 + '"'
    with pytest.raises(FormulaError) as caught:
        parse(f"p {hostile}")
    assert caught.value.message.isprintable()
    assert len(caught.value.message) < 250


@pytest.mark.parametrize("text", ["X " * 257 + "p", "AG " * 257 + "p", "A " * 257 + "p"])
def test_temporal_nesting_has_a_limit(text: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse(f"q & {text}")
    assert caught.value.code == "P304"
    assert "257 levels" in caught.value.message
    assert caught.value.position is not None
    assert caught.value.position.column == 5


def test_up_to_the_limit_all_is_well() -> None:
    assert parse("EG " * 256 + "p").temporal_depth == 256
    wide = " & ".join(f"AG EF p{i}" for i in range(2000))
    assert parse(wide).temporal_depth == 2
