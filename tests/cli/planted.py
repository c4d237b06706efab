"""The views that only jfrec has give the answer that was planted in a recording.

usage: planted.py JFREC SOURCE_ROOT

The recordings are made by ../plant.py, with the event types of JDK 25.  Each view must have the
row that is expected of it as its first; those over time also the second.  Prints TAP.
"""

import csv
import os
import subprocess
import sys
import tempfile

JFREC, ROOT = sys.argv[1], sys.argv[2]
sys.path.insert(0, os.path.join(ROOT, "tests"))
from plant import START, Recording, Types  # noqa: E402
from tap import finish, result  # noqa: E402

TYPES = Types(os.path.join(ROOT, "tests/data/ok/jvm-25.jfr"))
MINUTE = 60
MS = 0.001
MB = 1 << 20


def time(seconds):
    """As CSV has it: in ns since 1970."""
    return str((START + seconds) * 10**9)


def close(got, want):
    """The same; numbers to six digits."""
    try:
        return abs(float(got) - float(want)) <= 1e-6 * abs(float(want))
    except ValueError:
        return got == str(want)


def rows_of(view, recording):
    with tempfile.NamedTemporaryFile(suffix=".jfr") as f:
        f.write(recording.bytes())
        f.flush()
        done = subprocess.run([JFREC, "view", "--csv", view, f.name], capture_output=True, text=True)
    if done.returncode or done.stderr:
        return [[done.stderr]]
    return list(csv.reader(done.stdout.splitlines()))[1:]


def expect(view, recording, *want):
    rows = rows_of(view, recording)
    good = len(rows) >= len(want) and all(
        len(row) == len(line) and all(close(a, b) for a, b in zip(row, line)) for row, line in zip(rows, want))
    result(good, view, f"wanted {want}", *(f"got    {row}" for row in rows[:4]))


def planted(name, events):
    """A recording of (time, fields) of one type."""
    r = Recording(TYPES)
    for at, fields in events:
        r.add(name, at=at, **fields)
    return r


# Containers ---------------------------------------------------------------------

r = Recording(TYPES)
for i in range(20):
    # Throttled in half of its periods, but only in the first five minutes.
    busy = min(i, 9)
    r.add("jdk.ContainerCPUThrottling", at=30 * i, cpuElapsedSlices=1000 + 300 * i,
          cpuThrottledSlices=500 + 150 * busy, cpuThrottledTime=40 + busy)
expect("container-throttling", r,
       [time(0), 2700, 1350, 49e9], [time(300), 2700, 0, 49e9])

r = Recording(TYPES)
for i in range(8):
    r.add("jdk.ContainerMemoryUsage", at=30 * i, memoryUsage=(900 if i == 1 else 400) * MB,
          swapMemoryUsage=950 * MB, memoryFailCount=3 if i else 0)
expect("container-memory", r,
       [time(0), 900 * MB, 950 * MB, 3], [time(60), 400 * MB, 950 * MB, 3])

# Virtual threads ----------------------------------------------------------------

pinned = [(i, {"duration": 0.1, "pinnedReason": "Native or VM frame on stack",
               "stackTrace": ["java.lang.Thread.sleep", "app>app.Native.call", "app>app.Main.main"]}) for i in range(3)]
pinned += [(i, {"duration": 2 if i == 30 else 1, "pinnedReason": "Freeze or preempt failed",
                "stackTrace": ["java.lang.Object.wait", "app>app.Loader.init"]}) for i in (20, 30)]
r = planted("jdk.VirtualThreadPinned", pinned)
expect("pinning-by-reason", r, ["Freeze or preempt failed", 2, 3e9, 1.5e9, 2e9, 2e9],
       ["Native or VM frame on stack", 3, 0.3e9, 0.1e9, 0.1e9, 0.1e9])
expect("pinning-by-site", r, ["app.Loader.init()", 2, 3e9, 3 / 3.3, 2e9, 2e9],
       ["app.Native.call()", 3, 0.3e9, 0.3 / 3.3, 0.1e9, 0.1e9])

# Collections ----------------------------------------------------------------------

