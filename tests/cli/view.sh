#!/bin/sh
# view: its operands, formats and failures, as jfrec and by the name of the JDK's tool. What the
# tables look like is in golden.sh.
#
# usage: view.sh JFREC SOURCE_ROOT

jfrec=$1
ok=$2/tests/data/ok
. "$2/tests/cli/tap.sh"

dir=$(mktemp -d) || exit
trap 'rm -rf "$dir"' EXIT
TZ=UTC
export TZ
case $jfrec in
/*)	ln -s "$jfrec" "$dir/jfr" ;;
*)	ln -s "$PWD/$jfrec" "$dir/jfr" ;;
esac
some=$ok/jvm-25.jfr

ends()          # NAME STATUS STDERR_HAS COMMAND...
{
	name=$1 status=$2 text=$3
	shift 3
	"$@" >"$dir/out" 2>"$dir/err"
	got=$?
	works "$name: exit status $status" [ "$got" -eq "$status" ]
	works "$name: $text" grep -qF -e "$text" "$dir/err"
}

prints()        # NAME TEXT COMMAND...
{
	name=$1 text=$2
	shift 2
	"$@" >"$dir/out" 2>"$dir/err"
	works "$name" grep -qF -e "$text" "$dir/out"
}

# What the JDK prints of the last millisecond that there is, and of an unsigned byte

if [ -e /usr/share/zoneinfo/America/New_York ]; then
	prints 'summer after millions of years' ' 03:12:55 ' env TZ=America/New_York \
		"$jfrec" view --width 300 all-events "$ok/fields-25.jfr"
else
	result ok 'summer after millions of years # SKIP no tzdata'
fi
prints 'an unsigned byte of milliseconds' ' 1 m 6 s ' "$jfrec" view --width 300 Of_byte "$ok/made-values.jfr"

# Operands

prints 'views are listed without a recording' ' hot-methods ' "$jfrec" view views
prints 'our own views have a heading' 'Views that only jfrec has:' "$jfrec" view views
prints 'our own views' ' lock-wait-by-class ' "$jfrec" view views
prints 'views have titles' '  gc-pauses                       GC Pauses' "$jfrec" view views
works 'the list has all views, in order' sh -c "
	'$jfrec' view views --csv | sed -n 's/,.*,/ /; s/\r//; 2,\$p' | sort >'$dir/want' &&
	'$jfrec' view views | awk '/^Java/ { c = \"jvm\" } /^Env/ { c = \"environment\" } /^App/ { c = \"application\" }
		/^Views/ { c = \"jfrec\" } /^  / { print \$1, c }' | sort | diff '$dir/want' -"
prints 'a lock that threads waited for' 'java.lang.Object,2,' \
	"$jfrec" view --csv lock-wait-by-class "$some"
"$jfrec" view --csv lock-wait-by-class "$some" | sed -n '2s/.*,\(0\.96[0-9]*\),.*/\1/p' >"$dir/out"
works 'its share of all waiting' test -s "$dir/out"
prints 'garbage collections in each minute' 'Of the Time' \
	"$jfrec" view gc-pauses-over-time "$some"
for view in $(sed -n 's/^\[\(.*\)\]$/\1/p' "$2/settings/views/jfrec.views"); do
	works "view $view" sh -c "'$jfrec' view $view '$some' >/dev/null"
	works "the page names $view" grep -qF "_${view}_" "$2/man/jfrec-view.1.scd"
done
ends 'our own views are none of the JDK' 1 'Could not find a view' \
	"$dir/jfr" view lock-wait-by-class "$some"
prints 'without a view: those with rows' 'gc-pauses' "$jfrec" view "$some"
works 'without a view: none that is empty' sh -c "! grep -q 'pinned-threads' '$dir/out'"
prints 'a view in any case' 'Garbage Collections' "$jfrec" view GC "$some"
prints 'an event type' 'Allocation' "$jfrec" view ObjectAllocationSample "$some"
prints 'a query after a type' 'CPU Load' "$jfrec" view 'CPULoad ORDER BY startTime LIMIT 1' "$some"
prints 'a type that is missing' 'Missing event found for gc' "$jfrec" view gc "$ok/made-names.jfr"
prints 'no events' "No events found for 'Pinned Virtual Threads'." \
	"$jfrec" view pinned-threads "$some"
ends 'an unknown view' 1 'Could not find a view or an event type named nope' \
	"$jfrec" view nope "$some"
ends 'a query' 1 'jfrec query QUERY RECORDING' \
	"$jfrec" view 'select startTime from CPULoad' "$some"
ends 'a view with a typo' 1 'Did you mean hot-methods?' \
	"$jfrec" view hotmethods "$some"
ends 'an unknown column' 2 '--sort takes one of the columns: ' \
	"$jfrec" view --sort nope gc "$some"
ends 'two formats' 2 'only one format' "$jfrec" view --json --csv gc "$some"
ends 'of two views that begin so, the shorter' 1 'Did you mean gc-pauses?' "$jfrec" view gc-pause "$some"

# Which operand is the view

