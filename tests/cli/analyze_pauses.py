"""Rules of analyze on pauses and collectors: below, at and above their limits.

usage: analyze_pauses.py JFREC SOURCE_ROOT

Also what recordings do to any of them: several chunks, events out of order, a clock that was set,
settings that change.  Prints TAP.
"""

import os
import sys

sys.path.insert(0, os.path.join(sys.argv[2], "tests"))
from judged import MB, backwards, chunks, expect, jvm, several, turn, with_events  # noqa: E402
from tap import finish  # noqa: E402


def paused(share, seconds=120, every=1.0, r=None, first=0):
    """So much of each second is a pause."""
    r = r or jvm(seconds, GCPhasePause={})
    for i in range(int(seconds / every)):
        r.add("jdk.GCPhasePause", at=first + i * every, duration=share * every, gcId=i, name="GC Pause")
    return r


# Shares of time -----------------------------------------------------------------------------------

def least(rule, severity):
    """What is all collections is left to gc-pause-share."""
    return "ok" if rule == "halts-share" else severity


for rule in "gc-pause-share", "halts-share":
    for share, severity in (
        (0.0, "ok"),
        (0.0499, "ok"),
        (0.0501, "info"),
        (0.0999, "info"),
        (0.1001, "warning"),
    ):
        severity = least(rule, severity)
        expect(rule, f"{share:.2%} of two minutes", paused(share), severity)
    expect(rule, "40 % of 7 s are 2.8 s", paused(0.4, 7), least(rule, "info"))
    expect(rule, "50 % of 7 s are 3.5 s", paused(0.5, 7), least(rule, "warning"))
    expect(rule, "4 % of 7 s", paused(0.04, 7), "ok")
    expect(rule, "events out of order", backwards(paused(0.12)), least(rule, "warning"), "12 % of 60 s")
    busy = paused(0.2, 30, r=jvm(300, GCPhasePause={}), first=100)
    expect(rule, "six seconds of one minute of five", busy, least(rule, "warning"), "10 % of 60 s")
    two = chunks(paused(0.12, 60, r=jvm(60)), paused(0.12, 60, r=jvm(120, start=60), first=60))
    expect(rule, "two chunks are one recording", two, least(rule, "warning"), "12 % of 60 s")
    years = chunks(paused(0.5, 4, r=jvm(4)), paused(0, 1, r=jvm(80000, start=79996), first=79996))
    expect(rule, "two chunks that are a day apart", years, least(rule, "info"))
    r = jvm(120, GCPhasePause={})
    r.add("jdk.GCPhasePause", at=10, duration=5, gcId=1, name="GC Pause")
    r.add("jdk.GCPhasePause", at=12, duration=4, gcId=1, name="overlaps")
    r.add("jdk.GCPhasePause", at=11, duration=1, gcId=1, name="lies in another")
    expect(rule, "pauses that overlap count once", r, least(rule, "warning"), "10 % of 60 s")
    r = jvm(120)
    turn(r, "jdk.GCPhasePause", enabled="false")
    turn(r, "jdk.ExecuteVMOperation", enabled="false")
    expect(rule, "switched off", r, "off", "jfrec start --settings")
r = jvm(60, GCPhasePause={})
r.add("jdk.ExecuteVMOperation", at=5, duration=4, operation="HeapDumper", safepoint=True, caller="tool")
expect("halts-share", "an operation that is no collection", r, "info", "HeapDumper")
expect("gc-pause-share", "an operation that is no collection", r, "ok")
r = jvm(60)
r.add("jdk.ExecuteVMOperation", at=5, duration=40, operation="ICBufferFull", safepoint=False)
expect("halts-share", "an operation beside the application", r, "ok")
r = jvm(60, GCPhasePause={})
for i in range(14):
    r.add("jdk.SafepointStateSynchronization", at=i, duration=0.2)
expect("halts-share", "the way into safepoints", r, "ok", "")
r = paused(0.03, 60, r=jvm(60))
for i in range(60):
    r.add("jdk.SafepointStateSynchronization", at=i + 0.5, duration=0.04)
