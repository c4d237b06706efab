#!/bin/sh
# The recorder is built, installed and used alone, as jfrec-recorder(7) says, where none of the
# libraries is there that jfrec needs.
#
# usage: alone.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
source=$(realpath "$2")
. "$source/tests/cli/tap.sh"
for tool in meson ninja pkg-config; do
	command -v $tool >/dev/null || { echo "1..0 # SKIP there is no $tool"; exit; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
HOME=$work/home
export HOME
mkdir -p "$HOME" "$work/source"
cp -r "$source/meson.build" "$source/meson_options.txt" "$source/lib" "$source/man" "$work/source"
python3 - "$source/man/jfrec-recorder.7.scd" >"$work/block" <<'END'
import re
import sys
print(re.search(r'^```\n(.*?)^```', open(sys.argv[1]).read(), re.S | re.M).group(1).replace('\\\\', '\\'))
END

# pkg-config finds nothing, so that meson does not, either.
build()
{
	cd "$work/source" &&
		sed '/^export/d' "$work/block" | PKG_CONFIG_LIBDIR=/nonexistent PKG_CONFIG_PATH= LDFLAGS= CFLAGS= sh -e
}
installed()
{
	(cd "$HOME/recorder" && find . -type f -o -type l) | sed 's,^\./,,; s,\.so\..*,.so.N,' | sort -u
}
expected='include/jfrec-recorder.h
lib/jfrec/jfrec-record-preload.so
lib/libjfrec-recorder.a
lib/libjfrec-recorder.so
lib/libjfrec-recorder.so.N
lib/pkgconfig/libjfrec-recorder.pc'
what_is_needed()
{
	echo "$expected" >"$work/expected"
	installed | grep -v '^share/man/man[37]/jfrec-recorder\.[37]$' >"$work/installed"
	diff "$work/expected" "$work/installed"
}
cat >"$work/one.c" <<'END'
#include <jfrec-recorder.h>
#define CALL(F) F(INT, number, "Number", PLAIN)
JFREC_EVENT(call, "one.Call", "Call", "One", CALL)
int main(void)
{
	call_emit(1);
	return 0;
}
END
program()
{
	cd "$work" && cc -o one one.c $(pkg-config --cflags --libs libjfrec-recorder) &&
		JFREC_RECORD=filename=one.jfr ./one
}
needs_libc_only()
{
	readelf -d "$HOME/recorder/lib/libjfrec-recorder.so" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' >"$work/needed"
	cat "$work/needed"
	! grep -v -e '^libc\.' -e '^ld-' -e '^libpthread' -e '^libgcc_s' "$work/needed"
}

works 'it is built and installed without other libraries' build
works 'what is needed is installed, and nothing else' what_is_needed
works 'it needs no library but that of C' needs_libc_only
eval "$(grep '^export' "$work/block")"
works 'a program finds it and records' program
works 'the recording can be read' [ "$("$jfrec" print --count --events one.Call "$work/one.jfr")" = 1 ]
finish
