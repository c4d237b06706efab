"""Rules of analyze on sockets, files, processes, the JVM, its options, secrets, the recorder.

usage: analyze_outside.py JFREC SOURCE_ROOT

Around their limits, and what they must not blame.  Prints TAP.
"""

import os
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(sys.argv[2], "tests"))
from judged import JFREC, MB, TYPES, Recording, chunks, expect, jvm, turn, with_events  # noqa: E402
from tap import finish, result  # noqa: E402

# Sockets ------------------------------------------------------------------------------------------


def socket(length, kind="Read", port=5432, size=2000, thread="worker", threshold="20 ms", stack=None, **more):
    r = jvm()
    turn(r, "jdk.SocketRead", enabled="true", threshold=threshold)
    turn(r, "jdk.SocketWrite", enabled="true", threshold=threshold)
    amount = {"bytesRead" if kind == "Read" else "bytesWritten": size}
    r.add(f"jdk.Socket{kind}", at=5, duration=length, eventThread=thread, host="db", address="10.0.0.7", port=port,
          stackTrace=stack or ["java.net.Socket.read", "app>app.Client.ask"], **amount, **more)  # fmt: skip
    return r


for kind in "Read", "Write":
    for length, severity in (0.274, "ok"), (0.276, "info"), (1.99, "info"), (2.0, "warning"):
        expect("socket-wait", f"{kind} of {length} s", socket(length, kind), severity, "db:5432")
expect("socket-wait", "none", jvm(SocketRead={"threshold": "20 ms"}), "ok")
for kind in "SocketRead", "SocketWrite":
    expect("socket-wait", f"nothing above the threshold of {kind}, which hides", jvm(**{kind: {"threshold": "500 ms"}}), "off", "275 ms")
expect("socket-wait", "a wait above a threshold that hides others", socket(3, threshold="500 ms"), "warning", "took 3 s")
expect("socket-wait", "the same that is short of a warning", socket(0.6, threshold="500 ms"), "info", "600 ms")
expect("socket-wait", "a worker waits for a request", socket(30, port=40123, size=300), "ok", "next request")
expect("socket-wait", "a worker loads much from a high port", socket(30, port=40123, size=9000), "warning")
for frame in (
    "sun.rmi.transport.tcp.TCPTransport.handleMessages",
    "javax.management.remote.rmi.RMIConnector$RMINotifClient.fetchNotifs",
    "org.apache.tomcat.util.net.NioEndpoint.run",
):
    r = socket(30, stack=["java.net.Socket.read", frame])
    expect("socket-wait", f"idle in {frame.split('.')[-2]}", r, "ok", "next request")
expect("socket-wait", "it timed out", socket(3, timeout=3), "warning", "reads that timed out")
r = socket(0.1)
r.add("jdk.SocketRead", at=6, duration=3, eventThread="w", address="10.0.0.9", port=80, bytesRead=10)
expect("socket-wait", "a peer without a name", r, "warning", "10.0.0.9:80")
r = jvm()
turn(r, "jdk.SocketRead", enabled="false")
turn(r, "jdk.SocketWrite", enabled="false")
expect("socket-wait", "switched off", r, "off", "jfrec start --settings")


TOMCAT = ["jakarta.servlet.http.HttpServlet.service", "org.apache.coyote.http11.Http11Processor.service",
          "org.apache.tomcat.util.net.NioEndpoint$SocketProcessor.doRun"]  # fmt: skip
r = socket(3, stack=["java.net.Socket.read", "org.postgresql.core.v3.QueryExecutorImpl.processResults", "app>app.Orders.load", *TOMCAT])
expect("socket-wait", "the application asks a database for a request of Tomcat", r, "warning", "app.Orders.load")
r = socket(3, port=40123, size=300, stack=["java.net.Socket.read", "sun.net.www.http.HttpClient.parseHTTPHeader", "app>app.A.b", *TOMCAT])
expect("socket-wait", "a known client reads little from a high port", r, "warning", "An answer of db:40123")
r = socket(3, stack=["java.net.Socket.read", "org.apache.coyote.http11.Http11InputBuffer.fill", "app>app.Upload.read", *TOMCAT])
expect("socket-wait", "the server itself reads the body of a request", r, "ok")
r = socket(3, stack=["java.net.Socket.read", "redis.clients.jedis.Connection.readProtocol", "redis.clients.jedis.Jedis.blpop", "app>app.A.b"])
expect("socket-wait", "a message that has not come", r, "ok")


def asking(threads=4, share=0.95, length=0.1, port=5432, seconds=20, r=None, stack=None, each=0, size=300):
    """Threads that read answers of one peer; each: every thread has a port of its own, from there on."""
    r = r or jvm(seconds, SocketRead={"threshold": "20 ms"})
    for t in range(threads):
        for i in range(round(seconds * share / length)):
            r.add("jdk.SocketRead", at=i * length / share + t * length / 3, duration=length, eventThread=f"worker-{t}", host="db",
                  port=each + t if each else port, bytesRead=size, stackTrace=stack or ["java.net.Socket.read", "app>app.Client.ask"])  # fmt: skip
    return r


