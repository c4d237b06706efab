#!/bin/sh
# Makes jdk.txt again, the dictionary of what JDKs can record: has JVMs record
# with their own settings, and takes down what their recordings say of themselves.
# And options.txt, what the options of their profile.jfc do, of those JDKs whose
# JFR.start takes them.
#
# usage: make.sh JFREC JAVA...
#
# JAVA is a java, or ROOT|JAVA for one in another root (then we are root).  Give one
# of each JDK that the dictionary shall know; all of them, since the file is made anew.

if [ $# -lt 2 ]; then
	sed -n '2,10s/^# \{0,1\}//p' "$0" >&2
	exit 2
fi
set -e
jfrec=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"; [ -z "$dir" ] || rm -rf "$dir"' EXIT

in_root()       # COMMAND...
{
	if [ -n "$root" ]; then
		chroot "$root" "$@"
	else
		"$@"
	fi
}

# -version is enough of a program: the recording is written when the JVM ends.
record()        # SETTINGS
{
	in_root "$java" -XX:+UseSerialGC "-XX:StartFlightRecording=filename=${dir#"$root"}/it.jfr,settings=$1" \
		-version >"$work/said" 2>&1 || { cat "$work/said" >&2; exit 1; }
}

for pair; do
	root=
	java=$pair
	case $pair in *'|'*)
		root=${pair%%|*}
		java=${pair#*|} ;;
	esac
	feature=$(in_root "$java" -version 2>&1 |
		sed -n 's/.* version "\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' | head -n 1)
	echo "JDK $feature" >&2
	dir=$(mktemp -d "$root/tmp/dictionary-XXXXXX")
	for settings in default profile; do
		record $settings
		"$jfrec" print --json --events jdk.ActiveSetting "$dir/it.jfr" >"$work/$feature.$settings.active.json"
		"$jfrec" metadata --json "$dir/it.jfr" >"$work/$feature.$settings.types.json"
	done
	rm -rf "$dir"
	dir=
	[ "$feature" -lt 17 ] || in_root cat "${java%/bin/java}/lib/jfr/profile.jfc" >"$work/$feature.profile.jfc"
done
python3 "$here/merge.py" "$work" >"$here/jdk.txt.new"
mv "$here/jdk.txt.new" "$here/jdk.txt"
set --
for file in $(ls "$work"/*.profile.jfc | sort -V); do
	feature=${file##*/}
	set -- "$@" "${feature%%.*}=$file"
done
python3 "$here/options.py" "$jfrec" "$@" >"$here/options.txt.new"
mv "$here/options.txt.new" "$here/options.txt"
