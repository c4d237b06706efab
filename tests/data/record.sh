#!/bin/sh
# Makes the recordings of tests/data/ok again, with other times and addresses
# in them; expect.sh then has to renew what is expected of them.
#
# usage: record.sh JAVA_HOME_OF_17 JAVA_HOME_OF_25 [DIRECTORY]

if [ $# -lt 2 ]; then
	sed -n '2,5s/^# \{0,1\}//p' "$0" >&2
	exit 2
fi
set -e
home17=$1
home25=$2
source=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${3:-$source/ok}"
target=$(cd "${3:-$source/ok}" && pwd)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$home17/bin/javac" -encoding UTF-8 -d 17 "$source/Record.java" "$source/Fields.java" "$source/Frames.java" \
	"$source/Craft.java" "$source/Made.java" "$source/Settings.java"
"$home25/bin/javac" -encoding UTF-8 -d 25 "$source/Contexts.java"

# The flags come unquoted: they are words without spaces.
run()           # NAME JAVA_HOME TIME_ZONE FLAGS CLASSES CLASS WHAT
{
	echo "$1"
	TZ=$3 "$2/bin/java" -Xmx64m $4 -cp "$5" "$6" "$target/$1.jfr" "$7"
}

run fields-17   "$home17" Asia/Kolkata     -XX:+UseSerialGC   17 Record fields
run fields-25   "$home25" America/St_Johns -XX:+UseParallelGC 17 Record fields
run settings-17 "$home17" UTC              -XX:+UseSerialGC   17 Settings settings
run text-25     "$home25" UTC              -XX:+UseSerialGC   17 Record text
run frames-25   "$home25" Europe/Lisbon    -XX:+UseSerialGC   17 Record frames
run objects-25  "$home25" UTC              -XX:+UseG1GC       17 Record objects
run jvm-17      "$home17" Australia/Sydney -XX:+UseG1GC       17 Record jvm
run jvm-25      "$home25" Australia/Sydney -XX:+UseZGC        17 Record jvm
run contexts-25 "$home25" Asia/Kathmandu   -XX:+UseG1GC       25 Contexts contexts
run trace-25    "$home25" UTC              -XX:+UseSerialGC   25 Contexts trace
echo made-order made-values made-names
"$home17/bin/java" -cp 17 Made "$target"
