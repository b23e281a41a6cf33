// The game of a formula: the reader plays the losing side, and the strategy answers. Text only, never markup.

const MOST_STEPS = 2000;
const PLACE = 0, FORMULA = 1, SAYS = 2, KIND = 3, NUMBER = 4, AFTER = 5;

// A play: the position, the calls that have not returned, and all positions so far.
function newPlay(at) {
  return { at, calls: [], trail: [], end: null, round: null, checked: 0 };
}

// Goes to a position; the play remembers it with the depth of its calls.
function enter(play, at) {
  play.at = at;
  play.trail.push({ at, depth: play.calls.length });
}

// The number in the trail of an earlier visit that this one repeats: the play was never lower since then.
function repeated(play) {
  const last = play.trail.length - 1, { at } = play.trail[last];
  let lowest = play.trail[last].depth;
  for (let before = last - 1; before >= 0; before--) {
    lowest = Math.min(lowest, play.trail[before].depth);
    if (play.trail[before].at === at && play.trail[before].depth <= lowest) return before;
  }
  return -1;
}

function largestPriority(game, play, from) {
  const seen = play.trail.slice(from).map(({ at }) => game.claims[at])
    .filter((row) => row[KIND] === "variable").map((row) => row[NUMBER]);
  return Math.max(0, ...seen);
}

// One step that is not the reader's; false if the reader must choose, or the play is over.
function answer(game, play) {
  const row = game.claims[play.at], after = row.slice(AFTER);
  if (row[KIND] === "label") play.end = `The play ends: ${row[SAYS]}. You lose.`;
  else if (row[KIND] === "choice" && !after.length) play.end = "You can't move. You lose.";
  else if (row[KIND] === "choice" && after.length > 1) return false;
  else if (row[KIND] === "exit") {
    const call = game.claims[play.calls.pop()], next = call[AFTER + 1 + row[NUMBER]];
    if (next < 0) play.end = "A dead end: you can't move. You lose.";
    else enter(play, next);
  } else {
    if (row[KIND] === "call") play.calls.push(play.at);
    enter(play, after[0]);
  }
  return play.end === null;
}

// Goes on to the next choice of the reader, the end, or a variable at which the play was before.
function goOn(game, play) {
  play.round = null;
  for (let step = 0; step < MOST_STEPS; step++) {
    if (play.checked < play.trail.length) {
      play.checked = play.trail.length;
      const before = game.claims[play.at][KIND] === "variable" ? repeated(play) : -1;
      if (before >= 0) {
        play.round = largestPriority(game, play, before);
        return;
      }
    }
    if (!answer(game, play)) return;
  }
}

function gamePanel(game) {
  const panel = el("section", { class: "card playing", "aria-label": "game" });
  if (!game.claims.length) {
    panel.append(el("h2", {}, "Game"), el("p", {},
      `The strategy has ${game.size.toLocaleString("en")} positions, too many for this page.`));
    return panel;
  }
  const moves = []; // the reader's, to play them again
  let play = null;
  const begin = () => {
    play = newPlay(0);
    enter(play, game.starts[0]);
    goOn(game, play);
    for (const move of moves) apply(move);
  };
  const apply = (move) => {
    if (move >= 0) enter(play, move);
    goOn(game, play);
  };
  const choose = (move) => {
    moves.push(move);
    apply(move);
    draw();
  };
  const button = (text, click, kind) =>
    el("button", { type: "button", class: kind || "", on: { click } }, ...[text].flat());
  const log = el("ol", { class: "log", "aria-live": "polite", tabindex: "0", "aria-label": "play" });
  const turn = el("div", { class: "turn" });

  function draw() {
    const shown = play.trail.slice(-200);
    log.start = play.trail.length - shown.length + 1;
    log.replaceChildren(...shown.map(({ at, depth }) => {
      const row = game.claims[at], mine = row[KIND] === "choice";
      return el("li", { class: mine ? "mine" : row[KIND] },
        el("span", { class: "dim" }, "· ".repeat(Math.min(depth, 10))), name(row[PLACE]), " ",
        name(row[SAYS], "code"),
        row[KIND] === "variable" ? el("span", { class: "dim" }, ` (priority ${row[NUMBER]})`) : null);
    }));
    log.scrollTop = log.scrollHeight;
    turn.replaceChildren(...yourTurn());
  }

  function yourTurn() {
    const row = game.claims[play.at];
    if (play.end !== null) return [el("p", { class: "end" }, play.end)];
    if (play.round !== null) {
      const even = play.round % 2 === 0 ? "even" : "odd";
      return [el("p", { class: "end" }, "The play was here before. The largest priority since then is "
        + `${play.round}, which is ${even}. If it goes on like this forever, you lose.`),
        button("Go on", () => choose(-1))];
    }
    if (row[KIND] !== "choice") return [button("Go on", () => choose(-1))];
    const after = row.slice(AFTER);
    const steps = after.every((each) => game.claims[each][FORMULA] === game.claims[after[0]][FORMULA]);
    return [el("p", {}, "Your turn:"), ...after.map((each) =>
      button(steps ? ["to ", name(game.claims[each][PLACE])] : name(game.texts[game.claims[each][FORMULA]], "code"),
        () => choose(each), "choice"))];
  }

  const side = game.holds ? ["fails", "& and []"] : ["holds", "| and <>"];
  panel.append(el("h2", {}, "Game"),
    el("p", {}, `You say that the formula ${side[0]}, and choose at ${side[1]}. The strategy answers.`),
    log, turn, el("div", { class: "bar" },
      button("Take back", () => { moves.pop(); begin(); draw(); }),
      button("Begin again", () => { moves.length = 0; begin(); draw(); })));
  begin();
  draw();
  return panel;
}
