#!/bin/sh
# The books of books.c, subscriptions, and the wrappers, with the recorder built for sanitizers of threads and of memory.
#
# usage: sanitized.sh SOURCE_ROOT

cd "$1" || exit
. tests/cli/tap.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build()         # SANITIZERS
{
	set -- -O1 -g -std=gnu11 -D_GNU_SOURCE -pthread -Ilib -Ilib/recorder -fsanitize="$1"
	cc "$@" -fPIC -shared -fvisibility=hidden -ftls-model=initial-exec -Wl,-z,nodelete \
		-o "$work/libjfrec-recorder.so" lib/recorder/*/*.c &&
		cc "$@" -fPIC -shared -o "$work/plugin.so" tests/native/plugin.c -L"$work" -ljfrec-recorder &&
		for program in books subscribed traced; do
			cc "$@" -o "$work/$program" tests/native/$program.c -L"$work" -ljfrec-recorder \
				-Wl,-rpath,"$work" -ldl || return
		done
	# The wrappers are linked behind the sanitizer's own.
	cc "$@" -w -fPIC -shared -fvisibility=hidden -fexceptions -ftls-model=initial-exec -Wl,-z,nodelete \
		-o "$work/jfrec-record-preload.so" lib/preload/*.c -L"$work" -ljfrec-recorder -ldl &&
		cc "$@" -o "$work/waiter" tests/native/waiter.c -Wl,--no-as-needed -L"$work" -l:jfrec-record-preload.so \
			-ljfrec-recorder -Wl,-rpath,"$work" -ldl
}

# Modules are in memory of the recorder's own, where the sanitizer does not look for what they refer to.
printf 'leak:take_symbols\nleak:read_section\n' >"$work/unscanned"
for sanitizers in thread address,undefined; do
	if ! echo 'int main(void) { return 0; }' | cc -fsanitize=$sanitizers -x c -o "$work/try" - 2>/dev/null ||
		! "$work/try" 2>/dev/null; then
		result ok "$sanitizers # SKIP the compiler does not have it, or it does not run here"
		continue
	fi
	works "it builds with $sanitizers" build $sanitizers
	# Children of fork() start threads, too.
	for program in books subscribed; do
		LD_LIBRARY_PATH=$work TSAN_OPTIONS=die_after_fork=0 UBSAN_OPTIONS=halt_on_error=1 \
			LSAN_OPTIONS="suppressions=$work/unscanned print_suppressions=0" \
			"$work/$program" "$work/plugin.so" "$work" 100 >"$work/$program.out" 2>&1
		works "$program: right with $sanitizers" sh -c '
			grep -B 3 -E "^not ok|WARNING|ERROR|runtime error" "$1" && exit 1
			grep -q "^1\.\." "$1"' sh "$work/$program.out"
	done
	JFREC_RECORD=repository=$work,filename=$work/traced.jfr,jdk.NativeMethodSample#enabled=true,jdk.NativeMethodSample#period=1ms \
		LSAN_OPTIONS="suppressions=$work/unscanned print_suppressions=0" \
		LD_LIBRARY_PATH=$work UBSAN_OPTIONS=halt_on_error=1 "$work/traced" threads >"$work/traced.out" 2>&1
	works "traced: right with $sanitizers" sh -c '
		[ $1 = 0 ] && ! grep -E "WARNING: Thread|ERROR|runtime error" "$2"' sh $? "$work/traced.out"
	settings=jdk.NativeMethodSample#enabled=true,jdk.NativeMethodSample#period=10ms
	for event in SocketRead SocketWrite FileRead FileWrite FileForce JavaMonitorEnter ThreadPark ThreadSleep; do
		settings=$settings,jdk.$event#threshold=0ns
	done
	# TSan calls the wrappers from its own, where it sees no atomics: not who has which machine of walk.c, nor
	# that a buffer was taken that the drainer gave back.  The books above write without wrappers.
	printf 'race:work_out\nrace:jfrec_event_\n' >"$work/unseen"
	JFREC_RECORD=repository=$work,filename=$work/waiter.jfr,$settings \
		LSAN_OPTIONS="suppressions=$work/unscanned print_suppressions=0" \
		TSAN_OPTIONS="die_after_fork=0 suppressions=$work/unseen" LD_LIBRARY_PATH=$work UBSAN_OPTIONS=halt_on_error=1 \
		"$work/waiter" "$work/file" >"$work/waiter.out" 2>&1
	status=$?
	# gcc 14's, in the child of a clone() that shares memory.
	if grep -q 'ThreadSanitizer: CHECK failed' "$work/waiter.out"; then
		result ok "wrappers: right with $sanitizers # SKIP the sanitizer fails a check of its own"
		continue
	fi
	works "wrappers: right with $sanitizers" sh -c '
		[ $1 = 0 ] && ! grep -E "WARNING: Thread|ERROR|runtime error" "$2" && tail -n 1 "$2" | grep -qx done' \
		sh $status "$work/waiter.out"
done
finish
