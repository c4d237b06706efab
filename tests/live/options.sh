#!/bin/sh
# --set with profiles: the JDK's options mean what they mean in its own profile.jfc, and settings
# that hide what was asked for are named.
#
# usage: options.sh JFREC SOURCE_ROOT

LC_ALL=C.UTF-8
export LC_ALL
jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
. "$2/tests/cli/tap.sh"
. "$live/live.sh"

# EVENT#SETTING=VALUE of recording 1, which is stopped then.
settings_of()   # FILE
{
	"$jfrec" settings active --json "$pid" >"$work/active" || return
	python3 - "$work/active" >"$1" <<'END'
import json, sys
for recording in json.load(open(sys.argv[1]))["jvms"][0]["recordings"]:
    for event, settings in recording["events"].items():
        for name, value in settings.items():
            print(f"{event}#{name}={value}")
END
	"$jfrec" stop --discard "$pid" >/dev/null
}

records_with()  # FILE SETTINGS...
{
	file=$1
	shift
	exits 0 "$jfrec" start "$@" "$pid" && settings_of "$file"
}

# What the option changes in the JDK's profile is so in ours, and little else changes there.
means_the_same() # OPTION VALUE OTHER_VALUE
{
	records_with "$work/jdk.other" --settings profile.jfc --set "$1=$3" &&
		records_with "$work/jdk" --settings profile.jfc --set "$1=$2" &&
		records_with "$work/ours" --settings minimal --set "$1=$2" || return
	sort "$work/jdk.other" >"$work/other.sorted"
	sort "$work/jdk" | comm -13 "$work/other.sorted" - >"$work/follows"
	[ -s "$work/follows" ] || { echo "nothing follows $1"; return 1; }
	# What is off is not listed where nobody asked for it.
	grep -v '#enabled=false' "$work/follows" | grep -vxFf "$work/ours" || return 0
	return 1
}

says()          # TEXT OPTION...
{
	text=$1
	shift
	exits 0 "$jfrec" start "$@" "$pid" || return
	"$jfrec" stop --discard "$pid" >/dev/null
	grep -qF -e "$text" "$work/err" || { cat "$work/err"; return 1; }
}

says_nothing()  # OPTION...
{
	exits 0 "$jfrec" start "$@" "$pid" || return
	"$jfrec" stop --discard "$pid" >/dev/null
	[ ! -s "$work/err" ] || { cat "$work/err"; return 1; }
}

check_jdk()
{
	start_jvm
	"$jfrec" start --settings minimal "$pid" >/dev/null 2>&1 # sets the stack depth
	"$jfrec" stop --discard "$pid" >/dev/null
	works 'after the last recording there is none' exits 0 "$jfrec" check --verbose "$pid"
	works 'and no settings of one' exits 0 "$jfrec" settings active "$pid"
	works 'a threshold of what is off' says \
		'jdk.ClassLoad#enabled=false leaves --set jdk.ClassLoad#threshold=1ms without effect' \
		--settings profile --set +ClassLoad#threshold=1ms
	if [ "$feature" -lt 17 ]; then
		works "its JDK has no such option" exits 2 "$jfrec" start --settings minimal --set gc=high "$pid"
		end_jvm
		return
	fi
	works 'gc=high' means_the_same gc high off
	works 'gc=off' means_the_same gc off all
	works 'compiler=all' means_the_same compiler all off
	works 'method-profiling=max' means_the_same method-profiling max normal
	works 'allocation-profiling=high' means_the_same allocation-profiling high low
	works 'exceptions=all' means_the_same exceptions all off
	works 'memory-leaks=gc-roots' means_the_same memory-leaks gc-roots types
	works 'thread-dump=1s' means_the_same thread-dump 1s 60s
	works 'class-loading=true' means_the_same class-loading true false
	works 'locking-threshold=7ms' means_the_same locking-threshold 7ms 8ms
	if [ "$feature" -lt 25 ]; then
		works 'socket-threshold=7ms' means_the_same socket-threshold 7ms 8ms
		works 'method-timing is of a later JDK' exits 2 "$jfrec" start --settings minimal \
			--set method-timing=Idle::main "$pid"
	else
		works 'method-timing' means_the_same method-timing Idle::main Idle::run
		works 'a class that is not loaded' says 'no class Idel is loaded' \
			--settings minimal --set method-timing=Idel::main
		works 'and what may be meant' says 'did you mean Idle?' \
			--settings default --set method-trace=Idel
		works 'a class that is loaded' says_nothing --settings profile --set method-timing=Idle::main
		works 'a throttle is named' says \
			'jdk.SocketRead#throttle=100/s limits what --set jdk.SocketRead#threshold=1ms records' \
			--set SocketRead#threshold=1ms
	fi
	end_jvm
}

for_each_jdk check_jdk
finish
