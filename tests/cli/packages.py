#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What writes packages of Python and images writes the same bytes each time, and one version.

usage: packages.py JFREC SOURCE_ROOT

The packages here have stand-ins for programs. tests/release_wheels.sh and tests/release_image.sh
make the real ones, and install them.
"""

import base64
import csv
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result, skip  # noqa: E402

root = os.path.realpath(sys.argv[2])
# Two that differ in what must not matter.
HERE = {"TZ": "UTC0", "LC_ALL": "C", "SOURCE_DATE_EPOCH": "1795000000"}
THERE = {"TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8", "SOURCE_DATE_EPOCH": "1795000000"}


def read(path):
    with open(path, "rb") as f:
        return f.read()


def write(path, data, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)
    os.chmod(path, mode)


def version_in(path):
    found = re.search(r"""\bversion *[:=] *['"]([0-9.]+)['"]""", read(f"{root}/{path}").decode())
    return found and found[1]


def check_versions():
    of = {path: version_in(path) for path in (
        "meson.build", "lib/bindings/python/meson.build", "lib/bindings/recorder-python/meson.build",
        "lib/bindings/recorder-rust/Cargo.toml")}
    result(len(set(of.values())) == 1, "all packages have one version", of)


def twice(name, write_to):
    """What is written in one place, if the same is written in another."""
    written = []
    for umask, environment in ((0o022, HERE), (0o077, THERE)):
        with tempfile.TemporaryDirectory() as work:
            before = os.umask(umask)
            try:
                command = write_to(work)
            finally:
                os.umask(before)
            done = subprocess.run(["sh", "-c", f'umask {umask:03o}; exec "$@"', "sh", *command], text=True,
                                  capture_output=True, env={**os.environ, **environment})
            path = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else ""
            written.append(read(path) if done.returncode == 0 else done.stderr.encode())
    result(written[0] == written[1] and len(written[0]) > 500, f"{name}: the same bytes each time",
           written[0][:300], written[1][:300])
    return io.BytesIO(written[0])


def check_wheel():
    def write_to(work):
        write(work + "/tree/jfrec/b.py", b"B = 1\n")
        write(work + "/tree/jfrec/a.py", b"A = 1\n")
        write(work + "/tree/jfrec-1.2.3.data/scripts/jfrec", b"#!/bin/sh\n", 0o755)
        return [sys.executable, root + "/tools/pack_python.py", "wheel", root + "/lib/bindings/python",
                "1.2.3", "cp310-abi3-manylinux_2_28_x86_64", work + "/tree", work, root + "/LICENSE"]

    with zipfile.ZipFile(twice("a wheel", write_to)) as archive:
        names = archive.namelist()
        modes = {i.filename: i.external_attr >> 16 for i in archive.infolist()}
        record = list(csv.reader(io.StringIO(archive.read("jfrec-1.2.3.dist-info/RECORD").decode())))
        metadata = archive.read("jfrec-1.2.3.dist-info/METADATA").decode()
        wrong = [name for name, digest, size in record[:-1] if digest != "sha256=" + base64.urlsafe_b64encode(
            hashlib.sha256(archive.read(name)).digest()).decode().rstrip("=") or
            int(size) != len(archive.read(name))]
    result([row[0] for row in record] == names and not wrong, "a wheel: RECORD has each file", record, names)
    result([name for name, mode in modes.items() if mode & 0o111] == ["jfrec-1.2.3.data/scripts/jfrec"],
           "a wheel: what may be run is the command", modes)
    result("\nName: jfrec\nVersion: 1.2.3\n" in metadata and "\nRequires-Python: >=3.10\n" in metadata,
           "a wheel: it says what it is", metadata[:300])


def check_sdist():
    with tarfile.open(fileobj=twice("a source package", lambda work: [
            sys.executable, root + "/tools/pack_python.py", "sdist", root + "/lib/bindings/python", "1.2.3",
            work, root + "/LICENSE"])) as archive:
        names = archive.getnames()
    needed = {f"jfrec-1.2.3/{name}" for name in ("PKG-INFO", "LICENSE", "pyproject.toml", "meson.build",
                                                 "src/module.c", "jfrec/__init__.py")}
    result(needed <= set(names) and not [n for n in names if "/tests/" in n], "a source package: its files",
           names)


def blob(archive, descriptor):
    return archive.extractfile("blobs/sha256/" + descriptor["digest"].partition(":")[2]).read()


def check_layer(manifest, archive):
    config = json.loads(blob(archive, manifest["config"]))
    with tarfile.open(fileobj=io.BytesIO(blob(archive, manifest["layers"][0]))) as layer:
        files = {m.name: (m.mode, m.uid, m.isdir()) for m in layer}
    result(files == {"LICENSE": (0o644, 0, False), "THIRD-PARTY": (0o644, 0, False), "tmp": (0o1777, 0, True),
                     "usr": (0o755, 0, True), "usr/bin": (0o755, 0, True),
                     "usr/bin/jfrec": (0o755, 0, False)}, f"an image: what is in it: {config['architecture']}",
           files)
    result(config["config"]["User"] == "65532:65532" and config["config"]["Entrypoint"] == ["/usr/bin/jfrec"],
           "an image: it starts jfrec, and not as root", config)


def check_image():
    def write_to(work):
        for architecture in ("amd64", "arm64"):
            name = f"jfrec-1.2.3-linux-{architecture}"
            write(f"{work}/{name}/bin/jfrec", b"#!/bin/sh\n", 0o755)
            write(f"{work}/{name}/LICENSE", b"MIT\n")
            write(f"{work}/{name}/THIRD-PARTY", b"nothing\n")
            with tarfile.open(f"{work}/{name}.tar.gz", "w:gz") as archive:
                archive.add(f"{work}/{name}", name)
        return ["sh", root + "/tools/build-image", work + "/jfrec-1.2.3-linux-amd64.tar.gz",
                work + "/jfrec-1.2.3-linux-arm64.tar.gz", work + "/out"]

    with tarfile.open(fileobj=twice("an image", write_to)) as archive:
        names = json.load(archive.extractfile("index.json"))["manifests"]
        result([n["annotations"]["org.opencontainers.image.ref.name"] for n in names] ==
               ["1.2.3", "1.2.3-amd64", "1.2.3-arm64"], "an image: its names", names)
        wrong = [m.name for m in archive if m.name.startswith("blobs/sha256/") and
                 hashlib.sha256(archive.extractfile(m).read()).hexdigest() != m.name[13:]]
        result(not wrong, "an image: each part has its digest as its name", wrong)
        for each in json.loads(blob(archive, names[0]))["manifests"]:
            check_layer(json.loads(blob(archive, each)), archive)


def main():
    check_versions()
    if sys.version_info < (3, 11):
        skip("packages", "Python 3.11 is needed to write them")
    else:
        check_wheel()
        check_sdist()
        check_image()
    finish()


main()
