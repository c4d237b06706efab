#!/bin/sh
# The JDK's own tests of `jcmd` with Flight Recorder and of `jfr` (test/jdk/jdk/jfr/jcmd and tool
# in its sources), one by one and by their names: what each asks, and what it expects, in our
# words. What our tools write is read by the JDK's.
#
# usage: jdk_tests.sh JFREC SOURCE_ROOT
#
# With JFREC_TEST_TOOLS=jdk the JDK's own tools are tested instead: what we expect is what they do.
# JFREC_TEST_ONLY="NAME..." runs these tests only.

jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
source=$(realpath "$2")
. "$2/tests/cli/tap.sh"
. "$live/live.sh"
live_sources=$live/JdkTests.java
program=JdkTests
jcmd=$work/jdk/bin/jcmd
jfr=$work/jdk/bin/jfr

# Where our tools stand beside the rest of a JDK.
make_home()
{
	home=$(realpath "${java%/bin/java}")
	rm -rf "$work/jdk"
	mkdir -p "$work/jdk/bin"
	ln -s "$home/lib" "$home/release" "$home/conf" "$work/jdk"
	for tool in "$home"/bin/*; do
		ln -s "$tool" "$work/jdk/bin"
	done
	[ "$JFREC_TEST_TOOLS" = jdk ] || ln -sf "$jfrec_itself" "$jcmd"
	[ "$JFREC_TEST_TOOLS" = jdk ] || ln -sf "$jfrec_itself" "$jfr"
}

# Asking -----------------------------------------------------------------------

# Rows go on after one that fails; the test has failed then.
wrong()         # TEXT...
{
	echo "$*"
	cat "$work/err"
	head -n 5 "$work/out"
	is_wrong=1
}

matches()       # PATTERN: a line of what the tool said
{
	cat "$work/out" "$work/err" | grep -qE -e "$1"
}

expect()        # STATUS PATTERN COMMAND...
{
	wanted=$1
	pattern=$2
	shift 2
	(cd "$dir" && exec "$@") >"$work/out" 2>"$work/err" </dev/null
	got=$?
	[ "$got" -eq "$wanted" ] || wrong "exit status $got, not $wanted: $*"
	matches "$pattern" || wrong "nothing like '$pattern': $*"
}

# As the JDK's tests do: options of the test's JVM come first, and the command is one argument.
ask()           # STATUS PATTERN WORD...
{
	status=$1
	pattern=$2
	shift 2
	expect "$status" "$pattern" "$jcmd" -J-Xmx64m -J-Dtest.src="$dir" "$pid" "$*"
}

tool()          # STATUS PATTERN WORD...
{
	status=$1
	pattern=$2
	shift 2
	expect "$status" "$pattern" "$jfr" -J-Xmx512m "$@"
}

# In what was said last.
also()          # PATTERN
{
	matches "$1" || wrong "nothing like '$1'"
}

never()         # PATTERN
{
	! matches "$1" || wrong "there is '$1'"
}

# To the JVM, which answers when it has done it; the answer is in $work/answer.
answered()
{
	grep -qE "^$told (done|failed)" "$work/jvm"
}

tell()          # COMMAND
{
	told=$((told + 1))
	echo "$1" >>"$dir/commands"
	becomes answered || becomes answered || becomes answered # a busy machine
	sed -n "s/^$told //p" "$work/jvm" >"$work/answer"
	: >"$work/out"
	cp "$work/answer" "$work/err"
	grep -q '^done' "$work/answer" || wrong "the JVM did not $1"
}

shows()         # NAME PATTERN: of a recording, in the JVM
{
	tell "show $1"
	matches "$2" || wrong "$1 has not $2"
}

# A recording that the JDK can read, with events.
verify()        # FILE
{
	[ -s "$1" ] && "$home/bin/jfr" summary "$1" >"$work/out" 2>"$work/err" &&
		awk 'NF == 3 && ($2 $3) ~ /^[0-9]+$/ && $2 > 0 { found = 1 } END { exit !found }' "$work/out" && return
	wrong "no recording: $1"
}

exists()        # PATTERN...: exactly one file of that name
{
	set -- $1
	[ $# -eq 1 ] && [ -f "$1" ] || wrong "not one file: $*"
}

missing()       # PATTERN
{
	set -- $1
	[ ! -e "$1" ] || wrong "there is $*"
}

# One that a recording will be written to at its end.
empty()         # FILE
{
	[ ! -s "$1" ] || wrong "there is something in $1"
}

# Events of a type, or all, as the JDK reads them.
count()         # FILE [TYPE]
{
	"$home/bin/jfr" summary "$1" | awk -v type="${2:-.}" \
		'NF == 3 && ($2 $3) ~ /^[0-9]+$/ && $1 !~ /^jdk[.](Metadata|Check[Pp]oint)$/ && $1 ~ type { n += $2 } END { print n + 0 }'
}

has()           # FILE TYPE
{
	[ "$(count "$1" "$2")" -gt 0 ] || wrong "no $2 in $1"
}

has_not()       # FILE TYPE
{
	[ "$(count "$1" "$2")" -eq 0 ] || wrong "$2 in $1"
}

is_running()    # NAME
{
	ask 0 "^Recording [0-9]+: name=$1 .*\(running\)" JFR.check name="$1" verbose=false
}

started()       # NAME ARGUMENT...
{
	recording=$1
	shift
	ask 0 'Started recording' JFR.start name="$recording" "$@"
	is_running "$recording"
}

stop()          # NAME [ARGUMENT...]
{
	recording=$1
	shift
	ask 0 "Stopped recording \"$recording\"" JFR.stop name="$recording" "$@"
	ask 0 . JFR.check name="$recording" verbose=false
	never "$recording.*running"
}

stop_to()       # NAME FILE
{
	ask 0 "^Stopped recording \"$1\".*written to:" JFR.stop "name=\"$1\"" "filename=\"$2\""
	also "$2"
}

unknown()       # NAME
{
	ask 0 "Could not find $1" JFR.check name="$1" verbose=false
}

# The file that was named last.
written()
{
	sed -n '/written to/{n;n;p;}' "$work/out"
}

is_asked()      # NAME
{
	case " ${JFREC_TEST_ONLY:-$1} " in
	*" $1 "*) return 0 ;;
	*) return 1 ;;
	esac
}

# One test, in a JVM of its own.
a_test()        # FUNCTION OPTION...
{
	function=$1
	shift
	is_wrong=
	told=0
	find "$dir" -mindepth 1 -delete
	cp "$work"/*.class "$dir"
	: >"$dir/commands"
	arguments=$dir/commands
	chmod 666 "$dir/commands"
	start_jvm "$@"
	$function
	end_jvm
	[ -z "$is_wrong" ]
}

jcmd_test()     # NAME OLDEST_JDK OPTION...
{
	name=$1
	oldest=$2
	shift 2
	[ "$feature" -lt "$oldest" ] || ! is_asked "$name" || works "$name" a_test "$name" "$@"
}

. "$live/jdk_tests_jcmd.sh"
. "$live/jdk_tests_jfr.sh"

test_jdk()
{
	if [ -n "$root" ] || [ "$feature" -lt 17 ]; then
		return
	fi
	make_home
	test_jcmd
	test_jfr
}

for_each_jdk test_jdk
[ "$tests" -gt 0 ] || { echo '1..0 # SKIP no JDK from 17 on outside of other roots'; exit 0; }
finish
