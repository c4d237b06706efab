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

works 'too many columns: what helps' mentions 0 'characters; name fewer fields, as in jfrec query' \
	query 'SELECT * FROM *' "$some"
works 'too many columns for an own width' mentions 0 'columns do not fit into 5 characters' \
	query --width 5 'SELECT startTime, duration, cause FROM GarbageCollection' "$some"
works 'no such hint where they fit' sh -c "
	! '$jfrec' query 'SELECT startTime, duration FROM GarbageCollection' '$some' 2>&1 | grep 'do not fit'"

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
works '--ndjson: columns of one name' [ "$("$jfrec" query --ndjson 'SELECT duration, duration FROM GarbageCollection LIMIT 1' \
	"$some" | sed 's/[0-9]*\([,}]\)/N\1/g')" = '{"Duration":N,"Duration_2":N}' ]
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

# What the JDK's language lacks

csv()           # QUERY: the rows
{
	"$jfrec" query --csv "$1" "$some" | tail -n +2 | tr -d '\r'
}

csv "SELECT * FROM GCPhasePause WHERE name = 'Pause Mark Start'" >"$dir/jdk"
csv "SELECT * FROM GCPhasePause WHERE name = \"Pause Mark Start\"" >"$dir/where"
works 'WHERE: an expression' cmp "$dir/jdk" "$dir/where"
works 'WHERE: something is found' test -s "$dir/where"
"$jfrec" view --csv --where 'duration > 5us and name =~ "Pause*"' GCPhasePause "$some" >"$dir/option"
"$jfrec" query --csv 'SELECT * FROM GCPhasePause WHERE duration > 5us and name =~ "Pause*"' "$some" >"$dir/where"
works 'WHERE: the same as --where' cmp "$dir/option" "$dir/where"
works 'WHERE and what follows' sh -c "[ \"\$('$jfrec' query --csv 'SELECT COUNT(*) FROM GCPhasePause
	WHERE (duration > 5us or duration < 1us) and not name = \"limit 3\" GROUP BY name ORDER BY COUNT(*) LIMIT 1' \
	'$some' | wc -l)\" -eq 2 ]"
csv 'SELECT SUM(duration) / COUNT(*), AVG(duration) FROM GCPhasePause' >"$dir/means"
works 'arithmetic: a mean' awk -F, '{ exit !($1 > 0 && $1 - $2 < 1 && $2 - $1 < 1) }' "$dir/means"
csv 'SELECT SUM(duration * 2) - SUM(duration), SUM(duration) FROM GCPhasePause' >"$dir/sums"
works 'arithmetic in a function' awk -F, '{ exit !($1 > 0 && $1 == $2) }' "$dir/sums"
csv 'SELECT duration / 1ms, duration FROM GCPhasePause' >"$dir/rows"
works 'arithmetic without groups' awk -F, '{ if ($1 * 1e6 - $2 > 1 || $2 - $1 * 1e6 > 1) bad = 1 } END { exit bad || !NR }' "$dir/rows"
"$jfrec" query --json 'SELECT SUM(bytesRead) / SUM(duration) AS "How fast" FROM SocketRead' "$some" >"$dir/json"
works 'arithmetic: units, and an alias as header' python3 -c '
import json, sys
column = json.load(open(sys.argv[1]))["views"][0]["columns"][0]
assert column["unit"] == "bytes/s" and column["label"] == "How fast", column' "$dir/json"
csv 'SELECT name, COUNT(*) AS c1 FROM GCPhasePause GROUP BY name ORDER BY c1 DESC, name' >"$dir/alias"
csv 'SELECT name, COUNT(*) FROM GCPhasePause GROUP BY name ORDER BY COUNT(*) DESC, name' >"$dir/function"
works 'ORDER BY a function' cmp "$dir/alias" "$dir/function"
csv 'SELECT name FROM GCPhasePause GROUP BY name ORDER BY COUNT(*) DESC, name' >"$dir/unselected"
works 'ORDER BY what is not selected' sh -c "cut -d, -f1 '$dir/function' | cmp - '$dir/unselected'"
csv 'SELECT gcId, duration FROM GCPhasePause ORDER BY duration DESC LIMIT 1 PER gcId' >"$dir/per"
csv 'SELECT gcId, MAX(duration) AS m FROM GCPhasePause GROUP BY gcId ORDER BY m DESC' >"$dir/most"
works 'LIMIT PER' cmp "$dir/per" "$dir/most"
csv 'SELECT gcId, duration FROM GCPhasePause ORDER BY duration DESC LIMIT 1 PER gcId LIMIT 2' >"$dir/two"
works 'LIMIT PER ... LIMIT' sh -c "head -n 2 '$dir/per' | cmp - '$dir/two'"
"$jfrec" query --verbose 'SELECT gcId FROM GCPhasePause WHERE duration > 1us LIMIT 1 PER gcId' "$some" >"$dir/out"

