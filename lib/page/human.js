'use strict';
// human.js - sizes, rates, spans, shares for people: what lib/base/human.c writes. The first script of a page.
const human = (() => {
const BYTES = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

function decimals(v) {
  const most = Math.abs(v);
  let n = most >= 99.95 || !most ? 0 : most >= 9.995 ? 1 : most >= 0.9995 ? 2 : 3;
  while (n >= 3 && n < 9 && most * 10 ** (n - 2) < 1) n++;
  return n;
}

// Three digits that matter; zeros after the point go.
function number(v) {
  if (!isFinite(v) || Math.abs(v) >= 1e15) return Number(v.toPrecision(3)).toExponential();
  const text = v.toFixed(decimals(v));
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

const count = (n) => Math.round(n).toLocaleString('en');

function minutes(s, sign) {
  const whole = Math.floor(s / 60), rest = Math.floor(s - whole * 60);
  return sign + whole + ' min' + (rest < 1 ? '' : ' ' + rest + ' s');
}

function span(ns) {
  const most = Math.abs(ns);
  if (most >= 7200e9) return number(ns / 3600e9) + ' h';
  if (most >= 120e9) return minutes(most / 1e9, ns < 0 ? '-' : '');
  if (most >= 999.5e6) return number(ns / 1e9) + ' s';
  if (most >= 999.5e3 || !most) return number(ns / 1e6) + ' ms';
  if (most >= 999.5) return number(ns / 1e3) + ' \u00b5s';
  return number(ns) + ' ns';
}

function bytes(v) {
  let i = 0;
  for (; Math.abs(v) >= 1023.5 && i < BYTES.length - 1; i++) v /= 1024;
  return number(v) + ' ' + BYTES[i];
}

const rate = (v) => bytes(v) + '/s';
const share = (v) => number(100 * v) + ' %';
return { number, count, span, bytes, rate, share };
})();
