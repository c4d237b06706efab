#!/bin/sh
# What jfrec prints of the recordings in tests/data/ok is what JDK 25 prints.
#
# usage: golden.sh JFREC SOURCE_ROOT [NAME...]
#
# With JFR=path of JDK 25's `jfr`, differences in output too large to be kept
# in the tree are shown too.  tests/data/expect.sh tells how tests are written.

case $1 in
*/*)	jfrec=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") ;;
*)	jfrec=$1 ;;
esac
cd "$2/tests/data/ok" || exit
shift 2
[ $# -gt 0 ] || set -- *.expected
set -f
tab=$(printf '\t')
out=$(mktemp)
err=$(mktemp)
want=$(mktemp)
trap 'rm -f "$out" "$err" "$want"' EXIT
# Views show times in the zone of who reads them.
TZ=UTC
export TZ
tests=0
failed=0

# The first lines that differ, as far as the expected output is at hand.
show()          # EXPECTED
{
	diff "$1" "$out" | head -n 8 | cut -c 1-160 | sed 's/^/# /'
}

# Is the text beside the sum that of the output?
beside()
{
	if [ -f "$name.$test.out" ]; then
		cmp -s "$name.$test.out" "$out"
	else
		[ -s "$name.$test.head" ] &&
			head -c "$(wc -c <"$name.$test.head")" "$out" | cmp -s - "$name.$test.head"
	fi
}

check()         # NAME TEST SUM BYTES ARGUMENT...
{
	name=$1 test=$2 sum=$3 bytes=$4
	shift 4
	"$jfrec" "$@" "$name.jfr" >"$out" 2>"$err"
	status=$?
	tests=$((tests + 1))
	got=$(sha256sum "$out")
	if [ "$status" -eq 0 ] && [ "${got%% *}" = "$sum" ] && beside; then
		echo "ok $tests - $name $test"
		return
	fi
	echo "not ok $tests - $name $test"
	failed=1
	if [ "$status" -eq 0 ] && [ "${got%% *}" = "$sum" ]; then
		echo "# the output is right; the text beside the sum is not, or is missing"
		return
	fi
	echo "# jfrec $* $name.jfr"
	echo "# exit status $status, $(($(wc -c <"$out"))) bytes instead of $bytes"
	sed 's/^/# /' "$err" | head -n 4
	if [ -f "$name.$test.out" ]; then
		show "$name.$test.out"
	elif [ -f "$name.$test.head" ] && ! beside; then
		cp "$out" "$want"
		head -c "$(wc -c <"$name.$test.head")" "$want" >"$out"
		show "$name.$test.head"
	elif [ -n "$JFR" ] && "$JFR" "$@" "$name.jfr" >"$want"; then
		show "$want"
	fi
}

for file; do
	file=${file%.expected}
	while IFS=$tab read -r test sum bytes arguments; do
		IFS=$tab
		set -- $arguments
		unset IFS
		check "$file" "$test" "$sum" "$bytes" "$@"
	done <"$file.expected"
done
echo "1..$tests"
exit $failed