expect("halts-share", "the way into safepoints adds up", r, "info", "7 % of 60 s")
for operation in False, True:
    r = jvm(60, GCPhasePause={})
    for i in range(60):
        r.add("jdk.SafepointBegin", at=i, duration=0.12)
        if operation:
            r.add("jdk.ExecuteVMOperation", at=i + 0.12, duration=0.01, operation="ICBufferFull", safepoint=True)
    expect("halts-share", "most of it the wait until all stand still", r, "warning", "gc-safepoint-entry")
    for i in range(60):
        r.add("jdk.CPULoad", at=i, jvmUser=0.3, jvmSystem=0, machineTotal=1)
    expect("halts-share", "the same, while no processor is left", r, "info", "no processor was left")

# The longest --------------------------------------------------------------------------------------

for length, severity in (0.124, "ok"), (0.126, "info"), (0.601, "info"), (0.603, "warning"), (4.45, "warning"):
    r = jvm(GCPhasePause={})
    r.add("jdk.GCPhasePause", at=5, duration=length, gcId=1, name="GC Pause")
    expect("gc-pause-longest", f"one of {length} s", r, severity)
r = jvm(GCPhasePause={})
for i in range(7):
    r.add("jdk.GCPhasePause", at=5 + i * 0.11, duration=0.1, gcId=i, name="GC Pause")
expect("gc-pause-longest", "seven of 100 ms in a row", r, "warning", "7 times in a row")
expect("gc-pause-longest", "the same, out of order", backwards(r), "warning", "7 times in a row")
expect("gc-pause-longest", "seven of 100 ms, far apart", paused(0.1, 7, r=jvm()), "ok")
r = jvm(collector="Serial", GCPhasePause={})
r.add("jdk.GarbageCollection", at=5, duration=2, gcId=3, name="SerialOld", cause="Allocation Failure")
r.add("jdk.GCPhasePause", at=5, duration=2, gcId=3, name="GC Pause")
r.add("jdk.GCPhasePauseLevel1", at=5, duration=1.5, gcId=3, name="Phase 1: Mark live objects")
r.add("jdk.GCPhasePauseLevel1", at=6.5, duration=0.1, gcId=3, name="a short one")
r.add("jdk.GCHeapSummary", at=7, gcId=3, when="After GC", heapUsed=300 * MB)
expect("gc-pause-longest", "its cause", r, "warning", "Allocation Failure")
expect("gc-pause-longest", "its phases", r, "warning", "phase Phase 1: Mark live objects")
expect("gc-pause-longest", "another collector", r, "warning", "-XX:+UseG1GC")

# Operations ---------------------------------------------------------------------------------------


def operations(*rows):
    r = jvm(GCPhasePause={}, ExecuteVMOperation={"threshold": "0 ms"})
    for at, length, name, caller in rows:
        r.add(
            "jdk.ExecuteVMOperation", at=at, duration=length, operation=name, safepoint=True, caller=caller
        )
    return r


for length, severity in (0.99, "ok"), (1.0, "info"), (1.99, "info"), (2.0, "warning"):
    expect("vm-operation-longest", f"{length} s", operations((5, length, "HeapDumper", "t")), severity, "HeapDumper")
for length, severity in (0.24, "ok"), (0.26, "info"), (2.1, "warning"):
    expect("vm-operation-longest", f"classes are changed for {length} s", operations((5, length, "RedefineClasses", "t")), severity)
