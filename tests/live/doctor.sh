#!/bin/sh
# jfrec doctor: each thing that can be wrong with a JVM is found, what is well is
# called so, and the JVM is not changed by being looked at.
#
# usage: doctor.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
. "$2/tests/cli/tap.sh"
. "$live/live.sh"

# What is well takes as long as it takes; what hangs is not waited for.
examine()       # STATUS ARGUMENT...: in $work/out
{
	status=$1
	shift
	exits "$status" "$jfrec" doctor --timeout "${timeout:-200s}" "$@" "$pid" && [ ! -s "$work/err" ]
}

says()          # STATE CHECK WORDS
{
	grep -q "^$1  *$2  *.*$3" "$work/out" || { cat "$work/out"; return 1; }
}

advises()       # WORDS
{
	grep -qF "to fix it: $1" "$work/out" || { cat "$work/out"; return 1; }
}

# Nothing is wrong.
is_well()       # ARGUMENT...
{
	examine 0 "$@" && ! grep -e '^wrong' -e '^note' "$work/out"
}

# One thing is.
is_ill()        # CHECK WORDS ADVICE
{
	examine 1 && says wrong "$1" "$2" && advises "$3" && [ "$(grep -c ^wrong "$work/out")" -eq 1 ]
}

# Without performance data nobody says that it has been started, so it must be some seconds old.
is_old()
{
	"$jfrec" doctor "$pid" | grep '^ok *attach'
}

socket()
{
	echo "$root/tmp/.java_pid$pid"
}

is_untouched()
{
	is_undisturbed && is_clean && [ ! -e "$(socket)" ]
}

# ------------------------------------------------------------------------------

# That this JDK is one that was tested.
knows_java()
{
	"$jfrec" doctor --self | grep "^ok *$pid .*: Java .* recordings of format 2\.[01]: tested with JDK"
}

test_well()
{
	start_jvm
	works 'a fresh JVM is well' is_well
	works 'it is not asked' says unknown answer 'not asked'
	works 'how to ask it is said' advises "jfrec doctor --attach $pid"
	works 'it was not made to listen' is_untouched
	works 'it is asked with --attach' is_well --attach
	works 'it answers' says ok answer within
	works 'then it listens' is_well
	works 'so it is asked' says ok answer within
	works 'Flight Recorder was not used' says ok recordings 'not been used'
	works 'JSON' exits 0 "$jfrec" doctor --json "$pid"
	works 'JSON says that it is well' grep -q '"good": true' "$work/out"
	works 'nothing of ours is left' is_clean
	works '--self knows its Java' knows_java
	works 'no thread dump was printed' is_undisturbed
}

# It is still the JVM of test_well.
test_recording()
{
	works 'a recording' exits 0 "$jfrec" start --max-size 20m "$pid"
	works 'with a limit it is well' is_well
	works 'that it has one is said' says ok recordings '1, with a limit'
	works 'its repository is found' says ok repository '/2[0-9_]*_[0-9]'
	"$jfrec" jcmd "$pid" JFR.start maxsize=0 name=endless >"$work/out" 2>&1
	works 'one without' is_ill recordings 'has no limit' 'jfrec stop --name'
	rm -rf "$root"/tmp/2*_"$pid"
	works 'a deleted repository' examine 1
	works 'it is named' says wrong repository 'was deleted while'
	end_jvm
}

test_attach()
{
	start_jvm
	stop_jvm
	works 'a stopped JVM' is_ill state 'is stopped' "kill -CONT $pid"
	kill -CONT "$pid"
	is_well --attach
	hold_listener
	timeout=3s
	works 'another tool holds the listener' is_ill answer 'did not reply in time' 'check whether another tool'
	release_listener
	rm -f "$(socket)"
	works 'a deleted socket' examine 0
	works 'that it was deleted is said' says note socket 'was deleted'
	works 'what to do is said' advises 'exclude /tmp/.java_pid*'
	works 'no signal was sent' is_untouched
	works 'a JVM is wedged' wedge_jvm
	works 'a wedged listener' examine 1 --attach
	timeout=
	works 'that it cannot be had is said' says wrong answer 'took SIGQUIT but'
	works 'it runs on' is_alive
	end_jvm
}

# What a JVM of the same number left behind.
leave_socket()
{
	perl -e 'use IO::Socket::UNIX;
		umask 077;
		IO::Socket::UNIX->new(Local => $ARGV[0], Listen => 1) or die' "$(socket)"
}

