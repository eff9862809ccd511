// What is chosen, in words and as a distribution over the runs.
function detailsView() {
  const body = make('div', {'aria-live': 'polite'});
  const close = make('button', {type: 'button', title: 'Choose nothing', 'aria-label': 'Choose nothing', onclick: () => links.choose([])}, '×');
  const pane = make('aside', {id: 'details', 'aria-label': 'Selection', hidden: true}, close, body);
  document.body.append(pane);
  let shown = null;
  links.listen(() => {
    if (shown === links.chosen) return;
    shown = links.chosen;
    const events = [...shown].map(id => page.events[id]);
    pane.hidden = !events.length;
    document.body.classList.toggle('with-details', events.length > 0);
    const main = events.filter(e => e.trace === 0);
    if (events.length) body.replaceChildren(...(main.length <= 1 && events.length <= 3 ? oneOf(events) : manyOf(main.length ? main : events)));
  });
  const row = (name, value) => value === '' || value === undefined ? [] : [make('dt', {}, name), make('dd', {}, String(value))];
  function oneOf(events) {
    const e = events[0], unit = page.traces[e.trace].unit;
    const whole = page.events.filter(o => o.trace === e.trace && o.block === e.block).reduce((sum, o) => sum + Math.max(o.self, 0), 0);
    const facts = [...row('kind', kinds[e.kind]), ...row('operators', e.operators), ...row('module', e.module), ...row('source', e.source),
      ...row('backend', e.backend), ...row('instruction', e.instruction < 0 ? '' : e.instruction), ...row('debug handles', e.handles.join(', ')), ...row('name in the trace', e.own === e.name ? '' : e.own)];
    const times = events.flatMap(o => [...row(events.length > 1 ? 'AB'[o.trace] + ' median' : 'median', timeText(o.p50, page.traces[o.trace].unit)),
      ...row('p10 to p90', timeText(o.p10, page.traces[o.trace].unit) + ' to ' + timeText(o.p90, page.traces[o.trace].unit))]);
    if (events.length === 2 && e.p50 > 0) times.push(...row('B against A', changeText(events[1].p50 / e.p50)));
    if (whole > 0) times.push(...row('share of a run', (100 * Math.max(e.self, 0) / whole).toFixed(1) + ' %'));
    times.push(...row('runs', e.samples));
    return [make('h3', {}, e.name), make('dl', {}, ...times, ...facts), ...events.map(o => histogram(o, unit))];
  }
  function manyOf(events) {
    const unit = page.traces[events[0].trace].unit, self = events.reduce((sum, e) => sum + Math.max(e.self, 0), 0);
    const names = new Map();
    for (const e of events) names.set(e.name, (names.get(e.name) || 0) + Math.max(e.self, 0));
    const most = [...names].sort((a, b) => b[1] - a[1]).slice(0, 12);
    return [make('h3', {}, events.length + ' events'), make('dl', {}, ...row('time in a run', timeText(self, unit)),
      ...most.flatMap(([name, time]) => row(timeText(time, unit), name)))];
  }
  // How long the event took in each run that the page has.
  function histogram(e, unit) {
    const trace = page.traces[e.trace], values = [];
    for (let i = 0; i < trace.event.length; i++) if (trace.event[i] === e.id) values.push(trace.length[i] * trace.perTick);
    if (values.length < 5) return '';
    const sorted = Float64Array.from(values).sort(), low = sorted[0], high = sorted[Math.floor((sorted.length - 1) * 0.98)], count = 24;
    const bins = new Array(count).fill(0);
    for (const v of values) bins[Math.min(count - 1, Math.max(0, Math.floor((v - low) / (high - low || 1) * count)))]++;
    const most = Math.max(...bins), chart = make('div', {class: 'bins', role: 'img', 'aria-label': 'Distribution over ' + values.length + ' runs, from '
      + timeText(low, unit) + ' to ' + timeText(sorted[sorted.length - 1], unit)});
    for (const n of bins) { const bar = make('i'); bar.style.height = (n ? Math.max(2, 40 * n / most) : 0) + 'px'; chart.append(bar); }
    return make('figure', {}, chart, make('figcaption', {}, make('span', {}, timeText(low, unit)), make('span', {}, timeText(high, unit))));
  }
}

document.documentElement.classList.add('live');
document.querySelector('header').append(themeButton());
tip.attach();
const views = {};
const part = id => document.querySelector('#' + id);
if (page.traces.length && page.traces[0].runs.length && part('timeline')) {
  const place = make('div');
  part('timeline').querySelector('h2').after(place);
  views.timeline = timelineView(place);
}
if (page.events.some(e => e.self > 0) && part('modules')) {
  const place = make('div');
  part('modules').querySelector('h2').after(place);
  views.flame = flameView(place);
}
if (page.graph && part('graph')) {
  const place = make('div');
  part('graph').querySelector('h2').after(place);
  views.graph = graphView(place);
}
tablesView();
detailsView();
document.addEventListener('keydown', e => { if (e.key === 'Escape') links.choose([]); });
