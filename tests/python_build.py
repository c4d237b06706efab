# SPDX-License-Identifier: MIT
"""Build the Python package against the library as it is installed, for tests of it.

The library is installed below a directory of the test's own.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import sysconfig

PYTHON = os.environ.get("JFREC_TEST_PYTHON", sys.executable)


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


def build_package(root, build, work):
    """Where the package is, and its library."""
    if not shutil.which("meson"):
        leave("there is no meson")
    if PYTHON == sys.executable and not os.path.exists(
            sysconfig.get_paths()["include"] + "/Python.h"):
        leave("there is no Python.h (python3-dev)")
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
    run("meson", "setup", work + "/build", root + "/lib/bindings/python", "--prefix", work + "/prefix",
        "--libdir", "lib", "-Dwerror=true", PKG_CONFIG_PATH=pc)
    run("meson", "install", "-C", work + "/build", "--quiet")
    module = glob.glob(work + "/prefix/**/jfrec/__init__.py", recursive=True)
    return os.path.dirname(os.path.dirname(module[0])), os.path.dirname(pc)