r = Recording(TYPES)
for i in range(99):
    r.add("jdk.GarbageCollection", at=i, duration=0.5, name="G1New", cause="G1 Evacuation Pause",
          sumOfPauses=(i + 1) * MS, longestPause=(i + 1) * MS)
r.add("jdk.GarbageCollection", at=99, duration=1, name="G1Old", cause="System.gc()", sumOfPauses=8, longestPause=6)
expect("gc-pause-percentiles", r, ["G1Old", 1, 8e9, 0.08, 6e9, 6e9, 6e9, 6e9],
       ["G1New", 99, 4.95e9, 0.0495, 50e6, 90e6, 99e6, 99e6])
expect("gc-pauses-over-time", r, [time(0), 60, 1.83e9, 0.0305, 30.5e6, 60e6, 60e6],
       [time(60), 40, 11.12e9, 11.12 / 60, 80.5e6, 6e9, 6e9])

# Allocation, locks, files, hosts, exceptions --------------------------------------

r = Recording(TYPES)
for i in range(90):
    thread, kind = ("loader", "[B") if i % 3 == 0 else ("worker", "app>app.Order")
    r.add("jdk.ObjectAllocationSample", at=i, eventThread=thread, objectClass=kind, weight=6000 if i % 3 == 0 else 300)
expect("allocation-over-time", r, [time(0), "loader", "byte[]", 2000, 120 / 198], [time(0), "worker", "app.Order", 200, 12 / 198],
       [time(60), "loader", "byte[]", 1000, 60 / 198])

r = Recording(TYPES)
for i in range(4):
    r.add("jdk.JavaMonitorEnter", at=i, duration=1, eventThread=f"waits-{i}", previousOwner="writer",
          monitorClass="app>app.Cache")
    r.add("jdk.JavaMonitorEnter", at=i, duration=0.5, eventThread=f"waits-{i}", previousOwner="reader",
          monitorClass="app>app.Cache")
    r.add("jdk.JavaMonitorEnter", at=i, duration=0.75, eventThread=f"waits-{i}", previousOwner="reader",
          monitorClass="java.lang.Object")
expect("lock-wait-by-class", r, ["app.Cache", 8, 6e9, 6 / 9, 0.75e9, 1e9, 1e9])
expect("lock-wait-by-holder", r, ["reader", 8, 5e9, 5 / 9, 0.75e9, 0.75e9])
expect("lock-wait", r, ["app.Cache", "writer", 4, 4e9, 4 / 9, 1e9, 1e9],
       ["java.lang.Object", "reader", 4, 3e9, 3 / 9, 0.75e9, 0.75e9])

r = Recording(TYPES)
for i in range(199):
    r.add("jdk.SocketRead", at=i, duration=(i + 1) * MS, host="db.example", bytesRead=100)
    r.add("jdk.SocketWrite", at=i, duration=MS, host="cache.example", bytesWritten=100)
r.add("jdk.SocketWrite", at=5, duration=2, host="db.example", bytesWritten=9)
expect("slow-hosts", r, ["db.example", 200, 21.9e9, 21.9 / 22.099, 100.5e6, 198.99e6, 2e9],
       ["cache.example", 199, 0.199e9, 0.199 / 22.099, 1e6, 1e6, 1e6])

r = Recording(TYPES)
for i in range(3):
    r.add("jdk.FileRead", at=i, duration=MS, path="/etc/app.conf", bytesRead=100)
    r.add("jdk.FileWrite", at=i, duration=0.1, path="/var/app/journal", bytesWritten=1)
r.add("jdk.FileForce", at=4, duration=0.7, path="/var/app/journal")
expect("slow-files", r, ["/var/app/journal", 4, 1e9, 1 / 1.003, 0.1e9, 0.7e9, 0.7e9],
       ["/etc/app.conf", 3, 3e6, 0.003 / 1.003, 1e6, 1e6, 1e6])

r = Recording(TYPES)
SITES = {"parse": ["java.lang.Throwable.<init>", "app>app.Failure.<init>", "app>app.Parser.parse"],
         "load": ["java.lang.Throwable.<init>", "app>app.Store.load"]}
