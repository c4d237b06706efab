#!/bin/sh
# Fuzzes: each target for some seconds, beginning with the recordings we have.
#
# usage: run.sh SECONDS [BUILD [TARGET...]]
#
# BUILD is made with clang if it is not there; by default it is build-fuzz.
# What the fuzzer finds out about the code stays in BUILD/corpus, so the next
# run goes on from there.  An input that fails is left in BUILD; once mended,
# keep it in tests/fuzz/seeds, named by its defect.
#
# With FUZZ_RUNS=N each target gets N inputs, and the same code the same ones each
# time: what a gate needs, which must not say one thing today and another tomorrow.

case $1 in
''|*[!0-9]*)
	sed -n '2,4s/^# \{0,1\}//p' "$0" >&2
	exit 2 ;;
esac
seconds=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
build=${2:-$source/build-fuzz}
[ $# -lt 2 ] || shift
shift
largest=16      # KiB; larger inputs make the fuzzer slow

if [ ! -f "$build/build.ninja" ]; then
	CC=${CC:-clang} meson setup -Dfuzz=true -Db_lundef=false -Dman=disabled "$build" "$source" || exit
fi
[ $# -gt 0 ] || set -- $(ninja -C "$build" -t targets all | sed -n 's,^tests/fuzz_\([a-z]*\): .*,\1,p')
ninja -C "$build" $(printf 'tests/fuzz_%s ' "$@") || exit
cd "$build" || exit

failed=0
same=${FUZZ_RUNS:+-seed=1 -runs=$FUZZ_RUNS}
for target; do
	mkdir -p "corpus/$target"
	if [ -d "$source/tests/fuzz/seeds/$target" ]; then
		cp "$source/tests/fuzz/seeds/$target"/*.bin "corpus/$target"
	else
		find "$source/tests/fuzz/seeds" "$source/tests/data/ok" \( -name '*.jfr' -o -name '*.yaml' \) -size -"$largest"k \
			-exec cp {} "corpus/$target" \;
	fi
	log=fuzz-$target.log
	if "tests/fuzz_$target" $same -max_total_time="$seconds" -max_len=$((largest * 1024)) -timeout=20 -rss_limit_mb=2048 \
		-artifact_prefix="$target-" "corpus/$target" >"$log" 2>&1; then
		sed -n "s/^Done \([0-9]*\) runs.*/fuzz_$target: \1 inputs, no failure/p" "$log"
	else
		failed=1
		echo "fuzz_$target failed; see $build/$log"
		grep -E '^(exercise|parse):|ERROR|SUMMARY|runtime error|Test unit written' "$log" | head -n 5
	fi
done
exit $failed
