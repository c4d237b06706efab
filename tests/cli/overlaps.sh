#!/bin/sh
# Chunks of the same time: summary and print say so once, and that it is no fault; but not of a profiler
# that records beside the JVM, nor by the name of the JDK's tool.
#
# usage: overlaps.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
some=$(realpath "$2")/tests/data/ok/settings-17.jfr
. "$2/tests/cli/tap.sh"
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
cat "$some" "$some" >twice.jfr
# No JVM declares a type of that name, and every JVM declares the other one.
sed 's/jdk\.ClassLoad/jdk.ClassLoae/g' "$some" | cat "$some" - >beside.jfr
ln -s "$jfrec" jfr

says()          # NAME LINES COMMAND: so many lines on stderr, all of that, and exit status 0
{
	eval "$3" >out 2>err
	status=$?
	if [ $status -eq 0 ] && [ "$(wc -l <err)" -eq "$2" ] && [ "$(grep -c "$words" err)" -eq "$2" ]; then
		result ok "$1"
	else
		result not-ok "$1: $status"
		sed 's/^/# /' err | head -n 5
	fi
}

words='chunks 2 and 4 are the same: their events are read twice'
says 'summary' 1 '"$jfrec" summary twice.jfr'
says 'summary with JSON' 1 '"$jfrec" summary --json twice.jfr'
says 'summary with several threads' 1 '"$jfrec" summary --json --jobs 3 twice.jfr'
says 'summary of files' 1 '"$jfrec" summary "$some" "$some"'
says 'print' 1 '"$jfrec" print twice.jfr'
says 'print of a pipe' 1 'cat twice.jfr | "$jfrec" print --json -'
says 'print in the order of time' 0 '"$jfrec" print --sort time twice.jfr'
says 'the JDK says nothing: summary' 0 './jfr summary twice.jfr'
says 'the JDK says nothing: print' 0 './jfr print twice.jfr'
# The same JVM's last chunk, begun a nanosecond later: it is another one.
python3 - "$some" >other.jfr <<'EOF'
import struct, sys
with open(sys.argv[1], "rb") as f:
    b = f.read()
at = struct.unpack(">Q", b[8:16])[0]
start = struct.unpack(">q", b[at + 32:at + 40])[0]
sys.stdout.buffer.write(b + b[at:at + 32] + struct.pack(">q", start + 1) + b[at + 40:])
EOF
words='chunks 2 and 3 overlap by 0\.3 s: events are in the order of the chunks'
says 'other chunks of the same time' 1 '"$jfrec" summary other.jfr'
says 'one recording' 0 '"$jfrec" summary "$some"'
says 'a profiler beside the JVM' 0 '"$jfrec" summary beside.jfr'
says 'a profiler beside the JVM: print' 0 '"$jfrec" print beside.jfr'
finish
