#!/bin/sh
# The static file: what is in its archive, how it is hardened, and that it answers in a root with
# nothing but /proc and /tmp as a jfrec with libraries does.
#
# usage: static_file.sh TARBALL JFREC [RECORDING...]     as root
#
# TARBALL is made by tools/build-static; JFREC is built from the same sources. Beside RECORDINGs,
# those of tests/data/ok are read. One for arm64 runs under qemu-aarch64, outside of that root, since
# qemu has libraries. What qemu cannot show: confinement by the kernel, and attaching to JVMs.

LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/tests/cli/tap.sh"
[ $# -ge 2 ] || { sed -n '2,/^$/s/^# \{0,1\}//p' "$0"; exit 2; }
tarball=$(realpath "$1")
jfrec=$(realpath "$2")
shift 2
work=$(mktemp -d)
root=$work/root
# shellcheck disable=SC2154 # of the trap
trap 'rm -rf --one-file-system "$work"' EXIT
mkdir -p "$root/proc" "$root/tmp/read" "$work/out"
tar -xzf "$tarball" -C "$work"
tree=$(echo "$work"/jfrec-*)
file=$tree/bin/jfrec
documents=$tree/share/doc/jfrec
cp "$file" "$root/jfrec"
for recording in "$here"/tests/data/ok/*.jfr "$@"; do
	cp "$recording" "$root/tmp/read/"
done

# The archive --------------------------------------------------------------------------------------

# What may be linked into a file that is given away: permissive ones, and LGPL with what it asks for.
has_allowed_licences()
{
	python3 - "$documents/sbom.spdx.json" <<-'END'
		import json, sys
		allowed = {"MIT", "Zlib", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "bzip2-1.0.6", "blessing",
		           "LGPL-2.1-or-later", "LGPL-3.0-or-later OR GPL-2.0-or-later"}
		bill = json.load(open(sys.argv[1]))
		names = {p["name"] for p in bill["packages"]}
		assert {"jfrec", "zlib", "sqlite", "libxml2", "elfutils", "augeas", "zig"} <= names, names
		for p in bill["packages"]:
		    assert p["licenseConcluded"] in allowed, p
	END
}

names_all_sources()
{
	python3 - "$documents/sbom.spdx.json" "$documents/THIRD-PARTY" <<-'END'
		import json, sys
		text = open(sys.argv[2], encoding="utf-8", errors="replace").read()
		for p in json.load(open(sys.argv[1]))["packages"][1:]:
		    assert p["checksums"][0]["checksumValue"] in text, p["name"]
		for words in ("GNU LESSER GENERAL PUBLIC LICENSE", "GNU GENERAL PUBLIC LICENSE", "Rich Felker"):
		    assert words in text, words
	END
}

is_described()
{
	printf '%s  %s\n' "$(sed -n 's/.*"checksumValue": "\(.*\)".*/\1/p' "$documents/sbom.spdx.json" | head -n 1)" \
		"$file" | sha256sum --quiet -c
}

is_small()
{
	[ "$(stat -c %s "$file")" -lt 8000000 ]
}

# Nobody's name, and nothing of where it was made.
has_no_traces()
{
	! tar -tvzf "$tarball" | grep -v ' 0/0 ' && ! strings "$file" | grep -E '^/(home|root|work)/'
}

# How it is hardened -------------------------------------------------------------------------------

headers()       # PATTERN
{
	readelf -W --file-header --program-headers --dynamic "$file" | grep -E "$1"
}

loads_nothing()
{
	! headers 'INTERP|NEEDED' && ! strings "$file" | grep -E 'is not installed as|^dlopen$'
}

guards_stacks()
{
	[ "$(objdump -d "$file" | grep -c 'fs:0x28')" -gt 500 ]
}

