#!/bin/sh
# What merge, split, filter and scrub write has the events of the original, by the
# JDK's own tool and by ours, and that tool opens all of it.
#
# usage: rewrites.sh JFREC SOURCE_ROOT JFR [RECORDING|DIRECTORY...]
#
# JFR is the jfr of JDK 25.  Without recordings those of tests/data/ok are taken.  What
# that tool itself cannot print of a recording, or not within $JFREC_TEST_SECONDS (60),
# is judged by ours alone.

jfrec=$(realpath "$1")
source=$(realpath "$2")
jfr=$3
shift 3
[ $# -gt 0 ] || set -- "$source/tests/data/ok"
. "$source/tests/cli/tap.sh"
work=$(mktemp -d "${TMPDIR:-/tmp}/jfrec-rewrites-XXXXXX")
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
seconds=${JFREC_TEST_SECONDS:-60}

works()         # NAME COMMAND...
{
	name=$1
	shift
	if "$@" >"$work/said" 2>&1; then
		result ok "$recording: $name"
	else
		result not-ok "$recording: $name"
		head -n 5 "$work/said" | sed 's/^/# /'
	fi
}

theirs()        # ARGUMENT...
{
	timeout "$seconds" "$jfr" "$@"
}

# Sums of all events as JSON; fails where the tool does.
sum_of()        # OPTION... FILE, by theirs_json or ours_json
{
	rm -f "$work/failed"
	{ "$@" 2>"$work/err" || : >"$work/failed"; } | cksum >"$work/sum"
	[ ! -e "$work/failed" ] && cat "$work/sum"
}

theirs_json()
{
	theirs print --json --stack-depth 64 "$@"
}

ours_json()
{
	"$jfrec" print --json --stack-depth 64 "$@"
}

# Files that are the same need no tool.
same_for_them() # FILE
{
	cmp -s "$original" "$1" && return
	[ -n "$their_sum" ] || return 0
	sum=$(sum_of theirs_json "$1") && [ "$sum" = "$their_sum" ]
}

same_for_us()   # FILE
{
	[ "$(sum_of ours_json "$1")" = "$our_sum" ]
}

opens()         # FILE
{
	theirs summary "$1" >/dev/null
}

is_same()       # NAME FILE
{
	works "$1: the same events, by jfrec" same_for_us "$2"
	works "$1: the same events, by the JDK" same_for_them "$2"
	works "$1: the JDK opens it" opens "$2"
}

# The most frequent types, the rarest, and one in the middle.
some_types()
{
	"$jfrec" summary --json "$original" 2>/dev/null |
		python3 -c '
import json, sys
types = sorted((t["count"], t["name"]) for t in json.load(sys.stdin)["types"]
	if t["count"] and t["name"] not in ("jdk.Checkpoint", "jdk.Metadata"))
for i in sorted({0, len(types) // 2, len(types) - 2, len(types) - 1}):
	if i >= 0 and types:
		print(types[i][1])'
}

same_selection() # TYPE FILE
{
	[ "$(sum_of ours_json --events "$1" "$original")" = "$(sum_of ours_json "$2")" ] || return
	[ -n "$their_sum" ] || return 0
	wanted=$(sum_of theirs_json --events "$1" "$original") || return 0
	[ "$wanted" = "$(sum_of theirs_json "$2")" ]
}

select_types()
{
	for type in $(some_types); do
		works "filter $type" "$jfrec" filter --force --events "$type" "$original" -o "$work/out.jfr"
		works "filter $type: the events that print shows" same_selection "$type" "$work/out.jfr"
		works "filter $type: the JDK opens it" opens "$work/out.jfr"
	done
}

rewrite()
{
	original=$work/in.jfr
	cp "$1" "$original"
	our_sum=$(sum_of ours_json "$original")
	their_sum=$(sum_of theirs_json "$original")
	works 'merge' "$jfrec" merge --force "$original" -o "$work/out.jfr"
	is_same 'merge' "$work/out.jfr"
	mkdir "$work/pieces"
	works 'split' "$jfrec" split "$original" -o "$work/pieces"
	works 'merge of pieces' "$jfrec" merge --force "$work"/pieces/* -o "$work/out.jfr"
	is_same 'merge of pieces' "$work/out.jfr"
	rm -r "$work/pieces"
	works 'filter of all' "$jfrec" filter --force --events '*' "$original" -o "$work/out.jfr"
	is_same 'filter of all' "$work/out.jfr"
	works 'scrub by no rules' "$jfrec" scrub --force --no-defaults "$original" -o "$work/out.jfr"
	is_same 'scrub by no rules' "$work/out.jfr"
	works 'repair' "$jfrec" repair --force "$original" -o "$work/out.jfr"
	is_same 'repair' "$work/out.jfr"
	works 'merge --compact' "$jfrec" merge --compact --force "$original" -o "$work/out.jfr"
	works 'merge --compact: the JDK opens it' opens "$work/out.jfr"
	works 'scrub' "$jfrec" scrub --force "$original" -o "$work/out.jfr"
	works 'scrub: the JDK opens it' opens "$work/out.jfr"
	select_types
}

is_readable()   # FILE
{
	"$jfrec" summary "$1" >/dev/null 2>&1
}

for operand; do
	for file in $(find "$operand" -name '*.jfr' | sort); do
		recording=$(basename "$file" .jfr)
		if is_readable "$file"; then
			rewrite "$file"
		else
			result ok "$recording # SKIP jfrec cannot read all of it"
		fi
	done
done
finish
