# SPDX-License-Identifier: MIT
"""Recordings of several JVMs and JDKs as a fleet leaves them, and their folder of tables: for the
questions of jfrec-engines(7).

    recordings, done = fleet.export(jfrec, root, work)

Each recording is called as --label-from-name takes it apart, and lies in `work`; the folder is
`work`/lake, and done is the process that wrote it.
"""

import os
import shutil
import subprocess

from plant import Recording, Types

RECORDINGS = {"web-a-1.0.jfr": "ok/jvm-17.jfr", "web-b-1.1.jfr": "ok/jvm-25.jfr",
              "batch-c-2.0.jfr": "stacks/async-profiler-45.jfr"}
# No recording of tests/data has allocation: (class, weight in bytes) of each sample.
ALLOCATED = "batch-d-2.0.jfr"
SAMPLES = [("java.lang.String", 24), ("app.Order", 4096), ("java.lang.String", 1 << 40), ("app.Order", 512)]


def allocate(types, path):
    planted = Recording(Types(types))
    for i, (name, weight) in enumerate(SAMPLES):
        planted.add("jdk.ObjectAllocationSample", at=0.1 * i, objectClass=name, weight=weight,
                    eventThread="main", stackTrace=["app.Shop.order", "app.Shop.main"])
    with open(path, "wb") as f:
        f.write(planted.bytes())


def export(jfrec, root, work, more=()):
    """With the recordings `more`, too."""
    names = [*RECORDINGS, ALLOCATED]
    for name, source in RECORDINGS.items():
        shutil.copy(f"{root}/tests/data/{source}", f"{work}/{name}")
    allocate(f"{root}/tests/data/ok/jvm-25.jfr", f"{work}/{ALLOCATED}")
    for i, source in enumerate(more):
        names.append(f"more-{i}-0.jfr")
        shutil.copy(source, f"{work}/{names[-1]}")
    done = subprocess.run(
        [os.path.realpath(jfrec), "export", *names, "-o", "lake", "--partition",
         "date,service,instance,release", "--label-from-name", "{service}-{instance}-{release}.jfr"],
        cwd=work, capture_output=True, text=True, check=False)
    return [f"{work}/{n}" for n in names], done
