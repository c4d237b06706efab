#!/bin/sh
# threads of a running JVM: what is planted in it is named first, and of healthy programs nothing is
# said, in several looks.  What one dump cannot tell, a second one does.
#
# usage: threads.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
. "$2/tests/cli/tap.sh"
live_sources=$live/Stands.java
. "$live/live.sh"
program=Stands

# The first line begins so.
says()          # STATUS PATTERN OPTION...
{
	status=$1
	pattern=$2
	shift 2
	exits "$status" "$jfrec" threads --fail-on deadlock "$@" "$pid" && head -n 1 "$work/out" | grep -q "^$pattern"
}

finds()         # TROUBLE STATUS PATTERN OPTION...
{
	arguments=$1
	shift
	start_jvm -Xmx64m || return
	becomes says "$@"
	found=$?
	end_jvm
	return $found
}

# In 5 looks at what goes on and on.
finds_nothing() # TROUBLE...
{
	arguments=$*
	start_jvm -Xmx64m || return
	for look in 1 2 3; do
		says 0 'No deadlock' || break
	done &&
		says 0 'No deadlock' --samples 2 --interval 1s && says 0 'No deadlock' --locks
	found=$?
	end_jvm
	return $found
}

# On a busy machine it does not get a whole processor.
is_hot()
{
	exits 0 "$jfrec" threads --interval 1s "$pid" && sed -n '/^CPU/{n;p;}' "$work/out" | grep -q 'spinner  Stands.spin('
}

spins()
{
	arguments=spin
	start_jvm -Xmx64m && becomes is_hot
	found=$?
	end_jvm
	return $found
}

test_jdk()
{
	works 'a deadlock over monitors' finds monitor 20 'Deadlock of 2 threads: \(left\|right\) '
	works 'over locks' finds juc 20 'Deadlock of 2 threads: \(first\|second\) '
	works 'over both' finds mixed 20 'Deadlock of 2 threads: \(locker\|monitor\) '
	works 'over classes' finds classes 20 'Deadlock of 2 threads: '
	[ "$feature" -lt 25 ] ||
		works 'over virtual threads' finds virtual-monitor 20 'Deadlock of 2 threads: virtual thread #' --virtual
	works 'a pool without a worker' finds pool 0 'All 4 threads of pool-1-thread-\* wait for results'
	works 'a pool that others wait for' finds backend 0 'All 6 threads of pool-1-thread-\* have stood' --interval 1s
	works 'a holder that stands' finds behind 0 'holder has stood' --interval 1s
	works 'a thread that spins' spins
	works 'pools and servers at rest' finds_nothing idle servers unawaited
	works 'threads that hand on' finds_nothing pingpong
}

for_each_jdk test_jdk
finish
