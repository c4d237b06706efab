# jdk_tests_jcmd.sh - the JDK's tests of jcmd (test/jdk/jdk/jfr/jcmd in its sources), for jdk_tests.sh, which
# sources it: a function for each, and rows of what is asked and expected

TestFilenameExpansion()
{
	ask 0 'Started' JFR.start name=test
	ask 0 'written to' JFR.dump name=test 'filename=output_%p_%t_%%.jfr'
	exists "$(written)"
	written | grep -qE "output_${pid}_[0-9]{4}(_[0-9]{2}){5}_%\.jfr$" || wrong "not that name"
}

TestJcmdChangeLogLevel()
{
	ask 0 . VM.log "output='file=jfr_trace.txt'" "what='jfr=info'"
	ask 0 'Started' JFR.start duration=1s
	becomes grep -F '[info][jfr] Flight Recorder initialized' "$dir/jfr_trace.txt" || wrong 'no line in the log'
}

TestJcmdConfigure()
{
	mkdir "$dir/dump-path"
	chmod 777 "$dir/dump-path"
	ask 0 . JFR.configure dumppath="$dir/dump-path"
	ask 0 . JFR.configure stackdepth=15
	ask 0 . JFR.configure globalbuffercount=7
	ask 0 . JFR.configure globalbuffersize=6
	ask 0 . JFR.configure thread_buffer_size=5
	ask 0 . JFR.configure maxchunksize=14000000
	ask 0 . JFR.configure samplethreads=false
	ask 0 . JFR.configure samplethreads=true
	ask 0 "^Dump path: $dir/dump-path" JFR.configure
	also '^Stack depth: 15'
	also '^Global buffer count: 7'
	also '^Global buffer size: 6 bytes'
	also '^Thread buffer size: 5 bytes'
	also '^Max chunk size: 13.4 MB'
	ask 1 . JFR.configure unsupportedoption=100000
	ask 1 . JFR.configure maxchunksize=-500
}

TestJcmdConfigureReadOnly()
{
	ask 0 'Stack depth: 128' JFR.configure stackdepth=128
	ask 0 'Started recording' JFR.start
	ask 0 'Stack depth: 128' JFR.configure stackdepth=256
}

# Chains lead to old objects only if they are asked for; which objects are sampled is chance, so
# the JDK's test tries again and again, too.
count_chains()  # FILE
{
	"$jfrec" print --json --events jdk.OldObjectSample "$1" >"$work/objects"
	chains=$(grep -c '"referrer": {' "$work/objects")
	objects=$(grep -c '"type": "jdk.OldObjectSample"' "$work/objects")
}

dump_chains()   # yes|no COMMAND...
{
	chained=$1
	shift
	for try in $(seq 15); do
		tell 'emit 1 running'
		tell 'leak 20000 100'
		rm -f "$dir/chains.jfr"
		ask 0 'Dumped recording' "$@" filename="$dir/chains.jfr"
		also "$dir/chains.jfr"
		count_chains "$dir/chains.jfr"
		[ "$objects" -gt 0 ] || continue
		if [ "$chained" = yes ]; then
			[ "$chains" -eq 0 ] || return
		else
			[ "$chains" -gt 0 ] || return
		fi
	done
	wrong "chains: $chains, of $objects objects, wanted: $chained: $*"
}

dump_all_ways() # DISK NAME
{
	tell "record r1 disk=$1 enable=jdk.OldObjectSample enable=test.Running"
	tell "record r2 disk=$1 enable=test.Running"
	for way in no: maybe: yes:; do
		case $way in
		no:) dump_chains no JFR.dump path-to-gc-roots=false $2 ;;
		maybe:) dump_chains no JFR.dump $2 ;;
		yes:) dump_chains yes JFR.dump path-to-gc-roots=true $2 ;;
		esac
		has "$dir/chains.jfr" test.Running
		if [ -n "$2" ]; then
			has_not "$dir/chains.jfr" test.Stopped
		else
			has "$dir/chains.jfr" test.Stopped
		fi
	done
	tell 'close r1'
	tell 'close r2'
}

TestJcmdDump()
{
	tell 'record stopped enable=test.Stopped'
	tell 'emit 1 stopped'
	tell 'stop stopped'
	for disk in true false; do
		dump_all_ways $disk ''
		dump_all_ways $disk name=r1
	done
}

