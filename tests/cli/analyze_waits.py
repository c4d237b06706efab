"""Rules of analyze on threads that wait for others: pools, deadlocks, event loops.

usage: analyze_waits.py JFREC SOURCE_ROOT

Around their limits, and what they must not blame.  Prints TAP.
"""

import os
import sys

sys.path.insert(0, os.path.join(sys.argv[2], "tests"))
from judged import backwards, chunks, expect, jvm, turn  # noqa: E402
from tap import finish  # noqa: E402

# Pools, executors ---------------------------------------------------------------------------------

PARK = ["jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.LockSupport.park"]
CONDITION = [*PARK, "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await"]
WAIT = ["java.lang.Object.wait0", "java.lang.Object.wait"]
TASK = ["java.util.concurrent.ThreadPoolExecutor.runWorker", "java.util.concurrent.ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"]
SERVLET = ["jakarta.servlet.http.HttpServlet.service", "org.apache.catalina.core.ApplicationFilterChain.doFilter", *TASK]
GET = [*PARK, "java.util.concurrent.FutureTask.awaitDone", "java.util.concurrent.FutureTask.get"]
JOIN = [*PARK, "java.util.concurrent.CompletableFuture$Signaller.block", "java.util.concurrent.ForkJoinPool.managedBlock",
        "java.util.concurrent.CompletableFuture.waitingGet", "java.util.concurrent.CompletableFuture.join"]  # fmt: skip
TAKE = [*CONDITION, "java.util.concurrent.LinkedBlockingQueue.take"]
IDLE = [*TAKE, "java.util.concurrent.ThreadPoolExecutor.getTask", *TASK]
HIKARI = [*PARK, "java.util.concurrent.SynchronousQueue.poll", "com.zaxxer.hikari.util.ConcurrentBag.borrow",
          "com.zaxxer.hikari.pool.HikariPool.getConnection", "com.zaxxer.hikari.HikariDataSource.getConnection",
          "org.springframework.jdbc.datasource.DataSourceUtils.getConnection", "app>app.Orders.load", *TASK]  # fmt: skip


def waits(stack, threads=4, share=0.9, length=0.5, seconds=30, name="worker-", first=0, event="ThreadPark", r=None, **fields):
    """Threads that wait for that share of their time, in waits of that length."""
    r = r or jvm(seconds, ThreadPark={"threshold": "20 ms"}, JavaMonitorWait={"threshold": "20 ms"})
    kind = {"ThreadPark": "parkedClass", "JavaMonitorWait": "monitorClass"}[event]
    for t in range(threads):
        for i in range(round((seconds - first) * share / length)):
            at = first + i * length / share
            r.add("jdk." + event, at=at, duration=length, eventThread=f"{name}{t + 1}", stackTrace=stack, **{kind: "app.X"}, **fields)
    return r


def pool(what, stack, severity, says="", **how):
    expect("pool-wait", what, waits(stack, **how), severity, says)


for share, severity in (0.09, "ok"), (0.11, "info"), (0.29, "info"), (0.31, "warning"), (0.9, "warning"):
    pool(f"HikariCP, {share:.0%} of the time of 4 threads", HIKARI, severity, "HikariCP", share=share, length=0.05)
pool("the method of the application is named, not a framework's", HIKARI, "warning", "in app.Orders.load:1")
pool("one thread alone", HIKARI, "info", threads=1, length=0.05)
pool("one wait of a second", HIKARI, "info", share=1 / 30, length=1, threads=3)
pool("one wait just below", HIKARI, "ok", share=0.9 / 30, length=0.9, threads=2)
pool("many threads, seldom each, but five at once", HIKARI, "warning", threads=60, share=0.09, length=0.05)
pool("four at once", HIKARI, "info", threads=45, share=0.09, length=0.05)
pool("waits that end by their timeout", HIKARI, "warning", "ended by their timeout", timeout=0.5)
pool("ten seconds of a minute", HIKARI, "warning", seconds=12, first=2)
expect("pool-wait", "in any order", backwards(waits(HIKARI)), "warning", "4 threads")
r = waits(HIKARI)
r.add("jdk.JavaExceptionThrow", at=1, thrownClass="java.sql.SQLTransientConnectionException")
r.add("jdk.JavaExceptionThrow", at=1, thrownClass="java.io.IOException")
expect("pool-wait", "what it throws is counted", r, "warning", "thrown 1 times")

