#!/bin/sh
# jfrec collect against JVMs that are killed at random, and being killed itself: every
# numbered event that was flushed is in exactly one file, and limits are kept all the time.
#
# usage: collect.sh JFREC SOURCE_ROOT
#
# Rounds of killing: $JFREC_TEST_ROUNDS, or 12; JVMs at a time: $JFREC_TEST_JVMS, or 3.

LC_ALL=C
export LC_ALL
jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
. "$2/tests/cli/tap.sh"

# A name that no other JVM of this machine has.
program=Numbers$$
live_sources=${TMPDIR:-/tmp}/$program.java
sed "s/class Numbers/class $program/" "$live/Numbers.java" >"$live_sources"
. "$live/live.sh"
trap 'rm -f "$live_sources"; end_live' EXIT
rounds=${JFREC_TEST_ROUNDS:-12}
most=${JFREC_TEST_JVMS:-3}
cd "$work" || exit

# From 0 up to that, each time another.
random()        # BOUND
{
	echo $(($(od -An -N4 -tu4 /dev/urandom) % $1))
}

configure()     # MORE_LINES
{
	rm -rf here
	mkdir here
	cat >c.yaml <<END
directory: $work/here
repositories: [ $root$dir/repository ]
jvms:
  - name: $program
${1:-}
END
}

collect()
{
	"$jfrec" collect -c c.yaml "$@"
}

# Chunks are full after some seconds.
launch_numbers()
{
	launch -Xmx32m -XX:TieredStopAtLevel=1 \
		-XX:FlightRecorderOptions=repository="$dir/repository",maxchunksize=1M "$@"
	running="$running $pid"
	all="$all $pid"
}

kill_one()      # SIGNAL
{
	set -- "$1" $running
	signal=$1
	shift
	victim=$1
	shift
	running="$*"
	kill "-$signal" "$victim"
	wait "$victim" 2>/dev/null
}

numbers()       # RECORDING...
{
	for recording; do
		[ ! -e "$recording" ] || "$jfrec" print --csv --sort file --events live.Number \
			--fields number "$recording" 2>/dev/null | tr -d '\r' | sed 1d
	done | sort
}

