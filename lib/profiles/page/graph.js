// graph.js - the boxes of a flame graph, and how they are drawn

// State ----------------------------------------------------------------------------------------

let names, frames, profiles, p;  // p: the profile at hand
let root, zoom, selected, hovered = null, mode = 'down', flipped = false, method = -1;
// Of a difference, side by side: the graph of the earlier recording, what of it is zoomed to, and the box at the same
// place as the selected one.
let beside = true, before = null, zoom2 = null, paired = null;
let matched = null, query = '', range = null;  // range: the spans that are shown, or null
const CLASS = 7;  // of KINDS
const KINDS = ['interpreted', 'compiled', 'inlined', 'native', 'C++', 'kernel', 'C1-compiled', 'class', 'thread', 'note'];
const OWNERS = ['application', 'libraries', 'JDK'];
const isJava = (f) => frames.kind[f] < 3 || frames.kind[f] === 6;
// Hue, saturation, lightness, as in colour.c: of Java whose code it is, else the kind. What is not compiled Java has a
// mark, too, for those who see no colours.
const OF_OWNER = [[28, 85, 68], [50, 62, 79], [212, 22, 87]];
const OF_KIND = [[0, 0, 88], [0, 0, 88], [0, 0, 88], [203, 58, 72], [344, 60, 80], [300, 36, 78], [0, 0, 88], [158, 36, 76], [262, 30, 88], [0, 0, 88]];
const hsl = (f) => (isJava(f) ? OF_OWNER[frames.owner[f]] : OF_KIND[frames.kind[f]]) || OF_KIND[9];
const MARKS = ['dotted', '', '', 'solid', 'dashed', 'double', 'dotted', '', '', ''];

