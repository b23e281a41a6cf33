"""Strategies as text."""

from __future__ import annotations

import pytest

from pigro import compose_check
from pigro.evidence.strategy.lines import strategy_lines
from pigro.model.composition import Composition
from pigro.model.part import PartBuilder

from support.agreement.compositions import talking


def lines(formula, *, method="concrete", most=12):
    here = talking()
    verdict = compose_check(here, formula, method=method, witness=True)
    return strategy_lines(here, verdict.evidence, most)


def test_why_it_holds():
    assert lines("AG !(req & on)") == [
        "it holds: a strategy of 9 positions wins: 2 on part sender; 1 on part receiver; "
        "6 on parts sender, receiver",
        "sender=idle, receiver=off: !(req & on) & [] AG !(req & on) holds, because both sides do",
        "sender=idle: !(req & on) holds, because req is false",
        "sender=idle, receiver=off: [] AG !(req & on) holds, whichever of 2 positions is next (1 as above)",
        "sender=sent, receiver=off: !(req & on) & [] AG !(req & on) holds, because both sides do",
        "receiver=off: !(req & on) holds, because on is false",
        "sender=sent, receiver=off: [] AG !(req & on) holds, whichever of 2 positions is next (1 as above)",
        "sender=done, receiver=got: !(req & on) & [] AG !(req & on) holds, because both sides do",
        "sender=done: !(req & on) holds, because req is false",
        "sender=done, receiver=got: [] AG !(req & on) holds, with the one step (as above)",
    ]


def test_why_it_fails():
    assert lines("EX on") == [
        "it fails: a strategy of 3 positions wins: 1 on part receiver; 2 on parts sender, receiver",
        "sender=idle, receiver=off: EX on fails, because <> on fails, and [] false & on fails",
        "sender=idle, receiver=off: <> on fails, with the one step, decided by part receiver alone",
        "receiver=off: [] false & on fails, because on is false",
    ]


def test_by_blocks():
    told = lines("AG AF ack", method="refine")
    assert "on parts sender (by blocks), receiver (by blocks)" in told[0]
    assert told[-1] == (
        "sender=idle+1, receiver=off: [] AF ack fails, by the step to sender=idle+1, receiver=off "
        "(as above)"
    )


def test_implications():
    told = lines("AG (req -> AF on)")
    assert (
        "sender=sent, receiver=off: req -> AF on fails, because req is true, and AF on fails"
        in told
    )
    assert lines("!(!req & !on)")[1].endswith(
        "!(!req & !on) fails, because req is false, and on is false"
    )


def test_cut():
    whole = lines("AG (req -> EF ack)", most=None)
    assert f"a strategy of {len(whole) - 1} positions" in whole[0]
    told = lines("AG (req -> EF ack)", most=3)
    assert told == [*whole[:4], f"... and {len(whole) - 4} more positions"]


def test_the_end_of_what_does_not_branch():
    part = PartBuilder("p", labels=["end"]).state("s0", initial=True)
    for at in range(1, 100):
        part.state(f"s{at}", *(["end"] if at == 99 else [])).step(f"s{at - 1}", f"s{at}")
    here = Composition([part.build()])
    told = strategy_lines(here, compose_check(here, "EF end", witness=True).evidence)
    assert told[0] == "it holds: a strategy of 199 positions wins on part p"
    assert len(told) == 1 + 40 + 1 + 20
    assert told[41] == "... 139 more positions, and then:"
    assert told[-1] == "p=s99: end | <> EF end holds, because end is true"


@pytest.mark.parametrize("formula", ["!a", "nu Z. !a", "nu Z. Z"])
def test_several_starts(formula):
    part = PartBuilder("p", labels=["a"]).state("s", initial=True).state("t", initial=True)
    here = Composition([part.build()])
    told = strategy_lines(here, compose_check(here, formula, witness=True).evidence)
    assert told[0] == "it holds: a strategy of 2 positions wins on part p"
    assert len(told) == 3


def test_a_label_alone():
    assert lines("!req") == [
        "it holds: a strategy of 1 position wins on part sender",
        "sender=idle: req is false",
    ]
    assert lines("true")[1:] == ["sender=idle: true"]


def test_names_that_a_terminal_should_not_see():
    part = PartBuilder("p\x1b[31m", labels=["a\tb"], actions=["go\x07"])
    part = part.state("x" * 200, initial=True).step("x" * 200, "x" * 200, "go\x07").build()
    here = Composition([part])
    verdict = compose_check(here, 'nu Z. !"a\tb" & <> Z', witness=True)
    told = "\n".join(strategy_lines(here, verdict.evidence))
    assert told.replace("\n", "").isprintable()
    assert "x" * 50 not in told
    assert r"by the step by go\x07 to p\x1b[31m=xxx" in told
