#!/bin/sh
# Recordings of JVMs: start, check, dump, stop, record, configure. They come here
# whole or not at all, and nothing of ours stays behind in the JVM, whoever is killed.
#
# usage: recordings.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
. "$2/tests/cli/tap.sh"
. "$live/live.sh"
live_sources="$live/Idle.java $live/Full.java"
JFREC_LIVE_TEST=$work
export JFREC_LIVE_TEST
home=$work/home
mkdir "$home"
cd "$home" || exit
umask 022

cat >"$work/sleeps.jfc" <<EOF
<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0" label="Processors">
  <event name="jdk.CPUInformation">
    <setting name="enabled">true</setting>
    <setting name="period">everyChunk</setting>
  </event>
</configuration>
EOF

# Is it a whole recording, and ours?
is_recording()  # FILE
{
	"$jfrec" summary "$1" >"$work/summary" 2>&1 && ! grep jfrec: "$work/summary" &&
		[ "$(stat -c %u:%a "$1")" = "$(id -u):600" ]
}

has_events()    # FILE TYPE
{
	is_recording "$1" && "$jfrec" print --events "$2" --count "$1" | grep -qv '^0$'
}

has_only_events()       # FILE TYPE
{
	has_events "$1" "$2" && "$jfrec" print --count "$1" >"$work/all" &&
		"$jfrec" print --events "$2" --count "$1" | cmp -s - "$work/all"
}

is_empty_here()
{
	[ -z "$(ls -A "$home")" ] || { ls -A "$home"; return 1; }
}

has_no_recording()
{
	exits 0 "$jfrec" check "$pid" && grep -qx 'No recordings.' "$work/out"
}

# What `jfrec record` has it do.
has_none_of_ours()
{
	exits 0 "$jfrec" check "$pid" && ! grep jfrec- "$work/out"
}

no_helper()
{
	for comm in $(grep -l '^jfrec-helper$' /proc/[0-9]*/comm 2>/dev/null); do
		! grep -q "JFREC_LIVE_TEST=$work" "${comm%comm}environ" 2>/dev/null || return
	done
}

# The directory that the JVM was started in, too.
is_spotless()
{
	is_clean && ! ls -A "$root$dir" | grep -v -e '\.class$' -e '^2[0-9_]*$'
}

# ------------------------------------------------------------------------------

# The first recording of a JVM: of its stack traces something is said, and nothing else.
starts()
{
	exits 0 "$jfrec" start --name 'my own' --max-age 1h --max-size 30m "$pid" &&
		[ "$(cat "$work/out")" = 1 ] && says_depth && [ "$(wc -l <"$work/err")" -eq 1 ]
}

says_depth()
{
	grep -q 'up to 160 frames from now on, instead of 64' "$work/err"
}

has_depth()     # FRAMES
{
	exits 0 "$jfrec" configure "$pid" && grep -qx "Stack depth: $1" "$work/out"
}

# What was chosen before stays, and so does what cannot be changed any more.
keeps_depth()   # FRAMES ARGUMENT_OF_JAVA...
{
	frames=$1
	shift
	start_jvm "$@" || return
	exits 0 "$jfrec" start "$pid" && [ ! -s "$work/err" ] && has_depth "$frames"
	status=$?
	end_jvm
	return $status
}

takes_depth()
{
	start_jvm || return
	exits 0 "$jfrec" start --json --stack-depth 99 "$pid" && grep -q '"stackDepth": 99' "$work/out" &&
		has_depth 99 && exits 0 "$jfrec" start --stack-depth 99 "$pid" &&
		exits 1 "$jfrec" start --stack-depth 98 "$pid" && grep -q 'already in use' "$work/err"
	status=$?
	end_jvm
	return $status
}

leaves_depth()
{
	start_jvm || return
	exits 0 "$jfrec" start --stack-depth keep "$pid" && [ ! -s "$work/err" ] && has_depth 64
	status=$?
	end_jvm
	return $status
}

test_depth()
{
	works 'a depth of the command line stays' keeps_depth 32 -XX:FlightRecorderOptions=stackdepth=32
	works 'also if it is the usual one' keeps_depth 64 -XX:FlightRecorderOptions=stackdepth=64
	works 'that of a JVM that recorded before, too' keeps_depth 64 -XX:StartFlightRecording
	works 'the depth that was asked for' takes_depth
	works 'the depth that was not to be changed' leaves_depth
}