"$jfrec" view gc-pauses "$some" >"$dir/want"
"$jfrec" view CPULoad "$some" "$ok/jvm-17.jfr" >"$dir/want_types"
works 'the recording first' sh -c "'$jfrec' view '$some' gc-pauses | diff '$dir/want' -"
works 'recordings first, an event type last' sh -c "
	'$jfrec' view '$some' '$ok/jvm-17.jfr' CPULoad | diff '$dir/want_types' -"
works 'a recording that is called like a view' sh -c "
	cp '$some' '$dir/gc'; jfrec=\$(realpath '$jfrec'); cd '$dir' &&
	\$jfrec view gc-pauses gc | diff '$dir/want' - &&
	\$jfrec view gc gc-pauses | diff '$dir/want' -"
ends 'recordings without a view' 1 'The view is missing' "$jfrec" view "$some" "$ok/jvm-17.jfr"
ends 'a JVM first' 3 'no JVM matches no-such-jvm' "$jfrec" view no-such-jvm gc
ends 'a query after the recording' 1 'jfrec query QUERY RECORDING' \
	"$jfrec" view "$some" 'select startTime from CPULoad'

# Lists, for programs

lists()         # NAME CONDITION ARGUMENT...: of d, the document, and its lines
{
	name=$1 condition=$2
	shift 2
	works "$name" sh -c '"$@" | python3 -c "
import csv, json, sys
text = sys.stdin.read()
lines = text.splitlines()
d = json.loads(text) if text.startswith(\"{\\n\") else None
assert ($0), text[:300]"' "$condition" "$jfrec" view "$@"
}

lists 'views as JSON' "d['schema'] == 'views' and {'name': 'gc-pauses', 'title': 'GC Pauses',
	'category': 'jvm'} in d['views']" views --json
lists 'views as NDJSON' "'gc-pauses' in [json.loads(x)['name'] for x in lines]" views --ndjson
lists 'views as CSV' "lines[0] == 'name,title,category' and len(list(csv.reader(lines))) > 90" views --csv
lists 'what there is to show as JSON' "d['schema'] == 'views' and
	{'name': 'gc', 'title': 'Garbage Collections', 'rows': 3} in d['views']" --json "$some"
lists 'types as JSON' "d['schema'] == 'types' and {'name': 'jdk.GCPhasePause', 'events': 18} in d['types']" \
	types --json "$some"
lists 'types as CSV' "'jdk.GCPhasePause,18' in lines" types --csv "$some"
ends 'a wrong part' 2 '--truncate' "$jfrec" view --truncate middle gc "$some"

# Views of one's own

cat >"$dir/my.views" <<'END'
# Two questions.
[monitors]
label = My Monitors
table =
	SELECT monitorClass AS C, COUNT(*) AS N
# in between
	FROM JavaMonitorEnter
	GROUP BY C
	ORDER BY N DESC

[how-many]
label = How Many
form = SELECT COUNT(*) FROM JavaMonitorEnter
END
prints 'own views have a heading' 'Your own views:' "$jfrec" view --views "$dir/my.views" views
printf ' how-many How Many\n monitors My Monitors\n' >"$dir/mine"
works 'it is the last' sh -c "tail -n 2 '$dir/out' | tr -s ' ' | diff - '$dir/mine'"
prints 'an own view' 'My Monitors' "$jfrec" view --views "$dir/my.views" monitors "$some"
prints 'an own form' 'Count: 3' "$jfrec" view --views "$dir/my.views" how-many "$some"
prints 'own views that have rows' ' monitors ' "$jfrec" view --views "$dir/my.views" "$some"
works 'no heading without them' sh -c "! '$jfrec' view views | grep -q 'Your own'"
works 'all-views leaves them out' sh -c "! '$jfrec' view --views '$dir/my.views' all-views '$some' | grep -q 'My Monitors'"
mkdir -p "$dir/config/jfrec"
cp "$dir/my.views" "$dir/config/jfrec/"
echo 'views: my.views' >"$dir/config/jfrec/config.yaml"
prints 'those of the configuration' 'My Monitors' env XDG_CONFIG_HOME="$dir/config" "$jfrec" view monitors "$some"
works '--no-config: not those' sh -c "! XDG_CONFIG_HOME='$dir/config' '$jfrec' --no-config view monitors '$some' 2>/dev/null"
works 'not by the name of the JDK' sh -c "! XDG_CONFIG_HOME='$dir/config' '$dir/jfr' view monitors '$some' 2>/dev/null"
if [ "$(id -u)" -eq 0 ]; then
	chown -R 65534 "$dir/config"
	works "root: not those of another user's configuration" \
		sh -c "! XDG_CONFIG_HOME='$dir/config' '$jfrec' view monitors '$some' 2>/dev/null"
fi

# The file, the line, and a mark under the place.
refuses()       # NAME EXPECTED TEXT
{
	printf '%b' "$3" >"$dir/bad.views"
	"$jfrec" view --views "$dir/bad.views" views >"$dir/out" 2>"$dir/err"
	status=$?
	printf 'jfrec view: %s:%b\n' "$dir/bad.views" "$2" >"$dir/want"
	works "$1" diff "$dir/want" "$dir/err"
	works "$1: exit status 2" [ "$status" -eq 2 ]
}