TestJcmdDumpGeneratedFilename()
{
	tell 'many 300'
	tell 'record r config=default'
	tell 'stop r'
	ask 0 'written to' JFR.dump
	also "hotspot-pid-$pid-[0-9]"
	verify "$(written)"
	ask 0 'written to' JFR.dump name=301
	also "hotspot-pid-$pid-id-301"
	verify "$(written)"
	mkdir -m 777 "$dir/here"
	ask 0 'written to' JFR.dump filename="$dir/here"
	exists "$dir/here/hotspot-pid-$pid-[0-9]*.jfr"
	verify "$(written)"
	ask 0 'written to' JFR.dump name=301 filename="$dir/here"
	exists "$dir/here/hotspot-pid-$pid-id-301*.jfr"
	verify "$(written)"
}

# The sum of the sizes of some parts of the series.
size_of()       # FIRST LAST
{
	awk -v first="$1" -v last="$2" '$1 == "part" && $2 >= first && $2 <= last { sum += $3 }
		END { print sum + 0 }' "$work/series"
}

time_of()       # PART 4|5|6, for the instant, the local date and time, the local time
{
	awk -v part="$1" -v form="$2" '$1 == "part" && $2 == part { print $form }' "$work/series"
}

dumps()         # FIRST LAST ARGUMENT...: the parts of the series that it holds
{
	size=$(size_of "$1" "$2")
	shift 2
	rm -f "$dir/limited.jfr"
	ask 0 'Dumped recording' JFR.dump filename="$dir/limited.jfr" "$@"
	also "$dir/limited.jfr"
	got=$(stat -c %s "$dir/limited.jfr")
	[ "$got" -eq "$size" ] || wrong "$got bytes, not $size: $*"
}

dumps_nothing() # PATTERN ARGUMENT...
{
	pattern=$1
	shift
	rm -f "$dir/limited.jfr"
	ask 0 "$pattern" JFR.dump filename="$dir/limited.jfr" "$@"
	missing "$dir/limited.jfr"
}

ago()           # SECONDS
{
	date -u -d "@$(($(date +%s) - $1))" +%Y-%m-%dT%H:%M:%SZ
}

TestJcmdDumpLimited()
{
	tell "series 9 $dir"
	cp "$work/answer" "$work/series"
	dumps 0 8
	dumps 4 8 maxsize="$(size_of 4 8)"
	dumps 8 8 maxsize=1k
	dumps 4 8 begin="$(time_of 4 4)"
	dumps 0 4 end="$(time_of 4 4)"
	for form in 4 5 6; do
		dumps 3 5 begin="$(time_of 3 $form)" end="$(time_of 5 $form)"
	done
	dumps 4 4 begin="$(time_of 4 4)" end="$(time_of 4 4)"
	dumps 0 8 maxage=2h
	dumps 0 8 begin=-3h end=-0s
	dumps_nothing 'Dump failed. No data found in the specified interval.' end="$(ago 3600)"
	dumps_nothing 'Dump failed. No data found in the specified interval.' begin="$(ago -3600)" end="$(ago -7200)"
	dumps_nothing "Dump failed, maxage can't be combined with begin or end." begin="$(ago 100)" maxage=2h
	dumps_nothing "Dump failed, maxage can't be combined with begin or end." end="$(ago 0)" maxage=2h
	dumps_nothing 'Dump failed, begin must precee?de? end.' begin="$(ago 0)" end="$(ago 200)"
	dumps_nothing 'Dump failed, not a valid begin time.' begin=4711
}

gc_roots()      # yes|no SETTING|'' ARGUMENT
{
	tell "record dodo enable=jdk.OldObjectSample ${2:+set=jdk.OldObjectSample#cutoff:$2}"
	dump_chains "$1" JFR.dump name=dodo $3
	tell 'close dodo'
}

TestJcmdDumpPathToGCRoots()
{
	tell 'white-box setWriteAllObjectSamples'
	for cutoff in infinity 0_ns ''; do
		gc_roots yes "$cutoff" path-to-gc-roots=true
		gc_roots no "$cutoff" path-to-gc-roots=false
	done
	gc_roots yes infinity
	gc_roots no 0_ns
	gc_roots no ''
}

TestJcmdDumpPathToGCRootsBFSDFS()
{
	tell 'white-box setWriteAllObjectSamples'
	tell 'white-box setSkipBFS'
	gc_roots yes infinity path-to-gc-roots=true
}

generated()
{
	for file in "$dir"/hotspot-pid-"$pid"-[0-9_]*.jfr; do
		[ ! -s "$file" ] || return 0
	done
	return 1
}

