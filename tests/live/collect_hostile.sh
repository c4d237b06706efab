#!/bin/sh
# jfrec collect as a service, beside a user who floods it: JVMs of honest users lose nothing, each
# pass ends in time, and the service needs no more memory and descriptors than at the beginning.
#
# usage: collect_hostile.sh JFREC SOURCE_ROOT
#
# Seconds: $JFREC_TEST_SECONDS, or 40; honest JVMs: $JFREC_TEST_JVMS, or 3; processes that only look
# like JVMs: $JFREC_TEST_FAKES, or 60; files that only look like chunks: $JFREC_TEST_FILES, or 1000.

LC_ALL=C
export LC_ALL
jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
fake_jvm=$(realpath "$2")/tests/fakejvm.py
. "$2/tests/cli/tap.sh"
seconds=${JFREC_TEST_SECONDS:-40}
honest=${JFREC_TEST_JVMS:-3}
fakes=${JFREC_TEST_FAKES:-60}
files=${JFREC_TEST_FILES:-1000}
evil=4194397 user=4194396

# A pass, and the time to the next: what a user who does not answer may cost, and somewhat more.
interval=5
longest=45

program=Numbers$$
live_sources=${TMPDIR:-/tmp}/$program.java
sed "s/class Numbers/class $program/; s/repeat(40)/repeat(10)/" "$live/Numbers.java" >"$live_sources"
. "$live/live.sh"
trap 'rm -f "$live_sources"; end_live' EXIT
cd "$work" || exit

if ! is_root || ! setpriv --reuid $user --regid $user --clear-groups true 2>/dev/null; then
	echo '1..0 # SKIP needs root and setpriv: there are two users'
	exit 0
fi

configure()
{
	mkdir here
	cat >c.yaml <<END
directory: $work/here
repositories: [ $dir/repository ]
limits: { file-size: 20m }
jvms:
  - user: $evil
    settings: default
  - name: $program
    settings: continuous
END
}

