"""What binds tighter than what, each pair fully bracketed on the right."""

from __future__ import annotations

import pytest

from pigro.logic import parse

CASES = [
    ("a -> b -> c", "a -> (b -> c)"),
    ("a <-> b -> c", "(a <-> b) -> c"),
    ("a -> b <-> c", "a -> (b <-> c)"),
    ("a <-> b <-> c", "(a <-> b) <-> c"),
    ("a | b <-> c", "(a | b) <-> c"),
    ("a | b xor c", "(a | b) xor c"),
    ("a xor b | c", "(a xor b) | c"),
    ("a | b & c", "a | (b & c)"),
    ("a & b | c", "(a & b) | c"),
    ("a & b & c", "(a & b) & c"),
    ("a & b U c", "a & (b U c)"),
    ("a U b & c", "(a U b) & c"),
    ("a U b U c", "a U (b U c)"),
    ("a U b W c R d", "a U (b W (c R d))"),
    ("!a U b", "(!a) U b"),
    ("X a U b", "(X a) U b"),
    ("AG a U b", "(AG a) U b"),
    ("A G p & q", "(A G p) & q"),
    ("AG p & q", "(AG p) & q"),
    ("AG p -> q", "(AG p) -> q"),
    ("A G p U q", "(AG p) U q"),
    ("E(~E X a U b)", "E [(!EX a) U b]"),
    ("A [(G p) U q]", "A [G p U q]"),
    ("E p U q & r", "(E [p U q]) & r"),
    ("E p U q U r", "E [p U (q U r)]"),
    ("E p U E q U r", "E [p U (E [q U r])]"),
    ("E !p U !q", "E [(!p) U (!q)]"),
    ("! E p U q | r", "(!(E [p U q])) | r"),
    ("a & ! E p U q & b", "(a & !(E [p U q])) & b"),
    ("A X E blue U red", "A [X (E [blue U red])]"),
    ("E p & q", "(E [p]) & q"),
    ("E (p | q) U r", "E [(p | q) U r]"),
    ("E (p) U (q)", "E [p U q]"),
    ("E (p U q) U r", "(E [p U q]) U r"),
    ("E (E (p U q) U r)", "E [(E [p U q]) U r]"),
    ("E ((p U q)) U r", "(E [p U q]) U r"),
    ("E [E [p U q] U r]", "E [(E [p U q]) U r]"),
    ("E [p] U q", "(E [p]) U q"),
    ("A (G p) & q", "(AG p) & q"),
    ("! E (p U q) U r", "(!(E [p U q])) U r"),
    ("E (p & X q) U r", "E [(p & (X q)) U r]"),
    ("(E p) U q", "(E [p]) U q"),
    ("!!a & b", "(!(!a)) & b"),
    ("not a and b or c xor d", "(((!a) & b) | c) xor d"),
    ("AX AX p & AF q", "(AX (AX p)) & (AF q)"),
]


@pytest.mark.parametrize(("text", "bracketed"), CASES)
def test_precedence(text: str, bracketed: str) -> None:
    assert parse(text) == parse(bracketed)


@pytest.mark.parametrize(("text", "bracketed"), CASES)
def test_the_printer_agrees(text: str, bracketed: str) -> None:
    assert parse(str(parse(text))) == parse(bracketed)
    assert len(str(parse(text))) <= len(bracketed)
