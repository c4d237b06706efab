# SPDX-License-Identifier: MIT
#
# build.sh - compile libraries of others, without their own ways to build: sourced by cross.sh
#
# Each library is a function of its own file. It is called in the library's sources, names the files
# that are needed, and hands out headers and an archive below $prefix. There is no configure that
# looks at the machine it runs on: what it would find out is known of musl and of both processors.

# Compile in the current directory, and put all objects into one archive, in the order given.
archive()       # NAME "ARGUMENTS" FILE...
{
	name=$1 arguments=$2
	shift 2
	mkdir -p .objects
	# The same file name may be in two folders.
	printf '%s\n' "$@" | xargs -P "$jobs" -I FILE sh -ec '
		to=.objects/$(echo "$1" | tr / _).o
		$2 -c -o "$to" "$1"' sh FILE "$compile $arguments"
	for file; do
		echo ".objects/$(echo "$file" | tr / _).o"
	done >.objects/list
	rm -f "$prefix/lib/lib$name.a"
	xargs $ar rcsD "$prefix/lib/lib$name.a" <.objects/list
}

# What pkg-config says of it.
describe()      # PACKAGE VERSION "LIBRARIES" ["REQUIRES"]
{
	cat >"$prefix/lib/pkgconfig/$1.pc" <<-END
		prefix=$prefix
		Name: $1
		Description: $1, linked into jfrec
		Version: $2
		Cflags: -I\${prefix}/include
		Libs: -L\${prefix}/lib $3
		Requires: ${4-}
	END
}

offer()         # HEADER...
{
	cp "$@" "$prefix/include/"
}

# In place of those of the C library, before which the compiler does not look where the others are.
offer_instead() # HEADER...
{
	mkdir -p "$prefix/include/instead"
	cp "$@" "$prefix/include/instead/"
}
