#!/bin/sh
# sql: statements, what they answer in each format, and what they must not do.
#
# usage: sql.sh JFREC SOURCE_ROOT

jfrec=$1
ok=$2/tests/data/ok
seeds=$2/tests/fuzz/seeds
. "$2/tests/cli/tap.sh"

dir=$(mktemp -d) || exit
trap 'rm -rf "$dir"' EXIT
some=$ok/jvm-25.jfr

if "$jfrec" sql "$some" 'SELECT 1' 2>&1 | grep -q 'built without SQLite'; then
	echo '1..0 # SKIP built without SQLite'
	exit 0
fi

csv()           # STATEMENT [RECORDING...]
{
	statement=$1
	shift
	[ $# -gt 0 ] || set -- "$some"
	"$jfrec" sql --csv "$@" "$statement" | tr -d '\r' | tail -n +2
}

is()            # WANT STATEMENT [RECORDING...]
{
	want=$1
	shift
	got=$(csv "$@")
	[ "$got" = "$want" ] || { echo "got: $got"; echo "want: $want"; return 1; }
}

refuses()       # STATUS TEXT STATEMENT [OPTION...]
{
	want=$1 text=$2 statement=$3
	shift 3
	"$jfrec" sql "$@" "$some" "$statement" >"$dir/out" 2>"$dir/err"
	got=$?
	grep -qF -e "$text" "$dir/err" || { cat "$dir/err"; return 1; }
	[ "$got" -eq "$want" ] || { echo "status $got"; return 1; }
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

count=$("$jfrec" print --count --events GCPhasePause "$some" | head -n 1)
works 'count(*) counts what print does' is "$count" 'SELECT count(*) FROM GCPhasePause'
works 'a full name in quotes' is "$count" 'SELECT count(*) FROM "jdk.GCPhasePause"'
works 'a full name without quotes' is "$count" 'SELECT count(*) FROM jdk.GCPhasePause'
works 'several recordings are one' is "$((2 * count))" 'SELECT count(*) FROM GCPhasePause' \
	"$some" "$some"
works 'recording is the path' is "$some" 'SELECT DISTINCT recording FROM GCPhasePause'
works 'startTime narrows' is "1" 'SELECT count(*) FROM GCPhasePause
	WHERE startTime = (SELECT min(startTime) FROM GCPhasePause)'
works 'narrowed or not, the same rows' is "1" 'SELECT
	(SELECT count(*) FROM GCPhasePause WHERE startTime > (SELECT avg(startTime) FROM GCPhasePause)) =
	(SELECT sum(startTime > (SELECT avg(startTime) FROM GCPhasePause)) FROM GCPhasePause) AS same'
# What SQLite cannot see through, it sorts itself.
same_groups()   # COLUMN BLIND TABLE RECORDING...
{
	column=$1 blind=$2 table=$3
	shift 3
	for what in 'count(*), min(startTime), max(startTime)' 'group_concat(startTime)'; do
		for order in '' 'ORDER BY 1 DESC' 'ORDER BY 2 DESC' 'ORDER BY 2'; do
			is "$(csv "SELECT $blind, $what FROM $table GROUP BY 1 $order" "$@")" \
				"SELECT $column, $what FROM $table GROUP BY 1 $order" "$@" || return 1
		done
	done
}
same_pairs()
{
	for order in '' 'ORDER BY 2 DESC, 1' 'ORDER BY 3 DESC, 4'; do
		is "$(csv "SELECT +parentClassLoader, +classCount, count(*), min(startTime)
			FROM ClassLoaderStatistics GROUP BY 1, 2 $order")" "SELECT parentClassLoader,
			classCount, count(*), min(startTime) FROM ClassLoaderStatistics
			GROUP BY 1, 2 $order" || return 1
	done
}
works 'groups of texts, and of null' same_groups classLoader "substr(classLoader, 1)" \
	ClassLoaderStatistics "$ok/jvm-17.jfr" "$ok/jvm-25.jfr"
works 'groups of numbers' same_groups allocated '+allocated' ThreadAllocationStatistics \
	"$ok/jvm-17.jfr" "$ok/jvm-25.jfr"
works 'groups of two columns' same_pairs
works 'groups in a span of time' is "$(csv 'SELECT substr("thread.javaName", 1), count(*) FROM
	ThreadAllocationStatistics WHERE startTime > (SELECT avg(startTime) FROM
	ThreadAllocationStatistics) GROUP BY 1')" 'SELECT "thread.javaName", count(*) FROM
	ThreadAllocationStatistics WHERE startTime > (SELECT avg(startTime) FROM
	ThreadAllocationStatistics) GROUP BY 1'
works 'groups are not sorted by SQLite' eval "! csv 'EXPLAIN QUERY PLAN SELECT classLoader, count(*)
	FROM ClassLoaderStatistics GROUP BY 1' | grep -q 'TEMP B-TREE'"
works 'nor where the largest come first' eval "[ \$(csv 'EXPLAIN QUERY PLAN SELECT classLoader, classCount,
	count(*) FROM ClassLoaderStatistics GROUP BY 1, 2 ORDER BY 3 DESC, 1 DESC' | grep -c 'TEMP B-TREE') = 1 ]"
works 'a join finds its rows' is "$count" 'SELECT count(*) FROM GCPhasePause a
	JOIN GCPhasePause b ON a.startTime = b.startTime AND a.name = b.name AND a.gcId = b.gcId'
works 'a join by text' is "1" 'SELECT (SELECT count(*) FROM GCPhasePause a JOIN GCPhasePause b
	ON a.name = b.name) = (SELECT sum(n * n) FROM (SELECT count(*) AS n FROM GCPhasePause GROUP BY name)) AS same'
works 'a join by a number as text' is "$count" "SELECT count(*) FROM (SELECT DISTINCT gcId, startTime
	FROM GCPhasePause) a JOIN GCPhasePause b ON b.gcId = a.gcId || '' AND b.startTime = a.startTime"
