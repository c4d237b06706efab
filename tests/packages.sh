#!/bin/sh
# The packages of Debian, as those who install them meet them: built in a bare root of each suite,
# looked at by lintian, installed in another bare root, used, upgraded, downgraded and purged.
#
# usage: packages.sh DIRECTORY [SUITE...]        as root; takes debootstrap and a mirror of Debian
#
# The suites are bookworm, trixie and sid if none is named. DIRECTORY gets SUITE/packages with what
# was built, SUITE/*.log, and SUITE/base, a bare root that the next run takes again. Everything is
# made of what is committed. JFREC_TARBALL names a source tarball to take instead;
# JFREC_TEST_CCACHE a directory that keeps what was compiled for the next run.

LC_ALL=C.UTF-8
DEBIAN_FRONTEND=noninteractive
export LC_ALL DEBIAN_FRONTEND
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/tests/cli/tap.sh"
version=$(sed -n "s/^	version: '\(.*\)',/\1/p" "$here/meson.build")
next=$version+next-1
programs='libjfrec0 libjfrec-dev libjfrec-recorder0 libjfrec-recorder-dev python3-jfrec jfrec-doc jfrec'
root=

[ "$(id -u)" -eq 0 ] && [ "$1" ] && command -v debootstrap >/dev/null || { sed -n '2,/^$/s/^# \{0,1\}//p' "$0"; exit 2; }
mkdir -p "$1" && directory=$(cd "$1" && pwd) || exit
shift
work=$(mktemp -d)
trap 'close_root; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

# ----------------------------------------------------------------------------------------------------
# Roots

# Never the system's own: without a root there is nothing to unmount.
close_root()
{
	[ "$root" ] || return 0
	for under in proc ccache; do
		! mountpoint -q "$root/$under" 2>/dev/null || umount "$root/$under"
	done
	root=
}

have_base()
{
	[ -e "$base/etc/debian_version" ] ||
		debootstrap --variant=minbase "$suite" "$base" || { rm -rf --one-file-system "$base"; return 1; }
}

# A bare root; the one before it is closed, and removed if it has the same name.
new_root()      # NAME
{
	close_root
	rm -rf --one-file-system "${directory:?}/$suite/$1"
	cp -a "$base" "$directory/$suite/$1" && root=$directory/$suite/$1 &&
		mount -t proc proc "$root/proc" || return
	# The mirror may be as it was on some day.
	echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/any-day"
	in_root apt-get update -q
}

in_root()       # COMMAND...
{
	chroot "$root" "$@"
}

as_user()       # SHELL_COMMANDS
{
	in_root su -s /bin/sh -c "cd && $1" "$user"
}

add_user()      # NAME HOME
{
	user=$1
	home=$2
	in_root useradd -m -d "$home" "$user"
}

# ----------------------------------------------------------------------------------------------------
# Building

# What dpkg-source takes: the tarball, and a tree with debian/ in it.
lay_out_source()
{
	mkdir -p "$work/source" && cd "$work/source" || return
	orig=jfrec_$version.orig.tar.gz
	if [ "${JFREC_TARBALL:-}" ]; then
		cp "$JFREC_TARBALL" "${orig%.gz}.${JFREC_TARBALL##*.}"
	else
		git -C "$here" archive --format=tar --prefix="jfrec-$version/" HEAD -- . ':!debian' |
			gzip -9n >"$orig"
	fi
	tar -xf jfrec_"$version".orig.tar.* && git -C "$here" archive HEAD debian |
		tar -x -C "jfrec-$version"
}

can_build()
{
	in_root apt-get install -qy --no-install-recommends build-essential lintian &&
		in_root apt-get build-dep -qy --no-install-recommends "./src/jfrec-$version"
}

prepare_build()
{
	new_root build && add_user builder /src && cp -r "$work/source/." "$root/src" &&
		in_root chown -R builder: /src && can_build
}

keep_compiled()
{
	mkdir -p "$JFREC_TEST_CCACHE/$suite" "$root/ccache" &&
		mount --bind "$JFREC_TEST_CCACHE/$suite" "$root/ccache" && in_root chown -R builder: /ccache &&
		in_root apt-get install -qy --no-install-recommends ccache
}

