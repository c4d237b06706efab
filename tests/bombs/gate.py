#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Some bombs of make.py, for commands whose time once grew with the square of what is in them.

usage: gate.py JFREC

The limit of CPU time is many times what a command takes, also with sanitizers, and a fraction of
what it would take with a square: a bomb is large enough for that.
"""

import os
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [here, os.path.join(here, "..")]
import make  # noqa: E402
import run  # noqa: E402
from tap import finish, result  # noqa: E402

jfrec = os.path.abspath(sys.argv[1])
run.SECONDS = 60
sanitized = subprocess.run(["grep", "-qa", "__asan_init", jfrec]).returncode == 0
if sanitized:
    run.MEMORY = 8 << 30

# Bomb, how large, commands.
GATE = [
    ("types", 2, ["sql", "sql-texts", "sql-tables", "diff"]),
    ("packages", 2, ["sql"]),
    ("cases", 1, ["sql"]),
]

with tempfile.TemporaryDirectory() as work:
    for name, scale, commands in GATE:
        bomb = os.path.join(work, name + ".jfr")
        with open(bomb, "wb") as f:
            f.write(make.make(name, scale))
        for command in commands:
            r = run.Result(jfrec, run.COMMANDS[command], bomb, os.path.join(work, "out"))
            faults = list(r.faults(os.path.getsize(bomb)))
            result(not faults, f"{name}: {command} keeps within the limits", ", ".join(faults),
                   f"exit status {r.status}, {r.user:.1f} s, {r.memory >> 20} MB, {r.bytes} bytes, {r.files} files", r.said)
finish()
