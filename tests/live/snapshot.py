# SPDX-License-Identifier: MIT
"""Snapshots: each file whole or absent, no secret that a rule knows, nothing of other users' files;
of JVMs that run, are stopped, or are killed at each step, and after Ctrl-C.

usage: snapshot.py JFREC SOURCE_ROOT"""
import base64
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

JFREC, SOURCE = map(os.path.realpath, sys.argv[1:3])
sys.path.insert(0, os.path.join(SOURCE, "tests"))
from tap import finish, result, skip  # noqa: E402

WORK = tempfile.mkdtemp(prefix="jfrec-snapshot-")
os.chmod(WORK, 0o755)
KILLED_AT = ("process", "repository", "threads-1", "flags", "threads-2", "properties", "threads-3", "recording")
NOBODY = 65534


class Jvm:
    def __init__(self, java, *options, lines=(), log="-", arguments=(), variables=None, **how):
        self.directory = tempfile.mkdtemp(dir=WORK)
        os.chmod(self.directory, 0o777)
        names = os.path.join(self.directory, "names")
        with open(names, "w") as f:
            f.writelines(line + "\n" for line in lines)
        os.chmod(names, 0o644)
        self.process = subprocess.Popen(
            [java, *options, "-cp", WORK, "Snapped", names, log, *arguments], cwd=self.directory, text=True,
            env={**os.environ, **(variables or {})}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **how)
        while "ready" not in self.process.stdout.readline():
            if self.process.poll() is not None:
                raise RuntimeError("the JVM ended")

    def __enter__(self):
        return self.process

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)


def snapshot(name, process, *options, at=None, act=None):
    """(exit status, {step: row of the manifest}, standard error); act when step `at` begins."""
    words = [JFREC, "snapshot", "-v", "--duration", "2s", "--force", "-o", os.path.join(WORK, name), *options, str(process.pid)]
    p = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    said = ""
    for line in p.stderr:
        said += line
        if at and line.endswith(f"step {at}\n"):
            act(p)
    status = p.wait()
    p.stdout.close()
    p.stderr.close()
    return status, steps_of(name), said


def steps_of(name):
    try:
        with open(os.path.join(WORK, name, "manifest.json")) as f:
            return {s["name"]: s for s in json.load(f)["jvms"][0]["steps"]}
    except OSError:
        return {}


def faults_of(name, steps):
    """What is not whole, or not told of."""
    directory = os.path.join(WORK, name)
    there = set(os.listdir(directory)) if os.path.isdir(directory) else set()
    told = {s["file"] for s in steps.values() if s["file"]} | {"manifest.json"}
    faults = [f"files: {there ^ told}"] if there != told else []
    faults += [f"{s['name']}: no reason" for s in steps.values() if s["state"] not in ("done",) and not s["why"]]
    for recording in glob.glob(os.path.join(directory, "*.jfr")):
        done = subprocess.run([JFREC, "summary", recording], capture_output=True, text=True)
        if done.returncode:
            faults.append(f"{recording}: {done.stderr}")
    faults += [f"left: {f}" for f in os.listdir(WORK) if f.startswith(".")]
    return faults


def encoded(text):
    return base64.b64encode(f"user:{text}".encode()).decode()


def planted():
    """[(place, text, secret)] of those that Secrets.java plants; the words of a child have no command here."""
    with open(os.path.join(SOURCE, "tests", "live", "Secrets.java")) as f:
        rows = re.findall(r'\{ "(\w+)", "([^"]+)", ("(?:[^"\\]|\\.)*") \}', f.read())
    found = []
    for i, (place, _, literal) in enumerate(rows):
        template, secret = json.loads(literal), f"Pw{i}x{i * 7919 + 1446336:x}Qz"
        if template.startswith(("BASIC ", "AUTHORIZATION ")):
            secret = encoded(secret)
            template = template.replace("BASIC", "Basic").replace("AUTHORIZATION", "Authorization: Basic")
        if "%s" in template and template != "%s" and place != "child":
            found.append((place, template.replace("%%", "%").replace("%s", secret), secret))
    return found


def check_secrets(java, label):
    rows = planted()
    lines = [t for place, t, _ in rows if place not in ("env", "properties", "arguments") and "\n" not in t]
    keys = [t for place, t, _ in rows if place == "event" and "\n" in t]
    variables = dict(t.split("=", 1) for place, t, _ in rows if place == "env" and not t.startswith("JDK_JAVA"))
    options = ["-D" + t for place, t, _ in rows if place == "properties"]
    arguments = [w for place, t, _ in rows if place == "arguments" for w in t.split("\n")]
    log = "-Xlog:gc*:file=gc-%p.log"
    with Jvm(java, log, *options, lines=lines, arguments=arguments, variables=variables) as p:
        gc = glob.glob(f"/proc/{p.pid}/cwd/gc-*.log")[0]
        with open(gc, "a") as f:
            f.writelines(line + "\n" for line in lines + keys)
        status, steps, said = snapshot("secrets", p)
    result(status == 0, f"{label}: a snapshot", said)
    result(not faults_of("secrets", steps), f"{label}: it is whole", *faults_of("secrets", steps))
    left = []
    for path in glob.glob(os.path.join(WORK, "secrets", "*")):
        with open(path, "rb") as f:
            content = f.read()
        left += [f"{os.path.basename(path)}: {t}" for _, t, s in rows if s.encode() in content]
    result(len(rows) >= 50 and not left, f"{label}: of {len(rows)} secrets none is left", *left)
    with open(os.path.join(WORK, "secrets", "threads-2.txt")) as f:
        dump = f.read()
    result("Snapped.rest" in dump and "java.lang.Thread.State: TIMED_WAITING" in dump, f"{label}: stacks are as they were")
    dumps = [steps[f"threads-{i}"] for i in (1, 2, 3)]
    result(all(0 < d["safepoints"] < 20 and 0 < d["safepointNs"] < 200e6 for d in dumps),
           f"{label}: safepoints of each dump", *map(str, dumps))
    result(steps["gc-log-1"]["state"] == "done", f"{label}: the collector's log", str(steps["gc-log-1"]))
    for command in (["analyze"], ["view", "gc"], ["report", "-o", "-"]):
        done = subprocess.run([JFREC, *command, os.path.join(WORK, "secrets")], capture_output=True, text=True)
        result(done.returncode == 0 and done.stdout, f"{label}: {command[0]} reads it", done.stderr)


