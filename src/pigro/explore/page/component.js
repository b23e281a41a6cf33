// The graph of the chosen component, with the truth of a formula as colour.

import { count, cut, drawPlan, el, name, planComponent } from "./report.js";
import { arrange } from "./arranging.js";
import { center } from "./map.js";
import { api, bare, byId, drawn, emit, finish, go, notice, view } from "./view.js";

const WORDS = { holds: "holds", fails: "fails", depends: "depends on the caller",
                "not reachable": "no run comes here", unknown: "not decided" };
const NONE = new Set();
const shown = { data: null, picture: null, truthKey: "" };
const known = new Map();  // truths that were asked for
const KNOWN = 30;
let latest = 0;

export async function drawGraph() {
  const mine = ++latest, number = view.component;
  const here = view.state && view.state.component === number ? view.state.node : null;
  const whole = shown.data && shown.data.number === number && shown.generation === view.model.number
    && shown.data.components && shown.data.components[number].whole;
  if (!whole || !byId("picture").contains(shown.picture?.picture)) {
    let data = whole ? shown.data : null;
    try {
      data ??= await api("component", { component: number, node: here });
    } catch (error) {
      notice(error.message);
      return;
    }
    if (mine !== latest || view.tab !== "component") return;
    if (data.empty) { shown.data = null; byId("picture").replaceChildren("This component has no nodes."); return; }
    const plan = planComponent(data, number, here ?? data.state.node, NONE);
    const size = await arrange([...plan.nodes.values()], plan.pairs);
    if (mine !== latest || view.tab !== "component") return;
    shown.data = data;
    shown.generation = view.model.number;
    shown.picture = drawPlan(data, plan, size, NONE);
    byId("picture").replaceChildren(shown.picture.picture);
    for (const node of shown.picture.nodes.values()) setUpPlace(node);
    shown.truthKey = "";
  }
  const component = shown.data.components[number];
  byId("caption").textContent = `Component ${cut(component.name, 40)}` + (component.whole ? "" : `, around one of ${count(component.size, "node", "nodes")}`);
  mark(here);
  paintLines(here);
  drawn();
  colour();
}

// The source of what is drawn, where the model has positions: a line for each, in the order of the file.
function paintLines(here) {
  const rows = new Map();
  for (const place of shown.picture.nodes.keys()) {
    const [position, text] = place < 0 ? shown.data.boxes[~place].slice(3) : shown.data.nodes[place].slice(5);
    if (!position) continue;
    const [, file, line] = position.match(/^(.*?):(\d+)(?::|-|$)/) || [null, position, "0"];
    const key = `${file}:${line}`, row = rows.get(key) || { file, line: Number(line), text, places: [] };
    row.places.push(place);
    rows.set(key, row);
  }
  const list = [...rows.values()].sort((one, other) => one.file.localeCompare(other.file) || one.line - other.line);
  byId("lines").hidden = !list.length;
  byId("lines").replaceChildren(...list.map((row) => el("li", { "aria-current": row.places.includes(here) ? "true" : null },
    el("button", { type: "button", title: `${row.file}:${row.line}`, on: { click: () => act(row.places[0]) } },
      el("span", { class: "number" }, String(row.line)), name(row.text || row.file, "code")))));
}

const act = (place) => (place < 0 ? enter(~place) : go({ stack: stackHere(), node: place }));

function mark(here) {
  for (const node of shown.picture.nodes.values()) {
    const current = node.place === here;
    node.group.classList.toggle("current", current);
    node.group.classList.add("seen");
    if (current) center(byId("picture"), node.group);
  }
}

function setUpPlace(node) {
  const words = node.place < 0 ? `box ${node.lines.join(", ")}` : `node ${node.lines.filter(Boolean).join(", ")}`;
  node.words = words;
  for (const [key, value] of [["tabindex", "0"], ["role", "button"], ["aria-label", words]]) node.group.setAttribute(key, value);
  node.group.addEventListener("click", () => act(node.place));
  node.group.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); event.stopPropagation(); act(node.place); }
  });
}

const stackHere = () => (view.state && view.state.component === view.component ? view.state.stack : []);
const enter = (box) => go({ stack: [...stackHere(), box], node: null });

// Colours: asked for once for what is drawn; again when the formula, or an exact stack, changes.
async function colour() {
  const legend = byId("legend");
  if (!view.colour) { paint(null); shown.truthKey = ""; legend.hidden = true; return; }
  const nodes = [...shown.picture.nodes.keys()].filter((place) => place >= 0);
  const exact = view.exact && view.state && view.state.component === view.component;
  const key = JSON.stringify([view.model.number, view.component, view.colour, exact ? view.state.stack : null, nodes]);
  legend.hidden = false;
  shown.truthKey = key;
  if (!known.has(key)) {
    paint(null);
    legend.textContent = "working out colours …";
    known.set(key, truthsOf(nodes, exact));
    if (known.size > KNOWN) known.delete(known.keys().next().value);
  }
  const told = await known.get(key);
  if (told.state !== "done") known.delete(key);
  if (key !== shown.truthKey) return;
  if (told.state === "stopped") { colour(); return; }  // they were stopped for others, and are wanted again
  if (told.state !== "done") { legend.textContent = told.text || told.state; return; }
  paint(told.truths);
  const kinds = [...new Set(Object.values(told.truths))];
  legend.replaceChildren(name(cut(view.colour, 80), "code"), exact ? " under this stack: " : " whoever calls: ",
    ...kinds.map((kind) => el("span", { class: `key truth-${kind.replace(" ", "-")}` }, WORDS[kind])),
    el("button", { type: "button", class: "link", title: "under the stack at hand, or whoever calls (s)",
      on: { click: () => emit("exact") } }, exact ? "whoever calls" : "under this stack"));
  legend.dataset.done = key;
}

// Colours that nobody waits for any more are not worked out.
let running = null;
async function truthsOf(nodes, exact) {
  if (running) api("stop", { job: running }).catch(() => {});
  running = null;
  try {
    const job = await api("colour", { component: view.component, formula: view.colour, nodes,
      state: exact ? bare(view.state) : null, timeout: Number(byId("limit").value) });
    running = job.job;
    const told = await finish(job);
    if (running === job.job) running = null;
    return told;
  } catch (error) {
    return { state: "error", text: error.message };
  }
}

function paint(truths) {
  for (const node of shown.picture.nodes.values()) {
    const truth = truths && truths[node.place];
    for (const kind of Object.keys(WORDS)) node.group.classList.toggle(`truth-${kind.replace(" ", "-")}`, kind === truth);
    node.group.setAttribute("aria-label", node.words + (truth ? `, ${WORDS[truth]}` : ""));
  }
}
