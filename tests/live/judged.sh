#!/bin/sh
# analyze of a running JVM: from its files, without attaching; of a recording of its own; when nothing
# is recorded; when several match. And stream --analyze: a rule turns, and recovers.
#
# usage: judged.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
. "$2/tests/cli/tap.sh"
live_sources=$live/Idle.java
. "$live/live.sh"
LC_ALL=C
export LC_ALL
cd "$work" || exit

can_flush()
{
	[ "$feature" -ge 17 ]
}

says()          # STATUS WORDS ARGUMENT...
{
	status=$1 words=$2
	shift 2
	exits "$status" "$jfrec" "$@" && grep -qF -e "$words" "$work/out" "$work/err" ||
		{ cat "$work/out" "$work/err"; return 1; }
}

was_attached_to()
{
	ls "$root/tmp/.java_pid$pid" "$root/tmp/.attach_pid$pid" "$root$dir/.attach_pid$pid" 2>/dev/null
}

untouched()
{
	! was_attached_to
}

# What the JVM is, and that rules could judge.
judges()        # ARGUMENT...
{
	exits 0 "$jfrec" analyze --json "$@" && python3 - "$feature" "$work/out" <<-'END'
		import json, sys
		jvm = json.load(open(sys.argv[2]))["jvms"][0]
		good = jvm["jvm"]["jdk"] == int(sys.argv[1]) and jvm["counts"]["ok"] >= 5
		sys.exit(not good and json.dumps(jvm["counts"]) + json.dumps(jvm["jvm"]))
	END
}

# SafepointLatency and others of the profile: those rules have data that the JDK's settings leave out.
feeds_more()
{
	exits 0 "$jfrec" analyze --json --duration 5s "$pid" || return
	python3 - "$feature" "$work/out" <<-'END'
		import json, sys
		jdk = int(sys.argv[1])
		findings = json.load(open(sys.argv[2]))["jvms"][0]["findings"]
		off = [f["rule"] for f in findings if f.get("noData") == "off"]
		wanted = ["tls", "security-properties"] * (jdk >= 11) + ["sampling-latency"] * (jdk >= 25)
		sys.exit(str(off) if set(off) & set(wanted) else 0)
	END
}

collect_garbage()
{
	for i in 1 2 3 4; do
		"$jfrec" jcmd "$pid" GC.run >/dev/null || return
	done
}

told()          # WORD
{
	grep -q "$1 collections" "$work/stream"
}

turns_and_recovers()
{
	rm -f "$work/ran"
	printf 'rules:\n  collections: {event: GarbageCollection, warning: 2, advice: none}\n' >"$work/own.yaml"
	"$jfrec_itself" stream "$pid" --analyze --rules "$work/own.yaml" --only collections --window 5s \
		--exec "echo \"\$JFREC_CHANGE \$JFREC_PID\" >>$work/ran" >"$work/stream" 2>"$work/err" &
	stream=$!
	collect_garbage && becomes told warning && becomes told recovered
	good=$?
	kill -INT "$stream"
	wait "$stream"
	status=$?
	[ $good -eq 0 ] && [ $status -eq 130 ] &&
		[ "$(cat "$work/ran")" = "$(printf 'warning %s\nrecovered %s' "$pid" "$pid")" ] ||
		{ cat "$work/stream" "$work/err" "$work/ran"; echo "exit status $status"; return 1; }
}

test_silent()
{
	start_jvm -Xmx32m
	works 'nothing is recorded' says 1 "To start a recording: jfrec start $pid" analyze "$pid"
	works 'it was not attached to' untouched
	works 'a recording of its own' becomes judges --duration 5s "$pid"
	works 'with the settings for it' feeds_more
	end_jvm
}

test_recording()
{
	start_jvm -Xmx32m -XX:StartFlightRecording=settings=default
	if can_flush; then
		works 'from its files' becomes judges "$pid"
		works 'it was not attached to then' untouched
		works 'stream --analyze' turns_and_recovers
	else
		works 'a chunk that cannot be read yet' says 1 'cannot be read until they are finished' analyze "$pid"
	fi
	first=$pid
	start_jvm -Xmx32m
	works 'several match' says 2 "$first" analyze Idle
	end_jvm
	pid=$first
	end_jvm
}

try_jdk()
{
	test_silent
	test_recording
}

compile "$live/Idle.java"
for_each_jdk try_jdk
finish
