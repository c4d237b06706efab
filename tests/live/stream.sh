#!/bin/sh
# Events that eight threads have numbered, counted at the other end of the stream: none is
# lost, none comes twice, each thread's are in order; over a hundred rotations of chunks, through
# kill -9, a slow reader, a repository that moves, is deleted or gets full, and steps of the JVM's
# clock; and they are those of the JDK's own stream.
#
# usage: stream.sh JFREC SOURCE_ROOT
#
# The clock is stepped by libfaketime, if the JVM's root has it in /usr/lib, or
# $JFREC_TEST_FAKETIME says where it is.

LC_ALL=C
export LC_ALL
jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
. "$2/tests/cli/tap.sh"

# A name that no other JVM of this machine has.
program=Steps$$
renamed=${TMPDIR:-/tmp}/$program.java
sed "s/\<Steps\>/$program/" "$live/Steps.java" >"$renamed"
live_sources="$renamed $live/Reader.java"
. "$live/live.sh"
stream=
trap 'kill -9 $stream 2>/dev/null; rm -f "$renamed"; end_live' EXIT
cd "$work" || exit

# Waits up to so many seconds until a file has a line.
wait_for()      # SECONDS FILE PATTERN
{
	tries=$(($1 * 5))
	while [ $tries -gt 0 ]; do
		grep -q "$3" "$2" 2>/dev/null && return 0
		sleep 0.2
		tries=$((tries - 1))
	done
	echo "# no line $3 in $2 after $1 s"
	return 1
}

# Waits up to two minutes until a file has so many lines; it may not be there yet.
wait_for_lines()        # FILE COUNT
{
	tries=600
	while [ $tries -gt 0 ] && [ "$(cat "$1" 2>/dev/null | wc -l)" -lt "$2" ]; do
		sleep 0.2
		tries=$((tries - 1))
	done
}

# JDK 8 and 11 write nothing that can be read until a chunk is finished.
has_flushes()
{
	[ "$feature" -ge 14 ]
}

# The settings of JDK 8 and 11 have live.Step, and other events.
recording()
{
	if has_flushes; then
		echo -XX:StartFlightRecording:name=all,maxsize=1g,settings=none,+live.Step#enabled=true
	else
		echo -XX:StartFlightRecording=name=all,maxsize=1g,settings=default
	fi
}

launch_steps()  # OPTION...; $arguments of Steps
{
	rm -rf "$root$dir/repository" "$root$dir/moved"
	launch -Xmx128m -XX:TieredStopAtLevel=1 -XX:FlightRecorderOptions=repository="$dir/repository" \
		"$(recording)" "$@"
	wait_for 120 jvm begun
}

start_steps()   # EVENTS PAUSE_US ROTATIONS PAUSE_MS
{
	arguments=$*
	launch_steps
}

# Its repository, as seen by us.
repository()
{
	ls -d "$root$dir/repository/"*_"$pid"
}

end_by()        # SIGNAL
{
	kill "-$1" "$pid"
	wait "$pid" 2>/dev/null
}

follow()        # FILE OPTION...
{
	file=$1
	shift
	: >"$file" # now: lines of the JDK before are not waited for
	"$jfrec" stream --ndjson --from start -e live.Step --fields thread,number "$@" >"$file" 2>"$file.err" &
	stream=$!
}

# It may have ended, and nobody asked how as yet.
has_ended()     # PID
{
	[ ! -e "/proc/$1" ] || grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null
}

# Waits for the stream to end by itself; sets $status.  A subshell that sleeps and kills it would
# have to be killed itself: if that comes before it has put off our traps, it sleeps to the end.
join()
{
	tries=1200
	while ! has_ended $stream && [ $tries -gt 0 ]; do
		sleep 0.1
		tries=$((tries - 1))
	done
	[ $tries -gt 0 ] || kill -9 $stream
	wait $stream 2>/dev/null
	status=$?
	stream=
	[ $status -ne 137 ] || echo 'the stream does not end'
	[ $status -ne 137 ]
}

# Milliseconds that a process has had of a processor.
processor_ms()  # PID
{
	awk -v hertz="$(getconf CLK_TCK)" '{ print int(($14 + $15) * 1000 / hertz) }' "/proc/$1/stat"
}

