#!/bin/sh
# flame beside async-profiler's converter: CPU, wall time and memory, of two sizes of one recording.
#
# usage: flame.sh JFREC MEASURE RECORDING [CONVERTER [JAVA]]
#
# MEASURE is what meson builds of measure.c. CONVERTER is jfr-converter.jar of async-profiler 4, or
# converter.jar of 3.0, which Debian has in async-profiler-java; without it only jfrec is measured,
# with it also as `jfrconv`, whose lines are the same, and how many times less that takes. RECORDING is repeated until there are 12 MB
# and 80 MB of it, and should have the stacks of a program that does something.
# (The converter of async-profiler 3.0 does not end on some recordings: it is given a minute.)

jfrec=$(realpath "$1")
measure=$(realpath "$2")
recording=$(realpath "$3")
converter=${4:+$(realpath "$4")}
java=${5:-java}
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
ln -s "$jfrec" jfrconv

convert=jfr2flame
[ -z "$converter" ] || ! "$java" -cp "$converter" one.convert.Main 2>&1 | grep -q '^Usage' ||
	convert='one.convert.Main -o collapsed'

repeat()        # BYTES FILE
{
	: >"$2"
	while [ "$(wc -c <"$2")" -lt "$1" ]; do
		cat "$recording" >>"$2"
	done
}

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

for size in 12 80; do
	repeat "${size}000000" "$size.jfr"
	echo "$size MB:"
	: >converter
	if [ -n "$converter" ]; then
		row "  converter, collapsed" timeout 60 "$java" -cp "$converter" $convert "$size.jfr" c.collapsed
		cp measured converter
	fi
	row "  the same as jfrconv" ./jfrconv -o collapsed "$size.jfr" d.collapsed
	ratio
	row "  collapsed, one profile" "$jfrec" flame --jobs 1 "$size.jfr" -o a.collapsed --force
	row "  page of one profile, no times" "$jfrec" flame --jobs 1 --profile cpu --no-time \
		"$size.jfr" -o a.html --force
	row "  page of all profiles" "$jfrec" flame --jobs 1 "$size.jfr" -o a.html --force
	row "  Firefox profile of all" "$jfrec" flame --jobs 1 "$size.jfr" -o a.firefox.json --force
done
