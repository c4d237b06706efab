#!/bin/sh
# What the compiler and the linker have done against mistakes with hostile bytes, as readelf
# shows it in the tool and the library (SECURITY.md).
#
# usage: hardened.sh JFREC SOURCE_ROOT [OPTION...]
#
# Without compiler options for it (-D_FORTIFY_SOURCE=3), libc is not expected to check sizes.

LC_ALL=C
export LC_ALL
jfrec=$1
. "$2/tests/cli/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

imports()       # PATTERN
{
	readelf -W --dyn-syms "$file" | awk '$7 == "UND" { print $8 }' | grep "$1"
}

binds_now()
{
	readelf -W --dynamic "$file" | grep -E 'BIND_NOW|Flags:.*NOW'
}

has_relro()
{
	readelf -W --program-headers "$file" | grep GNU_RELRO
}

# Readable, writable, and nothing else.
has_plain_stack()
{
	readelf -W --program-headers "$file" | grep 'GNU_STACK.* RW  *0x'
}

# Nothing can be written and run.
has_no_loose_segment()
{
	! readelf -W --program-headers "$file" | grep 'LOAD.* RWE '
}

can_be_anywhere()
{
	readelf -W --file-header "$file" | grep 'Type: *DYN'
}

checks_sizes()
{
	[ "$(imports '_chk@\{0,1\}' | grep -vc stack_chk)" -ge 3 ]
}

if ! command -v readelf >/dev/null; then
	echo '1..0 # SKIP no readelf'
	exit 0
fi
for file in "$jfrec" "$(dirname "$jfrec")/libjfrec.so"; do
	label=${file##*/}
	readelf -W --dyn-syms "$file" >"$work/symbols" 2>/dev/null
	if ! [ -s "$work/symbols" ]; then
		result ok "$label # SKIP it is not here, or linked statically"
		continue
	fi
	works 'it can be loaded anywhere' can_be_anywhere
	works 'all symbols are bound at the start' binds_now
	works 'and cannot be changed from then on' has_relro
	works 'nothing runs on the stack' has_plain_stack
	works 'nothing that is written can run' has_no_loose_segment
	works 'a stack that was overrun is noticed' imports '^__stack_chk_fail'
	if [ $# -lt 3 ]; then
		result ok "$label: libc checks sizes # SKIP not with sanitizers, nor without optimization"
	else
		works 'libc checks sizes' checks_sizes
	fi
done
finish