TestJcmdDumpWithFileName()
{
	tell "record all to=$dir/all.jfr"
	ask 0 'Dumped recording' JFR.dump
	generated || wrong 'no generated file'
	empty "$dir/all.jfr"
	tell 'close all'
	rm -f "$dir"/*.jfr
	tell "record named to=$dir/named.jfr"
	ask 0 'Dumped recording' JFR.dump name=named
	exists "$dir/named.jfr"
	! generated || wrong 'a generated file'
	tell 'close named'
	rm -f "$dir"/*.jfr
	tell "record other to=$dir/other.jfr"
	ask 0 'Dumped recording' JFR.dump name=other filename="$dir/override.jfr"
	exists "$dir/override.jfr"
	empty "$dir/other.jfr"
	! generated || wrong 'a generated file'
}

jfc()           # FILE EVENT SETTING VALUE
{
	cat >"$1" <<END
<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0" label="Test" description="" provider="Test">
  <event name="$2"><setting name="enabled">true</setting><setting name="$3">$4</setting></event>
</configuration>
END
}

TestJcmdLegacy()
{
	jfc "$dir/legacy.jfc" com.oracle.jdk.JVMInformation period beginChunk
	started testLegacy settings="$dir/legacy.jfc"
	stop_to testLegacy "$dir/legacy.jfr"
	verify "$dir/legacy.jfr"
	has "$dir/legacy.jfr" jdk.JVMInformation
}

once()          # OPTIONS COMMAND...
{
	names=$1
	shift
	ask 0 "^.*Options? $names can only be specified once" "$@"
}

TestJcmdOptionSpecifiedOnce()
{
	once name JFR.start name=abc name=def
	once 'name and disk|disk and name' JFR.start name=abc name=def disk=true disk=false
	once '[a-z]+, [a-z]+ and [a-z]+' JFR.start name=abc name=def disk=true disk=false delay=1s delay=2s
	once '[a-z]+, [a-z]+, [a-z]+ and [a-z]+' JFR.start name=abc name=def disk=true disk=false \
		delay=1s delay=2s maxage=1s maxage=2s
	once disk JFR.start disk=true disk=false
	once delay JFR.start delay=1s delay=2s
	once duration JFR.start duration=1s duration=2s
	once maxage JFR.start maxage=1s maxage=2s
	once maxsize JFR.start maxsize=1m maxsize=2m
	once flush-interval JFR.start flush-interval=1s flush-interval=2s
	once dumponexit JFR.start dumponexit=true dumponexit=false
	once filename JFR.start filename=filename1 filename=filename2
	once path-to-gc-roots JFR.start path-to-gc-roots=true path-to-gc-roots=false
	ask 0 . JFR.start settings=default settings=profile
	never 'can only be specified once'
	once filename JFR.stop filename=filename1 filename=filename2
	once name JFR.stop name=abc name=def
	once begin JFR.dump begin=0:00 begin=0:01
	once end JFR.dump end=1:00 end=1:01
	once filename JFR.dump filename=filename1 filename=filename2
	once maxage JFR.dump maxage=1s maxage=2s
	once name JFR.dump name=abc name=def
	once path-to-gc-roots JFR.dump path-to-gc-roots=true path-to-gc-roots=false
	once name JFR.check name=abc name=def
	once verbose JFR.check verbose=true verbose=false
}

is_gone()
{
	! is_alive 2>/dev/null
}

TestJcmdPreserveRepository()
{
	ask 0 . JFR.configure preserve-repository=true
	echo 'exit 0' >>"$dir/commands"
	becomes is_gone
	find "$dir/preserved" -name '*.jfr' | grep -q . || wrong 'the repository was not preserved'
}

TestJcmdSaveToFile()
{
	started testStartAndSave duration=1h filename="$dir/started.jfr"
	stop testStartAndSave
	verify "$dir/started.jfr"
	started testStopAndSave
	stop_to testStopAndSave "$dir/stopped.jfr"
	verify "$dir/stopped.jfr"
}

refuses_file()  # FILE
{
	ask 0 'Could not start recording, not able to write to file' \
		JFR.start name=refused duration=10s filename="$1"
	unknown refused
}

TestJcmdStartDirNotExist()
{
	refuses_file ./dirDoesNotExist/my.jfr
}

TestJcmdStartFlushInterval()
{
	ask 0 'Started' JFR.start name=flushed flush-interval=1s
	shows flushed 'flush=PT1S'
}

TestJcmdStartGeneratedFilename()
{
	mkdir -m 777 "$dir/recordings"
	ask 0 'Started' JFR.start duration=1s filename=./recordings
	becomes sh -c 'for f in "$1"/hotspot-*.jfr; do [ -s "$f" ]; done' sh "$dir/recordings"
	exists "$dir/recordings/hotspot-*.jfr"
}

TestJcmdStartInvaldFile()
{
	refuses_file ':;/\?'
}

TestJcmdStartPathToGCRoots()
{
	ask 0 'Started' JFR.start name=with path-to-gc-roots=true
	shows with 'cutoff=infinity'
	ask 0 'Stopped' JFR.stop name=with
	ask 0 'Started' JFR.start name=without path-to-gc-roots=false
	shows without 'cutoff=0 ns'
	ask 0 'Stopped' JFR.stop name=without
	ask 0 'Started' JFR.start name=unsaid
	shows unsaid 'cutoff=0 ns'
}

TestJcmdStartReadOnlyFile()
{
	: >"$dir/readonly.jfr"
	chmod 444 "$dir/readonly.jfr"
	refuses_file "$dir/readonly.jfr"
}

TestJcmdStartStopDefault()
{
	ask 0 'Started recording' JFR.start
	also 'Use jcmd [0-9]+ JFR.dump name=[^ ]+ '
	recording=$(sed -n 's/.*JFR.dump name=\([^ ]*\).*/\1/p' "$work/out")
	is_running "$recording"
	ask 0 'Dumped recording' JFR.dump name="$recording" filename="$dir/default.jfr"
	also "$dir/default.jfr"
	ask 0 'Stopped recording' JFR.stop name="\"$recording\""
	verify "$dir/default.jfr"
}

