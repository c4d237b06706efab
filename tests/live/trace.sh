#!/bin/sh
# A server with slow requests, recorded anew: trace says of each reason what the requests measured.
#
# usage: trace.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
cli=$(realpath "$2")/tests/cli
. "$2/tests/cli/tap.sh"
. "$live/live.sh"

records()
{
	cp "$live/SlowServer.java" "$root$dir" &&
		in_root "$(dirname "$java")/javac" -d "$dir" "$dir/SlowServer.java" &&
		in_root timeout 300 "$java" -XX:+UseSerialGC -Xmx400m -cp "$dir" SlowServer "$dir/slow.jfr"
}

test_jdk()
{
	# Samples of CPU time, and a compiler for virtual threads.
	[ "$feature" -ge 25 ] && [ -x "$root$(dirname "$java")/javac" ] || return
	works "a server with slow requests" records
	works "what they waited for" python3 "$cli/slow_server.py" "$jfrec" "$root$dir/slow.jfr"
}

for_each_jdk test_jdk
finish
