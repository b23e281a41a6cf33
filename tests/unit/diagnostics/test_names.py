"""Names in messages: made printable, and guessed when misspelled."""

from __future__ import annotations

import time

import pytest

from pigro.diagnostics import close_matches, did_you_mean, printable


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("", ""),
        ("helper", "helper"),
        ("gr\u00fcn \u7dd1", "gr\u00fcn \u7dd1"),
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\x00\x7f\x9b", "\\x00\\x7f\\x9b"),
        ("\u202e\u2066\ufeff\u2028", "\\u202e\\u2066\\ufeff\\u2028"),
        ("\ud800", "\\ud800"),
        ("\U000e0001", "\\U000e0001"),
        ("x" * 120, "x" * 120),
        ("x" * 121, "x" * 58 + "..." + "x" * 58),
        ("a" * 10**6 + "b" * 10**6, "a" * 58 + "..." + "b" * 58),
    ],
)
def test_printable(name: str, shown: str):
    assert printable(name) == shown
    assert shown.isprintable()


def test_printable_with_another_limit():
    assert printable("abcdefghij", limit=9) == "abc...hij"


@pytest.mark.parametrize(
    ("name", "candidates", "hint"),
    [
        ("mian", ["main", "helper"], 'did you mean "main"?'),
        ("main", [], None),
        ("x", ["main", "helper"], None),
        ("helpr", ["helper", "helped", "shelter"], 'did you mean "helper" or "helped"?'),
        ("helper", ["helper1", "helper2", "helper3", "helper4"], "three"),
        ("start", ["strat", "strat", "strat"], 'did you mean "strat"?'),
        ("bad", ["ba\nd"], 'did you mean "ba\\nd"?'),
    ],
)
def test_did_you_mean(name: str, candidates: list[str], hint: str | None):
    if hint == "three":
        hint = 'did you mean "helper1" or "helper2" or "helper3"?'
    assert did_you_mean(name, candidates) == hint


def test_the_best_comes_first():
    assert close_matches("counter", ["encounter", "counters", "counted"]) == [
        "counters",
        "encounter",
        "counted",
    ]
    assert close_matches("counter", ["counters", "counted"], most=1) == ["counters"]


def test_spelling_hints_take_little_time():
    began = time.process_time()
    numbers = (f"n{number}" for number in range(10**7))
    assert close_matches("x123456", numbers) == []
    different = ("y" * 50 for _ in range(10**7))
    assert close_matches("x", different) == []
    long = "ab" * 100_000
    assert close_matches(long, [long + "a"] * 10) == []
    assert close_matches("ab" * 100, ["ab" * 100 + "a"] * 1000) == ["ab" * 100 + "a"]
    assert time.process_time() - began < 10
