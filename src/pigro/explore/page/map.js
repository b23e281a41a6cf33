// The call graph around the chosen component. A folded recursive group is one place, as ~group.

import { count, curve, cut, layOut, svg } from "./report.js";
import { api, byId, chooseComponent, emit, notice, view } from "./view.js";

let drawn = 0;

export async function drawMap() {
  const mine = ++drawn;
  let told;
  try {
    told = await api("map", { component: view.component, open: view.opened });
  } catch (error) {
    notice(error.message);
    return;
  }
  if (mine !== drawn || view.tab !== "map") return;
  byId("caption").textContent = `Calls around ${chosenName(told)}`;
  byId("picture").replaceChildren(picture(told));
  byId("lines").hidden = true;
  byId("legend").hidden = !told.more;
  byId("legend").textContent = told.more ? "Only components near the chosen one are drawn." : "";
  const chosen = byId("picture").querySelector(".current");
  if (chosen) center(byId("picture"), chosen);
}

function chosenName(told) {
  for (const place of told.places) for (const each of place.components) if (each.number === told.chosen) return cut(each.name, 40);
  return `component ${told.chosen}`;
}

export function center(frame, shape) {
  const outer = frame.getBoundingClientRect(), inner = shape.getBoundingClientRect();
  if (inner.left < outer.left || inner.right > outer.right)
    frame.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
  if (inner.top < outer.top || inner.bottom > outer.bottom)
    frame.scrollTop += inner.top + inner.height / 2 - outer.top - outer.height / 2;
}

function lines(place) {
  if (place.place < 0)
    return [`${count(place.count, "component", "components")} that call each other`,
            place.components.slice(0, 2).map((each) => cut(each.name, 16)).join(", ") + (place.count > 2 ? ", …" : "")];
  const recursive = place.components[0].group >= 0 ? " · recursive" : "";
  return [place.components[0].name, count(place.size, "node", "nodes") + recursive];
}

function picture(told) {
  const index = new Map(told.places.map((place, at) => [place.place, at]));
  const nodes = told.places.map((place) => {
    const [first, second] = lines(place);
    const wide = Math.max(Array.from(cut(first, 30)).length * 7.9, Array.from(cut(second, 40)).length * 6.3);
    return { place, first, second, w: Math.max(70, wide + 24), h: 42 };
  });
  const size = layOut(nodes, told.edges.map(([from, to]) => [index.get(from), index.get(to)]));
  const made = svg("svg", { width: size.width, height: size.height, role: "group",
    viewBox: `0 0 ${size.width} ${size.height}`, "aria-label": "call graph" });
  told.edges.forEach((_, at) => {
    const points = size.routes[at];
    if (!points) return;
    const [x, y] = points[points.length - 1], d = points[0][1] > y ? 8 : -8;
    made.append(svg("g", { class: "edge" }, svg("path", { d: curve(points) }),
      svg("path", { class: "head", d: `M${x},${y}l-4,${d}h8z` })));
  });
  for (const node of nodes) made.append(shape(node, told.chosen));
  return made;
}

function shape(node, chosen) {
  const folded = node.place.place < 0, left = node.x - node.w / 2, top = node.y - node.h / 2;
  const current = node.place.place === chosen;
  const group = svg("g", { class: `place seen ${folded ? "box folded" : ""} ${current ? "current" : ""}`,
    tabindex: "0", role: "button", "data-place": node.place.place });
  const words = folded ? `unfold ${node.first}` : `component ${node.first}, ${node.second}`;
  group.setAttribute("aria-label", words);
  const tip = svg("title");
  tip.textContent = node.place.components.map((each) => `${each.name} (${count(each.size, "node", "nodes")})`).join("\n");
  const name = svg("text", { x: node.x, y: node.y - 3 }), more = svg("text", { class: "more", x: node.x, y: node.y + 11 });
  name.textContent = cut(node.first, 30);
  more.textContent = cut(node.second, 40);
  group.append(tip, svg("rect", { x: left, y: top, width: node.w, height: node.h, rx: 5 }));
  if (folded) group.append(svg("rect", { class: "inner", x: left + 3, y: top + 3, width: node.w - 6, height: node.h - 6, rx: 3 }));
  group.append(name, more);
  const act = () => (folded ? unfold(~node.place.place) : current ? emit("tab", "component") : chooseComponent(node.place.place));
  group.addEventListener("click", act);
  group.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); event.stopPropagation(); act(); }
  });
  return group;
}

function unfold(group) {
  view.opened = [...view.opened.slice(-9), group];
  drawMap();
}

// Search among all components.
export function setUpSearch() {
  const field = byId("search"), list = byId("found");
  let found = [], at = 0, asked = 0;
  const close = () => { list.hidden = true; field.setAttribute("aria-expanded", "false"); };
  const take = (each) => { close(); field.value = ""; field.blur(); chooseComponent(each.number); };
  const paint = () => {
    list.replaceChildren(...found.slice(0, 12).map((each, n) => {
      const item = document.createElement("li"), name = document.createElement("bdi"), size = document.createElement("span");
      item.setAttribute("role", "option");
      item.id = `found-${n}`;
      item.setAttribute("aria-selected", String(n === at));
      name.textContent = cut(each.name, 60);
      size.textContent = count(each.size, "node", "nodes");
      size.className = "dim";
      item.append(name, " ", size);
      item.addEventListener("mousedown", (event) => { event.preventDefault(); take(each); });
      return item;
    }));
    list.hidden = !found.length;
    field.setAttribute("aria-expanded", String(!list.hidden));
    if (found.length) field.setAttribute("aria-activedescendant", `found-${at}`);
    else field.removeAttribute("aria-activedescendant");
  };
  field.addEventListener("input", async () => {
    const mine = ++asked, text = field.value.trim();
    const told = text ? await api("search", { text }) : { found: [] };
    if (mine !== asked) return;
    [found, at] = [told.found, 0];
    paint();
  });
  field.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && found.length) { at = (at + step + Math.min(found.length, 12)) % Math.min(found.length, 12); paint(); event.preventDefault(); }
    else if (event.key === "Enter" && found[at]) { event.preventDefault(); take(found[at]); }
    else if (event.key === "Escape") { close(); field.blur(); }
  });
  field.addEventListener("blur", close);
}
