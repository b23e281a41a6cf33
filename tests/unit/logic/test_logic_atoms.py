"""Labels: what needs no quotes, what does, and that nothing is changed on the way."""

from __future__ import annotations

import pytest

from pigro.diagnostics import FormulaError
from pigro.logic import atom, parse, quote

BARE = [
    "p",
    "_",
    "_1",
    "a.b",
    "a..b",
    "x$1",
    "user@host",
    "q#1",
    "a#",
    "$x"[1:],
    "def__r11__in___V_",
    "\u00e9t\u00e9",
    "\u03b1",
    "\u540d\u524d",
    "\u0436\u0663",
    "AGp",
    "Ap",
    "True",
    "U1",
    "notp",
    "X_",
    "true.x",
]
QUOTED = [
    "",
    " ",
    "a b",
    "a.",
    ".",
    "1a",
    "$x",
    "@x",
    "#x",
    "x=1",
    "a-b",
    'say "hi"',
    "back\\slash",
    '\\"',
    "<b>bold</b>",
    "a\x1b[31mred",
    "line\nbreak",
    "nul\x00",
    "x\u00b2",
    "\u00bdx",
    "e\u0301",
    "\u2028",
    "\U0001f600",
    "(",
    "->",
]
RESERVED = "A E X F G U W R V AX AF AG EX EF EG not and or xor true false TRUE FALSE tt ff mu nu"


@pytest.mark.parametrize("name", BARE)
def test_bare_labels(name: str) -> None:
    assert parse(f"AG {name}").atoms == (name,)
    assert quote(name) == name
    assert parse(f'"{name}"') == parse(name)


@pytest.mark.parametrize("name", [*QUOTED, *RESERVED.split()])
def test_labels_that_need_quotes(name: str) -> None:
    text = str(atom(name))
    assert text[0] == text[-1] == '"'
    assert parse(text).atoms == (name,)
    assert parse(f"AG ({text}|!{text})").atoms == (name,)


@pytest.mark.parametrize("name", [*QUOTED, "mu", "nu", "and", "U"])
def test_without_quotes_they_are_no_labels(name: str) -> None:
    with pytest.raises(FormulaError):
        parse(f"AG {name}")


def test_labels_are_compared_code_point_by_code_point() -> None:
    assert parse('"e\u0301"') != parse("\u00e9")
    assert parse("P") != parse("p")
    assert parse("\ufb01") != parse("fi")


def test_no_space_is_needed_around_signs_and_quotes() -> None:
    assert str(parse('"a b"&!p|("AG")->q')) == '"a b" & !p | "AG" -> q'


def test_atoms_are_numbered_by_first_occurrence() -> None:
    assert parse("r & p | q & p").atoms == ("r", "p", "q")