lists()
{
	exits 0 "$jfrec" check "$pid" &&
		grep -q '^ *1 *running .*1h *30\.0MB *my own$' "$work/out"
}

lists_settings()
{
	exits 0 "$jfrec" check --verbose --name 'my own' "$pid" && grep -q 'jdk\.CPULoad' "$work/out"
}

dumps()
{
	exits 0 "$jfrec" dump -o "$home/" "$pid" &&
		grep -q "^$home/jfrec-$pid-2[0-9_]*\.jfr\$" "$work/out" &&
		has_events "$(cat "$work/out")" jdk.JVMInformation
}

dumps_to_pipe()
{
	exits 0 "$jfrec" dump -o - --name 1 "$pid" && has_events_in_pipe
}

has_events_in_pipe()
{
	"$jfrec" print --events jdk.JVMInformation --count - <"$work/out" | grep -qx '[1-9]'
}

dumps_compressed()
{
	exits 0 "$jfrec" dump -o "$home/%p.jfr.gz" "$pid" &&
		gzip -t "$home/$pid.jfr.gz" && is_recording "$home/$pid.jfr.gz" &&
		exits 0 "$jfrec" dump --compress zstd -o "$home/z" "$pid" && is_recording "$home/z" &&
		[ "$(od -An -tx1 -N4 "$home/z")" = ' 28 b5 2f fd' ]
}

says_json()     # MEMBER COMMAND...
{
	member=$1
	shift
	exits 0 "$@" && grep -q "\"pid\": $pid" "$work/out" && grep -q "\"$member\": " "$work/out"
}

is_private_unless_asked()
{
	(umask 0 && exits 0 "$jfrec" dump -o private.jfr "$pid") &&
		[ "$(stat -c %a private.jfr)" = 600 ] &&
		(umask 077 && exits 0 "$jfrec" dump --mode 640 -o group.jfr "$pid") &&
		[ "$(stat -c %a group.jfr)" = 640 ]
}

refuses_full_output()
{
	"$jfrec" dump -o - "$pid" >/dev/full 2>"$work/err"
	[ $? -eq 1 ] && grep -q 'No space left' "$work/err"
}

# As on a full disk here: the recording must not be stopped.
keeps_what_it_cannot_write()
{
	(
		ulimit -f 20
		exits 1 "$jfrec" stop -o "$home/limited.jfr" "$pid"
	) && grep -q 'File too large' "$work/err" && [ ! -e "$home/limited.jfr" ] && lists
}

stops()
{
	exits 0 "$jfrec" stop -o stopped.jfr "$pid" && has_events stopped.jfr jdk.JVMInformation
}

stays_as_it_was()
{
	echo old >old && chmod 600 old # which --force keeps
	exits 1 "$jfrec" dump -o old "$pid" && grep -qx old old &&
		exits 0 "$jfrec" dump --force -o old "$pid" && is_recording old
}

# Three at once, and one more: each has a name of its own.
has_names_of_their_own()
{
	mkdir named && cd named || return
	for i in 1 2 3; do
		"$jfrec" dump "$pid" >>said 2>>err &
		dumps="$dumps $!"
	done
	wait $dumps
	dumps=
	"$jfrec" dump "$pid" >>said 2>>err
	files=$(ls | grep -c '\.jfr$')
	cat err
	[ "$files" -eq 4 ] && [ "$(sort -u said | wc -l)" -eq 4 ] && [ ! -s err ]
	status=$?
	cd .. && rm -r named
	return $status
}

names_the_directory()
{
	exits 1 "$jfrec" dump -o none/deep/ "$pid" &&
		grep -q 'there is no directory none/deep; create it with mkdir -p none/deep' "$work/err"
}

warns_of_name()
{
	exits 0 "$jfrec" start --name twice "$pid" && [ ! -s "$work/err" ] || return
	first=$(cat "$work/out")
	exits 0 "$jfrec" start --name twice "$pid" && grep -q "recording $first is called twice, too" "$work/err" || return
	exits 0 "$jfrec" stop --discard --name "$(cat "$work/out")" "$pid" &&
		exits 0 "$jfrec" stop --discard --name "$first" "$pid"
}

