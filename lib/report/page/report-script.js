// report-script.js - the timeline's cursor and zoom, tables that sort, links into the graphs
(function () {
const $ = (id) => document.getElementById(id);
const strips = $('strips');
let data = null, heat = [], timed = new Map(), range = null, from = null, cursor = null;

// Numbers for people ---------------------------------------------------------------------------

const plain = (v) => (Math.abs(v) < 100 && v % 1 ? human.number(v) : human.count(v));
function text(v, unit) {
  if (unit === 'share') return human.share(v);
  if (unit === 'ns') return human.span(v);
  if (unit === 'bytes') return human.bytes(v);
  if (unit === 'bytesPerSecond') return human.rate(v);
  return plain(v) + (unit === 'perSecond' ? '/s' : '');
}
const two = (n) => String(n).padStart(2, '0');
function clock(ms, exact) {
  const d = new Date(ms + data.offset), t = two(d.getUTCHours()) + ':' + two(d.getUTCMinutes()) + ':' + two(d.getUTCSeconds());
  return exact ? t + '.' + String(d.getUTCMilliseconds()).padStart(3, '0') : t;
}
const day = (ms) => new Date(ms + data.offset).toISOString().slice(0, 10);
const length = (ms) => human.span(ms * 1e6);

// The time that is shown -----------------------------------------------------------------------

const shown = () => range || [data.from, data.to];
// Parts of the axis are [from, to, first column, columns]; what is between two was cut out.
const within = (v, least, most) => Math.max(least, Math.min(most, v));
function column(ms) {
  const p = data.parts.filter((one, i) => !i || one[0] <= ms).pop();
  return p[2] + p[3] * within((ms - p[0]) / (p[1] - p[0]), 0, 1);
}
function timeOf(c) {
  const p = data.parts.filter((one, i) => !i || one[2] <= c).pop();
  return p[0] + (p[1] - p[0]) * within((c - p[2]) / p[3], 0, 1);
}
// Where a column is in what is shown: 0 to 1.
function place(c) {
  const [a, b] = shown().map(column);
  return (c - a) / (b - a || 1);
}
const charts = () => document.querySelectorAll('.timeline svg.chart');
// That of values, and those of threads.
const timelines = () => [...document.querySelectorAll('.timeline')].filter((one) => one.querySelector('svg.chart'));

function marks() {
  const [a, b] = shown(), parts = data.parts.map((p) => [Math.max(p[0], a), Math.min(p[1], b), p[2]]).filter((p) => p[1] > p[0]);
  const all = parts.reduce((sum, p) => sum + p[1] - p[0], 0), days = parts.length > 1 && day(a) !== day(b), steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5, 72e5, 108e5, 216e5, 432e5, 864e5, 6048e5];
  const step = steps.find((s) => all / s <= 6) || steps[steps.length - 1];
  for (const svg of document.querySelectorAll('.timeline .axis svg')) {
    const wide = svg.getBoundingClientRect().width || 1000;
    let next = 0;
    svg.replaceChildren();
    const times = parts.flatMap((p) => {
      const list = p[2] ? [p[0]] : [];
      for (let at = Math.ceil((p[0] + data.offset) / step) * step - data.offset; at < p[1]; at += step) list.push(at);
      return list;
    });
    for (const at of times) {
      const here = place(column(at)), x = (100 * here).toFixed(2) + '%', line = document.createElementNS(svg.namespaceURI, 'line'), label = document.createElementNS(svg.namespaceURI, 'text');
      for (const [k, v] of [['x1', x], ['x2', x], ['y1', 0], ['y2', 5]]) line.setAttribute(k, v);
      label.setAttribute('x', x); label.setAttribute('y', 16);
      label.textContent = days ? day(at).slice(5) + ' ' + clock(at).slice(0, 5) : step >= 864e5 ? day(at) : step >= 6e4 ? clock(at).slice(0, 5) : clock(at, step < 1000);
      // What it takes of the axis; at the borders it does not stand in the middle of its place.
      const takes = Math.max(0.12, 8 * label.textContent.length / wide), isFirst = here - takes / 2 < 0, isLast = !isFirst && here + takes / 2 > 1;
      if (isFirst || isLast) label.classList.add(isFirst ? 'first' : 'last');
      svg.append(line);
      if (here - (isLast ? takes / 2 : 0) < next) continue;
      next = here + takes * (isFirst ? 1.5 : 1);
      svg.append(label);
    }
  }
}

function show(a, b, quiet) {
  range = a === null || (a <= data.from && b >= data.to) ? null : [Math.max(data.from, a), Math.min(data.to, b)];
  const [first, last] = shown();
  for (const svg of charts()) {
    const [,,, high] = svg.getAttribute('viewBox').split(' '), x = column(first);
    svg.setAttribute('viewBox', `${x} 0 ${Math.max(column(last) - x, 0.01)} ${high}`);
  }
  for (const rect of strips.querySelectorAll('.found rect')) {
    if (!rect.dataset.at) rect.dataset.at = [rect.getAttribute('x'), rect.getAttribute('width')].map((v) => parseFloat(v) * data.columns / 100).join(' ');
    const [x, w] = rect.dataset.at.split(' ').map(Number), l = within(place(x), 0, 1), r = within(place(x + w), 0, 1);
    rect.setAttribute('x', 100 * l + '%');
    rect.setAttribute('width', 100 * (r - l) + '%');
  }
  marks();
  $('whole').hidden = !range;
  $('brushed').textContent = range ? `Shown: ${day(first)} ${clock(first, last - first < 6e4)} to ${clock(last, last - first < 6e4)}, ${length(last - first)}; the profiles, what threads did, lists of events, and tables that do not say otherwise are of this time.` : 'Drag over the timeline to zoom in; arrow keys move the cursor.';
  restrict();
  if (!quiet) document.dispatchEvent(new CustomEvent('report-time', { detail: range }));
}

// The cursor -----------------------------------------------------------------------------------

function box(of) {
  const chart = of.querySelector('svg.chart'), own = of.getBoundingClientRect(), r = chart.getBoundingClientRect();
  return { left: r.left - own.left, width: r.width, page: r.left };
}

function say(at) {
  const c = at === null ? null : Math.floor(column(at));
  data.jvms.forEach((jvm, j) => jvm.strips.forEach((s) => {
    const out = strips.querySelector(`[data-strip="${j}-${s.id}"] .value`);
    if (!out) return;
    if (c === null) { out.textContent = ''; return; }
    out.textContent = s.lines.map((l) => {
      let i = Math.min(c, data.columns - 1);
      // A value holds until the next one.
      if (l.kind === 'gauge') while (i > 0 && l.high[i] === null) i--;
      const v = l.high[i];
      if (v === null || v === undefined) return '\u2013';
      return l.kind === 'gauge' && l.low[i] < v * 0.98 ? text(l.low[i], s.unit) + '\u2026' + text(v, s.unit) : text(v, s.unit);
    }).join(' / ');
  }));
  for (const of of document.querySelectorAll('.timeline[data-threads]')) {
    const h = heat[of.dataset.threads], i = h && at !== null ? Math.floor((at - h.first) / h.width) : -1;
    of.querySelectorAll('.value').forEach((out, k) => {
      const spent = h && h.threads[k].get(i);
      out.textContent = spent ? spent.map((us, s) => [us / 10 / h.width, STATES[s]]).filter(([share]) => share >= 0.5)
        .map(([share, name]) => name + ' ' + Math.min(share, 100).toFixed(0) + ' %').join(', ') : '';
    });
  }
}

// What lies over the charts of a timeline.
function overlay(of, name) {
  let it = of.querySelector(':scope > .' + name);
  if (!it) { it = document.createElement('div'); it.className = name; of.append(it); }
  return it;
}

function point(at) {
  for (const of of timelines()) {
    const where = box(of), line = overlay(of, 'cursor');
    line.hidden = at === null;
    if (at !== null) line.style.left = where.left + place(column(at)) * where.width + 'px';
  }
  cursor = at;
  say(at);
}

function timeAt(of, event) {
  const [a, b] = shown().map(column), where = box(of);
  return timeOf(a + within((event.clientX - where.page) / where.width, 0, 1) * (b - a));
}

function drawBrush(a, b) {
  for (const of of timelines()) {
    const where = box(of), brush = overlay(of, 'brushing');
    brush.hidden = a === null;
    if (a === null) continue;
    const [l, r] = [Math.min(a, b), Math.max(a, b)].map((at) => place(column(at)) * where.width);
    brush.style.left = where.left + l + 'px';
    brush.style.width = r - l + 'px';
  }
}

function onKey(e) {
  if (e.ctrlKey || e.metaKey || e.altKey || e.target !== strips) return;
  const [a, b] = shown(), all = b - a, at = cursor === null ? a + all / 2 : cursor;
  if (e.key === 'ArrowLeft' || e.key === 'ArrowRight') {
    const to = at + (e.key === 'ArrowLeft' ? -1 : 1) * all / (e.shiftKey ? 20 : 200);
    point(Math.max(a, Math.min(b, to)));
    $('brushed').textContent = clock(Math.max(a, Math.min(b, to)), true);
  } else if (e.key === '+' || e.key === 'ArrowUp') show(Math.max(a, at - all / 4), Math.min(b, at + all / 4));
  else if (e.key === '-' || e.key === 'ArrowDown') show(Math.max(data.from, a - all / 2), Math.min(data.to, b + all / 2));
  else if (e.key === 'Escape') { show(null); point(null); }
  else return;
  e.preventDefault();
}

// The pointer over a timeline: the cursor, and the brush.
function follow(of) {
  of.addEventListener('pointermove', (e) => {
    if (!e.target.closest('svg.chart') && from === null) { point(null); return; }
    const at = timeAt(of, e);
    point(at);
    if (from !== null) drawBrush(from, at);
  });
  of.addEventListener('pointerleave', () => { if (from === null) point(null); });
  of.addEventListener('pointerdown', (e) => {
    if (!e.target.closest('svg.chart') || e.button) return;
    from = timeAt(of, e);
    of.setPointerCapture(e.pointerId);
  });
  of.addEventListener('pointerup', (e) => {
    const to = from === null ? null : timeAt(of, e), [a, b] = shown();
    drawBrush(null);
    if (to !== null && Math.abs(to - from) > (b - a) / 200) show(Math.min(from, to), Math.max(from, to));
    from = null;
  });
  of.addEventListener('pointercancel', () => { from = null; drawBrush(null); });
}

function listen() {
  strips.tabIndex = 0;
  strips.setAttribute('role', 'application');
  strips.setAttribute('aria-label', 'Timeline. Left and Right move the cursor, Up and Down zoom, Escape shows the whole time. The same as a table follows.');
  for (const of of timelines()) follow(of);
  strips.addEventListener('keydown', onKey);
  $('whole').addEventListener('click', () => { show(null); strips.focus(); });
  document.addEventListener('click', (e) => {
    const when = e.target.closest && e.target.closest('a.when');
    if (!when) return;
    const a = Number(when.dataset.from), b = Number(when.dataset.to), by = Math.max((b - a) / 4, (data.to - data.from) / 200);
    show(a - by, b + by);
  });
}

// Tables ---------------------------------------------------------------------------------------

function sortable(table) {
  const heads = table.tHead.rows[0].cells;
  [...heads].forEach((th, i) => {
    const b = document.createElement('button');
    b.type = 'button';
    b.textContent = th.textContent;
    th.replaceChildren(b);
    b.addEventListener('click', () => {
      const up = th.getAttribute('aria-sort') === 'descending', body = table.tBodies[0];
      const key = (row) => { const c = row.cells[i]; return c.dataset.v === undefined ? null : Number(c.dataset.v); };
      const rows = [...body.rows];
      rows.sort((x, y) => {
        const a = key(x), c = key(y);
        const by = a === null && c === null ? x.cells[i].textContent.localeCompare(y.cells[i].textContent) : a === null ? -1 : c === null ? 1 : a - c;
        return up ? by : -by;
      });
      for (const other of heads) other.removeAttribute('aria-sort');
      th.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      body.append(...rows);
    });
  });
}

// Tables of the time that is shown -------------------------------------------------------------

const STATES = ['running', 'waiting for locks', 'I/O', 'waiting'];
const UNTIMED = 'section[aria-labelledby=settings], section[aria-labelledby=environment]';

// What threads did, from their slots; of a slot that is shown in part, that part.
function restrictThreads(table) {
  const h = heat[table.dataset.threads], [a, b] = shown();
  for (const row of table.tBodies[0].rows) {
    const sums = [0, 0, 0, 0];
    for (const [i, spent] of h.threads[row.dataset.thread]) {
      const begin = h.first + i * h.width, part = Math.max(0, Math.min(b, begin + h.width) - Math.max(a, begin)) / h.width;
      spent.forEach((us, s) => { sums[s] += 1e3 * us * part; });
    }
    [...row.cells].slice(1).forEach((cell, s) => {
      if (!cell.dataset.all) cell.dataset.all = cell.dataset.v + '|' + cell.textContent;
      const all = cell.dataset.all.split('|');
      cell.dataset.v = range ? sums[s] : all[0];
      cell.textContent = range ? (sums[s] >= 1 ? text(sums[s], 'ns') : '') : all[1];
    });
  }
}

// Tables by class that the profiles can tell for any time.
const BY_CLASS = [['allocation-by-class', 'alloc', (w, all) => w / all, (v) => (100 * v).toFixed(2) + '%'], ['exception-by-type', 'exceptions', (w) => w, (v) => plain(v)]];
function classes(profile, of) {
  const detail = { profile, range: of, sums: new Map(), all: 0 };
  document.dispatchEvent(new CustomEvent('report-classes', { detail }));
  return detail;
}

// Those whose rows of the whole recording the profile confirms; others stay as they are.
function findByClass() {
  for (const [id, profile, value, say] of BY_CLASS) for (const head of document.querySelectorAll(`[id^="t-${id}"]`)) {
    const jvm = head.id.slice(id.length + 2), table = head.nextElementSibling && head.nextElementSibling.querySelector('table.grid');
    if (!table || !/^(-\d+)?$/.test(jvm)) continue;
    const rows = [...table.tBodies[0].rows], whole = classes(profile + jvm, null);
    const same = (row) => Math.abs(value(whole.sums.get(row.cells[0].textContent) || 0, whole.all) - row.cells[1].dataset.v) <= 1e-6 * Math.max(1, row.cells[1].dataset.v);
    if (!rows.length || !rows.every((row) => row.cells.length === 2 && same(row))) continue;
    timed.set(table, { profile: profile + jvm, value, say, whole: rows.map((row) => [row.cells[0].textContent, row.cells[1].dataset.v, row.cells[1].textContent]) });
  }
}

// The heaviest of the time that is shown; they are as many as those of the whole, or fewer.
function restrictClasses(table) {
  const t = timed.get(table), now = range && classes(t.profile, range);
  for (const th of table.tHead.rows[0].cells) th.removeAttribute('aria-sort');
  const list = now ? [...now.sums].sort((x, y) => y[1] - x[1] || (x[0] < y[0] ? -1 : 1)).map(([name, w]) => { const v = t.value(w, now.all); return [name, v, t.say(v)]; }) : t.whole;
  [...table.tBodies[0].rows].forEach((row, i) => {
    row.hidden = i >= list.length;
    if (row.hidden) return;
    [row.cells[0].textContent, row.cells[1].dataset.v, row.cells[1].textContent] = list[i];
  });
}

// Rows of events hide; where rows are sums of the whole recording, the heading says so.
function restrict() {
  const [a, b] = shown();
  if (range && !timed.size && document.documentElement.dataset.ready) findByClass();
  for (const table of document.querySelectorAll('main table.grid')) {
    if (table.closest(UNTIMED)) continue;
    const rows = [...table.tBodies[0].rows], isList = rows.length > 0 && rows.every((row) => row.dataset.at);
    let kept = 0;
    if (table.dataset.threads !== undefined && heat[table.dataset.threads]) { restrictThreads(table); continue; }
    if (timed.has(table)) restrictClasses(table);
    for (const row of isList ? rows : []) {
      row.hidden = range !== null && !(row.dataset.at >= a && row.dataset.at <= b);
      kept += !row.hidden;
    }
    const folded = table.closest('details'), scroll = table.closest('.scroll');
    const head = folded && folded.contains(scroll) ? folded.querySelector('summary') : scroll && scroll.previousElementSibling;
    if (!head || !/^(H3|SUMMARY)$/.test(head.tagName)) continue;
    let note = head.querySelector('.of');
    if (!note) { note = document.createElement('span'); note.className = 'soft of'; head.append(note); }
    note.textContent = !range || timed.has(table) ? '' : isList ? ` ${kept} of ${rows.length} are in the time shown` : ' of the whole recording';
  }
}

// Everything -----------------------------------------------------------------------------------

function theme() {
  const root = document.documentElement;
  let button = $('theme');
  if (!button) {
    const dark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches);
    button = document.createElement('button');
    button.type = 'button'; button.className = 'quiet'; button.id = 'theme';
    button.textContent = dark() ? 'Light' : 'Dark';
    button.addEventListener('click', () => { root.dataset.theme = dark() ? 'light' : 'dark'; button.textContent = dark() ? 'Light' : 'Dark'; });
  }
  document.querySelector('header').append(button);
}

