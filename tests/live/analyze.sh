#!/bin/sh
# What analyze says of programs with one trouble each, and of healthy ones (troubles/), on each JDK.
#
# usage: analyze.sh JFREC SOURCE_ROOT
#
# Each program runs for 2 to 25 s and needs a processor: six minutes for each JDK.

jfrec=$(realpath "$1")
source=$(realpath "$2")
live=$source/tests/live
live_sources=$(echo "$live"/troubles/*.java)
. "$source/tests/cli/tap.sh"
. "$live/live.sh"

if ! command -v python3 >/dev/null; then
	echo "1..0 # SKIP no python3"
	exit 0
fi

judge()
{
	judged_by python3 "$live/troubles.py" "$jfrec_itself" "$feature" "$java" "$root" "$dir"
}

for_each_jdk judge
finish