refuses 'a mistake in a query' "5: Unexpected token 'BANANA' found\n   GROUP BY C BANANA\n              ^" \
	'[a]\nlabel = A\ntable = SELECT monitorClass AS C\n\tFROM JavaMonitorEnter\n\tGROUP BY C BANANA\n'
refuses 'the same behind a comment' '6: Expected an integer after LIMIT\n   LIMIT x\n         ^' \
	'[a]\nlabel = A\ntable = SELECT *   \n\tFROM CPULoad\n# why not\n\tLIMIT x\n[b]\n'
refuses 'no label' '1: this view has no label\n  [a]\n  ^' '[a]\ntable = SELECT * FROM CPULoad\n'
refuses 'no query' '2: this view has neither table nor form\n  [a]\n  ^' '\n[a]\nlabel = A\n'
refuses 'a name that is taken' '1: there is a view of this name already\n  [GC]\n  ^' '[GC]\n'
refuses 'a name that means something else' '1: there is a view of this name already\n  [types]\n  ^' '[types]\n'
refuses 'a name for shells' "1: a name is of letters, digits, '-', '_' and '.'\n  [\$(x)]\n  ^" '[$(x)]\n'
refuses 'an unknown key' '2: a view has label, category, and table or form\n  lable = A\n  ^' '[a]\nlable = A\n'
ends 'no such file' 1 'none.views: No such file' "$jfrec" view --views "$dir/none.views" views

# Which events, and which rows

"$jfrec" view --json events-by-count "$some" >"$dir/all.json"
"$jfrec" view --json --where 'event = "jdk.GCPhasePause"' events-by-count "$some" >"$dir/few.json"
works 'JSON is JSON' python3 -m json.tool "$dir/all.json"
works '--where: only these events count' \
	[ "$(grep -c '^        \[' "$dir/few.json")" -eq 1 ]
"$jfrec" view --csv --limit 3 --sort count:asc events-by-count "$some" >"$dir/few.csv"
works '--limit: so many rows, and the headers' [ "$(wc -l <"$dir/few.csv")" -eq 4 ]
works '--sort COLUMN:asc' sh -c "tail -n +2 '$dir/few.csv' | tr -d '\r' | cut -d, -f2 | sort -nc"
"$jfrec" view --ndjson hot-methods "$some" >"$dir/lines"
works 'NDJSON is a document on each line' python3 -c '
import json, sys
for line in open(sys.argv[1]):
    assert json.loads(line)["view"] == "hot-methods"' "$dir/lines"
"$jfrec" view --tz Asia/Tokyo gc "$some" >"$dir/there"
"$jfrec" view gc "$some" >"$dir/here"
works '--tz: times in that zone' sh -c "! cmp -s '$dir/here' '$dir/there'"
"$jfrec" view gc - <"$some" >"$dir/piped"
"$jfrec" view gc "$some" >"$dir/file"
works 'a pipe has the same' cmp "$dir/file" "$dir/piped"
"$jfrec" view all-views "$some" >"$dir/all"
"$jfrec" view hot-methods "$some" >"$dir/one"
works 'all views have what one has' sh -c "grep -qF -f '$dir/one' '$dir/all'"
for view in all-views all-events types; do
	for bad in "$2"/tests/data/bad/*.jfr; do
		"$jfrec" view $view "$bad" >"$dir/out" 2>"$dir/err"
		[ $? -le 1 ] || result not-ok "$view of ${bad##*/}"
	done
	result ok "$view of damaged recordings ends well"
done

# By the name of the JDK's tool

jfr=$dir/jfr
ends 'jfr: nothing' 2 'missing file' "$jfr" view
ends 'jfr: only a file' 2 'must specify a view or event type' "$jfr" view "$some"
ends 'jfr: no file' 1 'could not open file' "$jfr" view gc
ends 'jfr: an unknown option' 2 'unknown option --bogus' "$jfr" view --bogus gc "$some"
ends 'jfr: a word too many' 2 'unknown option gc' "$jfr" view gc extra "$some"
ends 'jfr: an option too late' 2 'unknown option gc' "$jfr" view gc --verbose "$some"
ends 'jfr: only options' 2 'must specify option <view>' "$jfr" view --verbose "$some"
ends 'jfr: a missing value' 2 'missing value for --width' "$jfr" view --width "$some"
ends 'jfr: no number' 2 'could not parse integer value abc' "$jfr" view --width abc gc "$some"
ends 'jfr: a wrong mode' 2 "truncate must be 'beginning' or 'end'" \
	"$jfr" view --truncate middle gc "$some"
ends 'jfr: an unknown view' 1 'jfr view: Could not find a view or an event type named nope' \
	"$jfr" view nope "$some"
prints 'jfr: too narrow' 'Too many columns to fit width.' "$jfr" view --width -5 gc "$some"
prints 'jfr help view' ' gc-allocation-trigger ' "$jfr" help view
"$jfr" view --cell-height 0 --width 0 --verbose --verbose GC "$some" >"$dir/out"
works 'jfr: options in any order, and 0 as none' grep -q '^Execution: query-validation=' "$dir/out"
finish