POOL2 = [*CONDITION, "org.apache.commons.pool2.impl.LinkedBlockingDeque.pollFirst", "org.apache.commons.pool2.impl.GenericObjectPool.borrowObject"]
for name, stack in (
    ("Commons DBCP", [*POOL2, "org.apache.commons.dbcp2.PoolingDataSource.getConnection", "app>app.A.b"]),
    ("Jedis", [*POOL2, "redis.clients.jedis.util.Pool.getResource", "app>app.A.b"]),
    ("Commons Pool", [*POOL2, "app>app.A.b"]),
    ("Tomcat JDBC", [*PARK, "java.util.concurrent.CountDownLatch.await", "org.apache.tomcat.jdbc.pool.FairBlockingQueue.poll",
                     "org.apache.tomcat.jdbc.pool.ConnectionPool.borrowConnection", "app>app.A.b"]),
    ("Apache HttpClient", [*CONDITION, "org.apache.http.pool.AbstractConnPool.getPoolEntryBlocking", "app>app.A.b"]),
    ("Apache HttpClient", [*WAIT, "org.apache.hc.core5.concurrent.BasicFuture.get",
                           "org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager$3.get", "app>app.A.b"]),
    ("Druid", [*CONDITION, "com.alibaba.druid.pool.DruidDataSource.takeLast", "com.alibaba.druid.pool.DruidDataSource.getConnectionInternal", "app>app.A.b"]),
):  # fmt: skip
    pool(name, stack, "warning", name)
C3P0 = [*WAIT, "com.mchange.v2.resourcepool.BasicResourcePool.awaitAvailable", "com.mchange.v2.c3p0.impl.X.getConnection", "app>app.A.b"]
pool("c3p0", C3P0, "warning", "c3p0", event="JavaMonitorWait")
CREATE = [*GET, "org.postgresql.Driver.connect", *POOL2[-1:], "app>app.A.b"]
pool("a new connection is made in it", CREATE, "info", "FutureTask.get", threads=2)

# The work of others.
for share, severity in (0.19, "ok"), (0.21, "ok"), (0.34, "info"), (0.59, "info"), (0.61, "info"), (0.8, "warning"):
    pool(f"FutureTask.get, {share:.0%} of the time of 4 threads", [*GET, "app>app.Shop.order", *TASK], severity, "FutureTask.get" if share > 0.3 else "", share=share, length=0.1)
for share, severity in (0.19, "ok"), (0.21, "info"), (0.59, "info"), (0.61, "warning"):
    pool(f"CompletableFuture.join, {share:.0%} of the time of 8 threads", [*JOIN, "app>app.Shop.order", *TASK], severity, "CompletableFuture.join", share=share, threads=8, length=0.1)
pool("two threads", [*GET, "app>app.Shop.order", *TASK], "info", threads=2)
pool("one thread", [*GET, "app>app.Shop.order", *TASK], "ok", threads=1)
pool("each waits once, as coordinators do", [*GET, "app>app.Job.run", *TASK], "ok", length=27, threads=4)
pool("the thread main waits for what it has begun", [*GET, "app>app.Main.main"], "ok", name="main", threads=1)
r = waits([*GET, "app>app.Shop.order", *TASK])
expect("pool-wait", "others of the pool are idle", waits(IDLE, name="worker-9", threads=2, r=r), "info")
r = waits([*GET, "app>app.Shop.order", *TASK])
expect("pool-wait", "those of another pool are", waits(IDLE, name="backup-9", threads=2, r=r), "warning")
pool("answers of a peer", [*JOIN, "jdk.internal.net.http.HttpClientImpl.send", "app>app.A.b"], "info", "java.net.http")
pool("a library alone", [*GET, "org.apache.spark.scheduler.DAGScheduler.runJob", *TASK], "ok")

# In a request.
for name, top, event in (
    ("LinkedBlockingQueue.take", TAKE, "ThreadPark"),
    ("CountDownLatch.await", [*PARK, "java.util.concurrent.CountDownLatch.await"], "ThreadPark"),
    ("Object.wait", WAIT, "JavaMonitorWait"),
):
    pool(f"{name} of a request", [*top, "app>app.Pool.borrow", "app>app.Page.get", *SERVLET], "warning", name, event=event)
    pool(f"{name} of a consumer", [*top, "app>app.Consumer.run", *TASK], "ok", event=event)
