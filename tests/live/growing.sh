#!/bin/sh
# A recording is read while its JVM writes it: again and again there is more of it,
# nothing twice and nothing left out, and so it is when the JVM was killed.
#
# usage: growing.sh JFREC SOURCE_ROOT LINES
#
# Runs with each JDK from 17 on that is found. LINES is the program of cli/jvm/command_file.c.

LC_ALL=C
export LC_ALL
. "$2/tests/cli/tap.sh"
jfrec=$(realpath "$1")
root=$2
lines=$3
work=$(mktemp -d)
jvm=
trap '[ -z "$jvm" ] || kill -9 "$jvm" 2>/dev/null; rm -rf "$work"' EXIT
limit=60        # seconds for one reading; none takes one

# The feature version of a java, or nothing.
version_of()    # JAVA
{
	"$1" -version 2>&1 | sed -n '1s/.* version "\([0-9]*\).*/\1/p'
}

# Each java that is here, once; by version.
javas()
{
	for java in "$(command -v java)" "$JAVA_HOME/bin/java" /usr/lib/jvm/*/bin/java; do
		[ -x "$java" ] && readlink -f "$java"
	done | sort -u | while read -r java; do
		echo "$(version_of "$java") $java"
	done | sort -n -u -k 1,1
}

verdict()       # NAME [WHAT_IS_WRONG]
{
	if [ -z "$2" ]; then
		result ok "$1"
	else
		result not-ok "$1"
		echo "# $2"
	fi
}

# The numbers of all events so far are 0, 1, 2, ...; sets $count.
numbers()       # PATH...
{
	timeout $limit "$jfrec" print --csv --events live.Number --fields number "$@" \
		>"$work/csv" 2>"$work/err"
	status=$?
	count=$(tr -d '\r' <"$work/csv" | awk '
		NR > 1 && $0 != NR - 2 { print "number", $0, "in place of", NR - 2; bad = 1; exit }
		END { if (!bad) print (NR ? NR - 1 : 0) }')
	case $status:$count in
	0:*[!0-9]*) wrong=$count count=0 ;;
	0:*) wrong= ;;
	*) wrong="exit status $status: $(head -n 3 "$work/err")" ;;
	esac
}

# Waits until there are more events than so many; sets $count and $wrong.
wait_for_more() # COUNT PATH
{
	for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		numbers "$2"
		[ -z "$wrong" ] && [ "$count" -le "$1" ] || return
		sleep 0.5
	done
	wrong="there are no more than $count events"
}

# All events as JSON: whole, with those that were there a moment ago.
documents()     # NAME PATH
{
	numbers "$2"
	before=$count
	timeout $limit "$jfrec" print --ndjson "$2" 2>"$work/err" >"$work/ndjson"
	[ $? -eq 0 ] || wrong="$wrong, exit status of --ndjson: $(head -n 3 "$work/err")"
	"$lines" <"$work/ndjson" >"$work/count" 2>&1 || wrong="$wrong, $(cat "$work/count")"
	got=$(grep -c '^{"type":"live.Number"' "$work/ndjson")
	[ "$got" -ge "$before" ] || wrong="$wrong, $got lines after $before events"
	timeout $limit "$jfrec" print --json --events live.Number "$2" 2>"$work/err" >"$work/json"
	[ $? -eq 0 ] || wrong="$wrong, exit status of --json: $(head -n 3 "$work/err")"
	if command -v python3 >/dev/null; then
		got=$(python3 -c '
import json, sys
events = json.load(sys.stdin)["recording"]["events"]
assert [e["values"]["number"] for e in events] == list(range(len(events)))
print(len(events))' <"$work/json" 2>&1 | tail -n 1)
		case $got in
		*[!0-9]* | '') wrong="$wrong, --json: $got" ;;
		*) [ "$got" -ge "$before" ] || wrong="$wrong, $got in --json after $before events" ;;
		esac
	fi
	verdict "$1" "$wrong"
}

chunks()        # PATH
{
	ls "$1" | grep -c '\.jfr$'
}

# The JVM's repository, once it has a chunk with a header: before that it is no recording.
find_repository()
{
	for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
		for repository in "$work"/repository/*; do
			"$jfrec" summary "$repository" >/dev/null 2>&1 && return 0
		done
		kill -0 "$jvm" 2>/dev/null || return 1
		sleep 0.5
	done
	return 1
}

test_with()     # VERSION JAVA
{
	jdk="JDK $1"
	rm -rf "$work/repository"
	"$2" -Xmx64m -XX:TieredStopAtLevel=1 \
		"-XX:FlightRecorderOptions:repository=$work/repository,maxchunksize=1M" \
		-XX:StartFlightRecording "$root/tests/live/Numbers.java" >"$work/java" 2>&1 &
	jvm=$!
	if ! find_repository; then
		if kill -0 "$jvm" 2>/dev/null; then
			verdict "$jdk: a recording to read" "$("$jfrec" summary "$work"/repository/* 2>&1)"
		else
			result ok "$jdk # SKIP it does not run: $(tail -n 1 "$work/java")"
		fi
		kill -9 "$jvm" 2>/dev/null
		jvm=
		return
	fi
	last=0
	for reading in 1 2 3 4 5 6; do
		wait_for_more "$last" "$repository"
		verdict "$jdk: more events at reading $reading" "$wrong"
		last=$count
	done
	documents "$jdk: JSON while it is written" "$repository"

	# Over a rotation, as fast as it goes.
	had=$(chunks "$repository")
	readings=0
	numbers "$repository"
	while [ -z "$wrong" ] && [ "$(chunks "$repository")" -lt $((had + 3)) ] && [ $readings -lt 1000 ]; do
		last=$count
		numbers "$repository"
		[ "$count" -ge "$last" ] || wrong="$wrong, $count events after $last"
		readings=$((readings + 1))
	done
	[ "$(chunks "$repository")" -ge $((had + 3)) ] || wrong="$wrong, no new chunk in $readings readings"
	verdict "$jdk: $readings readings over three rotations" "$wrong"

	# The chunk that grows, on its own: as a file, and through a pipe.
	# A JVM makes the file first and writes to it a moment later.
	newest=$(ls "$repository"/*.jfr | tail -n 1)
	while [ ! -s "$newest" ] && [ -e "$newest" ]; do sleep 0.1; done
	timeout $limit "$jfrec" print --count "$newest" >"$work/count" 2>"$work/err"
	verdict "$jdk: the chunk that is written" "$([ $? -eq 0 ] || cat "$work/err")"
	cat "$newest" | timeout $limit "$jfrec" print --count - >"$work/count" 2>"$work/err"
	verdict "$jdk: the same through a pipe" "$([ $? -eq 0 ] || cat "$work/err")"

	numbers "$repository"
	last=$count
	kill -9 "$jvm"
	wait "$jvm" 2>/dev/null
	jvm=
	numbers "$repository"
	[ "$count" -ge "$last" ] || wrong="$wrong, $count events after $last"
	verdict "$jdk: all $count events after it was killed" "$wrong"
	documents "$jdk: JSON after it was killed" "$repository"
}

javas >"$work/javas"
tested=
while read -r version java <&3; do
	[ "${version:-0}" -ge 17 ] 2>/dev/null || continue
	test_with "$version" "$java"
	tested=yes
done 3<"$work/javas"
[ -n "$tested" ] || result ok 'a live JVM # SKIP no JDK from 17 on'
finish
