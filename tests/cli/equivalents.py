# SPDX-License-Identifier: MIT
"""Types of other producers that stand for the JDK's: Datadog's, with weights, and those of JDK 9.

usage: equivalents.py JFREC SOURCE_ROOT

The recordings are made by ../plant.py, with the types that Datadog's profiler declares.  Prints TAP.
"""

import json
import os
import subprocess
import sys
import tempfile

JFREC, ROOT = sys.argv[1], sys.argv[2]
sys.path.insert(0, os.path.join(ROOT, "tests"))
from plant import Recording, Types  # noqa: E402
from tap import finish, result  # noqa: E402

BASE = os.path.join(ROOT, "tests/data/ok/jvm-25.jfr")
MAIN = ["app.Main.main"]
HOT = ["app.Hot.spin", "app.Main.main"]
THREAD, TRACE, CLASS = "java.lang.Thread", "jdk.types.StackTrace", "java.lang.Class"
STATE, TEXT = "jdk.types.ThreadState", "java.lang.String"
SAMPLE = {"eventThread": THREAD, "stackTrace": TRACE, "state": STATE, "mode": TEXT, "weight": "long",
          "spanId": "long", "localRootSpanId": "long"}
OBJECT = {"eventThread": THREAD, "stackTrace": TRACE, "objectClass": CLASS, "size": "long", "weight": "float"}


def datadog_types(*without):
    types = Types(BASE)
    types.declare("datadog.ExecutionSample", **SAMPLE)
    types.declare("datadog.MethodSample", **SAMPLE)
    types.declare("datadog.ObjectSample", **OBJECT)
    types.declare("datadog.HeapLiveObject", **dict(OBJECT, age="long"))
    types.declare("datadog.NativeMemoryAllocation", eventThread=THREAD, stackTrace=TRACE, address="long",
                  size="long", weight="float")
    types.declare("datadog.NativeSocketEvent", eventThread=THREAD, stackTrace=TRACE, duration="long",
                  operation=TEXT, remoteAddress=TEXT, bytesTransferred="long", weight="float")
    types.declare("datadog.ExceptionSample", eventThread=THREAD, stackTrace=TRACE, type=TEXT, message=TEXT)
    types.declare("datadog.Endpoint", eventThread=THREAD, endpoint=TEXT, localRootSpanId="long")
    if without:
        types.undeclare(*without)
    return types


def set_interval(r, kind, ns):
    r.add("jdk.ActiveSetting", at=0, id=r.types.by_name[kind]["id"], name="interval", value=str(ns))


def fill(r):
    """What Datadog's profiler writes."""
    set_interval(r, "datadog.ExecutionSample", 10_000_000)
    set_interval(r, "datadog.MethodSample", 50_000_000)
    for i in range(8):
        r.add("datadog.ExecutionSample", at=i / 10, eventThread="main", stackTrace=HOT, state="RUNNABLE",
              weight=3, spanId=7)
    r.add("datadog.ExecutionSample", at=0.9, eventThread="main", stackTrace=MAIN, state="RUNNABLE", weight=1)
    for i in range(4):
        r.add("datadog.MethodSample", at=i / 10, eventThread="main", stackTrace=MAIN, state="PARKED", weight=2)
    r.add("datadog.ObjectSample", at=0.1, eventThread="main", stackTrace=HOT, objectClass="app.Big",
          size=1000, weight=2.5)
    r.add("datadog.ObjectSample", at=0.2, eventThread="main", stackTrace=MAIN, objectClass="app.Small",
          size=16, weight=100.0)
    r.add("datadog.HeapLiveObject", at=0.2, eventThread="main", stackTrace=MAIN, objectClass="app.Big",
          size=1000, weight=4.0, age=3)
    r.add("datadog.NativeMemoryAllocation", at=0.2, eventThread="main", stackTrace=MAIN, address=4096, size=64,
          weight=10.0)
    r.add("datadog.NativeSocketEvent", at=0.2, duration=0.25, eventThread="main", stackTrace=MAIN,
          operation="READ", weight=2.0)
    for name in ("java.lang.IllegalStateException", "java.io.IOException", "java.io.IOException"):
        r.add("datadog.ExceptionSample", at=0.3, eventThread="main", stackTrace=HOT, type=name)
    r.add("datadog.Endpoint", at=0.4, eventThread="main", endpoint="GET /orders", localRootSpanId=7)
    return r


folder = tempfile.TemporaryDirectory()


def write(name, *chunks):
    path = os.path.join(folder.name, name)
    with open(path, "wb") as f:
        f.write(b"".join(c.bytes() for c in chunks))
    return path


