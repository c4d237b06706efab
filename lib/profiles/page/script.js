// script.js - what is said of a frame, the search, the methods, tabs, mouse and keys

// What is said of a box ------------------------------------------------------------------------

function factsOf(b) {
  const facts = [['Total', weight(b.total, p.unit) + ', ' + percent(b.total, p.total[0])]];
  if (b.self) facts.push(['Self', weight(b.self, p.unit) + ', ' + percent(b.self, p.total[0])]);
  if (zoom !== root) facts.push(['Of the zoomed frame', percent(b.total, zoom.total)]);
  if (p.sides > 1) {
    const by = b.total2 ? (b.total / b.total2 - 1) * 100 : 0;
    facts.push(['Before', weight(b.total2 / p.scale2, p.unit) + ', ' + percent(b.total2, p.total[0])],
      ['Change of the share', !b.total ? 'gone' : !b.total2 ? 'new' : Math.abs(by) < 0.05 ? 'none' : (by > 0 ? '+' : '\u2212') + Math.abs(by).toFixed(1) + ' %']);
  }
  if (b.frame >= 0) facts.push(['Kind', KINDS[frames.kind[b.frame]] + (isJava(b.frame) ? ', ' + OWNERS[frames.owner[b.frame]] : '')]);
  return facts;
}

const inWords = (b) => brief(label(b), 600) + '\n' + factsOf(b).map(([k, v]) => k + ': ' + v).join('\n');

function describe() {
  const list = $('facts'), b = selected;
  $('name').textContent = b === root && b.frame < 0 ? 'All of ' + p.label : label(b);
  list.replaceChildren();
  for (const [name, text] of factsOf(b)) {
    const pair = make('div');
    pair.append(make('dt', name), make('dd', text));
    list.append(pair);
  }
  $('into').disabled = b === zoom || b === zoom2;
  $('around').disabled = b.frame < 0 || (mode === 'both' && frames.name[b.frame] === method);
  $('both').disabled = mode !== 'both' && b.frame < 0;
  $('copy').disabled = $('highlight').disabled = $('remove').disabled = b.frame < 0;
}

// Methods that are left out, with all that they call: what remains is the new whole.
function leaveOut(n) {
  if (n === null) removed.clear(); else removed.add(n);
  $('restore').hidden = !removed.size;
  $('restore').textContent = removed.size === 1 ? 'Show the removed method' : `Show ${removed.size} removed methods`;
  cutAgain();
}

function select(b) {
  selected = b; paired = twin(b);
  describe();
  $('live').textContent = inWords(b);
  const y = rowY(b.row);
  if (y < 0) view.scrollTop += y;
  else if (y + ROW > height) view.scrollTop += y + ROW - height;
  overlay(); redraw();
}

function stackOf(b) {
  const list = [];
  for (let at = b; at && at.frame >= 0; at = at.parent) list.push(nameOf(at.frame));
  return (b.isUp ? list.reverse() : list).join('\n');
}

function crumb(b) {
  const button = press(brief(short(label(b)), 60), () => zoomTo(b));
  button.title = brief(label(b), 600);
  return button;
}

function crumbs() {
  const bar = $('crumbs'), path = [];
  bar.replaceChildren();
  for (let b = zoom; b; b = b.parent) path.unshift(b);
  if (path.length < 2) { bar.append('Click a frame to select it, again to zoom in.'); return; }
  path.forEach((b, i) => {
    if (path.length > 8 && i > 0 && i < path.length - 6) { if (i === 1) bar.append('\u203a \u2026'); return; }
    if (i) bar.append('\u203a');
    bar.append(crumb(b));
  });
}

function zoomTo(b) {
  zoom = b;
  if (before) [zoom, zoom2] = b.side ? [twin(b), b] : [b, twin(b)];
  $('reset').disabled = zoom === root;
  layout(); crumbs(); select(b); draw(); remember();
}

// Search ---------------------------------------------------------------------------------------

function count() {
  let sum = 0;
  if (!matched) { $('matches').textContent = ''; return; }
  const list = topmost((f) => matched[f]);
  let before = 0;
  for (const i of list) { sum += p.total[i]; before += second(i); }
  $('matches').textContent = !list.length ? 'nothing matched' : percent(sum, p.total[0]) + ' matched' + (p.sides > 1 ? ', before ' + percent(before, p.total[0]) : '');
}

