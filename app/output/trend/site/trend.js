// The charts of a model's page. The data, as site_data.cpp writes it:
//   {version: 1, groups: [group...]}
//   group: {unit: 'ns' | 'cycles', points: [[label, date, measurements]...], series: [series...]}
//   series: [name, [time or null...], [[from, to, time]...]], the total first; levels up to, not with, the point `to`
const shape = {width: 940, height: 190, left: 74, right: 12, top: 10, bottom: 24};

function svgPart(tag, attributes, ...children) {
  const out = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) out.setAttribute(name, value);
  out.append(...children);
  return out;
}

// Places of a series in the picture: points to the right, times upwards from just below the least.
function axesOf(group, series) {
  const times = series[1].filter(t => t !== null).sort((a, b) => a - b);
  const first = times[0] || 0, last = times[Math.max(0, times.length - 1 - Math.floor(times.length / 50))] || 1;
  const margin = Math.max(0.02 * last, (last - first) / 8), low = Math.max(0, first - margin), high = Math.max(last + margin, low + 1e-9);
  const step = (shape.width - shape.left - shape.right) / group.points.length;
  return {low, high, step,
    x: at => shape.left + step * (at + 0.5),
    y: t => shape.top + (shape.height - shape.top - shape.bottom) * (1 - (Math.min(Math.max(t, low), high) - low) / (high - low))};
}

function chart(group, series) {
  const axes = axesOf(group, series), parts = [], floor = shape.height - shape.bottom;
  for (let i = 0; i <= 2; i++) {
    const t = axes.low + (axes.high - axes.low) * i / 2, y = axes.y(t);
    parts.push(svgPart('line', {x1: shape.left, x2: shape.width - shape.right, y1: y, y2: y, class: 'rule'}),
      svgPart('text', {x: shape.left - 6, y: y + 4, 'text-anchor': 'end', class: 'axis'}, timeText(t, group.unit)));
  }
  parts.push(svgPart('text', {x: shape.left, y: floor + 17, class: 'axis'}, group.points[0][0]),
    svgPart('text', {x: shape.width - shape.right, y: floor + 17, 'text-anchor': 'end', class: 'axis'}, group.points[group.points.length - 1][0]));
  series[1].forEach((t, at) => { if (t !== null) parts.push(svgPart('circle', {cx: axes.x(at), cy: axes.y(t), r: 2.6, class: 'dot'})); });
  series[2].forEach(([from, to, t], i) => {
    parts.push(svgPart('path', {d: `M${axes.x(from) - axes.step / 2} ${axes.y(t)}H${axes.x(to - 1) + axes.step / 2}`, class: 'level'}));
    if (i) {
      const kind = t > series[2][i - 1][2] ? 'slower' : 'faster', x = axes.x(from) - axes.step / 2;
      parts.push(svgPart('line', {x1: x, x2: x, y1: shape.top, y2: floor, class: 'change ' + kind}));
    }
  });
  const line = svgPart('line', {y1: shape.top, y2: floor, class: 'here', visibility: 'hidden'});
  const ring = svgPart('circle', {r: 4.5, class: 'ring', visibility: 'hidden'});
  const picture = svgPart('svg', {viewBox: `0 0 ${shape.width} ${shape.height}`, tabindex: 0, role: 'application',
    'aria-label': series[0] + ', ' + group.points.length + ' points; arrow keys go through them'}, ...parts, line, ring);
  const state = {at: -1};
  function show(at, event) {
    const t = series[1][at], level = series[2].find(l => l[0] <= at && at < l[1]);
    state.at = at;
    for (const part of [line, ring]) part.setAttribute('visibility', 'visible');
    line.setAttribute('x1', axes.x(at));
    line.setAttribute('x2', axes.x(at));
    ring.setAttribute('cx', axes.x(at));
    ring.setAttribute('cy', axes.y(t === null ? axes.low : t));
    const [label, date, count] = group.points[at];
    tip.show([label, date === label ? '' : date, t === null ? 'did not run' : timeText(t, group.unit),
      level && t !== null ? 'level ' + timeText(level[2], group.unit) : '', count > 1 ? count + ' measurements' : ''], event);
  }
  function hide() {
    state.at = -1;
    for (const part of [line, ring]) part.setAttribute('visibility', 'hidden');
    tip.hide();
  }
  const nearest = event => {
    const box = picture.getBoundingClientRect(), x = (event.clientX - box.left) * shape.width / box.width;
    return Math.min(group.points.length - 1, Math.max(0, Math.round((x - shape.left) / axes.step - 0.5)));
  };
  picture.addEventListener('pointermove', event => show(nearest(event), event));
  picture.addEventListener('pointerleave', hide);
  picture.addEventListener('blur', hide);
  picture.addEventListener('keydown', event => {
    const way = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (event.key === 'Escape') hide();
    if (!way) return;
    event.preventDefault();
    const at = state.at < 0 ? (way > 0 ? 0 : group.points.length - 1) : Math.min(group.points.length - 1, Math.max(0, state.at + way));
    const box = picture.getBoundingClientRect();
    show(at, {clientX: box.left + axes.x(at) * box.width / shape.width, clientY: box.top + box.height / 2});
  });
  return picture;
}

document.documentElement.classList.add('live');
document.querySelector('header').append(themeButton());
tip.attach();
for (const table of document.querySelectorAll('table')) {
  [...table.tHead.rows[0].cells].forEach(heading => sortable(table, heading));
  if (table.tBodies[0].rows.length > 8) table.parentElement.before(rowFilter(table.tBodies[0]));
}
const block = document.getElementById('data');
const data = block ? JSON.parse(block.textContent) : {groups: []};
for (const place of document.querySelectorAll('.trend')) {
  const group = data.groups[+place.dataset.group];
  const picture = make('div', {class: 'chart'});
  const draw = which => picture.replaceChildren(chart(group, group.series[which]));
  const choice = make('select', {'aria-label': 'What is drawn', onchange: () => draw(+choice.value)},
    ...group.series.map((series, i) => make('option', {value: i}, series[0])));
  place.append(...(group.series.length > 1 ? [make('div', {class: 'tools'}, choice)] : []), picture);
  draw(0);
}
