#!/bin/sh
# A JVM at a limit, or in a state, in which asking it would end it, or in which it cannot answer:
# nothing is sent, the sentence says why, and it lives, with nothing from us in its output. Each for
# root beside a JVM of another user, and for that user. When the cause is gone, asking works.
#
# usage: limits.sh JFREC SOURCE_ROOT
#
# Needs root, for other users, cgroups and mounts; what cannot be made here skips.

jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
. "$2/tests/cli/tap.sh"
. "$live/live.sh"

user=4711
as=$user:$user
group=jfrec-test-$$
place=/var/lib/$group # beside /tmp, for the class
export place

# Who asks ---------------------------------------------------------------------

ask()           # VIEW COMMAND...: root, or the JVM's own user
{
	view=$1
	shift
	case $view in
	root)	"$jfrec" "$@" ;;
	*)	setpriv --reuid=$user --regid=$user --clear-groups "$jfrec" "$@" ;;
	esac
}

refused()       # VIEW STATUS WORDS
{
	exits "$2" ask "$1" check "$pid" || return
	grep -q -e "$3" "$work/err" || { echo "does not say: $3"; cat "$work/err"; return 1; }
}

# list and doctor say the same, and ask nothing.
told()          # VIEW WORDS
{
	exits 0 ask "$1" list -l "$pid" && grep -q -e "$2" "$work/out" ||
		{ echo "list does not say: $2"; cat "$work/out"; return 1; }
	exits 1 ask "$1" doctor "$pid" && grep -q -e "$3" "$work/out" ||
		{ echo "doctor does not say: $3"; cat "$work/out"; return 1; }
}

works_again()
{
	exits 0 ask user check "$pid" && is_undisturbed
}

# CELL: what was done to the JVM, which is in that state now
cell()          # CELL STATUS WORDS WORDS_OF_LIST WORDS_OF_DOCTOR
{
	for view in root user; do
		works "$1: $view is told why" refused "$view" "$2" "$3"
		works "$1: $view sees it in list and doctor" told "$view" "$4" "$5"
	done
	works "$1: it lives, and its output has nothing from us" is_undisturbed
	works "$1: nothing of ours is left" is_clean
}

# Cgroups ----------------------------------------------------------------------

# Where groups of a controller can be made, or nothing.
hierarchy()     # CONTROLLER
{
	for at in "/sys/fs/cgroup/$1" /sys/fs/cgroup /sys/fs/cgroup/unified; do
		[ "$1" != freezer ] && [ "$at" != "/sys/fs/cgroup/$1" ] &&
			! grep -qw "$1" "$at/cgroup.subtree_control" 2>/dev/null && continue
		if mkdir "$at/$group" 2>/dev/null; then
			rmdir "$at/$group"
			echo "$at"
			return
		fi
	done
}

threads_of_jvm()
{
	sed -n 's/^Threads:.//p' "/proc/$pid/status"
}

# Its threads come and go for a while after the start.
is_settled()
{
	before=$(threads_of_jvm)
	sleep 0.5
	[ "$before" = "$(threads_of_jvm)" ]
}

start_in_group() # DIRECTORY OPTION...
{
	directory=$1
	shift
	prefix="sh $work/enter $directory"
	printf 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"\n' >"$work/enter"
	start_jvm "$@"
	prefix=
	becomes is_settled
}

leave_group()   # DIRECTORY...
{
	end_jvm
	for directory in "$@"; do
		becomes rmdir "$directory"
	done
}

test_pids()
{
	at=$(hierarchy pids)
	if [ -z "$at" ]; then
		skip "the limit of threads of its cgroup" 'no group of pids can be made here'
		return
	fi
	mkdir "$at/$group" "$at/$group/inner"
	start_in_group "$at/$group/inner"
	cat "$at/$group/inner/pids.current" >"$at/$group/inner/pids.max"
	cell 'pids.max' 11 'threads (pids.max of its cgroup' limit '^wrong.*threads'
	works "pids.max: one is left, and three are to be" eval '
		echo $(($(cat "$at/$group/inner/pids.current") + 3)) >"$at/$group/inner/pids.max" &&
		refused root 11 "threads (pids.max"'
	works "pids.max: start asks nothing, either" exits 11 ask root start "$pid"
	works "pids.max: what is named instead works" \
		eval 'exits 5 ask root dump --from-repository "$pid" -o "$work/none.jfr" || [ "$got" -eq 1 ]'
	echo max >"$at/$group/inner/pids.max"
	cat "$at/$group/pids.current" >"$at/$group/pids.max"
	cell 'pids.max of the group above' 11 'threads (pids.max of its cgroup' limit '^wrong.*threads'
	echo max >"$at/$group/pids.max"
	works "pids.max: without it asking works" works_again
	cat "$at/$group/inner/pids.current" >"$at/$group/inner/pids.max"
	works "pids.max: a listener that runs answers" exits 0 ask user jcmd "$pid" VM.version
	works "pids.max: a recording needs threads" refused_start
	works "pids.max: and that was not asked for" is_undisturbed
	leave_group "$at/$group/inner" "$at/$group"
}

