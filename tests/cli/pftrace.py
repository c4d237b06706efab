"""Traces for the Perfetto UI, decoded with the project's own definitions (perfetto and protobuf of PyPI).

usage: pftrace.py JFREC SOURCE_ROOT

Slices are events, counters are what was measured, and slices of a track lie in one another.  Prints
TAP; skips without these packages.
"""

import collections
import json
import os
import subprocess
import sys
import tempfile

JFREC, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
sys.path.insert(0, os.path.join(ROOT, "tests"))
from plant import START, Recording, Types  # noqa: E402
from tap import finish, result, skip  # noqa: E402

try:
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb
except ImportError:
    skip("perfetto", "no perfetto and protobuf for Python")
    finish()
    sys.exit()

OK = os.path.join(ROOT, "tests/data/ok")
work = tempfile.TemporaryDirectory()
os.chdir(work.name)


def trace_of(*arguments):
    done = subprocess.run([JFREC, "flame", "--force", "-o", "a.pftrace", *arguments], capture_output=True, text=True)
    trace = pb.Trace()
    if done.returncode == 0:
        with open("a.pftrace", "rb") as f:
            trace.ParseFromString(f.read())
    return trace, done.stderr


class Decoded:
    """The slices, counters and samples of a trace, and what is wrong with it."""

    def __init__(self, trace):
        self.faults, self.slices, self.samples = [], collections.Counter(), collections.Counter()
        self.counters = collections.defaultdict(list)
        self.names, tracks, threads, open_slices = {}, {}, {}, collections.defaultdict(list)
        functions, frames, stacks = {}, {}, {}
        for p in trace.packet:
            for s in p.interned_data.function_names:
                functions[s.iid] = s.str.decode()
            for f in p.interned_data.frames:
                frames[f.iid] = functions[f.function_name_id]
            for c in p.interned_data.callstacks:
                stacks[c.iid] = tuple(frames[i] for i in c.frame_ids)
            if p.HasField("track_descriptor"):
                d = p.track_descriptor
                if d.uuid in tracks:
                    self.faults.append(f"track {d.uuid} twice")
                tracks[d.uuid] = d
                self.names[d.uuid] = d.thread.thread_name or d.name
                if d.HasField("thread"):
                    threads[d.thread.tid] = d.thread.thread_name
            elif p.HasField("track_event"):
                self.event(p, tracks, open_slices)
            elif p.HasField("perf_sample"):
                stack = stacks[p.perf_sample.callstack_iid]
                self.samples[threads.get(p.perf_sample.tid), stack] += 1
        self.faults += [f"{len(o)} slices of track {t} never end" for t, o in open_slices.items() if o]

    def event(self, p, tracks, open_slices):
        e = p.track_event
        if e.track_uuid not in tracks:
            self.faults.append(f"no track {e.track_uuid}")
        if e.type == pb.TrackEvent.TYPE_COUNTER:
            self.counters[self.names[e.track_uuid]].append((p.timestamp, e.double_counter_value))
        elif e.type == pb.TrackEvent.TYPE_SLICE_BEGIN:
            around = open_slices[e.track_uuid]
            if around and p.timestamp < around[-1][0]:
                self.faults.append(f"{e.name} begins before what it lies in")
            around.append((p.timestamp, e.name))
        else:
            begin, name = open_slices[e.track_uuid].pop()
            if p.timestamp < begin:
                self.faults.append(f"{name} ends before it begins")
            track, parent = e.track_uuid, tracks[e.track_uuid].parent_uuid
            if tracks[track].name == "overlapping":
                track = parent
            self.slices[self.names[track], name, begin, p.timestamp] += 1


types = Types(os.path.join(OK, "jvm-25.jfr"))
types.declare("app.Request", duration="long", eventThread="java.lang.Thread", number="long")
r = Recording(types)
events = [("app.Request", "worker-1", 1, 2), ("app.Request", "worker-1", 1.5, 0.5), ("app.Request", "worker-1", 1.5, 2),
          ("app.Request", "worker-1", 4, 1), ("app.Request", "worker-1", 4, 0.5), ("app.Request", "worker-1", 5, 1),
          ("app.Request", "worker-2", 1, 1)]
