#!/bin/sh
# flame of a running JVM, of which is known what it does: the hottest method is the hottest, and
# methods have the shares of the CPU that they use, by each sampler; Ctrl-C draws what there is.
#
# usage: flame.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
. "$2/tests/cli/tap.sh"
live_sources=$live/Shares.java
. "$live/live.sh"
LC_ALL=C
export LC_ALL
cd "$work" || exit
program=Shares

if ! command -v python3 >/dev/null; then
	echo "1..0 # SKIP no python3"
	exit 0
fi

hottest()       # OPTION...
{
	exits 0 "$jfrec" flame --profile cpu --top 3 "$@" "$pid" &&
		awk '/Method$/ { getline; print $NF; exit }' "$work/out" >first &&
		grep -qx 'Shares.forty' first || { cat "$work/out"; return 1; }
}

# A share is that of a binomial distribution: four times its error, and what a sampler that favours
# some places in the code adds.
shares()        # TYPE_OF_EVENT
{
	python3 - "$work/shares.json" <<'E2'
import json, math, sys
doc = json.load(open(sys.argv[1]))
profile = doc["profiles"][0]
self = {}
for node in profile["nodes"][1:]:
    name = doc["frames"][node["frame"]]["name"]
    self[name] = self.get(name, 0) + node["selfSamples"]
known = {"forty": 40, "thirty": 30, "fifteen": 15, "ten": 10, "five": 5}
total = sum(self.get("Shares." + m, 0) for m in known)
print(f"{total} samples of {profile['samples']}, {profile['failed']} failed, {profile['lost']} lost")
if total < 50:
    sys.exit(2)
wrong = False
for method, percent in known.items():
    share, p = self.get("Shares." + method, 0) / max(total, 1), percent / 100
    error = 4 * math.sqrt(p * (1 - p) / max(total, 1)) + 0.02
    print(f"{method}: {100 * share:.1f} %, known: {percent} %, error allowed: {100 * error:.1f}")
    wrong |= abs(share - p) > error
sys.exit(wrong)
E2
}

shares_by()     # SAMPLER
{
	# On a busy machine a thread may run so little that there are too few samples.
	for seconds in 8 40; do
		exits 0 "$jfrec" flame --profile cpu --sampler "$1" --duration ${seconds}s \
			--format json -o shares.json --force "$pid" &&
			shares >>"$work/seen.$1" 2>&1
		status=$?
		[ $status -eq 2 ] || break
	done
	sed "s|^|# $label $1: |" "$work/seen.$1"
	return $status
}

interrupted()
{
	rm -f early.html
	"$jfrec" flame --profile cpu --duration 600s -o early.html "$pid" >"$work/out" 2>"$work/err" &
	flame=$!
	sleep 6
	kill -INT "$flame"
	wait "$flame"
	grep -q '<canvas' early.html
}

# Of async-profiler's agent, which writes the recording itself.
shares_by_agent()
{
	start_jvm "-agentpath:$JFREC_TEST_ASYNC_PROFILER=start,event=ctimer,interval=5ms,jfr,file=$work/agent.jfr"
	sleep 12
	kill "$pid"
	becomes has_ended
	exits 0 "$jfrec" flame --profile cpu --format json -o shares.json --force agent.jfr &&
		shares >seen.agent 2>&1
	status=$?
	sed "s|^|# $label, async-profiler: |" seen.agent
	end_jvm
	return $status
}

has_ended()
{
	! is_alive
}

nothing_left()
{
	! "$jfrec" check "$pid" 2>/dev/null | grep -q 'jfrec'
}

try_jdk()
{
	rm -f seen.*
	arguments=hot
	start_jvm
	works 'flame --duration 5s shows the hottest method' hottest --duration 5s
	end_jvm
	arguments=
	start_jvm
	works 'shares of the CPU, by execution samples' shares_by execution
	if [ "$feature" -ge 25 ]; then
		works 'shares of the CPU, by CPU-time samples' shares_by cpu-time
	else
		skip 'shares of the CPU, by CPU-time samples' 'JDK 25 and later have them'
	fi
	works 'Ctrl-C draws what there is' interrupted
	works 'no recording is left' nothing_left
	end_jvm
	if [ -e "$JFREC_TEST_ASYNC_PROFILER" ] && [ "$feature" = 17 ]; then
		works 'shares of the CPU, by async-profiler' shares_by_agent
	else
		skip 'shares of the CPU, by async-profiler' \
			'JFREC_TEST_ASYNC_PROFILER names its library, for JDK 17'
	fi
}

for_each_jdk try_jdk
finish
