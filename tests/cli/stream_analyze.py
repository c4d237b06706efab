"""`watch`: windows of recordings that were planted, over time; which findings begin and end, and when.
`stream --analyze`, its old name, says the same.

usage: stream_analyze.py JFREC SOURCE_ROOT

Prints TAP.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

JFREC, ROOT = sys.argv[1], sys.argv[2]
sys.path.insert(0, os.path.join(ROOT, "tests"))
import plant  # noqa: E402
import tap  # noqa: E402

TYPES = plant.Types(os.path.join(ROOT, "tests/data/ok/jvm-25.jfr"))
WORK = tempfile.TemporaryDirectory()
RULE = """rules:
  slow-database:
    event: SocketRead
    where: host = "db"
    info: 2
    warning: 5
    summary: the database answered slowly
    advice: look at its log of slow queries
"""


def path_of(name, content):
    path = os.path.join(WORK.name, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(content if isinstance(content, bytes) else content.encode())
    return path


RULES = path_of("own.yaml", RULE)


def recording(counts, pid=7):
    """So many reads in each window of 10 s."""
    r = plant.Recording(TYPES)
    r.add("jdk.JVMInformation", at=0, pid=pid, jvmName="OpenJDK", jvmVersion="JRE (25.0.1+9)")
    setting = dict(id=TYPES.by_name["jdk.SocketRead"]["id"], name="enabled", value="true")
    r.add("jdk.ActiveSetting", at=0, **setting)
    for window, count in enumerate(counts):
        for i in range(count):
            r.add("jdk.SocketRead", at=10 * window + 1 + i / 10, duration=0.05, host="db")
    r.end = 10 * len(counts)
    return r


def run(*words):
    return subprocess.run([JFREC, *words], capture_output=True, text=True, timeout=300)


def stream(*operands_and_options):
    options = ["--rules", RULES, "--only", "slow-database", "--window", "10s", *operands_and_options]
    if "--exec" not in options:
        old = run("stream", "--analyze", *options)
        new = run("watch", *options)
        tap.result((old.stdout, old.returncode) == (new.stdout, new.returncode), "stream --analyze is watch",
                   old.stdout, new.stdout)
    return run("watch", *options)


def turns(done):
    """The changes, with the second at which their window ends."""
    out = []
    for line in done.stdout.splitlines():
        o = json.loads(line)
        at = re.search(r"T\d+:(\d+):(\d+)", o["to"])
        out.append((o["change"], int(at[1]) % 5 * 60 + int(at[2])))
    return out


def tells(name, counts, wanted, *options):
    path = path_of("it.jfr", recording(counts).bytes())
    done = stream("--ndjson", *options, path)
    tap.result(done.returncode == 0 and turns(done) == wanted, name, str(turns(done) if done.returncode == 0 else done), done.stderr)


tells("nothing is wrong", [0, 1, 4, 1, 0], [])
tells("it turns with the first window", [0, 0, 6, 6, 6], [("warning", 30)])
tells("and recovers after two good ones", [0, 6, 0, 0, 0], [("warning", 20), ("recovered", 40)])
tells("one good one is not enough", [6, 0, 6, 0, 6, 0, 6], [("warning", 10)])
tells("it can turn again", [6, 0, 0, 6, 0, 0], [("warning", 10), ("recovered", 30), ("warning", 40), ("recovered", 60)])
tells("an info is not told", [3, 3, 3, 0, 0], [])
tells("but with --min-severity", [3, 3, 0, 0], [("info", 10), ("recovered", 40)], "--min-severity", "info")
tells("and then what grows worse", [3, 6, 3, 0, 0], [("info", 10), ("warning", 20), ("recovered", 50)], "--min-severity", "info")
tells("a limit of the caller", [4, 0, 0], [("warning", 10), ("recovered", 30)], "--limit", "slow-database.warning=4")

rest = recording([0, 0, 6])
rest.end = 24
done = stream("--ndjson", path_of("rest.jfr", rest.bytes()))
tap.result(turns(done) == [("warning", 24)], "the rest is judged, too", done.stdout, done.stderr)

# What is said ------------------------------------------------------------------------------------------

bad = path_of("bad.jfr", recording([0, 6, 0, 0], pid=1).bytes())
good = path_of("good.jfr", recording([0, 0, 0, 0], pid=2).bytes())
done = stream("--utc", bad)
tap.result(
    "warning slow-database: the database answered slowly: 6 jdk.SocketRead events (limit 5)\n    → look at its log" in done.stdout,
    "text", done.stdout)
tap.result("recovered slow-database: it had turned in the window from" in done.stdout, "text of a recovery", done.stdout)
done = stream("--ndjson", bad, good)
sources = {json.loads(line)["source"] for line in done.stdout.splitlines()}
tap.result(sources == {bad}, "several, each by itself", done.stdout)
done = stream(bad, good)
tap.result(done.stdout.startswith(f"[{bad}] "), "each line says whose it is", done.stdout)
done = stream("--fail-on", "warning", bad)
tap.result(done.returncode == 20, "--fail-on", str(done))
done = stream("--fail-on", "warning", good)
tap.result(done.returncode == 0 and not done.stdout, "--fail-on without a finding", str(done))

# A directory of chunks, written by one JVM one after another ---------------------------------------------


def chunks():
    """Windows of 10 s in chunks of 20 s, as a JVM leaves them."""
    start, zero = plant.START, plant.ZERO
    for i, counts in enumerate([[0, 6], [6, 0], [0, 0]]):
        plant.START, plant.ZERO = start + 20 * i, zero + 20 * i * plant.TICKS
        path_of(f"repository/2026_11_22_10_00_{20 * i:02}.jfr", recording(counts).bytes())
    plant.START, plant.ZERO = start, zero
    return os.path.join(WORK.name, "repository")


done = stream("--ndjson", chunks())
tap.result(turns(done) == [("warning", 20), ("recovered", 50)], "a directory of chunks", done)

# Commands ---------------------------------------------------------------------------------------------

log = os.path.join(WORK.name, "log")
command = f'echo "$JFREC_CHANGE $JFREC_RULE ${{JFREC_PID-none}} $(sed "s/.*\\"severity\\":\\"\\([a-z]*\\).*/\\1/")" >>{log}'
done = stream("--exec", command, bad)
with open(log) as f:
    said = f.read()
tap.result(said == "warning slow-database none warning\nrecovered slow-database none ok\n", "--exec", said, done.stderr)
done = stream("--exec", "exit 3", bad)
tap.result("the command exited with status 3" in done.stderr, "a command that fails", done.stderr)

# What does not go together ------------------------------------------------------------------------------


def refuses(name, text, *options):
    done = subprocess.run([JFREC, "stream", *options, good], capture_output=True, text=True, timeout=300)
    tap.result(done.returncode == 2 and text in done.stderr, name, done.stderr)


def watch_refuses(name, text, *options):
    done = run("watch", *options, good)
    tap.result(done.returncode == 2 and text in done.stderr, name, done.stderr)


watch_refuses("watch: events", "unknown option --events", "--events", "CPULoad")
watch_refuses("watch: metrics", "unknown option --metrics", "--metrics")
watch_refuses("watch: a short window", "at least 5s", "--window", "4s")
watch_refuses("watch: two commands", "give --exec after", "--exec", "true", "--exec", "true")
shown = run("stream", "--help").stdout
tap.result("--analyze" not in shown and "--window" not in shown and "--listen" not in shown,
           "the help of stream has its own options only", shown)
refuses("--window alone", "need --analyze", "--window", "10s")
refuses("--rules alone", "need --analyze", "--rules", RULES)
refuses("--fail-on alone", "need --analyze", "--fail-on", "warning")
refuses("a short window", "at least 5s", "--analyze", "--window", "4s")
refuses("with --metrics", "cannot be combined", "--analyze", "--metrics")
refuses("with --events", "cannot be combined", "--analyze", "--events", "CPULoad")
refuses("with --json", "--ndjson", "--analyze", "--json")
refuses("a mistyped rule", "did you mean gc-pause-share?", "--analyze", "--only", "gc-pause-shar")
refuses("--fail-on below what is told", "needs --min-severity info", "--analyze", "--fail-on", "info")
refuses("two commands", "give --exec after", "--analyze", "--exec", "true", "--exec", "true")

tap.finish()
