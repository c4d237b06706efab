#!/usr/bin/env python3
"""What commands say of one recording is one number, but for rounding.

Length, events, CPU samples, allocation, heap, pauses, exceptions and lock waits, as `analyze`,
`report` (document and page), `view`, `flame`, `settings cost`, `summary` and `sql` tell them.

usage: one_meaning.py JFREC SOURCE_ROOT [RECORDING...]

Prints TAP.  Without recordings, takes ten of tests/wild, by all collectors, and some of tests/data.
"""

import glob
import html
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402

jfrec, root = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])

RECORDINGS = (
    "tests/wild/recordings/heap-small-serial-25.jfr.zst",
    "tests/wild/recordings/heap-small-parallel-17.jfr.zst",
    "tests/wild/recordings/heap-small-g1-25.jfr.zst",
    "tests/wild/recordings/ok-shenandoah-25.jfr.zst",
    "tests/wild/recordings/zgc-stall-17.jfr.zst",
    "tests/wild/recordings/zgc-stall-25.jfr.zst",
    "tests/wild/recordings/exceptions-25.jfr.zst",
    "tests/wild/recordings/lock-synchronized-17.jfr.zst",
    "tests/wild/recordings/killed-25.jfr.zst",
    "tests/wild/recordings/ok-parallel-25.jfr.zst",
    "tests/data/ok/jvm-17.jfr",
    "tests/data/ok/jvm-25.jfr",
    "tests/data/ok/trace-25.jfr",
)

# Times are in ticks, of which each command makes nanoseconds in its own place.
EXACT = 1e-6

# What a text may differ from a number by: half of the last of three digits.
ROUNDED = 0.006

UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
         "ns": 1, "\u00b5s": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9, "h": 3600e9, "%": 0.01}  # fmt: skip
AMOUNT = re.compile(r"([\d.,]+) (%s)(?:/s)?(?![A-Za-z])" % "|".join(UNITS))


