"""view --every on a terminal: what is on the screen, its keys, its size, its end.

usage: every.py JFREC PID

The JVM of that pid records; it is ended here.  Prints a line for each test: "ok NAME" or
"not ok NAME", and why.
"""

import os
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from terminal import PATIENCE, Terminal, status_of, under_shell  # noqa: E402

JFREC, PID = sys.argv[1], int(sys.argv[2])
VIEW = ["view", "--every", "300ms", "--limit", "100", "events-by-count", str(PID)]


def result(good, name, *said):
    print("ok" if good else "not ok", name)
    for line in said if not good else ():
        print("#", line)
    sys.stdout.flush()


def has_table(t):
    return any("Event Type" in line for line in t.screen())


def draw_tables(t):
    """Lines drawn in the next tables that became others, and that were the same again."""
    t.changed = t.idle = 0
    shown = t.screen()[0]
    t.until(lambda t: t.screen()[0] != shown)
    t.read(0.1)
    return t.changed, t.idle


t = Terminal(30, 100, under_shell(JFREC, *VIEW))
result(t.until(has_table), "a table on the terminal's second screen", t.screen(), t.first)
result(t.is_second and not t.has_cursor, "no cursor in it")
result(re.search(rf"^{PID}, \d\d:\d\d:\d\d, every 0.3 s, q ends$", t.screen()[0]) is not None,
       "what it is of, and when", t.screen()[0])
changed, idle = draw_tables(t)
result(changed > 0 and idle == 0, "only what changed is drawn", f"{changed} lines, and {idle} as they were")
result(all(len(line) <= 100 for line in t.screen()), "lines are no longer than the terminal is wide")
wide = max(len(line.rstrip()) for line in t.screen())
t.resize(12, 50)
result(t.until(lambda t: has_table(t) and all(len(line) <= 50 for line in t.lines.values())),
       "resized: a narrower table", t.screen())
result(max(t.lines) <= 12, "resized: no more lines than there are", sorted(t.lines))
t.resize(40, 160)
result(t.until(lambda t: has_table(t) and sum(bool(line) for line in t.screen()) > 12), "resized: more lines", t.screen())
os.write(t.fd, b"x\x1b[A ")
t.read(0.5)
result(t.status is None and t.is_second, "other keys do nothing")
os.write(t.fd, b"q")
result(status_of(t) == 0, "q ends, with status 0", t.first)
result(t.is_restored(), "the terminal is as it was")
result("Event Type" in t.first, "the last table stays")
result(not t.unknown, "no other sequences", t.unknown)
os.write(t.fd, b"\n")
t.read(5)

for name, send, want in (("Ctrl-C", b"\x03", 130), ("SIGTERM", signal.SIGTERM, 143), ("SIGHUP", signal.SIGHUP, 129)):
    # Ctrl-C ends a shell, too: dash waits for what its command made of it.
    shell = ["/bin/sh", "-c", 'trap : INT; "$@"; echo "status $?"; read x; read x', "sh", JFREC, *VIEW]
    t = Terminal(30, 100, shell)
    t.until(has_table)
    if isinstance(send, bytes):
        os.write(t.fd, send)
    else:
        children = subprocess.run(["pgrep", "-P", str(t.pid)], capture_output=True, text=True).stdout.split()
        os.kill(int(children[0]), send)
    got = status_of(t)
    result(got == want, f"{name} ends, with status {want}", got, t.first)
    result(t.is_restored(), f"{name}: the terminal is as it was")
    os.kill(t.pid, signal.SIGKILL)
    t.read(5)

# Ctrl-Z gives the terminal to the shell, and takes it again.
t = Terminal(30, 100, ["/bin/bash", "--norc", "-ic", 'set -m; "$@"; echo stopped; read x; fg >/dev/null; echo "status $?"; read x',
                       "bash", JFREC, *VIEW])
t.until(has_table)
os.write(t.fd, b"\x1a")
stopped = t.until(lambda t: not t.is_second)
result(stopped and t.has_cursor and t.wraps, "Ctrl-Z: the terminal is as it was", t.first)
t.until(lambda t: "stopped" in t.first)
t.lines = {}
os.write(t.fd, b"\n")
result(t.until(lambda t: t.is_second and has_table(t)), "fg: the table again", t.first, t.screen())
os.write(t.fd, b"q")
result(status_of(t) == 0, "and q", t.first)
os.kill(t.pid, signal.SIGKILL)
t.read(5)

# Not on a terminal.
piped = subprocess.Popen([JFREC, *VIEW], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
times = re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}$")
seen = tables = 0
end = time.monotonic() + PATIENCE
while tables < 3 and time.monotonic() < end:
    line = piped.stdout.readline()
    seen += bool(times.match(line))
    tables += line.startswith("Event Type ")
result(tables == 3 and seen == 3, "a pipe: one table after the other, with its time", tables, seen)
piped.stdout.close()
result(piped.wait(PATIENCE) == 0, "a pipe that is closed ends it", piped.returncode, piped.stderr.read())

done = subprocess.run([JFREC, "view", "--every", "1s", "gc", "x.jfr"], capture_output=True, text=True)
result(done.returncode == 2 and "for a JVM" in done.stderr, "recordings are refused", done.stderr)
done = subprocess.run([JFREC, "view", "--every", "1ms", "gc", str(PID)], capture_output=True, text=True)
result(done.returncode == 2 and "100ms or more" in done.stderr, "so are times that are too short", done.stderr)
done = subprocess.run([JFREC, "view", "--every", "1s", "nope", str(PID)], capture_output=True, text=True)
result(done.returncode == 1 and "named nope" in done.stderr and not done.stdout, "an unknown view ends at once", done.stderr)

# The JVM ends in between.
t = Terminal(30, 100, under_shell(JFREC, *VIEW))
piped = subprocess.Popen([JFREC, *VIEW], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
t.until(has_table)
os.kill(PID, signal.SIGKILL)
out, said = piped.communicate(timeout=PATIENCE)
result(piped.returncode == 0 and f"{PID} has ended" in said, "a pipe: the JVM ends", piped.returncode, said)
got = status_of(t)
result(got == 0 and f"{PID} has ended" in t.first, "the JVM ends", got, t.first)
result(t.is_restored(), "and the terminal is as it was")
os.kill(t.pid, signal.SIGKILL)
t.read(5)
