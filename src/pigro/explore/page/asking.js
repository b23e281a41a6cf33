// Questions: the field with completions and errors, the list of verdicts, and files to take away.

import { cut, el, name } from "./report.js";
import { api, bare, byId, emit, finish, notice, request, saveView, view } from "./view.js";

const WORD = /[A-Za-z_][\w.]*$|"[^"]*$/;

export async function ask(formula, from = null) {
  const question = { formula, from, state: "running", began: performance.now() };
  view.questions.push(question);
  view.chosen = view.questions.length - 1;
  paint();
  try {
    const job = await api("ask", { formula, state: from && bare(from), timeout: Number(byId("limit").value) });
    question.job = job.job;
    Object.assign(question, await finish(job, (now) => { question.seconds = now.seconds; paint(); }));
  } catch (error) {
    Object.assign(question, { state: "error", text: error.message });
  }
  if (question.report) {
    question.verdict = question.report.verdicts[0];
    question.runs = question.runs ? question.runs.map((run) => ({ ...run, at: 0, states: run.states.map((each) => ({ ...each, depth: each.stack.length })) }))
      : question.verdict.evidence.filter((each) => each.path).map((each) => makeRun(question.report, each));
  }
  paint();
  if (view.questions[view.chosen] === question) emit("question");
  saveView();
  return question;
}

// A run with its states as the server takes them.
function makeRun(report, item) {
  const [below, boxes] = report.frames, stacks = new Map([[0, []]]);
  const stackOf = (frame) => {
    const missing = [];
    let at = frame;
    for (; !stacks.has(at); at = below[at]) missing.push(at);
    for (const each of missing.reverse()) stacks.set(each, [...stacks.get(below[each]), boxes[each]]);
    return stacks.get(frame);
  };
  const { path } = item;
  const deep = path.frames.some((frame) => stackDepth(below, frame) > 2000);
  const states = path.nodes.map((node, at) => ({ node, stack: deep ? [] : stackOf(path.frames[at]),
    name: `${report.components[report.nodes[node][0]].name}:${report.nodes[node][1]}`,
    depth: stackDepth(below, path.frames[at]) }));
  return { states, path, at: 0, deep, shows: item.shows ? item.shows.join("") : item.formula };
}

const depths = new WeakMap();
function stackDepth(below, frame) {
  if (!depths.has(below)) {
    const found = new Int32Array(below.length);
    for (let at = 1; at < below.length; at++) found[at] = found[below[at]] + 1;
    depths.set(below, found);
  }
  return depths.get(below)[frame];
}

function word(question) {
  return question.verdict ? question.verdict.word : question.state;
}

export function paint() {
  byId("questions").replaceChildren(...view.questions.map((question, at) => card(question, at)));
}

function card(question, at) {
  const chosen = at === view.chosen, shown = word(question);
  const made = el("li", { class: `question ${chosen ? "chosen" : ""}`, "aria-current": chosen ? "true" : null });
  const head = el("button", { type: "button", class: "head", on: { click: () => choose(at) } },
    el("span", { class: `word ${shown}` }, shown), name(cut(question.formula, 300), "code"));
  made.append(head);
  const add = (label, title, click) => el("button", { type: "button", title, on: { click } }, label);
  if (question.from) made.append(el("p", { class: "dim" }, "from ", name(question.from.name), question.from.stack.length ? ` under ${question.from.stack.length} calls` : ""));
  if (question.state === "running") {
    made.append(el("p", { class: "dim" }, `${question.seconds ?? 0} s `, add("Stop", "stop this check", () => api("stop", { job: question.job }))));
    return made;
  }
  if (question.text) made.append(el("pre", { class: "wrong" }, question.text));
  if (question.verdict) made.append(el("p", {}, el("bdi", {}, question.verdict.reason), el("span", { class: "dim" }, ` (${question.verdict.cost})`)));
  if (chosen) made.append(...details(question, add));
  made.append(el("div", { class: "bar plain" }, ...(chosen && question.verdict ? takes(question, add) : []),
    el("span", { class: "push" }), add("Again", "ask this again", () => ask(question.formula, question.from)),
    el("button", { type: "button", "aria-label": "remove this question", title: "remove this question", on: { click: () => remove(at) } }, "×")));
  return made;
}

