#!/usr/bin/env python3
# Recordings of version 0.9 are read as all others are.
#
# usage: v0.py JFREC SOURCE_ROOT
#
# Twelve of them are made here, each with what one of the writers of that version did: HotSpot 7 and 8,
# JRockit, applications, async-profiler; several chunks, keys that are bound again, and 2.1 in between.

import gzip
import json
import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402
from v0_file import (BYTES, CLASS, EPOCH, FRACTION, FRAME, GROUP, HOTSPOT, JAVATHREAD, METHOD, MILLIS, NANOS,  # noqa: E402
                     STACK, STATE, THREAD, TICKS, UTF, ADDRESS, Chunk, Producer, Value, hotspot)

jfrec, root = map(os.path.abspath, sys.argv[1:3])
work = tempfile.mkdtemp()
os.chdir(work)


def run(*args, stdin=None):
    return subprocess.run([jfrec, *args], capture_output=True, input=stdin, timeout=120, check=False)


def write(name, *chunks):
    with open(name, "wb") as f:
        f.write(b"".join(c if isinstance(c, bytes) else c.data() for c in chunks))
    return name


def events(name, *options):
    got = run("print", "--json", *options, name)
    if got.returncode:
        return []
    return [(e["type"], e["values"]) for e in json.loads(got.stdout)["recording"]["events"]]


def part(v, path):
    for word in path.split("."):
        v = v[int(word)] if word.isdigit() else v and v[word]
    return v


# Constants that most of them have.
NAMES = {1: ["java/lang/Object"], 2: ["java/util/HashMap"], 3: ["put"], 4: ["()V"], 5: ["run"], 6: ["app/Main"],
         7: ["oracle/jrockit/jfr/jdkevents/ThrowableTracer"], 8: ["app/Loader"], 9: ["oracle/jrockit/jfr/JFR"]}


def constants(p, names=None, stacks=None, **more):
    pools = [(p, UTF, {**NAMES, **(names or {})}),
             (p, CLASS, {1: [0, 1, 1], 2: [0, 2, 1], 6: [8, 6, 17], 7: [0, 7, 1], 8: [0, 8, -32767], 9: [0, 9, 1]}),
             (p, METHOD, {1: [2, 3, 4, 1, False], 2: [6, 5, 4, -32767, True], 3: [7, 3, 4, 1, False], 4: [9, 3, 4, 1, False]}),
             (p, FRAME, {0: ["Interpreted"], 1: ["JIT compiled"]}), (p, STATE, {1: ["STATE_RUNNABLE"]}),
             (p, STACK, stacks or {1: [False, [[1, 42, 7, 1], [2, 7, -1, 0]]], 2: [True, [[3, 1, 1, 0], [4, 2, 2, 0], [2, 7, 8, 0]]]}),
             (p, GROUP, {1: [1, "system"], 2: [1, "main"]}), (p, THREAD, more.get("threads", {4711: ["main"], 12: ["C2"]})),
             (p, JAVATHREAD, more.get("java", {1: [4711, 0, 0, 2]}))]
    return pools


# HotSpot 8, all that an event can have ------------------------------------------------------------

p = hotspot()
enter = p.event(20, "java/monitor_enter", "stk", ("klass", "u8", CLASS), ("previousOwner", "long", JAVATHREAD), ("address", "u8", ADDRESS))
wait = p.event(21, "java/monitor_wait", "stk", ("klass", "u8", CLASS), ("notifier", "u4", THREAD), ("timeout", "long", MILLIS),
               ("timedOut", "boolean"), ("address", "u8", ADDRESS))
load = p.event(22, "os/processor/cpu_load", "r", ("jvmUser", "float", FRACTION), ("machineTotal", "float", FRACTION))
sample = p.event(23, "vm/prof/execution_sample", "r", ("sampledThread", "u4", THREAD), ("stackTrace", "u8", STACK), ("state", "u2", STATE))
cache = p.event(24, "vm/code_cache/stats", "r", ("unallocatedCapacity", "u8", BYTES), ("entryCount", "int"))
loaded = p.event(25, "vm/class/load", "stk", ("loadedClass", "u8", CLASS), ("definingClassLoader", "u8", CLASS))
space = p.structure(("start", "u8", ADDRESS), ("end", "u8", ADDRESS), ("used", "u8", BYTES), ("size", "u8", BYTES))
heap = p.event(26, "vm/gc/heap/ps_summary", "", ("gcId", "u4"), ("oldObjectSpace", f"struct {space}"))
j = Producer(HOTSPOT + "jdk/", 2)
thrown = j.event(4097, "java/exception_throw", "tk", ("thrownClass", "u8", CLASS), ("message", "string"))
read = j.event(4098, "java/file_read", "stk", ("bytesRead", "long", BYTES), ("path", "string"))
r = Producer(HOTSPOT + "jfr-info/", 3)
setting = r.event(4099, "recordings/recording_setting", "", ("id", "int"), ("name", "utf"), ("path", "utf"), ("enabled", "boolean"),
                  ("stacktrace", "boolean"), ("threshold", "long", NANOS), ("period", "long", MILLIS))
