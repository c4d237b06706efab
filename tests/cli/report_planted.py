"""What was planted in a recording is in its report: spikes of the timeline, gaps, secrets.

usage: report_planted.py JFREC SOURCE_ROOT

The recordings are made by ../plant.py, with the event types of JDK 25.  Prints TAP.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

JFREC, ROOT = sys.argv[1], sys.argv[2]
sys.path.insert(0, os.path.join(ROOT, "tests"))
from plant import START, Recording, Types  # noqa: E402
from tap import finish, result  # noqa: E402

TYPES = Types(os.path.join(ROOT, "tests/data/ok/jvm-25.jfr"))
DAY = 86400
MS = 0.001
MB = 1 << 20
SPIKE = 43210.987  # when the spike is, in s


def report(recording, *options):
    """The document and the page."""
    with tempfile.TemporaryDirectory() as d:
        path, page = os.path.join(d, "planted.jfr"), os.path.join(d, "planted.html")
        with open(path, "wb") as f:
            f.write(recording if isinstance(recording, bytes) else recording.bytes())
        out = subprocess.run([JFREC, "report", "--json", *options, path], capture_output=True, check=True).stdout
        subprocess.run([JFREC, "report", *options, path, "-o", page], check=True)
        with open(page) as f:
            return json.loads(out), f.read()


def day(event, quiet, spike, step=60, **common):
    """A day with such an event each minute, and one or more within 1 ms that stand out."""
    r = Recording(TYPES)
    for i in range(DAY // step):
        r.add(event, at=i * step, **common, **(quiet(i) if callable(quiet) else quiet))
    for i in range(spike.pop("_times", 1)):
        r.add(event, at=SPIKE + i * 0.0001 / 10, **common, **(spike(i) if callable(spike) else spike))
    return r


def heights(page, strip):
    """How high each point of the picture is, of 120."""
    row = page[page.index('data-strip="0-%s"' % strip):]
    path = re.findall(r' d="([^"]*)"', row[: row.index("</svg>", row.index("<path"))])
    points = " ".join(path)
    return [120 - int(y) for y in re.findall(r"(?:[ML][\d.]+ |V)(\d+)", points)]


def counter(event, field, at_spike):
    """A counter that grows by 1 each minute, and by much within 1 ms."""
    r = Recording(TYPES)
    so_far = 0
    for i in range(DAY // 60):
        if i * 60 > SPIKE and so_far < at_spike:
            r.add(event, at=SPIKE, **{field: so_far})
            so_far += at_spike
            r.add(event, at=SPIKE + MS, **{field: so_far})
        so_far += 1
        r.add(event, at=i * 60, **{field: so_far})
    return r


SPIKES = [
    ("cpu", day("jdk.CPULoad", {"jvmUser": 0.01, "machineTotal": 0.02}, {"jvmUser": 0.9, "machineTotal": 0.95}), 0.9),
    ("throttling", counter("jdk.ContainerCPUThrottling", "cpuThrottledTime", 10**12), None),
    ("heap", day("jdk.GCHeapSummary", {"heapUsed": 10 * MB}, {"heapUsed": 900 * MB}, when="After GC"), 900 * MB),
    ("pauses", day("jdk.GCPhasePause", {"duration": MS}, {"duration": 2}, name="Pause"), 2e9),
    ("threads", day("jdk.JavaThreadStatistics", {"activeCount": 20}, {"activeCount": 900}), 900),
    ("allocation", day("jdk.ObjectAllocationSample", {"weight": 1000}, {"weight": 10**9}, objectClass="byte[]"), None),
    ("exceptions", counter("jdk.ExceptionStatistics", "throwables", 10**6), None),
    ("io", day("jdk.SocketRead", {"bytesRead": 10}, {"bytesRead": 10**8}, host="db", duration=MS), None),
    ("locks", day("jdk.JavaMonitorEnter", {"duration": MS}, {"duration": MS, "_times": 500}, monitorClass="app.Lock"), None),
    ("classes", day("jdk.ClassLoadingStatistics", {"loadedClassCount": 100}, {"loadedClassCount": 9000}), 9000),
    ("safepoints", day("jdk.ExecuteVMOperation", {"duration": MS}, {"duration": 3}, safepoint=True), 3e9),
]
for strip, recording, highest in SPIKES:
    document, page = report(recording)
    shown = {s["id"]: s for s in document["jvms"][0]["timeline"]}
    if strip not in shown:
        result(False, strip + ": there is a strip", list(shown))
        continue
    line = shown[strip]["lines"][0]
    values = [v for v in line["high"] if v is not None]
    if highest:
        result(abs(line["highest"] - highest) <= 1e-5 * highest, strip + ": the highest value is exact", line["highest"])
    quiet = sorted(values)[len(values) // 2]
    result(max(values) > 20 * max(quiet, 1e-9), strip + ": a spike of 1 ms in a day is in a column", max(values), quiet)
    drawn = heights(page, strip)
    result(drawn.count(max(drawn)) <= 12 and max(drawn) >= 60, strip + ": it is drawn, and stands out",
           max(drawn), sorted(set(drawn)))
    at = line["highestNanos"] / 1e9 - START
    # Rates are those of a span of time, counters those between two readings.
    result(abs(at - SPIKE) < 180, strip + ": when it was", at)

# A line runs level as long as the value does.
step = Recording(TYPES)
for i in range(120):
    step.add("jdk.JavaThreadStatistics", at=i, activeCount=10 if i < 60 else 900)
row = report(step)[1]
row = row[row.index('data-strip="0-threads"'):]
line = re.search(r'class="line" d="([^"]*)"', row).group(1)
result(re.fullmatch(r"M\d+ \d+(H\d+){59}L\d+ \d+(H\d+){59}h\.9", line), "a level stretch is drawn level", line)

# A collection in a column: the line falls from what was used before to what was used after.
saw = Recording(TYPES)
for i in range(0, 3600, 60):
    saw.add("jdk.GCHeapSummary", at=i, heapUsed=900 * MB, when="Before GC")
    saw.add("jdk.GCHeapSummary", at=i + 0.01, heapUsed=100 * MB, when="After GC")
row = report(saw)[1]
row = row[row.index('data-strip="0-heap"'):]
line = re.search(r'class="line" d="([^"]*)"', row).group(1)
falls = [(int(a), int(b)) for a, b in re.findall(r"[ML]\d+ (\d+)V(\d+)(?![V\d])", line)]
result(len(falls) == 60 and all(a < b - 60 for a, b in falls), "the teeth of a saw are drawn", line[:200])

# What threads did.
busy = Recording(TYPES)
for i in range(60):
    busy.add("jdk.CPULoad", at=i, jvmUser=0.5)
busy.add("jdk.JavaMonitorEnter", at=10, duration=20, eventThread="waits", monitorClass="app.Lock")
busy.add("jdk.SocketRead", at=0, duration=0.5, eventThread="reads", host="db", bytesRead=1)
for i in range(100):
    busy.add("jdk.ExecutionSample", at=i / 50, sampledThread="runs", stackTrace=["app.Main.main"])
document, page = report(busy)
did = {t["name"]: [t[k + "Nanos"] for k in ("running", "blocked", "io", "waiting")] for t in document["jvms"][0]["threads"]}
result(did == {"waits": [0, 20e9, 0, 0], "runs": [2e9, 0, 0, 0], "reads": [0, 0, 5e8, 0]}, "what threads did adds up", did)
result(len(re.findall(r'class="chart heat"', page)) == 3, "each has its strip")

# Events that were lost.
lossy = Recording(TYPES)
for i in range(60):
    lossy.add("jdk.CPULoad", at=i, jvmUser=0.5)
result('class="lost"' not in report(lossy)[1], "nothing is marked where nothing was lost")
lossy.add("jdk.DataLoss", at=30, amount=1 << 20, total=1 << 20)
document, page = report(lossy)
marks = re.findall(r'class="lost" x="(\d+)"', page)
result(marks and all(490 <= int(x) <= 520 for x in marks), "where events were lost there is a mark", marks)

# Two chunks with ten minutes between them.
first, second = Recording(TYPES), Recording(TYPES)
for i in range(60):
    first.add("jdk.CPULoad", at=i, jvmUser=0.5)
document, page = report(first)
result('class="gap"' not in page, "one chunk has no gap")
data = first.bytes()
later = bytearray(data)
begin = int.from_bytes(later[32:40], "big")
later[32:40] = (begin + 660 * 10**9).to_bytes(8, "big")
document, page = report(bytes(data) + bytes(later))
result('class="gap"' in page and "Nothing was recorded for" in page, "between chunks there is a gap")
result(document["jvms"][0]["gaps"] == [{"fromNanos": begin + int.from_bytes(data[40:48], "big"), "toNanos": begin + 660 * 10**9}],
       "the gap is in the document", document["jvms"][0]["gaps"])
parts = document["axis"]
result(len(parts) == 2 and parts[1]["fromNanos"] == begin + 660 * 10**9 and parts[0]["columns"] > 400 and
       parts[1]["firstColumn"] + parts[1]["columns"] == 1000 and "Left out of the time axis" in page,
       "ten minutes of nothing are cut out", parts)
values = document["jvms"][0]["timeline"][0]["lines"][0]["high"]
result(all(any(v is not None for v in values[p["firstColumn"]:p["firstColumn"] + p["columns"]]) for p in parts) and
       not any(v is not None for v in values[parts[0]["columns"]:parts[1]["firstColumn"]]),
       "values are before the cut and after it")

# Secrets.
r = Recording(TYPES)
r.add("jdk.InitialEnvironmentVariable", at=0, key="DB_PASSWORD", value="hunter2hunter2")
r.add("jdk.InitialEnvironmentVariable", at=0, key="PATH_TO", value="plainValueHere")
r.add("jdk.InitialSystemProperty", at=0, key="app.token", value="s3cr3tvalue99")
r.add("jdk.InitialSystemProperty", at=0, key="java.version", value="25.0.3")
r.add("jdk.JVMInformation", at=0, jvmVersion="OpenJDK 25", jvmArguments="-Dpassword=hunter4hunter4 -Xmx1g",
      javaArguments="shop.Main --key hunter5hunter5", pid=7, jvmStartTime=1)
r.add("jdk.JavaExceptionThrow", at=1, thrownClass="app.Failed", message="login with password=hunter3hunter3 failed",
      eventThread="main", stackTrace=["app.Main.main"])
# What the value of a name shows to be secret, elsewhere; and in what a finding has as evidence.
r.add("jdk.InitialSystemProperty", at=0, key="db.PassWord", value="swordKestrel")
r.add("jdk.JavaExceptionThrow", at=2, thrownClass="app.Failed", message="x swordKestrel y",
      eventThread="main", stackTrace=["app.Main.main"])
r.add("jdk.FileRead", at=3, duration=30, path="/data/x?access_token=Zq8wXk2mPv", bytesRead=10)
SECRETS = ["hunter2hunter2", "hunter3hunter3", "hunter4hunter4", "hunter5hunter5", "s3cr3tvalue99",
           "swordKestrel", "Zq8wXk2mPv"]
for options in [[], ["--environment"]]:
    document, page = report(r, *options)
    found = [s for s in SECRETS if s in page or s in json.dumps(document)]
    result(not found, " ".join(["no secret"] + options), *found)
    result("25.0.3" in page and "[redacted]" in page, " ".join(["what is none stays"] + options))
    result(("PATH_TO" in page) == bool(options), " ".join(["environment variables"] + options))
with tempfile.NamedTemporaryFile(suffix=".jfr") as f:
    f.write(r.bytes())
    f.flush()
    said = subprocess.run([JFREC, "analyze", "--json", f.name], capture_output=True, text=True).stdout
found = [s for s in SECRETS if s in said]
result("access_token=[redacted]" in said and not found, "no secret in evidence", *found)
document, page = report(r, "--environment", "--no-scrub")
missing = [s for s in SECRETS if s not in page]
result(not missing, "--no-scrub shows all", *missing)
finish()
