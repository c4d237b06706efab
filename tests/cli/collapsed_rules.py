"""`jfrconv -o collapsed`, rule by rule, of made-up recordings.

usage: collapsed_rules.py JFREC SOURCE_ROOT

The expected lines are those of async-profiler's jfrconv 4.5 for the same bytes. With its jar in
JFRCONV_JAR it is asked again. The recordings are made by ../plant.py.  Prints TAP.
"""

import os
import subprocess
import sys
import tempfile

JFREC, ROOT = os.path.abspath(sys.argv[1]), sys.argv[2]
sys.path.insert(0, os.path.join(ROOT, "tests"))
from plant import Recording, Types  # noqa: E402
from tap import finish, result  # noqa: E402

TYPES = Types(os.path.join(ROOT, "tests/data/ok/jvm-25.jfr"))
PROFILER = Types(os.path.join(ROOT, "tests/data/stacks/async-profiler-45.jfr"))
JAR = os.environ.get("JFRCONV_JAR")

# In this order their keys are those of the JDK; None is 0, interpreted.
JIT, INLINED, NATIVE = "JIT compiled", "Inlined", "Native"


class Stacks(Recording):
    """A stack trace is of frames (method, kind, line, bytecode index), from the top."""

    def __init__(self, types=TYPES):
        super().__init__(types)
        for kind in (JIT, INLINED, NATIVE):
            self.constant("jdk.types.FrameType", kind)

    def meaning(self, kind, content):
        if kind != "jdk.types.StackTrace":
            return super().meaning(kind, content)
        names = ("method", "type", "lineNumber", "bytecodeIndex")
        return {"frames": [dict(zip(names, frame)) for frame in content]}

    def malloc(self, at, address, size, *frames, thread="main"):
        self.add("profiler.Malloc", at=at, eventThread=thread, stackTrace=list(frames), address=address, size=size)

    def free(self, at, address):
        self.add("profiler.Free", at=at, eventThread="main", address=address)

    def sample(self, *frames, thread="main"):
        self.add("jdk.ExecutionSample", at=0.1, sampledThread=thread, stackTrace=list(frames) or None)


def lines(command, recording, options):
    with tempfile.TemporaryDirectory() as folder:
        path, out = os.path.join(folder, "a.jfr"), os.path.join(folder, "a.collapsed")
        with open(path, "wb") as f:
            f.write(recording.bytes())
        if command is None:
            command = [os.path.join(folder, "jfrconv")]
            os.symlink(JFREC, command[0])
        done = subprocess.run([*command, "-o", "collapsed", *options.split(), path, out], capture_output=True, text=True)
        if done.returncode:
            return [done.stderr]
        with open(out) as f:
            return sorted(f.read().split("\n")[:-1])


def check(name, recording, options, *expected):
    commands = [("jfrec", None)]
    if JAR:
        commands.append(("jfrconv", ["java", "-cp", JAR, "one.convert.Main"]))
    for who, command in commands:
        found = lines(command, recording, options)
        result(found == sorted(expected), f"{name}: {who} {options}", *found)


r = Stacks()
for kind in (INLINED, JIT, JIT):
    r.sample(("app.R3.b", kind), ("app.R3.a", JIT))
for kind in (INLINED, JIT, JIT, JIT):
    r.sample(("app.R4.b", kind), ("app.R4.a", JIT))
for kind in (None, JIT):
    r.sample(("app.R0.a", kind))
check("how a frame mostly ran", r, "", "app/R3.a_[j];app/R3.b_[i] 3", "app/R4.a_[j];app/R4.b_[j] 4", "app/R0.a_[0] 2")

r = Stacks()
r.add("jdk.ExecutionSample", at=0.1, sampledThread="main", stackTrace=[])
check("the first stack has no frames", r, "")

r = Stacks()
r.sample((None, JIT), ("app.A.run", JIT))
r.sample(("app.A.nat", NATIVE), ("app.A.run", JIT))
r.sample()
r.sample(("app.A.run", JIT))
r.sample(("app.A.run", JIT))
check("no method, native methods, no stack", r, "",
      "app/A.run_[j];unknown_[j] 1", "app/A.run_[j];app/A.nat 1", "app/A.run_[j] 2")
check("reversed", r, "-r", "unknown_[j];app/A.run_[j] 1", "app/A.nat;app/A.run_[j] 1", "app/A.run_[j] 2")
check("frames left out at the root", r, "--skip 1", "unknown_[j] 1", "app/A.nat 1")
check("of the JDK nothing is CPU", r, "--cpu")