recording = r.event(4100, "recordings/recording", "", ("id", "long"), ("name", "utf"), ("startTime", "long", EPOCH),
                    ("duration", "long", MILLIS))


def whole(start=0):
    c = Chunk(p, j, r, start_ms=1524063405352 + start, ticks=14006972 + 1000 * start)
    c.event(p, enter, 20, [1, 1, 0xffffffff81234567], begin=5, thread=4711, stack=1)
    c.event(p, wait, 30, [6, 99, 1000, True, 16], begin=10, thread=4711, stack=1)
    c.event(p, wait, 40, [6, 12, 1000, False, 16], begin=35, thread=4711)
    c.event(p, load, 50, [0.25, 0.5])
    c.event(p, sample, 60, [4711, 1, 1])
    c.event(p, cache, 70, [3, -1])
    c.event(p, loaded, 80, [6, 8], begin=75, thread=12)
    c.event(p, heap, 90, [4294967295, [1, 2, 3, 18446744073709551615]])
    c.event(j, thrown, 100, [2, "\u0108u \ud83d\ude00"], thread=4711, stack=2)
    c.event(j, read, 110, [77, "/tmp/\ud800"], begin=109, thread=4711)
    for n, start_ns, period in (23, -2**63, 20), (20, 10000000, 0), (20, 10000001, 2**63 - 1), (24, 0, 0), (1, 0, 1):
        c.event(r, setting, 120, [n, "n", "p", True, False, start_ns, period])
    c.event(r, recording, 130, [3, "mine", 1524063405000, 60000])
    c.lost(140, 12, 4000000000)
    c.checkpoint(150, *constants(p))
    return c


one = write("whole.jfr", whole())
T = "2018-04-18T15:56:45."
text = run("print", one)
result(text.returncode == 0 and not text.stderr, "nothing is told of it", text.stderr)
got = events(one)
kinds = [t for t, _ in got]
result(kinds.count("jdk.ActiveSetting") == 12, "a setting becomes one for each of what it says, those that can be", kinds)
by = {}
for t, v in got:
    by.setdefault(t, []).append(v)


def has(what, t, n, **wanted):
    v = by.get(t, [])
    ok = len(v) > n and all(part(v[n], k.replace("__", ".")) == x for k, x in wanted.items())
    result(ok, what, f"wanted {wanted}", json.dumps(v)[:3000])


has("times, thread, group, class", "jdk.JavaMonitorEnter", 0, startTime=T + "357+01:00", duration="PT0.015S", eventThread__javaName="main",
    eventThread__osThreadId=4711, eventThread__group__name="main", eventThread__group__parent__name="system", monitorClass__name="java/lang/Object",
    previousOwner__osName="main")
has("frames", "jdk.JavaMonitorEnter", 0, stackTrace__truncated=False, stackTrace__frames__0__method__name="put", stackTrace__frames__0__lineNumber=42,
    stackTrace__frames__0__type="JIT compiled", stackTrace__frames__1__method__type__name="app/Main", stackTrace__frames__1__method__hidden=True,
    stackTrace__frames__1__bytecodeIndex=-1)
has("who notified is not known of what timed out", "jdk.JavaMonitorWait", 0, notifier=None, timedOut=True, timeout="PT1S",
    monitorClass__classLoader__type__name="app/Loader")