function search(text) {
  query = text; matched = null;
  if (text) {
    let test;
    try { const re = new RegExp(text, 'i'); test = (n) => re.test(n); } catch (e) {
      const low = text.toLowerCase();
      test = (n) => n.toLowerCase().includes(low);
    }
    const byName = names.map(test);
    matched = new Uint8Array(frames.name.length);
    for (let f = 0; f < matched.length; f++) matched[f] = byName[frames.name[f]] ? 1 : 0;
  }
  count(); overlay(); draw(); remember();
}

function nextMatch(step) {
  if (!matched) return;
  const list = rows.flat().filter((b) => b.frame >= 0 && matched[b.frame]), at = list.indexOf(selected);
  if (list.length) select(list[at < 0 ? (step > 0 ? 0 : list.length - 1) : (at + step + list.length) % list.length]);
}

// The table of methods -------------------------------------------------------------------------

let order = 'self', listed = [], most = $('strips') ? 20 : 100;
function weighMethods(ofSelf, ofTotal) {
  const self = new Float64Array(names.length), total = new Float64Array(names.length), on = new Uint32Array(names.length), path = [];
  for (let i = 1; i < p.count; i++) {
    while (path.length && p.end[path[path.length - 1]] <= i) on[frames.name[p.frame[path.pop()]]]--;
    const f = p.frame[i], n = frames.name[f];
    if (frames.kind[f] < 7 && on[n] === 0) total[n] += ofTotal[i];
    on[n]++;
    path.push(i);
    if (!ofSelf[i]) continue;
    let at = i;
    while (at > 0 && frames.kind[p.frame[at]] >= 7) at = p.parent[at];
    if (at > 0) self[frames.name[p.frame[at]]] += ofSelf[i];
  }
  return { self, total };
}

function listMethods() {
  const { self, total } = weighMethods(p.self, p.total), old = p.sides > 1 && weighMethods(p.self2, p.total2);
  listed = [];
  for (let n = 0; n < names.length; n++)
    if (self[n] || total[n] || (old && old.total[n])) listed.push([n, self[n], total[n], old && old.self[n], old && old.total[n]]);
  sayHot();
}

// The hot path in a sentence: the last method of the application on the way of the most weight, and what is on top.
function hottest() {
  let at = 0, own = -1;
  for (;;) {
    let next = -1;
    for (let c = at + 1; c < p.end[at]; c = p.end[c]) if (next < 0 || p.total[c] > p.total[next]) next = c;
    if (next < 0 || p.total[next] * 2 < p.total[0]) return own;
    at = next;
    if (isJava(p.frame[at]) && frames.owner[p.frame[at]] === 0) own = at;
  }
}

function toMethod(n) {
  return press(brief(short(names[n]), 80), () => { method = n; setMode('both'); view.focus(); });
}

function sayHot() {
  const all = p.total[0], own = hottest(), line = $('hot');
  const top = listed.reduce((best, m) => (!best || m[1] > best[1] ? m : best), null);
  line.replaceChildren();
  line.hidden = p.sides > 1 || !(all > 0) || !top;
  if (line.hidden) return;
  if (own > 0) line.append(percent(p.total[own], all) + ' passes through ', toMethod(frames.name[p.frame[own]]), '. ');
  if (top[1] > 0) line.append('Most often on top: ', toMethod(top[0]), ', ' + percent(top[1], all) + '.');
}

function shareCell(row, part, all) {
  const cell = row.insertCell(), by = all ? Math.min(100, 100 * part / all) : 0;
  cell.textContent = percent(part, all);
  cell.style.background = `linear-gradient(to right, var(--bar) ${by}%, transparent ${by}%)`;
}

function fillTable() {
  const filter = $('filter').value.toLowerCase(), body = $('methods').tBodies[0], all = p.total[0], key = order === 'self' ? 1 : 2;
  // Of a difference what changed most comes first.
  const heavy = (m) => (p.sides > 1 ? Math.abs(m[key] / all - m[key + 2] / p.total2[0]) : m[key]);
  const list = listed.filter(([n]) => !filter || names[n].toLowerCase().includes(filter))
    .sort((a, b) => (order === 'name' ? a[0] - b[0] : heavy(b) - heavy(a) || b[3 - key] - a[3 - key] || a[0] - b[0]));
  body.replaceChildren();
  for (const [n, self, total, self2, total2] of list.slice(0, most)) {
    const row = body.insertRow();
    if (p.sides > 1) {
      shareCell(row, self, all); shareCell(row, self2, p.total2[0]);
      shareCell(row, total, all); shareCell(row, total2, p.total2[0]);
    } else {
      row.insertCell().textContent = weight(self, p.unit); shareCell(row, self, all);
      row.insertCell().textContent = weight(total, p.unit); shareCell(row, total, all);
    }
    row.insertCell().append(press(brief(names[n], 400), () => { method = n; setMode('both'); view.focus(); view.scrollIntoView({ block: 'nearest' }); }));
  }
  $('rest').hidden = list.length <= most;
  $('more').textContent = list.length > most ? `The first ${most} of ${list.length.toLocaleString('en')}` : list.length.toLocaleString('en') + (list.length === 1 ? ' method' : ' methods');
  for (const th of $('methods').tHead.rows[0].cells)
    if (!th.dataset.order) th.textContent = p.sides > 1 ? 'Before' : 'Share';
    else th.setAttribute('aria-sort', th.dataset.order === order ? (order === 'name' ? 'ascending' : 'descending') : 'none');
}

