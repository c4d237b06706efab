#!/bin/sh
# A production day: a server with four troubles, each on for a while. analyze names the four, and
# when they were, and nothing else.
#
# usage: day.sh JFREC SOURCE_ROOT
#
# The day takes three minutes, or $JFREC_TEST_DAY seconds: 1800 is half an hour.

jfrec=$(realpath "$1")
source=$(realpath "$2")
live=$source/tests/live
live_sources=$live/day/Day.java
. "$source/tests/cli/tap.sh"
. "$live/live.sh"
seconds=${JFREC_TEST_DAY:-180}

if ! command -v python3 >/dev/null; then
	echo "1..0 # SKIP no python3"
	exit 0
fi

live_a_day()
{
	in_root "$java" -Xmx200m "-XX:StartFlightRecording=settings=profile,filename=$dir/day.jfr" \
		-cp "$dir" Day "$seconds" >"$work/day" 2>&1
	judged_by python3 "$live/day.py" "$jfrec_itself" "$root$dir/day.jfr" "$work/day" "$seconds"
}

for_each_jdk live_a_day
finish
