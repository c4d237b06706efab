"""--during: the events that share a moment with others of their thread, and no more.

usage: during.py JFREC SOURCE_ROOT

What is wanted is worked out here, from all events as `print --ndjson` gives them.  Prints TAP.
"""

import collections
import datetime
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

JFREC, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
sys.path.insert(0, os.path.join(ROOT, "tests"))
from plant import Recording, Types  # noqa: E402
from tap import finish, result  # noqa: E402

OK = os.path.join(ROOT, "tests/data/ok")


def run(command, *arguments, **how):
    return subprocess.run([JFREC, command, *arguments], capture_output=True, text=True, **how)


def lines(*arguments):
    return run("print", "--ndjson", "--utc", *arguments).stdout.split("\n")[:-1]


# The same, slowly --------------------------------------------------------------------------------


def span(event):
    values = event["values"]
    whole, fraction = re.match(r"(.*:\d\d)(?:\.(\d+))?Z$", values["startTime"]).groups()
    at = datetime.datetime.fromisoformat(whole).replace(tzinfo=datetime.timezone.utc)
    begin = int(at.timestamp()) * 10**9 + int((fraction or "0").ljust(9, "0"))
    return begin, begin + max(values.get("duration") or 0, 1)


def thread(event):
    values = event["values"]
    t = values["eventThread"] if "eventThread" in values else values.get("sampledThread")
    return t and (t.get("javaThreadId") or 0, 0 if t.get("javaThreadId") else t.get("osThreadId"))


def kept(events, intervals, by_time=False):
    """Which of them share a moment with an interval (thread, begin, end)."""
    found = []
    for line, event in events:
        begin, end = span(event)
        if any((by_time or t == thread(event)) and a < end and begin < b for t, a, b in intervals):
            found.append(line)
    return found


def loaded(*paths):
    return [(line, json.loads(line)) for line in lines(*paths)]


def intervals_of(events, name, test=lambda values: True):
    return [(thread(e), *span(e)) for _, e in events
            if e["type"] == name and test(e["values"]) and thread(e)]


