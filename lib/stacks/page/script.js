'use strict';
// The page of a flame graph: what it decodes is drawn in html.c and html_times.c.
(function () {
const $ = (id) => document.getElementById(id);
const make = (tag, text) => { const e = document.createElement(tag); if (text !== undefined) e.textContent = text; return e; };
const on = (what, event, act) => (typeof what === 'string' ? $(what) : what).addEventListener(event, act);
function press(text, act) {
  const b = make('button', text);
  b.type = 'button';
  on(b, 'click', act);
  return b;
}
const ROW = 20, TINY = 0.6;

// Data: varints, deflated, in base64 -----------------------------------------------------------

async function bytes(id) {
  const text = atob($(id).textContent.trim()), packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  $(id).remove();
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function reader(data) {
  let at = 0;
  const utf8 = new TextDecoder();
  const number = () => {
    let byte = data[at++];
    if (byte < 128) return byte;
    let value = byte & 127, unit = 128;
    do {
      byte = data[at++];
      value += (byte & 127) * unit;
      unit *= 128;
    } while (byte > 127);
    return value;
  };
  const piece = (len) => { at += len; return data.subarray(at - len, at); };
  return { number, piece, text: () => utf8.decode(piece(number())) };
}

// Names come sorted: each says how many bytes it shares with the one before.
function readNames(r) {
  const names = [], utf8 = new TextDecoder();
  let before = new Uint8Array(0);
  for (let n = r.number(); n > 0; n--) {
    const shared = r.number(), rest = r.piece(r.number()), name = new Uint8Array(shared + rest.length);
    name.set(before.subarray(0, shared));
    name.set(rest, shared);
    names.push(utf8.decode(name));
    before = name;
  }
  return names;
}

function readFrames(r) {
  const n = r.number(), f = { name: new Uint32Array(n), kind: new Uint8Array(n), line: new Uint32Array(n) };
  for (const column of [f.name, f.kind, f.line]) for (let i = 0; i < n; i++) column[i] = r.number();
  return f;
}

function addUp(of, self, total) {
  total.set(self);
  for (let i = of.count - 1; i > 0; i--) total[of.parent[i]] += total[i];
}

function readProfile(r) {
  const p = { name: r.text(), label: r.text(), unit: r.number(), samples: r.number() };
  p.doubts = [r.number(), r.number(), r.number(), r.number()];
  p.sides = r.number();
  const n = p.count = r.number();
  p.frame = new Uint32Array(n); p.parent = new Int32Array(n); p.end = new Uint32Array(n);
  for (let i = 0; i < n; i++) p.frame[i] = r.number();
  const path = [];
  for (let i = 0; i < n; i++) {
    for (let pops = r.number(); pops > 0; pops--) p.end[path.pop()] = i;
    p.parent[i] = path.length ? path[path.length - 1] : -1;
    path.push(i);
  }
  while (path.length) p.end[path.pop()] = n;
  const column = () => {
    const self = new Float64Array(n), total = new Float64Array(n);
    for (let i = 0; i < n; i++) self[i] = r.number();
    addUp(p, self, total);
    return { self, total };
  };
  p.whole = column();
  ({ self: p.self, total: p.total } = p.whole);
  if (p.sides > 1) {
    ({ self: p.self2, total: p.total2 } = column());
    p.scale2 = p.total2[0] ? p.total[0] / p.total2[0] : 1;
  }
  return p;
}

// The entries stay packed: a recording may have many millions.
function readTimes(r, { count, ms, begin }) {
  const t = { count, ms, begin, unit: r.number(), at: new Float64Array(count + 1), sum: new Float64Array(count) };
  for (let i = 0; i < count; i++) { t.at[i + 1] = t.at[i] + r.number(); t.sum[i] = r.number() * t.unit; }
  t.bytes = r.piece(t.at[count]);
  return t;
}

// add(node, weight) for each entry of the spans from `a` on and before `b`.
function eachSeen(t, a, b, add) {
  const data = t.bytes;
  let at = t.at[a];
  const number = () => {
    let byte = data[at++], value = byte & 127, unit = 128;
    while (byte > 127) { byte = data[at++]; value += (byte & 127) * unit; unit *= 128; }
    return value;
  };
  for (let span = a; span < b; span++) {
    for (let node = 0; at < t.at[span + 1];) {
      const token = number(), odd = token % 2;
      node += (token - odd) / 2;
      add(node, odd ? number() * t.unit : t.unit, span);
    }
  }
}

// Numbers for people ---------------------------------------------------------------------------

const SCALES = [null, [[3600e9, 'h'], [60e9, 'min'], [1e9, 's'], [1e6, 'ms'], [1e3, '\u00b5s'], [1, 'ns']],
  [[1e12, 'TB'], [1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [1, 'bytes']]];
function weight(value, unit) {
  if (!SCALES[unit]) return Math.round(value).toLocaleString('en') + (value === 1 ? ' sample' : ' samples');
  const [size, name] = SCALES[unit].find(([s]) => Math.abs(value) >= s) || SCALES[unit].slice(-1)[0], v = value / size;
  return v.toFixed(size === 1 ? 0 : v < 9.995 ? 2 : v < 99.95 ? 1 : 0) + ' ' + name;
}
const percent = (part, all) => (all ? 100 * part / all : 0).toFixed(2) + ' %';
const brief = (text, most) => (text.length <= most ? text : text.slice(0, most - 1) + '\u2026');

const two = (n) => String(n).padStart(2, '0');
function clock(ms, step) {
  const d = new Date(ms), text = two(d.getHours()) + ':' + two(d.getMinutes());
  if (step >= 60000) return text;
  return text + ':' + two(d.getSeconds()) + (step >= 1000 ? '' : '.' + String(d.getMilliseconds()).padStart(3, '0').slice(0, step >= 100 ? 1 : step >= 10 ? 2 : 3));
}
const day = (ms) => { const d = new Date(ms); return d.getFullYear() + '-' + two(d.getMonth() + 1) + '-' + two(d.getDate()); };
function zone(ms) {
  const off = -new Date(ms).getTimezoneOffset(), by = Math.abs(off);
  return off ? 'UTC' + (off < 0 ? '\u2212' : '+') + two(Math.floor(by / 60)) + ':' + two(by % 60) : 'UTC';
}

// State ----------------------------------------------------------------------------------------

let names, frames, profiles, p;  // p: the profile at hand
let root, zoom, selected, hovered = null, mode = 'down', flipped = false, method = -1;
let matched = null, query = '', range = null;  // range: the spans that are shown, or null
const KINDS = ['interpreted', 'compiled', 'inlined', 'native', 'C++', 'kernel', 'C1-compiled', 'class', 'thread', 'note'];
// Hue, saturation, lightness. Kinds that are not compiled Java have a mark, too, for those who see no colours.
const HSL = [[45, 30, 78], [37, 78, 74], [56, 62, 74], [203, 58, 76], [14, 72, 78], [322, 42, 82], [50, 50, 80], [158, 36, 76], [222, 20, 86], [0, 0, 88]];
const MARKS = ['dotted', '', '', 'solid', 'dashed', 'double', 'dotted', '', '', ''];

const isDark = () => (document.documentElement.dataset.theme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
const nameOf = (f) => names[frames.name[f]] + (frames.line[f] ? ':' + frames.line[f] : '');
const label = (b) => (b.frame < 0 ? 'all' : nameOf(b.frame));
// Without its package.
function short(text) {
  const dot = text.lastIndexOf('.', text.lastIndexOf('.') - 1);
  return dot > 0 ? text.slice(dot + 1) : text;
}

function hash(text) {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return h >>> 0;
}
let colours = [], colourDark = null;
const tint = (h, s, l, dark) => (dark ? `hsl(${h} ${Math.round(s * 0.58)}% ${Math.round(l * 0.48)}%)` : `hsl(${h} ${s}% ${l}%)`);
// Frames of one package have one shade.
function colour(f, dark) {
  if (colourDark !== dark) { colours = []; colourDark = dark; }
  if (colours[f]) return colours[f];
  const [h, s, l] = HSL[frames.kind[f]] || HSL[9], name = names[frames.name[f]];
  const dot = name.lastIndexOf('.', name.lastIndexOf('.') - 1), shade = hash(dot > 0 ? name.slice(0, dot) : name);
  return colours[f] = tint(h + shade % 19 - 9, s, l + (shade >> 8) % 11 - 5, dark);
}

// Boxes ----------------------------------------------------------------------------------------

// What is drawn stands for several nodes of the tree: all with the same path. `parts` are the
// weights that came from below, if it leads to callers.
function box(frame, parent, isUp, step) {
  return { frame, parent, isUp, step, list: [], parts: isUp ? [] : null, self: 0, total: 0, total2: 0, kids: null, ups: null, x: 0, w: 0, row: 0, isAbove: false };
}

const second = (i) => (p.total2 ? p.total2[i] * p.scale2 : 0);

function sorted(found) {
  return [...found.values()].sort((x, y) => frames.name[x.frame] - frames.name[y.frame] || x.frame - y.frame);
}

function taken(found, frame, b, isUp, step) {
  let k = found.get(frame);
  if (!k) found.set(frame, k = box(frame, b, isUp, step));
  return k;
}

function callees(b) {
  const found = new Map();
  for (const node of b.list) {
    for (let c = node + 1; c < p.end[node]; c = p.end[c]) {
      const total2 = second(c);
      if (!(p.total[c] > 0 || total2 > 0)) continue;
      const k = taken(found, p.frame[c], b, false, 1);
      k.list.push(c);
      k.self += p.self[c]; k.total += p.total[c]; k.total2 += total2;
    }
  }
  return sorted(found);
}

function callers(b, list, parts, step) {
  const found = new Map();
  for (let i = 0; i < list.length; i++) {
    const up = p.parent[list[i]];
    if (up <= 0 || !(parts[i] > 0)) continue;
    const k = taken(found, p.frame[up], b, true, step);
    k.list.push(up); k.parts.push(parts[i]);
    k.total += parts[i];
  }
  return sorted(found);
}

function kids(b) {
  return b.kids || (b.kids = b.isUp ? callers(b, b.list, b.parts, b.step) : callees(b));
}

// Of nodes with the method's frames those that have none of them above.
function topmost(test) {
  const list = [];
  for (let i = 1; i < p.count;) if (test(p.frame[i])) { list.push(i); i = p.end[i]; } else i++;
  return list;
}

function makeRoot() {
  root = box(-1, null, false, 1);
  root.total = p.total[0]; root.total2 = second(0);
  root.list = [0];
  if (mode === 'both') {
    const list = root.list = topmost((f) => frames.name[f] === method);
    root.frame = list.length ? p.frame[list[0]] : -1;
    root.total = root.total2 = 0;
    for (const i of list) { root.total += p.total[i]; root.total2 += second(i); }
    for (let i = 1; i < p.count; i++) if (frames.name[p.frame[i]] === method) root.self += p.self[i];
    root.ups = callers(root, list, list.map((i) => p.total[i]), -1);
  } else if (mode === 'up') {
    const found = new Map();
    for (let i = 1; i < p.count; i++) {
      if (!(p.self[i] > 0)) continue;
      const k = taken(found, p.frame[i], root, true, 1);
      k.list.push(i); k.parts.push(p.self[i]);
      k.self += p.self[i]; k.total += p.self[i];
    }
    root.kids = sorted(found);
  }
  zoom = selected = root;
}

// Layout and drawing ---------------------------------------------------------------------------

const view = $('view'), canvas = $('canvas'), pad = $('pad'), pen = canvas.getContext('2d', { alpha: false });
let rows = [], width = 0, height = 0, asked = false, letter = 6.5;

const wide = (b) => (p.sides > 1 ? Math.max(b.total, b.total2) : b.total);

// Give b and what it leads to their places; rows of callers have negative numbers in a sandwich.
function place(b, to, isFull) {
  const stack = [b];
  while (stack.length) {
    const at = stack.pop(), lists = at.frame >= 0 && at.ups && isFull !== 'kids' ? [at.ups, kids(at)] : [kids(at)];
    if (!(at === b && isFull === 'kids')) (to[at.row] = to[at.row] || []).push(at);
    for (const list of isFull === 'kids' && at === b && b.ups ? [b.other] : lists) {
      let sum = 0;
      for (const k of list) sum += wide(k);
      const all = Math.max(wide(at), sum), by = all ? at.w / all : 0;
      let x = at.x + at.w;
      // From the right, and so the left one is taken from the stack first.
      const first = stack.length;
      x = at.x;
      for (const k of list) {
        const w = wide(k) * by;
        if (w >= TINY) { k.x = x; k.w = w; k.row = at.row + k.step; k.isAbove = false; stack.push(k); }
        x += w;
      }
      for (let i = first, j = stack.length - 1; i < j; i++, j--) [stack[i], stack[j]] = [stack[j], stack[i]];
    }
  }
}

function layout() {
  const up = {}, path = [];
  for (let b = zoom.parent; b; b = b.parent) path.unshift(b);
  path.forEach((b) => { b.x = 0; b.w = width; b.row = b.parent ? b.parent.row + b.step : 0; b.isAbove = true; up[b.row] = [b]; });
  zoom.x = 0; zoom.w = width; zoom.row = zoom.parent ? zoom.parent.row + zoom.step : 0; zoom.isAbove = false;
  place(zoom, up);
  if (mode === 'both' && zoom !== root) {  // the other half stays as it is
    root.other = path.concat(zoom)[1].step < 0 ? kids(root) : root.ups;
    place(root, up, 'kids');
  }
  const numbers = Object.keys(up).map(Number), least = Math.min(...numbers);
  rows = [];
  for (const n of numbers) { rows[n - least] = up[n]; for (const b of up[n]) b.row = n - least; }
  pad.style.height = Math.max(0, rows.length * ROW - height) + 'px';
}

function resize() {
  const ratio = window.devicePixelRatio || 1;
  width = view.clientWidth; height = view.clientHeight;
  canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio);
  canvas.style.height = height + 'px';
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.font = '12px system-ui, sans-serif';
  letter = pen.measureText('org.example.Service$Worker.runTask').width / 34;
  layout(); draw(); drawStrip();
}

const rowY = (row) => (flipped ? Math.max(rows.length * ROW, height) - (row + 1) * ROW : row * ROW) - view.scrollTop;

function change(b) {
  const by = (b.total - b.total2) / Math.max(b.total, b.total2, 1);
  return Math.abs(by) < 0.02 ? 0 : by;
}
function difference(b, dark) {
  const by = change(b), much = Math.abs(by);
  return by ? tint(by > 0 ? 28 : 211, 85, 90 - 26 * much, dark) : tint(0, 0, 89, dark);
}

// The mark of a kind, at the lower edge.
function mark(kind, x, y, w) {
  const style = MARKS[kind];
  if (!style || w < 3) return;
  pen.setLineDash(style === 'dotted' ? [1, 2] : style === 'dashed' ? [5, 3] : []);
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(x, y + ROW - 2.5); pen.lineTo(x + w, y + ROW - 2.5);
  if (style === 'double') { pen.moveTo(x, y + ROW - 4.5); pen.lineTo(x + w, y + ROW - 4.5); }
  pen.stroke();
  pen.setLineDash([]);
}

function hatch(x, y, w) {
  pen.save();
  pen.beginPath(); pen.rect(x, y, w, ROW - 1); pen.clip();
  pen.beginPath();
  for (let i = x - ROW; i < x + w; i += 6) { pen.moveTo(i, y + ROW); pen.lineTo(i + ROW, y); }
  pen.lineWidth = 1; pen.stroke();
  pen.restore();
}

// A name that does not fit loses its package first.
function fitted(text, room) {
  const fits = Math.floor(room / letter);
  return text.length <= fits ? text : brief(short(text), Math.max(fits, 2));
}

function drawBox(b, y, look) {
  const hit = matched && b.frame >= 0 && matched[b.frame], w = Math.max(b.w - (b.w > 3 ? 1 : 0.3), 0.5);
  pen.globalAlpha = (matched && !hit ? look.dim : 1) * (b.isAbove ? 0.55 : 1);
  pen.fillStyle = hit ? look.hit : b.frame < 0 ? look.all : p.sides > 1 ? difference(b, look.dark) : colour(b.frame, look.dark);
  pen.fillRect(b.x, y, w, ROW - 1);
  pen.strokeStyle = look.mark;
  if (p.sides > 1 && !b.total && b.frame >= 0) hatch(b.x, y, w);
  else if (b.frame >= 0 && !hit && p.sides < 2) mark(frames.kind[b.frame], b.x, y, w);
  if (b.w > 26) {
    pen.fillStyle = hit ? look.onHit : look.text;
    pen.fillText(fitted(label(b), b.w - 10), b.x + 5, y + ROW / 2, b.w - 8);
  }
  pen.globalAlpha = 1;
  if (b === selected || b === hovered) {
    pen.strokeStyle = look.fg; pen.lineWidth = b === selected ? 2 : 1;
    pen.strokeRect(b.x + 1, y + 1, Math.max(w - 2, 1), ROW - 3);
  }
}

function draw() {
  const style = getComputedStyle(document.documentElement), dark = isDark(), get = (n) => style.getPropertyValue(n).trim();
  const look = { dark, dim: dark ? 0.6 : 0.45, fg: get('--fg'), hit: get('--hit'), onHit: dark ? '#000' : '#fff', text: dark ? '#f4f4f5' : '#15171a', all: dark ? '#3b3f46' : '#e2e4e8', mark: dark ? '#ffffff90' : '#00000070' };
  pen.fillStyle = get('--bg');
  pen.fillRect(0, 0, width, height);
  pen.font = '12px system-ui, sans-serif';
  pen.textBaseline = 'middle';
  rows.forEach((list, row) => {
    const y = rowY(row);
    if (y + ROW >= 0 && y <= height) for (const b of list) drawBox(b, y, look);
  });
  if (!(wide(root) > 0)) {
    pen.fillStyle = get('--soft');
    pen.fillText(mode === 'both' ? 'The method was not seen in this time.' : 'There are no samples in this time.', 12, 40);
  }
}

function redraw() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => { asked = false; draw(); });
}

// Time -----------------------------------------------------------------------------------------

const strip = $('strip'), line = $('line'), ink = line.getContext('2d');
const BASE = 52;  // of the strip, the height of the bars
let under = null, later = 0;  // under: by span, the weight of what is searched or selected

const stripX = (span) => span * strip.clientWidth / p.times.count;

function bars(values, step) {
  // Where samples are few, wider bars say more.
  const t = p.times, most = Math.min(t.count, strip.clientWidth / step, Math.max(p.samples / 5, 60));
  const columns = Math.max(1, Math.floor(most)), out = new Float64Array(columns);
  for (let c = 0; c < columns; c++) {
    const a = Math.floor(c * t.count / columns), b = Math.floor((c + 1) * t.count / columns);
    for (let i = a; i < b; i++) out[c] += values[i];
    out[c] /= b - a;
  }
  return out;
}

function axis(soft) {
  const t = p.times, all = t.count * t.ms, w = strip.clientWidth;
  const steps = [10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5, 72e5, 108e5, 216e5, 432e5, 864e5];
  const step = steps.find((s) => all / s * 90 <= w) || Math.ceil(all / w * 90 / 864e5) * 864e5;
  const off = new Date(t.begin).getTimezoneOffset() * 60000;
  ink.fillStyle = soft;
  ink.font = '11px system-ui, sans-serif';
  ink.textBaseline = 'bottom';
  for (let at = Math.ceil((t.begin - off) / step) * step + off; at < t.begin + all; at += step) {
    const x = (at - t.begin) / all * w, text = step >= 864e5 ? day(at) : clock(at, step);
    ink.fillRect(x, BASE, 1, 4);
    if (x + ink.measureText(text).width < w) ink.fillText(text, x + 3, BASE + 19);
  }
}

function drawStrip() {
  const t = p && p.times;
  if (!t || $('time').hidden) return;
  const ratio = window.devicePixelRatio || 1, w = strip.clientWidth, h = strip.clientHeight;
  line.width = Math.round(w * ratio); line.height = Math.round(h * ratio);
  ink.setTransform(ratio, 0, 0, ratio, 0, 0);
  const style = getComputedStyle(document.documentElement), get = (n) => style.getPropertyValue(n).trim(), load = get('--load');
  const all = bars(t.sum, 3), part = under && bars(under, 3), most = all.reduce((m, v) => Math.max(m, v), 0) || 1, cw = w / all.length;
  ink.fillStyle = get('--panel');
  ink.fillRect(0, 0, w, BASE);
  for (let i = 0; i < all.length; i++) {
    const x = i * cw, level = all[i] / most;
    if (!level) continue;
    const bar = Math.max(1, level * (BASE - 6));
    ink.fillStyle = `hsl(${load} / ${0.25 + 0.75 * level})`;
    ink.fillRect(x, BASE - bar, Math.max(cw - (cw > 2.5 ? 0.6 : 0), 0.8), bar);
    if (part && part[i]) {
      const high = Math.max(1, part[i] / most * (BASE - 6));
      ink.fillStyle = get('--hit');
      ink.fillRect(x, BASE - high, Math.max(cw - (cw > 2.5 ? 0.6 : 0), 0.8), high);
    }
  }
  ink.fillStyle = get('--line');
  ink.fillRect(0, BASE, w, 1);
  axis(get('--soft'));
  if (range) {
    const a = stripX(range[0]), b = Math.max(stripX(range[1]), a + 1);
    ink.fillStyle = isDark() ? '#000000a0' : '#ffffffb0';
    ink.fillRect(0, 0, a, BASE); ink.fillRect(b, 0, w - b, BASE);
    ink.strokeStyle = get('--fg'); ink.lineWidth = 1.5;
    ink.strokeRect(a, 0.75, b - a, BASE - 0.75);
  }
}

const rates = [(v) => v.toFixed(v < 10 ? 1 : 0) + ' samples a second', (v) => (v / 1e9).toFixed(v < 1e9 ? 2 : v < 1e10 ? 1 : 0) + ' threads', (v) => weight(v, 2) + ' a second'];

function describeTime() {
  const t = p.times, step = t.ms, from = t.begin + (range ? range[0] : 0) * t.ms, to = t.begin + (range ? range[1] : t.count) * t.ms;
  const long = weight((to - from) * 1e6, 1);
  const every = Math.max(1, Math.round(1000 / t.ms));
  let peak = 0;
  if (!range) for (let i = 0; i < t.count; i += every) {
    let sum = 0;
    for (let j = i; j < Math.min(i + every, t.count); j++) sum += t.sum[j];
    peak = Math.max(peak, sum / (every * t.ms) * 1000);
  }
  const last = day(from) === day(to) ? clock(to, step) : day(to) + ' ' + clock(to, step);
  $('span').textContent = `${day(from)} ${clock(from, step)} to ${last} ${zone(from)}, ${long}` +
    (range ? `: ${weight(p.total[0], p.unit)}, ${percent(p.total[0], p.whole.total[0])} of all` : `, peak ${rates[p.unit](peak)}. Drag to select a time.`);
  $('always').hidden = !range;
}

// Which spans have what is searched, or else what is selected?
function overlay() {
  clearTimeout(later);
  later = setTimeout(() => {
    const t = p.times;
    let list = null;
    under = null;
    if (!t) return;
    if (matched) list = topmost((f) => matched[f]);
    else if (selected && selected !== root && !selected.isUp) list = selected.list;
    else if (mode === 'both') list = root.list;
    if (list && list.length) {
      const flags = new Uint8Array(p.count);
      for (const i of list) flags.fill(1, i, p.end[i]);
      under = new Float64Array(t.count);
      eachSeen(t, 0, t.count, (node, w, span) => { if (flags[node]) under[span] += w; });
    }
    drawStrip();
  }, 60);
}

// The weights of the time that is shown.
function cut() {
  ({ self: p.self, total: p.total } = p.whole);
  if (!range || !p.times) return;
  p.self = new Float64Array(p.count); p.total = new Float64Array(p.count);
  eachSeen(p.times, range[0], range[1], (node, w) => { p.self[node] += w; });
  addUp(p, p.self, p.total);
}

function selectTime(a, b) {
  const t = p.times;
  if (!t) return;
  range = a === null || (a <= 0 && b >= t.count) ? null : [Math.max(0, Math.min(a, t.count - 1)), Math.min(t.count, Math.max(b, a + 1))];
  cut();
  const path = [];
  for (let b2 = zoom; b2.parent; b2 = b2.parent) path.unshift([b2.frame, b2.step]);
  makeRoot();
  for (const [frame, step] of path) {  // stay where one was
    const next = (step < 0 && zoom.ups ? zoom.ups : kids(zoom)).find((k) => k.frame === frame);
    if (!next) break;
    zoom = next;
  }
  selected = zoom;
  layout(); crumbs(); describe(); listMethods(); fillTable(); describeTime(); count(); drawStrip(); draw(); remember();
}

function fillSlices() {
  const t = p.times, body = $('slices').querySelector('tbody'), by = Math.ceil(t.count / 24);
  body.replaceChildren();
  for (let a = 0; a < t.count; a += by) {
    const b = Math.min(a + by, t.count), row = body.insertRow();
    let sum = 0;
    for (let i = a; i < b; i++) sum += t.sum[i];
    row.insertCell().textContent = weight(sum, p.unit);
    shareCell(row, sum, p.whole.total[0]);
    row.insertCell().append(press(clock(t.begin + a * t.ms, t.ms) + ' to ' + clock(t.begin + b * t.ms, t.ms), () => selectTime(a, b)));
  }
}

function onTimeKey(e) {
  const t = p.times, by = Math.max(1, Math.round(t.count / 100));
  let [a, b] = range || [Math.floor(t.count * 0.45), Math.ceil(t.count * 0.55)];
  const key = e.key, move = key === 'ArrowLeft' ? -by : key === 'ArrowRight' ? by : 0;
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  if (key === 'Escape') a = null;
  else if (key === 'Enter' || key === ' ') { if (range) return; }
  else if (move && e.shiftKey) b = Math.max(a + 1, b + move);
  else if (move && range) { const to = Math.max(-a, Math.min(move, t.count - b)); a += to; b += to; }
  else if (key === 'ArrowUp') { a -= by; b += by; }
  else if (key === 'ArrowDown') { if (b - a > 2 * by) { a += by; b -= by; } }
  else if (key === 'Home') { b -= a; a = 0; }
  else if (key === 'End') { a += t.count - b; b = t.count; }
  else if (!move) return;
  e.preventDefault();
  selectTime(a, b);
}

function listenTime() {
  let from = null, moved = null, waiting = false;
  const spanAt = (e) => (e.clientX - strip.getBoundingClientRect().left) / strip.clientWidth * p.times.count;
  const to = (e) => {
    const at = spanAt(e);
    if (moved) { const by = Math.max(-moved[0], Math.min(Math.round(at - from), p.times.count - moved[1])); selectTime(moved[0] + by, moved[1] + by); }
    else selectTime(Math.floor(Math.min(from, at)), Math.ceil(Math.max(from, at)));
  };
  on(strip, 'pointerdown', (e) => {
    from = spanAt(e);
    moved = range && from >= range[0] && from < range[1] ? range : null;
    strip.setPointerCapture(e.pointerId);
  });
  on(strip, 'pointermove', (e) => {
    if (from === null || waiting || Math.abs(spanAt(e) - from) * strip.clientWidth / p.times.count < 3) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; if (from !== null) to(e); });
  });
  on(strip, 'pointerup', (e) => {
    const isClick = from !== null && Math.abs(spanAt(e) - from) * strip.clientWidth / p.times.count < 3;
    if (isClick) selectTime(null); else if (from !== null) to(e);
    from = null;
  });
  on(strip, 'pointercancel', () => { from = null; });
  on(strip, 'keydown', onTimeKey);
  on('always', 'click', () => { selectTime(null); strip.focus(); });
  on('slices', 'toggle', () => { if ($('slices').open) fillSlices(); });
}

