#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every command over every bomb of make.py: within 10 s of CPU time, --max-memory, and bounded output.

usage: run.py JFREC [--only NAME,...] [--commands NAME,...] [--jobs N] [--chunks N] [--scale SHARE]

With --jobs only the commands that take it are run; --chunks has each bomb so often in its file, for
as many threads to work on, and --scale makes it smaller.

Prints a row for each run: command, bomb, seconds of CPU time, peak memory in MB, exit status, and
bytes and files that were written.  At the end: what was over.  It takes some 20 minutes, so it is
not part of the tests that run by default: meson test --benchmark --suite bombs
"""

import argparse
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import make  # noqa: E402

SECONDS = 10
MEMORY = 512 << 20
MAPPED = 96 << 20  # beside what is allowed: the program, its libraries, stacks
OUTPUT_LEAST = 256 << 20  # how much may be written of a small input
OUTPUT_TIMES = 1000
FILES = 10000
READ = 64 << 20  # of what goes to standard output; then the reader goes away

# F: the bomb; O: a name in an empty directory.
COMMANDS = {
    "summary": "summary F", "metadata": "metadata F", "print": "print F", "print-json": "print --json F",
    "print-xml": "print --xml F", "print-csv": "print --csv --events GCPhasePause F",
    "settings-active": "settings active F", "settings-cost": "settings cost F",
    "views": "view all-views F", "query": "query 'SELECT stackTrace.topFrame, COUNT(*) FROM ExecutionSample GROUP BY stackTrace.topFrame' F",
    "sql": "sql F 'SELECT 1'", "sql-tables": "sql --tables F",
    "sql-samples": "sql F 'SELECT count(*), max(length(stackTrace)) FROM ExecutionSample'",
    "sql-texts": "sql F 'SELECT name, count(*) FROM GCPhasePause GROUP BY name'",
    "analyze": "analyze --json F", "report": "report F -o O.html", "report-md": "report F -o O.md",
    "diff": "diff F F", "diff-json": "diff --json F F", "diff-page": "diff F F -o O.html",
    "flame": "flame F", "flame-page": "flame F -o O.html", "flame-svg": "flame F -o O.svg",
    "collapsed": "flame --format collapsed F -o O", "pprof": "flame --format pprof F -o O",
    "firefox": "flame --format firefox F -o O", "otlp": "flame --experimental --format otlp F -o O",
    "parquet": "export F -o O", "parquet-frames": "export --stack frames F -o O",
    "sqlite": "export --format sqlite F -o O",
    "repair": "repair F -o O", "filter": "filter --where 'startTime > 0' F -o O", "scrub": "scrub F -o O",
    "merge": "merge F F -o O", "compact": "merge --compact F F -o O", "split": "split --size 1M F -o O/",
    "symbolize": "symbolize F -o O",
    "metrics": "stream --metrics --from start F",
}


def words_of(command, bomb, out):
    def place(word):
        return bomb if word == "F" else out + word[1:] if re.fullmatch(r"O([./]\w*)?", word) else word
    return [place(w) for w in shlex.split(command)]


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (3 * SECONDS, 3 * SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def read_some(pipe):
    """How much came, of at most READ."""
    size = 0
    while size < READ and (more := pipe.read(1 << 20)):
        size += len(more)
    pipe.close()
    return size


def written_in(directory):
    files = [os.path.join(d, f) for d, _, names in os.walk(directory) for f in names]
    return sum(os.path.getsize(f) for f in files), len(files)


def takes_jobs(jfrec, command):
    name = COMMANDS[command].split()[0]
    said = subprocess.run([jfrec, name, "--help"], capture_output=True, text=True, check=True)
    return "--jobs" in said.stdout


class Result:
    def __init__(self, jfrec, command, bomb, directory, more=()):
        os.makedirs(directory)
        words = words_of(command, bomb, os.path.join(directory, "o"))
        if command.startswith("split"):
            os.makedirs(os.path.join(directory, "o"))
        with tempfile.TemporaryFile() as said:
            child = subprocess.Popen([jfrec, *words, *more, "--max-memory", str(MEMORY)],
                                     stdout=subprocess.PIPE, stderr=said, stdin=subprocess.DEVNULL,
                                     preexec_fn=limit)
            self.printed = read_some(child.stdout)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = 0
            said.seek(0)
            self.said = said.read(4000).decode("utf-8", "replace").strip()
        self.status = os.waitstatus_to_exitcode(status)
        self.seconds = usage.ru_utime + usage.ru_stime
        self.user = usage.ru_utime
        self.memory = usage.ru_maxrss << 10
        self.bytes, self.files = written_in(directory)
        shutil.rmtree(directory)

    def has_no_table(self):
        return self.status == 2 and any(w in self.said for w in ("no such table", "no such column", "no event type is called"))

    def faults(self, size, chunks=1):
        if self.user > SECONDS * chunks:
            yield "CPU time"
        if self.memory > MEMORY + MAPPED + size:
            yield "memory"
        # A signal: nobody reads what it prints.
        if self.status not in (0, 1, -signal.SIGPIPE) and not self.has_no_table():
            yield "status"
        if self.status == 1 and not self.said and self.printed < READ:
            yield "no reason given"
        if self.bytes > max(OUTPUT_LEAST, OUTPUT_TIMES * size) or self.files > FILES:
            yield "output"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("jfrec")
    parser.add_argument("--only", default=",".join(make.BOMBS))
    parser.add_argument("--commands", default=",".join(COMMANDS))
    parser.add_argument("--verbose", action="store_true", help="what each run said")
    parser.add_argument("--jobs")
    parser.add_argument("--chunks", type=int, default=1)
    parser.add_argument("--scale", type=float, default=1)
    args = parser.parse_args()
    jfrec = os.path.abspath(args.jfrec)
    commands, more = args.commands.split(","), []
    if args.jobs:
        commands, more = [c for c in commands if takes_jobs(jfrec, c)], ["--jobs", args.jobs]
    over, runs = [], 0
    print(f"{'command':16} {'bomb':12} {'CPU s':>6} {'MB':>5} {'exit':>4} {'written':>12} {'files':>6}")
    with tempfile.TemporaryDirectory() as work:
        for name in args.only.split(","):
            bomb = os.path.join(work, name + ".jfr")
            with open(bomb, "wb") as f:
                f.write(make.make(name, args.scale) * args.chunks)
            size = os.path.getsize(bomb)
            for command in commands:
                r = Result(jfrec, COMMANDS[command], bomb, os.path.join(work, "out"), more)
                faults = list(r.faults(size, args.chunks))
                runs += 1
                row = (f"{command:16} {name:12} {r.user:6.1f} {r.memory >> 20:5} {r.status:4} {r.bytes or r.printed:12}"
                       f" {r.files:6} {', '.join(faults)}")
                print(row.rstrip(), flush=True)
                if args.verbose or faults:
                    print("    " + "\n    ".join(r.said[:400].splitlines()[:3]))
                if faults:
                    over.append(row)
            os.unlink(bomb)
    print(f"\n{runs} runs, {len(over)} over the limits", *over, sep="\n")
    sys.exit(bool(over))


if __name__ == "__main__":
    main()
