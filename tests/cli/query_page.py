"""The examples of jfrec-query(7) print what the page shows.

usage: query_page.py JFREC SOURCE_ROOT

An example is a literal block that begins with "$ "; the recording is data/query/shop.jfr.gz, which
is still what its script makes.  Prints TAP.
"""

import gzip
import os
import re
import subprocess
import sys
import tempfile

jfrec, root = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
number = 0
failed = False


def result(ok, name, *said):
    global number, failed
    number += 1
    failed = failed or not ok
    print("ok" if ok else "not ok", number, "-", name)
    for line in said if not ok else ():
        print("#", line)


def stripped(text):
    return [line.rstrip() for line in text.strip("\r\n").splitlines()]


with open(os.path.join(root, "man/jfrec-query.7.scd")) as f:
    blocks = re.findall(r"^```\n\$ (.*?)\n```$", f.read(), re.M | re.S)
result(len(blocks) >= 20, "there are twenty examples", len(blocks))
with tempfile.TemporaryDirectory() as directory:
    os.mkdir(os.path.join(directory, "bin"))
    os.symlink(jfrec, os.path.join(directory, "bin", "jfrec"))
    with gzip.open(os.path.join(root, "tests/data/query/shop.jfr.gz")) as packed:
        with open(os.path.join(directory, "app.jfr"), "wb") as f:
            f.write(packed.read())
    environment = dict(os.environ, TZ="UTC", PATH=os.path.join(directory, "bin") + ":" + os.environ["PATH"])
    for block in blocks:
        # The command ends with the recording's name.
        command, shown = re.fullmatch(r"(.*? app\.jfr)\n(.*)", block, re.S).groups()
        done = subprocess.run(["sh", "-c", command], cwd=directory, env=environment, capture_output=True, text=True)
        got, want = stripped(done.stdout), stripped(shown)
        result(done.returncode == 0 and not done.stderr and got == want, command.splitlines()[0],
               done.stderr, *got)
print(f"1..{number}")
sys.exit(failed)
