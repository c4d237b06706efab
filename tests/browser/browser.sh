# What tests of pages need: sourced by flame.sh and report.sh, with their arguments JFREC SOURCE_ROOT
# [SHOTS]. Finds node, Chromium and the npm package playwright-core (where NODE_PATH says, or in
# tests/browser/node_modules), or skips the test. Sets $jfrec, $root, and $work, a directory that is
# removed at the end. drive TEST.js runs a test with the pages in $work; with SHOTS, a directory,
# pictures of the pages are kept there. With axe-core, accessibility is checked.

skip()
{
	echo "1..0 # SKIP $*"
	exit 0
}

drive()         # TEST.js
{
	node "$root/tests/browser/$1" "$chromium" "$work" ${shots:+"$(realpath "$shots")"}
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
