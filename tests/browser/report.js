// The page of `jfrec report` in Chromium, driven as a reader would. report.sh makes the pages, and
// finds the browser, the packages and the validator of HTML.
//
// usage: [VNU=JAR] node report.js CHROMIUM DIRECTORY [SHOTS]
'use strict';
const fs = require('fs');
const path = require('path');
const { accessible, dir, done, is, like, open: openReady, overlaps, print, result, run, shoot, valid } = require('./page.js');

const open = (name, options) => openReady(name, () => document.documentElement.dataset.report === 'ready', options);

// Those of the shop that are empty come last, folded.
const SECTIONS = ['figures', 'findings', 'timeline', 'gc', 'where', 'memory', 'locks', 'exceptions', 'io', 'threads', 'environment', 'events', 'runtime', 'settings'];

// What is read from top to bottom, with and without a script.
async function reading() {
  const page = await open('shop.html', { javaScriptEnabled: false });
  is((await page.$$eval('main h2', (all) => all.map((h) => h.id).filter(Boolean))).join(' '), SECTIONS.join(' '), 'the sections, in their order');
  like(await page.textContent('.findings li:first-child h3'), /stopped the application for 1\.5 s/, 'the worst finding comes first');
  like(await page.textContent('h2.verdict'), /stopped the application for 1\.5 s/, 'the verdict comes before it');
  is(await page.$$eval('.figures > div', (all) => all.filter((one) => !one.querySelector('b')).length), 0, 'each key figure has its number');
  result(await page.$$eval('.figures .spark path', (all) => all.length) > 3, 'and most a picture of how it went', '');
  result((await page.$eval('#findings', (e) => e.getBoundingClientRect().top)) < 800, 'findings begin on the first screen', '');
  is(await page.$eval('details.empty', (e) => e.open), false, 'sections with nothing to show are folded');
  is(await page.$eval('details.empty summary', (e) => e.textContent), 'Nothing to show: JVM, Settings and flags', 'and named');
  is(await page.$$eval('.finding a[href^="#t-"]', (all) => all.length > 0 && all.every((a) => document.querySelector(a.hash))), true, 'tables that findings refer to are there');
  is(await page.$$eval('#timeline ~ * svg.chart, svg.chart', (all) => all.length > 5 && all.every((s) => s.querySelector('path'))), true, 'the timeline is drawn without a script');
  const body = await page.textContent('body');
  result(!/Tr0ub4dor/.test(await page.content()) && /shop\.password/.test(body), 'a password is redacted, its name is not', body.match(/.{40}Tr0ub4dor.{40}/));
  result(/SHOP_HOME/.test(body), 'environment variables are shown if asked for', '');
  await done(page, 'without a script');
  const plain = await open('plain.html', { javaScriptEnabled: false });
  result(!/SHOP_HOME/.test(await plain.content()), 'environment variables are not shown otherwise', '');
  await done(plain, 'without environment variables');
}

// Of threads that wait for a lock: what the finding refers to is there, and its profile is open.
async function referring() {
  const page = await open('lock.html');
  await page.waitForFunction(() => document.documentElement.dataset.ready === 'yes');
  const tab = () => page.$eval('#tabs [aria-selected=true]', (e) => e.textContent);
  is(await tab(), 'Locks and parks', 'the profile of the first finding is open');
  like(await page.textContent('.finding .who'), /acme\.prices\.PriceService .*priceOf:16/, 'a finding shows who without being unfolded');
  is(await page.$$eval('main > section .findings > .info', (all) => all.every((e) => e.closest('details'))), true, 'beside a warning infos are folded');
  await page.click('#tab0');
  await page.click('.finding a.profile');
  is(await tab(), 'Locks and parks', 'a link of the finding opens it again');
  const row = await page.$eval('.finding a[href^="#t-"]', (a) => document.querySelector(a.hash).nextElementSibling.textContent);
  like(row, /PriceService/, 'and another leads to the table');
  await accessible(page, 'axe finds nothing in it');
  await done(page, 'references');
}