for i in range(100):
    site = "load" if i >= 60 and i % 2 else "parse"
    r.add("jdk.JavaExceptionThrow", at=i, stackTrace=SITES[site], thrownClass="app>app.Failure")
r.add("jdk.JavaErrorThrow", at=99.5, stackTrace=SITES["load"])
r.end = 100
expect("exception-rate-by-site", r, ["app.Parser.parse()", 80, 0.8, 80 / 101], ["app.Store.load()", 21, 0.21, 21 / 101])
expect("exceptions-per-minute", r, [time(0), "app.Parser.parse()", 60, 60 / 101],
       [time(60), "app.Store.load()", 21, 21 / 101], [time(60), "app.Parser.parse()", 20, 20 / 101])

# Sampling -------------------------------------------------------------------------

r = Recording(TYPES)
for i in range(50):
    r.add("jdk.SafepointLatency", at=i, duration=0.02 if i == 7 else MS, eventThread="copier")
    r.add("jdk.SafepointLatency", at=i, duration=0.1 * MS, eventThread="good")
    r.add("jdk.CPUTimeSample", at=i, eventThread="copier", samplingPeriod=0.02, failed=i % 5 == 0)
    if i % 5 == 0:
        r.add("jdk.CPUTimeSample", at=i, eventThread="good", samplingPeriod=0.01)
        r.add("jdk.CPUTimeSamplesLost", at=i, eventThread="copier", lostSamples=9)
r.add("jdk.CPUTimeSamplesLost", at=1, eventThread="good", lostSamples=10)
expect("safepoint-latency-by-thread", r, ["copier", 50, 69e6, 1e6, 20e6, 20e6], ["good", 50, 5e6, 0.1e6, 0.1e6, 0.1e6])
expect("cpu-time-by-thread", r, ["copier", 50, 50 / 60], ["good", 10, 10 / 60])
expect("cpu-time-losses", r, ["copier", 90, 0.9], ["good", 10, 0.1])
expect("sampling-quality", r, ["copier", 50, 10, 90, 20e6, 1e9, 20e6], ["good", 10, 0, 10, 10e6, 0.1e9, 0.1e6])

r = Recording(TYPES)
for i in range(60):
    if i % 10 == 0:
        r.add("jdk.CPULoad", at=i, jvmUser=0.75, jvmSystem=0.125)
    # In the second half minute the sampler fails, though the load is the same.
    for n in range(20 if i < 30 else 1):
        r.add("jdk.ExecutionSample", at=i + n / 100, sampledThread="worker", state="STATE_RUNNABLE")
    r.add("jdk.NativeMethodSample", at=i, sampledThread="poller", state="STATE_RUNNABLE")
expect("sampling-over-time", r, [time(0), 600, 30, 0.75, 0.125], [time(30), 30, 30, 0.75, 0.125])

# The JVM, and the recorder -----------------------------------------------------------

r = Recording(TYPES)
for i in range(120):
    r.add("jdk.NativeMemoryUsage", at=i, type="Class", reserved=64 * MB, committed=40 * MB)
    r.add("jdk.NativeMemoryUsage", at=i, type="Tracing", reserved=99 * MB, committed=(10 + i) * MB)
expect("native-memory-growth", r, ["Tracing", 10 * MB, 129 * MB, 129 * MB, 119 * MB], ["Class", 40 * MB, 40 * MB, 40 * MB, 0])
expect("native-memory-over-time", r, [time(0), "Tracing", 69 * MB, 99 * MB], [time(0), "Class", 40 * MB, 64 * MB],
       [time(60), "Tracing", 129 * MB, 99 * MB])

r = Recording(TYPES)
for at, amount, total in (1, 500, 500), (2, 700, 1200), (70, 10, 1210):
    r.add("jdk.DataLoss", at=at, amount=amount, total=total)
expect("data-loss", r, [time(0), 2, 1200, 1200], [time(60), 1, 10, 1210])

