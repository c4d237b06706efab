# machine.sh - have what a build needs; for check.sh and demo.sh, which source it
#
# On Debian and Ubuntu missing packages are installed by root or by sudo.
# Elsewhere, or without either, they are named.

PATH=$PATH:/usr/sbin:/sbin      # some of what is looked for is root's

# JVMs are found by what /proc has of them.
has_proc()
{
	[ -r /proc/self/status ] || { echo 'This needs /proc: mount -t proc proc /proc'; return 1; }
}

# In a directory of its own, $build.
may_build_here()
{
	mkdir -p "$build" 2>/dev/null && [ -w "$build" ] && return
	echo "$(id -un) cannot write to $PWD/$build; run this as the owner of $PWD, or in a copy of it"
	return 1
}

# Packages that hold what is not here, collected by the functions below.
missing=
lists_are_read=

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
	library_of libyaml-dev yaml-0.1
	library_of libxml2-dev libxml-2.0
	library_of zlib1g-dev zlib
	library_of libzstd-dev libzstd
}

# The jfr of JDK 25, which says what is right; the first there is.
find_jfr25()
{
	for home in /usr/lib/jvm/* "$JAVA_HOME"; do
		[ -x "$home/bin/jfr" ] && "$home/bin/jfr" version 2>/dev/null | grep -q '^25' || continue
		echo "$home/bin/jfr"
		return
	done
}

# Does clang find the fuzzer and the sanitizers?  They are in a package of their own.
fuzzer_links()
{
	probe=$(mktemp)
	echo 'int LLVMFuzzerTestOneInput(const char *b, unsigned long n) { return b && n ? 0 : 0; }' |
		clang -fsanitize=fuzzer,address,undefined -x c - -o "$probe" 2>/dev/null
	set -- $?
	rm -f "$probe"
	return "$1"
}

# Parts of jfrec that are left out of a build without them.
wants_of_build()
{
	command_of scdoc scdoc
	[ -e /usr/include/bzlib.h ] || missing="$missing libbz2-dev"
	library_of libdw-dev libdw
	library_of liblz4-dev liblz4
	library_of liblzma-dev liblzma
	library_of libsqlite3-dev sqlite3
}

# All that is needed beyond that is for tests that are skipped without it.
wants_of_check()
{
	wants_of_build
	command_of clang clang
	fuzzer_links || missing="$missing libclang-rt-dev"
	command_of g++ g++
	command_of valgrind valgrind
	command_of zsh zsh
	command_of fish fish
	command_of abigail-tools abidw
	command_of default-jdk-headless javac
	[ -n "$(find_jfr25)" ] || missing="$missing openjdk-25-jdk-headless"
	command_of binutils readelf
	command_of bsdutils script
	command_of 'gcc-aarch64-linux-gnu libc6-dev-arm64-cross' aarch64-linux-gnu-gcc
	command_of qemu-user qemu-aarch64
	command_of doxygen doxygen
	command_of dwz dwz
	command_of faketime faketime
	command_of iproute2 ip
	command_of jq jq
	command_of kcat kcat
	command_of libcap2-bin capsh
	command_of lz4 lz4
	command_of mandoc mandoc
	command_of musl-tools musl-gcc
	command_of perl perl
	command_of procps ps
	library_of python3-dev python3
	python3 -c 'import jsonschema' 2>/dev/null || missing="$missing python3-jsonschema"
	command_of shellcheck shellcheck
	command_of strace strace
	command_of systemd systemd-analyze
	command_of util-linux setpriv
	command_of util-linux-extra pivot_root
	command_of xz-utils xz
	command_of zstd zstd
	[ -z "$CI" ] || command_of debootstrap debootstrap
}

# The program that is recorded has to be compiled.
wants_of_demo()
{
	command_of default-jdk-headless "${JAVA_HOME:+$JAVA_HOME/bin/}javac"
}

as_root()
{
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	else
		sudo -n "$@"
	fi
}

# How far it is, from lines "PERCENT WHAT": in place on a terminal, else a line for each quarter.
show_progress()
{
	was=
	while read -r percent what; do
		[ -t 1 ] || percent=$((percent / 25 * 25))
		[ "$percent" -gt 0 ] && [ "$percent $what" != "$was" ] || continue
		was="$percent $what"
		if [ -t 1 ]; then
			printf '\r  %3d %% %-20s' "$percent" "$what"
		else
			printf '  %3d %% %s\n' "$percent" "$what"
		fi
	done
	[ ! -t 1 ] || [ -z "$was" ] || printf '\r%-30s\r' ''
}

# Shows how far it is, and only of what failed what it said.  apt-get closes the descriptor that it
# tells its progress to for dpkg, and sudo does not pass any but the usual three: hence the shell.
apt()
{
	log=$(mktemp)
	{
		as_root env DEBIAN_FRONTEND=noninteractive sh -c 'exec apt-get -qy --no-install-recommends \
			-o APT::Status-Fd=3 "$@" 3>&1' sh "$@" 2>&1 </dev/null
		echo "status $?"
	} | tee "$log" | sed -un -e 's/^dlstatus:[^:]*:\([0-9]*\).*/\1 fetched/p' \
		-e 's/^pmstatus:[^:]*:\([0-9]*\).*/\1 installed/p' | show_progress
	set -- "$(sed -n '$s/^status //p' "$log")"
	[ "$1" -eq 0 ] || grep -v -e '^[dp][lm]status:' -e '^status ' "$log" | tail -n 3
	rm -f "$log"
	return "$1"
}

# Once.
read_lists()
{
	[ -z "$lists_are_read" ] || return
	echo 'Reading the lists of packages'
	apt update
	lists_are_read=yes
}

# Install the missing packages, or say which cannot be.
install_missing()
{
	set -- $(printf '%s\n' $missing | sort -u)
	missing=
	[ $# -gt 0 ] || return 0
	if ! command -v apt-get >/dev/null || ! as_root true 2>/dev/null; then
		echo "Please install these packages, or what holds the same here: $*"
		return 1
	fi
	read_lists
	absent=
	for package; do
		shift
		if apt-cache show "$package" >/dev/null 2>&1; then
			set -- "$@" "$package"
		else
			absent="$absent $package"
		fi
	done
	[ -z "$absent" ] || echo "This release has no package$absent"
	[ $# -eq 0 ] || echo "Installing $# packages, and what they need: $*"
	if [ $# -eq 0 ] || apt install "$@"; then
		[ -z "$absent" ]
		return
	fi
	# Not all distributions have all of them.
	for package; do
		apt install "$package" >/dev/null || missing="$missing $package"
	done
	[ -z "$missing" ] || echo "Could not install$missing"
	[ -z "$missing$absent" ]
}