repository_of() # PID
{
	ls -d "$root$dir/repository"/*_"$1" 2>/dev/null
}

# What a dead JVM has left, and what was brought of it; both nothing, if it was killed early.
is_complete()   # PID
{
	numbers "$(repository_of "$1")" >left
	numbers here/*-"$1"-* >brought
	cat left >>all.left
	cmp left brought || {
		echo "of $1: $(wc -l <left) were left, $(wc -l <brought) brought," \
			"$(uniq -d brought | wc -l) twice, $(comm -23 left brought | wc -l) missing"
		return 1
	}
}

are_complete()
{
	: >all.left
	for pid in $all; do
		is_complete "$pid" || return
	done
	echo "$(wc -l <all.left) events of $(echo $all | wc -w) JVMs"
	[ "$(wc -l <all.left)" -gt 1000 ]
}

# One that flushed nothing does not even tell whose it was, and stays.
are_removed()
{
	for repository in "$root$dir"/repository/*; do
		[ ! -e "$repository" ] || [ -z "$(numbers "$repository")" ] || { ls -l "$repository"; return 1; }
	done
}

# Each file can be read by itself.
are_whole()
{
	for file in here/*.jfr*; do
		"$jfrec" summary "$file" >summary 2>&1 && ! grep jfrec: summary || { cat summary; return 1; }
	done
	[ "$(ls -A here/.jfrec-collect)" = state ] || ls -lA here/.jfrec-collect
}

# Watches the directory until $work/watched is gone; more than that is noted.
scan()
{
	find here -type f ! -name 'state*' -printf '%i:%P %s %d\n' 2>/dev/null
}

# While a directory is read, one file may go and another come, and both be seen: so what counts is
# what two looks have in common, since that was there at once, in between.
watch_limits()  # BYTES FILES
{
	: >watched
	while [ -e watched ]; do
		scan >seen
		scan | awk -v most="$1" -v files="$2" '
			NR == FNR { size[$1] = $2; next }
			$1 in size { n += size[$1]; all = all " " $1; if ($3 == 1) f++ }
			END { if (n > most || f > files) print n, f, all }' seen -
		sleep 0.01
	done >exceeded &
	watcher=$!
}

# ------------------------------------------------------------------------------

# The first chunk is full, and the next one begun.
has_recorded()  # PID
{
	[ "$(ls "$(repository_of "$1")" 2>/dev/null | wc -l)" -ge 2 ]
}

# On a machine that is busy with other things, too.
in_the_end()    # COMMAND...
{
	becomes "$@" || becomes "$@" || becomes "$@" || { cat served 2>/dev/null; return 1; }
}

kill_at_random()
{
	for round in $(seq "$rounds"); do
		set -- $running
		[ $# -ge "$most" ] || launch_numbers -XX:StartFlightRecording
		sleep "0.$(random 9)$(random 9)"
		case $(random 3) in
		0)	timeout -s KILL "0.0$(random 9)$(random 9)" "$jfrec" collect -c c.yaml -q >>passes 2>&1 ;;
		1)	collect -q >>passes 2>&1 ;;
		*)	timeout -s KILL "0.00$(random 9)" "$jfrec" collect -c c.yaml -q >>passes 2>&1
			collect -q >>passes 2>&1 ;;
		esac
		set -- $running
		! has_recorded "$1" || [ "$(random 2)" = 0 ] || kill_one KILL
		sleep "1.$(random 9)"
	done
	for pid in $running; do
		in_the_end has_recorded "$pid"
	done
	while [ -n "$running" ]; do
		kill_one KILL
	done
}

test_random()
{
	running= all=
	configure
	kill_at_random
	wait_for_quiet
	works 'after all that, a pass' collect
	works 'every event that was flushed is in one file' are_complete
	works 'files are whole' are_whole
	works 'nothing is left to do' [ -z "$(collect)" ]
	works '--reap' collect --reap
	if [ "$feature" -ge 17 ]; then
		! sees_all_processes || works 'removes what was brought' are_removed
	else
		works 'leaves what cannot be read' ls "$root$dir"/repository/*/*.part
	fi
	rm -rf "$root$dir"/repository/*
}

is_empty()      # FILE
{
	[ ! -s "$1" ] || { cat "$1"; return 1; }
}

test_limits()
{
	running= all=
	configure 'limits: { file-size: 1200k, size: 5m, files: 3 }'
	mkdir -p here/.jfrec-collect
	watch_limits 5242880 3
	kill_at_random
	collect -q >/dev/null
	rm watched
	wait "$watcher"
	works 'limits: never more than that' is_empty exceeded
	works 'limits: but something' ls here/*.jfr
	works 'limits: files are whole' are_whole
	collect --reap >/dev/null
}

# A recording is kept going, by itself, and what a JVM that ends takes away is not lost.
all_brought()
{
	numbers here/*-"$pid"-* >brought
	[ -z "$(comm -23 left brought)" ]
}

test_service()
{
	running= all=
	configure '    settings: default'
	: >served # now: lines of the JDK before are not waited for
	"$jfrec" collect -c c.yaml --interval 1s >served 2>&1 &
	service=$!
	jvms="$jvms $service"
	launch_numbers
	works 'service: it starts a recording' in_the_end grep -q 'recording 1 started' served
	in_the_end has_recorded "$pid"
	works 'service: one is enough' [ "$(grep -c started served)" = 1 ]
	numbers "$(repository_of "$pid")" >left
	# A chunk that is begun and flushed and removed between two passes is seen by none.
	sleep 5
	kill_one TERM
	works 'service: what it had flushed is there' in_the_end all_brought
	works 'service: each once' [ -z "$(uniq -d brought)" ]
	works 'service: there is something' [ -s left ]
	kill "$service"
	wait "$service"
	works 'service: it ends when told to' [ $? -eq 0 ]
}

# Settings that we know and a JVM does not: a profile by name, and a YAML file.
is_started()
{
	collect >>started 2>&1
	grep -q 'recording 1 started' started
}

has_setting()   # VALUE
{
	"$jfrec" print --json --events jdk.ActiveSetting here/*-"$pid"-* >settings.json &&
		grep -q "\"value\": *\"$1\"" settings.json
}

test_settings() # SETTINGS VALUE
{
	running= all=
	configure "    settings: $1"
	: >started
	launch_numbers
	works "settings: $1: a recording is started" in_the_end is_started
	in_the_end has_recorded "$pid"
	kill_one KILL
	wait_for_quiet
	works "settings: $1: a pass" collect
	works "settings: $1: every event that was flushed is there" is_complete "$pid"
	works "settings: $1: the JVM took them" has_setting "$2"
	rm -rf "$root$dir"/repository/*
}

test_jdk()
{
	if [ "$feature" -lt 11 ]; then
		skip 'collect' "the program's JDK is newer"
		return
	fi
	mkdir -p "$root$dir/repository"
	chmod 777 "$root$dir/repository"
	test_random
	# Up to 11 what is being written can be read by nobody.
	[ "$feature" -ge 17 ] || return
	test_limits
	test_service
	rm -rf "$root$dir"/repository/*
	test_settings continuous '600 s'
	cat >mine.yaml <<END
events:
  jdk.JVMInformation: { enabled: true, period: beginChunk }
  jdk.CPULoad: { enabled: true, period: 777 ms }
  jdk.ActiveSetting: { enabled: true }
END
	test_settings mine.yaml '777 ms'
}

for_each_jdk test_jdk
finish