for name, thread, at, duration in events:
    r.add(name, at=at, duration=duration, eventThread=thread)
r.add("jdk.GCPhasePause", at=3, duration=0.25, name="Pause")
for i in range(10):
    r.add("jdk.ExecutionSample", at=1 + i / 50, sampledThread="worker-1", state="STATE_RUNNABLE",
          stackTrace=["app.Shop.leaf", "app.Shop.run"])
r.add("jdk.CPULoad", at=1, jvmUser=0.25, jvmSystem=0.125)
r.add("jdk.GCHeapSummary", at=2, heapUsed=123456789)
with open("one.jfr", "wb") as f:
    f.write(r.bytes())
trace, said = trace_of("one.jfr")
d = Decoded(trace)
result(not d.faults, "slices of a track lie in one another", *d.faults, said)
want = collections.Counter()
for name, thread, at, duration in events:
    want[thread, name, int((START + at) * 10**9), int((START + at + duration) * 10**9)] += 1
got = collections.Counter({key: n for key, n in d.slices.items() if key[1] == "app.Request"})
result(got == want, "each event is a slice of its thread", got - want, want - got)
pauses = [key for key in d.slices if key[3] - key[2] == 250_000_000 and key[0] == "JVM"]
result(len(pauses) == 1, "what belongs to no thread is the JVM's", d.slices)
result(d.samples == {("worker-1", ("app.Shop.run", "app.Shop.leaf")): 10}, "samples", d.samples)
result(d.counters["JVM CPU"] == [((START + 1) * 10**9, 37.5)], "the counter of CPU", d.counters)
result(d.counters["Java heap in use"] == [((START + 2) * 10**9, 123456789)], "the counter of the heap", d.counters)

# Real ones: as many slices as there are events with a duration, as many samples as in the profile.
for name in ("jvm-17.jfr", "jvm-25.jfr", "trace-25.jfr", "contexts-25.jfr", "frames-25.jfr"):
    path = os.path.join(OK, name)
    trace, said = trace_of(path)
    if not trace.packet:
        result("no such events" in said, f"{name}: nothing to show", said)
        continue
    d = Decoded(trace)
    result(not d.faults, f"{name}: nesting", *d.faults[:5])
    firefox = subprocess.run([JFREC, "flame", "--format", "firefox", path], capture_output=True, text=True)
    threads = json.loads(firefox.stdout)["threads"]
    markers = sum(t["markers"]["length"] for t in threads)
    result(sum(d.slices.values()) == markers and markers > 0, f"{name}: {markers} slices", sum(d.slices.values()))
    done = subprocess.run([JFREC, "flame", "--format", "json", "--count", "--profile", "cpu", path], capture_output=True, text=True)
    if done.returncode == 0:
        count = json.loads(done.stdout)["profiles"][0]["samples"]
        result(sum(d.samples.values()) == count, f"{name}: {count} samples", sum(d.samples.values()))

# Many that overlap, and lie in one another.
r = Recording(types)
for i in range(2000):
    r.add("app.Request", at=1 + i / 1000, duration=1, eventThread="worker-1")
    r.add("app.Request", at=20 + i / 1000, duration=10 - i / 500, eventThread="worker-1")
r.add("jdk.ExecutionSample", at=1, sampledThread="worker-1", state="STATE_RUNNABLE", stackTrace=["app.Shop.run"])
with open("many.jfr", "wb") as f:
    f.write(r.bytes())
trace, said = trace_of("many.jfr")
d = Decoded(trace)
result(not d.faults and sum(d.slices.values()) == 4000, "4,000 that overlap", *d.faults[:5], sum(d.slices.values()), said)
finish()
