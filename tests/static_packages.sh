#!/bin/sh
# The packages that are made of the static file (tools/build-packages), by what Debian has to look at
# them: dpkg, rpm, rpmlint, tar.
#
# usage: static_packages.sh TARBALL DIRECTORY [ROOT]     as root
#
# ROOT is a bare root of Debian (debootstrap), in a copy of which the .deb and the .rpm are installed;
# without it they are only looked at. An Alpine or an Arch to try the others in is not to be had here.

LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/tests/cli/tap.sh"
[ $# -ge 2 ] || { sed -n '2,/^$/s/^# \{0,1\}//p' "$0"; exit 2; }
tarball=$(realpath "$1")
mkdir -p "$2"
out=$(cd "$2" && pwd)
bare=${3:+$(realpath "$3")}
version=$(basename "$tarball" | sed 's/^jfrec-//; s/-linux-.*//')
work=$(mktemp -d)
root=$work/root
trap '! mountpoint -q "$root/proc" || umount "$root/proc"; rm -rf --one-file-system "$work"' EXIT
case $tarball in
*-amd64.tar.gz) arch=amd64 cpu=x86_64 ;;
*) arch=arm64 cpu=aarch64 ;;
esac
deb=$out/jfrec_${version}_$arch.deb
rpm=$out/jfrec-$version-1.$cpu.rpm
apk=$out/jfrec_${version}_$cpu.apk
arch_linux=$out/jfrec-$version-1-$cpu.pkg.tar.zst

# In another directory, with another mask, zone and language.
are_made_again()
{
	(
		umask 077
		TZ=Asia/Tokyo LC_ALL=C.UTF-8 NFPM=${NFPM:-$out/work/nfpm/bin/nfpm}
		export TZ LC_ALL NFPM
		cd / && "$here/tools/build-packages" "$tarball" "$work/again"
	) && for package in "$deb" "$rpm" "$apk" "$arch_linux"; do
		cmp "$package" "$work/again/${package##*/}" || return
	done
}

# The program that is in the tarball, root's, with the manual and no file that anybody may write.
has_all()       # LISTING: as of tar -tv
{
	grep -q '^-rwxr-xr-x.*usr/bin/jfrec$' "$1" && grep -q 'usr/share/man/man1/jfrec-record\.1\.gz$' "$1" &&
		grep -q 'usr/share/jfrec/settings/continuous\.yaml$' "$1" && grep -qi 'licen[sc]e\|copyright' "$1" &&
		! grep '^.....w\|^........w' "$1" && ! awk '$2 !~ /^(root\/root|0\/0)$/' "$1" | grep .
}

deb_has_all()
{
	dpkg-deb -c "$deb" >"$work/list" && has_all "$work/list" &&
		[ -z "$(dpkg-deb -f "$deb" Depends)" ] && [ "$(dpkg-deb -f "$deb" Version)" = "$version" ]
}

# Nothing but what rpm itself knows is needed.
rpm_has_all()
{
	rpm -qp --qf '[%{FILEMODES:perms} %{FILEUSERNAME}/%{FILEGROUPNAME} %{FILENAMES}\n]' "$rpm" >"$work/list" &&
		has_all "$work/list" && ! rpm -qp --requires "$rpm" | grep -v '^rpmlib\|^/bin/sh'
}

# What is left: this Debian's rpm wants bzip2 where others want gzip, and there is no signature yet.
# That the program is static is what these packages are for.
rpmlint_is_quiet()
{
	rpmlint "$rpm" | grep '^jfrec\.' | grep -v -e manpage-not-compressed -e invalid-license -e no-signature \
		-e no-changelogname-tag -e no-url-tag -e only-non-binary-in-usr-lib -e no-manual-page-for-binary -e unstripped -e statically-linked-binary >"$work/rpmlint"
	! grep . "$work/rpmlint"
}

# Two archives, one after the other: what it is, with the sum of the second, and the files.
apk_has_all()
{
	tar -tvzf "$apk" 2>/dev/null | grep -v ' \.PKGINFO$' >"$work/list"
	has_all "$work/list" && tar -xzOf "$apk" .PKGINFO 2>/dev/null >"$work/info" &&
		grep -x "pkgver = $version" "$work/info" && grep -x "arch = $cpu" "$work/info" &&
		python3 - "$apk" <<'END'
import hashlib, re, sys, zlib
data = open(sys.argv[1], "rb").read()
first = zlib.decompressobj(31)
info = first.decompress(data)
wanted = re.search(rb"datahash = ([0-9a-f]{64})", info).group(1).decode()
sys.exit(hashlib.sha256(first.unused_data).hexdigest() != wanted)
END
}

arch_linux_has_all()
{
	zstd -dcq "$arch_linux" | tar -tv >"$work/list" && grep -v ' \.[A-Z]*$' "$work/list" >"$work/files" &&
		has_all "$work/files" && grep -q '\.PKGINFO$' "$work/list" && grep -q '\.MTREE$' "$work/list"
}

in_root()
{
	chroot "$root" "$@"
}

new_root()
{
	[ ! -e "$root" ] || { umount "$root/proc"; rm -rf --one-file-system "$root"; }
	cp -a "$bare" "$root" && mount -t proc proc "$root/proc" && cp "$here/tests/data/ok/jvm-25.jfr" "$root/tmp"
}

reads()
{
	in_root jfrec --version && [ "$(in_root jfrec print --count /tmp/jvm-25.jfr)" -gt 100 ] &&
		in_root jfrec sql /tmp/jvm-25.jfr 'SELECT 1' && in_root jfrec list
}

is_gone()
{
	! find "$root" -xdev -path "$root/tmp" -prune -o -name '*jfrec*' -print | grep .
}

deb_can_be_used()
{
	new_root && cp "$deb" "$root/tmp" && in_root apt-get install -qy "./tmp/${deb##*/}" && reads &&
		in_root apt-get purge -qy jfrec && rm -rf "$root"/tmp/jfrec* && is_gone
}

rpm_can_be_used()
{
	new_root && mkdir -p "$root/var/lib/rpm" &&
		rpm -i --root "$root" --dbpath /var/lib/rpm --nodeps "$rpm" && reads &&
		rpm -e --root "$root" --dbpath /var/lib/rpm jfrec && is_gone
}

works 'four packages are made' "$here/tools/build-packages" "$tarball" "$out"
works 'made again they are the same' are_made_again
works 'the .deb has all, and needs nothing' deb_has_all
if command -v rpm >/dev/null; then
	works 'the .rpm has all, and needs nothing' rpm_has_all
else
	skip 'the .rpm has all, and needs nothing' 'there is no rpm'
fi
if command -v rpmlint >/dev/null; then
	works 'rpmlint has nothing to say' rpmlint_is_quiet
else
	skip 'rpmlint has nothing to say' 'there is no rpmlint'
fi
works 'the .apk has all, and its sum is right' apk_has_all
works 'the package of Arch has all' arch_linux_has_all
if [ "$bare" ] && [ "$(dpkg --print-architecture)" = "$arch" ]; then
	works 'the .deb is installed, used and purged' deb_can_be_used
	! command -v rpm >/dev/null || works 'the .rpm is installed, used and removed' rpm_can_be_used
fi
finish
