// The page: which verdict, which line, what is folded; and the keys.

const ROW = 28, MOST_INDENT = 10;
const data = JSON.parse(document.getElementById("data").textContent);
const depths = frameDepths(data.frames);
const app = document.getElementById("app");
const part = {};
const view = { verdict: null, runs: [], rows: [], selected: -1, frame: null, atoms: new Set(),
               drawing: null, drawings: new Map() };

const KEYS = [
  ["→ or j", "next line of the run"], ["← or k", "line before"],
  ["Home, End", "first and last line"], ["Enter", "fold or unfold a call"],
  ["+ and −", "unfold, fold all calls"], ["l", "to where the loop or recursion starts"],
  ["n and p", "next and previous verdict"], ["t", "light or dark"], ["?", "these keys"],
];

function build() {
  const icon = (label, text, click) =>
    el("button", { type: "button", title: label, "aria-label": label, on: { click } }, text);
  part.list = el("div", { class: "list", role: "tree", tabindex: "0", "aria-label": "run" });
  part.space = el("div", { class: "space", role: "presentation" });
  part.list.append(part.space);
  part.nav = el("nav", { class: "verdicts", "aria-label": "verdicts" });
  for (const each of ["head", "why", "game", "here", "stack", "formula", "picture", "caption", "values"])
    part[each] = el("div", { class: each });
  part.picture.setAttribute("tabindex", "0");
  part.keys = el("dialog", { class: "keys", "aria-label": "keys" }, el("h2", {}, "Keys"),
    el("dl", {}, ...KEYS.flatMap(([key, what]) => [el("dt", {}, key), el("dd", {}, what)])),
    el("button", { type: "button", on: { click: () => part.keys.close() } }, "Close"));
  const bar = el("div", { class: "bar" }, el("h2", {}, "Run"), el("span", { class: "push" }),
    icon("one line back (k)", "←", () => step(-1)), icon("one line on (j)", "→", () => step(1)),
    icon("unfold all calls (+)", "Unfold", () => foldAll(false)),
    icon("fold all calls (−)", "Fold", () => foldAll(true)));
  const card = (title, kind, ...children) => el("section", { class: `card ${kind}` },
    title ? el("h2", {}, title) : null, ...children);
  app.append(
    el("header", {}, el("strong", { class: "brand" }, "Pigro"), name(data.source, "source"),
      el("span", { class: "dim" }, data.facts), el("span", { class: "push" }),
      icon("light or dark (t)", "◐", toggleTheme), icon("keys (?)", "?", toggleKeys)),
    part.nav,
    el("main", {}, el("section", { class: "verdict" }, part.head, part.why),
      part.body = el("div", { class: "body" },
        el("section", { class: "card run" }, bar, part.list),
        el("section", { class: "card drawing" }, part.caption, part.picture),
        el("div", { class: "side" }, card(null, "now", part.here),
          part.calls = card("Call stack", "calls", part.stack), part.tree = card("Formula in this state", "tree", part.formula)),
        part.variables = card("Variables by step", "variables", part.values)), part.game),
    part.keys);
  part.list.addEventListener("scroll", () => requestAnimationFrame(paint), { passive: true });
  part.list.addEventListener("click", clicked);
  part.picture.addEventListener("click", pictureClicked);
  new ResizeObserver(paint).observe(part.list);
  document.addEventListener("keydown", pressed);
}

function buildNav() {
  part.nav.hidden = data.verdicts.length < 2;
  data.verdicts.forEach((verdict, at) => part.nav.append(
    el("button", { type: "button", on: { click: () => show(at) } },
      el("span", { class: `word ${verdict.word}` }, verdict.word), name(verdict.formula, "code"))));
}

function show(at) {
  const verdict = data.verdicts[at];
  Object.assign(view, { verdict, at, frame: null, drawing: null, selected: -1,
    drawings: new Map(), atoms: new Set(verdict.atoms), runs: makeRuns(verdict, depths) });
  [...part.nav.children].forEach((each, n) =>
    (n === at ? each.setAttribute("aria-current", "true") : each.removeAttribute("aria-current")));
  part.nav.children[at]?.scrollIntoView({ block: "nearest", inline: "nearest" });
  part.head.replaceChildren(
    el("h1", {}, el("span", { class: `word ${verdict.word}` }, verdict.word),
      name(verdict.formula, "code")),
    el("p", {}, el("bdi", {}, verdict.reason), el("span", { class: "dim" }, ` (${verdict.cost})`)));
  const why = whyPanel(verdict, goTo);
  part.why.replaceChildren(...(why ? [why] : []));
  part.game.replaceChildren(...(verdict.game ? [gamePanel(verdict.game)] : []),
    ...(verdict.text ? [el("pre", {}, verdict.text)] : []));
  part.body.hidden = !verdict.evidence.length;
  part.body.classList.toggle("no-run", !view.runs.length);
  part.variables.hidden = true;
  part.tree.hidden = verdict.game !== null && !verdict.tree.length;
  refresh();
  if (view.runs.length) select(view.rows.findIndex(selectable));
  else if (verdict.evidence.length) showState(...verdict.evidence[0].state, null, null);
}