for share, severity in (0.4, "ok"), (0.85, "ok"), (0.88, "ok"), (0.92, "warning"):
    expect("socket-wait", f"four threads wait {share:.0%} of their time, 100 ms each", asking(share=share), severity, "db:5432")
for share, severity in (0.68, "ok"), (0.75, "warning"):
    expect("socket-wait", f"eight threads wait {share:.0%} of their time", asking(8, share=share), severity, "")
for length, severity in (0.3, "ok"), (0.1, "info"):
    r = socket(0.5)
    r.add("jdk.GCPhasePause", at=5.1, duration=length, gcId=1, name="GC Pause")
    expect("socket-wait", f"half a second, for {length} s of which a collection stopped all threads", r, severity)
expect("socket-wait", "three threads", asking(3), "warning", "of their time")
expect("socket-wait", "two threads", asking(2), "info", "of their time")
for method in "lambda$messages$0", "run", "call":
    loop = ["java.net.Socket.read", "app>app.Messages." + method]
    expect("socket-wait", f"consumers of one port read messages in {method}", asking(port=40123, length=1.5, stack=loop), "ok", "next request or message")
expect("socket-wait", "one thread", asking(1), "ok")
expect("socket-wait", "seldom", asking(length=0.27, share=0.1), "ok")
expect("socket-wait", "a backend on the port of a client, for several at once", asking(port=40123), "warning", "answers of db:40123")
expect("socket-wait", "the same that is slow", asking(port=40123, length=0.5, share=0.3), "info", "An answer of db:40123")
expect("socket-wait", "clients, each on its port", asking(each=40100), "ok", "760 reads of 76 s in all")
HTTP = ["java.net.Socket.read", "sun.net.www.http.HttpClient.parseHTTPHeader", "app>app.A.b"]
expect("socket-wait", "each on its port, by a known client, one thread each", asking(each=40100, stack=HTTP), "ok", "An answer")
expect("socket-wait", "one after the other on one high port", asking(1, port=40123), "ok", "190 reads of 19 s in all")


def chatting(share=0.9, own=("app>app.Orders.load",), top="sun.nio.ch.Net.poll", name="worker", r=None):
    """Samples of a thread that stands in reads, each too short for an event."""
    r = r or jvm(30, SocketRead={"threshold": "10 ms"}, SocketWrite={"threshold": "10 ms"}, NativeMethodSample={"period": "20 ms"})
    turn(r, "jdk.NativeMethodSample", enabled="true", period="20 ms")
    for i in range(round(30 / 0.02 * share)):
        r.add("jdk.NativeMethodSample", at=i * 0.02 / share, sampledThread=name, stackTrace=[top, "sun.nio.ch.NioSocketImpl.park", *own])
    return r


PG = ("org.postgresql.core.v3.QueryExecutorImpl.processResults", "app>app.Orders.load")
for share, severity in (0.68, "ok"), (0.72, "info"):
    expect("socket-wait", f"a known client waits {share:.0%} of its time, shortly each", chatting(share, PG), severity, "app.Orders.load" if share > 0.7 else "")
expect("socket-wait", "it may be a server of its own", chatting(), "ok")
URL = ("sun.net.www.http.HttpClient.parseHTTP", "app>app.Orders.load")
expect("socket-wait", "a client of HTTP", chatting(0.9, URL), "info", "app.Orders.load")
expect("socket-wait", "it reads what follows the head", chatting(0.9, ("sun.net.www.protocol.http.HttpURLConnection$HttpInputStream.read", URL[1])), "info")
r = chatting(0.9, URL)
for i in range(200):
    r.add("jdk.NativeMethodSample", at=i * 0.1, sampledThread="dispatcher", stackTrace=["sun.nio.ch.EPoll.wait", "sun.net.httpserver.ServerImpl$Dispatcher.run"])
expect("socket-wait", "clients of the JVM's own server", r, "ok")
expect("socket-wait", "a peer answers in the same method", chatting(own=("app>app.Client.ask",), r=asking(1, seconds=30, share=0.1, length=0.02)), "info", "too short")
expect("socket-wait", "a peer answers in another", chatting(own=("app>app.Server.read",), r=asking(1, seconds=30, share=0.1, length=0.02)), "ok")
expect("socket-wait", "it accepts connections", chatting(own=("sun.nio.ch.NioSocketImpl.accept", "app>app.Orders.load")), "ok")
expect("socket-wait", "a server waits for requests", chatting(own=("org.apache.coyote.http11.Http11InputBuffer.fill",)), "ok")
expect("socket-wait", "a listener", chatting(own=("redis.clients.jedis.JedisPubSub.process", *PG)), "ok")

