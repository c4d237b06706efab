#!/bin/sh
# The page of `jfrec report` in Chromium.
#
# usage: report.sh JFREC SOURCE_ROOT [SHOTS]
#
# Needs what flame.sh needs, and java for the npm package vnu-jar, if it is there: it checks that the
# page is valid HTML. With SHOTS, a directory, pictures of the pages are kept there.

skip()
{
	echo "1..0 # SKIP $*"
	exit 0
}

jfrec=$(realpath "$1")
root=$(realpath "$2")
shots=$3
NODE_PATH=${NODE_PATH:+$NODE_PATH:}$root/tests/browser/node_modules
export NODE_PATH
command -v node >/dev/null || skip 'there is no node'
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
	skip 'there is no Chromium'
node -e 'require("playwright-core")' 2>/dev/null ||
	skip 'there is no playwright-core; npm install --prefix tests/browser playwright-core axe-core vnu-jar'

work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
python3 "$root/tests/browser/plant_report.py" "$root" "$work" || exit
for recording in "$work"/*.jfr
do
	"$jfrec" report --utc --environment --title "$(basename "$recording" .jfr)" "$recording" \
		-o "${recording%.jfr}.html" || exit
done
"$jfrec" report --utc "$work/shop.jfr" -o "$work/plain.html" || exit
"$jfrec" report --utc --json "$work/shop.jfr" >"$work/shop.json" || exit
vnu=$(node -e 'console.log(String(require("vnu-jar")))' 2>/dev/null)
command -v java >/dev/null || vnu=
VNU=$vnu node "$root/tests/browser/report.js" "$chromium" "$work" ${shots:+"$(realpath "$shots")"}