refuses_unknown_event()
{
	exits 2 "$jfrec" start --set '+jdk.NoSuchThing#enabled=true' "$pid" || return
	[ "$feature" -ge 21 ] && return
	exits 2 "$jfrec" start --set '+jdk.VirtualThreadStart#enabled=true' "$pid" &&
		grep -q "JDK $feature has no jdk.VirtualThreadStart; JDK 21" "$work/err"
}

# Recorded by `jfrec record` until it ends by itself or by a signal. JDK 8 and 11 write what nobody can
# read before a chunk is finished.
records_to_the_end()    # STATUS [SIGNAL]
{
	start_jvm || return
	rm -f end.jfr
	"$jfrec" record --duration 60s -o end.jfr "$pid" >"$work/out" 2>"$work/err" &
	recording=$!
	becomes is_recording_now || { kill "$recording"; return 1; }
	sleep 2
	kill -"${2:-TERM}" "$pid"
	wait "$recording"
	status=$?
	wait "$pid" 2>/dev/null
	cat "$work/err"
	[ "$status" -eq "$1" ] || { echo "exit status $status, not $1"; return 1; }
	is_recording end.jfr && has_events end.jfr jdk.CPULoad || return
	[ "$1" -ne 0 ] || has_events end.jfr jdk.Shutdown
}

is_recording_now()
{
	"$jfrec" check "$pid" 2>/dev/null | grep -q running
}

