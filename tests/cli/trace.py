"""jfrec trace: the slowest requests, and what their time went into.

usage: trace.py JFREC SOURCE_ROOT

Prints TAP.
"""

import json
import os
import subprocess
import sys
import tempfile

JFREC, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
sys.path.insert(0, os.path.join(ROOT, "tests"))
from plant import Recording, Types  # noqa: E402
from slow_server import judge  # noqa: E402
from tap import finish, result  # noqa: E402

OK = os.path.join(ROOT, "tests/data/ok")
MS = 1_000_000


def run(*arguments, **how):
    return subprocess.run([JFREC, "trace", *arguments], capture_output=True, text=True, **how)


def document(*arguments):
    done = run("--json", *arguments)
    return json.loads(done.stdout) if done.stdout else {"requests": [], "stderr": done.stderr}


work = tempfile.TemporaryDirectory()
os.chdir(work.name)

# A server -----------------------------------------------------------------------------------------

packed = os.path.join(ROOT, "tests/data/trace/slow-25.jfr.zst")
said = judge(JFREC, packed)
result(not said, "1,000 requests of a server, of which 100 are slow for five reasons", *said)
for reason, words in (("cpu", "SlowServer.computePrices"), ("lock", "SlowServer$Inventory")):
    for command in (["flame", "--include", "SlowServer"], ["diff"]):
        during = f'shop.Request[reason = "{reason}" and duration > 50ms]'
        done = subprocess.run([JFREC, *command, "--during", during, packed], capture_output=True, text=True)
        result(words in done.stdout, f"{command[0]} --during names {reason}", done.stdout[:500], done.stderr)

# Planted ------------------------------------------------------------------------------------------

types = Types(os.path.join(OK, "jvm-25.jfr"))
types.declare("app.Request", duration="long", eventThread="java.lang.Thread", path="java.lang.String", number="long")
types.declare("app.Query", duration="long", eventThread="java.lang.Thread", sql="java.lang.String")
types.declare("app.Instant", eventThread="java.lang.Thread")
types.declare("app.Lonely", duration="long")


def plant(path, *events, **how):
    r = Recording(types, **how)
    for name, at, given in events:
        r.add(name, at=at, **given)
    with open(path, "wb") as f:
        f.write(r.bytes())


def request(at, duration, number, thread="worker-1"):
    return ("app.Request", at, dict(duration=duration, eventThread=thread, path="/orders", number=number))


def sample(at, thread="worker-1", method="app.Shop.work"):
    return ("jdk.ExecutionSample", at, dict(sampledThread=thread, state="STATE_RUNNABLE",
                                            stackTrace=["java.util.HashMap.get", method]))