expect("vm-operation-longest", "the recorder changes them as it starts", operations((0.5, 0.5, "RedefineClasses", "t")), "ok")
expect("vm-operation-longest", "one that is attached does", operations((5, 0.5, "RedefineClasses", "Attach Listener")), "ok")
expect("vm-operation-longest", "a heap dump that takes as long", operations((5, 0.5, "HeapDumper", "t")), "ok")
near = [(5 + i * 0.405, 0.4, "RedefineClasses", "agent") for i in range(6)]
expect("vm-operation-longest", "six that are 5 ms apart are one", operations(*near), "warning", "2.42 s")
far = [(5 + i * 0.415, 0.4, "RedefineClasses", "agent") for i in range(6)]
expect("vm-operation-longest", "15 ms apart they are six", operations(*far), "info", "for 400 ms")
two = [(5 + i * 0.405, 0.4, "RedefineClasses", f"agent-{i % 2}") for i in range(6)]
expect("vm-operation-longest", "of two callers they are six", operations(*two), "info", "for 400 ms")
expect("vm-operation-longest", "collections have their own rules", operations((5, 3, "G1CollectFull", "t")), "ok")
r = jvm()
turn(r, "jdk.GCPhasePause", enabled="false")
r.add("jdk.ExecuteVMOperation", at=5, duration=3, operation="G1CollectFull", safepoint=True, caller="t")
expect("vm-operation-longest", "unless their pauses were not recorded", r, "warning", "G1CollectFull")
bias = [(i, 0.03, "RevokeBias", "t") for i in range(3)]
expect("vm-operation-longest", "biased locks taken back for 90 ms", operations(*bias), "ok")
bias = [(i, 0.03, "BulkRevokeBias", "t") for i in range(4)]
expect("vm-operation-longest", "for 120 ms", operations(*bias), "info", "UseBiasedLocking")

# Full collections ---------------------------------------------------------------------------------


def full(cause, count=1, name="G1Full", collector="G1", of=20, length=0.2):
    r = jvm(collector=collector, GarbageCollection={})
    for i in range(of):
        r.add("jdk.GarbageCollection", at=i, duration=0.01, gcId=i, name="G1New", cause="G1 Evacuation Pause")
    for i in range(count):
        r.add("jdk.GarbageCollection", at=30 + i, duration=length, gcId=100 + i, name=name, cause=cause)
    return r


expect("gc-full", "none", full("", 0), "ok")
for cause in "G1 Compaction Pause", "G1 Humongous Allocation", "Metadata GC Threshold", "A Cause Of JDK 40":
    expect("gc-full", f"one for {cause}", full(cause), "warning")
for cause in "System.gc()", "Heap Inspection Initiated GC", "Heap Dump Initiated GC", "Diagnostic Command":
    expect("gc-full", f"asked for by {cause}", full(cause), "info")
r = full("System.gc()", 5)
r.add("jdk.GarbageCollection", at=40, duration=1, gcId=200, name="G1Full", cause="G1 Compaction Pause")
expect("gc-full", "one of six was not asked for", r, "warning", "1 full collection")
expect("gc-full", "ZGC", full("x", collector="Z"), "not-in-jvm", "Z")
r = full("Allocation Failure", name="SerialOld", collector="Serial")
expect("gc-full", "one of the serial collector's is as it should be", r, "ok", "1 of 21")
for count, severity in (4, "ok"), (5, "info"), (7, "warning"):
    r = full("Allocation Failure", count, "ParallelOld", "Parallel")
    expect("gc-full", f"{count} of the parallel collector's", r, severity)
expect("gc-full", "G1 before JDK 10", full("Allocation Failure", name="SerialOld"), "warning")
r = full("Allocation Failure", name="SerialOld", collector="ConcurrentMarkSweep")
expect("gc-full", "CMS", r, "warning")
later = jvm(60, start=30)
expect("gc-full", "in neither of two chunks", chunks(jvm(30, GarbageCollection={}), later), "ok")
later.add("jdk.GarbageCollection", at=40, duration=1, gcId=2, name="G1Full", cause="G1 Compaction Pause")
expect("gc-full", "in the second of two chunks", chunks(jvm(30, GarbageCollection={}), later), "warning")
expect("gc-stall", "none", full("", 0), "ok")
expect("gc-stall", "gc-full counts full collections", full("G1 Compaction Pause"), "ok", "gc-full")
r = full("", 0, collector="ConcurrentMarkSweep")
r.add("jdk.ConcurrentModeFailure", at=3, gcId=1)
expect("gc-stall", "concurrent work that failed", r, "warning", "failed 1 time")

