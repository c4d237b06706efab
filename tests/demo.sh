#!/bin/sh
# Shows what jfrec does, on a fresh Debian or Ubuntu machine.
#
# usage: sh tests/demo.sh
#
# Installs what a complete build needs, and a JDK (machine.sh), and builds in build-demo.  Then it
# starts a Java program with a fault, records it, shows what jfrec finds, and writes a flame graph
# and a report.  Without a JDK it reads a recording of another program with such a fault.

LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/.." || exit
. tests/machine.sh
build=build-demo
jfrec=$build/jfrec
recording=$build/orders.jfr
seconds=25      # analyze wants 20 at least
log=$(mktemp)
work=$(mktemp -d)
jvm=
trap '[ -z "$jvm" ] || kill "$jvm" 2>/dev/null; rm -rf "$log" "$work"' EXIT
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

show()          # LINES COMMAND...: run it, and show its first lines
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

# Build ----------------------------------------------------------------------------

install()
{
	needs_of_build
	install_missing || exit
	wants_of_build
	wants_of_demo
	install_missing || echo 'What needs these is left out.'
}

# How many of its steps ninja has done, in per cent.
percents()
{
	sed -un 's/^\[\([0-9]*\)\/\([0-9]*\)\].*/\1 \2/p' | while read -r made all; do
		echo "$((made * 100 / all)) built"
	done
}

build()
{
	echo "Building in $build"
	again=
	[ ! -f "$build/build.ninja" ] || again=--reconfigure
	meson setup $again --buildtype=release -Dtests=false -Dapidoc=disabled "$build" . >"$log" 2>&1 ||
		fail 'meson failed'
	{
		ninja -C "$build" 2>&1
		echo "status $?"
	} | tee "$log" | percents | show_progress
	grep -q '^status 0$' "$log" || fail 'the build failed'
}

# The main job ---------------------------------------------------------------------

is_ready()
{
	for i in $(seq 120); do
		! grep -q ready "$work/said" || return 0
		sleep 0.5
	done
	return 1
}

# tests/Orders.java; sets $jvm.
start_java()
{
	java=${JAVA_HOME:+$JAVA_HOME/bin/}java
	command -v "$java" >/dev/null || return
	"${java}c" -d "$work" tests/Orders.java >"$log" 2>&1 || return
	"$java" -Xmx64m -cp "$work" Orders >"$work/said" 2>&1 &
	jvm=$!
	is_ready
}

# The first JVMs, and the one that this script started.
show_list()
{
	"$jfrec" list >"$work/list" || fail 'jfrec list failed'
	awk -v ours="$jvm" 'NR <= 5 || $1 == ours' "$work/list" >"$work/some"
	echo "\$ $jfrec list"
	cat "$work/some"
	others=$(($(wc -l <"$work/list") - $(wc -l <"$work/some")))
	[ "$others" -eq 0 ] || echo "... and $others more"
}

record_java()
{
	title 'A Java program is running, tests/Orders.java, and it is slow. Which JVMs are there?'
	show_list
	title "Record it, for $seconds seconds"
	show 1 "$jfrec" record --duration "${seconds}s" --force -o "$recording" "$jvm"
	kill "$jvm"
	jvm=
}

read_another()
{
	title 'There is no JDK to start a program with: here is a recording of another one that is slow'
	cp tests/wild/recordings/lock-synchronized-25.jfr.zst "$recording"
}

show_findings()
{
	title 'What is wrong?'
	show 40 "$jfrec" analyze "$recording"
	title 'Where do threads wait, and for how long?'
	show 12 "$jfrec" view contention-by-site "$recording"
	title 'The same in SQL, by thread'
	show 12 "$jfrec" sql 'SELECT "eventThread.javaName" AS thread, count(*) AS waits,
		sum(duration) / 1000000 AS ms FROM JavaMonitorEnter GROUP BY 1 ORDER BY 3 DESC' "$recording"
	title 'And as pages'
	show 1 "$jfrec" flame --force "$recording" -o "$build/orders-flame.html"
	show 1 "$jfrec" report --force "$recording" -o "$build/orders-report.html"
}

has_proc && may_build_here || exit
echo 'jfrec is going to be built, and to record a Java program. The first time this takes some'
echo 'minutes, most of them to fetch and install packages.'
install
build
if start_java; then
	record_java
else
	read_another
fi
show_findings
cat <<END

--- Open these in a browser

    $PWD/$build/orders-report.html     what is wrong, when, and the evidence
    $PWD/$build/orders-flame.html      flame graphs of CPU time, allocation and locks

The program is $jfrec; \`meson install -C $build\` installs it with its manual pages and
completions. \`man jfrec-cookbook\` has the lines for other troubles.
END
