# SPDX-License-Identifier: MIT
"""A terminal on which a command is run: what is on its screen, and how it is left.

    t = Terminal(24, 80, under_shell(jfrec, "top"))
    t.until(lambda t: "JVMs" in t.screen()[0])
    os.write(t.fd, b"q")
    status_of(t) == 0 and t.is_restored()
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

PATIENCE = 30


class Terminal:
    """Two screens of which one is shown, and the little that is needed of the rest."""

    def __init__(self, rows, columns, command, **variables):
        self.rows, self.columns = rows, columns
        self.is_second, self.has_cursor, self.wraps = False, True, True
        self.lines, self.at = {}, (1, 1)
        self.first = ""  # what stays
        self.held = None  # a line and what it was, until it is drawn
        self.changed = self.idle = 0  # lines drawn since the last look: others, the same again
        self.marked = 0  # the row that was last in inverse video
        self.cut = ""  # a sequence of which the rest was not read yet
        self.unknown = []
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            # What a shell starts beside others ignores the one, what nohup starts the other.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.signal(signal.SIGHUP, signal.SIG_DFL)
            time.sleep(0.2)
            os.environ.update({"TERM": "xterm", "TZ": "UTC", **variables})
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
            elif sequence in ("7m", "m"):
                if sequence == "7m":
                    self.marked = self.at[0]
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

    def is_restored(self):
        # The slave may be gone with its last process: then what it had is what it was left with.
        try:
            same = termios.tcgetattr(self.fd)[:4] == self.before[:4]
        except termios.error:
            same = True
        return same and not self.is_second and self.has_cursor and self.wraps


# A shell keeps the terminal when the command is gone, so that one can see how it was left.
def under_shell(*command):
    return ["/bin/sh", "-c", '"$@"; echo "status $?"; read x', "sh", *command]


def status_of(t):
    t.until(lambda t: "status " in t.first)
    m = re.search(r"status (\d+)", t.first)
    return int(m[1]) if m else None