r = Recording(TYPES)
for i in range(5):
    r.add("jdk.ClassLoaderStatistics", at=i, classLoader="scripts", classCount=10 + 100 * i, blockSize=1000 * i)
    r.add("jdk.ClassLoaderStatistics", at=i, classLoader="app", classCount=900 + i, blockSize=MB)
expect("class-loader-growth", r, ["app.Loader_scripts", 10, 410, 400, 4000], ["app.Loader_app", 900, 904, 4, 0])

JDK28 = Types(os.path.join(ROOT, "tests/data/ok/jvm-25.jfr"))
JDK28.undeclare("jdk.ClassDefine")
JDK28.declare("jdk.ClassDefine", definedClass="java.lang.Class", source="java.lang.String")
r = Recording(JDK28)
for i, source in enumerate(("jrt:/java.base", "file:///srv/shop.jar", "jrt:/java.base")):
    r.add("jdk.ClassDefine", at=i, definedClass=f"A{i}", source=source)
expect("classes-by-source", r, ["jrt:/java.base", 2], ["file:///srv/shop.jar", 1])

r = Recording(TYPES)
for i in range(100):
    r.add("jdk.Flush", at=i, duration=1 if i == 99 else 0.01, size=2000)
expect("jfr-cost", r, [100, 200000, 2000, 1.99e9, 0.0199, 10e6, 990.1e6, 1e9])

# Datadog's profiler -------------------------------------------------------------------

DATADOG = Types(os.path.join(ROOT, "tests/data/ok/jvm-25.jfr"))
DATADOG.declare("datadog.ExecutionSample", eventThread="java.lang.Thread", stackTrace="jdk.types.StackTrace",
                weight="long")
DATADOG.declare("datadog.ObjectSample", eventThread="java.lang.Thread", stackTrace="jdk.types.StackTrace",
                objectClass="java.lang.Class", size="long", weight="float")
DATADOG.declare("datadog.ExceptionSample", eventThread="java.lang.Thread", stackTrace="jdk.types.StackTrace",
                type="java.lang.String", message="java.lang.String")
r = Recording(DATADOG)
for i in range(4):
    r.add("datadog.ExecutionSample", at=i, eventThread="main", stackTrace=["app.A.run"], weight=1 + 4 * (i == 3))
    r.add("datadog.ObjectSample", at=i, eventThread="w1", stackTrace=["app.A.make"], objectClass="app.Big", size=100,
          weight=1.5)
    r.add("datadog.ExceptionSample", at=i, eventThread="main", type="app.Missing", message="no such order",
          stackTrace=["app.Missing.<init>", "app.A.find"])
r.add("datadog.ExecutionSample", at=5, eventThread="main", stackTrace=["app.B.run"], weight=2)
r.add("datadog.ObjectSample", at=5, eventThread="w2", stackTrace=["app.B.make"], objectClass="app.Small", size=8,
      weight=2.0)
r.add("datadog.ExceptionSample", at=5, eventThread="main", type="app.Late", message="too late",
      stackTrace=["app.B.wait"])
expect("datadog-hot-methods", r, ["app.A.run()", 8, 0.8], ["app.B.run()", 2, 0.2])
expect("datadog-allocation-by-class", r, ["app.Big", 600], ["app.Small", 16])
expect("datadog-allocation-by-site", r, ["app.A.make()", 600], ["app.B.make()", 16])
expect("datadog-allocation-by-thread", r, ["w1", 600], ["w2", 16])
expect("datadog-exception-by-type", r, ["app.Missing", 4], ["app.Late", 1])
expect("datadog-exception-by-message", r, ["no such order", 4], ["too late", 1])
expect("datadog-exception-by-site", r, ["app.A.find()", 4], ["app.B.wait()", 1])

# --------------------------------------------------------------------------------------

with open(os.path.join(ROOT, "settings/views/jfrec.views")) as f:
    views = {line[1:-2] for line in f if line.startswith("[")}
with open(__file__) as f:
    here = f.read()
left = [view for view in sorted(views) if f'expect("{view}"' not in here]
result(not left, "each of them has its recording", *left)
finish()