async function zooming() {
  const page = await open('shop.html');
  const views = () => page.$$eval('svg.chart', (all) => all.map((s) => s.getAttribute('viewBox')).join());
  const profile = () => page.$$eval('#what, #span, #facts', (all) => all.map((e) => e.textContent).join());
  const before = [await views(), await profile()];
  const table = (id) => page.$$eval(`#t-${id}, #t-${id} + .scroll tbody tr`, (all) => all.filter((e) => !e.hidden).map((e) => (e.cells ? [...e.cells].map((c) => c.textContent.trim()).join(' ') : e.textContent)).join(', '));
  is(await table('exception-by-type'), 'Exceptions by Type, shop.Failure 60, shop.LateFailure 10', 'a table of the whole recording');
  await page.waitForFunction(() => document.documentElement.dataset.ready === 'yes');
  await page.locator('svg.chart').first().scrollIntoViewIfNeeded();
  const chart = await page.locator('svg.chart').first().boundingBox();
  await page.mouse.move(chart.x + chart.width * 0.25, chart.y + 10);
  await page.mouse.down();
  await page.mouse.move(chart.x + chart.width * 0.75, chart.y + 10, { steps: 4 });
  await page.mouse.up();
  like(await page.textContent('#brushed'), /22:1[78]:.* to 22:2[12]:/, 'a brush zooms into its time');
  const boxes = await page.$$eval('svg.chart', (all) => [...new Set(all.map((s) => s.getAttribute('viewBox').split(' ').filter((v, i) => i % 2 === 0).join(' ')))]);
  is(boxes.length, 1, 'all strips show the same time');
  const listed = () => page.$$eval('table.grid tr[data-at]', (all) => [all.filter((r) => !r.hidden).length, all.length]);
  const [kept, all] = await listed();
  result(kept < all && all > 0, 'lists have only the events of that time', `${kept} of ${all}`);
  const spent = () => page.$$eval('table[data-threads] td[data-v]', (cells) => cells.reduce((sum, c) => sum + Number(c.dataset.v), 0));
  const part = await spent();
  like(await table('exception-by-type'), /^Exceptions by Type, shop.Failure (29|30|31)$/, 'tables by class are of that time');
  is(await table('allocation-by-class'), 'Allocation by Class, shop.Order 100.00%', 'and their shares');
  like(await table('lock-wait-by-class'), /^Lock Wait by Class of the whole recording, /, 'the other tables say that they are of all');
  await page.click('#whole');
  is((await listed())[0], all, 'then they have all again');
  is(await table('exception-by-type'), 'Exceptions by Type, shop.Failure 60, shop.LateFailure 10', 'and tables by class theirs');
  is(await views(), before[0], 'the strips show the whole time again');
  is(await profile(), before[1], 'and so do the profiles');
  is(await page.$eval('#whole', (b) => b.hidden), true, 'the button is gone');
  is(await page.evaluate(() => document.activeElement.id), 'strips', 'keys go on with the timeline');
  const whole = await spent();
  result(part > 0 && part < whole, 'what threads did is of that time', `${part} of ${whole}`);
  like('' + await page.textContent('main'), /^(?![^]*of the whole recording)/, 'and nothing says so any more');
  like(await page.textContent('#brushed'), /^Drag over/, 'a button shows the whole time again');
  await page.locator('a.when').first().click();
  like(await page.textContent('#brushed'), /22:1[9]:|22:20:/, 'a finding leads to its time');
  await page.focus('#strips');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowRight');
  like(await page.textContent('#brushed'), /^22:20:/, 'keys move the cursor');
  const lane = page.locator('.timeline[data-threads] svg.chart').first();
  await lane.scrollIntoViewIfNeeded();
  const lanes = await lane.boundingBox();
  let said = '';
  for (let i = 1; i < 40 && !said; i++) {
    await page.mouse.move(lanes.x + lanes.width * i / 40, lanes.y + 4);
    said = await page.textContent('.timeline[data-threads] .value');
  }
  like(said, /(running|waiting|I\/O)[a-z ]* [0-9]+ %/, 'the cursor tells what a thread did');
  await shoot(page, 'report-cursor');
  await done(page, 'zooming');
}

async function sorting() {
  const page = await open('shop.html');
  const table = page.locator('table.grid:visible').first();
  await table.locator('th button').first().click();
  like(await table.locator('th').first().getAttribute('aria-sort'), /ascending|descending/, 'a click on a heading sorts');
  await done(page, 'sorting');
}

