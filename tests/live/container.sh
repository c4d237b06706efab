#!/bin/sh
# A JVM in a container, seen from outside: in pid, mount, network, IPC and user
# namespaces of its own, with another root directory. It is listed, recorded and dumped
# into the caller's directory by one command each, and nothing stays behind in there.
#
# The container is made of a tmpfs and the read-only directories of the root that the
# JDK lives in, ours or another (live.sh).
#
# usage: container.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
. "$2/tests/cli/tap.sh"
. "$live/live.sh"

# The container's root, as this host knows it.
container=100000

home=$work/home
mkdir "$home"
cd "$home" || exit
umask 022

# Run in the namespaces: makes the root in $new, enters it, becomes the JVM.
cat >"$work/enter" <<'EOF_ENTER'
from=$1 new=$2 classes=$3 java=$4
set -e
mount -t tmpfs -o mode=755 none "$new"
mkdir "$new/app" "$new/dev" "$new/old" "$new/proc" "$new/tmp"
cp "$classes/Idle.class" "$new/app"

add()   # DIRECTORY
{
	mkdir -p "$new$1"
	mount --rbind "$from$1" "$new$1"
	mount -o remount,bind,ro "$new$1"
}

for directory in /bin /etc /lib /lib32 /lib64 /sbin /usr; do
	if [ -L "$from$directory" ]; then
		cp -P "$from$directory" "$new$directory"
	elif [ -d "$from$directory" ]; then
		add "$directory"
	fi
done
[ -e "$new$java" ] || add "${java%/bin/java}"
for device in null zero random urandom; do
	: >"$new/dev/$device"
	mount --bind "/dev/$device" "$new/dev/$device"
done
mount -t tmpfs -o mode=1777,size=200m none "$new/tmp"
mount -t proc none "$new/proc"
cd "$new"
pivot_root . old
umount -l old
exec "$java" -cp /app Idle </dev/null
EOF_ENTER

namespaces='--pid --fork --mount --net --ipc --uts'

# `command -v` of dash looks for its first argument only.
has_tools()
{
	command -v setpriv >/dev/null && command -v pivot_root >/dev/null
}

can_contain()
{
	is_root && has_tools &&
		setpriv --reuid $container --regid $container --clear-groups \
			unshare --user --map-root-user $namespaces true 2>/dev/null
}

why_not_contained()
{
	if is_root && ! has_tools; then
		echo 'needs setpriv and pivot_root'
	else
		why_not_apart --user --map-root-user $namespaces
	fi
}

await_contained()
{
	unshared=$!
	jvms="$jvms $unshared"
	becomes is_up || cat "$work/jvm"
	pid=$(pgrep -P "$unshared" | head -n 1)
	jvms="$jvms $pid"
}

enter()         # as the arguments of a command
{
	echo "sh $work/enter '$root' $work/new $root$dir $java"
}

# As podman does it for a user without rights, who is root in there.
launch_rootless()
{
	: >"$work/jvm"
	setpriv --reuid $container --regid $container --clear-groups \
		unshare --user --map-root-user $namespaces sh -c "exec $(enter)" >"$work/jvm" 2>&1 &
	await_contained
}

# As docker does it with "userns-remap": root makes it, and is nobody in there.
launch_remapped()
{
	: >"$work/jvm"
	unshare --user sleep 600 &
	holder=$!
	jvms="$jvms $holder"
	becomes is_apart "$holder"
	echo "0 $container 65536" >"/proc/$holder/uid_map"
	echo "0 $container 65536" >"/proc/$holder/gid_map"
	nsenter --user --target "$holder" \
		unshare $namespaces sh -c "exec $(enter)" >"$work/jvm" 2>&1 &
	await_contained
	kill "$holder"
}

is_apart()      # PID: in a user namespace of its own
{
	[ "$(readlink "/proc/$1/ns/user")" != "$(readlink /proc/self/ns/user)" ]
}

# ------------------------------------------------------------------------------

is_listed()
{
	exits 0 "$caller_as" list && grep -q "^ *$pid  *1  .* yes  *Idle\$" "$work/out"
}

is_well()
{
	exits 0 "$caller_as" doctor "$pid" && grep -q '^ok *namespace .*pid, mnt, net, ipc, user' "$work/out"
}

# Whole, and the caller's own.
is_recording()  # FILE
{
	"$jfrec" summary "$1" >"$work/summary" 2>&1 && ! grep jfrec: "$work/summary" &&
		"$jfrec" print --events JVMInformation --count "$1" | grep -qx '[1-9]' &&
		[ "$(stat -c %u:%a "$1")" = "$caller:600" ]
}

brings()        # FILE COMMAND...
{
	file=$1
	shift
	rm -f "$file"
	exits 0 "$caller_as" "$@" -o "$file" "$pid" && is_recording "$file"
}

# What the JVM makes for itself: performance data, the socket, the repository.
is_spotless()
{
	! ls -A "/proc/$pid/root/tmp" "/proc/$pid/cwd/" "/proc/$pid/root/app" |
		grep -e '^\.attach_pid' -e '^\.jfrec' -e '\.jfr$' -e '\.jfc$'
}

test_container()        # KIND
{
	works "$1: listed" is_listed
	works "$1: doctor finds nothing wrong" is_well
	works "$1: recorded" brings "$home/recorded.jfr" record --duration 1s
	works "$1: nothing is left by record" is_spotless
	works "$1: start" exits 0 "$caller_as" start --name kept --max-size 20m "$pid"
	works "$1: check" exits 0 "$caller_as" check "$pid"
	works "$1: dumped" brings "$home/dumped.jfr" dump
	works "$1: stopped" brings "$home/stopped.jfr" stop --name kept
	works "$1: a command" exits 0 "$caller_as" jcmd "$pid" VM.version
	works "$1: nothing is left" is_spotless
	works "$1: the JVM was not disturbed" is_undisturbed
}

# jfrec as the user who calls it: a command of one word.
call_as()       # UID COMMAND...
{
	caller=$1
	caller_as=$work/as-$1
	shift
	printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$*" "$jfrec" >"$caller_as"
	chmod 755 "$caller_as"
}

test_jdk()
{
	if ! can_contain; then
		skip 'a container' "$(why_not_contained)"
		return
	fi
	chmod 777 "$home"
	mkdir -p "$work/new"
	launch_remapped
	call_as 0
	test_container 'of root, by root'
	call_as 4713 setpriv --reuid 4713 --regid 4713 --clear-groups
	works 'of root, by another user: refused' exits 4 "$caller_as" check "$pid"
	end_apart
	launch_rootless
	call_as $container setpriv --reuid $container --regid $container --clear-groups
	test_container 'rootless, by its user'
	call_as 0
	test_container 'rootless, by root'
	end_apart
	rm -f "$home"/*
}

for_each_jdk test_jdk
finish
