#!/usr/bin/env python3
"""Every JSON document of ours begins with the same members, and is as its JSON Schema says: with
damaged recordings, with names that are not UTF-8, and after Ctrl-C.

usage: schemas.py JFREC SOURCE_ROOT [SHOPD]

SHOPD is a program with the recorder, which answers as a JVM does; what only a JVM answers needs a
JDK."""
import fcntl
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

JFREC, SOURCE, *PROGRAMS = map(os.path.realpath, sys.argv[1:])
sys.path.insert(0, os.path.join(SOURCE, "tests"))
from schema import DIRECTORY, Validator, faults_of, read  # noqa: E402
from tap import finish, result, skip  # noqa: E402

if not Validator:
    skip("schemas", "no jsonschema for Python (python3-jsonschema)")
    finish()

DATA = os.path.join(SOURCE, "tests", "data")
WORK = tempfile.mkdtemp(prefix="jfrec-schemas-")
# In it is what is written; its name is not UTF-8.
ODD = os.path.join(os.fsencode(WORK), b"od\xffd")
os.mkdir(ODD)

# What prints the JDK's form with --json.
NOT_OURS = {"print", "stream"}

# The documents of commands whose name is not theirs.
NAMES = {
    "analyze": ["analysis", "analyses", "rules"],
    "view": ["view", "views", "types"],
    "query": ["view"],
    "sql": ["sql", "tables"],
    "summary": ["summary", "counts"],
    "settings explain": ["settings-explain-event", "settings-explain-profile"],
}

schemas = {}
asked = set()  # commands that printed a document
elsewhere = {"symbolize"}  # tests/native/symbolize.py has what it takes


def names_of(command):
    return NAMES.get(command, [command.replace(" ", "-")])


# Schemas ----------------------------------------------------------------------


def check_schemas():
    """Each is one, and says the same of what all documents have."""
    common = {}
    for file in sorted(os.listdir(DIRECTORY)):
        name = file[:-len(".json")]
        schema = schemas[name] = read(name)
        properties = schema["properties"]
        wrong = []
        try:
            Validator.check_schema(schema)
        except Exception as error:
            wrong.append(error)
        if properties["schema"].get("const") != name or schema["$id"] != "jfrec:" + name:
            wrong.append("it has the name of another one")
        if schema["additionalProperties"] is not False or not {"jfrec", "version", "schema"} <= set(schema["required"]):
            wrong.append("it takes what is no envelope")
        for member in "jfrec", "version", "recordings", "damage":
            if member in properties and common.setdefault(member, properties[member]) != properties[member]:
                wrong.append(f"{member} differs from that of other documents")
        result(not wrong, f"{file} is a schema", *wrong)


def check_commands():
    """No command prints a document of which there is no schema; no schema is of none."""
    dump = subprocess.run([JFREC, "--dump-options"], capture_output=True, text=True, check=True).stdout
    commands = {row[0] for row in (line.split("\t") for line in dump.splitlines()) if row[2] == "--json"} - NOT_OURS
    for command in sorted(commands):
        missing = [n for n in names_of(command) if n not in schemas]
        result(not missing, f"{command} --json has a schema", missing)
    wanted = {n for command in commands for n in names_of(command)} | {"flame", "version"}
    result(wanted == set(schemas), "each schema is of a document", wanted ^ set(schemas))
    return commands


def check_changes():
    """What CHANGELOG shows as the line of today asks for what there is."""
    with open(os.path.join(SOURCE, "CHANGELOG.md"), encoding="utf-8") as f:
        rows = re.findall(r"^\| `jfrec ([^`]*)` \| `jq ([^`]*)` \| `jq ([^`]*)` \|$", f.read(), re.M)
    result(len(rows) > 20, "CHANGELOG shows lines of jq", len(rows))
    for command, before, now in rows:
        names = ["flame"] if command.startswith("flame ") else names_of(of_command(command.split()))
        member = re.search(r"\.(\w+)", now)[1]
        result(before != now and any(member in schemas[n]["properties"] for n in names), f"{command} | jq {now}", names)


