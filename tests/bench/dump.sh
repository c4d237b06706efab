#!/bin/sh
# What a dump costs a server under load: requests per second and latencies, seen by its
# clients, in windows of a second: nothing; dump --from-repository; JFR.dump.
#
# usage: dump.sh JFREC SOURCE_ROOT [TIMES [MEGABYTES]]
#
# They take turns, TIMES (20) of them; each window is compared with the one right in front of it, in
# which there was nothing. "nothing again" is such a window, too: that is how exact the rest is.
# Prints medians, and between which the middle half lies.

LC_ALL=C
export LC_ALL
jfrec=$(realpath "$1")
source=$(realpath "$2")
times=${3:-20}
megabytes=${4:-200}
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
work=$(mktemp -d) || exit
server=
trap '[ -z "$server" ] || kill -9 "$server" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit

mkfifo commands
"${java%java}javac" -d . "$source/tests/bench/Requests.java" || exit
"$java" -Xmx256m -Dsun.net.httpserver.nodelay=true -XX:FlightRecorderOptions:repository="$work/repository" \
	-XX:StartFlightRecording:maxsize=1g -cp . Requests "$megabytes" <commands >said 2>log &
server=$!
exec 3>commands
for i in $(seq 600); do
	grep -q ready said && break
	kill -0 "$server" || { cat log; exit 1; }
	sleep 0.2
done
echo "$(du -sm repository | cut -f 1) MB in the repository, $times times"

window()        # NAME COMMAND...
{
	echo "begin $1" >&3
	shift
	sleep 0.2
	"$@" >/dev/null 2>>log || { tail -n 3 log; exit 1; }
	sleep 0.8
	echo end >&3
	sleep 0.1
}

for turn in $(seq "$times"); do
	window nothing true
	window nothing-again true
	window nothing true
	window from-repository "$jfrec" dump --force --from-repository -o copy.jfr "$server"
	sleep 0.5
	window nothing true
	window JFR.dump "$jfrec" dump --force -o dump.jfr "$server"
	sleep 0.5
done
exec 3>&-

# Each window by the one in front of it, as percentages.
awk '
	function rank(a, n, share) { return a[int((n - 1) * share) + 1] }
	function sort(a, n,    i, k, t) {
		for (i = 2; i <= n; i++)
			for (k = i; k > 1 && a[k - 1] > a[k]; k--) { t = a[k]; a[k] = a[k - 1]; a[k - 1] = t }
	}
	function tell(name, what, a, n) {
		sort(a, n)
		printf "%-16s %-22s %+6.1f %%   half of them %+.1f to %+.1f %%\n", name, what,
			rank(a, n, 0.5), rank(a, n, 0.25), rank(a, n, 0.75)
	}
	$1 == "nothing" { rate = $2; p99 = $4; n++; rates[n] = $2; p99s[n] = $4; next }
	rate { k = ++count[$1]; by_rate[$1, k] = 100 * ($2 / rate - 1); by_p99[$1, k] = 100 * ($4 / p99 - 1) }
	END {
		sort(rates, n); sort(p99s, n)
		printf "%-16s %d requests/s, 99 %% within %d us\n", "nothing", rank(rates, n, 0.5), rank(p99s, n, 0.5)
		for (name in count) {
			for (k = 1; k <= count[name]; k++) { r[k] = by_rate[name, k]; p[k] = by_p99[name, k] }
			tell(name, "requests/s", r, count[name])
			tell(name, "99th percentile", p, count[name])
		}
	}' said
