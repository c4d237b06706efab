#!/bin/sh
# A release as those meet it who install it: what tools/release has made is checked, installed in bare
# roots, and used. It takes an hour and some GB, so the gate does not run it.
#
# usage: release.sh RELEASE JFREC WORK     as root; takes debootstrap, and what the scripts below name
#
# RELEASE is the directory that tools/release has filled, JFREC is built from the same sources, and
# WORK is for roots and logs, which the next run takes again. A script whose artefacts are not there
# is skipped. The last line counts all tests.

LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")/.." && pwd)
[ $# -eq 3 ] || { sed -n '2,/^$/s/^# \{0,1\}//p' "$0"; exit 2; }
release=$(realpath "$1")
jfrec=$(realpath "$2")
mkdir -p "$3"
work=$(cd "$3" && pwd)
version=$(sed -n "s/^	version: '\(.*\)',/\1/p" "$here/meson.build")
passed=0 failed=0 skipped=0

# What the script says is kept; what failed is shown.
run()           # NAME ARTEFACT COMMAND...
{
	name=$1 artefact=$2
	shift 2
	if ! [ -e "$artefact" ]; then
		echo "skipped: $name: there is no $(basename "$artefact")"
		skipped=$((skipped + 1))
		return
	fi
	echo "== $name"
	"$@" >"$work/$name.log" 2>&1
	status=$?
	grep -A 3 '^not ok' "$work/$name.log"
	set -- $(awk '/^ok.*# SKIP/ { s++; next } /^1\.\.0/ { s++ } /^ok/ { p++ } /^not ok/ { f++ }
		END { print p + 0, f + 0, s + 0 }' "$work/$name.log")
	[ "$status" -eq 0 ] || [ "$2" -gt 0 ] || { set -- "$1" 1 "$3"; tail -n 3 "$work/$name.log"; }
	passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

# As the pages say; and a changed file is found.
sums()
{
	. "$here/tests/cli/tap.sh"
	cd "$release" || exit
	works 'each artefact has its sum' sha256sum --quiet -c SHA256SUMS
	works 'a sum for each artefact' [ "$(find . -maxdepth 1 -type f ! -name 'SHA256SUMS*' | wc -l)" -eq "$(wc -l <SHA256SUMS)" ]
	first=$(sed -n '1s/^[0-9a-f]*  //p' SHA256SUMS)
	mkdir -p "$work/tampered"
	cp "$first" SHA256SUMS "$work/tampered/"
	printf x >>"$work/tampered/$first"
	cd "$work/tampered" || exit
	works 'a changed one fails' [ -n "$(sha256sum --ignore-missing -c SHA256SUMS 2>/dev/null | grep ': FAILED')" ]
	finish
}

(sums) >"$work/sums.out" 2>&1
run sums "$release/SHA256SUMS" sh -c 'cat "$1"; ! grep -q "^not ok" "$1"' sh "$work/sums.out"
for arch in amd64 arm64; do
	tarball=$release/jfrec-$version-linux-$arch.tar.gz
	run "static-$arch" "$tarball" sh "$here/tests/static_file.sh" "$tarball" "$jfrec"
	run "packages-$arch" "$tarball" sh "$here/tests/static_packages.sh" "$tarball" "$work/packages-$arch"
done
image=$release/jfrec-$version-oci.tar
run image "$image" sh "$here/tests/release_image.sh" "$here" "$image"
wheel=$(find "$release" -name 'jfrec-*-manylinux_*_x86_64.whl' | head -n 1)
JFREC_ROOTS=$work/roots run wheels "${wheel:-$release/a wheel}" \
	sh "$here/tests/release_wheels.sh" "$here" "$release"
sources=$release/jfrec-$version.tar.gz
JFREC_TARBALL=$sources run debian "$sources" sh "$here/tests/packages.sh" "$work/debian"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
