#!/usr/bin/env python3
"""A process that any user can start and that looks like a JVM from outside: it is called java, has
mapped a file called libjvm.so, catches SIGQUIT, and never answers.

usage: exec -a java python3 fakejvm.py DIRECTORY [CHUNK [COUNT]]

DIRECTORY  is made, for its libjvm.so
CHUNK      a file of its repository that it holds open; {pid} stands for its pid
COUNT      so many of them, as children that end with the first

Prints its pid, and those of its children."""
import ctypes
import mmap
import os
import signal
import sys

directory = sys.argv[1]
os.makedirs(directory, exist_ok=True)
library = os.path.join(directory, "libjvm.so")
if not os.path.exists(library):
    with open(library, "wb") as f:
        f.write(b"x" * 4096)
with open(library, "rb") as f:
    mapped = mmap.mmap(f.fileno(), 4096, prot=mmap.PROT_READ)
signal.signal(signal.SIGQUIT, lambda *_: None)
for _ in range(int(sys.argv[3]) - 1 if len(sys.argv) > 3 else 0):
    if os.fork() == 0:
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        break
if len(sys.argv) > 2:
    path = sys.argv[2].replace("{pid}", str(os.getpid()))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    chunk = open(path, "ab")
print(os.getpid(), flush=True)
while True:
    signal.pause()
