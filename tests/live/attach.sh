#!/bin/sh
# Attaching to JVMs: the handshake, what must keep us from it, and that no JVM
# is ever worse off for us.
#
# usage: attach.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
. "$2/tests/cli/tap.sh"
. "$live/live.sh"
JFREC_LIVE_TEST=$work
export JFREC_LIVE_TEST

# Does it answer?
answers()
{
	exits 0 "$jfrec" jcmd "$pid" VM.version && grep -q '^JDK ' "$work/out"
}

says()          # WORDS: on standard error
{
	grep -q "$1" "$work/err" || { cat "$work/err"; return 1; }
}

refuses()       # STATUS WORDS
{
	exits "$1" "$jfrec" jcmd "$pid" VM.version && says "$2"
}

socket()
{
	echo "$root/tmp/.java_pid$pid"
}

# ------------------------------------------------------------------------------

test_handshake()
{
	start_jvm
	works 'a fresh JVM answers' answers
	works 'nothing of ours is left' is_clean
	works 'no thread dump was printed' is_undisturbed
	rm -f "$(socket)"
	works 'a deleted socket comes back' answers
	works 'nothing is left then' is_clean
	works 'no thread dump then' is_undisturbed
	works 'an unknown command fails' exits 1 "$jfrec" jcmd "$pid" no.such.command
	works 'what it says is on standard error' says 'Unknown diagnostic command'
	works 'Flight Recorder failing is a failure' exits 1 "$jfrec" jcmd "$pid" JFR.dump name=1
	works 'an answer beyond --max-reply' exits 9 "$jfrec" jcmd --max-reply 100 "$pid" Thread.print
	works 'is given up with a reason' says 'stopped reading its reply after 100 B; raise --max-reply'
	works 'a long argument' long_argument
	works 'a line feed parts commands' two_commands
}

# More than version 1 of the protocol can carry.
long_argument()
{
	long=$(printf '%2000s' '' | tr ' ' x)
	if [ "$feature" -ge 24 ]; then
		exits 0 "$jfrec" jcmd "$pid" help "$long" && grep -q '^Help unavailable' "$work/out"
	else
		exits 2 "$jfrec" jcmd "$pid" help "$long" && says 'exceeds the limit of this JVM, 1024 bytes'
	fi
}

two_commands()
{
	exits 0 "$jfrec" jcmd "$pid" 'VM.uptime
VM.version' && grep -q '^[0-9.]* s$' "$work/out" && grep -q '^JDK ' "$work/out"
}

# It is still the JVM of test_handshake.
test_stopped()
{
	rm -f "$(socket)"
	stop_jvm
	works 'a stopped JVM is refused' refuses 5 'kill -CONT'
	works 'it got no trigger' is_clean
	kill -CONT "$pid"
	works 'going on, it answers' answers
	works 'it got no signal' is_undisturbed
	stop_jvm
	works 'stopped with a socket, it is not asked' \
		exits 5 "$jfrec" jcmd --timeout 1h "$pid" VM.version
	works 'that it is stopped is said' says 'is stopped'
	kill -CONT "$pid"
	works 'it answers the next one' answers
	hold_listener
	begin_client 1h
	becomes grep -q "connected to" "$work/err"
	stop_jvm
	works 'stopped in the middle of a command, it is not waited for' end_of_client 6
	works 'that it may still do it is said' says 'may still carry out'
	kill -CONT "$pid"
	release_listener
	works 'then it answers the next one' answers
}

many()
{
	for i in $(seq 50); do
		{ "$jfrec" jcmd "$pid" VM.version >/dev/null 2>"$work/many.$i" ||
			echo "$i" >>"$work/failed"; } &
		clients="$clients $!"
	done
	wait $clients
	[ ! -e "$work/failed" ] || { cat "$work"/many.*; return 1; }
}

test_many()
{
	start_jvm
	works '50 clients of a fresh JVM are all served' many
	works 'they left nothing' is_clean
	works 'they caused no thread dump' is_undisturbed
	rm -f "$work"/many.* "$work/failed"
	end_jvm
}

