"""Compositions asked from Python: `compose_check` and `check`."""

from __future__ import annotations

from pathlib import Path

import pytest

import pigro
from pigro.formats.parts import load_parts, together

HANDSHAKE = str(Path(__file__).resolve().parents[4] / "examples" / "handshake.parts")
HOLDS, FAILS = "EF busy", "AG (request -> busy)"


def composition():
    """As on the command line."""
    return pigro.Composition(together([load_parts(HANDSHAKE)])[0])


def test_check_takes_compositions():
    whole = composition()
    verdict = pigro.check(whole, HOLDS, strict=True, timeout=10, witness=True)
    assert isinstance(verdict, pigro.Verdict)
    assert (verdict.holds, verdict.details.decided_by) == (True, ("client", "server"))
    assert verdict.evidence is not None
    assert pigro.check(whole, FAILS, engine="game").outcome == "fails"
    with pytest.warns(UserWarning, match="1 label is seen by no part"):
        pigro.check(whole, "EF zebra")


def test_parts_are_composed_if_need_be():
    client, server = composition().parts
    for ask in (pigro.compose_check, pigro.check):
        assert ask([client, server], HOLDS).details.decided_by == ("client", "server")
        assert ask(client, "AG !(request & happy)").reason == "there is one part only"
        with pytest.raises(pigro.ModelError, match="a str is not a part"):
            ask(["client"], HOLDS)
        with pytest.raises(pigro.UsageError, match="formula can't be of type int"):
            ask(client, 3)
    with pytest.raises(pigro.ModelError, match="a int is not a list of parts"):
        pigro.compose_check(3, HOLDS)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"limits": 3}, "limits can't be 3"),
        ({"method": 3}, "there is no method 3"),
        ({"dead_ends": 3}, "dead ends of a composition can't be 3"),
    ],
)
def test_options_of_a_wrong_type(options, words):
    with pytest.raises(pigro.UsageError, match=words):
        pigro.compose_check(composition(), HOLDS, **options)
    with pytest.raises(pigro.UsageError, match="timeout can't be '3'"):
        pigro.check(composition(), HOLDS, timeout="3")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"engine": "demand"}, "engine demand checks models, not compositions"),
        ({"depth": 3}, "depth is for models, not for compositions"),
        ({"certify": True}, "certify is for models, not for compositions"),
        ({"verify": True}, "verify is for models, not for compositions"),
    ],
)
def test_check_refuses_options_that_are_not_for_compositions(options, words):
    with pytest.raises(pigro.UsageError, match=words):
        pigro.check(composition(), HOLDS, **options)
    with pytest.raises(pigro.UsageError, match=words):
        pigro.check_all(composition(), [HOLDS], **options)


def test_models_have_no_actions():
    model = pigro.kripke({"a": ["a"]}, labels={}, initial="a")
    with pytest.raises(pigro.CheckError, match="models have no actions") as caught:
        pigro.check(model, "<a> true")
    assert caught.value.code == "P410"
