#!/bin/sh
# Makes a directory with Debian trixie and its JDKs 21 and 25 in it: another
# root for live tests, and JDKs that this machine may not have.
#
# usage: make_root.sh make|remove DIRECTORY
#
# Needs root, debootstrap and a package mirror; takes about two minutes and 1.2 GB.

release=trixie
jdks='openjdk-21-jdk-headless openjdk-25-jdk-headless'
root=$2

make()
{
	debootstrap --variant=minbase "$release" "$root" &&
		mount -t proc proc "$root/proc" && # launchers find themselves by /proc/self/exe
		chroot "$root" apt-get update -q &&
		DEBIAN_FRONTEND=noninteractive chroot "$root" apt-get install -qy --no-install-recommends $jdks &&
		chroot "$root" apt-get clean
}

remove()
{
	if mountpoint -q "$root/proc"; then
		umount "$root/proc" || return
	fi
	rm -rf --one-file-system "$root"
}

case $1:$root in
make:?* | remove:?*)
	"$1" ;;
*)
	echo 'usage: make_root.sh make|remove DIRECTORY' >&2
	exit 2 ;;
esac
