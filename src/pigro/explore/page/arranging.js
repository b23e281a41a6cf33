// Where the places of a drawing are: by Graphviz, if the server has it, and otherwise by the page.

import { layOut } from "./report.js";
import { api, view } from "./view.js";

// As `layOut`. Only sizes and numbers are sent, never names.
export async function arrange(nodes, edges) {
  if (!view.model.graphviz || !nodes.length) return layOut(nodes, edges);
  const sizes = nodes.map((node) => [Math.round(node.w), node.h]);
  const told = await api("layout", { nodes: sizes, edges }).catch(() => ({}));
  if (!told.places) return layOut(nodes, edges);
  nodes.forEach((node, at) => { [node.x, node.y] = told.places[at]; });
  return told;
}