def check_packed(java, label):
    archive = os.path.join(WORK, "packed.tar.zst")
    with Jvm(java) as p:
        done = subprocess.run([JFREC, "snapshot", "--duration", "1s", "-o", archive, str(p.pid)], capture_output=True, text=True)
        result(done.returncode == 0 and done.stdout == archive + "\n", f"{label}: an archive", done.stderr)
        again = subprocess.run([JFREC, "snapshot", "--duration", "1s", "-o", archive, str(p.pid)], capture_output=True, text=True)
        result(again.returncode == 1 and "exists" in again.stderr, f"{label}: it is not replaced", again.stderr)
    read = subprocess.run([JFREC, "view", "gc", archive], capture_output=True, text=True)
    result(read.returncode == 0, f"{label}: view reads it", read.stderr)


def check_killed(java, label):
    for step in KILLED_AT:
        with Jvm(java, "-XX:StartFlightRecording") as p:
            def kill(_):
                time.sleep(1 if step == "recording" else 0)
                p.kill()
                p.wait()
            status, steps, said = snapshot("killed", p, at=step, act=kill)
        faults = faults_of("killed", steps)
        result(status == 1 and not faults, f"{label}: the JVM is killed at {step}", said, *faults)


def check_interrupted(java, label):
    with Jvm(java) as p:
        for step in ("process", "threads-2", "recording"):
            def interrupt(jfrec):
                time.sleep(1 if step == "recording" else 0)
                jfrec.send_signal(signal.SIGINT)
            status, steps, said = snapshot("interrupted", p, at=step, act=interrupt)
            faults = faults_of("interrupted", steps)
            result(status == 130 and not faults, f"{label}: Ctrl-C at {step}", said, *faults)
        snapshot("interrupted", p, at="threads-3", act=lambda jfrec: jfrec.kill())
        result(any(f.startswith(".") for f in os.listdir(WORK)), f"{label}: what is killed leaves a hidden directory")
        status, steps, said = snapshot("another", p)
        result(status == 0 and not faults_of("another", steps), f"{label}: which the next one removes", said)


def check_stopped(java, label):
    with Jvm(java, "-XX:StartFlightRecording") as p:
        os.kill(p.pid, signal.SIGSTOP)
        began = time.monotonic()
        status, steps, said = snapshot("stopped", p)
        os.kill(p.pid, signal.SIGCONT)
    faults = faults_of("stopped", steps)
    result(status == 1 and not faults and time.monotonic() - began < 30, f"{label}: a stopped JVM", said, *faults)
    result(steps["process"]["state"] == "done" and "is stopped" in steps["threads-1"]["why"],
           f"{label}: what can be had from outside, and why not the rest", str(steps["threads-1"]))


def check_hostile(java, label):
    if os.geteuid() != 0:
        skip(f"{label}: files of others", "not root")
        return
    secret = os.path.join(WORK, "secret")
    with open(secret, "w") as f:
        f.write("# A fatal error has been detected: only root may read it\n")
    os.chmod(secret, 0o600)
    for name, make in (("a link", os.symlink), ("a second name", os.link), ("a FIFO", lambda _, to: os.mkfifo(to))):
        directory = tempfile.mkdtemp(dir=WORK)
        os.chown(directory, NOBODY, NOBODY)
        with Jvm(java, f"-XX:ErrorFile={directory}/error", f"-Xlog:gc:file={directory}/gc.log", user=NOBODY) as p:
            make(secret, f"{directory}/error")
            os.unlink(f"{directory}/gc.log")
            make(secret, f"{directory}/gc.log")
            status, steps, said = snapshot("hostile", p)
        texts = subprocess.run(["grep", "-rl", "only root may read", os.path.join(WORK, "hostile")], capture_output=True, text=True)
        result(not texts.stdout and steps and steps["crash-log"]["file"] is None, f"{label}: {name} in place of a log", texts.stdout, said)


def main():
    homes = [h for h in sorted(glob.glob("/usr/lib/jvm/*")) if os.access(h + "/bin/javac", os.X_OK) and not os.path.islink(h)]
    if not homes:
        skip("snapshot", "no JDK")
        return
    source = os.path.join(SOURCE, "tests", "live", "Snapped.java")
    subprocess.run([homes[0] + "/bin/javac", "--release", "8", "-d", WORK, source], check=True, capture_output=True)
    for i, home in enumerate(homes):
        label = os.path.basename(home)
        check_secrets(home + "/bin/java", label)
        if i == 0:
            for check in (check_packed, check_killed, check_interrupted, check_stopped, check_hostile):
                check(home + "/bin/java", label)


try:
    main()
finally:
    shutil.rmtree(WORK, ignore_errors=True)
finish()
