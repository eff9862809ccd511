// Tables sort by a click on a heading, keep the rows that have a text, and choose what a row is about, as the parts
// of still pictures do.
function tablesView() {
  const rows = [];
  for (const table of document.querySelectorAll('table')) {
    [...table.tHead.rows[0].cells].forEach(heading => sortable(table, heading));
    const body = table.tBodies[0], place = table.parentElement;
    if (body.rows.length > 8) place.before(rowFilter(body));
    for (const row of body.rows) link(row);
  }
  for (const item of document.querySelectorAll('li[data-i],li[data-h],g[data-e],g[data-h],g[data-i]')) link(item);

  function link(row) {
    const ids = links.eventsOf(row);
    if (!ids.size) return;
    rows.push([row, ids]);
    // A picture has hundreds of parts: keys go through its table.
    if (row.tagName !== 'g') row.tabIndex = 0;
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
