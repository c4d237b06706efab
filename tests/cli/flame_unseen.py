"""What was not seen is said in every output: samples without a stack, lost samples, lost events.

usage: flame_unseen.py JFREC SOURCE_ROOT

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


def flame(recording, output):
    with tempfile.TemporaryDirectory() as folder:
        path, to = os.path.join(folder, "a.jfr"), os.path.join(folder, "a." + output)
        with open(path, "wb") as f:
            f.write(recording.bytes())
        done = subprocess.run([JFREC, "flame", path, *([] if output == "text" else ["-o", to])], capture_output=True,
                              text=True)
        if done.returncode or output == "text":
            return done.stdout + done.stderr
        with open(to) as f:
            return f.read()


def planted(*losses):
    r = Recording(TYPES)
    for i in range(3):
        r.add("jdk.CPUTimeSample", at=i / 10, stackTrace=["app.Main.main"], samplingPeriod=0.01)
    r.add("jdk.CPUTimeSample", at=0.5, failed=True, samplingPeriod=0.01)
    r.add("jdk.CPUTimeSample", at=0.6, samplingPeriod=0.01)
    r.add("jdk.CPUTimeSamplesLost", at=0.7, lostSamples=21)
    for amount, total in losses:
        r.add("jdk.DataLoss", at=0.8, amount=amount, total=total)
    return r


# Each says how much it was; one that was lost itself shows in the total of a later one.
for name, losses, count, text in (
    ("no loss", (), 0, None),
    ("one", ((4096, 4096),), 4096, "4 KiB"),
    ("two threads", ((4096, 4096), (2000, 2000)), 6096, "5.95 KiB"),
    ("one that was lost itself", ((1000, 97748),), 97748, "95.5 KiB"),
    ("one that lies", ((-1, -1),), 2**63 - 1, "8 EiB"),
):
    r = planted(*losses)
    p = json.loads(flame(r, "json"))["profiles"][0]
    got = [p[k] for k in ("withoutStack", "failed", "lost", "lostBytes")]
    result(got == [1, 1, 21, count], f"json: {name}", str(p)[:300])
    shown = flame(r, "text")
    good = "1 sample has no stack trace" in shown and "1 sample failed" in shown and "21 samples were lost" in shown
    good &= (text is None) == ("jdk.DataLoss" not in shown) and (text or "") in shown
    result(good, f"text: {name}", shown[:600])
    extra = {e["label"]: e["value"] for e in json.loads(flame(r, "firefox.json"))["meta"]["extra"][0]["entries"]}
    result(extra.get("CPU: bytes of events that the JVM lost", 0) == count and extra["CPU: samples that were lost"] == 21,
           f"firefox: {name}", str(extra))
finish()
