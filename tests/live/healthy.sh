#!/bin/sh
# Healthy JVMs are not refused for their limits: healthy.py.
#
# usage: healthy.sh JFREC SOURCE_ROOT
#
# $JFREC_TEST_HEALTHY: so many of the thirty programs; 4 if it is not set.

jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
. "$2/tests/cli/tap.sh"
. "$live/live.sh"

live_sources="$live/Idle.java $live/Busy.java $live/Shop.java $live/Work.java $live/Steps.java $live/Numbers.java
	$live/Shares.java"
for program in Batch BusyServer AllocPressure DeepStacks DirectBuffers ExceptionStorm Finalizers Humongous KeepAlive \
	LockContention LongPause Loss SlowSocket Throttled Bias; do
	live_sources="$live_sources $live/troubles/$program.java"
done

test_healthy()
{
	# Only programs of this system: of a chroot the groups are the same.
	[ -z "$root" ] || return
	judged_by python3 "$live/healthy.py" "$jfrec_itself" "$java" "$dir" "${JFREC_TEST_HEALTHY:-4}"
}

if ! is_root; then
	echo '1..0 # SKIP needs root'
	exit 0
fi
for_each_jdk test_healthy
finish
