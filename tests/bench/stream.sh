#!/bin/sh
# How late events are, and what following them costs: 10,000 events in a second, of which one type
# with ten is followed, by jfrec and by the JDK's own stream, at the same time on the same JVM.
#
# usage: stream.sh JFREC SOURCE_ROOT JAVA_HOME [SECONDS]
#
# The latency is from the commit to the line, so it holds the flush interval of 1 s.

LC_ALL=C
export LC_ALL
jfrec=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
source=$(cd "$2" && pwd)
java=$3/bin/java
seconds=${4:-60}
work=$(mktemp -d "${TMPDIR:-/tmp}/jfrec-bench-XXXXXX")
jvm=
trap 'kill $jvm $ours $theirs 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit

# Lines of standard input with a number of ns since 1970: how old they are when they come, in ms.
cat >age.py <<'PY'
import re, sys, time
for line in iter(sys.stdin.buffer.readline, b""):
    found = re.search(rb'"number":(\d+)', line)
    if found:
        print((time.time_ns() - int(found.group(1))) / 1e6)
PY

# CPU of all threads so far, in ns.
cpu()           # PID
{
	cat /proc/"$1"/task/*/schedstat | awk '{ sum += $1 } END { printf "%.0f\n", sum }'
}

report()        # NAME PID CPU_BEFORE
{
	echo "$(cpu "$2") $3" | awk -v name="$1" -v s="$seconds" '{
		ns = $1 - $2
		printf "%-6s CPU %.3f s of %d: %.2f %% of a core", name, ns / 1e9, s, ns / 1e7 / s }'
	sed -n 's/^VmHWM:[[:space:]]*\(.*\)/, peak \1/p' "/proc/$2/status"
}

latency()       # NAME FILE
{
	sort -n "$2" | awk -v name="$1" '
		{ a[NR] = $1 }
		END { printf "%-6s %d events, latency p50 %.0f ms, p99 %.0f ms, max %.0f ms\n",
			name, NR, a[int(NR * 0.5) + 1], a[int((NR - 1) * 0.99) + 1], a[NR] }'
}

"$3/bin/javac" -d classes "$source/tests/bench/Rate.java" "$source/tests/live/Reader.java" || exit
"$java" -Xmx256m "-XX:FlightRecorderOptions:repository=$work/repository" -XX:StartFlightRecording:maxsize=200m \
	-cp classes Rate $((seconds + 20)) >java 2>&1 &
jvm=$!
sleep 4
mkfifo ours.pipe theirs.pipe
python3 age.py <ours.pipe >ours.ages &
python3 age.py <theirs.pipe >theirs.ages &
"$jfrec" stream $jvm -e bench.Mark --ndjson >ours.pipe &
ours=$!
"$java" -Xmx64m -cp classes Reader "$(ls -d repository/*)" -1 bench.Mark >theirs.pipe &
theirs=$!
# Not the start of either.
sleep 10
ours_before=$(cpu $ours)
theirs_before=$(cpu $theirs)
sleep "$seconds"
report jfrec $ours "$ours_before"
report JDK $theirs "$theirs_before"
kill $theirs
kill -INT $ours
wait $ours $theirs 2>/dev/null
latency jfrec ours.ages
latency JDK theirs.ages
