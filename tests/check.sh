#!/bin/sh
# Everything that can be tested on this machine, in under 30 minutes.
#
# usage: sh tests/check.sh
#
#    1  build with gcc, its warnings being errors; from then on, beside the rest, tests with JVMs
#       (the newest JDK), which mostly wait
#    2  build with clang, its warnings being errors, for the address and undefined behaviour
#       sanitizers and the fuzzer; most tests without JVMs with it
#    3  side by side, and told when all are done:
#         - some minutes of fuzzing, always with the same inputs; what is not tested with sanitizers
#         - part of the tests with valgrind; recordings of others, if they are there; what is
#           rewritten, by the JDK's own tool, if it is there
#
# Installs what is missing, where that is possible (machine.sh); what needs a
# tool that is not there is skipped, with the reason.  Builds in build-check.  As root it runs in
# a mount namespace of its own (apart.py), so that tests can make namespaces in a chroot, too.
# Each step has a time limit, far beyond what it takes: what hangs fails, and the rest goes on.
# The last line tells how many tests passed, failed and were skipped.

LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/.." || exit
. tests/machine.sh
build=build-check
counts=$build/counts
said=$build/said
running=
lanes=
exec 3>&1

# At once, whatever goes on beside it.
step()          # TITLE
{
	echo "== $(minutes): $1" >&3
}

# Since the start, as 7:05.
minutes()
{
	awk -v begun="$begun" -v now="$(date +%s)" \
		'BEGIN { printf "%d:%02d", (now - begun) / 60, (now - begun) % 60 }'
}

# Run a command that ends by itself; what hangs is ended, with all that it has started, and
# that is told.
within()        # SECONDS COMMAND...
{
	seconds=$1
	shift
	timeout -k 20 "$seconds" "$@" </dev/null 3>&- &
	running=$!
	wait "$running"
	status=$?
	running=
	[ "$status" -ne 124 ] && [ "$status" -ne 137 ] || echo "ended after $seconds s: $*"
	return "$status"
}

count()         # PASSED FAILED SKIPPED
{
	echo "$1 $2 $3" >>"$counts"
}

skip()          # NAME REASON
{
	echo "skipped: $1: $2"
	count 0 0 1
}

# One test, by what a command returns; what it says is shown if it fails.
try()           # SECONDS NAME COMMAND...
{
	limit=$1
	name=$2
	shift 2
	if within "$limit" "$@" >"$said" 2>&1; then
		count 1 0 0
		return 0
	fi
	echo "failed: $name"
	tail -n 30 "$said" | sed 's/^/    /'
	count 0 1 0
	return 1
}

