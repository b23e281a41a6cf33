// Where the places of a drawing are: by Graphviz, if the server has it, and otherwise by the page.

import { layOut } from "./report.js";
import { api, view } from "./view.js";

// The same from left to right: a place with many successors then needs height, which there is room for, and not width.
export async function arrangeSideways(nodes, edges) {
  const turned = nodes.map(({ w, h }) => ({ w: h, h: w })), size = await arrange(turned, edges);
  turned.forEach(({ x, y }, at) => { [nodes[at].x, nodes[at].y] = [y, x]; });
  const turn = (route) => route && route.map(([x, y]) => [y, x]);
  return { routes: size.routes.map(turn), width: size.height, height: size.width };
}

// As `layOut`. Only sizes and numbers are sent, never names.
export async function arrange(nodes, edges) {
  if (!view.model.graphviz || !nodes.length) return layOut(nodes, edges);
  const sizes = nodes.map(({ w, h }) => [Math.round(w), Math.round(h)]);
  const told = await api("layout", { nodes: sizes, edges }).catch(() => ({}));
  if (!told.places) return layOut(nodes, edges);
  nodes.forEach((node, at) => { [node.x, node.y] = told.places[at]; });
  return told;
}
