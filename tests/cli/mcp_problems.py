"""jfrec mcp: problems that a script without intelligence solves, since the tools answer.

usage: mcp_problems.py JFREC SOURCE_ROOT

Each problem is a recording with a name in it that is to be found, among others that look alike.
The script asks what is wrong first, and then what the problem says; the answer is read from a fixed
place. It has twelve calls and 60 kB of replies.  Prints TAP.
"""

import json
import os
import shutil
import sys
import tempfile

JFREC, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
sys.path.insert(0, os.path.join(ROOT, "tests"))
from mcp_client import Server, data_of  # noqa: E402
from plant import Recording, Types  # noqa: E402
from tap import finish, result, skip  # noqa: E402

TYPES = Types(os.path.join(ROOT, "tests/data/ok/jvm-25.jfr"))
WILD = os.path.join(ROOT, "tests/wild/recordings")
MS = 0.001
MOST_CALLS, MOST_BYTES = 12, 60000


def planted(kind, count, *rows):
    """A recording of so many events of a kind for each row of fields."""
    r = Recording(TYPES)
    for i in range(count):
        for row in rows:
            r.add(kind, at=i / 10 + 0.001 * len(row), **row)
    return r


def cell(got, column=0):
    """Of the first row of a table."""
    document = got["structuredContent"]["document"]
    table = document["views"][0] if "views" in document else document
    return str(table["rows"][0][column])


def finding(got):
    return got["structuredContent"]["document"]["jvms"][0]["findings"][0]["summary"]


def event(got, field):
    return str(got["structuredContent"]["document"]["events"][0]["values"][field])


def joined():
    """Who wrote to disk in the longest pause of the collector?"""
    r = Recording(TYPES)
    for i in range(20):
        r.add("jdk.GCPhasePause", at=i, duration=0.2 if i == 13 else 2 * MS, gcId=i, name="GC Pause")
        r.add("jdk.FileWrite", at=i + (0.1 if i == 13 else 0.5), duration=MS, eventThread="archiver-13" if i == 13 else f"writer-{i}",
              path="/var/app/journal", bytesWritten=10)
    return r


def owners():
    """Who held the lock for which the thread `checkout` waited most?"""
    r = Recording(TYPES)
    for i in range(12):
        r.add("jdk.JavaMonitorEnter", at=i, duration=30 * MS, eventThread="batch", previousOwner="sorter", monitorClass="app>app.Stock")
        r.add("jdk.JavaMonitorEnter", at=i + 0.3, duration=5 * MS, eventThread="checkout", previousOwner="pricer", monitorClass="app>app.Stock")
        if i < 3:
            r.add("jdk.JavaMonitorEnter", at=i + 0.5, duration=25 * MS, eventThread="checkout", previousOwner="auditor-8",
                  monitorClass="app>app.Stock")
    return r


def samples():
    r = Recording(TYPES)
    for i in range(200):
        top = "app>app.codec.Zigzag.fold" if i % 10 < 6 else "app>app.web.Router.route" if i % 10 < 9 else "app>app.Main.idle"
        r.add("jdk.ExecutionSample", at=i / 50, sampledThread="worker" if i % 10 < 9 else "timer", state="STATE_RUNNABLE",
              stackTrace=[top, "app>app.Main.main"])
    return r


def growth():
    r = Recording(TYPES)
    for i in range(20):
        r.add("jdk.ClassLoaderStatistics", at=i / 10, classLoader="templates-5", classCount=10 + 2 * i, blockSize=1000 * i)
        r.add("jdk.ClassLoaderStatistics", at=i / 10, classLoader="app", classCount=900, blockSize=1 << 20)
    return r


