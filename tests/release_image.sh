#!/bin/sh
# release_image.sh - the image for containers, read by the tools of others, and run
#
# usage: release_image.sh SOURCE_ROOT IMAGE
#
# IMAGE is what tools/build-image has made. Needs root, skopeo, umoci, buildah and, for what is not of
# this machine's processor, qemu-user. There is no container engine here: the image runs in its own
# namespaces and root directory, as the user that it names, with nothing but /proc and a recording.

root=$(realpath "$1")
image=$(realpath "$2")
cd "$root" || exit
. tests/cli/tap.sh
for program in skopeo umoci buildah unshare; do
	command -v $program >/dev/null || { echo "1..0 # SKIP there is no $program"; exit; }
done
[ "$(id -u)" = 0 ] || { echo "1..0 # SKIP only root may change the root directory"; exit; }
version=$(basename "$image" | sed 's/^jfrec-//; s/-oci\.tar$//')
recording=$root/tests/data/ok/jvm-17.jfr
here=$(dpkg --print-architecture)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/layout"
tar xf "$image" -C "$work/layout"

# The file, run by this processor or by qemu-user, as text.
by_itself()     # ARCHITECTURE ARGUMENT...
{
	program=$work/$1/rootfs/usr/bin/jfrec
	case $1 in
	"$here") emulator= ;;
	amd64) emulator=qemu-x86_64 ;;
	arm64) emulator=qemu-aarch64 ;;
	esac
	shift
	$emulator "$program" "$@"
}

for architecture in amd64 arm64; do
	skopeo --override-arch $architecture inspect "oci-archive:$image:$version" >"$work/out" 2>&1
	works "skopeo finds $architecture in the index" grep -q "\"Architecture\": \"$architecture\"" "$work/out"
	umoci unpack --image "$work/layout:$version-$architecture" "$work/$architecture" >"$work/out" 2>&1
	works "umoci unpacks $architecture" test -x "$work/$architecture/rootfs/usr/bin/jfrec"
	by_itself $architecture print "$recording" >"$work/print.$architecture" 2>"$work/out"
	works "$architecture prints a recording" test -s "$work/print.$architecture"
done
works "both print the same" cmp -s "$work/print.amd64" "$work/print.arm64"

# As an engine would run it.
contained()     # ARGUMENT...
{
	mkdir -p "$work/$here/rootfs/proc" "$work/$here/rootfs/data"
	unshare --mount --pid --fork --net --uts --ipc sh -ec '
		root=$1
		shift
		mount -t proc proc "$root/proc"
		mount --bind "$1" "$root/data"
		mount -o remount,ro,bind "$root/data"
		shift
		exec chroot --userspec=65532:65532 "$root" /usr/bin/jfrec "$@"' \
		sh "$work/$here/rootfs" "$root/tests/data/ok" "$@"
}
contained print /data/jvm-17.jfr >"$work/contained" 2>"$work/out"
works "it prints a recording in a root of its own" cmp -s "$work/contained" "$work/print.$here"
contained filter --events GarbageCollection -o /tmp/new.jfr /data/jvm-17.jfr >"$work/out" 2>&1
works "it may write to /tmp only, as 65532" \
	test "$(stat -c %u:%a "$work/$here/rootfs/tmp/new.jfr")" = 65532:600

# What its page shows first.
cat >"$work/Containerfile" <<-END
	FROM scratch
	COPY --from=oci-archive:$image:$version /usr/bin/jfrec /usr/local/bin/jfrec
END
buildah="buildah --root $work/storage --runroot $work/run --storage-driver vfs"
if $buildah bud --isolation chroot -t copied "$work" >"$work/out" 2>&1; then
	container=$($buildah from --pull-never localhost/copied)
	copied=$($buildah mount "$container")/usr/local/bin/jfrec
	works "COPY --from takes the program out of it" cmp -s "$copied" "$work/$here/rootfs/usr/bin/jfrec"
	$buildah umount "$container" >/dev/null
else
	works "COPY --from takes the program out of it: $(tail -n 1 "$work/out")" false
fi
finish