function details(question, add) {
  const rows = (question.notes || []).map((text) => el("p", { class: "dim" }, text));
  (question.runs || []).forEach((run, n) => rows.push(el("p", {},
    el("button", { type: "button", class: "link", on: { click: () => emit("run", { ...run, at: 0, number: n }) } },
      `${run.path.shortest ? "a shortest run" : "a run"} of ${run.states.length.toLocaleString("en")} ${run.states.length === 1 ? "state" : "states"}`),
    el("bdi", {}, ` ${run.shows}`))));
  for (const item of question.verdict ? question.verdict.evidence : [])
    if (item.sentence) rows.push(el("p", {}, el("bdi", { class: "claim" }, item.sentence)));
  if (question.command) rows.push(el("p", {}, el("code", { class: "command" }, question.command), " ",
    add("Copy", "copy the command that gives the same answer", () => copy(question.command))));
  return rows;
}

function takes(question, add) {
  if (question.from && question.from.stack.length) return [];
  return [["Report", "report", "report.html"], ["Evidence", "evidence", "evidence.json"], ["Proof", "certificate", "proof.cert"]]
    .map(([label, what, file]) => add(label, `save ${file}`, () => take(question, what, file)));
}

async function take(question, what, file) {
  const answer = await request(what, { formula: question.formula, state: question.from && bare(question.from) });
  if (!answer.ok) { notice((await answer.json()).error); return; }
  save(await answer.blob(), file);
}

export function save(blob, file) {
  const link = el("a", { href: URL.createObjectURL(blob), download: file });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export function copy(text) {
  navigator.clipboard.writeText(text).then(() => notice(""), () => notice(text));
}

export function choose(at) {
  if (at < 0 || at >= view.questions.length) return;
  view.chosen = at;
  paint();
  emit("question");
}

function remove(at) {
  const [gone] = view.questions.splice(at, 1);
  if (gone.state === "running") api("stop", { job: gone.job });
  view.chosen = Math.min(view.chosen, view.questions.length - 1);
  paint();
  emit("question");
  saveView();
}

// Completion: labels and operators that begin with the word before the caret.
export function setUpField() {
  const field = byId("formula"), list = byId("words");
  let words = [], at = 0, parsing = 0;
  const close = () => { list.hidden = true; words = []; };
  const before = () => field.value.slice(0, field.selectionStart);
  const take = (text) => {
    const start = before().replace(WORD, ""), end = field.value.slice(field.selectionStart);
    field.value = `${start}${text} ${end}`;
    field.selectionStart = field.selectionEnd = start.length + text.length + 1;
    close();
    check();
  };
  const show = () => {
    list.replaceChildren(...words.map((text, n) => {
      const item = el("li", { role: "option", "aria-selected": String(n === at) }, el("bdi", {}, cut(text, 60)));
      item.addEventListener("mousedown", (event) => { event.preventDefault(); take(text); });
      return item;
    }));
    list.hidden = !words.length;
  };
  const check = async () => {
    const mine = ++parsing, text = field.value.trim(), wrong = byId("wrong");
    if (!text) { wrong.hidden = true; return; }
    const answer = await request("parse", { formula: text }).catch(() => null);
    if (!answer || mine !== parsing) return;
    const told = answer.ok ? {} : await answer.json();
    if (mine !== parsing) return;
    wrong.hidden = answer.ok;
    wrong.textContent = told.error || "";
  };
  let timer = 0;
  field.addEventListener("input", () => {
    const found = before().match(WORD), text = found ? found[0].replace(/^"/, "").toLowerCase() : "";
    const all = [...view.model.operators, ...view.model.labels.map(quoted)];
    words = text ? all.filter((each) => each.replace(/^"/, "").toLowerCase().startsWith(text) && each !== found[0]).slice(0, 8) : [];
    at = 0;
    show();
    clearTimeout(timer);
    timer = setTimeout(check, 250);
  });
  field.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && words.length) { at = (at + step + words.length) % words.length; show(); event.preventDefault(); }
    else if (event.key === "Tab" && words.length) { event.preventDefault(); take(words[at]); }
    else if (event.key === "Escape") { if (words.length) { close(); event.stopPropagation(); } else field.blur(); }
    else if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); close(); byId("ask").requestSubmit(); }
  });
  field.addEventListener("blur", close);
  byId("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (text) ask(text, byId("from-here").checked ? view.state : null);
  });
}

const quoted = (label) => (/^[A-Za-z_][\w.]*$/.test(label) ? label : `"${label}"`);