has("a thread of the JVM's own", "jdk.JavaMonitorWait", 1, notifier__osName="C2", notifier__javaName=None, stackTrace=None)
has("an instant event", "jdk.CPULoad", 0, startTime=T + "402+01:00", jvmUser=0.25, machineTotal=0.5)
has("a sample", "jdk.ExecutionSample", 0, sampledThread__javaThreadId=1, stackTrace__frames__1__lineNumber=7, state="STATE_RUNNABLE")
has("kilobytes that say bytes", "jdk.CodeCacheStatistics", 0, unallocatedCapacity=3072, entryCount=-1)
has("a loader", "jdk.ClassLoad", 0, loadedClass__name="app/Main", definingClassLoader__type__name="app/Loader", eventThread__osName="C2")
has("unsigned numbers, a structure", "jdk.PSHeapSummary", 0, gcId=4294967295, oldObjectSpace__size=18446744073709551615, oldObjectSpace__used=3)
has("UTF-16, and the recorder's own frames gone", "jdk.JavaExceptionThrow", 0, message="\u0108u \U0001f600", stackTrace__truncated=True,
    stackTrace__frames__0__method__type__name="oracle/jrockit/jfr/JFR", thrownClass__name="java/util/HashMap")
has("half a character", "jdk.FileRead", 0, bytesRead=77, path="/tmp/\ud800")
has("a recording", "jdk.ActiveRecording", 0, name="mine", recordingStart="2018-04-18T15:56:45+01:00", recordingDuration="PT1M")
has("lost buffers", "jdk.DataLoss", 0, amount=4000000000)
settings = {(v["id"], v["name"]): v["value"] for v in by["jdk.ActiveSetting"]}
values = sorted(settings.values())
result(values.count("10 ms") == 0 or "10000001 ns" in values, "a threshold has its unit", values)
result("everyChunk" in values and "20 ms" in values, "a period, too", values)
active = run("settings", "active", one).stdout.decode()
result("jdk.ExecutionSample" in active and "period 20 ms" in active, "settings are those of their events", active)

# The commands -----------------------------------------------------------------------------------------

summary = run("summary", one).stdout.decode()
result("Version: 0.9" in summary and "Chunks: 1" in summary, "summary says the version", summary[:300])
for name, data in ("a pipe", open(one, "rb").read()), ("a compressed one", gzip.compress(open(one, "rb").read())):
    result(run("print", "-", stdin=data).stdout == text.stdout, f"{name} is read")
for command in (["filter", "--events", "jdk.*"], ["merge"], ["repair"], ["scrub"], ["filter", "--where", "bytesRead > 1"]):
    out = "_".join(command).replace(" ", "").replace("*", "").replace(">", "") + ".jfr"
    done = run(*command, "-o", out, one)
    head = open(out, "rb").read(8) if os.path.exists(out) else b""
    result(done.returncode == 0 and head == b"FLR\0\0\2\0\1", f"{' '.join(command)} writes 2.1", done.stderr, head)
result(run("print", "merge.jfr").stdout == text.stdout, "merged, it has the same events")
result(run("print", "repair.jfr").stdout == text.stdout, "repaired, it has the same events")
os.mkdir("parts")
done = run("split", "-o", "parts", one)
result(done.returncode == 0, "split", done.stderr)
collapsed = run("flame", "--profile", "cpu", "--format", "collapsed", "-o", "-", one).stdout.decode()
result("app/Main.run" in collapsed and "java/util/HashMap.put" in collapsed, "flame has its stacks", collapsed)
done = run("analyze", "--json", one)
result(done.returncode in (0, 1) and json.loads(done.stdout), "analyze judges it", done.stderr)
result(run("report", "-o", "report.html", one).returncode == 0, "report")
result(run("export", "-o", "tables", one).returncode == 0, "export")
result(b"JavaMonitorEnter" in run("metadata", "--events", "JavaMonitorEnter", one).stdout, "metadata")
rows = run("query", "SELECT eventThread FROM jdk.JavaMonitorEnter", one)
result(b"main" in rows.stdout, "query", rows.stdout, rows.stderr)

# Keys that are bound again ------------------------------------------------------------------------------

c = Chunk(p, j, r)
c.event(p, sample, 10, [4711, 1, 1])
c.checkpoint(100, *constants(p, threads={4711: ["first"]}, java={1: [4711, 0, 0, 2]}))
c.event(p, sample, 200, [4711, 1, 1])
c.checkpoint(300, *constants(p, names={6: ["app/Other"]}, threads={4711: ["second"]}, java={8: [4711, 0, 0, 2]}))
c.event(p, sample, 400, [4711, 1, 1])
c.event(p, sample, 100, [4711, 1, 1])
again = write("again.jfr", c)
got = [(v["startTime"], v["sampledThread"]["javaName"], v["sampledThread"]["javaThreadId"], v["stackTrace"]["frames"][1]["method"]["type"]["name"])
       for _, v in sorted(events(again), key=lambda e: e[1]["startTime"])]
result([g[1:] for g in got] == [("first", 1, "app/Main"), ("first", 1, "app/Main"), ("second", 8, "app/Other"), ("second", 8, "app/Other")],
       "a key means what it was bound to next", got)

