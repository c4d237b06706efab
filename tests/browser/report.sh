#!/bin/sh
# The page of `jfrec report` in Chromium.
#
# usage: report.sh JFREC SOURCE_ROOT [SHOTS]
#
# Needs what browser.sh says, and java for the npm package vnu-jar, if it is there: it checks that the
# page is valid HTML.

. "$2/tests/browser/browser.sh"

python3 "$root/tests/browser/plant_report.py" "$root" "$work" || exit
for recording in "$work"/*.jfr
do
	"$jfrec" report --utc --environment --title "$(basename "$recording" .jfr)" "$recording" \
		-o "${recording%.jfr}.html" || exit
done
"$jfrec" report --utc "$work/shop.jfr" -o "$work/plain.html" || exit
"$jfrec" report --utc --json "$work/shop.jfr" >"$work/shop.json" || exit
"$jfrec" report --utc "$root/tests/wild/recordings/lock-synchronized-25.jfr.zst" -o "$work/lock.html" || exit
. "$root/tests/browser/validator.sh"
drive report.js
