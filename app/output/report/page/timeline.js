// Runs over time: a lane for each depth of the runtime's events, below them those inside of delegates; a trace below
// the other.
function timelineView(place) {
  const laneHeight = 20, axis = 22, gap = 18;
  const lanes = lanesOf(page.traces);
  const unit = page.traces[0].unit, perTick = page.traces[0].perTick;
  const longest = Math.max(...page.traces.map(trace => trace.end * trace.perTick / perTick));
  let from = 0, to = longest, runAt = 0, drag = null;
  // How far the runs of each trace are moved, so that those that are compared start at one place.
  const shift = page.traces.map(() => 0);
  const view = canvasView('Timeline. Arrow keys move and zoom, brackets go from event to event, 0 shows all runs.',
    axis + lanes.height + 8, draw);
  const said = make('span', {class: 'faint', id: 'timeline-range'});

  // Lanes with the slices that lie in them, by start.
  function lanesOf(traces) {
    const out = [];
    let y = axis;
    traces.forEach((trace, at) => {
      if (traces.length > 1) y += gap;
      const rows = [...new Set(trace.row)].sort((a, b) => a - b);
      rows.forEach(row => {
        const slices = [];
        for (let i = 0; i < trace.row.length; i++) if (trace.row[i] === row) slices.push(i);
        slices.sort((a, b) => trace.start[a] - trace.start[b]);
        let longestSlice = 0;
        for (const i of slices) longestSlice = Math.max(longestSlice, trace.length[i]);
        out.push({trace, at, y, slices, longest: longestSlice});
        y += laneHeight;
      });
    });
    out.height = y - axis;
    return out;
  }
  // The first slice of a lane that ends behind `time`, as far as lengths tell.
  function firstFrom(lane, time) {
    let low = 0, high = lane.slices.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lane.trace.start[lane.slices[middle]] < time - lane.longest) low = middle + 1; else high = middle;
    }
    return low;
  }
  const scaleOf = lane => lane.trace.perTick / perTick;

  function drawAxis(paint, width, colours) {
    const span = to - from, raw = span * perTick / Math.max(2, width / 130), power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].find(n => n * power >= raw) * power / perTick;
    paint.strokeStyle = colours.line;
    paint.fillStyle = colours.faint;
    paint.lineWidth = 1;
    paint.textAlign = 'left';
    const zero = origin();
    for (let t = zero + Math.ceil((from - zero) / step) * step; t <= to; t += step) {
      const x = Math.round((t - from) / span * width) + 0.5;
      paint.beginPath(); paint.moveTo(x, 0); paint.lineTo(x, view.height); paint.stroke();
      paint.fillText(timeText(Math.round((t - zero) * perTick), unit), x + 3, 9);
    }
  }
  // Times count from the start of the run that is shown.
  function origin() { const run = page.traces[0].runs[runAt]; return run ? run.begin : 0; }

  function draw(paint, {width, height, colours}) {
    paint.fillStyle = colours.page;
    paint.fillRect(0, 0, width, height);
    drawAxis(paint, width, colours);
    const marked = links.chosen, over = links.hovered, any = marked.size > 0, pixels = width / (to - from);
    const outlines = [];
    let named = -1;
    for (const lane of lanes) {
      if (page.traces.length > 1 && lane.at !== named) {
        named = lane.at;
        paint.fillStyle = colours.ink;
        paint.fillText('AB'[named] ? 'AB'[named] + ' · ' + lane.trace.name : lane.trace.name, 4, lane.y - 8);
      }
      drawLane(paint, lane, pixels * scaleOf(lane), width, {colours, marked, over, any, outlines});
    }
    for (const [x, y, w, colour, thick] of outlines) {
      paint.strokeStyle = colour;
      paint.lineWidth = thick;
      paint.strokeRect(x + 0.5, y + 0.5, Math.max(w - 1, 1), laneHeight - 3);
    }
  }
  function drawLane(paint, lane, pixels, width, marks) {
    const {trace, slices, y} = lane, scale = scaleOf(lane), begin = (from - shift[lane.at]) / scale, end = (to - shift[lane.at]) / scale;
    let drawnTo = -1;
    for (let n = firstFrom(lane, begin); n < slices.length; n++) {
      const i = slices[n], start = trace.start[i];
      if (start > end) break;
      const left = Math.max((start - begin) * pixels, -2), right = Math.min((start + trace.length[i] - begin) * pixels, width + 2);
      if (right < 0) continue;
      const id = trace.event[i], hot = marks.marked.has(id), over = marks.over.has(id);
      // What is thinner than a pixel and lies where one was drawn would not be seen.
      if (right < drawnTo && !hot && !over) continue;
      const w = Math.max(right - left, 1);
      paint.globalAlpha = marks.any && !hot ? 0.45 : 1;
      paint.fillStyle = marks.colours['k' + (id < 0 ? 0 : page.events[id].kind)];
      paint.fillRect(left, y, w > 2 ? w - 0.5 : w, laneHeight - 2);
      paint.globalAlpha = 1;
      drawnTo = left + Math.max(w, 1);
      if (w > 24) {
        paint.fillStyle = inkOn(marks.colours['k' + (id < 0 ? 0 : page.events[id].kind)]);
        label(paint, labelAt(trace, i), Math.max(left, 0) + 3, y + laneHeight / 2 - 1, Math.min(right, width) - Math.max(left, 0) - 6);
      }
      if (hot || over) marks.outlines.push([left, y, w, hot ? marks.colours.mark : marks.colours.ink, hot ? 2.5 : 1.5]);
    }
  }
  const nameAt = (trace, i) => trace.event[i] < 0 ? trace.names.get(i) : page.events[trace.event[i]].name;
  function labelAt(trace, i) {
    const event = page.events[trace.event[i]];
    return event && event.module ? event.name + ' · ' + event.module : nameAt(trace, i);
  }

  // [trace, slice] at a place of the canvas.
  function at(x, y) {
    const lane = lanes.find(l => y >= l.y && y < l.y + laneHeight);
    if (!lane) return null;
    const scale = scaleOf(lane), time = (from + x / view.width * (to - from) - shift[lane.at]) / scale;
    const slack = (to - from) / view.width / scale;
    let best = null;
    for (let n = firstFrom(lane, time - slack); n < lane.slices.length; n++) {
      const i = lane.slices[n];
      if (lane.trace.start[i] > time + slack) break;
      if (time <= lane.trace.start[i] + lane.trace.length[i] + slack) best = [lane.trace, i];
    }
    return best;
  }
  function show(begin, end) {
    const least = 20 / perTick, span = Math.min(Math.max(end - begin, least), longest * 1.04);
    const middle = (begin + end) / 2;
    from = Math.min(Math.max(middle - span / 2, -longest * 0.02), longest * 1.02 - span);
    to = from + span;
    said.textContent = timeText((to - from) * perTick, unit) + ' shown';
    view.redraw();
  }
  function zoom(factor, x = view.width / 2) {
    const pivot = from + x / view.width * (to - from);
    show(pivot - (pivot - from) * factor, pivot + (to - pivot) * factor);
  }
  const move = part => show(from + (to - from) * part, to + (to - from) * part);
  function showRun(index) {
    const runs = page.traces[0].runs;
    runAt = Math.min(Math.max(index, 0), runs.length - 1);
    const {begin, end} = runs[runAt], rim = (end - begin) * 0.01;
    runChoice.value = String(runAt);
    page.traces.forEach((trace, at) => { shift[at] = at ? begin - beginOf(trace, runs[runAt]) * trace.perTick / perTick : 0; });
    show(begin - rim, end + rim);
  }
  // Where a trace's run of that number begins, or else its median run.
  function beginOf(trace, like) {
    const found = trace.runs.find(run => run.number === like.number && run.name === like.name)
      || trace.runs.find(run => run.number === trace.median) || trace.runs[0];
    return found ? found.begin : 0;
  }
  // Brings what is chosen into sight, in the run that is shown.
  function reveal() {
    const trace = page.traces[0], run = trace.runs[runAt];
    let begin = Infinity, end = -Infinity;
    for (let i = run.first; i < run.first + run.count; i++) {
      if (!links.chosen.has(trace.event[i])) continue;
      begin = Math.min(begin, trace.start[i]);
      end = Math.max(end, trace.start[i] + trace.length[i]);
    }
    if (begin > end) return;
    if (begin < from || end > to) show(begin - (to - from) / 2, begin + (to - from) / 2);
  }
  function step(direction) {
    const trace = page.traces[0], run = trace.runs[runAt];
    let n = direction > 0 ? run.first - 1 : run.first + run.count;
    for (let i = run.first; i < run.first + run.count; i++) if (links.chosen.has(trace.event[i])) { n = i; break; }
    for (n += direction; n >= run.first && n < run.first + run.count; n += direction) {
      if (trace.event[n] >= 0) { links.choose(links.withPartners([trace.event[n]])); reveal(); return; }
    }
  }
  const keys = {ArrowLeft: () => move(-0.2), ArrowRight: () => move(0.2), ArrowUp: () => zoom(0.7), ArrowDown: () => zoom(1 / 0.7),
    '+': () => zoom(0.7), '-': () => zoom(1 / 0.7), 0: () => show(0, longest), Home: () => showRun(runAt), '[': () => step(-1),
    ']': () => step(1), PageUp: () => showRun(runAt - 1), PageDown: () => showRun(runAt + 1), Escape: () => links.choose([])};
  const canvas = view.canvas;
  canvas.addEventListener('keydown', e => {
    if (keys[e.key] && !e.ctrlKey && !e.metaKey && !e.altKey) { keys[e.key](); e.preventDefault(); }
  });
  canvas.addEventListener('wheel', e => {
    // The page keeps its wheel until the timeline has been clicked, or Ctrl says what is meant.
    if (!e.ctrlKey && !e.metaKey && document.activeElement !== canvas) return;
    e.preventDefault();
    if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) move((e.deltaX || e.deltaY) / 1000);
    else zoom(Math.exp(e.deltaY / 500), e.offsetX);
  }, {passive: false});
  canvas.addEventListener('pointerdown', e => { drag = {x: e.offsetX, from, to, moved: false}; canvas.setPointerCapture(e.pointerId); });
  canvas.addEventListener('pointermove', e => {
    if (drag) {
      drag.moved = drag.moved || Math.abs(e.offsetX - drag.x) > 3;
      const by = (drag.x - e.offsetX) / view.width * (drag.to - drag.from);
      if (drag.moved) show(drag.from + by, drag.to + by);
      return;
    }
    const found = at(e.offsetX, e.offsetY);
    if (!found) { tip.hide(); links.hover([]); return; }
    const [trace, i] = found, event = page.events[trace.event[i]];
    links.hover(event ? links.withPartners([event.id]) : []);
    tip.show([nameAt(trace, i), timeText(trace.length[i] * trace.perTick, trace.unit), event && event.module,
      event && event.source], e);
  });
  canvas.addEventListener('pointerup', e => {
    if (drag && !drag.moved) {
      const found = at(e.offsetX, e.offsetY), id = found ? found[0].event[found[1]] : -1;
      links.choose(id >= 0 ? links.withPartners([id]) : []);
    }
    drag = null;
  });
  canvas.addEventListener('pointerleave', () => { tip.hide(); links.hover([]); });
  canvas.addEventListener('dblclick', e => {
    const found = at(e.offsetX, e.offsetY);
    if (!found) return;
    const [trace, i] = found, scale = trace.perTick / perTick, begin = trace.start[i] * scale + shift[page.traces.indexOf(trace)];
    show(begin, begin + trace.length[i] * scale);
  });

  const runChoice = make('select', {'aria-label': 'Run', onchange: e => showRun(+e.target.value)});
  page.traces[0].runs.forEach((run, i) => runChoice.append(make('option', {value: i},
    'run ' + run.number + ' · ' + run.name + ' · ' + timeText((run.end - run.begin) * perTick, unit) +
    (run.number === page.traces[0].median ? ' (median)' : ''))));
  const button = (name, title, action) => make('button', {type: 'button', title, 'aria-label': title, onclick: action}, name);
  place.append(make('div', {class: 'tools'}, button('‹', 'Run before', () => showRun(runAt - 1)), runChoice,
    button('›', 'Run behind', () => showRun(runAt + 1)), button('All runs', 'Show all runs', () => show(0, longest)),
    button('+', 'Zoom in', () => zoom(0.5)), button('−', 'Zoom out', () => zoom(2)), said));
  place.append(make('div', {class: 'canvas'}, canvas), legend());
  const left = page.traces.reduce((sum, trace) => sum + trace.left, 0);
  if (left) place.append(make('p', {class: 'faint'}, left + ' runs are left out to keep the page small.'));
  view.resize();
  showRun(Math.max(0, page.traces[0].runs.findIndex(run => run.number === page.traces[0].median)));
  return {view, show, showRun, zoom, reveal, at, range: () => [from, to, longest]};
}

function legend() {
  return make('p', {class: 'legend'}, ...kinds.map((kind, i) => make('span', {}, make('i', {class: 'k' + i}), kind)),
    make('span', {class: 'faint'}, 'drag to move, Ctrl + wheel or + and − to zoom, double-click to fit an event'));
}
