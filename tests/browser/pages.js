// All pages in a directory: valid, accessible, silent, and not wider than the window. pages.sh makes
// them.
//
// usage: [VNU=JAR] node pages.js CHROMIUM DIRECTORY [SHOTS]
'use strict';
const fs = require('fs');
const { accessible, dir, done, is, open, overlaps, print, result, run, shoot, valid } = require('./page.js');

const pages = fs.readdirSync(dir).filter((n) => n.endsWith('.html')).sort();
const isReady = () => document.documentElement.dataset.report === 'ready';
const LOOKS = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['phone', { viewport: { width: 360, height: 740 }, colorScheme: 'light' }],
  ['wide', { viewport: { width: 3840, height: 2160 }, colorScheme: 'light' }],
];

async function look(name, [how, options]) {
  const page = await open(name, isReady, options), id = name.replace(/\.html$/, '');
  is(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, `${name}, ${how}: nothing is wider than the window`);
  is(await page.evaluate(overlaps), '', `${name}, ${how}: no text lies over another`);
  await shoot(page, `${id}-${how}`, how !== 'wide');
  // The colours of a wide page are those of a narrow one.
  if (how !== 'wide') {
    await page.$$eval('details', (all) => all.forEach((d) => { d.open = true; }));
    await accessible(page, `${name}, ${how}: axe finds nothing`);
  }
  if (how === 'light') result((await print(page, id)).length > 5000, `${name}: it can be printed`, 'the PDF is empty');
  await done(page, `${name}, ${how}`);
}

async function all() {
  result(pages.length > 0, 'there are pages', dir);
  for (const name of pages)
    for (const one of LOOKS) {
      try { await look(name, one); } catch (e) { result(false, `${name}, ${one[0]}`, e.stack); }
    }
}

run([all], () => valid(pages));
