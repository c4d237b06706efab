#!/bin/sh
# print --where, --threads and --exclude-threads: with all formats and other options,
# and what is said of an expression that is wrong.  What expressions mean is tested
# in tests/unit/test_where.c.
#
# usage: where.sh JFREC SOURCE_ROOT

jfrec=$1
ok=$2/tests/data/ok
. "$2/tests/cli/tap.sh"

dir=$(mktemp -d) || exit
trap 'rm -rf "$dir"' EXIT

print()         # TO ARGUMENT...
{
	to=$1
	shift
	"$jfrec" print "$@" >"$dir/$to" 2>&1
}

same()          # NAME
{
	if cmp -s "$dir/one" "$dir/other"; then
		result ok "$1"
	else
		result not-ok "$1"
		diff "$dir/one" "$dir/other" | sed 's/^/# /' | head -n 5
	fi
}

# From a pipe or a file: exit status 2, nothing on standard output, and these lines on the other.
refuses()       # NAME EXPECTED ARGUMENT...
{
	name=$1
	printf '%s\n' "$2" >"$dir/one"
	shift 2
	cat "$some" | "$jfrec" print "$@" >"$dir/out" 2>"$dir/other"
	status=$?
	[ $status = 2 ] || echo "exit $status" >>"$dir/other"
	[ ! -s "$dir/out" ] || echo 'a document is there' >>"$dir/other"
	same "$name"
}

# For each recording: what holds for all changes nothing, and a type's name is --events.
for recording in "$ok"/*.jfr; do
	file=${recording##*/}
	for format in --json --xml --ndjson --exact --count; do
		print one $format "$recording"
		print other $format --where 'event is not null' "$recording"
		same "$file: $format of all events"
		print other $format --where 'startTime >= -1d' --exclude-threads 'no*body' "$recording"
		same "$file: $format of all events, decoded"
	done
	type=$("$jfrec" print --ndjson --limit 1 "$recording" | sed 's/^{"type":"\([^"]*\)".*/\1/')
	print one --json --events "$type" "$recording"
	print other --json --where "event = \"$type\"" "$recording"
	same "$file: a type's name is --events"
	print one --limit 3 --events "$type" "$recording"
	print other --limit 3 --where "event = \"$type\" and startTime is not null" "$recording"
	same "$file: --limit counts what passes"
done

some=$ok/jvm-25.jfr

count()         # ARGUMENT...
{
	"$jfrec" print --count "$@" "$some"
}

works_out=not-ok
[ "$(count --where true)" = "$(count)" ] && [ "$(count --where false)" = 0 ] &&
	[ "$(count --where 'not false and event = "jdk.GCPhasePause"')" = 18 ] &&
	[ "$(count --where '(false) or event = "jdk.GCPhasePause"')" = 18 ] && works_out=ok
result $works_out 'true and false alone'

# The events of all threads, one after the other, are all that have one.
all=$(count)
without=$(count --where 'eventThread.javaName is null')
with=$(count --threads '*')
works_out=not-ok
[ "$with" -gt 0 ] && [ "$without" -gt 0 ] && [ $((with + without)) = "$all" ] && works_out=ok
result $works_out "$with of $all events have a thread with a Java name"

works_out=not-ok
[ "$(count --exclude-threads main)" = $((all - $(count --threads main))) ] && works_out=ok
result $works_out 'events are those of a thread and the others'

print one --count --events 'jdk.GC*' --where 'duration > 10us' "$some"
print other --count --where 'event =~ "jdk.GC*" and duration > 10us' "$some"
same '--events and --where'

print one --csv --where 'event = "jdk.GCHeapSummary" and heapUsed > 1kB' "$some"
print other --csv --events jdk.GCHeapSummary "$some"
same 'a table of the type that --where names'

refuses 'a mark under the place' \
	'jfrec print: --where: column 13: the expression ends where a value is expected
  duration >  
              ^
See jfrec-where(7).' --where 'duration >  ' "$some"

refuses 'a mark under the name' \
	'jfrec print: --where: column 11: no event type has a field durtion; did you mean duration?
  gcId=3 or durtion > 1s
            ^
See jfrec-where(7).' --json --where 'gcId=3 or durtion > 1s' "$some"

refuses 'a mark in a long line, below what is one character' \
	'jfrec print: --where: column 110: this quote is never closed
  ext = "ä" or text = "ä" or text =     "ää
                                        ^
See jfrec-where(7).' --xml --where "$(
	for i in 1 2 3 4 5 6 7; do printf 'text = "ä" or '; done)text =     \"ää" "$some"

refuses '--where once' \
	'jfrec print: --where can be given only once; join conditions with `and`
See `jfrec print --help`.' --where 'a = 1' --where 'b = 1' "$some"


finish
