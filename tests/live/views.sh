#!/bin/sh
# view and query of a running JVM: from its files, without a word to it; of its own recording; when
# nothing is recorded; by another user; in another root; again and again on a terminal.
#
# usage: views.sh JFREC SOURCE_ROOT

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

# A table with this word in it, and nothing on standard error.
shows()         # WORD ARGUMENT...
{
	word=$1
	shift
	exits 0 "$jfrec" "$@" && grep -q -e "$word" "$work/out" && ! grep -v 'frames from now on' "$work/err"
}

says()          # STATUS WORDS ARGUMENT...
{
	status=$1 words=$2
	shift 2
	exits "$status" "$jfrec" "$@" && grep -qF -e "$words" "$work/err" || { cat "$work/err"; return 1; }
}

was_attached_to()
{
	ls "$root/tmp/.java_pid$pid" "$root/tmp/.attach_pid$pid" "$root$dir/.attach_pid$pid" 2>/dev/null
}

shop_is_seen()
{
	"$jfrec" view --csv hot-methods "$pid" | grep -q Shop
}

has_sql()       # unless it was built without SQLite
{
	"$jfrec" sql 'SELECT count(*) FROM ExecutionSample' "$pid" >"$work/out" 2>"$work/err" ||
		{ grep -q 'built without SQLite' "$work/err"; return; }
	[ "$(tail -n 1 "$work/out")" -gt 0 ]
}

launch_shop()   # OPTION...
{
	program=Shop
	start_jvm -Xmx64m "$@"
	program=
}

test_recording()
{
	launch_shop -XX:StartFlightRecording=settings=profile
	if can_flush; then
		works 'hot methods' becomes shop_is_seen
		works 'in its zone, by its main class' shows 'Java Methods that Execute' view hot-methods --jvm "$pid"
		works 'a query' shows Shop query \
			'SELECT stackTrace.topFrame AS F, COUNT(*) AS C FROM ExecutionSample GROUP BY F ORDER BY C DESC' "$pid"
		works 'sql' has_sql
		works '--max-age' says 1 'has no data of that time yet' view --max-age 1ms gc "$pid"
		works 'which views have rows' shows hot-methods view "$pid"
		works 'it was not attached to' eval '! was_attached_to'
		works 'it goes on, undisturbed' is_undisturbed
	else
		works 'before a chunk is full: what helps' says 1 'use --duration 30s' view hot-methods "$pid"
	fi
	end_jvm
}

has_no_recording()
{
	exits 0 "$jfrec" check "$pid" && grep -qx 'No recordings.' "$work/out"
}

# On a busy machine the JVM takes a sample or two in 4 s, which need not be the shop's own methods.
samples_shop()
{
	for seconds in 4 12 30; do
		shows Shop view --duration ${seconds}s hot-methods "$pid" && return
		cat "$work/out"
	done
	return 1
}

test_no_recording()
{
	launch_shop
	works 'nothing recorded: how to start' says 1 "jfrec start $pid" view hot-methods "$pid"
	works 'nothing recorded: or for this once' grep -q -e '--duration 30s' "$work/err"
	works 'nothing recorded: a query' says 1 "jfrec start $pid" query 'SELECT * FROM CPULoad' "$pid"
	works '--duration: hot methods' samples_shop
	works '--duration: a query' shows 'Hardware Threads' query --duration 2s 'SELECT LAST(hwThreads) FROM CPUInformation' "$pid"
	works '--duration: nothing is left in it' has_no_recording
	works '--duration: nothing is left of it' is_clean
	works 'it goes on' is_undisturbed
	end_jvm
}

test_users()
{
	if ! is_root || ! command -v setpriv >/dev/null; then
		skip 'another user' 'needs root and setpriv'
		return
	fi
	can_flush || return
	as=65534:65534
	launch_shop -XX:StartFlightRecording=settings=profile
	as=
	works "root sees another user's" becomes shop_is_seen
	end_jvm
	launch_shop -XX:StartFlightRecording=settings=profile
	becomes shop_is_seen
	exits 4 setpriv --reuid 65534 --regid 65534 --clear-groups "$jfrec" view hot-methods "$pid"
	works "another user does not see root's" [ $? -eq 0 ]
	end_jvm
}

# Its tests are ours.
test_every()
{
	can_flush || return
	if ! command -v python3 >/dev/null; then
		skip --every 'needs python3'
		return
	fi
	launch_shop -XX:StartFlightRecording=settings=profile
	becomes shop_is_seen
	python3 "$live/every.py" "$jfrec" "$pid" >"$work/every" 2>&1
	works '--every ran to its end' grep -q 'and the terminal is as it was' "$work/every"
	while read -r words; do
		case $words in
		'ok '*) result ok "$label: --every: ${words#ok }" ;;
		'not ok '*) result not-ok "$label: --every: ${words#not ok }" ;;
		*) echo "$words" ;;
		esac
	done <"$work/every"
	end_jvm
}

test_jdk()
{
	test_recording
	test_no_recording
	test_users
	test_every
}

for_each_jdk test_jdk
finish
