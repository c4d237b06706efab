// The pages of `jfrec flame` and `jfrec diff` in Chromium, driven as a reader would. flame.sh makes
// them, and finds the browser and the packages.
//
// usage: node flame.js CHROMIUM DIRECTORY [SHOTS]
'use strict';
const { accessible, done, is, like, open: openReady, print, run, shoot } = require('./page.js');

const open = (name, options) => openReady(name, () => document.documentElement.dataset.ready === 'yes', options);

const text = (page, id) => page.textContent('#' + id);

async function searching() {
  const page = await open('shares.html');
  like(await page.title(), /shares/, 'the page has a title');
  like(await text(page, 'what'), /^CPU: 20 s in 1,000 samples$/, 'what the profile weighs');
  await page.fill('#search', '^shop\\.(Hot|Nothing)');
  is(await text(page, 'matches'), '60.00 % matched', 'a regular expression, and the share that it matches');
  await page.keyboard.press('Enter');
  is(await text(page, 'name'), 'shop.Hot.loop', 'Enter goes to the match');
  await page.fill('#search', 'shop.Orders.work|Hot');
  is(await text(page, 'matches'), '100.00 % matched', 'what is in another match is not counted twice');
  await page.fill('#search', 'Hot(');
  is(await text(page, 'matches'), 'nothing matched', 'what is no regular expression is searched as text');
  await page.fill('#search', 'Warm');
  like(await page.evaluate(() => location.href), /q=Warm/, 'the address has the search');
  await shoot(page, 'search');
  await done(page, 'search');
}

// What is hot in a sentence; methods that are left out, and those that are highlighted.
async function sentence() {
  const page = await open('shares.html');
  like(await text(page, 'hot'), /^100\.00 % passes through Orders\.work\. Most often on top: Hot\.loop, 60\.00 %\.$|^60\.00 % passes through Hot\.loop\. Most often on top: Hot\.loop, 60\.00 %\.$/, 'the hot path is named');
  like(await text(page, 'key'), /application/, 'the colour of the application is explained');
  await page.focus('#view');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  await page.click('#remove');
  like(await text(page, 'hot'), /Warm\.step, 100\.00 %\.$/, 'what remains without a method is the new whole');
  is(await text(page, 'restore'), 'Show the removed method', 'it can come back');
  await page.click('#restore');
  like(await text(page, 'hot'), /Hot\.loop, 60\.00 %\.$/, 'and is there again');
  is(await page.$eval('#restore', (e) => e.hidden), true, 'then the button is gone');
  await page.focus('#view');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  await page.click('#highlight');
  is(await text(page, 'matches'), '60.00 % matched', 'a method is highlighted');
  await page.click('#hot button >> nth=-1');
  is(await text(page, 'name'), 'shop.Hot.loop', 'a method of the sentence is a way to its callers and callees');
  await done(page, 'the sentence');
}

async function keys() {
  const page = await open('shares.html');
  await page.focus('#view');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  is(await text(page, 'name'), 'shop.Hot.loop', 'arrow down goes to the heaviest callee');
  await page.keyboard.press('ArrowRight');
  is(await text(page, 'name'), 'shop.Warm.step', 'arrow right goes to its neighbour');
  like(await text(page, 'live'), /shop\.Warm\.step[^]*8 s, 40\.00 %/, 'which is said to who listens');
  await page.keyboard.press('Enter');
  like(await text(page, 'crumbs'), /all.*Main\.main.*Orders\.work.*Warm\.step/, 'Enter zooms in');
  await page.keyboard.press('Backspace');
  is(/Warm/.test(await text(page, 'crumbs')), false, 'Backspace zooms out');
  await page.keyboard.press('Home');
  like(await text(page, 'crumbs'), /^Click/, 'Home zooms out to all');
  await page.keyboard.press('/');
  is(await page.evaluate(() => document.activeElement.id), 'search', 'a slash begins a search');
  await page.focus('#tab0');
  await page.keyboard.press('ArrowRight');
  like(await text(page, 'what'), /^Exceptions: 40 samples/, 'arrows go from tab to tab');
  await done(page, 'keys');
}

