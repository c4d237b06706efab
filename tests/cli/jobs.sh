#!/bin/sh
# jobs: what several threads read of many chunks is, byte for byte, what one reads.
#
# usage: jobs.sh JFREC SOURCE_ROOT

jfrec=$1
ok=$2/tests/data/ok
. "$2/tests/cli/tap.sh"
. "$2/tests/cli/chunks.sh"
set -- "$dir/joined.jfr" "$dir/damaged.jfr" "$ok/contexts-25.jfr" "$ok/jvm-17.jfr"

same()          # NAME ARGUMENTS: the recordings come after them
{
	name=$1
	shift
	for jobs in 1 2 3 8; do
		"$jfrec" "$@" --jobs $jobs >"$dir/out.$jobs" 2>"$dir/err.$jobs"
		echo $? >>"$dir/out.$jobs"
	done
	works "$name prints something" test "$(wc -c <"$dir/out.1")" -gt 100
	for jobs in 2 3 8; do
		works "$name: $jobs threads" cmp "$dir/out.1" "$dir/out.$jobs"
		works "$name: problems of $jobs threads" cmp "$dir/err.1" "$dir/err.$jobs"
	done
}

same 'all views' view all-views "$@"
same 'all events' view all-events "$@"
same 'types' view types "$@"
same 'of damaged chunks, filtered' view --where 'duration > 1us' --json all-views "$@"
# What keeps values, and sums of doubles, depend on the order in which they are added.
same 'values that are kept' query 'SELECT LIST(value), SET(name), SUM(value),
	AVG(value), STDEV(value), MEDIAN(value), P99(value), UNIQUE(value)
	FROM DoubleFlag' "$@"
same 'stacks as keys' query 'SELECT stackTrace, COUNT(*), FIRST(startTime), LAST(startTime)
	FROM ThreadPark, JavaMonitorWait, ObjectAllocationSample GROUP BY stackTrace' "$@"

same 'counts' summary "$@"
counts()        # NAME ARGUMENTS: as same(), of print --count
{
	name=$1
	shift
	for jobs in 1 2 8; do
		"$jfrec" print --count "$@" --jobs $jobs >"$dir/out.$jobs" 2>"$dir/err.$jobs"
		echo $? >>"$dir/out.$jobs"
	done
	works "$name: more than none" test "$(head -n 1 "$dir/out.1")" -gt 10
	for jobs in 2 8; do
		works "$name: $jobs threads" cmp "$dir/out.1" "$dir/out.$jobs"
		works "$name: problems of $jobs threads" cmp "$dir/err.1" "$dir/err.$jobs"
	done
}
counts 'events' "$@"
counts 'events of some types' --events ActiveSetting,ThreadPark "$@"
counts 'events by their fields' --where 'duration > 1us' --from 00:00:00 "$dir/joined.jfr" "$dir/damaged.jfr"
works 'as many as are printed' test "$("$jfrec" print --count --jobs 2 "$@" 2>/dev/null)" -eq \
	"$("$jfrec" print --ndjson "$@" 2>/dev/null | wc -l)"
works 'a limit counts no further' test "$("$jfrec" print --count --limit 7 --jobs 2 "$@")" -eq 7

same 'text' print "$@"
same 'exact text of some types' print --exact --events 'ThreadPark,JavaMonitorWait,ActiveSetting' "$@"
same 'JSON' print --json "$@"
same 'XML' print --xml "$@"
same 'NDJSON' print --ndjson "$@"
same 'NDJSON with numbers of stacks' print --ndjson --stack id "$@"
same 'flat NDJSON in order of time' print --ndjson --flat --sort time "$@"
same 'NDJSON as it lies in the file, with ticks' print --ndjson --raw-ticks --sort file "$@"
same 'CSV' print --csv --events ThreadPark --fields startTime,eventThread,stackTrace "$@"
same 'TSV of all columns' print --tsv --events ActiveSetting "$@"
same 'some events' print --json --limit 1500 "$@"
same 'some text' print --limit 1500 "$@"
same 'the longest' print --sort duration --limit 20 "$@"
same 'events of a time, by their fields' print --xml --where 'duration > 1us' --from 00:00:00 "$@"
same 'until damage' print --json --strict "$@"
same 'in another zone' print --ndjson --tz Europe/Berlin "$@"
for jobs in 1 3; do
	"$jfrec" print --csv --events '*Sleep*,ThreadPark' --jobs $jobs "$@" >"$dir/out" 2>"$dir/err.$jobs"
	works "a table of several types: $jobs threads" test $? -eq 2
