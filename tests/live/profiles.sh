#!/bin/sh
# The profiles that come with us, in JVMs: each starts without a warning and is in force as it
# is written; with the one for always there are events for each question that it is to answer.
#
# usage: profiles.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
source=$(realpath "$2")
live=$source/tests/live
live_sources=$live/Work.java
. "$source/tests/cli/tap.sh"
. "$live/live.sh"

# Longer than the longest period in continuous.yaml, of what containers say.
long=33

if ! command -v python3 >/dev/null; then
	echo "1..0 # SKIP no python3"
	exit 0
fi

# On a busy machine the first recording of a JVM takes long to begin.
start()         # OPTION...
{
	exits 0 "$jfrec" start --timeout 60s "$@" "$pid"
}

stop()
{
	exits 0 "$jfrec" stop --timeout 60s --force -o "$work/it.jfr" "$pid"
}

# The JVM has nothing to say about what it was given, and neither has jfrec.
starts()        # PROFILE
{
	start --settings "$1" && ! grep -v 'frames from now on' "$work/err" &&
		[ "$(cat "$work/jvm")" = ready ]
}

is_as_written() # PROFILE
{
	stop && python3 "$live/profiles.py" settings "$jfrec" "$source/settings/$1.yaml" "$feature" "$work/it.jfr"
}

# A recording that is left would be in force as well.
try_profile()   # PROFILE
{
	starts "$1" && is_as_written "$1" && return
	end_jvm
	start_jvm
	return 1
}

# What was said with -v is what this JVM does not have, and no more.
says_what_is_left_out()
{
	start -v --settings continuous || return
	sed -n 's/.*left out, since .*: \(jdk\.[A-Za-z0-9]*\)$/\1/p' "$work/err" >"$work/left"
	stop || return
	"$jfrec" metadata --json "$work/it.jfr" |
		sed -n 's/^ *"name": "\(jdk\.[A-Za-z0-9]*\)",$/\1/p' >"$work/has"
	sed -n 's/^  \(jdk\.[A-Za-z0-9]*\): .*/\1/p' "$source/settings/continuous.yaml" |
		grep -vxFf "$work/has" | diff - "$work/left"
}

sets_an_option()
{
	start --settings continuous --set locking-threshold=7ms \
		--set jdk.FileForce#threshold=8ms --set +app.Odd#enabled=true && stop &&
		"$jfrec" print --events ActiveSetting "$work/it.jfr" >"$work/active" &&
		grep -q 'value = "7 ms"' "$work/active" && grep -q 'value = "8 ms"' "$work/active"
}

# Given twice, each is in force.
takes_two()
{
	start --settings minimal --settings exceptions && stop &&
		"$jfrec" print --json --events ActiveSetting "$work/it.jfr" >"$work/active" || return
	for event in JavaExceptionThrow MetaspaceSummary; do
		id=$("$jfrec" metadata --json --events $event "$work/it.jfr" | sed -n 's/^ *"id": \([0-9]*\),$/\1/p')
		tr -d ' \n' <"$work/active" | grep -q "\"id\":$id,\"name\":\"enabled\",\"value\":\"true\"" || return
	done
}

takes_yaml()
{
	printf 'label: Mine\nevents:\n  jdk.ActiveSetting: true\n  jdk.CPULoad: {enabled: true, period: 1234 ms}\n' >"$work/mine.yaml"
	start --settings "$work/mine.yaml" --set jdk.CPULoad#period=1235ms && stop &&
		"$jfrec" print --events ActiveSetting "$work/it.jfr" | grep -q 'value = "1235 ms"'
}

refuses()       # STATUS SENTENCE OPTION...
{
	wanted=$1
	sentence=$2
	shift 2
	exits "$wanted" "$jfrec" start "$@" "$pid" && grep -q "$sentence" "$work/err"
}

records_a_profile()
{
	rm -f "$work/it.jfr"
	exits 0 "$jfrec" record --timeout 60s -d 1s --settings minimal -o "$work/it.jfr" "$pid" &&
		python3 "$live/profiles.py" settings "$jfrec" "$source/settings/minimal.yaml" "$feature" "$work/it.jfr"
}

# Work.class as an agent.
make_agent()
{
	mkdir -p "$work/META-INF"
	printf 'Premain-Class: Work\nCan-Retransform-Classes: true\n' >"$work/META-INF/MANIFEST.MF"
	(cd "$work" && python3 -m zipfile -c "$root$dir/work.jar" META-INF/ Work*.class)
}

answers()
{
	start --settings continuous --set thread-dump=2s --filename "$dir/it.jfr" || return
	sleep $long
	touch "$root$dir/end"
	wait "$pid"
	[ $? -eq 3 ] || { cat "$work/jvm"; return 1; }
	python3 "$live/profiles.py" questions "$jfrec" "$source/settings/continuous.yaml" "$root$dir/it.jfr"
}

try_jdk()
{
	start_jvm
	for profile in "$source"/settings/*.yaml; do
		profile=$(basename "$profile" .yaml)
		works "$profile starts and is in force" try_profile "$profile"
	done
	works '-v says what is left out' says_what_is_left_out
	works 'options and settings can be set in a profile' sets_an_option
	works 'two profiles at once' takes_two
	works 'YAML of ours, and a setting in it' takes_yaml
	works 'a profile for jfrec record' records_a_profile
	works 'a setting that the profile does not have' refuses 2 'jdk.FileRead#nope: no JDK has such a setting of that event' \
		--settings continuous --set 'jdk.FileRead#nope=1'
	works 'an option that the profile does not have' refuses 2 'no option nope' \
		--settings continuous --set nope=1
	works 'a value without a unit' refuses 2 'missing unit' --settings continuous --set locking-threshold=5
	works 'nothing of ours stays' is_clean
	end_jvm
	make_agent
	program=Work
	start_jvm -Xmx400m -XX:+UseSerialGC -XX:NativeMemoryTracking=summary "-javaagent:$dir/work.jar"
	works 'continuous answers what it is for' answers
	program=
	end_jvm
}

compile "$live/Idle.java"
for_each_jdk try_jdk
finish