// Whether a node is a state of a run that is drawn by itself: composed, or made by a program.
const isChain = (node) => node >= 0 && !data.components[data.nodes[node][0]].name;
const selectable = (row) => row.type === STATE || row.type === FOLD;

function rowOf(run, at) {
  const exact = view.rows.findIndex((row) => row.type === STATE && row.run === run && row.at === at);
  if (exact >= 0) return exact;
  return view.rows.findIndex((row) => row.type === FOLD && row.run === run && row.call.folded
    && row.call.first <= at && at <= row.call.end);
}

function refresh() {
  view.rows = makeRows(view.verdict);
  part.space.style.height = `${view.rows.length * ROW}px`;
  paint();
}

// Only the lines on the screen are in the page.
function paint() {
  const top = part.list.scrollTop, tall = part.list.clientHeight || 600;
  const first = Math.max(0, Math.floor(top / ROW) - 8);
  const last = Math.min(view.rows.length, Math.ceil((top + tall) / ROW) + 8);
  const lines = [];
  for (let at = first; at < last; at++) lines.push(line(at));
  part.space.replaceChildren(...lines);
  const current = view.selected >= first && view.selected < last;
  if (current) part.list.setAttribute("aria-activedescendant", `row${view.selected}`);
  else part.list.removeAttribute("aria-activedescendant");
}

function line(at) {
  const row = view.rows[at];
  const made = el("div", { class: "row", id: `row${at}`, role: "treeitem", "data-row": at });
  made.style.top = `${at * ROW}px`;
  if (at === view.selected) made.setAttribute("aria-selected", "true");
  if (row.type === NOTE || row.type === RUN) {
    made.classList.add(row.type === RUN ? "title" : "note");
    made.append(...sentence(row.item || row.run.item, goTo));
    made.title = made.textContent;
    return made;
  }
  gutter(made, row);
  if (row.type === END) endLine(made, row.run);
  else if (row.type === FOLD) foldLine(made, row);
  else stateLine(made, row);
  return made;
}

// Goes to a state of a run, out of folded calls.
function goTo(run, at = 0) {
  for (let call = run.inside[at]; call >= 0; call = run.calls[call].parent) run.calls[call].folded = false;
  refresh();
  select(rowOf(run, at));
  part.list.focus();
}

// The number of the state, and the line that leads back to the start of a loop or recursion.
function gutter(made, { run, at, type, call }) {
  const { start, ends, end } = run.path;
  const round = (ends === "loop" || ends === "pump") && at >= start;
  const kinds = ["back"];
  if (round) {
    const begins = at === start && type !== END && (type === FOLD || run.calls.every(
      (each) => !(each.returned && each.first === at)));
    kinds.push(type === END ? "last" : begins ? "first" : "inside", ends);
  }
  const number = type === END ? "" : type === FOLD && call.folded && call.end > call.first
    ? `${at}–${call.end}` : type === FOLD ? "" : String(at);
  made.append(el("span", { class: kinds.join(" "), "aria-hidden": "true" }),
    el("span", { class: "number" }, number));
}

function indent(made, depth) {
  const shown = Math.min(depth, MOST_INDENT);
  for (let n = 0; n < shown; n++) made.append(el("span", { class: "guide", "aria-hidden": "true" }));
  if (depth > shown) made.append(el("span", { class: "dim deep" }, `+${depth - shown}`));
  made.setAttribute("aria-level", depth + 1);
}

