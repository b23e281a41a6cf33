"""Random plays against strategies, by the script of the page: all must be lost."""

from __future__ import annotations

import json
import shutil
import subprocess
from importlib.resources import files

NODE = shutil.which("node")
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


def played(games):
    """How many plays ended, and how often one came back to a variable."""
    script = files("pigro.render").joinpath("page", "game.js").read_text() + PLAYS
    done = subprocess.run(
        [NODE, "-e", script],
        input=json.dumps(games),
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
