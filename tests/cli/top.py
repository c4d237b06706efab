#!/usr/bin/env python3
"""jfrec top without a JVM: processes that look like some, on screens of several sizes; keys, signals,
terminals that know little; neighbours that lie, stop and end.

usage: top.py JFREC SOURCE_ROOT"""

import getpass
import json
import os
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time

JFREC, SOURCE = map(os.path.realpath, sys.argv[1:3])
sys.path.insert(0, os.path.join(SOURCE, "tests"))
from tap import finish, result  # noqa: E402
from terminal import PATIENCE, Terminal, status_of, under_shell  # noqa: E402

WORK = tempfile.mkdtemp(prefix="jfrec-top-")
PERF = f"/tmp/hsperfdata_{getpass.getuser()}"
KEYS = "q quit, Enter open; sort: c)pu m)emory h)eap g)c t)hreads f)inding n)ame p)id"
MIB = 1 << 20

# Maps what makes a process look like a JVM, and performance data if there is some; then sleeps.
FAKE = """
import mmap, os, sys, threading, time
library, perf, directory, threads = sys.argv[1:5]
held = [open(library, "rb")]
if perf:
    # By no other name than a pid: a JVM that starts removes what a dead one has left.
    held.append(open(f"{directory}/{os.getpid()}", "wb+"))
    held[1].write(open(perf, "rb").read())
    held[1].flush()
maps = [mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ) for f in held]
for i in range(int(threads)):
    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
print(os.getpid(), flush=True)
time.sleep(600)
"""
LIBRARY = os.path.join(WORK, "libjvm.so")
processes = []
perf_files = []


def perf_data(*numbers):
    """A file of performance data, little endian, with these names and numbers."""
    body = b""
    for name, number in numbers:
        name = name.encode() + b"\0"
        data_at = (20 + len(name) + 7) // 8 * 8
        entry = struct.pack("<iiiBBBBi", data_at + 8, 20, 0, ord("J"), 0, 1, 3, data_at) + name
        body += entry.ljust(data_at, b"\0") + struct.pack("<q", number)
    head = struct.pack("<iiqii", 32 + len(body), 0, 0, 32, len(numbers))
    return b"\xca\xfe\xc0\xc0\x01\x02\x00\x01" + head + body


HEAP = perf_data(("sun.os.hrt.frequency", 10**9), ("sun.gc.generation.0.capacity", 112 * MIB),
                 ("sun.gc.generation.0.space.0.used", 100 * MIB),
                 ("sun.gc.generation.1.capacity", 400 * MIB),
                 ("sun.gc.generation.1.space.0.used", 200 * MIB),
                 ("sun.gc.collector.0.invocations", 3), ("sun.gc.collector.0.time", 5))