# Files, processes ---------------------------------------------------------------------------------


def file(length, kind="FileRead", path="/data/a.db"):
    r = jvm(FileRead={"threshold": "20 ms"}, FileForce={"threshold": "20 ms"})
    return with_events(r, (kind, 5, {"duration": length, "path": path, "stackTrace": ["app>app.Store.sync"]}))


for kind in "FileRead", "FileWrite":
    for length, severity in (1.99, "ok"), (2.0, "info"), (3.99, "info"), (4.0, "warning"):
        expect("file-wait", f"{kind} of {length} s", file(length, kind), severity, "/data/a.db")
for length, severity in (0.049, "ok"), (0.05, "info"), (9, "info"):
    expect("file-wait", f"forcing for {length} s", file(length, "FileForce"), severity, "app.Store.sync")
for path in "/proc/self/stat", "/dev/random", "/dev/pts/0", "pipe:[77]", None:
    expect("file-wait", f"{path} is no storage", file(60, path=path), "ok")


def storing(threads=4, share=0.95, length=0.1, seconds=20, kind="FileWrite"):
    r = jvm(seconds, FileWrite={"threshold": "20 ms"})
    for t in range(threads):
        for i in range(round(seconds * share / length)):
            r.add("jdk." + kind, at=i * length / share, duration=length, eventThread=f"worker-{t}", path=f"/data/{t}.db",
                  stackTrace=["app>app.Store.save"])  # fmt: skip
    return r


for share, severity in (0.4, "ok"), (0.88, "ok"), (0.92, "warning"):
    expect("file-wait", f"four threads write {share:.0%} of their time", storing(share=share), severity)
expect("file-wait", "two threads", storing(2), "info", "waited for storage")
expect("file-wait", "one thread", storing(1), "ok")
expect("file-wait", "four force files", storing(kind="FileForce", length=0.04), "warning", "waited for storage")


def forcing(share, top="sun.nio.ch.UnixFileDispatcherImpl.force0", acceptors=0, threads=1, seconds=30):
    """Samples of native methods, one thread each 20 ms, in turn with those that accept connections."""
    r = jvm(seconds, NativeMethodSample={"period": "20 ms"}, FileForce={"threshold": "10 ms"}, FileWrite={"threshold": "10 ms"})
    accept = ["sun.nio.ch.Net.accept", "sun.nio.ch.NioSocketImpl.accept", "java.net.ServerSocket.accept", "app>app.Server.run"]
    turn = 0.02 * (acceptors + 1)
    for i in range(round(seconds / turn)):
        for k in range(acceptors):
            r.add("jdk.NativeMethodSample", at=i * turn + 0.02 * k, sampledThread=f"acceptor-{k}", stackTrace=accept)
        if (i * share) % 1 < share:
            r.add("jdk.NativeMethodSample", at=i * turn + 0.02 * acceptors, sampledThread=f"log-{i % threads}", stackTrace=[top, "app>app.Ledger.append"])
    return r


for share, severity in (0.45, "ok"), (0.55, "info"), (1, "info"):
    expect("file-wait", f"a thread forces for {share:.0%} of its time, too short each for an event", forcing(share), severity, "app.Ledger.append" if share > 0.5 else "")
expect("file-wait", "by FileDescriptor.sync(), which has no event", forcing(0.9, "java.io.FileDescriptor.sync0"), "info", "log-0 spent 9")
expect("file-wait", "a RandomAccessFile", forcing(0.9, "java.io.RandomAccessFile.writeBytes0"), "info", "writing to a RandomAccessFile")
expect("file-wait", "a server accepts connections meanwhile", forcing(0.9, acceptors=2), "info", "log-0 spent 8")
expect("file-wait", "the same for less than half", forcing(0.4, acceptors=2), "ok")
expect("file-wait", "three threads, seen in turn", forcing(1, threads=3), "info", "as did 2 more")
r, chance = forcing(0), random.Random(31)
for i in range(1500):
    r.add("jdk.NativeMethodSample", at=i * 0.02, sampledThread=f"log-{chance.randrange(4)}", stackTrace=["sun.nio.ch.UnixFileDispatcherImpl.force0", "app>app.A.b"])
expect("file-wait", "four threads, seen in no order", r, "ok")
expect("file-wait", "a thread that reads standard input", forcing(1, "java.io.FileInputStream.readBytes"), "ok")
expect("file-wait", "for a second", forcing(1, seconds=1), "ok")


def processes(count, seconds=60):
    r = jvm(seconds, ProcessStart={})
    for i in range(count):
        r.add("jdk.ProcessStart", at=i * seconds / count, pid=i, command="git --password=x pull", stackTrace=["app>app.Sync.run"])
    return r


expect("process-start", "none", jvm(ProcessStart={}), "ok")
expect("process-start", "one", processes(1), "info", "app.Sync.run")
expect("process-start", "59 in a minute", processes(59), "info")
expect("process-start", "60 in a minute", processes(60), "warning")