r = Stacks()
r.sample(("app.A.run", JIT, 42, 7), ("app.A.run", JIT, 0, 7), ("app.A.run", JIT, 70000, 0))
check("lines of 16 bits", r, "--lines", "app/A.run:4464_[j];app/A.run_[j];app/A.run:42_[j] 1")
check("bytecode indices", r, "--bci", "app/A.run_[j];app/A.run@7_[j];app/A.run@7_[j] 1")
check("a line before an index", r, "--lines --bci", "app/A.run:4464_[j];app/A.run@7_[j];app/A.run:42_[j] 1")

r = Stacks()
hidden = ["app.Foo$$Lambda+0x00007f8177090218/543846639.run", "app.Foo$$Lambda/0x0000000800066840.run", "app.Foo.run"]
for method in hidden:
    r.sample((method, JIT))
check("hidden classes", r, "", "app/Foo$$Lambda+0x00007f8177090218/543846639.run_[j] 1",
      "app/Foo$$Lambda/0x0000000800066840.run_[j] 1", "app/Foo.run_[j] 1")
check("hidden classes", r, "--norm", "app/Foo$$Lambda.run_[j] 2", "app/Foo.run_[j] 1")
check("hidden classes", r, "--simple --dot", "Foo$$Lambda+0x00007f8177090218.543846639.run_[j] 1",
      "Foo$$Lambda.0x0000000800066840.run_[j] 1", "Foo.run_[j] 1")

r = Stacks()
for thread in ("main", "w;1", "[tid=9]"):
    r.sample(("app.A.run", JIT), thread=thread)
check("threads", r, "-t", "[main tid=1];app/A.run_[j] 1", "[w;1 tid=2];app/A.run_[j] 1", "[tid=9];app/A.run_[j] 1")
check("threads stay in front", r, "-t -r", "[main tid=1];app/A.run_[j] 1", "[w;1 tid=2];app/A.run_[j] 1",
      "[tid=9];app/A.run_[j] 1")
check("what a thread was doing", r, "--classify", "[c2_comp]_[i];app/A.run_[j] 3")
check("after the thread", r, "-t --classify", "[main tid=1];[c2_comp]_[i];app/A.run_[j] 1",
      "[w;1 tid=2];[c2_comp]_[i];app/A.run_[j] 1", "[tid=9];[c2_comp]_[i];app/A.run_[j] 1")

r = Stacks()
at = {"at": 0.1, "stackTrace": [("app.A.run", JIT)]}
r.add("jdk.ObjectAllocationInNewTLAB", **at, objectClass="[B", allocationSize=16, tlabSize=8192)
r.add("jdk.ObjectAllocationInNewTLAB", **at, objectClass="app.Odd", allocationSize=16, tlabSize=0)
r.add("jdk.ObjectAllocationOutsideTLAB", **at, objectClass="[[Ljava.lang.String;", allocationSize=400)
r.add("jdk.ObjectAllocationSample", **at, objectClass="app.Shop", weight=5000)
r.add("jdk.ObjectAllocationSample", **at, objectClass="app.Shop", weight=6000)
check("allocations", r, "--alloc", "app/A.run_[j];byte[]_[i] 1", "app/A.run_[j];app.Odd_[k] 1",
      "app/A.run_[j];java.lang.String[][]_[k] 1", "app/A.run_[j];app.Shop_[k] 2")
check("bytes", r, "--alloc --total", "app/A.run_[j];byte[]_[i] 8192", "app/A.run_[j];app.Odd_[k] 16",
      "app/A.run_[j];java.lang.String[][]_[k] 400", "app/A.run_[j];app.Shop_[k] 11000")

r = Stacks()
r.add("jdk.JavaMonitorEnter", duration=0.25, monitorClass="app.Lock", **at)
r.add("jdk.JavaMonitorEnter", duration=0.5, monitorClass="app.Lock", **at)
r.add("jdk.ThreadPark", duration=1.5, parkedClass="app.Latch", **at)
check("locks", r, "--lock", "app/A.run_[j];app.Lock_[i] 2", "app/A.run_[j];app.Latch_[i] 1")
check("time in locks", r, "--lock --total", "app/A.run_[j];app.Lock_[i] 750000000",
      "app/A.run_[j];app.Latch_[i] 1500000000")
check("locks that begin in a time, its bounds among them", r, "--lock --from 100 --to 100",
      "app/A.run_[j];app.Lock_[i] 2", "app/A.run_[j];app.Latch_[i] 1")