const isDark = () => (document.documentElement.dataset.theme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
const nameOf = (f) => names[frames.name[f]] + (frames.line[f] ? ':' + frames.line[f] : '');
const label = (b) => (b.frame < 0 ? 'all' : nameOf(b.frame));
// The dot behind the package. In names of C++ those in brackets are none.
function packageEnd(text) {
  const end = text.search(/[(<:]/), plain = end < 0 ? text : text.slice(0, end + 1);
  return plain.lastIndexOf('.', plain.lastIndexOf('.') - 1);
}
// Without its package; libc.so.6.qsort has none.
function short(text) {
  const dot = packageEnd(text);
  return dot > 0 && !/\d/.test(text[dot + 1]) ? text.slice(dot + 1) : text;
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
  const [h, s, l] = hsl(f), name = names[frames.name[f]];
  const dot = packageEnd(name), shade = hash(dot > 0 ? name.slice(0, dot) : name);
  return colours[f] = tint(h + shade % 13 - 6, s, l + (shade >> 8) % 7 - 3, dark);
}

// Boxes ----------------------------------------------------------------------------------------

// What is drawn stands for several nodes of the tree: all with the same path. `parts` are the
// weights that came from below, if it leads to callers.
function box(frame, parent, isUp, step) {
  return { frame, parent, isUp, step, side: parent ? parent.side : 0, list: [], parts: isUp ? [] : null, parts2: isUp ? [] : null, self: 0, total: 0, total2: 0, kids: null, ups: null, x: 0, w: 0, row: 0, isAbove: false };
}

const second = (i) => (p.total2 ? p.total2[i] * p.scale2 : 0), secondSelf = (i) => (p.self2 ? p.self2[i] * p.scale2 : 0);

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

function callers(b, list, parts, parts2, step) {
  const found = new Map();
  for (let i = 0; i < list.length; i++) {
    const up = p.parent[list[i]];
    if (up <= 0 || !(parts[i] > 0 || parts2[i] > 0)) continue;
    const k = taken(found, p.frame[up], b, true, step);
    k.list.push(up); k.parts.push(parts[i]); k.parts2.push(parts2[i]);
    k.total += parts[i]; k.total2 += parts2[i];
  }
  return sorted(found);
}

function kids(b) {
  return b.kids || (b.kids = b.isUp ? callers(b, b.list, b.parts, b.parts2, b.step) : callees(b));
}

// The box at the same place in the other of two graphs.
function twin(b) {
  const path = [];
  if (!before || !b) return null;
  for (; b.parent; b = b.parent) path.unshift(b.frame);
  let at = b === before ? root : before;
  for (const f of path) at = at && kids(at).find((k) => k.frame === f);
  return at;
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
  before = null;
  if (mode === 'down' && beside && p.sides > 1) {
    before = box(-1, null, false, 1);
    before.side = 1; before.list = [0];
    before.total = root.total; before.total2 = root.total2;
  }
  if (mode === 'both') {
    const list = root.list = topmost((f) => frames.name[f] === method);
    root.frame = list.length ? p.frame[list[0]] : -1;
    root.total = root.total2 = 0;
    for (const i of list) { root.total += p.total[i]; root.total2 += second(i); }
    for (let i = 1; i < p.count; i++) if (frames.name[p.frame[i]] === method) root.self += p.self[i];
    root.ups = callers(root, list, list.map((i) => p.total[i]), list.map(second), -1);
  } else if (mode === 'up') {
    const found = new Map();
    for (let i = 1; i < p.count; i++) {
      const was = secondSelf(i);
      if (!(p.self[i] > 0 || was > 0)) continue;
      const k = taken(found, p.frame[i], root, true, 1);
      k.list.push(i); k.parts.push(p.self[i]); k.parts2.push(was);
      k.self += p.self[i]; k.total += p.self[i]; k.total2 += was;
    }
    root.kids = sorted(found);
  }
  zoom = selected = root;
  zoom2 = before; paired = null;
}

// Layout and drawing ---------------------------------------------------------------------------

const view = $('view'), canvas = $('canvas'), pad = $('pad'), pen = canvas.getContext('2d', { alpha: false });
let rows = [], width = 0, height = 0, asked = false, letter = 6.5;

const GAP = 14;  // between two graphs
const wide = (b) => (b.side ? b.total2 : p.sides > 1 && !before ? Math.max(b.total, b.total2) : b.total);

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

// What is zoomed to, over all of that width, and what is above it; returns that.
function along(to, x, w, up) {
  const path = [];
  for (let b = to.parent; b; b = b.parent) path.unshift(b);
  for (const b of path.concat(to)) { b.x = x; b.w = w; b.row = b.parent ? b.parent.row + b.step : 0; b.isAbove = b !== to; }
  for (const b of path) if (wide(b) > 0 || !before) (up[b.row] = up[b.row] || []).push(b);
  if (wide(to) > 0 || !before) place(to, up);
  return path;
}

function layout() {
  const up = {}, half = before ? Math.max((width - GAP) / 2, 1) : width;
  if (before) along(zoom2, 0, half, up);
  const path = along(zoom, width - half, half, up);
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
  if (((b === selected || b === paired) && b.parent) || (b === selected && b.frame >= 0) || b === hovered) {
    pen.strokeStyle = look.fg; pen.lineWidth = b === hovered && b !== selected ? 1 : 2;
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
  const half = (width - GAP) / 2, nothing = (text, x) => { pen.fillStyle = get('--soft'); pen.fillText(text, x + 5, rowY(zoom.row) + ROW / 2, half - 10); };
  if (before && !(wide(zoom2) > 0)) nothing('Not seen before.', 0);
  if (before && !(wide(zoom) > 0)) nothing('Not seen after.', half + GAP);
  if (!before && !(wide(root) > 0)) {
    pen.fillStyle = get('--soft');
    pen.fillText(mode === 'both' ? 'The method was not seen in this time.' : 'There are no samples in this time.', 12, 40);
  }
}

function redraw() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => { asked = false; draw(); });
}
