"""Healthy JVMs are never refused: thirty programs, idle and loaded, in cgroups full of page cache.

usage: healthy.py JFREC JAVA CLASSES [COUNT]

JAVA is a java, and CLASSES a directory with the classes of tests/live and tests/live/troubles.
COUNT: only so many of the programs.  Prints "ok NAME" or "not ok NAME" for each.  Where no group can
be made, the programs run without, and that is said.
"""

import os
import signal
import subprocess
import sys
import time

JFREC, JAVA, CLASSES = sys.argv[1:4]
COUNT = int(sys.argv[4]) if len(sys.argv) > 4 else None
LIMIT = 700 << 20
PIDS = 300

PROGRAMS = [
    "Idle", "Busy", "Shop", "Work", "Steps", "Numbers", "Shares", "Batch 60", "BusyServer 60", "AllocPressure 60",
    "DeepStacks 60", "DirectBuffers 60", "ExceptionStorm 60", "Finalizers 60", "Humongous 60 40", "KeepAlive 60",
    "LockContention 60", "LongPause 60", "Loss 60", "SlowSocket 60", "Throttled 60", "Bias 60 2",
]
COLLECTORS = ["", "-XX:+UseSerialGC", "-XX:+UseParallelGC"]
CASES = [(p, "") for p in PROGRAMS] + [
    ("Idle", c) for c in COLLECTORS[1:]
] + [("Busy", c) for c in COLLECTORS[1:]] + [("AllocPressure 60", c) for c in COLLECTORS[1:]] + [
    ("LockContention 60", COLLECTORS[1]), ("BusyServer 60", COLLECTORS[2])]


class Group:
    """A cgroup of each controller with limits, and its page cache full of a file."""

    def __init__(self):
        self.dirs = []
        for controller, limits in (("memory", {"memory.limit_in_bytes": LIMIT, "memory.max": LIMIT}), ("pids", {"pids.max": PIDS})):
            for at in (f"/sys/fs/cgroup/{controller}", "/sys/fs/cgroup"):
                path = f"{at}/jfrec-healthy-{os.getpid()}"
                try:
                    os.makedirs(path, exist_ok=True)
                    [open(f"{path}/{f}", "w").write(str(n)) for f, n in limits.items() if os.path.exists(f"{path}/{f}")]
                    self.dirs.append(path)
                    break
                except OSError:
                    continue
        self.dirs = sorted(set(self.dirs))

    def enter(self):
        for path in self.dirs:
            with open(path + "/cgroup.procs", "w") as f:
                f.write(str(os.getpid()))

    def fill(self, name):
        """What a process of the group reads and writes is in its cache."""
        subprocess.run(["dd", "if=/dev/zero", f"of={name}", "bs=1M", f"count={(LIMIT >> 20) + 50}"],
                       preexec_fn=self.enter, stderr=subprocess.DEVNULL, check=True)

    def remove(self):
        for path in self.dirs:
            for _ in range(50):
                try:
                    os.rmdir(path)
                    break
                except OSError:
                    time.sleep(0.1)


def ask(pid, *words):
    return subprocess.run([JFREC, words[0], "--timeout", "100s", *words[1:], str(pid)], capture_output=True, text=True)


def judge(pid):
    """What went wrong, or ""."""
    wrong = []
    for words in (("list", "-l"), ("check",), ("start", "--name", "h"), ("histogram",), ("stop", "-n", "h", "--discard")):
        words = [w for w in words if words[0] != "list" or w != "--timeout"]
        r = ask(pid, *words)
        if r.returncode == 11 or " limit " in r.stdout.split("\n", 2)[-1][:200]:
            wrong.append(f"{words[0]}: {r.stdout}{r.stderr}".strip())
    return wrong


def run(group, command, option, load):
    java = subprocess.Popen([JAVA, "-Xmx150m", *option.split(), "-cp", CLASSES, *command.split()], preexec_fn=group.enter,
                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=CLASSES)
    burners = [subprocess.Popen(["sh", "-c", "while :; do :; done"], preexec_fn=group.enter) for _ in range(load)]
    time.sleep(1.5)
    try:
        return judge(java.pid), java.poll() is None
    finally:
        for p in burners + [java]:
            p.send_signal(signal.SIGKILL)
            p.wait()


def main():
    group = Group()
    cache = f"{CLASSES}/cache"
    refusals = 0
    if not group.dirs:
        print("# no cgroup can be made here")
    group.fill(cache)
    for command, option in CASES[:COUNT]:
        for load in (0, 2):
            wrong, lives = run(group, command, option, load)
            refusals += len(wrong)
            name = f"{command} {option}, {'loaded' if load else 'idle'}".replace(" ,", ",")
            print(f"{'not ok' if wrong else 'ok'} {name}: not refused{'' if lives else ' (it had ended)'}", flush=True)
            for line in wrong:
                print("# " + line.replace("\n", " "))
    os.unlink(cache)
    group.remove()
    print(f"# {refusals} refusals")


main()