# Collections that were asked for ------------------------------------------------------------------

for n, severity in (10, "ok"), (11, "info"), (49, "info"), (50, "warning"):
    expect("gc-explicit", f"{n} of 100", full("System.gc()", n, of=100 - n, length=0.02), severity)
r = jvm(60, GarbageCollection={})
for i in range(9):
    r.add("jdk.GarbageCollection", at=i, duration=0.01, gcId=i, name="ParallelScavenge", cause="Allocation Failure")
r.add("jdk.GarbageCollection", at=20, duration=5.9, gcId=50, name="SerialOld", cause="System.gc()")
expect("gc-explicit", "one of ten, of 5.9 s", r, "ok")
r.add("jdk.GarbageCollection", at=30, duration=0.1, gcId=51, name="SerialOld", cause="System.gc()")
expect("gc-explicit", "a tenth of the time", r, "warning", "6 s, 10 % of the time")
r = full("System.gc()", 10, of=10)
r.add("jdk.SystemGC", at=30, duration=0.2, eventThread="main", stackTrace=["java.lang.System.gc", "app>app.Nightly.run"])
expect("gc-explicit", "who calls", r, "warning", "app.Nightly.run")
r.add("jdk.SystemGC", at=31, duration=9, stackTrace=["java.lang.System.gc", "java.nio.Bits.reserveMemory"])
expect("gc-explicit", "the JDK for direct buffers", r, "warning", "")

expect("gc-by-tools", "none", full("System.gc()"), "ok")
expect("gc-by-tools", "one histogram", full("Heap Inspection Initiated GC"), "info", "1 histogram")
expect("gc-by-tools", "a hundred", full("Heap Inspection Initiated GC", 100), "info")
r = full("Heap Inspection Initiated GC", 3)
turn(r, "jdk.ObjectCount", enabled="true")
r.add("jdk.ObjectCount", at=30, gcId=100, objectClass="app.A", count=5, totalSize=80)
expect("gc-by-tools", "by this recording", r, "info", "This recording itself")
r = full("", 0)
r.add("jdk.HeapDump", at=5, duration=1, destination="/tmp/a.hprof", size=5 * MB)
expect("gc-by-tools", "a heap dump", r, "info", "/tmp/a.hprof")
r.add("jdk.HeapDump", at=6, duration=1, destination="/tmp/b.hprof", size=5 * MB, onOutOfMemoryError=True)
expect("gc-by-tools", "for an OutOfMemoryError", r, "warning", "OutOfMemoryError")


def locked(n, of=100, jdk=17):
    r = jvm(jdk=jdk, GarbageCollection={})
    for i in range(of):
        cause = "GCLocker Initiated GC" if i < n else "G1 Evacuation Pause"
        r.add("jdk.GarbageCollection", at=i / 2, duration=0.01, gcId=i, name="G1New", cause=cause)
    return r


for n, severity in (0, "ok"), (9, "ok"), (10, "info"), (100, "info"):
    expect("gc-locker", f"{n} of 100", locked(n), severity)
expect("gc-locker", "JDK 25", locked(50, jdk=25), "not-in-jvm", "JDK 24 and older")

# Targets, threads, options ------------------------------------------------------------------------


def slices(over, of=1000, by=1.1):
    r = jvm(G1MMU={})
    for i in range(of):
        r.add("jdk.G1MMU", at=i / 20, gcId=i, timeSlice=0.2, gcTime=0.2 * by if i < over else 0.1, pauseTarget=0.2)
    return r


for over, severity in (0, "ok"), (1, "ok"), (9, "ok"), (10, "info"), (99, "info"), (100, "warning"):
    expect("gc-pause-target", f"{over} of 1000 slices over the target", slices(over), severity)
