#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write a wheel or a source package of Python, the same bytes each time.

usage: pack_python.py wheel PROJECT VERSION TAG TREE DIRECTORY [LICENCE...]
       pack_python.py sdist PROJECT VERSION DIRECTORY [LICENCE...]

PROJECT has pyproject.toml and the README; TREE is what the wheel installs, as it installs it. The
licences go into both. The time of everything is $SOURCE_DATE_EPOCH. Prints the path of the result.
"""

import base64
import gzip
import hashlib
import io
import os
import sys
import tarfile
import time
import tomllib
import zipfile

EPOCH = int(os.environ["SOURCE_DATE_EPOCH"])
LEFT_OUT = ("__pycache__", "tests")  # the tests need the whole repository


def read(path):
    with open(path, "rb") as f:
        return f.read()


def files_below(directory):
    """Pairs of a name with slashes and the bytes, sorted by name."""
    found = {}
    for folder, folders, names in os.walk(directory):
        folders[:] = [f for f in folders if f not in LEFT_OUT]
        for name in names:
            path = os.path.join(folder, name)
            found[os.path.relpath(path, directory)] = read(path)
    return sorted(found.items())


def project_of(directory):
    return tomllib.loads(read(directory + "/pyproject.toml").decode())["project"]


def metadata(directory, version):
    """The package in the words of the core metadata; the README is its description."""
    project = project_of(directory)
    fields = [("Metadata-Version", "2.1"), ("Name", project["name"]), ("Version", version),
              ("Summary", project["description"]), ("License", project["license"]["text"]),
              ("Requires-Python", project["requires-python"]),
              ("Description-Content-Type", "text/markdown")]
    head = "".join(f"{name}: {value}\n" for name, value in fields)
    return (head + "\n").encode() + read(f"{directory}/{project['readme']}")


def file_name(project, version):
    return project["name"].replace("-", "_") + "-" + version


def record_row(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def write_zip(path, files):
    """What is installed as a command may be run."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in files:
            info = zipfile.ZipInfo(name, time.gmtime(max(EPOCH, 315532800))[:6])  # 1980, not earlier
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3  # Unix: the modes count
            info.external_attr = (0o100755 if ".data/scripts/" in name else 0o100644) << 16
            archive.writestr(info, data)


def wheel(directory, version, tag, tree, out, *licences):
    name = file_name(project_of(directory), version)
    info = name + ".dist-info/"
    root = f"Root-Is-Purelib: {'true' if tag.endswith('-any') else 'false'}\n"
    files = files_below(tree) + [(info + "licenses/" + os.path.basename(p), read(p)) for p in licences]
    files.append((info + "METADATA", metadata(directory, version)))
    files.append((info + "WHEEL", ("Wheel-Version: 1.0\nGenerator: jfrec\n" + root + f"Tag: {tag}\n").encode()))
    record = "".join(record_row(*file) for file in files) + info + "RECORD,,\n"
    path = f"{out}/{name}-{tag}.whl"
    write_zip(path, files + [(info + "RECORD", record.encode())])
    return path


def sdist(directory, version, out, *licences):
    name = file_name(project_of(directory), version)
    files = files_below(directory) + [(os.path.basename(p), read(p)) for p in licences]
    files.append(("PKG-INFO", metadata(directory, version)))
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, data in sorted(files):
            info = tarfile.TarInfo(f"{name}/{path}")
            info.size, info.mtime, info.mode = len(data), EPOCH, 0o644
            archive.addfile(info, io.BytesIO(data))
    path = f"{out}/{name}.tar.gz"
    with open(path, "wb") as f, gzip.GzipFile("", "wb", 9, f, EPOCH) as zipped:
        zipped.write(packed.getvalue())
    return path


if __name__ == "__main__":
    if len(sys.argv) < 5 or sys.argv[1] not in ("wheel", "sdist"):
        sys.exit(__doc__.split("\n\n")[1])
    print({"wheel": wheel, "sdist": sdist}[sys.argv[1]](*sys.argv[2:]))