TestJcmdStartWithOptions()
{
	jfc "$dir/test.jfc" jdk.ThreadSleep threshold '1 ms'
	ask 0 '^ *Recording +1 +scheduled to start in 2 s' JFR.start name=tooEarly delay=2000ms
	shows tooEarly 'state=(DELAYED|NEW)'
	becomes sh -c '"$1" "$2" "JFR.check name=tooEarly" | grep -q running' sh "$jcmd" "$pid" || wrong 'it never began'
	stop tooEarly
	ask 0 'Could not start recording, delay must be at least 1 second.' JFR.start name=x delay=10ms
	ask 0 'No available recordings' JFR.check
	started testDuration duration=3600s
	shows testDuration 'duration=PT1H'
	stop testDuration
	ask 0 'Could not start recording, duration must be at least 1 second.' JFR.start name=x duration=10ms
	ask 0 'No available recordings' JFR.check
	started testMaxAge settings="$dir/test.jfc" maxage=2s
	shows testMaxAge 'maxage=PT2S'
	stop testMaxAge
	started testMaxSize settings="$dir/test.jfc" maxsize=2097152
	shows testMaxSize 'maxsize=2097152'
	stop testMaxSize
}

# Of JFR.check, the line under an event's name.
has_threshold() # EVENT
{
	grep -A 1 -F "($1)" "$work/out" | grep -q 'threshold=1 ms' || wrong "$1 has not that threshold"
}

by_thread()     # FILE EVENT THREAD
{
	"$home/bin/jfr" print --events "$2" "$1" | grep -q "eventThread = \"$3\"" || wrong "no $2 of $3"
}

TestJcmdStartWithSettings()
{
	jfc "$dir/one.jfc" jdk.ThreadSleep threshold '1 ms'
	jfc "$dir/two.jfc" jdk.JavaMonitorWait threshold '1 ms'
	started single duration=1h settings="$dir/one.jfc" filename="$dir/single.jfr"
	ask 0 . JFR.check name=single verbose=true
	has_threshold jdk.ThreadSleep
	tell 'sleep 100'
	stop single
	by_thread "$dir/single.jfr" jdk.ThreadSleep main
	started many duration=1h settings="$dir/one.jfc" settings="$dir/two.jfc" filename="$dir/many.jfr"
	ask 0 . JFR.check name=many verbose=true
	has_threshold jdk.ThreadSleep
	has_threshold jdk.JavaMonitorWait
	tell 'wait 100'
	tell 'sleep 100'
	stop many
	by_thread "$dir/many.jfr" jdk.ThreadSleep main
	by_thread "$dir/many.jfr" jdk.JavaMonitorWait ThreadWait
	started preset settings=profile.jfc
	stop preset
	started preset2 settings=profile
	stop preset2
	ask 0 'Could not (parse setting|find file)' JFR.start name=none settings=nonexisting.jfc
	unknown none
}

cannot_write()  # FILE
{
	started unwritten
	ask 0 'Could not write recording "unwritten" to file' JFR.stop name=unwritten filename="$1"
	is_running unwritten
	stop unwritten
}

TestJcmdStopInvalidFile()
{
	cannot_write ':;/\?'
}

