#!/bin/sh
# Recordings whose names are not UTF-8, begin with a dash, or have what shells, terminals and XML take
# for their own: documents are valid all the same, and commands that are suggested work when pasted.
#
# usage: names.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
root=$(realpath "$2")
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
exec python3 - "$jfrec" "$root" <<'END'
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

jfrec, root = sys.argv[1:]
sys.path.insert(0, os.path.join(root, "tests"))
from tap import finish, result  # noqa: E402

SOME = os.path.join(root, "tests/data/ok/jvm-25.jfr")
NAMES = [b"-x.jfr", b"- -.jfr", b"latin\xe9.jfr", b"new\nline.jfr", b"it's $(touch run) `touch run`.jfr",
         b"escape\x1b[31m.jfr", b"turned\xe2\x80\xaex.jfr", "ä ö.jfr".encode(), b"a&b<c>\"d\".jfr",
         b"none\xef\xbf\xbf.jfr"]
JSON = [["analyze", "--all", "--json"], ["analyze", "--all", "--format", "sarif"], ["summary", "--json"],
        ["report", "--json"], ["view", "gc", "--json"], ["flame", "--format", "json"],
        ["metadata", "--json"], ["settings", "cost", "--json"], ["diff", "--json", SOME],
        ["split", "--force", "--json"], ["merge", "--json", "--force", "-o", "out.jfr"],
        ["filter", "--json", "-e", "GC*", "--force", "-o", "out.jfr"],
        ["repair", "--json", "--force", "-o", "out.jfr"], ["scrub", "--json", "--force", "-o", "out.jfr"],
        ["query", "--json", "SELECT * FROM GCPhasePause"]]
TEXT = [["analyze", "--all"], ["analyze", "--all", "--ndjson"], ["analyze", "--all", "--format", "markdown"],
        ["report", "--format", "markdown"], ["view", "gc"], ["diff", SOME]]
PAGES = [["report", "-o", "page.html"], ["flame", "-o", "page.html"], ["flame", "-o", "page.svg"]]


def run(arguments, name):
    return subprocess.run([jfrec] + arguments + ["--", name], capture_output=True)


def is_valid(arguments, name, read):
    done = run(arguments, name)
    try:
        done.stderr.decode()
        read(done.stdout.decode())
        return done.returncode == 0
    except (ValueError, OSError, xml.etree.ElementTree.ParseError) as why:
        print("# %s: %s" % (arguments, why))
        return False


def read_page(suffix):
    def read(_):
        with open("page" + suffix, encoding="utf-8") as f:
            text = f.read()
        os.unlink("page" + suffix)
        if suffix == ".svg":
            xml.etree.ElementTree.fromstring(text)
    return read


def commands_work(name):
    found = re.findall(r"^ *\$ (jfrec .*)$", run(["analyze", "--all"], name).stdout.decode(), re.M)
    for command in found:
        done = subprocess.run(["bash", "-c", jfrec + command[len("jfrec"):]], capture_output=True)
        if done.returncode:
            print("# %s: %s" % (command, done.stderr))
            return False
    return bool(found)


for name in NAMES:
    shutil.copyfile(SOME, name)
    shown = name.decode(errors="replace").encode("ascii", "backslashreplace").decode()
    shown = re.sub(r"[^ -~]", "?", shown)
    result(all([is_valid(a, name, json.loads) for a in JSON]), shown + ": JSON")
    result(all([is_valid(a, name, str) for a in TEXT]), shown + ": text")
    result(is_valid(["analyze", "--all", "--format", "junit"], name,
                    xml.etree.ElementTree.fromstring), shown + ": XML")
    result(all([is_valid(a, name, read_page(a[-1][-5:].replace("e.svg", ".svg"))) for a in PAGES]),
           shown + ": pages")
    if shutil.which("bash"):
        result(commands_work(name), shown + ": commands")
result(not os.path.exists("run"), "nothing in a name was run")
finish()
END
