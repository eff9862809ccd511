// What is chosen and what the pointer is on, for all views: sets of events. Views listen; none knows another.
const links = (() => {
  const listeners = [];
  let chosen = new Set(), hovered = new Set(), tellAt = 0;
  const byInstruction = new Map(), byHandle = new Map(), partner = new Map();
  const put = (map, key, id) => map.has(key) ? map.get(key).push(id) : map.set(key, [id]);
  for (const e of page.events) {
    if (e.instruction >= 0 && e.kind > 0) put(byInstruction, e.instruction, e.id);
    for (const handle of e.handles) put(byHandle, handle, e.id);
  }
  pairUp();

  // The same operator in the traces that are compared: by debug handles, else by name and how many came before.
  function pairUp() {
    if (page.traces.length < 2) return;
    const keys = new Map(), seen = new Map();
    for (const e of page.events) {
      const plain = e.trace + '|' + e.kind + '|' + e.own.replace(/ #\d+$/, '') + '|' + e.instruction;
      const count = seen.get(plain) || 0;
      seen.set(plain, count + 1);
      put(keys, plain.slice(plain.indexOf('|')) + '|' + count, e.id);
    }
    for (const ids of keys.values()) for (const id of ids) partner.set(id, ids);
  }

  // Events of a row: data-e names one, data-h debug handles, data-i instructions, data-n a name among these.
  function eventsOf(row) {
    const {e, h, i, n} = row.dataset, out = new Set();
    if (e !== undefined) return withPartners([+e]);
    const numbers = list => list.split(',').map(Number);
    if (h) for (const handle of numbers(h)) for (const id of byHandle.get(handle) || []) out.add(id);
    if (!out.size && i) for (const one of numbers(i)) for (const id of byInstruction.get(one) || []) out.add(id);
    const named = n ? [...out].filter(id => page.events[id].own === n) : [];
    return named.length ? new Set(named) : out;
  }
  function withPartners(ids) {
    const out = new Set(ids);
    for (const id of ids) for (const other of partner.get(id) || []) out.add(other);
    return out;
  }
  // Nodes of the graph carry the handles of what computes them, or its instruction. The call of a delegate has the
  // handles of all that is in it, so it stands for a node only where nothing closer does.
  function eventsOfNode(node) {
    const all = node.handles.flatMap(handle => byHandle.get(handle) || []).filter(id => page.events[id].kind > 0);
    const close = all.filter(id => page.events[id].kind !== 2), out = new Set(close.length ? close : all);
    if (!out.size && node.instruction >= 0) for (const id of byInstruction.get(node.instruction) || []) out.add(id);
    return out;
  }
  const same = (a, b) => a.size === b.size && [...a].every(id => b.has(id));
  // Hovering may come many times a frame: views hear of it once.
  function tell() {
    if (!tellAt) tellAt = requestAnimationFrame(() => { tellAt = 0; listeners.forEach(each => each()); });
  }
  return {
    eventsOf, eventsOfNode, withPartners, partner,
    get chosen() { return chosen; },
    get hovered() { return hovered; },
    choose(ids) { chosen = new Set(ids); tell(); },
    hover(ids) { const next = new Set(ids); if (!same(next, hovered)) { hovered = next; tell(); } },
    listen(listener) { listeners.push(listener); },
    touch: tell};
})();
