#!/bin/sh
# release_wheels.sh - the Python packages, installed by pip in systems that have nothing else
#
# usage: release_wheels.sh SOURCE_ROOT DIRECTORY
#
# DIRECTORY has what tools/build-wheel has made. Needs root, debootstrap, pip's index, and 2 GB below
# $TMPDIR; $JFREC_ROOTS, if it is set, keeps the systems for the next time. What is installed there is
# what the pages say, and then the lines of the packages' own READMEs run.

root=$(realpath "$1")
wheels=$(realpath "$2")
cd "$root" || exit
. tests/cli/tap.sh
command -v debootstrap >/dev/null || { echo "1..0 # SKIP there is no debootstrap"; exit; }
[ "$(id -u)" = 0 ] || { echo "1..0 # SKIP only root may make systems"; exit; }
certificates=${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Promises of the names ---------------------------------------------------------------------------

python3 -m venv "$work/venv"
works "auditwheel is installed" "$work/venv/bin/pip" --quiet install auditwheel

for wheel in "$wheels"/*linux_*.whl; do
	tag=$(echo "$wheel" | sed 's/.*-\([a-z]*linux_.*\)\.whl$/\1/')
	"$work/venv/bin/auditwheel" show "$wheel" >"$work/audit" 2>&1
	works "$(basename "$wheel"): as auditwheel sees it" grep -q "\"$tag\"" "$work/audit"
done

# The symbols of the extension that are global; those that it lacks, or those that it has.
symbols()       # ==|!=
{
	readelf -W --dyn-syms "$work/unpacked/jfrec/_jfrec.abi3.so" |
		awk '$7 '"$1"' "UND" && $5 == "GLOBAL" { print $8 }'
}

# Of the whole library nothing is seen but what Python calls.
exports_one()
{
	symbols !=
	[ "$(symbols !=)" = PyInit__jfrec ]
}

# What is not there is Python's, or the C library's, which glibc marks with a version.
lacks_nothing()
{
	! symbols == | grep -v -e '^_*Py' -e '@GLIBC'
}

# All that musl's loader does not find is Python's: there is no Python here that uses musl.
lacks_only_python()
{
	"$musl" --list "$work/unpacked/jfrec/_jfrec.abi3.so" >"$work/list" 2>"$work/lacks"
	cat "$work/list" "$work/lacks"
	grep -q ': PyModule.*: symbol not found' "$work/lacks" &&
		! grep -v ': _*Py[A-Za-z0-9_]*: symbol not found$' "$work/lacks" &&
		! grep -v 'ld-musl-' "$work/list"
}

musl=/lib/ld-musl-$(uname -m).so.1
for wheel in "$wheels"/jfrec-*.whl; do
	python3 -m zipfile -e "$wheel" "$work/unpacked"
	works "$(basename "$wheel"): exports one function" exports_one
	case $wheel in
	*manylinux*) works "$(basename "$wheel"): lacks nothing" lacks_nothing ;;
	*musllinux*_"$(uname -m)".whl)
		if [ -e "$musl" ]; then
			works "$(basename "$wheel"): musl's loader lacks only Python" lacks_only_python
		else
			skip "$(basename "$wheel"): musl's loader lacks only Python" "there is no $musl"
		fi ;;
	esac
done

# Bare systems ------------------------------------------------------------------------------------

make_system()   # SUITE
{
	system=${JFREC_ROOTS:-$work}/$1
	if [ ! -e "$system/usr/bin/python3" ]; then
		debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates "$1" "$system" \
			>"$work/said" 2>&1 || return
	fi
	cp /etc/resolv.conf /etc/hosts "$system/etc/"
	mkdir -p "$system$(dirname "$certificates")" "$system/src" "$system/wheels"
	cp "$certificates" "$system$certificates"
	rm -rf "$system/home/new"
	mkdir -p "$system/home/new"
}

inside()        # COMMAND...
{
	unshare --mount sh -ec '
		mount -t proc proc "$1/proc"
		mount --bind "$2" "$1/src"
		mount --bind "$3" "$1/wheels"
		system=$1
		shift 3
		exec chroot "$system" sh -ec "
			export HOME=/home/new PATH=/home/new/venv/bin:/usr/bin:/bin PYTHONDONTWRITEBYTECODE=1
			cd
			exec \"\$@\"" sh "$@"' sh "$system" "$root" "$wheels" "$@"
}

# The indented lines of a README from the one that begins so, as they are to be typed.
lines_of()      # README FIRST
{
	sed -n "/^    $2/,\$p" "$1" | awk '/^    / || /^$/ { print substr($0, 5); next } { exit }'
}

for suite in trixie bookworm; do
	label=$suite
	make_system $suite || { skip "a system" "debootstrap: $(tail -n 1 "$work/said")"; continue; }
	inside python3 -m venv venv
	works "pip install jfrec" inside pip --quiet install --no-index --find-links /wheels jfrec
	works "the command is there" inside sh -c 'jfrec --version && jfrec summary /src/tests/data/ok/jvm-17.jfr'
	works "the package, without others" inside sh -c 'python3 -W ignore \
		/src/lib/bindings/python/tests/check.py "$(command -v jfrec)" /src'
	works "pip install pyarrow polars duckdb" inside pip --quiet install pyarrow polars duckdb
	works "the package, with them" inside sh -c 'python3 -W ignore \
		/src/lib/bindings/python/tests/check.py "$(command -v jfrec)" /src'
	cp tests/data/ok/jvm-17.jfr "$system/home/new/app.jfr"
	# There is no JVM with that number.
	lines_of lib/bindings/python/README.md 'import jfrec' | grep -v 4711 >"$system/home/new/lines.py"
	works "the lines of its README" inside python3 lines.py
	works "pip install jfrec-recorder" inside pip --quiet install --no-index --find-links /wheels jfrec-recorder
	{ echo 'def pay(): return True'; lines_of lib/bindings/recorder-python/README.md 'from jfrec_recorder'
		} >"$system/home/new/shop.py"
	rm -f "$system/home/new/shop.jfr"
	works "the lines of its README" inside python3 shop.py
	works "what they recorded" inside sh -c 'jfrec print shop.jfr | grep -F "customer = \"Ann\""'
	works "nothing is left of them" inside pip --quiet uninstall --yes jfrec jfrec-recorder
done
label=

# No wheel ----------------------------------------------------------------------------------------

# A system for which none is made: pip takes the source, which says what is missing.
says_what_to_do()
{
	! PKG_CONFIG_PATH='' PKG_CONFIG_LIBDIR=/nonexistent "$work/venv/bin/pip" install "$wheels"/source/jfrec-*.tar.gz \
		>"$work/pip" 2>&1
	cat "$work/pip"
	grep -q 'ERROR: Problem encountered: there is no wheel of jfrec for this system, and libjfrec' "$work/pip"
}
works "without a wheel and the library, pip says what to do" says_what_to_do
finish