expect("gc-pause-target", "one, by nearly twice the target", slices(1, by=1.99), "ok")
expect("gc-pause-target", "one, by twice the target", slices(1, by=2), "warning")
# A collector without processors keeps no target: others had them in most of the slices, or not.
for machine, jvm_share, late, severity, text in (
    (1.0, 0.1, 200, "info", "cpu-others"),
    (1.0, 0.1, 49, "warning", ""),
    (1.0, 0.6, 200, "warning", ""),
    (0.9, 0.1, 200, "warning", ""),
):
    r = slices(200)
    turn(r, "jdk.CPULoad", period="1 s")
    for second in range(60):
        is_late = second * 20 <= late
        r.add("jdk.CPULoad", at=second, jvmUser=jvm_share if is_late else 0.6, jvmSystem=0, machineTotal=machine)
    expect("gc-pause-target", f"slices while others take {machine - jvm_share:.1f} of {machine}, to {late}", r, severity, text)
r = slices(200, by=1)
r.add("jdk.G1MMU", at=55, gcId=2000, timeSlice=0.201, gcTime=0.201, pauseTarget=0.2)
expect("gc-pause-target", "a slice that is full", r, "ok", "201 ms or more")


def starved(user, real, collector="G1"):
    r = jvm(collector=collector, GCCPUTime={})
    r.add("jdk.GCCPUTime", at=5, gcId=1, userTime=user, systemTime=0.01, realTime=real)
    return r


expect("gc-parallelism", "a tick of the clock", starved(0, 0.01), "ok")
expect("gc-parallelism", "90 ms without a processor", starved(-0.01, 0.09), "ok")
expect("gc-parallelism", "100 ms, of which 100 are missing", starved(-0.01, 0.1), "ok")
expect("gc-parallelism", "110 ms are missing", starved(0.08, 0.2), "info", "110 ms of 200 ms")
expect("gc-parallelism", "150 ms of 2 s are missing", starved(1.84, 2), "ok")
expect("gc-parallelism", "serial collector", starved(0, 1, "Serial"), "not-in-jvm", "Serial")

for what, options, severity, says in (
    ("it fits", {"hw": 4}, "ok", ""),
    ("serial with 5 GB on 4 processors", {"hw": 4, "heap": 5000, "collector": "Serial"}, "info", "G1"),
    ("serial with 4 GB", {"hw": 4, "heap": 4096, "collector": "Serial"}, "ok", ""),
    ("serial on 3 processors", {"hw": 3, "heap": 9000, "collector": "Serial"}, "ok", ""),
    ("parallel on one processor", {"hw": 1, "collector": "Parallel"}, "info", "one processor"),
    ("two threads on one processor", {"hw": 1}, "info", "2 threads for 1"),
    ("parallel on two", {"hw": 2, "collector": "Parallel"}, "ok", ""),
):
    r = jvm(**options)
    r.add("jdk.GCHeapConfiguration", at=0, maxSize=options.get("heap", 512) * MB, usesCompressedOops=True, heapAddressBits=32)
    expect("gc-options", what, r, severity, says)


def pointers(collector="G1", heap=31 * 1024, bits=64):
    r = jvm(collector=collector, hw=16)
    r.add("jdk.GCHeapConfiguration", at=0, maxSize=heap * MB, usesCompressedOops=False, heapAddressBits=bits)
    return r


expect("gc-options", "pointers of 8 bytes with 31 GB", pointers(), "info", "UseCompressedOops")
expect("gc-options", "pointers of 8 bytes with 32 GB", pointers(heap=32 * 1024), "ok")
expect("gc-options", "pointers of ZGC", pointers("Z"), "ok")
expect("gc-options", "a JVM of 32 bits", pointers(bits=32), "ok")
r = jvm(hw=16)
r.add("jdk.GCHeapConfiguration", at=0, maxSize=512 * MB, usesCompressedOops=True, heapAddressBits=32)
r.add("jdk.GCConfiguration", at=0, youngCollector="G1New", oldCollector="G1Old", parallelGCThreads=13)
expect("gc-options", "13 threads on a host of 16", r, "ok")
r.add("jdk.ContainerConfiguration", at=0, effectiveCpuCount=2, cpuQuota=0.2, cpuSlicePeriod=0.1)
expect("gc-options", "13 threads in a container of 2", r, "info", "13 threads for 2")

