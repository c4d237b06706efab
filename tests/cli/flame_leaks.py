"""The profile native-leaks: memory that was allocated and not freed, over all chunks.

usage: flame_leaks.py JFREC SOURCE_ROOT

The recordings are made by ../plant.py.  Prints TAP.
"""

import json
import os
import subprocess
import sys
import tempfile

JFREC, ROOT = sys.argv[1], sys.argv[2]
sys.path.insert(0, os.path.join(ROOT, "tests"))
from plant import Recording, Types  # noqa: E402
from tap import finish, result  # noqa: E402

TYPES = Types(os.path.join(ROOT, "tests/data/stacks/async-profiler-45.jfr"))


def malloc(r, at, address, size, *stack):
    r.add("profiler.Malloc", at=at, eventThread="main", stackTrace=list(stack) or None, address=address, size=size)


def free(r, at, address):
    r.add("profiler.Free", at=at, eventThread="main", address=address)


def flame(chunks, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.jfr")
        with open(path, "wb") as f:
            f.write(b"".join(r.bytes() for r in chunks))
        done = subprocess.run([JFREC, "flame", "--profile", "native-leaks", *options, path], capture_output=True, text=True)
        return done.stdout + done.stderr


def leaks(chunks, *options):
    """The bytes of each stack, its frames from the root."""
    shown = flame(chunks, "--format", "collapsed", *options)
    return {line.rpartition(" ")[0]: int(line.rpartition(" ")[2]) for line in shown.splitlines()}


first, second = Recording(TYPES), Recording(TYPES, start=10)
malloc(first, 0.1, 0x1000, 100, "app.A.leak", "app.A.main")
malloc(first, 0.2, 0x2000, 200, "app.A.freed", "app.A.main")
malloc(first, 0.3, 0x3000, 400, "app.A.later", "app.A.main")
malloc(first, 0.4, 0x4000, 800)
free(first, 0.5, 0x2000)
free(second, 10.1, 0x3000)
malloc(second, 10.2, 0x3000, 1600, "app.A.young", "app.A.main")
free(second, 10.3, 0x9999)
WHOLE = {"app/A.main_[j];app/A.leak_[j]": 100, "[no stack]": 800}
result(leaks([first, second]) == WHOLE, "what a later chunk frees is no leak, nor what is young", flame([first, second]))
result(leaks([first, second], "--jobs", "2") == WHOLE, "the same by two threads")
alone = leaks([first])
result(alone == {**WHOLE, "app/A.main_[j];app/A.later_[j]": 400}, "of one chunk", str(alone))
result(leaks([first], "--to", "+350ms") == {"app/A.main_[j];app/A.leak_[j]": 100, "app/A.main_[j];app/A.freed_[j]": 200},
       "of a part of the time", str(leaks([first], "--to", "+350ms")))
text = flame([first, second])
result("Native memory that was not freed: 900 B in 2 samples" in text and "1 sample has no stack trace" in text,
       "text", text)
page = json.loads(flame([first, second], "--format", "json"))["profiles"][0]
result(page["name"] == "native-leaks" and page["weight"] == 900, "json", str(page)[:300])
profile = json.loads(flame([first, second], "--format", "firefox"))
result(sum(len(t["samples"]["stack"]) for t in profile["threads"]) == 2, "firefox", str(profile)[:300])
result("</html>" in flame([first, second], "--format", "html", "-o", "-"), "html")
result("has no such events" in flame([Recording(TYPES)]), "a recording without any")
finish()