function stateLine(made, { run, at }) {
  const { path } = run, node = path.nodes[at], frame = path.frames[at];
  made.classList.add("state");
  indent(made, depths[frame] - run.lowest);
  made.append(name(stateName(data, path, at)));
  const call = run.inside[at] >= 0 ? run.calls[run.inside[at]] : null;
  if (call && call.first === at && !call.returned && !path.configurations.length)
    made.append(el("span", { class: "by" }, "called by ", name(data.boxes[data.frames[1][frame]][1])));
  if (at in path.marks) made.append(el("span", { class: "by" }, `from here: ${path.marks[at]}`));
  const { fresh, gone } = changes(data, node, at ? path.nodes[at - 1] : null);
  const now = at ? fresh : data.nodes[node][3];
  const atoms = (labels) => labels.filter((each) => view.atoms.has(each));
  const chips = el("span", { class: "chips" });
  for (const each of atoms(now)) chips.append(labelChip(data, each, view.atoms, at ? "new" : null));
  for (const each of atoms(gone)) chips.append(labelChip(data, each, view.atoms, "gone"));
  made.append(chips);
  const before = at ? stateSource(data, path, at - 1) : null, here = stateSource(data, path, at);
  if (here && here.title !== before?.title) made.append(here);
  const { start, ends } = path;
  if (start === at && ends === "loop") made.append(el("span", { class: "tag loop" }, "loop starts"));
  if (start === at && ends === "pump") made.append(el("span", { class: "tag pump" }, "recursion starts"));
}

function foldLine(made, { run, call }) {
  const frame = run.path.frames[call.first], [, box, callee] = data.boxes[data.frames[1][frame]];
  made.classList.add("fold");
  made.setAttribute("aria-expanded", String(!call.folded));
  indent(made, call.depth - 1 - run.lowest);
  made.append(el("span", { class: "arrow", "aria-hidden": "true" }, call.folded ? "▸" : "▾"),
    el("span", {}, "call ", name(box), " of ", name(callee)),
    el("span", { class: "dim" }, `${count(call.end - call.first + 1, "state", "states")}, returned`));
}

function endLine(made, run) {
  const { start, ends, end } = run.path;
  made.classList.add("end", ends);
  const sign = { loop: "↺ ", pump: "↧ " }[ends] || "";
  made.append(start === null ? el("bdi", {}, end) : el("button", { type: "button", class: "link",
    title: `to state ${start}`, on: { click: () => goTo(run, start) } }, sign, el("bdi", {}, end)));
  made.title = end;
}

function select(at) {
  if (at < 0 || !view.rows[at]) return;
  view.selected = at;
  view.frame = null;
  const top = at * ROW, tall = part.list.clientHeight;
  if (top < part.list.scrollTop + ROW) part.list.scrollTop = top - 2 * ROW;
  else if (top > part.list.scrollTop + tall - 3 * ROW) part.list.scrollTop = top - tall + 3 * ROW;
  paint();
  const { run, at: where } = view.rows[at], { path } = run;
  showState(path.nodes[where], path.frames[where], path.truths[where], run, where);
}

function showState(node, frame, truths, run, at) {
  const before = run && at ? run.path.nodes[at - 1] : null;
  const last = run ? run.path.nodes.length - 1 : 0;
  const place = run ? `state ${at.toLocaleString("en")} (0–${last.toLocaleString("en")})` : "the first state";
  part.here.replaceChildren(
    el("div", { class: "where" }, name(run ? stateName(data, run.path, at) : fullName(data, node)), el("span", { class: "dim" }, place)),
    (run ? stateSource(data, run.path, at) : nodeSource(data, node)) || "", labelsPanel(data, node, before, view.atoms));
  part.variables.hidden = !run || !Object.keys(data.values).length;
  if (!part.variables.hidden) {
    part.values.replaceChildren(valuesPanel(data, run, at, goTo));
    showColumn(part.variables, part.values.querySelector("th.here"));
  }
  part.calls.hidden = isChain(node);
  part.variables.querySelector("h2").textContent = isChain(node) ? "Parts by step" : "Variables by step";
  const contexts = run ? run.path.contexts : {};
  part.stack.replaceChildren(stackPanel(data, node, frame, contexts, view.frame, (chosen) => {
    view.frame = chosen;
    showState(node, frame, truths, run, at);
  }));
  part.formula.replaceChildren(treePanel(view.verdict, view.verdict.truths[truths]));
  draw(view.frame === null ? data.nodes[node][4] : ~data.frames[1][view.frame], run, at);
}

// The component of a place, with what the run touches, and the place itself marked.
function draw(current, run, at) {
  const number = current < 0 ? data.boxes[~current][0] : data.nodes[current][0];
  const component = data.components[number], key = component.whole ? `c${number}` : `p${current}`;
  const known = view.drawings.get(key) || drawComponent(data, number, current, view.atoms);
  if (component.whole) view.drawings.set(key, known);
  if (view.drawing !== known) {
    view.drawing = known;
    part.picture.replaceChildren(known.picture);
    known.scale = fit(known.picture);
  }
  const seen = run ? (run.touched ??= touched(data, run)) : { places: new Map(), edges: new Set() };
  for (const [place, node] of view.drawing.nodes) {
    const visits = seen.places.get(place) || [];
    node.group.classList.toggle("seen", visits.length > 0);
    node.group.classList.toggle("current", place === current);
    node.visits.textContent = visits.length > 2 ? `×${visits.length}` : visits.join(", ");
  }
  for (const [edge, group] of view.drawing.edges) group.classList.toggle("seen", seen.edges.has(edge));
  const words = component.whole ? null : ` has ${component.size.toLocaleString("en")} nodes; drawn is what lies at most two steps from ${placeName(data, current)}`;
  part.caption.replaceChildren(el("h2", {}, ...(isChain(current) ? ["States of the run"]
    : ["Component ", name(component.name, "component")]),
    words ? el("span", { class: "dim" }, words) : null));
  centre(view.drawing.nodes.get(current));
}

