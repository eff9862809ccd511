'use strict';
// Parts that pages are made of.

// An element with attributes and children; texts are texts whatever they hold.
function make(tag, attributes = {}, ...children) {
  const out = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) out.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) out.setAttribute(name, value === true ? '' : value);
  }
  out.append(...children);
  return out;
}

// A time as people read it: four digits in the unit that fits.
function timeText(value, unit) {
  if (unit === 'cycles') return Math.round(value).toLocaleString('en') + ' cycles';
  const size = Math.abs(value);
  for (const [scale, name] of [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs']]) {
    if (size >= scale) return (value / scale).toPrecision(4) + ' ' + name;
  }
  return (size >= 100 || Number.isInteger(value) ? Math.round(value) : value.toPrecision(3)) + ' ns';
}

// "+3.1 %" of 1.031, "-50.0 %" of 0.5; from ten times on "6,706 times".
function changeText(ratio) {
  if (!(ratio >= 10 && isFinite(ratio))) return (ratio > 1 ? '+' : '') + ((ratio - 1) * 100).toFixed(1) + ' %';
  return ratio.toLocaleString('en', {maximumFractionDigits: ratio < 100 ? 1 : 0}) + ' times';
}

// What is under the pointer, beside it.
const tip = (() => {
  const box = make('div', {id: 'tip', 'aria-hidden': 'true'});
  return {
    attach() { document.body.append(box); },
    show(lines, event) {
      box.replaceChildren(...lines.filter(Boolean).map((line, i) => make('div', i ? {} : {class: 'first'}, line)));
      box.style.display = 'block';
      box.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - box.offsetWidth - 8)) + 'px';
      box.style.top = (event.clientY + 18 + box.offsetHeight > innerHeight ? event.clientY - box.offsetHeight - 10
        : event.clientY + 18) + 'px';
    },
    hide() { box.style.display = 'none'; }};
})();

// Light or dark as the viewer is, unless they choose.
function themeButton() {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const now = () => document.documentElement.dataset.theme || (dark.matches ? 'dark' : 'light');
  const tell = () => document.dispatchEvent(new Event('theme'));
  dark.addEventListener('change', tell);
  return make('button', {type: 'button', id: 'theme', title: 'Light or dark', onclick: () => {
    document.documentElement.dataset.theme = now() === 'dark' ? 'light' : 'dark';
    tell();
  }}, '◐ Theme');
}

// Numbers by what they are exactly, texts as the language does; cells without a value come last either way.
function sortable(table, heading) {
  const sort = () => {
    const at = heading.cellIndex, before = heading.getAttribute('aria-sort');
    const way = before ? (before === 'ascending' ? -1 : 1) : heading.className === 'n' ? -1 : 1;
    for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
    heading.setAttribute('aria-sort', way > 0 ? 'ascending' : 'descending');
    const key = row => {
      const cell = row.cells[at];
      return cell.dataset.v !== undefined ? +cell.dataset.v : cell.textContent === '' ? null : cell.textContent;
    };
    const order = [...table.tBodies[0].rows].map(row => [key(row), row]);
    order.sort(([x], [y]) => x === null || y === null ? (x === null) - (y === null)
      : way * (typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y))));
    table.tBodies[0].append(...order.map(([, row]) => row));
  };
  const button = make('button', {type: 'button', class: 'sort', onclick: sort}, ...heading.childNodes);
  heading.replaceChildren(button);
}

// Keeps the rows that have all words.
function rowFilter(body) {
  const said = make('span', {class: 'faint', role: 'status'});
  const input = make('input', {type: 'search', placeholder: 'Filter rows', 'aria-label': 'Filter rows', oninput: () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of body.rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every(word => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    said.textContent = words.length ? shown + ' of ' + body.rows.length + ' rows' : '';
  }});
  return make('div', {class: 'tools'}, input, said);
}
