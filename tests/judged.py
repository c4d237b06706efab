"""What analyze says of recordings that are planted for one of its rules; for the tests of rules.

Recordings are made by plant.py, with the event types of JDK 25.  Usage of a test that imports this:
NAME.py JFREC SOURCE_ROOT.
"""

import json
import os
import subprocess
import sys
import tempfile

JFREC, ROOT = sys.argv[1], sys.argv[2]
sys.path.insert(0, os.path.join(ROOT, "tests"))
from plant import Recording, Types  # noqa: E402
from tap import result  # noqa: E402

TYPES = Types(os.path.join(ROOT, "tests/data/ok/jvm-25.jfr"))
MB = 1 << 20
MS = 0.001


def turn(r, event, at=None, **settings):
    """Note the settings of an event type, as the JVM does at the start of a chunk, or later."""
    at = r.start if at is None else at
    for name, value in settings.items():
        r.add("jdk.ActiveSetting", at=at, id=TYPES.by_name[event]["id"], name=name, value=value)


def jvm(seconds=60, jdk=25, collector="G1", hw=4, heap=512, start=0, clock=0, **on):
    """A chunk of a JVM's recording, up to that second: what it is, and which event types are on."""
    r = Recording(TYPES, start, clock)
    version = f"OpenJDK 64-Bit Server VM ({jdk}.0.1+9) for linux-amd64 JRE ({jdk}.0.1+9)"
    r.add("jdk.JVMInformation", at=start, jvmName="OpenJDK 64-Bit Server VM", jvmVersion=version, pid=7)
    r.add("jdk.CPUInformation", at=start, hwThreads=hw, cores=hw, sockets=1)
    names = {"Z": ("ZGC Minor", "ZGC Major"), "Shenandoah": (None, "Shenandoah")}
    young, old = names.get(collector, (collector + "New", collector + "Old"))
    r.add("jdk.GCConfiguration", at=start, youngCollector=young, oldCollector=old, parallelGCThreads=2)
    r.add("jdk.GCHeapConfiguration", at=start, maxSize=heap * MB)
    for event, settings in on.items():
        turn(r, "jdk." + event, enabled="true", **settings)
    r.end = seconds
    return r


def judge(rule, data, *options):
    with tempfile.NamedTemporaryFile(suffix=".jfr") as f:
        f.write(data if isinstance(data, bytes) else data.bytes())
        f.flush()
        command = [JFREC, "analyze", "--json", "--only", rule, *options, f.name]
        done = subprocess.run(command, capture_output=True, text=True)
    try:
        findings = [x for v in json.loads(done.stdout)["jvms"] for x in v["findings"]]
    except ValueError:
        return {"severity": "failed", "noData": None, "summary": done.stderr}
    return findings[0] if findings else {"severity": "none", "noData": None, "summary": ""}


def expect(rule, what, recording, severity, says="", *options):
    """severity: or the kind of no data."""
    got = judge(rule, recording, *options)
    is_it = severity in (got["severity"], got.get("noData"))
    evidence = json.dumps(got)
    result(
        is_it and says in evidence,
        f"{rule}: {what}",
        f"wanted {severity} {says}",
        f"got {got['severity']} {got.get('noData')}: {got['summary']}",
        evidence[:1500],
    )


def several(event, times, **fields):
    return [(event, at, fields) for at in times]


def with_events(r, *events):
    for event, at, fields in events:
        r.add("jdk." + event, at=at, **fields)
    return r


def chunks(*all_of_them):
    """One recording of several chunks."""
    return b"".join(r.bytes() for r in all_of_them)


def backwards(r):
    """The same recording with its events in the opposite order, as buffers may be written."""
    r.events.reverse()
    return r
