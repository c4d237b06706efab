#!/usr/bin/env python3
"""jfrec threads on thread dumps in files: what is planted in them is found, and nothing else.

usage: threads.py JFREC SOURCE_ROOT

The dumps of tests/data/threads are those of tests/live/Stands.java: the JDK, then what was planted.
Prints TAP."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

JFREC, SOURCE = map(os.path.realpath, sys.argv[1:3])
sys.path.insert(0, os.path.join(SOURCE, "tests"))
from schema import faults_of  # noqa: E402
from tap import finish, result  # noqa: E402

DATA = os.path.join(SOURCE, "tests", "data", "threads")
WORK = tempfile.mkdtemp(prefix="jfrec-threads-")

# What is found: the kind of the finding, and whom it names.
PLANTED = {
    "monitor": ("deadlock", {"left", "right"}),
    "juc": ("deadlock", {"first", "second"}),
    "mixed": ("deadlock", {"locker", "monitor"}),
    "classes": ("deadlock", {"egg", "hen"}),
    "pool": ("starved-pool", None),
}
# In dumps of virtual threads only some JDKs tell who holds what.
VIRTUAL = {"25-virtual-monitor.json", "28-virtual-monitor.json", "28-virtual-juc.json", "28-virtual-mixed.json"}


def run(*words, data=None):
    return subprocess.run([JFREC, "threads", *words], input=data, capture_output=True, timeout=60)


def document(*words, data=None):
    done = run("--json", *words, data=data)
    faults = faults_of(done.stdout, "threads") if done.stdout else [done.stderr]
    return json.loads(done.stdout)["files"][0] if not faults else {"faults": faults, "findings": faults, "deadlocks": [], "threads": []}


def read(name):
    with open(os.path.join(DATA, name), "rb") as f:
        return f.read()


# What is planted ------------------------------------------------------------------------------


def expected_of(name):
    trouble = name.split(".")[0].split("-", 1)[1].removesuffix("-l")
    if name in VIRTUAL:
        return "deadlock", None
    return PLANTED.get(trouble, (None, None))


def check_file(name):
    kind, names = expected_of(name)
    seen = document(os.path.join(DATA, name))
    kinds = [f["kind"] for f in seen["findings"]] if "faults" not in seen else seen["faults"]
    met = {t["name"] for d in seen["deadlocks"] for t in d["threads"]}
    ok = kinds == ([kind] if kind else []) and (names is None or met == names)
    result(ok, f"{name}: {kind or 'nothing'}", kinds, met)
    # The same as the JVM's own section, and what it cannot see apart.
    own = read(name).count(b"Found one Java-level deadlock:")
    result(sum(d["reported"] for d in seen["deadlocks"]) == own, f"{name}: what the JVM reports", seen["deadlocks"])
    done = run("--fail-on", "deadlock", os.path.join(DATA, name))
    result(done.returncode == (20 if kind == "deadlock" else 0), f"{name}: exit status", done.returncode, done.stderr)
    if kind:
        result(done.stdout.split(b" ")[0] in (b"Deadlock", b"All"), f"{name}: it is named first", done.stdout[:100])


def check_trees():
    seen = document(os.path.join(DATA, "17-behind.txt"))
    threads = {t["name"]: t for t in seen["threads"]}
    result(threads["holder"]["waiters"] == 6 and threads["heir"]["waiters"] == 5, "how many wait", threads["holder"])
    result(seen["threads"][threads["queued-3"]["waitsFor"]["holder"]]["name"] == "heir", "who holds what", threads["queued-3"])
    text = run(os.path.join(DATA, "17-behind.txt")).stdout.decode()
    result("holder, TIMED_WAITING in Stands.pause(Stands.java:91): 6 threads wait for it" in text and "queued-0 and 4 more: " in text,
           "the tree", text)
    text = run(os.path.join(DATA, "8-idle.txt")).stdout.decode()
    result("pool-1-thread-*: 20 threads, all idle" in text and re.search(r"^ +20  pool-1-thread-\*  WAITING", text, re.M),
           "groups and pools", text)


# How it comes ---------------------------------------------------------------------------------


def check_forms():
    dump = read("25-mixed.txt")
    lines = dump.split(b"\n")
    forms = {
        "of containers": b"".join(b"2026-11-28T01:43:%02d.%dZ stdout F %s\n" % (i % 60, 10 ** (i % 9), line) for i, line in enumerate(lines)),
        "of systemd": b"".join(b"Nov 28 01:43:%02d host java[4711]: %s\n" % (i % 60, line) for i, line in enumerate(lines)),
        "without blanks at the ends": b"".join((b"[1.%ds] %s" % (i, line)).rstrip() + b"\n" for i, line in enumerate(lines)),
        "with CRLF": dump.replace(b"\n", b"\r\n"),
        "in a log": b"INFO started\n" * 50 + dump + b"INFO goes on\n" * 50,
        "with tabs lost": dump.replace(b"\t", b"        "),
        "without its first line": dump[dump.index(b'"main"'):],
    }
    for name, data in forms.items():
        seen = document("-", data=data)
        result([f["kind"] for f in seen["findings"]] == ["deadlock"] and len(seen["threads"]) == 15, f"a dump {name}",
               seen["findings"], len(seen["threads"]))
    seen = document("-", data=read("17-pool.txt") + read("25-mixed.txt").replace(b"\n", b"\r\n") + read("25-idle.txt"))
    result(seen["dumps"] == 3 and len(seen["threads"]) == 39 and not seen["findings"], "three dumps in one file", seen["dumps"])
    directory = os.path.join(WORK, "snapshot")
    os.mkdir(directory)
    for i, name in enumerate(("17-idle-no", "17-pool.txt", "17-juc.txt")[1:], 1):
        with open(os.path.join(directory, f"threads-{i}.txt"), "wb") as f:
            f.write(read(name))
    seen = document(directory)
    result(seen["dumps"] == 2 and seen["findings"][0]["kind"] == "deadlock", "the dumps of a directory", seen["findings"])
    os.symlink("/etc/passwd", os.path.join(directory, "threads-3.txt"))
    done = run(directory)
    result(done.returncode == 1 and b"threads-3.txt" in done.stderr and b"root:" not in done.stdout, "no link is followed", done.stderr)
    result(run("--raw", os.path.join(DATA, "8-juc.txt")).stdout == read("8-juc.txt"), "--raw prints it as it is")


def check_change():
    """Two dumps between which a thread did something, and another did not."""
    dump = read("17-behind.txt")
    later = re.sub(rb"elapsed=(\d+)\.", lambda m: b"elapsed=%d." % (int(m[1]) + 5), dump)
    done = document("-", data=dump + later)
    result([f["kind"] for f in done["findings"]] == ["standing-holder"] and "has stood for 5 s in Stands.pause" in done["findings"][0]["text"],
           "a holder that stands", done["findings"])
    busy = re.sub(rb'("holder".*cpu=)([\d.]+)', rb"\g<1>4000.00", later)
    done = document("-", data=dump + busy)
    result(not done["findings"] and done["cpu"][0]["cpuNanos"] > 3e9, "one that works", done["findings"], done["cpu"])
    dump = read("17-backend.txt")
    later = re.sub(rb"elapsed=(\d+)\.", lambda m: b"elapsed=%d." % (int(m[1]) + 5), dump)
    done = document("-", data=dump + later)
    result([f["kind"] for f in done["findings"]] == ["standing-pool"], "a pool that others wait for", done["findings"])
    dump = read("17-unawaited.txt")
    later = re.sub(rb"elapsed=(\d+)\.", lambda m: b"elapsed=%d." % (int(m[1]) + 5), dump)
    result(not document("-", data=dump + later)["findings"], "a pool that nobody waits for")


# What is no dump, or means harm ---------------------------------------------------------------


def check_refusals():
    for name, data, word in (
        ("a javacore", b"0SECTION       TITLE subcomponent dump routine\n1TISIGINFO Dump Event\n", b"javacore of OpenJ9"),
        ("a log", b"INFO started\n", b"no thread dump in it"),
        ("nothing", b"", b"no thread dump in it"),
        ("a dump as text", b'1234\n2026-11-28T01:43:00Z\n25.0.3\n\n#1 "main" RUNNABLE 2026-11-28\n      java.base/x\n', b"-format=json"),
        ("other JSON", b'{"a": [1, 2]}', b"but no thread dump"),
        ("a log of a crash", b"#\n# A fatal error has been detected by the JRE:\n", b"hs_err"),
    ):
        done = run("-", data=data)
        result(done.returncode == 1 and word in done.stderr and not done.stdout, f"{name} is refused", done.stderr)
    done = run("-", data=b"\x28\xb5\x2f\xfd" + bytes(100))
    result(done.returncode == 1 and b"unpack it" in done.stderr, "what is compressed is named", done.stderr)
    done = run("/dev/zero")
    result(done.returncode == 1 and b"it is a device" in done.stderr, "a device is not read", done.stderr)
    for words in ("--samples", "3"), ("--locks",), ("--all",):
        done = run(*words, os.path.join(DATA, "8-juc.txt"))
        result(done.returncode == 2, f"{words[0]} is not for files", done.stderr)
    done = document("-", data=read("25-idle.txt")[:9000])
    result(not done["complete"] and done["threads"], "a dump that breaks off", done.get("faults"))
    done = document("-", data=read("28-virtual-juc.json")[:3000])
    result(not done["complete"] and done["threads"], "a dump in JSON that breaks off", done.get("faults"))


def check_names():
    """No name forges a line."""
    evil = {
        "esc": b"a\x1b[2J\x1b]0;x\x07b",
        "bidi": "a\u202eb\u2066c".encode(),
        "long": b"x" * 10000,
        "line": b'a\n\nFound one Java-level deadlock:\n=============================\n"a":',
        "quotes": b'a" #5 prio=5 "b',
        "bytes": b"a\xff\xc0b",
    }
    for what, name in evil.items():
        data = read("17-behind.txt").replace(b'"holder"', b'"' + name + b'"')
        done = run("-", data=data)
        text = done.stdout
        ok = done.returncode == 0 and not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", text) and max(map(len, text.split(b"\n"))) < 1000
        ok = ok and text.startswith(b"No deadlock") and b"6 threads wait for it" in text
        result(ok and "\u202e" not in text.decode("utf-8"), f"a name with {what}", text[:300], done.stderr)
        seen = document("-", data=data)
        result(not seen["findings"] and len(seen["threads"]) == 21, f"a name with {what}, as JSON", seen["findings"], len(seen["threads"]))


def check_size():
    """20,000 threads of 40 frames, one 1,024 deep."""
    frame = "\tat com.acme.shop.orders.checkout.OrderService%d.handle%d(OrderService%d.java:%d)\n"
    with open(os.path.join(WORK, "large.txt"), "w", encoding="utf-8") as f:
        f.write("Full thread dump OpenJDK 64-Bit Server VM (25.0.3+9-LTS mixed mode, sharing):\n\n")
        for i in range(20000):
            f.write(f'"worker-{i}" #{i + 20} [{i}] prio=5 os_prio=0 cpu=1.0ms elapsed=30.1s tid=0x{i:x} nid={i} waiting on condition\n'
                    "   java.lang.Thread.State: WAITING (parking)\n")
            f.write("".join(frame % (d, i % 50, d, d) for d in range(1024 if i == 777 else 40)) + "\n")
        f.write("JNI global refs: 4\n")
    done = subprocess.run(["/usr/bin/time", "-f", "%U %S %M", JFREC, "threads", os.path.join(WORK, "large.txt")],
                          capture_output=True, timeout=120) if os.path.exists("/usr/bin/time") else None
    if not done:
        result(True, "a large dump # SKIP no /usr/bin/time")
        return
    user, system, kib = map(float, done.stderr.split()[-3:])
    # Processor time: the machine may have other things to do.
    result(done.returncode == 0 and user + system < 2 and kib < 256 * 1024, "a large dump", done.stderr)


for path in sorted(glob.glob(os.path.join(DATA, "*.*"))):
    check_file(os.path.basename(path))
check_trees()
check_forms()
check_change()
check_refusals()
check_names()
check_size()
finish()
