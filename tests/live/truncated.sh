#!/bin/sh
# A recording that is cut off anywhere: repair gives at least the events that print
# shows, in a file that the JDK opens, or says that there are none.
#
# usage: truncated.sh JFREC SOURCE_ROOT JFR RECORDING [STEP]
#
# It is cut at every STEP bytes (4096).  JFR is the jfr of JDK 25; its summary takes half
# a second for each, so a recording of 5 MB takes ten minutes.

jfrec=$(realpath "$1")
jfr=$3
recording=$4
step=${5:-4096}
. "$2/tests/cli/tap.sh"
work=$(mktemp -d "${TMPDIR:-/tmp}/jfrec-truncated-XXXXXX")
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
cut=$work/cut.jfr
repaired=$work/repaired.jfr

count()         # RECORDING
{
	n=$("$jfrec" print --count "$1" 2>/dev/null)
	echo "${n:-0}"
}

repairs()
{
	shown=$(count "$cut")
	rm -f "$repaired"
	"$jfrec" repair "$cut" -o "$repaired" >"$work/said" 2>&1
	if [ ! -e "$repaired" ]; then
		why="$shown events are shown, and none is repaired"
		[ "$shown" -eq 0 ] && grep -q 'no chunk could be recovered' "$work/said"
		return
	fi
	left=$(count "$repaired")
	why="$shown events are shown, $left left"
	[ "$left" -ge "$shown" ] || return
	why='the JDK does not open it'
	"$jfr" summary "$repaired" >/dev/null 2>&1
}

size=$(wc -c <"$recording")
at=$step
while [ "$at" -lt "$size" ]; do
	head -c "$at" "$recording" >"$cut"
	if repairs; then
		result ok "cut at $at"
	else
		result not-ok "cut at $at: $why"
	fi
	at=$((at + step))
done
finish
