#!/bin/sh
# Does musl have what the sources use of libc? Compiles all of them with musl-gcc, without making
# anything; the headers of other libraries, and of the kernel, are those of the system.
#
# usage: musl.sh BUILD SOURCE_ROOT
#
# What BUILD leaves out, since a library is not there, has no headers either.

LC_ALL=C
export LC_ALL
cd "$2" || exit
machine=$(cc -print-multiarch)
failed=0
for file in cli/*.c cli/*/*.c lib/*.c lib/*/*.c; do
	[ -e "$file" ] && grep -qF "/$file" "$1/build.ninja" || continue
	musl-gcc -std=gnu11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -Ilib -Icli -I"$1" \
		-idirafter /usr/include -idirafter "/usr/include/$machine" -idirafter /usr/include/libxml2 \
		-Werror=implicit-function-declaration -fsyntax-only "$file" || failed=1
done
exit $failed
