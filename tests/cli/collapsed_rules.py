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
JAR = os.environ.get("JFRCONV_JAR")

# In this order their keys are those of the JDK; None is 0, interpreted.
JIT, INLINED, NATIVE = "JIT compiled", "Inlined", "Native"


class Stacks(Recording):
    """A stack trace is of frames (method, kind, line, bytecode index), from the top."""

    def __init__(self):
        super().__init__(TYPES)
        for kind in (JIT, INLINED, NATIVE):
            self.constant("jdk.types.FrameType", kind)

    def meaning(self, kind, content):
        if kind != "jdk.types.StackTrace":
            return super().meaning(kind, content)
        names = ("method", "type", "lineNumber", "bytecodeIndex")
        return {"frames": [dict(zip(names, frame)) for frame in content]}

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

finish()
