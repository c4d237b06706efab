#!/bin/sh
# Before a command reads the first byte of a recording, it gives up what reading does not take: the
# kernel has a filter for it, seen in /proc while it waits for a pipe. What the filter refuses is
# tried in tests/unit/test_confine.c.
#
# usage: confined.sh JFREC SOURCE_ROOT

LC_ALL=C
export LC_ALL
jfrec=$(realpath "$1")
ok=$(cd "$2" && pwd)/tests/data/ok
. "$2/tests/cli/tap.sh"
work=$(mktemp -d)
reader=
trap '[ -z "$reader" ] || kill -9 $reader 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit
mkfifo pipe

waits()         # with the pipe open, and nothing in it
{
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
		# not the shell that is about to become it, and has the pipe, too
		case $(readlink /proc/$reader/exe /proc/$reader/fd/* 2>/dev/null) in
		"$jfrec"*"$work/pipe"*) return ;;
		esac
		sleep 0.2
	done
	return 1
}

shows()         # LINE: of its status
{
	sed 's/[[:space:]]\{1,\}/ /g' "/proc/$reader/status" >status
	grep -x "$1" status || { grep -e Seccomp -e NoNewPrivs status; return 1; }
}

confines()      # COMMAND...
{
	exec 9<>pipe    # so that opening it does not wait, and it does not end
	"$jfrec" "$@" >out 2>err 9>&- &
	reader=$!
	works "$*: it waits for its input" waits
	works "$*: it has a filter" shows 'Seccomp: 2'
	works "$*: it gets no new rights" shows 'NoNewPrivs: 1'
	exec 8>pipe 9>&-
	timeout 60 cat "$ok/settings-17.jfr" >&8
	exec 8>&-
	wait $reader
	status=$?
	reader=
	works "$*: it does what it should" [ "$status" -eq 0 ]
}

if nm -D "$jfrec" 2>/dev/null | grep -q __asan_init; then
	echo '1..0 # SKIP not with sanitizers, which trace their own process'
	exit 0
fi
confines print pipe
confines print --json pipe
confines summary pipe
confines metadata pipe
confines settings active pipe
confines settings cost pipe
confines filter --events 'jdk.GC*' -o filtered.jfr pipe
confines merge -o merged.jfr pipe
confines repair -o repaired.jfr pipe
confines scrub -o scrubbed.jfr pipe
finish
