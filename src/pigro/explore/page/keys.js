// Keys for everything, and the list of them.

import { el } from "./report.js";
import { choose } from "./asking.js";
import { askHere, explain, jump, stepRun, takeStep, toStart } from "./stepping.js";
import { back, byId, emit, view } from "./view.js";

const KEYS = [
  ["/", "find a component, a node or a label", () => byId("search").focus()],
  ["a", "ask a formula", () => byId("formula").focus()],
  ["m", "map of the calls", () => emit("tab", "map")],
  ["c", "graph of the component", () => emit("tab", "component")],
  ["1 to 9", "take a step", null],
  ["o", "step over calls", () => jump(false)],
  ["u", "to an exit of this component", () => jump(true)],
  ["b", "back", back],
  ["i", "to the initial state", toStart],
  ["h", "ask from here", askHere],
  ["j", "next state of the run", () => stepRun(1)],
  ["k", "state before", () => stepRun(-1)],
  ["l", "to where the loop or recursion starts", toLoop],
  ["r", "first run of the verdict", () => { const run = view.questions[view.chosen]?.runs?.[0]; if (run) emit("run", { ...run, at: 0 }); }],
  ["n", "next question", () => choose(view.chosen + 1)],
  ["p", "question before", () => choose(view.chosen - 1)],
  ["f", "colour by the next subformula", () => nextPart()],
  ["s", "colour under this stack, or whoever calls", () => emit("exact")],
  ["e", "explain at this node", explain],
  ["y", "copy a link to this view", () => byId("take-link").click()],
  ["t", "light or dark", theme],
  ["?", "these keys", help],
];
const ACTIONS = new Map(KEYS.filter(([, , act]) => act).map(([key, , act]) => [key, act]));

function toLoop() {
  const { run } = view;
  if (!run || run.path.start === null) return;
  view.run = { ...run, at: run.path.start, round: 0 };
  stepRun(0);
}

function nextPart() {
  const choices = [...document.querySelectorAll("input[name=colour]")];
  const at = choices.findIndex((each) => each.checked), next = choices[(at + 1) % choices.length];
  if (!next) return;
  next.checked = true;
  next.dispatchEvent(new Event("change"));
}

function theme() {
  const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = root.dataset.theme || (dark ? "dark" : "light");
  root.dataset.theme = now === "dark" ? "light" : "dark";
}

function help() {
  const dialog = byId("keys");
  if (dialog.open) dialog.close();
  else dialog.showModal();
}

export function setUpKeys() {
  byId("keys").append(el("h2", {}, "Keys"), el("dl", {}, ...KEYS.flatMap(([key, what]) => [el("dt", {}, key), el("dd", {}, what)])),
    el("p", { class: "dim" }, "Tab and Enter reach every place of a drawing. Tab completes a word of a formula."),
    el("button", { type: "button", on: { click: () => byId("keys").close() } }, "Close"));
  byId("theme").addEventListener("click", theme);
  byId("help").addEventListener("click", help);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const field = event.target.closest?.("input:not([type=radio]):not([type=checkbox]), textarea");
    if (field || (byId("keys").open && event.key !== "?")) return;
    if (/^[1-9]$/.test(event.key)) { takeStep(Number(event.key) - 1); event.preventDefault(); return; }
    const act = ACTIONS.get(event.key);
    if (act) { event.preventDefault(); act(); }
  });
}
