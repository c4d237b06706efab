#!/bin/sh
# A JVM that is killed while it writes: repair of its repository gives every
# event that was flushed, each once and as it was.
#
# usage: killed.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
. "$2/tests/cli/tap.sh"
. "$live/live.sh"
live_sources=$live/Busy.java
cd "$work" || exit

# The numbers of all events, sorted.
numbers()       # RECORDING
{
	"$jfrec" print --ndjson --sort file --events test.Number "$1" 2>/dev/null |
		sed -n 's/.*"n":\([0-9]*\).*/\1/p' | sort -n
}

each_once()
{
	[ -z "$(uniq -d repaired | head -n 1)" ]
}

# Numbers are given out in order, so there is none missing below the last flush
# but for what three threads had in hand.
without_gaps()
{
	sed -n "1,$(($(wc -l <printed) - 1000))p" repaired |
		awk '$1 != NR { print "number " $1 " is in line " NR; exit 1 }'
}

texts_fit()
{
	"$jfrec" print --ndjson --sort file --events test.Number r.jfr 2>/dev/null |
		sed -n 's/.*"n":\([0-9]*\),"text":"number \([0-9]*\) of.*/\1 \2/p' |
		awk '$1 % 1000 != $2 { print; exit 1 }'
}

# The JDK's own tool, where there is one.  As text it fails at stack traces of which a method is
# lost, of anybody's file; as JSON it prints them.
opens()
{
	cp r.jfr "$root$dir"
	for what in summary 'print --json'; do
		in_root "${java%/*}/jfr" $what "$dir/r.jfr" >opened 2>&1 || { tail -n 15 opened; return 1; }
	done
}

# JVMs before 14 write nothing that can be read until a chunk is finished.
has_flushes()
{
	[ "$feature" -ge 14 ]
}

has_events()
{
	"$jfrec" print --count --events test.Number "$root$dir"/repository/* 2>/dev/null | grep -q '^[1-9]'
}

has_begun()
{
	[ -n "$(find "$root$dir/repository" -name '*.jfr' -size +0 2>/dev/null)" ]
}

says_nothing_is_left()
{
	grep 'no chunk could be recovered' told || { cat told; ls -lR "$root$dir/repository"; return 1; }
}

kill_and_repair()
{
	program=Busy
	launch -XX:FlightRecorderOptions=repository="$dir/repository",maxchunksize=1M
	if has_flushes; then
		becomes has_events
	else
		becomes has_begun
	fi
	sleep 3
	end_jvm
	set -- "$root$dir"/repository/*
	works 'the JVM left a repository' sh -c 'ls "$1"/*.jfr >/dev/null' sh "$1"
	numbers "$1" >printed
	"$jfrec" repair "$1" -o r.jfr --force >told 2>&1
	numbers r.jfr >repaired
	if has_flushes; then
		works 'there are events' [ "$(wc -l <printed)" -gt 1000 ]
	elif ! [ -e r.jfr ]; then
		works 'nothing can be recovered, which is said' says_nothing_is_left
		return
	fi
	works 'all that print shows are there' \
		[ -z "$(LC_ALL=C sort printed >p; LC_ALL=C sort repaired | LC_ALL=C comm -23 p -)" ]
	works 'each of them once' each_once
	works 'none is missing' without_gaps
	works 'texts belong to their numbers' texts_fit
	works 'the recording is whole' "$jfrec" summary r.jfr
	works "this JDK's tool opens it" opens
	rm -rf r.jfr "$root$dir/repository"
}

for_each_jdk kill_and_repair
finish