# The end of the JVM -------------------------------------------------------------------------------


def ended(event, reason):
    r = jvm(Shutdown={}, DumpReason={})
    r.add("jdk." + event, at=50, reason=reason)
    return r


for event, reason, severity in (
    ("Shutdown", "No remaining non-daemon Java threads", "ok"),
    ("Shutdown", "Shutdown requested from Java", "ok"),
    ("Shutdown", "VM Error", "warning"),
    ("DumpReason", "Crash", "warning"),
    ("DumpReason", "Out of Memory", "warning"),
    ("DumpReason", "Core Dump", "warning"),
    ("DumpReason", "Dumped by user", "ok"),
):
    expect("crash", f"{event} {reason}", ended(event, reason), severity)
expect("crash", "it runs", jvm(Shutdown={}), "ok")

both = ended("DumpReason", "Out of Memory")
both.add("jdk.Shutdown", at=51, reason="No remaining non-daemon Java threads")
expect("crash", "an orderly end after an OutOfMemoryError", both, "warning", "(No remaining non-daemon Java threads), after threads")


def killed(resident=0, limit=-1, direct=0, committed=0, is_finished=False, event=None, start=0):
    r = jvm(60, Shutdown={}, start=start)
    r.is_finished = is_finished
    r.add("jdk.ContainerConfiguration", at=start + 1, memoryLimit=limit * MB if limit > 0 else -1, hostTotalMemory=64000 * MB)
    for at in (10, 20):
        r.add("jdk.ResidentSetSize", at=start + at, size=(resident - 20 + at) * MB)
    r.add("jdk.DirectBufferStatistics", at=start + 20, memoryUsed=direct * MB)
    r.add("jdk.GCHeapSummary", at=start + 20, gcId=1, when="After GC", heapUsed=MB, heapSpace={"committedSize": committed * MB})
    if event:
        r.add("jdk.Shutdown", at=start + 59, reason=event)
    return r


expect("crash", "the last chunk has no end", killed(), "info", "was killed, or still ran")
for resident, severity in (799, "info"), (801, "warning"):
    expect("crash", f"the same with {resident} of 1000 MB", killed(resident, 1000), severity, "killed")
expect("crash", "heap and direct buffers", killed(limit=1000, direct=500, committed=400), "warning", "900 MiB of 1000 MiB")
expect("crash", "without a limit", killed(63000), "info")
expect("crash", "it said that it ends", killed(900, 1000, event="Shutdown requested from Java"), "ok")
expect("crash", "the chunk has an end", killed(900, 1000, is_finished=True), "ok")
expect("crash", "only an earlier chunk has none", chunks(killed(), killed(is_finished=True, start=60)), "ok")
expect("crash", "a part was asked for", killed(900, 1000), "ok", "", "--to", "+30s")
damaged = bytearray(killed(is_finished=True).bytes())
damaged[68:72] = b"\xff" * 4  # the size of the first event
expect("crash", "an earlier chunk is damaged", bytes(damaged) + killed(start=60).bytes(), "ok")


def code(used, heap="CodeCache", full=0):
    r = jvm()
    r.add("jdk.CodeCacheStatistics", at=0, codeBlobType=heap, startAddress=0, reservedTopAddress=100 * MB,
          unallocatedCapacity=round((1 - used) * 100 * MB), fullCount=full)  # fmt: skip
    return r


for used, severity in (0.49, "ok"), (0.51, "info"), (0.79, "info"), (0.81, "warning"):
    expect("code-cache", f"{used:.0%} in use", code(used, "CodeHeap 'profiled nmethods'"), severity)
expect("code-cache", "a part that is not used", code(1, "Unused"), "ok")
expect("code-cache", "it was full before", code(0.1, full=1), "warning", "before the recording began")
r = code(0.1)
r.add("jdk.CodeCacheFull", at=9, codeBlobType="CodeHeap 'non-profiled nmethods'", methodCount=900)
expect("code-cache", "it was full", r, "warning", "CodeHeap 'non-profiled nmethods'")
r = code(0.1)
r.add("jdk.CompilationFailure", at=9, failureMessage="out of nodes", compileId=4)
expect("code-cache", "a method is too large", r, "ok")
r.add("jdk.CompilationFailure", at=9, failureMessage="code cache is full", compileId=5)
expect("code-cache", "a method found no room", r, "warning")

# Options, secrets ---------------------------------------------------------------------------------


def arguments(jvm_arguments, java_arguments="app.Main", jdk=25, version=None, pid=7, name="OpenJDK 64-Bit Server VM"):
    r = Recording(TYPES)
    version = version or f"OpenJDK 64-Bit Server VM ({jdk}.0.1+9) for linux-amd64 JRE ({jdk}.0.1+9)"
    r.add("jdk.JVMInformation", at=0, jvmName=name, jvmVersion=version, pid=pid,
          jvmArguments=jvm_arguments, javaArguments=java_arguments)  # fmt: skip
    r.end = 60
    return r