works 'licences: those that are allowed' has_allowed_licences
works 'licences: each source, and what LGPL asks for' names_all_sources
works 'the bill of materials is of this file' is_described
works 'less than 8 MB' is_small
works 'nothing of where it was made' has_no_traces
works 'hardened: it can be loaded anywhere' headers 'Type: *DYN'
works 'hardened: addresses are fixed after the start' headers GNU_RELRO
works 'hardened: all at once' headers 'FLAGS_1.*NOW'
works 'hardened: nothing runs on the stack' headers 'GNU_STACK.* RW  *0'
works 'hardened: nothing that is written can run' sh -c '! readelf -W -l "$1" | grep "LOAD.* RWE "' sh "$file"
works 'it loads nothing' loads_nothing
case $tarball in
*-amd64.tar.gz) works 'hardened: a stack that was overrun is noticed' guards_stacks ;;
*) skip 'hardened: a stack that was overrun is noticed' 'objdump reads amd64' ;;
esac

# What it answers ----------------------------------------------------------------------------------

apart()         # ARGUMENT...: the static file, in /tmp/read
{
	case $tarball in
	*-arm64.tar.gz) (cd "$root/tmp/read" && timeout 300 qemu-aarch64 "$file" "$@") ;;
	*) timeout 300 unshare --mount --pid --fork --mount-proc=/proc --root="$root" --wd=/tmp/read /jfrec "$@" ;;
	esac
}

with_libraries()
{
	(cd "$root/tmp/read" && timeout 300 "$jfrec" "$@")
}

agree()         # ARGUMENT...
{
	with_libraries "$@" >"$work/out/expected" 2>"$work/out/expected.err"
	echo "exit $?" >>"$work/out/expected"
	apart "$@" >"$work/out/got" 2>"$work/out/got.err"
	echo "exit $?" >>"$work/out/got"
	cmp "$work/out/expected" "$work/out/got" && return
	echo "$*"
	head -n 5 "$work/out/got.err"
	return 1
}

# Files are made of it, below /tmp, and come out the same.
makes_the_same()        # NAME ARGUMENT...
{
	made=$1
	shift
	rm -f "$root/tmp/read/$made"
	with_libraries "$@" -o "$made" && mv "$root/tmp/read/$made" "$work/out/expected" &&
		apart "$@" -o "$made" && cmp "$work/out/expected" "$root/tmp/read/$made"
}

# Of each recording, for each way to read it; the names of those that differ.
all_agree()     # ARGUMENT...
{
	differing=0
	for path in "$root"/tmp/read/*.jfr; do
		agree "$@" "${path##*/}" || differing=$((differing + 1))
	done
	[ $differing -eq 0 ]
}

works 'answers: print --json' all_agree print --json --stack-depth 5
works 'answers: summary' all_agree summary
works 'answers: metadata' all_agree metadata
works 'answers: view' all_agree view all-views
works 'answers: analyze' all_agree analyze
works 'answers: sql' all_agree sql 'SELECT count(*), min(startTime), max(startTime) FROM events'
works 'answers: flame' makes_the_same made.html flame jvm-17.jfr
works 'answers: filter' makes_the_same made.jfr filter --categories GC jvm-17.jfr
works 'answers: export to SQLite' apart export --format sqlite -o made.db jvm-17.jfr
works 'answers: export' apart export --format parquet -o made jvm-17.jfr
# With the versions of its bill of materials, where both use the same name.
names_what_is_inside()
{
	apart --version --verbose >"$work/out/inside"
	for name in augeas jansson libyaml lz4 mimalloc musl zig zlib zstd; do
		version=$(python3 -c 'import json, sys
print(*(p["versionInfo"] for p in json.load(open(sys.argv[1]))["packages"] if p["name"] == sys.argv[2]))' \
			"$documents/sbom.spdx.json" "$name")
		grep -q "^$name  *$version  *[a-z]" "$work/out/inside" || { echo "$name $version"; return 1; }
	done
	! grep missing "$work/out/inside"
}

works 'it names all that is inside' names_what_is_inside
printf '%s\n' '<configuration version="2.0"><event name="jdk.CPULoad"><setting name="enabled">true</setting></event></configuration>' \
	>"$root/tmp/read/own.jfc"
works 'answers: settings in a .jfc file' agree settings show own.jfc
finish