# Documents --------------------------------------------------------------------


def printable(words):
    return " ".join(os.fsdecode(os.fsencode(w)).replace(WORK, "") for w in words).encode("ascii", "backslashreplace").decode()


def of_command(words):
    two = " ".join(map(str, words[:2]))
    return two if words[0] in ("settings", "config") else words[0]


def check(name, *words, status=(0,), what="", **how):
    """The document that a command prints."""
    command = of_command(words)
    done = subprocess.run([JFREC, *words], capture_output=True, cwd=ODD, stdin=subprocess.DEVNULL, timeout=120, **how)
    asked.add(command)
    faults = faults_of(done.stdout, name)
    if done.returncode not in status:
        faults.append(f"exit status {done.returncode}: {done.stderr[-300:]}")
    result(not faults, printable(words) + what, *faults)
    return json.loads(done.stdout) if not faults else {}


def reading(recording, *, status=(0,), what=""):
    """All that reads a recording."""
    for name, *words in (
            ("summary", "summary"), ("counts", "summary", "--counts"), ("metadata", "metadata"), ("analysis", "analyze"), ("analysis", "analyze", "--all"),
            ("report", "report"), ("view", "view", "all-views"), ("view", "view", "all-events"), ("views", "view"), ("types", "view", "types"),
            ("settings-cost", "settings", "cost")):
        place = 2 if words[0] == "settings" else 1
        check(name, *words[:place], "--json", *words[place:], recording, status=status, what=what)
    check("tables", "sql", "--schema", "--json", recording, status=status, what=what)
    check("sql", "sql", "--json", recording, "SELECT * FROM events LIMIT 20", status=status, what=what)
    # Not all have that type.
    check("view", "query", "--json", "SELECT COUNT(*), FIRST(startTime), LIST(name) FROM ActiveSetting", recording, status=(0, 1, 2, *status), what=what)
    check("diff", "diff", "--json", recording, recording, status=status, what=what)
    check("analyses", "analyze", "--json", recording, recording, status=status, what=what)


def writing(recording, *, status=(0,), what=""):
    """All that makes another of it."""
    for command in "filter", "scrub", "merge", "repair":
        check(command, command, "--json", "--force", "-o", os.path.join(ODD, b"o\xfft.jfr"), recording, status=status, what=what)
    check("scrub", "scrub", "--json", "-n", recording, status=status, what=what)
    check("split", "split", "--json", "--force", "-o", ODD, recording, status=status, what=what)
    check("export", "export", "--json", "--force", "-o", os.path.join(ODD, b"tabl\xffs"), recording, status=status, what=what)
    page = os.path.join(ODD, b"fl\xffme.json")
    subprocess.run([JFREC, "flame", "--force", "-o", page, recording], capture_output=True)
    with open(page, "rb") as f:
        faults = faults_of(f.read(), "flame")
    result(not faults, "flame -o f.json " + printable([recording]) + what, *faults)


def check_recordings():
    whole = os.path.join(DATA, "ok", "jvm-25.jfr")
    odd = os.path.join(ODD, b"n\xe9.jfr")
    shutil.copy(whole, odd)
    for file in sorted(os.listdir(os.path.join(DATA, "ok"))):
        if file.endswith(".jfr"):
            reading(os.path.join(DATA, "ok", file))
    reading(odd)
    writing(odd)
    check("trace", "trace", "--json", "--top", "100", os.path.join(DATA, "trace", "slow-25.jfr.zst"))
    check("settings-active", "settings", "active", "--json", os.path.join(DATA, "ok", "settings-17.jfr"))
    check("settings-diff", "settings", "diff", "--json", os.path.join(DATA, "ok", "settings-17.jfr"), "profile")
    done = check("summary", "summary", "--json", odd)
    result(done.get("recordings") == [f"{WORK}/od\ufffdd/n\ufffd.jfr"], "what is not UTF-8 is shown", done.get("recordings"))
    with open(whole, "rb") as f:
        content = f.read()
    for what, damaged in ((", cut", content[:-3000]), (", overwritten", content[:9000] + b"\xff" * 700 + content[9700:])):
        with open(odd, "wb") as f:
            f.write(damaged)
        reading(odd, status=(0, 1, 2), what=what)
        writing(odd, status=(0, 1), what=what)
        done = check("summary", "summary", "--json", odd, status=(1,), what=what)
        result([p["input"] for p in done.get("damage", [])], "the damage is in the document" + what, done.get("damage"))