for words, severity, says in (
    ("-Xmx1g -XX:+UseG1GC", "ok", ""),
    ("-Xmx1g -Xmx2g", "info", "MaxHeapSize is given more than once"),
    ("-Xmx1g -XX:MaxHeapSize=2g", "info", "MaxHeapSize"),
    ("-XX:+UseG1GC -XX:+UseG1GC", "info", "UseG1GC"),
    ("-Da=1 -Da=1", "ok", ""),
    ("-Da=1 -Da=2", "info", "-Da"),
    ("-XX:StartFlightRecording=name=a -XX:StartFlightRecording=name=b", "ok", ""),
    ("--add-opens a/b=c --add-opens a/d=c -javaagent:a.jar -javaagent:b.jar", "ok", ""),
    ("-Xlog:gc -Xlog:safepoint", "ok", ""),
    ("-XX:+UnlockDiagnosticVMOptions", "ok", ""),
    ("-XX:+IgnoreUnrecognizedVMOptions", "ok", ""),
    ("-Xverify:none", "warning", "not verified"),
    ("-XX:-BytecodeVerificationRemote", "warning", "(-XX:-BytecodeVerificationRemote)"),
    ("-noverify -XX:TieredStopAtLevel=1", "info", "(-noverify)"),
    ("-XX:-DebugNonSafepoints", "info", "safepoints"),
    ("-Dx=-Xverify:none", "ok", ""),
):
    expect("options", words, arguments(words), severity, says)
for flag, jdk, severity, says in (
    ("UseBiasedLocking", 11, "ok", ""),
    ("UseBiasedLocking", 17, "info", "deprecated since JDK 15"),
    ("UseBiasedLocking", 21, "warning", "does not exist in JDK 19 and later"),
    ("UseSharedSpaces", 17, "ok", ""),
    ("UseSharedSpaces", 21, "info", "no effect since JDK 19"),
    ("UseSharedSpaces", 26, "info", "no effect since JDK 19"),
    ("UseSharedSpaces", 28, "warning", "does not exist"),
    ("MaxRAMFraction", 21, "info", "deprecated since JDK 10"),
    ("MaxRAMFraction", 25, "warning", "does not exist"),
    ("FlightRecorder", 28, "info", "deprecated since JDK 13"),
    ("UseCompressedClassPointers", 21, "ok", ""),
    ("UseCompressedClassPointers", 26, "info", "deprecated since JDK 25"),
    ("UseCompressedClassPointers", 28, "info", "no effect since JDK 27"),
    ("ParallelRefProcEnabled", 25, "ok", ""),
    ("ParallelRefProcEnabled", 26, "info", "deprecated since JDK 26"),
):
    words = f"-XX:+IgnoreNothing -XX:+{flag}"
    expect("options", f"{flag} of JDK {jdk}", arguments(words, jdk=jdk), severity, says)
expect("options", "JDK 8 without DebugNonSafepoints, and without samples", arguments("-Xmx1g", jdk=8), "ok")
r = arguments("-Xmx1g", jdk=8)
turn(r, "jdk.ExecutionSample", enabled="true")
expect("options", "JDK 8 that may be sampled", r, "info", "Start the JVM with -XX:+UnlockDiagnosticVMOptions")
r = arguments("-Xmx1g", jdk=8)
r.add("jdk.ExecutionSample", at=1, sampledThread="main", stackTrace=["app.Main.run"], state="STATE_RUNNABLE")
expect("options", "JDK 8 with samples", r, "info", "DebugNonSafepoints")
expect("options", "JDK 8 with it", arguments("-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints", jdk=8), "ok")

for words, severity, says in (
    ("-Ddb.password=hunter2", "warning", "db.password"),
    ("-Dapi.token=abc", "warning", "api.token"),
    ("-Dpassworld=1 -Dpasswise=1", "ok", ""),
    ("-Ddb.passwordFile=/run/x", "info", "probably none is one"),
    ("-Dserver.port=80", "ok", ""),
    ("-Dcom.sun.management.jmxremote.ssl.need.client.auth=true", "ok", ""),
    ("-Dapi.token=/run/secrets/token", "ok", ""),
    ("-Dsession.token=1700000000", "ok", ""),
    ("-Dkey.password=1234567", "warning", "key.password"),
    ("--password-store=basic", "ok", ""),
):
    expect("secrets", words, arguments(words), severity, says)
for name, value in (
    ("XDG_SESSION_ID", "42"),
    ("TERM_SESSION_ID", "w0t0p0:0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0"),
    ("SECURITYSESSIONID", "186a6"),
    ("GIT_ASKPASS", "/usr/share/code/askpass.sh"),
    ("XDG_ACTIVATION_TOKEN", "gnome-shell/Code/2211-1-host_TIME812"),
):
    r = jvm()
    r.add("jdk.InitialEnvironmentVariable", at=0, key=name, value=value)
    expect("secrets", f"every desktop has {name}", r, "ok")
