#!/bin/sh
# What `jfrec top` costs: 20 JVMs of 100 threads, looked at every 2 s, without and with findings.
#
# usage: top.sh JFREC JAVA_HOME [SECONDS [JVMS [THREADS]]]
#
# The CPU time is that of jfrec and of all its children, by the kernel's counts. The goals are 0.5 %
# of a core without, and 2 % with findings.

LC_ALL=C
export LC_ALL
jfrec=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
java=$2/bin/java
seconds=${3:-120} jvms=${4:-20} threads=${5:-100}
work=$(mktemp -d "${TMPDIR:-/tmp}/jfrec-bench-XXXXXX")
pids=
trap 'kill $pids 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit

# Threads that wait, one that allocates a little, and one that computes now and then.
cat >Many.java <<'JAVA'
public class Many {
	static volatile Object last;

	static void often(Runnable r, long ms) {
		Thread t = new Thread(() -> {
			for (;;) {
				r.run();
				try {
					Thread.sleep(ms);
				} catch (InterruptedException e) {
					return;
				}
			}
		});
		t.start();
	}

	public static void main(String[] args) {
		for (int i = Integer.parseInt(args[0]); i > 2; i--)
			often(() -> { }, 60_000);
		often(() -> last = new byte[100_000], 20);
		often(() -> { for (int i = 0; i < 100_000; i++) last = i; }, 50);
	}
}
JAVA
"$2/bin/javac" Many.java || exit
for i in $(seq "$jvms"); do
	"$java" -Xmx32m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:StartFlightRecording -cp . Many "$threads" >"java$i" 2>&1 &
	pids="$pids $!"
done
sleep $((20 + jvms))

# User and system time of the process and of the children that it has waited for, in ticks.
cpu()           # PID
{
	sed 's/.*) //' "/proc/$1/stat" | awk '{ print $12 + $13 + $14 + $15 }'
}

measure()       # NAME OPTION...
{
	name=$1
	shift
	"$jfrec" top --ndjson --every 2s "$@" >out &
	top=$!
	sleep 10 # the first look opens files
	before=$(cpu "$top")
	sleep "$seconds"
	after=$(cpu "$top")
	echo "$before $after $(getconf CLK_TCK)" | awk -v name="$name" -v s="$seconds" '{
		printf "%-17s CPU %.2f s of %d: %.2f %% of a core", name, ($2 - $1) / $3, s, 100 * ($2 - $1) / $3 / s }'
	sed -n 's/^VmHWM:[[:space:]]*\(.*\)/, peak \1/p' "/proc/$top/status"
	kill "$top"
	wait "$top" 2>/dev/null
}

echo "$jvms JVMs of $threads threads, every 2 s"
measure 'without findings' --no-findings
measure 'with findings'
grep -c '"severity"' out | sed 's/^/lines with a finding: /'
