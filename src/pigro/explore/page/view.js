// What the page shows now, how it asks the server, and how its parts hear of changes.

export const view = {
  model: null,        // what the server says about the model
  tab: "map",         // "map" or "component"
  component: null,    // number of the chosen component
  opened: [],         // recursive groups that are unfolded in the map
  state: null,        // the state at hand, as the server tells it
  trail: [],          // states before it, for going back
  questions: [],      // each with its formula, verdict and runs
  chosen: -1,         // the question that is shown
  run: null,          // the run that is stepped along, and where: { states, at, path }
  colour: null,       // the formula whose truth is coloured
  exact: false,       // colour under the stack at hand, not whoever calls
};

export const byId = (id) => document.getElementById(id);

const listeners = new Map();

export function on(event, run) {
  listeners.set(event, [...(listeners.get(event) || []), run]);
}

export function emit(event, detail) {
  for (const run of listeners.get(event) || []) run(detail);
}

// The token is part of the page's address, and so of all relative ones.
export async function request(name, body) {
  return fetch(`api/${name}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body || {}),
    referrerPolicy: "no-referrer",
  });
}

export async function api(name, body) {
  let answer;
  try {
    answer = await request(name, body);
  } catch {
    notice("The explorer does not answer. Is `pigro explore` still running?");
    throw new Error("no answer");
  }
  const told = await answer.json().catch(() => ({ error: `status ${answer.status}` }));
  if (!answer.ok) throw new Error(told.error || `status ${answer.status}`);
  return told;
}

// Waits for work that may take long. `onTick` hears how it stands.
export async function finish(job, onTick) {
  let now = job;
  while (now.state === "running") {
    if (onTick) onTick(now);
    now = await api("job", { job: job.job });
  }
  return now;
}

export function notice(text) {
  const place = byId("notice");
  place.hidden = !text;
  place.textContent = text || "";
}

// Counts the drawings that are done, for tests and measurements.
export function drawn() {
  const place = byId("picture");
  place.dataset.drawn = Number(place.dataset.drawn || 0) + 1;
}

export const bare = (state) => ({ stack: state.stack, node: state.node });
export const same = (one, other) => Boolean(one && other) && one.node === other.node
  && one.stack.length === other.stack.length && one.stack.every((box, at) => box === other.stack[at]);

// Goes to a state: the view of its component follows.
let latest = 0;
export async function go(state, { keep = false, run = false } = {}) {
  const mine = ++latest;
  let told;
  try {
    told = await api("state", state.component === undefined || state.node !== undefined ? bare(state) : { component: state.component });
  } catch (error) {
    notice(error.message);
    return;
  }
  if (mine !== latest) return;
  if (told.empty) { emit("state"); return; }
  if (view.state && !keep && !same(view.state, told)) view.trail.push(bare(view.state));
  if (view.trail.length > 1000) view.trail.shift();
  if (!run) view.run = view.run && follow(view.run, told);
  view.state = told;
  view.component = told.component;
  emit("state");
}

// A run goes on being shown while the steps taken by hand are its own.
function follow(run, state) {
  let at = run.states.findIndex((each, n) => n >= run.at && same(each, state));
  if (at < 0 && run.path.ends === "loop" && same(run.states[run.path.start], state)) at = run.path.start;
  return at < 0 ? { ...run, left: true } : { ...run, at, left: false };
}

export function back() {
  const before = view.trail.pop();
  if (before) go(before, { keep: true });
}

export async function chooseComponent(number) {
  view.component = number;
  if (!view.state || view.state.component !== number) {
    emit("component");  // the map needs no state
    await go({ component: number });
  } else emit("state");
}

// The view in the address, so that a link restores it.
export function saveView() {
  const parts = new URLSearchParams();
  parts.set("v", view.tab);
  if (view.state) {
    parts.set("n", view.state.node);
    if (view.state.stack.length && view.state.stack.length <= 200) parts.set("s", view.state.stack.join("."));
  }
  for (const each of view.questions.slice(0, 20)) if (each.formula.length < 500 && !each.from) parts.append("q", each.formula);
  if (view.colour) parts.set("t", view.colour);
  if (view.exact) parts.set("x", "1");
  history.replaceState(null, "", `#${parts}`);
}

export function savedView() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const node = parts.get("n");
  return {
    tab: parts.get("v") === "component" ? "component" : parts.get("v") === "map" ? "map" : null,
    state: node === null ? null : { node: Number(node), stack: (parts.get("s") || "").split(".").filter(Boolean).map(Number) },
    formulas: parts.getAll("q"),
    colour: parts.get("t"),
    exact: parts.get("x") === "1",
  };
}
