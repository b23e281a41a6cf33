"""Verdicts and models as text."""

from __future__ import annotations

import pytest

import pigro
from pigro.engines import CheckStats, Remarks, Verdict
from pigro.render.text import (
    CheckReport,
    TextStyle,
    duration,
    summary_text,
    verdict_text,
)


def verdict(formula="AF done", *, holds=True, contexts=3, reason="because"):
    stats = CheckStats(0.00012, contexts, 10, 1)
    model = pigro.kripke({"a": ["a"]}, labels={}, initial="a")
    return Verdict(
        model, pigro.parse(formula), holds, "exhaustive", stats, remarks=Remarks(gave_up=reason)
    )


@pytest.mark.parametrize(
    ("holds", "word"), [(True, "holds    "), (False, "fails    "), (None, "unknown  ")]
)
def test_words_align(holds, word):
    assert verdict_text(verdict(holds=holds), TextStyle()) == (
        f"{word}AF done\n         because; 0.12 ms, 3 contexts\n"
    )


def test_one_is_singular_and_none_is_left_out():
    assert verdict_text(verdict(contexts=1), TextStyle()).endswith("; 0.12 ms, 1 context\n")
    assert verdict_text(verdict(contexts=None), TextStyle()).endswith("; 0.12 ms\n")


def test_statistics():
    text = verdict_text(verdict(), TextStyle(statistics=True))
    assert text.endswith("; 0.12 ms, 3 contexts, 10 visited, 1 pass\n")


def test_compact():
    text = verdict_text(verdict(), TextStyle(compact=True))
    assert text == "holds    0.12 ms, 3 contexts      AF done\n"


def test_colour_is_around_the_word_alone():
    text = verdict_text(verdict(holds=False, contexts=None), TextStyle(colour=True))
    assert text.startswith("\x1b[1;31mfails\x1b[0m    AF done\n")
    assert text.count("\x1b") == 2


@pytest.mark.parametrize("width", [1, 40, 80])
def test_width(width):
    long = verdict(" & ".join(["p"] * 1000))
    compact = verdict_text(long, TextStyle(width=width, compact=True))
    assert compact.endswith("...\n")
    assert len(compact) <= max(width, 34 + 20) + 1
    first = verdict_text(long, TextStyle(width=width)).splitlines()[0]
    assert len(first) <= max(3 * width, 9 + 20)
    assert len(verdict_text(long, TextStyle()).splitlines()[0]) == 9 + 3997


def test_escapes_count_for_the_width():
    text = verdict_text(verdict('EF "' + "\x01" * 60 + '"'), TextStyle(width=80, compact=True))
    assert len(text) == 81


@pytest.mark.parametrize(
    ("truths", "text"),
    [
        ([True] * 4 + [False], "4 hold, 1 fails, 0.6 ms\n"),
        ([True, False, False, None], "1 holds, 2 fail, 1 unknown, 0.48 ms\n"),
        ([], "no verdicts, 0.01 ms\n"),
    ],
)
def test_summary(truths, text):
    assert summary_text([verdict(holds=holds) for holds in truths]) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0.01 ms"),
        (0.0000994, "0.099 ms"),
        (0.0012, "1.2 ms"),
        (0.00994, "9.9 ms"),
        (0.00996, "10 ms"),
        (0.9994, "999 ms"),
        (0.9996, "1.0 s"),
        (99.94, "99.9 s"),
        (99.96, "1 min 40 s"),
        (3599.7, "60 min 0 s"),
    ],
)
def test_duration(seconds, text):
    assert duration(seconds) == text


def test_many_initial_nodes():
    states = {f"s{i}": ["s0"] for i in range(8)}
    model = pigro.kripke(states, labels={}, initial=list(states))
    assert "\ninitial     kripke:s0, kripke:s1, kripke:s2, kripke:s3, kripke:s4 and 3 more\n" in (
        CheckReport(model).head()
    )


def test_report_of_a_model_made_by_a_program():
    model = pigro.kripke({"a": ["a"]}, labels={}, initial="a")
    report = CheckReport(model, TextStyle(statistics=True))
    text = report.render([verdict()], missing=["mind\x1b[0m the gap"]).decode()
    assert text.startswith("model       made by a program\n")
    assert text.endswith("3 contexts, 10 visited, 1 pass\nwarning: mind\\x1b[0m the gap\n")