// Changing what is shown -----------------------------------------------------------------------

function setMode(to) {
  if (to === 'both' && method < 0) {
    if (selected.frame < 0) return;
    method = frames.name[selected.frame];
  }
  mode = to;
  if (to !== 'both') method = -1;
  for (const id of ['down', 'up', 'both']) $(id).setAttribute('aria-pressed', mode === id);
  makeRoot();
  $('halves').hidden = !before;
  $('reset').disabled = true;
  layout(); crumbs();
  view.scrollTop = flipped ? view.scrollHeight : 0;
  select(root);
  draw();
}

function open(i) {
  p = profiles[i];
  width = view.clientWidth; height = view.clientHeight;
  method = -1; under = null; inGroup = null;
  removed.clear(); $('restore').hidden = true;
  cut();
  profiles.forEach((_, j) => {
    $('tab' + j).setAttribute('aria-selected', i === j);
    $('tab' + j).tabIndex = i === j ? 0 : -1;
  });
  const d = p.doubts, said = [[d[0], 'without a stack trace'], [d[1], 'failed'], [d[2], 'lost'], [d[3], 'deeper than was recorded']]
    .filter(([n]) => n).map(([n, what]) => n.toLocaleString('en') + ' ' + what).join(', ');
  $('what').textContent = p.label + ': ' + weight(p.whole.total[0], p.unit) + (p.unit ? ' in ' + weight(p.samples, 0) : '');
  const lost = p.lostBytes && weight(p.lostBytes, 2) + ' of events of all types were lost';
  $('doubts').hidden = !said && !lost;
  $('doubts').textContent = [said && 'Samples that do not tell all: ' + said, lost].filter(Boolean).join('. ');
  $('search').setAttribute('aria-label', 'Search ' + p.label);
  $('beside').hidden = p.sides < 2;
  if (p.sides > 1) {
    $('left').textContent = 'Before: ' + weight(p.total2[0], p.unit);
    $('right').textContent = 'After: ' + weight(p.total[0], p.unit);
  }
  listMethods(); setMode('down'); fillTable(); count(); legend(); openTime();
  view.style.height = Math.max(160, Math.min((rows.length + 1) * ROW, innerHeight * 0.62)) + 'px';
}

function openTime() {
  $('time').hidden = !p.times;
  $('slices').open = false;
  if (p.times) { findGroups(); showHeat(); describeTime(); drawStrip(); }
}

function remember() {
  const parts = ['p=' + profiles.indexOf(p)];
  if (range) parts.push('t=' + range.join('-'));
  if (band) parts.push('b=' + [band.from, band.to, band.spans, band.skipped].join('-'));
  if (query) parts.push('q=' + encodeURIComponent(query));
  history.replaceState(null, '', '#' + parts.join('&'));
}

function theme() {
  document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
  sayTheme();
  legend(); draw(); drawStrip();
}
const sayTheme = () => { $('theme').textContent = isDark() ? 'Light' : 'Dark'; };

// Mouse and keys -------------------------------------------------------------------------------

function at(event) {
  const place = canvas.getBoundingClientRect(), x = event.clientX - place.left, y = event.clientY - place.top;
  for (let row = 0; row < rows.length; row++) {
    const top = rowY(row);
    if (y < top || y >= top + ROW) continue;
    return rows[row].find((b) => x >= b.x && x < b.x + b.w) || null;
  }
  return null;
}

function tip(event, b) {
  const t = $('tip');
  if (hovered !== b) { hovered = b; redraw(); }
  t.hidden = !b;
  if (!b) return;
  t.textContent = inWords(b);
  t.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - t.offsetWidth - 8)) + 'px';
  t.style.top = (event.clientY + 20 + t.offsetHeight > innerHeight ? event.clientY - t.offsetHeight - 10 : event.clientY + 20) + 'px';
}