async function pointing() {
  const page = await open('shares.html'), canvas = await page.locator('#canvas').boundingBox();
  await page.mouse.move(canvas.x + 200, canvas.y + 70);
  like(await text(page, 'tip'), /shop\.Hot\.loop\nTotal: 12 s, 60\.00 %/, 'what is below the pointer is described');
  await page.mouse.click(canvas.x + 200, canvas.y + 70);
  like(await text(page, 'facts'), /Self12 s, 60\.00 %/, 'a click selects');
  await page.mouse.dblclick(canvas.x + 1000, canvas.y + 70);
  like(await text(page, 'crumbs'), /Warm\.step/, 'a double click zooms in');
  await page.click('#crumbs button >> nth=0');
  await page.click('#up');
  await page.mouse.click(canvas.x + 200, canvas.y + 30);
  is(await text(page, 'name'), 'shop.Hot.loop', 'callers begin with what did the work');
  await page.mouse.click(canvas.x + 200, canvas.y + 50);
  is(await text(page, 'name'), 'shop.Orders.work', 'and then have who called it');
  await page.click('#around');
  like(await text(page, 'facts'), /Total20 s, 100\.00 %/, 'the sandwich of a method has all of it');
  await page.mouse.click(canvas.x + 900, canvas.y + 50);
  is(await text(page, 'name'), 'shop.Warm.step', 'with its callees below');
  await page.mouse.click(canvas.x + 300, canvas.y + 10);
  is(await text(page, 'name'), 'shop.Main.main', 'and its callers above');
  await shoot(page, 'sandwich');
  await page.click('#down');
  await page.click('#flip');
  const high = (await page.locator('#view').boundingBox()).height;
  await page.mouse.click(canvas.x + 200, canvas.y + high - 32);
  is(await text(page, 'name'), 'shop.Main.main', 'the root can be at the bottom');
  await done(page, 'pointer');
}

async function time() {
  const page = await open('shares.html'), strip = await page.locator('#strip').boundingBox();
  const drag = async (a, b) => {
    await page.mouse.move(strip.x + strip.width * a, strip.y + 20);
    await page.mouse.down();
    await page.mouse.move(strip.x + strip.width * (a + b) / 2, strip.y + 20);
    await page.mouse.move(strip.x + strip.width * b, strip.y + 20);
    await page.mouse.up();
  };
  await drag(0.6, 0.9);
  like(await text(page, 'methods'), /shop\.Warm\.step/, 'the table is of the time that is selected');
  is(/shop\.Hot/.test(await text(page, 'methods')), false, 'and has nothing of another time');
  like(await text(page, 'span'), /: [45]\.\d+ s, 2[345]\.\d+ % of all/, 'how much it is');
  await shoot(page, 'brush');
  await page.click('#tab1');
  like(await text(page, 'span'), /: 0 samples/, 'the time stays selected in another profile');
  await page.click('#tab0');
  await page.click('#always');
  like(await text(page, 'methods'), /shop\.Hot\.loop/, 'all of the time is shown again');
  await page.focus('#strip');
  await page.keyboard.press('Home');
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowLeft');
  like(await text(page, 'facts'), /100\.00 %/, 'the keyboard selects a time');
  is(/shop\.Warm/.test(await text(page, 'methods')), false, 'the keyboard moves to the first half');
  like(await page.evaluate(() => location.href), /t=0-\d+/, 'the address has the time');
  await page.keyboard.press('Escape');
  like(await text(page, 'methods'), /shop\.Warm/, 'Escape shows all');
  await page.click('#slices summary');
  // The rows are made once the browser says that the table is open.
  await page.locator('#slices tbody tr').nth(10).waitFor({ state: 'attached', timeout: 5000 }).catch(() => {});
  is(await page.locator('#slices tbody tr').count() > 10, true, 'the same as a table');
  await page.locator('#slices tbody button').last().click();
  is(/shop\.Hot/.test(await text(page, 'methods')), false, 'whose rows select their time');
  await done(page, 'time');
}

