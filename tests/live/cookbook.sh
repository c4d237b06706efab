#!/bin/sh
# The lines of jfrec-cookbook(7) about running JVMs work, on tests/live/Shop.java.
#
# usage: cookbook.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
top=$(realpath "$2")
live=$top/tests/live
. "$top/tests/cli/tap.sh"
live_sources=$live/Shop.java
. "$live/live.sh"
LC_ALL=C
export LC_ALL
cd "$work" || exit
program=Shop

# The page's options of java are those of JDK 9 and later.
try_jdk()
{
	[ "$feature" -ge 11 ] && [ -z "$root" ] || return
	start_jvm -Xmx256m -XX:StartFlightRecording:settings=profile
	judged_by python3 "$top/tests/cli/cookbook.py" "$jfrec" "$top" '' "$pid" "$java" "$dir"
	end_jvm
}

for_each_jdk try_jdk
finish