pool("waits of a request until it is time", [*TAKE, "app>app.Page.poll", *SERVLET], "ok", timeout=0.5)
r = waits([*TAKE, "app>app.Page.poll", *SERVLET], timeout=0.5)
r.add("jdk.JavaExceptionThrow", at=1, thrownClass="java.util.concurrent.TimeoutException")
expect("pool-wait", "the same, which fails", r, "warning", "java.util.concurrent.TimeoutException")
for name in "http-nio-8080-exec-", "qtp1234-", "XNIO-1 task-", "default task-":
    pool("a thread of a server by its name, " + name, [*TAKE, "app>app.Pool.borrow"], "warning", name=name)
for name in "XNIO-1 I/O-", "consumer-", "pool-1-thread-":
    pool("no thread of a server, " + name, [*TAKE, "app>app.Orders.next"], "ok", name=name)
for method in "app.db.Connections.borrow", "app.Store$Pool.take", "app.ClientPool.get", "app.Db.getConnection", "app.Ports.acquire":
    pool("who lends things, by its name, " + method, [*TAKE, "app>" + method, "app>app.Orders.load", *TASK], "warning", f"in {method}:1", name="pool-1-thread-")
for method in ("app.WorkerPool.take", "app.Jobs.acquireJob", "app.TaskQueue.borrow", "app.MessagePool.next", "app.Orders.take", "app.Pools.take",
               "app.ObjectPool.run", "app.ThreadPool.next"):  # fmt: skip
    pool("who hands out work, " + method, [*TAKE, "app>" + method, "app>app.Orders.load", *TASK], "ok", name="pool-1-thread-")
pool("one that evicts what is old, when it is time", [*TAKE, "app>app.ClientPool.evict", *TASK], "ok", timeout=0.5)
BORROW = [*WAIT, "app>app.Spare.next", "app>app.Orders.load"]
pool("those who wait wake each other up", BORROW, "warning", event="JavaMonitorWait", notifier="worker-2")
pool("another wakes those up who wait", BORROW, "ok", event="JavaMonitorWait", notifier="producer")
pool("nobody does", BORROW, "ok", event="JavaMonitorWait")
DERBY = [*WAIT, "org.apache.derby.impl.services.locks.ActiveLock.waitForGrant", "org.apache.derby.impl.jdbc.X.executeUpdate", "app>app.Stock.count"]
pool("a library that was called, where those who wait wake each other up", DERBY, "warning", "ActiveLock.waitForGrant in app.Stock.count:1",
     event="JavaMonitorWait", notifier="worker-2")  # fmt: skip
pool("the same in a request", [*DERBY, *SERVLET], "warning", "keeps rows locked", event="JavaMonitorWait", notifier="worker-2")
pool("a library whose own thread wakes them up", DERBY, "ok", event="JavaMonitorWait", notifier="io-1")
pool("a library that parks", [*CONDITION, *DERBY[2:]], "ok")
pool("a library without the application", DERBY[:-1], "ok", event="JavaMonitorWait", notifier="worker-2")
pool("a server waits by itself", [*WAIT, "org.apache.coyote.Request.read", "app>app.Page.get", *SERVLET], "ok", event="JavaMonitorWait")

# What is in order.
for name, stack in (
    ("idle workers", IDLE),
    ("schedulers", [*CONDITION, "java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue.take",
                    "java.util.concurrent.ThreadPoolExecutor.getTask", *TASK]),
    ("the workers of a ForkJoinPool", [*PARK, "java.util.concurrent.ForkJoinPool.awaitWork", "java.util.concurrent.ForkJoinPool.runWorker"]),
    ("joins of a parallel stream", [*PARK, "java.util.concurrent.ForkJoinTask.awaitDone", "java.util.concurrent.ForkJoinTask.invoke",
                                    "java.util.stream.ReferencePipeline.collect", "app>app.A.b", *SERVLET]),
    ("awaitTermination", [*CONDITION, "java.util.concurrent.ThreadPoolExecutor.awaitTermination", "app>app.A.b", *SERVLET]),
    ("a semaphore, of which lock-contention tells", [*PARK, "java.util.concurrent.Semaphore.acquire", "app>app.A.b", *SERVLET]),
    ("a lock, the same", [*PARK, "java.util.concurrent.locks.ReentrantLock.lock", "app>app.A.b", *SERVLET]),
    ("park of its own", [*PARK, "app>app.Loop.run", *SERVLET]),
    ("the idle of Tomcat", [*TAKE, "org.apache.tomcat.util.threads.TaskQueue.take", "org.apache.tomcat.util.threads.ThreadPoolExecutor.getTask"]),
    ("methods of the JDK only", TAKE),
    ("no stack", None),
):  # fmt: skip
    pool(name, stack, "ok", threads=6)
