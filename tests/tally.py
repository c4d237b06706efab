#!/usr/bin/env python3
# Counts what the tests of a meson run said, one by one.
#
# usage: tally.py TESTLOG_JSON COUNTS
#
# Prints what failed, with its comments, and adds "passed failed skipped" to
# the file COUNTS.  A program that died, timed out or said nothing is a failure
# by itself, unless one of its tests has failed already.
import json
import re
import sys


def tests_of(output):
    """Pairs of a test's line and the comments below it."""
    tests = []
    for line in output.splitlines():
        if re.match(r"(not )?ok\b", line):
            tests.append((line, []))
        elif line.startswith("#") and tests:
            tests[-1][1].append(line)
    return tests


def verdict(line):
    if re.search(r"# *skip", line, re.IGNORECASE):
        return "skipped"
    return "failed" if line.startswith("not") else "passed"


def main(log, counts_file):
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for record in map(json.loads, open(log, encoding="utf-8")):
        name = record["name"].split(" / ")[-1]
        tests = tests_of(record.get("stdout") or "")
        bad = [t for t in tests if verdict(t[0]) == "failed"]
        for line, _ in tests:
            counts[verdict(line)] += 1
        for line, comments in bad:
            print(f"{name}: {line}", *comments[:8], sep="\n    ")
        if record["result"] == "SKIP" and not tests:
            counts["skipped"] += 1
        elif not bad and (record["result"] not in ("OK", "SKIP") or not tests):
            counts["failed"] += 1
            print(f"{name}: {record['result']}, exit status {record['returncode']}")
            for line in (record.get("stderr") or "").splitlines()[-12:]:
                print("   ", line)
    with open(counts_file, "a", encoding="utf-8") as out:
        print(counts["passed"], counts["failed"], counts["skipped"], file=out)


main(*sys.argv[1:])
