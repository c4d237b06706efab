#!/bin/sh
# What merge, split, filter and scrub write has the events of the original, by the
# JDK's own tool and by ours, and that tool opens all of it.
#
# usage: rewrites.sh JFREC SOURCE_ROOT JFR [RECORDING|DIRECTORY...]
#
# JFR is the jfr of JDK 25.  Without recordings those of tests/data/ok are taken.  What
# that tool itself cannot print, or not within $JFREC_TEST_SECONDS (60), is judged by ours
# alone.

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

theirs()        # ARGUMENT...
{
	timeout "$seconds" "$jfr" "$@"
}

theirs_json()
{
	theirs print --json --stack-depth 64 "$@"
}

ours_json()
{
	"$jfrec" print --json --stack-depth 64 "$@"
}

# A sum of what a command prints; nothing where it fails.
sum_of()        # COMMAND...
{
	rm -f "$work/failed"
	{ "$@" 2>"$work/err" || : >"$work/failed"; } | cksum >"$work/sum"
	[ -e "$work/failed" ] || cat "$work/sum"
}

# Ours tells of damage by its status, and prints what is whole all the same.
our_sum_of()    # OPTION... FILE
{
	ours_json "$@" 2>"$work/err" | cksum
}

# Of JSON one event a line, in no order.  Pieces of different JVMs get other type ids, of
# which settings tell, one time zone, and one clock, which costs some ns where years are
# between them: of times seconds and their fractions are compared.
events()
{
	awk '/^    ("events": \[|}, )\{$/ { if (NR > 3) print line; line = ""; next } { line = line $0 } END { print line }' |
		grep -v 'jdk.ActiveSetting' |
		sed 's/"[-0-9]*T[0-9]*:[0-9]*:\([0-9]*\.[0-9]\{6\}\)[^"]*"/"\1"/g; s/[]} ]*$//' | LC_ALL=C sort
}

# The same sum, or at least the same events as in all of the files.  The JDK sees each of
# these right only alone, ours sees them together.
same_for()      # theirs_json|ours_json SUM FILE...
{
	tool=$1 wanted=$2
	shift 2
	cmp -s "$original" "$output" && return
	[ -n "$wanted" ] || return 0 # the tool cannot read the original
	[ "$wanted" = "$($tool "$output" 2>"$work/err" | cksum)" ] && return
	[ "$tool" != ours_json ] || set -- "$original"
	for piece; do
		$tool "$piece" 2>"$work/err" | events
	done | LC_ALL=C sort >"$work/wanted"
	$tool "$output" 2>"$work/err" | events >"$work/got"
	cmp "$work/wanted" "$work/got"
}

opens()         # FILE
{
	theirs summary "$1" >/dev/null
}

is_same()       # NAME FILE...: $output has their events
{
	of=$1
	shift
	works "$of: the same events, by jfrec" same_for ours_json "$our_sum" "$@"
	works "$of: the same events, by the JDK" same_for theirs_json "$their_sum" "$@"
	works "$of: the JDK opens it" opens "$output"
}

# The status tells of damage where that matters; or there is nothing to write.
writes()        # NAME COMMAND...
{
	name=$1
	shift
	rm -f "$output"
	"$jfrec" "$@" >"$work/said" 2>&1
	got=$?
	[ $got -eq 0 ] || [ $got -eq "$damage" ] || { [ $got -eq 1 ] && grep -q -e 'no event is left' -e 'no chunk could' "$work/said"; }
	works "$name" [ $? -eq 0 ]
	[ -e "$output" ]
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
	[ "$(our_sum_of --events "$1" "$original")" = "$(our_sum_of "$2")" ] || return
	[ -n "$their_sum" ] || return 0
	wanted=$(sum_of theirs_json --events "$1" "$original") || return 0
	[ "$wanted" = "$(sum_of theirs_json "$2")" ]
}

select_types()
{
	for type in $(some_types); do
		writes "filter $type" filter --events "$type" "$original" -o "$output" || continue
		works "filter $type: the events that print shows" same_selection "$type" "$output"
		works "filter $type: the JDK opens it" opens "$output"
	done
}

is_readable()   # FILE
{
	"$jfrec" print --count "$1" >"$work/count" 2>"$work/err"
	damage=$?
	[ -s "$work/count" ]
}

rewrite()
{
	our_sum=$(our_sum_of "$original")
	their_sum=$(sum_of theirs_json "$original")
	writes 'merge' merge "$original" -o "$output" && is_same 'merge' "$original"
	mkdir "$work/pieces"
	works 'split' "$jfrec" split "$original" -o "$work/pieces"
	writes 'merge of pieces' merge "$work"/pieces/* -o "$output" &&
		is_same 'merge of pieces' "$work"/pieces/*
	rm -r "$work/pieces"
	writes 'filter of all' filter --events '*' "$original" -o "$output" &&
		is_same 'filter of all' "$original"
	writes 'scrub by no rules' scrub --no-defaults "$original" -o "$output" &&
		is_same 'scrub by no rules' "$original"
	writes 'repair' repair "$original" -o "$output" && is_same 'repair' "$original"
	writes 'merge --compact' merge --compact "$original" -o "$output" &&
		works 'merge --compact: the JDK opens it' opens "$output"
	writes 'scrub' scrub "$original" -o "$output" && works 'scrub: the JDK opens it' opens "$output"
	select_types
}

original=$work/in.jfr
output=$work/out.jfr
for operand; do
	for file in $(find "$operand" -name '*.jfr' | sort); do
		label=$(basename "$file" .jfr)
		cp "$file" "$original"
		chmod u+w "$original"
		if is_readable "$original"; then
			rewrite
		else
			result ok "$label # SKIP it cannot be read"
		fi
	done
done
finish
