#!/bin/sh
# What jfrec snapshot refuses before it looks at a JVM; tests/live/snapshot.py takes some.
#
# usage: snapshot.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
. "$2/tests/cli/tap.sh"
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
cd "$work" || exit

# Does it end with that status, say these words, and leave nothing?
refuses()       # STATUS WORDS OPTION...
{
	wanted=$1
	words=$2
	shift 2
	mkdir empty
	(cd empty && exec "$jfrec" snapshot "$@") >out 2>err
	got=$?
	left=$(ls -A empty)
	rm -rf empty
	cat out err
	[ "$got" -eq "$wanted" ] && [ ! -s out ] && grep -qF -e "$words" err && [ -z "$left" ]
}

works 'a heap dump with secrets' refuses 2 'use --heapdump with --raw' --heapdump 1
works 'standard output' refuses 2 'cannot go to standard output' -o - 1
works 'an archive of another kind' refuses 2 'archives end in .tar.zst' -o a.zip 1
works 'no time for the recording' refuses 2 '--timeout must be longer' --timeout 20s 1
works 'a recording of no time' refuses 2 '1s to 1h' --duration 10ms 1
works 'a recording of a day' refuses 2 '1s to 1h' --duration 1d 1
works 'two JVMs' refuses 2 'one JVM' 1 2
works 'a process that is not there' refuses 3 'no process' 4194305
works 'a process that is no JVM' refuses 3 '' $$
finish
