// The page's data, as page_data.cpp writes it:
//   {version: 1, texts: [text...], traces: [trace...], graph}
//   trace: {name, unit: 'ns' | 'cycles', perTick, first, events, left, median, runs, orders}
//     event: [name, kind, module, operators, source, backend, instruction, parent, block, self, p10, p50, p90, samples,
//       [handle...], own]; name: what people call it; own: its name in the trace; times in `unit`, self that of one run;
//       parent: index, -1: none; kind as in `kinds`
//     run: [number, name, order, [start...], [length...]]; ticks, each start counted from the one before it
//     order: [event...], the events of a run; -1 - (2 * text + delegated): an event that is not in `events`
//   graph: null or {name, hidden (nodes that are left out), groups: [[name, kind, parent]...], nodes: [[kind, name, group, instruction, type, [handle...]]...],
//     edges: [from, to, from, to...]}
// Names are numbers of texts.
const kinds = ['runtime', 'kernel', 'delegate call', 'in a delegate'];

const page = (() => {
  const block = document.getElementById('data');
  const data = block ? JSON.parse(block.textContent) : {texts: [], traces: [], graph: null};
  const text = i => data.texts[i];
  const events = [];
  const traces = data.traces.map((trace, at) => {
    trace.events.forEach((e, i) => events.push({
      id: trace.first + i, trace: at, name: text(e[0]), kind: e[1], module: text(e[2]), operators: text(e[3]), source: text(e[4]),
      backend: text(e[5]), instruction: e[6], parent: e[7] < 0 ? -1 : trace.first + e[7], block: e[8], self: e[9], p10: e[10],
      p50: e[11], p90: e[12], samples: e[13], handles: e[14], own: text(e[15])}));
    return {name: trace.name, unit: trace.unit, first: trace.first, count: trace.events.length, left: trace.left,
      median: trace.median, perTick: trace.perTick, ...slicesOf(trace, text)};
  });
  const graph = data.graph && {
    name: data.graph.name, hidden: data.graph.hidden,
    groups: data.graph.groups.map(g => ({name: text(g[0]), kind: text(g[1]), parent: g[2]})),
    nodes: data.graph.nodes.map(n => ({kind: text(n[0]), name: text(n[1]), group: n[2], instruction: n[3], type: text(n[4]),
      handles: n[5]})),
    edges: data.graph.edges};
  return {events, traces, graph};
})();

// All slices of a trace in columns: event (number, or -1 and a name), start and length in ticks from the first, row.
function slicesOf(trace, text) {
  const total = trace.runs.reduce((sum, run) => sum + run[3].length, 0);
  const out = {event: new Int32Array(total), start: new Float64Array(total), length: new Float64Array(total),
    row: new Uint8Array(total), names: new Map(), runs: []};
  let at = 0, now = 0, base = null;
  for (const [number, name, order, starts, lengths] of trace.runs) {
    const first = at, ids = trace.orders[order], ends = [[], []];
    let begin = Infinity, end = 0;
    starts.forEach((delta, i) => {
      now += delta;
      if (base === null) base = now;
      const known = ids[i] >= 0, nameAt = -1 - ids[i];
      const delegated = known ? trace.events[ids[i]][1] === 3 : (nameAt & 1) === 1;
      const stack = ends[delegated ? 1 : 0];
      while (stack.length && stack[stack.length - 1] <= now) stack.pop();
      out.event[at] = known ? trace.first + ids[i] : -1;
      if (!known) out.names.set(at, text(nameAt >> 1));
      out.start[at] = now - base;
      out.length[at] = lengths[i];
      out.row[at] = Math.min(stack.length, 11) + (delegated ? 12 : 0);
      stack.push(now + lengths[i]);
      begin = Math.min(begin, now - base);
      end = Math.max(end, now - base + lengths[i]);
      at++;
    });
    if (at > first) out.runs.push({number, name: text(name), begin, end, first, count: at - first});
  }
  out.end = out.runs.reduce((most, run) => Math.max(most, run.end), 1);
  return out;
}
