"""Rules of analyze on the heap, allocation, processors, locks and exceptions: around their limits.

usage: analyze_memory.py JFREC SOURCE_ROOT

Prints TAP.
"""

import os
import sys

sys.path.insert(0, os.path.join(sys.argv[2], "tests"))
from judged import MB, backwards, chunks, expect, jvm, turn, with_events  # noqa: E402
from plant import START  # noqa: E402
from tap import finish  # noqa: E402

# What stays in use --------------------------------------------------------------------------------


def live_set(r, use, every=10.0, name="G1Full", first=0.0):
    """The heap in use, in MB, after each of these collections."""
    for i, used in enumerate(use):
        at = first + i * every
        r.add("jdk.GarbageCollection", at=at, duration=0.1, gcId=int(at * 10), name=name, cause="G1 Compaction Pause")
        r.add("jdk.GCHeapSummary", at=at + 0.1, gcId=int(at * 10), when="After GC", heapUsed=int(used * MB))
    return r


def leaking(per_hour, count=31, start=1000, seconds=300, heap=10000):
    """A leak of so much of what is left of the heap in an hour."""
    step = per_hour * (heap - start) / 3600 * seconds / (count - 1)
    use = [start + i * step for i in range(count)]
    return live_set(jvm(seconds, heap=heap), use, seconds / (count - 1))


# What is left of the heap shrinks while it fills: the share is of what is left in the end.
for per_hour, severity in (0.9, "info"), (1.0, "warning"), (3, "warning"):
    expect("live-set-growth", f"{per_hour} of the rest in an hour", leaking(per_hour), severity)
expect("live-set-growth", "5 % in five minutes", leaking(0.07), "info")
expect("live-set-growth", "4 % in five minutes may be anything", leaking(0.05), "ok")
expect("live-set-growth", "events out of order", backwards(leaking(3)), "warning")
halves = chunks(
    live_set(jvm(150, heap=2000), range(500, 650, 10)),
    live_set(jvm(300, heap=2000, start=150), range(650, 800, 10), first=150),
)
expect("live-set-growth", "a leak over two chunks", halves, "warning")
r = live_set(jvm(60, heap=300), [*range(40, 300, 10), *[299] * 6, 10], 2)
expect("live-set-growth", "full, and then room is made", r, "warning", "most in use after a collection")
expect("live-set-growth", "nothing grows", live_set(jvm(300), [100] * 30), "ok")
saw = [100 + 50 * (i % 6) for i in range(60)]
expect("live-set-growth", "up and down", live_set(jvm(600), saw), "ok")
hump = [100] * 10 + [300] * 5 + [100] * 15
expect("live-set-growth", "a hump", live_set(jvm(300), hump), "ok")
expect("live-set-growth", "a cache that is full after a while", live_set(jvm(600), [50, 100, 150, 200] + [210] * 56), "ok")
expect("live-set-growth", "four collections", live_set(jvm(120), [100, 200, 300, 400], 30), "too-few", "5 over a minute")
expect("live-set-growth", "five within 50 s", live_set(jvm(60), [100, 150, 200, 250, 300], 12), "too-few")
expect("live-set-growth", "young collections say nothing", live_set(jvm(300), range(100, 400, 10), name="G1New"), "too-few")
r = jvm(120, GCHeapSummary={}, GarbageCollection={})
expect("live-set-growth", "no collections", r, "too-few", "0 collections")
r = jvm(120)
turn(r, "jdk.GCHeapSummary", enabled="false")
expect("live-set-growth", "switched off", r, "off", "GCHeapSummary")
r = leaking(3)
for i in range(5):
    r.add("jdk.OldObjectSample", at=299, allocationTime=1, objectAge=100, objectSize=2000, stackTrace=["app>app.Cache.put"])
expect("live-set-growth", "who allocated what is kept", r, "warning", "app.Cache.put")