SELECT_SLEEP = "SELECT eventThread, SUM(duration) AS S FROM ThreadSleep GROUP BY eventThread ORDER BY S DESC LIMIT 3"
SELECT_STARTER = """SELECT stackTrace.topApplicationFrame, COUNT(*) AS C FROM ThreadStart GROUP BY stackTrace.topApplicationFrame
ORDER BY C DESC LIMIT 3"""
SELECT_PORT = "SELECT port, COUNT(*) AS C FROM SocketRead GROUP BY port ORDER BY C DESC LIMIT 3"
SQL_JOIN = """select w."eventThread.javaName" from "jdk.FileWrite" w join "jdk.GCPhasePause" p
on w.startTime between p.startTime and p.startTime + p.duration order by p.duration desc limit 1"""
SQL_OWNER = """select "previousOwner.javaName", sum(duration) s from "jdk.JavaMonitorEnter"
where "eventThread.javaName" = 'checkout' group by 1 order by s desc limit 1"""

# What is asked for; the recording; tools and their arguments, of which the last one answers; where the answer is; the name.
PROBLEMS = [
    ("the file that is slow", planted("jdk.FileRead", 5, {"path": "/etc/app.conf", "duration": 0.1 * MS, "bytesRead": 99},
     {"path": "/srv/ledger-77.db", "duration": 2 * MS, "bytesRead": 9}), [("view", {"view": "slow-files"})], cell, "/srv/ledger-77.db"),
    ("the host that is slow", planted("jdk.SocketRead", 5, {"host": "cache.example", "duration": 0.1 * MS, "bytesRead": 99},
     {"host": "tarpit.example", "duration": 3 * MS, "bytesRead": 9}), [("view", {"view": "slow-hosts"})], cell, "tarpit.example"),
    ("who holds the lock", planted("jdk.JavaMonitorEnter", 4, {"eventThread": "a", "previousOwner": "reader", "monitorClass": "app>app.A", "duration": MS},
     {"eventThread": "b", "previousOwner": "hoarder-3", "monitorClass": "app>app.B", "duration": 2 * MS}),
     [("views", {}), ("view", {"view": "lock-wait-by-holder"})], cell, "hoarder-3"),
    ("the message of most exceptions", planted("jdk.JavaExceptionThrow", 6, {"message": "timeout", "thrownClass": "app>app.Slow"},
     *[{"message": "no route to bay 7", "thrownClass": "app>app.Lost"}] * 3), [("view", {"view": "exception-by-message"})], cell, "no route to bay 7"),
    ("the loader that grows", growth(), [("view", {"view": "class-loader-growth"})], cell, "templates-5"),
    ("the thread that takes CPU time", planted("jdk.CPUTimeSample", 9, {"eventThread": "cruncher-9", "samplingPeriod": 0.02},
     *({"eventThread": f"calm-{i}", "samplingPeriod": 0.001} for i in range(3))), [("view", {"view": "cpu-time-by-thread"})], cell, "cruncher-9"),
    ("the thread that is late at safepoints", planted("jdk.SafepointLatency", 9, {"eventThread": "copier-4", "duration": 2 * MS},
     {"eventThread": "good", "duration": 0.1 * MS}), [("view", {"view": "safepoint-latency-by-thread"})], cell, "copier-4"),
    ("the file with most writes", planted("jdk.FileWrite", 5, {"path": "/tmp/a", "bytesWritten": 9, "duration": 0.01 * MS},
     {"path": "/tmp/spool-31", "bytesWritten": 99999, "duration": 0.01 * MS}),
     [("view", {"view": "file-writes-by-path", "sort": "Total Written:desc"})], cell, "/tmp/spool-31"),
    ("the host that is read most", planted("jdk.SocketRead", 5, {"host": "a.example", "bytesRead": 9, "duration": 0.01 * MS},
     {"host": "firehose.example", "bytesRead": 99999, "duration": 0.01 * MS}),
     [("view", {"view": "socket-reads-by-host", "sort": "Total Read:desc"})], cell, "firehose.example"),
    ("who starts threads", planted("jdk.ThreadStart", 5, {"eventThread": "x", "thread": "y", "stackTrace": ["java.lang.Thread.start", "app>app.Spawner.go"]},
     {"eventThread": "x", "thread": "y", "stackTrace": ["java.lang.Thread.start", "app>app.Spawner.go"]},
     {"eventThread": "x", "thread": "z", "stackTrace": ["java.lang.Thread.start", "app>app.Main.main"]}), [("query", {"query": SELECT_STARTER})], cell, "app.Spawner.go"),
    ("where virtual threads are pinned", planted("jdk.VirtualThreadPinned", 3, {"duration": MS, "pinnedReason": "Native", "stackTrace": ["app>app.Bridge.call"]},
     {"duration": 0.1 * MS, "pinnedReason": "Native", "stackTrace": ["app>app.Other.call"]}), [("view", {"view": "pinning-by-site"})], cell, "app.Bridge.call"),
    ("who sleeps most", planted("jdk.ThreadSleep", 9, {"eventThread": "sloth-2", "duration": 5 * MS, "time": 5},
     *({"eventThread": f"nap-{i}", "duration": MS, "time": 1} for i in range(5))), [("query", {"query": SELECT_SLEEP})], cell, "sloth-2"),
    ("the port of short reads", planted("jdk.SocketRead", 9, {"host": "a", "port": 4242, "bytesRead": 1, "duration": 0.01 * MS},
     *({"host": "a", "port": 80 + i, "bytesRead": 5000, "duration": 0.01 * MS} for i in range(4))),
     [("query", {"query": SELECT_PORT, "where": "bytesRead < 100"})], cell, "4242"),
    ("who wrote in the longest pause", joined(), [("sql", {"sql": SQL_JOIN})], cell, "archiver-13"),
    ("for whom `checkout` waits", owners(), [("sql", {"sql": SQL_OWNER})], cell, "auditor-8"),
    ("what the worker runs", samples(), [("hot_stacks", {"profile": "cpu", "top": 1, "where": 'sampledThread.javaName == "worker"'})],
     data_of, "app.codec.Zigzag.fold"),
    ("the longest flush", planted("jdk.FileForce", 4, {"path": "/srv/a.log", "duration": MS}, {"path": "/srv/fsync-6.log", "duration": 2 * MS}),
     [("events", {"events": "FileForce", "sort": "duration", "limit": 1})], lambda got: event(got, "path"), "/srv/fsync-6.log"),
    ("why nothing goes on", "deadlock-25", [], finding, "save-1"),
    ("which lock", "lock-synchronized-25", [], finding, "acme.prices.PriceService.priceOf"),
    ("who makes exceptions", "exceptions-25", [], finding, "acme.invoices.Invoices.amount"),
]