for name, stack in (
    ("timers", [*WAIT, "java.util.TimerThread.mainLoop", "java.util.TimerThread.run"]),
    ("Thread.join", [*WAIT, "java.lang.Thread.join", "app>app.Main.main"]),
    ("reference handlers", [*WAIT, "java.lang.ref.ReferenceQueue.remove", "app>app.Cleaner.run"]),
):
    pool(name, stack, "ok", event="JavaMonitorWait", threads=6)
r = jvm(30, ThreadPark={"threshold": "20 ms"})
expect("pool-wait", "no waits", r, "ok", "for longer than 20 ms")
later = waits(HIKARI, r=jvm(60, start=30), seconds=60, first=30)
expect("pool-wait", "in the second chunk", chunks(jvm(30, ThreadPark={}), later), "warning")

# Deadlocks ----------------------------------------------------------------------------------------

CYCLE = """Found one Java-level deadlock:
=============================
"worker-1":
  waiting to lock monitor 0x00007f6c280012a0 (object 0x000000043f8e5b18, a app.Account),
  which is held by "worker-2"

"worker-2":
  waiting for ownable synchronizer 0x000000043f8e5b28, (a java.util.concurrent.locks.ReentrantLock$NonfairSync),
  which is held by "worker-1"

Java stack information for the threads listed above:
===================================================
"worker-1":
\tat java.util.HashMap.get(java.base@25/HashMap.java:5)
\tat app.Bank.transfer(Bank.java:23)
\t- waiting to lock <0x000000043f8e5b18> (a app.Account)
"worker-2":
\tat jdk.internal.misc.Unsafe.park(java.base@25/Native Method)
\tat app.loader//app.Ledger.book(Ledger.java:42)

Found 1 deadlock.

"""


def dumps(*texts):
    r = jvm(60, ThreadDump={"period": "everyChunk"})
    for i, text in enumerate(texts):
        r.add("jdk.ThreadDump", at=10 * i, result=text)
    return r


THREADS = """2026-11-26 10:00:00
Full thread dump OpenJDK 64-Bit Server VM (25+36 mixed mode):

"main" #1 prio=5 tid=0x1 waiting on condition

"""
for says in ("worker-1 waits for a lock of app.Account, which worker-2 holds", "waits for java.util.concurrent.locks.ReentrantLock$NonfairSync, held by worker-1",
             "app.Bank.transfer:23", "app.Ledger.book:42", "Deadlock of 2 threads"):  # fmt: skip
    expect("deadlock", says, dumps(THREADS + CYCLE), "warning", says)
expect("deadlock", "none", dumps(THREADS, THREADS), "ok", "2 thread dumps")
expect("deadlock", "in the second dump", dumps(THREADS, THREADS + CYCLE), "warning", "worker-1")
expect("deadlock", "in any order", backwards(dumps(THREADS, THREADS + CYCLE)), "warning", "worker-1")
expect("deadlock", "a later dump does not show it", dumps(THREADS + CYCLE, THREADS), "warning", "later thread dumps")
expect("deadlock", "after a megabyte of threads", dumps(THREADS * 9000 + CYCLE), "warning", "worker-1")
expect("deadlock", "the words within a line", dumps(THREADS + 'x "Found one Java-level deadlock:"\n===\n'), "ok")
expect("deadlock", "no dumps", jvm(60, ThreadDump={"period": "everyChunk"}), "none")
expect("deadlock", "an empty dump", dumps(None, ""), "ok")
for cut in range(len(THREADS) + 40, len(THREADS + CYCLE), 37):
    expect("deadlock", f"cut after {cut}", dumps((THREADS + CYCLE)[:cut]), "warning", "Deadlock")
hostile = CYCLE.replace("worker-2", "\x1b[31m" + "y" * 3000).replace("app.Account", "z" * 3000)
expect("deadlock", "names that are longer than they are read", dumps(THREADS + hostile), "warning", "Deadlock")
many = CYCLE[:61] + "".join(f'"t{i}":\n  waiting to lock monitor 0x1 (object 0x2, a app.A),\n  which is held by "t{i + 1}"\n' for i in range(500))
expect("deadlock", "of many threads", dumps(THREADS + many), "warning", "Deadlock of 500 threads")

