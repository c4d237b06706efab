"""Commands of findings can be pasted: each shows something, of each recording that there is.

usage: evidence.py JFREC SOURCE_ROOT [DIRECTORY...]

The recordings are those of tests/data/ok, and of the directories.  A damaged recording may make a
command exit with 1, as analyze itself does.  Prints TAP.
"""

import json
import os
import subprocess
import sys

JFREC, ROOT = os.path.abspath(sys.argv[1]), sys.argv[2]
sys.path.insert(0, os.path.join(ROOT, "tests"))
import tap  # noqa: E402

SUFFIXES = (".jfr", ".jfr.gz", ".jfr.zst")


def recordings():
    for top in [os.path.join(ROOT, "tests/data/ok"), *sys.argv[3:]]:
        for directory, _, names in os.walk(top):
            yield from (os.path.join(directory, name) for name in sorted(names) if name.endswith(SUFFIXES))


def commands(path):
    """Its findings' commands, and the status of analyze."""
    done = subprocess.run([JFREC, "analyze", "--json", path], capture_output=True, text=True)
    found = {}
    if done.stdout:
        for jvm in json.loads(done.stdout)["jvms"]:
            for finding in jvm["findings"]:
                if finding["severity"] not in ("info", "warning"):
                    continue
                for piece in finding["evidence"]:
                    if piece["kind"] == "command":
                        found.setdefault(piece["text"], finding["rule"])
    return found, done.returncode


def rows(command, out):
    """How many events, rows or frames it showed."""
    words = command.split()
    if words[1] == "print":
        return out.count("\n}\n") + out.startswith("}")
    return len([line for line in out.splitlines() if line.strip()]) - 2


def fault(command, status):
    at = command.replace("jfrec", JFREC, 1)
    if command.split()[1] == "flame":
        at += " --format text"
    done = subprocess.run(at, shell=True, capture_output=True, text=True)
    if done.returncode not in (0, status):
        return f"exits with {done.returncode}: {done.stderr[:300]}"
    if rows(command, done.stdout) < 1:
        return "shows nothing: " + (done.stdout + done.stderr)[:300]
    return None


for path in recordings():
    found, status = commands(path)
    faults = []
    for command, rule in found.items():
        why = fault(command, status)
        if why:
            faults.append(f"{rule}: {command}: {why}")
    if found:
        tap.result(not faults, f"{os.path.basename(path)}: {len(found)} commands", *faults)
tap.finish()