# JDK 7: no bytecode index, a permanent generation ---------------------------------------------------------

p7 = hotspot(trace_bci=False)
sample7 = p7.event(30, "vm/prof/execution_sample", "r", ("sampledThread", "u4", THREAD), ("stackTrace", "u8", STACK), ("state", "u2", STATE))
space7 = p7.structure(("start", "u8", ADDRESS), ("end", "u8", ADDRESS), ("used", "u8", BYTES), ("size", "u8", BYTES))
perm = p7.event(31, "vm/gc/heap/perm_gen_summary", "", ("gcId", "u4"), ("objectSpace", f"struct {space7}"))
c = Chunk(p7)
c.event(p7, sample7, 10, [4711, 1, 1])
c.event(p7, perm, 20, [1, [1, 2, 3, 4]])
c.checkpoint(30, *constants(p7, stacks={1: [False, [[1, 42, 1]]]}))
got = events(write("seven.jfr", c))
result(got and got[0][1]["stackTrace"]["frames"][0]["bytecodeIndex"] == -1 and got[0][1]["stackTrace"]["frames"][0]["type"] == "JIT compiled",
       "frames without a bytecode index", got)
result(got and got[1][0] == "com.oracle.hotspot.jvm.vm.gc.heap.perm_gen_summary", "what 2.x does not have keeps its own name", got)

# async-profiler 1.x: no locale, frames without a line, threads without a name -------------------------------

a = Producer(HOTSPOT + "jvm/")
aframes = a.structure(("method", "u8", METHOD), ("bci", "int"), ("type", "u1", FRAME))
a.content(THREAD, "Thread", "u4", ("name", "utf"))
a.content(JAVATHREAD, "JavaThread", "u8", ("thread", "u4", THREAD))
a.content(CLASS, "Class", "u8", ("loaderClass", "u8", CLASS), ("name", "u8", UTF), ("modifiers", "short"))
a.content(METHOD, "Method", "u8", ("class", "u8", CLASS), ("name", "u8", UTF), ("signature", "u8", UTF), ("modifiers", "short"), ("hidden", "boolean"))
a.content(UTF, "UTFConstant", "u8", ("utf8", "utf"))
a.content(STACK, "StackTrace", "u8", ("truncated", "boolean"), ("frames", f"structs {aframes}"))
a.content(FRAME, "FrameType", "u1", ("desc", "utf"))
asample = a.event(20, "vm/prof/execution_sample", "", ("sampledThread", "u4", THREAD), ("stackTrace", "u8", STACK))
c = Chunk(a, locale=None, ticks=5 * 10**14, rate=10**9)
c.event(a, asample, 10, [77, 1])
c.checkpoint(9000, (a, UTF, {1: [""], 2: ["do_syscall_64"], 3: ["(Lk;)L;"]}), (a, CLASS, {1: [0, 1, 0]}), (a, METHOD, {1: [1, 2, 3, 0, False]}),
             (a, FRAME, {5: ["Kernel"]}), (a, STACK, {1: [False, [[1, 0, 5]]]}), (a, THREAD, {}), (a, JAVATHREAD, {}))
got = events(write("async.jfr", c))
result(got and got[0][1]["startTime"] == "2018-04-18T14:56:45.362Z" and got[0][1]["sampledThread"]["osThreadId"] == 77 and
       got[0][1]["sampledThread"]["osName"] is None and got[0][1]["stackTrace"]["frames"][0]["lineNumber"] == -1 and
       got[0][1]["stackTrace"]["frames"][0]["method"]["name"] == "do_syscall_64", "async-profiler 1.x", got)

# JRockit: other paths, arrays of classes and of structures, keywords in names, two-byte keys ------------------

k = Producer("http://www.oracle.com/jrockit/jvm/")
pair = k.structure(("class", "u8", CLASS), ("bytes", "u8", BYTES))
k.content(CLASS, "Class", "u8", ("loaderClass", "u8", CLASS), ("name", "u8", UTF), ("modifiers", "short"))
k.content(UTF, "UTFConstant", "u8", ("utf8", "utf"))
k.content(THREAD, "Thread", "u4", ("name", "utf"))
k.content(30, "VMThread", "u2", ("thread", "u4", THREAD))
k.content(50, "Class", "u8", ("a", "utf"), ("b", "double"))
hist = k.event(60, "vm/heap_statistics/class", "", ("classes", "array u8", CLASS), ("rows", f"structs {pair}"), ("owner", "u2", 30),
               Value("startTime", "long", TICKS), ("startTime", "byte"), ("odd name!", "u1"), ("other", "u8", 50), ("none", "array utf"))
