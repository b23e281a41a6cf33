// The lines of a story: runs with their states, folded calls, how they go on, and sentences.
// Nothing here touches the page.

const STATE = 0, FOLD = 1, RUN = 2, END = 3, NOTE = 4;

// How deep each stack is; a stack's parent has a smaller number.
function frameDepths(frames) {
  const depths = new Int32Array(frames[0].length);
  for (let at = 1; at < depths.length; at++) depths[at] = depths[frames[0][at]] + 1;
  return depths;
}

// The calls of a path: where each begins and ends, and whether it returned.
function findCalls(path, depths) {
  const begins = new Set(path.calls), last = path.nodes.length - 1;
  const calls = [], open = [], inside = new Int32Array(path.nodes.length).fill(-1);
  for (let at = 0; at <= last; at++) {
    const depth = depths[path.frames[at]];
    const limit = begins.has(at) ? depth : depth + 1;
    while (open.length && calls[open[open.length - 1]].depth >= limit)
      calls[open.pop()].end = at - 1;
    if (begins.has(at)) {
      const parent = open.length ? open[open.length - 1] : -1;
      open.push(calls.length);
      calls.push({ first: at, end: last, depth, parent, returned: false, folded: false });
    }
    inside[at] = open.length ? open[open.length - 1] : -1;
  }
  for (const call of calls) {
    call.returned = call.end < last;
    const cut = path.start !== null && path.start > call.first && path.start <= call.end;
    call.folded = call.returned && !cut;
  }
  return { calls, inside };
}

// A verdict's runs, each with what is needed to list it.
function makeRuns(verdict, depths) {
  countRunsAbove(verdict.evidence);
  return verdict.evidence.filter((each) => each.path).map((item) => {
    const path = item.path;
    let lowest = Infinity;
    for (const frame of path.frames) lowest = Math.min(lowest, depths[frame]);
    return (item.run = { item, path, lowest, ...findCalls(path, depths) });
  });
}

// Gives each item the number of runs that lead to it.
function countRunsAbove(evidence) {
  const above = [];
  for (const item of evidence) {
    above.length = item.depth;
    item.above = above.length ? above[above.length - 1] : 0;
    above.push(item.above + (item.path ? 1 : 0));
  }
}

function pushRun(rows, run) {
  rows.push({ type: RUN, run });
  const first = new Map();
  run.calls.forEach((call, at) => { if (call.returned) first.set(call.first, at); });
  for (let at = 0; at < run.path.nodes.length; at++) {
    if (first.has(at)) {
      const call = run.calls[first.get(at)];
      rows.push({ type: FOLD, run, at, call });
      if (call.folded) { at = call.end; continue; }
    }
    rows.push({ type: STATE, run, at });
  }
  if (run.path.end) rows.push({ type: END, run, at: run.path.nodes.length - 1 });
}

// All lines. A boolean has none of its own: its parts tell.
function makeRows(verdict) {
  const rows = [];
  for (const item of verdict.evidence) {
    if (item.path) pushRun(rows, item.run);
    else if (item.kind !== "boolean") rows.push({ type: NOTE, item });
  }
  return rows;
}

// The innermost call that has returned around a state, or null.
function returnedCall(run, at) {
  for (let call = run.inside[at]; call >= 0; call = run.calls[call].parent)
    if (run.calls[call].returned) return run.calls[call];
  return null;
}
