#!/bin/sh
# Renews what is expected of the recordings in tests/data/ok.
#
# usage: expect.sh JFR [NAME...]       JFR is the `jfr` of JDK 25
#
# NAME.expected has a line for each test of NAME.jfr, parted by tabs:
#
#    test  sha256  bytes  argument...
#
# The arguments are jfr's, without the file.  A new test is a line with a dash
# for sum and size.  Output that fits is kept beside it as NAME.test.out, so
# that a failure can be shown line by line and a review sees what changed; of
# longer output the first lines, as NAME.test.head.

keep=25000
keep_head=2000

if [ $# -lt 1 ]; then
	sed -n '2,4s/^# \{0,1\}//p' "$0" >&2
	exit 2
fi
case $1 in
/*)	jfr=$1 ;;
*/*)	jfr=$PWD/$1 ;;
*)	jfr=$1 ;;
esac
shift
cd "$(dirname "$0")/ok" || exit
[ $# -gt 0 ] || set -- *.expected
set -f
tab=$(printf '\t')
TZ=UTC
export TZ
out=$(mktemp)
new=$(mktemp)
trap 'rm -f "$out" "$new"' EXIT

# Whole lines, if there is one.
first_lines()   # FILE
{
	lines=$(head -c "$keep_head" "$1" | wc -l)
	if [ "$lines" -gt 0 ]; then
		head -n "$lines" "$1"
	else
		head -c "$keep_head" "$1"
	fi
}

for name; do
	name=${name%.expected}
	echo "$name"
	set +f
	rm -f "$name".*.out "$name".*.head
	set -f
	: >"$new"
	while IFS=$tab read -r test _ _ arguments; do
		IFS=$tab
		set -- $arguments
		unset IFS
		"$jfr" "$@" "$name.jfr" >"$out" || { echo "$name $test: $jfr failed" >&2; exit 1; }
		sum=$(sha256sum "$out")
		bytes=$(($(wc -c <"$out")))
		printf '%s\t%s\t%s\t%s\n' "$test" "${sum%% *}" "$bytes" "$arguments" >>"$new"
		if [ "$bytes" -le "$keep" ]; then
			cp "$out" "$name.$test.out"
		else
			first_lines "$out" >"$name.$test.head"
		fi
	done <"$name.expected" || exit
	cp "$new" "$name.expected"
done
