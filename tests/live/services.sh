#!/bin/sh
# jfrec collect with the rights that its services of systemd have (settings/collect): another
# user's JVM is talked to, and what it leaves behind when it is killed is brought.
#
# usage: services.sh JFREC SOURCE_ROOT

LC_ALL=C
export LC_ALL
jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
service=$(realpath "$2")/settings/collect/jfrec-collect.service
. "$2/tests/cli/tap.sh"
. "$live/live.sh"
program=Idle
cd "$work" || exit

# CAP_SYS_PTRACE CAP_KILL as +sys_ptrace,+kill
rights()
{
	sed -n 's/^CapabilityBoundingSet=//p' "$service" | tr 'A-Z ' 'a-z,' | sed 's/cap_/+/g'
}

# Nothing can be written but /tmp and the directory, and no rights can be had but these.
confined()      # COMMAND...
{
	unshare --mount sh -ec 'mount --rbind /tmp /tmp; mount --bind "$1" "$1"; mount -o remount,bind,ro /
		shift; rights=$1; shift
		exec setpriv --bounding-set "-all,$rights" --inh-caps=-all --no-new-privs "$@"' \
		sh "$work/here" "$(rights)" "$@"
}

can_confine()
{
	is_root && confined true 2>/dev/null
}

why_not_confined()
{
	if is_root; then
		confined true 2>&1 | head -n 1
	else
		echo 'needs root'
	fi
}

collects()
{
	confined "$jfrec" collect -c c.yaml >"$1" 2>&1 || { cat "$1"; return 1; }
}

events_are_here()
{
	cat first second
	ls -l here
	"$jfrec" summary here/*-"$pid"-* | grep 'jdk.JVMInformation  *[1-9]'
}

test_jdk()
{
	rm -rf here
	mkdir here
	as=4711:4711
	start_jvm -XX:FlightRecorderOptions=repository="$dir/repository"
	printf 'directory: %s\nrepositories: [ %s ]\njvms:\n  - name: Idle\n    user: 4711\n    settings: default\n' \
		"$work/here" "$dir/repository" >c.yaml
	works 'a pass with the rights of the service' collects first
	works 'it has another user'\''s JVM record' grep -q 'recording .* started' first
	[ "$feature" -lt 17 ] || sleep 2.5 # until it is flushed
	kill -9 "$pid"
	wait "$pid" 2>/dev/null
	wait_for_quiet
	works 'the next pass' collects second
	if [ "$feature" -lt 17 ]; then
		skip 'what it has left is here' 'JDKs before 17 leave nothing that can be read'
	else
		works 'what it has left is here' events_are_here
	fi
	as=
}

mkdir here
if ! can_confine; then
	echo "1..0 # SKIP $(why_not_confined)"
	exit 0
fi
for_each_jdk test_jdk
finish
