#!/bin/sh
# `jfrec report`: the page and the document of our own recordings.
#
# usage: report.sh JFREC SOURCE_ROOT

LC_ALL=C
export LC_ALL
jfrec=$(realpath "$1")
data=$(realpath "$2/tests/data")
. "$2/tests/cli/tap.sh"
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
jvm=$data/ok/jvm-25.jfr

says()          # STATUS TEXT ARGUMENT...
{
	status=$1 text=$2
	shift 2
	"$jfrec" report "$@" >said 2>&1
	[ $? -eq "$status" ] && grep -qF -- "$text" said || { cat said; return 1; }
}

cp "$jvm" shop.jfr
works 'a page is named after the recording' says 0 'jfrec: wrote shop.html' shop.jfr
works 'and is there' grep -q '<html' shop.html
works 'but replaces none' says 1 'shop.html: cannot write the output: it exists' shop.jfr
works 'a pipe has no name' sh -c 'cat shop.jfr | "$1" report - && grep -q "<html" report.html' sh "$jfrec"
works 'an unknown format' says 2 "unknown format 'pdf'" --format pdf "$jvm"
works 'a file that is none' says 1 'no-such.jfr' ./no-such.jfr -o a.html
works 'a page that exists stays' sh -c 'echo kept >kept.html; ! "$1" report "$2" -o kept.html &&
	grep -q kept kept.html' - "$jfrec" "$jvm"
works 'a suffix of no format' says 2 'the suffix of page.pdf does not select a format' -o page.pdf "$jvm"
works 'no suffix' says 2 'the suffix of page does not select a format' -o page "$jvm"
works 'the suffix decides' sh -c '"$1" report "$2" -o a.json && head -c 20 a.json | grep -q "{.jfrec" ' - "$jfrec" "$jvm"

same_bytes()
{
	for file in "$data"/ok/*.jfr; do
		"$jfrec" report "$file" -o a.html --force && "$jfrec" report "$file" -o b.html --force &&
			cmp a.html b.html || return 1
	done
	"$jfrec" report "$jvm" "$data/ok/jvm-17.jfr" -o a.html --force --jobs 1 &&
		"$jfrec" report "$jvm" "$data/ok/jvm-17.jfr" -o b.html --force --jobs 4 && cmp a.html b.html
}
works 'the same recording gives the same bytes, with any number of threads' same_bytes

page()
{
	"$jfrec" report "$jvm" -o a.html --force && grep -q "default-src 'none'" a.html &&
		! grep -v 'xmlns=' a.html | grep -qE 'https?://|style="|onclick|<link|<img|<iframe' &&
		[ "$(grep -c '^<h2 id="findings"' a.html)" -eq 1 ]
}
works 'a page knows no other host, and has no style or script but its own' page

in_order()
{
	grep -oE '<h2 id="[a-z]+"' a.html | tr '\n' ' ' >order
	grep -q 'figures.*findings.*timeline.*gc.*where.*memory.*locks.*exceptions.*io.*threads.*events.*environment' order ||
		{ cat order; return 1; }
}
works 'sections are in their order' in_order

nothing_to_draw()
{
	"$jfrec" report "$data/ok/fields-25.jfr" -o b.html --force && grep -q 'has key figures' b.html &&
		! grep -q 'Timeline as a table' b.html && ! grep -q '<li>.*`jfrec' b.html &&
		grep -q '<li>.*<code>jfrec start --settings' b.html
}
works 'a section without data says so, and which command would record it' nothing_to_draw

works 'the policy names the script' python3 "$2/tests/cli/policy.py" script a.html
works 'the policy names the style' python3 "$2/tests/cli/policy.py" style a.html

works 'what is missing has a reason' grep -q 'class="missing"' a.html

damaged()
{
	head -c 200000 "$jvm" >cut.jfr
	"$jfrec" report cut.jfr -o cut.html 2>said
	[ $? -eq 1 ] && grep -q 'damaged in' cut.html && [ "$(grep -c '^jfrec: ' said)" -le 2 ]
}
works 'a damaged recording: the page says so, and each damage is told once' damaged

works 'a recording without anything' sh -c '"$1" report "$2" -o x.html && grep -q "</html>" x.html' - "$jfrec" "$data/ok/made-order.jfr"
works 'to standard output' sh -c '"$1" report "$2" -o - | grep -q "^</html>"' - "$jfrec" "$jvm"
finish
