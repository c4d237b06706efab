// heat.js - the profile as a heat map: a column for each second, say, which goes from top to bottom

const field = $('field'), heatPen = field.getContext('2d');
const HEAT = 150, MOST_ROWS = 50, MOST_COLUMNS = 240;
// map: how spans of time lie in it; brushed: [column, row, column, row], from a corner to the one at hand
let map = null, brushed = null;

// As short as a screen can show; a second wherever that is possible, since most people think in seconds.
function heatColumn(t) {
  const all = t.count * t.ms, fits = (ms) => ms % t.ms === 0 && ms / t.ms >= 10 && all / ms <= MOST_COLUMNS;
  if (all >= 8e3 && fits(1e3)) return 1e3;
  return [100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 3e4, 6e4, 12e4, 3e5, 6e5, 18e5, 36e5, 72e5, 216e5, 432e5, 864e5].find(fits);
}

function makeMap() {
  const t = p.times, ms = t && heatColumn(t);
  map = null;
  $('warm').hidden = !ms;
  if (!ms || $('heat').hidden) return;
  // spans: of a column; group: of a cell; skipped: of the first column, before the first span
  const spans = ms / t.ms, skipped = Math.floor((t.begin + ahead) % ms / t.ms);
  let group = 1;
  while (spans / group > MOST_ROWS || spans % group) group++;
  map = { ms, spans, group, skipped, rows: spans / group, columns: Math.ceil((t.count + skipped) / spans) };
  map.cells = new Float64Array(map.columns * map.rows);
  for (let i = 0; i < t.count; i++) map.cells[cellOf(i)] += sums()[i];
  map.most = map.cells.reduce((m, v) => Math.max(m, v), 0) || 1;
}

function cellOf(span) {
  const i = span + map.skipped;
  return Math.floor(i / map.spans) * map.rows + Math.floor(i % map.spans / map.group);
}

// The corners of what is selected; null: all.
function selectedCells() {
  if (brushed) return [0, 1].map((i) => Math.min(brushed[i], brushed[i + 2])).concat([2, 3].map((i) => Math.max(brushed[i], brushed[i - 2])));
  if (!range) return null;
  const column = (span) => Math.floor((span + map.skipped) / map.spans);
  return [column(range[0]), band ? band.from / map.group : 0, column(range[1] - 1), band ? band.to / map.group - 1 : map.rows - 1];
}

function drawHeat() {
  if (!map) return;
  const ratio = window.devicePixelRatio || 1, w = field.clientWidth, style = getComputedStyle(document.documentElement), get = (n) => style.getPropertyValue(n).trim();
  const cw = w / map.columns, ch = HEAT / map.rows, load = get('--load'), gap = Math.min(cw, ch) > 4 ? 0.5 : 0;
  field.width = Math.round(w * ratio); field.height = Math.round(HEAT * ratio);
  heatPen.setTransform(ratio, 0, 0, ratio, 0, 0);
  heatPen.fillStyle = get('--panel');
  heatPen.fillRect(0, 0, w, HEAT);
  map.cells.forEach((value, i) => {
    if (!value) return;
    heatPen.fillStyle = `hsl(${load} / ${0.15 + 0.85 * value / map.most})`;
    heatPen.fillRect(Math.floor(i / map.rows) * cw, i % map.rows * ch, cw - gap, ch - gap);
  });
  const at = selectedCells();
  if (!at) return;
  heatPen.strokeStyle = get('--hit'); heatPen.lineWidth = 2;
  heatPen.strokeRect(at[0] * cw + 1, at[1] * ch + 1, Math.max((at[2] - at[0] + 1) * cw - 2, 1), Math.max((at[3] - at[1] + 1) * ch - 2, 1));
}

function sayHeat() {
  if (!map) return;
  const each = weight(map.ms * 1e6, 1), cell = weight(map.group * p.times.ms * 1e6, 1);
  $('warmth').textContent = `Each column is ${each}, from top to bottom; a cell is ${cell}.`;
  $('hottest').textContent = weight(map.most, p.unit);
}

function showHeat() {
  makeMap(); sayHeat(); drawHeat();
}

// A rectangle: the columns are a time, the rows a part of each column.
function selectCells() {
  const [c, r, c2, r2] = selectedCells(), whole = r === 0 && r2 === map.rows - 1;
  selectTime(c * map.spans - map.skipped, (c2 + 1) * map.spans - map.skipped, whole ? null : { from: r * map.group, to: (r2 + 1) * map.group, spans: map.spans, skipped: map.skipped });
}

function onHeatKey(e) {
  if (!map || e.ctrlKey || e.metaKey || e.altKey) return;
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
  if (e.key === 'Escape') { brushed = null; selectTime(null); }
  else if (!step) return;
  else {
    const at = selectedCells() || [Math.floor(map.columns / 2), 0, Math.floor(map.columns / 2), map.rows - 1];
    const move = (i) => Math.max(0, Math.min(at[i] + step[i % 2], (i % 2 ? map.rows : map.columns) - 1));
    // With Shift the far corner moves, else all of it as far as there is room.
    const to = e.shiftKey ? [at[0], at[1], Math.max(move(2), at[0]), Math.max(move(3), at[1])] : at.map((_, i) => move(i));
    if (e.shiftKey || (to[2] - to[0] === at[2] - at[0] && to[3] - to[1] === at[3] - at[1])) brushed = to;
    if (brushed) selectCells();
    brushed = null;
  }
  e.preventDefault();
}

function listenHeat() {
  const cell = (e) => {
    const place = field.getBoundingClientRect(), within = (v, most) => Math.max(0, Math.min(Math.floor(v * most), most - 1));
    return [within((e.clientX - place.left) / place.width, map.columns), within((e.clientY - place.top) / place.height, map.rows)];
  };
  on(field, 'pointerdown', (e) => { if (!map) return; brushed = cell(e).concat(cell(e)); field.setPointerCapture(e.pointerId); drawHeat(); });
  on(field, 'pointermove', (e) => { if (brushed) { [brushed[2], brushed[3]] = cell(e); drawHeat(); } });
  on(field, 'pointerup', () => { if (brushed) selectCells(); brushed = null; drawHeat(); });
  on(field, 'pointercancel', () => { brushed = null; drawHeat(); });
  on(field, 'keydown', onHeatKey);
  on('warm', 'click', () => {
    $('heat').hidden = !$('heat').hidden;
    $('warm').setAttribute('aria-pressed', !$('heat').hidden);
    showHeat();
  });
}
