#!/bin/sh
# jfrec list, without a JVM: processes that are none, and some that look like one.
#
# usage: list.sh JFREC SOURCE_ROOT

LC_ALL=C
export LC_ALL
. "$2/tests/cli/tap.sh"
jfrec=$1
work=$(mktemp -d)
children=
trap 'kill $children 2>/dev/null; rm -rf "$work"' EXIT

# A process that maps a file of that name, and says so in $work/NAME.
pretend()       # NAME
{
	mkdir -p "$work/files"
	echo x >"$work/files/$1"
	python3 -c 'import mmap, sys, time
file = open(sys.argv[1], "rb")
mapped = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
open(sys.argv[2], "w").close()
time.sleep(60)' "$work/files/$1" "$work/$1" &
	pretender=$!
	children="$children $pretender"
	for i in 1 2 3 4 5 6 7 8 9 10; do
		[ -e "$work/$1" ] && break
		sleep 0.2
	done
}

# What list says of these arguments, on either side, and its status.
says()          # NAME STATUS TEXT ARGUMENT...
{
	name=$1 want=$2 text=$3
	shift 3
	"$jfrec" list "$@" >"$work/said" 2>&1
	status=$?
	if [ $status -eq "$want" ] && grep -qF -- "$text" "$work/said"; then
		result ok "$name"
	else
		result not-ok "$name"
		echo "# status $status; wanted $want and: $text"
		sed 's/^/# /' "$work/said"
	fi
}

says 'a process that is no JVM' 3 'is no JVM' $$
says 'a pid that no process has' 3 'there is no process 2147483647' 2147483647
says 'a name that fits nothing' 3 'no JVM fits no.such.Main' no.such.Main
says 'a container that is not there' 3 'in container no-such' --container no-such
says 'a process outside of the container' 3 'no JVM in container no-such' $$ --container no-such
says 'a user that is not there' 2 'no user is called no-such-user' --user no-such-user
says 'an empty name' 2 'an empty name would mean every JVM' --container ''
says 'two names' 2 'name one JVM' a b
says 'no JVM in JSON' 3 '[]' --json no.such.Main
if [ -n "$("$jfrec" list --json | sed -n '1s/^\[.*/array/p')" ]; then
	result ok 'JSON is an array'
else
	result not-ok 'JSON is an array'
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