names_repository()
{
	exits 3 "$jfrec" dump "$pid" && grep -q "^  jfrec dump /tmp/.*_$pid/$" "$work/err" || return
	left=$(sed -n 's/^  jfrec dump //p' "$work/err" | tail -n 1)
	exits 0 "$jfrec" dump -o left.jfr "$left" && is_recording left.jfr
	status=$?
	case $left in /tmp/*_$pid/) rm -rf "$left" ;; esac
	return $status
}

# At once, also on a busy machine: there are two seconds for it.
kill_when_told()
{
	while read -r line; do
		echo "$line"
		case $line in
		*'did not reply in time'*) kill -9 "$pid" ;;
		esac
	done
}

# It answers nothing when the time is over, and then it is dead. False: it came to nothing of that, on a
# busy machine.
holds_and_is_killed()   # SECONDS
{
	start_jvm && exits 0 "$jfrec" start "$pid" || return
	rm -f end.jfr "$work/says"
	mkfifo "$work/says"
	"$jfrec" record --duration "$1s" --timeout "$(($1 / 2 + 1))s" -o end.jfr "$pid" >"$work/out" 2>"$work/says" &
	recording=$!
	kill_when_told <"$work/says" >"$work/err" &
	while kill -0 "$recording" 2>/dev/null && ! records_ours; do
		sleep 0.1
	done
	kill -0 "$recording" 2>/dev/null
	begun=$?
	sleep 3
	hold_listener
	wait "$recording"
	status=$?
	release_listener
	end_jvm
	[ "$status" -ne 0 ] && [ $begun -eq 0 ]
}

records_what_was_held()
{
	for seconds in 5 20 60; do
		holds_and_is_killed $seconds && break
	done
	cat "$work/err"
	[ "$status" -eq 7 ] || { echo "exit status $status, not 7"; return 1; }
	is_recording end.jfr && has_events end.jfr jdk.CPULoad
}

# Whoever records is told at once, and gets what lies on its disk.
records_one_that_stops()
{
	start_jvm || return
	rm -f end.jfr
	"$jfrec" record --duration 8s -o end.jfr "$pid" >"$work/out" 2>"$work/err" &
	recording=$!
	becomes records_ours || return
	sleep 3
	stop_jvm
	becomes grep -q 'is stopped' "$work/err"
	told=$?
	kill -0 "$recording" || told=1
	wait "$recording"
	status=$?
	end_jvm
	cat "$work/err"
	[ "$status" -eq 1 ] || { echo "exit status $status, not 1"; return 1; }
	[ $told -eq 0 ] && is_recording end.jfr && has_events end.jfr jdk.CPULoad
}

# JFR.dump needs a heap, too, and so would `jfrec stop`.
records_one_without_memory()
{
	program=Full
	arguments=$dir/fill
	start_jvm -Xmx32m
	program=
	arguments=
	rm -f end.jfr
	"$jfrec" record --duration 10s -o end.jfr "$pid" >"$work/out" 2>"$work/err" &
	recording=$!
	becomes records_ours && sleep 2 && touch "$root$dir/fill"
	wait "$recording"
	status=$?
	end_jvm
	rm -f "$root$dir/fill"
	cat "$work/err"
	[ "$status" -eq 1 ] && grep -q 'out of memory' "$work/err" || { echo "exit status $status"; return 1; }
	grep -q 'copying its files' "$work/err" && is_recording end.jfr && has_events end.jfr jdk.CPULoad
}

test_end()
{
	[ "$feature" -ge 17 ] || return 0
	works 'record to the end of a JVM' records_to_the_end 0 TERM
	arguments=3000
	works 'record to the end of a JVM that takes its time' records_to_the_end 0 TERM
	arguments=
	works 'record of a JVM that is killed' records_to_the_end 7 KILL
	works 'says what is missing' grep -q 'after its last flush, .* is missing' "$work/err"
	[ -n "$root" ] || works 'dump of it then names its repository' names_repository
	works 'record of a JVM that answers no more and is killed' records_what_was_held
	works 'record of a JVM that is stopped' records_one_that_stops
	works 'record of a JVM without memory' records_one_without_memory
	rm -f end.jfr left.jfr
}

discards()
{
	exits 0 "$jfrec" start --name gone "$pid" && exits 0 "$jfrec" stop --discard --name gone "$pid" &&
		has_no_recording
}

test_one_by_one()
{
	start_jvm
	works 'start prints an id' starts
	works 'check lists it' lists
	works 'check lists its settings' lists_settings
	works 'check as JSON' says_json recordings "$jfrec" check --json "$pid"
	works 'dump into a directory' dumps
	works 'dump to a pipe' dumps_to_pipe
	works 'dump, compressed' dumps_compressed
	works 'only its owner can read a dump, or who --mode lets' is_private_unless_asked
	works 'dump as JSON' says_json bytes "$jfrec" dump --json -o j.jfr "$pid"
	works 'dump of ten minutes' exits 0 "$jfrec" dump --begin -10m -o ten.jfr "$pid"
	works 'dump replaces nothing without --force' stays_as_it_was
	works 'dumps of one second have names of their own' has_names_of_their_own
	works 'a directory that is missing is named' names_the_directory
	works 'a name that is there twice is told' warns_of_name
	works 'events that its JDK lacks are refused' refuses_unknown_event
	works 'a full disk here is a failure' refuses_full_output
	works 'a recording that cannot be written here goes on' keeps_what_it_cannot_write
	works 'stop brings it here' stops
	works 'then there is none' has_no_recording
	works 'stop throws away what it is told to' discards
	works 'nothing is left in the JVM' is_spotless
	rm -f "$home"/*
	end_jvm
}

# Before it is first used.
configures()
{
	exits 0 "$jfrec" configure --stack-depth 128 "$pid" && grep -qx 'Stack depth: 128' "$work/out"
}

carries()
{
	exits 0 "$jfrec" record --duration 1.5s --settings "$work/sleeps.jfc" -o carried.jfr "$pid" &&
		has_only_events carried.jfr jdk.CPUInformation
}

# JVMs take whole numbers only.
takes_fractions()
{
	exits 0 "$jfrec" start --name fraction --max-age 1.5h "$pid" &&
		exits 0 "$jfrec" check --name fraction --json "$pid" && grep -q '"maxAge": "90m"' "$work/out"
	status=$?
	exits 0 "$jfrec" stop --discard --name fraction "$pid" && return $status
}

sets()
{
	exits 0 "$jfrec" record --duration 1s --settings none \
		--set +jdk.CPUInformation#enabled=true --set '+jdk.CPUInformation#period=20 ms' \
		-o set.jfr "$pid" && has_only_events set.jfr jdk.CPUInformation
}

# What analyze needs, or what the JDK has by itself: only there is a thread's load as rare as that.
records_by_default()
{
	exits 0 "$jfrec" record --duration 1s -o ours.jfr "$pid" &&
		[ "$(period_of_load ours.jfr)" = '5 s' ] &&
		exits 0 "$jfrec" record --duration 1s --settings default -o theirs.jfr "$pid" &&
		[ "$(period_of_load theirs.jfr)" = '10 s' ]
}

period_of_load()        # FILE
{
	"$jfrec" settings active --json "$1" |
		python3 -c 'import json, sys; print(json.load(sys.stdin)["events"]["jdk.ThreadCPULoad"]["period"])'
}

# The recording that was judged stays, and what the findings say of it can be run.
analyzes_and_keeps()
{
	exits 0 "$jfrec" analyze --duration 2s --only recorder-overhead --limit recorder-overhead.info=0 "$pid" ||
		return
	kept=$(echo jfrec-"$pid"-*.jfr)
	is_recording "$kept" && grep -q "the recording is kept: $kept\$" "$work/err" || return
	grep '^ *\$ jfrec ' "$work/out" >"$work/commands" || return
	! grep -v " $kept\$" "$work/commands" || return
	sed -n '1s/^ *\$ jfrec //p' "$work/commands" >"$work/command"
	eval exits 0 '"$jfrec"' "$(cat "$work/command")"
}

# Where nothing can be written, it is in a directory for temporary files.
keeps_elsewhere()
{
	rm -rf "$work/kept.jfr" "$work/elsewhere"
	mkdir "$work/elsewhere"
	exits 0 "$jfrec" analyze --duration 1s -o "$work/kept.jfr" "$pid" && is_recording "$work/kept.jfr" &&
		exits 1 "$jfrec" analyze --duration 1s -o "$work/kept.jfr" "$pid" &&
		exits 0 "$jfrec" analyze --duration 1s --force -o "$work/kept.jfr" "$pid" || return
	echo "output-directory: $work/nowhere" >"$work/nowhere.yaml"
	exits 0 env TMPDIR="$work/elsewhere" "$jfrec" --config "$work/nowhere.yaml" analyze --duration 1s "$pid" &&
		grep -q 'cannot be written to' "$work/err" &&
		is_recording "$work"/elsewhere/jfrec-*/jfrec-"$pid"-*.jfr
}