check("locks that began before", r, "--lock --from 101")
check("locks that begin after", r, "--lock --to 99")

r = Stacks()
for number in range(40):
    for _ in range(number % 7 + 1):
        r.sample((f"app.A.m{number % 13}", JIT), (f"app.B.m{number}", JIT), thread=f"w{number % 3}")
check("fewer samples", r, "--grain 50", "app/B.m13_[j];app/A.m0_[j] 1", "app/B.m26_[j];app/A.m0_[j] 1",
      "app/B.m38_[j];app/A.m12_[j] 1")
check("fewer samples of threads", r, "-t --grain 100", "[w1 tid=2];app/B.m34_[j];app/A.m8_[j] 1")

r = Stacks(PROFILER)
run, leak, other = ("app.A.run", JIT), ("app.A.leak", JIT), ("app.A.other", JIT)
r.malloc(0.1, 0x1000, 64, leak, run)
r.malloc(0.2, 0x2000, 128, other, run)
r.free(0.3, 0x2000)
r.malloc(0.4, 0x3000, 256, leak, run)
r.free(0.35, 0x3000)
r.malloc(0.5, 0x2000, 512, other, run)
r.malloc(0.6, 0x1000, 32, leak, run)
r.malloc(0.97, 0x4000, 1024, leak, run)
r.free(1.0, 0x5000)
check("calls of malloc", r, "--nativemem", "app/A.run_[j];app/A.leak_[j] 4", "app/A.run_[j];app/A.other_[j] 2")
check("what was not freed", r, "--nativemem --leak", "app/A.run_[j];app/A.leak_[j] 2", "app/A.run_[j];app/A.other_[j] 1")
check("in bytes", r, "--nativemem --leak --total", "app/A.run_[j];app/A.leak_[j] 288",
      "app/A.run_[j];app/A.other_[j] 512")
check("up to the end", r, "--nativemem --leak --total --tail 0", "app/A.run_[j];app/A.leak_[j] 1312",
      "app/A.run_[j];app/A.other_[j] 512")
check("a longer tail", r, "--nativemem --leak --tail 60%", "app/A.run_[j];app/A.leak_[j] 1")
check("part of the stacks", r, "--nativemem --leak -I .*other", "app/A.run_[j];app/A.other_[j] 1")

r = Stacks(PROFILER)
for at, thread, method in ((0.1, "w1", "a"), (0.3, "w1", "b"), (0.5, "w1", "c"), (0.3, "w2", "d"), (0.7, "w2", "e")):
    r.add("jdk.ExecutionSample", at=at, sampledThread=thread, stackTrace=[("app.A." + method, JIT)])
r.add("profiler.Span", at=0.3, duration=0.2, eventThread="w1", tag="order")
r.add("profiler.Span", at=0.6, duration=0.3, eventThread="w2", tag="mail")
r.add("profiler.Span", at=0.0, duration=0.01, eventThread="w2", tag="order")
check("within a span", r, "--tag order", "app/A.b_[j] 1")
check("within a long one", r, "--latency 250", "app/A.e_[j] 1")
check("within one of any length", r, "--latency 0", "app/A.b_[j] 1", "app/A.e_[j] 1")
check("in another unit", r, "--latency 200000us", "app/A.b_[j] 1", "app/A.e_[j] 1")
check("a long one with that tag", r, "--latency 200ms --tag mail -t", "[w2 tid=2];app/A.e_[j] 1")
check("no such span", r, "--tag none")

r = Stacks()
for method in ("app.A.run", "app.A1.go", "app.B$C.run", "app.A.Run"):
    r.sample((method, JIT))
A, A1, BC, RUN = (m + "_[j] 1" for m in ("app/A.run", "app/A1.go", "app/B$C.run", "app/A.Run"))
check("expressions of Java: a class of characters", r, r"-I app/\w\d\.go", A1)
check("expressions of Java: a set", r, r"-I .*[\w$]{3,}\.run", BC)
check("expressions of Java: a negated set", r, r"-X [^$\d]*", A1, BC)
check("expressions of Java: quoted", r, r"-I .*\QB$C\E.*?", BC)
check("expressions of Java: a group", r, r"-I app/(?:A|A1)\.(?:run|go)", A, A1)
check("expressions of Java: either case", r, r"-I (?i)APP/A\.RUN", A, RUN)
check("expressions of Java: the whole name", r, r"-I A\.run")
check("both", r, r"-I .*run -X .*\$.*", A)

finish()