refused_start()
{
	exits 11 ask root start "$pid" && grep -q 'threads (pids.max' "$work/err"
}

# What it has recorded lies on its disk, and is taken from there.
test_dump()
{
	[ -n "$at" ] && [ "$feature" -ge 17 ] || return
	mkdir "$at/$group"
	start_in_group "$at/$group" -XX:StartFlightRecording
	sleep 2
	cat "$at/$group/pids.current" >"$at/$group/pids.max"
	works "pids.max: dump takes the files on its disk" exits 0 ask root dump -o "$work/limit.jfr" --force "$pid"
	works "pids.max: it says why" grep -q 'threads (pids.max' "$work/err"
	works "pids.max: there are events in them" eval '"$jfrec" summary "$work/limit.jfr" | grep -q jdk.JVMInformation'
	works "pids.max: it lives, and has printed nothing" is_undisturbed
	leave_group "$at/$group"
}

test_frozen()
{
	at=$(hierarchy freezer)
	if [ -z "$at" ]; then
		skip "frozen" 'no group of a freezer can be made here'
		return
	fi
	mkdir "$at/$group"
	start_in_group "$at/$group"
	freeze FROZEN 1
	cell frozen 5 'is frozen by its cgroup' ' no ' '^wrong.*state'
	freeze THAWED 0
	works "frozen: thawed, asking works" works_again
	freeze FROZEN 1
	works "frozen: one that listens is not asked, either" refused root 5 'is frozen by its cgroup'
	freeze THAWED 0
	works "frozen: thawed again, asking works" works_again
	leave_group "$at/$group"
}

freeze()        # STATE FLAG
{
	if [ -e "$at/$group/freezer.state" ]; then
		echo "$1" >"$at/$group/freezer.state"
		becomes grep -qx "$1" "$at/$group/freezer.state"
	else
		echo "$2" >"$at/$group/cgroup.freeze"
		becomes grep -qx "frozen $2" "$at/$group/cgroup.events"
	fi
}

# Limits of processes ----------------------------------------------------------

threads_of_user()
{
	cat /proc/[0-9]*/status 2>/dev/null |
		awk -v user=$user '$1 == "Uid:" { mine = $2 == user } $1 == "Threads:" && mine { n += $2 } END { print n + 0 }'
}

# The soft one, as its own user: for others' root may lack the right.
limit()         # OPTION
{
	setpriv --reuid=$user --regid=$user --clear-groups prlimit --pid "$pid" "$1"
}

test_processes()
{
	start_jvm
	becomes is_settled
	limit=$(threads_of_user)
	hard=$(awk '/^Max processes/ { print $4 }' "/proc/$pid/limits")
	limit --nproc="$limit:"
	cell RLIMIT_NPROC 11 'threads (RLIMIT_NPROC' limit '^wrong.*threads'
	limit --nproc="$hard:"
	works "RLIMIT_NPROC: without it asking works" works_again
	end_jvm
}

# There may be holes below those that it was born with.
first_free_descriptor()
{
	n=0
	while [ -e "/proc/$pid/fd/$n" ]; do
		n=$((n + 1))
	done
	echo "$n"
}

test_descriptors()
{
	start_jvm
	becomes is_settled
	limit=$(first_free_descriptor)
	limit --nofile="$limit:"
	cell RLIMIT_NOFILE 11 'descriptors (RLIMIT_NOFILE' limit '^wrong.*descriptors'
	limit --nofile=1024:
	works "RLIMIT_NOFILE: without it asking works" works_again
	limit --nofile=$(($(first_free_descriptor) + 4)):
	works "RLIMIT_NOFILE: a recording needs more than a few" exits 11 ask root start "$pid"
	limit=$(first_free_descriptor)
	limit --nofile="$limit:"
	works "RLIMIT_NOFILE: one that listens is not asked, either" refused root 11 'descriptors'
	limit --nofile=1024:
	works "RLIMIT_NOFILE: and it listens afterwards" works_again
	end_jvm
}

test_stopped()
{
	start_jvm
	stop_jvm
	cell stopped 5 'is stopped' ' no ' '^wrong.*state'
	kill -CONT "$pid"
	works "stopped: continued, asking works" works_again
	stop_jvm
	works "stopped: one that listens is not asked, either" refused root 5 'is stopped'
	kill -CONT "$pid"
	works "stopped: continued again, asking works" works_again
	end_jvm
}

# A pid namespace has its own, and 300 numbers are kept back; both are in there.
test_pid_max()
{
	if ! unshare --pid --fork --mount --mount-proc sh -c 'echo 400 >/proc/sys/kernel/pid_max' 2>/dev/null ||
		[ "$(cat /proc/sys/kernel/pid_max)" -lt 1000 ]; then
		skip "pid_max" 'no limit of a pid namespace alone can be set here'
		return
	fi
	works "pid_max: it is told why, and lives" in_small_namespace
}

