#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Build the Python package against the library as it is installed, and see what it does.

usage: python_package.py JFREC SOURCE_ROOT BUILD_ROOT

JFREC_TEST_PYTHON names another Python than the one that runs this. lib/bindings/python/tests/check.py
has the tests.
"""

import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from python_build import PYTHON, build_package  # noqa: E402

jfrec, root, build = (os.path.realpath(a) for a in sys.argv[1:])
PACKAGE = root + "/lib/bindings/python"


def start_jvm(work):
    """A JVM that waits for the end of its input, or None."""
    if not shutil.which("java"):
        return None
    with open(work + "/Wait.java", "w", encoding="utf-8") as f:
        f.write("public class Wait { public static void main(String[] a) throws Exception {"
                " System.out.println(1); while (System.in.read() >= 0) ; } }")
    jvm = subprocess.Popen(["java", "-Xmx64m", work + "/Wait.java"], stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if jvm.stdout.readline():
        return jvm
    jvm.wait()
    return None


def main():
    with tempfile.TemporaryDirectory() as work:
        package, libraries = build_package(root, build, work)
        jvm = start_jvm(work)
        try:
            done = subprocess.run(
                [PYTHON, PACKAGE + "/tests/check.py", jfrec, root] + ([str(jvm.pid)] if jvm else []),
                env={**os.environ, "PYTHONPATH": package, "LD_LIBRARY_PATH": libraries})
        finally:
            if jvm:
                jvm.stdin.close()
                jvm.wait()
    sys.exit(done.returncode)


main()
