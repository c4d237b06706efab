"""Does analyze name the four troubles of a day (day/Day.java), and when each was, and nothing else?

usage: day.py JFREC RECORDING OUTPUT SECONDS

OUTPUT is what the program printed: when each trouble began and ended.  Prints "ok NAME" or
"not ok NAME" for each question, and what was found as comments.
"""

import json
import subprocess
import sys

JFREC, RECORDING, OUTPUT, SECONDS = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])

# The rule that names a trouble, and those that may speak of its consequences.
TROUBLES = {
    "lock": ("lock-contention", []),
    "peer": ("socket-wait", []),
    "exceptions": ("exceptions", []),
    "gc": ("gc-explicit", ["gc-pause-share", "gc-pause-longest", "halts-share"]),
}

# A half minute of half an hour, a tenth of less.
NEAR_MS = min(30_000, SECONDS * 100)


def times():
    begin, end = {}, {}
    with open(OUTPUT, encoding="utf-8") as f:
        for line in f:
            words = line.split()
            if len(words) == 3 and words[0] in TROUBLES:
                (begin if words[1] == "begins" else end)[words[0]] = int(words[2])
    return {name: (begin[name], end[name]) for name in begin}


def findings():
    done = subprocess.run([JFREC, "analyze", "--json", RECORDING], capture_output=True, text=True)
    if not done.stdout:
        raise SystemExit(f"analyze: {done.stderr}")
    return {x["rule"]: x for v in json.loads(done.stdout)["jvms"] for x in v["findings"]}


def range_of(finding):
    """When it was, in ms, by its first evidence that has a time."""
    for e in finding["evidence"]:
        if "fromNanos" in e:
            return e["fromNanos"] / 1e6, e["toNanos"] / 1e6
    return None


def say(ok, name, *why):
    print("ok" if ok else "not ok", name)
    for line in why:
        print("#", line)


found = findings()
for trouble, (start, stop) in times().items():
    finding = found[TROUBLES[trouble][0]]
    when = range_of(finding)
    is_near = when and start - NEAR_MS <= when[0] <= stop and start <= when[1] <= stop + NEAR_MS
    say(finding["severity"] == "warning", f"{trouble} is a warning", finding["summary"])
    say(is_near, f"{trouble} is found when it was", f"from {start} to {stop}; found {when}")

expected = {r for rule, others in TROUBLES.values() for r in [rule, *others]}
rest = [x for x in found.values() if x["severity"] == "warning" and x["rule"] not in expected]
say(not rest, "there are no other warnings", *[f"{x['rule']}: {x['summary']}" for x in rest])
say(len(times()) == 4, "all four troubles were there")