async function unpack(id) {
  const packed = Uint8Array.from(atob($(id).textContent.trim()), (c) => c.charCodeAt(0));
  return JSON.parse(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text());
}

async function start() {
  theme();
  for (const table of document.querySelectorAll('table.grid')) if (table.tBodies[0] && table.tBodies[0].rows.length > 1) sortable(table);
  for (const link of document.querySelectorAll('a.seek, a.profile')) link.addEventListener('click', () => {
    if (link.dataset.profile) document.dispatchEvent(new CustomEvent('report-profile', { detail: link.dataset.profile }));
    if (link.className === 'seek') document.dispatchEvent(new CustomEvent('report-seek', { detail: link.textContent }));
  });
  addEventListener('beforeprint', () => { for (const d of document.querySelectorAll('details')) { d.dataset.was = d.open ? '1' : ''; d.open = true; } });
  addEventListener('afterprint', () => { for (const d of document.querySelectorAll('details')) d.open = d.dataset.was === '1'; });
  data = await unpack('timeline-data');
  // Of each thread: what it did, in us by state, by the number of the slot.
  heat = (await unpack('thread-data')).map((h) => h && { first: h.first, width: h.width, threads: h.threads.map((list) => {
    const slots = new Map();
    for (let i = 0; i < list.length; i += 5) slots.set(list[i], list.slice(i + 1, i + 5));
    return slots;
  }) });
  data.from = data.parts[0][0];
  data.to = data.parts[data.parts.length - 1][1];
  $('brush').hidden = !strips.querySelector('svg.chart');
  if (strips.querySelector('svg.chart')) { listen(); show(null, null, true); }
  document.documentElement.dataset.report = 'ready';
}
start().catch((e) => { document.documentElement.dataset.report = 'failed'; $('failed').hidden = false; $('failed').textContent = 'The timeline cannot be zoomed: ' + e.message + '. What is drawn is complete.'; });
})();
