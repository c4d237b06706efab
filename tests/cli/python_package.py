#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Build the Python package against the library as it is installed, and see what it does.

usage: python_package.py JFREC SOURCE_ROOT BUILD_ROOT

The library is installed below a directory of the test's own. JFREC_TEST_PYTHON names another Python
than the one that runs this. lib/bindings/python/tests/check.py has the tests.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile

jfrec, root, build = (os.path.realpath(a) for a in sys.argv[1:])
PACKAGE = root + "/lib/bindings/python"


def leave(why):
    print("1..0 # SKIP", why)
    sys.exit()


def run(*args, **env):
    done = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", env={**os.environ, **env})
    if done.returncode:
        print("not ok 1 -", " ".join(args[:3]))
        print("\n".join("# " + line for line in done.stdout.splitlines()[-30:]))
        print("1..1")
        sys.exit(1)
    return done.stdout


def build_package(work):
    """Where the package is, and its library."""
    run("meson", "install", "-C", build, "--no-rebuild", "--quiet", DESTDIR=work + "/root")
    found = glob.glob(work + "/root/**/libjfrec.pc", recursive=True)
    assert found, "libjfrec.pc is not installed"
    library = glob.glob(work + "/root/**/libjfrec.so", recursive=True)
    with open(library[0], "rb") as f:
        if b"__asan_init" in f.read():
            leave("Python cannot load a library with sanitizers")
    pc = os.path.dirname(found[0])
    # As if it had been built for that directory.
    with open(found[0], encoding="utf-8") as f:
        text = f.read()
    with open(found[0], "w", encoding="utf-8") as f:
        f.write(re.sub(r"(?m)^(prefix=)", r"\g<1>" + work + "/root", text))
    run("meson", "setup", work + "/build", PACKAGE, "--prefix", work + "/prefix",
        "--libdir", "lib", "-Dwerror=true", PKG_CONFIG_PATH=pc)
    run("meson", "install", "-C", work + "/build", "--quiet")
    module = glob.glob(work + "/prefix/**/jfrec/__init__.py", recursive=True)
    return os.path.dirname(os.path.dirname(module[0])), os.path.dirname(pc)


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
    python = os.environ.get("JFREC_TEST_PYTHON", sys.executable)
    if not shutil.which("meson"):
        leave("there is no meson")
    if python == sys.executable and not os.path.exists(
            sysconfig.get_paths()["include"] + "/Python.h"):
        leave("there is no Python.h (python3-dev)")
    with tempfile.TemporaryDirectory() as work:
        package, libraries = build_package(work)
        jvm = start_jvm(work)
        try:
            done = subprocess.run(
                [python, PACKAGE + "/tests/check.py", jfrec, root] + ([str(jvm.pid)] if jvm else []),
                env={**os.environ, "PYTHONPATH": package, "LD_LIBRARY_PATH": libraries})
        finally:
            if jvm:
                jvm.stdin.close()
                jvm.wait()
    sys.exit(done.returncode)


main()