build()
{
	faster=
	if [ "${JFREC_TEST_CCACHE:-}" ]; then
		keep_compiled || return
		faster='CCACHE_DIR=/ccache CCACHE_BASEDIR=/src CCACHE_NOHASHDIR=1 PATH=/usr/lib/ccache:$PATH'
	fi
	as_user "cd jfrec-$version && $faster dpkg-buildpackage -us -uc"
}

keep_packages()
{
	rm -rf "$directory/$suite/packages"
	mkdir "$directory/$suite/packages"
	cp "$root"/src/jfrec_* "$root"/src/*.deb "$directory/$suite/packages"
}

# Nothing is suppressed but that the first upload to Debian would close a wish of somebody: these
# are packages of our own.
is_clean()
{
	as_user 'lintian --version; lintian --suppress-tags initial-upload-closes-no-bugs \
		--fail-on error,warning jfrec_*.changes'
}

# The same sources in another directory, at another time, with another mask, language and number of jobs.
builds_the_same()
{
	as_user "mkdir -p elsewhere/in && cd elsewhere/in && cp ../../jfrec_*.orig.tar.* ../../jfrec_*.dsc ../../jfrec_*.debian.tar.* . &&
		dpkg-source -x jfrec_*.dsc tree >/dev/null && cd tree && umask 077 &&
		LC_ALL=C TZ=Asia/Tokyo DEB_BUILD_OPTIONS=parallel=3 dpkg-buildpackage -us -uc -b >../log 2>&1; cd .. &&
		for package in *.deb; do cmp \$package ../../\$package || exit; done && sha256sum *.deb"
}

# ----------------------------------------------------------------------------------------------------
# Using

install_packages()      # VERSION NAME...
{
	wanted=$1
	shift
	files=
	for package; do
		files="$files ./root/$(cd "$root/root" && ls ${package}_"$wanted"_*.deb)" || return
	done
	in_root apt-get install -qy --allow-downgrades $files
}

# A user who has a recording looks at it.
reads()
{
	cp "$here/tests/data/ok/jvm-25.jfr" "$root/tmp" &&
		as_user 'jfrec --version && jfrec list &&
			[ "$(jfrec print --count /tmp/jvm-25.jfr)" -gt 100 ] &&
			jfrec sql /tmp/jvm-25.jfr "SELECT 1" && ls /usr/share/man/man1/jfrec-record.1.gz' ||
		{ as_user 'jfrec list; echo $?; jfrec print --count /tmp/jvm-25.jfr; jfrec sql /tmp/jvm-25.jfr "SELECT 1"'; return 1; }
}

stays_disabled()
{
	! find "$root/etc/systemd/system" -name 'jfrec*' | grep . &&
		[ "$(find "$root/usr/lib/systemd/system" "$root/lib/systemd/system/" -name 'jfrec*' | xargs -n 1 basename | sort -u | wc -l)" -eq 3 ]
}

# The scripts of debian/tests, with what they depend on beside the packages.
can_test()
{
	in_root apt-get install -qy build-essential default-jdk-headless pkgconf python3-all &&
		cp -r "$here/debian/tests" "$root$home/tests"
}

passes()        # TEST
{
	as_user "mkdir -p in-$1 && AUTOPKGTEST_TMP=\$PWD/in-$1 tests/$1"
}

# ----------------------------------------------------------------------------------------------------
# What is collected stays

# A JVM whose name no other of this machine has.
start_jvm()
{
	main=Wait$$
	cat >"$root$home/$main.java" <<END
public class $main {
	public static void main(String[] args) throws Exception {
		System.in.read();
	}
}
END
	mkfifo "$work/$suite" && as_user "javac $main.java" || return
	as_user "exec java -Xmx32m $main" <>"$work/$suite" >/dev/null 2>&1 &
	jvm_of_user=$!
	for _ in $(seq 100); do
		pid=$(in_root jfrec list | sed -n "s/^ *\([0-9]*\) .*$main.*/\1/p")
		[ -z "$pid" ] || return 0
		sleep 0.2
	done
	return 1
}

