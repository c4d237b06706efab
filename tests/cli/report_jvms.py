"""A report of several JVMs has of each what a report of its recording alone has.

usage: report_jvms.py JFREC SOURCE_ROOT

Prints TAP.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

JFREC, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
sys.path.insert(0, os.path.join(ROOT, "tests"))
from plant import Recording, Types  # noqa: E402
from tap import finish, result  # noqa: E402

TYPES = Types(os.path.join(ROOT, "tests/data/ok/jvm-25.jfr"))


def plant(path, pid, start, weight):
    """A minute of a JVM, in which all amounts are so many times 1."""
    r = Recording(TYPES, start=start)
    r.add("jdk.JVMInformation", at=start, pid=pid, jvmStartTime=start, jvmVersion="OpenJDK 25",
          javaArguments="shop.Main --port %d" % pid)
    for i in range(start, start + 60):
        r.add("jdk.CPULoad", at=i, jvmUser=0.1 * weight, machineTotal=0.5)
        r.add("jdk.ExecutionSample", at=i, sampledThread="worker-%d" % pid, stackTrace=["shop.Hot.loop%d" % weight, "shop.Main.main"])
        r.add("jdk.ObjectAllocationSample", at=i, eventThread="worker", weight=weight << 20, objectClass="shop.Order",
              stackTrace=["shop.Orders.load", "shop.Main.main"])
        r.add("jdk.ActiveSetting", at=i, id=101, name="enabled", value="true")
    for i in range(6):
        r.add("jdk.GarbageCollection", at=start + 10 * i, duration=0.01 * weight, gcId=i, name="G1New", cause="System.gc()",
              sumOfPauses=0.01 * weight, longestPause=0.01 * weight)
        r.add("jdk.GCPhasePause", at=start + 10 * i, duration=0.01 * weight, gcId=i, name="GC Pause")
        r.add("jdk.SocketRead", at=start + 10 * i + 1, duration=0.1, host="db%d" % weight, port=80, bytesRead=1000 * weight)
    with open(path, "wb") as f:
        f.write(r.bytes())
    return path


def report(*arguments):
    return subprocess.run([JFREC, "report", "--utc", *arguments], capture_output=True, text=True, check=True).stdout


def without_jvm(list_, jvm):
    return {one["name"]: {k: v for k, v in one.items() if k != "jvm"} for one in list_ if one["jvm"] == jvm}


work = tempfile.TemporaryDirectory()
paths = [plant(os.path.join(work.name, "a.jfr"), 7, 0, 1), plant(os.path.join(work.name, "b.jfr"), 8, 30, 3)]
alone = [json.loads(report("--json", path)) for path in paths]
both = json.loads(report("--json", *paths))
# JVMs come in the order of their times, whatever that of the recordings is.
alone.sort(key=lambda one: one["startNanos"])
result(both == {**json.loads(report("--json", *paths[::-1])), "title": both["title"], "recordings": both["recordings"]},
       "the order of the recordings makes no difference")
result([j["key"] for j in both["jvms"]] == ["A", "B"], "JVMs have letters", both["jvms"][0]["key"])
for i, one in enumerate(alone):
    name, ours, theirs = "JVM %d: " % i, both["jvms"][i], one["jvms"][0]
    for member in ("name", "figures", "findings", "gcPauses", "events", "gaps"):
        result(ours[member] == theirs[member], name + member, ours[member], theirs[member])
    for member in ("tables", "profiles"):
        ours, theirs = without_jvm(both[member], i), without_jvm(one[member], 0)
        wrong = [n for n in theirs if ours.get(n) != theirs[n]]
        result(len(ours) == len(theirs) and not wrong, name + member, *wrong)

page = report(*paths, "-o", "-")
ids = re.findall(r' id="([^"]*)"', page)
result(len(ids) == len(set(ids)), "ids are unique", *[i for i in set(ids) if ids.count(i) > 1])
for i in range(2):
    result('data-strip="%d-cpu"' % i in page, "JVM %d has its row in the strips" % i)
scale = re.findall(r'class="top">([^<]*)<', page)
result(len(scale) == len(re.findall(r'class="row strip-row"', page)), "strips of several JVMs have one scale", scale)
markdown = report("--format", "markdown", *paths)
result(markdown.count("## Findings, A: ") == 1 and markdown.count("## Findings, B: ") == 1,
       "Markdown: findings of each", markdown[:300])
finish()