# Ctrl-C -----------------------------------------------------------------------


def interrupted(name, *words):
    """The document after Ctrl-C, when a part of it was printed."""
    p = subprocess.Popen([JFREC, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ODD)
    fcntl.fcntl(p.stdout, fcntl.F_SETPIPE_SZ, 4096)
    text = os.read(p.stdout.fileno(), 1)
    time.sleep(0.3)
    p.send_signal(signal.SIGINT)
    time.sleep(0.1)
    rest, said = p.communicate(timeout=60)
    faults = faults_of(text + rest, name)
    if p.returncode != 130:
        faults.append(f"exit status {p.returncode}: {said[-300:]}")
    result(not faults, printable(words) + ", interrupted", *faults)
    return json.loads(text + rest) if not faults else {}


def check_interrupted():
    recording = os.path.join(DATA, "ok", "jvm-25.jfr")
    interrupted("metadata", "metadata", "--json", recording)
    interrupted("report", "report", "--json", recording)
    done = interrupted("view", "view", "--json", "all-events", recording)
    result(done.get("complete") is False, "it says that it is not complete", done.get("complete"))
    done = interrupted("sql", "sql", "--json", recording,
                       "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n")
    result(done.get("complete") is False and done.get("rows"), "nor is that of endless rows", done.get("complete"))


# Without a recording ----------------------------------------------------------


def check_alone():
    check("rules", "analyze", "--list", "--json")
    check("metadata", "metadata", "--jdk", "25", "--json")
    check("views", "view", "--json", "views")
    check("settings-list", "settings", "list", "--json")
    for profile in "profile", "continuous", os.path.join(DATA, "settings", "ok", "odd.jfc"):
        check("settings-show", "settings", "show", "--json", profile)
        check("settings-diff", "settings", "diff", "--json", profile, "gc")
    check("settings-check", "settings", "check", "--json", "profile", "gc")
    for file in sorted(os.listdir(os.path.join(DATA, "settings", "broken"))):
        if file.endswith((".yaml", ".jfc")):
            check("settings-check", "settings", "check", "--json", os.path.join(DATA, "settings", "broken", file), status=(0, 1))
    check("settings-explain-event", "settings", "explain", "--json", "GarbageCollection")
    check("settings-explain-profile", "settings", "explain", "--json", "--jdk", "8", "io")
    check("config-show", "config", "show", "--json")
    check("list", "list", "--json")
    check("top", "top", "--once", "--every", "100ms", "--json")
    check("doctor", "doctor", "--json", status=(0, 1))
    check("doctor", "doctor", "--self", "--json", status=(0, 1))
    check("version", "--version", "--json")
    repository = os.path.join(ODD, b"2026_11_20_09_46_59_4711")
    os.mkdir(repository)
    shutil.copy(os.path.join(DATA, "ok", "jvm-25.jfr"), os.path.join(repository, b"2026_11_20_09_47_00.jfr"))
    check("dump", "dump", "--json", "--force", "-o", b"r\xff.jfr", repository + b"/")
    os.mkdir(os.path.join(WORK, "here"))
    collect("no such JVM, we hope")


def collect(jvm):
    with open(os.path.join(ODD, b"c.yaml"), "w", encoding="utf-8") as f:
        f.write(f"directory: {WORK}/here\njvms:\n  - name: {jvm}\n")
    return check("collect", "collect", "-c", "c.yaml", "--json", status=(0, 1))


# JVMs -------------------------------------------------------------------------


def becomes(ready):
    for _ in range(600):
        if ready():
            return
        time.sleep(0.1)


def talks(pid):
    return subprocess.run([JFREC, "check", str(pid)], capture_output=True).returncode == 0


def check_program():
    """A program that answers as a JVM does."""
    if not PROGRAMS:
        skip("documents of a program with the recorder", "it was not built")
        return
    p = subprocess.Popen([PROGRAMS[0], "1000000000"], env={**os.environ, "JFREC_RECORD": "name=day,repository=" + WORK},
                         stdout=subprocess.DEVNULL)
    pid = str(p.pid)
    try:
        becomes(lambda: talks(pid))
        check_controlled(pid, "day")
    finally:
        p.kill()
        p.wait()
        for left in glob.glob(f"/tmp/.java_pid{pid}") + glob.glob(f"/tmp/hsperfdata_*/{pid}") + \
                glob.glob(f"/dev/shm/jfrec-recorder-{pid}-*"):
            os.unlink(left)


def check_controlled(pid, name):
    """What is the same for a program and for a JVM."""
    check("list", "list", "--json", "--recordings", pid)
    check("doctor", "doctor", "--json", pid, status=(0, 1))
    check("check", "check", "--json", "--verbose", pid)
    check("start", "start", "--json", "--name", "other", pid, status=(0, 1))
    check("settings-active", "settings", "active", "--json", pid)
    check("dump", "dump", "--json", "--name", name, "-o", b"d\xff.jfr", "--force", pid)
    check("stop", "stop", "--json", "--name", "other", "-o", b"s\xff.jfr", "--force", pid)
    check("record", "record", "--json", "--duration", "1s", "-o", b"r2\xff.jfr", "--force", pid, status=(0, 1))
    check("configure", "configure", "--json", pid)
    check("jcmd", "jcmd", "--json", pid, "VM.version")
    check("jcmd", "jcmd", "--json", pid, "No.such", status=(1, 2, 9))


def find_java():
    home = os.environ.get("JAVA_HOME")
    java = os.path.join(home, "bin", "java") if home else shutil.which("java")
    return java if java and os.path.exists(os.path.join(os.path.dirname(os.path.realpath(java)), "javac")) else None


def check_jvm():
    java = find_java()
    if not java:
        elsewhere.update(("threads", "histogram", "heapdump", "snapshot"))
        if not PROGRAMS:
            elsewhere.update(("check", "start", "stop", "record", "configure", "jcmd"))
        skip("documents that only a JVM answers", "no JDK")
        return
    # A name of its own: other tests have JVMs, too, and some of those cannot be attached to.
    source = shutil.copy(os.path.join(SOURCE, "tests", "live", "Idle.java"), os.path.join(WORK, "IdleForSchemas.java"))
    p = subprocess.Popen([java, "-Xmx64m", source],
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    pid = str(p.pid)
    try:
        becomes(lambda: talks(pid))
        subprocess.run([JFREC, "start", "--name", "day", pid], capture_output=True)
        check_controlled(pid, "day")
        result(collect("IdleForSchemas").get("news"), "collect has news")
        check("threads", "threads", "--json", pid)
        check("histogram", "histogram", "--json", pid)
        check("heapdump", "heapdump", "--json", "-o", b"h\xff.hprof", pid)
        check("snapshot", "snapshot", "--json", "--duration", "1s", "-o", b"sn\xff", pid)
        check("view", "view", "--json", "gc", pid)
        check("analysis", "analyze", "--json", pid)
        for name, *words in ("check",), ("threads",), ("doctor",):
            check(name, *words or [name], "--json", "--all", "IdleForSchemas", status=(0, 1))
    finally:
        p.kill()
        p.wait()


try:
    check_schemas()
    commands = check_commands()
    check_changes()
    check_recordings()
    check_interrupted()
    check_alone()
    check_program()
    check_jvm()
    result(commands <= asked | elsewhere, "every command with --json was run", commands - asked - elsewhere)
finally:
    shutil.rmtree(WORK, ignore_errors=True)
finish()
