'use strict';
// The page of a flame graph: what it decodes and how is drawn in html.c.
(function () {
const $ = (id) => document.getElementById(id);
const ROW = 18, TINY = 0.7;

// Data: columns of varints, deflated, in base64 ------------------------------------------------

async function bytes() {
  const text = atob($('data').textContent.trim()), packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function reader(data) {
  let at = 0;
  const number = () => {
    let value = 0, unit = 1, byte;
    do {
      byte = data[at++];
      value += (byte & 127) * unit;
      unit *= 128;
    } while (byte > 127);
    return value;
  };
  const utf8 = new TextDecoder();
  const text = () => {
    const len = number();
    at += len;
    return utf8.decode(data.subarray(at - len, at));
  };
  const piece = () => {
    const len = number();
    at += len;
    return data.subarray(at - len, at);
  };
  return { number, text, piece };
}

// Names come sorted: each says how many bytes it shares with the one before.
function readNames(r) {
  const names = [], utf8 = new TextDecoder();
  let before = new Uint8Array(0);
  for (let n = r.number(); n > 0; n--) {
    const shared = r.number(), rest = r.piece(), name = new Uint8Array(shared + rest.length);
    name.set(before.subarray(0, shared));
    name.set(rest, shared);
    names.push(utf8.decode(name));
    before = name;
  }
  return names;
}

function readFrames(r) {
  const n = r.number(), f = { name: new Uint32Array(n), kind: new Uint8Array(n), line: new Uint32Array(n) };
  for (let i = 0; i < n; i++) f.name[i] = r.number();
  for (let i = 0; i < n; i++) f.kind[i] = r.number();
  for (let i = 0; i < n; i++) f.line[i] = r.number();
  return f;
}

function readProfile(r) {
  const p = { name: r.text(), label: r.text(), unit: r.number(), samples: r.number() };
  p.doubts = [r.number(), r.number(), r.number(), r.number()];
  p.sides = r.number();
  const n = p.count = r.number();
  p.frame = new Uint32Array(n); p.parent = new Int32Array(n); p.end = new Uint32Array(n);
  p.depth = new Uint16Array(n);
  p.self = new Float64Array(n); p.total = new Float64Array(n);
  for (let i = 0; i < n; i++) p.frame[i] = r.number();
  const path = [];
  for (let i = 0; i < n; i++) {
    for (let pops = r.number(); pops > 0; pops--) p.end[path.pop()] = i;
    p.parent[i] = path.length ? path[path.length - 1] : -1;
    p.depth[i] = path.length;
    path.push(i);
  }
  while (path.length) p.end[path.pop()] = n;
  const column = (self, total) => {
    for (let i = 0; i < n; i++) total[i] = self[i] = r.number();
    for (let i = n - 1; i > 0; i--) total[p.parent[i]] += total[i];
  };
  column(p.self, p.total);
  if (p.sides > 1) {
    p.self2 = new Float64Array(n); p.total2 = new Float64Array(n);
    column(p.self2, p.total2);
    p.scale2 = p.total2[0] ? p.total[0] / p.total2[0] : 1;
  }
  return p;
}

// Numbers for people ---------------------------------------------------------------------------

const SCALES = [null, [[3600e9, 'h'], [60e9, 'min'], [1e9, 's'], [1e6, 'ms'], [1e3, '\u00b5s'], [1, 'ns']],
  [[1e12, 'TB'], [1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [1, 'bytes']]];
function weight(value, unit) {
  if (!SCALES[unit]) return value.toLocaleString('en') + (value === 1 ? ' sample' : ' samples');
  const [size, name] = SCALES[unit].find(([s]) => Math.abs(value) >= s) || SCALES[unit].slice(-1)[0];
  const v = value / size;
  return v.toFixed(size === 1 ? 0 : v < 9.995 ? 2 : v < 99.95 ? 1 : 0) + ' ' + name;
}
const share = (part, all) => (all ? 100 * part / all : 0).toFixed(2) + ' %';

// State ----------------------------------------------------------------------------------------

let names, frames, profiles, p;        // p: the profile at hand
let root, zoom, selected, mode = 'down', flipped = false, method = -1;
let matched = null, query = '';
const KINDS = ['interpreted', 'compiled', 'inlined', 'native', 'C++', 'kernel', 'C1-compiled', 'class', 'thread', 'note'];
// Hue, saturation, lightness: distinct without colour, too, and all at least 7:1 against black.
const HSL = [[40, 30, 78], [41, 88, 70], [60, 60, 75], [200, 62, 74], [18, 85, 76], [322, 45, 80], [50, 50, 82], [160, 40, 76], [220, 18, 84], [0, 0, 88]];

const nameOf = (f) => names[frames.name[f]] + (frames.line[f] ? ':' + frames.line[f] : '');

function hash(text) {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return h >>> 0;
}
const colours = new Map();
// Frames of one package have one shade.
function colour(f) {
  let c = colours.get(f);
  if (c) return c;
  const [h, s, l] = HSL[frames.kind[f]] || HSL[9], name = names[frames.name[f]];
  const dot = name.lastIndexOf('.', name.lastIndexOf('.') - 1), shade = hash(dot > 0 ? name.slice(0, dot) : name);
  c = `hsl(${h + shade % 13 - 6} ${s}% ${l + (shade >> 8) % 9 - 4}%)`;
  colours.set(f, c);
  return c;
}

// A node of what is drawn stands for several of the tree: all with the same path.
function box(frame, parent, list) {
  const b = { frame, parent, list, self: 0, total: 0, total2: 0, kids: null, x: 0, w: 0, depth: parent ? parent.depth + 1 : 0 };
  return b;
}

function group(b, of, each) {
  const found = new Map();
  each((frame, item, self, total, total2) => {
    let k = found.get(frame);
    if (!k) found.set(frame, k = box(frame, b, []));
    k.list.push(item);
    k.self += self; k.total += total; k.total2 += total2;
  });
  return [...found.values()].sort((x, y) => (nameOf(x.frame) < nameOf(y.frame) ? -1 : 1));
}

const second = (i) => (p.total2 ? p.total2[i] * p.scale2 : 0);

// What a box calls: its nodes' children.
function callees(b) {
  return group(b, null, (add) => {
    for (const node of b.list)
      for (let c = node + 1; c < p.end[node]; c = p.end[c])
        if (p.total[c] > 0 || second(c) > 0) add(p.frame[c], c, p.self[c], p.total[c], second(c));
  });
}

// What calls it: pairs of a node and the weight that came from below.
function callers(b) {
  return group(b, null, (add) => {
    for (const [node, w] of b.list) {
      const up = p.parent[node];
      if (up > 0) add(p.frame[up], [up, w], 0, w, 0);
    }
  });
}

function kids(b) {
  if (!b.kids) b.kids = mode === 'up' && !b.isDown ? callers(b) : callees(b);
  return b.kids;
}

// Of nodes with the method's frames those that have none of them above.
function topmost(name) {
  const list = [];
  for (let i = 1; i < p.count;) {
    if (frames.name[p.frame[i]] === name) { list.push(i); i = p.end[i]; } else i++;
  }
  return list;
}

function makeRoot() {
  root = box(-1, null, []);
  root.total = p.total[0]; root.total2 = second(0);
  if (method >= 0) {
    const list = topmost(method);
    root.frame = list.length ? p.frame[list[0]] : -1;
    root.total = list.reduce((sum, i) => sum + p.total[i], 0);
    root.total2 = list.reduce((sum, i) => sum + second(i), 0);
    root.list = mode === 'up' ? list.map((i) => [i, p.total[i]]) : list;
  } else if (mode === 'up') {
    root.kids = group(root, null, (add) => {
      for (let i = 1; i < p.count; i++) if (p.self[i] > 0) add(p.frame[i], [i, p.self[i]], p.self[i], p.self[i], 0);
    });
  } else {
    root.list = [0];
  }
  zoom = selected = root;
}

// Drawing --------------------------------------------------------------------------------------

const view = $('view'), canvas = $('canvas'), pad = $('pad'), pen = canvas.getContext('2d');
let boxes = [], deepest = 0, width = 0, height = 0, asked = false;

function width2(b) { return p.sides > 1 ? Math.max(b.total, b.total2) : b.total; }

function place(b, x, w, depth) {
  b.x = x; b.w = w; b.row = depth;
  if (depth > deepest) deepest = depth;
  boxes.push(b);
  const sum = kids(b).reduce((s, k) => s + width2(k), 0), all = Math.max(width2(b), sum);
  let at = x;
  for (const k of b.kids) {
    const kw = all ? w * width2(k) / all : 0;
    if (kw >= TINY) place(k, at, kw, depth + 1);
    at += kw;
  }
}

function layout() {
  boxes = []; deepest = 0;
  const path = [];
  for (let b = zoom.parent; b; b = b.parent) path.unshift(b);
  path.forEach((b, i) => { b.x = 0; b.w = width; b.row = i; b.isAbove = true; boxes.push(b); });
  for (const b of boxes) b.isAbove = true;
  const from = boxes.length;
  place(zoom, 0, width, path.length);
  for (let i = from; i < boxes.length; i++) boxes[i].isAbove = false;
  pad.style.height = Math.max(0, (deepest + 1) * ROW - height) + 'px';
}

function resize() {
  const ratio = window.devicePixelRatio || 1;
  width = view.clientWidth; height = view.clientHeight;
  canvas.width = width * ratio; canvas.height = height * ratio;
  canvas.style.height = height + 'px';
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  layout(); draw();
}

const rowY = (row) => (flipped ? Math.max((deepest + 1) * ROW, height) - (row + 1) * ROW : row * ROW) - view.scrollTop;

function difference(b) {
  if (p.sides < 2) return null;
  if (!b.total) return 'hsl(210 70% 80%)';
  const change = (b.total - b.total2) / Math.max(b.total, b.total2, 1);
  if (Math.abs(change) < 0.02) return 'hsl(0 0% 88%)';
  return change > 0 ? `hsl(28 90% ${88 - 26 * change}%)` : `hsl(210 80% ${88 + 24 * change}%)`;
}

function draw() {
  const style = getComputedStyle(document.documentElement);
  pen.fillStyle = style.getPropertyValue('--bg');
  pen.fillRect(0, 0, width, height);
  pen.font = '12px system-ui, sans-serif';
  pen.textBaseline = 'middle';
  for (const b of boxes) {
    const y = rowY(b.row);
    if (y + ROW < 0 || y > height) continue;
    const hit = matched && b.frame >= 0 && matched[b.frame];
    pen.globalAlpha = b.isAbove ? 0.55 : 1;
    pen.fillStyle = hit ? style.getPropertyValue('--hit') : b.frame < 0 ? 'hsl(0 0% 85%)' : difference(b) || colour(b.frame);
    pen.fillRect(b.x, y, Math.max(b.w - 0.5, 0.5), ROW - 1);
    if (b === selected) {
      pen.strokeStyle = style.getPropertyValue('--fg'); pen.lineWidth = 2;
      pen.strokeRect(b.x + 1, y + 1, Math.max(b.w - 2.5, 1), ROW - 3);
    }
    if (b.w > 24) {
      pen.fillStyle = hit && !document.documentElement.matches('[data-theme=dark]') ? '#fff' : '#000';
      const text = label(b), room = b.w - 6, fits = Math.floor(room / 6.2);
      pen.save();
      pen.beginPath(); pen.rect(b.x, y, b.w - 2, ROW); pen.clip();
      pen.fillText(text.length <= fits ? text : shorten(text, fits), b.x + 3, y + ROW / 2);
      pen.restore();
    }
  }
  pen.globalAlpha = 1;
}

const label = (b) => (b.frame < 0 ? 'all' : nameOf(b.frame));
// A name that does not fit loses its package first.
function shorten(text, fits) {
  const dot = text.lastIndexOf('.', text.lastIndexOf('.') - 1), brief = dot > 0 ? text.slice(dot + 1) : text;
  return brief.length <= fits ? brief : brief.slice(0, Math.max(fits - 1, 1)) + '\u2026';
}

function redraw() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => { asked = false; draw(); });
}

// What is said of a box ------------------------------------------------------------------------

function describe(b) {
  const unit = p.unit, lines = [label(b) + (b.frame >= 0 ? '  (' + KINDS[frames.kind[b.frame]] + ')' : '')];
  lines.push(weight(b.total, unit) + ', ' + share(b.total, p.total[0]) + ' of all' +
    (zoom !== root ? ', ' + share(b.total, zoom.total) + ' of what is zoomed' : ''));
  if (b.self) lines.push('itself ' + weight(b.self, unit) + ', ' + share(b.self, p.total[0]));
  if (p.sides > 1) lines.push('before ' + weight(b.total2, unit) + ', ' + share(b.total2, p.total[0]));
  return lines.join('\n');
}

function select(b, quiet) {
  selected = b;
  $('detail').textContent = describe(b);
  if (!quiet) $('live').textContent = describe(b);
  const y = rowY(b.row);
  if (y < 0) view.scrollTop += y;
  else if (y + ROW > height) view.scrollTop += y + ROW - height;
  redraw();
}

function crumbs() {
  const bar = $('crumbs');
  bar.replaceChildren();
  const path = [];
  for (let b = zoom; b; b = b.parent) path.unshift(b);
  for (const b of path) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = shorten(label(b), 40);
    button.title = label(b);
    button.addEventListener('click', () => zoomTo(b));
    bar.append(button);
  }
}

function zoomTo(b) {
  zoom = b;
  layout(); crumbs(); select(b); draw(); remember();
}

// Search ---------------------------------------------------------------------------------------

function search(text) {
  query = text; matched = null;
  const said = $('matches');
  if (text) {
    let test;
    try { const re = new RegExp(text, 'i'); test = (n) => re.test(n); } catch (e) {
      const low = text.toLowerCase();
      test = (n) => n.toLowerCase().includes(low);
    }
    const byName = names.map(test);
    matched = new Uint8Array(frames.name.length);
    for (let f = 0; f < matched.length; f++) matched[f] = byName[frames.name[f]] ? 1 : 0;
    let sum = 0, count = 0;
    for (let i = 1; i < p.count;) {
      if (matched[p.frame[i]]) { sum += p.total[i]; count++; i = p.end[i]; } else i++;
    }
    said.textContent = count ? share(sum, p.total[0]) + ' matched' : 'nothing matched';
  } else said.textContent = '';
  draw(); remember();
}

function nextMatch(step) {
  if (!matched) return;
  const list = boxes.filter((b) => b.frame >= 0 && matched[b.frame]).sort((a, b) => a.row - b.row || a.x - b.x);
  if (list.length) select(list[(list.indexOf(selected) + step + list.length) % list.length]);
}

// The table of methods -------------------------------------------------------------------------

let order = 'self';
function methods() {
  const self = new Float64Array(names.length), total = new Float64Array(names.length), on = new Uint32Array(names.length), path = [];
  for (let i = 1; i < p.count; i++) {
    while (path.length && p.end[path[path.length - 1]] <= i) on[frames.name[p.frame[path.pop()]]]--;
    let n = frames.name[p.frame[i]];
    if (frames.kind[p.frame[i]] < 7) { if (on[n] === 0) total[n] += p.total[i]; }
    on[n]++;
    path.push(i);
    let at = i;
    while (at > 0 && frames.kind[p.frame[at]] >= 7) at = p.parent[at];
    if (at > 0) self[frames.name[p.frame[at]]] += p.self[i];
  }
  const list = [];
  for (let n = 0; n < names.length; n++) if (self[n] || total[n]) list.push([n, self[n], total[n]]);
  const key = order === 'self' ? 1 : 2;
  return list.sort((a, b) => (order === 'name' ? (names[a[0]] < names[b[0]] ? -1 : 1) : b[key] - a[key] || b[3 - key] - a[3 - key]));
}

function fillTable() {
  const filter = $('filter').value.toLowerCase(), body = $('methods').tBodies[0], all = p.total[0];
  const list = methods().filter(([n]) => names[n].toLowerCase().includes(filter));
  body.replaceChildren();
  for (const [n, self, total] of list.slice(0, 500)) {
    const row = body.insertRow();
    for (const text of [weight(self, p.unit), share(self, all), weight(total, p.unit), share(total, all)]) row.insertCell().textContent = text;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = names[n];
    button.addEventListener('click', () => { method = n; setMode('up'); view.focus(); });
    row.insertCell().append(button);
  }
  $('more').textContent = list.length > 500 ? `The first 500 of ${list.length} methods are shown.` : '';
  for (const th of $('methods').tHead.rows[0].cells)
    if (th.dataset.order) th.setAttribute('aria-sort', th.dataset.order === order ? (order === 'name' ? 'ascending' : 'descending') : 'none');
}

// Changing what is shown -----------------------------------------------------------------------

function show() {
  makeRoot(); layout(); crumbs(); select(root, true); fillTable();
  if (query) search(query);
  draw();
}

function setMode(to) {
  mode = to;
  $('down').setAttribute('aria-pressed', mode === 'down');
  $('up').setAttribute('aria-pressed', mode === 'up');
  $('one').hidden = method < 0;
  if (method >= 0) $('one').textContent = 'Leave ' + shorten(names[method], 40);
  view.scrollTop = 0;
  show();
}

function open(i) {
  p = profiles[i];
  method = -1;
  profiles.forEach((_, j) => {
    $('tab' + j).setAttribute('aria-selected', i === j);
    $('tab' + j).tabIndex = i === j ? 0 : -1;
    const paper = $('paper' + j);
    if (paper) paper.hidden = i !== j;
  });
  const d = p.doubts, said = [[d[0], 'without a stack trace'], [d[1], 'failed'], [d[2], 'lost'], [d[3], 'deeper than was recorded']]
    .filter(([n]) => n).map(([n, what]) => n.toLocaleString('en') + ' ' + what).join(', ');
  $('what').textContent = p.label + ': ' + weight(p.total[0], p.unit) + (p.unit ? ' in ' + weight(p.samples, 0) : '');
  $('doubts').hidden = !said;
  $('doubts').textContent = 'Samples that do not tell all: ' + said;
  setMode('down');
}

function remember() {
  const parts = ['p=' + profiles.indexOf(p)];
  if (query) parts.push('q=' + encodeURIComponent(query));
  history.replaceState(null, '', '#' + parts.join('&'));
}

function theme() {
  const html = document.documentElement, dark = html.dataset.theme ? html.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  html.dataset.theme = dark ? 'light' : 'dark';
  draw();
}

// Mouse and keys -------------------------------------------------------------------------------

function at(event) {
  const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
  for (const b of boxes) {
    const top = rowY(b.row);
    if (y >= top && y < top + ROW && x >= b.x && x < b.x + b.w) return b;
  }
  return null;
}

function tip(event, b) {
  const t = $('tip');
  t.hidden = !b;
  if (!b) return;
  t.textContent = describe(b);
  t.style.left = Math.max(4, Math.min(event.clientX + 12, innerWidth - t.offsetWidth - 8)) + 'px';
  t.style.top = (event.clientY + 18 + t.offsetHeight > innerHeight ? event.clientY - t.offsetHeight - 8 : event.clientY + 18) + 'px';
}

function step(key) {
  const b = selected, up = flipped ? 'ArrowDown' : 'ArrowUp', down = flipped ? 'ArrowUp' : 'ArrowDown';
  const shown = (k) => boxes.includes(k);
  if (key === up && b.parent) return b.parent;
  if (key === down) return kids(b).filter(shown).sort((x, y) => y.w - x.w)[0];
  if ((key === 'ArrowLeft' || key === 'ArrowRight') && b.parent) {
    const row = kids(b.parent).filter(shown), i = row.indexOf(b);
    return row[i + (key === 'ArrowLeft' ? -1 : 1)];
  }
  return null;
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key;
  if (key.startsWith('Arrow')) { const b = step(key); if (b) select(b); } else if (key === 'Enter') zoomTo(selected);
  else if (key === 'Backspace' || key === 'Escape') { if (zoom.parent) zoomTo(zoom.parent); }
  else if (key === 'Home') zoomTo(root);
  else if (key === 'n' || key === 'N') nextMatch(key === 'n' ? 1 : -1);
  else if (key === 's' && selected.frame >= 0) { method = frames.name[selected.frame]; setMode('up'); }
  else return;
  event.preventDefault();
}

function listen() {
  canvas.addEventListener('mousemove', (e) => tip(e, at(e)));
  canvas.addEventListener('mouseleave', () => tip(null, null));
  canvas.addEventListener('click', (e) => { const b = at(e); if (b) { if (b === selected || b.isAbove) zoomTo(b); else select(b); } });
  canvas.addEventListener('dblclick', (e) => { const b = at(e); if (b) zoomTo(b); });
  view.addEventListener('keydown', onKey);
  view.addEventListener('scroll', redraw);
  new ResizeObserver(resize).observe(view);
  $('search').addEventListener('input', (e) => search(e.target.value));
  $('search').addEventListener('keydown', (e) => { if (e.key === 'Enter') nextMatch(e.shiftKey ? -1 : 1); });
  $('next').addEventListener('click', () => nextMatch(1));
  $('reset').addEventListener('click', () => zoomTo(root));
  $('flip').addEventListener('click', () => {
    flipped = !flipped;
    $('flip').setAttribute('aria-pressed', flipped);
    view.scrollTop = flipped ? view.scrollHeight : 0;
    draw();
  });
  $('down').addEventListener('click', () => setMode('down'));
  $('up').addEventListener('click', () => setMode('up'));
  $('both').addEventListener('click', () => { if (selected.frame >= 0) { method = frames.name[selected.frame]; setMode('up'); } });
  $('one').addEventListener('click', () => { method = -1; setMode('down'); });
  $('theme').addEventListener('click', theme);
  $('filter').addEventListener('input', fillTable);
  for (const th of $('methods').tHead.rows[0].cells)
    if (th.dataset.order) th.firstElementChild.addEventListener('click', () => { order = th.dataset.order; fillTable(); });
  document.addEventListener('keydown', (e) => {
    if (e.key === '/' && !/INPUT|SELECT|TEXTAREA/.test(e.target.tagName)) { e.preventDefault(); $('search').focus(); }
  });
}

function tabs() {
  const bar = $('tabs');
  profiles.forEach((profile, i) => {
    const b = document.createElement('button');
    b.type = 'button'; b.id = 'tab' + i;
    b.setAttribute('role', 'tab');
    b.setAttribute('aria-controls', 'panel');
    b.textContent = profile.label;
    b.addEventListener('click', () => { open(i); remember(); });
    b.addEventListener('keydown', (e) => {
      const by = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
      if (by) { const j = (i + by + profiles.length) % profiles.length; open(j); $('tab' + j).focus(); }
    });
    bar.append(b);
  });
}

function legend() {
  const key = $('key');
  if (p.sides > 1) return;
  const seen = new Set(frames.kind);
  KINDS.forEach((kind, i) => {
    if (!seen.has(i)) return;
    const item = document.createElement('li'), swatch = document.createElement('i');
    swatch.style.background = `hsl(${HSL[i][0]} ${HSL[i][1]}% ${HSL[i][2]}%)`;
    item.append(swatch, kind);
    key.append(item);
  });
}

async function start() {
  const r = reader(await bytes());
  if (r.number() !== 1) throw new Error('data of another version');
  names = readNames(r); frames = readFrames(r);
  profiles = [];
  for (let n = r.number(); n > 0; n--) profiles.push(readProfile(r));
  if (!profiles.length) return;
  const wanted = new URLSearchParams(location.hash.slice(1));
  tabs(); listen();
  $('screen').hidden = false;
  open(Math.min(Number(wanted.get('p')) || 0, profiles.length - 1));
  legend();
  resize();
  if (wanted.get('q')) { $('search').value = wanted.get('q'); search(wanted.get('q')); }
  document.documentElement.dataset.ready = 'yes';
}

start().catch((e) => { $('failed').hidden = false; $('failed').textContent = 'The graph cannot be drawn: ' + e.message + '. The tables below are complete.'; });
})();