async function access() {
  for (const [name, options] of [
    ['light', { colorScheme: 'light' }], ['dark', { colorScheme: 'dark' }],
    ['phone', { viewport: { width: 360, height: 740 }, colorScheme: 'light' }],
    ['wide', { viewport: { width: 3840, height: 2160 }, colorScheme: 'light' }],
    ['zoom', { viewport: { width: 640, height: 500 }, deviceScaleFactor: 2, colorScheme: 'light' }],
  ]) {
    const page = await open('shop.html', options);
    is(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, name + ': nothing is wider than the window');
    is(await page.evaluate(overlaps), '', name + ': no text lies over another');
    await shoot(page, 'report-' + name, true);
    await page.$$eval('details', (all) => all.forEach((d) => { d.open = true; }));
    await accessible(page, name + ': axe finds nothing');
    await page.focus('#strips');
    for (let i = 0; i < 11; i++) await page.keyboard.press('+');
    is(await page.evaluate(overlaps), '', name + ': nor where milliseconds are told');
    await done(page, name);
  }
}

async function printing() {
  const page = await open('shop.html');
  const pdf = await print(page, 'report');
  result(pdf.length > 20000, 'it can be printed', pdf.length);
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  is(await page.$$eval('details', (all) => all.every((d) => d.open)), true, 'on paper nothing is folded');
  await shoot(page, 'report-print', true);
  await done(page, 'printing');
}

async function hostile() {
  const wanted = await (async () => {
    const page = await open('shop.html');
    const kinds = await page.evaluate(() => [...new Set([...document.querySelectorAll('*')].map((e) => e.localName))]);
    await page.context().close();
    return new Set(kinds);
  })();
  const names = fs.readdirSync(dir).filter((n) => /^hostile\d+\.html$/.test(n));
  result(names.length === 10, 'there are hostile recordings', names);
  for (const name of names) {
    const page = await open(name);
    const seen = await page.evaluate(() => ({
      kinds: [...new Set([...document.querySelectorAll('*')].map((e) => e.localName))],
      handlers: [...document.querySelectorAll('*')].filter((e) => [...e.attributes].some((a) => /^on/i.test(a.name) || /javascript:/i.test(a.value))).length,
      theirs: !!document.getElementById('theirs'), title: document.title,
      turned: /[\u202a-\u202e\u2066-\u2069\u0007\u001b]/.test(document.body.textContent),
    }));
    is(seen.kinds.filter((k) => !wanted.has(k) || k === 'img').join(), '', name + ': no element that is not ours');
    result(!seen.handlers && !seen.theirs && !seen.turned, name + ': no handler, no id, nothing that turns the text', JSON.stringify(seen));
    like(seen.title, /^hostile\d/, name + ': the title is ours');
    await done(page, name);
  }
  const size = fs.statSync(path.join(dir, 'hostile9.html')).size;
  result(size < 3 << 20, 'texts of 3 MB make no page of more than that', size);
}

async function empty() {
  const page = await open('nothing.html');
  like(await page.textContent('#where ~ *, section:has(#where)'), /no samples/, 'what is missing is said');
  await shoot(page, 'report-nothing', true);
  await done(page, 'an empty recording');
}

// The numbers of the page are those of the document.
async function numbers() {
  const page = await open('shop.html');
  const json = JSON.parse(fs.readFileSync(path.join(dir, 'shop.json'), 'utf8'));
  const rows = await page.$$eval('table.grid', (all) => all.map((t) => t.tBodies[0].rows.length));
  const wanted = json.tables.filter((t) => t.rows && t.rows.length);
  result(wanted.length >= rows.length && rows.length > 5, 'each table of the page is in the document', `${rows.length} of ${wanted.length}`);
  is(await page.$$eval('.findings > li', (all) => all.length), json.jvms[0].findings.filter((f) => ['warning', 'info'].includes(f.severity)).length, 'the findings are as many');
  await done(page, 'numbers');
}

run([reading, referring, zooming, sorting, access, printing, hostile, empty, numbers], () => valid(['shop.html', 'hostile0.html', 'hostile2.html', 'nothing.html']));
