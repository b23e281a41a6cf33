// The parts of the page that tell about one state: labels, stack, truths. Text only, never markup.

function el(tag, properties, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (name === "on") for (const [event, run] of Object.entries(value)) made.addEventListener(event, run);
    else if (value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// A name from the model, kept apart from the direction of the text around it.
const name = (text, kind) => el("bdi", { class: kind || "name" }, text);
const count = (number, one, many) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

const MARK = { t: "✓", f: "✗", "?": "?" };
const TRUTH = { t: "holds", f: "fails", "?": "not known" };

// A run of composed states is a component without a name.
function fullName(data, node) {
  const component = data.components[data.nodes[node][0]].name;
  return component ? `${component}:${data.nodes[node][1]}` : data.nodes[node][1];
}

// Where a node or box stands in the program, from its columns on: the position, and the text of the line.
function source([position, text]) {
  if (!position) return null;
  return el("span", { class: "source-line", title: `${position}${text ? `: ${text}` : ""}` },
    name(position, "position"), text ? name(text, "code") : null);
}

const nodeSource = (data, node) => source(data.nodes[node].slice(5));

// The same for a state of a path. A file with variables or rules says where the step to the state is.
const stateSource = (data, path, at) =>
  source(path.places[at] || (path.configurations.length ? [] : data.nodes[path.nodes[at]].slice(5)));
const stateName = (data, path, at) => path.configurations[at] || fullName(data, path.nodes[at]);
const boxSource = (data, box) => source(data.boxes[box].slice(3));

function labelChip(data, label, atoms, change) {
  const kind = ["chip", atoms.has(label) ? "atom" : "", change || ""].join(" ").trim();
  const said = { new: " (new here)", gone: " (no longer)" }[change] || "";
  return el("span", { class: kind, title: data.labels[label] + said },
    change ? el("i", { "aria-hidden": "true" }, change === "new" ? "+" : "−") : null,
    el("bdi", {}, data.labels[label]));
}

// The labels of a state, with what is new since the state before, and what is gone.
function changes(data, node, before) {
  const now = data.nodes[node][3], old = before === null ? now : data.nodes[before][3];
  return {
    same: now.filter((each) => old.includes(each)),
    fresh: now.filter((each) => !old.includes(each)),
    gone: old.filter((each) => !now.includes(each)),
  };
}

function labelsPanel(data, node, before, atoms) {
  const { same, fresh, gone } = changes(data, node, before);
  const chips = [...fresh.map((each) => labelChip(data, each, atoms, "new")),
                 ...same.map((each) => labelChip(data, each, atoms)),
                 ...gone.map((each) => labelChip(data, each, atoms, "gone"))];
  return el("div", { class: "chips", "aria-label": "labels" },
    ...(chips.length ? chips : [el("span", { class: "dim" }, "no labels")]));
}

// Frames from the innermost outwards, each with its context; of many only both ends.
function stackPanel(data, node, frame, contexts, shown, choose) {
  const [below, boxes] = data.frames, frames = [];
  for (let at = frame; at > 0; at = below[at]) frames.push(at);
  const list = el("ol", { class: "stack", "aria-label": "call stack, innermost first" });
  const item = (kind, chosen, click, ...children) => list.append(el("li", { class: kind },
    el("button", { type: "button", "aria-pressed": String(chosen), on: { click } }, ...children)));
  const component = data.components[data.nodes[node][0]].name;
  const context = (at) => (contexts[at] ? el("span", { class: "context" }, name(contexts[at], "code")) : "");
  item("top", shown === null, () => choose(null), name(component, "component"),
    el("span", { class: "dim" }, " at "), name(data.nodes[node][1]), context(frame));
  const most = 14, cutAt = frames.length > most ? 9 : frames.length;
  frames.forEach((at, n) => {
    if (n >= cutAt && n < frames.length - 3) {
      if (n === cutAt) list.append(el("li", { class: "dim cut" },
        `… ${count(frames.length - 3 - cutAt, "more call", "more calls")} …`));
      return;
    }
    const [owner, box] = data.boxes[boxes[at]];
    item("", shown === at, () => choose(at), name(data.components[owner].name, "component"),
      el("span", { class: "dim" }, " in box "), name(box), boxSource(data, boxes[at]) || "",
      context(below[at]));
  });
  return list;
}

function treePanel(verdict, truths) {
  if (!verdict.tree.length) return el("p", { class: "dim" }, "The formula is too large for a tree.");
  const list = el("ul", { class: "formula", role: "tree", "aria-label": "subformulas" });
  verdict.tree.forEach(([depth, text, onRun], at) => {
    const truth = truths ? truths[at] : "?", where = onRun ? "on the run from this state" : "in this state";
    const row = el("li", { class: `truth-${truth === "?" ? "u" : truth}`, role: "treeitem",
        "aria-level": depth + 1, title: `${text}: ${TRUTH[truth]} ${where}` },
      el("span", { class: "mark", "aria-label": TRUTH[truth] }, MARK[truth]), name(text, "code"));
    row.style.setProperty("--depth", depth);
    list.append(row);
  });
  return list;
}

// Evidence as nested sentences, with the way to each run. A boolean's parts tell for it.
function whyPanel(verdict, go) {
  const told = verdict.evidence.filter((item) => item.kind !== "boolean");
  const list = el("ul", { class: "why", "aria-label": "why" });
  for (const item of told) {
    const row = el("li", {}, ...sentence(item, go));
    row.style.setProperty("--depth", Math.min(item.above, 12));
    list.append(row);
  }
  return told.length ? list : null;
}

function sentence(item, go) {
  const there = item.above ? [el("span", { class: "dim" }, "there: ")] : [];
  if (item.path) {
    const run = item.path.shortest ? "a shortest run" : "a run";
    const text = `${run} of ${count(item.path.nodes.length, "state", "states")}`;
    const [before, formula, after] = item.shows;
    return [...there, el("button", { type: "button", class: "link",
      on: { click: () => go(item.run) } }, text), before, name(formula, "code"), after];
  }
  if (item.sentence) return [...there, el("bdi", { class: "claim" }, item.sentence)];
  return [...there, name(item.formula, "code"), item.truth ? " holds" : " fails"];
}
