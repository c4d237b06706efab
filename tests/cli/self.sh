#!/bin/sh
# What jfrec says of itself: --version, and doctor --self.
#
# usage: self.sh JFREC SOURCE_ROOT

jfrec=$1
root=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
. "$root/tests/cli/tap.sh"

version=$(sed -n "s/^	version: '\(.*\)',/\1/p" "$root/meson.build")

one_line()
{
	"$jfrec" "$1" >"$dir/said" && [ "$(cat "$dir/said")" = "jfrec $version" ]
}

# NAME VERSION: as ldd and pkg-config know them
has()
{
	"$jfrec" --version --verbose | grep -q "^$1  *$2 "
}

is_here()
{
	has "$1" "$(pkg-config --modversion "$2")"
}

refuses_more()
{
	"$jfrec" --version --wrong >"$dir/said" 2>"$dir/why"
	[ $? -eq 2 ] && [ ! -s "$dir/said" ] && grep -q -- "--version takes --verbose and --json, not '--wrong'" "$dir/why"
}

# An empty file is found first, and is no library.
without()       # SONAME COMMAND...
{
	mkdir -p "$dir/none"
	: >"$dir/none/$1"
	shift
	LD_LIBRARY_PATH=$dir/none "$@" >"$dir/said" 2>&1
	status=$?
	rm -rf "$dir/none"
}

says_what_is_missing()
{
	without libsqlite3.so.0 "$jfrec" --version --verbose
	[ "$status" -eq 0 ] && grep -q '^SQLite *missing *sql, export' "$dir/said" &&
		grep -q 'this needs SQLite 3.38 or later' "$dir/said"
}

doctor_finds_it()
{
	without libsqlite3.so.0 "$jfrec" doctor --self
	[ "$status" -eq 1 ] && grep -q '^wrong *SQLite *missing' "$dir/said" && grep -q '^ok *zlib' "$dir/said"
}

refuses_a_jvm()
{
	"$jfrec" doctor --self 1 >"$dir/said" 2>"$dir/why"
	[ $? -eq 2 ] && grep -q -- '--self checks jfrec, not one JVM' "$dir/why"
}

works '--version is one line' one_line --version
works 'so is -V' one_line -V
works 'more is refused' refuses_more
works '--verbose names zlib' is_here zlib zlib
works '--verbose names zstd' is_here zstd libzstd
works '--verbose names jansson' is_here jansson jansson
works '--json has a version for each' [ -n "$("$jfrec" --version --json | python3 -c '
import json, sys
found = json.load(sys.stdin)["libraries"]
print("all" if len(found) > 8 and all(l["version"] or l["missing"] for l in found) else "")')" ]
works 'doctor --self shows the version' [ -n "$("$jfrec" doctor --self | grep "^ok *version *jfrec $version,")" ]
works 'and what this user may do' [ -n "$("$jfrec" doctor --self | grep '  rights ')" ]
if ldd "$jfrec" 2>/dev/null | grep -q libc.so; then
	works 'what is missing is told' says_what_is_missing
	works 'doctor finds it wrong' doctor_finds_it
fi
works 'it takes no JVM' refuses_a_jvm
finish
