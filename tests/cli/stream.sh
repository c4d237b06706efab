#!/bin/sh
# Recordings that come through a pipe: what is printed does not wait for the rest,
# whoever reads enough ends it all, and memory does not grow.
#
# usage: stream.sh JFREC SOURCE_ROOT MEASURE

LC_ALL=C
export LC_ALL
. "$2/tests/cli/tap.sh"
jfrec=$1
ok=$2/tests/data/ok
measure=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
limit=300       # seconds; nothing here takes more than a few, but machines are busy

# What sanitizers keep of freed memory is not ours.
ASAN_OPTIONS=$ASAN_OPTIONS:quarantine_size_mb=1
export ASAN_OPTIONS

verdict()       # NAME [WHAT_IS_WRONG]
{
	if [ -z "$2" ]; then
		result ok "$1"
	else
		result not-ok "$1"
		echo "# $2"
	fi
}

# Nothing is kept back -------------------------------------------------------------------------------

# Ten seconds until a file has so many bytes.
grows_to()      # FILE BYTES
{
	for tenth in 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 \
		0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 \
		0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9; do
		[ "$(($(wc -c <"$1")))" -lt "$2" ] || return 0
		sleep 0.1
	done
	return 1
}

# A recording, a pause, and another: the first one's events come during the pause.
comes_at_once() # NAME BYTES_MISSING ARGUMENT...: of what the document ends with
{
	name=$1
	missing=$2
	shift 2
	"$jfrec" print "$@" "$ok/made-order.jfr" >"$work/once"
	"$jfrec" print "$@" "$ok/made-order.jfr" "$ok/jvm-25.jfr" >"$work/want"
	rm -f "$work/fifo"
	mkfifo "$work/fifo"
	timeout $limit "$jfrec" print "$@" - <"$work/fifo" >"$work/got" &
	exec 9>"$work/fifo"
	cat "$ok/made-order.jfr" >&9
	wrong=
	grows_to "$work/got" $(($(wc -c <"$work/once") - missing)) || wrong='nothing comes'
	cat "$ok/jvm-25.jfr" >&9
	exec 9>&-
	wait || wrong="exit status $?"
	cmp -s "$work/got" "$work/want" || wrong="$wrong, and another document"
	verdict "comes at once: $name" "$wrong"
}

comes_at_once --ndjson 0 --ndjson
comes_at_once --csv 0 --csv --events Mark
comes_at_once --json 20 --json
comes_at_once --xml 30 --xml
comes_at_once '--sort file' 0 --sort file

# The same where only the first recording is a file, and the pipe is silent.
mkfifo "$work/silent"
timeout $limit "$jfrec" print --ndjson "$ok/made-order.jfr" - <"$work/silent" >"$work/got" &
exec 9>"$work/silent"
"$jfrec" print --ndjson "$ok/made-order.jfr" >"$work/once"
wrong=
grows_to "$work/got" "$(wc -c <"$work/once")" || wrong='nothing comes'
cat "$ok/made-order.jfr" >&9
exec 9>&-
wait
verdict 'a file does not wait for a pipe' "$wrong"

# Without end ----------------------------------------------------------------------------------------

for times in 1 2 3 4 5 6 7 8 9 10; do
	cat "$ok/frames-25.jfr" "$ok/jvm-17.jfr" "$ok/jvm-25.jfr"
done >"$work/part"

# So many times 6 MB.
parts()         # NUMBER
{
	n=$1
	while [ "$n" -gt 0 ] && cat "$work/part"; do
		n=$((n - 1))
	done
}

# Is it done although its input has no end, and is its producer, too?
ends_by_head()  # NAME LINES ARGUMENT...
{
	name=$1
	lines=$2
	shift 2
	{
		parts 1000000 2>"$work/producer"
		echo done >"$work/producer"
	} | { timeout $limit "$jfrec" "$@"; echo $? >"$work/status"; } | head -n "$lines" >"$work/head"
	wrong=
	[ "$(cat "$work/status")" = 0 ] || wrong="exit status $(cat "$work/status")"
	[ "$(($(wc -l <"$work/head")))" -eq "$lines" ] || wrong="$wrong, too few lines"
	[ "$(cat "$work/producer")" = done ] || wrong="$wrong, the producer goes on"
	verdict "$name" "$wrong"
}

ends_by_head 'head ends an endless stream' 1000 print --ndjson -
ends_by_head 'head ends it as JSON' 1000 print --json -
ends_by_head 'a limit ends it' 10 print --ndjson --limit 10 -

# Memory ---------------------------------------------------------------------------------------------

# Peak memory in KB, and the exit status, of jfrec with this standard input.
peak()          # ARGUMENT...
{
	"$measure" -n 1 -- timeout $limit "$jfrec" "$@" | cut -f 3,4
}

# 8 MB of room for what allocators keep, each thread its own, with sanitizers more.
stays_flat()    # NAME SMALL LARGE: peaks with status
{
	wrong=
	small=${2%%[!0-9]*}
	large=${3%%[!0-9]*}
	case $2,$3 in
	*[!0-9]0,*[!0-9]0) [ "$large" -le $((small + 8192)) ] || wrong='memory grows' ;;
	*) wrong=failed ;;
	esac
	[ -z "$wrong" ] || wrong="$wrong: $2 and $3 (KB, status)"
	verdict "$1" "$wrong"
	echo "# $small KB for 6 MB, $large KB for 300 MB"
}

for arguments in 'print --ndjson' 'print --json' 'print --csv --events GCPhasePause' \
	'print --sort file' summary; do
	small=$(parts 1 | peak $arguments -)
	large=$(parts 50 | peak $arguments -)
	stays_flat "300 MB through a pipe: $arguments" "$small" "$large"
done
if command -v zstd >/dev/null; then
	parts 1 | zstd -q -c >"$work/small.zst"
	parts 50 | zstd -q -c >"$work/large.zst"
	small=$(zstd -dc "$work/small.zst" | peak print --ndjson -)
	large=$(zstd -dc "$work/large.zst" | peak print --ndjson -)
	stays_flat '300 MB from zstd -dc' "$small" "$large"
	small=$(peak print --ndjson "$work/small.zst")
	large=$(peak print --ndjson "$work/large.zst")
	stays_flat '300 MB in a .zst' "$small" "$large"
	zstd -dc "$work/large.zst" 2>"$work/err" |
		{ timeout $limit "$jfrec" print --ndjson -; echo $? >"$work/status"; } |
		head -n 1000 >"$work/again"
	parts 1 | "$jfrec" print --ndjson - | head -n 1000 >"$work/head"
	wrong=
	[ "$(cat "$work/status")" = 0 ] || wrong="exit status $(cat "$work/status")"
	cmp -s "$work/head" "$work/again" || wrong="$wrong, other lines"
	verdict 'zstd -dc and head' "$wrong"
else
	result ok '300 MB from zstd -dc # SKIP no zstd'
fi

finish
