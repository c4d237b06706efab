"""Rules of one's own: the examples of jfrec-rules(5), and what is wrong in a file of rules.

usage: own_rules.py JFREC SOURCE_ROOT

Each example of the page judges recordings made by ../plant.py: one in which it must find, with its
number, and the nearest in which it must not.  Prints TAP.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile

JFREC, ROOT = sys.argv[1], sys.argv[2]
sys.path.insert(0, os.path.join(ROOT, "tests"))
from plant import Recording, Types  # noqa: E402
import tap  # noqa: E402

TYPES = Types(os.path.join(ROOT, "tests/data/ok/contexts-25.jfr"))
MB = 1 << 20
WORK = tempfile.TemporaryDirectory()


def result(name, ok, said):
    tap.result(ok, name, said)


def path_of(name, content):
    path = os.path.join(WORK.name, name)
    with open(path, "wb") as f:
        f.write(content if isinstance(content, bytes) else content.encode())
    return path


def run(*arguments):
    return subprocess.run([JFREC, *arguments], capture_output=True, text=True)


def analyze(rules, recording, *options):
    command = ["analyze", "--rules", path_of("own.yaml", rules), *options]
    return run(*command, path_of("own.jfr", recording.bytes()))


def finding(rules, recording, name):
    done = analyze(rules, recording, "--json", "--only", name)
    try:
        return json.loads(done.stdout)["jvms"][0]["findings"][0]
    except (ValueError, IndexError):
        return {"severity": "failed", "summary": done.stderr, "evidence": []}


def recording(events, end=120):
    r = Recording(TYPES)
    for event in events:
        given = dict(event)
        r.add(given.pop("name"), **given)
    r.end = end
    return r


# Examples of the page ------------------------------------------------------------------------------


def examples():
    with open(os.path.join(ROOT, "man/jfrec-rules.5.scd")) as f:
        page = f.read()
    texts = re.findall(r"^```\n(rules:\n.*?)^```\n", page.split("# EXAMPLES")[1], re.M | re.S)
    return {re.search(r"^  ([\w-]+):$", t, re.M).group(1): t for t in texts}


def reads(count, host="db", length=0.15, first=61):
    return [dict(name="jdk.SocketRead", at=first + i, duration=length, host=host) for i in range(count)]


def waits(count, thread="worker-1"):
    lock = dict(monitorClass="app.Lock", eventThread=thread)
    return [dict(name="jdk.JavaMonitorEnter", at=i * 2, duration=1, **lock) for i in range(count)]


def requests(slow, path="/cart", status=200):
    all_of = dict(name="rec.Request", path=path, status=status)
    return [dict(at=i / 10, duration=0.3 if i < slow else 0.01, **all_of) for i in range(100)]


def samples(count, name="byte[]"):
    return [dict(name="jdk.ObjectAllocationSample", at=i, weight=120 * MB, objectClass=name) for i in range(count)]


def throws(name, count=1):
    stack = ["java.util.Map.get", "app.Orders.load", "app.Main.main"]
    return [dict(name="jdk.JavaExceptionThrow", at=5 + i, thrownClass=name, stackTrace=stack) for i in range(count)]


def writes(size, path="/var/log/shop.log"):
    return [dict(name="jdk.FileWrite", at=i, path=path, bytesWritten=size * MB) for i in range(16)]


# The example: its events, what it says of them, and in which part of the summary.
ROWS = [
    ("slow-database", reads(10), "warning", "the database answered slowly: 10 jdk.SocketRead events in the minute"),
    ("slow-database", reads(9), "info", "9 jdk.SocketRead events"),
    ("slow-database", reads(2), "ok", "2 jdk.SocketRead events"),
    ("slow-database", reads(9, first=51), "info", "the database answered slowly: 9 "),
    ("slow-database", reads(40, host="mail"), "ok", "No jdk.SocketRead event fits"),
    ("slow-database", reads(40, length=0.09), "ok", "No jdk.SocketRead event fits"),
    ("blocked-thread", waits(24), "warning", "makes up 20 % of the time, thread worker-1 (limit 20 %)"),
    ("blocked-thread", waits(23), "info", "makes up 19.2 % of the time, thread worker-1"),
    ("blocked-thread", waits(5), "ok", "makes up 4.17 %"),
    ("blocked-thread", waits(5, "a") + waits(5, "b"), "ok", "makes up 4.17 %"),
    ("request-latency", requests(2), "warning", "requests take too long: 99 % of com.example.Request events"),
    ("request-latency", requests(2), "warning", "path /cart (limit 250 ms)"),
    ("request-latency", requests(1), "ok", "duration of at most 10 ms"),
    ("request-latency", requests(9, status=500), "ok", "No com.example.Request event fits"),
    ("much-of-one-class", samples(100), "warning", "adds up to 100 MiB/s, class byte[] (limit 100 MiB/s)"),
    ("much-of-one-class", samples(99), "ok", "adds up to 99 MiB/s"),
    ("much-of-one-class", samples(60) + samples(60, "char[]"), "ok", "adds up to 60 MiB/s"),
    ("order-lost", throws("com.example.OrderLostException"), "warning", "an order was lost: 1 jdk.JavaExceptionThrow event,"),
    ("order-lost", throws("com.example.OrderLostException", 3), "warning", "3 jdk.JavaExceptionThrow events, method app.Orders.load"),
    ("order-lost", throws("java.io.IOException", 30), "ok", "No jdk.JavaExceptionThrow event fits"),
    ("log-volume", writes(64), "warning", "much is logged: the sum of bytesWritten of jdk.FileWrite events is 1 GiB in the hour"),
    ("log-volume", writes(63), "info", "is 1008 MiB in the hour"),
    ("log-volume", writes(64, "/srv/data"), "ok", "No jdk.FileWrite event fits"),
]


def same_event(text):
    return text.replace("com.example.Request", "rec.Request")


PAGE = examples()
result("the page has six examples", len(PAGE) == 6, str(list(PAGE)))
for name, events, severity, summary in ROWS:
    f = finding(same_event(PAGE[name]), recording(events), name)
    good = f["severity"] == severity and same_event(summary) in f["summary"]
    result(f"{name}: {severity}, {summary}", good, json.dumps(f))
result("each example is tried", {row[0] for row in ROWS} == set(PAGE), "")

# Any order, any chunks ------------------------------------------------------------------------------

MANY = reads(10) + reads(4, host="db", first=20) + waits(24) + samples(100) + requests(2) + writes(64)


def all_findings(r):
    rules = "rules:\n" + "".join(same_event(t).split("rules:\n")[1] for t in PAGE.values())
    done = analyze(rules, r, "--json", "--only", ",".join(PAGE))
    return json.loads(done.stdout)["jvms"][0]["findings"]


shuffled = list(MANY)
random.Random(1).shuffle(shuffled)
result("events in any order", all_findings(recording(MANY)) == all_findings(recording(shuffled)), "")


def in_chunks():
    """The same events in two chunks, the later ones first."""
    both = b""
    for part in (shuffled[: len(shuffled) // 2], shuffled[len(shuffled) // 2 :]):
        both += recording(part).bytes()
    return type("R", (), {"bytes": staticmethod(lambda: both)})


result("several chunks", all_findings(in_chunks()) == all_findings(recording(MANY)), "")

# What the finding shows ------------------------------------------------------------------------------

f = finding(PAGE["slow-database"], recording(reads(12) + reads(50, host="mail")), "slow-database")
command = [e["text"] for e in f["evidence"] if e["kind"] == "command"][0]
shown = subprocess.run(command.replace("jfrec", JFREC, 1), shell=True, capture_output=True, text=True)
result("its command shows these events", shown.stdout.count("jdk.SocketRead {") == 12, command + shown.stderr)
quoted = PAGE["slow-database"].replace('"db"', "'db'")
f = finding(quoted, recording(reads(12)), "slow-database")
command = [e["text"] for e in f["evidence"] if e["kind"] == "command"][0]
shown = subprocess.run(command.replace("jfrec", JFREC, 1), shell=True, capture_output=True, text=True)
result("also with single quotes", shown.stdout.count("jdk.SocketRead {") == 12, command + shown.stderr)
f = finding(PAGE["order-lost"], recording(throws("com.example.OrderLostException")), "order-lost")
result("the stack trace", any(e.get("frames", [""])[0].startswith("java.util.Map.get") for e in f["evidence"]), json.dumps(f))
result("the advice", f.get("advice") == "call the person on duty for the shop", json.dumps(f))

# As other rules --------------------------------------------------------------------------------------

SLOW = PAGE["slow-database"]


def says(what, options, status, text, rules=SLOW, events=None):
    done = analyze(rules, recording(reads(12) if events is None else events), *options)
    result(what, done.returncode == status and text in done.stdout + done.stderr, done.stdout + done.stderr)


says("--fail-on", ["--fail-on", "warning"], 20, "warning  slow-database")
says("--only with a glob", ["--only", "slow-*", "--all"], 0, "1 warning, 0 infos, 0 ok, 0 without data")
says("--ignore", ["--ignore", "slow-database:known"], 0, "1 ignored")
says("--limit", ["--limit", "slow-database.warning=13", "--only", "slow-database"], 0, "info     slow-database")
says("a limit of another unit", ["--limit", "slow-database.warning=13ms"], 2, "take a number such as 12 or never")
says("--require", ["--require", "slow-database"], 0, "slow-database")
says("--explain", ["--explain", "slow-database"], 0, 'jdk.SocketRead events for which `host = "db" and')
says("Markdown", ["--format", "markdown"], 0, "slow-database")
says("JUnit", ["--format", "junit"], 0, 'name="slow-database"')
says("SARIF", ["--format", "sarif"], 0, '"ruleId": "slow-database"')
says("a line of JSON", ["--ndjson"], 0, '"rule":"slow-database"')
says("a mistyped one", ["--only", "slow-databas"], 2, "did you mean slow-database?")
listed = run("analyze", "--list", "--rules", path_of("own.yaml", SLOW))
result("--list", "slow-database " in listed.stdout and "gc-pause-share" in listed.stdout, listed.stdout)
limits = path_of("limits.yaml", "rules:\n  slow-database: {warning: 100}\n")
says("a file of limits", ["--limits", limits, "--fail-on", "warning"], 0, "info     slow-database")
no_such = recording([])
f = finding(PAGE["request-latency"], no_such, "request-latency")
result("an event that the recording lacks", f["severity"] == "no-data" and "does not declare" in f["summary"], json.dumps(f))
lacks = same_event(PAGE["request-latency"]).replace("path]", "customer]")
f = finding(lacks, recording(requests(2)), "request-latency")
result("a field that the recording lacks", f["severity"] == "no-data" and "rec.Request of this JVM has no field customer" in f["summary"]
       and "own.yaml, line 2" in f["summary"], json.dumps(f))
lacks = same_event(PAGE["request-latency"]).replace("status", "statu")
f = finding(lacks, recording(requests(2)), "request-latency")
result("in the expression, too", f["severity"] == "no-data" and "did you mean status?" in f["summary"], json.dumps(f))
lacks = same_event(PAGE["request-latency"]).replace("p99 duration", "p99 bytes")
f = finding(lacks, recording(requests(2)), "request-latency")
result("a unit that the recording does not have", f["severity"] == "no-data" and "bytes of rec.Request is not a time span" in f["summary"], json.dumps(f))

# What is wrong in a file -----------------------------------------------------------------------------


def wrong(what, rules, place, text):
    done = run("analyze", "--list", "--rules", path_of("own.yaml", rules))
    good = done.returncode == 1 and f"own.yaml: {place}" in done.stderr and text in done.stderr
    result(what, good, done.stderr)


def edited(old, new):
    return SLOW.replace(old, new)


wrong("an event", edited("SocketRead", "SocketRed"), "line 3, column 12: no JDK has an event called SocketRed", "did you mean jdk.SocketRead?")
wrong("an event of nobody", edited("SocketRead", "Order"), "line 3", "needs its full name")
wrong("a list of events", edited("SocketRead", "[SocketRead]"), "line 3", "the name of one event")
wrong("a field of the expression", edited("host", "hots"), "line 4, column 12", "jdk.SocketRead has no field hots; did you mean host?")
wrong("a part of a field", edited('host = "db"', "eventThread.javaNam = 1"), "line 4", "javaNam")
wrong("an expression", edited("and ", "and and "), "line 4", "column")
wrong("a value of another kind", edited("100 ms", '"x"'), "line 4", "duration")
wrong("a group", edited("minute", "hots"), "line 5, column 10", "did you mean host?")
wrong("a window", edited("minute", "10ms"), "line 5", "at least 1 s")
wrong("two windows", edited("minute", "[minute, 10s]"), "line 5", "one window")
wrong("too many groups", edited("minute", "[host, port, address]"), "line 5", "at most 2")
wrong("no class", edited("minute", "class"), "line 5", "name the field")
wrong("a measure", edited("per: minute", "measure: total"), "line 5", "measure is count, rate")
wrong("a measure without its field", edited("per: minute", "measure: sum"), "line 5", "measure is count, rate")
wrong("a measure with too much", edited("per: minute", "measure: count duration"), "line 5", "measure is count, rate")
wrong("a percentile", edited("per: minute", "measure: p101 duration"), "line 5", "measure is count, rate")
wrong("a field of it", edited("per: minute", "measure: sum bytesRed"), "line 5", "did you mean bytesRead?")
wrong("a field that is no number", edited("per: minute", "measure: sum host"), "line 5", "not a number")
wrong("a time of day", edited("per: minute", "measure: max startTime"), "line 5", "not a number")
wrong("a unit", edited("per: minute", "measure: max duration"), "line 6", "info takes a duration such as 500ms or never, not 3")
wrong("another unit", edited("warning: 10", "warning: 10%"), "line 7", "a number such as 12")
wrong("info above warning", edited("info: 3", "info: 11"), "line 6", "info begins below warning")
wrong("no limit", edited("    info: 3\n    warning: 10\n", ""), "line 2", "has no limit")
wrong("no event", edited("    event: SocketRead\n", ""), "line 2", "has no event")
wrong("a key", edited("warning", "warnin"), "line 7", "a rule has no warnin; did you mean warning?")
wrong("a name", edited("slow-database", "Slow Database"), "line 2", "small letters")
wrong("a name that is taken", edited("slow-database", "gc-pause-share"), "line 2", "one of jfrec's own rules")
wrong("a rule that is a text", "rules:\n  slow: off\n", "line 2", "a rule has event")
wrong("another document", "limits: {}\n", "line 1", "only `rules:`")
wrong("an empty one", "", "line 1", "begins with `rules:`")
wrong("an alias", "rules: &a\n  x: *a\n", "line", "")
deep = "rules:\n  x: " + "[" * 200 + "]" * 200 + "\n"
wrong("a deep one", deep, "line 2", "")
long = edited("database answered slowly", "x" * 2000)
wrong("a long text", long, "line 8", "more than 1000 bytes")
many = "rules:\n" + "".join(f"  r{i}: {{event: SocketRead, warning: 1}}\n" for i in range(501))
wrong("501 rules", many, "line 502", "more than 500 rules")
again = run("analyze", "--list", "--rules", path_of("own.yaml", SLOW), "--rules", path_of("other.yaml", SLOW))
result("a name in two files", again.returncode == 1 and "slow-database is in" in again.stderr and "own.yaml already, line 2" in again.stderr, again.stderr)
none = run("analyze", "--list", "--rules", "/nowhere/own.yaml")
result("no such file", none.returncode == 1 and "No such file" in none.stderr, none.stderr)

# Memory ------------------------------------------------------------------------------------------------

groups = "rules:\n  many: {event: FileWrite, measure: sum bytesWritten, per: path, warning: 1}\n"
spread = [dict(name="jdk.FileWrite", at=i / 200, path=f"/f{i}", bytesWritten=1) for i in range(10050)]
f = finding(groups, recording(spread), "many")
result("more groups than are kept", f["severity"] == "warning" and "more than 10000 groups" in f["confidence"], json.dumps(f))

tap.finish()
