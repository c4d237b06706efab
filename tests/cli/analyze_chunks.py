"""Each rule of analyze over several chunks: events in any order, settings that change, clocks that jump.

usage: analyze_chunks.py JFREC SOURCE_ROOT

What the other tests of rules plant in one chunk is planted again in three, in these in another order,
with events from the last to the first, with event types that are switched on late and off early,
and with a wall clock that jumps between two chunks.  Nothing of it changes what is found.  A rule is
tested by what its own tests expect of it: the first warning or else info, and the first ok.  Prints TAP.
"""

import copy
import json
import os
import re
import runpy
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(sys.argv[2], "tests"))
import judged  # noqa: E402
import tap  # noqa: E402
from judged import ROOT, TYPES, judge, turn  # noqa: E402
from plant import Recording  # noqa: E402
from tap import result  # noqa: E402

finish = tap.finish
HOUR = 3600

# What those tests plant ---------------------------------------------------------------------------

planted = {}  # rule -> severity -> (what it is called, its recording)


def keep(rule, what, recording, severity, says="", *options):
    """In place of expect()."""
    if severity not in ("ok", "info", "warning") or options or not isinstance(recording, Recording):
        return
    if recording.end - recording.start < 3 or severity in planted.setdefault(rule, {}):
        return
    r = copy.copy(recording)
    r.events = list(recording.events)
    r.pools = {kind: dict(pool) for kind, pool in recording.pools.items()}
    planted[rule][severity] = what, r


judged.expect = keep
tap.result = tap.finish = lambda *ignored: None
for name in "rules", "outside", "memory", "pauses", "waits":
    runpy.run_path(os.path.join(ROOT, f"tests/cli/analyze_{name}.py"))
tap.result, tap.finish = result, finish

# The same otherwise -------------------------------------------------------------------------------

# What a JVM writes at the beginning of each chunk: it tells what the JVM is.
DESCRIBES = re.compile(r"jdk\.(Initial.*|.*Flag|.*Configuration|.*Information|ActiveSetting|ActiveRecording)$")


def part(r, start, end, clock=0):
    """A chunk of it: what ended in that time, and what each chunk begins with."""
    c = Recording(TYPES, start, clock)
    c.pools = r.pools
    for e in r.events:
        ended = e.at + e.duration
        is_first = DESCRIBES.match(e.name) and e.at <= r.start
        if is_first or (start <= ended or start == r.start) and (ended < end or end == r.end):
            c.events.append(e)
    c.end = end
    return c


def thirds(r, *clocks):
    length = int(r.end - r.start)
    at = [r.start, r.start + length // 3, r.start + 2 * length // 3, r.end]
    return [part(r, at[i], at[i + 1], clocks[i] if clocks else 0) for i in range(3)]


def joined(parts):
    return b"".join(c.bytes() for c in parts)


def read_by(rule):
    """The event types that it reads and that settings are of."""
    names = {e["event"] for e in RULES[rule].get("events", [])}
    return sorted(n for n in names if n in TYPES.by_name and not DESCRIBES.match(n))


def switched(r, rule):
    """Switched off for its first and its last hundredth of a second."""
    c = copy.copy(r)
    settings = [e for e in r.events if e.name == "jdk.ActiveSetting"]
    c.events = [e for e in r.events if e.name != "jdk.ActiveSetting"]
    c.pools = {kind: dict(pool) for kind, pool in r.pools.items()}
    for name in read_by(rule):
        turn(c, name, at=r.start, enabled="false")
    c.events += settings
    for name in read_by(rule):
        turn(c, name, at=r.start + 0.01, enabled="true")
        turn(c, name, at=r.end - 0.01, enabled="false")
    return c


def backwards(r):
    c = copy.copy(r)
    c.events = r.events[::-1]
    return c


def without_place(finding):
    """What is found, but for commands of the evidence, which name spans of the clock."""
    said = {k: finding.get(k) for k in ("severity", "noData", "summary", "value", "score", "advice", "confidence")}
    return re.sub(r"/\S*\.jfr", "FILE", json.dumps(said, sort_keys=True))


RULES = {x["rule"]: x for x in json.loads(os.popen(f"'{judged.JFREC}' analyze --list --json").read())["rules"]}

# What may differ, and why.  Readings are compared with the one before, and windows are of the wall
# clock: one that is set puts readings into another order, or cuts a window in two.  And a recording
# may be planted with two events of the same moment that contradict each other.
AHEAD, BACK, BACKWARDS = "a clock an hour ahead", "a clock set back", "backwards"
OTHERWISE = {
    "allocation-site": {BACK},
    "container-swap": {BACK},
    "direct-buffers": {BACK},
    "gc-options": {BACKWARDS},
    "halts-share": {AHEAD, BACK},
    "hot-method": {AHEAD, BACK},
    "live-set-growth": {AHEAD, BACK},
    "native-memory": {BACK},
    "recording-damaged": {AHEAD, BACK},
    "thread-growth": {AHEAD, BACK},
    "vthread-many": {AHEAD, BACK},
}


def ways(rule, r):
    """The recordings that are to lead to the same, by what is different."""
    yield "", r
    yield BACKWARDS, backwards(r)
    yield "three chunks", joined(thirds(r))
    yield "the last chunk first", joined(thirds(r)[::-1])
    yield "settings that change", switched(r, rule)
    yield AHEAD, joined(thirds(r, 0, HOUR, HOUR))
    yield BACK, joined(thirds(r, 0, 0, -HOUR))


def check(rule, severity, what, got):
    base = got[""]
    for how, finding in got.items():
        if how in OTHERWISE.get(rule, ()):
            continue
        said = f"{base['severity']}: {base['summary']}", f"{finding['severity']} {finding.get('noData')}: {finding['summary']}"
        result(finding["severity"] == severity, f"{rule}, {what}: {severity}, {how or 'as it was'}", *said)
        other = {BACKWARDS: "", "the last chunk first": "three chunks"}.get(how)
        if other is not None:
            same = without_place(finding), without_place(got[other])
            result(same[0] == same[1], f"{rule}, {what}: the same words, {how}", *same)


def worst_and_ok(by_severity):
    worst = "warning" if "warning" in by_severity else "info"
    return [s for s in (worst, "ok") if s in by_severity]


with ThreadPoolExecutor(4) as pool:
    asked = []
    for rule in sorted(planted):
        for severity in worst_and_ok(planted[rule]):
            what, r = planted[rule][severity]
            asked.append((rule, severity, what, {how: pool.submit(judge, rule, other) for how, other in ways(rule, r)}))
    for rule, severity, what, got in asked:
        check(rule, severity, what, {how: finding.result() for how, finding in got.items()})

# It looks at the chunks themselves, of which its own tests make some; what keeps objects alive is in
# recordings of tests/wild; and what the host shows is in none.
missing = sorted(set(RULES) - set(planted) - {"recording-damaged", "leak-holder"} - {r for r in RULES if r.startswith("host-")})
result(not missing, "each rule has a recording for it", missing)
finish()