// Small drawings are enlarged a little, large ones reduced, as long as they can be read.
function fit(picture) {
  const { width, height } = picture.viewBox.baseVal, { clientWidth, clientHeight } = part.picture;
  const scale = Math.min(1.3, Math.max(0.75, Math.min(clientWidth / width, clientHeight / height)));
  picture.setAttribute("width", width * scale);
  picture.setAttribute("height", height * scale);
  return scale;
}

function centre({ x, y }) {
  x *= view.drawing.scale;
  y *= view.drawing.scale;
  const { clientWidth, clientHeight, scrollLeft, scrollTop } = part.picture;
  if (x < scrollLeft + 80 || x > scrollLeft + clientWidth - 80)
    part.picture.scrollLeft = x - clientWidth / 2;
  if (y < scrollTop + 60 || y > scrollTop + clientHeight - 60)
    part.picture.scrollTop = y - clientHeight / 2;
}

function step(by) {
  let at = view.selected + by;
  while (view.rows[at] && !selectable(view.rows[at])) at += by;
  select(at);
}

function toEnd(by) {
  const rows = view.rows;
  let at = by < 0 ? 0 : rows.length - 1;
  while (rows[at] && !selectable(rows[at])) at -= by;
  select(at);
}

// Folds or unfolds the call of the selected line; a state's is the one around it.
function toggleFold() {
  const row = view.rows[view.selected];
  if (!row) return;
  const call = row.type === FOLD ? row.call : returnedCall(row.run, row.at);
  if (!call) return;
  call.folded = !call.folded;
  refresh();
  select(view.rows.findIndex((each) => each.type === FOLD && each.call === call));
}

function foldAll(folded) {
  const row = view.rows[view.selected];
  for (const run of view.runs) for (const call of run.calls) call.folded = folded && call.returned;
  refresh();
  if (row) select(rowOf(row.run, row.at));
}

function clicked(event) {
  const made = event.target.closest("[data-row]");
  if (!made || event.target.closest("button")) return;
  const at = Number(made.dataset.row);
  if (!selectable(view.rows[at])) return;
  select(at);
  if (view.rows[at].type === FOLD) toggleFold();
}

// A click on a place that the run touches goes to the next state there.
function pictureClicked(event) {
  const group = event.target.closest("[data-place]"), row = view.rows[view.selected];
  if (!group || !row) return;
  const visits = (row.run.touched ??= touched(data, row.run)).places.get(Number(group.dataset.place));
  if (visits) goTo(row.run, visits.find((at) => at > row.at) ?? visits[0]);
}

function toggleTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

function toggleKeys() {
  if (part.keys.open) part.keys.close();
  else part.keys.showModal();
}

function toStart() {
  const row = view.rows[view.selected];
  if (row && row.run.path.start !== null) goTo(row.run, row.run.path.start);
}

const ACTIONS = {
  ArrowRight: () => step(1), j: () => step(1), ArrowDown: () => step(1),
  ArrowLeft: () => step(-1), k: () => step(-1), ArrowUp: () => step(-1),
  Home: () => toEnd(-1), End: () => toEnd(1), Enter: toggleFold,
  "+": () => foldAll(false), "-": () => foldAll(true), l: toStart,
  n: () => show(Math.min(view.at + 1, data.verdicts.length - 1)), p: () => show(Math.max(view.at - 1, 0)),
  t: toggleTheme, "?": toggleKeys,
};

function pressed(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || !Object.hasOwn(ACTIONS, event.key)) return;
  if (part.keys.open && event.key !== "?") return;
  if (event.key === "Enter" && event.target.closest("button")) return;
  if (event.key.startsWith("Arrow") && event.target === part.picture) return;
  event.preventDefault();
  ACTIONS[event.key]();
}

build();
buildNav();
if (data.verdicts.length) show(0);
part.list.focus({ preventScroll: true });
document.documentElement.dataset.ready = "yes";
