#!/bin/sh
# rewrite_jobs: what several threads write of many chunks is, byte for byte, what one writes.
#
# usage: rewrite_jobs.sh JFREC SOURCE_ROOT

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
		"$jfrec" "$@" --force -o "$dir/out.jfr" --jobs $jobs >"$dir/said.$jobs" 2>"$dir/err.$jobs"
		echo $? >>"$dir/said.$jobs"
		mv "$dir/out.jfr" "$dir/out.$jobs"
	done
	works "$name: writes something" test "$(wc -c <"$dir/out.1")" -gt 1000
	for jobs in 2 3 8; do
		works "$name: $jobs threads" cmp "$dir/out.1" "$dir/out.$jobs"
		works "$name: what $jobs threads say" cmp "$dir/said.1" "$dir/said.$jobs"
		works "$name: problems of $jobs threads" cmp "$dir/err.1" "$dir/err.$jobs"
	done
}

same 'filter by type' filter --events 'ThreadPark,GC*,ActiveSetting' "$@"
same 'filter by field' filter --where 'duration > 1us' --json "$@"
same 'filter, compressed' filter --events 'jdk.*' --compress gzip "$@"
same 'scrub' scrub --salt x --json "$@"
same 'scrub more' scrub --salt x --hosts --paths --exclude-events ThreadPark "$@"

cat "$@" | "$jfrec" filter --jobs 8 --events 'jdk.*' --force -o "$dir/piped.jfr" - >/dev/null 2>&1
cat "$@" | "$jfrec" filter --jobs 1 --events 'jdk.*' --force -o "$dir/out.jfr" - >/dev/null 2>&1
works 'of a pipe' cmp "$dir/out.jfr" "$dir/piped.jfr"
"$jfrec" scrub --salt x --jobs 8 -o - "$@" 2>/dev/null | cat >"$dir/piped.jfr"
"$jfrec" scrub --salt x --jobs 1 -o - "$@" 2>/dev/null | cat >"$dir/out.jfr"
works 'to a pipe' cmp "$dir/out.jfr" "$dir/piped.jfr"

# Failures leave nothing, with several threads as with one.
rm -f "$dir/out.jfr" "$dir/piped.jfr" "$dir"/out.[1238]
for command in filter scrub; do
	for jobs in 1 8; do
		(ulimit -f 200; trap '' XFSZ; "$jfrec" $command --jobs $jobs --force \
			-o "$dir/full.jfr" "$@" >/dev/null 2>"$dir/err.$jobs")
		works "$command: a full disk, $jobs threads" test $? -ne 0
		works "$command: and nothing is left of $jobs" test ! -e "$dir/full.jfr"
	done
	works "$command: one message" cmp "$dir/err.1" "$dir/err.8"
done
works 'no temporary files' test "$(find "$dir" -name '*.jfr*' | wc -l)" -eq 2

if command -v valgrind >/dev/null; then
	for command in filter scrub; do
		valgrind -q --tool=helgrind --error-exitcode=99 "$jfrec" $command --jobs 3 --force \
			-o "$dir/out.jfr" "$dir/joined.jfr" >"$dir/said" 2>"$dir/err"
		works "$command: threads share nothing that changes" \
			sh -c "! grep -q 'Possible data race\|lock order' '$dir/err'"
	done
fi
finish
