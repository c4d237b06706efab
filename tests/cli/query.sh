#!/bin/sh
# query: questions that the user writes, what is wrong with them, and a JVM as operand.
#
# usage: query.sh JFREC SOURCE_ROOT

jfrec=$1
ok=$2/tests/data/ok
. "$2/tests/cli/tap.sh"

dir=$(mktemp -d) || exit
trap 'rm -rf "$dir"' EXIT
TZ=UTC
export TZ
some=$ok/jvm-25.jfr

# Nothing but these lines on standard error, and this status.
says()          # STATUS LINES ARGUMENT...
{
	want=$1
	printf '%s\n' "$2" >"$dir/want"
	shift 2
	"$jfrec" "$@" >"$dir/out" 2>"$dir/err"
	got=$?
	diff "$dir/want" "$dir/err" && [ "$got" -eq "$want" ] && [ ! -s "$dir/out" ]
}

mentions()      # STATUS TEXT ARGUMENT...
{
	want=$1 text=$2
	shift 2
	"$jfrec" "$@" >"$dir/out" 2>"$dir/err"
	got=$?
	grep -qF -e "$text" "$dir/err" || { cat "$dir/err"; return 1; }
	[ "$got" -eq "$want" ]
}

# Answers

"$jfrec" view --csv 'GCPhasePause ORDER BY duration DESC LIMIT 2' "$some" >"$dir/view"
works 'the same as a query behind a type' sh -c "
	'$jfrec' query --csv 'SELECT * FROM GCPhasePause ORDER BY duration DESC LIMIT 2' '$some' |
		diff '$dir/view' -"
"$jfrec" print --count --events GCPhasePause "$some" >"$dir/count"
"$jfrec" query --csv 'select count(*) from GCPhasePause' "$some" >"$dir/csv"
works 'COUNT(*) counts what print does' sh -c "
	[ \"\$(tail -n 1 '$dir/csv' | tr -d '\r')\" = \"\$(tr -dc '0-9\n' <'$dir/count' | head -n 1)\" ]"
"$jfrec" query --json 'SELECT name, MAX(duration) AS most FROM GCPhasePause GROUP BY name' \
	"$some" >"$dir/json"
works '--json: columns with units' python3 -c '
import json, sys
table = json.load(open(sys.argv[1]))["views"][0]
assert table["columns"][1]["unit"] == "ns" and table["columns"][1]["aggregator"], table
assert table["rows"], table' "$dir/json"
"$jfrec" query --ndjson --limit 2 'SELECT * FROM GCPhasePause' "$some" >"$dir/lines"
works '--ndjson, --limit: an object for each row' python3 -c '
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
assert len(rows) == 2 and "view" not in rows[0], rows' "$dir/lines"
"$jfrec" query --csv --sort most:asc \
	'SELECT name, SUM(duration) AS most FROM GCPhasePause GROUP BY name' "$some" >"$dir/csv"
works '--sort by an alias' sh -c "tail -n +2 '$dir/csv' | tr -d '\r' | cut -d, -f2 | sort -nc"
works '--where: none' sh -c "
	'$jfrec' query --where 'duration > 1h' 'SELECT * FROM GCPhasePause' '$some' | grep -q 'No events'"
"$jfrec" query 'SELECT startTime FROM GCPhasePause' "$some" >"$dir/here"
"$jfrec" query --tz Asia/Tokyo 'SELECT startTime FROM GCPhasePause' "$some" >"$dir/there"
works '--tz: times in that zone' sh -c "! cmp -s '$dir/here' '$dir/there'"
works 'several recordings, as one' sh -c "
	[ \"\$('$jfrec' query --csv 'SELECT COUNT(*) FROM GCPhasePause' '$some' | tail -n 1 | tr -d '\r')\" -lt \
	  \"\$('$jfrec' query --csv 'SELECT COUNT(*) FROM GCPhasePause' '$some' '$ok/jvm-17.jfr' | tail -n 1 | tr -d '\r')\" ]"

# Mistakes

works 'a mark under a wrong word' says 2 "jfrec query: Unexpected token 'BANANA' found
  SELECT name FROM GCPhasePause BANANA
                                ^" query 'SELECT name FROM GCPhasePause BANANA' "$some"
works 'a mark where a word is missing' says 2 'jfrec query: Expected FROM
  SELECT name  GCPhasePause
               ^' query 'SELECT name  GCPhasePause' "$some"
works 'a mark behind the end' says 2 'jfrec query: Unexpected EOF reached
  SELECT name FROM
                  ^' query 'SELECT name FROM' "$some"
works 'a mark under a number' says 2 'jfrec query: Expected an integer after LIMIT
  SELECT * FROM CPULoad LIMIT few
                              ^' query 'SELECT * FROM CPULoad LIMIT few' "$some"
works 'a type that the recording lacks' mentions 1 Nope query 'SELECT * FROM Nope' "$some"
works 'a field that the type lacks' mentions 1 nope query 'SELECT nope FROM CPULoad' "$some"
works 'a column that is not in the table' mentions 2 '--sort takes one of the columns' \
	query --sort nope 'SELECT * FROM CPULoad' "$some"
works 'no query' mentions 2 'name a query' query
works 'no recording' mentions 2 'after the query' query 'SELECT * FROM CPULoad'

# A JVM as operand: of view, too. (That there is one is for the live tests.)

for command in query view; do
	text='SELECT * FROM CPULoad'
	[ $command = query ] || text=gc
	works "$command: no such JVM" mentions 3 no-such-jvm $command "$text" no-such-jvm
	works "$command: --jvm instead of a recording" mentions 2 'either a recording or --jvm' \
		$command --jvm Shop "$text" "$some"
	works "$command: --max-age is for a JVM" mentions 2 'are for a JVM' \
		$command --max-age 1m "$text" "$some"
done
works 'a view alone' mentions 2 'name a recording or a JVM' view hot-methods
finish
