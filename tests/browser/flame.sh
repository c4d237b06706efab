#!/bin/sh
# The pages of `jfrec flame` and `jfrec diff` in Chromium.
#
# usage: flame.sh JFREC SOURCE_ROOT [SHOTS]
#
# Needs node, Chromium and the npm package playwright-core, looked for where NODE_PATH says, or in
# tests/browser/node_modules; with axe-core, too, accessibility is checked. With SHOTS, a directory,
# pictures of the pages are kept there.

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
	skip 'there is no playwright-core; npm install --prefix tests/browser playwright-core axe-core'

work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
python3 "$root/tests/browser/plant_stacks.py" "$root" "$work" || exit
for name in shares hostile deep
do
	"$jfrec" flame "$work/$name.jfr" -o "$work/$name.html" || exit
done
day=2023-11-14T22
"$jfrec" diff --before $day:15:00Z..$day:16:00Z --after $day:15:30Z..$day:17:00Z \
	"$work/shares.jfr" -o "$work/diff.html" >/dev/null || exit
node "$root/tests/browser/flame.js" "$chromium" "$work" ${shots:+"$(realpath "$shots")"}
