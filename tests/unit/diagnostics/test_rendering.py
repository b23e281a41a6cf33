"""Errors as text: the exact lines."""

from __future__ import annotations

import pytest

from pigro.diagnostics import InputError, Position, UsageError, render_error

CASES = [
    (UsageError("P002", "no formula"), "error[P002]: no formula"),
    (
        UsageError("P002", "no formula", hint="give one"),
        "error[P002]: no formula\n  hint: give one",
    ),
    (
        InputError("P101", "bad", position=Position()),
        "error[P101]: bad",
    ),
    (
        InputError("P101", "bad", position=Position(source="a\nb.rsm")),
        "error[P101]: bad\n  --> a\\nb.rsm",
    ),
    (
        InputError("P101", "bad", position=Position(source="f", line=3)),
        "error[P101]: bad\n  --> f:3",
    ),
    (
        InputError("P101", "bad", position=Position(source="f", line=3, column=7)),
        "error[P101]: bad\n  --> f:3:7",
    ),
    (
        InputError("P101", "bad", position=Position(line=3, column=7)),
        "error[P101]: bad\n  --> line 3, column 7",
    ),
    (
        InputError("P101", "bad", position=Position(path="$.a[0]")),
        "error[P101]: bad\n  --> $.a[0]",
    ),
    (
        InputError("P101", "bad", position=Position("f", 3, 7, "$.a[0]"), hint="good"),
        "error[P101]: bad\n  --> f:3:7 ($.a[0])\n  hint: good",
    ),
    (
        InputError("P101", "bad", position=Position(column=3, text="p & q", width=1)),
        "error[P101]: bad\n   | p & q\n   |   ^",
    ),
    (
        InputError("P101", "bad", position=Position("f", 1, 5, text="p & qqq", width=3), hint="h"),
        "error[P101]: bad\n  --> f:1:5\n   | p & qqq\n   |     ^^^\n  hint: h",
    ),
]


@pytest.mark.parametrize(("error", "text"), CASES)
def test_layout(error: InputError | UsageError, text: str):
    assert render_error(error) == text


CARETS = [
    # text, column, width, shown, carets
    ("abc", 1, 1, "abc", "^"),
    ("abc", 4, 1, "abc", "   ^"),  # just behind the end
    ("abc", 3, 9, "abc", "  ^"),
    ("", 1, 1, "", "^"),
    ("\tx\ty", 4, 1, " x y", "   ^"),
    ("\x1b[31mx", 6, 1, " [31mx", "     ^"),
    ("\u7dd1\u7dd1 x", 4, 1, "\u7dd1\u7dd1 x", "     ^"),  # wide characters take two columns
    ("\u7dd1\u7dd1 x", 1, 2, "\u7dd1\u7dd1 x", "^^^^"),
    ("e\u0301e\u0301 x", 6, 1, "e\u0301e\u0301 x", "   ^"),  # combining ones take none
    ("e\u0301x", 2, 1, "e\u0301x", " ^"),
    ("\u2764\ufe0f x", 4, 1, "\u2764\ufe0f x", "  ^"),  # a variation selector
    ("a\u200bb", 3, 1, "a b", "  ^"),  # a zero-width space is shown as a blank
    ("\u202ex", 2, 1, " x", " ^"),
    ("x" * 80 + "!", 81, 1, "..." + "x" * 50 + "!", " " * 53 + "^"),
    ("!" + "x" * 200, 1, 1, "!" + "x" * 99 + "...", "^"),
    (
        "a" * 100 + "!!" + "b" * 100,
        101,
        2,
        "..." + "a" * 50 + "!!" + "b" * 48 + "...",
        " " * 53 + "^^",
    ),
    ("a" * 100 + "!" * 100, 101, 100, "..." + "a" * 50 + "!" * 50 + "...", " " * 53 + "^" * 50),
    ("\u7dd1" * 100 + "!", 101, 1, "..." + "\u7dd1" * 50 + "!", " " * 103 + "^"),
]


@pytest.mark.parametrize(("text", "column", "width", "shown", "carets"), CARETS)
def test_carets(text: str, column: int, width: int, shown: str, carets: str):
    position = Position(column=column, text=text, width=width)
    rendered = render_error(InputError("P101", "bad", position=position))
    assert rendered.split("\n")[1:] == [f"   | {shown}", f"   | {carets}"]


def test_an_error_as_a_string():
    error = InputError("P101", "bad", position=Position("f", 1, 2), hint="h")
    assert str(error) == "P101: bad"
    assert error.code == "P101"
    assert error.diagnostic.title == "not valid JSON"
