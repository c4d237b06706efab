"""view --every on a terminal: what is on the screen, its keys, its size, its end.

usage: every.py JFREC PID

The JVM of that pid records; it is ended here.  Prints a line for each test: "ok NAME" or
"not ok NAME", and why.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

JFREC, PID = sys.argv[1], int(sys.argv[2])
PATIENCE = 30
VIEW = ["view", "--every", "300ms", "--limit", "100", "events-by-count", str(PID)]


def result(good, name, *said):
    print("ok" if good else "not ok", name)
    for line in said if not good else ():
        print("#", line)
    sys.stdout.flush()


class Terminal:
    """Two screens of which one is shown, and the little that is needed of the rest."""

    def __init__(self, rows, columns, command):
        self.rows, self.columns = rows, columns
        self.is_second, self.has_cursor, self.wraps = False, True, True
        self.lines, self.at = {}, (1, 1)
        self.first = ""  # what stays
        self.held = None  # a line and what it was, until it is drawn
        self.changed = self.idle = 0  # lines drawn since the last look: others, the same again
        self.cut = ""  # a sequence of which the rest was not read yet
        self.unknown = []
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            # What a shell starts beside others ignores the one, what nohup starts the other.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.signal(signal.SIGHUP, signal.SIG_DFL)
            time.sleep(0.2)
            os.environ.update(TERM="xterm", TZ="UTC")
            os.execv(command[0], command)
        self.resize(rows, columns)
        self.before = termios.tcgetattr(self.fd)
        self.status = None

    def resize(self, rows, columns):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.rows, self.columns = rows, columns

    def take(self, text):
        text = self.cut + text
        self.cut = re.search(r"(\x1b(\[[?0-9;]*)?)?$", text)[0]
        text = text[: len(text) - len(self.cut)]
        for m in re.finditer(r"\x1b\[([?0-9;]*)([A-Za-z])|([^\x1b]+)|\x1b", text):
            if m[3] is not None:
                if self.is_second:
                    self.put(m[3])
                else:
                    self.first += m[3]
                continue
            sequence = (m[1] or "") + (m[2] or "?")
            if sequence in ("?1049h", "?1049l"):
                self.is_second = sequence[-1] == "h"
            elif sequence in ("?25l", "?25h"):
                self.has_cursor = sequence[-1] == "h"
            elif sequence in ("?7l", "?7h"):
                self.wraps = sequence[-1] == "h"
            elif sequence == "2J":
                self.lines = {}
            elif sequence == "K":
                row, column = self.at
                self.lines[row] = self.lines.get(row, "")[: column - 1]
                if self.held == (row, self.lines[row]):
                    self.idle += 1
                else:
                    self.changed += 1
            elif sequence.endswith("H"):
                self.at = tuple(int(n) for n in m[1].split(";"))
                self.held = self.at[0], self.lines.get(self.at[0])
            else:
                self.unknown.append(sequence)

    def put(self, text):
        row, column = self.at
        line = self.lines.get(row, "").ljust(column - 1)
        self.lines[row] = line[: column - 1] + text + line[column - 1 + len(text):]
        self.at = row, column + len(text)

    def read(self, seconds):
        end = time.monotonic() + seconds
        while self.status is None and time.monotonic() < end:
            if not select.select([self.fd], [], [], 0.05)[0]:
                continue
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                data = b""
            if not data:
                self.end()
                return
            self.take(data.decode("utf-8", "replace"))

    def until(self, condition):
        end = time.monotonic() + PATIENCE
        while not condition(self) and self.status is None and time.monotonic() < end:
            self.read(0.1)
        return condition(self)

    def end(self):
        """Its status; the terminal is looked at before it goes."""
        pid, status = os.waitpid(self.pid, 0)
        self.status = os.waitstatus_to_exitcode(status)

    def screen(self):
        return [self.lines.get(i, "") for i in range(1, self.rows + 1)]

    def has_table(self):
        return any("Event Type" in line for line in self.screen())

    def is_restored(self):
        # The slave may be gone with its last process: then what it had is what it was left with.
        try:
            same = termios.tcgetattr(self.fd)[:4] == self.before[:4]
        except termios.error:
            same = True
        return same and not self.is_second and self.has_cursor and self.wraps


def draw_tables(t):
    """Lines drawn in the next tables that became others, and that were the same again."""
    t.changed = t.idle = 0
    shown = t.screen()[0]
    t.until(lambda t: t.screen()[0] != shown)
    t.read(0.1)
    return t.changed, t.idle


# A shell keeps the terminal when the command is gone, so that one can see how it was left.
def under_shell(*command):
    return ["/bin/sh", "-c", '"$@"; echo "status $?"; read x', "sh", *command]


def status_of(t):
    t.until(lambda t: "status " in t.first)
    m = re.search(r"status (\d+)", t.first)
    return int(m[1]) if m else None


t = Terminal(30, 100, under_shell(JFREC, *VIEW))
result(t.until(Terminal.has_table), "a table on the terminal's second screen", t.screen(), t.first)
result(t.is_second and not t.has_cursor, "no cursor in it")
result(re.search(rf"^{PID}, \d\d:\d\d:\d\d, every 0.3 s, q ends$", t.screen()[0]) is not None,
       "what it is of, and when", t.screen()[0])
changed, idle = draw_tables(t)
result(changed > 0 and idle == 0, "only what changed is drawn", f"{changed} lines, and {idle} as they were")
result(all(len(line) <= 100 for line in t.screen()), "lines are no longer than the terminal is wide")
wide = max(len(line.rstrip()) for line in t.screen())
t.resize(12, 50)
result(t.until(lambda t: t.has_table() and all(len(line) <= 50 for line in t.lines.values())),
       "resized: a narrower table", t.screen())
result(max(t.lines) <= 12, "resized: no more lines than there are", sorted(t.lines))
t.resize(40, 160)
result(t.until(lambda t: t.has_table() and sum(bool(line) for line in t.screen()) > 12), "resized: more lines", t.screen())
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
    t.until(Terminal.has_table)
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
t.until(Terminal.has_table)
os.write(t.fd, b"\x1a")
stopped = t.until(lambda t: not t.is_second)
result(stopped and t.has_cursor and t.wraps, "Ctrl-Z: the terminal is as it was", t.first)
t.until(lambda t: "stopped" in t.first)
t.lines = {}
os.write(t.fd, b"\n")
result(t.until(lambda t: t.is_second and t.has_table()), "fg: the table again", t.first, t.screen())
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
t.until(Terminal.has_table)
os.kill(PID, signal.SIGKILL)
out, said = piped.communicate(timeout=PATIENCE)
result(piped.returncode == 0 and f"{PID} has ended" in said, "a pipe: the JVM ends", piped.returncode, said)
got = status_of(t)
result(got == 0 and f"{PID} has ended" in t.first, "the JVM ends", got, t.first)
result(t.is_restored(), "and the terminal is as it was")
os.kill(t.pid, signal.SIGKILL)
t.read(5)
