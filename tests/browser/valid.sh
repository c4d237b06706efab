#!/bin/sh
# All pages are valid HTML: reports and flame graphs of each recording, of damaged ones, of hostile
# ones, of several at once, and the page of a comparison.
#
# usage: valid.sh JFREC SOURCE_ROOT [DIRECTORY|RECORDING...]
#
# Without recordings, those of tests/data/ok are taken. Needs java and the npm package vnu-jar (where
# NODE_PATH says, or in tests/browser/node_modules); no browser.

jfrec=$(realpath "$1")
root=$(realpath "$2")
shift 2
[ $# -gt 0 ] || set -- "$root/tests/data/ok"
NODE_PATH=${NODE_PATH:+$NODE_PATH:}$root/tests/browser/node_modules
export NODE_PATH
. "$root/tests/browser/validator.sh"
[ -n "$VNU" ] || {
	echo '1..0 # SKIP no node, java or vnu-jar; npm install --prefix tests/browser vnu-jar'
	exit 0
}
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
mkdir "$work/pages" "$work/damaged"
. "$root/tests/cli/tap.sh"

# A page is written of what could be read, so the exit code says nothing here.
page()          # NAME COMMAND...
{
	name=$1
	shift
	"$jfrec" "$@" -o "$work/pages/$name.html" >"$work/said" 2>&1 || :
}

# The end is missing; the middle is overwritten.
damage()        # RECORDING NAME
{
	size=$(wc -c <"$1")
	head -c $((size * 3 / 5)) "$1" >"$work/damaged/$2-cut.jfr"
	cp "$1" "$work/damaged/$2-overwritten.jfr"
	printf 'no event %0300d' 7 |
		dd of="$work/damaged/$2-overwritten.jfr" bs=1 seek=$((size / 3)) conv=notrunc 2>/dev/null
}

valid()         # PAGE...
{
	java -Xmx1g -Xss8m -jar "$VNU" --errors-only --filterpattern '.*vector-effect.*' --stdout \
		--format text "$@"
}

refuses()
{
	! valid "$1" >"$work/said" && grep -q 'blink' "$work/said"
}

find "$@" -name '*.jfr' -type f | sort >"$work/recordings"
while read -r recording
do
	name=$(basename "$recording" .jfr | tr -c 'A-Za-z0-9._\n-' _)
	page "$name" report --utc --environment "$recording"
	page "$name-flame" flame "$recording"
	damage "$recording" "$name"
done <"$work/recordings"
for recording in "$work"/damaged/*.jfr
do
	page "$(basename "$recording" .jfr)" report --utc "$recording"
done
python3 "$root/tests/browser/plant_report.py" "$root" "$work" || exit
for recording in "$work"/*.jfr
do
	page "planted-$(basename "$recording" .jfr)" report --utc --environment "$recording"
done
# Several JVMs, and a difference.
page several report --utc "$root/tests/data/ok/jvm-17.jfr" "$root/tests/data/ok/jvm-25.jfr"
page difference diff "$root/tests/data/ok/frames-25.jfr" "$root/tests/data/ok/trace-25.jfr"

sed 's/<main>/<main><blink>/' "$work/pages/several.html" >"$work/wrong.html"
works 'the validator finds what is wrong' refuses "$work/wrong.html"
works 'there are pages' [ "$(ls "$work/pages" | wc -l)" -gt "$(wc -l <"$work/recordings")" ]
works "$(ls "$work/pages" | wc -l) pages are valid HTML" valid "$work"/pages/*.html
echo "1..$tests"
exit $failed
