// Puts the parts of the page together.

import { ask, copy, paint as paintQuestions, save, setUpField } from "./asking.js";
import { drawGraph } from "./component.js";
import { setUpKeys } from "./keys.js";
import { setUpSearch } from "./finding.js";
import { drawMap } from "./map.js";
import { paintRun, paintState, paintTruth, showRun, stepRun } from "./stepping.js";
import { api, byId, chooseComponent, emit, go, notice, on, savedView, saveView, view } from "./view.js";

const PICTURE = ["fill", "stroke", "stroke-width", "font", "text-anchor", "opacity", "stroke-dasharray"];

let drawing = Promise.resolve();
function draw() {
  for (const tab of ["map", "component"]) byId(`tab-${tab}`).setAttribute("aria-selected", String(view.tab === tab));
  if (view.component === null) return;
  drawing = view.tab === "map" ? drawMap() : drawGraph();
}

on("component", () => { if (view.tab === "map") draw(); });
on("tab", (tab) => { view.tab = tab; draw(); saveView(); });
on("state", () => { notice(""); paintState(); paintRun(); paintTruth(); draw(); saveView(); });
on("question", () => { paintTruth(); const question = view.questions[view.chosen]; view.run = null; if (question?.runs?.length) showRun({ ...question.runs[0], at: 0 }); else paintRun(); });
on("run", (run) => showRun(run));
on("frame", (frame) => { view.component = frame.component; view.tab = "component"; draw(); });
on("colour", (formula) => { view.colour = formula; if (formula) view.tab = "component"; paintTruth(); draw(); saveView(); });
on("exact", () => { view.exact = !view.exact; draw(); saveView(); });

// The drawing as a file that needs no style sheet.
function takeDrawing() {
  const from = byId("picture").querySelector("svg");
  if (!from) return;
  const made = from.cloneNode(true), all = [...from.querySelectorAll("*")];
  [...made.querySelectorAll("*")].forEach((each, at) => {
    const style = getComputedStyle(all[at]);
    for (const key of PICTURE) if (style.getPropertyValue(key)) each.setAttribute(key === "font" ? "style" : key, key === "font" ? `font: ${style.font}` : style.getPropertyValue(key));
  });
  const text = new XMLSerializer().serializeToString(made);
  save(new Blob([text], { type: "image/svg+xml" }), `${view.tab}.svg`);
}

async function load() {
  const model = await api("model", { known: view.model?.number });
  const again = view.model && view.model.number !== model.number;
  if (model.problem && model.problem !== view.model?.problem) notice(`The file can't be read again:\n${model.problem}`);
  if (view.model && !again) { view.model.problem = model.problem; return; }
  view.model = model;
  byId("source").textContent = model.source;
  byId("facts").textContent = model.facts || "states are computed on demand: ask, but no drawing";
  document.title = `${model.source} - Pigro`;
  if (!again) return;
  view.trail = [];
  view.run = null;
  const asked = view.questions.splice(0);
  if (model.listed) await go(model.starts[0], { keep: true });
  for (const each of asked) if (!each.from) await ask(each.formula);
}

async function begin() {
  setUpKeys();
  setUpSearch();
  setUpField();
  for (const tab of ["map", "component"]) byId(`tab-${tab}`).addEventListener("click", () => emit("tab", tab));
  byId("take-svg").addEventListener("click", takeDrawing);
  byId("take-link").addEventListener("click", () => { saveView(); copy(location.href); });
  byId("run-back").addEventListener("click", () => stepRun(-1));
  byId("run-on").addEventListener("click", () => stepRun(1));
  await load();
  byId("limit").value = view.model.timeout;
  const saved = savedView();
  Object.assign(view, { tab: saved.tab || "map", colour: saved.colour, exact: saved.exact });
  if (view.model.listed) {
    if (saved.state) await go(saved.state);
    if (!view.state) await go(view.model.starts[0]);
  }
  paintTruth();
  await drawing;
  document.documentElement.dataset.ready = "yes";
  for (const formula of saved.formulas.length ? saved.formulas : view.model.formulas.slice(0, 20)) await ask(formula);
  if (saved.state && view.questions.length) await go(saved.state, { keep: true });
  setInterval(() => { if (!document.hidden) load().catch(() => {}); }, 2000);
}

begin().catch((error) => notice(error.message));
