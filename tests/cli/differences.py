"""diff compares each side's own samples where the two have none of the same source.

usage: differences.py JFREC SOURCE_ROOT

The recordings are made by ../plant.py.  Prints TAP.
"""

import json
import os
import subprocess
import sys
import tempfile

JFREC, ROOT = sys.argv[1], sys.argv[2]
sys.path.insert(0, os.path.join(ROOT, "tests"))
from plant import Recording, Types  # noqa: E402
from tap import finish, result  # noqa: E402

TYPES = Types(os.path.join(ROOT, "tests/data/ok/jvm-25.jfr"))


def samples(event, method, count=50):
    r = Recording(TYPES)
    for i in range(count):
        fields = {"stackTrace": [method, "app.Main.main"]}
        if event == "jdk.CPUTimeSample":
            fields["samplingPeriod"] = 0.02
        r.add(event, at=i / 10, **fields)
    return r


def diff(before, after):
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, name) for name in ("before.jfr", "after.jfr")]
        for name, recording in zip(names, (before, after)):
            with open(name, "wb") as f:
                f.write(recording.bytes())
        return subprocess.run([JFREC, "diff", "--json", *names], capture_output=True, text=True)


execution = samples("jdk.ExecutionSample", "app.Old.work")
cpu_time = samples("jdk.CPUTimeSample", "app.New.work")
nothing = samples("jdk.ExecutionSample", "app.Old.work", 0)

for name, before, after, methods in (
    ("one sampler, then another", execution, cpu_time, ("app.Old.work", "app.New.work")),
    ("and the other way round", cpu_time, execution, ("app.Old.work", "app.New.work")),
    ("nothing before", nothing, execution, ("app.Old.work",)),
    ("nothing after", cpu_time, nothing, ("app.New.work",)),
    ("nothing at all", nothing, nothing, ()),
):
    done = diff(before, after)
    good = done.returncode == 0 and all(method in done.stdout for method in methods)
    try:
        json.loads(done.stdout)
    except ValueError:
        good = False
    result(good, name, f"exit status {done.returncode}", done.stderr, done.stdout[:600])

finish()