def nanos(r):
    return {k: v["nanos"] // MS for k, v in r["time"].items() if v["nanos"]}


plant("one.jfr",
      request(1, 1, 1),
      ("app.Query", 1.1, dict(duration=0.5, eventThread="worker-1", sql="select 1")),
      ("jdk.SocketRead", 1.2, dict(duration=0.3, eventThread="worker-1", host="db", port=5432)),
      ("jdk.JavaMonitorEnter", 1.7, dict(duration=0.1, eventThread="worker-1", monitorClass="app.Lock",
                                         previousOwner="worker-2", stackTrace=["app.Shop.lock"])),
      ("jdk.GCPhasePause", 1.75, dict(duration=0.1, name="Pause")),
      ("jdk.ThreadPark", 0.9, dict(duration=0.15, eventThread="worker-1", parkedClass="app.Gate")),
      ("jdk.ThreadPark", 1.95, dict(duration=0.2, eventThread="worker-1",
                                    parkedClass="java.util.concurrent.locks.ReentrantLock$NonfairSync")),
      ("jdk.SocketRead", 1.2, dict(duration=0.6, eventThread="worker-2", host="other")),
      *[sample(1.86 + i / 50) for i in range(4)],
      sample(1.3), sample(1.9, "worker-2"), sample(0.5),
      request(3, 0.2, 2), request(3.05, 0.1, 3), request(5, 0.05, 4, "worker-2"))
d = document("one.jfr")
first = d["requests"][0]
result([r["fields"][1]["value"] for r in d["requests"]] == [1, 2, 4] and d["found"] == 3 and d["inner"] == 1,
       "the slowest first, and none that is in another", d)
want = {"gc": 100, "socket": 300, "lock": 100, "wait": 50, "running": 80, "unexplained": 370}
result(nanos(first) == want, "each moment counts once", nanos(first), want)
result(sum(nanos(first).values()) == 1000, "the parts are the whole", nanos(first))
result(first["time"]["running"] == {"nanos": 80 * MS, "samples": 4, "errorNanos": 40 * MS},
       "samples, and how wrong they may be", first["time"]["running"])
result(first["methods"] == [{"method": "app.Shop.work", "samples": 4, "nanos": 80 * MS}],
       "the method of the application", first["methods"])
spans = {(s["type"], s["offsetNanos"] // MS): s for s in first["spans"]}
result(len(spans) == 6 and ("jdk.ThreadPark", -100) in spans, "what happened in the thread", sorted(spans))
read = spans["jdk.SocketRead", 200]
result(read["depth"] == 1 and read["detail"] == "db, port 5432" and read["kind"] == "socket",
       "a wait in a span", read)
lock = spans["jdk.JavaMonitorEnter", 700]
result(lock["detail"] == "app.Lock, held by worker-2" and lock["site"] == "app.Shop.lock", "a lock", lock)
result(spans["app.Query", 100]["detail"] == "sql select 1" and spans["app.Query", 100]["depth"] == 0,
       "a span", spans["app.Query", 100])
second = d["requests"][1]
result([s["type"] for s in second["spans"]] == ["app.Request"] and nanos(second) == {"unexplained": 200},
       "a request in a request is a span", second)
text = run("--top", "1", "--utc", "one.jfr").stdout
for words in ("3 requests, the slowest 1:", "1 event is within", "1. app.Request  1 s  worker-1",
              "path /orders, number 1", "socket          300 ms   30.0 %  1 event",
              "running          80 ms    8.0 %  4 samples, ± 40 ms", "80 ms in app.Shop.work",
              "held by worker-2, in app.Shop.lock"):
    result(words in text, f"text: {words}", text)
for jobs in ("1", "2", "3"):
    again = run("--jobs", jobs, "--json", "one.jfr", packed).stdout
    result(again == run("--json", "one.jfr", packed).stdout, f"the same with {jobs} threads")
piped = run("--utc", "-", stdin=open("one.jfr", "rb"))
result(piped.stdout == run("--utc", "one.jfr").stdout, "a pipe", piped.stdout, piped.stderr)

# Threads of equal numbers on two hosts are two.
plant("quiet.jfr", sample(1.5), ("jdk.GCPhasePause", 1.1, dict(duration=0.5, name="Pause")), clock=100)
both = document("one.jfr", "quiet.jfr")
result(nanos(both["requests"][0]) == want, "what another host did is not in it", nanos(both["requests"][0]))

# A request that goes on in the next chunk, and one that is everything else.
plant("first.jfr", ("jdk.SocketRead", 0.8, dict(duration=0.1, eventThread="worker-1", host="db")))
plant("second.jfr", request(1.805 - 1, 1.2, 1), start=1)
r = Recording(types, start=0)
r.add("jdk.SocketRead", at=1.9, duration=0.1, eventThread="worker-1", host="db")
one = r.bytes()
r = Recording(types, start=2)
r.add("app.Request", at=2.5, duration=1, eventThread="worker-1", number=7)
r.add("jdk.SocketRead", at=2.6, duration=0.25, eventThread="worker-1", host="db")
with open("chunks.jfr", "wb") as f:
    f.write(one + r.bytes())
d = document("chunks.jfr")
result([nanos(r) for r in d["requests"]] == [{"socket": 250, "unexplained": 750}], "two chunks", d)

# Many ---------------------------------------------------------------------------------------------

r = Recording(types)
for i in range(80_000):
    r.add("app.Query", at=10 + i / 1e6, duration=10 - 2 * i / 1e6, eventThread="worker-1", sql=f"query {i}")
    if i % 4 == 0:
        r.add("jdk.SocketRead", at=10 + i / 1e6, duration=10 - 2 * i / 1e6, eventThread="worker-1", host="db")
r.add("app.Request", at=9, duration=12, eventThread="worker-1", number=1)
with open("many.jfr", "wb") as f:
    f.write(r.bytes())
d = document("--max-memory", "256M", "many.jfr")
result(d["requests"] and nanos(d["requests"][0]) == {"socket": 10000, "unexplained": 2000} and
       d["requests"][0]["spansLeftOut"] == 99_900, "100,000 spans in one another", str(d)[:500])
plant("long.jfr", request(1, 10**9, 1), request(1.5, 1, 2))
d = document("long.jfr")
result(d["found"] == 1 and d["requests"][0]["durationNanos"] == 10**18, "10^18 ns", str(d)[:500])

# What cannot be answered --------------------------------------------------------------------------

plant("none.jfr", ("jdk.SocketRead", 1, dict(duration=0.1, eventThread="worker-1", host="db")))
plant("nothing.jfr", ("app.Instant", 1, dict(eventThread="worker-1")), ("app.Lonely", 1, dict(duration=1)))
for arguments, status, words in (
    (["--of", "app.Reqest", "one.jfr"], 1, "there is no such event in this recording: app.Reqest; did you mean app.Request?"),
    (["--of", "app.Instant", "one.jfr"], 1, "have no duration"),
    (["--of", "app.Lonely", "one.jfr"], 1, "have no thread"),
    (["--of", "app.Request[number = 9]", "one.jfr"], 1, "no event of app.Request matches number = 9"),
    (["--of", "app.Request[nmber = 9]", "one.jfr"], 2, "--of: column 1: no selected event type has a field nmber"),
    (["--of", "app.Request[number", "one.jfr"], 2, "the bracket before the expression is not closed"),
    (["--of", "app.Request by number", "one.jfr"], 2, "a request is of one thread"),
    (["none.jfr"], 1, "no event looks like a request; name those that are with --of, such as jdk.SocketRead (1 event)"),
    (["nothing.jfr"], 1, "no event in this recording has a duration and a thread"),
    (["--top", "1001", "one.jfr"], 2, "--top is at most 1000"),
    ([], 2, "a recording or a JVM"),
):
    done = run(*arguments)
    result(done.returncode == status and words in done.stderr and not done.stdout, " ".join(arguments) or "nothing",
           done.returncode, done.stderr, done.stdout[:300])
d = document("--of", "app.Request[number != 1]", "one.jfr")
result([r["fields"][1]["value"] for r in d["requests"]] == [2, 4], "an expression", d)
d = document("--of", "jdk.SocketRead", "none.jfr")
result(d["requests"] and d["requests"][0]["type"] == "jdk.SocketRead", "an event of the JVM", d)

# What recordings say reaches a terminal harmless.
plant("odd.jfr", ("app.Request", 1, dict(duration=1, eventThread="evil\x1b[31m", path="/\x07\x1b]0;x\x07", number=1)))
text = run("odd.jfr").stdout
result("\x1b" not in text and "\x07" not in text and "evil" in text, "control characters", text)
finish()
