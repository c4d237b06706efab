#!/bin/sh
# What a JVM has in its heap and what its threads do: heapdump, histogram, threads. A heap
# dump comes here whole or not at all, and nothing of it stays in the JVM's root.
#
# usage: heap.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
. "$2/tests/cli/tap.sh"
. "$live/live.sh"
home=$work/home
mkdir "$home"
cd "$home" || exit

is_dump()       # FILE
{
	[ "$(head -c 16 "$1")" = 'JAVA PROFILE 1.0' ] && [ "$(stat -c %u:%a "$1")" = "$(id -u):600" ]
}

# No heap dump of ours, nor a part of one, in the JVM's /tmp.
is_swept()
{
	becomes no_dump_left
}

no_dump_left()
{
	[ -z "$(ls -A "$root/tmp" | grep '^\.jfrec-.*hprof')" ]
}

dumps()
{
	exits 0 "$jfrec" heapdump "$pid" && is_dump "$(cat "$work/out")" && is_swept &&
		[ "$(cat "$work/out" | grep -c '^heap-.*\.hprof$')" -eq 1 ] && rm ./*.hprof
}

dumps_to()
{
	exits 0 "$jfrec" heapdump --unreachable -o all.hprof "$pid" && is_dump all.hprof &&
		exits 0 "$jfrec" heapdump --json -o live.hprof.gz "$pid" &&
		grep -q '"bytes"' "$work/out" && [ "$(gzip -dc live.hprof.gz | head -c 12)" = 'JAVA PROFILE' ] &&
		exits 1 "$jfrec" heapdump -o all.hprof "$pid" && rm all.hprof live.hprof.gz
}

counts()
{
	exits 0 "$jfrec" histogram "$pid" && grep -q 'java.lang.String' "$work/out" &&
		exits 0 "$jfrec" histogram --unreachable --json "$pid" &&
		python3 -c 'import json, sys
rows = {r["class"]: r for r in json.load(open(sys.argv[1]))["jvms"][0]["classes"]}
assert len(rows) > 50 and rows["java.lang.String"]["instances"] > 100' "$work/out"
}

shows_threads()
{
	exits 0 "$jfrec" threads --raw "$pid" && grep -q '^"main" ' "$work/out" &&
		exits 0 "$jfrec" threads "$pid" && grep -q '^No deadlock: ' "$work/out" &&
		exits 0 "$jfrec" threads --json "$pid" &&
		python3 -c 'import json, sys
threads = {t["name"]: t for t in json.load(open(sys.argv[1]))["jvms"][0]["threads"]}
main = threads["main"]
assert main["state"] in ("TIMED_WAITING", "RUNNABLE", "WAITING"), main
assert any("Idle.main" in frame for frame in main["stack"]), main
assert not main["daemon"] and threads["Reference Handler"]["daemon"]' "$work/out"
}

is_interrupted()        # SIGNAL
{
	"$jfrec" heapdump -o cut.hprof "$pid" >/dev/null 2>"$work/err" &
	client=$!
	sleep "0.0$(($$ % 5 + 1))"
	kill -"$1" "$client"
	wait "$client"
	is_swept && is_alive && [ ! -e cut.hprof ] || { [ -e cut.hprof ] && is_dump cut.hprof && rm cut.hprof; }
}

# The JVM's memory is more than the file system has room.
refuses_small_disk()
{
	tmp_size=8m launch_apart
	exits 1 "$jfrec" heapdump -o small.hprof "$pid" && grep -q 'no room for the heap dump' "$work/err" &&
		[ ! -e small.hprof ]
	status=$?
	end_apart
	return $status
}

test_jdk()
{
	start_jvm
	works 'heapdump' dumps
	works 'heapdump to a file' dumps_to
	works 'histogram' counts
	works 'threads' shows_threads
	works 'heapdump, interrupted' is_interrupted INT
	works 'heapdump, killed' is_interrupted KILL
	works 'the JVM lives on' is_undisturbed
	end_jvm
	works 'heapdump of a JVM that is gone' exits 3 "$jfrec" heapdump "$pid"
	if can_launch_apart; then
		works 'heapdump without room for it' refuses_small_disk
	else
		skip 'heapdump without room for it' 'needs root and unshare'
	fi
	works 'nothing is left' [ -z "$(ls -A "$home")" ]
}

for_each_jdk test_jdk
finish
