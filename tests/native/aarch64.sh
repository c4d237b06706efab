#!/bin/sh
# The recorder on AArch64: cross-built, and run by qemu-user.
#
# usage: aarch64.sh JFREC SOURCE_ROOT BUILD
#
# Emulators have no sampling signals, and fail when a program with threads forks; what interrupts
# code is shown by interrupted.c.  With -mbranch-protection return addresses are signed.

jfrec=$(realpath "$1")
source=$(realpath "$2")
build=$(realpath "$3")
. "$source/tests/cli/tap.sh"

compiler=aarch64-linux-gnu-gcc
emulator=$(command -v qemu-aarch64 || command -v qemu-aarch64-static)
if [ "$(uname -m)" = aarch64 ]; then
	echo '1..0 # SKIP this is AArch64: the other tests are enough'
	exit
fi
if ! command -v $compiler >/dev/null || ! command -v aarch64-linux-gnu-ar >/dev/null || [ -z "$emulator" ]; then
	echo '1..0 # SKIP no aarch64-linux-gnu-gcc, or no qemu-aarch64'
	exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit

# As the library is built, but for the wrappers.
compile()
{
	$compiler -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -ftls-model=initial-exec \
		-I"$source/lib" -I"$source/lib/native" -I"$build" "$@"
}

library()       # NAME OPTION...
{
	archive=$1
	shift
	mkdir "$archive" || return
	for file in "$source"/lib/native/*.c; do
		case $file in
		*/preload_*) ;;
		*) compile "$@" -c -o "$archive/$(basename "$file" .c).o" "$file" || return ;;
		esac
	done
	aarch64-linux-gnu-ar rcs "$archive.a" "$archive"/*.o
}

program()       # LIBRARY NAME OPTION...
{
	archive=$1
	made=$2
	shift 2
	compile "$@" -static -o "$archive-$made" "$source/tests/native/$made.c" "$archive.a" -pthread -ldl \
		-Wl,--eh-frame-hdr 2>linker || { cat linker; return 1; }
}

run()           # PROGRAM ARGUMENT...
{
	timeout 120 "$emulator" -cpu max "$@"
}

# Each test of books.c that an emulator can run: without processes of their own, and modules.
books()
{
	for part in one_thread eight_threads a_tiny_pool_loses_and_counts two_thousand_short_threads \
		handlers_inside_events destructors_of_threads large_events settings_decide \
		types_that_are_refused interned_texts; do
		run "./$1-books" /nonexistent "$work" 1 "$part" >said 2>&1
		status=$?
		[ $status = 0 ] && grep -q "^ok 1 - $part" said || { cat said; return 1; }
	done
}

stacks()        # LIBRARY
{
	JFREC_RECORD=repository=$work,filename=$work/$1.jfr run "./$1-traced" >emitted || return
	[ "$("$jfrec" print --count --events test.Traced "$1.jfr")" = "$(cat emitted)" ] &&
		"$jfrec" print --json --stack-depth 64 --events test.Traced "$1.jfr" >events && python3 - <<'END'
import json
events = [e['values'] for e in json.load(open('events'))['recording']['events']]
seen = set()
for event in events:
    names = [f['method']['name'] for f in event['stackTrace']['frames']]
    expected = {'recursion': ['emit'] + ['recurse'] * (event['depth'] + 1) + ['main'], 'callback': ['emit', 'compare'],
                'handler': ['emit', 'on_signal'], 'coroutine': ['emit', 'coroutine']}[event['place']]
    assert names[:len(expected)] == expected[:64], (event['place'], event['depth'], names)
    if event['place'] == 'callback' or event['place'] == 'recursion' and event['depth'] < 50:
        assert names[-1] == '_start' and not event['stackTrace']['truncated'], names
    seen.add(event['place'])
assert len(events) > 100 and len(seen) == 4, seen
END
}

read_back()     # LIBRARY
{
	JFREC_RECORD=repository=$work,filename=$work/shop.jfr run "./$1-shopd" &&
		[ "$("$jfrec" print --count --events shop.Order shop.jfr)" = 2000 ] &&
		[ "$("$jfrec" print --count --events jfrec.Module shop.jfr)" -ge 1 ] &&
		"$jfrec" summary shop.jfr >/dev/null 2>damage && ! [ -s damage ]
}

works 'it is built' library plain
for part in books traced shopd interrupted; do
	works "$part.c is built" program plain $part
done
works 'every event is written or counted' books plain
works 'jfrec reads what it writes' read_back plain
works 'stacks of events are right' stacks plain
works 'interrupted code is unwound' run ./plain-interrupted

works 'it is built to sign return addresses' library signed -mbranch-protection=standard
for part in traced interrupted; do
	works "$part.c is built to sign them" program signed $part -mbranch-protection=standard
done
works 'stacks of events are right with signatures' stacks signed
works 'interrupted code is unwound with signatures' run ./signed-interrupted
finish
