#!/usr/bin/env python3
# Recordings in archives, in bzip2 and in base64 are read as if they were files; and archives that are
# made to do harm, or are damaged, cost little and are named.
#
# usage: archives.py JFREC SOURCE_ROOT

import base64
import bz2
import gzip
import io
import json
import lzma
import os
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402

jfrec, root = map(os.path.abspath, sys.argv[1:3])
work = tempfile.mkdtemp()
os.chdir(work)
MB = 1 << 20
SECONDS = 10    # of CPU time, for what takes less than two
MEMORY = 256    # MB of a process; jfrec(1) states as much

# The sanitizers remember what was freed, and keep a byte for eight.
with open(jfrec, "rb") as f:
    MEMORY *= 4 if b"__asan_init" in f.read() else 1
DATE = (2026, 11, 20, 9, 0, 0)


def data(name):
    with open(os.path.join(root, "tests/data/ok", name + ".jfr"), "rb") as f:
        return f.read()


def put(name, made):
    with open(name, "wb") as f:
        f.write(made)
    return name


class Run:
    """What a command printed, and what it took."""

    def __init__(self, *args, stdin=None):
        before = set(os.listdir("."))
        with open("out", "w+b") as out, open("err", "w+b") as err:
            p = subprocess.Popen([jfrec, *args], stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
                                 stdout=out, stderr=err)
            if stdin:
                try:
                    p.stdin.write(stdin)
                    p.stdin.close()
                except BrokenPipeError:
                    pass
            _, status, usage = os.wait4(p.pid, 0)
            p.returncode = self.status = os.waitstatus_to_exitcode(status)
            out.seek(0)
            err.seek(0)
            self.out, self.err = out.read(), err.read().decode("utf-8", "replace")
        self.seconds, self.memory = usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024
        self.made = set(os.listdir(".")) - before - {"out", "err"}

    def cheap(self):
        return self.seconds < SECONDS and self.memory < MEMORY and not self.made

    def __str__(self):
        return f"exit {self.status}, {self.seconds:.1f} s, {self.memory} MB, made {self.made}: {self.err[:600]}"


class Pipe(io.RawIOBase):
    """Where zipfile cannot go back, it writes the sizes behind the bytes."""

    def __init__(self):
        self.bytes = bytearray()

    def writable(self):
        return True

    def write(self, b):
        self.bytes += b
        return len(b)


def made_zip(files, packing=zipfile.ZIP_DEFLATED, to=None):
    to = to or io.BytesIO()
    with zipfile.ZipFile(to, "w", packing, compresslevel=None) as z:
        for name, content in files:
            info = zipfile.ZipInfo(name, DATE)
            info.compress_type = packing
            z.writestr(info, content)
    return bytes(to.bytes) if isinstance(to, Pipe) else to.getvalue()


def made_tar(files, mode="w", form=tarfile.PAX_FORMAT):
    to = io.BytesIO()
    with tarfile.open(fileobj=to, mode=mode, format=form) as t:
        for f in files:
            info = f[0] if isinstance(f[0], tarfile.TarInfo) else tarfile.TarInfo(f[0])
            info.size = len(f[1]) if info.isreg() else 0
            t.addfile(info, io.BytesIO(f[1]))
    return to.getvalue()


def zstd(b):
    return subprocess.run(["zstd", "-qc"], input=b, stdout=subprocess.PIPE, check=True).stdout


a, b, c = data("jvm-25"), data("jvm-17"), data("text-25")
put("a.jfr", a)
os.mkdir("d")
for name, content in (("a", a), ("b", b), ("c", c)):
    put(f"d/{name}.jfr", content)
one = [("in/README.md", b"text " * 400), ("in/a.jfr", a), ("hs_err_pid1.log", b"#\n# A fatal error\n" * 40)]
several = [("c.jfr", c), ("in/a.jfr", a), ("in/README", b"text"), ("b.bin", b)]

# Equal to the plain file ---------------------------------------------------------------------------

