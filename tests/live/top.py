"""top on a terminal, of one JVM that records: its findings, threads and hot methods.

usage: top.py JFREC PID

Prints a line for each test: "ok NAME" or "not ok NAME", and why.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from terminal import Terminal, status_of, under_shell  # noqa: E402

JFREC, PID = sys.argv[1:3]


def result(good, name, *said):
    print("ok" if good else "not ok", name)
    for line in said if not good else ():
        print("#", line)
    sys.stdout.flush()


def has(word):
    return lambda t: any(word in line for line in t.screen())


t = Terminal(50, 120, under_shell(JFREC, "top", PID))
result(t.until(has("yes Shop")), "a row of it", t.screen(), t.first)
os.write(t.fd, b"\r")
result(t.until(has("stocktaking")), "its threads, by the names of the kernel", t.screen())
result(t.until(has("HOT METHOD, of")) and t.until(has("Shop")), "its hot methods", t.screen())
result(t.until(lambda t: any(line.split(" ")[0] in ("warning", "info") for line in t.screen()) or
               "ok" in "".join(t.screen())), "what is found", t.screen())
os.write(t.fd, b"d")
result(t.until(has("C2 CompilerThread0")), "names of more than 15 letters", t.screen())
os.write(t.fd, b"\x1b")
result(t.until(has("Enter open")), "back to the table", t.screen())
os.write(t.fd, b"q")
result(status_of(t) == 0 and t.is_restored(), "q ends", t.first)
os.write(t.fd, b"\n")
t.read(5)