# What is looked at twenty times in a second costs little: a loop that does not wait takes it all.
does_not_spin() # SECONDS
{
	before=$(processor_ms $stream)
	sleep "$1"
	spent=$(($(processor_ms $stream) - before))
	[ "$spent" -lt $(($1 * 250)) ] || { echo "$spent ms of a processor in $1 s"; return 1; }
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

# In the order of time, each event once.  While a JVM flushes, a thread may fill a buffer that this
# flush no longer writes, and then another that it does: those events come a flush late, and the
# file has them in the same order.
complete_by_time()      # FILE COUNT THE_SAME_UNORDERED
{
	complete_unordered "$1" "$2" || return
	{ pairs "$3"; echo end; pairs "$1"; } | awk '
		$1 == "end" { is_file = 1; next }
		!is_file { at[$1, $2] = NR; next }
		$2 > last[$1] + 0 { last[$1] = $2; next }
		at[$1, $2] < at[$1, last[$1] + 0] {
			print "thread", $1, "number", $2, "after", last[$1], "and before it in the file"
			bad = 1
			exit
		}
		END { exit bad }'
}

complete_unordered()    # FILE COUNT
{
	pairs "$1" | sort -k 1,1n -k 2,2n | sed 's/\(.*\) \(.*\)/"thread":\1,"number":\2/' >sorted
	complete sorted "$2"
}

# Nothing is said but that the JVM has ended, what there is to say to JDK 8 and 11, and that a slow
# JVM has not written the types of its events as yet.
nothing_amiss() # FILE...
{
	! grep -h -v -e 'exited$' -e 'JDK 8 and 11 write' -e 'no event type is called live.Step as yet$' "$@"
}

chunks()        # how many there were: names are never used twice
{
	ls "$(repository)" | grep -c '\.jfr$'
}

many_rotations()
{
	start_steps 20000 300 110 60
	follow by_time "$pid"
	follow_1=$stream
	follow by_file --unordered "$(repository)"
	works 'the JVM has counted' wait_for 180 jvm 'done'
	sleep 1.5
	works 'there were 100 rotations' [ "$(chunks)" -gt 200 ]
	end_by TERM
	works 'the stream of the directory ends with its JVM' join
	stream=$follow_1
	works 'the stream of the JVM ends with it' join
	works 'each event once, in order' complete_by_time by_time 20000 by_file
	works 'each event once, unordered' complete_unordered by_file 20000
	works 'nothing is amiss' nothing_amiss by_time.err by_file.err
}

# What jfrec print finds of what is left: finished chunks, and up to the last flush.
left()
{
	for chunk in "$(repository)"/*.jfr; do
		[ ! -s "$chunk" ] || "$jfrec" print --ndjson --sort file --fields thread,number -e live.Step "$chunk" 2>/dev/null
	done >left
	pairs left | sort
}

killed()
{
	start_steps 0 500 3 200
	follow seen "$pid"
	! has_flushes || wait_for_lines seen 5001 # on a busy machine that takes its time
	sleep 4
	end_by KILL
	works 'the stream ends when its JVM is killed' join
	works 'it says so' grep -q 'without finishing' seen.err
	works 'what could be read is there, in order' complete seen
	left >left.sorted
	pairs seen | sort >seen.sorted
	works 'all that print finds' cmp left.sorted seen.sorted
	works 'some thousands' [ "$(wc -l <seen.sorted)" -gt "$(has_flushes && echo 5000 || echo 1000)" ]
	follow after "$(repository)"
	works 'the repository of a dead JVM has an end' join
	pairs after | sort >after.sorted
	works 'and the same events' cmp seen.sorted after.sorted
}

# A chunk that cannot be read before it is finished.
chunk_by_chunk()
{
	start_steps 1000 100 0 0
	follow late "$pid"
	works 'that events come late is told' wait_for 5 late.err 'JDK 8 and 11 write chunks'
	works 'once, with the name of the file' sh -c '[ $(wc -l <late.err) -eq 1 ] && grep "part:" late.err'
	wait_for 30 jvm 'done'
	works 'waiting for them costs nothing' does_not_spin 1
	works 'none comes before its chunk is finished' [ ! -s late ]
	for i in 1 2 3; do
		"$jfrec" dump "$pid" -f -o dumped.jfr >dump.out 2>&1
	done
	works 'a dump finishes it' wait_for_lines late 8000
	end_by TERM
	works 'the stream ends' join
	works 'each event once, in order' complete late 1000
	start_steps 1000 100 0 0
	follow new "$pid" --from now
	wait_for 30 jvm 'done'
	end_by TERM
	works 'a stream from now on ends' join
	works 'the chunk that is not finished is all new to it' complete new 1000
}

slow_reader()
{
	start_steps 15000 0 1 10
	wait_for 30 jvm 'done'
	sleep 1.5
	# The shell keeps the status of the last of a pipe, so a file has it.
	{ "$jfrec" stream "$pid" --ndjson --from start --for 3s -e live.Step --on-slow drop 2>drop.err; } |
		{ sleep 4; cat; } >dropped
	got=$(grep -c live.Step dropped)
	lost=$(sed -n 's/.*slowly; \([0-9]*\) in all.*/\1/p' drop.err | tail -n 1)
	works "dropped ($lost) and delivered ($got) are all" [ $((got + ${lost:-0})) -eq 120000 ]
	works 'something was dropped' [ "${lost:-0}" -gt 0 ]
	{ "$jfrec" stream "$pid" --ndjson --from start --for 3s -e live.Step --fields thread,number 2>wait.err; } |
		{ sleep 4; cat; } >waited
	works 'a reader that is waited for gets all' complete waited 15000
	end_by TERM
}

moved()
{
	start_steps 10000 500 1 10
	follow moving "$pid"
	sleep 2
	works 'the repository moves' "$jfrec" configure "$pid" --repository-path "$dir/moved"
	works 'the JVM has counted' wait_for 180 jvm 'done'
	sleep 2
	end_by TERM
	works 'the stream ends' join
	works 'each event once, over the move' complete moving 10000
}

# A JVM goes on in the files it has open, and makes a new directory for the next chunk.
deleted()
{
	start_steps 6000 500 1 2000
	follow gone "$pid"
	sleep 1
	rm -r "$(repository)"
	works 'it waits in a directory that is deleted' does_not_spin 1
	works 'the JVM has counted' wait_for 180 jvm 'done'
	sleep 1.5
	end_by TERM
	works 'the stream ends' join
	works 'each event once, though the directory was deleted' complete gone 6000
	works 'nothing is amiss' nothing_amiss gone.err
}

same_as_jdk()
{
	start_steps 5000 1000 20 100
	"$jfrec" stream "$pid" --ndjson --utc --from start -e live.Step \
		--fields startTime,eventThread.javaName,thread,number,text >ours 2>ours.err &
	stream=$!
	directory=$(repository)
	in_root timeout 60 "$java" -cp "$dir" Reader "${directory#"$root"}" 4999 >theirs 2>theirs.err
	sleep 1.5
	end_by TERM
	join
	sed 's/"source":"[0-9]*"/"source":"S"/' ours | sort >ours.sorted
	sort theirs >theirs.sorted
	works "the JDK's stream has $(wc -l <theirs) events" [ "$(wc -l <theirs)" -eq 40000 ]
	works 'ours are the same, as JSON' cmp ours.sorted theirs.sorted
}

is_interrupted()
{
	[ $status -eq 130 ] || { echo "exit status $status"; cat both.err; return 1; }
}

restarted()
{
	start_steps 1000 100 1 10
	follow both --follow "$program"
	! has_flushes || wait_for_lines both 8000
	wait_for 30 jvm 'done'
	end_by TERM
	wait_for_lines both 8000
	start_steps 1000 100 1 10
	! has_flushes || wait_for_lines both 16000
	wait_for 30 jvm 'done'
	has_flushes || sleep 3 # until it is noticed
	end_by TERM
	wait_for_lines both 16000
	kill -INT $stream
	join
	works 'Ctrl-C is told' is_interrupted
	works 'the next JVM of that name is followed' [ "$(grep -c "\"source\":\"$pid\"" both)" -eq 8000 ]
	works 'and so was the first' [ "$(grep -c live.Step both)" -eq 16000 ]
}

records_nothing()
{
	"$jfrec" check "$pid" | grep 'No recordings'
}

own_recording()
{
	arguments='0 1000 0 0'
	start_jvm -Xmx64m
	works 'one that records nothing is refused' exits 1 "$jfrec" stream "$pid" --for 1s
	"$jfrec" stream "$pid" --settings default -e live.Step --for 3s --ndjson >own 2>own.err
	works 'it records for the stream' grep -q live.Step own
	works 'and no longer' records_nothing
	"$jfrec" stream "$pid" --settings default -e live.Step --ndjson >own 2>own.err &
	stream=$!
	sleep 2
	kill -9 $stream
	wait $stream 2>/dev/null
	stream=
	works 'nor when it was killed' becomes records_nothing
	end_by TERM
}

# What cannot be had everywhere ------------------------------------------------

# A JVM of JDK 11 and later ends itself when it cannot write.
disk_full()
{
	if ! is_root || ! unshare --mount true 2>/dev/null; then
		skip 'a full disk' "$(why_not_apart --mount)"
		return
	fi
	mkdir -p "$root$dir/small"
	printf '#!/bin/sh\nmount -t tmpfs -o size=6m none "%s" && exec "$@"\n' "$root$dir/small" >small.sh
	chmod 755 small.sh
	arguments='0 200 100 300'
	prefix="unshare --mount $work/small.sh"
	launch_steps -XX:FlightRecorderOptions=repository="$dir/small" \
		-XX:+IgnoreUnrecognizedVMOptions -XX:-CreateCoredumpOnCrash
	prefix=
	follow full "$pid"
	wait_for_lines full 1000
	if [ "$feature" -gt 8 ]; then
		works 'a JVM whose disk is full ends' becomes is_dead
	else # it goes on, and what it could not write is lost
		works 'what is not whole is told' wait_for 10 full.err 'can be read'
		works 'a full disk is waited through' does_not_spin 1
		end_by KILL
	fi
	works 'and with it the stream' join
	works 'what was flushed is there, in order' complete full
	works 'some thousands' [ "$(wc -l <full)" -gt 2000 ]
	works 'that it ended is told' grep -q 'exited' full.err
}

is_dead()
{
	! is_alive
}

libfaketime()   # its path in the JVM's root
{
	for library in "$JFREC_TEST_FAKETIME" "$root"/usr/lib/*/faketime/libfaketimeMT.so.1; do
		[ ! -f "$library" ] || echo "${library#"$root"}"
	done | head -n 1
}

# Everything that the JVM can see of the time of day.
set_clock()     # OFFSET
{
	echo "$1" >"$root$dir/clock.new"
	mv "$root$dir/clock.new" "$root$dir/clock"
}

clock_steps()
{
	library=$(libfaketime)
	if [ -z "$library" ]; then
		skip 'steps of the clock' 'there is no libfaketime'
		return
	fi
	set_clock +0
	arguments='16000 500 60 150'
	prefix="env LD_PRELOAD=$library FAKETIME_TIMESTAMP_FILE=$dir/clock FAKETIME_CACHE_DURATION=1
		FAKETIME_DONT_FAKE_MONOTONIC=1 DONT_FAKE_MONOTONIC=1 NO_FAKE_STAT=1"
	launch_steps
	prefix=
	follow stepped "$pid"
	sleep 2
	set_clock +1h
	sleep 3
	set_clock -1h
	works 'steps of the clock are waited through' does_not_spin 2
	# Some JVMs come to a standstill, all by themselves: what they did before is counted.
	wait_for 15 jvm 'done' || skip 'all events, over steps of the clock' 'libfaketime stopped this JVM'
	sleep 1.5
	end_by KILL
	works 'the stream ends' join
	works 'each event once, in order, over steps of the clock' complete stepped
	works 'some thousands' [ "$(wc -l <stepped)" -gt 10000 ]
}

of_one_jdk()
{
	many_rotations
	killed
	has_flushes || chunk_by_chunk
	! has_flushes || slow_reader
	! has_flushes || moved
	! has_flushes || deleted # else the JVM loses what it records, and ends
	[ "$feature" -lt 25 ] || same_as_jdk
	restarted
	own_recording
	disk_full
	clock_steps
}

for_each_jdk of_one_jdk
finish