def run(*arguments):
    return subprocess.run([jfrec, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def document(*arguments):
    text = run(*arguments)
    return json.loads(text) if text else None


def amount(text):
    """"17 min 3 s", "480 MiB", "38.3 MiB/s": in ns or bytes, and the least that it may be off."""
    parts = AMOUNT.findall(text)
    return sum(float(n.replace(",", "")) * UNITS[unit] for n, unit in parts) if parts else None


class Facts:
    """Of each fact, who says which number, and how exactly."""

    def __init__(self):
        self.said = {}

    def add(self, fact, who, value, exact=EXACT):
        if value is not None:
            self.said.setdefault(fact, []).append((who, float(value), exact))

    def text(self, fact, who, pattern, text):
        found = re.search(pattern, text)
        if found:
            self.add(fact, who, amount(found[1]), ROUNDED)

    def differ(self, fact):
        """Is anyone further from the most exact one than both were rounded?"""
        best = min(self.said[fact], key=lambda x: x[2])
        return any(abs(x[1] - best[1]) > (x[2] + best[2]) * max(abs(best[1]), abs(x[1])) + 1e-9
                   for x in self.said[fact])


def recorded_ns(recording):
    """The time in chunks: what rates and shares are of."""
    end = total = 0
    chunks = document("summary", "--json", recording)["chunks"]
    for start, until in sorted((c["startNanos"], c["startNanos"] + c["durationNanos"]) for c in chunks):
        total += max(0, until - max(start, end))
        end = max(end, until)
    return total


def rows(name, recording):
    found = document("view", "--json", name, recording)
    return found["views"][0].get("rows", []) if found and found["views"] else []


def select(recording, statement):
    """The only row, or None if a table is not there."""
    found = document("sql", "--json", recording, statement)
    return found["rows"][0] if found and found.get("rows") else [None] * 9


# Who says what -----------------------------------------------------------------------------------


def of_analyze(facts, recording):
    jvm = document("analyze", "--json", "--all", recording)["jvms"][0]
    told, about = jvm["recording"], jvm["jvm"]
    facts.add("length", "analyze", told["durationNanos"])
    facts.add("recorded", "analyze", told["recordedNanos"])
    facts.add("events", "analyze", told["events"])
    facts.add("heap, at most", "analyze", about.get("maxHeap"))
    findings = {f["rule"]: f for f in jvm["findings"]}
    evidence = {rule: {e.get("label"): e for e in f["evidence"]} for rule, f in findings.items()}
    share = evidence.get("gc-pause-share", {}).get("share of all the time")
    facts.add("time in pauses", "analyze", share and share["value"])
    lock = evidence.get("lock-contention", {}).get(
        "waited for all locks but Flight Recorder's, of one thread's time")
    if lock:
        facts.add("the application's lock waits", "analyze", lock["value"] * recorded_ns(recording))
    rate = findings.get("allocation-site", {}).get("summary", "")
    facts.text("allocated a second", "analyze", r"^(.*?/s) are allocated", rate)


def of_analyze_text(facts, recording):
    head = run("analyze", recording).split("\n\n")[0].replace("\n", " ")
    facts.text("recorded", "analyze, text", r": ([\d.]+ \S+(?: \d+ s)?) (?:of .*?)?from ", head)
    facts.text("heap, at most", "analyze, text", r"heap ([\d.]+ \w+)", head)


def of_report(facts, recording):
    d = document("report", "--json", recording)
    jvm = d["jvms"][0]
    ns = jvm["endNanos"] - jvm["startNanos"]
    figures = {f["id"]: f for f in jvm["figures"]}
    value = {name: f["value"] for name, f in figures.items()}
    facts.add("length", "report", ns)
    facts.add("recorded", "report", jvm["recordedNanos"])
    facts.add("events", "report", jvm["events"])
    facts.add("heap, at most", "report", jvm.get("maxHeap"))
    facts.add("heap, at most", "report, figure", figures.get("heap-after-gc", {}).get("peak"))
    facts.add("heap after collections", "report, figure", value.get("heap-after-gc"))
    facts.add("longest pause", "report, figure", value.get("gc-longest-pause"))
    facts.add("allocated a second", "report, figure", value.get("allocation"))
    facts.add("time in pauses", "report, figure", value.get("gc-share"))
    recorded = recorded_ns(recording)
    for name, fact, times in (("exceptions", "exceptions", recorded / 1e9),
                              ("lock-wait", "lock waits, in all", recorded)):
        if name in value:
            facts.add(fact, "report, figure", value[name] * times, 1e-6)
    of_pauses(facts, recording, jvm["startNanos"], jvm["endNanos"])
    if jvm["gcPauses"]:
        facts.add("pauses", "report", sum(p["count"] for p in jvm["gcPauses"]))
        facts.add("pauses, in all", "report", sum(p["totalNanos"] for p in jvm["gcPauses"]))
    for profile in d.get("profiles", []):
        profiled(facts, "report", profile["name"], profile["samples"], profile["value"])


def of_pauses(facts, recording, start, end):
    """The share of the time in them: what began before the recording counts from its start on."""
    ns = select(recording, "SELECT sum(min(startTime + duration, %d) - max(startTime, %d)) FROM GCPhasePause"
                " WHERE startTime < %d AND startTime + duration > %d" % (end, start, end, start))[0]  # fmt: skip
    if ns:
        facts.add("time in pauses", "sql", ns / recorded_ns(recording), 1e-6)


def profiled(facts, who, name, samples, weight):
    if name == "cpu":
        facts.add("CPU samples", who, samples)
    elif name == "alloc":
        facts.add("sampled allocation", who, weight)


def of_page(facts, recording):
    page = run("report", "-o", "-", "--format", "html", recording)
    page = re.sub(r"<(script|style).*?</\1>", "", page, flags=re.S)
    text = re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", page)))
    facts.text("recorded", "page", r" Recorded [-\d: ]+ to [-\d: ]+ UTC(?:[-+][\d:]+)?, ([\d.]+ \S+(?: \d+ s)?)", text)
    found = re.search(r" Size ([\d,]+) events", text)
    if found:
        facts.add("events", "page", found[1].replace(",", ""))
    facts.text("heap, at most", "page", r"heap of at most ([\d.]+ \w+)", text)
    facts.text("heap after collections", "page", r"Heap after GC ([\d.]+ \w+)", text)
    facts.text("longest pause", "page", r"Longest GC pause ([\d.]+ \S+)", text)
    facts.text("allocated a second", "page", r"Allocation ([\d.]+ \w+/s)", text)


def of_flame(facts, recording):
    d = document("flame", "--format", "json", recording)
    if not d:
        return
    facts.add("length", "flame", d["durationNanos"])
    for p in d["profiles"]:
        profiled(facts, "flame", p["name"], p["samples"], p["weight"])
    for name, fact in (("cpu", None), ("alloc", "sampled allocation")):
        head = run("flame", "--format", "text", "--profile", name, recording).split("\n")[0]
        found = re.search(r"^\w+: (.*) in ([\d,]+) samples?", head)
        if found and fact:
            facts.add(fact, "flame, text", amount(found[1]), ROUNDED)
        if found and name == "cpu":
            facts.add("CPU samples", "flame, text", found[2].replace(",", ""))


def of_cost(facts, recording):
    d = document("settings", "cost", "--json", recording)
    facts.add("recorded", "settings cost", d["durationNanos"])
    facts.add("events", "settings cost", sum(t["events"] for t in d["types"]))
    facts.text("recorded", "settings cost, text", r"chunks?, (.*?); zstd", run("settings", "cost", recording))


def of_summary(facts, recording):
    d = document("summary", "--json", recording)
    facts.add("recorded", "summary", recorded_ns(recording))
    facts.add("events", "summary", sum(t["count"] for t in d["types"] if t["id"] > 1))


def of_view(facts, recording):
    # The JDK's views leave out some types of other producers.
    if all(t["name"].startswith("jdk.") for t in document("summary", "--json", recording)["types"] if t["count"]):
        found = rows("recording", recording)
        facts.add("events", "view recording", found[0][0] if found else None)
        facts.add("events", "view events-by-count", sum(r[1] for r in rows("events-by-count", recording)) or None)
    found = rows("gc-pauses", recording)
    if found and found[0][1]:
        facts.add("pauses, in all", "view gc-pauses", found[0][0])
        facts.add("pauses", "view gc-pauses", found[0][1])
        facts.add("longest pause", "view gc-pauses", found[0][-1])
    found = rows("heap-configuration", recording)
    facts.add("heap, at most", "view heap-configuration", found[0][2] if found else None)
    found = rows("exception-count", recording)
    facts.add("exceptions", "view exception-count", found[0][0] if found else None)
    found = rows("lock-wait", recording)
    if found:
        facts.add("lock waits", "view lock-wait", sum(r[2] for r in found))
        facts.add("lock waits, in all", "view lock-wait", sum(r[3] for r in found))


SQL = (
    (("pauses", "pauses, in all", "longest pause"),
     "SELECT count(*), sum(duration), max(duration) FROM GCPhasePause HAVING count(*)"),
    (("pauses, in all", "longest pause"),
     "SELECT sum(sumOfPauses), max(longestPause) FROM GarbageCollection HAVING count(*)"),
    (("heap, at most",), "SELECT maxSize FROM GCHeapConfiguration ORDER BY startTime DESC LIMIT 1"),
    (("heap after collections",), "SELECT max(heapUsed) FROM GCHeapSummary WHERE \"when\" = 'After GC'"),
    (("lock waits", "lock waits, in all"), "SELECT count(*), sum(duration) FROM JavaMonitorEnter HAVING count(*)"),
    (("the application's lock waits",), "SELECT sum(duration) FROM JavaMonitorEnter"
     " WHERE monitorClass NOT LIKE 'jdk.jfr.internal.%' HAVING count(*)"),
    (("exceptions",), "SELECT max(throwables) - min(throwables) FROM ExceptionStatistics HAVING count(*) > 1"),
)  # fmt: skip


def of_sql(facts, recording):
    for names, statement in SQL:
        for name, value in zip(names, select(recording, statement)):
            facts.add(name, "sql", value)


ALL = (of_summary, of_analyze, of_analyze_text, of_report, of_page, of_flame, of_cost, of_view, of_sql)


def check(recording):
    facts = Facts()
    for ask in ALL:
        ask(facts, recording)
    wrong = []
    for fact, said in facts.said.items():
        if facts.differ(fact):
            wrong.append("%s: %s" % (fact, "; ".join("%s %.10g" % x[:2] for x in said)))
    told = sum(len(said) > 1 for said in facts.said.values())
    result(not wrong and told >= 2, "%s, %d facts" % (os.path.basename(recording), told), "\n".join(wrong))
    return {fact for fact, said in facts.said.items() if len(said) > 1}


def main():
    given = [os.path.abspath(p) for p in sys.argv[3:]]
    facts = set()
    for recording in given or [os.path.join(root, p) for p in RECORDINGS]:
        facts |= check(recording)
    if not given:
        missing = {"length", "recorded", "events", "CPU samples", "sampled allocation", "allocated a second", "heap, at most",
                   "heap after collections", "pauses", "pauses, in all", "longest pause", "time in pauses", "exceptions",
                   "lock waits", "lock waits, in all", "the application's lock waits"} - facts  # fmt: skip
        result(not missing, "each fact was compared", missing)
    finish()


if __name__ == "__main__":
    main()