function step(key) {
  const b = selected, by = (key === 'ArrowDown') !== flipped ? 1 : -1;
  const list = key === 'ArrowLeft' || key === 'ArrowRight' ? rows[b.row] : null;
  if (list) return list[list.indexOf(b) + (key === 'ArrowLeft' ? -1 : 1)];
  if (b.parent && b.parent.row === b.row + by) return b.parent;
  return (rows[b.row + by] || []).filter((k) => k.parent === b || k === b.parent).sort((x, y) => y.w - x.w)[0];
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key;
  if (key.startsWith('Arrow')) { const b = step(key); if (b) select(b); }
  else if (key === 'Enter') zoomTo(selected);
  else if (key === 'Backspace' || key === 'Escape') { if (zoom.parent) zoomTo(zoom.parent); else if (mode !== 'down') setMode('down'); }
  else if (key === 'Home') zoomTo(root);
  else if (key === 'n' || key === 'N') nextMatch(key === 'n' ? 1 : -1);
  else if (key === 's' && selected.frame >= 0) { method = -1; setMode('both'); }
  else if (key === 'c') setMode('down');
  else return;
  event.preventDefault();
}

function listen() {
  on(canvas, 'mousemove', (e) => tip(e, at(e)));
  on(canvas, 'mouseleave', () => tip(null, null));
  on(canvas, 'click', (e) => { const b = at(e); if (b) { if (b === selected || b.isAbove) zoomTo(b); else select(b); } });
  on(view, 'keydown', onKey);
  on(view, 'scroll', redraw);
  new ResizeObserver(resize).observe(view);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { sayTheme(); legend(); draw(); drawStrip(); });
  on('search', 'input', (e) => search(e.target.value));
  on('search', 'keydown', (e) => { if (e.key === 'Enter') nextMatch(e.shiftKey ? -1 : 1); });
  on('next', 'click', () => nextMatch(1));
  on('previous', 'click', () => nextMatch(-1));
  on('reset', 'click', () => zoomTo(root));
  on('into', 'click', () => zoomTo(selected));
  on('around', 'click', () => { method = -1; setMode('both'); });
  on('highlight', 'click', () => {
    $('search').value = '^' + names[frames.name[selected.frame]].replace(/[.*+?^${}()|[\]\\]/g, '\\$&') + '$';
    search($('search').value);
  });
  on('remove', 'click', () => leaveOut(frames.name[selected.frame]));
  on('restore', 'click', () => { leaveOut(null); view.focus(); });
  on('copy', 'click', () => navigator.clipboard.writeText(stackOf(selected)).then(() => { $('live').textContent = 'copied'; }, () => {}));
  $('copy').hidden = !navigator.clipboard;
  on('flip', 'click', () => {
    flipped = !flipped;
    $('flip').setAttribute('aria-pressed', flipped);
    view.scrollTop = flipped ? view.scrollHeight : 0;
    draw();
  });
  on('beside', 'click', () => {
    beside = !beside;
    $('beside').setAttribute('aria-pressed', beside);
    setMode('down');
  });
  for (const id of ['down', 'up', 'both']) on(id, 'click', () => setMode(id));
  on('theme', 'click', theme);
  on('filter', 'input', fillTable);
  on('rest', 'click', () => { most += 400; fillTable(); });
  for (const th of $('methods').tHead.rows[0].cells)
    if (th.dataset.order) th.firstElementChild.addEventListener('click', () => { order = th.dataset.order; fillTable(); });
  // A page around the graph may choose the time and search.
  on(document, 'report-time', (e) => {
    if (!p.times) return;
    if (!e.detail) { selectTime(null); return; }
    selectTime(Math.floor((e.detail[0] - p.times.begin) / p.times.ms), Math.ceil((e.detail[1] - p.times.begin) / p.times.ms));
  });
  // What classes weigh in a time (null: the whole), by the name of the profile: added to `sums`.
  on(document, 'report-classes', ({ detail }) => {
    const of = profiles.find((one) => one.name === detail.profile), t = of && of.times;
    if (!t) return;
    const add = (node, w) => {
      const frame = of.frame[node], name = names[frames.name[frame]];
      detail.all += w;
      if (node && frames.kind[frame] === CLASS) detail.sums.set(name, (detail.sums.get(name) || 0) + w);
    };
    const [a, b] = (detail.range || [t.begin, t.begin + t.count * t.ms]).map((at) => (at - t.begin) / t.ms);
    if (detail.range) eachSeen(t, of.seen, Math.max(0, Math.floor(a)), Math.max(0, Math.min(t.count, Math.ceil(b))), add);
    else of.whole.self.forEach((w, node) => { if (w) add(node, w); });
  });
  on(document, 'report-profile', (e) => {
    const i = profiles.findIndex((one) => one.name === e.detail);
    if (i >= 0) { open(i); remember(); }
  });
  on(document, 'report-seek', (e) => {
    $('search').value = e.detail.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    search($('search').value);
  });
  on(document, 'keydown', (e) => {
    if (e.key === '/' && !/INPUT|SELECT|TEXTAREA/.test(e.target.tagName)) { e.preventDefault(); $('search').focus(); }
  });
}