# Killing ------------------------------------------------------------------------

begin_client()  # [TIMEOUT]
{
	: >"$work/err"
	"$jfrec" jcmd --trace --timeout "${1:-3s}" "$pid" VM.version >"$work/out" 2>"$work/err" &
	client=$!
}

end_of_client() # STATUS
{
	wait "$client"
	[ $? -eq "$1" ] || { cat "$work/err"; return 1; }
}

# Helpers of ours, by a variable that they have from us.
no_helper()
{
	for comm in $(grep -l '^jfrec-helper$' /proc/[0-9]*/comm 2>/dev/null); do
		! grep -q "JFREC_LIVE_TEST=$work" "${comm%comm}environ" 2>/dev/null || return
	done
}

test_killed_jvm()
{
	hold_listener
	begin_client
	becomes grep -q "connected to" "$work/err"
	kill -9 "$pid"
	works 'a JVM killed in the middle of a command' end_of_client 7
	release_listener
	end_jvm
}

kill_client()   # SIGNAL
{
	begin_client
	sleep 0.2
	kill "-$1" "$client"
	wait "$client" 2>/dev/null
}

# At moments all over the handshake, and soon after.
kill_clients()
{
	for ms in 000 001 002 003 005 008 012 020 040; do
		rm -f "$(socket)"
		begin_client
		sleep "0.$ms"
		kill -9 "$client" 2>/dev/null
		wait "$client" 2>/dev/null
		becomes no_helper || return
		is_clean || return
	done
	answers
}

test_killed_client()
{
	start_jvm
	works 'clients killed during the handshake leave nothing' kill_clients
	works 'they caused no thread dump' is_undisturbed
	hold_listener
	for signal in KILL INT HUP; do
		kill_client "$signal"
	done
	release_listener
	works 'clients killed in the middle of a command leave nothing' is_clean
	works 'the JVM answers the next one' answers
	works 'no helper is left' becomes no_helper
}

test_wedged()
{
	works 'a JVM is wedged' wedge_jvm
	works 'a wedged JVM is given up' exits 5 "$jfrec" jcmd --timeout 2s "$pid" VM.version
	works 'the cause is named' says 'listens again only after a restart'
	works 'nothing is left in it' is_clean
	kill_client KILL
	works 'a client killed while it waits leaves nothing' becomes is_clean
	works 'it runs on' is_alive
	end_jvm
}

# Preconditions ------------------------------------------------------------------

test_reduced_signals()
{
	start_jvm -Xrs
	works '-Xrs: it answers' answers
	rm -f "$(socket)"
	works '-Xrs and a deleted socket: refused' refuses 5 'does not handle SIGQUIT'
	works '-Xrs: it was not killed' is_undisturbed
	end_jvm
}

test_disabled()
{
	start_jvm -XX:+DisableAttachMechanism
	works 'disabled attach is refused' refuses 5 DisableAttachMechanism
	works 'disabled attach: no signal was sent' is_undisturbed
	end_jvm
	start_jvm -XX:+DisableAttachMechanism -XX:-UsePerfData
	works 'disabled attach without performance data' refuses 5 DisableAttachMechanism
	works 'no signal was sent then' is_undisturbed
	end_jvm
	JAVA_TOOL_OPTIONS='-XX:+DisableAttachMechanism -XX:-UsePerfData'
	export JAVA_TOOL_OPTIONS
	start_jvm
	unset JAVA_TOOL_OPTIONS
	works 'disabled attach by the environment' refuses 5 DisableAttachMechanism
	works 'no signal was sent then either' is_undisturbed
	end_jvm
}

test_without_perf()
{
	start_jvm -XX:-UsePerfData
	works 'without performance data it answers' answers
	works 'without performance data: no thread dump' is_undisturbed
	end_jvm
}