some = 0
for name in sorted(os.listdir(OK)):
    # made-order.jfr has nanoseconds between its events, and ends are rounded to these.
    if not name.endswith(".jfr") or name.startswith(("objects", "made-order")):
        continue
    path = os.path.join(OK, name)
    events = [(line, e) for line, e in loaded(path) if e["values"].get("startTime")]
    types = collections.Counter(e["type"] for _, e in events
                                if "duration" in e["values"] and e["values"].get("eventThread"))
    for kind, _ in types.most_common(3):
        some += 1
        want = kept(events, intervals_of(events, kind))
        got = lines("--during", kind, path)
        result(got == want, f"{name}: during {kind}", len(got), len(want), got[:1], want[:1])
        rest = lines("--during", kind, "--outside", path)
        result(sorted(got + rest) == sorted(lines(path)), f"{name}: outside {kind} is the rest",
               len(got), len(rest))
        median = sorted(e["values"]["duration"] for _, e in events if e["type"] == kind)[types[kind] // 2]
        slow = intervals_of(events, kind, lambda v: v["duration"] >= median)
        got = lines("--during", f"{kind}[duration >= {median}ns]", path)
        result(got == kept(events, slow), f"{name}: during the longer half of {kind}", len(got))
        got = lines("--during", f"{kind}[duration >= {median}ns] by time", path)
        result(got == kept(events, slow, True), f"{name}: by time, {kind}", len(got))
result(some > 20, "there are events with a duration and a thread", some)

# Planted -----------------------------------------------------------------------------------------

work = tempfile.TemporaryDirectory()
os.chdir(work.name)
types = Types(os.path.join(OK, "jvm-25.jfr"))
types.declare("app.Request", duration="long", eventThread="java.lang.Thread", traceId="java.lang.String", number="long")
types.declare("app.Task", duration="long", eventThread="java.lang.Thread", traceId="java.lang.String")
types.declare("app.Instant", eventThread="java.lang.Thread", traceId="java.lang.String")
types.declare("app.Lonely", duration="long")


def plant(path, chunks, start=0, clock=0):
    """Requests of two threads, and samples of both each 10 ms; what the second one does is a task."""
    data = b""
    for part in range(chunks):
        r = Recording(types, start=start + part, clock=clock)
        base = start + part
        for i in range(100):
            for name in ("worker-1", "worker-2"):
                r.add("jdk.ExecutionSample", at=base + i / 100, sampledThread=name, state="STATE_RUNNABLE",
                      stackTrace=["app.Shop.work"])
        r.add("app.Request", at=base + 0.105, duration=0.1 * TICKS, eventThread="worker-1", traceId="a", number=1)
        r.add("app.Task", at=base + 0.505, duration=0.05 * TICKS, eventThread="worker-2", traceId="a")
        r.add("app.Request", at=base + 0.705, duration=0.01 * TICKS, eventThread="worker-2", traceId="b", number=2)
        r.add("app.Instant", at=base + 0.9, eventThread="worker-2", traceId="a")
        r.add("app.Lonely", at=base + 0.3, duration=0.1 * TICKS)
        data += r.bytes()
    with open(path, "wb") as f:
        f.write(data)


TICKS = 1  # plant.py takes lengths of time in seconds
plant("one.jfr", 2)
plant("host.jfr", 1, clock=100)


def samples(*arguments):
    """How many samples each thread has, and the status."""
    done = run("print", "--ndjson", *arguments)
    found = collections.Counter(json.loads(line)["values"]["sampledThread"]["javaName"]
                                for line in done.stdout.splitlines() if "ExecutionSample" in line)
    return dict(found), done.returncode


for name, arguments, want in (
    ("an event's own thread", ["app.Request[number = 1]"], {"worker-1": 20}),
    ("both threads", ["app.Request"], {"worker-1": 20, "worker-2": 2}),
    ("all threads at that time", ["app.Request[number = 1] by time"], {"worker-1": 20, "worker-2": 20}),
    ("a key that goes from thread to thread", ["app.Request[number = 1] by traceId"], {"worker-1": 20, "worker-2": 12}),
    ("another key", ["app.Request[number = 2] by traceId"], {"worker-2": 2}),
    ("blanks and commas", ["app.Request,Task [ duration > 20ms ]  by  traceId "], {"worker-1": 20, "worker-2": 12}),
    ("an event without a thread, by time", ["app.Lonely by time"], {"worker-1": 20, "worker-2": 20}),
):
    got = samples("--during", *arguments, "one.jfr")
    result(got == (want, 0), name, got)
    for jobs in ("2", "3"):
        again = run("flame", "--format", "collapsed", "--count", "--jobs", jobs, "--during", *arguments, "one.jfr").stdout
        count = sum(int(line.rsplit(" ", 1)[1]) for line in again.splitlines())
        result(count == sum(want.values()), f"{name}: flame with {jobs} threads", count)

r = run("print", "--ndjson", "--during", "app.Request[number = 1] by traceId", "one.jfr").stdout
result(r.count("app.Instant") == 2, "an event without a duration has the key, too", r.count("app.Instant"))

# Threads of equal numbers on two hosts are two.
plant("quiet.jfr", 1, clock=100)
r = Recording(types, clock=100)
for i in range(100):
    r.add("jdk.ExecutionSample", at=i / 100, sampledThread="worker-1", state="STATE_RUNNABLE", stackTrace=["app.Shop.work"])
with open("quiet.jfr", "wb") as f:
    f.write(r.bytes())
got = samples("--during", "app.Request[number = 1] ", "one.jfr", "quiet.jfr")
result(got == ({"worker-1": 20}, 0), "another host's thread of the same number is another", got)

# Chunks of one JVM in several files are of one.
r = Recording(types)
for i in range(100):
    r.add("jdk.ExecutionSample", at=i / 100, sampledThread="worker-1", state="STATE_RUNNABLE", stackTrace=["app.Shop.work"])
with open("first.jfr", "wb") as f:
    f.write(r.bytes())
r = Recording(types, start=1)
r.add("app.Request", at=0.805, duration=0.3, eventThread="worker-1", number=1)
with open("second.jfr", "wb") as f:
    f.write(r.bytes())
got = samples("--during", "app.Request", "first.jfr", "second.jfr")
result(got == ({"worker-1": 19}, 0), "a request that ended in the next file", got)
done = run("print", "--count", "--during", "app.Request", "second.jfr")
result("1 of 1 events of app.Request began before the recording" in done.stderr, "what began before is said", done.stderr)

# All commands --------------------------------------------------------------------------------------

during = ["--during", "app.Request[number = 1]"]
done = run("view", *during, "hot-methods", "one.jfr")
result(re.search(r"app\.Shop\.work\(\) +20 ", done.stdout) is not None, "view", done.stdout)
done = run("query", *during, "SELECT COUNT(*) FROM ExecutionSample", "one.jfr")
result(done.stdout.split()[-1] == "20", "query", done.stdout)
done = run("sql", *during, 'select count(*) from "jdk.ExecutionSample"', "one.jfr")
result(done.stdout.split()[-1] == "20", "sql", done.stdout)
done = run("filter", *during, "one.jfr", "-o", "kept.jfr")
got = samples("kept.jfr")
result(got == ({"worker-1": 20}, 0), "filter", got, done.stderr)
done = run("export", *during, "one.jfr", "-o", "tables", "--json")
rows = {t["name"]: t["rows"] for t in json.loads(done.stdout).get("tables", [])} if done.stdout else {}
result(rows.get("jdk.ExecutionSample", 20) == 20 and done.returncode == 0, "export", done.stdout, done.stderr)
done = run("analyze", *during, "one.jfr")
result(done.returncode in (0, 1) and "one.jfr" in done.stdout, "analyze", done.stderr)
done = run("report", *during, "one.jfr", "-o", "page.html")
result(done.returncode == 0 and os.path.exists("page.html"), "report", done.stderr)
done = run("diff", *during, "one.jfr")
result("380 samples before, 20 after" in done.stdout and done.returncode == 0, "diff: the rest and what was slow", done.stdout[:300], done.stderr)
done = run("diff", *during, "--outside", "one.jfr")
result("20 samples before, 380 after" in done.stdout, "diff: the other way round", done.stdout[:300])
piped = run("print", "--count", *during, "-", stdin=open("one.jfr", "rb"))
result(piped.stdout == run("print", "--count", *during, "one.jfr").stdout, "a pipe", piped.stdout, piped.stderr)

# Labels ------------------------------------------------------------------------------------------


def by_first_frame(*arguments):
    done = run("flame", "--format", "collapsed", "--count", *arguments)
    found = collections.Counter()
    for line in done.stdout.splitlines():
        stack, count = line.rsplit(" ", 1)
        found[stack.split(";")[0]] += int(count)
    return dict(found) or done.stderr


got = by_first_frame("--during", "app.Request", "--by", "number", "one.jfr")
result(got == {"1": 20, "2": 2}, "a field as the first frame", got)
got = by_first_frame("--during", "app.Request[number = 1] by traceId", "--by", "traceId", "one.jfr")
result(got == {"a": 32}, "also of events that have the key", got)
for jobs in "1", "3":
    again = by_first_frame("--during", "app.Request", "--by", "number", "--jobs", jobs, "one.jfr")
    result(again == {"1": 20, "2": 2}, f"with {jobs} threads", again)
got = by_first_frame("--during", "app.Request", "--by", "number", "--reverse", "--by-thread", "one.jfr")
result(got == {"1": 20, "2": 2}, "of stacks that are reversed", got)
r = Recording(types)
for i in range(1000):
    r.add("jdk.ExecutionSample", at=i / 1000, sampledThread="worker-1", state="STATE_RUNNABLE", stackTrace=["app.Shop.work"])
r.add("app.Request", at=0.0995, duration=0.8, eventThread="worker-1", traceId="outer")
r.add("app.Request", at=0.1995, duration=0.5, eventThread="worker-1", traceId="inner")
r.add("app.Request", at=0.2995, duration=0.1, eventThread="worker-1")
r.add("app.Task", at=0.8495, duration=0.1, eventThread="worker-1", traceId="late")
with open("nested.jfr", "wb") as f:
    f.write(r.bytes())
got = by_first_frame("--during", "app.Request,app.Task", "--by", "traceId", "nested.jfr")
result(got == {"outer": 250, "inner": 500, "late": 100}, "the innermost event that has the field counts", got)
done = run("flame", "--during", "app.Request", "--label", "number", "-o", "labels.pb.gz", "one.jfr")
data = gzip.decompress(open("labels.pb.gz", "rb").read()) if done.returncode == 0 else b""
result(data.count(b"\x06number") >= 1 and b"thread" in data, "labels of pprof", done.stderr)
go = shutil.which("go")
if go and done.returncode == 0:
    top = subprocess.run([go, "tool", "pprof", "-tags", "-sample_index=samples", "labels.pb.gz"], capture_output=True, text=True)
    result(re.search(r"20 \([ 0-9.]+%\): 1\n +2 \([ 0-9.]+%\): 2", top.stdout) is not None, "go tool pprof finds them", top.stdout, top.stderr)
for arguments, words in (
    (["--by", "number"], "--by takes a field of the events of --during"),
    (["--by", "number", "--during", "app.Request", "--outside"], "--by takes a field of the events of --during"),
    (["--label", "number", "--during", "app.Request"], "--label is for pprof and otlp"),
    (["--by", "number", "--during", "app.Request", "--format", "pprof"], "use --label"),
    (["--by", "nothing", "--during", "app.Request"], "events of app.Request have no field nothing"),
):
    done = run("flame", *arguments, "one.jfr")
    result(done.returncode in (1, 2) and words in done.stderr and not done.stdout, " ".join(arguments), done.stderr)

# What cannot be answered -------------------------------------------------------------------------

for arguments, status, words in (
    (["app.Reqest"], 1, "there is no such event in this recording: app.Reqest; did you mean app.Request?"),
    (["app.Instant"], 1, "have no duration"),
    (["app.Lonely"], 1, "have no thread; add `by time`"),
    (["app.Request[number = 3]"], 1, "no event of app.Request matches number = 3"),
    (["jdk.SocketRead"], 1, "no event of jdk.SocketRead is in this recording"),
    (["app.Request by nothing"], 1, "have no field nothing"),
    (["app.Task[duration > 1ms] by eventThread"], 1, "eventThread is null in all events"),
    (["app.Request[nmber = 3]"], 2, "--during: column 1: no selected event type has a field nmber; did you mean number?"),
    (["app.Request[number = 3"], 2, "the bracket before the expression is not closed"),
    (["app.Request where number = 3"], 2, "after the event can only come `by FIELD`"),
    (["[number = 3]"], 2, "it begins with the name of an event"),
    (["app.Request by two fields"], 2, "the name of one field"),
    (["app.Request", "--during", "app.Task"], 2, "--during can be given only once"),
):
    for command in ("print", "flame"):
        done = run(command, "--during", *arguments, "one.jfr")
        result(done.returncode == status and words in done.stderr and not done.stdout,
               f"{command}: {' '.join(arguments)}", done.returncode, done.stderr, done.stdout[:200])
done = run("print", "--outside", "one.jfr")
result(done.returncode == 2 and "--outside says what to leave out with --during" in done.stderr,
       "--outside alone", done.returncode, done.stderr)
finish()
