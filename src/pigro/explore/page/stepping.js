// The state at hand: its stack, its steps, the run that is stepped along, and truths of subformulas.

import { count, cut, el, name } from "./report.js";
import { api, back, bare, byId, emit, finish, go, notice, same, view } from "./view.js";

const KINDS = { call: "call", return: "return", step: "step", stays: "stays here", over: "over the call", out: "out" };
const SHOWN = 200;
const ROUNDS = 100;  // of a pump that are stepped through

export function paintState() {
  const state = view.state, now = byId("now");
  if (!state) { now.replaceChildren(); return; }
  const chips = state.labels.length ? state.labels.map((label) => el("span", { class: "chip", title: label }, el("bdi", {}, cut(label, 60))))
    : [el("span", { class: "dim" }, "no labels")];
  const tool = (label, title, click) => el("button", { type: "button", title, on: { click } }, label);
  now.replaceChildren(el("div", { class: "here" },
    el("div", { class: "where" }, name(state.name), el("span", { class: "dim" }, state.initial ? "initial" : state.exit ? "exit" : "")),
    state.position ? el("p", { class: "source-line" }, name(state.position, "position"), name(state.line || "", "code")) : null,
    el("div", { class: "chips", "aria-label": "labels" }, ...chips),
    values(state),
    el("ol", { class: "next", "aria-label": "steps from here" }, ...state.next.map(step)),
    state.left_out ? el("p", { class: "dim" }, `and ${count(state.left_out, "more step", "more steps")}`) : null,
    el("div", { class: "bar plain" }, tool("Back", "back (b)", back), tool("Over", "step over calls (o)", () => jump(false)),
      tool("Out", "to an exit of this component (u)", () => jump(true)), tool("Start", "to the initial state (i)", toStart),
      tool("Ask from here", "ask about this state (h)", askHere))));
  paintStack(state);
}

function values(state) {
  const rows = Object.entries(state.values).slice(0, 60);
  return rows.length ? el("table", { class: "values" }, el("tbody", {}, ...rows.map(([variable, value]) =>
    el("tr", {}, el("th", { scope: "row" }, name(variable, "code")), el("td", {}, name(value, "code")))))) : null;
}

function step(each, at) {
  const key = at < 9 ? `${at + 1}` : "";
  return el("li", {}, el("button", { type: "button", class: `step ${each.kind}`, title: key ? `take this step (${key})` : "take this step",
    on: { click: () => go(each) } }, el("span", { class: "key" }, key), el("span", { class: "kind" }, KINDS[each.kind]),
    name(cut(each.name, 60)), ...each.labels.slice(0, 3).map((label) => el("span", { class: "chip" }, el("bdi", {}, cut(label, 20))))));
}

function paintStack(state) {
  const list = el("ol", { class: "stack", "aria-label": "call stack, innermost first" });
  list.append(el("li", {}, name(cut(state.name, 60), "component")));
  const shown = state.frames.length, hidden = state.depth - shown;
  [...state.frames].reverse().forEach((frame, n) => {
    const depth = state.depth - 1 - n;
    list.append(el("li", {}, el("button", { type: "button", title: "show the caller",
      on: { click: () => emit("frame", { component: frame.component, stack: state.stack.slice(0, depth) }) } },
      name(cut(frame.in, 40), "component"), el("span", { class: "dim" }, " in box "), name(cut(frame.name, 40)))));
  });
  if (hidden > 0) list.append(el("li", { class: "dim" }, `and ${count(hidden, "more call", "more calls")}`));
  byId("stack").replaceChildren(list);
}

export const takeStep = (at) => view.state?.next[at] && go(view.state.next[at]);
export const toStart = () => view.model.starts[0] && go(view.model.starts[0]);

export function askHere() {
  byId("from-here").checked = true;
  byId("formula").focus();
}

// Over a call, or out of this component: where several exits can be reached, all are offered.
export async function jump(out) {
  let told;
  try {
    told = await api("over", { ...bare(view.state), out });
  } catch (error) {
    notice(error.message);
    return;
  }
  if (told.next.length === 1) { go(told.next[0]); return; }
  if (!told.next.length) { notice(out ? "No run from here reaches an exit." : "No call from here returns."); return; }
  const list = byId("now").querySelector(".next");
  view.state.next = told.next;
  list.replaceChildren(...told.next.map(step));
  list.querySelector("button").focus();
}

// The run of a verdict.
export function showRun(run) {
  view.run = run;
  stepRun(0);
}

// After the last state of a loop comes its start. The last state of a pump is the start of the next round, which is deeper.
export function stepRun(by) {
  const { run } = view;
  if (!run) return;
  const { ends, start } = run.path, last = run.states.length - 1;
  let at = run.at + by, round = run.round || 0;
  if (ends === "loop" && at > last) { at = start; round++; }
  else if (ends === "loop" && round && at < start) { at = last; round--; }
  else if (ends === "pump" && at > last && round < ROUNDS) { at = start + 1; round++; }
  else if (ends === "pump" && round && at <= start) { at = last; round--; }
  at = Math.max(0, Math.min(last, at));
  view.run = { ...run, at, round, left: false };
  if (run.deep) paintRun();
  else go(inRound(view.run), { run: true });
}

