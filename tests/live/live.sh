# live.sh - JVMs for live tests; for the scripts here, which source it after tap.sh
#
# A script gives `for_each_jdk FUNCTION`, which runs FUNCTION once for each JDK
# of this machine, with these set:
#
#   label   "17", or "21 in /srv/trixie"; to begin names of tests with
#   feature 17
#   root    "", or the root directory that the JDK lives in (then chroot is used)
#   java    its java, as seen in that root
#   dir     a directory in that root with Idle.class in it, writable by all
#
# JDKs are those of /usr/lib/jvm, $JAVA_HOME, and, when we are root, those in
# the /usr/lib/jvm of each directory in $JFREC_TEST_ROOTS (parted by colons).
# $JFREC_TEST_JDKS ("17 25") narrows that down.
#
# JVMs are started by start_jvm and end with end_jvm; only they are ever killed.
#
# $jfrec waits long for replies where a test does not say how long, since JVMs are slow on a busy
# machine, and that is not what is tested.  $jfrec_itself is the program.

work=$(mktemp -d "${TMPDIR:-/tmp}/jfrec-live-XXXXXX")
chmod 755 "$work"
jfrec_itself=$jfrec
jfrec=$work/jfrec
cat >"$jfrec" <<END
#!/bin/sh
case " \$* " in
*" --timeout "*) exec "$jfrec_itself" "\$@" ;;
esac
case \$1 in
list|check|start|stop|dump|record|configure|jcmd|stream|doctor|heapdump|threads|histogram)
	command=\$1
	shift
	exec "$jfrec_itself" "\$command" --timeout 200s "\$@" ;;
esac
exec "$jfrec_itself" "\$@"
END
chmod 755 "$jfrec"
jvms=
dirs=
trap end_live EXIT
trap 'exit 1' INT TERM HUP

end_live()
{
	for jvm in $jvms; do
		kill -9 "$jvm" 2>/dev/null
	done
	for directory in $dirs; do
		rm -rf "$directory"
	done
	rm -rf "$work"
}

is_root()
{
	[ "$(id -u)" -eq 0 ]
}

# Results ----------------------------------------------------------------------

# One test, by what a command returns; what it says is shown if it fails.
# Run jfrec with its output in $work/out and $work/err. Fails if its exit status is another.
exits()         # STATUS COMMAND...
{
	wanted=$1
	shift
	"$@" >"$work/out" 2>"$work/err"
	got=$?
	[ "$got" -eq "$wanted" ] && return
	echo "exit status $got, not $wanted: $*"
	cat "$work/out" "$work/err"
	return 1
}

# Does it become true within some minutes?  Machines are busy.
becomes()       # COMMAND...
{
	for i in $(seq 1200); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.1
	done
	"$@"
}

# JDKs -------------------------------------------------------------------------

in_root()       # COMMAND...: in $root
{
	if [ -n "$root" ]; then
		chroot "$root" "$@"
	else
		"$@"
	fi
}

# 8, 11, ... of $java; nothing if it does not run.
feature_of_java()
{
	in_root "$java" -version 2>&1 |
		sed -n 's/.* version "\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' | head -n 1
}

# "ROOT|JAVA" for each java; links to the same one count once.
find_javas()    # ROOT
{
	for home in "$1"/usr/lib/jvm/*; do
		[ -x "$home/bin/java" ] && [ ! -L "$home" ] || continue
		echo "$1|${home#"$1"}/bin/java"
	done
}

all_javas()
{
	find_javas ''
	[ -z "$JAVA_HOME" ] || [ "${JAVA_HOME#/usr/lib/jvm/}" != "$JAVA_HOME" ] || echo "|$JAVA_HOME/bin/java"
	is_root || return
	echo "$JFREC_TEST_ROOTS" | tr : '\n' | while read -r directory; do
		[ ! -d "$directory" ] || find_javas "$directory"
	done
}

is_wanted()     # FEATURE
{
	case " ${JFREC_TEST_JDKS:-$1} " in
	*" $1 "*) return 0 ;;
	*) return 1 ;;
	esac
}

find_javac()    # the first one that there is
{
	for pair in $(all_javas); do
		javac=$(dirname "${pair#*|}")/javac
		[ -z "${pair%%|*}" ] && [ -x "$javac" ] && return
	done
	return 1
}

javac_8()       # JAVAC SOURCE...
{
	javac=$1
	shift
	"$javac" --release 8 -d "$work" "$@" || "$javac" -source 8 -target 8 -d "$work" "$@"
}

# Class files of Java 8 run everywhere; what they use may be in the later JDKs only.
compile()       # SOURCE...
{
	for pair in $(all_javas); do
		[ -z "${pair%%|*}" ] || continue
		javac_8 "$(dirname "${pair#*|}")/javac" "$@" >"$work/javac" 2>&1 && return
	done
	cat "$work/javac"
	return 1
}

for_each_jdk()  # FUNCTION
{
	if ! find_javac; then
		echo "1..0 # SKIP no javac"
		exit 0
	fi
	works 'its programs compile' compile ${live_sources:-"$live/Idle.java"}
	for pair in $(all_javas); do
		root=${pair%%|*}
		java=${pair#*|}
		feature=$(feature_of_java)
		[ -n "$feature" ] && is_wanted "$feature" || continue
		label="$feature${root:+ in $root}"
		dir=$(mktemp -d "$root/tmp/jfrec-live-XXXXXX")
		dirs="$dirs $dir"
		cp "$work"/*.class "$dir"
		chmod 777 "$dir"
		dir=${dir#"$root"}
		"$1"
	done
}

# JVMs -------------------------------------------------------------------------

# Files in the JVM's root that a dead process of that number left would be taken for the JVM's own.
is_used()       # PID
{
	for left in "$root/tmp/.java_pid$1" "$root/tmp/.attach_pid$1" "$root"/tmp/2*_"$1"; do
		[ -e "$left" ] && return
	done
	return 1
}

# Start one, as uid:gid $as if that is set, behind the command $prefix, in $cwd or
# $dir; sets $pid. Its output is in $work/jvm. It runs $program, or Idle, with $arguments.
launch()        # OPTION...
{
	cwd=${cwd:-$dir}
	if [ -n "$root$as" ]; then
		set -- chroot ${as:+--userspec="$as"} "${root:-/}" sh -c \
			'cd "$0" && exec "$@"' "$cwd" "$java" -cp "$dir" "$@"
	else
		set -- sh -c 'cd "$0" && exec "$@"' "$cwd" "$java" -cp "$dir" "$@"
	fi
	for attempt in 1 2 3 4 5; do
		: >"$work/jvm" # now: what the one before said must not be taken for its words
		$prefix "$@" "${program:-Idle}" $arguments >"$work/jvm" 2>&1 &
		pid=$!
		is_used "$pid" || break
		kill -9 "$pid"
		wait "$pid" 2>/dev/null
	done
	jvms="$jvms $pid"
	cwd=
}

is_up()
{
	grep -q ready "$work/jvm"
}

# The same, up to the point where it runs our program.
start_jvm()     # OPTION...
{
	launch "$@"
	becomes is_up
}

is_alive()
{
	kill -0 "$pid" && [ "$(sed -n 's/^State:.\(.\).*/\1/p' "/proc/$pid/status")" != Z ]
}

