"""Strategies as text."""

from __future__ import annotations

from pigro.engines.game import compose_check
from pigro.model.composition import Composition
from pigro.model.part import PartBuilder
from pigro.render.strategy import strategy_lines


def system():
    sender = PartBuilder("sender", labels=["req", "ack"])
    sender.state("idle", initial=True).state("sent", "req").state("done", "ack")
    for step in ("idle sent", "idle idle", "sent sent", "sent done", "done idle"):
        sender.step(*step.split())
    receiver = PartBuilder("receiver", labels=["ack", "on"])
    receiver.state("off", initial=True).state("got", "ack", "on")
    for step in ("off off", "off got", "got off"):
        receiver.step(*step.split())
    return Composition([sender.build(), receiver.build()])


def lines(formula, *, method="concrete", most=12):
    here = system()
    verdict = compose_check(here, formula, method=method, witness=True)
    return strategy_lines(here, verdict.evidence, most)


def test_why_it_holds():
    assert lines("AG !(req & on)") == [
        "it holds: a strategy of 16 positions wins: 4 on part sender; 2 on part receiver; "
        "10 on parts sender, receiver",
        "sender=idle, receiver=off: !(req & on) & [] AG !(req & on) holds, for both sides do",
        "sender=idle: !(req & on) holds, for req is false",
        "sender=idle, receiver=off: [] AG !(req & on) holds, whichever of 2 positions is next",
        "sender=sent, receiver=off: !(req & on) & [] AG !(req & on) holds, for both sides do",
        "receiver=off: !(req & on) holds, for on is false",
        "sender=sent, receiver=off: [] AG !(req & on) holds, whichever of 2 positions is next",
        "sender=done, receiver=got: !(req & on) & [] AG !(req & on) holds, for both sides do",
        "sender=done: !(req & on) holds, for req is false",
        "sender=done, receiver=got: [] AG !(req & on) holds, with the one step",
    ]


def test_why_it_fails():
    assert lines("EX on") == [
        "it fails: a strategy of 4 positions wins: 2 on part receiver; 2 on parts sender, receiver",
        "sender=idle, receiver=off: EX on fails, for both sides do",
        "sender=idle, receiver=off: <> on fails, with the one step, decided by part receiver alone",
        "receiver=off: [] false & on fails, for on is false",
    ]


def test_by_blocks():
    told = lines("AG AF ack", method="refine")
    assert "on parts sender (by blocks), receiver (by blocks)" in told[0]
    assert told[-1] == (
        "sender=idle+1, receiver=off: [] AF ack fails, by the step to sender=idle+1, receiver=off"
    )


def test_cut():
    told = lines("AG (req -> EF ack)", most=3)
    assert len(told) == 5
    assert told[-1] == "... and 15 more positions"
    assert len(lines("AG (req -> EF ack)", most=None)) > 12


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
