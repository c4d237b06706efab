"""jfrec view latency-of: percentiles of durations, each only where 10 events lie above it.

usage: latency.py JFREC SOURCE_ROOT

Prints TAP.
"""

import json
import os
import subprocess
import sys
import tempfile

JFREC, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
sys.path.insert(0, os.path.join(ROOT, "tests"))
from plant import Recording, Types  # noqa: E402
from tap import finish, result  # noqa: E402

PERCENT = (50, 90, 99, 99.9, 99.99)


def run(*arguments):
    return subprocess.run([JFREC, "view", *arguments], capture_output=True, text=True)


def rows(*arguments):
    done = run("--json", *arguments)
    return json.loads(done.stdout)["views"][0]["rows"] if done.stdout else [[done.stderr]]


def percentile(values, percent):
    """As the JDK's views have it: between the two values around it."""
    values = sorted(values)
    at = (len(values) + 1) * percent / 100
    low = min(max(int(at), 1), len(values)) - 1
    high = min(low + 1, len(values) - 1)
    return values[low] + (at - int(at)) * (values[high] - values[low])


def fits(row, values):
    """Is the row what these durations, in ns, make?"""
    for got, percent in zip(row[1:], PERCENT):
        if (got is not None) != (len(values) * (100 - percent) / 100 > 10 - 1e-6):
            return False
        if got is not None and abs(got - percentile(values, percent)) > 2:
            return False
    return row[0] == len(values) and row[-1] == max(values)


work = tempfile.TemporaryDirectory()
os.chdir(work.name)
types = Types(os.path.join(ROOT, "tests/data/ok/jvm-25.jfr"))
types.declare("app.Request", duration="long", path="java.lang.String")
types.declare("app.Instant", path="java.lang.String")
durations = {"a.jfr": [], "b.jfr": []}
for file, count in (("a.jfr", 999), ("b.jfr", 9001)):
    r = Recording(types, clock=100 * len(file))
    for i in range(count):
        ns = (i * 7919 + 13) % 100_003 * 1000
        r.add("app.Request", at=i / 100, duration=ns / 1e9, path="/a" if i % 10 else "/b")
        durations[file].append((ns, "/a" if i % 10 else "/b"))
    r.add("app.Instant", at=1, path="/c")
    with open(file, "wb") as f:
        f.write(r.bytes())

a, both = ([ns for file in files for ns, _ in durations[file]] for files in (["a.jfr"], durations))
got = rows("latency-of", "app.Request", "a.jfr")
result(len(got) == 1 and fits(got[0], a), "999 events have no 99th percentile", got)
got = rows("latency-of", "Request", *durations)
result(len(got) == 1 and fits(got[0], both), "10,000 events of two files have a 99.9th", got)
got = rows("LATENCY-OF", "app.Request", "--by", "path", *durations)
result([row[0] for row in got] == ["/a", "/b"] and
       all(fits(row[1:], [ns for f in durations for ns, path in durations[f] if path == row[0]]) for row in got),
       "a row for each value of a field", got)
got = rows("latency-of", "app.Request", "--where", "path = '/b'", "a.jfr")
result(got[0][0] == 100 and got[0][1] is not None and got[0][2] is not None and got[0][3] is None, "an expression", got)
text = run("latency-of", "app.Request", "a.jfr").stdout
result(text.count("N/A") == 3 and "p99.99" in text, "text", text)
for arguments, words in (
    (["latency-of", "Reqest", "a.jfr"], "did you mean Request?"),
    (["latency-of", "app.Instant", "a.jfr"], "app.Instant has no field duration"),
    (["latency-of", "app.Request"], "name an event type and a recording"),
    (["latency-of", "app.Request; x", "a.jfr"], "latency-of takes the name of an event type"),
    (["latency-of", "app.Request", "--by", "a, b", "a.jfr"], "--by takes the name of a field"),
    (["latency-of", "app.Request", "--by", "nothing", "a.jfr"], "nothing"),
    (["gc-pauses", "--by", "path", "a.jfr"], "--by is for latency-of"),
):
    done = run(*arguments)
    result(done.returncode in (1, 2) and words in done.stderr and not done.stdout, " ".join(arguments),
           done.returncode, done.stderr, done.stdout)
finish()
