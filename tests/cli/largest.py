"""print --sort FIELD: the events with the largest values, the same ones in all formats.

usage: largest.py JFREC SOURCE_ROOT

What is wanted is taken from all events, sorted here.  Prints TAP.
"""

import csv
import json
import os
import re
import subprocess
import sys
import tempfile

JFREC, ROOT = sys.argv[1], sys.argv[2]
sys.path.insert(0, os.path.join(ROOT, "tests"))
from plant import Recording, Types  # noqa: E402
from tap import finish, result  # noqa: E402


def run(*arguments):
    return subprocess.run([JFREC, "print", *arguments], capture_output=True, text=True)


def lines(*arguments):
    done = run("--ndjson", *arguments)
    return [json.loads(line) for line in done.stdout.splitlines()]


types = Types(os.path.join(ROOT, "tests/data/ok/jvm-25.jfr"))
directory = tempfile.TemporaryDirectory()
paths = []
serial = 0
for part in range(3):
    r = Recording(types)
    for i in range(400):
        # Many equal durations: the thread's name tells them apart.
        serial += 1
        r.add("jdk.ThreadSleep", at=i, duration=(serial * 7919 % 40) / 1000, eventThread=f"sleeper-{serial}", time=serial % 5)
        r.add("jdk.SocketRead", at=i, duration=(serial * 104729 % 30) / 1000, host=f"host-{serial * 31 % 17}",
              bytesRead=serial * 37 % 1000, stackTrace=["java.net.Socket.read", f"app>app.Main.m{serial}"])
        r.add("jdk.CPULoad", at=i, jvmUser=(serial * 13 % 100) / 100)
    paths.append(os.path.join(directory.name, f"{part}.jfr"))
    with open(paths[-1], "wb") as f:
        f.write(r.bytes())

everything = lines("--sort", "file", *paths)
result(len(everything) == 3600, "all events", len(everything))


def top(events, key, count, largest=True):
    with_it = [e for e in events if key(e) is not None]
    # sorted() keeps the order of equal ones, also in reverse.
    return sorted(with_it, key=key, reverse=largest)[:count]


def field(name):
    def get(event):
        value = event["values"]
        for part in name.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        return value
    return get


for name, options, events in (
    ("duration", [], everything),
    ("duration", ["--events", "ThreadSleep"], [e for e in everything if e["type"] == "jdk.ThreadSleep"]),
    ("bytesRead", [], everything),
    ("jvmUser", [], everything),
    ("eventThread.javaName", [], everything),
    ("host", [], everything),
    ("startTime", ["--where", "bytesRead > 500"], [e for e in everything if e["values"].get("bytesRead", 0) > 500]),
):
    for count in (1, 7, 100, 5000):
        want = top(events, field(name), count)
        got = lines("--sort", name, "--limit", str(count), *options, *paths)
        result(got == want, f"the largest {count} by {name} {' '.join(options)}", got[:2], want[:2])
        want = top(events, field(name), count, False)
        got = lines("--sort", f"{name}:asc", "--limit", str(count), *options, *paths)
        result(got == want, f"the smallest {count} by {name} {' '.join(options)}", got[:2], want[:2])

# Ranges of time, each format, a pipe.
want = top([e for e in everything if e["type"] == "jdk.ThreadSleep"], field("duration"), 9)
options = ["--events", "ThreadSleep", "--sort", "duration", "--limit", "9"]
names = [e["values"]["eventThread"]["javaName"] for e in want]
text = run(*options, *paths).stdout
result(re.findall(r'eventThread = "([^"]+)"', text) == names, "text", text[:300])
xml = run("--xml", *options, *paths).stdout
result(re.findall(r'<value name="javaName">([^<]+)', xml) == names, "XML", xml[:300])
document = json.loads(run("--json", *options, *paths).stdout)
result([e["values"]["eventThread"]["javaName"] for e in document["recording"]["events"]] == names, "JSON")
table = list(csv.DictReader(run("--csv", *options, *paths).stdout.splitlines()))
result([row["eventThread.javaName"] for row in table] == names, "CSV", table[:1])
exact = run("--exact", *options, *paths).stdout
result(re.findall(r'eventThread = "([^"]+)"', exact) == names, "exact text")
piped = subprocess.run([JFREC, "print", "--ndjson", *options, "-"], stdin=open(paths[0], "rb"), capture_output=True, text=True)
result([json.loads(line) for line in piped.stdout.splitlines()] == lines(*options, paths[0]), "a pipe")
part = lines(*options, "--from", "2023-11-14T22:16:40Z", *paths)
result(len(part) == 9 and all(e in everything for e in part), "--from", len(part))

# What cannot be.
for name, want, *arguments in (
    ("without a limit", "needs --limit", "--sort", "duration", paths[0]),
    ("a field that no type has", "has a field durration", "--sort", "durration", "--limit", "3", paths[0]),
    ("a direction that there is not", "--sort", "--sort", "duration:up", "--limit", "3", paths[0]),
    ("raw ticks", "--raw-ticks", "--ndjson", "--raw-ticks", "--sort", "duration", "--limit", "3", paths[0]),
    ("a table of several types", "events of one type", "--csv", "--sort", "duration", "--limit", "3", paths[0]),
):
    done = run(*arguments)
    result(done.returncode == 2 and want in done.stderr, name, done.returncode, done.stderr)

finish()
