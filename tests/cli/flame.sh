#!/bin/sh
# `jfrec flame`: the text, the page, the picture and pprof's file of one recording.
#
# usage: flame.sh JFREC SOURCE_ROOT

LC_ALL=C
export LC_ALL
jfrec=$(realpath "$1")
data=$(realpath "$2/tests/data")
. "$2/tests/cli/tap.sh"
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
trace=$data/ok/trace-25.jfr
jvm=$data/ok/jvm-25.jfr

says()          # STATUS TEXT ARGUMENT...
{
	status=$1 text=$2
	shift 2
	"$jfrec" flame "$@" >said 2>&1
	[ $? -eq "$status" ] && grep -qF -- "$text" said || { cat said; return 1; }
}

same()          # EXPECTED ARGUMENT...
{
	expected=$1
	shift
	"$jfrec" flame "$@" >out && diff "$data/stacks/$expected" out
}

# The formats of the library's table: the message names all, and so does the page; --help has room
# for most of them.
names_formats()
{
	"$jfrec" flame --format nothing "$trace" 2>said
	sed -n "s/^.*unknown format 'nothing'; use //p" said | sed 's/ or /, /; s/, /\n/g' | sort >names
	"$jfrec" flame --help | sed -n 's/^      --format NAME         //p' | sed 's/, /\n/g' |
		grep -vxF ... | sort >shown
	[ "$(comm -12 names shown | wc -l)" -ge 6 ] && [ -z "$(comm -13 names shown)" ] || return
	while read -r name; do
		grep -qw "$name" "$data/../../man/jfrec-flame.1.scd" || { echo "the page lacks $name"; return 1; }
	done <names
}

works 'a format that is unknown: all that are known are named' names_formats
works 'text' same trace-25.text "$trace"
works 'text of one profile' same jvm-25.lock.text --profile lock "$jvm"
works 'callers first' same trace-25.reverse.text --reverse --top 5 "$trace"
works 'any event type' says 0 'Path' --type ThreadPark --weight duration "$jvm"
works 'a mistyped type gets a near name' says 1 'no event type is called jdk.ThreadPrk; did you mean jdk.ThreadPark' \
	--type jdk.ThreadPrk "$jvm"
works 'a mistyped weight, too' says 2 'jdk.ThreadPark has no field durtion that is a number; did you mean duration' \
	--type ThreadPark --weight durtion "$jvm"
works 'a weight that is not a number' says 2 'has no field parkedClass that is a number' \
	--type ThreadPark --weight parkedClass "$jvm"
works 'no thread in such a state' says 1 'no event with a stack trace matches these options' --state nothing "$trace"
works 'a type without a weight counts' says 0 'samples' --type jdk.ThreadPark "$jvm"
works 'collapsed lines keep slashes' same trace-25.samples.flame --format collapsed --count "$trace"

first_is()      # PROFILE RECORDING...: the chunks of all of them, as one recording
{
	profile=$1
	shift
	cat "$@" >chunks.jfr
	"$jfrec" flame --profile "$profile" --format collapsed chunks.jfr >asked &&
		"$jfrec" flame --format collapsed chunks.jfr >out && [ -s out ] && cmp asked out &&
		"$jfrec" flame --profile lock,cpu,"$profile" --exclude nothing -o x.svg --force \
			chunks.jfr
}

objects=$data/ok/objects-25.jfr
works 'collapsed stacks have the first profile' first_is cpu "$trace"
works 'another one, where a recording has no samples' first_is lock "$jvm"
works 'the first profile is known by the last chunk' first_is cpu "$jvm" "$objects" "$trace"
works 'or by the first chunk' first_is cpu "$trace" "$jvm"
works 'or by one between' first_is live "$jvm" "$objects" "$jvm"
works 'where expressions leave out all of a profile' says 0 'park' \
	--exclude nanoTime --include park --format collapsed "$trace" "$jvm"
works 'frames that are left out' says 0 'System.nanoTime' --include nanoTime "$trace"
works 'threads that no event has' says 1 'no event with a stack trace matches these options' --threads nobody "$jvm"

page()
{
	"$jfrec" flame "$jvm" -o a.html && "$jfrec" flame "$jvm" -o b.html && cmp a.html b.html &&
		grep -q "default-src 'none'" a.html && ! grep -v 'xmlns=' a.html | grep -qE 'https?://'
}
works 'the page is the same each time, and knows no other host' page

works 'the policy names the script' python3 "$2/tests/cli/policy.py" script a.html
works 'the policy names the style' python3 "$2/tests/cli/policy.py" style a.html

small_page()
{
	"$jfrec" flame "$trace" -o small.html && [ "$(wc -c <small.html)" -le 73728 ]
}
works 'a page with little data has at most 72 KB' small_page

works 'the times of the page are those of its trees' python3 "$2/tests/cli/page_times.py" "$jfrec" \
	"$jvm" "$trace"