expect("secrets", "an argument of the program", arguments("", "app.Main --keystore-password=changeit"), "warning", "keystore-password")
r = jvm()
r.add("jdk.InitialSystemProperty", at=0, key="db.password", value="ENC(zzz)")
expect("secrets", "a value that is not readable", r, "info")
r = jvm()
r.add("jdk.InitialSystemProperty", at=0, key="db.password", value="[REDACTED]")
expect("secrets", "the JVM left the value out", r, "ok")
r = jvm()
r.add("jdk.SystemProcess", at=0, pid="9", commandLine="mysql --password=hunter2")
r.add("jdk.InitialSystemProperty", at=0, key="user.name", value="anna")
expect("secrets", "another process", r, "warning", "password")


def remote(**properties):
    r = jvm()
    for key, value in properties.items():
        r.add("jdk.InitialSystemProperty", at=0, key="com.sun.management.jmxremote." + key, value=value)
    r.add("jdk.InitialSystemProperty", at=0, key="user.name", value="anna")
    return r


for what, properties, severity in (
    ("no port", {}, "ok"),
    ("no port, but no password", {"authenticate": "false"}, "ok"),
    ("protected", {"port": "9999"}, "ok"),
    ("without TLS", {"port": "9999", "ssl": "false"}, "info"),
    ("without a password", {"port": "9999", "authenticate": "false"}, "warning"),
    ("without both", {"port": "9999", "authenticate": "false", "ssl": "false"}, "warning"),
    ("without both, local", {"port": "9999", "authenticate": "FALSE", "ssl": "false", "host": "127.0.0.1"}, "info"),
):
    expect("jmx-open", what, remote(**properties), severity)

for count, dynamic, took, severity in (0, 0, 0, "ok"), (1, 0, 0.9, "ok"), (1, 0, 1.0, "info"), (1, 1, 0, "info"), (2, 0, 0, "info"), (9, 9, 0, "info"):
    r = jvm(JavaAgent={}, NativeAgent={})
    for i in range(count):
        r.add("jdk.JavaAgent", at=59, name=f"a{i}.jar", dynamic=i < dynamic, initializationDuration=took)
    expect("agents", f"{count}, {dynamic} of them late, {took} s", r, severity)
later = jvm(120, start=60)
for r in (first := jvm(60)), later:
    r.add("jdk.JavaAgent", at=r.end - 1, name="a.jar")
expect("agents", "one, in two chunks", chunks(first, later), "ok")

for given, says in (
    ("-javaagent:/opt/opentelemetry-javaagent.jar=token=hunter2 -agentlib:jdwp=transport=dt_socket", "OpenTelemetry, the debugger"),
    ("-javaagent:/opt/dd-java-agent.jar -agentpath:/opt/libasyncProfiler.so=start", "Datadog, async-profiler"),
    ("-javaagent:a.jar -Xrunjdwp:server=y", "2 agents"),
):
    expect("agents", "before JDK 21, " + given, arguments(given, jdk=17), "info", says)
expect("agents", "before JDK 21, one", arguments("-javaagent:a.jar -Dx=-javaagent:b.jar", jdk=17), "ok", "1 agent")
expect("agents", "before JDK 21, none", arguments("-Xmx1g", jdk=17), "ok", "0 agents")
expect("agents", "options of agents are not shown", arguments("-javaagent:a.jar=key-hunter2 -javaagent:b.jar", jdk=17), "info", '"text": "a.jar"')

JDWP = "-agentlib:jdwp=transport=dt_socket,suspend=n,"
for given, jdk, severity in (
    ("-Xmx1g", 17, "ok"),
    (JDWP + "server=y,address=5005", 17, "info"),
    (JDWP + "server=y,address=5005", 8, "warning"),
    (JDWP + "server=y", 17, "info"),
    (JDWP + "server=y", 8, "warning"),
    (JDWP + "server=y,address=*:5005", 17, "warning"),
    (JDWP + "address=*:5005,server=y", 25, "warning"),
    (JDWP + "server=y,address=0.0.0.0:5005", 17, "warning"),
    (JDWP + "server=y,address=[::]:5005", 17, "warning"),
    (JDWP + "server=y,address=shop.example.com:5005", 17, "warning"),
    (JDWP + "server=y,address=10.0.0.7:5005", 8, "warning"),
    (JDWP + "server=y,address=localhost:5005", 8, "info"),
    (JDWP + "server=y,address=127.0.0.1:5005", 17, "info"),
    (JDWP + "server=y,address=[::1]:5005", 17, "info"),
    (JDWP + "server=y,address=*:5005,allow=10.0.0.0/24", 17, "info"),
    (JDWP + "server=y,address=*:5005,allow=*", 17, "warning"),
    (JDWP + "server=y,address=*:5005,onjcmd=y", 17, "info"),
    (JDWP + "server=n,address=dev.example.com:40123", 17, "info"),
    (JDWP + "address=dev.example.com:40123", 17, "info"),
    ("-agentlib:jdwp=transport=dt_shmem,server=y,address=shop", 8, "info"),
    ("-Xdebug -Xrunjdwp:transport=dt_socket,server=y,address=*:8000", 11, "warning"),
    (JDWP + "address=127.0.0.1:1 -Dx " + JDWP + "server=y,address=*:2", 17, "warning"),
    ("-Dhint=-agentlib:jdwp=server=y,address=*:5005", 17, "ok"),
    ("-agentlib:jdwp=", 17, "info"),
    ("-agentlib:jdwp=,,=,server=y,address=:", 8, "warning"),
    ("-agentlib:jdwp=server=y,address=[", 17, "info"),
):
    expect("debugger-open", f"JDK {jdk}: {given}", arguments(given, jdk=jdk), severity)

