# machine.sh - have what a build needs; for check.sh and demo.sh, which source it
#
# On Debian and Ubuntu missing packages are installed by root or by sudo.
# Elsewhere, or without either, they are named.

# Packages that hold what is not here, collected by the functions below.
missing=

command_of()            # PACKAGES COMMAND
{
	command -v "$2" >/dev/null 2>&1 || missing="$missing $1"
}

library_of()            # PACKAGE NAME: as pkg-config knows it
{
	pkg-config --exists "$2" 2>/dev/null || missing="$missing $1"
}

needs_of_build()
{
	command_of 'gcc libc6-dev' "${CC:-cc}"
	command_of meson meson
	command_of ninja-build ninja
	command_of pkg-config pkg-config
	[ -e /usr/include/stdio.h ] || missing="$missing libc6-dev"
	library_of libjansson-dev jansson
	library_of zlib1g-dev zlib
	library_of libzstd-dev libzstd
	library_of zlib1g-dev zlib
	library_of libzstd-dev libzstd
}

# All that is needed beyond that is for tests that are skipped without it.
wants_of_check()
{
	command_of clang clang
	command_of valgrind valgrind
	command_of scdoc scdoc
	library_of libxml2-dev libxml-2.0
}

as_root()
{
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	else
		sudo -n "$@"
	fi
}

# Install the missing packages. Fails, having said what is missing, if that cannot be.
install_missing()
{
	missing=$(printf '%s\n' $missing | sort -u | tr '\n' ' ')
	[ -n "${missing% }" ] || return 0
	if ! command -v apt-get >/dev/null || ! as_root true 2>/dev/null; then
		echo "Please install these packages, or what holds the same here: $missing"
		missing=
		return 1
	fi
	echo "Installing $missing"
	log=$(mktemp)
	if ! { as_root apt-get -q update &&
		as_root env DEBIAN_FRONTEND=noninteractive apt-get -qy install --no-install-recommends $missing; } \
		>"$log" 2>&1 </dev/null; then
		tail -n 5 "$log"
		rm -f "$log"
		echo "Could not install $missing"
		missing=
		return 1
	fi
	rm -f "$log"
	missing=
}
