#!/bin/sh
# A JVM that crashes leaves a log, and where the crash is in a thread of Java, what it had
# recorded.  record names both, dump and doctor find them afterwards, and none of them takes
# another user's file, a link or a FIFO for one.
#
# usage: crashed.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
. "$2/tests/cli/tap.sh"
. "$live/live.sh"
live_sources="$live/Crash.java $live/Idle.java"
cd "$work" || exit

# In a directory of its own, in the JVM's root.
begin()         # NAME
{
	here=$dir/$1
	mkdir -p "$root$here/log"
	chmod 777 "$root$here" "$root$here/log"
	cwd=$here
	program=Crash
}

says()          # WORDS
{
	grep -qF -e "$1" "$work/out" "$work/err" || { cat "$work/out" "$work/err"; return 1; }
}

# It ends of itself, or by $ender, while it is recorded.
record()        # SETTINGS...
{
	exits 7 "$jfrec" record --duration 60s -o "$work/r.jfr" --force "$pid" ||
		{ [ "$got" -eq 0 ] || [ "$got" -eq 1 ]; }
}

# What is named is there, and analyze reads it.
reads_it()
{
	command=$(sed -n 's/^  jfrec analyze //p' "$work/err")
	eval "exits 0 \"\$jfrec\" analyze --json $root$command" && grep -q '"rule": "crash"' "$work/out"
}

finish_jvm()
{
	wait "$pid" 2>/dev/null
	rm -rf "$root"/tmp/2*_"$pid"
	program=
	arguments=
}

test_java()
{
	begin "a crash"
	arguments=9
	start_jvm -XX:-CreateCoredumpOnCrash
	works 'a crash in Java: record ends' record
	works 'a crash in Java: it names what the JVM had recorded' says "hs_err_pid$pid.jfr'"
	works 'a crash in Java: it names the log' says "a crash/hs_err_pid$pid.log"
	works 'a crash in Java: the command reads it' reads_it
	gone=$pid
	cd "$root$dir/a crash" || return
	works 'a crash in Java: dump finds it, also before its parent has noticed' eval '
		exits 3 "$jfrec" dump "$gone" && says "jfrec analyze ./hs_err_pid$gone.jfr"'
	"$jfrec" doctor >"$work/out" 2>"$work/err"
	works 'a crash in Java: doctor does, too' says "./hs_err_pid$gone.jfr"
	finish_jvm
	works 'a crash in Java: dump finds it' eval '
		exits 3 "$jfrec" dump "$gone" && says "jfrec analyze ./hs_err_pid$gone.jfr"'
	works 'a crash in Java: record of it does' eval '
		exits 3 "$jfrec" record --duration 1s "$gone" && says "jfrec analyze ./hs_err_pid$gone.jfr"'
	works 'a crash in Java: doctor of it does' eval '
		exits 3 "$jfrec" doctor "$gone" && says "jfrec analyze ./hs_err_pid$gone.jfr"'
	"$jfrec" doctor >"$work/out" 2>"$work/err"
	works 'a crash in Java: doctor of the host does' says "./hs_err_pid$gone.jfr"
	cd "$work" || return
	cwd="$dir/a crash"
	start_jvm
	works 'a crash in Java: doctor of the one after it does' eval '
		exits 0 "$jfrec" doctor "$pid" && says "note    crashes     a JVM (process $gone"'
	works 'a crash in Java: dump of the pid looks there' eval '
		exits 3 "$jfrec" dump "$gone" && says "a crash/hs_err_pid$gone.jfr"'
	end_jvm
}

# Its first thread, which the kernel takes for that, is none of Java.
test_signal()
{
	begin signal
	arguments=60
	start_jvm -XX:-CreateCoredumpOnCrash "-XX:ErrorFile=log/e%p.log"
	(
		sleep 8
		kill -SEGV "$pid"
	) &
	killer=$!
	works 'SIGSEGV: record ends' record
	works 'SIGSEGV: it names the log, where -XX:ErrorFile has it' says "signal/log/e$pid.log"
	wait "$killer"
	finish_jvm
}

# Names of files that a crash would leave, made before it by others.
test_hostile()
{
	begin hostile
	arguments=60
	start_jvm
	ln -s /etc/passwd "$root$here/hs_err_pid$pid.log"
	mkfifo "$root$here/hs_err_pid$pid.jfr"
	(
		sleep 6
		kill -KILL "$pid"
	) &
	killer=$!
	works 'hostile: record ends' record
	works 'hostile: a link and a FIFO are no files of it' eval '! grep hs_err "$work/err"'
	wait "$killer"
	finish_jvm
	if is_root; then
		begin foreign
		arguments=60
		start_jvm
		echo FLR >"$root$here/hs_err_pid$pid.jfr"
		chown 12345 "$root$here/hs_err_pid$pid.jfr"
		(
			sleep 6
			kill -KILL "$pid"
		) &
		killer=$!
		works 'foreign: record ends' record
		works 'foreign: a file of another user is none of it' eval '! grep hs_err "$work/err"'
		wait "$killer"
		finish_jvm
	else
		skip 'foreign' 'needs root'
	fi
}

test_crashes()
{
	test_java
	test_signal
	test_hostile
}

for_each_jdk test_crashes
finish