# Waits that do not end ----------------------------------------------------------------------------


def thread(name, *lines, state="WAITING (parking)"):
    return f'"{name}" #23 [4711] prio=5 os_prio=0 cpu=1.02ms elapsed=30.10s tid=0x00007f6c nid=4711 waiting on condition  [0x0]\n   java.lang.Thread.State: {state}\n' + "".join(f"\t{line}\n" for line in lines) + "\n"  # fmt: skip


RUN = ("at java.util.concurrent.ThreadPoolExecutor.runWorker(java.base@25/ThreadPoolExecutor.java:1)", "at java.lang.Thread.run(java.base@25/Thread.java:1)")
WRITE = ("at jdk.internal.misc.Unsafe.park(java.base@25/Native Method)", "- parking to wait for  <0x000000043f8e5b28> (a java.util.concurrent.locks.ReentrantReadWriteLock$FairSync)",
         "at java.util.concurrent.locks.ReentrantReadWriteLock$WriteLock.lock(java.base@25/X.java:9)", "at app.server//app.Ledger.book(Ledger.java:42)", *RUN)  # fmt: skip
RESULT = ("at jdk.internal.misc.Unsafe.park(java.base@25/Native Method)", "at java.util.concurrent.FutureTask.get(java.base@25/FutureTask.java:190)",
          "at app.Quotes.all(Quotes.java:12)", *RUN)  # fmt: skip
ENTER = ("at app.Ledger.book(Ledger.java:42)", "- waiting to lock <0x000000043f8e5b18> (a app.Account)", *RUN)
FREE = ("at jdk.internal.misc.Unsafe.park(java.base@25/Native Method)", "at java.util.concurrent.ThreadPoolExecutor.getTask(java.base@25/X.java:1)", *RUN)
BLOCKED = "BLOCKED (on object monitor)"


def twice(first, last=None, apart=30, r=None):
    """What the first and the last dump show."""
    r = r or jvm(60, ThreadDump={"period": "everyChunk"}, ThreadPark={"threshold": "10 ms"}, JavaMonitorEnter={"threshold": "10 ms"})
    r.add("jdk.ThreadDump", at=1, result=THREADS + first)
    r.add("jdk.ThreadDump", at=1 + apart, result=THREADS + (last or first))
    return r


def ended(name, at, event="ThreadPark"):
    r = twice(two)
    r.add("jdk." + event, at=at, duration=0.5, eventThread=name)
    return r


two = thread("save-1", *WRITE) + thread("save-2", *WRITE)
for says in "2 threads waited for a lock", "all of 30 s", "save-1 in app.Ledger.book, a java.util.concurrent.locks.ReentrantReadWriteLock$FairSync":
    expect("deadlock", says, twice(two), "warning", says)
expect("deadlock", "in any order", backwards(twice(two)), "warning", "2 threads waited")
expect("deadlock", "the lock was moved by a collection", twice(two, two.replace("43f8e5b28", "4ffffffff").replace("cpu=1.02", "cpu=1.04")), "warning")
expect("deadlock", "one thread", twice(thread("save-1", *WRITE)), "info", "1 thread waited")
expect("deadlock", "at monitors", twice(thread("a", *ENTER, state=BLOCKED) + thread("b", *ENTER, state=BLOCKED)), "warning", "a app.Account")
expect("deadlock", "dumps that follow each other soon", twice(two, apart=9), "ok")
expect("deadlock", "other threads in the last dump", twice(two, two.replace("save", "load")), "ok")
expect("deadlock", "at another place", twice(two, two.replace("42", "43")), "ok")
expect("deadlock", "waits of these ended between", ended("save-1", 5), "info", "1 thread waited")
expect("deadlock", "a wait at the monitor ended between", ended("save-1", 5, "JavaMonitorEnter"), "info", "1 thread waited")
expect("deadlock", "waits that ended before", ended("save-1", 0), "warning", "2 threads waited")
expect("deadlock", "waits of others ended", ended("load-1", 5), "warning", "2 threads waited")
r = jvm(60, ThreadDump={"period": "everyChunk"})
for event in "ThreadPark", "JavaMonitorEnter":
    turn(r, "jdk." + event, enabled="false")
