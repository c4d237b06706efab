#!/usr/bin/env python3
"""What each kind of work costs beside the tool that does the same today, and how far the goals are.

usage: work.py [-n RUNS] [-o RESULT.json] [--against RESULT.json] [--only WORK]... [--PEER WHERE]...
               JFREC MEASURE BIG.jfr LONG.jfr

BIG is a recording of few chunks with many constants, LONG one of many chunks; README.md tells how
they are made. Peers that are given are measured in the same run, in turn with jfrec:

   --jdk DIRECTORY    a JDK 25: its `jfr`
   --converter JAR    async-profiler's jfr-converter
   --jmc DIRECTORY    the jars of Mission Control's rules
   --go PROGRAM       peers/go, built
   --rust PROGRAM     peers/rust, built

Each command runs RUNS times (default: 3) on one processor, by MEASURE (measure.c); its output goes
to /dev/null or into a directory that is removed. What counts is the least CPU time of all its
threads. The table is Markdown. RESULT.json holds its figures, for the next run to compare with."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

# Work, words of jfrec, peer, words of the peer, goals for BIG and LONG: at least so many times less
# CPU than the peer, or, where there is a number with "x merge", at most so many times that of `merge`.
WORKS = [
    ("summary", ["summary", "IN"], "jdk", ["summary", "IN"], "35", "20"),
    ("text", ["print", "IN"], "jdk", ["print", "IN"], "35", "30"),
    ("JSON", ["print", "--json", "IN"], "jdk", ["print", "--json", "IN"], "45", "60"),
    # The JDK runs out of memory on the XML of LONG.
    ("XML", ["print", "--xml", "IN"], "jdk", ["print", "--xml", "IN"], "50", ""),
    ("NDJSON", ["print", "--ndjson", "IN"], None, [], "3 x merge", "5 x merge"),
    ("NDJSON, beside decoding in Rust", ["print", "--ndjson", "IN"], "rust", ["IN"], "3", "2.5"),
    ("view hot-methods", ["view", "hot-methods", "IN"], "jdk", ["view", "hot-methods", "IN"], "70", "40"),
    ("view all-views", ["view", "all-views", "IN"], "jdk", ["view", "all-views", "IN"], "45", "25"),
    ("jfrconv collapsed, CPU", ["jfrconv", "--cpu", "-o", "collapsed", "IN", "OUT/cpu"],
     "converter", ["--cpu", "-o", "collapsed", "IN", "OUT/cpu"], "20", "20"),
    ("jfrconv collapsed, allocation", ["jfrconv", "--alloc", "-o", "collapsed", "IN", "OUT/alloc"],
     "converter", ["--alloc", "-o", "collapsed", "IN", "OUT/alloc"], "20", "20"),
    ("pprof of CPU, allocation, locks",
     ["flame", "--force", "--profile", "cpu,alloc,lock", "--format", "pprof", "-o", "OUT/all.pb.gz", "IN"],
     "go", ["IN"], "4", "4"),
    ("flame, all profiles", ["flame", "--force", "-o", "OUT/all.html", "IN"], None, [], "3 x merge", "1.5 x merge"),
    ("analyze", ["analyze", "IN"], "jmc", ["IN"], "60", ""),
    ("analyze, beside merge", ["analyze", "IN"], None, [], "", "4 x merge"),
    ("report", ["report", "--force", "-o", "OUT/report.html", "IN"], None, [], "8 x merge", "8 x merge"),
    ("export to Parquet", ["export", "--force", "-o", "OUT/tables", "IN"], None, [], "9 x merge", "6 x merge"),
    ("scrub", ["scrub", "--force", "-o", "OUT/scrubbed.jfr", "IN"], None, [], "6 x merge", "6 x merge"),
    ("SQL, GROUP BY, beside query",
     ["sql", "IN", "SELECT \"eventThread.javaName\", COUNT(*), SUM(duration) FROM ThreadPark GROUP BY 1"], "query",
     ["query", "SELECT eventThread.javaName, COUNT(*), SUM(duration) FROM ThreadPark GROUP BY eventThread.javaName", "IN"], "0.66", "0.66"),
]
MERGE = ["merge", "--force", "-o", "OUT/merged.jfr", "IN"]
# A peer that took so many seconds in all is not run again.
PATIENCE = 100


class Bench:
    def __init__(self, given):
        self.given = given
        self.with_jobs = {}
        self.out = tempfile.mkdtemp(prefix="jfrec-work-")
        os.symlink(os.path.realpath(given.jfrec), os.path.join(self.out, "jfrconv"))

    def words(self, words, recording):
        return [word.replace("OUT", self.out, 1) if word.startswith("OUT/") else recording if word == "IN" else word for word in words]

    def ours(self, words, recording):
        words = self.words(words, recording)
        if words[0] == "jfrconv":
            return [os.path.join(self.out, "jfrconv"), *words[1:]]
        return [self.given.jfrec, words[0], *self.one_thread(words[0]), *words[1:]]

    def one_thread(self, command):
        if command not in self.with_jobs:
            usage = subprocess.run([self.given.jfrec, command, "--help"], capture_output=True, text=True, check=True).stdout
            self.with_jobs[command] = ["--jobs", "1"] if "--jobs" in usage else []
        return self.with_jobs[command]

    def peer(self, peer, words, recording):
        """The command of the peer, or None if it was not given."""
        if peer == "query":
            return self.ours(words, recording)
        where = getattr(self.given, peer or "none", None)
        start = where and {
            "jdk": lambda: [os.path.join(where, "bin", "jfr")],
            "converter": lambda: ["java", "-jar", where],
            "jmc": lambda: ["java", "-cp", os.path.join(where, "*"), "org.openjdk.jmc.flightrecorder.rules.report.html.JfrHtmlRulesReport"],
            "go": lambda: [where],
            "rust": lambda: [where],
        }[peer]()
        return start and start + self.words(words, recording)

    def measure(self, words, peer, peer_words, recording):
        """jfrec, merge and the peer in turn: the least of each."""
        commands = [self.ours(words, recording), self.ours(MERGE, recording)]
        beside = self.peer(peer, peer_words, recording)
        if beside:
            commands.append(beside)
        words = [self.given.measure, "-l", "-n", str(self.given.n), "-t", str(PATIENCE)]
        for command in commands:
            words += ["--", *command]
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
        lines = [line.split("\t") for line in done.stdout.splitlines()]
        for command, line in zip(commands, lines):
            if line[3] not in ("0", "1"):  # 1: analyze found something
                sys.exit(f"work.py: {' '.join(command)}: exit status {line[3]}")
        cpu = [float(line[1]) for line in lines]
        return {"cpu": cpu[0], "memory": int(lines[0][2]) / 1024, "merge": cpu[1], "peer": cpu[2] if beside else None}


def is_met(goal, figures):
    """True, False, or None if there is no goal, or no peer."""
    if not goal:
        return None
    if goal.endswith(" x merge"):
        return figures["cpu"] <= float(goal.split()[0]) * figures["merge"]
    return figures["peer"] and figures["peer"] >= float(goal) * figures["cpu"]


def cells(goal, figures, before):
    ratio = ""
    if goal.endswith(" x merge"):
        ratio = f"{figures['cpu'] / figures['merge']:.1f} x merge"
    elif figures["peer"]:
        ratio = f"{figures['peer'] / figures['cpu']:.1f}"
    if is_met(goal, figures) is False:
        ratio = f"**{ratio}**"
    change = f" ({figures['cpu'] / before['cpu'] - 1:+.0%})" if before else ""
    return f"{figures['cpu']:.3f} s{change}", f"{figures['memory']:.0f} MB", ratio, goal


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("-n", type=int, default=3)
    parser.add_argument("-o")
    parser.add_argument("--against")
    parser.add_argument("--only", action="append")
    for peer in "jdk", "converter", "jmc", "go", "rust":
        parser.add_argument("--" + peer)
    parser.add_argument("jfrec")
    parser.add_argument("measure")
    parser.add_argument("recordings", nargs=2, metavar="RECORDING")
    given = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    bench = Bench(given)
    earlier = {}
    if given.against:
        with open(given.against, encoding="utf-8") as f:
            earlier = json.load(f)
    results = {}
    met = []
    print("| work | BIG: CPU | memory | times less | goal | LONG: CPU | memory | times less | goal |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    try:
        for work, words, peer, peer_words, *goals in WORKS:
            if given.only and work not in given.only:
                continue
            row = [work]
            for recording, goal, name in zip(given.recordings, goals, ("BIG", "LONG")):
                # A peer without a goal is not waited for.
                figures = bench.measure(words, peer if goal else None, peer_words, recording)
                results.setdefault(work, {})[name] = figures
                met.append(is_met(goal, figures))
                row += cells(goal, figures, earlier.get(work, {}).get(name))
            print("| " + " | ".join(row) + " |", flush=True)
    finally:
        shutil.rmtree(bench.out)
    print(f"\nGoals met: {met.count(True)}, missed: {met.count(False)} (in bold).")
    if given.o:
        with open(given.o, "w", encoding="utf-8") as f:
            json.dump(results, f, indent=1)
    return 0


sys.exit(main())
