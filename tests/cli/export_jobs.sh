#!/bin/sh
# export_jobs: the Parquet files, and the SQLite database, that several threads write are, byte for
# byte, those of one.
#
# usage: export_jobs.sh JFREC SOURCE_ROOT

jfrec=$1
ok=$2/tests/data/ok
. "$2/tests/cli/tap.sh"
. "$2/tests/cli/chunks.sh"
set -- "$dir/joined.jfr" "$dir/damaged.jfr" "$ok/contexts-25.jfr" "$ok/jvm-17.jfr"

run()           # JOBS ARGUMENTS: into $dir/files, $dir/said.JOBS and $dir/err.JOBS
{
	jobs=$1
	shift
	rm -rf "$dir/files"
	"$jfrec" export "$@" -o "$dir/files" --jobs $jobs >"$dir/said.$jobs" 2>"$dir/err.$jobs"
	echo $? >>"$dir/said.$jobs"
}

same()          # NAME ARGUMENTS: the recordings come after them
{
	title=$1
	shift
	run 1 "$@"
	rm -rf "$dir/one"
	mv "$dir/files" "$dir/one"
	works "$title: writes files" test "$(find "$dir/one" -name '*.parquet' | wc -l)" -gt 1
	for jobs in 2 3 8 10000; do
		run $jobs "$@"
		works "$title: files of $jobs threads" diff -r "$dir/one" "$dir/files"
		works "$title: what $jobs threads say" cmp "$dir/said.1" "$dir/said.$jobs"
		works "$title: problems of $jobs threads" cmp "$dir/err.1" "$dir/err.$jobs"
	done
}

same 'all tables' "$@"
same 'stacks as frames' --stack frames --timestamps ns "$@"
same 'some types' --json --events 'ThreadPark,GC*,ActiveSetting' "$@"
same 'events by their fields' --where 'duration > 1us' "$@"
same 'events of a time' --from 00:00:00 --to 23:00:00 "$@"
same 'partitions and labels' --partition date,service --label service=web --label team=a "$@"
same 'labels of names' --label-from-name '{kind}-{jdk}.jfr' --partition kind "$ok/contexts-25.jfr" \
	"$ok/jvm-17.jfr" "$ok/jvm-25.jfr"

same_database() # NAME ARGUMENTS: the same, of a SQLite database
{
	title=$1
	shift
	for jobs in 1 2 3 8 10000; do
		run $jobs --format sqlite "$@"
		mv "$dir/files" "$dir/db.$jobs"
	done
	works "$title: there are rows" test "$(wc -c <"$dir/db.1")" -gt 20000
	for jobs in 2 3 8 10000; do
		works "$title: the database of $jobs threads" cmp "$dir/db.1" "$dir/db.$jobs"
		works "$title: what $jobs threads say" cmp "$dir/said.1" "$dir/said.$jobs"
		works "$title: problems of $jobs threads" cmp "$dir/err.1" "$dir/err.$jobs"
	done
}

if "$jfrec" export --format sqlite -o "$dir/files" "$dir/joined.jfr" >"$dir/said" 2>&1; then
	has_sqlite=yes
else
	has_sqlite=
	skip 'databases' "$(cat "$dir/said")"
fi
if [ $has_sqlite ]; then
	same_database 'a database' "$@"
	same_database 'a database, filtered' --json --where 'duration > 1us' "$@"
	same_database 'a database of some types' --events 'ThreadPark,GC*,ActiveSetting' "$@"
	same_database 'a database of a time' --from 10:00:00 --to 23:00:00 "$@"
fi

fails()         # NAME ARGUMENTS: in the same way, and nothing is left
{
	title=$1
	shift
	for jobs in 1 8; do
		run $jobs "$@"
		works "$title: $jobs threads leave no files" test ! -e "$dir/files"
	done
	works "$title: the same exit code" cmp "$dir/said.1" "$dir/said.8"
	works "$title: the same message" cmp "$dir/err.1" "$dir/err.8"
}

fails 'too many files' --max-output 1G,3 "$dir/joined.jfr"
fails 'too many bytes' --max-output 4K "$dir/joined.jfr"
[ $has_sqlite ] && fails 'too many bytes of a database' --format sqlite --max-output 40K "$dir/joined.jfr"
[ $has_sqlite ] && fails 'too many tables of a database' --format sqlite --max-output 1G,3 "$dir/joined.jfr"
for jobs in 1 8; do
	(ulimit -f 2; trap '' XFSZ; run $jobs "$dir/joined.jfr")
	works "a full disk: $jobs threads leave no files" test ! -e "$dir/files"
done
works 'a full disk: the same exit code' cmp "$dir/said.1" "$dir/said.8"
works 'a full disk: the same message' cmp "$dir/err.1" "$dir/err.8"

if command -v valgrind >/dev/null; then
	valgrind -q --tool=helgrind --error-exitcode=99 "$jfrec" export --jobs 3 --force \
		-o "$dir/files" "$dir/joined.jfr" >"$dir/said" 2>"$dir/err"
	works 'threads share nothing that changes' \
		sh -c "! grep -q 'Possible data race\|lock order' '$dir/err'"
fi
if [ $has_sqlite ] && command -v valgrind >/dev/null; then
	valgrind -q --tool=helgrind --error-exitcode=99 "$jfrec" export --format sqlite --jobs 3 \
		--force -o "$dir/db" "$dir/joined.jfr" >"$dir/said" 2>"$dir/err"
	works 'nor do those of a database' \
		sh -c "! grep -q 'Possible data race\|lock order' '$dir/err'"
fi
finish
