#!/bin/sh
# The pages of `jfrec flame` and `jfrec diff` in Chromium.
#
# usage: flame.sh JFREC SOURCE_ROOT [SHOTS]
#
# Needs what browser.sh says.

. "$2/tests/browser/browser.sh"

python3 "$root/tests/browser/plant_stacks.py" "$root" "$work" || exit
for name in shares hostile deep
do
	"$jfrec" flame "$work/$name.jfr" -o "$work/$name.html" || exit
done
"$jfrec" flame --by-thread "$work/pools.jfr" -o "$work/pools.html" || exit
day=2023-11-14T22
"$jfrec" diff --before $day:15:00Z..$day:16:00Z --after $day:15:30Z..$day:17:00Z \
	"$work/shares.jfr" -o "$work/diff.html" >/dev/null || exit
"$jfrec" diff --before $day:15:00Z..$day:15:40Z --after $day:16:00Z..$day:17:00Z \
	"$work/shares.jfr" -o "$work/gone.html" >/dev/null || exit
drive flame.js