for given, jdk, severity in (
    ("-Xmx1g", 17, "ok"),
    ("-Xint", 17, "warning"),
    ("-Xint -Xmixed", 17, "ok"),
    ("-Xmixed -Xint", 17, "warning"),
    ("-Xcomp", 17, "info"),
    ("-XX:-UseCompiler", 17, "warning"),
    ("-XX:-UseCompiler -XX:+UseCompiler", 17, "ok"),
    ("-XX:TieredStopAtLevel=0", 17, "warning"),
    ("-XX:TieredStopAtLevel=1", 17, "info"),
    ("-XX:TieredStopAtLevel=1 -Xverify:none", 17, "info"),
    ("-XX:TieredStopAtLevel=3", 17, "info"),
    ("-XX:TieredStopAtLevel=4", 17, "ok"),
    ("-XX:TieredStopAtLevel=", 17, "ok"),
    ("-Djava.compiler=NONE", 17, "warning"),
    ("-Djava.compiler=NONE", 21, "ok"),
    ("-Djava.compiler=x", 8, "ok"),
    ("-Dnote=-Xint", 17, "ok"),
    ("-Xinteresting", 17, "ok"),
):
    expect("interpreted-only", f"JDK {jdk}: {given}", arguments(given, jdk=jdk), severity)

expect("pid-1", "process 7", arguments("", pid=7), "ok")
expect("pid-1", "process 1", arguments("", pid=1), "info")
r = arguments("", pid=1)
r.add("jdk.ProcessStart", at=5, pid=20, command="true")
expect("pid-1", "process 1 with children", r, "warning")

for version, name, severity in (
    ("OpenJDK 64-Bit Server VM (25.302-b08) for linux-amd64 JRE (1.8.0_302-b08)", "OpenJDK 64-Bit Server VM", "ok"),
    ("OpenJDK 64-Bit Server VM (25.292-b10) for linux-amd64 JRE (1.8.0_292-b10)", "OpenJDK 64-Bit Server VM", "warning"),
    ("Java HotSpot(TM) VM (25.40-b25) for linux-amd64 JRE (1.8.0_40-b25)", "Java HotSpot(TM) 64-Bit Server VM", "ok"),
    ("OpenJDK VM (28-ea+1) for linux-amd64 JRE (28-ea+1-1)", "OpenJDK 64-Bit Server VM", "info"),
    ("17.0.2+8-86", "OpenJDK 64-Bit Server VM", "ok"),
    ("25.0.3+9-LTS", "OpenJDK 64-Bit Server VM", "ok"),
):
    expect("jvm-support", version, arguments("", version=version, name=name), severity)
expect("jvm-support", "a name with beta in it", arguments("", name="beta-ea VM"), "ok")
expect("jvm-support", "no version", Recording(TYPES), "none", "")

# Certificates -------------------------------------------------------------------------------------

NOW = 1_700_000_100  # plant.START
DAY = 86400


def certificate(algorithm="SHA256withRSA", key="RSA", length=2048, days=365, used=True, issuer="CN=ca"):
    r = jvm(X509Certificate={})
    r.add("jdk.X509Certificate", at=5, algorithm=algorithm, subject="CN=a", issuer=issuer, keyType=key, keyLength=length,
          certificateId=77, validFrom=1000 * (NOW - DAY), validUntil=1000 * (NOW + days * DAY))  # fmt: skip
    if used:
        r.add("jdk.TLSHandshake", at=6, peerHost="db", peerPort=443, protocolVersion="TLSv1.3", certificateId=77)
    return r


