"""What a sample of async-profiler's wall clock stands for: by the settings of its recording.

usage: flame_periods.py JFREC SOURCE_ROOT

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

TYPES = Types(os.path.join(ROOT, "tests/data/stacks/async-profiler-45.jfr"))
# The settings of all samples stand under this type.
SETTINGS_ID = TYPES.by_name["jdk.ExecutionSample"]["id"]

for name, settings, each_ms in (
    ("event=wall goes by the interval", {"interval": "10000000", "event": "wall"}, 10),
    ("wall is off, so it is event=wall", {"interval": "20000000", "wall": "-1"}, 20),
    ("wall beside another event", {"interval": "1000000", "wall": "30000000"}, 30),
    ("wall as async-profiler has it by default", {"interval": "1000000", "wall": "0"}, 50),
    ("no settings", {}, 50),
):
    r = Recording(TYPES)
    for key, value in settings.items():
        r.add("jdk.ActiveSetting", at=0, id=SETTINGS_ID, name=key, value=value)
    for i in range(10):
        r.add("profiler.WallClockSample", at=i / 10, sampledThread="main", stackTrace=["app.Main.main"],
              state="STATE_SLEEPING", samples=2)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.jfr")
        with open(path, "wb") as f:
            f.write(r.bytes())
        done = subprocess.run([JFREC, "flame", "--profile", "wall", "--format", "json", path],
                              capture_output=True, text=True)
    try:
        got = json.loads(done.stdout)["profiles"][0]
    except (ValueError, LookupError):
        got = done.stderr
    result(isinstance(got, dict) and got.get("weight") == 20 * each_ms * 1000000, name, str(got)[:300])
finish()
