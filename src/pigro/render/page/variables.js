// The variables of a run, step by step: a row for each variable, a column for each state around the selected one.

const MOST_COLUMNS = 60;

// The columns that are shown: all states, or those around one.
function columnsAround(length, at) {
  const first = Math.max(0, Math.min(at - MOST_COLUMNS / 2, length - MOST_COLUMNS));
  return Array.from({ length: Math.min(length, MOST_COLUMNS) }, (_, n) => first + n);
}

// Variables and inputs of the states of a path, in the order in which they first occur.
function variablesOf(data, path, columns) {
  const names = new Set(), inputs = new Set();
  for (const at of columns) {
    for (const each of Object.keys(data.values[path.nodes[at]] || {})) names.add(each);
    for (const each of Object.keys(path.inputs[at] || {})) inputs.add(each);
  }
  return { names: [...names], inputs: [...inputs] };
}

function valuesPanel(data, run, selected, go) {
  const { path } = run, columns = columnsAround(path.nodes.length, selected);
  const { names, inputs } = variablesOf(data, path, columns);
  const kind = (at, ...more) => [at === selected ? "here" : "", ...more].join(" ").trim() || null;
  const loops = (at) => (path.ends === "loop" && path.start === at ? "↺ " : "");
  const head = el("tr", {}, el("th", { scope: "col" }, "state"), ...columns.map((at) =>
    el("th", { scope: "col", class: kind(at), title: loops(at) ? "the loop starts here" : null },
      el("button", { type: "button", class: "link", on: { click: () => go(run, at) } }, `${loops(at)}${at}`))));
  const row = (label, value, changes, sort) => el("tr", { class: sort },
    el("th", { scope: "row" }, name(label, "code")), ...columns.map((at) =>
      el("td", { class: kind(at, changes(at) ? "changed" : "") }, name(value(at) ?? "", "code"))));
  const of = (at, label) => (data.values[path.nodes[at]] || {})[label];
  const rows = names.map((label) => row(label, (at) => of(at, label),
    (at) => at > 0 && of(at, label) !== of(at - 1, label), null));
  const given = inputs.map((label) => row(label, (at) => (path.inputs[at] || {})[label], () => false, "input"));
  return el("table", { class: "values", "aria-label": "variables by step" },
    el("thead", {}, head), el("tbody", {}, ...rows, ...given));
}

// Brings a column beside the names of the variables. The page itself stays where it is.
function showColumn(box, column) {
  if (!column) return;
  const names = box.querySelector("th").offsetWidth, from = column.offsetLeft;
  if (from < box.scrollLeft + names) box.scrollLeft = from - names;
  else if (from + column.offsetWidth > box.scrollLeft + box.clientWidth)
    box.scrollLeft = from + column.offsetWidth - box.clientWidth;
}
