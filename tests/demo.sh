#!/bin/sh
# Shows what jfrec does, on a fresh Debian or Ubuntu machine.
#
# usage: sh tests/demo.sh
#
# Installs what a build needs (machine.sh), builds in build-demo, and reads a
# recording with it. With a JDK's `jfr` at hand, compares the two.

LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/.." || exit
. tests/machine.sh
build=build-demo
jfrec=$build/jfrec
recording=tests/data/ok/jvm-25.jfr
log=$(mktemp)
trap 'rm -f "$log" "$log".*' EXIT

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

show()          # LINES COMMAND...: run it, show its first lines
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
	"$@" >"$log" || fail "$1 failed"
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

needs_of_build
install_missing || exit
if [ ! -f "$build/build.ninja" ]; then
	meson setup --buildtype=release -Dman=disabled "$build" . >"$log" 2>&1 || fail 'meson failed'
fi
ninja -C "$build" jfrec >"$log" 2>&1 || fail 'the build failed'

title "What is in a recording of $(($(wc -c <"$recording") / 1000)) kB that JDK 25 made?"
show 14 "$jfrec" summary "$recording"

title 'One kind of its events, as text and as JSON'
show 12 "$jfrec" print --events GarbageCollection "$recording"
echo
show 16 "$jfrec" print --json --events GarbageCollection "$recording"

title 'How long does all of it take, as JSON?'
ours=$(best_of_three "$jfrec" print --json "$recording") || fail 'jfrec failed'
mv "$log.out" "$log.ours"
echo "jfrec:  $ours for $(wc -c <"$log.ours") bytes"
jfr=jfr
[ -z "$JAVA_HOME" ] || jfr=$JAVA_HOME/bin/jfr
if ! command -v "$jfr" >/dev/null; then
	echo 'JDK:    no `jfr` is here to compare with (JAVA_HOME and PATH have none)'
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
printf '\nThe tool is %s; try %s --help.\n' "$jfrec" "$jfrec"
