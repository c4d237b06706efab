// time.js - the profile over time, and the time that is selected

const strip = $('strip'), line = $('line'), ink = line.getContext('2d');
const BASE = 52;  // of the strip, the height of the bars
let under = null, later = 0;  // under: by span, the weight of what is searched or selected
// Threads whose names differ in numbers only are a group. inGroup: by node, is it of the one that is shown? null: all.
let groups = [], inGroup = null;
// Of the range only what lies between two spans of each column of the heat map; null: all of it.
let band = null;
const sums = () => p.times.shown || p.times.sum;

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
  ink.fillStyle = soft;
  ink.font = '11px system-ui, sans-serif';
  ink.textBaseline = 'bottom';
  for (let at = Math.ceil((t.begin + ahead) / step) * step - ahead; at < t.begin + all; at += step) {
    const x = (at - t.begin) / all * w, text = step >= 864e5 ? day(at) : clock(at, step);
    ink.fillRect(x, BASE, 1, 4);
    if (x + ink.measureText(text).width < w) ink.fillText(text, x + 3, BASE + 19);
  }
}

// "[pool-1-thread-7 tid=4711]" is of "pool-#-thread-#".
const groupOf = (name) => name.replace(/^\[/, '').replace(/ ?(tid=\d+)?]$/, '').replace(/\d+/g, '#') || 'without a name';

function findGroups() {
  const found = new Map();
  for (let i = 1; i < p.count; i = p.end[i]) {
    if (frames.kind[p.frame[i]] !== 8) continue;
    const name = groupOf(names[frames.name[p.frame[i]]]), group = found.get(name) || { name, nodes: [], total: 0 };
    group.nodes.push(i); group.total += p.whole.total[i];
    found.set(name, group);
  }
  groups = [...found.values()].sort((x, y) => y.total - x.total || (x.name < y.name ? -1 : 1)).slice(0, 200);
  inGroup = null;
  if (p.times) p.times.shown = null;
  const option = (text, value) => { const o = make('option', text); o.value = value; return o; };
  $('group').replaceChildren(option('All threads', ''), ...groups.map((g, i) => option(`${brief(g.name, 60)}: ${percent(g.total, p.whole.total[0])}`, i)));
  $('grouped').hidden = groups.length < 2;
}

function selectGroup(group) {
  inGroup = null; p.times.shown = null;
  if (group) {
    inGroup = new Uint8Array(p.count);
    for (const i of group.nodes) inGroup.fill(1, i, p.end[i]);
    p.times.shown = new Float64Array(p.times.count);
    eachSeen(p.times, p.seen, 0, p.times.count, (node, w, span) => { if (inGroup[node]) p.times.shown[span] += w; });
  }
  if ($('slices').open) fillSlices();
  showHeat();
  if (range) selectTime(...range, band); else selectTime(null);
}

function drawStrip() {
  const t = p && p.times;
  if (!t || $('time').hidden) return;
  const ratio = window.devicePixelRatio || 1, w = strip.clientWidth, h = strip.clientHeight;
  line.width = Math.round(w * ratio); line.height = Math.round(h * ratio);
  ink.setTransform(ratio, 0, 0, ratio, 0, 0);
  const style = getComputedStyle(document.documentElement), get = (n) => style.getPropertyValue(n).trim(), load = get('--load');
  const all = bars(sums(), 3), part = under && bars(under, 3), most = all.reduce((m, v) => Math.max(m, v), 0) || 1, cw = w / all.length;
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
  drawHeat();
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

const rates = [(v) => v.toFixed(v < 10 ? 1 : 0) + ' samples a second', (v) => (v / 1e9).toFixed(v < 1e9 ? 2 : v < 1e10 ? 1 : 0) + ' threads', human.rate];

function describeTime() {
  const t = p.times, step = t.ms, from = t.begin + (range ? range[0] : 0) * t.ms, to = t.begin + (range ? range[1] : t.count) * t.ms;
  const long = weight((to - from) * 1e6, 1);
  const every = Math.max(1, Math.round(1000 / t.ms));
  let peak = 0;
  if (!range) for (let i = 0; i < t.count; i += every) {
    let sum = 0;
    for (let j = i; j < Math.min(i + every, t.count); j++) sum += sums()[j];
    peak = Math.max(peak, sum / (every * t.ms) * 1000);
  }
  const last = day(from) === day(to) ? clock(to, step) : day(to) + ' ' + clock(to, step);
  $('span').textContent = `${day(from)} ${clock(from, step)} to ${last} ${zone()}, ${long}` +
    (band ? `, of each ${weight(band.spans * step * 1e6, 1)} the time from ${weight(band.from * step * 1e6, 1)} to ${weight(band.to * step * 1e6, 1)}` : '') + (range || inGroup ? `: ${weight(p.total[0], p.unit)}, ${percent(p.total[0], p.whole.total[0])} of all` : `, peak ${rates[p.unit](peak)}. Drag to select a time.`);
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
      eachSeen(t, p.seen, 0, t.count, (node, w, span) => { if (flags[node]) under[span] += w; });
    }
    drawStrip();
  }, 60);
}

// The weights of the time that is shown.
const removed = new Set();  // names of methods

function cut() {
  ({ self: p.self, total: p.total } = p.whole);
  if (p.sides > 1) ({ self: p.self2, total: p.total2 } = p.whole2);
  const isPart = p.times && (range || inGroup);
  if (isPart) cutTime();
  if (removed.size) {
    [p.self, p.total] = without(p.self);
    if (p.sides > 1) [p.self2, p.total2] = without(p.self2);
  } else if (isPart) addUp(p, p.self, p.total);
}

// Weights without those below methods that were removed.
function without(self) {
  const left = self.slice(), total = new Float64Array(p.count);
  for (let i = 1; i < p.count; i++) if (removed.has(frames.name[p.frame[i]])) { left.fill(0, i, p.end[i]); i = p.end[i] - 1; }
  addUp(p, left, total);
  return [left, total];
}

function cutTime() {
  p.self = new Float64Array(p.count); p.total = new Float64Array(p.count);
  if (range) eachSeen(p.times, p.seen, range[0], range[1], (node, w, span) => { if ((!inGroup || inGroup[node]) && isInBand(span)) p.self[node] += w; });
  else for (let i = 0; i < p.count; i++) if (inGroup[i]) p.self[i] = p.whole.self[i];
}

function isInBand(span) {
  const at = band && (span + band.skipped) % band.spans;
  return !band || (at >= band.from && at < band.to);
}

function selectTime(a, b, part = null) {
  const t = p.times;
  if (!t) return;
  band = a === null ? null : part;
  range = a === null || (!band && a <= 0 && b >= t.count) ? null : [Math.max(0, Math.min(a, t.count - 1)), Math.min(t.count, Math.max(b, a + 1))];
  cutAgain();
}

// The weights have changed: draw all of it anew, where one was.
function cutAgain() {
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
  layout(); crumbs(); describe(); listMethods(); fillTable(); count(); draw(); remember();
  if (p.times) { describeTime(); drawStrip(); }
}

function fillSlices() {
  const t = p.times, body = $('slices').querySelector('tbody');
  body.replaceChildren();
  if (!t) return;  // as in a comparison
  const by = Math.ceil(t.count / 24);
  for (let a = 0; a < t.count; a += by) {
    const b = Math.min(a + by, t.count), row = body.insertRow();
    let sum = 0;
    for (let i = a; i < b; i++) sum += sums()[i];
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
  on('group', 'change', (e) => selectGroup(e.target.value === '' ? null : groups[e.target.value]));
  on('slices', 'toggle', () => { if ($('slices').open) fillSlices(); });
}
