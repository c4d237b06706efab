#!/bin/sh
# top of running JVMs: heap, collections and findings by their files, without a word to them; of
# another user, frozen, in another root; one of them on a terminal.
#
# usage: top.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
. "$2/tests/cli/tap.sh"
live_sources="$live/Shop.java $live/Idle.java"
. "$live/live.sh"
LC_ALL=C
export LC_ALL
cd "$work" || exit

can_flush()
{
	[ "$feature" -ge 17 ]
}

was_attached_to()
{
	ls "$root/tmp/.java_pid$pid" "$root/tmp/.attach_pid$pid" "$root$dir/.attach_pid$pid" 2>/dev/null
}

# Is that so of the JVM?  FIELD is a member, VALUE a regular expression.
has()           # FIELD VALUE
{
	"$jfrec" top --once --every 500ms --json "$pid" >"$work/out" 2>"$work/err" &&
		grep -qE "\"$1\": $2,?\$" "$work/out"
}

test_recording()
{
	program=Shop
	start_jvm -Xmx64m -XX:StartFlightRecording=settings=profile
	program=
	works 'heap' becomes has heapUsedBytes '[1-9][0-9]{5,}'
	works 'heap that is committed' has heapCommittedBytes '[1-9][0-9]{6,}'
	works 'share of collections' has gcShare '[0-9.e-]+'
	works 'rate of collections' has gcPerSecond '[0-9.e-]+'
	works 'it records' becomes has recording true
	if can_flush; then
		works 'a finding' becomes has severity '"(warning|info|ok)"'
	else
		works 'before a chunk is full: no finding, and why' \
			has findingMissing '"this JDK makes .*"'
	fi
	works 'it was not attached to' eval '! was_attached_to'
	works 'it continues, undisturbed' is_undisturbed
	if ! can_flush || ! command -v python3 >/dev/null; then
		skip 'on a terminal' 'needs python3, and JDK 17 or later'
	else
		judged_by python3 "$live/top.py" "$jfrec" "$pid"
	fi
	end_jvm
}

test_no_counters()
{
	start_jvm -XX:-UsePerfData
	works '-XX:-UsePerfData: no heap, and why' has countersMissing '"it keeps no readable performance data.*"'
	works '-XX:-UsePerfData: threads all the same' has threads '[1-9][0-9]*'
	works 'it does not record' has recording false
	stop_jvm
	works 'it is stopped' has state '"stopped"'
	end_jvm
}

# 65534 is nobody, and no user of this host has the other number.
test_users()
{
	if ! is_root; then
		skip 'users' 'needs root'
		return
	fi
	as=65534:65534
	start_jvm -Xmx64m
	as=
	works "another user's heap, as root" has heapCommittedBytes '[1-9][0-9]{6,}'
	end_jvm
	start_jvm
	exits 0 setpriv --reuid 65534 --regid 65534 --clear-groups "$jfrec_itself" top --once --every 500ms "$pid"
	works "root's JVM, as another user" grep -q "$pid: heap and GC: " "$work/out"
	works "root's JVM, as another user: it is not known whether it records" \
		grep -q "$pid: recording: " "$work/out"
	end_jvm
}

test_jdk()
{
	test_recording
	test_no_counters
	test_users
}

for_each_jdk test_jdk
finish
