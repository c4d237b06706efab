#!/bin/sh
# Events that eight threads have numbered, counted at the other end of the stream: none is
# lost, none comes twice, each thread's are in order; over a hundred rotations of chunks, through
# kill -9, a slow reader and a repository that moves; and they are those of the JDK's own stream.
#
# usage: stream.sh JFREC SOURCE_ROOT
#
# Runs with each JDK from 17 on that is found in /usr/lib/jvm; $JFREC_TEST_JDKS ("17 25")
# narrows that down.

LC_ALL=C
export LC_ALL
jfrec=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
source=$(cd "$2" && pwd)
. "$source/tests/cli/tap.sh"
work=$(mktemp -d "${TMPDIR:-/tmp}/jfrec-stream-XXXXXX")
jvm= stream=
trap 'for pid in $jvm $stream; do kill -9 $pid 2>/dev/null; done; rm -rf "$work"' EXIT
cd "$work" || exit

# Not in a subshell: commands may set variables and wait for children.
works()         # NAME COMMAND...
{
	name=$1
	shift
	if "$@" >said 2>&1; then
		result ok "$jdk: $name"
	else
		result not-ok "$jdk: $name"
		head -n 5 said | sed 's/^/# /'
	fi
}

# Waits up to so many seconds until a file has a line.
wait_for()      # SECONDS FILE PATTERN
{
	tries=$(($1 * 5))
	while [ $tries -gt 0 ]; do
		grep -q "$3" "$2" 2>/dev/null && return 0
		sleep 0.2
		tries=$((tries - 1))
	done
	echo "no line $3 in $2 after $1 s"
	return 1
}

start_jvm()     # ARGUMENT... of Steps
{
	rm -rf repository moved steps
	"$java" -Xmx128m -XX:TieredStopAtLevel=1 "-XX:FlightRecorderOptions:repository=$work/repository" \
		-XX:StartFlightRecording:name=all,maxsize=1g,settings=none,+live.Step#enabled=true \
		-cp classes Steps "$@" >steps 2>&1 &
	jvm=$!
	wait_for 20 steps begun
}

end_jvm()       # SIGNAL
{
	kill -"$1" $jvm
	wait $jvm 2>/dev/null
	jvm=
}

follow()        # FILE OPTION...
{
	file=$1
	shift
	"$jfrec" stream --ndjson --from start -e live.Step --fields thread,number "$@" >"$file" 2>"$file.err" &
	stream=$!
}

# Waits for the stream to end by itself; sets $status.
join()
{
	(sleep 30; kill -9 $stream) 2>/dev/null &
	watch=$!
	wait $stream 2>/dev/null
	status=$?
	stream=
	kill $watch
	wait $watch 2>/dev/null
	[ $status -ne 137 ] || echo 'the stream does not end'
	[ $status -ne 137 ]
}

pairs()         # FILE
{
	sed -n 's/.*"thread":\([0-9]*\),"number":\([0-9]*\).*/\1 \2/p' "$1"
}

# Every thread's numbers are 0, 1, 2, ... in this order, or (sorted) in any.
complete()      # FILE COUNT
{
	pairs "$1" | awk -v count="$2" '
		$2 != next_of[$1] + 0 { print "thread", $1, "number", $2, "in place of", next_of[$1] + 0; bad = 1; exit }
		{ next_of[$1]++ }
		END {
			for (i = 0; i < 8 && !bad; i++)
				if (count != "" && next_of[i] != count) {
					print "thread", i, "has", next_of[i] + 0, "of", count
					bad = 1
				}
			exit bad
		}'
}

complete_unordered()    # FILE COUNT
{
	pairs "$1" | sort -k 1,1n -k 2,2n | sed 's/\(.*\) \(.*\)/"thread":\1,"number":\2/' >sorted
	complete sorted "$2"
}

chunks()        # how many there were: names are never used twice
{
	ls repository/* | grep -c '\.jfr$'
}

many_rotations()
{
	start_jvm 20000 300 110 60
	follow by_time $jvm
	follow_1=$stream
	follow by_file --unordered "$(ls -d repository/*)"
	works 'the JVM has counted' wait_for 60 steps done
	sleep 1.5
	works 'there were 100 rotations' [ "$(chunks)" -gt 200 ]
	end_jvm TERM
	works 'the stream of the directory ends with its JVM' join
	stream=$follow_1
	works 'the stream of the JVM ends with it' join
	works 'each event once, in order' complete by_time 20000
	works 'each event once, unordered' complete_unordered by_file 20000
	works 'nothing is amiss' sh -c '! grep -v "ended$" by_time.err by_file.err'
}

killed()
{
	start_jvm 0 500 3 200
	follow seen $jvm
	sleep 5
	end_jvm KILL
	works 'the stream ends when its JVM is killed' join
	works 'it says so' grep -q 'without finishing' seen.err
	works 'what was flushed is there, in order' complete seen
	"$jfrec" print --ndjson --sort file --fields thread,number -e live.Step repository/* 2>/dev/null >left
	pairs left | sort >left.sorted
	pairs seen | sort >seen.sorted
	works 'all that print finds' cmp left.sorted seen.sorted
	works 'some thousands' [ "$(wc -l <seen.sorted)" -gt 5000 ]
	follow after "$(ls -d repository/*)"
	works 'the repository of a dead JVM has an end' join
	pairs after | sort >after.sorted
	works 'and the same events' cmp seen.sorted after.sorted
}

slow_reader()
{
	start_jvm 15000 0 1 10
	wait_for 30 steps done
	sleep 1.5
	# The shell keeps the status of the last of a pipe, so a file has it.
	{ "$jfrec" stream $jvm --ndjson --from start --for 3s -e live.Step --on-slow drop 2>drop.err; } |
		{ sleep 5; cat; } >dropped
	got=$(grep -c live.Step dropped)
	lost=$(sed -n 's/.*slowly; \([0-9]*\) in all.*/\1/p' drop.err | tail -n 1)
	works "dropped ($lost) and delivered ($got) are all" [ $((got + ${lost:-0})) -eq 120000 ]
	works 'something was dropped' [ "${lost:-0}" -gt 0 ]
	{ "$jfrec" stream $jvm --ndjson --from start --for 3s -e live.Step --fields thread,number 2>wait.err; } |
		{ sleep 5; cat; } >waited
	works 'a reader that is waited for gets all' complete waited 15000
	end_jvm TERM
}

