#!/bin/sh
# analyze: CPU, wall time and memory beside summary, for recordings of each size, with the goals.
#
# usage: analyze.sh JFREC MEASURE DIRECTORY
#
# MEASURE is what meson builds of measure.c; DIRECTORY has the recordings that run.sh makes:
# compile.jfr (12 MB), server.jfr (80 MB) and start.jfr, or another small one under that name.
# Where there is valgrind, instructions are counted, too, which do not depend on load.

jfrec=$(realpath "$1")
measure=$(realpath "$2")
from=$(realpath "$3")
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
cd "$work" || exit

row()           # NAME GOAL COMMAND...
{
	name=$1 goal=$2
	shift 2
	"$measure" -n 5 -- "$@" | awk -v name="$name" -v goal="$goal" -F '\t' '{
		printf "%-38s %6.3f s CPU %6.3f s wall %5.0f MB, exit %d   %s\n",
			name, $2, $1, $3 / 1024, $4, goal
	}'
}

instructions()  # FILE COMMAND
{
	valgrind --tool=callgrind --callgrind-out-file="$work/counts" "$jfrec" "$2" "$1" 2>&1 >/dev/null |
		sed -n "s/.*Collected : //p"
}

cat "$from/compile.jfr" "$from/compile.jfr" "$from/compile.jfr" >compile-3.jfr
mkdir thousand
for i in $(seq 1000); do
	ln "$from/start.jfr" "thousand/$i.jfr" 2>/dev/null || cp "$from/start.jfr" "thousand/$i.jfr"
done

row '12 MB, summary' '' "$jfrec" summary "$from/compile.jfr"
row '12 MB, analyze' '' "$jfrec" analyze "$from/compile.jfr"
row '36 MB of a compiler, analyze' 'goal: 0.075 s CPU, 61 MB' "$jfrec" analyze compile-3.jfr
row '80 MB, summary' '' "$jfrec" summary "$from/server.jfr"
row '80 MB, analyze' 'goal: 1 s CPU, 64 MB' "$jfrec" analyze "$from/server.jfr"
row '1000 small ones, analyze' 'goal: 10 s wall on two cores' "$jfrec" analyze thousand
if command -v valgrind >/dev/null; then
	for command in summary analyze; do
		echo "12 MB, $command: $(instructions "$from/compile.jfr" $command) instructions"
	done
fi
