#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does Spark read recordings as `jfrec sql` does?

usage: spark.py JFREC SOURCE_ROOT BUILD_ROOT

Builds the Python package and runs lib/bindings/python/tests/check_spark.py with it, where the
Python that runs this, or the one that JFREC_TEST_PYTHON names, has pyspark 4 and pyarrow.
"""

import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from python_build import PYTHON, build_package, leave  # noqa: E402

jfrec, root, build = (os.path.realpath(a) for a in sys.argv[1:])
VERSION = "import pyarrow, pyspark, sys; sys.exit(int(pyspark.__version__.split('.')[0]) < 4)"


def main():
    if subprocess.run([PYTHON, "-c", VERSION], capture_output=True).returncode:
        leave(f"{PYTHON} has not both pyspark 4 and pyarrow")
    if not shutil.which("java"):
        leave("Spark needs a JVM")
    with tempfile.TemporaryDirectory() as work:
        package, libraries = build_package(root, build, work)
        done = subprocess.run(
            [PYTHON, root + "/lib/bindings/python/tests/check_spark.py", jfrec, root, work],
            env={**os.environ, "PYTHONPATH": package, "LD_LIBRARY_PATH": libraries,
                 "PYSPARK_PYTHON": PYTHON, "PYTHONDONTWRITEBYTECODE": "1"})
    sys.exit(done.returncode)


main()