// What is said of a box ------------------------------------------------------------------------

function factsOf(b) {
  const facts = [['Total', weight(b.total, p.unit) + ', ' + percent(b.total, p.total[0])]];
  if (b.self) facts.push(['Self', weight(b.self, p.unit) + ', ' + percent(b.self, p.total[0])]);
  if (zoom !== root) facts.push(['Of the zoomed frame', percent(b.total, zoom.total)]);
  if (p.sides > 1) {
    const by = b.total2 ? (b.total / b.total2 - 1) * 100 : 0;
    facts.push(['Before', weight(b.total2, p.unit) + ', ' + percent(b.total2, p.total[0])],
      ['Change', !b.total ? 'vanished' : !b.total2 ? 'new' : (by > 0 ? '+' : '\u2212') + Math.abs(by).toFixed(1) + ' %']);
  }
  if (b.frame >= 0) facts.push(['Kind', KINDS[frames.kind[b.frame]]]);
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
  $('into').disabled = b === zoom;
  $('around').disabled = b.frame < 0 || (mode === 'both' && frames.name[b.frame] === method);
  $('both').disabled = mode !== 'both' && b.frame < 0;
  $('copy').disabled = b.frame < 0;
}

function select(b) {
  selected = b;
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
  if (path.length < 2) return;
  path.forEach((b, i) => {
    if (path.length > 8 && i > 0 && i < path.length - 6) { if (i === 1) bar.append('\u203a \u2026'); return; }
    if (i) bar.append('\u203a');
    bar.append(crumb(b));
  });
}