# A budget

set --
while [ $# -lt 300 ]; do
	set -- "$@" "$ok/contexts-25.jfr" "$ok/contexts-25.jfr"
done
# Not with AddressSanitizer, whose own memory is no data of the process.
beyond_budget() # NAME COMMAND...
{
	if grep -qa __asan_init "$jfrec"; then
		result ok "$1 # SKIP with sanitizers there is no limit"
	else
		works "$@"
	fi
}

beyond_budget 'more rows than memory: which query, and what helps' sh -c "
	! '$jfrec' query --max-memory 16M --jobs 1 'SELECT * FROM ActiveSetting' $* >/dev/null 2>'$dir/err' &&
	grep -q 'needs more than 16 MiB of memory' '$dir/err' &&
	grep -q 'jfrec query: the query had [0-9]* rows by then; .* LIMIT, or read less with --from' '$dir/err'"
"$jfrec" query --max-memory 16M --jobs 1 --csv \
	'SELECT name, value, startTime FROM ActiveSetting ORDER BY name DESC LIMIT 7' "$@" >"$dir/few" 2>"$dir/err"
works 'ORDER BY ... LIMIT keeps the first rows only' test $? -eq 0
"$jfrec" query --csv --limit 7 \
	'SELECT name, value, startTime FROM ActiveSetting ORDER BY name DESC' "$@" >"$dir/all" 2>"$dir/err"
works 'and these are the same' cmp "$dir/all" "$dir/few"
beyond_budget 'a view: which' sh -c "
	! '$jfrec' view --max-memory 16M --jobs 1 ActiveSetting $* >/dev/null 2>'$dir/err' &&
	grep -q 'jfrec view: the table had [0-9]* rows by then' '$dir/err'"

# Mistakes

works 'an unknown function' says 2 "jfrec query: There is no function 'SUMM'; did you mean SUM?
  SELECT SUMM(duration) FROM GCPhasePause
         ^" query 'SELECT SUMM(duration) FROM GCPhasePause' "$some"
works 'an unknown field' says 2 'jfrec query: jdk.GCPhasePause has no field durtion; did you mean duration?
  SELECT SUM(durtion) FROM GCPhasePause
         ^
See `jfrec view types RECORDING` for its event types, `jfrec metadata RECORDING` for their fields.' \
	query 'SELECT SUM(durtion) FROM GCPhasePause' "$some"
works 'a field that one of the types lacks' says 2 'jfrec query: jdk.CPULoad has no field name, by which all event types of FROM are grouped
  (*) FROM GCPhasePause, CPULoad GROUP BY name
                                          ^
See `jfrec view types RECORDING` for its event types, `jfrec metadata RECORDING` for their fields.' \
	query 'SELECT COUNT(*) FROM GCPhasePause, CPULoad GROUP BY name' "$some"
works 'an unknown type' says 2 'jfrec query: No event type is called GCPhasPause; did you mean GCPhasePause?
  SELECT name FROM CPULoad, GCPhasPause
                            ^
See `jfrec view types RECORDING` for its event types, `jfrec metadata RECORDING` for their fields.' \
	query 'SELECT name FROM CPULoad, GCPhasPause' "$some"
works 'an unknown field of ORDER BY' mentions 2 'has no field durtion' \
	query 'SELECT name FROM GCPhasePause ORDER BY name, durtion' "$some"
works 'units that do not fit' says 2 'jfrec query: a duration and a number cannot be added
  SELECT SUM(duration) + SUM(gcId) FROM GCPha
         ^' query 'SELECT SUM(duration) + SUM(gcId) FROM GCPhasePause' "$some"
works 'an unknown field of WHERE' mentions 2 'did you mean duration' \
	query 'SELECT name FROM GCPhasePause WHERE durtion > 1ms' "$some"
works 'a mark in WHERE' sh -c "'$jfrec' query 'SELECT name FROM GCPhasePause WHERE duration > 1xs' '$some' 2>&1 |
	tail -n 1 | grep -qx ' *^'"

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
works 'a type that the recording lacks' mentions 2 Nope query 'SELECT * FROM Nope' "$some"
works 'a field that the type lacks' mentions 2 nope query 'SELECT nope FROM CPULoad' "$some"
works 'a column that is not in the table' mentions 2 '--sort takes one of the columns' \
	query --sort nope 'SELECT * FROM CPULoad' "$some"
works 'no query' mentions 2 'name a query' query
works 'no recording' mentions 2 'after the query' query 'SELECT * FROM CPULoad'

# Which operand is the query

one='SELECT COUNT(*) FROM GCPhasePause'
"$jfrec" query "$one" "$some" >"$dir/want" 2>&1

same_answer()   # ARGUMENT...
{
	"$jfrec" query "$@" >"$dir/out" 2>&1 && diff "$dir/want" "$dir/out"
}

works 'the recording first' same_answer "$some" "$one"
works 'in lower case, after blanks' same_answer "$some" '
	select COUNT(*) from GCPhasePause'
works 'a pipe first' sh -c "'$jfrec' query - '$one' <'$some' | diff '$dir/want' -"
works 'two recordings first' sh -c "
	'$jfrec' query --csv '$some' '$some' '$one' >'$dir/first' && '$jfrec' query --csv '$one' '$some' '$some' |
	diff '$dir/first' -"
works 'COLUMN and FORMAT begin a query, too' sh -c "
	'$jfrec' query '$some' \"COLUMN 'N' $one\" >'$dir/out' && grep -q '^ *N\$' '$dir/out'"
works 'a file that is called like a query' sh -c "
	cp '$some' '$dir/SELECT me.jfr'; jfrec=\$(realpath '$jfrec'); cd '$dir' &&
	\$jfrec query '$one' 'SELECT me.jfr' | diff '$dir/want' - &&
	\$jfrec query 'SELECT me.jfr' '$one' | diff '$dir/want' -"
works 'recordings without a query' mentions 2 'the query is missing' query "$some" "$some"
works 'a JVM without a query' mentions 2 'the query is missing' query 4711
works 'two queries' mentions 2 'give one query' query "$one" "$one" "$some"
works 'words of a query' mentions 2 "put the query into quotes: 'SELECT ...'" \
	query SELECT name FROM GCPhasePause "$some"

# A JVM as operand: of view, too. (That there is one is for the live tests.)

for command in query view; do
	operand='SELECT * FROM CPULoad'
	[ $command = query ] || operand=gc
	works "$command: no such JVM" mentions 3 no-such-jvm $command "$operand" no-such-jvm
	works "$command: --jvm instead of a recording" mentions 2 'either a recording or --jvm' \
		$command --jvm Shop "$operand" "$some"
	works "$command: --max-age is for a JVM" mentions 2 'are for a JVM' \
		$command --max-age 1m "$operand" "$some"
done
works 'a view alone' mentions 2 'name a recording or a JVM' view hot-methods
finish
