#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""jfrec collect with `export:`: what becomes tables, and what is there after it was killed.

usage: collect_export.py JFREC SOURCE_ROOT
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result, skip  # noqa: E402

jfrec, root = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
DATA = root + "/tests/data/ok/"
# Repositories of a user who has no JVM here: as root of one that nobody is.
UID = os.getuid() or 4194399
# No process can have these pids.
DEAD = {"2026_11_20_09_46_59_4194401": "jvm-25", "2026_11_20_09_47_11_4194402": "contexts-25"}
NAMES = {pid.rsplit("_", 1)[1]: name for pid, name in DEAD.items()}


def leave(work):
    """Two dead JVMs, and nothing that was collected of them."""
    for name in ("here", "lake", "dead"):
        shutil.rmtree(f"{work}/{name}", ignore_errors=True)
        os.mkdir(f"{work}/{name}")
    for repository, source in DEAD.items():
        to = f"{work}/dead/{repository}"
        os.mkdir(to)
        shutil.copy(DATA + source + ".jfr", to + "/2026_11_20_09_46_59.jfr")
        for path in (to + "/2026_11_20_09_46_59.jfr", to):
            os.utime(path, (1e9, 1e9))
    if os.getuid() == 0:
        for at, _, files in os.walk(work + "/dead"):
            for path in [at] + [f"{at}/{f}" for f in files]:
                os.chown(path, UID, UID)


def configure(work, *lines):
    with open(work + "/c.yaml", "w", encoding="utf-8") as f:
        f.write(f"directory: {work}/here\nrepositories: [ {work}/dead ]\nname: '%p-%t.jfr'\n"
                f"jvms:\n  - user: {UID}\n" + "\n".join(lines) + "\n")


def collect(work, *before, options=()):
    return subprocess.run([*before, jfrec, "collect", "-c", work + "/c.yaml", *options],
                          capture_output=True, text=True, timeout=300)


def content(directory):
    """{file below it: hash}, those without a name yet left out"""
    found = {}
    for at, _, files in os.walk(directory):
        for name in files:
            with open(f"{at}/{name}", "rb") as f:
                found[os.path.relpath(f"{at}/{name}", directory)] = \
                    hashlib.sha256(f.read()).hexdigest()
    return found


def by_hand(work, *options):
    """What jfrec export makes of the collected files."""
    to = work + "/by-hand"
    shutil.rmtree(to, ignore_errors=True)
    files = sorted(f for f in os.listdir(work + "/here") if ".jfr" in f and f[0] != ".")
    for name in files:
        subprocess.run([jfrec, "export", f"{work}/here/{name}", "-o", to, *options],
                       capture_output=True, check=True)
    return content(to)


def check_tables(work):
    leave(work)
    configure(work, f"export: {work}/lake")
    done = collect(work)
    result(done.returncode == 0, "two files are collected", done.stdout, done.stderr)
    result(done.stdout.count(": tables written") == 2, "their tables are written, and this is said",
           done.stdout)
    tables = content(work + "/lake")
    result(tables == by_hand(work, "--partition", "date") and len(tables) > 20,
           "they are those of jfrec export", len(tables))
    result(all(os.stat(f"{work}/lake/{f}").st_mode & 0o777 == 0o600 for f in tables),
           "only their owner can read them")
    done = collect(work)
    result(done.returncode == 0 and not done.stdout, "the next pass has nothing to do", done.stdout)

    leave(work)
    configure(work, "compress: zstd", "export:", f"  directory: {work}/lake",
              "  events: 'jdk.GC*,Query'", "  partition: service,pid",
              "  labels: { service: shop }", "  label-from-name: '{pid}-*'")
    done = collect(work)
    tables = content(work + "/lake")
    wanted = by_hand(work, "--partition", "service,pid", "--label", "service=shop",
                     "--label-from-name", "{pid}-*", "--events", "jdk.GC*,Query")
    result(done.returncode == 0 and tables == wanted and tables and
           all("/service=shop/pid=41944" in t for t in tables), "of some types, with labels",
           done.stderr, *sorted(tables))

    leave(work)
    configure(work, "export:", f"  directory: {work}/lake", "  stack: frames")
    done = collect(work)
    wanted = by_hand(work, "--partition", "date", "--stack", "frames")
    result(done.returncode == 0 and content(work + "/lake") == wanted != tables,
           "stack traces as lists", done.stderr)

    leave(work)
    done = collect(work, options=["-n"])
    result(done.returncode == 0 and not content(work + "/lake"), "a trial writes none", done.stdout)


