#!/bin/sh
# What the pages of flame graphs cost: bytes for each sample of a day, and how soon a page with a
# million nodes opens and answers.
#
# usage: page.sh JFREC STACKS [DIRECTORY]
#
# STACKS is what meson builds of stacks.c. The page needs what tests/browser/flame.sh needs; its times
# are CPU time of the page's thread, so that other work on the machine makes no difference.

jfrec=$(realpath "$1")
stacks=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
work=${3:-$(mktemp -d)}
NODE_PATH=${NODE_PATH:+$NODE_PATH:}$here/../browser/node_modules
export NODE_PATH

size()
{
	wc -c <"$work/$1"
}

# A day, 20 ms, 5 threads, 20,000 distinct stacks: as in real programs, and all equally often.
for skew in 3 1
do
	"$stacks" "$work/day.jfr" 24 5 20000 40 $skew || exit
	"$jfrec" flame "$work/day.jfr" -o "$work/day.html" --force || exit
	"$jfrec" flame --no-time "$work/day.jfr" -o "$work/without.html" --force || exit
	echo "skew $skew: $(size day.html) bytes, without times $(size without.html): $(
		echo "$(size day.html) $(size without.html)" | awk '{ printf "%.3f", ($1 - $2) / (24 * 3600 * 50 * 5) }'
	) bytes a sample"
done

"$stacks" "$work/nodes.jfr" 0.6 5 190000 60 1 || exit
"$jfrec" flame "$work/nodes.jfr" -o "$work/nodes.html" --force || exit
echo "1,000,000 nodes: $(size nodes.html) bytes"
node - "$(command -v chromium)" "$work/nodes.html" <<'END'
const { chromium } = require('playwright-core');
(async () => {
  const browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const cpu = async () => 1000 * (await session.send('Performance.getMetrics')).metrics.find((m) => m.name === 'TaskDuration').value;
  const step = async (name, act) => {
    const before = await cpu();
    await act();
    await page.waitForTimeout(100);
    console.log(`${name}: ${Math.round(await cpu() - before)} ms`);
  };
  await step('open', async () => {
    await page.goto('file://' + process.argv[3]);
    await page.waitForFunction(() => document.documentElement.dataset.ready === 'yes', null, { timeout: 120000 });
  });
  await page.focus('#view');
  for (let i = 0; i < 5; i++) await step('zoom', async () => { await page.keyboard.press('ArrowDown'); await page.keyboard.press('Enter'); });
  await step('zoom out', () => page.keyboard.press('Home'));
  await step('search', () => page.fill('#search', 'handle12'));
  await step('callers', () => page.click('#up'));
  await page.focus('#strip');
  await step('brush', () => page.keyboard.press('ArrowRight'));
  await browser.close();
})();
END
