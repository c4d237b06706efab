#!/bin/sh
# Metrics of a JVM that lives, once and served, and commands that its events set off.
#
# usage: metrics.sh JFREC SOURCE_ROOT
#
# Runs with each JDK from 17 on that is found in /usr/lib/jvm; $JFREC_TEST_JDKS ("17 25")
# narrows that down.

LC_ALL=C
export LC_ALL
jfrec=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
source=$(cd "$2" && pwd)
. "$source/tests/cli/tap.sh"
work=$(mktemp -d "${TMPDIR:-/tmp}/jfrec-metrics-XXXXXX")
jvm= server=
trap 'for pid in $jvm $server; do kill -9 $pid 2>/dev/null; done; rm -rf "$work"' EXIT
cd "$work" || exit

# Waits up to so many seconds until a command succeeds.
wait_for()      # SECONDS COMMAND...
{
	tries=$(($1 * 5))
	shift
	while [ $tries -gt 0 ]; do
		"$@" >said 2>&1 && return 0
		sleep 0.2
		tries=$((tries - 1))
	done
	echo "not within the time: $*"
	return 1
}

start_jvm()
{
	rm -f begun
	"$java" -Xmx64m -XX:+UseSerialGC -XX:StartFlightRecording:name=all,settings=default \
		-cp classes Steps 0 2000 0 0 >begun 2>&1 &
	jvm=$!
	wait_for 120 grep -q begun begun
}

collect_garbage()
{
	"$jfrec" jcmd $jvm GC.run >/dev/null
}

# The value of a sample, without its labels of the JVM.
value()         # FILE NAME [LABEL]
{
	awk -v name="$2" -v label="${3:-}" '
		index($1, name "{") == 1 && index($0, label) { print $NF; found = 1; exit }
		END { exit !found }' "$1"
}

has()           # FILE NAME [LABEL]
{
	value "$@" >/dev/null || { echo "no $2 $3"; cat "$1"; return 1; }
}

is_more()       # A B
{
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > b) }' || { echo "$1 is not more than $2"; return 1; }
}

metrics_now()
{
	"$jfrec" stream $jvm --metrics >now
}

has_pauses()
{
	metrics_now
	has now jvm_gc_pause_seconds_count
}

once()
{
	start_jvm
	collect_garbage
	works 'a pause comes to the disk' wait_for 10 has_pauses
	works 'load' has now jvm_cpu_load_ratio 'mode="user"'
	works 'threads' is_more "$(value now jvm_threads 'kind="active"')" 8
	works 'heap' is_more "$(value now jvm_heap_used_bytes 'when="After GC"')" 100000
	works 'no more than there is of it' is_more 67108865 "$(value now jvm_heap_used_bytes 'when="After GC"')"
	works 'the longest pause' is_more 1 "$(value now jvm_gc_pause_seconds 'quantile="1.0"')"
	works 'allocation' is_more "$(value now jvm_allocation_bytes_per_second)" 0
	works 'rates' is_more "$(value now jfr_events_per_second 'event="live.Step"')" 100
	works 'whose they are' has now jfr_events_total "source=\"$jvm\",name=\"Steps\""
	works 'the last flush' is_more "$(value now jfr_last_flush_timestamp_seconds)" "$(($(date +%s) - 5))"
}

page()
{
	python3 -c 'import sys, urllib.request as u; sys.stdout.write(u.urlopen(sys.argv[1]).read().decode())' "$url" >page
}

page_has()      # NAME [LABEL]
{
	page && has page "$@"
}

page_has_not()  # LABEL
{
	page && ! grep -q "$1" page
}

served()
{
	rm -f served.err # that of the JDK before names another port
	"$jfrec" stream Steps --follow --metrics --listen 127.0.0.1:0 2>served.err &
	server=$!
	works 'it is told where' wait_for 5 grep -q 'metrics at' served.err
	url=$(sed -n 's/.* at //p' served.err)
	works 'events come' wait_for 10 page_has jfr_events_total 'event="live.Step"'
	before=$(value page jfr_events_total 'event="live.Step"')
	sleep 2.2
	works 'the page goes on' page
	works 'by what was recorded' is_more "$(value page jfr_events_total 'event="live.Step"')" "$((before + 500))"
	first=$jvm
	kill -9 $jvm
	wait $jvm 2>/dev/null
	works 'a JVM that is gone is not there any more' wait_for 10 page_has_not "source=\"$first\""
	start_jvm
	works 'the next one is' wait_for 15 page_has jfr_events_total "source=\"$jvm\""
	kill -INT $server
	wait $server
	works 'Ctrl-C' [ $? -eq 130 ]
	server=
}

set_off()
{
	mkdir -p dumps
	"$jfrec" stream $jvm --on 'GCPhasePause[duration > 0ns]' --cooldown 1h --for 8s --ndjson \
		--exec "'$jfrec' dump \$JFREC_PID -o '$work/dumps/' && cat >event" >fit 2>fit.err &
	server=$!
	sleep 2
	collect_garbage
	collect_garbage
	wait $server
	server=
	works 'the command was run once' [ "$(ls dumps | wc -l)" -eq 1 ]
	works 'and its dump is whole' "$jfrec" summary dumps/*
	works 'for the event' grep -q '"type":"jdk.GCPhasePause"' event
	works 'all that fit were printed' [ "$(grep -c '"type":"jdk.GCPhasePause"' fit)" -ge 2 ]
	rm -rf dumps
}

found=
for java in /usr/lib/jvm/*/bin/java; do
	home=${java%/bin/java}
	[ -x "$home/bin/javac" ] && [ ! -L "$home" ] || continue
	version=$("$java" -version 2>&1 | sed -n '1s/.* version "\([0-9]*\).*/\1/p')
	[ "${version:-0}" -ge 17 ] || continue
	case " ${JFREC_TEST_JDKS:-$version} " in *" $version "*) ;; *) continue ;; esac
	label="JDK $version"
	rm -rf classes
	"$home/bin/javac" -d classes "$source/tests/live/Steps.java" >javac 2>&1 || continue
	found=1
	once
	served
	set_off
	kill -9 $jvm
	wait $jvm 2>/dev/null
	jvm=
done
if [ -z "$found" ]; then
	echo '1..0 # SKIP no JDK from 17 on'
	exit 0
fi
finish
