// The search field: components, nodes and labels by a part of their names.

import { count, cut, el, name } from "./report.js";
import { api, byId, chooseComponent, go, notice } from "./view.js";

export function setUpSearch() {
  const field = byId("search"), list = byId("found");
  let found = [], at = 0, asked = 0;
  const close = () => { list.hidden = true; field.setAttribute("aria-expanded", "false"); };
  const take = (each) => {
    close();
    field.value = "";
    field.blur();
    if (each.kind === "component") chooseComponent(each.number);
    else go({ stack: [], node: each.node });
  };
  const paint = () => {
    list.replaceChildren(...found.map((each, n) => item(each, n, n === at, take)));
    list.hidden = !found.length;
    field.setAttribute("aria-expanded", String(!list.hidden));
    if (found.length) field.setAttribute("aria-activedescendant", `found-${at}`);
    else field.removeAttribute("aria-activedescendant");
    list.children[at]?.scrollIntoView({ block: "nearest" });
  };
  field.addEventListener("input", async () => {
    const mine = ++asked, text = field.value.trim();
    const told = text ? await api("search", { text }).catch((error) => { notice(error.message); return { found: [] }; }) : { found: [] };
    if (mine !== asked) return;
    [found, at] = [told.found, 0];
    paint();
    list.dataset.text = text;
  });
  field.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && found.length) { at = (at + step + found.length) % found.length; paint(); event.preventDefault(); }
    else if (event.key === "Enter" && found[at]) { event.preventDefault(); take(found[at]); }
    else if (event.key === "Escape") { close(); field.blur(); }
  });
  field.addEventListener("blur", close);
}

function item(each, n, chosen, take) {
  const more = each.kind === "component" ? `component, ${count(each.size, "node", "nodes")}` : "node";
  const made = el("li", { role: "option", id: `found-${n}`, "aria-selected": String(chosen), class: each.kind },
    name(cut(each.name, 60)), " ", el("span", { class: "dim" }, more));
  if (each.label) made.append(el("span", { class: "chip" }, el("bdi", {}, cut(each.label, 40))));
  made.addEventListener("mousedown", (event) => { event.preventDefault(); take(each); });
  return made;
}