TestJcmdStopReadOnlyFile()
{
	: >"$dir/readonly.jfr"
	chmod 444 "$dir/readonly.jfr"
	cannot_write "$dir/readonly.jfr"
}

TestJcmdStopWithoutFilename()
{
	ask 0 'Started' JFR.start name=test
	ask 0 'Stopped' JFR.stop name=test
	never 'written to'
	ask 0 'Started' JFR.start name=test filename=output.jfr
	ask 0 'written to' JFR.stop name=test
	also 'output\.jfr'
}

looks_at_views()
{
	ask 0 'System GC' JFR.view verbose=true width=300 cell-height=100 SystemGC
	also 'Invoked Concurrent'
	also 'invokedConcurrent'
	also main
	also 'JdkTests\.'
	ask 0 'JVM Information' JFR.view jvm-information
	also 'VM Arguments:'
	also "$(printf %03d $((pid % 1000)) | tail -c 3 | sed 's/^0*//')"
	ask 0 'Longest Pause' JFR.view verbose=true gc
	also '\(longestPause\)'
	# The query of JDK 26 does not name it.
	[ "$feature" -ge 26 ] || also 'Old Garbage Collection'
	also SELECT
}

TestJcmdView()
{
	enabled=
	for event in JVMInformation SystemGC GCHeapSummary GarbageCollection OldGarbageCollection YoungGarbageCollection; do
		enabled="$enabled enable=jdk.$event"
	done
	tell "record views set=jdk.JVMInformation#period:beginChunk$enabled"
	tell gc
	tell gc
	tell gc
	tell 'sleep 3000'
	looks_at_views
	tell 'record rotating'
	tell 'close rotating'
	looks_at_views
}

TestJcmdViewMissingData()
{
	ask 0 'No recording data available. Start a recording with JFR.start.' JFR.view jvm-information
	tell 'record memory disk=false config=default'
	ask 0 'No recording data found on disk.' JFR.view hot-methods
	tell 'stop memory'
	tell 'close memory'
	tell 'record closed config=default'
	tell 'stop closed'
	tell 'close closed'
	ask 0 'No recording data found on disk.' JFR.view hot-methods
}

test_jcmd()
{
	exports=
	[ "$feature" -lt 21 ] || exports=--add-exports=jdk.jfr/jdk.jfr.internal.test=ALL-UNNAMED
	jcmd_test TestFilenameExpansion 21
	jcmd_test TestJcmdChangeLogLevel 17 -Xlog:jfr=info
	jcmd_test TestJcmdConfigure 21
	jcmd_test TestJcmdConfigureReadOnly 21
	jcmd_test TestJcmdDump 17 -XX:FlightRecorderOptions:maxchunksize=1M -Xmx256m -XX:TLABSize=2k
	jcmd_test TestJcmdDumpGeneratedFilename 17
	jcmd_test TestJcmdDumpLimited 17
	jcmd_test TestJcmdDumpPathToGCRoots 17 -XX:TLABSize=2k -Xmx256m $exports
	jcmd_test TestJcmdDumpPathToGCRootsBFSDFS 17 -XX:TLABSize=2k -Xmx256m $exports
	jcmd_test TestJcmdDumpWithFileName 21
	jcmd_test TestJcmdLegacy 17
	jcmd_test TestJcmdOptionSpecifiedOnce 21
	jcmd_test TestJcmdPreserveRepository 21 -XX:StartFlightRecording \
		-XX:FlightRecorderOptions:repository="$dir/preserved"
	jcmd_test TestJcmdSaveToFile 17
	jcmd_test TestJcmdStartDirNotExist 17
	jcmd_test TestJcmdStartFlushInterval 17 --add-opens=jdk.jfr/jdk.jfr=ALL-UNNAMED
	jcmd_test TestJcmdStartGeneratedFilename 25
	jcmd_test TestJcmdStartInvaldFile 17
	jcmd_test TestJcmdStartPathToGCRoots 17
	is_root && as=65534:65534 # root could write to these
	jcmd_test TestJcmdStartReadOnlyFile 17
	jcmd_test TestJcmdStopReadOnlyFile 17
	as=
	jcmd_test TestJcmdStartStopDefault 17
	jcmd_test TestJcmdStartWithOptions 17
	jcmd_test TestJcmdStartWithSettings 17
	jcmd_test TestJcmdStopInvalidFile 17
	jcmd_test TestJcmdStopWithoutFilename 21
	jcmd_test TestJcmdView 21 -XX:-ExplicitGCInvokesConcurrent -XX:-DisableExplicitGC -XX:+UseG1GC
	jcmd_test TestJcmdViewMissingData 25
}
