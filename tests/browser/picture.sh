#!/bin/sh
# Makes flame.png, the picture in the README: records Shop.java for 90 s, draws it, takes a picture.
#
# usage: picture.sh JFREC [RECORDING]
#
# Needs a JDK (JAVA_HOME or PATH; none with a RECORDING), and what flame.sh needs.

jfrec=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
NODE_PATH=${NODE_PATH:+$NODE_PATH:}$here/node_modules
export NODE_PATH
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
bin=${JAVA_HOME:+$JAVA_HOME/bin/}
recording=${2:-$work/shop.jfr}
[ -n "$2" ] || { "${bin}javac" -d "$work" "$here/Shop.java" &&
	"${bin}java" "-XX:StartFlightRecording:filename=$recording,settings=profile" \
		-XX:FlightRecorderOptions:stackdepth=256 -cp "$work" Shop 90; } || exit
"$jfrec" flame --title Shop --exclude 'jdk.jfr' "$recording" -o "$work/shop.html" || exit
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
node - "$chromium" "$work/shop.html" "$here/flame.png" <<'END'
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
  await browser.close();
})();
END
ls -l "$here/flame.png"