// Rectangles of the heat map: what they weigh, and that they add up to all.
async function heat() {
  const page = await open('shares.html');
  is(await page.isVisible('#field'), false, 'the heat map is there when it is asked for');
  await page.click('#warm');
  like(await text(page, 'heat'), /Each column is 1 s, from top to bottom; a cell is 20 ms\./, 'its cells are explained');
  const field = await page.locator('#field').boundingBox();
  const drag = async (a, b) => {
    await page.mouse.move(field.x + a[0] * field.width, field.y + a[1] * field.height);
    await page.mouse.down();
    await page.mouse.move(field.x + b[0] * field.width, field.y + b[1] * field.height, { steps: 3 });
    await page.mouse.up();
    const [, seconds] = /: ([\d.]+) s, [\d.]+ % of all/.exec(await text(page, 'span')) || [];
    return Number(seconds);
  };
  let sum = 0;
  for (const [top, end] of [[0.001, 0.239], [0.241, 0.639], [0.641, 0.999]]) for (const [left, right] of [[0.001, 0.2949], [0.3051, 0.999]]) sum += await drag([left, top], [right, end]);
  is(Math.abs(sum - 20) < 0.2, true, 'rectangles that cover it weigh as much as all of it');
  await drag([0.001, 0.001], [0.3, 0.999]);
  like(await text(page, 'hot'), /Hot\.loop, 100\.00 %\.$/, 'the flame graph is that of the rectangle');
  is(/of each/.test(await text(page, 'span')), false, 'whole columns are a time');
  const half = await drag([0.001, 0.001], [0.3, 0.499]);
  like(await text(page, 'span'), /of each 1 s the time from 0 ms to 500 ms/, 'a part of each column is named');
  const address = await page.evaluate(() => location.hash);
  await page.goto(page.url().replace(/#.*/, '') + address);
  await page.reload();
  await page.waitForFunction(() => document.documentElement.dataset.ready === 'yes');
  like(await text(page, 'span'), new RegExp(`: ${half.toFixed(2).replace(/0$/, '')}0? s, `), 'the address has it');
  await page.click('#warm');
  await page.focus('#field');
  await page.keyboard.press('ArrowDown');
  like(await text(page, 'span'), /from 20 ms to 520 ms/, 'arrows move the selection');
  await page.keyboard.press('Shift+ArrowUp');
  like(await text(page, 'span'), /from 20 ms to 500 ms/, 'with Shift its corner');
  await accessible(page, 'axe finds nothing in a heat map');
  await page.keyboard.press('Escape');
  like(await text(page, 'span'), /peak/, 'Escape shows the whole time');
  await shoot(page, 'heat');
  await done(page, 'the heat map');
}

async function groups() {
  const shares = await open('shares.html');
  is(await shares.isVisible('#group'), false, 'there is no choice of threads without them');
  await done(shares, 'no groups');
  const page = await open('pools.html', { bypassCSP: true });
  like(await text(page, 'group'), /^All threadspool-#-thread-#: 75\.00 %mail: 25\.00 %$/, 'threads of a pool are one group');
  await page.selectOption('#group', { index: 1 });
  like(await text(page, 'span'), /: 6 s, 75\.00 % of all/, 'how much it is');
  is(/shop\.Warm/.test(await text(page, 'methods')), false, 'the table has no other threads');
  await page.focus('#strip');
  await page.keyboard.press('End');
  await page.keyboard.press('End');
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
  like(await text(page, 'span'), /: 0 ms, 0\.00 %/, 'nor has the time');
  await page.selectOption('#group', { index: 2 });
  is(/shop\.Warm/.test(await text(page, 'methods')), true, 'another group of the same time');
  await accessible(page, 'axe finds nothing with groups');
  await shoot(page, 'groups');
  await page.keyboard.press('Escape');
  await page.selectOption('#group', { index: 0 });
  like(await text(page, 'facts'), /8 s, 100\.00 %/, 'and all again');
  await done(page, 'groups');
}

async function table() {
  const page = await open('shares.html'), first = () => page.textContent('#methods tbody tr:first-child');
  like(await first(), /^12 s60\.00 %12 s60\.00 %shop\.Hot\.loop$/, 'the table begins with the most work');
  await page.click('#methods th[data-order=total] button');
  like(await first(), /^0 ms0\.00 %20 s100\.00 %shop/, 'and sorts by the total');
  await page.click('#methods th[data-order=name] button');
  like(await first(), /shop\.Hot\.loop/, 'and by name');
  is(await page.getAttribute('#methods th[data-order=name]', 'aria-sort'), 'ascending', 'which is said to who listens');
  await page.fill('#filter', 'WARM');
  is(await page.locator('#methods tbody tr').count(), 1, 'a filter');
  await page.click('#methods tbody button');
  is(await text(page, 'name'), 'shop.Warm.step', 'a method leads to its callers and callees');
  await done(page, 'table');
}

const shade = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).reduce((a, b) => a + Number(b), 0));

async function looks() {
  for (const scheme of ['light', 'dark']) {
    const page = await open('shares.html', { colorScheme: scheme, bypassCSP: true });
    is(await shade(page) < 200, scheme === 'dark', `${scheme} as the system is`);
    await accessible(page, `axe finds nothing in ${scheme}`);
    await page.click('#theme');
    is(await shade(page) < 200, scheme !== 'dark', `${scheme} can be switched`);
    await done(page, scheme);
  }
  const phone = await open('shares.html', { viewport: { width: 360, height: 700 } });
  is(await phone.evaluate(() => document.documentElement.scrollWidth), 360, 'nothing is wider than a phone');
  await shoot(phone, 'phone');
  await done(phone, 'phone');
  const paper = await open('shares.html');
  is((await print(paper, 'paper')).length > 20000, true, 'it prints');
  await paper.emulateMedia({ media: 'print' });
  is(await paper.isVisible('#screen'), false, 'without what is of the screen');
  is(await paper.locator('section.paper:visible').count(), 2, 'and with every profile');
  await paper.emulateMedia({ media: 'screen' });
  await done(paper, 'print');
  const off = await open('shares.html', { javaScriptEnabled: false });
  await off.emulateMedia({ media: 'screen' });
  is(await off.locator('section.paper:visible').count(), 2, 'tables and pictures are there without scripts');
  await off.context().close();
}

async function hostile() {
  const page = await open('hostile.html');
  is(await page.evaluate(() => document.images.length + document.querySelectorAll('b, canvas ~ script').length), 0, 'names make no elements');
  like(await page.title(), /hostile/, 'names change no title');
  is(/[\u202a-\u202e\u2066-\u2069]/.test(await page.evaluate(() => document.documentElement.outerHTML)), false, 'names turn no text round');
  is(await page.locator('script').count(), 1, 'names make no scripts');
  await page.fill('#filter', 'xxx');
  await page.click('#methods tbody button');
  is((await text(page, 'name')).length, 4099, 'of a name of 100 KB the first 4,096 bytes');
  await page.fill('#search', '<img');
  is(await text(page, 'matches'), '10.00 % matched', 'markup is found as text');
  await page.setViewportSize({ width: 360, height: 700 });
  is(await page.evaluate(() => document.documentElement.scrollWidth), 360, 'long names make nothing wider');
  await shoot(page, 'hostile');
  await done(page, 'hostile names');
}

async function deep() {
  const page = await open('deep.html');
  is(await page.evaluate(() => document.getElementById('canvas').height < 2000), true, 'deep stacks make no large canvas');
  await page.evaluate(() => { const v = document.getElementById('view'); v.scrollTop = v.scrollHeight; });
  await page.waitForTimeout(100);
  const box = await page.locator('#view').boundingBox();
  await page.mouse.click(box.x + 300, box.y + box.height - 12);
  is(await text(page, 'name'), 'deep.C0.m', 'they scroll to their end');
  await page.keyboard.press('Enter');
  like(await text(page, 'crumbs'), /all.\s*\u2026.*C1\.m.*C0\.m/, 'and their path is abridged');
  await shoot(page, 'deep');
  await done(page, 'deep stacks');
}

async function difference() {
  const page = await open('diff.html');
  is(await page.isVisible('#time'), false, 'a difference has no times');
  await page.fill('#search', 'Hot');
  await page.keyboard.press('Enter');
  like(await text(page, 'facts'), /Before.*88\.24 %.*Change/, 'a frame has its change');
  like(await page.textContent('#methods tbody tr:first-child'), /^[0-9.]+ %[0-9.]+ %[0-9.]+ %[0-9.]+ %shop/, 'the table has both sides');
  like(await text(page, 'key'), /gone/, 'the colours are explained');
  await page.fill('#search', '');
  like(await text(page, 'halves'), /^Before: 13\.6 sAfter: 12\.8 s$/, 'both recordings, side by side');
  const canvas = await page.locator('#canvas').boundingBox(), right = canvas.x + canvas.width / 2 + 20;
  await page.mouse.click(canvas.x + canvas.width / 2 - 40, canvas.y + 70);
  is(await text(page, 'name'), 'shop.Warm.step', 'what was 12 % is at the right of the left graph');
  like(await text(page, 'facts'), /Before1\.6 s, 11\.76 %/, 'with what it was');
  await page.mouse.click(right + 100, canvas.y + 70);
  is(await text(page, 'name'), 'shop.Hot.loop', 'the right graph has shares of its own');
  await page.mouse.click(right + 100, canvas.y + 70);
  await page.mouse.click(canvas.x + canvas.width / 2 - 40, canvas.y + 70);
  is(await text(page, 'name'), 'shop.Hot.loop', 'and a zoom is of both');
  await page.focus('#view');
  await page.keyboard.press('Home');
  await shoot(page, 'diff');
  await page.click('#beside');
  is(await page.isVisible('#halves'), false, 'or one graph of both');
  await page.click('#up');
  await page.mouse.click(canvas.x + 100, canvas.y + 30);
  like(await text(page, 'facts'), /Before.*88\.24 %Change/, 'callers have what was before, too');
  await done(page, 'difference');
}

async function vanished() {
  for (const scheme of ['light', 'dark']) {
    const page = await open('gone.html', { colorScheme: scheme, bypassCSP: true });
    const canvas = await page.locator('#canvas').boundingBox();
    await page.mouse.click(canvas.x + 100, canvas.y + 70);
    is(await text(page, 'name'), 'shop.Hot.loop', 'what vanished is in the left graph');
    like(await text(page, 'facts'), /Change of the sharegone/, 'as gone');
    await page.mouse.click(canvas.x + canvas.width - 100, canvas.y + 70);
    like(await text(page, 'facts'), /shop\.Warm|Change of the sharenew/, 'what is new is in the right one');
    await page.mouse.click(canvas.x + canvas.width - 100, canvas.y + 70);
    like(await text(page, 'crumbs'), /Warm\.step/, 'and can be zoomed to, though the left one lacks it');
    await page.mouse.click(canvas.x + 100, canvas.y + 70);
    like(await text(page, 'crumbs'), /Warm\.step/, 'where nothing is drawn then');
    await accessible(page, `axe finds nothing in a difference in ${scheme}`);
    await shoot(page, 'gone-' + scheme);
    await done(page, 'vanished ' + scheme);
  }
  const phone = await open('gone.html', { viewport: { width: 360, height: 700 } });
  is(await phone.evaluate(() => document.documentElement.scrollWidth), 360, 'a difference is no wider than a phone');
  await shoot(phone, 'gone-phone');
  await done(phone, 'vanished on a phone');
}

run([searching, sentence, keys, pointing, time, heat, groups, table, looks, hostile, deep, difference, vanished]);
