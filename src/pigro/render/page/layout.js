// A layered drawing of a small directed graph (Sugiyama's steps): cycles are cut by a depth-first
// search, layers are longest paths, orders come from barycentres, and places within a layer are
// the least squares solution under the order (pool adjacent violators).

const GAP_X = 26, GAP_Y = 46;

// Edges as [from, to, index, reversed], none of them on a cycle.
function cutCycles(count, edges) {
  const out = Array.from({ length: count }, () => []);
  edges.forEach(([from, to], at) => { if (from !== to) out[from].push([to, at]); });
  const mark = new Uint8Array(count), kept = [];
  for (let root = 0; root < count; root++) {
    if (mark[root]) continue;
    const jobs = [[root, 0]];
    mark[root] = 1;
    while (jobs.length) {
      const job = jobs[jobs.length - 1], node = job[0];
      if (job[1] === out[node].length) { mark[node] = 2; jobs.pop(); continue; }
      const [to, at] = out[node][job[1]++];
      if (mark[to] === 1) kept.push([to, node, at, true]);
      else kept.push([node, to, at, false]);
      if (!mark[to]) { mark[to] = 1; jobs.push([to, 0]); }
    }
  }
  return kept;
}

function layersOf(count, edges) {
  const layer = new Int32Array(count), waiting = new Int32Array(count);
  const out = Array.from({ length: count }, () => []);
  for (const [from, to] of edges) { out[from].push(to); waiting[to]++; }
  const ready = [];
  for (let at = 0; at < count; at++) if (!waiting[at]) ready.push(at);
  for (let node; (node = ready.pop()) !== undefined;)
    for (const to of out[node]) {
      layer[to] = Math.max(layer[to], layer[node] + 1);
      if (--waiting[to] === 0) ready.push(to);
    }
  return layer;
}

// Least squares places for items in order, each wanted somewhere, with room between neighbours.
function settle(wanted, widths) {
  const offset = [0];
  for (let at = 1; at < wanted.length; at++)
    offset.push(offset[at - 1] + (widths[at - 1] + widths[at]) / 2 + GAP_X);
  const pools = [];
  wanted.forEach((want, at) => {
    let pool = { sum: want - offset[at], count: 1 };
    while (pools.length && pools[pools.length - 1].sum / pools[pools.length - 1].count
           >= pool.sum / pool.count) {
      const before = pools.pop();
      pool = { sum: pool.sum + before.sum, count: pool.count + before.count };
    }
    pools.push(pool);
  });
  const places = [];
  for (const pool of pools)
    for (let n = 0; n < pool.count; n++) places.push(pool.sum / pool.count + offset[places.length]);
  return places;
}

function mean(values, otherwise) {
  return values.length ? values.reduce((sum, each) => sum + each, 0) / values.length : otherwise;
}

// nodes: [{w, h}], edges: [[from, to]]. Gives x and y to nodes. Returns the size, and the route of
// each edge as the control points of cubic curves, null for an edge from a node to itself.
function layOut(nodes, edges) {
  const kept = cutCycles(nodes.length, edges);
  const level = Array.from(layersOf(nodes.length, kept));
  const items = nodes.map((node) => ({ w: node.w, h: node.h, up: [], down: [] }));
  const chains = [];
  for (const [from, to, at, reversed] of kept) {
    const chain = [from];
    for (let between = level[from] + 1; between < level[to]; between++) {
      chain.push(items.length);
      level.push(between);
      items.push({ w: 6, h: 0, up: [], down: [] });
    }
    chain.push(to);
    for (let n = 1; n < chain.length; n++) {
      items[chain[n - 1]].down.push(chain[n]);
      items[chain[n]].up.push(chain[n - 1]);
    }
    chains.push({ at, chain, reversed });
  }
  const layers = [];
  items.forEach((_, at) => (layers[level[at]] ??= []).push(at));
  order(items, layers);
  place(items, layers);
  return finish(nodes, edges, items, layers, chains);
}

function order(items, layers) {
  const rank = (layer) => layer.forEach((at, n) => { items[at].rank = n; });
  layers.forEach(rank);
  for (let sweep = 0; sweep < 8; sweep++) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : [...layers].reverse()) {
      const key = new Map(layer.map((at) => {
        const near = down ? items[at].up : items[at].down;
        return [at, mean(near.map((other) => items[other].rank), items[at].rank)];
      }));
      layer.sort((one, other) => key.get(one) - key.get(other));
      rank(layer);
    }
  }
}

function place(items, layers) {
  for (const layer of layers) {
    const places = settle(layer.map(() => 0), layer.map((at) => items[at].w));
    layer.forEach((at, n) => { items[at].x = places[n]; });
  }
  for (let sweep = 0; sweep < 12; sweep++)
    for (const layer of sweep % 2 ? [...layers].reverse() : layers) {
      const wanted = layer.map((at) => {
        const item = items[at], near = sweep > 9 ? [...item.up, ...item.down]
          : sweep % 2 ? item.down : item.up;
        return mean(near.map((other) => items[other].x), item.x);
      });
      const places = settle(wanted, layer.map((at) => items[at].w));
      layer.forEach((at, n) => { items[at].x = places[n]; });
    }
}

// Where the edges of a node meet it: spread over its side, in the order of their other ends.
function ports(items, at, side) {
  const near = items[at][side].map((other, n) => [items[other].x, n]);
  near.sort((one, other) => one[0] - other[0]);
  const step = Math.min(22, (items[at].w - 16) / Math.max(1, near.length));
  const found = [];
  near.forEach(([, n], place) => { found[n] = items[at].x + (place - (near.length - 1) / 2) * step; });
  return found;
}

// Cubic curves through points, upright at each of them.
function controls(points) {
  const found = [points[0]];
  for (let at = 1; at < points.length; at++) {
    const [x0, y0] = points[at - 1], [x1, y1] = points[at], middle = (y0 + y1) / 2;
    found.push([x0, middle], [x1, middle], [x1, y1]);
  }
  return found;
}

function finish(nodes, edges, items, layers, chains) {
  let y = 14, left = Infinity, right = -Infinity;
  for (const layer of layers) {
    const tall = Math.max(...layer.map((at) => items[at].h));
    for (const at of layer) {
      items[at].y = y + tall / 2;
      left = Math.min(left, items[at].x - items[at].w / 2);
      right = Math.max(right, items[at].x + items[at].w / 2);
    }
    y += tall + GAP_Y;
  }
  const shift = 16 - left;
  for (const item of items) item.x += shift;
  const used = items.map((_, at) => ({
    up: ports(items, at, "up"), down: ports(items, at, "down"), ups: 0, downs: 0 }));
  const routes = new Array(edges.length).fill(null);
  for (const { at, chain, reversed } of chains) {
    const points = chain.flatMap((item, n) => {
      const { x, y: middle, h } = items[item], port = used[item];
      if (n === 0) return [[port.down[port.downs++], middle + h / 2]];
      if (n === chain.length - 1) return [[port.up[port.ups++], middle - h / 2]];
      return [[x, middle]];
    });
    routes[at] = controls(reversed ? points.reverse() : points);
  }
  nodes.forEach((node, at) => { node.x = items[at].x; node.y = items[at].y; });
  return { routes, width: right - left + 32 + 40, height: y - GAP_Y + 16 };
}
