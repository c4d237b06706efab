#!/bin/sh
# Six kinds of the calibration, recorded anew with the newest JDK here: are they judged as the ones
# that are kept?
#
# usage: anew.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
wild=$(realpath "$2")/tests/wild
kinds='lock-synchronized executor-starved deadlock boxing ok-framework ok-pool-spare'

work=$(mktemp -d "${TMPDIR:-/tmp}/jfrec-wild-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

if ! python3 "$wild/record" "$jfrec" --to "$work" --newest --jobs 3 $kinds >"$work/said" 2>&1; then
	if grep -q 'there is no JDK here' "$work/said"; then
		echo '1..0 # SKIP no JDK'
		exit 0
	fi
	sed 's/^/# /' "$work/said"
	echo 'not ok 1 - six kinds are recorded'
	echo '1..1'
	exit 1
fi
python3 "$wild/calibrate.py" "$jfrec" --recordings "$work" --by-kind
