#!/bin/sh
# dump --from-repository: what a JVM has recorded, without a word to it: while it runs, is
# stopped, refuses to be attached to, is another user's, is in a container, is dead.
#
# usage: from_repository.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
. "$2/tests/cli/tap.sh"
live_sources="$live/Busy.java $live/Idle.java"
. "$live/live.sh"
LC_ALL=C
export LC_ALL
home=$work/home
mkdir "$home"
cd "$home" || exit
umask 022

# Of a machine that is busy with other tests, hardly anything is left.
copy='--from-repository --full-speed'

# JDK 8 and 11 have nothing to read before a chunk is full.
can_flush()
{
	[ "$feature" -ge 17 ]
}

# Numbers of events are given out in order: none is missing below the last flush but for
# what its threads had in hand.
has_numbers()   # FILE
{
	"$jfrec" print --csv --sort file --events test.Number --fields n "$1" 2>/dev/null |
		tr -d '\r' | sed 1d | sort -n >"$work/numbers"
	[ "$(wc -l <"$work/numbers")" -gt 1000 ] && [ -z "$(uniq -d "$work/numbers")" ] &&
		sed -n "1,$(($(wc -l <"$work/numbers") - 1000))p" "$work/numbers" |
		awk '$1 != NR { print "number " $1 " is in line " NR; exit 1 }'
}

is_whole()      # FILE
{
	"$jfrec" summary "$1" >"$work/summary" 2>&1 && ! grep jfrec: "$work/summary" &&
		[ "$(stat -c %u:%a "$1")" = "$(id -u):600" ] && has_numbers "$1"
}

opens_with_jdk()        # FILE
{
	cp "$1" "$root$dir/x.jfr" && in_root "${java%/*}/jfr" summary "$dir/x.jfr"
}

brings()        # FILE OPTION...
{
	file=$1
	shift
	rm -f "$file"
	exits 0 "$jfrec" dump -o "$file" "$@" "$pid" && is_whole "$file" && opens_with_jdk "$file"
}

brings_again()
{
	for i in 1 2 3; do
		brings again.jfr $copy || return
	done
}

# The time a JVM has run on a processor, in ticks; none of its threads may do anything for us.
ticks_of()
{
	sed 's/.*) //' "/proc/$pid/stat" | awk '{ print $12 + $13 }'
}

stopped_meanwhile()
{
	before=$(ticks_of)
	brings stopped.jfr && [ "$(ticks_of)" -eq "$before" ] && is_stopped
}

tells_missing()
{
	grep -Eq 'its last flush [0-9.]+ m?s ago is missing, of which [0-9.]+ (B|KiB|MiB) had been' "$work/err"
}

is_attached_to()
{
	ls "$root/tmp/.java_pid$pid" "$root/tmp/.attach_pid$pid" "$root$dir/.attach_pid$pid" 2>/dev/null
}

# Chunks are full after a second or so; up to JDK 11 they are large, and the first one counts.
has_recorded()
{
	[ "$(ls "$root"/tmp/20*_"$pid"/*.jfr 2>/dev/null | wc -l)" -ge "$(can_flush && echo 3 || echo 1)" ]
}

# It records by itself; its repository is in $repository, for when it is dead.
launch_busy()   # OPTION...
{
	program=Busy
	launch -XX:FlightRecorderOptions=maxchunksize=1M "$@"
	program=
	becomes has_recorded
	sleep 2
	repository=$(ls -d "$root"/tmp/20*_"$pid" 2>/dev/null)
}

test_running()
{
	launch_busy
	works 'while it runs, on what others leave of the processors' brings running.jfr --from-repository
	works 'what is missing is told' tells_missing
	works 'it was not attached to' eval '! is_attached_to'
	works 'in JSON' exits 0 "$jfrec" dump --json $copy -o json.jfr "$pid"
	works 'with numbers' grep -q '"secondsSinceFlush": [0-9]' "$work/out"
	works 'the newest only' exits 0 "$jfrec" dump --begin -1s $copy -o new.jfr "$pid"
	works 'is less' [ "$("$jfrec" summary --json new.jfr | grep -c '"offset"')" -lt 8 ]
	works 'again and again, over rotations' brings_again
	stop_jvm
	works 'stopped: by itself, and it does not run for it' stopped_meanwhile
	works 'stopped: it is said' grep -q 'is stopped' "$work/err"
	works 'stopped: a recording by name is not there' exits 5 "$jfrec" dump --name 1 -o no.jfr "$pid"
	kill -CONT "$pid"
	works 'it goes on' is_undisturbed
	rm -f ./*.jfr
	end_jvm
	works 'dead: its directory' exits 0 "$jfrec" dump -o dead.jfr "$repository"
	works 'dead: all that was flushed' is_whole dead.jfr
	rm -rf "$repository" ./*.jfr
}

test_disabled()
{
	launch_busy -XX:+DisableAttachMechanism
	works 'attach disabled: by itself' exits 0 "$jfrec" dump -o disabled.jfr "$pid"
	works 'attach disabled: that is said' grep -q -e 'as with --from-repository' "$work/err"
	works 'attach disabled: from its repository' brings x.jfr $copy
	end_jvm
	rm -rf "$repository" ./*.jfr
}

as_nobody()
{
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

test_users()
{
	if ! is_root || ! command -v setpriv >/dev/null; then
		skip 'another user' 'needs root and setpriv'
		return
	fi
	as=65534:65534
	launch_busy
	as=
	works 'another user, by root' brings other.jfr $copy
	end_jvm
	rm -rf "$repository" ./*.jfr
	launch_busy
	works 'of root, by another user' exits 4 as_nobody "$jfrec" dump $copy -o /tmp/no.jfr "$pid"
	end_jvm
	rm -rf "$repository"
}

test_apart()
{
	if ! can_launch_apart; then
		skip 'a container' "$(why_not_apart)"
		return
	fi
	launch_apart
	"$jfrec" start --max-size 20m "$pid" >/dev/null
	sleep 2
	works 'a container' exits 0 "$jfrec" dump $copy -o apart.jfr "$pid"
	works 'is a recording' eval '"$jfrec" print --events jdk.JVMInformation --count apart.jfr | grep -qx "[1-9]"'
	end_apart
	rm -f ./*.jfr
}

# Nothing can be read of what is not finished.
test_old()
{
	start_jvm
	"$jfrec" start --max-size 20m "$pid" >/dev/null
	works 'nothing is finished' exits 1 "$jfrec" dump $copy -o x.jfr "$pid"
	works 'it is said' grep -q 'cannot be read until they are finished' "$work/err"
	end_jvm
	launch_busy
	becomes eval 'ls "$repository"/*.jfr' # a chunk takes longer on a busy machine
	works 'what is finished' exits 0 "$jfrec" dump $copy -o x.jfr "$pid"
	works 'the rest is told' grep -q 'the unfinished chunk, of' "$work/err"
	works 'it is whole' is_whole x.jfr
	end_jvm
	rm -rf "$repository" ./*.jfr
}

test_none()
{
	start_jvm
	works 'nothing is recorded' exits 1 "$jfrec" dump $copy -o x.jfr "$pid"
	works 'what to do is said' grep -q 'jfrec start' "$work/err"
	works 'no file was made' [ -z "$(ls -A)" ]
	end_jvm
}

test_jdk()
{
	test_none
	if can_flush; then
		test_running
		test_disabled
		test_users
		test_apart
	else
		test_old
	fi
}

for_each_jdk test_jdk
finish
