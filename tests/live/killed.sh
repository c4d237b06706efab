#!/bin/sh
# A JVM that is killed while it writes: repair of its repository gives every
# event that was flushed, each once and as it was.
#
# usage: killed.sh JFREC SOURCE_ROOT

jfrec=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
source=$(cd "$2" && pwd)
. "$source/tests/cli/tap.sh"
work=$(mktemp -d "${TMPDIR:-/tmp}/jfrec-killed-XXXXXX")
jvm=
trap '[ -z "$jvm" ] || kill -9 $jvm 2>/dev/null; rm -rf "$work"' EXIT

works()         # NAME COMMAND...
{
	name=$1
	shift
	if said=$("$@" 2>&1); then
		result ok "$jdk: $name"
	else
		result not-ok "$jdk: $name"
		[ -z "$said" ] || echo "$said" | head -n 5 | sed 's/^/# /'
	fi
}

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

kill_and_repair()       # JAVA
{
	mkdir "$work/repository"
	"$1" -XX:FlightRecorderOptions=repository="$work/repository",maxchunksize=1M \
		-cp "$work" Busy >said 2>&1 &
	jvm=$!
	sleep 5
	kill -9 $jvm
	wait $jvm 2>/dev/null
	jvm=
	works 'the JVM left a repository' \
		sh -c 'ls "$1"/*/*.jfr >/dev/null' sh "$work/repository"
	numbers "$work"/repository/* >printed
	"$jfrec" repair "$work"/repository/* -o r.jfr --force >said 2>&1
	numbers r.jfr >repaired
	works 'there are events' [ "$(wc -l <printed)" -gt 1000 ]
	works 'all that print shows are there' \
		[ -z "$(LC_ALL=C sort printed >p; LC_ALL=C sort repaired | LC_ALL=C comm -23 p -)" ]
	works 'each of them once' each_once
	works 'none is missing' without_gaps
	works 'texts belong to their numbers' texts_fit
	works 'the recording is whole' "$jfrec" summary r.jfr
	jfr=${1%/*}/jfr
	works "this JDK's tool opens it" "$jfr" summary r.jfr
	rm -rf "$work/repository"
}

cd "$work" || exit
found=
for java in /usr/lib/jvm/*/bin/java; do
	home=${java%/bin/java}
	[ -x "$home/bin/javac" ] && [ -x "$home/bin/jfr" ] && [ ! -L "$home" ] || continue
	jdk=${home##*/}
	rm -f Busy*.class
	# JVMs before 14 write nothing that can be read until a chunk is finished.
	"$home/bin/javac" -d . "$source/tests/live/Busy.java" >said 2>&1 || continue
	"$java" -version 2>&1 | grep -qE 'version "(8|1\.8|9|10|11|12|13)[."]' && continue
	found=1
	kill_and_repair "$java"
done
if [ -z "$found" ]; then
	echo '1..0 # SKIP no JDK'
	exit 0
fi
finish
