#!/bin/sh
# jfrec-recorder(7), followed by the letter: program, recording, flame graph, report, crash.
#
# usage: tutorial.sh JFREC SOURCE_ROOT DIRECTORY_OF_LIBRARY

PATH=$(dirname "$(realpath "$1")"):$PATH
source=$(realpath "$2")
LD_LIBRARY_PATH=$(realpath "$3")
export PATH LD_LIBRARY_PATH
. "$source/tests/cli/tap.sh"
command -v pkg-config >/dev/null || { echo '1..0 # SKIP there is no pkg-config'; exit; }
work=$(mktemp -d)
cd "$work" || exit
trap 'rm -rf "$work"' EXIT
# As it is installed: the header and the library are where they were built.
cat >libjfrec-recorder.pc <<END
Name: libjfrec-recorder
Description: for this test
Version: 0
Cflags: -I$LD_LIBRARY_PATH
Libs: -L$LD_LIBRARY_PATH -ljfrec-recorder
END
PKG_CONFIG_PATH=$work
export PKG_CONFIG_PATH

# The blocks of the page, as it shows them: block0 builds the library,
# alone.sh; block1 is the program, block2 compiles it, and so on.
python3 - "$source/man/jfrec-recorder.7.scd" <<'END'
import re
import sys
page = open(sys.argv[1]).read()
for i, block in enumerate(re.findall(r'^```\n(.*?)^```', page, re.S | re.M)):
    open(f'block{i}', 'w').write(block.replace('\\\\', '\\'))
END
cp block1 shop.c

follow()        # BLOCK: what it prints is in shown, its failures are the test's
{
	sh -e "./$1" >shown 2>&1
	status=$?
	head -c 3000 shown
	return $status
}
works 'the program compiles' follow block2
works 'it records' follow block3
works 'the recording can be read' follow block4
works 'all orders are in it' [ "$(jfrec print --count --events shop.Order shop.jfr)" = 500 ]
works 'what it shows has no damage' sh -c '! grep jfrec: shown'
sh ./block5 >shown 2>&1
works 'its repository can be read meanwhile' grep -q 'shop.Order' shown
works 'a recording of one second' follow block6
works 'has what was recorded until then' sh -c 'n=$(jfrec print --count --events shop.Order start.jfr) && [ "$n" -gt 0 ] && [ "$n" -lt 500 ]'
if [ "$(uname -m)" = x86_64 ]; then
	works 'samples make a flame graph and a report' follow block7
	works 'the function that computes is in the flame graph' grep -q compare shop.html
	works 'the report is there' [ -s report.html ]
	sh -e ./block8 >shown 2>&1 || named=$(grep 'built without libdw' shown)
	if [ "$named" ]; then
		skip 'functions get names' "$named"
	else
		works 'functions get names' grep -q compare shown
	fi
else
	result ok 'samples # SKIP they need x86-64'
fi
if [ -w /tmp ]; then
	works 'it is reached from outside' follow block9
	works 'only slow orders are in that recording' [ "$(jfrec print --count --where 'duration < 8 ms' slow.jfr)" = 0 ]
fi
if mount | grep -q '^tmpfs on /dev/shm '; then
	works 'it is killed, and nothing is lost' follow block10
	jfrec print --csv --events shop.Order --fields number crash.jfr | tr -d '\r' | awk -F, '{ print $NF }' |
		grep -E '^[0-9]+$' | sort -n >numbers
	seq 0 $(($(wc -l <numbers) - 1)) >expected
	works 'its last events are there, once' cmp expected numbers
	works 'and there are some' [ -s numbers ]
fi
works 'a threshold keeps the slow ones' follow block11
works 'and no others' [ "$(jfrec print --count --events shop.Order --where 'duration < 8 ms' slow.jfr)" = 0 ]
# The last block is a part of a program.
works 'what the code says compiles' sh -c '
	{ sed -n "/#include/p" shop.c; echo "int main(void)" "{"; grep -v "^\.\.\.$" block12; echo "}"; } >part.c
	cc -fsyntax-only -Wall -Werror part.c $(pkg-config --cflags libjfrec-recorder)'
finish
