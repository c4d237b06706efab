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

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402

jfrec, root = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])


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
finish()
