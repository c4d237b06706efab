#!/bin/sh
# Shows what jfrec does, on a fresh Debian or Ubuntu machine.
#
# usage: sh tests/demo.sh
#
# Installs what a build needs and, if possible, a JDK (machine.sh), and builds in build-demo.
# Then it starts a Java program, records it, and prints what the recording contains. Without a
# JDK it reads a recording of tests/data. If a JDK's `jfr` is installed, compares the two.

LC_ALL=C
export LC_ALL
may_fail=
cd "$(dirname "$0")/.." || exit
. tests/machine.sh
build=build-demo
jfrec=$build/jfrec
recording=tests/data/ok/jvm-25.jfr
log=$(mktemp)
work=$(mktemp -d)
jvm=
trap '[ -z "$jvm" ] || kill "$jvm" 2>/dev/null; rm -rf "$log" "$log".* "$work"' EXIT
trap 'exit 1' INT TERM HUP

fail()          # WHAT: shows the end of the log
{
	tail -n 20 "$log"
	echo "$1"
	exit 1
}

title()         # TEXT
{
	printf '\n--- %s\n\n' "$1"
}

show()          # LINES COMMAND...: run it, show its first lines; it may not fail unless $may_fail
{
	lines=$1
	shift
	printf '$'
	for word; do
		case $word in
		*[*,\ ]*) printf " '%s'" "$word" ;;
		*) printf ' %s' "$word" ;;
		esac
	done
	printf '\n'
	"$@" >"$log" || [ -n "$may_fail" ] || fail "$1 failed"
	head -n "$lines" "$log"
	[ "$(wc -l <"$log")" -le "$lines" ] || echo "... $(($(wc -l <"$log") - lines)) more lines"
}

# Milliseconds for COMMAND, the best of three runs; its output is in $log.out.
best_of_three() # COMMAND...
{
	best=
	for run in 1 2 3; do
		start=$(date +%s%N)
		"$@" >"$log.out" 2>"$log" || return
		took=$((($(date +%s%N) - start) / 100000))
		[ -n "$best" ] && [ "$best" -le "$took" ] || best=$took
	done
	printf '%d.%d ms' $((best / 10)) $((best % 10))
}

# Of the JDK that $jfr belongs to.
jdk_version()
{
	java=$(dirname "$(readlink -f "$(command -v "$jfr")")")/java
	"$java" -version 2>&1 | sed -n '1s/.*"\(.*\)".*/JDK \1/p' | grep . || echo 'of unknown version'
}

# The main job ---------------------------------------------------------------------

# A program that does a little of everything; its output is in $log.jvm.
start_java()
{
	cp tests/Busy.java "$work"
	"$java" -Xmx64m "$work/Busy.java" >"$log.jvm" 2>&1 &
	jvm=$!
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		grep -q ready "$log.jvm" && return
		sleep 0.5
	done
	return 1
}

has_events()    # TYPE: in the recording
{
	[ "$("$jfrec" print --events "$1" --count "$recorded")" -gt 0 ]
}

# The first JVMs, and the one that this script started.
show_list()
{
	"$jfrec" list >"$log.list" || fail 'jfrec list failed'
	awk -v ours="$jvm" 'NR <= 5 || $1 == ours' "$log.list" >"$log.some"
	echo "\$ $jfrec list"
	cat "$log.some"
	others=$(($(wc -l <"$log.list") - $(wc -l <"$log.some")))
	[ "$others" -eq 0 ] || echo "... and $others more"
}

record_java()
{
	recorded=$work/busy.jfr
	title 'A Java program is running. Which JVMs are there?'
	show_list
	title 'Can it be recorded?'
	may_fail=yes
	show 20 "$jfrec" doctor "$jvm"
	may_fail=
	title 'Record it for three seconds, and fetch the recording'
	show 1 "$jfrec" record --duration 3s --settings profile -o "$recorded" "$jvm"
	ls -l "$recorded"
	title 'What is in it?'
	show 12 "$jfrec" summary "$recorded"
	title 'What did the program do, as JSON?'
	set -- jdk.ThreadSleep jdk.CPULoad jdk.JVMInformation
	for type; do
		has_events "$type" && break
	done
	show 16 "$jfrec" print --json --events "$type" "$recorded"
	title 'Is anything left in the JVM?'
	show 3 "$jfrec" check "$jvm"
	kill "$jvm"
	jvm=
}

# ----------------------------------------------------------------------------------

has_proc && may_build_here || exit
needs_of_build
install_missing || exit
wants_of_demo
install_missing
if [ ! -f "$build/build.ninja" ]; then
	meson setup --buildtype=release -Dman=disabled -Dtests=false "$build" . >"$log" 2>&1 || fail 'meson failed'
fi
ninja -C "$build" jfrec >"$log" 2>&1 || fail 'the build failed'

java=${JAVA_HOME:+$JAVA_HOME/bin/}java
if ! command -v "$java" >/dev/null; then
	title 'There is no Java in JAVA_HOME or PATH, so nothing can be recorded'
	echo 'Instead, here is a recording from tests/data:'
elif start_java; then
	record_java
else
	title 'This Java cannot run a source file (11 and later can), so nothing is recorded'
	tail -n 3 "$log.jvm"
fi

title "What does a recording of JDK 25 contain, of $(($(wc -c <"$recording") / 1024)) KiB?"
show 14 "$jfrec" summary "$recording"

title 'One kind of its events, as text and as JSON'
show 12 "$jfrec" print --events GarbageCollection "$recording"
echo
show 16 "$jfrec" print --json --events GarbageCollection "$recording"

title 'How long does it take to print all of it as JSON?'
ours=$(best_of_three "$jfrec" print --json "$recording") || fail 'jfrec failed'
mv "$log.out" "$log.ours"
echo "jfrec:  $ours for $(wc -c <"$log.ours") bytes"
jfr=jfr
[ -z "$JAVA_HOME" ] || jfr=$JAVA_HOME/bin/jfr
if ! command -v "$jfr" >/dev/null; then
	echo 'JDK:    there is no `jfr` in JAVA_HOME or PATH to compare with'
elif ! theirs=$(best_of_three "$jfr" print --json "$recording"); then
	echo 'JDK:    its `jfr` could not read the recording'
else
	if cmp -s "$log.out" "$log.ours"; then
		verdict='the same bytes'
	else
		verdict='not the same bytes: jfrec prints what JDK 25 prints'
	fi
	echo "JDK:    $theirs for $(wc -c <"$log.out") bytes ($(jdk_version): $verdict)"
fi
printf '\nThe program is %s; try %s --help.\n' "$jfrec" "$jfrec"