def made_zip64():
    to = io.BytesIO()
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as z:
        with z.open(zipfile.ZipInfo("a.jfr", DATE), "w", force_zip64=True) as f:
            f.write(a)
        link = zipfile.ZipInfo("b.jfr", DATE)
        link.external_attr = 0o120777 << 16
        z.writestr(link, "/etc/passwd")
    # The sizes in the list are in its extra bytes, too.
    made = to.getvalue()
    at = made.index(b"PK\1\2")
    sizes = made[at + 20:at + 28]
    large = b"\1\0\x10\0" + sizes[4:] + bytes(4) + sizes[:4] + bytes(4)
    listed = made[at:at + 20] + b"\xff" * 8 + made[at + 28:at + 30] + struct.pack("<H", len(large)) + made[at + 32:at + 51] + large
    listed += made[at + 51:-22]
    return made[:at] + listed + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 2, 2, len(listed), at, 0)


packed = {
    "zip with sizes of 64 bits": made_zip64(),
    "zip": made_zip(one),
    "zip that stores": made_zip(one, zipfile.ZIP_STORED),
    "zip of bzip2": made_zip(one, zipfile.ZIP_BZIP2),
    "zip written to a pipe": made_zip(one, to=Pipe()),
    "zip of a .jfr.gz": made_zip([("a.jfr.gz", gzip.compress(a))]),
    "tar": made_tar(one),
    "tar of GNU, long name": made_tar([("x" * 300 + ".jfr", a)], form=tarfile.GNU_FORMAT),
    "tar of POSIX, long name": made_tar([("é" * 300 + ".jfr", a)]),
    "tar of 1988": made_tar(one, form=tarfile.USTAR_FORMAT),
    "tar of a .jfr.xz": made_tar([("a.jfr.xz", lzma.compress(a))]),
    "tar.gz": made_tar(one, "w:gz"),
    "tar.bz2": made_tar(one, "w:bz2"),
    "tar.xz": made_tar(one, "w:xz"),
    "zip of a tar.gz": made_zip([("a.tar.gz", made_tar(one, "w:gz")), ("log", b"x")]),
    "tar of a zip": made_tar([("a.zip", made_zip(one))]),
    "bz2": bz2.compress(a),
    "bz2 in two parts": bz2.compress(a[:9999]) + bz2.compress(a[9999:]),
    "base64": base64.b64encode(a),
    "base64 of mail": base64.encodebytes(a).replace(b"\n", b"\r\n"),
    "base64 for URLs": base64.urlsafe_b64encode(a).rstrip(b"="),
    "base64 of gzip": base64.encodebytes(gzip.compress(a)),
    "base64 of a zip": base64.encodebytes(made_zip(one)),
}
if shutil.which("zstd"):
    packed["tar.zst"] = zstd(made_tar(one))
commands = [["summary"], ["print"], ["print", "--json"], ["metadata"], ["view", "all-views"],
            ["query", "SELECT name, COUNT(*) FROM ActiveSetting GROUP BY name"], ["flame", "--format", "collapsed"]]
plain = {" ".join(words): Run(*words, "a.jfr") for words in commands}
for what, made in packed.items():
    put("x", made)
    for words in commands if what in ("zip", "tar.gz") else commands[:2]:
        got, want = Run(*words, "x"), plain[" ".join(words)]
        result((got.out, got.status) == (want.out, want.status) and not got.made, f"{what}: {words[0]}", got)
    got = Run("summary", "-", stdin=made)
    result((got.out, got.status) == (plain["summary"].out, 0), f"{what}: through a pipe", got)

# Commands that write, or name the recording: what they write is the same.
put("x.zip", packed["zip"])
for words in (["filter", "--events", "jdk.GC*"], ["merge"], ["scrub"], ["repair"], ["report", "--format", "json"], ["export", "--format", "sqlite"]):
    for name, to in (("a.jfr", "want"), ("x.zip", "got")):
        got = Run(*words, name, "-o", to, *(["--force"] if words[0] != "export" else []))
        result(got.status == (1 if words[0] == "repair" and got.status else 0), f"{words[0]} of {name}", got)
    if words[0] in ("filter", "merge", "scrub", "repair"):
        with open("want", "rb") as f, open("got", "rb") as g:
            result(f.read() == g.read(), f"{words[0]} of an archive writes the same")
    os.remove("want")
    os.remove("got")
os.mkdir("parts")
got = Run("split", "x.zip", "-o", "parts")
result(got.status == 0 and len(os.listdir("parts")) == 2, "split", got, os.listdir("parts"))
got = Run("merge", "--force", "x.zip", "-o", "x.zip")
result(got.status == 2 and "would replace an input" in got.err and open("x.zip", "rb").read() == packed["zip"],
       "the archive is not replaced by what is read of it", got)