in_small_namespace()
{
	unshare --pid --fork --mount sh -c '
		root=$1 dir=$2 java=$3 jfrec=$4 work=$5
		mount -t proc none "$root/proc" && mount -t proc none /proc || exit 9
		cd "$root$dir"
		echo 4000 >/proc/sys/kernel/pid_max
		chroot --userspec=4711:4711 "${root:-/}" sh -c "cd \$0 && exec \"\$@\"" "$dir" "$java" -cp "$dir" Idle >"$work/jvm" 2>&1 &
		pid=$!
		while ! grep -q ready "$work/jvm"; do sleep 0.1; done
		sleep 1
		used=$(cat /proc/[0-9]*/status | awk "\$1 == \"Threads:\" { n += \$2 } END { print n }")
		echo $((300 + used)) >/proc/sys/kernel/pid_max
		"$jfrec" check "$pid" 2>"$work/err"
		got=$?
		echo 4000 >/proc/sys/kernel/pid_max
		cat "$work/err"
		[ "$got" -eq 11 ] && grep -q "threads (kernel.pid_max" "$work/err" &&
			"$jfrec" check "$pid"' sh "$root" "$dir" "$java" "$jfrec" "$work" && ! grep 'Full thread' "$work/jvm"
}

# Its temporary directory ------------------------------------------------------

# With a /tmp of its own, made by the shell commands in $1, in which the class is at first.
start_with_tmp() # COMMANDS OPTION...
{
	commands=$1
	shift
	: >"$work/jvm"
	unshare --mount sh -c '
		root=$1 dir=$2 java=$3 commands=$4
		shift 4
		exec 3<"$root$dir/Idle.class"
		mkdir -p "$root$place" && cat <&3 >"$root$place/Idle.class"
		mount -t tmpfs -o size=1m,nr_inodes=64,mode=1777 none "$root/tmp" || exit
		tmp=$root/tmp
		eval "$commands"
		exec chroot --userspec=4711:4711 "${root:-/}" sh -c "cd $place && exec \"\$@\"" \
			sh "$java" -cp "$place" "$@" Idle 3<&-' \
		sh "$root" "$dir" "$java" "$commands" "$@" >"$work/jvm" 2>&1 &
	pid=$!
	jvms="$jvms $pid"
	becomes is_up
}

tmp_of_jvm()    # COMMAND...: in its mount namespace
{
	nsenter --target "$pid" --mount "$@"
}

test_tmp()
{
	if ! unshare --mount true 2>/dev/null; then
		skip "its temporary directory" 'no mount namespace can be made here'
		return
	fi
	start_with_tmp 'mount -o remount,ro "$root/tmp"'
	cell 'a read-only /tmp' 5 'its /tmp is mounted read-only' ' no ' '^wrong.*socket'
	tmp_of_jvm mount -o remount,rw "$root/tmp"
	works "a read-only /tmp: writable, asking works" works_again
	end_jvm

	start_with_tmp 'chmod 755 "$root/tmp"'
	cell 'a /tmp of root' 5 'may not write to its /tmp' ' no ' '^wrong.*socket'
	tmp_of_jvm chmod 1777 "$root/tmp"
	works "a /tmp of root: writable, asking works" works_again
	end_jvm

	start_with_tmp 'i=0; while true >"$root/tmp/$i"; do i=$((i + 1)); done 2>/dev/null'
	cell 'a /tmp with no room for a file' 5 'no more files fit into its /tmp' ' no ' '^wrong.*socket'
	tmp_of_jvm rm "$root/tmp/1" "$root/tmp/2" "$root/tmp/3" "$root/tmp/4"
	works "a /tmp with no room for a file: with room, asking works" works_again
	end_jvm

	start_with_tmp 'cat /dev/zero >"$root/tmp/full" 2>/dev/null'
	works "a full /tmp: a socket needs no room" works_again
	end_jvm
	rm -rf "$root$place"
}

test_alt_tmp()
{
	[ "$feature" -ge 28 ] || return
	for option in -XX:+UsePerfData -XX:-UsePerfData; do
		mkdir -m 777 "$root$dir/alt"
		start_jvm "$option" -XX:AltTempDir="$dir/alt"
		works "AltTempDir, $option: asking works" works_again
		works "AltTempDir, $option: for root, too" exits 0 ask root check "$pid"
		works "AltTempDir, $option: a recording comes" \
			exits 0 ask root record -d 1s -o "$work/alt.jfr" --force "$pid"
		works "AltTempDir, $option: so does a heap dump" \
			exits 0 ask root heapdump -o "$work/alt.hprof" --force "$pid"
		works "AltTempDir, $option: nothing of ours is left" \
			eval '! ls -A "$root$dir/alt" | grep -e attach_pid -e jfrec'
		end_jvm
		rm -rf "$root$dir/alt"
	done
}

# One that lacks nothing is not refused, whatever fills its caches.
test_healthy()
{
	start_jvm
	works "a healthy one is not refused" works_again
	end_jvm
}

test_all()
{
	test_healthy
	test_pids
	test_dump
	test_frozen
	test_processes
	test_descriptors
	test_stopped
	test_pid_max
	test_tmp
	test_alt_tmp
}

if ! is_root; then
	echo '1..0 # SKIP needs root'
	exit 0
fi
for_each_jdk test_all
finish