is_stopped()
{
	grep -q '^State:.T' "/proc/$pid/status"
}

# It goes on after kill -CONT.
stop_jvm()
{
	kill -STOP "$pid"
	becomes is_stopped
}

# A client that connects and says nothing: the JVM's listener waits for it, and serves nobody else.
hold_listener()
{
	rm -f "$work/held"
	perl -e 'use IO::Socket::UNIX;
		my $s = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die;
		open my $f, ">", $ARGV[1];
		sleep 600' "$root/tmp/.java_pid$pid" "$work/held" &
	holder=$!
	becomes test -e "$work/held"
}

release_listener()
{
	kill "$holder"
	wait "$holder" 2>/dev/null
}

# Attach is impossible for good: the socket is gone, and a SIGQUIT without a trigger was taken for a
# wish for a thread dump.  That must be over: a JVM that has not come to it yet would find our trigger.
wedge_jvm()
{
	rm -f "$root/tmp/.java_pid$pid"
	kill -QUIT "$pid"
	becomes grep -q 'Full thread dump' "$work/jvm"
}

end_jvm()
{
	kill -9 "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
	rm -f "$root/tmp/.java_pid$pid"
}

# A thread dump in its output tells of a signal that should not have been sent.
is_undisturbed()
{
	is_alive && ! grep 'Full thread dump' "$work/jvm"
}

# Files of ours in the JVM's root.
ours()
{
	for directory in "$root/tmp" "$root$dir" "$root${cwd_of_jvm:-$dir}"; do
		ls -a "$directory" 2>/dev/null | grep -e '^\.attach_pid'"$pid"'$' -e '^\.jfrec-'
	done
}

is_clean()
{
	! ours
}

# Results of a program that says "ok NAME" or "not ok NAME" of each, and why.
judged_by()     # COMMAND...
{
	"$@" >"$work/judged" 2>&1 || echo "not ok ${2##*/}" >>"$work/judged"
	while read -r line; do
		case $line in
		"ok "*) result ok "$label: ${line#ok }" ;;
		"not ok "*) result not-ok "$label: ${line#not ok }" ;;
		*) echo "# ${line#\# }" ;;
		esac
	done <"$work/judged"
}

# Namespaces -------------------------------------------------------------------

can_launch_apart()
{
	is_root && unshare --pid --fork --mount --net --ipc true 2>/dev/null
}

# Why that cannot be done here, or with these options only.
why_not_apart() # [UNSHARE_OPTION...]
{
	[ $# -gt 0 ] || set -- --pid --fork --mount --net --ipc
	if is_root; then
		unshare "$@" true 2>&1 | head -n 1
	else
		echo 'needs root'
	fi
}

# A JVM with pid, mount, network and IPC namespaces of its own, and a /tmp of its
# own, of size $tmp_size; sets $pid, which is 1 in there.
launch_apart()  # UNSHARE_OPTION...
{
	: >"$work/jvm"
	unshare --pid --fork --mount --net --ipc "$@" sh -c '
		root=$1 dir=$2 java=$3
		exec 3<"$root$dir/Idle.class"
		mount -t tmpfs -o "size=$4" none "$root/tmp" && mkdir -p "$root$dir" &&
		cat <&3 >"$root$dir/Idle.class" || exit
		[ -z "$root" ] || mount -t proc none "$root/proc" 2>/dev/null
		exec chroot "${root:-/}" "$java" -cp "$dir" Idle 3<&-' \
		sh "$root" "$dir" "$java" "${tmp_size:-64m}" >"$work/jvm" 2>&1 &
	unshared=$!
	jvms="$jvms $unshared"
	becomes is_up
	pid=$(pgrep -P "$unshared" | head -n 1)
	jvms="$jvms $pid"
}

end_apart()
{
	[ -z "$pid" ] || kill -9 "$pid"
	wait "$unshared" 2>/dev/null
}