done
works 'a table of several types: why not' cmp "$dir/err.1" "$dir/err.3"
if [ -w /dev/full ]; then
	for jobs in 1 3; do
		"$jfrec" print --json --jobs $jobs "$@" >/dev/full 2>"$dir/err.$jobs"
		works "a full disk: $jobs threads" test $? -eq 1
	done
	works 'a full disk: what is said' cmp "$dir/err.1" "$dir/err.3"
fi
"$jfrec" print --json --jobs 8 "$@" 2>/dev/null | head -c 100000 >/dev/null
works 'nobody reads on' test $? -eq 0
"$jfrec" print --json "$dir/joined.jfr" >"$dir/out.1" 2>"$dir/err"
"$jfrec" print --json --jobs 10000 --max-memory 16M "$dir/joined.jfr" >"$dir/out" 2>"$dir/err"
works 'many threads, and memory for one' cmp "$dir/out.1" "$dir/out"
"$jfrec" print --json --jobs 10000 "$dir/joined.jfr" >"$dir/out" 2>"$dir/err"
works 'many threads' cmp "$dir/out.1" "$dir/out"
same 'counts of sound chunks' summary "$dir/joined.jfr" "$ok/contexts-25.jfr" "$ok/jvm-17.jfr"
same 'counts with times' summary --json "$dir/joined.jfr" "$ok/contexts-25.jfr" "$ok/jvm-17.jfr"
same 'call trees' flame --format json "$@"
same 'a Firefox profile' flame --format firefox "$@"
same 'a page with times' flame --format html "$@"
same 'a tree beyond its budget' flame --format collapsed --type ThreadPark --max-nodes 20 "$@"
same 'a difference' diff --json "$dir/joined.jfr" "$dir/damaged.jfr" --where 'duration >= 0s'

same 'findings' analyze --all --json "$dir/joined.jfr"
same 'findings of a damaged chunk, filtered' analyze --all --where 'duration > 1us' "$dir/damaged.jfr"
same 'findings of several recordings' analyze "$@"
cat >"$dir/own.yaml" <<'END'
rules:
  parked:
    event: ThreadPark
    where: duration > 1 us
    measure: count
    info: 1
    summary: threads parked
    advice: look
END
same 'findings of rules of one'\''s own' analyze --all --rules "$dir/own.yaml" "$dir/joined.jfr"

# Children that are started later had what others read in their documents.
same 'findings of several recordings' analyze --json "$ok/jvm-25.jfr" "$ok/jvm-17.jfr" "$ok/contexts-25.jfr" \
	"$ok/fields-25.jfr"

for bad in 0 -1 many; do
	"$jfrec" view --jobs $bad gc "$ok/jvm-25.jfr" >"$dir/out" 2>"$dir/err"
	works "--jobs $bad is refused" test $? -eq 2
	works "--jobs $bad: in one sentence" test "$(grep -c -e '--jobs' "$dir/err")" -eq 1
	works "--jobs $bad: why" grep -q -e '--jobs takes a number of threads, from 1 on' "$dir/err"
done
cat "$dir/joined.jfr" | "$jfrec" view --jobs 1 all-views - >"$dir/piped" 2>"$dir/err"
cat "$dir/joined.jfr" | "$jfrec" view --jobs 8 all-views - >"$dir/out" 2>"$dir/err"
works 'of a pipe' cmp "$dir/piped" "$dir/out"
# A budget that has no room for the stacks of threads.
"$jfrec" view --jobs 64 --max-memory 16M gc "$dir/joined.jfr" >"$dir/out" 2>"$dir/err"
works 'a small budget' test $? -eq 0

if command -v valgrind >/dev/null; then
	valgrind -q --tool=helgrind --error-exitcode=99 "$jfrec" view --jobs 3 all-views "$@" \
		>"$dir/out" 2>"$dir/err"
	[ $? -ne 99 ] || cat "$dir/err"
	works 'threads share nothing that changes' sh -c "! grep -q 'Possible data race\|lock order' '$dir/err'"
	valgrind -q --tool=helgrind --error-exitcode=99 "$jfrec" summary --jobs 3 --json "$dir/joined.jfr" \
		"$ok/contexts-25.jfr" "$ok/jvm-17.jfr" >"$dir/out" 2>"$dir/err"
	works 'nor do those that count' sh -c "! grep -q 'Possible data race\|lock order' '$dir/err'"
	valgrind -q --tool=helgrind --error-exitcode=99 "$jfrec" analyze --jobs 3 "$dir/joined.jfr" \
		>"$dir/out" 2>"$dir/err"
	works 'nor do those that are ahead of the rules' sh -c "! grep -q 'Possible data race\|lock order' '$dir/err'"
fi
finish