# Equal to a directory ------------------------------------------------------------------------------

for what, made in (("zip", made_zip(several)), ("zip that stores", made_zip(several, zipfile.ZIP_STORED)),
                   ("tar", made_tar(several)), ("tar.gz", made_tar(several, "w:gz")),
                   ("zip of a tar.gz and a recording", made_zip([("x.tgz", made_tar(several[:2], "w:gz")), ("b", b)]))):
    put("x", made)
    for words in (["summary"], ["print"], ["view", "gc"], ["summary", "--jobs", "4"]):
        got, want = Run(*words, "x"), Run(*words, "d")
        result((got.out, got.status) == (want.out, want.status) and not got.made,
               f"{what} of several: {' '.join(words)}", got)
    for words in (["merge"], ["filter", "--events", "CPULoad"]):
        got, want = Run(*words, "x", "-o", "got.jfr", "--force"), Run(*words, "d", "-o", "want.jfr", "--force")
        result(open("got.jfr", "rb").read() == open("want.jfr", "rb").read(), f"{what} of several: {words[0]}", got)
got, want = Run("summary", "x", "a.jfr", "x"), Run("summary", "d", "a.jfr", "d")
result((got.out, got.status) == (want.out, want.status), "archives among other recordings", got)

# Damage --------------------------------------------------------------------------------------------


def says(what, made, words, *, status=1, out=None, command="summary", pipe=False):
    put("x.zip", made)
    got = Run(command, "-", stdin=made) if pipe else Run(command, "x.zip")
    good = got.status == status and all(w in got.err for w in words) and got.cheap()
    result(good and (out is None or got.out == out), what, got)
    return got


empty = b""
summary = plain["summary"].out
whole = made_zip(one)
central = whole.rindex(b"PK\1\2", 0, whole.rindex(b"PK\1\2"))    # of a.jfr
says("no recording in a zip", made_zip([("README", b"x" * 99)]), ["x.zip: is a zip archive without recordings"], out=empty)
says("an empty zip", made_zip([]), ["is a zip archive without recordings"], out=empty)
says("no recording in a tar", made_tar([("README", b"x" * 99)]), ["is a tar archive without recordings"], out=empty)
says("a recording that is none", made_zip([("a.jfr", b"text" * 99)]), ["x.zip: a.jfr: is not a recording"], out=empty)
says("two of them", made_zip([("a.jfr", b"text" * 99), ("b.jfr", b"text" * 99)]),
     ["without recordings that can be read", "a.jfr"], out=empty)
got = says("a recording, and one that is none", made_zip([("a.jfr", a), ("b.jfr", b"text" * 99)]),
           ["x.zip: b.jfr: is not a recording"], out=summary)
says("one that macOS adds", made_zip([("a.jfr", a), ("__MACOSX/._a.jfr", b"\0\5\x16\7" + bytes(99))]), [], status=0, out=summary)
says("encrypted", whole[:central + 8] + b"\1" + whole[central + 9:], ["x.zip: ", "in/a.jfr is encrypted; decrypt it"], out=empty)
says("Deflate64", whole[:central + 10] + b"\x09" + whole[central + 11:], ["in/a.jfr is packed with Deflate64"], out=empty)
says("a wrong checksum", whole[:central + 16] + b"1234" + whole[central + 20:], ["in/a.jfr", "checksum"])
says("a wrong size", whole[:central + 24] + b"\1\0\0\0" + whole[central + 28:], ["in/a.jfr", "bytes, not to the 1 "])
says("a size beyond the archive", whole[:central + 20] + b"\xff\xff\xff\x7f" + whole[central + 24:], [])
says("offsets beyond the archive", whole[:central + 42] + b"\xff\xff\xff\x7f" + whole[central + 46:],
     ["in/a.jfr is not where the archive says"], out=empty)
stored = made_zip(one, zipfile.ZIP_STORED)
says("a zip that was cut off", stored[:-30], ["the zip archive has lost its list of contents"], out=summary)
piped = made_zip([("a.jfr", a), ("b.jfr", b)], to=Pipe())
says("one written to a pipe that was cut off", piped[:piped.index(b"PK\3\4", 9) + 5000],
     ["has lost its list", "x.zip: b.jfr", "the deflated data is truncated"])
