#!/bin/sh
# Every failure of Flight Recorder comes out as one, with its reason: failures.tsv.
#
# usage: failures.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
. "$2/tests/cli/tap.sh"
. "$live/live.sh"
tab=$(printf '\t')

# In the table: a file that does not exist, one that does, and one that is no settings file.
out=$work/home/out.jfr
exists=$work/home/exists
text=$work/home/text.jfc
mkdir "$work/home"
cd "$work/home" || exit
echo before >"$exists"
echo 'no settings' >"$text"

fails()         # STATUS WORDS COMMAND
{
	eval "exits $1 \"\$jfrec\" $3" || return
	[ "$2" = - ] || grep -qF -e "$2" "$work/err" || { echo "says nothing of: $2"; cat "$work/err"; return 1; }
	[ ! -e "$out" ] || { echo "left a file here"; rm -f "$out"; return 1; }
}

# The rows of a situation, in their order.
provoke()       # SITUATION
{
	while IFS=$tab read -r situation jdks status words command; do
		[ "$situation" = "$1" ] || continue
		case " $jdks " in
		*" all "* | *" $feature "*) ;;
		*) continue ;;
		esac
		works "$situation: $command" fails "$status" "$words" "$command"
	done <"$live/failures.tsv"
	works "$1: nothing of ours is left" is_clean
	works "$1: the JVM runs on, undisturbed" is_undisturbed
	works "$1: nothing is left here" [ "$(ls -A "$work/home" | tr '\n' ' ')" = 'exists text.jfc ' ]
}

has_no_recording()
{
	exits 0 "$jfrec" check "$pid" && grep -qx 'No recordings.' "$work/out"
}

test_fresh()
{
	start_jvm
	provoke fresh
	works 'fresh: no recording has come of it' has_no_recording
	end_jvm
}

test_recording()
{
	start_jvm
	works 'recording: one is started' exits 0 "$jfrec" start --name r "$pid"
	works 'recording: one is scheduled' exits 0 "$jfrec" start --name later --delay 1h "$pid"
	provoke recording
	works 'recording: it still runs' eval '"$jfrec" check --name r "$pid" | grep running'
	works 'recording: what existed is as before' grep -qx before "$exists"
	end_jvm
}

test_off()
{
	start_jvm -XX:-FlightRecorder
	provoke off
	end_jvm
}

# A runtime of nothing but java.base.
make_small_runtime()
{
	in_root "$(dirname "$java")/jlink" --add-modules java.base --output "$dir/small" >"$work/jlink" 2>&1
}

test_no_module()
{
	case $feature in
	8)	return ;;
	11)	start_jvm --limit-modules java.base ;;
	*)	if ! make_small_runtime; then
			skip 'without jdk.jfr' 'no jlink'
			return
		fi
		whole=$java
		java=$dir/small/bin/java
		start_jvm
		java=$whole ;;
	esac
	provoke nomodule
	end_jvm
	rm -rf "$root$dir/small"
}

test_gone()
{
	mkdir "$root$dir/gone"
	cwd=$dir/gone
	start_jvm
	rmdir "$root$dir/gone"
	provoke gone
	# What we kept it from, by its own command. The first answer is empty at times.
	"$jfrec" jcmd "$pid" JFR.start >/dev/null 2>&1
	works 'gone: JFR.start breaks it' fails 8 'Could not initialize class' 'jcmd $pid JFR.start'
	end_jvm
}

# JDK 17 and later make it again; what was flushed before is not missed.
test_lost()
{
	start_jvm -Djava.io.tmpdir="$dir"
	works 'lost: a recording is started' exits 0 "$jfrec" start "$pid"
	sleep 1.5
	rm -rf "$root$dir"/20*
	if [ "$feature" -lt 17 ]; then
		provoke lost
	else
		works 'lost: dump gets what has come since' exits 0 "$jfrec" dump -o "$out" "$pid"
		works 'lost: that is a recording' exits 0 "$jfrec" summary "$out"
		rm -f "$out"
	fi
	end_jvm
}

# On a full disk most JVMs end themselves, so there must be some room. None of what was
# recorded is lost: with room again, stop brings it.
test_full()
{
	if ! can_launch_apart; then
		skip 'a full disk' "$(why_not_apart)"
		return
	fi
	launch_apart
	works 'full: a recording is started' exits 0 "$jfrec" start --name r --max-size 20m "$pid"
	filler=/proc/$pid/root/tmp/filler
	dd if=/dev/zero of="$filler" bs=1M count=56 2>/dev/null
	provoke full
	rm -f "$filler"
	works 'full: with room again, stop brings it' exits 0 "$jfrec" stop --name r -o "$out" "$pid"
	works 'full: that is a recording' exits 0 "$jfrec" summary "$out"
	rm -f "$out"
	end_apart
}

test_jdk()
{
	test_fresh
	test_recording
	test_off
	test_no_module
	test_gone
	test_lost
	test_full
}

for_each_jdk test_jdk
finish