def run(*args):
    return subprocess.run([JFREC, *args], capture_output=True, text=True, timeout=60)


def profile(path, name, *options):
    done = run("flame", "--profile", name, "--format", "json", *options, path)
    try:
        document = json.loads(done.stdout)
        p = document["profiles"][0]
        p["names"] = [f["name"] for f in document["frames"]]
        return p
    except (ValueError, LookupError):
        return {"failed": done.stderr}


def check_profile(path, name, samples, weight, of, what, *options):
    p = profile(path, name, *options)
    got = p.get("samples"), p.get("weight"), p.get("from")
    result(got == (samples, weight, of), what, f"{got} {p.get('failed')}")
    return p


only = write("datadog.jfr", fill(Recording(datadog_types())))
check_profile(only, "cpu", 25, 250_000_000, "datadog.ExecutionSample", "cpu: each sample stands for its weight")
check_profile(only, "wall", 8, 400_000_000, "datadog.MethodSample", "wall: at the interval of its settings")
p = check_profile(only, "alloc", 2, 4100, "datadog.ObjectSample", "alloc: size x weight")
result("app.Big" in p.get("names", []), "alloc: the class is a frame", p.get("names"))
check_profile(only, "live", 1, 4000, "datadog.HeapLiveObject", "live: size x weight")
check_profile(only, "native-memory", 1, 640, "datadog.NativeMemoryAllocation", "native-memory: size x weight")
check_profile(only, "io", 1, 500_000_000, "datadog.NativeSocketEvent", "io: duration x weight")
p = check_profile(only, "exceptions", 3, 3, "datadog.ExceptionSample", "exceptions: one each")
result("java.io.IOException" in p.get("names", []), "exceptions: the name of the class is a frame", p.get("names"))
check_profile(only, "cpu", 25, 250_000_000, "datadog.ExecutionSample", "a state's name has no prefix",
              "--state", "runnable")
check_profile(only, "wall", None, None, None, "of another state there is none", "--state", "runnable")
check_profile(only, "cpu", 24, 240_000_000, "datadog.ExecutionSample", "spans are found by their ids",
              "--where", "spanId == 7")
done = run("flame", "--type", "datadog.ExecutionSample", "--format", "json", only)
result(json.loads(done.stdout)["profiles"][0]["samples"] == 25, "a type that is named has its weights", done.stderr)
done = run("flame", only)
result(done.stdout.startswith("CPU: 250 ms in 25 samples (datadog.ExecutionSample)\n"), "the text says which type",
       done.stdout[:200])

# Weights that are none.
r = Recording(datadog_types())
for size, weight in ((100, -1.0), (100, float("nan")), (1 << 62, 1e30), (-5, 2.0), (0, float("inf")), (100, 1.5)):
    r.add("datadog.ObjectSample", at=0.1, eventThread="main", stackTrace=MAIN, objectClass="app.Big", size=size,
          weight=weight)
p = profile(write("hostile.jfr", r), "alloc")
result(p.get("samples") == 6 and abs(p.get("weight", 0)) <= (1 << 63) - 1, "weights that are none count nothing", p)

# Two recorders of one minute: the JVM's chunk, and Datadog's.
jdk = Recording(Types(BASE))
jdk.add("jdk.ActiveSetting", at=0, id=jdk.types.by_name["jdk.ExecutionSample"]["id"], name="period", value="20 ms")
for i in range(5):
    jdk.add("jdk.ExecutionSample", at=i / 10, sampledThread="main", stackTrace=HOT, state="STATE_RUNNABLE")
jdk.add("jdk.ObjectAllocationSample", at=0.1, eventThread="main", stackTrace=MAIN, objectClass="app.Big", weight=512)
jdk.add("jdk.OldObjectSample", at=0.1, eventThread="main", stackTrace=MAIN, objectSize=77)
for i, order in enumerate(((jdk, fill(Recording(datadog_types("jdk.ExecutionSample")))),
                           (fill(Recording(datadog_types("jdk.ExecutionSample"))), jdk))):
    both = write(f"both{i}.jfr", *order)
    when = "the JVM's first" if i == 0 else "Datadog's first"
    p = check_profile(both, "cpu", 5, 100_000_000, None, f"two recorders, {when}: no second counts twice")
    result(p.get("leftOut") == 25, "what is left out is said", p.get("leftOut"))
    check_profile(both, "alloc", 1, 512, None, f"two recorders, {when}: allocation")
    check_profile(both, "live", 1, 4000, "datadog.HeapLiveObject", f"two recorders, {when}: what says its weight")
    done = run("flame", both)
    result("25 samples of other event types tell of the same, and are left out" in done.stdout, "the text says so",
           done.stdout[:200])

