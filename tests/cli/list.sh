#!/bin/sh
# jfrec list, without a JVM: processes that are none, and some that look like one.
#
# usage: list.sh JFREC SOURCE_ROOT

jfrec=$1
command=list
. "$2/tests/cli/tap.sh"
. "$2/tests/cli/pretend.sh"

says 'a process that is no JVM' 3 'is not a JVM' $$
says 'a pid that no process has' 3 'there is no process 2147483647' 2147483647
says 'a name that fits nothing' 3 'no JVM matches no.such.Main' no.such.Main
says 'a container that is not there' 3 'in container no-such' --container no-such
says 'a process outside of the container' 3 'not a JVM in container no-such' $$ --container no-such
says 'a user that is not there' 2 'no user is called no-such-user' --user no-such-user
says 'an empty name' 2 'an empty name would select every JVM' --container ''
says 'two names' 2 'name one JVM' a b
says '--all, as other commands take it' 3 'no JVM matches' --all no.such.Main
says 'no JVM in JSON' 3 '\[\]' --json no.such.Main
if "$jfrec" list --json | grep -q '^  "jvms": \['; then
	result ok 'JSON has the JVMs'
else
	result not-ok 'JSON has the JVMs'
fi

if command -v python3 >/dev/null; then
	pretend libjvm.so
	says 'a JVM that has just been started' 0 'is still starting' $pretender
	sleep 2
	says 'a JVM that would die of SIGQUIT' 0 'does not handle SIGQUIT' $pretender
	says 'the same in JSON' 0 '"exitCode": 5' --json $pretender
	kill -STOP $pretender
	sleep 0.2
	says 'a JVM that is stopped' 0 'is stopped' $pretender
	pretend libj9vm29.so
	says 'OpenJ9' 0 'runs Eclipse OpenJ9' $pretender
	says 'OpenJ9 in JSON' 0 '"kind": "openj9"' --json $pretender
	kill -CONT $children
else
	result ok 'processes that look like a JVM # SKIP no python3'
fi

finish
