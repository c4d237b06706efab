#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make the seeds of fuzz_archive: archives of a small recording, whole and damaged.

usage: archives.py RECORDING DIRECTORY
"""
import base64
import bz2
import gzip
import io
import lzma
import struct
import sys
import tarfile
import zipfile

recording = open(sys.argv[1], "rb").read()
DATE = (2026, 11, 20, 9, 0, 0)


class Pipe(io.RawIOBase):
    """Where zipfile cannot go back, it writes the sizes behind the bytes."""

    def __init__(self):
        self.bytes = bytearray()

    def writable(self):
        return True

    def write(self, data):
        self.bytes += data
        return len(data)


def made_zip(files, packing=zipfile.ZIP_DEFLATED, to=None):
    to = to or io.BytesIO()
    with zipfile.ZipFile(to, "w", packing) as z:
        for name, data in files:
            info = zipfile.ZipInfo(name, DATE)
            info.compress_type = packing
            z.writestr(info, data)
    return bytes(to.bytes) if isinstance(to, Pipe) else to.getvalue()


def made_tar(files, format=tarfile.PAX_FORMAT, mode="w"):
    to = io.BytesIO()
    with tarfile.open(fileobj=to, mode=mode, format=format) as t:
        for name, data in files:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            t.addfile(info, io.BytesIO(data))
        link = tarfile.TarInfo("link.jfr")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        t.addfile(link)
    return to.getvalue()


one = [("dir/x.jfr", recording)]
several = [("README", b"text"), ("b.jfr", recording), ("a.jfr.gz", gzip.compress(recording, mtime=0))]
plain = made_zip(one)
central = plain.rindex(b"PK\1\2")

seeds = {
    "zip": plain,
    "zip-stored": made_zip(one, zipfile.ZIP_STORED),
    "zip-bzip2": made_zip(one, zipfile.ZIP_BZIP2),
    "zip-several": made_zip(several),
    "zip-piped": made_zip(several, to=Pipe()),
    "zip-cut": made_zip(several, to=Pipe())[:-400],
    "zip-empty": made_zip([]),
    "zip-encrypted": plain[:central + 8] + b"\1" + plain[central + 9:],
    "zip-overlap": plain[:central] + 2 * plain[central:-22] +
                   struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 2, 2,
                               2 * (len(plain) - 22 - central), central, 0),
    "zip-large": plain[:central + 20] + b"\xff" * 8 + plain[central + 28:],
    "tar": made_tar(several),
    "tar-gnu": made_tar([("x" * 150 + "/" + "y" * 120 + ".jfr", recording)], tarfile.GNU_FORMAT),
    "tar-pax": made_tar([("x" * 150 + "/" + "é" * 80 + ".jfr", recording)]),
    "tar-cut": made_tar(several)[:3000],
    "tar-gz": gzip.compress(made_tar(several), mtime=0),
    "tar-in-zip": made_zip([("x.tar.xz", lzma.compress(made_tar(one))), ("y.tar", made_tar(one))]),
    "zip-in-zip": made_zip([("z.zip", made_zip([("x.zip", plain)])), ("y.zip", plain)]),
    "bzip2": bz2.compress(recording),
    "base64": base64.encodebytes(recording),
    "base64-gzip": base64.b64encode(gzip.compress(recording, mtime=0)),
}
for name, data in seeds.items():
    with open(f"{sys.argv[2]}/{name}.bin", "wb") as f:
        f.write(data)