function zoomTo(b) {
  zoom = b;
  $('reset').disabled = zoom === root;
  layout(); crumbs(); select(b); draw(); remember();
}

// Search ---------------------------------------------------------------------------------------

function count() {
  let sum = 0;
  if (!matched) { $('matches').textContent = ''; return; }
  const list = topmost((f) => matched[f]);
  for (const i of list) sum += p.total[i];
  $('matches').textContent = list.length ? percent(sum, p.total[0]) + ' matched' : 'nothing matched';
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

let order = 'self', listed = [], most = 100;
function listMethods() {
  const self = new Float64Array(names.length), total = new Float64Array(names.length), on = new Uint32Array(names.length), path = [];
  for (let i = 1; i < p.count; i++) {
    while (path.length && p.end[path[path.length - 1]] <= i) on[frames.name[p.frame[path.pop()]]]--;
    const f = p.frame[i], n = frames.name[f];
    if (frames.kind[f] < 7 && on[n] === 0) total[n] += p.total[i];
    on[n]++;
    path.push(i);
    if (!p.self[i]) continue;
    let at = i;
    while (at > 0 && frames.kind[p.frame[at]] >= 7) at = p.parent[at];
    if (at > 0) self[frames.name[p.frame[at]]] += p.self[i];
  }
  listed = [];
  for (let n = 0; n < names.length; n++) if (self[n] || total[n]) listed.push([n, self[n], total[n]]);
}

function shareCell(row, part, all) {
  const cell = row.insertCell(), by = all ? Math.min(100, 100 * part / all) : 0;
  cell.textContent = percent(part, all);
  cell.style.background = `linear-gradient(to right, var(--bar) ${by}%, transparent ${by}%)`;
}

function fillTable() {
  const filter = $('filter').value.toLowerCase(), body = $('methods').tBodies[0], all = p.total[0], key = order === 'self' ? 1 : 2;
  const list = listed.filter(([n]) => !filter || names[n].toLowerCase().includes(filter))
    .sort((a, b) => (order === 'name' ? a[0] - b[0] : b[key] - a[key] || b[3 - key] - a[3 - key] || a[0] - b[0]));
  body.replaceChildren();
  for (const [n, self, total] of list.slice(0, most)) {
    const row = body.insertRow();
    row.insertCell().textContent = weight(self, p.unit);
    shareCell(row, self, all);
    row.insertCell().textContent = weight(total, p.unit);
    shareCell(row, total, all);
    row.insertCell().append(press(brief(names[n], 400), () => { method = n; setMode('both'); view.focus(); view.scrollIntoView({ block: 'nearest' }); }));
  }
  $('rest').hidden = list.length <= most;
  $('more').textContent = list.length > most ? `The first ${most} of ${list.length.toLocaleString('en')}` : list.length.toLocaleString('en') + (list.length === 1 ? ' method' : ' methods');
  for (const th of $('methods').tHead.rows[0].cells)
    if (th.dataset.order) th.setAttribute('aria-sort', th.dataset.order === order ? (order === 'name' ? 'ascending' : 'descending') : 'none');
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
  $('reset').disabled = true;
  layout(); crumbs();
  view.scrollTop = flipped ? view.scrollHeight : 0;
  select(root);
  draw();
}

function open(i) {
  p = profiles[i];
  width = view.clientWidth;
  method = -1; under = null;
  cut();
  profiles.forEach((_, j) => {
    $('tab' + j).setAttribute('aria-selected', i === j);
    $('tab' + j).tabIndex = i === j ? 0 : -1;
  });
  const d = p.doubts, said = [[d[0], 'without a stack trace'], [d[1], 'failed'], [d[2], 'lost'], [d[3], 'deeper than was recorded']]
    .filter(([n]) => n).map(([n, what]) => n.toLocaleString('en') + ' ' + what).join(', ');
  $('what').textContent = p.label + ': ' + weight(p.whole.total[0], p.unit) + (p.unit ? ' in ' + weight(p.samples, 0) : '');
  $('doubts').hidden = !said;
  $('doubts').textContent = 'Samples that do not tell all: ' + said;
  $('search').setAttribute('aria-label', 'Search ' + p.label);
  listMethods(); setMode('down'); fillTable(); count(); legend(); openTime();
  view.style.height = Math.max(160, Math.min((rows.length + 1) * ROW, innerHeight * 0.62)) + 'px';
}

function openTime() {
  $('time').hidden = !p.times;
  $('slices').open = false;
  if (p.times) { describeTime(); drawStrip(); }
}

function remember() {
  const parts = ['p=' + profiles.indexOf(p)];
  if (range) parts.push('t=' + range.join('-'));
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
  on(canvas, 'dblclick', (e) => { const b = at(e); if (b) zoomTo(b); });
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
  on('copy', 'click', () => navigator.clipboard.writeText(stackOf(selected)).then(() => { $('live').textContent = 'copied'; }, () => {}));
  $('copy').hidden = !navigator.clipboard;
  on('flip', 'click', () => {
    flipped = !flipped;
    $('flip').setAttribute('aria-pressed', flipped);
    view.scrollTop = flipped ? view.scrollHeight : 0;
    draw();
  });
  for (const id of ['down', 'up', 'both']) on(id, 'click', () => setMode(id));
  on('theme', 'click', theme);
  on('filter', 'input', fillTable);
  on('rest', 'click', () => { most += 400; fillTable(); });
  for (const th of $('methods').tHead.rows[0].cells)
    if (th.dataset.order) th.firstElementChild.addEventListener('click', () => { order = th.dataset.order; fillTable(); });
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
    for (const [text, by] of [['\u2212100 % or more', -1], ['\u221250 %', -0.5], ['about the same', 0], ['+50 %', 0.5], ['+100 % or new', 1]])
      legendItem(text, by ? tint(by > 0 ? 28 : 211, 85, 90 - 26 * Math.abs(by), dark) : tint(0, 0, 89, dark));
    legendItem('vanished', `repeating-linear-gradient(135deg, ${paint} 0 1px, ${tint(211, 85, 64, dark)} 1px 4px)`);
    return;
  }
  for (let i = 1; i < p.count; i++) seen.add(frames.kind[p.frame[i]]);
  KINDS.forEach((kind, i) => { if (seen.has(i)) legendItem(kind, tint(...HSL[i], dark), MARKS[i] && (MARKS[i] === 'double' ? '4px ' : '2px ') + MARKS[i] + ' ' + paint); });
}