# Tests that a command counts by itself, in TAP.
try_tap()       # NAME COMMAND...
{
	name=$1
	shift
	within 1800 "$@" >"$said" 2>&1
	status=$?
	grep -A 3 -e '^not ok' -e '^ended after' "$said" | sed "s/^/$name: /"
	set -- $(awk '/^ok.*# SKIP/ { skipped++; next } /^ok/ { passed++ } /^not ok/ { failed++ }
		END { print passed + 0, failed + 0, skipped + 0 }' "$said")
	[ "$status" -eq 0 ] || [ "$2" -gt 0 ] || set -- "$1" 1 "$3"
	count "$@"
}

# Of debug information only lines, and little optimization: a third of the time to compile, and the
# tests take no longer.
lean='-Doptimization=1 -Ddebug=false -Dc_args=-g1'

make_build()    # NAME DIRECTORY OPTION...
{
	name=$1
	directory=$2
	shift 2
	try 1800 "$name" sh -c 'directory=$1; shift; meson setup -Dtests=true "$@" "$directory" . && ninja -C "$directory"' \
		sh "$build/$directory" "$@"
}

# With clang, if it can be: one build has the sanitizers, the warnings of clang, and the fuzzer.
make_sanitized_build()
(
	if has_fuzzer; then
		CC=clang
		export CC
		make_build 'clang builds it with sanitizers, without a warning' sanitized $lean --werror \
			-Dman=disabled -Dfuzz=true -Db_lundef=false
	else
		skip 'build with clang, and fuzzing' 'clang or its fuzzer runtime is missing'
		make_build 'gcc builds it with sanitizers' sanitized $lean -Db_sanitize=address,undefined
	fi
)

has_fuzzer()
{
	command -v clang >/dev/null && fuzzer_links
}

finish()
{
	awk '{ passed += $1; failed += $2; skipped += $3 }
		END {
			printf "%d passed, %d failed", passed, failed
			if (skipped)
				printf ", %d skipped", skipped
			print ""
			exit failed > 0 || !passed
		}' "$counts"
	exit
}

has_proc || exit
if [ -n "$JFREC_CHECK_BEGUN" ]; then
	begun=$JFREC_CHECK_BEGUN
else
	may_build_here || exit
	begun=$(date +%s)
	rm -rf "$build"
	mkdir -p "$build"
	: >"$counts"
	step 'Tools'
	needs_of_build
	if ! install_missing; then
		count 0 1 0
		finish
	fi
	wants_of_check
	install_missing
	if [ "$(id -u)" -eq 0 ]; then
		JFREC_CHECK_BEGUN=$begun python3 tests/apart.py sh tests/check.sh
		status=$?
		[ "$status" -eq 125 ] || exit "$status"
		echo 'So tests that need namespaces will be skipped.'
	fi
fi

# What a step has started ends with it.
trap '[ -z "$running" ] || kill "$running" 2>/dev/null; [ -z "$lanes" ] || kill $lanes 2>/dev/null' EXIT
trap 'exit 1' INT TERM HUP

# Steps that go on beside others; what they say is kept for the end.
lane()          # NAME FUNCTION
{
	(
		trap '[ -z "$running" ] || kill "$running"; exit 1' TERM
		trap - EXIT
		running=
		lanes=
		said=$build/said-$1
		$2
	) >"$build/$1.log" 2>&1 &
	lanes="$lanes $!"
}

# ----------------------------------------------------------------------------------------------------

# Meson sets this from 1.2 on; without it undefined behaviour is only printed.
UBSAN_OPTIONS=${UBSAN_OPTIONS:-halt_on_error=1:abort_on_error=1:print_stacktrace=1}
export UBSAN_OPTIONS

meson_test()    # BUILD LOG OPTION...
{
	tested=$build/$1
	log=$2
	shift 2
	within 5400 meson test -C "$tested" --no-rebuild --timeout-multiplier 3 --logbase "$log" "$@" >"$build/$log.log" 2>&1
	[ $? -lt 124 ] || { tail -n 1 "$build/$log.log"; count 0 1 0; }
	python3 tests/tally.py "$tested/meson-logs/$log.json" "$counts" || count 0 1 0
}

# With JVMs, which are mostly waited for.

newest_jdk()
{
	for java in /usr/lib/jvm/*/bin/java; do
		"$java" -version 2>&1 | sed -n '1s/.* version "\([0-9]*\).*/\1/p'
	done | sort -n | tail -n 1
}

# The newest JDK of this machine was tested above. Another root takes minutes and a gigabyte, so
# only CI makes one.
live_in_root()  # DIRECTORY
{
	for script in attach recordings failures doctor; do
		JFREC_TEST_ROOTS=$1 JFREC_TEST_JDKS=21 \
			try_tap "live, another root" sh tests/live/$script.sh "$PWD/$build/release/jfrec" "$PWD"
	done
}

another_root()
{
	if [ "$(id -u)" -ne 0 ] || [ -z "$CI" ] || ! command -v debootstrap >/dev/null; then
		skip 'JVMs in another root' 'made by CI only, as root, with debootstrap'
	elif [ $(($(date +%s) - begun)) -gt 900 ]; then
		skip 'JVMs in another root' "it takes five minutes, and $(minutes) are over"
	else
		step 'JVMs in another root'
		if within 1800 tests/live/make_root.sh make "$PWD/$build/root" >"$build/root.log" 2>&1; then
			live_in_root "$PWD/$build/root"
		else
			skip 'JVMs in another root' "none can be made: $(tail -n 1 "$build/root.log")"
		fi
		tests/live/make_root.sh remove "$PWD/$build/root"
	fi
}

with_jvms()
{
	step 'JVMs of this machine'
	JFREC_TEST_JDKS=${JFREC_TEST_JDKS:-$(newest_jdk)}
	JFREC_TEST_ROUNDS=${JFREC_TEST_ROUNDS:-4}
	JFREC_TEST_SAMPLE=${JFREC_TEST_SAMPLE:-4}
	export JFREC_TEST_JDKS JFREC_TEST_ROUNDS JFREC_TEST_SAMPLE
	meson_test release long --suite long
	until [ -e "$build/sanitized-is-built" ]; do
		sleep 1
	done
	step 'JVMs of this machine, with sanitizers'
	meson_test sanitized live --suite short
	skip 'programs with one trouble each' 'six minutes for each JDK: meson test --suite troubles'
	another_root
}

# A server that is watched for three minutes, and others that mostly wait.
beside_jvms()
{
	JFREC_TEST_JDKS=${JFREC_TEST_JDKS:-$(newest_jdk)}
	export JFREC_TEST_JDKS
	meson_test release beside --suite beside
}

# ----------------------------------------------------------------------------------------------------

fuzzed()
{
	if has_fuzzer; then
		step Fuzzing
		try 1800 'the fuzzer finds nothing' env FUZZ_RUNS=1000 tests/fuzz/run.sh 10 "$build/sanitized"
		grep '^fuzz_.*: ' "$said"
	fi
	unsanitized
}

# ----------------------------------------------------------------------------------------------------

memcheck='valgrind -q --suppressions=tests/valgrind.supp --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,indirect,possible'

with_valgrind()
{
	if command -v valgrind >/dev/null; then
		step 'Some tests, with valgrind'
		for program in "$build"/release/tests/test_* "$build"/release/tests/fuzz_*; do
			case ${program##*/} in
			*.p | test_hostile_* | test_times | fuzz_report) ;; # a directory; what would take minutes
			fuzz_analyze | fuzz_reports | fuzz_sql | fuzz_stacks | fuzz_view | fuzz_export | fuzz_table) ;; # the same
			test_glob | test_rules | test_secrets | test_products) ;; # they bound the time that they take
			test_confine | test_calls | test_tricks) ;; # valgrind dies when exec is refused
			test_query) ;;          # valgrind computes with 64 bits where a long double has 80
			test_handshake) ;;      # valgrind catches the signals that its children should not
			fuzz_*)	try 300 "valgrind: ${program##*/}" $memcheck "$program" tests/fuzz/seeds ;;
			*)	try 300 "valgrind: ${program##*/}" $memcheck "$program" ;;
			esac
		done
		for arguments in print 'print --exact' 'print --json --stack-depth 64' 'print --xml' \
			summary 'summary --json' metadata 'metadata --json'; do
			# Not confined: valgrind makes code as it goes.
			try 300 "valgrind: $arguments" "$build/release/tests/lacking" all $memcheck "$build/release/jfrec" \
				$arguments tests/data/ok/contexts-25.jfr
		done
	else
		skip valgrind 'valgrind is missing'
	fi
}