# Beside what the JDK's own settings have.
sets_one()
{
	exits 0 "$jfrec" record --duration 1s --settings default --set 'jdk.JavaMonitorWait#threshold=4711 ms' -o one.jfr "$pid" &&
		"$jfrec" print --events ActiveSetting one.jfr >"$work/active" &&
		grep -q 'value = "4711 ms"' "$work/active" && grep -q 'value = "everyChunk"' "$work/active"
}

interrupt()     # SIGNAL STATUS
{
	perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' \
		"$jfrec" record --duration 60s -o early.jfr "$pid" >"$work/out" 2>"$work/err" &
	client=$!
	becomes records_ours
	kill "-$1" "$client"
	wait "$client"
	[ $? -eq "$2" ] && is_recording early.jfr && rm early.jfr
}

records_ours()
{
	"$jfrec" check "$pid" | grep -q 'running .*jfrec-'
}

# Directory, name, compression and settings come from a file; an option counts more.
uses_config()
{
	mkdir "$work/brought" &&
		printf 'output-directory: brought\noutput-name: of-%%p.jfr\ncompress: gzip\nsettings: ./sleeps.jfc\n' \
			>"$work/config.yaml" &&
		exits 0 "$jfrec" --config "$work/config.yaml" record --duration 1s "$pid" &&
		[ "$(cat "$work/out")" = "$work/brought/of-$pid.jfr.gz" ] &&
		has_only_events "$work/brought/of-$pid.jfr.gz" jdk.CPUInformation &&
		exits 0 "$jfrec" --config "$work/config.yaml" record --duration 1s -s default --compress none \
			-o "$home/" "$pid" &&
		[ "$(cat "$work/out")" = "$home/of-$pid.jfr" ] &&
		has_events "of-$pid.jfr" jdk.JVMInformation && rm -r "of-$pid.jfr" "$work/brought"
}

