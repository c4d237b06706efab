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
PLANTED_SECRET=hunter2 JFREC_RECORD=repository=$work,jdk.ThreadCPULoad#period=1s,jdk.ThreadContextSwitchRate#period=1s,jdk.NetworkUtilization#period=1s,jfrec.Allocator#enabled=true,jfrec.ContextSwitches#period=1s,jdk.ContainerMemoryUsage#period=1s,jdk.ContainerCPUUsage#period=1s \
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
if command -v readelf >/dev/null; then
	works 'each of them with its build ID' sh -c '
		"$1" print --json --events jfrec.Module shop.jfr | jq -r ".recording.events[].values | .path + \" \" + .buildId" |
			sort -u | grep "^/" >modules && [ "$(wc -l <modules)" -ge 3 ] && grep -qF "$2 " modules &&
			while read -r path id; do
				[ "$id" = "$(readelf -n "$path" 2>/dev/null | sed -n "s/ *Build ID: //p")" ] || exit
			done <modules' sh "$jfrec" "$shopd"
else
	result ok 'each of them with its build ID # SKIP no readelf'
fi
works 'no secret is there' sh -c '! grep -q hunter2 shop.jfr'
works 'the processors, as the kernel counts them' [ "$(count jdk.CPUInformation shop.jfr "hwThreads == $(nproc --all) && cores >= 1 && sockets >= 1")" -ge 1 ]
works 'the network, by interface' [ "$(count jdk.NetworkUtilization shop.jfr 'networkInterface == "lo" && readRate >= 0')" -ge 1 ]
works 'how many threads there are' [ "$(count jdk.JavaThreadStatistics shop.jfr 'activeCount >= 3 && peakCount >= 3')" -ge 1 ]
works 'page faults' [ "$(count jfrec.PageFaults shop.jfr 'minor > 10')" -ge 1 ]
works 'its own context switches' [ "$(count jfrec.ContextSwitches shop.jfr 'voluntary > 0')" -ge 1 ]
works 'descriptors' [ "$(count jfrec.Descriptors shop.jfr 'open >= 3 && open < 1000 && limit >= 20')" -ge 1 ]
case $(ldd --version 2>&1; grep -ao -m 1 __asan_init "$shopd") in
*__asan*) result ok 'the allocator # SKIP that of the sanitizers counts nothing' ;;
*GLIBC*|*GNU*) works 'the allocator, when it is asked for' [ "$(count jfrec.Allocator shop.jfr 'used > 0 && size > 10000')" -ge 1 ] ;;
*) result ok 'the allocator # SKIP it is not glibc' ;;
esac
if [ -r /sys/fs/cgroup/cpuacct/cpuacct.usage ] || [ -r /sys/fs/cgroup/memory/memory.usage_in_bytes ] ||
	[ -r "/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)/memory.current" ]; then
	works 'memory of the container' [ "$(count jdk.ContainerMemoryUsage shop.jfr 'memoryUsage > 1000000')" -ge 1 ]
	works 'its disks' [ "$(count jdk.ContainerIOUsage shop.jfr 'serviceRequests >= 0')" -ge 1 ]
	works 'and its limits' [ "$(count jdk.ContainerConfiguration shop.jfr "effectiveCpuCount == $(getconf _NPROCESSORS_ONLN) && hostTotalMemory > 1000000")" -ge 1 ]
else
	result ok 'memory of the container # SKIP there is no cgroup'
fi
"$jfrec" start --name variables --set 'jdk.InitialEnvironmentVariable#enabled=true' $shop >/dev/null
"$jfrec" dump --force -o variables.jfr --name variables $shop >/dev/null
works 'unless it is asked for' [ "$(count jdk.InitialEnvironmentVariable variables.jfr 'key == "PLANTED_SECRET"')" -ge 1 ]
works 'a view of the JDK shows it' sh -c '"$1" view cpu-load shop.jfr | grep -q JVM' sh "$jfrec"
finish
