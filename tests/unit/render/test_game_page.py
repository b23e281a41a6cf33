"""The page on which a reader plays against a strategy: its data, and plays of the script."""

from __future__ import annotations

import pytest

import pigro
from pigro.evidence.game import page as game_page
from pigro.evidence.game.page import game_data
from pigro.render.html import render_html

from support.judges.game_plays import NODE, played
from support.judges.game_strategies import cases, strategy_for

HOSTILE = '</script><img src=x onerror="alert(1)">\x1b[31m\u202e'


def hostile():
    model = pigro.kripke({HOSTILE: [HOSTILE, "b"], "b": []}, labels={HOSTILE: ["p"]}, initial="b")
    return model.with_initial([model.find(f"kripke:{HOSTILE}")])


def test_names_stay_names():
    model = hostile()
    verdict = pigro.check(model, "nu X. mu Y. <> (p & X | Y)", witness=True)
    page = render_html(model, [verdict]).decode()
    assert page.count("</script>") == 2, "the data and the script end once each"
    assert "<img" not in page
    assert "\x1b" not in page
    assert "\u202e" not in page


def test_a_game_that_is_too_large_is_left_out(monkeypatch):
    model = hostile()
    strategy = strategy_for(model, "nu X. mu Y. <> (p & X | Y)")
    monkeypatch.setattr(game_page, "MOST", 3)
    assert game_data(model, strategy) == {"holds": True, "size": len(strategy), "claims": []}


@pytest.mark.skipif(NODE is None, reason="no node on PATH")
def test_every_play_is_lost():
    asked = [game_data(model, each) for seed in range(12) for _, model, _, each in cases(seed)]
    ends, rounds = played(asked)
    assert ends > 100
    assert rounds > 100
