"""Figures that several kinds of events give are held against each other.

usage: figures.py JFREC [RECORDING...]

Of each recording, those of tests/wild if none is named: what is allocated, by how the heap fills, what
threads say, new buffers and samples; and the processors used, by the JVM's load and by its threads.
Lists where two differ by more than a fifth. It fails where two counts of what is allocated differ by
more than half, and where a figure is no number. Prints TAP.
"""

import glob
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import finish, result  # noqa: E402

JFREC = os.path.abspath(sys.argv[1])
RECORDINGS = sys.argv[2:] or sorted(glob.glob(os.path.join(HERE, "recordings", "*.jfr.zst")))
KINDS = {
    "allocation-site": ("a second, by how the heap fills", "a second, by what threads say",
                        "a second, by new buffers", "a second, by samples"),
    "cpu-jvm": ("processors used in the mean, by the JVM's load", "processors used in the mean, by its threads"),
}  # fmt: skip
# Less is noise: bytes a second, processors.
LEAST = {"allocation-site": 10 << 20, "cpu-jvm": 0.1}


def figures(path):
    """By rule, a list of label and value, the best kind of event first."""
    done = subprocess.run([JFREC, "analyze", "--json", "--only", ",".join(KINDS), path], capture_output=True, text=True)
    found = {rule: [] for rule in KINDS}
    for jvm in json.loads(done.stdout)["jvms"]:
        for finding in jvm["findings"]:
            rule = finding["rule"]
            values = {x["label"]: x.get("value") for x in finding["evidence"] if x["kind"] == "quantity"}
            found[rule] = [(label, values[label]) for label in KINDS[rule] if label in values]
    return found


def apart(a, b):
    return abs(a - b) / max(a, b, 1e-9)


for path in RECORDINGS:
    name, wrong = os.path.basename(path), []
    for rule, values in figures(path).items():
        if any(v is None or v < 0 for _, v in values):
            wrong.append(f"{rule}: {values}")
            continue
        for label, value in values[1:]:
            first, best = values[0]
            if max(best, value) < LEAST[rule] or apart(best, value) <= 0.2:
                continue
            print(f"# {name}: {best:.4g} {first}, {value:.4g} {label}")
            if rule == "allocation-site" and "samples" not in label and apart(best, value) > 0.5:
                wrong.append(f"{rule}: {best:.4g} {first}, {value:.4g} {label}")
    result(not wrong, name, *wrong)
finish()