# The JVM's metadata has all types, but its chunk none of their events.
empty = Recording(Types(BASE))
check_profile(write("declared.jfr", empty, fill(Recording(datadog_types("jdk.ExecutionSample")))), "cpu", 25,
              250_000_000, "datadog.ExecutionSample", "a type that is declared and has no events hides nothing")

# Formats that profiles are handed on in.
for form in ("collapsed", "pprof", "otlp", "firefox"):
    to = os.path.join(folder.name, "out." + form)
    extra = ["--experimental"] if form == "otlp" else []
    done = run("flame", "--format", form, *extra, "-o", to, only)
    result(done.returncode == 0 and os.path.getsize(to) > 20, f"{form} has them", done.stderr)

# JDK 9's names.
types = Types(BASE)
types.name_as_jdk9()
r = Recording(types)
for i in range(6):
    r.add("com.oracle.jdk.ExecutionSample", at=i / 10, sampledThread="main", stackTrace=HOT)
r.add("com.oracle.jdk.ObjectAllocationInNewTLAB", at=0.1, eventThread="main", stackTrace=MAIN, objectClass="app.Big",
      tlabSize=2048, allocationSize=16)
nine = write("nine.jfr", r)
check_profile(nine, "cpu", 6, 120_000_000, None, "JDK 9: cpu")
check_profile(nine, "alloc", 1, 2048, None, "JDK 9: alloc")

# diff.
page = os.path.join(folder.name, "diff.html")
done = run("diff", "-o", page, only, both)
result(done.returncode == 0 and os.path.getsize(page) > 1000, "diff of two producers", done.stderr)
result("by datadog.ExecutionSample before, by the JDK or async-profiler after" in done.stdout,
       "and it says that they are two", done.stdout[:400])
done = run("diff", nine, nine)
result("what they see" not in done.stdout, "of one it does not", done.stdout[:400])
result(done.returncode == 0 and "Neither" not in done.stdout, "diff of JDK 9", done.stdout)
nothing, page = write("nothing.jfr", empty), os.path.join(folder.name, "none.html")
done = run("diff", "-o", page, nothing, nothing)
result(done.returncode == 1 and "not written" in done.stderr and not os.path.exists(page),
       "diff without stacks writes no page", f"{done.returncode} {done.stderr}")

# Rules.


def findings(path):
    done = run("analyze", "--all", "--json", path)
    try:
        return {f["rule"]: f for jvm in json.loads(done.stdout)["jvms"] for f in jvm["findings"]}
    except (ValueError, LookupError):
        return {"failed": done.stderr}


def evidence(finding):
    return json.dumps(finding.get("evidence", []))


def long_run(types, kind, **fields):
    r = Recording(types)
    for i in range(200):
        r.add(kind, at=i / 10, stackTrace=HOT if i % 4 else MAIN, **fields)
    return r


def hot(path):
    return findings(path).get("hot-method", {}).get("summary", "")


dd = long_run(datadog_types("jdk.ExecutionSample"), "datadog.ExecutionSample", eventThread="main", state="RUNNABLE",
              weight=2)
set_interval(dd, "datadog.ExecutionSample", 10_000_000)
for i in range(100):
    dd.add("datadog.ObjectSample", at=i / 5, eventThread="main", stackTrace=HOT, objectClass="app.Big", size=1000,
           weight=2000.0)
    dd.add("datadog.ExceptionSample", at=i / 5, eventThread="main", stackTrace=HOT, type="java.io.IOException")
path = write("hot.jfr", dd)
found = findings(path)
result(hot(path).startswith("app.Hot.spin is the first method of the application in 75 % of the samples"),
       "hot-method judges them", hot(path))
result('"samples", "value": 400' in evidence(found["hot-method"]) or '400' in evidence(found["hot-method"]),
       "hot-method counts what they stand for", evidence(found["hot-method"]))
result(found["sampling-few"]["severity"] == "ok", "sampling-few counts them", found["sampling-few"])
result(found["cpu-by-purpose"]["severity"] != "no-data", "cpu-by-purpose judges them", found["cpu-by-purpose"])
allocation = found["allocation-site"]
result("are allocated" in allocation["summary"] and "app.Big" in evidence(allocation), "allocation-site: size x weight",
       allocation)
