#!/usr/bin/env python3
# A recording that was sent as text is recognised, and read as it was where that is known.
#
# usage: mangled.py JFREC SOURCE_ROOT

import gzip
import io
import os
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402
from v0_file import UTF, Chunk, hotspot  # noqa: E402

jfrec, root = map(os.path.abspath, sys.argv[1:3])
os.chdir(tempfile.mkdtemp())


def data(name):
    with open(os.path.join(root, "tests/data/ok", name + ".jfr"), "rb") as f:
        return f.read()


def run(name, made, *args):
    with open(name, "wb") as f:
        f.write(made)
    return subprocess.run([jfrec, *(args or ["print"]), name], capture_output=True, timeout=120, check=False)


def zipped(b):
    to = io.BytesIO()
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("x.jfr", b)
    return to.getvalue()


def returns(b):
    return b.replace(b"\n", b"\r\n")


def latin1(b):
    return b.decode("latin-1").encode()


pairs = data("jvm-17").replace(b"\0\0\0", b"\r\n\0", 1)
for what, whole in (("a JVM's", data("jvm-25")), ("two chunks", data("jvm-17")), ("several files", data("jvm-25") + data("jvm-17"))):
    plain = run("x.jfr", whole)
    for how, made, words in (("LF to CR LF", returns(whole), "a carriage return before each line feed"),
                             ("Latin-1 as UTF-8", latin1(whole), "two bytes of each from 80 to ff")):
        got = run("x.jfr", made)
        result(got.stdout == plain.stdout and got.returncode == 1 and words in got.stderr.decode(), f"{what}: {how}", got.stderr)
        got = subprocess.run([jfrec, "print", "-"], input=made, capture_output=True, timeout=120, check=False)
        result(got.stdout == plain.stdout and got.returncode == 1 and words in got.stderr.decode(), f"{what}: {how}, through a pipe", got.stderr)
        got = run("x.jfr.gz", gzip.compress(made, 1))
        result(got.stdout == plain.stdout and got.returncode == 1 and words in got.stderr.decode(), f"{what}: {how}, compressed", got.stderr)
        got = run("x.jfr", made, "repair", "--force", "-o", "y.jfr")
        with open("y.jfr", "rb") as f:
            result(f.read() == whole and words in got.stderr.decode(), f"{what}: {how}, repaired", got.stdout, got.stderr)
    result(not plain.stderr, f"{what}: nothing is said of the recording itself", plain.stderr)
whole = data("jvm-25")
result(returns(returns(whole)) != returns(whole) and b"\r\r\n" in returns(pairs), "CR LF becomes CR CR LF")
got = run("x.jfr", whole.decode("utf-8", "replace").encode())
result(got.returncode == 1 and "replaced each byte from 80 to ff by U+FFFD" in got.stderr.decode(), "U+FFFD is named", got.stderr)
for name in ("jvm-17", "fields-17", "settings-17"):
    whole = data(name)
    plain = run("x.jfr", whole)
    made = whole.replace(b"\r\n", b"\n")
    got = run("x.jfr", made)
    lost = len(whole) - len(made)
    result(got.stdout == plain.stdout and got.returncode == 1 and "took the carriage return from each CR LF" in got.stderr.decode(),
           f"{name}: {lost} CR LF that are LF", got.stderr)
    got = run("x.jfr", made, "repair", "--force", "-o", "y.jfr")
    with open("y.jfr", "rb") as f:
        result(f.read() == whole, f"{name}: {lost} carriage returns stand where they were, repaired", got.stdout, got.stderr)
    for what, packed in (("gzip", gzip.compress(made, 1)), ("a zip archive", zipped(made))):
        got = run("packed", packed)
        result(got.stdout == plain.stdout and b"as text" in got.stderr, f"{name}: the same in {what}", got.stderr)
    with open("x.jfr", "rb") as f:
        got = subprocess.run([jfrec, "summary", "-"], stdin=f, capture_output=True, timeout=120, check=False)
    result(b"as text" in got.stderr, f"{name}: the same of standard input that is a file", got.stderr)
whole = data("jvm-25")
got = run("x.jfr", whole[:5000] + whole[5001:])
result("as text" not in got.stderr.decode(), "other damage is not", got.stderr[:300])
got = run("x.jfr", data("jvm-17").replace(b"\r\n", b"\n")[:-3], "summary")
result("of 13 carriage returns that are put back, 3 may belong elsewhere" in got.stderr.decode(),
       "what else lacks is told", got.stderr)
got = run("x.jfr", data("jvm-25").replace(b"\r\n", b"\n\n")[:-3])
result("as text" not in got.stderr.decode(), "nor is one that was cut off, and has no CR LF by chance", got.stderr[:300])
got = run("x.jfr", data("jvm-17").replace(b"\r\n", b"\n\n")[:-7])
result("as text" not in got.stderr.decode(), "nor is one that lacks bytes at its end", got.stderr[:300])
got = run("x.jfr", returns(whole)[:-20])
result("before each line feed" not in got.stderr.decode(), "nothing is undone where the sizes do not fit then", got.stderr[:300])
p = hotspot()
chunk = Chunk(p)
for ms in range(200):
    chunk.lost(ms, 12, 2560 + ms)
chunk.checkpoint(300, (p, UTF, {1: ["a"]}))
whole = chunk.data()
plain = run("x.jfr", whole)
for how, made in (("LF to CR LF", returns(whole)), ("Latin-1 as UTF-8", latin1(whole))):
    got = run("x.jfr", made)
    result(got.stdout == plain.stdout and got.returncode == 1 and b"as text" in got.stderr, f"version 0.9: {how}", got.stderr)
result(plain.stdout.count(b"jdk.DataLoss") == 200 and not plain.stderr, "version 0.9 itself", plain.stderr)
old = (b"FLR\0\0\0\0\x09" + os.urandom(3 << 20)).replace(b"\r\n", b"\n")
got = run("x.jfr", old)
result("as text" not in got.stderr.decode(), "nor is one of version 0.9, whose sizes stand elsewhere", got.stderr[:300])
finish()