def metaspace(per_second, warm=10, seconds=120, every=5):
    r = jvm(seconds, MetaspaceSummary={}, MetaspaceOOM={})
    for i in range(seconds):
        r.add("jdk.ClassLoadingStatistics", at=i, loadedClassCount=1000 if i >= warm else 100)
    for i in range(seconds // every):
        used = per_second * i * every
        r.add("jdk.MetaspaceSummary", at=i * every, gcId=i, when="After GC", metaspace={"used": int(used * MB)})
    return r


for rate, severity in (0.15, "ok"), (0.158, "info"), (0.74, "info"), (0.76, "warning"):
    expect("metaspace-growth", f"{rate} MB/s", metaspace(rate), severity)
expect("metaspace-growth", "start-up alone grows", metaspace(2, warm=110), "ok", "too few")
r = metaspace(0)
for i in range(6):
    r.add("jdk.MetaspaceSummary", at=i, gcId=900 + i, when="After GC", metaspace={"used": i * 10 * MB})
expect("metaspace-growth", "it grew before start-up was over", r, "ok")
r.add("jdk.MetaspaceOOM", at=50, metadataType="Metadata", classLoader="app", stackTrace=["app>app.A.define"])
expect("metaspace-growth", "one error", r, "warning", "app.A.define")

for resident, severity in (0.79, "ok"), (0.8, "info"), (0.95, "warning"):
    r = jvm()
    r.add("jdk.PhysicalMemory", at=0, totalSize=1000 * MB, usedSize=500 * MB)
    r.add("jdk.ResidentSetSize", at=1, size=int(resident * 1000) * MB)
    expect("physical-memory", f"The JVM has {resident:.0%}", r, severity)
r = jvm()
r.add("jdk.PhysicalMemory", at=0, totalSize=1000 * MB, usedSize=999 * MB)
expect("physical-memory", "files are cached", r, "ok", "99.9 %")
for at, free in (0, 500), (30, 491):
    r.add("jdk.SwapSpace", at=at, totalSize=1000 * MB, freeSize=free * MB)
expect("physical-memory", "9 of 1000 MB more in swap", r, "ok")
r.add("jdk.SwapSpace", at=50, totalSize=1000 * MB, freeSize=490 * MB)
expect("physical-memory", "10 of 1000 MB more in swap", r, "info", "to swap")

# Allocation ---------------------------------------------------------------------------------------


def allocating(rate, boxed=0.0, seconds=60, hw=2, r=None):
    """MB a second, a part of it to make numbers."""
    r = r or jvm(seconds, hw=hw)
    for i in range(seconds * 10):
        top = "java.lang.Integer.valueOf" if (i % 100) < boxed * 100 else "app>app.Orders.load"
        r.add("jdk.ObjectAllocationSample", at=i / 10, eventThread="worker", objectClass="app.Order",
              weight=int(rate * MB / 10), stackTrace=[top, "app>app.Main.main"])  # fmt: skip
    return r


for rate, severity in (199, "ok"), (201, "info"), (5000, "info"):
    expect("allocation-site", f"{rate} MB/s on two processors", allocating(rate), severity)
expect("allocation-site", "240 MB/s on three", allocating(240, hw=3), "ok")
expect("allocation-site", "in a container of one", with_events(
    allocating(150, hw=16), ("ContainerConfiguration", 0, {"effectiveCpuCount": 1})), "info")  # fmt: skip
for rate, boxed, severity in (
    (60, 0.19, "ok"),
    (60, 0.2, "info"),
    (60, 0.79, "info"),
    (60, 0.8, "warning"),
    (11, 0.8, "ok"),
    (14, 0.8, "warning"),
):
    expect("allocation-site", f"{boxed:.0%} of {rate} MB/s is boxing", allocating(rate, boxed), severity)
r = allocating(300)
r.add("jdk.GCPhasePause", at=5, duration=2.9, gcId=1, name="GC Pause")
expect("allocation-site", "pauses of 2.9 s", r, "info")
r.add("jdk.GCPhasePause", at=15, duration=0.2, gcId=2, name="GC Pause")
expect("allocation-site", "pauses of 3.1 s", r, "warning")
r = jvm(60)
turn(r, "jdk.ObjectAllocationSample", enabled="true")
for t, first in ("a", 1), ("b", 50000):
    for i in range(6):
        r.add("jdk.ThreadAllocationStatistics", at=i * 10, thread=t, allocated=(first + i * 10) * MB)
expect("allocation-site", "what was allocated before the recording does not count", r, "ok", "2 MiB/s")
r = jvm(60, hw=1, ObjectAllocationInNewTLAB={}, ObjectAllocationOutsideTLAB={})
for i in range(60):
    r.add("jdk.ObjectAllocationInNewTLAB", at=i, objectClass="app.A", allocationSize=16, tlabSize=80 * MB,
          stackTrace=["app>app.A.make"])  # fmt: skip
    r.add("jdk.ObjectAllocationOutsideTLAB", at=i, objectClass="byte[]", allocationSize=40 * MB,
          stackTrace=["app>app.B.make"])  # fmt: skip
expect("allocation-site", "a third is too large for the threads' buffers", r, "info", '"share": 0.333')

# Processors ---------------------------------------------------------------------------------------


def loads(r, jvm_load, machine=None, seconds=120, first=0):
    for i in range(seconds):
        m = jvm_load if machine is None else machine
        r.add("jdk.CPULoad", at=first + i, jvmUser=jvm_load * 0.75, jvmSystem=jvm_load * 0.25, machineTotal=m)
    return r


for load, severity in (0.74, "ok"), (0.76, "info"), (0.89, "info"), (0.91, "warning"), (1.0, "warning"):
    expect("cpu-jvm", f"{load:.0%} for two minutes", loads(jvm(120), load), severity)
expect("cpu-jvm", "100 % of 50 s", loads(jvm(50), 1, seconds=50), "info")
expect("cpu-jvm", "out of order", backwards(loads(jvm(120), 0.95)), "warning")
r = loads(loads(loads(jvm(300), 0.1), 1, seconds=62, first=120), 0.1, seconds=100, first=190)
expect("cpu-jvm", "100 % for one minute of five", r, "warning")
r = loads(loads(loads(jvm(300), 0.1), 1, seconds=30, first=120), 0.1, seconds=100, first=150)
expect("cpu-jvm", "100 % for half a minute", r, "ok")
r = loads(jvm(120, hw=16), 0.15)
expect("cpu-jvm", "15 % of 16 processors", r, "ok")
r.add("jdk.ContainerConfiguration", at=0, effectiveCpuCount=3, cpuQuota=0.25, cpuSlicePeriod=0.1)
expect("cpu-jvm", "15 % of 16 are 80 % of 3", r, "info", "80 %")


def alone(share, name="worker", hw=4):
    r = loads(jvm(60, hw=hw), share / hw, seconds=60)
    for i in range(6):
        r.add("jdk.ThreadCPULoad", at=10 * i + 9, eventThread=name, user=share / hw, system=0)
    return r


expect("cpu-jvm", "one thread at 89 %", alone(0.89), "ok")
expect("cpu-jvm", "one thread at 91 %", alone(0.91), "info", "worker")
expect("cpu-jvm", "one thread on one processor", alone(0.7, hw=1), "ok")
expect("cpu-jvm", "a thread of the JVM", alone(0.95, "C2 CompilerThread0"), "ok")
r = jvm()
turn(r, "jdk.CPULoad", enabled="true", period="600 s")
expect("cpu-jvm", "a period longer than the recording", r, "none", "10 min")

for others, severity in (0.4, "ok"), (0.46, "info"), (0.9, "info"):
    expect("cpu-others", f"{others:.0%} by others", loads(jvm(120), 0.0, others), severity)
expect("cpu-others", "all by this JVM", loads(jvm(120), 1.0, 1.0), "ok")
expect("cpu-others", "one value", loads(jvm(120), 0, 1, 1), "too-few")
r = loads(jvm(120), 0, 1)
r.add("jdk.ContainerConfiguration", at=0, effectiveCpuCount=2)
expect("cpu-others", "in a container", r, "info", "of the host")


def samples(hot, of, seconds=60, period="20 ms", event="ExecutionSample", top="app>app.A.hot"):
    """So many samples, of which some are of one method."""
    r = jvm(seconds, hw=4)
    turn(r, "jdk." + event, enabled="true", period=period)
    for i in range(of):
        method = top if i % of < hot else f"app>app.B.method{i % 500}"
        at = i * seconds / of
        r.add("jdk." + event, at=at, sampledThread="w", stackTrace=[method, "app>app.Main.main"])
    return r


# 5 threads, 50 times a second, half a minute: 7500 samples can be taken.
for hot, severity in (215, "ok"), (220, "info"), (1400, "info"), (1430, "warning"):
    r = samples(hot, hot, 30)
    expect("hot-method", f"{hot} of 7500 in half a minute", r, severity, "app.A.hot")
expect("hot-method", "the same within ten seconds", samples(80, 80, 10), "info")
expect("hot-method", "another period", samples(220, 220, 30, "10 ms"), "ok")
top = "java.util.HashMap.get"
expect("hot-method", "the caller of java.util counts", samples(300, 300, 30, top=top), "info", "app.Main.main")
top = "java.util.regex.Pattern.match"
expect("hot-method", "its subpackages count themselves", samples(300, 300, 30, top=top), "info", "regex.Pattern")
expect("hot-method", "out of order", backwards(samples(1500, 1500, 30)), "warning")
r = jvm(60, ExecutionSample={"period": "20 ms"})
expect("hot-method", "no thread at work", r, "ok", "No thread")
expect("hot-method", "few samples are said to be few", samples(99, 99, 1), "info", "only 99 samples")
expect("hot-method", "a hundred within a second", samples(100, 100, 1), "warning")

# Locks --------------------------------------------------------------------------------------------


def contended(wait, count, threads=4, idle=0, event="JavaMonitorEnter", lock="app.Account", seconds=100):
    r = jvm(seconds, JavaMonitorEnter={"threshold": "20 ms"})
    kind = "monitorClass" if event == "JavaMonitorEnter" else "parkedClass"
    for i in range(count):
        r.add("jdk." + event, at=i * seconds / count, duration=wait, eventThread=f"w{i % threads}",
              stackTrace=["app>app.Bank.transfer"], **{kind: lock})  # fmt: skip
    for i in range(idle):
        r.add("jdk.ThreadCPULoad", at=10, eventThread=f"busy{i}", user=0.01)
    return r


for wait, severity in (0.19, "ok"), (0.21, "info"), (0.99, "info"), (1.01, "warning"):
    expect("lock-contention", f"{wait:.0%} of four threads' time", contended(wait / 2.5, 100), severity, "")
expect("lock-contention", "spread over fifty threads", contended(0.2, 100, idle=46), "ok")
expect("lock-contention", "as long as one thread's time, over 200", contended(0.4, 300, idle=196), "info")
expect("lock-contention", "4 % of one thread, all told", contended(0.04, 100, 1), "ok")
expect("lock-contention", "6 % of one thread", contended(0.06, 100, 1), "info")


def burst(threads=20, length=0.3, times=6, seconds=60, idle=40):
    """Threads that want a lock for some seconds; others have none of it."""
    r = contended(0, 0, 1, idle=idle)
    for t in range(threads):
        for i in range(times):
            r.add("jdk.JavaMonitorEnter", at=30 + i * length * 1.1, duration=length, monitorClass="app.Log", eventThread=f"b-{t}", stackTrace=["app>app.Log.write"])
    return r


expect("lock-contention", "for two seconds, by twenty threads", burst(), "info", "20 threads waited 36 s")
expect("lock-contention", "by four", burst(4), "ok")
expect("lock-contention", "for less than 250 ms each", burst(length=0.24, times=3), "ok")
expect("lock-contention", "by eight threads, but seldom", burst(8, times=1), "ok")
expect("lock-contention", "a single wait of 0.99 s", contended(0.99, 1, 9), "ok")
expect("lock-contention", "a single wait of 1 s", contended(1.0, 1, 90), "info")
r = contended(0.3, 70, idle=100)
r.add("jdk.JavaMonitorEnter", at=50, duration=1, eventThread="w9", monitorClass="app.Account")
expect("lock-contention", "a wait of 1 s among many", r, "warning")
park = "java.util.concurrent.locks.ReentrantLock$NonfairSync"
expect("lock-contention", "a lock of java.util.concurrent", contended(0.5, 100, event="ThreadPark", lock=park), "warning", "between lock() and unlock()")
bin = "java.util.concurrent.ConcurrentHashMap$ReservationNode"
expect("lock-contention", "a key of a map that is computed", contended(0.5, 100, lock=bin), "warning", "computeIfAbsent()")
expect("lock-contention", "the place is named", contended(0.5, 100), "warning", "for locks of app.Account in app.Bank.transfer, ")
permit = "java.util.concurrent.Semaphore$NonfairSync"
expect("lock-contention", "permits of a Semaphore", contended(0.5, 100, event="ThreadPark", lock=permit), "warning", "between acquire() and release()")
r = jvm(100, ThreadPark={"threshold": "20 ms"}, JavaMonitorEnter={"threshold": "20 ms"})
for i in range(300):
    r.add("jdk.ThreadPark", at=i / 3, duration=0.9, eventThread=f"qtp-{i % 3}", parkedClass=permit,
          stackTrace=["java.util.concurrent.Semaphore.acquire", "org.eclipse.jetty.util.thread.ReservedThreadExecutor$ReservedThread.waitForTask", "java.lang.Thread.run"])  # fmt: skip
expect("lock-contention", "a server's threads wait for work by a permit", r, "ok", "No thread waited")
for length, severity in (0.19, "warning"), (0.26, "ok"):
    r = contended(0.5, 100)
    for i in reversed(range(100)):
        r.add("jdk.ZAllocationStall", at=i + 0.2, duration=length, eventThread="w1")
        r.add("jdk.ZAllocationStall", at=i + 0.21, duration=0.1, eventThread="w2")
    expect("lock-contention", f"for {length} of 0.5 s who has it may wait for memory", r, severity)
pool = "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject"
expect("lock-contention", "threads of a pool", contended(0.9, 100, event="ThreadPark", lock=pool), "ok")
pool = "java.util.concurrent.SynchronousQueue$TransferStack"
expect("lock-contention", "a queue", contended(0.9, 100, event="ThreadPark", lock=pool), "ok")
own = "jdk.jfr.internal.PlatformRecorder"
expect("lock-contention", "Flight Recorder's own", contended(0.9, 100, lock=own), "ok")
r = contended(0.9, 100)
r.add("jdk.JavaMonitorEnter", at=1, duration=2, eventThread="w", monitorClass="app.Account", previousOwner="greedy")
expect("lock-contention", "who had it", r, "warning", "greedy")
expect("lock-contention", "none", jvm(JavaMonitorEnter={"threshold": "20 ms"}), "ok", "20 ms")
r = jvm()
turn(r, "jdk.JavaMonitorEnter", enabled="false")
expect("lock-contention", "switched off", r, "off")
two = chunks(contended(0.3, 100), jvm(200, start=100))
expect("lock-contention", "half of the time without", two, "info")

# Exceptions ---------------------------------------------------------------------------------------


def thrown(rate, seconds=60, first=0):
    r = jvm(seconds, ExceptionStatistics={}, JavaErrorThrow={}, JavaExceptionThrow={})
    for i in range(seconds):
        r.add("jdk.ExceptionStatistics", at=i, throwables=first + i * rate)
    return r


for rate, severity in (4990, "ok"), (5000, "info"), (9990, "info"), (10000, "warning"):
    expect("exceptions", f"{rate}/s", thrown(rate), severity)
FILLED = ["java.lang.Throwable.fillInStackTrace", "java.lang.Throwable.fillInStackTrace", "java.lang.Throwable.<init>"]
parse = ["java.lang.NumberFormatException.<init>", "java.lang.NumberFormatException.forInputString", "java.lang.Integer.parseInt", "app>app.Row.number"]
caller = ["ch.qos.logback.classic.spi.LoggingEvent.getCallerData", "ch.qos.logback.classic.Logger.info", "app>app.Row.read"]
for what, stack, share, says in (
    ("of the application", ["app>app.NoRow.<init>", "app>app.Row.find"], 0.6, "most in app.Row.find"),
    ("which class", ["app>app.NoRow.<init>", "app>app.Row.find"], 0.6, 'app.NoRow"'),
    ("of the JDK, for the application", parse, 0.6, "most in app.Row.number"),
    ("of a library", caller, 0.6, "app.Row.read"),
    ("no place has half", caller, 0.4, "09:15:00 on (limit"),
):
    r = thrown(12000)
    for i in range(100):
        r.add("jdk.ObjectAllocationSample", at=i / 2, objectClass="byte[]", weight=1000, eventThread="w",
              stackTrace=[*FILLED, *(stack if i < 100 * share else ["app>app.B.<init>", f"app>app.C.m{i}"])])  # fmt: skip
        r.add("jdk.ObjectAllocationSample", at=i / 2, objectClass="byte[]", weight=1000, eventThread="w", stackTrace=["app>app.D.<init>", "app>app.D.make"])
    expect("exceptions", f"where stack traces are allocated, {what}", r, "warning", says)
expect("exceptions", "what was before the recording", thrown(10, first=10**9), "ok")
expect("exceptions", "out of order", backwards(thrown(12000)), "warning")
r = thrown(100)
for i in range(5):
    r.add("jdk.ExceptionStatistics", at=30.2 + i / 10, throwables=3000 + i * 2000)
expect("exceptions", "twenty thousand a second for half a second", r, "warning")
expect("exceptions", "a counter that began anew", chunks(thrown(1000), jvm(120, start=60)), "ok")
r = thrown(600)
for i in range(100):
    r.add("jdk.JavaExceptionThrow", at=i / 2, thrownClass="app.NotFound", stackTrace=["app>app.A.find"])
expect("exceptions", "One place makes all of 600/s", r, "info", "app.A.find")
r = thrown(490)
for i in range(100):
    r.add("jdk.JavaExceptionThrow", at=i / 2, thrownClass="app.NotFound", stackTrace=["app>app.A.find"])
expect("exceptions", "One place makes all of 490/s", r, "ok")


def errors(count, name="app.SomeError", top="app>app.A.b", warm=10, seconds=120):
    r = thrown(0, seconds)
    for i in range(seconds):
        r.add("jdk.ClassLoadingStatistics", at=i, loadedClassCount=1000 if i >= warm else 100)
    for i in range(count):
        r.add("jdk.JavaErrorThrow", at=60 + i / 2, thrownClass=name, stackTrace=[top, "app>app.Main.main"])
    return r


for n, severity in (29, "ok"), (30, "info"), (59, "info"), (60, "warning"):
    expect("exceptions", f"{n} errors in half a minute", errors(n), severity)
expect("exceptions", "probing", errors(100, "java.lang.NoSuchMethodError", "java.lang.invoke.MethodHandles.x"), "ok")
expect("exceptions", "looking for a library", errors(60, "java.lang.UnsatisfiedLinkError", "java.lang.System.loadLibrary"), "ok")
expect("exceptions", "an expression parser", errors(60, "org.apache.el.parser.ELParser$LookaheadSuccess"), "ok")
missing = "java.lang.NoClassDefFoundError"
expect("exceptions", "a class is missing", errors(1, missing), "warning", "class path")
expect("exceptions", "a class was missing at start-up", errors(1, missing, warm=100), "ok")

# Classes ------------------------------------------------------------------------------------------


def loaded(count, initiating=0, unloaded=0, name="app>app.Payload"):
    r = jvm(100, ClassLoad={}, ClassUnload={})
    for i in range(count):
        r.add("jdk.ClassLoad", at=i / 100, duration=0.001, loadedClass=name, definingClassLoader="app", initiatingClassLoader="app")
    for i in range(initiating):
        r.add("jdk.ClassLoad", at=i / 100, duration=0, loadedClass="java.lang.Object",
              definingClassLoader="bootstrap", initiatingClassLoader=f"l{i}")  # fmt: skip
    for i in range(unloaded):
        r.add("jdk.ClassUnload", at=50, unloadedClass=name, definingClassLoader="app")
    return r


for n, severity in (24, "ok"), (25, "info"), (900, "info"):
    expect("class-loading", f"one name {n} times", loaded(n), severity)
expect("class-loading", "900 loaders asked their parent", loaded(1, 900), "ok")
expect("class-loading", "all but 20 were unloaded", loaded(500, unloaded=480), "ok")
expect("class-loading", "all but 30", loaded(500, unloaded=470), "info", "30 times")
r = loaded(1)
r.add("jdk.ClassLoad", at=5, duration=0.99, loadedClass="app>app.Big", definingClassLoader="app", initiatingClassLoader="app")
expect("class-loading", "one took 0.99 s", r, "ok")
r.add("jdk.ClassLoad", at=5, duration=1.01, loadedClass="app>app.Big", definingClassLoader="app", initiatingClassLoader="app")
expect("class-loading", "one took 1.01 s", r, "info", "app.Big")
for name in "java.lang.invoke.LambdaForm$MH+0x1", "app.Main$$Lambda+0x1", "jdk.internal.reflect.GeneratedMethodAccessor7":
    expect("class-loading", "the JVM makes them, " + name, loaded(900, name=name), "ok")


def loading(rate, seconds=180, until=None, unloaded=0.0, **more):
    """Classes that are loaded from the start on, by the statistics, which come each second."""
    r = jvm(seconds, ClassLoadingStatistics={"period": "1 s"}, **more)
    for i in range(seconds):
        n = rate * min(i, until or seconds)
        r.add("jdk.ClassLoadingStatistics", at=i, loadedClassCount=500 + n, unloadedClassCount=int(n * unloaded))
    return r


for rate, severity in (249, "ok"), (250, "info"), (999, "info"), (1000, "warning"):
    expect("class-loading", f"{rate} a second", loading(rate), severity)
expect("class-loading", "in the first minute only", loading(3000, until=60), "ok")
expect("class-loading", "a minute was recorded, the first", loading(3000, seconds=60), "ok")
expect("class-loading", "the same, and most are dropped", loading(600, seconds=30, unloaded=0.6), "info", "600 classes a second")
expect("class-loading", "ten seconds later on", loading(300, seconds=72), "info")
expect("class-loading", "five seconds", loading(300, seconds=65), "ok")
expect("class-loading", "what was not looked at is said", loading(10), "ok", "1790 classes were loaded; which")
expect("class-loading", "one value", loading(10, seconds=1), "too-few")


def finalized(run, objects=0, name="app>app.Handle"):
    r = jvm(60, FinalizerStatistics={})
    for i, n in enumerate(run):
        r.add("jdk.FinalizerStatistics", at=10 * i, finalizableClass=name, codeSource="file:/app.jar", objects=objects, totalFinalizersRun=n)
    return r


expect("finalizers", "none was run", finalized([0, 0]), "ok")
expect("finalizers", "counters are not added up", finalized([1000, 2000, 3000]), "info", "3000 times since the JVM started, 2000")
expect("finalizers", "the JDK's own", finalized([5], name="java.util.zip.Inflater"), "ok")
expect("finalizers", "9999 wait", finalized([5], 9999), "info")
expect("finalizers", "10000 wait", finalized([5], 10000), "warning", "app.jar")
expect("finalizers", "9999 a second", finalized([0, 59 * 9999]), "info", "finalizers a second")
expect("finalizers", "10000 a second", finalized([7, 60 * 10000 + 7]), "warning", "finalizers a second")
r = finalized([60 * 100000])
expect("finalizers", "one reading, and no time since when", r, "info")
r.add("jdk.JVMInformation", at=1, jvmStartTime=(START - 60) * 1000, pid=7)
expect("finalizers", "one reading of a JVM two minutes old", r, "warning", "50000")

finish()