moved()
{
	start_jvm 10000 500 1 10
	follow moving $jvm
	sleep 2
	works 'the repository moves' "$jfrec" configure $jvm --repository-path "$work/moved"
	works 'the JVM has counted' wait_for 60 steps done
	sleep 2
	end_jvm TERM
	works 'the stream ends' join
	works 'each event once, over the move' complete moving 10000
}

same_as_jdk()
{
	[ "$1" -ge 25 ] || return
	start_jvm 5000 1000 20 100
	"$jfrec" stream $jvm --ndjson --utc --from start -e live.Step \
		--fields startTime,eventThread.javaName,thread,number,text >ours 2>ours.err &
	stream=$!
	timeout 60 "$java" -cp classes Reader "$(ls -d "$work"/repository/*)" 4999 >theirs 2>theirs.err
	sleep 1.5
	end_jvm TERM
	join
	sed 's/"source":"[0-9]*"/"source":"S"/' ours | sort >ours.sorted
	sort theirs >theirs.sorted
	works "the JDK's stream has $(wc -l <theirs) events" [ "$(wc -l <theirs)" -eq 40000 ]
	works 'ours are the same, as JSON' cmp ours.sorted theirs.sorted
}

# Waits up to 30 seconds until a file has so many lines; it may not be there yet.
wait_for_lines()        # FILE COUNT
{
	tries=150
	while [ $tries -gt 0 ] && [ "$(cat "$1" 2>/dev/null | wc -l)" -lt "$2" ]; do
		sleep 0.2
		tries=$((tries - 1))
	done
}

is_interrupted()
{
	[ $status -eq 130 ] || { echo "exit status $status"; cat both.err; return 1; }
}

restarted()
{
	start_jvm 1000 100 1 10
	follow both --follow Steps
	wait_for_lines both 8000
	end_jvm TERM
	start_jvm 1000 100 1 10
	first=$jvm
	wait_for_lines both 16000
	end_jvm TERM
	kill -INT $stream
	join
	works 'Ctrl-C is told' is_interrupted
	works 'the next JVM of that name is followed' [ "$(grep -c "\"source\":\"$first\"" both)" -eq 8000 ]
	works 'and so was the first' [ "$(grep -c live.Step both)" -eq 16000 ]
}

own_recording()
{
	rm -f steps
	"$java" -Xmx64m -cp classes Steps 0 1000 0 0 >steps 2>&1 &
	jvm=$!
	sleep 2
	works 'one that records nothing is refused' sh -c '! "$1" stream "$2" --for 1s' sh "$jfrec" $jvm
	"$jfrec" stream $jvm --settings default -e live.Step --for 3s --ndjson >own 2>own.err
	works 'it records for the stream' grep -q live.Step own
	works 'and no longer' sh -c '"$1" check "$2" | grep -q "No recordings"' sh "$jfrec" $jvm
	"$jfrec" stream $jvm --settings default -e live.Step --ndjson >own 2>own.err &
	stream=$!
	sleep 3
	kill -9 $stream
	wait $stream 2>/dev/null
	stream=
	sleep 1
	works 'nor when it was killed' sh -c '"$1" check "$2" | grep -q "No recordings"' sh "$jfrec" $jvm
	end_jvm TERM
}

found=
for java in /usr/lib/jvm/*/bin/java; do
	home=${java%/bin/java}
	[ -x "$home/bin/javac" ] && [ ! -L "$home" ] || continue
	version=$("$java" -version 2>&1 | sed -n '1s/.* version "\([0-9]*\).*/\1/p')
	[ "${version:-0}" -ge 17 ] || continue
	case " ${JFREC_TEST_JDKS:-$version} " in *" $version "*) ;; *) continue ;; esac
	jdk="JDK $version"
	rm -rf classes
	"$home/bin/javac" -d classes "$source/tests/live/Steps.java" "$source/tests/live/Reader.java" >javac 2>&1 || continue
	found=1
	many_rotations
	killed
	slow_reader
	moved
	same_as_jdk "$version"
	restarted
	own_recording
done
if [ -z "$found" ]; then
	echo '1..0 # SKIP no JDK from 17 on'
	exit 0
fi
finish