# Settings, clocks ---------------------------------------------------------------------------------

r = jvm(60, GCPhasePause={})
turn(r, "jdk.GCPhasePause", at=30, enabled="false")
expect("gc-pause-share", "switched off in the middle, without a pause before", r, "ok", "")
r = jvm(60)
turn(r, "jdk.GCPhasePause", enabled="false")
turn(r, "jdk.GCPhasePause", at=30, enabled="true")
expect("gc-pause-share", "switched on in the middle", with_events(r, *several("GCPhasePause", range(40, 50), duration=0.7)),
       "warning")  # fmt: skip


def held_up(cpu, share=0.12, real=None, **how):
    """Collections that had a processor for so much of their time."""
    r = paused(share, 60, **how)
    for i in range(60):
        r.add("jdk.GCCPUTime", at=i, gcId=i, userTime=share * cpu * 0.9, systemTime=share * cpu * 0.1, realTime=real or share)
    return r


for cpu, severity in (2, "warning"), (0.65, "warning"), (0.55, "info"), (0.2, "ok"):
    expect("gc-pause-share", f"12 % of the time, with {cpu} processors", held_up(cpu), severity, "wait for a processor" if cpu < 0.6 else "")
expect("gc-pause-share", "less than a second of it says nothing", held_up(0.2, real=0.01), "warning")
expect("gc-pause-longest", "a pause of 0.7 s, with two processors", held_up(2, share=0.7, every=1), "warning")
expect("gc-pause-longest", "a pause of 0.3 s, with half of one", held_up(0.5, share=0.3, every=1), "info", "give the JVM more")
expect("gc-pause-longest", "a pause of 0.2 s, with a fifth of one", held_up(0.2, share=0.2, every=1), "ok")
back = chunks(paused(0.12, 60, r=jvm(60)), paused(0.12, 60, r=jvm(120, start=60, clock=-30), first=60))
expect("gc-pause-share", "the clock was set back by half a minute", back, "warning")
expect("gc-pause-longest", "the clock was set back", back, "ok")
forth = chunks(paused(0.04, 60, r=jvm(60)), paused(0.04, 60, r=jvm(120, start=60, clock=3600), first=60))
expect("gc-pause-share", "the clock was set forward by an hour", forth, "ok")
expect("recording-damaged", "the clock was set back", back, "info", "set back")
expect("recording-damaged", "the clock was set forward", forth, "info", "60 min")


def writes(times=5, length=1.8, apart=1.0, event="FileWrite", threads=1):
    """Writes of one thread that begin that far apart."""
    r = jvm(60, FileWrite={"threshold": "10 ms"}, SocketRead={"threshold": "10 ms"}, FileRead={"threshold": "10 ms"})
    for i in range(times):
        r.add("jdk." + event, at=2 + i * apart, duration=length, path="/data/a", eventThread=f"w-{i % threads}", stackTrace=["app>app.A.b"])
    return r


expect("recording-damaged", "waits of one thread overlap", writes(), "info", "The clock jumped: 4 waits")
expect("recording-damaged", "in any order", backwards(writes()), "info", "by up to 800 ms")
expect("recording-damaged", "two waits", writes(times=3), "ok")
expect("recording-damaged", "waits of several threads", writes(threads=3), "ok")
expect("recording-damaged", "one after the other", writes(apart=1.8), "ok")
expect("recording-damaged", "a little, as clocks of processors differ", writes(apart=1.795), "ok")
expect("recording-damaged", "a chunk that is there twice", writes(apart=2).bytes() * 2, "info", "recordings were mixed")
expect("file-wait", "what is said of a clock that jumps", with_events(writes(), ("FileWrite", 30, {"duration": 5, "path": "/data/a", "eventThread": "w-1"})), "warning", "the clock jumped")

finish()