async function start() {
  const r = reader(await bytes('data'));
  if (r.number() !== 1) throw new Error('data of another version');
  names = readNames(r); frames = readFrames(r);
  profiles = [];
  for (let n = r.number(); n > 0; n--) profiles.push(readProfile(r));
  if (!profiles.length) return;
  const wanted = new URLSearchParams(location.hash.slice(1)), time = /^(\d+)-(\d+)$/.exec(wanted.get('t') || '');
  tabs(); listen(); listenTime(); sayTheme();
  $('screen').hidden = false;
  open(Math.min(Number(wanted.get('p')) || 0, profiles.length - 1));
  resize();
  if (wanted.get('q')) { $('search').value = wanted.get('q'); search(wanted.get('q')); }
  document.documentElement.dataset.drawn = 'yes';
  if ($('times')) {
    const seen = reader(await bytes('times'));
    const axis = { count: seen.number(), ms: 0, begin: 0 };
    if (axis.count) {
      axis.ms = seen.number(); axis.begin = seen.number();
      for (const profile of profiles) profile.times = readTimes(seen, axis);
    }
    openTime();
    if (time && p.times) selectTime(Number(time[1]), Number(time[2]));
  }
  document.documentElement.dataset.ready = 'yes';
}

start().catch((e) => { $('failed').hidden = false; $('failed').textContent = 'The graph cannot be drawn: ' + e.message + '. The tables below are complete.'; });
})();