for what, options, severity in (
    ("sound", {}, "ok"),
    ("SHA-1, used", {"algorithm": "SHA1withRSA"}, "warning"),
    ("SHA-1, not used", {"algorithm": "SHA1withRSA", "used": False}, "info"),
    ("MD5 of a root", {"algorithm": "MD5withRSA", "issuer": "CN=a"}, "ok"),
    ("RSA of 1024 bits", {"length": 1024}, "warning"),
    ("RSA of 2047 bits", {"length": 2047}, "warning"),
    ("EC of 256 bits", {"key": "EC", "length": 256}, "ok"),
    ("EC of 192 bits", {"key": "EC", "length": 192}, "warning"),
    ("31 days left", {"days": 31}, "ok"),
    ("29 days left", {"days": 29}, "info"),
    ("over since yesterday", {"days": -1}, "warning"),
    ("over, not used", {"days": -1, "used": False}, "info"),
):
    expect("certificates", what, certificate(**options), severity)
r = jvm()
turn(r, "jdk.X509Certificate", enabled="false")
expect("certificates", "switched off", r, "off", "settings analyze")

# The recorder -------------------------------------------------------------------------------------


def cut(cut_ones, of=1000, event="ExecutionSample"):
    r = jvm(ExecutionSample={"period": "20 ms"})
    for i in range(of):
        stack = ["app>app.A.b", "app>app.A.c"] + (["..."] if i < cut_ones else [])
        r.add("jdk." + event, at=i / 20, stackTrace=stack)
    return r


for n, severity in (0, "ok"), (9, "ok"), (10, "info"), (199, "info"), (200, "warning"), (1000, "warning"):
    expect("stack-depth", f"{n} of 1000 are cut", cut(n), severity)
expect("stack-depth", "allocation", cut(250, event="ObjectAllocationSample"), "warning", "ObjectAllocationSample")
expect("stack-depth", "those of waits do no harm", cut(1000, event="ThreadPark"), "too-few")
expect("stack-depth", "19 stack traces", cut(19, 19), "too-few")
expect("stack-depth", "20 stack traces", cut(20, 20), "warning")
expect("stack-depth", "19 of 20 are cut", cut(19, 20), "info")


def threshold(value, event="ThreadPark", **more):
    r = jvm()
    turn(r, "jdk." + event, enabled="true", threshold=value, **more)
    return r


for value, severity in ("0 ms", "info"), ("0 ns", "info"), ("1 ns", "ok"), ("20 ms", "ok"):
    expect("settings-costly", f"jdk.ThreadPark from {value} on", threshold(value), severity)
expect("settings-costly", "another event", threshold("0 ms", "FileForce"), "ok")
r = jvm()
turn(r, "jdk.ThreadPark", enabled="false", threshold="0 ms")
expect("settings-costly", "it was off", r, "ok")
r = threshold("0 ms")
turn(r, "jdk.ThreadPark", at=30, threshold="20 ms")
expect("settings-costly", "mended in the middle", r, "ok")
two = chunks(threshold("20 ms"), jvm(120, start=60, ThreadPark={"threshold": "0 ms"}))
expect("settings-costly", "in the second of two chunks", two, "info")


def lost(*rows):
    return with_events(jvm(DataLoss={}), *[("DataLoss", at, {"amount": a, "total": t}) for at, a, t in rows])


expect("buffers-lost", "none", lost(), "ok")
expect("buffers-lost", "one", lost((5, 4096, 4096)), "warning", "at least 4")
many = [(i, 4000, 4000 * (i + 1)) for i in range(15)]
expect("buffers-lost", "fifteen are worse than one", lost(*many), "warning", "15 times")
expect("buffers-lost", "events of loss were lost, too", lost((5, 1000, 97748)), "warning", "95.5 KiB")
r = lost((5, 4096, 4096))
r.add("jdk.GCPhasePause", at=10, duration=5, gcId=1, name="GC Pause")
expect("gc-pause-longest", "other findings say that events were lost", r, "warning", "lost events from")

# Headers that were never finished ------------------------------------------------------------------


def unfinished(r, drop=0):
    """As async-profiler leaves a file when it is killed: no sizes, no places, no length."""
    data = bytearray(r.bytes())
    at = struct.unpack(">Q", data[16:24])[0]
    metadata = struct.unpack(">Q", data[24:32])[0]
    data[8:32] = bytes(24)
    data[40:48] = bytes(8)
    if drop:  # the checkpoint with all constants
        del data[at:metadata]
    return bytes(data)


r = jvm(60)
for i in range(60):
    r.add("jdk.CPULoad", at=i, jvmUser=0.1, jvmSystem=0.1, machineTotal=0.3)
expect("recording-short", "the length comes from the events", unfinished(r), "ok", "59 s")
expect("recorder-overhead", "no billions a second", unfinished(r), "ok", "1 events")
with tempfile.NamedTemporaryFile(suffix=".jfr") as f:
    f.write(unfinished(r, drop=True))
    f.flush()
    done = subprocess.run([JFREC, "summary", f.name], capture_output=True, text=True)
    result("a chunk without its constants says so", "none of its constants were written" in done.stderr, done.stderr)
finish()
