#!/bin/sh
# settings cost: what it tells from one recording is what another one has that is made with
# other settings, within 15 %; and settings active tells what a JVM was told.
#
# usage: cost.sh JFREC SOURCE_ROOT
#
# $JFREC_TEST_SECONDS is how long each recording takes (12).

jfrec=$(realpath "$1")
live=$2/tests/live
live_sources="$2/tests/Busy.java $2/tests/bench/Load.java"
. "$2/tests/cli/tap.sh"
. "$live/live.sh"
seconds=${JFREC_TEST_SECONDS:-12}

# Load.java is of Java 11.
compile()       # SOURCE...
{
	for pair in $(all_javas); do
		javac=$(dirname "${pair#*|}")/javac
		[ -z "${pair%%|*}" ] && [ -x "$javac" ] || continue
		"$javac" --release 11 -d "$work" "$@" >"$work/javac" 2>&1 && return
	done
	return 1
}

record()        # FILE KEY=VALUE...
{
	file=$1
	shift
	for set; do
		set -- "$@" --set "$set"
		shift
	done
	"$jfrec" record "$pid" -d "${seconds}s" -s default --timeout 60s --force -o "$file" "$@"
}

value()         # PATH FILE: a number of a JSON document
{
	python3 -c 'import json, sys
v = json.load(open(sys.argv[2]))
for key in sys.argv[1].split("."):
    v = v[int(key) if key.isdigit() else key]
print(v)' "$1" "$2"
}

# Differences in percent of the second, without sign.
differ()        # A B
{
	echo $((($1 - $2) * 100 / $2)) | tr -d -
}

# What happened in both recordings, by an event that the change does not touch.
as_much()       # EVENT A B
{
	a=$("$jfrec" print --count --events "$1" "$2")
	b=$("$jfrec" print --count --events "$1" "$3")
	[ "$a" -gt 0 ] && [ "$b" -gt 0 ] && [ "$(differ "$a" "$b")" -le 10 ]
}

# Record with the first settings, tell what the others would make of it, and look.  On a
# busy machine a workload does not always do as much: then both are made again.  The change
# must be one of LEAST percent of the recording, or nothing would be told.
predicts()      # UNTOUCHED LEAST FROM... -- TO...
{
	untouched=$1
	least=$2
	shift 2
	from= to= into=from
	for word; do
		case $word in
		--)	into=to ;;
		*)	eval "$into=\"\$$into $word\"" ;;
		esac
	done
	for try in 1 2 3 4 5; do
		record "$work/a.jfr" $from && record "$work/b.jfr" $to || return
		as_much "$untouched" "$work/a.jfr" "$work/b.jfr" && break
	done
	set --
	for change in $to; do
		set -- "$@" --set "$change"
	done
	"$jfrec" settings cost --json "$work/a.jfr" "$@" >"$work/cost.json" || return
	[ $# -eq 2 ] && what=changes.0 || what=together
	before=$(stat -c %s "$work/a.jfr")
	told=$(value "$what.sizes.bytes" "$work/cost.json")
	made=$(stat -c %s "$work/b.jfr")
	echo "from $before bytes: told $told, made $made"
	for how in zstd gzip; do
		# Copied byte for byte, and compressed.
		"$jfrec" repair "$work/b.jfr" --compress $how --force -o "$work/b" >"$work/kept" ||
			return
		told_how=$(value "$what.sizes.$how" "$work/cost.json")
		made_how=$(stat -c %s "$work/b")
		echo "$how: told $told_how, made $made_how"
		[ "$(differ "$told_how" "$made_how")" -le 15 ] || return
	done
	[ "$(differ "$told" "$made")" -le 15 ] && [ "$(differ "$told" "$before")" -ge "$least" ]
}

cannot_tell()
{
	exits 0 "$jfrec" settings cost --json "$work/b.jfr" --set jdk.ThreadSleep#threshold=0ms &&
		[ "$(value changes.0.certainty "$work/out")" = unknown ]
}

active_of_recording()
{
	exits 0 "$jfrec" settings active "$work/b.jfr" &&
		grep -q '^jdk.ThreadSleep .*threshold 50 \{0,1\}ms' "$work/out"
}

active_of_jvm()
{
	exits 0 "$jfrec" start --name mine -s default --set jdk.ThreadSleep#threshold=7ms "$pid" &&
		exits 0 "$jfrec" settings active "$pid" &&
		grep -q '^Recording [0-9]*, mine (running):$' "$work/out" &&
		grep -q '^jdk.ThreadSleep .*threshold 7 \{0,1\}ms' "$work/out" &&
		! grep -q '^jdk.ObjectCount ' "$work/out" &&
		exits 0 "$jfrec" settings active --off "$pid" &&
		grep -q '^jdk.ObjectCount .*off' "$work/out" &&
		exits 0 "$jfrec" stop --name mine --discard "$pid"
}

each_jdk()
{
	[ "$feature" -ge 17 ] || return # --set
	program=Busy
	arguments=
	start_jvm
	sleep 20 # classes are loaded and compiled
	works 'Busy: two higher thresholds' predicts jdk.GarbageCollection 4 \
		jdk.GCPhaseParallel#threshold=0ms jdk.ThreadSleep#threshold=0ms \
		-- jdk.GCPhaseParallel#threshold=1ms jdk.ThreadSleep#threshold=50ms
	end_jvm
	program=Load
	arguments='paced none'
	start_jvm
	sleep 20
	low='jdk.ThreadPark#threshold=0ms jdk.ThreadSleep#threshold=0ms'
	works 'server: a higher threshold' predicts bench.Request 5 $low \
		-- jdk.ThreadPark#threshold=20ms
	works 'server: no stack traces, another threshold' predicts bench.Request 5 $low \
		-- jdk.ThreadPark#threshold=50ms jdk.ThreadSleep#threshold=50ms
	works 'a threshold that was higher' cannot_tell
	works 'active: of a recording' active_of_recording
	works 'active: of a JVM' active_of_jvm
	end_jvm
}

for_each_jdk each_jdk
finish
