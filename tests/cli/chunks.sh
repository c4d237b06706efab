# Recordings with many chunks, for tests of several threads; to be read after tap.sh.
#
# Sets: dir, a directory of the test's own that is removed at its end; $dir/joined.jfr, of several JVMs,
# read as one; $dir/damaged.jfr, with a damaged chunk. TZ is UTC. Needs: ok, tests/data/ok.

dir=$(mktemp -d) || exit
trap 'rm -rf "$dir"' EXIT
TZ=UTC
export TZ

cat "$ok/jvm-25.jfr" >"$dir/damaged.jfr"
printf '%s' damaged | dd of="$dir/damaged.jfr" bs=1 seek=150000 conv=notrunc 2>/dev/null
cat "$ok/jvm-17.jfr" "$ok/settings-17.jfr" "$ok/contexts-25.jfr" "$ok/jvm-25.jfr" \
	"$ok/fields-25.jfr" >"$dir/joined.jfr"