test_deleted_cwd()
{
	mkdir "$root$dir/gone"
	cwd=$dir/gone
	start_jvm
	rmdir "$root$dir/gone"
	works 'without its directory it answers' answers
	works 'nothing is left in its /tmp' is_clean
	end_jvm
}

attach_to_newborn()
{
	for ms in 000 000 001 003 006 010 015 025 040 060 090; do
		launch ${1:+"$1"}
		sleep "0.$ms"
		"$jfrec" jcmd "$pid" VM.version >"$work/out" 2>"$work/err"
		echo "after $ms ms: $? $(cat "$work/err")"
		is_undisturbed && becomes is_up && answers && is_clean || return
		end_jvm
	done
}

test_newborn()
{
	works 'JVMs milliseconds old are not killed' attach_to_newborn
}

# Users and namespaces -----------------------------------------------------------

as_other()      # COMMAND...
{
	setpriv --reuid 4713 --regid 4713 --clear-groups "$@"
}

test_users()
{
	if ! is_root || ! command -v setpriv >/dev/null; then
		skip 'other users' 'needs root and setpriv'
		return
	fi
	as=4711:4712
	start_jvm
	works 'root is answered by a JVM of another user' answers
	works 'nothing is left by root' is_clean
	works 'no thread dump for root' is_undisturbed
	rm -f "$(socket)"
	works 'another user is refused' exits 4 as_other "$jfrec" jcmd "$pid" VM.version
	works 'whose it is is said' says 'belongs to uid 4711'
	works 'another group is refused' exits 4 \
		setpriv --reuid 4711 --regid 4713 --clear-groups "$jfrec" jcmd "$pid" VM.version
	works 'no signal was sent for them' is_undisturbed
	works 'its own user is answered' exits 0 \
		setpriv --reuid 4711 --regid 4712 --clear-groups "$jfrec" jcmd "$pid" VM.version
	end_jvm
	as=
}

# A JVM with capabilities hides its root from its own user. It must have performance
# data, and so a user with a name, to be known in our /tmp.
test_capabilities()
{
	nobody="setpriv --reuid nobody --regid $(id -g nobody) --clear-groups"
	keep='--inh-caps +net_bind_service --ambient-caps +net_bind_service'
	if [ -n "$root" ] || ! is_root || ! $nobody $keep true 2>/dev/null; then
		skip capabilities 'needs root, setpriv, and the JVM in our root'
		return
	fi
	prefix="$nobody $keep"
	start_jvm
	prefix=
	works 'a JVM with capabilities answers its own user' \
		exits 0 $nobody "$jfrec" jcmd "$pid" VM.version
	works 'it answers root' answers
	works 'no thread dump with capabilities' is_undisturbed
	end_jvm
}

answers_apart()
{
	answers && ! ls -a "/proc/$pid/root/tmp" "/proc/$pid/cwd/" | grep -e '^\.attach_pid' -e '^\.jfrec'
}

test_namespaces()
{
	if ! can_launch_apart; then
		skip namespaces "$(why_not_apart)"
		return
	fi
	launch_apart
	works 'in namespaces of its own it answers' answers_apart
	rm -f "/proc/$pid/root/tmp/.java_pid1"
	works 'a deleted socket comes back there' answers_apart
	works 'no thread dump there' is_undisturbed
	end_apart
	if ! unshare --user --map-root-user true 2>/dev/null; then
		skip 'user namespace' "$(why_not_apart --user --map-root-user)"
		return
	fi
	launch_apart --user --map-root-user
	works 'in a user namespace, too, it answers' answers_apart
	works 'no thread dump in a user namespace' is_undisturbed
	end_apart
}

test_jdk()
{
	test_handshake
	test_stopped
	test_killed_jvm
	test_many
	test_killed_client
	test_wedged
	test_reduced_signals
	test_disabled
	test_without_perf
	test_deleted_cwd
	test_newborn
	test_users
	test_capabilities
	test_namespaces
}

for_each_jdk test_jdk
finish