# Headers that are never finished, that claim gigabytes, and names that are lines of a state.
cat >junk.py <<'END'
import os, struct, sys
base, count = sys.argv[1], int(sys.argv[2])
for i in range(count):
    name = "2026_11_20_%02d_%02d_%02d_%d" % (i // 100 % 24, i // 2400, 0, 4190000 + i // 100)
    os.makedirs(os.path.join(base, name), exist_ok=True)
    size, generation = [(100, 255), (10 << 30, 0), (100, 0), (1 << 40, 7)][i % 4]
    chunk = "2026_11_20_10_%02d_%02d.jfr" % (i // 60 % 60, i % 60)
    if i % 10 == 0:
        chunk = "a\nfile 1 1 done - %d\nb.jfr" % i
    with open(os.path.join(base, name, chunk), "wb") as f:
        f.write(b"FLR\0" + struct.pack(">HHqqqqqqqBBH", 2, 1, size, 68, 68, 1795000000000000000 + i,
                                       1000, i, 1000000000, generation, 0, 1) + b"\0" * 32)
END

# Not by a function of the shell: that would be a process of its own, and be killed in their place.
flood()
{
	PATH=/usr/bin:/bin setpriv --reuid $evil --regid $evil --clear-groups python3 junk.py "$dir/repository" "$files"
	PATH=/usr/bin:/bin setpriv --reuid $evil --regid $evil --clear-groups \
		bash -c 'exec -a java python3 "$@"' bash "$fake_jvm" "$dir/fake" \
		"$dir/repository/2026_11_22_01_02_03_{pid}/2026_11_22_01_02_03.jfr" "$fakes" >fake.pids &
	jvms="$jvms $!"
}

launch_honest()
{
	setpriv --reuid $user --regid $user --clear-groups "$java" -cp "$dir" -Xmx24m -Xss256k -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \
		-XX:StartFlightRecording -XX:FlightRecorderOptions=repository="$dir/repository",maxchunksize=1M \
		"$program" >"numbers.$1" 2>&1 &
	pid=$!
	jvms="$jvms $pid"
	all="$all $pid"
}

# "SECONDS RSS DESCRIPTORS WAITED" each second; it waited so many seconds for a processor.
watch_service()
{
	while [ -e watching ]; do
		echo "$(date +%s) $(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$service/status")" \
			"$(ls "/proc/$service/fd" | wc -l)" "$(awk '{ print int($2 / 1e9) }' "/proc/$service/schedstat")"
		sleep 1
	done >watched 2>/dev/null &
	watcher=$!
}

# When each pass was done.
stamp()
{
	while read -r line; do
		date +%s
		printf '%s\n' "$line" >>passes
	done >>stamps
}

numbers()       # RECORDING...
{
	for recording; do
		[ ! -e "$recording" ] || "$jfrec" print --csv --sort file --events live.Number \
			--fields number "$recording" 2>/dev/null | tr -d '\r' | sed 1d
	done | sort
}

is_complete()   # PID
{
	numbers "$dir"/repository/*_"$1" >left
	numbers here/*-"$1"-* >brought
	cat brought >>all.brought
	# What a JVM removed before, for its own limits, must have been brought.
	sort -n brought | awk 'NR == 1 && $1 != 0 || NR > 1 && $1 != last + 1 { bad = 1 }
		{ last = $1 } END { exit bad || !NR }' && [ -z "$(comm -23 left brought)" ] || {
		echo "of $1: $(wc -l <left) were left, $(wc -l <brought) brought," \
			"$(uniq -d brought | wc -l) twice, $(comm -23 left brought | wc -l) missing"
		return 1
	}
}

are_complete()
{
	: >all.brought
	for pid in $all; do
		is_complete "$pid" || return
	done
	[ "$(wc -l <all.brought)" -gt 1000 ] || { echo "only $(wc -l <all.brought) events"; return 1; }
}

# What was collected of all that was left; also JVMs whose death a pass has not seen yet.
in_the_end()    # COMMAND...
{
	for round in 1 2 3 4 5 6; do
		"$@" >why && return
		sleep $interval
	done
	cat why
	return 1
}

# Too few passes to tell anything, on a busy machine.
is_slow()
{
	[ "$(wc -l <stamps)" -lt 8 ] && [ $(($(date +%s) - begun)) -lt $((seconds * 10)) ]
}

# The time that it waited for a processor is the machine's.
are_in_time()
{
	awk -v most=$((interval + longest)) 'NR == FNR { at[NR] = $1; waited[NR] = $4; last = NR; next }
		{ while (k < last && at[k + 1] <= $1) k++ }
		FNR > 1 && $1 - before - waited[k] + waited_before > most {
			print "a pass after " $1 - before " s, of which it waited " waited[k] - waited_before " s for a processor"
			bad = 1 }
		{ before = $1; waited_before = waited[k] }
		END { print FNR - 1 " passes"; exit bad || FNR < 4 }' watched stamps
}

# The last third of the time beside the one before: at first everything is new to it. Of descriptors
# the least counts: what it has open of a repository, it has for a moment.
is_flat()       # COLUMN SLACK
{
	awk -v c="$1" -v slack="$2" '{ v[NR] = c == 2 ? $2 : -$3 } END {
		early = late = -1e9
		for (i = int(NR / 3) + 1; i <= NR; i++)
			if (i <= NR * 2 / 3) { if (v[i] > early) early = v[i] } else if (v[i] > late) late = v[i]
		if (c == 3) { early = -early; late = -late }
		print "# " (c == 2 ? "kB: up to " : "descriptors: at least ") early ", then " late
		exit late > early * 1.2 + slack }' watched.early
}

test_jdk()
{
	if [ -n "$root" ] || [ "$feature" -lt 17 ]; then
		return
	fi
	mkdir "$dir/repository"
	chmod 1777 "$dir/repository"
	chmod 1777 "$dir"
	all=
	configure
	flood
	# The address sanitizer keeps freed memory for a while; what it keeps is not the service's.
	ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=1 \
		"$jfrec" collect -c c.yaml --interval ${interval}s --json >pipe 2>failures &
	service=$!
	jvms="$jvms $service"
	date +%s >stamps
	stamp <pipe &
	: >watching
	watch_service
	for i in $(seq "$honest"); do
		launch_honest "$i"
		sleep 1
	done
	begun=$(date +%s)
	while [ $(($(date +%s) - begun)) -lt "$seconds" ] || is_slow; do
		sleep 1
	done
	works 'as many processes that only look like JVMs' [ "$(wc -l <fake.pids)" -eq "$fakes" ]
	cp watched watched.early # while it was flooded
	for pid in $all; do
		kill -9 "$pid"
		wait "$pid" 2>/dev/null
	done
	wait_for_quiet
	works 'honest recordings are complete' in_the_end are_complete
	rm watching
	wait $watcher
	works 'each pass ends in time' are_in_time
	works 'memory stays flat' is_flat 2 4096
	works 'and so do descriptors' is_flat 3 20
	works 'it was flooded' grep -q 'JVMs are left for a later pass' failures
	works 'and its state has only names that JVMs give' eval '! grep "^chunk" here/.jfrec-collect/state | grep -vEq " [0-9_]+/[0-9_]+[.]jfr$"'
	kill $service
	wait $service
	works 'it ends when told to' [ $? -eq 0 ]
	figures
	tested=1
}

figures()
{
	is_flat 2 4096
	is_flat 3 20
	awk 'NR > 1 { d = $1 - before; n++; s += d; if (d > most) most = d } { before = $1 }
		END { print "# " n " passes, from one to the next " s / n " s, at most " most " s" }' stamps
	echo "# $(wc -l <all.brought) events of $(echo $all | wc -w) JVMs, in $(ls here | wc -l) files; $(wc -l <failures) failures told:"
	sed 's/^/# /; s/process [0-9]*/process N/g; s/: [0-9]* of his/: N of his/; s/[0-9_]\{20,\}/REPOSITORY/g' failures | sort | uniq -c | sort -rn | head -n 12 | sed 's/^ */# /'
}

mkfifo pipe
tested=
first_jdk()
{
	[ -n "$tested" ] || test_jdk
}

for_each_jdk first_jdk
finish
