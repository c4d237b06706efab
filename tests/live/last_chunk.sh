#!/bin/sh
# The end of a JVM with two recordings: the first that is stopped begins a chunk that lives for some
# milliseconds only, until the second is stopped and the repository removed.  What is in it is
# streamed like everything else; where the machine is too busy to open it in that time, the stream
# says that events may be missing.
#
# usage: last_chunk.sh JFREC SOURCE_ROOT
#
# Runs with each JDK from 17 on that is found in /usr/lib/jvm; $JFREC_TEST_JDKS ("17 25") narrows
# that down.  $JFREC_TEST_ROUNDS ends are tried (5).

LC_ALL=C
export LC_ALL
jfrec=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
source=$(cd "$2" && pwd)
. "$source/tests/cli/tap.sh"
work=$(mktemp -d "${TMPDIR:-/tmp}/jfrec-last-XXXXXX")
jvm= stream=
trap 'for pid in $jvm $stream; do kill -9 $pid 2>/dev/null; done; rm -rf "$work"' EXIT
cd "$work" || exit

# Waits up to so many seconds until a file has a line.
wait_for()      # SECONDS FILE PATTERN
{
	tries=$(($1 * 5))
	while [ $tries -gt 0 ] && ! grep -q "$3" "$2" 2>/dev/null; do
		sleep 0.2
		tries=$((tries - 1))
	done
	[ $tries -gt 0 ] || echo "# no line $3 in $2 after $1 s"
	[ $tries -gt 0 ]
}

# A number for each that has not come once.
missing()       # LAST <NUMBERS
{
	awk -v last="$1" '
		{ seen[$1]++ }
		END { for (i = 0; i <= last; i++) if (seen[i] != 1) print i }'
}

round()
{
	rm -rf repository
	rm -f counted streamed streamed.err # what the one before said must not be taken for its words
	"$java" -Xmx64m -XX:TieredStopAtLevel=1 "-XX:FlightRecorderOptions:repository=$work/repository" \
		-XX:StartFlightRecording:name=one,settings=none,+live.Last#enabled=true \
		-XX:StartFlightRecording:name=two,settings=none,+live.Last#enabled=true \
		-cp classes Last 3 >counted 2>&1 &
	jvm=$!
	wait_for 120 counted begun || return
	"$jfrec" stream $jvm --ndjson --from start -e live.Last --fields number >streamed 2>streamed.err &
	stream=$!
	wait $jvm
	jvm=
	wait $stream
	stream=
	last=$(sed -n 's/^stopped //p' counted)
	sed -n 's/.*"number":\([0-9]*\).*/\1/p' streamed | missing "${last:-0}" >missing
	[ "${last:-0}" -gt 100 ] || echo "the JVM has counted to ${last:-nothing}"
	[ ! -s missing ] || echo "of $last, $(wc -l <missing) are missing, from $(head -n 1 missing) on"
	cat streamed.err
	[ "${last:-0}" -gt 100 ] && { [ ! -s missing ] || is_told; }
}

# Only what comes after a chunk can be missing, from some number to the last.
is_told()
{
	grep -q 'events may be missing$' streamed.err &&
		[ $((last - $(head -n 1 missing) + 1)) -eq "$(wc -l <missing)" ]
}

found=
for java in /usr/lib/jvm/*/bin/java; do
	home=${java%/bin/java}
	[ -x "$home/bin/javac" ] && [ ! -L "$home" ] || continue
	version=$("$java" -version 2>&1 | sed -n '1s/.* version "\([0-9]*\).*/\1/p')
	[ "${version:-0}" -ge 17 ] || continue
	case " ${JFREC_TEST_JDKS:-$version} " in *" $version "*) ;; *) continue ;; esac
	rm -rf classes
	"$home/bin/javac" -d classes "$source/tests/live/Last.java" >javac 2>&1 || continue
	found=1
	i=0
	while [ $i -lt "${JFREC_TEST_ROUNDS:-5}" ]; do
		i=$((i + 1))
		if round >said 2>&1; then
			result ok "JDK $version: all of the last chunk, end $i"
		else
			result not-ok "JDK $version: all of the last chunk, end $i"
			head -n 5 said | sed 's/^/# /'
		fi
	done
done
if [ -z "$found" ]; then
	echo '1..0 # SKIP no JDK from 17 on'
	exit 0
fi
finish
