#!/bin/sh
# jfrec stream of what needs no JVM: files and repositories that were left behind. (tests/live/stream.sh
# has the JVMs.)
#
# usage: follow.sh JFREC SOURCE_ROOT

LC_ALL=C
export LC_ALL
jfrec=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
ok=$(cd "$2" && pwd)/tests/data/ok
. "$2/tests/cli/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit

fails()         # NAME STATUS PATTERN OPTION...
{
	what=$1 status=$2 pattern=$3
	shift 3
	"$jfrec" stream "$@" >out 2>err
	works "$what: exit status" [ $? -eq "$status" ]
	works "$what: says why" grep -q -e "$pattern" err
	works "$what: prints nothing" [ ! -s out ]
}

# The same events as print has, whatever the format.
for recording in jvm-17 fields-25 made-values; do
	file=$ok/$recording.jfr
	"$jfrec" print --json "$file" >print.json
	"$jfrec" stream --json "$file" >stream.json
	works "$recording: JSON" cmp print.json stream.json
	"$jfrec" print --ndjson --sort file "$file" >print.ndjson
	"$jfrec" stream --ndjson --unordered "$file" >stream.ndjson
	sed "s|^{|{\"source\":\"$file\",|" print.ndjson >want
	works "$recording: NDJSON, with its source" cmp want stream.ndjson
	"$jfrec" print --sort file "$file" >print.text
	"$jfrec" stream --unordered "$file" >stream.text
	works "$recording: text" cmp print.text stream.text
done

# A repository that a killed JVM left; its name is that of no JVM.
mkdir -p base/2026_11_20_09_46_59_999999999
cp "$ok/jvm-17.jfr" base/2026_11_20_09_46_59_999999999/2026_11_20_09_47_05.jfr
"$jfrec" stream --from start --unordered base/2026_11_20_09_46_59_999999999 >stream.text
"$jfrec" print --sort file "$ok/jvm-17.jfr" >print.text
works 'repository, from its start' cmp print.text stream.text
"$jfrec" stream --from start --unordered base >stream.text
works 'directory that holds repositories' cmp print.text stream.text
"$jfrec" stream base >out
works 'from now on there is nothing' [ $? -eq 0 -a ! -s out ]
"$jfrec" stream --from start -e TenuringDistribution --where 'age > 9' --ndjson base >out
"$jfrec" print -e TenuringDistribution --where 'age > 9' --count "$ok/jvm-17.jfr" >want
works 'chosen events' [ "$(cat want)" -gt 0 -a "$(grep -c Tenuring out)" -eq "$(cat want)" ]

"$jfrec" stream -e TenuringDistribtion base --from start 2>err >out
works 'a mistyped event' grep -q 'no event type is called TenuringDistribtion as yet; did you mean jdk.TenuringDistribution?' err

# Two at once.
"$jfrec" stream --unordered --ndjson "$ok/jvm-17.jfr" base --from start >out
works 'both sources are named' [ "$(sed 's/,"type.*//' out | sort -u | wc -l)" -eq 2 ]
"$jfrec" stream --unordered "$ok/jvm-17.jfr" base --from start >out
works 'each line of text names its source' sh -c '! grep -v "^\[" out | grep -q .'

# A reader that goes away, one that is slow, a disk that is full.
works 'a reader that goes away' sh -c '"$1" stream "$2" | head -n 1 | grep -q .' sh "$jfrec" "$ok/jvm-17.jfr"
"$jfrec" stream --on-slow drop "$ok/jvm-17.jfr" 2>err | { sleep 1; cat; } >out
"$jfrec" print --sort file "$ok/jvm-17.jfr" | grep -c '^}' >want
works 'little is not dropped' [ "$(grep -c '^}' out)" -eq "$(cat want)" -a ! -s err ]
if [ -w /dev/full ]; then
	"$jfrec" stream "$ok/jvm-17.jfr" >/dev/full 2>err
	works 'full disk: exit status' [ $? -eq 1 ]
	works 'full disk: is said' grep -q 'No space' err
fi

fails 'nothing named' 2 'name a JVM'
fails 'no such process' 3 'no process' 999999999
fails 'no such directory' 1 'No such file' ./nowhere
fails 'no recording' 1 'is not a recording' ./want
fails 'a device' 1 'device' /dev/zero
fails 'standard input' 2 'standard input' -
fails 'JSON of two' 2 'a single source' --json "$ok/jvm-17.jfr" base
fails 'two formats' 2 'only one format' --json --ndjson base
fails 'columns of text' 2 'need --ndjson' --fields a base
fails 'no time' 2 'takes start, now' --from yesterday base
fails 'time from the start' 2 'takes start, now' --from +3s base
fails 'no time to last' 2 'takes a time' --for 5 base
fails 'no way to be slow' 2 'drop or wait' --on-slow stop base
fails 'no expression' 2 'where' --from start --where 'duration >' base
fails 'no such field' 2 'nnn' --from start --where 'nnn > 2' base
fails 'to follow a directory' 2 'needs a name' --follow ./base
fails 'to follow a pid' 2 'needs a name' --follow 4711
fails 'settings for a directory' 2 'needs a JVM' --settings default base
fails 'a setting of ours' 2 'cannot be set' --set duration=5s Main

finish