expect("deadlock", "where waits were not recorded", twice(two, r=r), "ok")
expect("deadlock", "tryLock with a timeout", twice(two.replace("WriteLock.lock", "WriteLock.tryLock")), "ok")
recorder = thread("JFR Periodic Tasks", "at jdk.jfr.internal.PlatformRecorder.periodicTask(jdk.jfr@25/PlatformRecorder.java:1)", "- waiting to lock <0x0004> (a jdk.jfr.internal.PlatformRecorder)",
                  "at jdk.jfr.internal.PlatformRecorder$$Lambda/0x000000005c07c198.run(jdk.jfr@25/Unknown Source)", state=BLOCKED)  # fmt: skip
expect("deadlock", "the recorder, which writes the dump", twice(recorder), "ok")
pools = "".join(thread(f"pool-1-thread-{i}", *RESULT) for i in range(4))
for says in "All 4 threads pool-1-thread-", "app.Quotes.all", "same executor":
    expect("deadlock", says, twice(pools), "info", says)
expect("deadlock", "a fifth worker is free", twice(pools + thread("pool-1-thread-9", *FREE)), "ok")
expect("deadlock", "workers of another executor are", twice(pools + thread("pool-2-thread-1", *FREE)), "info")
expect("deadlock", "who has begun the work waits for it", twice(pools.replace("ThreadPoolExecutor.runWorker", "X.run")), "ok")
expect("deadlock", "one worker", twice(thread("pool-1-thread-1", *RESULT)), "ok")
for cut in range(20, len(two) // 2, 61):
    expect("deadlock", f"a dump cut after {cut}", twice(two[:cut], two), "ok")

# Event loops --------------------------------------------------------------------------------------

NETTY = ["io.netty.channel.AbstractChannelHandlerContext.fireChannelRead", "io.netty.channel.nio.NioEventLoop.run",
         "io.netty.util.concurrent.SingleThreadEventExecutor$4.run", "java.lang.Thread.run"]  # fmt: skip
HANDLER = ["java.lang.Thread.sleep", "app>app.Handler.channelRead", *NETTY]


def loop(event="ThreadSleep", share=0.5, stack=HANDLER, thread="nioEventLoopGroup-3-1", length=0.025, seconds=30, from_s=0, to_s=None, r=None):
    r = r or jvm(seconds, ThreadSleep={"threshold": "20 ms"}, ThreadPark={"threshold": "20 ms"})
    to_s = to_s or seconds
    for i in range(round((to_s - from_s) * share / length)):
        r.add("jdk." + event, at=from_s + i * length / share, duration=length, eventThread=thread, stackTrace=stack)
    return r


for share, severity in (0.04, "ok"), (0.06, "info"), (0.19, "info"), (0.21, "warning"), (0.97, "warning"):
    expect("event-loop-blocked", f"{share:.0%} asleep", loop(share=share), severity)
for event, says in (
    ("ThreadSleep", "asleep"), ("ThreadPark", "waiting in"), ("JavaMonitorEnter", "waiting for a lock"), ("JavaMonitorWait", "waiting for a signal"),
    ("SocketRead", "reading from a socket"), ("SocketWrite", "writing to a socket"), ("FileRead", "reading a file"),
    ("FileWrite", "writing a file"), ("FileForce", "forcing"),
):  # fmt: skip
    expect("event-loop-blocked", event, loop(event), "warning", says)
expect("event-loop-blocked", "the handler is named", loop(), "warning", "in app.Handler.channelRead")
expect("event-loop-blocked", "ten seconds of a minute", loop(seconds=60, from_s=20, to_s=30, share=0.3), "warning")
expect("event-loop-blocked", "once for half a second", loop(seconds=60, from_s=20, to_s=20.5, length=0.5, share=1), "info")
expect("event-loop-blocked", "two loops", loop(r=loop(), thread="nioEventLoopGroup-3-2"), "warning", "as did 1 more")
expect("event-loop-blocked", "half at once, and counted once", loop(r=loop(share=0.04), share=0.04), "ok")
for thread in ("vert.x-eventloop-thread-0", "reactor-http-epoll-4", "lettuce-nioEventLoop-5-2", "AsyncHttpClient-3-1", "XNIO-1 I/O-4",
               "epollEventLoopGroup-2-1", "event-loop-1", "grpc-nio-worker-ELG-1-2", "multiThreadIoEventLoopGroup-3-1"):  # fmt: skip
    expect("event-loop-blocked", "by its name, " + thread, loop(stack=["java.lang.Thread.sleep", "app>app.A.b"], thread=thread), "warning")
expect("event-loop-blocked", "by its methods alone", loop(thread="shop-3"), "warning")
for thread in ("vert.x-worker-thread-3", "XNIO-1 task-4", "pool I/O-4", "EventLoopMonitor", "main", "http-nio-8080-exec-1"):
    expect("event-loop-blocked", "no loop, " + thread, loop(stack=["java.lang.Thread.sleep", "app>app.A.b"], thread=thread), "ok")
expect("event-loop-blocked", "a message loop at its queue, by its name alone", loop("ThreadPark", stack=[*TAKE, "org.x.Loop.run", *TASK], thread="dispatcher-event-loop-1"), "ok")
for event in "SocketRead", "SocketWrite":
    expect("event-loop-blocked", f"{event} of its own channel", loop(event, stack=["io.netty.channel.socket.nio.NioSocketChannel.doWrite", *NETTY]), "ok")
    expect("event-loop-blocked", f"{event} by a handler", loop(event, stack=["java.net.Socket$SocketInputStream.read", *HANDLER[1:]]), "warning")
expect("event-loop-blocked", "a handler at a queue", loop("ThreadPark", stack=[*TAKE, "app>app.Handler.channelRead", *NETTY]), "warning")
REACTOR = ["reactor.core.publisher.MonoCallable.call", "reactor.core.scheduler.WorkerTask.call", *TASK]
KOTLIN = ["kotlinx.coroutines.DispatchedTask.run", "kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.run"]
LIMITED = [KOTLIN[0], "kotlinx.coroutines.internal.LimitedDispatcher$Worker.run", KOTLIN[1]]
AKKA = ["akka.dispatch.Mailbox.run", "java.util.concurrent.ForkJoinTask.doExec"]
for what, thread, stack, severity, says in (
    ("Reactor's parallel", "parallel-1", [*GET, "app>app.A.b", *REACTOR], "warning", "Reactor's parallel scheduler parallel-1"),
    ("threads that others call so", "parallel-1", [*GET, "app>app.A.b", *TASK], "ok", ""),
    ("Reactor's for what blocks", "boundedElastic-1", [*GET, "app>app.A.b", *REACTOR], "ok", ""),
    ("Reactor's, idle", "parallel-1", [*IDLE, *REACTOR], "ok", ""),
    ("RxJava's", "RxComputationThreadPool-2", ["java.lang.Thread.sleep", "app>app.A.b", "io.reactivex.rxjava3.internal.X.run", *TASK], "warning", "RxJava"),
    ("Kotlin's Default", "DefaultDispatcher-worker-1", ["java.lang.Thread.sleep", "app>app.A.b", *KOTLIN], "warning", "Dispatchers.Default"),
    ("Kotlin's IO", "DefaultDispatcher-worker-1", ["java.lang.Thread.sleep", "app>app.A.b", *LIMITED], "ok", ""),
    ("Kotlin's, idle", "DefaultDispatcher-worker-1", [*PARK, "kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.park", *KOTLIN[1:]], "ok", ""),
    ("Akka's", "shop-akka.actor.default-dispatcher-4", ["java.lang.Thread.sleep", "app>app.A.b", *AKKA], "warning", "Akka"),
    ("Akka's, told", "shop-akka.actor.default-dispatcher-4", ["java.lang.Thread.sleep", "scala.concurrent.BlockContext$.x", "app>app.A.b", *AKKA], "ok", ""),
):  # fmt: skip
    expect("event-loop-blocked", what, loop("ThreadSleep", stack=stack, thread=thread), severity, says)
for name, stack in (
    ("waits for tasks", [*TAKE, "io.netty.util.concurrent.SingleThreadEventExecutor.takeTask", "io.netty.channel.DefaultEventLoop.run"]),
    ("ends", ["java.lang.Thread.sleep", "io.netty.util.concurrent.SingleThreadEventExecutor.confirmShutdown", *NETTY[1:]]),
    ("selects", ["sun.nio.ch.SelectorImpl.lockAndDoSelect", *NETTY[1:]]),
):
    expect("event-loop-blocked", "one that " + name, loop(stack=stack), "ok")
expect("event-loop-blocked", "in any order", backwards(loop()), "warning", "50 %")
expect("event-loop-blocked", "no stack", loop(stack=None), "warning")

finish()