c = Chunk(k)
c.event(k, hist, 10, [[1, 2], [[1, 10], [2, 20]], 3, 5, -1, 200, 9, ["a", ""]])
c.checkpoint(20, (k, UTF, {1: ["A"], 2: ["B"]}), (k, CLASS, {1: [0, 1, 0], 2: [0, 2, 0]}), (k, THREAD, {5: ["t"]}), (k, 30, {3: [5]}),
             (k, 50, {9: ["x", 1.5]}))
got = events(write("jrockit.jfr", c))
v = got[0][1] if got else {}
result(got and got[0][0] == "com.oracle.jrockit.jvm.vm.heap_statistics.class_", "its names, without a keyword of Java", got)
result(got and [x["name"] for x in v["classes"]] == ["A", "B"] and [(x["class_"]["name"], x["bytes"]) for x in v["rows"]] == [("A", 10), ("B", 20)] and
       v["owner"]["osName"] == "t" and v["none"] == ["a", ""], "arrays of keys and structures, a thread by another's key", v)
result(got and sorted(v)[:1] != [] and v["odd_name_"] == 200 and len([x for x in v if x.startswith("startTime")]) == 3, "fields with names of others", v)

# An application's own producers: two pools of one name -----------------------------------------------------------

w1, w2 = Producer("http://www.oracle.com/wls/flightrecorder/low/", 5), Producer("https://example.org:8080/x", 6)
w1.content(100, "LocalPool", "u8", ("v", "utf"))
w2.content(101, "LocalPool", "int", ("v", "string"))
e1 = w1.event(4200, "Servlet/Request", "st", ("uri", "u8", 100), label="Request")
e2 = w2.event(4201, "Servlet/Request", "", ("uri", "int", 101), ("ratio", "double", FRACTION), ("at", "long", EPOCH))
c = Chunk(w1, w2)
c.event(w1, e1, 20, [7], begin=10)
c.event(w2, e2, 30, [-7, 0.125, 1524063405352])
c.checkpoint(40, (w1, 100, {7: ["/shop"]}), (w2, 101, {-7: ["\u00e9"]}))
got = events(write("wls.jfr", c))
result([t for t, _ in got] == ["com.oracle.wls.flightrecorder.low.Servlet.Request", "org.example_8080.x.Servlet.Request"] or
       (len(got) == 2 and got[1][0].endswith("x.Servlet.Request")), "names of their addresses", got)
result(len(got) == 2 and got[0][1]["uri"] == "/shop" and got[1][1]["uri"] == "\u00e9" and got[1][1]["ratio"] == 0.125 and
       got[1][1]["at"] == "2018-04-18T15:56:45.352+01:00", "pools of their own", got)

# Several chunks, and 2.1 in between ------------------------------------------------------------------------------

three = write("three.jfr", whole(), whole(10000), whole(20000))
result(len(events(three)) == 3 * len(events(one)) and "Chunks: 3" in run("summary", three).stdout.decode(), "three chunks")
new = open(os.path.join(root, "tests/data/ok/jvm-17.jfr"), "rb").read()
count = len(events(os.path.join(root, "tests/data/ok/jvm-17.jfr")))
for name, parts in ("0.9 in front of 2.1", (whole(), new)), ("2.1 in front of 0.9", (new, whole())), ("0.9 around 2.1", (whole(), new, whole(10000))):
    mixed = write("mixed.jfr", *parts)
    n = count + len(events(one)) * sum(not isinstance(x, bytes) for x in parts)
    result(len(events(mixed)) == n, name, len(events(mixed)), n)
    data = open(mixed, "rb").read()
    expected = run("print", mixed)
    for how, given in ("a pipe", data), ("compressed", gzip.compress(data)):
        got = run("print", "-", stdin=given)
        result(got.stdout == expected.stdout and got.returncode == expected.returncode, f"{name}, {how}", got.stderr)
    done = run("merge", "--force", "-o", "merged.jfr", mixed)
    result(done.returncode == 0 and len(events("merged.jfr")) == n, f"{name}, merged", done.stderr, len(events("merged.jfr")))

# Damage -----------------------------------------------------------------------------------------------------------

data = whole().data()


