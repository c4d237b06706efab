"""Each rule of analyze where it has nothing to judge by: not known to the JVM, switched off, on
but never recorded, hidden by a threshold, too few.

usage: analyze_no_data.py JFREC SOURCE_ROOT

All rules are asked of the same few recordings, and their answers follow from the events that they
read (`analyze --list --json`), but for the exceptions below.  A rule that is added is tested by
itself.  Prints TAP.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(sys.argv[2], "tests"))
from judged import JFREC, MB, ROOT, TYPES, turn  # noqa: E402
from plant import Recording, Types  # noqa: E402
from tap import finish, result  # noqa: E402

# They describe the recording itself, and are in each of these.
ALWAYS = {"jdk.JVMInformation", "jdk.ActiveSetting"}


def printed(*args):
    return subprocess.run([JFREC, *args], capture_output=True, text=True).stdout


RULES = json.loads(printed("analyze", "--list", "--json"))["rules"]
READ = {e["event"] for r in RULES for e in r.get("events", [])} - ALWAYS
KNOWN = sorted(READ & set(TYPES.by_name))  # JDK 25 has them


class Strangers(Types):
    """The same types under names that nobody knows."""

    def __init__(self, path):
        super().__init__(path)
        for name in KNOWN:
            size = bytes([len(name)])
            self.event = self.event.replace(size + name.encode(), size + b"old." + name[4:].encode())


def recording(jdk=25, types=TYPES, seconds=60, **settings):
    """A JVM of which nothing is known but its version; these settings are of all events."""
    r = Recording(types)
    version = f"OpenJDK 64-Bit Server VM ({jdk}.0.1+9) for linux-amd64 JRE ({jdk}.0.1+9)"
    r.add("jdk.JVMInformation", at=0, jvmName="OpenJDK 64-Bit Server VM", jvmVersion=version, pid=7)
    for name in KNOWN if settings else []:
        turn(r, name, **settings)
    r.end = seconds
    return r


def judged(r):
    with tempfile.NamedTemporaryFile(suffix=".jfr") as f:
        f.write(r.bytes())
        f.flush()
        jvms = json.loads(printed("analyze", "--json", f.name))["jvms"]
    return {x["rule"]: x for x in jvms[0]["findings"]}


def needed(rule):
    return [e for e in rule.get("events", []) if e["need"] != "helps"]


def is_always_judged(rule):
    """All that it must have describes the recording itself."""
    return not any(e["event"] not in ALWAYS for e in needed(rule)) or rule["rule"] in ("options", "secrets", "agents")


def check(kind, rule, got, wanted, *says):
    """wanted: severities, or kinds of no data; says: one of these, a regular expression each."""
    is_it = got["severity"] in wanted or got.get("noData") in wanted
    said = not says or any(re.search(s, got["summary"]) for s in says)
    why = f"wanted {wanted} {says}", f"got {got['severity']} {got.get('noData')}: {got['summary']}"
    result(is_it and said, f"{kind}: {rule['rule']} is {got.get('noData', got['severity'])}", *why)


def for_each(kind, r, one):
    findings = judged(r)
    for rule in RULES:
        if rule["rule"].startswith("host-"):
            # No recording has what they read.
            check(kind, rule, findings[rule["rule"]], ["none"], "No recording says it")
        else:
            one(kind, rule, findings[rule["rule"]])


# Events that this JVM does not know ---------------------------------------------------------------


def undeclared(kind, rule, got):
    if is_always_judged(rule):
        return check(kind, rule, got, ["ok", "none"])
    names = "|".join(e["event"] for e in needed(rule)).replace(".", r"\.")
    says = rf"(declare|^)( ?)({names})", "This is for JDK"
    return check(kind, rule, got, ["not-in-jvm"], *says)


strangers = Strangers(os.path.join(ROOT, "tests/data/ok/jvm-25.jfr"))
for_each("no such event in JDK 25", recording(types=strangers), undeclared)
for_each("no such event in JDK 11", recording(11, strangers), undeclared)

# Switched off ------------------------------------------------------------------------------------

profiles = {}


def is_on(profile, event):
    if profile not in profiles:
        profiles[profile] = printed("settings", "show", profile)
    line = re.search(rf"^\s*{re.escape(event)}: (.*)", profiles[profile], re.M)
    return line and re.search(r"enabled: (true|\{[^}]*value: true)", line[1])


def off(kind, rule, got):
    if is_always_judged(rule):
        return check(kind, rule, got, ["ok"])
    if "jdkUntil" in rule and rule["jdkUntil"] < 25 or got.get("noData") == "not-in-jvm":
        return check(kind, rule, got, ["not-in-jvm"], "JDK 24 and older")
    check(kind, rule, got, ["off"], r"was off; `jfrec start --se(ttings|t) ")
    event = got["summary"].split()[0]
    result(event in [e["event"] for e in needed(rule)], f"{kind}: {rule['rule']} reads {event}")
    advice = re.search(r"`jfrec start --set(?:tings (\S+)| (\S+)#enabled=true)`", got["summary"])
    helps = is_on(advice[1], event) if advice and advice[1] else advice and advice[2] == event
    return result(helps, f"{kind}: {rule['rule']}: the settings that it names have {event}", got["summary"])


for_each("off", recording(enabled="false"), off)

# On, but none was recorded -----------------------------------------------------------------------

# What comes of a container comes only in one; a number must be had of what is compared.
SILENT = {
    "container-throttled": "not-in-jvm",
    "container-memory": "not-in-jvm",
    "container-cpu-view": "not-in-jvm",
    "container-swap": "too-few",
    "gc-locker": "not-in-jvm",
    "leak-holder": "too-few",
    "live-set-growth": "too-few",
    "sampling-lost": "too-few",
    "sampling-intrinsics": "too-few",
    "sampling-double": "too-few",
    "cpu-by-purpose": "too-few",
    "stack-depth": "too-few",
}


def silent(kind, rule, got):
    if rule["rule"] in SILENT:
        return check(kind, rule, got, [SILENT[rule["rule"]]])
    needs = [e["need"] for e in needed(rule)]
    if "periodic" in needs and "occurs" not in needs and not is_always_judged(rule):
        return check(kind, rule, got, ["none"], "was on with a period of 1 s, but none came in 60 s")
    # Of those that read both, some need both.
    return check(kind, rule, got, ["ok"] if "periodic" not in needs else ["ok", "none"])


for_each("none", recording(enabled="true", period="1000 ms"), silent)

# Hidden by a threshold ---------------------------------------------------------------------------

HIDDEN = {
    "gc-pause-longest": "GCPhasePause",
    "vm-operation-longest": "ExecuteVMOperation",
    "socket-wait": "SocketRead",
    "file-wait": "FileRead",
    "gc-safepoint-entry": "SafepointStateSynchronization",
    "sampling-latency": "SafepointLatency",
}


def hidden(kind, rule, got):
    if rule["rule"] in HIDDEN:
        event = "jdk." + HIDDEN[rule["rule"]]
        check(kind, rule, got, ["off"], f"{event} was recorded from 10 s on.*--set '{event}#threshold=")


for_each("threshold", recording(enabled="true", threshold="10 s"), hidden)
# Too few -----------------------------------------------------------------------------------------

TOO_FEW = {
    "class-redefinition": "Less than a minute",
    "container-throttled": "comes each 1 s; none came in 4 s",
    "container-swap": "Two readings",
    "cpu-by-purpose": "1 samples; 100 are needed",
    "cpu-others": "2 are needed",
    "direct-buffers": "limit of direct buffers is not known",
    "gc-frequency": "5 s are needed",
    "gc-heap-unused": "10 in 10 min are needed",
    "leak-holder": "stayed in use",
    "live-set-growth": "5 over a minute are needed",
    "native-memory": "5 min are needed",
    "sampling-intrinsics": "1 samples; 100 are needed",
    "sampling-lost": "20 are needed",
    "sampling-reached": "too little CPU",
    "stack-depth": "20 are needed",
    "kernel-time": "5 are needed",
    "vthread-many": "a minute is needed",
}
r = recording(seconds=4, enabled="true", period="1000 ms")
r.add("jdk.CPUInformation", at=0, hwThreads=4, cores=4, sockets=1)
r.add("jdk.GCConfiguration", at=0, youngCollector="G1New", oldCollector="G1Old", parallelGCThreads=2)
r.add("jdk.GCHeapConfiguration", at=0, maxSize=512 * MB)
r.add("jdk.ExecutionSample", at=1, sampledThread="main", stackTrace=["app.Main.run"], state="STATE_RUNNABLE")
r.add("jdk.CPUTimeSample", at=1, eventThread="main", stackTrace=["app.Main.run"], samplingPeriod=0.01)
r.add("jdk.CPULoad", at=1, jvmUser=0.01, jvmSystem=0.01, machineTotal=0.1)
r.add("jdk.ThreadCPULoad", at=1, eventThread="main", user=0.01, system=0)
r.add("jdk.GarbageCollection", at=2, duration=0.01, gcId=1, name="G1New", cause="G1 Evacuation Pause")
r.add("jdk.GCHeapSummary", at=2.01, gcId=1, when="After GC", heapUsed=9 * MB)
r.add("jdk.MetaspaceSummary", at=2.01, gcId=1, when="After GC", metaspace={"used": MB})
r.add("jdk.RetransformClasses", at=2, duration=0.01, classCount=1)
r.add("jdk.ContainerConfiguration", at=0, effectiveCpuCount=4, memoryLimit=512 * MB)
r.add("jdk.ContainerMemoryUsage", at=1, memoryUsage=MB, swapMemoryUsage=MB)
r.add("jdk.DirectBufferStatistics", at=1, count=1, memoryUsed=1)
r.add("jdk.ResidentSetSize", at=1, size=MB, peak=MB)
r.add("jdk.NativeMemoryUsageTotal", at=1, reserved=MB, committed=MB)
r.add("jdk.VirtualThreadStart", at=1, eventThread="main", javaThreadId=1)


def few(kind, rule, got):
    name = rule["rule"]
    if name in TOO_FEW:
        return check(kind, rule, got, ["too-few"], TOO_FEW[name])
    return result(got.get("noData") != "too-few", f"{kind}: {name} can be judged", got["summary"])


for_each("too few", r, few)
r = recording()
r.add("jdk.MetaspaceSummary", at=2.01, gcId=1, when="After GC", metaspace={"used": MB})
got = judged(r)["metaspace-growth"]
result(got.get("noData") == "too-few", "too few: metaspace-growth", got["summary"])

finish()
