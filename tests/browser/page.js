// What tests of pages share: a browser, pages that record what they complain of, results as TAP.
//
// A test is started as `node TEST.js CHROMIUM DIRECTORY [SHOTS]`: the pages lie in DIRECTORY, and
// pictures of them go to SHOTS.
'use strict';
const fs = require('fs');
const path = require('path');
const { spawnSync } = require('child_process');
const { chromium } = require('playwright-core');
let axe = null;
try { axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'); } catch (e) { /* accessible() skips */ }

const [, , executablePath, dir, shots] = process.argv;
let browser, number = 0, failed = 0;

function result(good, name, why) {
  console.log(`${good ? 'ok' : 'not ok'} ${++number} - ${name}`);
  if (!good) { failed++; console.log('# ' + String(why).replace(/\n/g, '\n# ').slice(0, 2000)); }
}
const skip = (name, why) => console.log(`ok ${++number} - ${name} # SKIP ${why}`);
const is = (got, want, name) => result(got === want, name, `got ${got}\nwanted ${want}`);
const like = (got, want, name) => result(want.test(got), name, `got ${String(got).slice(0, 500)}\nwanted ${want}`);

// In a page: texts of a report that lie over each other: times of an axis, a strip's name and its scale, the button and what is beside it.
const overlaps = () => {
  const all = [], box = (e) => { const r = document.createRange(); r.selectNodeContents(e); return r.getBoundingClientRect(); };
  const meet = (a, b) => a.width && b.width && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const look = (list) => list.forEach((e, i) => list.slice(i + 1).forEach((other) => { if (meet(box(e), box(other))) all.push(e.textContent + ' | ' + other.textContent); }));
  for (const axis of document.querySelectorAll('.timeline .axis svg')) look([...axis.querySelectorAll('text')]);
  for (const label of document.querySelectorAll('.timeline .label')) look([...label.querySelectorAll('b, .top')]);
  const button = document.getElementById('theme');
  for (const e of document.querySelectorAll('header h1, header p, header dd, header th, header td')) if (meet(button.getBoundingClientRect(), box(e))) all.push('button | ' + e.textContent);
  return all.join('; ');
};

// A page that is ready (`isReady` runs in it), with all that it complains of or asks for. `options`
// are those of a browser's context, and `hash`, the end of the address.
async function open(name, isReady, { hash = '', ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, timezoneId: 'UTC', ...options });
  const page = await context.newPage();
  page.faults = [];
  page.on('console', (m) => page.faults.push('console: ' + m.text()));
  page.on('pageerror', (e) => page.faults.push('error: ' + e.message));
  page.on('dialog', (d) => { page.faults.push('dialog'); d.dismiss(); });
  page.on('request', (r) => { if (!r.url().startsWith('file://') || !r.url().includes(name)) page.faults.push('request: ' + r.url().slice(0, 100)); });
  await page.goto('file://' + path.join(dir, name) + hash);
  if (options.javaScriptEnabled !== false)
    await page.waitForFunction(isReady, null, { timeout: 60000 });
  return page;
}

async function shoot(page, name, fullPage = false) {
  if (shots) await page.screenshot({ path: path.join(shots, name + '.png'), fullPage });
}

// On paper: the PDF.
const print = (page, name) => page.pdf({ format: 'A4', path: shots ? path.join(shots, name + '.pdf') : undefined });

async function accessible(page, name) {
  if (!axe) { skip(name, 'there is no axe-core'); return; }
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run());
  is(found.violations.map((v) => v.id + ': ' + v.nodes.slice(0, 3).map((n) => n.html).join(' ')).join('\n'), '', name);
}

async function done(page, name) {
  is(page.faults.join('\n'), '', name + ': no error, no request');
  await page.context().close();
}

// Are pages valid HTML? The validator does not know one property of SVG in CSS.
function valid(names) {
  if (!process.env.VNU) { skip('the pages are valid HTML', 'there is no vnu-jar, or no java'); return; }
  for (let i = 0; i < names.length; i += 20) {
    const some = names.slice(i, i + 20);
    const checked = spawnSync('java', ['-Xmx1g', '-Xss8m', '-jar', process.env.VNU, '--errors-only', '--filterpattern', '.*vector-effect.*', '--stdout', '--format', 'text', ...some.map((n) => path.join(dir, n))], { encoding: 'utf8' });
    is(checked.status === 0 ? '' : checked.stdout + checked.stderr, '', some.join(' ') + ': valid HTML');
  }
}

// Runs all parts; `after` needs no browser.
async function run(parts, after = () => {}) {
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
  for (const part of parts) {
    try { await part(); } catch (e) { result(false, part.name, e.stack); }
  }
  await browser.close();
  after();
  console.log(`1..${number}`);
  process.exit(failed ? 1 : 0);
}

module.exports = { accessible, dir, done, is, like, open, overlaps, print, result, run, shoot, skip, valid };