result(Run("print", "x.zip").out.startswith(plain["print"].out), "what is whole in it is read")
says("a zip that was cut off in its only recording", stored[:-len(a) // 2], ["lost its list", "x.zip: in/a.jfr"])
tar = made_tar([("a.jfr", a), ("b.jfr", b)])
says("a tar that was cut off", tar[:len(a) + 9000], ["b.jfr is truncated", "x.zip: b.jfr: "])
result(Run("print", "x.zip").out.startswith(plain["print"].out), "what is whole in it is read, too")
says("a tar.gz that was cut off", gzip.compress(tar)[:-9000], ["the gzip data is truncated", "x.zip: b.jfr: "])
at = 512 + (len(a) + 511) // 512 * 512
says("a tar whose second header is damaged", tar[:at + 9] + b"?" + tar[at + 10:],
     [f"the tar archive is damaged at byte {at}"], out=summary)
says("base64 with other characters", base64.b64encode(a)[:90000] + b"%%%", ["the base64 text has another character at byte 90000"])
says("bzip2 that was cut off", bz2.compress(a)[:-2000], ["the bzip2 data is truncated"])

# Harm ----------------------------------------------------------------------------------------------

overlap = (whole[:central] + 2 * whole[central:-22] +
           struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 3, 3, 2 * (len(whole) - 22 - central), central, 0))
says("files that share their bytes", overlap, ["in/a.jfr shares its bytes with other files"], out=empty)
names = [("../../../a.jfr", a), ("/etc/b.jfr", b), ("\x1b[31m\n.jfr", b"text" * 99)]
got = says("names that lead elsewhere", made_zip(names), ["x.zip: ^[[31m^J.jfr: is not"])
result(not os.path.exists("../../../a.jfr"), "nothing is written by its name")
says("the same in a tar", made_tar(names), ["x.zip: ^[[31m^J.jfr: is not"])


def entry(name, kind, link="", size=0):
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, link, size
    return info


links = [(entry("a.jfr", tarfile.SYMTYPE, os.path.abspath("a.jfr")), b""), (entry("b.jfr", tarfile.LNKTYPE, "../a.jfr"), b""),
         (entry("c.jfr", tarfile.CHRTYPE), b""), (entry("d.jfr", tarfile.FIFOTYPE), b""), (entry("e", tarfile.DIRTYPE), b"")]
says("links, devices and pipes in a tar", made_tar(links), ["is a tar archive without recordings"], out=empty)
says("the same with a recording", made_tar(links + [("f.jfr", a)]), [], status=0, out=summary)


def header(name, kind=b"0", size=0):
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, size
    return info.tobuf(tarfile.GNU_FORMAT)


end = bytes(1024)
file_a = header("a.jfr", size=len(a)) + a + bytes(-len(a) % 512)
says("a file of exabytes", file_a + header("b.jfr", size=1 << 62) + b, ["b.jfr is truncated: of 4611686018427387904 bytes"])
says("sparse files", header("s.jfr", b"S", 512) + bytes(512) + file_a + end, ["s.jfr is stored as a sparse file"], out=summary)
pax = b"30 GNU.sparse.realsize=1" + b"0" * 5 + b"\n"
pax = b"%d" % len(pax) + pax[2:]
says("sparse files of POSIX", header("x", b"x", len(pax)) + pax + bytes(512 - len(pax)) + header("s.jfr", size=512) + bytes(512) + file_a + end,
     ["s.jfr is stored as a sparse file"], out=summary)
with open("sparse", "wb") as f:
    f.write(file_a + header("b.jfr", size=1 << 40))
    f.truncate(1 << 40)
got = Run("summary", "sparse")
result(got.status == 1 and got.out == summary and got.cheap(), "a tar with a hole of a terabyte", got)
os.remove("sparse")


def put_zeros(f, first=b""):
    f.write(first)
    for _ in range(100):
        f.write(bytes(MB))
    f.close()


def bomb(how, first=b""):
    """100 MB of zeros behind the first bytes; never as a whole in memory: a child counts it as its own."""
    to = io.BytesIO()
    if how in ("zip", "zip of bzip2"):
        packing = zipfile.ZIP_DEFLATED if how == "zip" else zipfile.ZIP_BZIP2
        with zipfile.ZipFile(to, "w", packing, compresslevel=9) as z:
            put_zeros(z.open("a.jfr", "w"), first)
    else:
        put_zeros({"gzip": gzip, "bz2": bz2}[how].open(to, "wb"), first)
    return to.getvalue()


for what, made in (("zip", bomb("zip", a)), ("zip of bzip2", bomb("zip of bzip2", a)), ("bz2", bomb("bz2", a)),
                   ("zip of gzip", made_zip([("a.jfr.gz", bomb("gzip", a))])), ("gzip", bomb("gzip", a)),
                   ("tar.bz2", bomb("bz2", file_a + header("b.jfr", size=100 * MB)))):
    got = says(f"a bomb: {what}", made, [], out=summary)
    if what != "gzip" and what != "zip":    # deflate does not get that far
        result("expands to more than 1000 times its size" in got.err, f"a bomb: {what}: why", got)
says("a bomb that is no recording", made_zip([("README", bomb("bz2")), ("a.jfr", a)]), [], status=0, out=summary)
inner = bomb("zip")
says("bombs in a bomb", made_zip([(f"{i}.zip", inner) for i in range(99)]), ["without recordings"], out=empty)

deep = made_zip(one)
for _ in range(9):
    deep = made_zip([("x.zip", deep)])
says("archives in archives", deep, ["x.zip: x.zip is an archive in an archive in an archive; unpack it first"], out=empty)
says("the same through a pipe", deep, ["x.zip: x.zip is an archive in an archive"], out=empty, pipe=True)

many = made_zip([("a.jfr", a)] + [(f"{i:06}", b"x" * 40) for i in range(100000)] + [("b.jfr", b)], zipfile.ZIP_STORED)
says("100,002 files in a zip", many, ["has more than 100000 files; the others are left out"], out=summary)
says("the same through a pipe", many, ["has more than 100000 files"], out=summary, pipe=True)
many = b"".join([file_a] + [header("x", size=40) + bytes(512)] * 100000 + [file_a, end])    # once in memory
says("100,002 files in a tar.gz", gzip.compress(many, 1), ["has more than 100000 files; the others are left out"], out=summary)
many = made_zip([(f"{i}.zip", made_zip([("a.jfr", b"text" * 20)] * 1)) for i in range(2000)])
says("2000 archives in an archive", many, ["without recordings that can be read"], out=empty)
many = made_zip([("a.jfr", a)] + [(f"{i}.zip", b"PK\3\4" + os.urandom(100)) for i in range(200)])
got = says("many sentences are few", many, ["more of its files cannot be read"], out=summary)
result(got.err.count("\n") < 20, "less than 20", got.err.count("\n"))

# Each recording in it by itself --------------------------------------------------------------------

# By their names in the order of time, which is that in an archive; that of a directory is by name.
apart = [("a.jfr", b), ("b.jfr", a)]
os.mkdir("apart")
for name, content in apart:
    put("apart/" + name, content)


def analyzed(*args, of, before):
    """What is printed, without what stands before names, the operand of commands, and how lines break."""
    got = Run("analyze", *args, of)
    text, _, table = got.out.decode().partition("\nrecording ")
    for name, _ in apart if of == "apart" else []:
        text = text.replace("apart/" + name, "REC")
    text = text.replace(before, "")
    if of != "apart":
        text = text.replace(of, "REC")
    return got, text.split(), table.replace(before, "").split(), got.status, got.err


for what, made in (("zip", made_zip(apart)), ("tar", made_tar(apart)), ("tar.gz", made_tar(apart, "w:gz")),
                   ("base64 of a zip", base64.b64encode(made_zip(apart)))):
    put("x.zip", made)
    for args in ([], ["--json"], ["--ndjson"], ["--fail-on", "info"]):
        got, *printed = analyzed(*args, of="x.zip", before="x.zip: ")
        _, *want = analyzed(*args, of="apart", before="apart/")
        result(printed == want and got.out and not got.made, f"each by itself: {what} {' '.join(args)}", got, printed, want)
put("x.zip", made_zip(apart))
got = Run("analyze", "--json", os.path.abspath("x.zip"))
document = json.loads(got.out)
result(document["schema"] == "analyses" and document["recordings"] == ["x.zip: a.jfr", "x.zip: b.jfr"] and
       [d["recordings"] for d in document["analyses"]] == [["x.zip: a.jfr"], ["x.zip: b.jfr"]], "named in JSON", got)
got = Run("analyze", "x.zip")
result(b" x.zip\n" in got.out and b"jfrec view" in got.out, "commands name the archive", got.out)
for form in "sarif", "junit":
    got = Run("analyze", "--format", form, "x.zip")
    result(got.status == 2 and "is a document of one recording" in got.err, f"no {form} of several", got)
got = Run("analyze", "--duration", "1s", "x.zip")
result(got.status == 2 and got.err.count("are for a JVM") == 1, "what is for JVMs is refused once", got)

# One recording: as one file, as chunks, through a pipe, or too many.
put("x.zip", made_zip(one))
got, want = Run("analyze", "x.zip"), Run("analyze", "a.jfr")
result((got.out.replace(b"x.zip", b"a.jfr"), got.status) == (want.out, want.status), "one recording in an archive", got)
os.mkdir("chunks")
chunks = [("2026_11_22_10_00_00.jfr", b), ("2026_11_22_10_00_00_1.jfr", a)]
for name, content in chunks:
    put("chunks/" + name, content)
put("x.zip", made_zip([("repository/2026/" + name, content) for name, content in chunks]))
got, want = Run("analyze", "x.zip"), Run("analyze", "chunks")
result((got.out.replace(b"x.zip", b"chunks"), got.status) == (want.out, want.status), "chunks of a JVM are one", got)
got = Run("analyze", "-", stdin=made_zip(apart))
result(got.status == 0 and b"\nrecording " not in got.out, "from standard input it is one", got)
put("x.zip", made_zip([(f"r{i}.jfr", b) for i in range(65)]))
got = Run("analyze", "x.zip")
result(got.status == 0 and b"\nrecording " not in got.out and "has more than 64 recordings" in got.err, "65 are one", got)

# Of a version that is to come, and first in the order of time: the others are read.
newer = a[:5] + b"\3" + a[6:]
put("whole.jfr", b)
pack = gzip.compress
for what, of in (("zip", made_zip([("a.jfr", newer), ("b.jfr", b)])),
                 ("tar", made_tar([("a.jfr.gz", pack(newer)), ("c.jfr.gz", pack(newer)), ("b.jfr.gz", pack(b))]))):
    put("newer", of)
    got, plain = Run("print", "newer"), Run("print", "whole.jfr")
    result(got.status == 1 and plain.out and got.out == plain.out and "newer: a.jfr" in got.err and "is a recording of a version newer" in got.err,
           f"one that cannot be opened, and one that can: {what}", got)
put("newer", made_zip([("a.jfr", newer), ("b.jfr", newer)]))
got = Run("print", "newer")
result(got.status == 1 and not got.out and got.err.count("\n") == 1, "none that can be opened", got)

# Hostile names, damage, and what cannot be opened.
put("x.zip", made_zip([("\x1b[31m\n.jfr", a), ("b.jfr", b"text" * 99), ("../c.jfr", b[:len(b) // 2])]))
got = Run("analyze", "x.zip")
table = got.out[got.out.rfind(b"\nrecording "):]
result(got.status == 1 and b"\x1b" not in got.out and b"\nx.zip: ^[[31m^J.jfr  " in table, "names are harmless", got, table)
result(b"\nx.zip: b.jfr " in table and table.endswith(b"could not be read\n") and
       got.err.count("x.zip: b.jfr: is not a recording") == 1, "one that is none", got, table)
result("x.zip: ../c.jfr: " in got.err and len(table.splitlines()) == 5, "one that is cut short", got, table)
put("x.zip", piped[:piped.index(b"PK\3\4", 9) + 5000])
got = Run("analyze", "x.zip")
result(got.status == 1 and got.err.count("has lost its list") == 1, "damage of the archive is told once", got)
for made, words in ((made_zip([("README", b"x" * 99)]), "without recordings"), (b"text" * 99, "is not a recording")):
    put("x.zip", made)
    got = Run("analyze", "x.zip")
    result(got.status == 1 and got.err.count(words) == 1 and not got.out, f"said once: {words}", got)

finish()
