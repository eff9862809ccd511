// The graph with modules folded: what is open is laid out inside of its box, layer by layer, so that a box needs to know
// only what is beside it.
function graphView(place) {
  const graph = page.graph, nodeWidth = 170, nodeHeight = 34, spaceX = 14, spaceY = 22, head = 22;
  const open = new Set();
  const events = graph.nodes.map(node => links.eventsOfNode(node));
  const items = itemsOf(), top = items.get(-1);
  const max = Math.max(1e-9, ...items.values().map(item => item === top ? 0 : item.time));
  const scroll = make('div', {class: 'graph', tabindex: 0, role: 'group', 'aria-label': 'Graph. Tab goes from box to box, Enter opens or chooses.'});

  // Boxes: groups by their number from 0, nodes behind them; -1 is what holds all.
  function itemsOf() {
    const out = new Map([[-1, {key: -1, children: [], parent: null, name: graph.name, group: true, time: 0, events: new Set()}]]);
    graph.groups.forEach((g, i) => out.set(i, {key: i, children: [], name: g.name || g.kind, kind: g.kind, group: true, time: 0, events: new Set(), count: 0}));
    graph.groups.forEach((g, i) => { const parent = out.get(g.parent); out.get(i).parent = parent; parent.children.push(out.get(i)); });
    graph.nodes.forEach((node, i) => {
      const parent = out.get(node.group);
      const item = {key: graph.groups.length + i, children: [], name: node.kind, detail: node.type, full: node.name, group: false, parent,
        events: events[i], count: 1, time: 0};
      out.set(item.key, item);
      parent.children.push(item);
      for (let p = parent; p; p = p.parent) { p.count = (p.count || 0) + 1; events[i].forEach(id => p.events.add(id)); }
    });
    for (const item of out.values()) {
      item.events.forEach(id => { const e = page.events[id]; if (e.trace === 0 && e.kind !== 2) item.time += Math.max(e.self, 0); });
    }
    // A group with one thing in it is that thing under a longer name.
    for (const item of out.values()) {
      while (item.group && item.children.length === 1 && item.children[0].group && item.children[0].kind !== 'repeat') {
        item.children = item.children[0].children;
        item.children.forEach(child => { child.parent = item; });
      }
    }
    // In the order in which they are done: exporters put what prepares weights in front of everything.
    const last = item => item.last ?? (item.last = item.group ? Math.max(-1, ...item.children.map(last)) : item.key);
    for (const item of out.values()) item.children = item.children.filter(c => last(c) >= 0).sort((a, b) => last(a) - last(b));
    return out;
  }
  const itemOfNode = i => items.get(graph.groups.length + i);
  // Edges between what stands beside one another in a box that is open.
  function edgesByBox() {
    const out = new Map(), seen = new Set();
    for (let i = 0; i < graph.edges.length; i += 2) {
      const a = chain(itemOfNode(graph.edges[i])), b = chain(itemOfNode(graph.edges[i + 1]));
      let n = 0;
      while (n < a.length && n < b.length && a[n] === b[n]) n++;
      if (n === 0 || n >= a.length || n >= b.length) continue;
      const box = a[n - 1], key = a[n].key + '>' + b[n].key;
      if (seen.has(key)) continue;
      seen.add(key);
      if (!out.has(box)) out.set(box, []);
      out.get(box).push([a[n], b[n]]);
    }
    return out;
  }
  function chain(item) {
    const out = [];
    for (let n = item; n; n = n.parent) out.unshift(n);
    return out;
  }
  // Places the children of an open box: layers by the longest way from a start, in a layer by where inputs are.
  function layout(box, edges) {
    const mine = edges.get(box) || [], inputs = new Map(box.children.map(child => [child, []]));
    for (const [from, to] of mine) if (inputs.has(to) && from.last < to.last) inputs.get(to).push(from);
    const layers = [];
    for (const child of box.children) {
      if (open.has(child)) layout(child, edges);
      else Object.assign(child, {w: nodeWidth, h: nodeHeight});
      child.layer = inputs.get(child).reduce((deep, from) => Math.max(deep, from.layer + 1), 0);
      (layers[child.layer] = layers[child.layer] || []).push(child);
    }
    let y = head, width = nodeWidth;
    for (const layer of layers) {
      layer.forEach(c => { const from = inputs.get(c); c.pull = from.length ? from.reduce((s, f) => s + f.cx, 0) / from.length : 0; });
      layer.sort((a, b) => a.pull - b.pull);
      // A layer of very many boxes breaks into lines.
      let x = 0, tall = 0;
      for (const c of layer) {
        if (x > 1200) { x = 0; y += tall + 8; tall = 0; }
        Object.assign(c, {x, y, cx: x + c.w / 2});
        x += c.w + spaceX;
        width = Math.max(width, x - spaceX);
        tall = Math.max(tall, c.h);
      }
      y += tall + spaceY;
    }
    // Layers stand in the middle.
    for (const layer of layers) {
      const end = Math.max(...layer.map(c => c.x + c.w)), by = (width - end) / 2;
      layer.forEach(c => { c.x += by + spaceX; c.cx = c.x + c.w / 2; });
    }
    box.w = width + 2 * spaceX;
    box.h = y - spaceY + 12;
    box.edges = mine;
  }
  const svg = (tag, attributes, ...children) => {
    const out = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) out.setAttribute(name, value);
    out.append(...children);
    return out;
  };
  function drawBox(box, x, y, into) {
    for (const [from, to] of box.edges) {
      const x1 = x + from.x + from.w / 2, y1 = y + from.y + from.h, x2 = x + to.x + to.w / 2, y2 = y + to.y, bend = Math.max(10, (y2 - y1) / 2);
      into.append(svg('path', {class: 'edge', d: `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`}));
    }
    for (const child of box.children) drawItem(child, x + child.x, y + child.y, into);
  }
  function drawItem(item, x, y, into) {
    const opened = open.has(item), fold = item.group && item.children.length > 0;
    const group = svg('g', {class: 'box' + (item.group ? ' group' : '') + (opened ? ' opened' : ''), tabindex: 0, role: 'button',
      'aria-label': (item.group ? 'module ' : '') + item.name + (item.detail ? ', ' + item.detail : '')});
    if (fold) group.setAttribute('aria-expanded', String(opened));
    group.append(svg('rect', {x, y, width: item.w, height: item.h, rx: 4}));
    if (item.time > 0 && !opened) group.append(svg('rect', {class: 'time', x, y: y + item.h - 4, width: Math.max(2, item.w * Math.min(1, item.time / max)), height: 4}));
    const letters = Math.floor((opened ? item.w : nodeWidth) / 7) - 2, cut = text => text.length > letters ? '…' + text.slice(1 - letters) : text;
    group.append(svg('text', {x: x + 6, y: y + 14}, cut((fold ? opened ? '▾ ' : '▸ ' : '') + item.name)));
    const below = !item.group ? item.detail : item.count === 1 ? leafOf(item).name : (item.count || 0) + ' nodes';
    if (!opened && below) group.append(svg('text', {x: x + 6, y: y + 26, class: 'faint'}, below.length > 27 ? below.slice(0, 26) + '…' : below));
    group.append(svg('title', {}, [item.full || item.name, item.detail, item.time ? timeText(item.time, page.traces[0].unit) + ' a run' : ''].filter(Boolean).join('\n')));
    const act = event => {
      event.stopPropagation();
      if (fold && (event.type !== 'click' || !event.shiftKey)) toggle(item);
      links.choose(links.withPartners(item.events));
    };
    group.addEventListener('click', act);
    group.addEventListener('keydown', e => { if (e.key === 'Enter' || e.key === ' ') { e.preventDefault(); act(e); } });
    group.addEventListener('pointerover', e => { e.stopPropagation(); links.hover(item.events.size <= 64 ? links.withPartners(item.events) : []); });
    group.addEventListener('pointerleave', () => links.hover([]));
    into.append(group);
    item.element = group;
    if (opened) drawBox(item, x, y, into);
  }
  const leafOf = item => { while (item.group) item = item.children[0]; return item; };
  function toggle(item) {
    if (open.has(item)) open.delete(item); else open.add(item);
    render();
    items.get(item.key).element.focus();
  }
  function render() {
    for (const item of items.values()) item.element = null;
    layout(top, edgesByBox());
    const picture = svg('svg', {width: top.w, height: top.h, viewBox: `0 0 ${top.w} ${top.h}`});
    drawBox(top, 0, 0, picture);
    scroll.replaceChildren(picture);
    mark();
  }
  function mark() {
    const any = (set, ids) => { if (set.size < ids.size) { for (const id of set) if (ids.has(id)) return true; return false; } for (const id of ids) if (set.has(id)) return true; return false; };
    for (const item of items.values()) {
      if (!item.element) continue;
      item.element.classList.toggle('chosen', !open.has(item) && any(links.chosen, item.events));
      item.element.classList.toggle('over', !open.has(item) && any(links.hovered, item.events));
    }
  }
  // Opens what holds the chosen events and shows it.
  function reveal() {
    const found = [...items.values()].find(item => !item.group && [...links.chosen].some(id => item.events.has(id)));
    if (!found) return;
    for (let p = found.parent; p && p !== top; p = p.parent) open.add(p);
    render();
    if (found.element) found.element.scrollIntoView({block: 'nearest', inline: 'center'});
  }
  const button = (name, title, action) => make('button', {type: 'button', title, onclick: action}, name);
  const fold = () => { open.clear(); render(); };
  const hidden = graph.hidden ? make('span', {class: 'faint'}, graph.hidden === 1 ? '1 view, scalar or check is hidden' : graph.hidden + ' views, scalars and checks are hidden') : '';
  place.append(make('div', {class: 'tools'}, make('span', {}, graph.name), button('Fold all', 'Close all modules', fold),
    button('Show selection', 'Open the modules of what is chosen', reveal), hidden), scroll);
  openFirst();
  render();
  links.listen(mark);
  // Modules are opened level by level, as long as all that is shown is seen at a glance; where not all of a level can
  // be, the one that holds most of the graph is. What repeats stays one box.
  function openFirst() {
    const all = top.count, most = 20;
    for (let shown = top.children;;) {
      const alone = shown.length < 3, closed = shown.filter(item => item.children.length && (alone || item.kind !== 'repeat'));
      const fits = items => shown.length + items.reduce((sum, item) => sum + item.children.length - 1, 0) <= (alone ? 40 : most);
      const next = closed.length && fits(closed) ? closed : closed.filter(item => 2 * item.count > all && fits([item]));
      if (!next.length) return;
      next.forEach(item => open.add(item));
      shown = shown.flatMap(item => open.has(item) ? item.children : [item]);
    }
  }
  return {items, open, toggle, reveal, fold};
}
