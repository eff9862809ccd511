// Time by module: what the medians of one run spend in each module, and the operators in it. Of two traces also how much
// B is slower or faster than A.
function flameView(place) {
  const rowHeight = 20, deepest = 16;
  const trees = page.traces.map((trace, at) => treeOf(at));
  let tree = trees[0], root = tree, boxes = [], focus = null, mode = 0;
  const depth = node => node.children.length ? 1 + Math.max(...node.children.map(depth)) : 1;
  const view = canvasView('Time by module. Arrow keys go from box to box, Enter opens one, Escape goes back.',
    Math.min(Math.max(...trees.map(depth)), deepest) * rowHeight + 4, draw);
  const path = make('span', {class: 'path'});

  // The block of the median run: inference, however long loading took.
  function treeOf(at) {
    const trace = page.traces[at], median = trace.runs.find(run => run.number === trace.median);
    let main = -1;
    for (let i = 0; median && main < 0 && i < median.count; i++) {
      const id = trace.event[median.first + i];
      if (id >= 0) main = page.events[id].block;
    }
    const top = {name: 'all', key: '', children: [], byName: new Map(), ids: [], value: 0, parent: null};
    for (const e of page.events) {
      if (e.trace !== at || e.block !== main || !(e.self > 0)) continue;
      const parts = e.module ? e.module.split('.') : [e.kind === 0 ? '(runtime)' : e.backend || '(no module)'];
      let node = top;
      for (const part of [...parts.slice(0, deepest - 2), '\u0000' + e.name]) {
        node.value += e.self;
        node.ids.push(e.id);
        if (!node.byName.has(part)) {
          const child = {name: part.replace('\u0000', ''), key: node.key + '.' + part, children: [], byName: new Map(), ids: [], value: 0, parent: node,
            kind: -1};
          node.byName.set(part, child);
          node.children.push(child);
        }
        node = node.byName.get(part);
      }
      node.value += e.self;
      node.ids.push(e.id);
      node.kind = Math.max(node.kind, e.kind);
    }
    const sort = node => { node.children.sort((a, b) => b.value - a.value); node.children.forEach(sort); };
    sort(top);
    top.unit = page.traces[at].unit;
    return top;
  }
  // The time of the same place in the tree of a trace.
  const valueIn = (index, node) => {
    const keys = [];
    for (let n = node; n.parent; n = n.parent) keys.unshift(n.key.slice(n.parent.key.length + 1));
    let found = trees[index];
    for (const key of keys) { found = found && found.byName.get(key); }
    return found ? found.value : 0;
  };
  function colourOf(node, colours) {
    if (mode < 2) return node.children.length ? colours.soft : colours['k' + Math.max(node.kind, 0)];
    const a = valueIn(0, node), b = valueIn(1, node), change = a ? (b - a) / a : 1;
    return Math.abs(change) < 0.05 ? colours.same : change > 0 ? colours.slower : colours.faster;
  }
  function draw(paint, {width, height, colours}) {
    paint.fillStyle = colours.page;
    paint.fillRect(0, 0, width, height);
    boxes = [];
    const above = [];
    for (let n = root.parent; n; n = n.parent) above.unshift(n);
    above.forEach((node, row) => box(paint, node, 0, row, width, colours, true));
    nested(paint, root, 0, above.length, width, colours);
  }
  function nested(paint, node, x, row, width, colours) {
    box(paint, node, x, row, width, colours, false);
    let at = x;
    for (const child of node.children) {
      const w = width * child.value / node.value;
      if (w >= 0.4) nested(paint, child, at, row + 1, w, colours);
      at += w;
    }
  }
  function box(paint, node, x, row, w, colours, above) {
    const y = row * rowHeight + 1;
    boxes.push({node, x, y, w});
    const hot = node.ids.length < page.events.length && !node.children.length && node.ids.some(id => links.chosen.has(id));
    const over = links.hovered.size > 0 && node.ids.length <= 64 && node.ids.some(id => links.hovered.has(id));
    paint.globalAlpha = above ? 0.6 : 1;
    const fill = colourOf(node, colours);
    paint.fillStyle = fill;
    paint.fillRect(x, y, Math.max(w - 1, 0.5), rowHeight - 2);
    paint.globalAlpha = 1;
    if (node.children.length && w > 3) {
      paint.strokeStyle = colours.line;
      paint.lineWidth = 1;
      paint.strokeRect(x + 0.5, y + 0.5, w - 2, rowHeight - 3);
    }
    if (hot || over || node === focus) {
      paint.strokeStyle = hot ? colours.mark : colours.ink;
      paint.lineWidth = hot ? 2.5 : 1.5;
      paint.strokeRect(x + 1, y + 1, Math.max(w - 3, 1), rowHeight - 4);
    }
    if (w > 24) {
      paint.fillStyle = node.children.length && mode < 2 ? colours.ink : inkOn(fill);
      const share = w > 180 ? ' · ' + timeText(node.value, tree.unit) : '';
      label(paint, node.name + share, x + 4, y + rowHeight / 2 - 1, w - 8);
    }
  }
  const at = (x, y) => boxes.find(b => x >= b.x && x < b.x + b.w && y >= b.y && y < b.y + rowHeight);
  function open(node) {
    root = node.children.length ? node : root;
    const names = [];
    for (let n = root; n; n = n.parent) names.unshift(n);
    path.replaceChildren(...names.map(n => make('button', {type: 'button', onclick: () => open(n)}, n.name)));
    view.redraw();
  }
  function choose(node) {
    links.choose(links.withPartners(node.ids));
    focus = node;
    view.redraw();
  }
  function lines(node) {
    const out = [node.name, timeText(node.value, tree.unit) + ' a run · ' + (100 * node.value / trees[Math.min(mode, 1)].value || 0).toFixed(1) + ' %'];
    if (trees.length > 1) {
      const a = valueIn(0, node), b = valueIn(1, node);
      out.push('A ' + timeText(a, tree.unit) + ', B ' + timeText(b, tree.unit) + (a ? ', ' + (100 * (b - a) / a).toFixed(1) + ' %' : ''));
    }
    return [...out, node.ids.length + (node.ids.length === 1 ? ' event' : ' events')];
  }
  const canvas = view.canvas;
  canvas.addEventListener('pointermove', e => {
    const found = at(e.offsetX, e.offsetY);
    if (!found) { tip.hide(); links.hover([]); return; }
    links.hover(found.node.ids.length <= 64 ? links.withPartners(found.node.ids) : []);
    tip.show(lines(found.node), e);
  });
  canvas.addEventListener('pointerleave', () => { tip.hide(); links.hover([]); });
  canvas.addEventListener('click', e => { const found = at(e.offsetX, e.offsetY); if (found) choose(found.node); });
  canvas.addEventListener('dblclick', e => { const found = at(e.offsetX, e.offsetY); if (found) open(found.node); });
  const beside = by => {
    const all = focus.parent ? focus.parent.children : [focus];
    return all[Math.min(Math.max(all.indexOf(focus) + by, 0), all.length - 1)];
  };
  const keys = {ArrowDown: () => choose(focus.children[0] || focus), ArrowUp: () => choose(focus.parent || focus),
    ArrowLeft: () => choose(beside(-1)), ArrowRight: () => choose(beside(1)), Enter: () => open(focus),
    Escape: () => open(root.parent || root)};
  canvas.addEventListener('keydown', e => {
    if (!keys[e.key]) return;
    focus = focus || root;
    keys[e.key]();
    e.preventDefault();
  });
  const tools = make('div', {class: 'tools'}, path);
  if (trees.length > 1) {
    const names = ['Time of A', 'Time of B', 'B against A'];
    const choice = make('select', {'aria-label': 'What is shown', onchange: e => {
      mode = +e.target.value;
      tree = trees[mode === 0 ? 0 : 1];
      focus = null;
      open(tree);
      swatches.hidden = mode < 2;
    }});
    names.forEach((name, i) => choice.append(make('option', {value: i}, name)));
    tools.prepend(choice);
  }
  const swatches = make('p', {class: 'legend', hidden: true}, ...[['slower', 'B is slower'], ['faster', 'B is faster'],
    ['same', 'within 5 %']].map(([name, says]) => make('span', {}, make('i', {class: name}), says)));
  place.append(tools, make('div', {class: 'canvas'}, canvas), swatches);
  view.resize();
  open(root);
  return {view, open, choose, at, boxes: () => boxes, tree: () => tree};
}
