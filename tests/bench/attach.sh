#!/bin/sh
# Measures `jfrec check PID` beside `jcmd PID JFR.check`, and beside `jattach PID jcmd
# JFR.check` if that is installed, and prints tables.
#
# usage: attach.sh [-d DIRECTORY] [-J JAVA] [-n RUNS]
#
#    -d  where the build is kept (default: $TMPDIR/jfrec-bench)
#    -J  the java whose jcmd is compared with (default: $JAVA_HOME's or java); 11 or later
#    -n  runs of each command (default: 100)
#
# README.md tells what the tables mean.

usage()         # STATUS
{
	sed -n '2,10s/^# \{0,1\}//p' "$0"
	exit "$1"
}

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
dir=${TMPDIR:-/tmp}/jfrec-bench
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
runs=100
while getopts hd:J:n: letter; do
	case $letter in
	d)	dir=$OPTARG ;;
	J)	java=$OPTARG ;;
	n)	runs=$OPTARG ;;
	h)	usage 0 ;;
	*)	usage 2 >&2 ;;
	esac
done
mkdir -p "$dir" || exit
dir=$(cd "$dir" && pwd)
jvm=
trap '[ -z "$jvm" ] || kill -9 "$jvm" 2>/dev/null' EXIT
trap 'exit 1' INT TERM HUP

say()
{
	echo "$*" >&2
}

die()
{
	say "attach.sh: $*"
	exit 1
}

# As packages have it, and with all libraries inside, as one drops it into a container.
build()
{
	for kind in build static; do
		say "building in $dir/$kind"
		options='-Dman=disabled --buildtype=debugoptimized'
		[ $kind = build ] || options="$options -Dprefer_static=true -Dc_link_args=-static"
		[ -d "$dir/$kind" ] || meson setup $options "$dir/$kind" "$root" >"$dir/$kind.log" ||
			die "meson failed: $dir/$kind.log"
		ninja -C "$dir/$kind" jfrec >>"$dir/$kind.log" 2>&1 || die "the build failed: $dir/$kind.log"
	done
	${CC:-cc} -O2 -D_GNU_SOURCE -o "$dir/measure" "$here/measure.c" || die 'measure.c does not compile'
}

is_up()
{
	grep -q ready "$dir/idle.log"
}

# A JVM that listens and records.
start()
{
	"$java" "$root/tests/live/Idle.java" >"$dir/idle.log" 2>&1 &
	jvm=$!
	for i in $(seq 100); do
		is_up && break
		sleep 0.1
	done
	is_up || die "no JVM: $dir/idle.log"
	"$dir/build/jfrec" start --max-size 20m "$jvm" >"$dir/start.log" 2>&1 ||
		die "it does not record: $dir/start.log"
}

# The lines of measure, jcmd's first, as rows; $dir/names has the names.
print_rows()    # WHAT
{
	paste "$dir/names" "$dir/measured" | awk -F '\t' -v what="$1" '
	function goals(wall, cpu) {
		if ($1 == "jcmd" && what != "listens")
			return ""
		if ($1 == "jcmd")
			return wall >= 20 && cpu >= 50 ? "met" : "not met: wall 20, CPU 50"
		return wall >= 1 ? "met" : "not met: no slower"
	}
	{ name[NR] = $1; wall[NR] = $2; cpu[NR] = $3; memory[NR] = $4; status[NR] = $5 }
	END {
		for (i = 1; i <= NR; i++) {
			$1 = name[i]
			row = sprintf("| %s | %s | %.2f ms | %.2f ms | %.1f MB", what, name[i], wall[i] * 1000,
				cpu[i] * 1000, memory[i] * 1024 / 1e6)
			for (j = NR - 1; j <= NR; j++)
				row = row (i < NR - 1 ? sprintf(" | %.1f | %.1f | %s", wall[i] / wall[j],
					cpu[i] / cpu[j], goals(wall[i] / wall[j], cpu[i] / cpu[j])) : " | | |")
			print row (status[i] == 0 ? " |" : " | ends with " status[i])
		}
	}'
}

# PREFIX, if any, is a command that runs its arguments.
compare()       # WHAT [PREFIX]
{
	say "$1"
	what=$1 prefix=$2
	set -- -- $prefix "$jcmd" "$jvm" JFR.check
	echo jcmd >"$dir/names"
	if command -v jattach >/dev/null; then
		set -- "$@" -- $prefix jattach "$jvm" jcmd JFR.check
		echo jattach >>"$dir/names"
	fi
	set -- "$@" -- $prefix "$dir/build/jfrec" check "$jvm" -- $prefix "$dir/static/jfrec" check "$jvm"
	printf '%s\n' jfrec 'jfrec, static' >>"$dir/names"
	"$dir/measure" -n "$runs" -t 30 "$@" >"$dir/measured" 2>"$dir/measured.log"
	print_rows "$what"
}

# ----------------------------------------------------------------------------

jcmd=$(dirname "$(readlink -f "$(command -v "$java")")")/jcmd
[ -x "$jcmd" ] || die "there is no jcmd beside $java"
build
start
{
	echo "# Attaching, $(date +%F)"
	echo
	echo "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1), $(nproc) cores, $(uname -sm);" \
		"$("$java" -version 2>&1 | sed -n '1s/.*"\(.*\)".*/JDK \1/p');" \
		"load before: $(cut -d ' ' -f 1-3 /proc/loadavg)"
	echo
	echo '| the JVM | command | wall | CPU | memory | wall ratio | CPU ratio | goals | static: wall ratio | CPU ratio | goals |'
	echo '|---|---|--:|--:|--:|--:|--:|---|--:|--:|---|'
	compare 'listens' ''
	printf '#!/bin/sh\nrm -f /tmp/.java_pid%s\nexec "$@"\n' "$jvm" >"$dir/deaf"
	chmod +x "$dir/deaf"
	compare 'is made to listen' "$dir/deaf"
} >"$dir/attach.md" || exit
cat "$dir/attach.md"
command -v jattach >/dev/null || say 'without jattach, which is not installed'
