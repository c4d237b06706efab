#!/bin/sh
# jfrec mcp of a running JVM: its tools answer, without secrets; what the server records ends with it.
#
# usage: mcp.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
. "$2/tests/cli/tap.sh"
live_sources=$live/Talks.java
program=Talks
. "$live/live.sh"
cd "$work" || exit

test_jdk()
{
	rm -rf "$work/made"
	mkdir "$work/made"
	start_jvm -Xmx64m -Ddb.password=hunter2-Qx9f -Dapi.token=sk-81hJqp02mAaXw
	judged_by python3 "$live/mcp.py" "$jfrec_itself" "$pid" "$work/made"
	works 'it continues, undisturbed' is_undisturbed
	end_jvm
}

if command -v python3 >/dev/null; then
	for_each_jdk test_jdk
else
	skip 'jfrec mcp' 'needs python3'
fi
finish
