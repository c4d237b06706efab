#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Some bombs of make.py, and those of squares.py, for commands whose time once grew with the square of what is in them.

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
import squares  # noqa: E402
from tap import finish, result  # noqa: E402

jfrec = os.path.abspath(sys.argv[1])
run.SECONDS = 60
sanitized = subprocess.run(["grep", "-qa", "__asan_init", jfrec]).returncode == 0
if sanitized:
    run.MEMORY = 8 << 30

# Bomb, how large, commands.
GATE = [
    ("types", 2, ["sql", "sql-texts", "sql-tables", "diff"]),
    ("types", 1, ["parquet"]),
    ("types", 0.5, ["report"]),
    ("shared_text", 1, ["sqlite", "firefox", "report"]),
    ("packages", 2, ["sql"]),
    ("cases", 1, ["sql"]),
    *((name, 1, ["analyze"]) for name in squares.BOMBS),
]



def check_limits(work):
    """--max-output: what is refused, with which words, and that nothing is left."""
    bomb, out = os.path.join(work, "few.jfr"), os.path.join(work, "out")
    with open(bomb, "wb") as f:
        f.write(make.make("types", 0.001))
    for args, status, words, left in (
            (["export", "--max-output", "1G,50"], 1, "more than 50 tables or files", 0),
            (["export", "--max-output", "1K"], 1, "larger than 1 KiB", 0),
            (["export", "--max-output", "1G,100"], 0, "", 100),
            (["export", "--max-output", "none"], 0, "", 100),
            (["export", "--format", "sqlite", "--max-output", "1G,50"], 1, "more than 50 tables or files", 0),
            (["export", "--format", "sqlite", "--max-output", "64K"], 1, "larger than 64 KiB", 0),
            (["export", "--format", "sqlite"], 0, "", 1),
            (["flame", "--type", "app.T1", "--format", "html", "--max-output", "1K"], 1, "", 0),
            (["report", "--format", "html", "--max-output", "1K"], 1, "larger than 1 KiB", 0),
            (["report", "--max-output", "1G,2"], 2, "--max-output takes", 0),
            (["export", "--max-output", "0"], 2, "--max-output takes", 0),
            (["export", "--max-output", "1G,x"], 2, "--max-output takes", 0)):
        done = subprocess.run([jfrec, *args, bomb, "-o", out], capture_output=True, text=True)
        files = sum(len(names) for _, _, names in os.walk(out)) if os.path.isdir(out) else os.path.exists(out)
        result(done.returncode == status and words in done.stderr and files == left and
               (status != 1 or not words or "--max-output" in done.stderr), " ".join(args),
               f"exit status {done.returncode}, {files} files", done.stderr)
        subprocess.run(["rm", "-rf", out], check=True)


def check_pages(work):
    """Names of megabytes, and those that nobody sees, are not what a page shows."""
    bomb, out = os.path.join(work, "names.jfr"), os.path.join(work, "out")
    with open(bomb, "wb") as f:
        f.write(make.make("long_names", 0.1))
    for name in ("page.html", "graph.svg", "profile.pb.gz", "stacks.collapsed"):
        done = subprocess.run([jfrec, "flame", bomb, "-o", out + name], capture_output=True, text=True)
        size = os.path.getsize(out + name) if done.returncode == 0 else 0
        result(0 < size < 200_000, f"{name}: names of megabytes are cut", f"{size} bytes", done.stderr)
    with open(bomb, "wb") as f:
        f.write(make.make("invisible", 0.01))
    for name in ("seen.svg", "seen.json"):
        done = subprocess.run([jfrec, "flame", bomb, "-o", out + name], capture_output=True, text=True)
        with open(out + name, encoding="utf-8") as f:
            seen = f.read()
        result(done.returncode == 0 and not set(seen) & set("\u200b\u200d\u2060\U000e0041"),
               f"{name}: no character is there that nobody sees", done.stderr)


with tempfile.TemporaryDirectory() as work:
    check_limits(work)
    check_pages(work)
    for name, scale, commands in GATE:
        bomb = os.path.join(work, name + ".jfr")
        with open(bomb, "wb") as f:
            f.write((squares if name in squares.BOMBS else make).make(name, scale))
        for command in commands:
            r = run.Result(jfrec, run.COMMANDS[command], bomb, os.path.join(work, "out"))
            faults = list(r.faults(os.path.getsize(bomb)))
            result(not faults, f"{name}: {command} keeps within the limits", ", ".join(faults),
                   f"exit status {r.status}, {r.user:.1f} s, {r.memory >> 20} MB, {r.bytes} bytes, {r.files} files", r.said)
finish()
