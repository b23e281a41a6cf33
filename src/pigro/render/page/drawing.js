// The drawing of a component: places, edges, what the path has touched, and where it is now.

const SVG = "http://www.w3.org/2000/svg";
const ENTRY = 1, EXIT = 2, INITIAL = 4;
const MOST_AROUND = 60;

function svg(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function cut(text, most) {
  const signs = Array.from(text);
  if (signs.length <= most) return text;
  const half = (most - 1) >> 1;
  return signs.slice(0, half).join("") + "…" + signs.slice(-half).join("");
}

// Names of places. A place is a node's number, or ~box.
function placeName(data, place) {
  return place < 0 ? data.boxes[~place][1] : data.nodes[place][1];
}

function placeLines(data, place, atoms) {
  if (place < 0) return [data.boxes[~place][1], "calls " + data.boxes[~place][2]];
  const [, name, flags, labels] = data.nodes[place];
  const first = [...labels].sort((one, other) => atoms.has(other) - atoms.has(one));
  const words = first.slice(0, 2).map((label) => cut(data.labels[label], 18));
  if (labels.length > 2) words.push("+" + (labels.length - 2));
  const kinds = [flags & INITIAL && "initial", !(flags & INITIAL) && flags & ENTRY && "entry",
                 flags & EXIT && "exit"].filter(Boolean);
  return [name, [...kinds, ...words].join(" · ")];
}

// The places of a component that are drawn: all, or two steps around one.
function drawnPlaces(data, number, around) {
  const component = data.components[number];
  const own = new Set();
  if (component.whole) {
    for (const key of Object.keys(data.nodes)) {
      const node = data.nodes[key];
      if (node[0] === number && node[4] === Number(key)) own.add(Number(key));
    }
    for (const key of Object.keys(data.boxes)) if (data.boxes[key][0] === number) own.add(~Number(key));
    return own;
  }
  const near = component.near ??= neighbours(component.edges);
  own.add(around);
  let last = [around];
  for (let step = 0; step < 2; step++) {
    const next = [];
    for (const place of last)
      for (const other of near.get(place) || [])
        if (!own.has(other) && own.size < MOST_AROUND) { own.add(other); next.push(other); }
    last = next;
  }
  return own;
}

function neighbours(edges) {
  const near = new Map();
  const add = (one, other) => near.get(one)?.push(other) ?? near.set(one, [other]);
  for (const [from, to] of edges) { add(from, to); add(to, from); }
  return near;
}

// Several edges between two places become one, with all their words.
function merged(edges, own) {
  const found = new Map();
  for (const [from, to, text] of edges) {
    if (!own.has(from) || !own.has(to)) continue;
    const key = from + ">" + to, known = found.get(key);
    if (!known) found.set(key, [from, to, text ? [text] : []]);
    else if (text) known[2].push(text);
  }
  return [...found.values()];
}

// The curve of control points, and a head where it ends.
function curve(points) {
  return `M${points[0]}C${points.slice(1).join(" ")}`;
}

function headOf(points) {
  const [x, y] = points[points.length - 1], before = points.findLast(([a, b]) => a !== x || b !== y) || [x, y - 1];
  const long = Math.hypot(x - before[0], y - before[1]), dx = (x - before[0]) / long, dy = (y - before[1]) / long;
  const corner = (side) => `${(x - 8 * dx - side * dy).toFixed(1)},${(y - 8 * dy + side * dx).toFixed(1)}`;
  return svg("path", { class: "head", d: `M${x},${y}L${corner(4)} ${corner(-4)}z` });
}

function loopCurve(node) {
  const x = node.x + node.w / 2, y = node.y;
  return `M${x},${y - 7}C${x + 24},${y - 18} ${x + 24},${y + 18} ${x},${y + 7}`;
}

function drawEdge(edge, points, nodes, title) {
  const [from, to, words] = edge;
  const group = svg("g", { class: "edge" });
  const tip = svg("title");
  tip.textContent = title;
  group.append(tip, svg("path", { d: points ? curve(points) : loopCurve(nodes.get(from)) }));
  if (points) {
    group.append(headOf(points));
  } else {
    const node = nodes.get(from);
    group.append(svg("path", { class: "head",
      d: `M${node.x + node.w / 2},${node.y + 7}l9,-2l-4,7z` }));
  }
  if (words.length) {
    const [a, b] = points ? [points[0], points[3]] : [[0, 0], [0, 0]];
    const text = svg("text", { x: (a[0] + b[0]) / 2 + 5, y: (a[1] + b[1]) / 2 + 3 });
    text.textContent = cut(words.join(", "), 24);
    group.append(text);
  }
  return group;
}

function drawPlace(data, node, atoms) {
  const box = node.place < 0;
  const group = svg("g", { class: box ? "place box" : "place", "data-place": node.place });
  const tip = svg("title");
  tip.textContent = node.lines.filter(Boolean).join("\n");
  const left = node.x - node.w / 2, top = node.y - node.h / 2;
  group.append(tip, svg("rect", {
    x: left, y: top, width: node.w, height: node.h, rx: box ? 3 : node.h / 2 - 4 }));
  const exit = !box && data.nodes[node.place][2] & EXIT;
  if (box || exit)
    group.append(svg("rect", { class: "inner", x: left + 3, y: top + 3, width: node.w - 6,
                               height: node.h - 6, rx: box ? 2 : node.h / 2 - 7 }));
  const name = svg("text", { x: node.x, y: node.lines[1] ? node.y - 3 : node.y + 4 });
  name.textContent = cut(node.lines[0], 26);
  group.append(name);
  if (node.lines[1]) {
    const more = svg("text", { class: "more", x: node.x, y: node.y + 11 });
    more.textContent = cut(node.lines[1], 34);
    group.append(more);
  }
  const visits = svg("text", { class: "visits", x: left + node.w + 3, y: top + 8 });
  group.append(visits);
  node.group = group;
  node.visits = visits;
  return group;
}

// The places of a component that are drawn, with their sizes, and the edges between them.
function planComponent(data, number, around, atoms) {
  const own = drawnPlaces(data, number, around);
  const entryFirst = (place) => (place < 0 ? 2 : data.nodes[place][2] & (ENTRY | INITIAL) ? 0 : 1);
  const list = [...own].sort((one, other) => entryFirst(one) - entryFirst(other)
    || Math.max(one, ~one) - Math.max(other, ~other));
  const nodes = new Map(), index = new Map();
  for (const place of list) {
    const lines = placeLines(data, place, atoms);
    const wide = Math.max(Array.from(cut(lines[0], 26)).length * 7.9,
                          Array.from(cut(lines[1], 34)).length * 6.3);
    index.set(place, nodes.size);
    nodes.set(place, { place, lines, w: Math.max(64, wide + 28), h: lines[1] ? 42 : 32 });
  }
  const edges = merged(data.components[number].edges, own);
  return { number, nodes, edges, pairs: edges.map(([from, to]) => [index.get(from), index.get(to)]) };
}

// A drawing of a component: the element, its places, and its edges by "from>to".
function drawComponent(data, number, around, atoms) {
  const plan = planComponent(data, number, around, atoms);
  return drawPlan(data, plan, layOut([...plan.nodes.values()], plan.pairs), atoms);
}

function drawPlan(data, { number, nodes, edges }, size, atoms) {
  const name = data.components[number].name;
  const picture = svg("svg", { width: size.width, height: size.height, role: "img",
    viewBox: `0 0 ${size.width} ${size.height}`, "aria-label": `drawing of component ${name}` });
  const drawn = new Map();
  let right = size.width;
  edges.forEach((edge, at) => {
    const words = edge[2].length ? ` (${edge[2].join(", ")})` : "";
    const title = `${placeName(data, edge[0])} → ${placeName(data, edge[1])}${words}`;
    const group = drawEdge(edge, size.routes[at], nodes, title);
    const text = group.querySelector("text");
    if (text) right = Math.max(right, Number(text.getAttribute("x")) + Array.from(text.textContent).length * 7 + 8);
    drawn.set(edge[0] + ">" + edge[1], group);
    picture.append(group);
  });
  picture.setAttribute("width", right);  // words at edges have room
  picture.setAttribute("viewBox", `0 0 ${right} ${size.height}`);
  for (const node of nodes.values()) picture.append(drawPlace(data, node, atoms));
  return { picture, nodes, edges: drawn, number };
}

// What a run touches in each component: places with the numbers of states, and edges.
function touched(data, run) {
  const places = new Map(), edges = new Set(), path = run.path, begins = new Set(path.calls);
  const [below, boxes] = data.frames;
  const visit = (place, at) => places.get(place)?.push(at) ?? places.set(place, [at]);
  for (let at = 0; at < path.nodes.length; at++) {
    const here = data.nodes[path.nodes[at]][4], frame = path.frames[at];
    if (at && begins.has(at)) {
      const before = path.frames[at - 1];
      const from = before === below[frame] ? data.nodes[path.nodes[at - 1]][4] : ~boxes[before];
      edges.add(from + ">" + ~boxes[frame]);
      visit(~boxes[frame], at);
    } else if (at) {
      const before = path.frames[at - 1];
      const from = before === frame ? data.nodes[path.nodes[at - 1]][4] : ~boxes[before];
      edges.add(from + ">" + here);
    }
    visit(here, at);
  }
  if (path.ends === "loop") {
    const last = path.nodes.length - 1;
    if (path.frames[last] === path.frames[path.start])
      edges.add(data.nodes[path.nodes[last]][4] + ">" + data.nodes[path.nodes[path.start]][4]);
  }
  return { places, edges };
}