# Programs that are started thousands of times, or grow large, without what sanitizers cost at each start.
unsanitized()
{
	step 'Tests without sanitizers'
	meson_test release unsanitized --suite release
}

of_others()
{
	conformance=../shared/tools/conformance
	if [ -x "$conformance" ]; then
		step 'Recordings of others'
		within 1800 "$conformance" "$build/release/jfrec" >"$said" 2>&1
		grep '^differs:' "$said"
		set -- $(sed -n '$s/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$said")
		count "${1:-0}" "${2:-1}" 0
		try_tap 'lines of JSON' sh tests/cli/ndjson.sh "$build/release/jfrec" . "$build/release/tests/lines" \
			../shared/corpus/*.jfr
	else
		skip 'recordings of others' "they are not in this tree ($conformance)"
	fi
}

beside_the_jdk()
{
	jfr25=$(find_jfr25)
	if [ -n "$jfr25" ]; then
		step 'What is rewritten, beside the JDK'
		try_tap 'rewritten' sh tests/live/rewrites.sh "$build/release/jfrec" . "$jfr25" \
			tests/data/ok/jvm-17.jfr tests/data/ok/frames-25.jfr tests/data/ok/made-order.jfr
		try_tap 'cut off' sh tests/live/truncated.sh "$build/release/jfrec" . "$jfr25" \
			tests/data/ok/jvm-25.jfr 16384
		[ ! -d ../shared/corpus ] || JFREC_TEST_SECONDS=20 try_tap 'rewritten, of others' \
			sh tests/live/rewrites.sh "$build/release/jfrec" . "$jfr25" ../shared/corpus/jmc__jdk15.jfr ../shared/corpus/jfr-parser__FastSlow*.jfr
	else
		skip 'what is rewritten, beside the JDK' 'there is no jfr of JDK 25'
	fi

	converter=/usr/share/async-profiler/converter.jar       # async-profiler-java of Debian
	if [ -n "$jfr25" ] && [ -f "$converter" ]; then
		try_tap 'rewritten, by async-profiler' sh tests/live/profiler.sh "$build/release/jfrec" . \
			"${jfr25%jfr}java" "$converter" tests/data/ok/jvm-*.jfr tests/data/ok/frames-25.jfr
	else
		skip 'what is rewritten, read by async-profiler' 'it takes JDK 25 and the package async-profiler-java'
	fi
}

without_jvms()
{
	with_valgrind
	of_others
	beside_the_jdk
}

step 'Build: gcc, with optimization, warnings are errors'
make_build 'gcc builds it without a warning' release --buildtype=release -Ddebug=true --werror

try_tap 'hardened' sh tests/cli/hardened.sh "$build/release/jfrec" . fortified

# Alpine's libc.
musl=$(musl-gcc -print-file-name=libc.a 2>/dev/null)
if [ -e "$musl" ]; then
	step 'Build with musl, and run confined'
	try 900 'what is built with musl runs confined' python3 tests/musl.py "$build/release" .
else
	skip 'compile with musl' 'musl-gcc is missing'
fi

lane jvms with_jvms
lane beside beside_jvms

step 'Build: clang, with sanitizers, warnings are errors'
make_sanitized_build || finish
touch "$build/sanitized-is-built"

# One more than there are processors, since some wait.
step 'Tests without JVMs, with sanitizers'
meson_test sanitized testlog --no-suite live --no-suite release --num-processes "$(($(nproc) + 1))"

lane fuzzed fuzzed
lane valgrind without_jvms
wait $lanes
lanes=
cat "$build/fuzzed.log" "$build/valgrind.log" "$build/jvms.log" "$build/beside.log"
finish