works 'all columns, again and again' is "$((count * count))" \
	'SELECT count(*) FROM GCPhasePause a, GCPhasePause b WHERE a.duration + b.duration >= 0'

# Functions

works 'top_frame' is 'a.b(int)' "SELECT top_frame('a.b(int);c.d()')"
works 'frame_count' is '2,1,0' "SELECT frame_count('a;b'), frame_count('a'), frame_count('')"
works 'has_frame' is '1,1,0,0' "SELECT has_frame('a.b(int);c.d()', 'c.*'),
	has_frame('a.b(int);c.d()', 'a.b'), has_frame('a.b(int);c.d()', 'b'), has_frame('', '*x')"
works 'functions of null are null' is ',,,' \
	"SELECT top_frame(NULL), has_frame(NULL, '*'), utc(NULL), bucket(NULL, '1s')"
works 'utc and ns' is '2026-11-20T09:47:05.000000001Z,1500000' \
	"SELECT utc(ns('2026-11-20T09:47:05Z') + 1), ns('1.5ms')"
works 'bucket' is '10000000000,-10000000000' "SELECT bucket(19999999999, '10s'), bucket(-1, '10s')"
works 'percentile as in views' is "$("$jfrec" query --csv \
	'SELECT P99(duration), MEDIAN(duration) FROM GCPhasePause' "$some" | tail -n 1 | tr -d '\r')" \
	'SELECT CAST(percentile(duration, 99) AS INTEGER), CAST(median(duration) AS INTEGER) FROM GCPhasePause'
works 'percentile of nothing is null' is '' 'SELECT percentile(duration, 50) FROM GCPhasePause WHERE 0'

# Which operand is the statement

same_answer()   # STATEMENT RECORDING...
{
	statement=$1
	shift
	"$jfrec" sql "$@" "$statement" >"$dir/last" && "$jfrec" sql "$statement" "$@" | diff "$dir/last" -
}

works 'the statement first or last' same_answer 'SELECT count(*) FROM GCPhasePause' "$some"
works 'of two recordings' same_answer 'SELECT recording, count(*) FROM GCPhasePause GROUP BY 1' \
	"$some" "$ok/jvm-17.jfr"
works 'WITH begins one, after a comment' same_answer "-- it's one
	with x AS (SELECT 1 AS a) SELECT a FROM x" "$some"
works 'no recording' mentions 2 'name a recording or a JVM after the query' sql 'SELECT 1'
works 'recordings only' mentions 2 'the query is missing' sql "$some" "$some"
works 'nothing at all' mentions 2 'name a query, such as' sql
works 'words of a statement' mentions 2 'put the query into quotes' sql SELECT 1 "$some"

# Which events: as print selects them

as_print()      # TABLE OPTION...
{
	table=$1
	shift
	want=$("$jfrec" print --count --events "$table" "$@" "$some" | head -n 1)
	got=$("$jfrec" sql --csv "$@" "SELECT count(*) FROM $table" "$some" | tr -d '\r' | tail -n 1)
	[ "$want" -gt 0 ] && [ "$want" -lt "$("$jfrec" print --count --events "$table" "$some" | head -n 1)" ] &&
		[ "$want" = "$got" ] || { echo "print: $want, sql: $got"; return 1; }
}