def start(name, perf=None, threads=0):
    """A process of that name that looks like a JVM; its pid."""
    path = os.path.join(WORK, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(FAKE)
    data = ""
    if perf is not None:
        os.makedirs(PERF, exist_ok=True)
        data = os.path.join(WORK, f"perf-{len(processes)}")
        with open(data, "wb") as f:
            f.write(perf)
    fake = subprocess.Popen(["java", path, LIBRARY, data, PERF, str(threads)], executable=sys.executable,
                            stdout=subprocess.PIPE, text=True)
    processes.append(fake)
    pid = int(fake.stdout.readline())
    if perf is not None:
        perf_files.append(f"{PERF}/{pid}")
    return pid


def run(*arguments, **more):
    return subprocess.run([JFREC, "top", *arguments], capture_output=True, text=True, timeout=PATIENCE,
                          check=False, **more)


def of_jvm(document, pid):
    return next((jvm for jvm in document["jvms"] if jvm["pid"] == pid), None)


def once(pid):
    done = run("--once", "--json", "--every", "300ms", str(pid))
    return of_jvm(json.loads(done.stdout), pid) if done.returncode == 0 else None


# Documents ------------------------------------------------------------------------------------


def test_documents(pid):
    jvm = once(pid)
    result(jvm and (jvm["heapUsedBytes"], jvm["heapCommittedBytes"]) == (300 * MIB, 512 * MIB),
           "heap, by performance data", jvm)
    result(jvm and jvm["gcShare"] == 0 and jvm["gcPerSecond"] == 0, "collections, of which none came", jvm)
    result(jvm and jvm["threads"] == 4 and jvm["cpus"] is not None, "threads and processors", jvm)
    result(jvm and jvm["recording"] is False and jvm["finding"] is None, "it does not record", jvm)
    lines = run("--ndjson", "--every", "200ms", str(pid), preexec_fn=lambda: signal.alarm(2))
    first = json.loads(lines.stdout.splitlines()[0]) if lines.stdout else {}
    result(first.get("pid") == pid and "time" in first, "a line of JSON for each interval", lines)


def test_pipe(pid):
    top = subprocess.Popen([JFREC, "top", "--every", "200ms", str(pid)], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True)
    lines = [top.stdout.readline() for _ in range(3)]
    top.stdout.close()
    result(top.wait(PATIENCE) == 0 and "PID" in lines[1], "a pipe that is closed ends it", lines, top.stderr.read())
    top = subprocess.Popen([JFREC, "top", "--once", "--every", "30s", str(pid)], stdout=subprocess.PIPE)
    time.sleep(1)
    top.send_signal(signal.SIGINT)
    result(top.wait(PATIENCE) == 130, "Ctrl-C ends --once", top.returncode)


def test_lies():
    lies = perf_data(("sun.os.hrt.frequency", -1), ("sun.gc.generation.0.capacity", (1 << 63) - 1),
                     ("sun.gc.generation.1.capacity", (1 << 63) - 1),
                     ("sun.gc.generation.0.space.0.used", -(1 << 63)),
                     ("sun.gc.collector.0.time", (1 << 63) - 1))
    jvm = once(start("Lies", lies))
    result(jvm and jvm["gcShare"] is None and jvm["heapCommittedBytes"] is None,
           "performance data that lies gives no number", jvm)
    pid = start("Huge", HEAP)
    os.truncate(f"{PERF}/{pid}", 1 << 40)
    jvm = once(pid)
    result(jvm and jvm["heapUsedBytes"] is None and jvm["countersMissing"],
           "performance data of a terabyte is not read", jvm)
    pid = start("Sparse", HEAP)
    os.truncate(f"{PERF}/{pid}", 3 << 20)
    jvm = once(pid)
    result(jvm and jvm["heapUsedBytes"] == 300 * MIB, "nor is what lies behind its end believed", jvm)
    # Truncated while it is followed.
    pid = start("Truncated", HEAP)
    top = subprocess.Popen([JFREC, "top", "--ndjson", "--every", "200ms", str(pid)], stdout=subprocess.PIPE,
                           text=True)
    before = json.loads(top.stdout.readline())
    os.truncate(f"{PERF}/{pid}", 40)
    after = [json.loads(top.stdout.readline()) for _ in range(3)][-1]
    result(before["heapUsedBytes"] == 300 * MIB and after["heapUsedBytes"] is None,
           "truncated under us: no number, and no crash", before, after)
    os.unlink(f"{PERF}/{pid}")
    os.mkfifo(f"{PERF}/{pid}")
    top.kill()
    jvm = once(pid)
    result(jvm and jvm["countersMissing"], "a FIFO in its place is not opened", jvm)


def test_ends(pid):
    top = subprocess.Popen([JFREC, "top", "--ndjson", "--every", "200ms", str(pid)],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    top.stdout.readline()
    os.kill(pid, signal.SIGSTOP)
    states = [json.loads(top.stdout.readline())["state"] for _ in range(3)]
    result(states[-1] == "stopped", "a JVM that is stopped", states)
    os.kill(pid, signal.SIGKILL)
    _, said = top.communicate(timeout=PATIENCE)
    result(top.returncode == 0 and f"process {pid} has ended" in said, "it ends with its JVM", top.returncode, said)


def test_usage():
    for name, arguments, status, words in (
            ("nothing of that name", ["--once", "no.such.Main"], 3, "no JVM matches"),
            ("a pid that no process has", ["--once", "2147483647"], 3, "there is no process"),
            ("--json goes with --once", ["--json"], 2, "--once"),
            ("two forms", ["--once", "--json", "--ndjson"], 2, "choose one"),
            ("a time that is too short", ["--every", "1ms"], 2, "100ms or more"),
            ("an unknown column", ["--sort", "size"], 2, "cpu"),
            ("two names", ["a", "--jvm", "b"], 2, "name one JVM")):
        done = run(*arguments)
        result(done.returncode == status and words in done.stderr, name, done.returncode, done.stderr)


# The screen -----------------------------------------------------------------------------------


def top(rows, columns, *arguments, **variables):
    return Terminal(rows, columns, under_shell(JFREC, "top", "--every", "300ms", *arguments), **variables)


def has_rates(t):
    """The second look, of which rates are known."""
    return "CPU%" in t.screen()[1] and any(re.search(r" \d+\.\d ", line) for line in t.screen()[2:])


def body(t):
    """The pids of the rows."""
    return [int(m[1]) for m in (re.match(r" *(\d+) ", line) for line in t.screen()[2:-1]) if m]


def leave(t, name):
    os.write(t.fd, b"q")
    result(status_of(t) == 0 and t.is_restored(), f"{name}: q ends, and the terminal is as it was", t.first)
    os.write(t.fd, b"\n")
    t.read(5)


def titles(t):
    return t.screen()[1].split()


def test_small(pids):
    t = top(24, 80)
    result(t.until(has_rates), "24 lines: a table", t.screen(), t.first)
    result(re.match(r"jfrec top, \d\d:\d\d:\d\d, \d+ JVMs, by cpu, every 0\.3 s$", t.screen()[0]) is not None,
           "24 lines: what it is of", t.screen()[0])
    result(t.screen()[-1] == KEYS, "24 lines: the keys are on the last line", t.screen()[-1])
    result(all(len(line) <= 80 for line in t.screen()), "24 lines: no line is too long", t.screen())
    result({"PID", "CPU%", "RSS", "HEAP", "MAIN"} <= set(titles(t)), "24 lines: the columns that matter", titles(t))
    result(not t.unknown, "24 lines: no other sequences", t.unknown)
    result(t.marked == 3, "24 lines: the first row is marked", t.marked)
    os.write(t.fd, b"n")
    result(t.until(lambda t: ", by name," in t.screen()[0]), "a key sorts", t.screen()[0])
    os.write(t.fd, b"\x1b[F")
    result(t.until(lambda t: t.marked > 3), "End marks the last row", t.marked)
    last = body(t)[-1]
    os.write(t.fd, b"p\x1b[H\x1b[B")
    result(t.until(lambda t: ", by pid," in t.screen()[0]) and t.until(lambda t: t.marked == 4),
           "Down marks the second row", t.marked)
    result(body(t) == sorted(body(t)), "by pid", body(t))
    os.write(t.fd, b"\r")
    result(t.until(lambda t: "TID" in "".join(t.screen())) and last, "Enter opens the JVM", t.screen())
    result("Esc back" in t.screen()[-1], "its keys are on the last line", t.screen()[-1])
    os.write(t.fd, b"\x1b")
    result(t.until(lambda t: t.screen()[-1] == KEYS), "Esc goes back", t.screen())
    t.resize(10, 50)
    result(t.until(lambda t: t.screen()[-1].startswith("q quit") and all(len(l) <= 50 for l in t.screen())),
           "resized: less of everything", t.screen())
    result(max(t.lines) <= 10, "resized: no more lines than there are", sorted(t.lines))
    t.resize(60, 200)
    result(t.until(lambda t: set(pids) <= set(body(t)) and t.screen()[-1] == KEYS), "resized: all JVMs", t.screen())
    leave(t, "24 lines")


def test_large(pids, known):
    t = top(60, 200)
    result(t.until(has_rates), "60 lines: a table", t.screen())
    result(titles(t)[:2] == ["PID", "USER"] and titles(t)[-1] == "MAIN" and "COMMIT" in titles(t),
           "60 lines: all columns", titles(t))
    result(set(pids) <= set(body(t)), "60 lines: all JVMs", body(t))
    row = next((line for line in t.screen() if line.lstrip().startswith(f"{known} ")), "").rstrip()
    result(re.search(r" 300M +512M +0\.0 +0\.0 +4 no +\S*Known$", row) is not None, "60 lines: the row of one", row)
    result(any("\u202e" in line or "\x1b" in line for line in t.screen()) is False and
           any("^[]0;forged" in line for line in t.screen()), "60 lines: a name with ESC is shown, not obeyed",
           t.screen(), t.unknown)
    result(any(re.search(r"heap and GC: it keeps no readable performance data", line) for line in t.screen()),
           "60 lines: why a cell is empty", t.screen())
    leave(t, "60 lines")


def test_page(pid):
    t = top(24, 80, str(pid))
    t.until(has_rates)
    os.write(t.fd, b"\r")
    result(t.until(lambda t: sum("sleeper" in l or "java" in l or "python" in l for l in t.screen()) >= 3),
           "an opened JVM: its threads", t.screen())
    result(any("it records nothing" in line for line in t.screen()), "an opened JVM: no hot methods, and why", t.screen())
    os.write(t.fd, b"d")
    result(t.until(lambda t: any("no names of Java threads" in line for line in t.screen())),
           "an opened JVM that does not answer", t.screen())
    os.kill(pid, signal.SIGKILL)
    result(status_of(t) == 0 and t.is_restored() and "has ended" in t.first, "an opened JVM that ends", t.first)
    os.write(t.fd, b"\n")
    t.read(5)


def test_signals():
    for name, send, want in (("Ctrl-C", b"\x03", 130), ("SIGTERM", signal.SIGTERM, 143), ("SIGHUP", signal.SIGHUP, 129)):
        shell = ["/bin/sh", "-c", 'trap : INT; "$@"; echo "status $?"; read x; read x', "sh", JFREC, "top"]
        t = Terminal(24, 80, shell)
        t.until(lambda t: "CPU%" in t.screen()[1])
        if isinstance(send, bytes):
            os.write(t.fd, send)
        else:
            child = subprocess.run(["pgrep", "-P", str(t.pid)], capture_output=True, text=True, check=False)
            os.kill(int(child.stdout.split()[0]), send)
        got = status_of(t)
        result(got == want and t.is_restored(), f"{name} ends, and the terminal is as it was", got, t.first)
        os.kill(t.pid, signal.SIGKILL)
        t.read(5)


def test_stop():
    t = Terminal(24, 80, ["/bin/bash", "--norc", "-ic",
                          'set -m; "$@"; echo stopped; read x; fg >/dev/null; echo "status $?"; read x',
                          "bash", JFREC, "top", "--every", "300ms"])
    t.until(has_rates)
    os.write(t.fd, b"\x1a")
    result(t.until(lambda t: not t.is_second) and t.has_cursor, "Ctrl-Z: the terminal is as it was", t.first)
    t.until(lambda t: "stopped" in t.first)
    t.lines = {}
    os.write(t.fd, b"\n")
    result(t.until(lambda t: t.is_second and t.screen()[-1] == KEYS), "fg: the table again", t.first, t.screen())
    leave(t, "fg")


def test_poor_terminals(pids):
    t = top(24, 80, TERM="dumb")
    result(t.until(lambda t: t.first.count("CPU%") >= 2) and not t.is_second, "TERM=dumb: tables one after the other",
           t.first)
    result("\x1b" not in t.first and not t.unknown, "TERM=dumb: no sequences", t.first[:200])
    os.kill(t.pid, signal.SIGKILL)
    t.read(5)
    t = top(60, 200, LC_ALL="C")
    t.until(has_rates)
    result(set(pids) <= set(body(t)) and all(line.isascii() for line in t.screen()), "LC_ALL=C: letters of ASCII only",
           [line for line in t.screen() if not line.isascii()])
    leave(t, "LC_ALL=C")


def main():
    with open(LIBRARY, "wb") as f:
        f.write(b"x" * 4096)
    known = start("Known", HEAP, threads=3)
    pids = [known, start("\x1b]0;forged\x07\u202etxt"), start("Gr\u00fc\u00dfe")]
    pids += [start(f"Shop-{i:02}", HEAP if i % 2 else None) for i in range(17)]
    test_documents(known)
    test_pipe(known)
    test_usage()
    test_small(pids)
    test_large(pids, known)
    test_signals()
    test_stop()
    test_poor_terminals(pids)
    test_page(start("Page", HEAP, threads=3))
    test_lies()
    test_ends(start("Ends"))


try:
    main()
finally:
    for one in processes:
        one.kill()
    for file in perf_files:
        try:
            os.unlink(file)
        except FileNotFoundError:
            pass
    subprocess.run(["rm", "-rf", WORK], check=False)
finish()