picture()
{
	"$jfrec" flame "$trace" -o a.svg && python3 -c '
import sys, xml.dom.minidom
xml.dom.minidom.parse("a.svg")' && grep -q 'Contexts.main' a.svg
}
works 'the picture is XML' picture
works 'what exists stays' says 1 'a.svg' "$trace" -o a.svg
works 'unless --force is given' "$jfrec" flame "$trace" -o a.svg --force
totals()        # the same samples in all formats
{
	"$jfrec" flame --profile lock --count --format collapsed "$jvm" >lines || return
	sum=$(awk '{ s += $NF } END { print s }' lines)
	"$jfrec" flame --profile lock --count "$jvm" | head -n 1 | grep -qF "$sum samples"
}
works 'formats agree on the number of samples' totals
works 'a mistyped profile' says 2 "unknown profile 'lok'; did you mean lock" --profile lok "$trace"
works 'an unknown profile' says 2 'The profiles are: cpu' --profile bogus "$trace"
works 'a suffix that says nothing' says 2 'does not select a format' "$trace" -o a.bogus
works 'a format that may change' says 2 'add --experimental to write it' "$trace" -o a.otlp
works 'with --experimental' "$jfrec" flame --experimental "$trace" -o a.otlp
works 'an expression that is none' says 2 'is not a regular expression' --include '(' "$trace"
works 'no recording' says 2 'name a recording or a JVM'

# Virtual threads, states, and trees that outgrow their budget.
contexts=$data/ok/contexts-25.jfr
works 'JSON' says 0 '"schema":"flame"' --format json "$trace"
works 'a state that no sample has' says 1 'no event with a stack trace matches these options' --state sleeping "$trace"
virtual_and_platform()
{
	all=$("$jfrec" flame --count --format json --type rec.Step "$contexts" | tr , '\n' | sed -n 's/"samples"://p')
	some=$("$jfrec" flame --count --format json --type rec.Step --virtual yes "$contexts" | tr , '\n' | sed -n 's/"samples"://p')
	rest=$("$jfrec" flame --count --format json --type rec.Step --virtual no "$contexts" | tr , '\n' | sed -n 's/"samples"://p')
	echo "$all = $some + $rest"
	[ "$some" -gt 0 ] && [ "$all" -eq $((some + ${rest:-0})) ]
}
works 'virtual threads and the others are all' virtual_and_platform
works 'a virtual thread with a name is itself' says 0 '[virtual tid=26]' --by-thread \
	--type rec.Step --virtual yes "$contexts"
folded()
{
	"$jfrec" flame --profile cpu --max-nodes 40 "$trace" >few && grep -qF 'added up as [other]' few &&
		"$jfrec" flame --profile cpu --format collapsed --max-nodes 40 "$trace" >few.lines &&
		"$jfrec" flame --profile cpu --format collapsed "$trace" >all.lines &&
		grep -qF '[other]' few.lines && ! grep -qF '[other]' all.lines &&
		[ "$(awk '{ s += $NF } END { print s }' few.lines)" = "$(awk '{ s += $NF } END { print s }' all.lines)" ]
}
works 'light stacks are folded, and nothing is lost' folded

diffs()         # STATUS TEXT ARGUMENT...
{
	status=$1 text=$2
	shift 2
	"$jfrec" diff "$@" >said 2>&1
	[ $? -eq "$status" ] && grep -qF -- "$text" said || { cat said; return 1; }
}
works 'diff: what is new' diffs 0 'PlatformRecorder.periodicTask  new' "$data/ok/jvm-17.jfr" "$jvm"
works 'diff: the other way round it is gone' diffs 0 'PlatformRecorder.periodicTask  gone' "$jvm" \
	"$data/ok/jvm-17.jfr"
works 'diff: nothing of a recording and itself is beyond chance' diffs 0 'compared by share' \
	--fail-above 1% "$trace" "$trace"
works 'diff: few samples are not beyond chance' diffs 0 '+2.6 ' --profile lock --fail-above 1% \
	"$data/ok/jvm-17.jfr" "$jvm"
works 'diff: rates of events' diffs 0 'Events per second, in' "$data/ok/jvm-17.jfr" "$jvm"
works 'diff: flags' diffs 0 'JVM flags that differ' "$data/ok/jvm-17.jfr" "$jvm"
works 'diff: settings' diffs 0 'Event settings that differ' "$contexts" "$data/ok/settings-17.jfr"
works 'diff: pauses' diffs 0 'collections,' "$data/ok/jvm-17.jfr" "$jvm"
works 'diff: events in JSON' diffs 0 '"afterPerSecond"' --json "$data/ok/jvm-17.jfr" "$jvm"
same_has_no_differences()
{
	"$jfrec" diff "$trace" "$trace" >said || return
	! grep -E 'new$|gone$|that differ' said
}
works 'diff: a recording and itself do not differ' same_has_no_differences
works 'diff: --json' diffs 0 '"beyondChance"' --json "$data/ok/jvm-17.jfr" "$jvm"
works 'diff: a page' diffs 0 '->' "$data/ok/jvm-17.jfr" "$jvm" -o diff.html
works 'diff: one recording' diffs 2 'name two recordings' "$jvm"
works 'diff: half a range' diffs 2 'belong together' --before 09:00..09:10 "$jvm"
works 'diff: a range that is none' diffs 2 'two times, for example 09:30..09:40' --before 9 "$jvm"
works 'diff: two measures' diffs 2 'use --per-second or --per-cpu-second, not both' --per-second \
	--per-cpu-second "$jvm" "$jvm"
works 'diff: a mistyped profile' diffs 2 "unknown profile 'cup'; did you mean cpu?" --profile cup "$jvm" "$jvm"
works 'diff: an unknown profile' diffs 2 "unknown profile 'bogus'" --profile bogus "$jvm" "$jvm"
finish