def solve(server, recording, calls, answer_of):
    """The answer, the calls it took, their bytes, and what `analyze` says without being asked for all."""
    got = said = server.call("analyze", recording=recording)
    count, size = 1, len(json.dumps(got, ensure_ascii=False).encode())
    for tool, arguments in calls:
        got = server.call(tool, recording=recording, **arguments)
        count += 1
        size += len(json.dumps(got, ensure_ascii=False).encode())
    try:
        answer = answer_of(got)
    except (KeyError, IndexError, TypeError):
        answer = f"no answer in {str(got)[:900]}"
    return answer, count, size, data_of(said)


root = tempfile.mkdtemp(prefix="jfrec-mcp-")
server = Server(JFREC, "--root", root)
if server.begin() is None:
    skip("jfrec mcp", server.process.stderr.read().strip()[:200])
    finish()
    sys.exit()
by_view = 0
for number, (what, recording, calls, answer_of, name) in enumerate(PROBLEMS):
    if isinstance(recording, str):
        file = recording + ".jfr.zst"
        shutil.copy(os.path.join(WILD, file), root)
    else:
        file = f"{number}.jfr"
        with open(os.path.join(root, file), "wb") as f:
            f.write(recording.bytes())
    answer, count, size, said = solve(server, file, calls, answer_of)
    by_view += name not in said
    result(name in answer and count <= MOST_CALLS and size <= MOST_BYTES, f"{what}: {count} calls, {size} bytes",
           f"wanted {name}", f"got {answer[:900]}")
result(by_view >= 15, f"{by_view} of {len(PROBLEMS)} are not answered by analyze")
result(server.end() == 0, "the server ends")
shutil.rmtree(root)
finish()
