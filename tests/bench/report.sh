#!/bin/sh
# What a report costs: CPU, wall time and memory of 12 MB and of 80 MB, the size of the page, and how
# soon it opens (CPU time of the page's thread, so that other work makes no difference).
#
# usage: report.sh JFREC MEASURE STACKS RECORDING...
#
# MEASURE and STACKS are what meson builds of measure.c and stacks.c. Opening needs what
# tests/browser/flame.sh needs. Last comes a day: 11 MB of values of each second, of a shop, and
# 800 MB of samples of 5 threads and 20,000 stacks, on one page.

jfrec=$(realpath "$1")
measure=$(realpath "$2")
stacks=$(realpath "$3")
shift 3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
NODE_PATH=${NODE_PATH:+$NODE_PATH:}$here/../browser/node_modules
export NODE_PATH

row()           # NAME COMMAND...
{
	name=$1
	shift
	"$measure" -n 3 -- "$@" | awk -v name="$name" -F '\t' '{
		printf "  %-10s %6.3f s CPU %6.3f s wall %5.0f MB, exit %d\n", name, $2, $1, $3 / 1024, $4
	}'
}

opens()         # PAGE
{
	node - "$(command -v chromium)" "$1" <<'END'
const { chromium } = require('playwright-core');
(async () => {
  const browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto('file://' + process.argv[3]);
  await page.waitForFunction(() => document.documentElement.dataset.report === 'ready', null, { timeout: 120000 });
  const used = (await session.send('Performance.getMetrics')).metrics.find((m) => m.name === 'TaskDuration').value;
  console.log(`  opens with ${Math.round(1000 * used)} ms of its thread's CPU`);
  await browser.close();
})();
END
}

page()          # RECORDING...
{
	row page "$jfrec" report --jobs 1 "$@" -o "$work/a.html" --force
	echo "  page of $(wc -c <"$work/a.html") bytes"
	! node -e 'require("playwright-core")' 2>/dev/null || opens "$work/a.html"
}

for recording
do
	echo "$(basename "$recording"), $(wc -c <"$recording") bytes:"
	page "$recording"
	row JSON "$jfrec" report --jobs 1 "$recording" -o "$work/a.json" --force
	row Markdown "$jfrec" report --jobs 1 "$recording" -o "$work/a.md" --force
done

echo "a day:"
python3 "$here/../browser/plant_report.py" "$here/../.." "$work" 86400 &&
	"$stacks" "$work/samples.jfr" 24 5 20000 40 3 || exit
page "$work/shop.jfr" "$work/samples.jfr"