test_record()
{
	start_jvm
	works 'configure' configures
	works 'configure shows all' exits 0 "$jfrec" configure --json "$pid"
	works 'record' exits 0 "$jfrec" record --duration 1s -o recorded.jfr "$pid"
	works 'it is a recording' has_events recorded.jfr jdk.JVMInformation
	works 'record by default what analyze needs' records_by_default
	works 'analyze keeps what it had recorded' analyzes_and_keeps
	works 'where it is told to, or can' keeps_elsewhere
	works 'record with a settings file of ours' carries
	works 'a fraction of a duration' takes_fractions
	works 'record with a configuration' uses_config
	if [ "$feature" -ge 17 ]; then
		works 'record with single settings' sets
		works 'record with one setting, and the defaults of the JDK' sets_one
	fi
	works 'Ctrl-C ends it well' interrupt INT 130
	works 'TERM, too' interrupt TERM 143
	works 'no recording is left' has_no_recording
	works 'nothing is left in the JVM by record' is_spotless
	works 'no helper is left' becomes no_helper
	rm -f "$home"/*
}

# Killing ----------------------------------------------------------------------

# At moments all over the command, and soon after.
kill_clients()  # MILLISECONDS COMMAND...
{
	moments=$1
	shift
	for ms in $moments; do
		"$jfrec" "$@" >"$work/out" 2>"$work/err" &
		client=$!
		sleep "$ms"
		kill -9 "$client" 2>/dev/null
		wait "$client" 2>/dev/null
		becomes no_helper && is_spotless || return
	done
}

test_killed_client()
{
	quickly='0.000 0.002 0.004 0.006 0.008 0.010 0.013 0.016 0.020 0.025 0.030'
	works 'killed while it records' kill_clients "$quickly 0.5 1.000 1.005 1.010 1.020" \
		record --duration 1s --settings "$work/sleeps.jfc" -o killed.jfr --force "$pid"
	works 'no recording of its is left' has_none_of_ours
	works 'killed while it starts' kill_clients "$quickly" \
		start --settings "$work/sleeps.jfc" --name kept "$pid"
	works 'one to dump' exits 0 "$jfrec" start --name dumped "$pid"
	works 'killed while it dumps' kill_clients "$quickly" dump -o killed.jfr --force "$pid"
	works 'killed while it stops' kill_clients "$quickly" \
		stop --name dumped -o killed.jfr --force "$pid"
	works 'the JVM answers the next one' exits 0 "$jfrec" check "$pid"
	works 'the JVM was not disturbed' is_undisturbed
	end_jvm
	rm -f "$home"/.killed* "$home"/*
}

# Meanwhile the JVM is killed.
kill_jvm()      # SECONDS COMMAND...
{
	seconds=$1
	shift
	start_jvm
	"$jfrec" start "$pid" >"$work/out" 2>&1
	{
		sleep "$seconds"
		kill -9 "$pid"
	} &
	killer=$!
	"$jfrec" "$@" -o lost.jfr "$pid" >"$work/out" 2>"$work/err"
	status=$?
	wait "$killer"
	end_jvm
	echo "exit status $status"
	cat "$work/err"
	rm -rf "$root"/tmp/2*_"$pid"
	case $status in
	0)	is_recording lost.jfr && rm lost.jfr ;;
	7)	[ ! -e lost.jfr ] || { is_recording lost.jfr && rm lost.jfr; } && is_empty_here ;;
	3)	is_empty_here ;;
	*)	return 1 ;;
	esac
}

test_killed_jvm()
{
	for seconds in 0.010 0.3 1.005 1.015; do
		works "a JVM killed after $seconds s of record" kill_jvm "$seconds" record --duration 1s
	done
	for seconds in 0.002 0.005 0.010 0.015; do
		works "a JVM killed after $seconds s of dump" kill_jvm "$seconds" dump
	done
}

# Somewhere else ---------------------------------------------------------------

records_apart()
{
	exits 0 "$jfrec" record --duration 1s --settings "$work/sleeps.jfc" -o apart.jfr "$pid" &&
		has_only_events apart.jfr jdk.CPUInformation && rm apart.jfr &&
		! ls -A "/proc/$pid/root/tmp" "/proc/$pid/cwd/" | grep -e '^\.attach_pid' -e '^\.jfrec' -e '\.jfr$'
}

test_apart()
{
	if ! can_launch_apart; then
		skip 'namespaces' "$(why_not_apart)"
		return
	fi
	tmp_size=100m
	launch_apart
	works 'record in namespaces of its own' records_apart
	end_apart
	if ! unshare --user --map-root-user true 2>/dev/null; then
		skip 'user namespace' "$(why_not_apart --user --map-root-user)"
		return
	fi
	launch_apart --user --map-root-user
	works 'record in a user namespace' records_apart
	end_apart
}

test_user()
{
	if ! is_root || ! command -v setpriv >/dev/null; then
		skip 'another user' 'needs root and setpriv'
		return
	fi
	as=4711:4712
	start_jvm
	works 'root gets a recording of another user, as its own' exits 0 \
		"$jfrec" record --duration 1s --settings "$work/sleeps.jfc" -o user.jfr "$pid"
	works 'it is whole' has_only_events user.jfr jdk.CPUInformation
	works 'nothing is left there' is_spotless
	end_jvm
	as=
	rm -f "$home"/*
}

# Only what is asked of this user counts: root has no limit of threads.
limit_threads()
{
	threads=$(ls "/proc/$pid/task" | wc -l)
	setpriv --reuid=4711 --regid=4712 --clear-groups prlimit --pid "$pid" --nproc="$threads:$threads"
}

says_of_start() # STATUS WORDS COMMAND...
{
	words=$2
	wanted=$1
	shift 2
	exits "$wanted" "$@" || return
	grep -qF -e "$words" "$work/err" || { cat "$work/err"; return 1; }
}

# Its log says so, and nobody else did.  G1 of JDK 28 would end itself: it starts threads late, and
# what JFR.start loads makes it collect.
test_threads()
{
	if ! is_root || ! command -v setpriv >/dev/null || ! command -v prlimit >/dev/null; then
		skip 'at the limit of threads' 'needs root, setpriv and prlimit'
		return
	fi
	as=4711:4712
	start_jvm -XX:+UseSerialGC
	as=
	exits 0 "$jfrec" check "$pid"
	limit_threads
	works 'at the limit of threads: start fails, or its samples do' \
		says_of_start 1 'limit of threads' "$jfrec" start --attach-anyway --settings profile "$pid"
	end_jvm
}

# What it was not given, it does not record; what it has no notion of, either.
test_read_back()
{
	start_jvm
	works 'a start where nothing is missing says nothing' exits 0 "$jfrec" start --settings profile "$pid"
	works 'that is true' [ -z "$(grep -v 'frames from now on' "$work/err")" ]
	sed 's/jdk.CPUInformation/jdk.NoSuchEvent/' "$work/sleeps.jfc" >"$work/unknown.jfc"
	works 'an event that the JVM does not have is named' \
		says_of_start 0 'does not have: jdk.NoSuchEvent' \
		"$jfrec" start --unchecked --settings "$work/unknown.jfc" "$pid"
	works 'in JSON, too' eval '"$jfrec" start --json --unchecked --settings "$work/unknown.jfc" "$pid" \
		2>/dev/null | tr -d "\n " | grep -qF "\"notRecorded\":[\"jdk.NoSuchEvent\"]"'
	end_jvm
}

records_old_objects()
{
	"$jfrec" jcmd "$pid" JFR.check verbose=true | grep -A1 '(jdk.OldObjectSample)' |
		grep -q 'enabled=true'
}

test_collector()
{
	[ "$feature" -ge 24 ] || return 0
	start_jvm -XX:+UseZGC -Xmx64m
	works 'generational ZGC: memory-leak says what it leaves out' says_of_start 0 \
		'--set jdk.OldObjectSample#enabled=true' "$jfrec" start --settings memory-leak "$pid"
	works 'generational ZGC: it is left out' eval '! records_old_objects'
	works 'generational ZGC: JSON has it' eval '"$jfrec" start --json --settings continuous "$pid" |
		tr -d "\n " | grep -qF "{\"name\":\"jdk.OldObjectSample\",\"reason\":\"generationalZGC\"}"'
	works 'generational ZGC: by its name it is recorded' exits 0 \
		"$jfrec" start --settings continuous --set jdk.OldObjectSample#enabled=true "$pid"
	works 'generational ZGC: so it is' records_old_objects
	end_jvm
}

test_jdk()
{
	test_one_by_one
	test_record
	test_killed_client
	test_killed_jvm
	test_apart
	test_end
	test_user
	test_threads
	test_read_back
	test_depth
	test_collector
	label="$label: here"
	works 'nothing is left' is_empty_here
}

for_each_jdk test_jdk
finish
