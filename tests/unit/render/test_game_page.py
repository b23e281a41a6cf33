"""The page on which a reader plays against a strategy: its data, and plays of the script."""

from __future__ import annotations

import json
import shutil
import subprocess
from importlib.resources import files

import pytest

import pigro
from pigro.evidence.game import page as game_page
from pigro.evidence.game.page import game_data
from pigro.render.html import render_html

from game_strategies import cases, strategy_for

NODE = shutil.which("node")
HOSTILE = '</script><img src=x onerror="alert(1)">\x1b[31m\u202e'
PLAYS = """
const games = JSON.parse(require("fs").readFileSync(0, "utf8"));
let seed = 1, ends = 0, rounds = 0;
const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
for (const game of games) for (let number = 0; number < 40; number++) {
  const play = newPlay(0);
  enter(play, game.starts[random(game.starts.length)]);
  goOn(game, play);
  for (let turn = 0; turn < 30 && play.end === null; turn++) {
    if (play.round !== null) {
      rounds++;
      if ((play.round % 2 === 0) !== game.holds) throw new Error(`priority ${play.round}`);
      goOn(game, play);
      continue;
    }
    const row = game.claims[play.at];
    if (row[KIND] !== "choice") throw new Error(`stuck at ${row}`);
    const after = row.slice(AFTER);
    enter(play, after[random(after.length)]);
    goOn(game, play);
  }
  if (play.end !== null && !play.end.endsWith("You lose.")) throw new Error(play.end);
  ends += play.end !== null;
}
console.log(JSON.stringify([ends, rounds]));
"""


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
    script = files("pigro.render").joinpath("page", "game.js").read_text() + PLAYS
    asked = [game_data(model, each) for seed in range(12) for _, model, _, each in cases(seed)]
    done = subprocess.run(
        [NODE, "-e", script],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    ends, rounds = json.loads(done.stdout)
    assert ends > 100
    assert rounds > 100