own = long_run(Types(BASE), "jdk.ExecutionSample", sampledThread="main", state="STATE_RUNNABLE")
own.add("jdk.ActiveSetting", at=0, id=own.types.by_name["jdk.ExecutionSample"]["id"], name="period", value="20 ms")
alone, with_dd = hot(write("own.jfr", own)), hot(write("own-dd.jfr", own, dd))
result(alone == with_dd and "app.Hot.spin" in alone, "with the JVM's own, those alone are judged", f"{alone} | {with_dd}")
result(hot(write("dd-own.jfr", dd, own)) == alone, "in whatever order the chunks are", alone)

# Views.


def rows(path, what, view):
    done = run(what, "--json", view, path)
    try:
        return [list(row.values()) if isinstance(row, dict) else row
                for row in json.loads(done.stdout)["views"][0]["rows"]]
    except (ValueError, LookupError):
        return done.stdout + done.stderr


def check_rows(path, view, want, what):
    got = rows(path, "view", view)
    result(got == want, what, got)


check_rows(only, "datadog-hot-methods", [["app.Hot.spin()", 24, 0.96], ["app.Main.main()", 1, 0.04]],
           "a view counts what samples stand for")
check_rows(only, "datadog-allocation-by-class", [["app.Big", 2500.0], ["app.Small", 1600.0]], "a view has size x weight")
check_rows(only, "datadog-exception-by-type", [["java.io.IOException", 2], ["java.lang.IllegalStateException", 1]],
           "a view of exceptions")
done = run("view", "exception-by-type", only)
result(done.stdout.startswith("\nNo events found for") and "datadog-exception-by-type" in done.stderr,
       "the JDK's view stays, and the other is named", done.stdout + done.stderr)
os.symlink(os.path.abspath(JFREC), os.path.join(folder.name, "jfr"))
done = subprocess.run([os.path.join(folder.name, "jfr"), "view", "exception-by-type", only], capture_output=True,
                      text=True, timeout=60)
result(done.stdout.startswith("\nNo events found for") and not done.stderr, "jfr's says nothing else",
       done.stdout + done.stderr)
done = run("view", "exception-by-type", nothing)
result(not done.stderr, "nor is it named where it has no such type", done.stderr)

# Another recorder has ids of its own: here, that of one of the JDK's.
types = Types(BASE)
taken = types.by_name["jdk.ExecutionSample"]["id"]
types.undeclare("jdk.ExecutionSample")
types.next_id = taken
types.declare("datadog.ExecutionSample", **SAMPLE)
types.declare("datadog.Endpoint", eventThread=THREAD, endpoint=TEXT, localRootSpanId="long")
r = Recording(types)
for i in range(3):
    r.add("datadog.ExecutionSample", at=i / 10, eventThread="main", stackTrace=HOT, state="RUNNABLE", weight=5)
r.add("datadog.Endpoint", at=0.4, eventThread="main", endpoint="GET /orders", localRootSpanId=7)
same_id = write("same-id.jfr", jdk, r)
check_rows(same_id, "datadog-hot-methods", [["app.Hot.spin()", 15, 1.0]], "a type of a later chunk with an id that is taken")
done = run("view", "hot-methods", write("same-id-empty.jfr", empty, r))
result("datadog-hot-methods" in done.stderr, "and its view is named", done.stderr)
done = run("query", "SELECT endpoint FROM datadog.Endpoint", same_id)
result("GET /orders" in done.stdout, "endpoints can be asked for", done.stdout + done.stderr)
done = run("view", "datadog.Endpoint", same_id)
result("GET /orders" in done.stdout, "and shown", done.stdout + done.stderr)
check_profile(same_id, "wall", None, None, None, "what is not there is not made up")

# The report.
page = os.path.join(folder.name, "report.json")
done = run("report", "--format", "json", "-o", page, only)
with open(page) as f:
    tables = {t["name"]: t.get("rows") for t in json.load(f)["tables"]}
result(tables.get("datadog-allocation-by-class", [None])[0] == ["app.Big", 2500.0], "the report has what was allocated",
       str(tables.get("datadog-allocation-by-class")) + done.stderr)
result(tables.get("datadog-exception-by-type", [None])[0] == ["java.io.IOException", 2], "and exceptions",
       tables.get("datadog-exception-by-type"))
page = os.path.join(folder.name, "jdk.json")
run("report", "--format", "json", "-o", page, nothing)
with open(page) as f:
    result("datadog" not in f.read(), "that of a JDK's recording says nothing of it")

# Advice.
done = run("flame", "--profile", "trace", only)
result(done.returncode == 1 and "Datadog" in done.stderr and "jfrec start" not in done.stderr,
       "nobody is sent to the JDK's recorder", done.stderr)
done = run("flame", "--profile", "trace", nine)
result(done.returncode == 1 and "jfrec start" in done.stderr, "of the JDK's it is as before", done.stderr)
finish()
