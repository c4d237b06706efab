"""Numbers of `jfrec report --json` are those of view, flame and analyze.

usage: report_numbers.py JFREC SOURCE_ROOT

Prints TAP.
"""

import glob
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402

jfrec, root = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])

def run(*arguments):
    done = subprocess.run([jfrec, *arguments], capture_output=True, text=True)
    return json.loads(done.stdout) if done.stdout else None


def close(a, b):
    if isinstance(a, float) or isinstance(b, float):
        return a is not None and b is not None and abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1)
    return a == b


def first(value):
    """Of a stack trace, its first frame."""
    return value[0] if isinstance(value, list) and value else value


def rows_differ(name, ours, theirs):
    for i, row in enumerate(ours):
        if i >= len(theirs) or not all(map(close, row, map(first, theirs[i]))):
            return "%s row %d: %s, view: %s" % (name, i, row, theirs[i] if i < len(theirs) else None)
    return None


def compare_tables(report, path):
    wrong, seen = [], 0
    for table in report["tables"]:
        # Those with a query, an order or a number of rows of their own.
        if "rows" not in table or table["name"] in ("gc", "gc-by-cause", "jvm-flags-set", "safepoints", "gc-pause-phases"):
            continue
        views = run("view", table["name"], "--json", path)["views"]
        seen += 1
        why = rows_differ(table["name"], table["rows"], views[0]["rows"])
        if why:
            wrong.append(why)
    return wrong, seen


def compare_profiles(report, path):
    wrong = []
    flame = run("flame", path, "--format", "json", "-o", "-")
    theirs = {p["name"]: p for p in flame["profiles"]} if flame else {}
    for p in report["profiles"]:
        other = theirs.get(p["name"])
        if not other or (p["samples"], p["value"]) != (other["samples"], other["weight"]):
            wrong.append("%s: %s" % (p["name"], p["samples"]))
    return wrong


def compare_findings(report, path):
    wrong = []
    judged = run("analyze", "--json", "--all", path)["jvms"]
    if len(judged) != len(report["jvms"]):
        return ["%d JVMs, analyze: %d" % (len(report["jvms"]), len(judged))]
    for ours, theirs in zip(report["jvms"], judged):
        pairs = [[(f["rule"], f["severity"], f.get("summary")) for f in j["findings"]] for j in (ours, theirs)]
        if pairs[0] != pairs[1]:
            wrong += ["%s, analyze: %s" % (a, b) for a, b in zip(*pairs) if a != b][:3] or ["other findings"]
        if (ours["events"], ours["chunks"]) != (theirs["recording"]["events"], theirs["recording"]["chunks"]):
            wrong.append("events, chunks: %s" % ours["events"])
    return wrong


all_tables = 0
for path in sorted(glob.glob(os.path.join(root, "tests/data/ok/*.jfr"))):
    name = os.path.basename(path)
    report = run("report", "--json", "--no-scrub", "--environment", path)
    wrong, seen = compare_tables(report, path)
    all_tables += seen
    result(not wrong, name + ": tables are those of view", *wrong)
    wrong = compare_profiles(report, path)
    result(not wrong, name + ": profiles are those of flame", *wrong)
    wrong = compare_findings(report, path)
    result(not wrong, name + ": findings are those of analyze", *wrong)
result(all_tables > 50, "many tables were compared", all_tables)
finish()