def check_failures(work):
    leave(work)
    configure(work, f"export: {work}/missing", "run: /bin/true")
    done = collect(work)
    result(done.returncode == 1 and f"cannot open {work}/missing" in done.stderr and
           "the command was run" not in done.stdout, "a missing directory", done.stderr)
    os.mkdir(work + "/missing")
    done = collect(work)
    result(done.returncode == 0 and done.stdout.count("tables written") == 2 and
           done.stdout.count("the command was run") == 2,
           "is tried again, and the command comes after it", done.stdout, done.stderr)
    result(content(work + "/missing") == by_hand(work, "--partition", "date"), "with all tables")
    shutil.rmtree(work + "/missing")

    leave(work)
    configure(work, "export:", f"  directory: {work}/lake", "  labels: { duration: x }")
    done = collect(work)
    result(done.returncode == 1 and "its tables were not written: " in done.stderr and
           "duration" in done.stderr, "a label that is a column is refused", done.stderr)
    done = collect(work)
    result(done.returncode == 0 and not done.stderr, "once", done.stderr)

    for line, text in ((f"export: {work}/lake", None), ("export: lake", "full path"),
                       ("export: {events: x}", "directory:, where the tables go, is missing"),
                       ("export: {directory: /x, partitions: y}", "did you mean partition?"),
                       ("export: {directory: /x, labels: y}", "labels is a map"),
                       ("export: {directory: /x, stack: string}", None),
                       ("export: {directory: /x, stack: y}", "stack must be string or frames")):
        configure(work, line)
        done = collect(work, options=["--check"])
        result(done.returncode == (2 if text else 0) and (text or "") in done.stderr,
               f"{line.replace(work, '')}: {'is refused' if text else 'is good'}", done.stderr)
    configure(work, f"export: {work}/lake", "name: '%p.jfr'")
    done = collect(work, options=["--check"])
    result(done.returncode == 2, "a name twice is refused", done.stderr)
    with open(work + "/c.yaml", encoding="utf-8") as f:
        text = f.read().replace("name: '%p-%t.jfr'\n", "")
    with open(work + "/c.yaml", "w", encoding="utf-8") as f:
        f.write(text)
    done = collect(work, options=["--check"])
    result(done.returncode == 2 and "%t" in done.stderr, "a name without a time is refused",
           done.stderr)


def check_place(work):
    """The process that writes can do so nowhere else."""
    leave(work)
    os.makedirs(work + "/elsewhere")
    # Its tables would be there, by a link that somebody has put into the directory.
    os.symlink(work + "/elsewhere", work + "/lake/jdk.GCPhasePause")
    configure(work, f"export: {work}/lake")
    done = collect(work)
    if not content(work + "/elsewhere"):
        result(done.returncode == 1 and "its tables were not written" in done.stderr,
               "a link out of the directory leads nowhere", done.stderr)
    else:
        skip("a link out of the directory leads nowhere", "the kernel has no Landlock")


def check_killed(work):
    """Killed at every call of some kinds: whole files only, and after another pass all of them."""
    configure(work, f"export: {{directory: {work}/lake, events: 'jdk.GC*,rec.*'}}")
    leave(work)
    collect(work)
    whole = content(work + "/lake")
    for call in ("fork,clone,clone3", "linkat", "renameat2", "fsync"):
        said, number, killed = [], 0, 0
        while number < 40 and not said:
            number += 1
            leave(work)
            done = collect(work, "strace", "-f", "-qq", "-o", work + "/trace", "-e",
                           f"trace={call}", "-e", f"inject={call}:signal=KILL:when={number}")
            killed += done.returncode != 0
            there = content(work + "/lake")
            said += [f"number {number}: {f} is not whole" for f, h in there.items()
                     if whole.get(f) != h]
            again = collect(work)
            if content(work + "/lake") != whole and done.returncode < 0:
                said.append(f"number {number}: {again.stdout}{again.stderr}")
            if done.returncode == 0:
                break
        result(not said and killed, f"killed at each {call}", killed, *said)


def main():
    listed = subprocess.run([jfrec, "list", "--user", str(UID)], capture_output=True, text=True)
    if any(line.split()[:1] and line.split()[0].isdigit() for line in listed.stdout.splitlines()):
        print("1..0 # SKIP this user has JVMs")
        sys.exit()
    with tempfile.TemporaryDirectory() as work:
        os.chmod(work, 0o755)
        check_tables(work)
        check_failures(work)
        check_place(work)
        traces = shutil.which("strace") and subprocess.run(
            ["strace", "-qq", "-o", "/dev/null", "true"], capture_output=True).returncode == 0
        if traces:
            check_killed(work)
        else:
            skip("killed at each step", "no strace")
    finish()


main()
