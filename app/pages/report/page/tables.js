// Tables sort by a click on a heading, keep the rows that have a text, and choose what a row is about.
function tablesView() {
  const rows = [];
  for (const table of document.querySelectorAll('table')) {
    [...table.tHead.rows[0].cells].forEach(heading => sortable(table, heading));
    const body = table.tBodies[0], place = table.parentElement;
    if (body.rows.length > 8) place.before(filter(body));
    for (const row of body.rows) link(row);
  }
  for (const item of document.querySelectorAll('li[data-i],li[data-h]')) link(item);

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
  function filter(body) {
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
  function link(row) {
    const ids = links.eventsOf(row);
    if (!ids.size) return;
    rows.push([row, ids]);
    row.tabIndex = 0;
    row.classList.add('link');
    const choose = () => links.choose(ids);
    row.addEventListener('click', () => { if (!getSelection().toString()) choose(); });
    row.addEventListener('keydown', e => { if (e.key === 'Enter' && e.target === row) choose(); });
    row.addEventListener('pointerenter', () => links.hover(ids));
    row.addEventListener('pointerleave', () => links.hover([]));
  }
  const meet = (a, b) => { for (const id of a) if (b.has(id)) return true; return false; };
  links.listen(() => {
    for (const [row, ids] of rows) {
      // A row about one event is chosen with it; one about many only where all are.
      const whole = ids.size <= 2 ? meet(ids, links.chosen) : links.chosen.size > 0 && [...ids].every(id => links.chosen.has(id));
      if (whole !== row.classList.contains('chosen')) {
        row.classList.toggle('chosen', whole);
        row.setAttribute('aria-selected', String(whole));
      }
      row.classList.toggle('over', links.hovered.size > 0 && meet(ids, links.hovered));
    }
  });
}
