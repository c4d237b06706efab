#!/bin/sh
# `jfrconv -o collapsed` writes the lines that async-profiler's jfrconv 4.5 writes.
#
# usage: collapsed.sh JFREC SOURCE_ROOT
#
# The expected lines lie in tests/data/stacks, sorted by their bytes, in NAME.KIND.collapsed: of
# tests/data/ok/NAME.jfr, or of NAME.jfr beside them, which async-profiler 4.5 recorded.

LC_ALL=C
export LC_ALL
jfrec=$(realpath "$1")
data=$(realpath "$2/tests/data")
. "$2/tests/cli/tap.sh"
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
ln -s "$jfrec" "$work/jfrconv"
cd "$work" || exit

same_lines()    # EXPECTED RECORDING OPTION...
{
	expected=$1 recording=$2
	shift 2
	path=$data/ok/$recording.jfr
	[ -e "$path" ] || path=$data/stacks/$recording.jfr
	./jfrconv -o collapsed "$@" "$path" out >/dev/null || return
	sort out | diff "$data/stacks/$expected.collapsed" -
}

works 'samples' same_lines trace-25.samples trace-25
works 'lines' same_lines trace-25.lines trace-25 --lines
works 'threads, simple names' same_lines trace-25.threads trace-25 -t --simple
works 'reversed, with dots' same_lines trace-25.reversed trace-25 -r --dot --skip 1
works 'an expression has to match a whole name' same_lines trace-25.include trace-25 -I '.*nanoTime'
works 'excluded' same_lines trace-25.exclude trace-25 -X '.*(nanoTime|stop)'
works 'locks' same_lines jvm-25.lock jvm-25 --lock
works 'what threads were doing' same_lines trace-25.classify trace-25 --classify
works "async-profiler's samples" same_lines async-profiler-45.samples async-profiler-45
works "async-profiler's CPU samples" same_lines async-profiler-45.samples async-profiler-45 --cpu
works "async-profiler's threads and what they were doing" same_lines async-profiler-45.classify \
	async-profiler-45 -t --classify
works "async-profiler's lines, reversed" same_lines async-profiler-45.lines async-profiler-45 --lines -r
works 'time in locks' same_lines jvm-25.lock-total jvm-25 --lock --total

refuses()       # TEXT OPTION...
{
	text=$1
	shift
	! ./jfrconv "$@" >said 2>&1 && grep -qF -- "$text" said && [ ! -e nothing ]
}

works 'an unknown option' refuses 'jfrconv: unknown option --bogus' --bogus a b
works 'an unknown format' refuses "jfrconv: unknown format 'bogus'; \`jfrconv --help\` lists" -o bogus "$data/ok/trace-25.jfr" nothing
works 'a value that is missing' refuses 'jfrconv: no value for -o' -o
works 'an expression that is none' refuses "'(' is not a regular expression" -o collapsed -I '(' \
	"$data/ok/trace-25.jfr" nothing
works 'a file that is no recording' refuses 'nothing' -o collapsed /dev/null nothing
into_directory()
{
	mkdir -p d && ./jfrconv -o collapsed "$data/ok/trace-25.jfr" d >said && [ -s d/trace-25.collapsed ]
}
works 'into a directory' into_directory
by_suffix()
{
	./jfrconv "$data/ok/trace-25.jfr" by.collapsed >said && [ -s by.collapsed ]
}
works 'the format by the suffix' by_suffix

span()          # OPTION...: samples of that time
{
	./jfrconv -o collapsed "$@" "$data/ok/trace-25.jfr" part >/dev/null && awk '{ s += $NF } END { print s + 0 }' part
}
times_agree()
{
	all=$(span) && [ "$all" -gt 0 ] && [ "$(span --from 0)" = "$all" ] &&
		[ "$(span --from -3600000)" = "$all" ] && [ "$(span --to 0)" = 0 ] &&
		[ "$(span --from 2017-01-01T00:00:00Z --to 2100-01-01T00:00:00Z)" = "$all" ] &&
		first=$(span --to 1000) && [ $((first + $(span --from 1000))) = "$all" ]
}
works 'times from the start, from the end, and as ISO 8601' times_agree
works 'a time that is none' refuses 'not a time: yesterday' --from yesterday a b
differs()
{
	./jfrconv --diff -o collapsed "$data/ok/trace-25.jfr" "$data/ok/trace-25.jfr" difference >said &&
		[ -s difference ] && ! awk '$(NF - 1) != $NF { bad = 1 } END { exit !bad }' difference &&
		./jfrconv --diff "$data/ok/trace-25.jfr" "$data/ok/trace-25.jfr" difference.html >said &&
		grep -q 'id="data"' difference.html
}
works 'a difference' differs
difference_here()
{
	mkdir -p here && cd here && ../jfrconv --diff "$data/ok/jvm-25.jfr" "$data/ok/trace-25.jfr" >../said &&
		cd .. && [ -s here/trace-25.diff.html ] &&
		grep -q '^Converting trace-25.jfr vs jvm-25.jfr -> trace-25.diff.html' said
}
works 'a difference goes here, if nothing else is said' difference_here
works 'a difference takes two' refuses '--diff compares two recordings' --diff "$data/ok/trace-25.jfr" nothing
page_of()       # FORMAT
{
	./jfrconv -o "$1" --title 'A title' "$data/ok/trace-25.jfr" page.html >said && grep -q '<h1>A title</h1>' page.html &&
		grep -q 'id="times"' page.html
}
works 'a page' page_of html
works 'flamegraph is a page' page_of flamegraph
works 'heatmap is a page with times' page_of heatmap
works 'spans that the recording does not have' refuses 'it has no spans' --latency 10 \
	"$data/ok/jvm-25.jfr" nothing
works 'a latency that is none' refuses 'invalid duration, use for example 300ms: 10x' --latency 10x a b
works 'a tail beyond all' refuses '--tail is a share, from 0 to 1: 2' --tail 2 a b
works 'an expression with what POSIX lacks' refuses "has (?, which is not supported" -o collapsed -I '(?=a)' \
	"$data/ok/trace-25.jfr" nothing
otlp()
{
	./jfrconv -o otlp "$data/ok/trace-25.jfr" t.otlp >said && ./jfrconv "$data/ok/trace-25.jfr" u.otlp \
		>said && cmp t.otlp u.otlp && grep -qaF 'thread.name' t.otlp && grep -qaF Contexts.main t.otlp
}
works 'otlp, by the option or the suffix' otlp

# Of pprof's file, what protoc makes of it.
pprof_has()     # LINE
{
	./jfrconv -t -o pprof --total --lock "$data/ok/jvm-25.jfr" p.pb.gz >said || return
	gunzip -c p.pb.gz >p.pb && [ -s p.pb ] || return
	command -v protoc >/dev/null || return 0
	protoc --decode_raw <p.pb >p.txt && grep -qF -- "$1" p.txt
}
works 'pprof: a method' pprof_has '"java/util/concurrent/locks/LockSupport.parkNanos"'
works 'pprof: the time in locks' pprof_has '"contentions"'
finish
