#!/bin/sh
# What is written is read by async-profiler's converter as the original is: a reader
# that knows layouts and some keys by heart (jfrec-format(5)).
#
# usage: profiler.sh JFREC SOURCE_ROOT JAVA CONVERTER RECORDING...
#
# CONVERTER is converter.jar of async-profiler 3, which Debian has in async-profiler-java.

jfrec=$(realpath "$1")
java=$3
converter=$4
. "$2/tests/cli/tap.sh"
shift 4
work=$(mktemp -d "${TMPDIR:-/tmp}/jfrec-profiler-XXXXXX")
trap 'rm -rf "$work"' EXIT

# Stack traces with the number of samples, whichever chunks they are in.
stacks()        # RECORDING
{
	"$java" -cp "$converter" jfr2flame "$1" "$work/collapsed" 2>"$work/err" || return
	awk '{ count = $NF; sub(/ [0-9]*$/, ""); sum[$0] += count } END { for (s in sum) print sum[s], s }' \
		"$work/collapsed" | LC_ALL=C sort
}

compare()       # NAME COMMAND...
{
	name=$1
	shift
	"$jfrec" "$@" --force -o "$work/out.jfr" >"$work/said" 2>&1 &&
		stacks "$work/out.jfr" >"$work/stacks" && cmp -s "$work/wanted" "$work/stacks"
	if [ $? -eq 0 ]; then
		result ok "$name"
	else
		result not-ok "$name"
		cat "$work/said" "$work/err" | head -n 5 | sed 's/^/# /'
	fi
}

for recording; do
	of=${recording##*/}
	if ! stacks "$recording" >"$work/wanted"; then
		result ok "$of # SKIP the converter cannot read it"
		continue
	fi
	compare "$of: merge" merge "$recording"
	compare "$of: merge --compact" merge --compact "$recording"
	compare "$of: filter" filter -e '*' "$recording"
	compare "$of: scrub" scrub "$recording"
	compare "$of: repair" repair "$recording"
	rm -rf "$work/pieces"
	mkdir "$work/pieces"
	"$jfrec" split "$recording" -o "$work/pieces" >"$work/said"
	compare "$of: merge of pieces" merge "$work"/pieces/*
done
finish
