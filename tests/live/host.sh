#!/bin/sh
# What the host shows of a JVM while analyze records it: a quota that stops it, a process of its
# control group that is killed for want of memory, a full disk in a mount namespace of its own.
#
# usage: host.sh JFREC SOURCE_ROOT
#
# Needs root, for cgroups and mounts; what cannot be made here skips.

jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
. "$2/tests/cli/tap.sh"
. "$live/live.sh"
live_sources="$live/Busy.java $live/Idle.java"
group=jfrec-host-$$
cd "$work" || exit

# Where the group of a controller is made, or nothing.
make_group()    # CONTROLLER
{
	for at in "/sys/fs/cgroup/$1" /sys/fs/cgroup; do
		[ "$at" = /sys/fs/cgroup ] &&
			! grep -qw "$1" "$at/cgroup.subtree_control" 2>/dev/null && continue
		mkdir "$at/$group" 2>/dev/null && { echo "$at/$group"; return; }
	done
}

set_limit()     # DIRECTORY FILE VALUE
{
	[ ! -e "$1/$2" ] || echo "$3" >"$1/$2"
}

judge()         # STATUS ARGUMENT...
{
	status=$1
	shift
	exits "$status" "$jfrec" analyze --only 'host-*' "$@" "$pid"
}

# A command of a finding, as it is printed, shows something.
shows()         # WORDS
{
	command=$(sed -n 's/^ *\$ //p' "$work/out" | grep -F "$1" | head -n 1)
	[ -n "$command" ] && sh -c "$command" >"$work/shown" && [ -s "$work/shown" ]
}

finds()         # SEVERITY RULE WORDS
{
	tr -s ' \n' ' ' <"$work/out" | grep -q "$1 $2 [^>]*$3" || { cat "$work/out" "$work/err"; return 1; }
}

leave()         # DIRECTORY
{
	end_jvm
	becomes rmdir "$1"
}

test_throttled()
{
	at=$(is_root && make_group cpu)
	if [ -z "$at" ]; then
		skip 'throttled' 'no group of processors can be made here'
		return
	fi
	set_limit "$at" cpu.cfs_quota_us 20000
	set_limit "$at" cpu.max '20000 100000'
	program=Busy
	start_busy "$at"
	works 'throttled: one look tells of the time since the group was made' eval '
		exits 0 "$jfrec" start "$pid" && sleep 3 && judge 0 --all &&
		finds info host-throttled "since the control group was made" &&
		finds no-data host-cpu "two looks"'
	works 'throttled: two looks tell of the time between' eval '
		judge 20 --fail-on info --duration 8s -o "$work/r.jfr" --force &&
		finds "\(info\|warning\)" host-throttled "The kernel stopped the JVM"'
	works 'throttled: its command shows it' eval 'shows cpu.stat && grep nr_throttled "$work/shown"'
	works 'throttled: the recording alone says nothing of the host' eval '
		exits 0 "$jfrec" analyze --all --only host-throttled "$work/r.jfr" &&
		finds no-data host-throttled "No recording says it"'
	leave "$at"
}

start_busy()    # DIRECTORY
{
	printf 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"\n' >"$work/enter"
	prefix="sh $work/enter $1"
	launch -Xmx64m
	prefix=
	becomes is_listed
	program=
}

is_listed()
{
	"$jfrec" list 2>/dev/null | grep -q "^ *$pid "
}

# A neighbour that wants more than the group has; the kernel kills first what is worth most to it.
kill_neighbour()
{
	sleep 2
	sh -c 'echo $$ >"$1/cgroup.procs"; echo "$2" >/proc/self/oom_score_adj; exec tail /dev/zero' \
		sh "$at" "$worth" >/dev/null 2>&1
	true
}

test_killed()
{
	at=$(is_root && make_group memory)
	if [ -z "$at" ] || ! grep -qs oom_kill "$at/memory.oom_control" "$at/memory.events"; then
		skip 'killed' 'no group of memory can be made here'
		[ -z "$at" ] || rmdir "$at"
		return
	fi
	set_limit "$at" memory.limit_in_bytes 400000000
	set_limit "$at" memory.max 400000000
	set_limit "$at" memory.swap.max 0
	start_busy "$at"
	worth=1000
	kill_neighbour &
	neighbour=$!
	works 'killed: a process of its group was, meanwhile' eval '
		judge 0 --duration 6s -o "$work/r.jfr" --force &&
		finds warning host-oom-kill "killed [0-9]* process"'
	works 'killed: its command shows it' eval 'shows memory. && grep "oom_kill [1-9]" "$work/shown"'
	wait "$neighbour"
	echo 1000 >"/proc/$pid/oom_score_adj"
	worth=0
	kill_neighbour &
	neighbour=$!
	works 'killed: record says so when it was the JVM' eval '
		"$jfrec" record --duration 60s -o "$work/k.jfr" --force "$pid" >"$work/out" 2>"$work/err"
		grep "process $pid: the kernel killed [0-9]* process.* for want of memory" "$work/err" ||
			{ cat "$work/out" "$work/err"; false; }'
	wait "$neighbour"
	rm -rf "$root"/tmp/2*_"$pid"
	leave "$at"
}

# Its directory is a file system of its own, which we do not see.
test_full()
{
	if ! is_root || ! unshare --mount true 2>/dev/null; then
		skip 'full' 'no namespace of mounts can be made here'
		return
	fi
	mkdir -p "$root$dir/small"
	printf 'mount -t tmpfs -o size=1m none "$1" && head -c 2000000 /dev/zero >"$1/full" 2>/dev/null
		shift; exec "$@"\n' >"$work/fill"
	prefix="unshare --mount sh $work/fill $root$dir/small"
	cwd=$dir/small
	start_jvm
	prefix=
	works 'full: the disk of its working directory' eval '
		judge 0 --duration 1s -o "$work/r.jfr" --force &&
		finds warning host-disk "working directory"'
	works 'full: its command shows it' eval 'shows "stat -f" && grep "Available: 0$" "$work/shown"'
	end_jvm
}

test_host()
{
	test_throttled
	test_killed
	test_full
}

for_each_jdk test_host
finish
