// data.js - what the page decodes, and its numbers as texts. html.c and html_times.c draw the data.
// The files of the script are one: human, data, graph, time, heat, script.
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
    names.push(utf8.decode(name) || '(no name)');
    before = name;
  }
  return names;
}

function readFrames(r) {
  const n = r.number(), f = { name: new Uint32Array(n), kind: new Uint8Array(n), line: new Uint32Array(n), owner: new Uint8Array(n) };
  for (const column of [f.name, f.kind, f.line, f.owner]) for (let i = 0; i < n; i++) column[i] = r.number();
  return f;
}

function addUp(of, self, total) {
  total.set(self);
  for (let i = of.count - 1; i > 0; i--) total[of.parent[i]] += total[i];
}

function readProfile(r) {
  const p = { name: r.text(), label: r.text(), unit: r.number(), samples: r.number() };
  p.doubts = [r.number(), r.number(), r.number(), r.number()];
  p.lostBytes = r.number();
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
  p.seen = new Uint32Array(n);  // nodes, by their number in the times
  for (let i = 0, k = 0; i < n; i++) if (p.whole.self[i] > 0) p.seen[k++] = i;
  ({ self: p.self, total: p.total } = p.whole);
  if (p.sides > 1) {
    p.whole2 = column();
    ({ self: p.self2, total: p.total2 } = p.whole2);
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
function eachSeen(t, seen, a, b, add) {
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
      add(seen[node], odd ? number() * t.unit : t.unit, span);
    }
  }
}

// Numbers for people ---------------------------------------------------------------------------

const WEIGHTS = [(v) => human.count(v) + (v === 1 ? ' sample' : ' samples'), human.span, human.bytes];
const weight = (value, unit) => WEIGHTS[unit](value);
const percent = (part, all) => (all ? 100 * part / all : 0).toFixed(2) + ' %';
const brief = (text, most) => (text.length <= most ? text : text.slice(0, most - 1) + '\u2026');

// Times are shown in the zone that the recording's other pages have, so many ms ahead of UTC.
let ahead = 0;
const local = (ms) => new Date(ms + ahead);
const two = (n) => String(n).padStart(2, '0');
function clock(ms, step) {
  const d = local(ms), text = two(d.getUTCHours()) + ':' + two(d.getUTCMinutes());
  if (step >= 60000) return text;
  return text + ':' + two(d.getUTCSeconds()) + (step >= 1000 ? '' : '.' + String(d.getUTCMilliseconds()).padStart(3, '0').slice(0, step >= 100 ? 1 : step >= 10 ? 2 : 3));
}
const day = (ms) => local(ms).toISOString().slice(0, 10);
function zone() {
  const by = Math.abs(ahead) / 60000;
  return ahead ? 'UTC' + (ahead < 0 ? '-' : '+') + two(Math.floor(by / 60)) + ':' + two(Math.floor(by % 60)) : 'UTC';
}
