"""The rules of analyze judge recordings as planted: what is below, at and above their limits.

usage: analyze_rules.py JFREC SOURCE_ROOT

For each rule there is a recording that fires and the nearest that must not.  Prints TAP.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(sys.argv[2], "tests"))
from judged import JFREC, MB, ROOT, TYPES, expect, jvm, several, turn, with_events  # noqa: E402
from tap import finish, result  # noqa: E402

# No data, of four kinds --------------------------------------------------------------------------

expect("container-throttled", "no container", jvm(ContainerCPUThrottling={}), "not-in-jvm", "no container")
r = jvm()
turn(r, "jdk.ZAllocationStall", enabled="false")
expect("gc-zgc-stall", "switched off", r, "off", "jfrec start --settings")
expect("gc-zgc-stall", "another collector", jvm(ZAllocationStall={}), "not-in-jvm", "Only ZGC")
expect("vthread-pinned", "an older JDK", jvm(jdk=17, VirtualThreadPinned={}), "not-in-jvm", "JDK 21")
expect("thread-growth", "on, but none came", jvm(JavaThreadStatistics={"period": "1000 ms"}), "none", "1 s")
expect(
    "sampling-lost",
    "too few",
    with_events(jvm(CPUTimeSample={}), *several("CPUTimeSample", range(5), samplingPeriod=0.01)),
    "too-few",
    "20 are needed",
)


# One cause, its effects beneath it ---------------------------------------------------------------


def verdict_of(r):
    """The verdict, and by what each finding is explained."""
    with tempfile.NamedTemporaryFile(suffix=".jfr") as f:
        f.write(r.bytes())
        f.flush()
        done = subprocess.run([JFREC, "analyze", "--json", f.name], capture_output=True, text=True)
        text = subprocess.run([JFREC, "analyze", f.name], capture_output=True, text=True).stdout
    v = json.loads(done.stdout)["jvms"][0]
    return v["verdict"], {x["rule"]: x.get("explainedBy") for x in v["findings"] if x["severity"] in ("info", "warning")}, text


r = jvm(GCPhasePause={})
for i in range(50):
    r.add("jdk.GarbageCollection", at=i, duration=0.3, gcId=i, name="G1New", cause="G1 Evacuation Pause")
    r.add("jdk.GCPhasePause", at=i, duration=0.3, gcId=i, name="GC Pause")
    r.add("jdk.GCHeapSummary", at=i + 0.3, gcId=i, when="After GC", heapUsed=400 * MB)
verdict, causes, text = verdict_of(r)
result("verdict: the heap is too small", verdict.startswith("The heap is too small: 400 MiB of 512 MiB stay in use; "), verdict)
result("verdict: what follows is said", "follow" in verdict and causes["gc-pause-share"] == "heap-too-small" and causes["heap-too-small"] is None, str(causes))
result("verdict: the text begins with it", text.split("\n")[1].startswith("The heap is too small"), text[:300])
result("verdict: what follows is a line", re.search(r"\+ warning gc-pause-share", text) is not None and "\nwarning  gc-pause-share" not in text, text)
verdict, causes, text = verdict_of(jvm(GCPhasePause={}))
result("verdict: no trouble", verdict.startswith("No trouble was found by the "), verdict)

# What an outage would need, and nothing tells ----------------------------------------------------


def untold_of(r):
    with tempfile.NamedTemporaryFile(suffix=".jfr") as f:
        f.write(r.bytes())
        f.flush()
        done = subprocess.run([JFREC, "analyze", "--json", f.name], capture_output=True, text=True)
    return json.loads(done.stdout)["jvms"][0].get("cannotTell") or ""


untold = untold_of(jvm(60, GCPhasePause={}))
result("cannot tell: what was off, not what was on", "hot code" in untold and "collections" not in untold, untold)
result("cannot tell: nothing of the host, nor of a container that is none", "throttling" not in untold, untold)
untold = untold_of(jvm(60, GCPhasePause={}, ExecutionSample={}, JavaMonitorEnter={}))
result("cannot tell: samples and waits tell", "hot code" not in untold and "locks" not in untold, untold)
result("cannot tell: the command that records it", untold.endswith("; to record what can: `jfrec record --duration 6m PID`"), untold)

# Containers --------------------------------------------------------------------------------------


def throttled(share, seconds=180, periods=300, cpus=3):
    r = jvm(seconds)
    r.add(
        "jdk.ContainerConfiguration",
        at=0,
        cpuQuota=0.25,
        cpuSlicePeriod=0.1,
        effectiveCpuCount=cpus,
        memoryLimit=-1,
    )
    for i in range(seconds // 30 + 1):
        r.add(
            "jdk.ContainerCPUThrottling",
            at=30 * i,
            cpuElapsedSlices=5000 + periods * i,
            cpuThrottledSlices=5000 + round(periods * share * i),
            cpuThrottledTime=4000 + i,
        )
    return r


for share, severity in (0.04, "ok"), (0.05, "info"), (0.24, "info"), (0.25, "warning"), (0.84, "warning"):
    expect("container-throttled", f"{share:.0%} of the periods", throttled(share), severity)
expect(
    "container-throttled",
    "what was before the recording does not count",
    throttled(0),
    "ok",
    "did not throttle",
)
expect("container-throttled", "three processors may be fewer", throttled(0.5), "warning", "ActiveProcessorCount")
expect("container-throttled", "one may not", throttled(0.5, cpus=1), "warning", "fewer threads be at work")
expect("container-throttled", "the quota in CPUs", throttled(0.5), "warning", '"value": 2.5')
r = throttled(0)
r.add("jdk.ContainerCPUThrottling", at=181, cpuElapsedSlices=10, cpuThrottledSlices=9, cpuThrottledTime=1)
expect("container-throttled", "a new group begins anew", r, "ok")


def memory(used, resident=None, limit=1000, heap=300, failures=0):
    r = jvm(heap=heap)
    r.add(
        "jdk.ContainerConfiguration",
        at=0,
        memoryLimit=limit * MB,
        effectiveCpuCount=2,
        hostTotalMemory=64000 * MB,
    )
    for i in range(3):
        r.add("jdk.ContainerMemoryUsage", at=30 * i, memoryUsage=used * MB, memoryFailCount=failures * i)
        if resident:
            r.add("jdk.ResidentSetSize", at=i, size=resident * MB)
    return r


for used, severity in (840, "ok"), (850, "info"), (950, "warning"):
    expect("container-memory", f"{used} of 1000 MB", memory(used, used), severity)
expect("container-memory", "most of it is not the JVM's", memory(960, 400), "info", "not this JVM")
expect("container-memory", "allocations met the limit", memory(500, failures=3), "info", "met the limit")
r = memory(300, heap=900)
r.add("jdk.GCHeapSummary", at=1, gcId=1, when="After GC", heapUsed=100 * MB, heapSpace={"committedSize": 150 * MB})
expect("container-memory", "the heap may outgrow the limit", r, "info", "may fill 1.06 GiB")
r = jvm(heap=600)
r.add("jdk.ContainerConfiguration", at=0, memoryLimit=500 * MB, hostTotalMemory=64000 * MB)
expect("container-memory", "the heap alone is larger than the limit", r, "info", "may fill 600 MiB")
expect("container-memory", "no limit", memory(300, limit=64000), "ok", "No memory limit")

r = jvm(collector="Serial")
r.add("jdk.ContainerConfiguration", at=0, effectiveCpuCount=1, cpuQuota=0.15, cpuSlicePeriod=0.1)
expect("container-cpu-view", "one CPU", r, "info", "serial collector")
r = jvm()
r.add("jdk.ContainerConfiguration", at=0, effectiveCpuCount=2, cpuQuota=0.2, cpuSlicePeriod=0.1)
expect("container-cpu-view", "it fits", r, "ok")


def swapped(grows, pause=0):
    r = jvm()
    for i in range(3):
        r.add(
            "jdk.ContainerMemoryUsage",
            at=20 * i,
            memoryUsage=500 * MB,
            swapMemoryUsage=(600 + grows * i) * MB,
        )
    if pause:
        r.add("jdk.GCPhasePause", at=25, duration=pause, gcId=1, name="GC Pause")
    return r


expect("container-swap", "swapped before, not since", swapped(0), "ok")
expect("container-swap", "swapped out meanwhile", swapped(10), "info")
expect("container-swap", "with a long pause in it", swapped(10, 1.5), "warning", "swapped memory")
r = swapped(10, 1.5)
r.add("jdk.OSInformation", at=0, osVersion="OS: Windows 11 , 64 bit Build 22621 (10.0.22621.2506)")
expect("container-swap", "on Windows", r, "not-in-jvm", "promised")


# Collectors --------------------------------------------------------------------------------------


def collections(
    r, count, every=1.0, name="G1New", cause="G1 Evacuation Pause", first=0, after=None, before=None
):
    for i in range(count):
        at = first + i * every
        r.add("jdk.GarbageCollection", at=at, duration=0.01, gcId=first * 1000 + i, name=name, cause=cause)
        if after is not None:
            r.add(
                "jdk.GCHeapSummary",
                at=at,
                gcId=first * 1000 + i,
                when="Before GC",
                heapUsed=(before or after) * MB,
            )
            r.add(
                "jdk.GCHeapSummary", at=at + 0.01, gcId=first * 1000 + i, when="After GC", heapUsed=after * MB
            )
    return r


def evacuation(failing, of=50, full_at=None):
    r = collections(jvm(EvacuationFailed={}), of)
    for i in range(failing):
        for worker in range(7):
            r.add(
                "jdk.EvacuationFailed",
                at=i + 0.005,
                gcId=i,
                evacuationFailed={"objectCount": 3, "totalSize": 4096},
            )
    if full_at is not None:
        r.add(
            "jdk.GarbageCollection",
            at=full_at,
            duration=0.3,
            gcId=999,
            name="G1Full",
            cause="G1 Compaction Pause",
        )
    return r


expect("gc-evacuation-failed", "none", evacuation(0), "ok")
expect("gc-evacuation-failed", "one collection of fifty, seven workers", evacuation(1), "info", "1 of 50")
expect("gc-evacuation-failed", "every tenth", evacuation(5), "warning")
expect("gc-evacuation-failed", "a full collection after it", evacuation(1, full_at=0.5), "warning")

for n, severity in (2, "ok"), (4, "ok"), (5, "info"):
    r = collections(jvm(GarbageCollection={}), 50 - n)
    expect(
        "gc-humongous", f"{n} of 50", collections(r, n, cause="G1 Humongous Allocation", first=55), severity
    )
r = collections(jvm(GarbageCollection={}), 5, cause="G1 Humongous Allocation", name="G1Full")
expect("gc-humongous", "full collections", r, "warning")
# Half of all are made for such objects, and collections stop the application for 4 or 6 % of a minute.
for share, pause, severity in (0.5, 0.026, "info"), (0.5, 0.04, "warning"), (0.4, 0.04, "info"):
    r = collections(jvm(GarbageCollection={}, GCPhasePause={}), round(100 * (1 - share)))
    collections(r, round(100 * share), cause="G1 Humongous Allocation", first=55)
    for i in range(100):
        r.add("jdk.GCPhasePause", at=i * 0.6, duration=pause, gcId=i, name="GC Pause")
    expect("gc-humongous", f"{share:.0%}, pauses of {pause / 0.6:.0%}", r, severity)


def stalls(length, count=1):
    events = several(
        "ZAllocationStall", range(count), duration=length, eventThread="worker", stackTrace=["app>app.A.b"]
    )
    return with_events(jvm(collector="Z", ZAllocationStall={}), *events)


for length, severity in (0.009, "ok"), (0.010, "info"), (0.100, "warning"):
    expect("gc-zgc-stall", f"{length} s", stalls(length), severity)
expect("gc-zgc-stall", "many short ones", stalls(0.02, 50), "warning", "worker")
expect("gc-zgc-stall", "none", jvm(collector="Z", ZAllocationStall={}), "ok")


def degenerated(n, name="Pause Degenerated GC (Mark)"):
    r = collections(
        jvm(collector="Shenandoah", GCPhasePause={}), 100, 0.5, name="Shenandoah", cause="Concurrent GC"
    )
    return with_events(r, *several("GCPhasePause", range(n), duration=0.02, gcId=1, name=name))


for n, severity in (0, "ok"), (4, "info"), (5, "warning"):
    expect("gc-shenandoah-degenerated", f"{n} of 100", degenerated(n), severity)
expect("gc-shenandoah-degenerated", "a full one", degenerated(1, "Pause Full"), "warning")

expect("gc-frequency", "9 a second", collections(jvm(), 540, 1 / 9), "ok")
expect("gc-frequency", "11 a second", collections(jvm(), 660, 1 / 11), "info")
expect("heap-too-small", "nearly full after nine", collections(jvm(), 9, after=470), "ok", "stay in use")
expect("heap-too-small", "nearly full after ten", collections(jvm(), 10, after=470), "warning", "470 MiB of 512 MiB")


def paused(r, share, count=60):
    """Each second so much of a pause."""
    for i in range(count):
        r.add("jdk.GCPhasePause", at=i, duration=share, gcId=i, name="GC Pause")
    return r


for used, share, severity in (330, 0.06, "ok"), (340, 0.06, "warning"), (340, 0.04, "ok"):
    r = paused(collections(jvm(GCPhasePause={}), 50, after=used), share)
    expect("heap-too-small", f"{used} MB of 512, {share:.0%} in pauses", r, severity)
serial = {"name": "SerialOld", "cause": "Allocation Failure"}
for count, severity in (4, "ok"), (6, "warning"):
    r = collections(jvm(collector="Serial", GCPhasePause={}), 20, after=260)
    paused(collections(r, count, first=30, after=260, **serial), 0.06)
    expect("heap-too-small", f"{count} of {20 + count} are full ones", r, severity)
    expect("gc-full", f"{count} of {20 + count}, the serial collector", r, "info" if count > 4 else "ok")
expect("heap-too-small", "ZGC", collections(jvm(collector="Z"), 20, after=470), "not-in-jvm", "Z")

full = {"name": "G1Full", "cause": "G1 Compaction Pause"}
expect("heap-exhausted", "one full collection in vain", collections(jvm(), 1, after=500, **full), "ok")
expect(
    "heap-exhausted",
    "two in a row",
    collections(jvm(), 2, after=500, **full),
    "warning",
    "freed hardly anything",
)
expect("heap-exhausted", "two that helped", collections(jvm(), 2, after=100, before=500, **full), "ok")
expect(
    "heap-exhausted",
    "two that were asked for",
    collections(jvm(), 2, after=500, name="G1Full", cause="System.gc()"),
    "ok",
)
r = collections(jvm(), 1, after=100)
r.add("jdk.HeapDump", at=5, duration=1, onOutOfMemoryError=True)
expect("heap-exhausted", "a heap dump for an OutOfMemoryError", r, "warning", "OutOfMemoryError")



def filling(start, end, old=True):
    """A recording of 20 s, too short for a slope: young collections, and some of old objects."""
    r = jvm(20, heap=100)
    for i in range(60):
        used = start + (end - start) * min(1, i / 40)
        is_old = old and i % 6 == 0
        r.add("jdk.GarbageCollection", at=i / 3, duration=0.01, gcId=i, name="G1Old" if is_old else "G1New", cause="x")
        r.add("jdk.GCHeapSummary", at=i / 3 + 0.01, gcId=i, when="After GC", heapUsed=int((used + i / 60) * MB))
    return r


expect("live-set-growth", "the heap fills within seconds", filling(10, 80), "warning", "has filled")
expect("live-set-growth", "it fills steadily up to 85 %", filling(2, 128), "warning", "has filled")
expect("live-set-growth", "it fills to 60 %", filling(10, 60), "too-few")
expect("live-set-growth", "it was full from the start", filling(75, 80), "too-few")
expect("live-set-growth", "old objects were never collected", filling(10, 80, False), "too-few")



def allocating(rate):
    """So many MB a second, by a thread that ends before the JVM says what it allocated."""
    r = jvm(60, hw=2)
    for i in range(600):
        r.add("jdk.ObjectAllocationSample", at=i / 10, eventThread="worker", objectClass="app.Order",
              weight=rate * MB // 10, stackTrace=["app.Orders.load", "app.Main.main"])  # fmt: skip
    for at in 0, 59:
        r.add("jdk.ThreadAllocationStatistics", at=at, thread="main", allocated=15 * MB)
    return r


def first_sample(heavy, others=10, thread="worker"):
    """A thread that allocated much before the recording, and 20 MB/s in it."""
    r = jvm(60, hw=2)
    for i in range(600 if others else 1):
        r.add("jdk.ObjectAllocationSample", at=i / 10, eventThread=thread, objectClass="app.Order",
              weight=heavy * MB if i == 0 else 2 * MB, stackTrace=["app.Orders.load"])  # fmt: skip
    return r


expect("allocation-site", "what came before the recording", first_sample(100000), "ok", "20 MiB/s")
r = jvm(60, hw=2)
for i in range(60):
    r.add("jdk.GarbageCollection", at=i, duration=0.01, gcId=i, name="G1New", cause="x")
    r.add("jdk.GCHeapSummary", at=i, gcId=i, when="Before GC", heapUsed=350 * MB)
    r.add("jdk.GCHeapSummary", at=i + 0.01, gcId=i, when="After GC", heapUsed=50 * MB)
r.add("jdk.ThreadAllocationStatistics", at=0, thread="main", allocated=MB)
expect("allocation-site", "by how the heap fills", r, "info", "300 MiB/s")

expect("allocation-site", "180 MB/s on two CPUs", allocating(180), "ok")
expect("allocation-site", "220 MB/s", allocating(220), "info", "app.Orders.load")

expect("gc-heap-unused", "too short", collections(jvm(), 20, after=50), "too-few")
expect("gc-heap-unused", "a tenth is used", collections(jvm(700), 20, 30, after=50), "ok", "could be smaller")

for length, severity in (0.099, "ok"), (0.1, "info"), (1, "warning"):
    r = jvm(SafepointStateSynchronization={"threshold": "0 ms"})
    r.add("jdk.SafepointStateSynchronization", at=5, duration=length, runningThreadCount=1)
    r.add("jdk.SafepointLatency", at=5, duration=length, eventThread="late", stackTrace=["app>app.Loop.run"])
    expect("gc-safepoint-entry", f"{length} s", r, severity, "app.Loop.run")
r = jvm(SafepointStateSynchronization={"threshold": "200 ms"})
expect("gc-safepoint-entry", "a threshold that hides it", r, "off")
for length, severity in (0.02, "ok"), (0.06, "info"), (0.11, "warning"):
    r = jvm(60)
    for i in range(60):
        r.add("jdk.SafepointBegin", at=i, duration=length)
    expect("gc-safepoint-entry", f"60 times {length} s, by jdk.SafepointBegin", r, severity)
for first, last, severity in (100, 110, "ok"), (100, 350, "warning"), (400, 500, "ok"):
    r = jvm(60, heap=600)
    for i in range(20):
        r.add("jdk.DirectBufferStatistics", at=3 * i, memoryUsed=int((first + (last - first) * i / 19) * MB),
              maxCapacity=1000 * MB, count=9)  # fmt: skip
    expect("direct-buffers", f"from {first} to {last} of 1000 MB in a minute", r, severity)
for more, severity in (50, "ok"), (300, "warning"):
    r = jvm(20)
    for i in range(20):
        r.add("jdk.JavaThreadStatistics", at=i, activeCount=20 + more * i // 19, accumulatedCount=20 + more * i // 19)
    expect("thread-growth", f"{more} threads more in 20 s", r, severity)
for more, severity in (600, "too-few"), (900, "warning"):
    r = jvm(60)
    for i in range(30):
        r.add("jdk.ResidentSetSize", at=2 * i, size=int((200 + more * i / 29) * MB))
    expect("native-memory", f"{more} MB more in a minute, with a heap of 512 MB", r, severity)


# Threads -----------------------------------------------------------------------------------------


def pinned(length, count, at_once=1):
    r = jvm(hw=4, VirtualThreadPinned={"threshold": "20 ms"})
    for i in range(count):
        for _ in range(at_once):
            r.add(
                "jdk.VirtualThreadPinned",
                at=i,
                duration=length,
                pinnedReason="Native or VM frame on stack",
                stackTrace=["java.lang.Thread.sleep", "app>app.Native.call"],
            )
    return r


expect("vthread-pinned", "none", jvm(VirtualThreadPinned={}), "ok")
expect("vthread-pinned", "0.9 % of four carriers", pinned(0.216, 10), "ok")
expect("vthread-pinned", "1 %", pinned(0.24, 10), "info", "app.Native.call")
expect("vthread-pinned", "10 %", pinned(0.8, 30), "warning")
expect("vthread-pinned", "three of four at once", pinned(0.05, 1, 3), "ok")
expect("vthread-pinned", "all four at once", pinned(0.05, 1, 4), "info", "all of them at once")
expect("vthread-pinned", "all four at once, again and again", pinned(0.05, 13, 4), "warning", "all of them at once")
r = jvm(jdk=21)
r.add("jdk.VirtualThreadPinned", at=1, duration=9, stackTrace=["app>app.A.b"])
expect("vthread-pinned", "advice before JDK 24", r, "info", "ReentrantLock")

expect("vthread-submit-failed", "none", jvm(VirtualThreadSubmitFailed={}), "ok")
r = jvm()
r.add("jdk.VirtualThreadSubmitFailed", at=3, exceptionMessage="no", stackTrace=["app>app.A.b"])
expect("vthread-submit-failed", "one", r, "warning", "app.A.b")

on = {"VirtualThreadStart": {}, "VirtualThreadEnd": {}}
steady = [
    x
    for i in range(1200)
    for x in (("VirtualThreadStart", i / 10, {}), ("VirtualThreadEnd", i / 10 + 0.05, {}))
]
expect("vthread-many", "as many end", with_events(jvm(120, **on), *steady), "ok")
growing = [("VirtualThreadStart", i / 10, {}) for i in range(1200)]
expect("vthread-many", "none ends", with_events(jvm(120, **on), *growing), "info")


def threads(counts, started=0, every=10):
    r = jvm(every * len(counts))
    for i, n in enumerate(counts):
        r.add(
            "jdk.JavaThreadStatistics",
            at=every * i,
            activeCount=n,
            peakCount=n,
            accumulatedCount=started * every * i,
        )
    return r


expect("thread-growth", "always 100", threads([100] * 12), "ok")
expect("thread-growth", "from 100 to 119", threads(range(100, 120)), "ok")
expect("thread-growth", "from 100 to 210", threads(range(100, 220, 10)), "info")
expect("thread-growth", "a hump", threads([100, 100, 100, 300, 100, 100, 100, 100, 100, 100]), "ok")
expect("thread-growth", "from 4 to 8 is nothing", threads([4, 5, 6, 7, 8, 8, 8, 8]), "ok")
expect("thread-growth", "5001 threads", threads([5001] * 12), "warning")
expect("thread-growth", "60 new ones a second", threads([100] * 12, 60), "info", "pool")

# Memory ------------------------------------------------------------------------------------------


def native(first, last, rss=None, kind="Other", steps=20, seconds=600):
    r = jvm(seconds)
    for i in range(steps + 1):
        at, size = i * seconds / steps, first + (last - first) * i / steps
        r.add("jdk.NativeMemoryUsage", at=at, type=kind, committed=int(size * MB), reserved=0)
        r.add("jdk.NativeMemoryUsageTotal", at=at, committed=int((size + 300) * MB))
        r.add(
            "jdk.ResidentSetSize",
            at=at,
            size=int((rss[0] + (rss[1] - rss[0]) * i / steps if rss else size + 300) * MB),
        )
    return r


expect("native-memory", "steady", native(500, 500), "ok")
expect("native-memory", "40 MB more", native(200, 240), "ok")
expect("native-memory", "12 % more", native(500, 560), "info", "Other")
expect("native-memory", "doubled", native(100, 200), "warning")
expect("native-memory", "the heap may grow", native(100, 200, kind="Java Heap"), "ok")
expect(
    "native-memory",
    "memory that the JVM does not know of",
    native(100, 100, rss=(500, 900)),
    "warning",
    "500 MiB now",
)
r = native(100, 100, rss=(720, 780))
r.add("jdk.OSInformation", at=0, osVersion="uname: Linux 6.1.0 #1 SMP x86_64")
expect("native-memory", "a little of it", r, "info", "MALLOC_ARENA_MAX")
r = native(100, 100, rss=(500, 900))
r.add("jdk.OSInformation", at=0, osVersion="OS: Windows 11 , 64 bit Build 22621")
expect("native-memory", "on Windows", r, "warning", "native libraries that it uses, and")
expect("native-memory", "too short", native(100, 200, seconds=200), "too-few")

for used, severity in (79, "ok"), (80, "info"), (95, "warning"):
    r = jvm()
    r.add("jdk.DirectBufferStatistics", at=5, memoryUsed=used * MB, maxCapacity=100 * MB, count=used)
    expect("direct-buffers", f"{used} of 100 MB", r, severity)
r = jvm()
r.add("jdk.DirectBufferStatistics", at=5, memoryUsed=MB, maxCapacity=100 * MB, count=1)
r.add(
    "jdk.SystemGC",
    at=7,
    duration=0.1,
    stackTrace=["java.lang.System.gc", "java.nio.Bits.reserveMemory", "app>app.A.b"],
)
expect("direct-buffers", "the JDK's last try", r, "warning")


def loaders(counts):
    r = jvm(ClassLoaderStatistics={"period": "10 s"})
    for i, n in enumerate(counts):
        for k in range(n):
            r.add("jdk.ClassLoaderStatistics", at=10 * i + k * 1e-6, classLoader="leaking", chunkSize=4096)
        r.add("jdk.ClassLoaderStatistics", at=10 * i, classLoader="other", chunkSize=4096)
    return r


expect("class-loader-leak", "49 in the end", loaders([10, 20, 49]), "ok")
expect("class-loader-leak", "50 in the end", loaders([10, 20, 50]), "info", "app.Loader_leaking")
expect("class-loader-leak", "500 in the end", loaders([10, 250, 500]), "warning")
expect("class-loader-leak", "many, but no more", loaders([600, 600, 600]), "ok")
expect("class-loader-leak", "collected again", loaders([10, 300, 600, 5]), "ok")


def scripts(count=200, classes=6, loaded=None, unloaded=0, old_at=25, until=30, others=0):
    """One snapshot in the end, of loaders with so many classes each, and what was loaded meanwhile."""
    r = jvm(30, ClassLoaderStatistics={"period": "30 s"}, ClassLoadingStatistics={"period": "1 s"})
    loaded = count * classes if loaded is None else loaded
    for s in range(31):
        r.add("jdk.ClassLoadingStatistics", at=s * 0.99, loadedClassCount=3000 + int(loaded * min(1, s / until)), unloadedClassCount=int(unloaded * s / 30))
    for i in range(count + others):
        r.add("jdk.ClassLoaderStatistics", at=29.5 + i * 1e-6, classLoader="scripts", classCount=classes if i < count else 40 + i, chunkSize=4096)
    if old_at:
        r.add("jdk.GarbageCollection", at=old_at, duration=0.01, gcId=7, name="G1Old")
    return r


for count, severity in (49, "ok"), (51, "info"):
    expect("class-loader-leak", f"{count} loaders alike in the only snapshot", scripts(count), severity, "6 classes each" if count > 50 else "")
expect("class-loader-leak", "no collection of old objects would have shown them go", scripts(old_at=None), "ok")
expect("class-loader-leak", "it was long before", scripts(old_at=5), "ok")
expect("class-loader-leak", "many went", scripts(unloaded=400), "ok")
expect("class-loader-leak", "all were there before", scripts(loaded=30), "ok")
expect("class-loader-leak", "they were made in a start", scripts(until=12), "ok")
expect("class-loader-leak", "what was loaded is not theirs", scripts(loaded=9000), "ok")
expect("class-loader-leak", "of many sizes, as the bundles of a server", scripts(60, others=60), "ok")

# Code --------------------------------------------------------------------------------------------


def thrown_away(n):
    events = several(
        "Deoptimization",
        [i * 50 / n for i in range(n)],
        method="app.A.hot",
        reason="unstable_if",
        lineNumber=7,
    )
    return with_events(jvm(Deoptimization={}), *events)


expect("compiler", "a method 999 times", thrown_away(999), "ok")
expect("compiler", "a method 1000 times", thrown_away(1000), "warning", "app.A.hot")
failing = several("Compilation", range(3), method="app.A.huge", succeded=False)
expect("compiler", "a method fails three times", with_events(jvm(), *failing), "info", "app.A.huge")


def compilers(jit, own, seconds=180, jit_until=None, jvm_load=0.5, hw=4):
    """Two compiler threads and one of the application, with that load in processors."""
    r = jvm(seconds, hw=hw, ThreadCPULoad={"period": "10 s"}, CPULoad={"period": "1 s"}, Deoptimization={})
    for i in range(seconds // 10):
        is_busy = not jit_until or 10 * i < jit_until
        for name, load in ("C2 CompilerThread0", jit / 2 * is_busy), ("C1 CompilerThread0", jit / 2 * is_busy), ("worker", own):
            r.add("jdk.ThreadCPULoad", at=10 * i + 9, eventThread=name, user=load / hw, system=0)
    for i in range(seconds):
        r.add("jdk.CPULoad", at=i, jvmUser=jvm_load, jvmSystem=0, machineTotal=jvm_load)
    return r


expect("compiler", "29 % of what the JVM uses", compilers(0.58, 1.4), "ok")
expect("compiler", "31 %", compilers(0.62, 1.38), "info", "31 %")
expect("compiler", "all of little", compilers(0.15, 0.1, jvm_load=0.05), "ok")
expect("compiler", "in the first minute only", compilers(2, 0.1, jit_until=60), "ok")
expect("compiler", "recorded for that minute only", compilers(2, 0.1, seconds=80), "ok")
expect("compiler", "jdk.CPULoad is too small", compilers(0.5, 1.4, jvm_load=0.01), "ok")


def kernel(user, system, seconds=70, hw=4, from_s=0, rest=(0.1, 0.01)):
    r = jvm(seconds, hw=hw, CPULoad={"period": "1 s"})
    for i in range(seconds):
        u, s = (user, system) if i >= from_s else rest
        r.add("jdk.CPULoad", at=i, jvmUser=u / hw, jvmSystem=s / hw, machineTotal=(u + s) / hw)
    return r


for user, system, severity in (0.4, 0.49, "ok"), (0.4, 0.51, "info"), (0.52, 0.51, "ok"), (2, 1.9, "ok"), (0.1, 3, "info"):
    expect("kernel-time", f"{system} CPUs in the kernel, {user} outside", kernel(user, system), severity)
expect("kernel-time", "the second minute", kernel(0.2, 0.8, 120, from_s=60, rest=(2, 0.9)), "info", "0.8 processors")
expect("kernel-time", "four values", kernel(0.1, 3, 4), "too-few")
expect("kernel-time", "on one of 64 processors", kernel(0.1, 0.9, hw=64), "info")

r = jvm(30, RetransformClasses={})
expect("class-redefinition", "half a minute", r, "too-few")
r = with_events(
    jvm(600, RetransformClasses={}),
    *several("RetransformClasses", range(20, 320, 20), classCount=2, stackTrace=["agent.A.b"]),
)
expect("class-redefinition", "each 20 s", r, "info", "agent.A.b")
expect("class-redefinition", "none in ten minutes", jvm(600, RetransformClasses={}), "ok")

for what, times, severity in (
    ("all along in 30 s", range(2, 30, 3), "info"),
    ("four times in 30 s", range(2, 30, 7), "too-few"),
    ("in the first 10 s of 30", range(0, 10), "too-few"),
):
    r = jvm(30, RetransformClasses={"threshold": "0 ms"})
    expect("class-redefinition", what, with_events(r, *several("RetransformClasses", times, classCount=3, stackTrace=["agent>agent.A.b"])), severity)
for seconds, severity in (4, "too-few"), (6, "info"):
    r = jvm(seconds, RetransformClasses={"threshold": "0 ms"})
    times = [i / 2 for i in range(2 * seconds)]
    expect("class-redefinition", f"all along in {seconds} s", with_events(r, *several("RetransformClasses", times, classCount=3)), severity)

r = jvm()
r.add("jdk.NativeLibraryLoad", at=1, name="/x/libnetty_a.so", success=False, errorMessage="no")
expect("native-library", "one fails", r, "info", "libnetty_a.so")
r.add("jdk.NativeLibraryLoad", at=2, name="/x/libnetty_b.so", success=True)
expect("native-library", "another of its kind loads", r, "ok")

r = jvm()
r.add("jdk.DeprecatedInvocation", at=1, method="app.Old.gone", forRemoval=False, stackTrace=["app>app.A.b"])
expect("deprecated-calls", "deprecated, but not for removal", r, "ok")
r.add("jdk.DeprecatedInvocation", at=1, method="app.Old.gone", forRemoval=True, stackTrace=["app>app.A.b"])
expect("deprecated-calls", "for removal", r, "info", "app.Old.gone")

# Security ----------------------------------------------------------------------------------------


def read_object(stack, configured=False, status=None, depth=1):
    r = jvm()
    for i in range(5):
        r.add(
            "jdk.Deserialization",
            at=i,
            filterConfigured=configured,
            filterStatus=status,
            type="app.Order",
            depth=depth + i,
            stackTrace=stack,
        )
    return r


expect("deserialization", "with a filter", read_object(["app>app.A.b"], True, "ALLOWED"), "ok")
expect("deserialization", "without", read_object(["app>app.A.b"]), "info", "1 times in all")
expect(
    "deserialization",
    "from the network",
    read_object(["app>app.A.b", "sun.rmi.server.X.y"]),
    "warning",
    "from the network",
)
expect("deserialization", "rejected", read_object(["app>app.A.b"], True, "REJECTED"), "warning", "too narrow")

for version, cipher, severity in (
    ("TLSv1.3", "TLS_AES_256_GCM_SHA384", "ok"),
    ("TLSv1.2", "TLS_RSA_WITH_AES_128_GCM_SHA256", "info"),
    ("TLSv1.2", "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", "info"),
    ("TLSv1.1", "TLS_AES_256_GCM_SHA384", "warning"),
    ("TLSv1.2", "SSL_RSA_WITH_RC4_128_SHA", "warning"),
):
    r = jvm()
    r.add("jdk.TLSHandshake", at=1, peerHost="db", peerPort=443, protocolVersion=version, cipherSuite=cipher)
    expect("tls", f"{version} {cipher}", r, severity)


def property_set(key, value, before="SSLv3, RC4, DES"):
    r = jvm(SecurityPropertyModification={})
    r.add("jdk.InitialSecurityProperty", at=0, key=key, value=before)
    r.add("jdk.SecurityPropertyModification", at=1, key=key, value=value, stackTrace=["app>app.A.b"])
    return r


expect("security-properties", "one that does not matter", property_set("my.own", ""), "ok")
expect(
    "security-properties",
    "forbids more",
    property_set("jdk.tls.disabledAlgorithms", "SSLv3, RC4, DES, MD5"),
    "info",
)
expect(
    "security-properties",
    "forbids less",
    property_set("jdk.tls.disabledAlgorithms", "SSLv3"),
    "warning",
    "app.A.b",
)

for name, severity in ("PWD", "ok"), ("OLDPWD", "ok"), ("DB_PASSWORD", "warning"), ("db_pwd", "warning"):
    r = jvm()
    r.add("jdk.InitialEnvironmentVariable", at=0, key=name, value="/home/anna" if "OLD" in name or name == "PWD" else "Zk3-anna-77")
    expect("secrets", f"the variable {name}", r, severity)

# The profile -------------------------------------------------------------------------------------


def busy(top, below, count=1200, state="STATE_RUNNABLE", settings=None, **more):
    """Samples of one thread, 20 a second."""
    r = jvm(60, **more)
    for name, value in (settings or {"enabled": "true", "period": "20 ms"}).items():
        r.add("jdk.ActiveSetting", at=0, id=TYPES.by_name["jdk.ExecutionSample"]["id"], name=name, value=value)
    for i in range(count):
        r.add("jdk.ExecutionSample", at=i / 20, sampledThread="main", state=state, stackTrace=[*top, *below])
    return r


r = busy(["java.util.HashMap.hash", "app.Prices.find"], ["app.Main.main"])
expect("hot-method", "the method that asks is named", r, "info", "app.Prices.find is the first method of the application")
expect("hot-method", "and what is on top", r, "info", "java.util.HashMap.hash")
r = busy(["java.util.concurrent.locks.LockSupport.park"], ["app.Main.main"])
expect("hot-method", "threads that wait", r, "ok", "No thread was seen at work")
r = busy(["app.Fib.fib"], [], settings={"interval": "10000000", "event": "cpu"})
expect("hot-method", "async-profiler's interval", r, "info", "app.Fib.fib")
r = busy(["app.Fib.fib"], [], settings={"interval": "0", "event": "wall"}, state="STATE_SLEEPING")
expect("hot-method", "async-profiler's wall clock, asleep", r, "ok", "No thread was seen at work")
invoke = ["java.lang.reflect.Method.invoke", "org.framework.Handler.call"]
expect("cpu-by-purpose", "a framework enters by reflection", busy(["app.Orders.sum", *invoke], []), "ok")
expect("cpu-by-purpose", "reflection itself", busy(invoke, ["app.Orders.read"]), "info", "org.framework.Handler.call")
r = busy(["org.bouncycastle.crypto.Argon2.hash", "app.Login.check"], ["app.Main.main"])
expect("cpu-by-purpose", "its command has what is there", r, "info", "flame --include 'org.bouncycastle.")
r = busy(["org.h2.mvstore.Cursor.hasNext", "java.util.X.y", "org.h2.table.TableFilter.next", "app.Orders.find"], ["app.Main.main"])
expect("hot-method", "a library's, and which method of the application asks", r, "info", "org.h2.mvstore.Cursor.hasNext is the first method outside of the JDK")
expect("hot-method", "the latter", r, "info", "asked for most by app.Orders.find")
mapper = ["com.fasterxml.jackson.databind.introspect.X.y", "com.fasterxml.jackson.databind.deser.DeserializerCache._createAndCache2",
          "com.fasterxml.jackson.databind.ObjectMapper.readValue", "app.Orders.read"]  # fmt: skip
load = several("CPULoad", range(60), jvmUser=0.5, jvmSystem=0, machineTotal=0.5)
expect("cpu-by-purpose", "what could be kept is made each time", with_events(busy(mapper, []), *load), "warning", "once and kept (com.fasterxml.jackson.databind.deser.DeserializerCache._createAndCache2), asked for by app.Orders.read")  # fmt: skip
expect("cpu-by-purpose", "the command shows it", busy(mapper, []), "warning", "flame --include 'com.fasterxml.jackson.databind.deser.DeserializerCache._createAndCache*'")
for load, severity in (0.019, "ok"), (0.021, "info"), (0.099, "info"), (0.101, "warning"):
    r = with_events(busy(mapper, []), *several("CPULoad", range(60), jvmUser=load / 4, jvmSystem=0, machineTotal=0.5))
    expect("cpu-by-purpose", f"with {load} of a processor", r, severity)
r = busy(["app.Orders.sum"], [], count=1200)
for i in range(400):
    r.add("jdk.ExecutionSample", at=i / 40, sampledThread="main", state="STATE_RUNNABLE", stackTrace=mapper)
expect("cpu-by-purpose", "made in the first seconds only", r, "info", "are for JSON, asked for by app.Orders.read")
for top, what in (
    ("org.apache.logging.log4j.util.StackLocator.calcLocation", "where in the code a message is logged"),
    ("org.hibernate.collection.spi.AbstractPersistentCollection.initialize", "one by one"),
    ("java.util.HashMap$TreeNode.find", "colliding keys"),
):
    expect("cpu-by-purpose", what, busy([top, "org.slf4j.Logger.info", "app.Orders.read"], []), "warning", f"{what}")
jar = ["java.util.zip.Inflater.inflate", "jdk.internal.loader.Resource.getBytes", "java.lang.ClassLoader.loadClass", "app.Orders.read"]
expect("cpu-by-purpose", "a jar is unpacked to load a class", busy(jar, []), "info", "for loading classes, asked for by app.Orders.read")
expect("cpu-by-purpose", "a free pool is no wait", busy(["org.h2.Value.get", "com.zaxxer.hikari.pool.HikariProxy.execute"], []), "ok")


def wrong_load(system="uname: Darwin 22.1.0", jdk=17, threads=0.2, load=0.005):
    r = jvm(60, jdk=jdk, hw=8)
    r.add("jdk.OSInformation", at=0, osVersion=system)
    for i in range(60):
        r.add("jdk.CPULoad", at=i, jvmUser=load, jvmSystem=0.0, machineTotal=1.0)
        if i % 10 == 0:
            r.add("jdk.ThreadCPULoad", at=i, eventThread="main", user=threads, system=0.0)
    return r


expect("cpu-others", "a load in a wrong unit", wrong_load(), "none", "wrong unit")
expect("cpu-others", "a load that threads bear out", wrong_load(threads=0.005), "info", "Other processes")


def sampled(samples, load=0.25, thread="worker", seconds=60):
    """One thread of four processors, at 20 ms."""
    r = jvm(seconds, hw=4, ExecutionSample={"period": "20 ms"}, ThreadCPULoad={"period": "10 s"})
    for i in range(samples):
        r.add(
            "jdk.ExecutionSample",
            at=i * seconds / samples,
            sampledThread="worker",
            stackTrace=["app>app.A.b"],
            state="STATE_RUNNABLE",
        )
    for i in range(seconds // 10):
        r.add("jdk.ThreadCPULoad", at=10 * i + 9, eventThread=thread, user=load, system=0)
    return r


expect("sampling-reached", "all of them", sampled(3000), "ok")
expect("sampling-reached", "half are missing", sampled(1400), "info")
expect("sampling-reached", "nearly all are missing", sampled(100), "warning", "hardly sampled")
expect("sampling-reached", "an idle program", sampled(3, load=0.001), "too-few")
expect(
    "sampling-reached", "threads of the JVM do not count", sampled(3, thread="C2 CompilerThread0"), "too-few"
)
expect("sampling-reached", "nor does what main becomes", sampled(3, thread="DestroyJavaVM"), "too-few")


def shared(r, jvm_load, machine, seconds=60):
    turn(r, "jdk.CPULoad", enabled="true", period="1 s")
    return with_events(r, *several("CPULoad", range(seconds), jvmUser=jvm_load, jvmSystem=0, machineTotal=machine))


for samples, jvm_load, severity, says in (
    (450, 0.25, "info", "cpu-others"),
    (450, 0.9, "warning", ""),
    (100, 0.25, "info", "cpu-others"),
    (100, 0.9, "warning", "hardly sampled"),
):
    expect("sampling-reached", f"{samples} samples, others have {1 - jvm_load:.0%}", shared(sampled(samples), jvm_load, 1), severity, says)


def lost(n, fails=0, throttle="10 ms", period=0.01):
    r = jvm(CPUTimeSample={"throttle": throttle})
    for i in range(100 - n):
        r.add(
            "jdk.CPUTimeSample",
            at=i / 10,
            samplingPeriod=period,
            failed=i < fails,
            eventThread="t",
            stackTrace=["app>app.A.b"],
        )
    if n:
        r.add("jdk.CPUTimeSamplesLost", at=50, lostSamples=n, eventThread="loser")
    return r


for n, severity in (9, "ok"), (10, "info"), (30, "warning"):
    expect("sampling-lost", f"{n} of 100", lost(n), severity)
expect("sampling-lost", "6 fail", lost(0, 6), "info")
expect("sampling-lost", "20 fail", lost(0, 20), "warning")
expect(
    "sampling-lost",
    "the kernel's tick",
    lost(0, throttle="1 ms", period=0.004),
    "info",
    "the kernel gives one each 4 ms",
)


def late(length, count=100):
    r = jvm(SafepointLatency={"threshold": "0 ms"})
    return with_events(
        r,
        *several(
            "SafepointLatency",
            [i / 10 for i in range(count)],
            duration=length,
            eventThread="t",
            stackTrace=["app>app.A.b"],
        ),
    )


expect("sampling-latency", "9 ms", late(0.009), "ok")
expect("sampling-latency", "11 ms", late(0.011), "info")
expect("sampling-latency", "one of a second", late(1.0, 1), "warning")
expect("sampling-latency", "11 ms, others have the processors", shared(late(0.011), 0.2, 1), "ok")
expect("sampling-latency", "11 ms, the JVM has them", shared(late(0.011), 0.9, 1), "info")
expect("sampling-latency", "a second, others have the processors", shared(late(1.0, 1), 0.2, 1), "info", "other processes")


def profile(top, n, of=200):
    r = jvm(ExecutionSample={"period": "20 ms"})
    for i in range(of):
        r.add(
            "jdk.ExecutionSample",
            at=i / 10,
            sampledThread="w",
            stackTrace=[top if i < n else "app>app.A.b", "app>app.Main.main"],
        )
    return r


expect("sampling-intrinsics", "59 of 200", profile("java.util.Arrays.copyOf", 59), "ok")
expect("sampling-intrinsics", "60 of 200", profile("java.util.Arrays.copyOf", 60), "info")
expect(
    "cpu-by-purpose", "19 of 200 in regular expressions", profile("java.util.regex.Pattern.match", 19), "ok"
)
expect("cpu-by-purpose", "20 of 200", profile("java.util.regex.Pattern.match", 20), "info", "app.Main.main")
expect("cpu-by-purpose", "too few", profile("java.util.regex.Pattern.match", 20, 99), "too-few")


def few(n, load):
    return with_events(
        profile("app>app.A.b", n, n),
        *several("CPULoad", range(60), jvmUser=load, jvmSystem=0, machineTotal=load),
    )


expect("sampling-few", "99 of a busy program", few(99, 0.5), "info", "may be off by")
expect("sampling-few", "100", few(100, 0.5), "ok")
expect("sampling-few", "an idle program", few(20, 0.001), "ok")

r = profile("app>app.A.b", 100)
expect("sampling-double", "one", r, "ok")
r.add("jdk.CPUTimeSample", at=1, samplingPeriod=0.01, stackTrace=["app>app.A.b"])
expect("sampling-double", "two", r, "info")

# The recorder ------------------------------------------------------------------------------------

whole = jvm().bytes()
expect("recording-damaged", "whole", whole, "ok")
expect("recording-damaged", "an event is hit", whole[:68] + b"\0" * 4 + whole[72:], "warning", "parts of it could not be read")
later = bytearray(whole)
later[32:40] = (int.from_bytes(whole[32:40], "big") + 120 * 10**9).to_bytes(8, "big")
expect(
    "recording-damaged", "a minute between two chunks", whole + bytes(later), "info", "60 s between chunks"
)

for seconds, severity in (19, "info"), (20, "ok"):
    expect("recording-short", f"{seconds} s", jvm(seconds), severity)

for disk, severity in (True, "ok"), (False, "info"):
    r = jvm()
    r.add("jdk.ActiveRecording", at=0, id=1, name="x", disk=disk)
    expect("recording-settings", "on disk" if disk else "in memory", r, severity)

r = jvm(1)
expect("recorder-overhead", "few events", r, "ok")
for flush, severity in (0.9, "ok"), (1, "info"):
    r = jvm()
    r.add("jdk.Flush", at=1, duration=flush)
    expect("recorder-overhead", f"a flush of {flush} s", r, severity)

# Commands that findings show --------------------------------------------------------------------

views = [line.split(",")[0] for line in subprocess.run([JFREC, "view", "views", "--csv"],
                                                       capture_output=True, text=True).stdout.splitlines()]
folder = os.path.join(ROOT, "lib/analyze")
shown = set()
for where, _, names in os.walk(folder):
    for name in names:
        with open(os.path.join(where, name), encoding="utf-8") as f:
            shown |= set(re.findall(r'(?:"|jfrec )view ([a-z0-9-]+)', f.read()))
result(shown and shown <= set(views), "views that findings name exist", *sorted(shown - set(views)))

finish()
