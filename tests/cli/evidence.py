"""Commands of findings can be pasted: each shows what the finding names, of each recording that there is.

usage: evidence.py JFREC SOURCE_ROOT [DIRECTORY...]

The recordings are those of tests/data/ok, those of tests/wild, of which a rule's command is run for three
at most, and those of the directories.  One of the methods and classes that a finding names must be in what
its flame graph shows.  A damaged recording may make a command exit with 1, as analyze itself does.  Prints
TAP.
"""

import json
import os
import subprocess
import sys

JFREC, ROOT = os.path.abspath(sys.argv[1]), sys.argv[2]
sys.path.insert(0, os.path.join(ROOT, "tests"))
import tap  # noqa: E402

SUFFIXES = (".jfr", ".jfr.gz", ".jfr.zst")
WILD = os.path.join(ROOT, "tests/wild/recordings")
OF_WILD = 3

ran = {}


def recordings():
    for top in [os.path.join(ROOT, "tests/data/ok"), WILD, *sys.argv[3:]]:
        for directory, _, names in os.walk(top):
            yield from (os.path.join(directory, name) for name in sorted(names) if name.endswith(SUFFIXES))


def is_wanted(path, rule, command):
    """Of a rule and a command of a kind, the first recordings of tests/wild only."""
    if not path.startswith(WILD):
        return True
    kind = rule, " ".join(command.split()[1:3])
    ran[kind] = ran.get(kind, 0) + 1
    return ran[kind] <= OF_WILD


def commands(path):
    """Its findings' commands, and the status of analyze."""
    done = subprocess.run([JFREC, "analyze", "--json", path], capture_output=True, text=True)
    found = {}
    if done.stdout:
        for jvm in json.loads(done.stdout)["jvms"]:
            for finding in jvm["findings"]:
                if finding["severity"] not in ("info", "warning"):
                    continue
                named = [x["text"].split(":")[0] for x in finding["evidence"] if x["kind"] in ("method", "class", "stack")]
                for piece in finding["evidence"]:
                    if piece["kind"] == "command" and is_wanted(path, finding["rule"], piece["text"]):
                        found.setdefault(piece["text"], (finding["rule"], named))
    return found, done.returncode


def rows(command, out):
    """How many events, rows or frames it showed."""
    words = command.split()
    if words[1] == "print":
        return out.count("\n}\n") + out.startswith("}")
    return len([line for line in out.splitlines() if line.strip()]) - 2


def fault(command, status, named):
    at = command.replace("jfrec", JFREC, 1)
    if command.split()[1] == "flame":
        at += " --format text"
    done = subprocess.run(at, shell=True, capture_output=True, text=True)
    if done.returncode not in (0, status):
        return f"exits with {done.returncode}: {done.stderr[:300]}"
    if rows(command, done.stdout) < 1:
        return "shows nothing: " + (done.stdout + done.stderr)[:300]
    if command.split()[1] == "flame" and named and not any(n in done.stdout for n in named):
        return f"shows none of {named}: " + done.stdout[:300]
    return None


for path in recordings():
    found, status = commands(path)
    faults = []
    for command, (rule, named) in found.items():
        why = fault(command, status, named)
        if why:
            faults.append(f"{rule}: {command}: {why}")
    if found:
        tap.result(not faults, f"{os.path.basename(path)}: {len(found)} commands", *faults)
tap.finish()