function tabs() {
  profiles.forEach((profile, i) => {
    const b = press(profile.label, () => { open(i); remember(); });
    b.id = 'tab' + i;
    b.setAttribute('role', 'tab');
    b.setAttribute('aria-controls', 'panel');
    on(b, 'keydown', (e) => {
      const by = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
      if (by) { const j = (i + by + profiles.length) % profiles.length; open(j); $('tab' + j).focus(); }
    });
    $('tabs').append(b);
  });
}

function legendItem(text, background, border) {
  const item = make('li'), swatch = make('i');
  swatch.style.background = background;
  if (border) swatch.style.borderBottom = border;
  item.append(swatch, text);
  $('key').append(item);
}

function legend() {
  const dark = isDark(), seen = new Set(), paint = dark ? '#ffffff90' : '#00000070';
  $('key').replaceChildren();
  if (p.sides > 1) {
    for (const [text, by] of [['half', -0.5], ['about the same', 0], ['twice', 0.5], ['new', 1]])
      legendItem(text, by ? tint(by > 0 ? 28 : 211, 85, 90 - 26 * Math.abs(by), dark) : tint(0, 0, 89, dark));
    legendItem('gone', `repeating-linear-gradient(135deg, ${paint} 0 1px, ${tint(211, 85, 64, dark)} 1px 4px)`);
    return;
  }
  const owners = new Set(), border = (i) => MARKS[i] && (MARKS[i] === 'double' ? '4px ' : '2px ') + MARKS[i] + ' ' + paint;
  for (let i = 1; i < p.count; i++) {
    seen.add(frames.kind[p.frame[i]]);
    if (isJava(p.frame[i])) owners.add(frames.owner[p.frame[i]]);
  }
  OWNERS.forEach((owner, i) => { if (owners.has(i)) legendItem(owner, tint(...OF_OWNER[i], dark)); });
  // Of Java only the mark is the kind's.
  KINDS.forEach((kind, i) => { if (seen.has(i) && (MARKS[i] || i > 6)) legendItem(kind, i < 3 || i === 6 ? 'transparent' : tint(...OF_KIND[i], dark), border(i)); });
}

async function start() {
  const r = reader(await bytes('data'));
  if (r.number() !== 2) throw new Error('data of another version');
  names = readNames(r); frames = readFrames(r);
  profiles = [];
  for (let n = r.number(); n > 0; n--) profiles.push(readProfile(r));
  if (!profiles.length) return;
  const wanted = new URLSearchParams(location.hash.slice(1)), time = /^(\d+)-(\d+)$/.exec(wanted.get('t') || '');
  tabs(); listen(); listenTime(); listenHeat(); sayTheme();
  $('screen').hidden = false;
  // Without a wish, what the page around the graph is about.
  const about = document.querySelector('main[data-profile]'), first = profiles.findIndex((one) => about && one.name === about.dataset.profile);
  open(Math.min(wanted.has('p') ? Number(wanted.get('p')) || 0 : Math.max(first, 0), profiles.length - 1));
  resize();
  if (wanted.get('q')) { $('search').value = wanted.get('q'); search(wanted.get('q')); }
  document.documentElement.dataset.drawn = 'yes';
  if ($('times')) {
    const seen = reader(await bytes('times'));
    const axis = { count: seen.number(), ms: 0, begin: 0 };
    if (axis.count) {
      axis.ms = seen.number(); axis.begin = seen.number(); ahead = (seen.number() - 86400) * 1000;
      for (const profile of profiles) profile.times = readTimes(seen, axis);
    }
    openTime();
    const [, ...rows] = /^(\d+)-(\d+)-([1-9]\d*)-(\d+)$/.exec(wanted.get('b') || '') || [], [from, to, spans, skipped] = rows.map(Number);
    if (time && p.times) selectTime(Number(time[1]), Number(time[2]), rows.length ? { from, to, spans, skipped } : null);
  }
  document.documentElement.dataset.ready = 'yes';
}

start().catch((e) => { document.documentElement.dataset.failed = 'yes'; $('failed').hidden = false; $('failed').textContent = 'The graph cannot be drawn: ' + e.message + '. The tables below are complete.'; });
})();
