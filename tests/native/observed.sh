#!/bin/sh
# Events of the process and the machine, which a native program does not emit itself.
#
# usage: observed.sh JFREC SOURCE_ROOT SHOPD

jfrec=$(realpath "$1")
source=$2
shopd=$(realpath "$3")
. "$source/tests/cli/tap.sh"
work=$(mktemp -d)
cd "$work" || exit
PLANTED_SECRET=hunter2 JFREC_RECORD=repository=$work,jdk.ThreadCPULoad#period=1s,jdk.ThreadContextSwitchRate#period=1s \
	"$shopd" 1000000000 &
shop=$!
trap 'kill -9 $shop; rm -rf "$work" /dev/shm/jfrec-recorder-$shop-* /tmp/.java_pid$shop /tmp/hsperfdata_*/$shop' EXIT

count()         # EVENT FILE [EXPRESSION]
{
	"$jfrec" print --count --events "$1" ${3:+--where "$3"} "$2"
}

# A busy machine takes longer.
for _ in 1 2 3 4 5 6 7 8 9 10; do
	sleep 1.2
	"$jfrec" dump --force -o shop.jfr $shop >/dev/null
	[ "$(count jdk.ThreadCPULoad shop.jfr)" -ge 2 ] && [ "$(count jdk.CPULoad shop.jfr)" -ge 2 ] && break
done
works 'the load of the process is there' [ "$(count jdk.CPULoad shop.jfr 'jvmUser > 0.001 && jvmUser <= 1 && machineTotal > 0')" -ge 1 ]
works 'that of its threads, by name' [ "$(count jdk.ThreadCPULoad shop.jfr 'user > 0.001 && eventThread.javaName == "counter-2"')" -ge 1 ]
works 'context switches' [ "$(count jdk.ThreadContextSwitchRate shop.jfr 'switchRate > 0')" -ge 1 ]
works 'its memory' [ "$(count jdk.ResidentSetSize shop.jfr 'size > 1000000 && peak > 1000000')" -ge 1 ]
works 'that of the machine, as the kernel has it' sh -c '
	total=$(($(awk "/^MemTotal:/ { print \$2 }" /proc/meminfo) * 1024))
	[ "$("$1" print --count --events jdk.PhysicalMemory --where "totalSize == $total && usedSize < $total" shop.jfr)" -ge 1 ]' sh "$jfrec"
works 'what it is' [ "$(count jdk.JVMInformation shop.jfr "pid == $shop")" -ge 1 ]
works 'its command line' sh -c '"$1" print --events jdk.JVMInformation shop.jfr | grep -q "javaArguments = \"$2 1000000000\""' sh "$jfrec" "$shopd"
works 'what it runs on' sh -c '"$1" print --events jdk.OSInformation shop.jfr | grep -qF "$(uname -r)"' sh "$jfrec"
works 'its libraries, where they are' sh -c '
	"$1" print --ndjson --events jdk.NativeLibrary shop.jfr >libraries
	grep -q "libc.so\|libc-\|musl" libraries && grep -qF "$(basename "$2")" libraries' sh "$jfrec" "$shopd"
works 'no secret is there' sh -c '! grep -q hunter2 shop.jfr'
"$jfrec" start --name variables --set 'jdk.InitialEnvironmentVariable#enabled=true' $shop >/dev/null
"$jfrec" dump --force -o variables.jfr --name variables $shop >/dev/null
works 'unless it is asked for' [ "$(count jdk.InitialEnvironmentVariable variables.jfr 'key == "PLANTED_SECRET"')" -ge 1 ]
works 'a view of the JDK shows it' sh -c '"$1" view cpu-load shop.jfr | grep -q JVM' sh "$jfrec"
finish