def damaged(what, made, least, told, code=1, options=()):
    name = write("damaged.jfr", made)
    got = run("print", "--json", *options, name)
    n = len(json.loads(got.stdout)["recording"]["events"]) if got.stdout.strip() else 0
    result(got.returncode == code and n >= least and told in got.stderr.decode(), what, got.returncode, n, got.stderr)


everything = len(events(one))
first = struct.unpack(">I", data[16:20])[0]
damaged("a wrong offset of the types", data[:8] + struct.pack(">Q", 99) + data[16:], everything, "they are at byte")
damaged("types cut off", data[:-300], 0, "--types-from with a recording of the same JVM may help")
damaged("types cut off, and lent", data[:-300], 3, "those of another chunk are used", options=("--types-from", one))
unreadable = run("summary", write("damaged.jfr", data[:-300], new))
result(unreadable.returncode == 1 and b"Version: 2.1" in unreadable.stdout and b"Chunks: 1" in unreadable.stdout,
       "what is behind a chunk that cannot be read", unreadable.stdout[:200], unreadable.stderr)
damaged("an event of no size", data[:16] + bytes(4) + data[20:], everything - 1, "no event can begin at byte 16")
damaged("an event of a size too large", data[:16] + struct.pack(">I", first + 3) + data[20:], everything - 1, "lost")
damaged("a type that is not declared", data[:20] + struct.pack(">I", 999) + data[24:], everything - 1, "lost")
damaged("a byte too few", data[:40] + data[41:], everything - 2, "they are at byte")
damaged("bytes behind it", data + b"garbage!" * 10, everything, "belong to no chunk")
damaged("a second chunk cut off", data + data[:len(data) // 2], everything, "those of another chunk are used")
damaged("half of a header", data[:12], 0, "is truncated after 12 bytes")
damaged("nothing but a header", data[:16], 0, "none of its 16 bytes can be read")
bad = Chunk(p)
bad.checkpoint(10, (p, UTF, {1: ["a"]}))
bad.body = bad.body[:-15] + struct.pack(">I", 0x7fffffff) + bad.body[-11:]
damaged("constants that cannot be", bad.data(), 0, "constants")
done = run("repair", "-o", "repaired.jfr", write("damaged.jfr", data[:16] + bytes(4) + data[20:]))
result(len(events("repaired.jfr")) == everything - 1, "repair keeps what is whole", done.stdout, done.stderr)

# Hostile ------------------------------------------------------------------------------------------------------------

p = Producer(HOTSPOT + "jvm/")
p.structures = [[Value("a", "struct 1")], [Value("b", "struct 0")]]
p.events = [(50, "x", "", 0, "X")]
damaged("structures within themselves", Chunk(p).data(), 0, "none of its")
p.structures = [[Value("a", f"struct {i + 1}"), Value("b", f"struct {i + 1}")] for i in range(14)] + [[Value("c", "byte")]]
damaged("structures that double", Chunk(p).data(), 0, "none of its")
p.structures = [[Value("a", "structs 1")], []]
damaged("a structure of nothing, billions of times", Chunk(p).data(), 0, "none of its")
p.structures = [[Value("a", "array u8")]]
c = Chunk(p)
c.add(struct.pack(">IQI", 50, c.ticks(1), 0xffffffff))
damaged("an array of four billion", c.data(), 0, "do not match their size")
loops = hotspot()
sample = loops.event(23, "vm/prof/execution_sample", "r", ("sampledThread", "u4", THREAD), ("stackTrace", "u8", STACK), ("state", "u2", STATE))
c = Chunk(loops)
c.event(loops, sample, 1, [4711, 1, 1])
c.checkpoint(2, (loops, UTF, {1: ["L"]}), (loops, CLASS, {n: [n % 50000 + 1, 1, 1] for n in range(1, 50001)}), (loops, METHOD, {1: [1, 1, 1, 1, False]}),
             (loops, GROUP, {n: [n % 50000 + 1, "g"] for n in range(1, 50001)}), (loops, FRAME, {1: ["J"]}),
             (loops, STACK, {1: [False, [[1, 1, 1, 1]]]}), (loops, THREAD, {4711: ["t"]}), (loops, JAVATHREAD, {1: [4711, 0, 0, 1]}))
done = run("summary", write("loops.jfr", c))
result(done.returncode == 0 and b"jdk.ExecutionSample" in done.stdout, "loaders and groups in circles of 50,000", done.stderr)
done = run("flame", "--format", "collapsed", "-o", "-", "loops.jfr")
result(done.stdout.startswith(b"L.put") or b"L." in done.stdout, "and a stack of them", done.stdout, done.stderr)

finish()