test_options()
{
	start_jvm -Xrs
	works '-Xrs: nothing is wrong' examine 0
	works '-Xrs: what may be is said' says note signal 'does not handle SIGQUIT'
	rm -f "$(socket)"
	works '-Xrs and a deleted socket' examine 1
	works '-Xrs: that is said' says wrong signal 'does not handle SIGQUIT'
	works '-Xrs: it was not killed' is_undisturbed
	end_jvm
	start_jvm -XX:+DisableAttachMechanism
	works 'disabled attach' is_ill attach DisableAttachMechanism 'restart it'
	end_jvm
	start_jvm -XX:-FlightRecorder
	works 'Flight Recorder is off' is_ill recorder -XX:-FlightRecorder 'restart the JVM'
	end_jvm
	JAVA_TOOL_OPTIONS=-XX:-FlightRecorder
	export JAVA_TOOL_OPTIONS
	start_jvm
	works 'off by the environment' is_ill recorder -XX:-FlightRecorder 'restart the JVM'
	end_jvm
	start_jvm -XX:-UsePerfData
	becomes is_old
	works 'off, without performance data' is_ill recorder -XX:-FlightRecorder 'restart the JVM'
	unset JAVA_TOOL_OPTIONS
	end_jvm
}

test_surroundings()
{
	start_jvm
	leave_socket
	works 'the socket of another' is_ill socket 'no process listens' "rm /tmp/.java_pid$pid"
	rm -f "$(socket)"
	end_jvm
	mkdir "$root$dir/gone"
	cwd=$dir/gone
	start_jvm
	rmdir "$root$dir/gone"
	works 'a deleted working directory' is_ill directory 'was removed' 'restart the JVM'
	end_jvm
}

# A runtime of nothing but java.base.
test_small()
{
	jlink=$(dirname "$java")/jlink
	if [ ! -x "$root$jlink" ]; then
		skip 'a runtime without Flight Recorder' 'needs jlink'
		return
	fi
	works 'a small runtime is made' in_root "$jlink" --add-modules java.base --output "$dir/small"
	java_before=$java
	java=$dir/small/bin/java
	start_jvm
	works 'a runtime without Flight Recorder' is_ill recorder 'does not have it' 'create it with jlink'
	end_jvm
	java=$java_before
}

as_user()       # UID GID COMMAND...
{
	uid=$1 gid=$2
	shift 2
	setpriv --reuid "$uid" --regid "$gid" --clear-groups "$@"
}

test_users()
{
	if ! is_root || ! command -v setpriv >/dev/null; then
		skip users 'needs root and setpriv'
		return
	fi
	as=4711:4712
	start_jvm
	as=
	becomes is_old
	works 'for root, a JVM of another user is well' is_well
	works 'for its own user, too' exits 0 as_user 4711 4712 "$jfrec" doctor "$pid"
	works 'not for another' exits 1 as_user 4713 4713 "$jfrec" doctor "$pid"
	works 'whose it is is said' says wrong user 'belongs to uid 4711'
	works 'nor for another group' exits 1 as_user 4711 4713 "$jfrec" doctor "$pid"
	works 'that of the group is said' says wrong user 'group 4712'
	works 'root without rights' exits 1 setpriv --bounding-set=-all "$jfrec" doctor "$pid"
	works 'which are missing is said' advises 'start the container with --cap-add SETUID'
	works 'root without one right' exits 1 \
		setpriv --bounding-set=-all,+setuid,+setgid "$jfrec" doctor "$pid"
	works 'which one is said' advises 'start the container with --cap-add SYS_PTRACE'
	works 'it was not made to listen by all that' is_untouched
	end_jvm
}

is_well_apart()
{
	examine 0 && says ok namespace 'pid, mnt, net, ipc'
}

test_apart()
{
	if ! can_launch_apart; then
		skip namespaces "$(why_not_apart)"
		return
	fi
	tmp_size=500m
	launch_apart
	works 'in namespaces of its own it is well' is_well_apart
	nsenter --target "$pid" --mount mount -t tmpfs -o ro none "$root/tmp"
	nsenter --target "$pid" --mount mount -o remount,ro,bind /
	becomes is_old
	works 'nowhere for the trigger' examine 1
	works 'that is said' says wrong trigger 'cannot create the file'
	end_apart
	tmp_size=20m
	launch_apart
	works 'a full disk' examine 1
	works 'where it is full is said' says wrong repository 'no room for the recording'
	end_apart
}

test_jdk()
{
	test_well
	test_recording
	test_attach
	test_options
	test_surroundings
	test_small
	test_users
	test_apart
}

for_each_jdk test_jdk
finish