// The state at hand of a run. In later rounds of a pump, all that its rounds have put on the stack is below.
export function inRound({ states, at, path, round }) {
  if (path.ends !== "pump" || !round) return states[at];
  const start = states[path.start].stack, more = states[states.length - 1].stack.slice(start.length);
  const below = Array.from({ length: round }, () => more).flat();
  return { node: states[at].node, stack: [...start, ...below, ...states[at].stack.slice(start.length)] };
}

export function paintRun() {
  const { run } = view;
  byId("run-card").hidden = !run;
  if (!run) return;
  byId("run-title").textContent = `Run of ${count(run.states.length, "state", "states")}`
    + (run.round ? `, round ${run.round + 1}` : "") + (run.left ? ", left by hand" : "");
  const first = Math.max(0, Math.min(run.at - SHOWN / 2, run.states.length - SHOWN));
  const rows = run.states.slice(first, first + SHOWN).map((each, n) => row(run, each, first + n));
  if (first > 0) rows.unshift(el("li", { class: "dim" }, `… ${count(first, "state", "states")} before`));
  const after = run.states.length - first - SHOWN;
  if (after > 0) rows.push(el("li", { class: "dim" }, `… ${count(after, "more state", "more states")}`));
  if (run.path.end) rows.push(el("li", { class: `end ${run.path.ends}` }, el("bdi", {}, run.path.end)));
  byId("run").replaceChildren(...rows);
  const here = byId("run").querySelector("[aria-current]");
  if (here) byId("run").scrollTop = here.offsetTop - byId("run").clientHeight / 2;
}

function row(run, each, at) {
  const round = (run.path.ends === "loop" || run.path.ends === "pump") && at >= run.path.start;
  const starts = round && at === run.path.start;
  const made = el("li", { class: round ? `round ${run.path.ends}` : null, "aria-current": at === run.at && !run.left ? "step" : null },
    el("button", { type: "button", on: { click: () => { view.run = { ...run, at, round: 0 }; stepRun(0); } } },
      el("span", { class: "number" }, String(at)), el("span", { class: "deep", "aria-label": `depth ${each.depth}` }, "· ".repeat(Math.min(each.depth, 12))),
      name(cut(each.name, 60)),
      starts ? el("span", { class: `tag ${run.path.ends}` }, run.path.ends === "loop" ? "loop starts" : "recursion starts") : null));
  return made;
}

// Subformulas of the question: choose one to colour by, and see where they are true here.
let parsed = { formula: null, parts: [] }, explained = null;
export async function paintTruth() {
  const question = view.questions[view.chosen], place = byId("truth");
  if (!question || question.state === "error") { place.replaceChildren(el("p", { class: "dim pad" }, "Ask a formula to see where its parts are true.")); return; }
  if (parsed.formula !== question.formula) {
    const told = await api("parse", { formula: question.formula }).catch(() => ({ parts: [] }));
    if (view.questions[view.chosen] !== question) return; // the call for the formula that was chosen meanwhile paints it
    parsed = { formula: question.formula, parts: told.parts };
    explained = null;
  }
  const rows = parsed.parts.map((part, at) => {
    const known = explained && explained.node === view.state?.node && explained.rows[at];
    return el("li", {}, el("label", {}, el("input", { type: "radio", name: "colour", value: String(at),
      ...(view.colour === part ? { checked: "" } : {}), on: { change: () => emit("colour", part) } }), name(cut(part, 120), "code")),
      known ? el("span", { class: `key truth-${known.truth.replace(" ", "-")}` }, known.truth) : null,
      ...(known ? [["true_in", "a stack where it is true"], ["false_in", "a stack where it is false"]].filter(([side]) => known[side]).map(([side, text]) =>
        el("button", { type: "button", class: "link", on: { click: () => go(known[side]) } }, text)) : []));
  });
  const none = el("li", {}, el("label", {}, el("input", { type: "radio", name: "colour", value: "none", ...(view.colour ? {} : { checked: "" }),
    on: { change: () => emit("colour", null) } }), "no colours"));
  place.replaceChildren(el("ul", { class: "parts", "aria-label": "subformulas" }, ...rows, none),
    el("div", { class: "bar plain" }, el("button", { type: "button", title: "the truth of each part at this node (e)",
      on: { click: explain } }, "Explain at this node")));
}

export async function explain() {
  const question = view.questions[view.chosen], state = view.state;
  if (!question || !state) return;
  let told;
  try {
    told = await finish(await api("explain", { formula: question.formula, node: state.node, timeout: Number(byId("limit").value) }));
  } catch (error) {
    told = { state: "error", text: error.message };
  }
  if (told.state !== "done") { notice(told.text || told.state); return; }
  if (view.questions[view.chosen] !== question) return; // the rows are those of another formula
  explained = { node: state.node, rows: told.rows };
  paintTruth();
}
