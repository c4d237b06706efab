#!/bin/sh
# Makes flame.png and report.png, the pictures in the README: records Shop.java for 90 s and draws it,
# records Leak.java, one of the troubles, for 20 s and reports on it; takes a picture of each page.
#
# usage: picture.sh JFREC [SHOP LEAK]
#
# Needs a JDK (JAVA_HOME or PATH; none with two recordings), and what flame.sh needs.

jfrec=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
NODE_PATH=${NODE_PATH:+$NODE_PATH:}$here/node_modules
export NODE_PATH
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
bin=${JAVA_HOME:+$JAVA_HOME/bin/}
recording=${2:-$work/shop.jfr}
leak=${3:-$work/leak.jfr}
[ -n "$2" ] || { "${bin}javac" -d "$work" "$here/Shop.java" &&
	"${bin}java" "-XX:StartFlightRecording:filename=$recording,settings=profile" \
		-XX:FlightRecorderOptions:stackdepth=256 -cp "$work" Shop 90; } || exit
[ -n "$3" ] || { "${bin}javac" -d "$work" "$here/../live/troubles/Leak.java" &&
	"${bin}java" "-XX:StartFlightRecording:filename=$leak,settings=profile" -Xmx64m -cp "$work" \
		Leak 20; } || exit
"$jfrec" flame --title Shop --exclude 'jdk.jfr' "$recording" -o "$work/shop.html" || exit
"$jfrec" report --title Leak "$leak" -o "$work/report.html" || exit
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
node - "$chromium" "$work/shop.html" "$here/flame.png" "$work/report.html" "$here/report.png" <<'END'
const { chromium } = require('playwright-core');
(async () => {
  const browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage({ viewport: { width: 1200, height: 680 }, timezoneId: 'UTC' });
  await page.goto('file://' + process.argv[3]);
  await page.waitForFunction(() => document.documentElement.dataset.ready === 'yes');
  await page.fill('#search', 'Pages.render$');
  await page.keyboard.press('Enter');
  await page.fill('#search', '');
  await page.waitForTimeout(500);
  await page.evaluate(() => document.activeElement.blur());
  await page.screenshot({ path: process.argv[4] });
  const report = await browser.newPage({ viewport: { width: 1300, height: 1480 }, deviceScaleFactor: 0.8, timezoneId: 'UTC' });
  await report.goto('file://' + process.argv[5]);
  await report.waitForFunction(() => document.documentElement.dataset.report === 'ready');
  // From the findings to the timeline, and what it says at one moment.
  await report.evaluate(() => scrollTo(0, document.getElementById('findings').offsetTop - 12));
  const chart = await report.locator('svg.chart').first().boundingBox();
  await report.mouse.move(chart.x + chart.width * 0.6, chart.y + 10);
  await report.waitForTimeout(300);
  await report.screenshot({ path: process.argv[6] });
  await browser.close();
})();
END
ls -l "$here/flame.png" "$here/report.png"
