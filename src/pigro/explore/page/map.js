// The call graph around the chosen component. A folded recursive group is one place, as ~group.

import { count, curve, cut, headOf, svg } from "./report.js";
import { arrangeSideways } from "./arranging.js";
import { api, byId, chooseComponent, drawn, emit, notice, view } from "./view.js";

let latest = 0, kept = { key: "", told: null, made: null };

// The map depends on the component only, and not on the state: it is asked for once.
async function making() {
  const key = JSON.stringify([view.model.number, view.component, view.opened]);
  if (kept.key !== key) {
    const told = api("map", { component: view.component, open: view.opened });
    const mine = kept = { key, told, made: told.then(picture) };
    mine.made.catch(() => { if (kept === mine) kept = { key: "" }; });
  }
  return [await kept.told, await kept.made];
}

export async function drawMap() {
  const mine = ++latest;
  let told, made;
  try {
    [told, made] = await making();
  } catch (error) {
    notice(error.message);
    return;
  }
  if (mine !== latest || view.tab !== "map") return;
  byId("caption").textContent = `Calls around ${chosenName(told)}`;
  if (byId("picture").firstChild !== made) byId("picture").replaceChildren(made);
  byId("lines").hidden = true;
  byId("legend").hidden = !told.more;
  byId("legend").textContent = told.more ? "Only components near the chosen one are drawn." : "";
  const chosen = byId("picture").querySelector(".current");
  if (chosen) center(byId("picture"), chosen);
  drawn();
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

async function picture(told) {
  const index = new Map(told.places.map((place, at) => [place.place, at]));
  const nodes = told.places.map((place) => {
    const [first, second] = lines(place);
    const wide = Math.max(Array.from(cut(first, 30)).length * 7.9, Array.from(cut(second, 40)).length * 6.3);
    return { place, first, second, w: Math.max(70, wide + 24), h: 42 };
  });
  const size = await arrangeSideways(nodes, told.edges.map(([from, to]) => [index.get(from), index.get(to)]));
  const made = svg("svg", { width: size.width, height: size.height, role: "group",
    viewBox: `0 0 ${size.width} ${size.height}`, "aria-label": "call graph" });
  told.edges.forEach((_, at) => {
    const points = size.routes[at];
    if (!points) return;
    made.append(svg("g", { class: "edge" }, svg("path", { d: curve(points) }), headOf(points)));
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