end_jvm()
{
	[ -z "$pid" ] || kill "$pid"
	wait "$jvm_of_user"
	rm -f "$work/$suite"
}

collect()
{
	in_root jfrec collect -c /etc/jfrec/collect.yaml
}

kept()
{
	ls "$root/var/lib/jfrec" | grep -c '\.jfr'
}

# As the page says, but of this JVM only. A chunk is finished when it is dumped.
collects()
{
	mkdir -p "$root/etc/jfrec" "$root/var/lib/jfrec"
	sed "s/- all: true/- name: $main/" "$root/usr/share/jfrec/collect.yaml" >"$root/etc/jfrec/collect.yaml"
	collect && in_root jfrec dump -o /tmp/dump.jfr --force "$pid" &&
		collect && [ "$(kept)" -ge 1 ] && recorded=$(kept)
}

# Installed over what is there, it finds nothing that it would have to copy again, and what is new.
goes_on_with()  # VERSION
{
	state=$root/var/lib/jfrec/.jfrec-collect/state
	sum=$(cksum <"$state")
	install_packages "$1" $programs >"$work/installed" 2>&1 || { tail -n 5 "$work/installed"; return 1; }
	[ "$(in_root dpkg-query -W -f '${Version}' jfrec)" = "$1" ] || return
	collect >"$work/news"
	cat "$work/news"
	[ ! -s "$work/news" ] && [ "$sum" = "$(cksum <"$state")" ] || { echo "before $sum"; cat "$state"; return 1; }
	in_root jfrec dump -o /tmp/dump.jfr --force "$pid" && collect || return
	echo "$recorded recordings before, now $(kept)"
	[ "$(kept)" -gt "$recorded" ] && recorded=$(kept)
}

# The same packages under the name of a later version.
make_next()
{
	for file in "$directory/$suite"/packages/*.deb; do
		case $file in
		*-dbgsym_*) continue ;;
		esac
		rm -rf "$work/next"
		dpkg-deb -R "$file" "$work/next" &&
			sed -i "s/^Version: .*/Version: $next/; s/(= $version-1)/(= $next)/g" "$work/next/DEBIAN/control" &&
			dpkg-deb --root-owner-group -b "$work/next" "$root/root" || return
	done
}

# No file, no directory, no user, no link of a service.
leaves_nothing()
{
	in_root apt-get purge -qy $programs || return
	! find "$root" -xdev \( -path "$root/root" -o -path "$root/home" -o -path "$root/tmp" \) -prune \
		-o -name '*jfrec*' -print | grep . &&
		! in_root dpkg-query -W '*jfrec*' && ! grep jfrec "$root/etc/passwd"
}

# ----------------------------------------------------------------------------------------------------

test_suite()
{
	label=$suite
	base=$directory/$suite/base
	mkdir -p "$directory/$suite"
	works 'a bare root is made' have_base
	works 'what the build needs is installed' prepare_build
	works 'the packages are built' build
	cp "$work/said" "$directory/$suite/build.log"
	works 'lintian has nothing to say' is_clean
	cp "$work/said" "$directory/$suite/lintian.log"
	[ "$suite" != trixie ] || works 'built again elsewhere they are the same' builds_the_same
	keep_packages || return

	new_root user >/dev/null && add_user jane /home/jane && cp "$directory/$suite"/packages/*.deb "$root/root"
	works 'the tool is installed alone' install_packages "$version-1" jfrec
	works 'a user reads a recording' reads
	works 'no service is enabled' stays_disabled
	works 'all packages are installed' install_packages "$version-1" $programs
	works 'what the tests need is installed' can_test
	works 'a JVM is recorded' passes record
	works 'programs and Python use the libraries' passes develop

	make_next >/dev/null
	if start_jvm; then
		works 'a service would collect' collects
		works 'the next version goes on with it' goes_on_with "$next"
		works 'so does this one again' goes_on_with "$version-1"
	fi
	end_jvm
	works 'purged, nothing is left' leaves_nothing
	close_root
	rm -rf --one-file-system "$directory/$suite/build" "$directory/$suite/user"
}

works 'the source is laid out' lay_out_source
for suite in ${*:-bookworm trixie sid}; do
	test_suite
done
finish
