#!/bin/sh
# flame beside async-profiler's converter: CPU, wall time and memory, on 12 MB and 80 MB.
#
# usage: flame.sh JFREC MEASURE COMPILE SERVER [CONVERTER [JAVA]]
#
# MEASURE is what meson builds of measure.c; COMPILE and SERVER are the recordings of those names
# that run.sh makes. CONVERTER is jfr-converter.jar of async-profiler 4, or converter.jar of 3.0,
# which Debian has in async-profiler-java. Without it only jfrec is measured; with it also by the
# name `jfrconv`, whose lines are the same, and how many times less that takes.
# (The converter of async-profiler 3.0 does not end on some recordings: it is given a minute.)

jfrec=$(realpath "$1")
measure=$(realpath "$2")
compile=$(realpath "$3")
server=$(realpath "$4")
converter=${5:+$(realpath "$5")}
java=${6:-java}
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
ln -s "$jfrec" jfrconv

convert=jfr2flame
[ -z "$converter" ] || ! "$java" -cp "$converter" one.convert.Main 2>&1 | grep -q '^Usage' ||
	convert='one.convert.Main -o collapsed'

row()           # NAME COMMAND...
{
	name=$1
	shift
	"$measure" -n 5 -- "$@" >measured
	awk -v name="$name" -F '\t' '{
		printf "%-34s %6.3f s CPU %6.3f s wall %5.0f MB, exit %d\n", name, $2, $1, $3 / 1024, $4
	}' measured
}

ratio()         # of what was measured to the converter's, of which there are lines only
{
	[ -s converter ] && paste converter measured | awk -F '\t' '{
		printf "    %.1f times less CPU, %.1f times less wall time\n", $2 / $8, $1 / $7
	}'
}

same()          # are the lines those of the converter, in any order?
{
	LC_ALL=C sort c.collapsed >c.sorted
	LC_ALL=C sort d.collapsed | cmp -s - c.sorted && echo "    the same lines" ||
		echo "    DIFFERENT LINES"
}

for recording in "$compile" "$server"; do
	echo "$(wc -c <"$recording" | awk '{ printf "%.0f MB", $1 / 1e6 }'):"
	: >converter
	if [ -n "$converter" ]; then
		row "  converter, collapsed" timeout 60 "$java" -cp "$converter" $convert "$recording" \
			c.collapsed
		cp measured converter
	fi
	row "  the same as jfrconv" ./jfrconv -o collapsed "$recording" d.collapsed
	ratio
	[ -z "$converter" ] || same
	row "  collapsed, one profile" "$jfrec" flame --jobs 1 "$recording" -o a.collapsed --force
	ratio
	row "  page of one profile, no times" "$jfrec" flame --jobs 1 --profile cpu --no-time \
		"$recording" -o a.html --force
	row "  page of all profiles" "$jfrec" flame --jobs 1 "$recording" -o a.html --force
	row "  Firefox profile of all" "$jfrec" flame --jobs 1 "$recording" -o a.firefox.json --force
done