middle=$(csv 'SELECT utc(avg(startTime)) FROM GCPhasePause')
works '--from' as_print GCPhasePause --from "$middle"
works '--to' as_print GCPhasePause --to "$middle"
works '--where' as_print GCPhasePause --where 'duration > 5us'
works '--threads' as_print JavaMonitorEnter --threads blocked
works 'of all events, too' [ "$("$jfrec" sql --csv --from "$middle" 'SELECT count(*) FROM events' "$some" | tail -n 1 |
	tr -d '\r')" = "$("$jfrec" print --count --from "$middle" "$some" | head -n 1)" ]
works 'a join sees the same events' [ "$("$jfrec" sql --csv --from "$middle" 'SELECT count(*) FROM GCPhasePause a
	JOIN GCPhasePause b ON a.startTime = b.startTime AND a.name = b.name AND a.gcId = b.gcId' "$some" | tail -n 1)" = \
	"$("$jfrec" sql --csv --from "$middle" 'SELECT count(*) FROM GCPhasePause' "$some" | tail -n 1)" ]
works '--events has tables of these only' mentions 2 'no such table: CPULoad' \
	sql --events GCPhasePause 'SELECT * FROM CPULoad' "$some"
works 'a field of --where that there is not' mentions 2 '--where: column 1: no event type has a field durtion' \
	sql --where 'durtion > 1us' 'SELECT count(*) FROM GCPhasePause' "$some"
works 'a mistake in --where' mentions 2 'the expression ends' \
	sql --where 'duration >' 'SELECT count(*) FROM GCPhasePause' "$some"
works 'no such JVM' mentions 3 'no JVM matches no-such-jvm' sql 'SELECT 1' no-such-jvm
works 'the JVM first' mentions 3 'no JVM matches no-such-jvm' sql no-such-jvm 'SELECT 1'
works '--tables of a JVM' mentions 3 'no JVM matches no-such-jvm' sql --tables --jvm no-such-jvm
works '--max-age is for a JVM' mentions 2 'are for a JVM' sql --max-age 1m 'SELECT 1' "$some"

# Formats

works 'text is aligned' sh -c "
	'$jfrec' sql '$some' \"SELECT 'a' AS name, 17 AS n UNION SELECT 'bcd', 5\" >'$dir/text'
	printf 'name   n\n----  --\na     17\nbcd    5\n' | diff - '$dir/text'"
works '--json is one document' sh -c "'$jfrec' sql --json '$some' 'SELECT 1 AS a, NULL AS b' |
	python3 -c 'import json, sys
d = json.load(sys.stdin)
assert d[\"schema\"] == \"sql\" and d[\"columns\"] == [\"a\", \"b\"], d
assert d[\"rows\"] == [[1, None]] and d[\"complete\"] and d[\"damage\"] == [], d'"
works '--ndjson: an object for each row' sh -c "
	[ \"\$('$jfrec' sql --ndjson '$some' 'SELECT 1 AS a, 2 AS a')\" = '{\"a\":1,\"a_2\":2}' ]"
works '--tables and --schema' sh -c "'$jfrec' sql --tables '$some' | grep -q '\"jdk.GCPhasePause\"' &&
	'$jfrec' sql --schema '$some' | grep -q '\"duration\" duration (ns)'"
works 'all events' is 225 'SELECT count(*) FROM events'
works 'events of a type' is 18,93797 "SELECT count(*), sum(duration) FROM events WHERE type = 'jdk.GCPhasePause'"
works 'every event has a time' is 0 'SELECT count(*) FROM events e WHERE e.startTime IS NULL'
works 'events in a join' is 18 "SELECT count(*) FROM GCPhasePause g JOIN Events e
	ON e.startTime = g.startTime AND e.type = 'jdk.GCPhasePause'"
works 'events of a thread' is 1 "SELECT count(DISTINCT recording) FROM events WHERE thread = 'main'"

hints()         # NAME WORDS STATEMENT
{
	works "$1" sh -c '! "$1" sql "$2" "$3" 2>&1 >/dev/null | grep -vF "$4" | grep -q "no such column"' \
		sh "$jfrec" "$some" "$3" "$2"
}
hints 'a value of an object' '"eventThread.javaName"' 'SELECT eventThread FROM JavaMonitorEnter'
hints 'the same without quotes' 'did you mean "eventThread.javaName"?' \
	'SELECT eventThread.javaName FROM JavaMonitorEnter'
hints 'behind an alias' '"eventThread.javaName"' 'SELECT e.eventThread FROM JavaMonitorEnter AS e'
hints 'a column with a typo' 'did you mean "duration"?' 'SELECT durtion FROM JavaMonitorEnter'

# Names: in every form that SQLite has, and after comments that have quotes
for name in gcphasepause '"GCPhasePause"' '`jdk.GCPhasePause`' '[jdk.gcphasepause]' "'GCPhasePause'" \
	"/* don't */ GCPhasePause" "--don't
	GCPhasePause" 'jdk . GCPhasePause'; do
	works "FROM $(printf %s "$name" | tr '\n' ' ')" is "$count" "SELECT count(*) FROM $name"
done
works 'a name in a pragma' sh -c "'$jfrec' sql '$some' 'PRAGMA table_info(GCPhasePause)' | grep -q startTime"

# Mistakes

works 'an unknown table, and what is near' refuses 2 'jdk.GCPhasePause' 'SELECT * FROM GCPhasePaus'
works 'the place of a mistake' refuses 2 '^' 'SELECT FROM x'
works 'a text is not a column' refuses 2 'no such column' 'SELECT "nothing" FROM GCPhasePause'
works 'two statements' refuses 2 'more than one statement' 'SELECT 1; SELECT 2'
works 'a comment is not a statement' is 1 'SELECT 1; -- that is all'
works 'no statement' refuses 2 'there is no statement' ' -- nothing'

# Statements that do more than read

while read -r statement; do
	works "refused: $statement" refuses 2 'only SELECT is allowed' "$statement"
done <<-EOF
	ATTACH '$dir/x.db' AS x
	CREATE TABLE x(a)
	CREATE TEMP TABLE x AS SELECT 1
	PRAGMA temp_store_directory = '/tmp'
	PRAGMA hard_heap_limit = 0
	PRAGMA writable_schema = 1
	VACUUM INTO '$dir/x.db'
	BEGIN
	SAVEPOINT x
	ANALYZE
EOF
works 'refused: load_extension()' refuses 2 'not authorized' "SELECT load_extension('x')"
works 'refused: what shows an address' refuses 2 'not authorized' "SELECT hex(fts3_tokenizer('simple'))"
works 'refused: what writes to the log' refuses 2 'not authorized' "SELECT sqlite_log(1, 'x')"
works 'refused: INSERT' refuses 2 '' 'INSERT INTO GCPhasePause(duration) VALUES(1)'
works 'refused: readfile()' refuses 2 'no such function' "SELECT readfile('/etc/passwd')"
works 'nothing was written' sh -c "[ ! -e '$dir/x.db' ]"
works '--timeout ends what does not end' refuses 20 'did not end within 0.3 s' \
	'WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x) SELECT count(*) FROM x' \
	--timeout 300ms
# One step of such a statement takes 11 s with SQLite 3.40; later ones refuse it.
is_ended()      # STATEMENT
{
	timeout 60 "$jfrec" sql --timeout 300ms "$ok/jvm-25.jfr" "$1"
	[ $? -ne 124 ]
}
slow="printf('%.*c', 2147483647, 'x')"
works 'also where one step takes long' is_ended "SELECT $(printf "length($slow) + %.0s" $(seq 20)) 1"
if grep -qa __asan_init "$jfrec"; then
	result ok '--max-memory ends what is too large # SKIP with sanitizers there is no limit'
else
	works '--max-memory ends what is too large' refuses 1 'memory' \
		'WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x)
		 SELECT count(*) FROM (SELECT DISTINCT n || hex(zeroblob(1000)) FROM x)' \
		--max-memory 64M --timeout 60s
fi
without_sqlite()
{
	mkdir "$dir/none" && : >"$dir/none/libsqlite3.so.0" || return
	LD_LIBRARY_PATH=$dir/none "$jfrec" sql "$ok/jvm-25.jfr" 'SELECT 1' 2>"$dir/why"
	[ $? -ne 0 ] && grep -q 'this needs SQLite 3.38 or later' "$dir/why" &&
		LD_LIBRARY_PATH=$dir/none "$jfrec" sql --tables "$ok/jvm-25.jfr" >/dev/null || { cat "$dir/why"; return 1; }
}
works 'without SQLite it says so, and everything else works' without_sqlite
works 'events without fields have a row each' [ "$("$jfrec" sql --ndjson "$seeds/faulty.jfr" 'SELECT * FROM Point' 2>/dev/null | grep -c '^{"recording":"')" -gt 0 ]
finish
