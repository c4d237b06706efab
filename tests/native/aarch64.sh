#!/bin/sh
# The recorder on AArch64: cross-built, and run by qemu-user.
#
# usage: aarch64.sh JFREC SOURCE_ROOT BUILD
#
# Emulators fail when a program with threads forks, and do not have process_vm_readv().  With
# -mbranch-protection return addresses are signed.

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

# As the library is built.
compile()
{
	$compiler -std=gnu11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -O2 -fPIC -fvisibility=hidden -Wall -Wextra -Werror -ftls-model=initial-exec \
		-I"$source/lib" -I"$source/lib/recorder" -I"$build" "$@"
}

library()       # NAME OPTION...
{
	archive=$1
	shift
	mkdir "$archive" || return
	for file in "$source"/lib/recorder/*/*.c; do
		compile "$@" -c -o "$archive/$(basename "$file" .c).o" "$file" || return
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
    place = event['place']
    expected = {'recursion': ['emit'] + ['recurse'] * (event['depth'] + 1) + ['main'], 'callback': ['emit', 'compare'],
                'handler': ['emit', 'on_signal'], 'coroutine': ['emit', 'coroutine']}.get(place) or \
        ['inner', 'outer', place, 'by_ways', 'main']
    assert names[:len(expected)] == expected[:64], (event['place'], event['depth'], names)
    if event['place'] == 'callback' or event['place'] == 'recursion' and event['depth'] < 50:
        assert names[-1] == '_start' and not event['stackTrace']['truncated'], names
    seen.add(event['place'])
assert len(events) > 100 and len(seen) == 6, seen
END
}

read_back()     # LIBRARY
{
	JFREC_RECORD=repository=$work,filename=$work/shop.jfr run "./$1-shopd" &&
		[ "$("$jfrec" print --count --events shop.Order shop.jfr)" = 2000 ] &&
		[ "$("$jfrec" print --count --events jfrec.Module shop.jfr)" -ge 1 ] &&
		"$jfrec" summary shop.jfr >/dev/null 2>damage && ! [ -s damage ]
}

# The shares of samples are those that the program knows of itself.
samples()       # LIBRARY
{
	JFREC_RECORD="repository=$work,filename=$work/$1.jfr,jdk.ExecutionSample#enabled=true,jdk.ExecutionSample#period=4ms" \
		run "./$1-five" 0.6 >truth &&
		"$jfrec" print --json --stack-depth 64 --events jdk.ExecutionSample "$1.jfr" >events && python3 - <<'END'
import json
events = [e['values'] for e in json.load(open('events'))['recording']['events']]
truth = {name: float(share) for name, share in (line.split() for line in open('truth'))}
stacks = [[f['method']['name'] for f in e['stackTrace']['frames']] for e in events]
stacks = [names for names in stacks if set(names) & set(truth) or 'main' not in names]
found = {name: sum(name in names for names in stacks) for name in truth}
print(len(events), 'samples', truth, found)
assert len(stacks) >= 50 and sum(found.values()) >= 0.97 * len(stacks)
assert sum(not e['stackTrace']['truncated'] for e in events) >= 0.97 * len(events)
for name, share in truth.items():
    # Three and a half times what chance explains.
    assert abs(found[name] - len(stacks) * share) <= 3.5 * (len(stacks) * share * (1 - share)) ** 0.5 + 1, name
END
}

shared()        # LIBRARY: with it the wrappers
{
	$compiler -shared -o libjfrec-recorder.so "$1"/*.o -Wl,-z,nodelete -pthread &&
		compile -fexceptions -shared -o jfrec-record-preload.so "$source"/lib/preload/*.c -L. -ljfrec-recorder \
			-ldl -Wl,-rpath,"$work" &&
		compile -o waiter "$source/tests/native/waiter.c" -pthread -ldl
}

waits()
{
	settings=
	for event in SocketRead SocketWrite FileRead FileWrite JavaMonitorEnter ThreadPark; do
		settings=$settings,jdk.$event#threshold=0ns
	done
	JFREC_RECORD=repository=$work,filename=$work/waiter.jfr$settings \
		run -L "$(dirname "$(dirname "$($compiler -print-file-name=libc.so.6)")")" \
		-E LD_PRELOAD="$work/jfrec-record-preload.so" ./waiter "$work/file" alone >said &&
		[ "$(tail -n 2 said | tr '\n' ' ')" = 'signal done ' ] &&
		"$jfrec" print --json --stack-depth 64 --categories 'Java Application' waiter.jfr >events && python3 - <<'END'
import json
events = json.load(open('events'))['recording']['events']
seen = {(e['type'], e['values']['stackTrace']['frames'][0]['method']['name'])
        for e in events if (e['values'].get('stackTrace') or {}).get('frames')}
print(seen)
for expected in [('jdk.SocketRead', 'wait_for_answer'), ('jdk.JavaMonitorEnter', 'wait_for_lock')]:
    assert expected in seen, expected
assert {'jdk.SocketWrite', 'jdk.FileRead', 'jdk.FileWrite', 'jdk.ThreadPark'} <= {e['type'] for e in events}
END
}

works 'it is built' library plain
for part in books traced shopd interrupted five; do
	works "$part.c is built" program plain $part
done
works 'every event is written or counted' books plain
works 'jfrec reads what it writes' read_back plain
works 'stacks of events are right' stacks plain
works 'interrupted code is unwound' run ./plain-interrupted
works 'the shares of samples are right' samples plain
works 'the wrappers are built' shared plain
works 'waits of a program that knows nothing of it are seen' waits

works 'it is built to sign return addresses' library signed -mbranch-protection=standard
for part in traced interrupted five; do
	works "$part.c is built to sign them" program signed $part -mbranch-protection=standard
done
works 'stacks of events are right with signatures' stacks signed
works 'interrupted code is unwound with signatures' run ./signed-interrupted
works 'the shares of samples are right with signatures' samples signed
finish
