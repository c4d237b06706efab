#!/bin/sh
# What `jfrec analyze` says of recordings in tests/data/ok is, byte for byte, what lies in
# tests/data/findings: a change of a rule, a sentence or a format shows there.
#
# usage: analyze_golden.sh JFREC SOURCE_ROOT
#
# UPDATE=1 writes what it says now.

LC_ALL=C
TZ=UTC
export LC_ALL TZ
jfrec=$(realpath "$1")
findings=$(realpath "$2/tests/data")/findings
. "$2/tests/cli/tap.sh"
said=$(mktemp) || exit
work=$(mktemp -d) || exit
trap 'rm -rf "$said" "$work"' EXIT
cd "$2/tests/data/ok" || exit

same()          # FILE
{
	[ -z "$UPDATE" ] || { mkdir -p "$findings" && cp "$said" "$findings/$1"; }
	cmp -s "$findings/$1" "$said" && return
	diff "$findings/$1" "$said" | cut -c 1-200
	return 1
}

# The name of the file ends in what the format is called. The version of jfrec is not what is tested.
says()          # FILE ARGUMENT...
{
	file=$1
	shift
	"$jfrec" analyze --width 100 "$@" 2>&1 | sed 's/"version": "[0-9][^"]*"/"version": "x"/' >"$said"
	same "$file"
}

for recording in jvm-17 jvm-25; do
	for format in text markdown json ndjson sarif junit; do
		case $format in
		json|ndjson) works "$recording as $format" says "$recording.$format" "--$format" "$recording.jfr" ;;
		*) works "$recording as $format" says "$recording.$format" --format $format "$recording.jfr" ;;
		esac
	done
	works "$recording, all" says "$recording.all" --all "$recording.jfr"
done
works 'several' says several.text jvm-17.jfr trace-25.jfr text-25.jfr
works 'one rule' says one.text --only recording-short jvm-25.jfr
finish
