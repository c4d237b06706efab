#!/usr/bin/env python3
"""Do all formats of `jfrec flame` hold the same, and do their own readers read them?

usage: exports.py JFREC SOURCE_ROOT [RECORDING...]

Of each recording, the samples and the weight of each profile are added up in the text, the page,
the collapsed lines, pprof's file, OTLP, the JSON document and the Firefox profile. pprof's file is read by
`go tool pprof` and protoc, the Firefox profile by Mozilla's profiler-cli if JFREC_TEST_NPM names a
directory where npm has installed @firefox-devtools/profiler-cli and node.
"""

import glob
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result, skip  # noqa: E402
from varint import varint  # noqa: E402

PPROF = {"cpu": ("samples", "cpu"), "wall": ("wall_samples", "wall"),
         "native": ("native_samples", "native"), "alloc": ("alloc_objects", "alloc_space"),
         "live": ("inuse_objects", "inuse_space"), "lock": ("contentions", "delay"),
         "exceptions": ("exceptions", None), "io": ("io", "io_time"),
         "native-memory": ("native-memory", "native_space"),
         "native-leaks": ("native-leaks", "leaked_space"), "trace": ("trace", "trace_time")}


def check(name, why):
    """why: None if it holds; a text that begins with SKIP if it could not be seen."""
    if why is not None and why.startswith("SKIP"):
        skip(name, why[5:])
    else:
        result(why is None, name, why)


def run(*args, **more):
    return subprocess.run(args, capture_output=True, timeout=300, **more)


def flame(jfrec, *args):
    """What it prints. Status 1 is that of damaged recordings, too."""
    done = run(jfrec, "flame", *args)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr.decode(errors="replace"))
    return done.stdout


# pprof -----------------------------------------------------------------------------------------

def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 1:
            value, at = int.from_bytes(data[at:at + 8], "little"), at + 8
        else:
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
        yield key >> 3, value


def packed(data):
    values, at = [], 0
    while at < len(data):
        value, at = varint(data, at)
        values.append(value)
    return values


def pprof_sums(data):
    """{sample type: sum} of a file that was unpacked."""
    types, sums, strings = [], None, []
    for field, value in fields(data):
        if field == 6:
            strings.append(value.decode())
        elif field == 1:
            types.append(dict(fields(value)))
    names = [strings[t[1]] for t in types]
    assert len(set(names)) == len(names), "two sample types have one name"
    sums = [0] * len(types)
    for field, value in fields(data):
        if field == 2:
            numbers = packed(dict((f, v) for f, v in fields(value)).get(2, b""))
            sums = [a + b for a, b in zip(sums, numbers)]
    return {strings[t[1]]: s for t, s in zip(types, sums)}


def pprof_comments(data):
    strings = [v.decode() for f, v in fields(data) if f == 6]
    return [strings[v] for f, v in fields(data) if f == 13]


# OTLP ------------------------------------------------------------------------------------------

def whole(number):
    return number - (1 << 64) if number >> 63 else number


def used_once(table, used, name):
    assert table and (table[0] == b"" or name == "links"), f"{name} do not begin with zero"
    assert len(set(table)) == len(table), f"{name} are there twice"
    assert used | {0} == set(range(len(table))), f"{name} that nothing refers to, or missing ones"


def otlp_sums(data):
    """{sample type: sum}, after a look at what each table refers to."""
    top = dict(fields(data))
    tables = {n: [] for n in range(1, 8)}
    for field, value in fields(top[2]):
        tables[field].append(value)
    _, locations, functions, _, strings, attributes, stacks = (tables[n] for n in range(1, 8))
    used = {n: set() for n in tables}
    sums = {}
    for field, scope in fields(top[1]):
        profiles = [v for f, v in fields(scope) if f == 2] if field == 2 else []
        for profile in profiles:
            seen, total = set(), 0
            one = dict(fields(profile))
            for kind in (one[1], one[5]):
                used[5] |= set(dict(fields(kind)).values())
            assert one.get(6, 0) > 0, "a period is missing"
            used[6] |= set(packed(one.get(11, b"")))
            for f, sample in fields(profile):
                if f != 2:
                    continue
                s = dict(fields(sample))
                identity = (s.get(1, 0), s.get(2, b""))
                assert identity not in seen, "a sample is there twice"
                seen.add(identity)
                used[7].add(s.get(1, 0))
                used[6] |= set(packed(s.get(2, b"")))
                values = packed(s[4])
                assert len(values) == 1, "not one value"
                total += whole(values[0])
            sums[strings[dict(fields(one[1]))[1]].decode()] = total
    for stack in stacks:
        used[2] |= set(packed(dict(fields(stack)).get(1, b"")))
    for location in locations[1:]:
        parts = dict(fields(location))
        used[3].add(dict(fields(parts[3]))[1])
        used[6] |= set(packed(parts.get(4, b"")))
    for function in functions[1:]:
        used[5] |= set(dict(fields(function)).values())
    for a in attributes[1:]:
        used[5].add(dict(fields(a))[1])
    for n, name in ((1, "mappings"), (2, "locations"), (3, "functions"), (4, "links"),
                    (5, "strings"), (6, "attributes"), (7, "stacks")):
        used_once(tables[n], used[n], name)
    return sums


# Firefox ---------------------------------------------------------------------------------------

def check_columns(table, name, other=()):
    for column, values in table.items():
        if isinstance(values, list) and column not in other:
            assert len(values) == table["length"], f"{name}.{column} is not as long as it says"


def nanoseconds(text):
    whole, _, rest = text.partition(".")
    return int(whole) * 1000000 + int((rest + "000000")[:6])


def firefox_sums(path):
    """{profile: (samples, sum of weights)}, after a look at what each table refers to."""
    with open(path, encoding="utf-8") as f:
        doc = json.load(f, parse_float=str)
    shared, sums = doc["shared"], {}
    for name in ("stackTable", "frameTable", "funcTable", "sources", "resourceTable",
                 "nativeSymbols"):
        check_columns(shared[name], name)
    stacks, frames = shared["stackTable"]["length"], shared["frameTable"]["length"]
    funcs, strings = shared["funcTable"]["length"], len(shared["stringArray"])
    assert all(0 <= f < frames for f in shared["stackTable"]["frame"]), "a frame is missing"
    assert all(0 <= p <= i for i, p in enumerate(shared["stackTable"]["prefixOffset"])), \
        "a caller comes after what it calls"
    assert all(0 <= f < funcs for f in shared["frameTable"]["func"]), "a function is missing"
    assert all(0 <= s < strings for s in shared["funcTable"]["name"]), "a name is missing"
    for thread in doc["threads"]:
        s, m = thread["samples"], thread["markers"]
        check_columns(s, "samples")
        check_columns(m, "markers")
        times = [nanoseconds(str(t)) for t in s["time"]]
        assert times == sorted(times) and (not times or times[0] >= 0), "times are not in order"
        assert all(i is None or 0 <= i < stacks for i in s["stack"]), "a stack is missing"
        assert all(0 <= n < strings for n in m["name"]), "a marker's name is missing"
        unit = nanoseconds if s["weightType"] == "tracing-ms" else int
        before = sums.get(thread["pid"], (0, 0))
        sums[thread["pid"]] = (before[0] + s["length"],
                               before[1] + sum(unit(str(w)) for w in s["weight"]))
    for counter in doc["counters"]:
        check_columns(counter["samples"], counter["name"])
    return sums


# All formats -----------------------------------------------------------------------------------

def tree_sums(profile):
    """Of a profile of the JSON document: samples and weight, by what ended in each node."""
    nodes = profile["nodes"]
    for number, node in enumerate(nodes):
        assert number == 0 or 0 <= node["parent"] < number, "a parent comes after its child"
    assert nodes[0]["total"] == profile["weight"], "the root is not all"
    return sum(n["selfSamples"] for n in nodes), sum(n["self"] for n in nodes)


def collapsed_sum(text):
    return sum(int(line.rsplit(b" ", 1)[1]) for line in text.splitlines())


def compare(jfrec, recording, work):
    """None, or how the formats differ."""
    flame(jfrec, recording, "-o", work + "/a.json", "--force")
    if not os.path.exists(work + "/a.json"):
        return None
    flame(jfrec, recording, "-o", work + "/a.pb.gz", "--force")
    flame(jfrec, recording, "-o", work + "/a.firefox.json", "--force")
    with open(work + "/a.json", encoding="utf-8") as f:
        doc = json.load(f)
    with gzip.open(work + "/a.pb.gz") as f:
        data = f.read()
        pprof, comments = pprof_sums(data), pprof_comments(data)
    firefox = firefox_sums(work + "/a.firefox.json")
    flame(jfrec, recording, "--experimental", "-o", work + "/a.otlp", "--force")
    with open(work + "/a.otlp", "rb") as f:
        otlp = otlp_sums(f.read())
    wrong = []
    for p in doc["profiles"]:
        name = p["name"]
        counts = name == "exceptions" or p["unit"] == "samples"

        def same(what, value, expected):
            if value != expected:
                wrong.append(f"{name}: {what} has {value}, not {expected}")

        same("the tree", tree_sums(p), (p["samples"], p["weight"]))
        lines = flame(jfrec, recording, "--profile", name, "--format", "collapsed")
        same("the collapsed lines", collapsed_sum(lines), p["weight"])
        lines = flame(jfrec, recording, "--profile", name, "--count", "--format", "collapsed")
        same("the collapsed lines", collapsed_sum(lines), p["samples"])
        head = flame(jfrec, recording, "--profile", name, "--top", "1").decode().split("\n")[0]
        same("the text", int(re.search(r"([0-9,]+) samples?\b", head)[1].replace(",", "")),
             p["samples"])
        of_count, of_value = PPROF.get(name, (name, None if counts else name))
        same("OTLP", otlp.get(of_value or of_count), p["weight"])
        if of_value == of_count:
            of_value = "value"
        same("pprof's file", pprof.get(of_count), p["samples"])
        if of_value:
            same("pprof's file", pprof.get(of_value), p["weight"])
        for key, what in (("withoutStack", "samples without a stack trace"),
                          ("lost", "samples that were lost"), ("failed", "samples that failed")):
            same(f"a comment of pprof's file on {what}",
                 f"{p['label']}: {p[key]} {what}" in comments, p[key] > 0)
        same("the Firefox profile", firefox.get(name, (0, 0))[1], p["weight"])
    if set(firefox) - {p["name"] for p in doc["profiles"]}:
        wrong.append("the Firefox profile has others, too")
    return "\n".join(wrong) or None


def picture(jfrec, recording, work):
    """The picture's frame of all is what the JSON document says."""
    flame(jfrec, recording, "--count", "-o", work + "/a.svg", "--force")
    flame(jfrec, recording, "--count", "-o", work + "/b.json", "--force")
    with open(work + "/b.json", encoding="utf-8") as f:
        p = json.load(f)["profiles"][0]
    with open(work + "/a.svg", encoding="utf-8") as f:
        numbers = [int(n.replace(",", "")) for n in re.findall(r": ([0-9,]+), [0-9.]+ %", f.read())]
    roots = [n["total"] for n in p["nodes"][1:] if n["parent"] == 0]
    if not numbers or max(numbers) not in (p["samples"], max(roots)):
        return f"the largest is {max(numbers or [0])}, not {p['samples']}"
    return None


# Their own readers -----------------------------------------------------------------------------

def by_go(jfrec, recording, work):
    if not shutil.which("go"):
        return "SKIP there is no go"
    flame(jfrec, recording, "--profile", "cpu", "-o", work + "/cpu.pb.gz", "--force")
    done = run("go", "tool", "pprof", "-top", "-unit=ms", "-sample_index=cpu", work + "/cpu.pb.gz",
               env=dict(os.environ, GOFLAGS="-mod=mod", GOTOOLCHAIN="local"))
    if done.returncode:
        return "SKIP go cannot run pprof" if b"pprof" in done.stderr and b"no such tool" in \
            done.stderr else done.stderr.decode(errors="replace")
    doc = json.loads(flame(jfrec, recording, "--profile", "cpu", "--format", "json"))
    wanted = doc["profiles"][0]["weight"] / 1e6
    found = re.search(rb"of ([0-9.]+)ms total", done.stdout)
    if not found or abs(float(found[1]) - wanted) > 0.01 * wanted:
        return f"wanted {wanted} ms\n" + done.stdout.decode(errors="replace")
    best = max(doc["profiles"][0]["nodes"][1:], key=lambda n: n["self"])
    name = doc["frames"][best["frame"]]["name"]
    return None if name.encode() in done.stdout else f"{name} is not in\n{done.stdout.decode()}"


PROTO = """syntax = "proto3"; package perftools.profiles;
message Profile { repeated ValueType sample_type = 1; repeated Sample sample = 2;
 repeated Mapping mapping = 3; repeated Location location = 4; repeated Function function = 5;
 repeated string string_table = 6; int64 drop_frames = 7; int64 keep_frames = 8;
 int64 time_nanos = 9; int64 duration_nanos = 10; ValueType period_type = 11; int64 period = 12;
 repeated int64 comment = 13; int64 default_sample_type = 14; }
message ValueType { int64 type = 1; int64 unit = 2; }
message Sample { repeated uint64 location_id = 1; repeated int64 value = 2;
 repeated Label label = 3; }
message Label { int64 key = 1; int64 str = 2; int64 num = 3; int64 num_unit = 4; }
message Mapping { uint64 id = 1; uint64 memory_start = 2; uint64 memory_limit = 3;
 uint64 file_offset = 4; int64 filename = 5; int64 build_id = 6; bool has_functions = 7;
 bool has_filenames = 8; bool has_line_numbers = 9; bool has_inline_frames = 10; }
message Location { uint64 id = 1; uint64 mapping_id = 2; uint64 address = 3;
 repeated Line line = 4; bool is_folded = 5; }
message Line { uint64 function_id = 1; int64 line = 2; int64 column = 3; }
message Function { uint64 id = 1; int64 name = 2; int64 system_name = 3; int64 filename = 4;
 int64 start_line = 5; }
"""


def by_protoc(jfrec, recording, work):
    if not shutil.which("protoc"):
        return "SKIP there is no protoc"
    flame(jfrec, recording, "-o", work + "/p.pb.gz", "--force")
    with open(work + "/profile.proto", "w", encoding="utf-8") as f:
        f.write(PROTO)
    with gzip.open(work + "/p.pb.gz") as f:
        done = run("protoc", "--decode=perftools.profiles.Profile", "-I", work,
                   work + "/profile.proto", input=f.read())
    text = done.stdout.decode(errors="replace")
    if done.returncode:
        return done.stderr.decode(errors="replace")
    unknown = re.findall(r"^ *[0-9]+:.*$", text, re.MULTILINE)
    if unknown:
        return "fields that pprof does not have: " + unknown[0]
    return None if "sample {" in text and "function {" in text else text[:500]


def profiler_cli():
    """The command, or None."""
    npm = os.environ.get("JFREC_TEST_NPM", "")
    script = npm + "/node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js"
    nodes = glob.glob(npm + "/node_modules/node/**/bin/node", recursive=True) if npm else []
    for node in nodes + [shutil.which("node") or ""]:
        if npm and os.path.exists(script) and node and os.path.getsize(node) > 1000000:
            version = run(node, "--version").stdout.decode()
            if int(re.match(r"v([0-9]+)", version)[1]) >= 24:
                return [node, script]
    return None


def by_firefox(jfrec, recording, work):
    cli = profiler_cli()
    if not cli:
        return "SKIP JFREC_TEST_NPM does not name a directory with profiler-cli and node 24"
    path = work + "/f.firefox.json"
    flame(jfrec, recording, "-o", path, "--force")
    env = dict(os.environ, HOME=work)
    session = f"jfrec-{os.getpid()}"
    try:
        # Its daemon has to answer within half a second, which a busy machine may not manage.
        for attempt in range(5):
            loaded = run(*cli, "load", path, "--session", session, env=env)
            if loaded.returncode == 0:
                break
            run(*cli, "stop", "--all", env=env)
            session = f"jfrec-{os.getpid()}-{attempt}"
        info = run(*cli, "profile", "info", "--session", session, "--json", env=env)
        threads = run(*cli, "thread", "list", "--session", session, env=env)
        counters = run(*cli, "counter", "list", "--session", session, env=env)
        samples = run(*cli, "thread", "functions", "--session", session, env=env)
    finally:
        run(*cli, "stop", "--all", env=env)
    for what in (loaded, info, threads, counters, samples):
        said = (what.stdout + what.stderr).decode(errors="replace")
        if what.returncode or "Error:" in said:
            return said
    with open(path, encoding="utf-8") as f:
        doc = json.load(f)
    said = threads.stdout.decode()
    if f"Threads ({len(doc['threads'])} threads across" not in said:
        return f"not {len(doc['threads'])} threads\n{said}"
    for counter in doc["counters"]:
        if counter["display"]["label"] not in counters.stdout.decode():
            return "a counter is missing\n" + counters.stdout.decode()
    names = {f for f in doc["shared"]["stringArray"]}
    shown = samples.stdout.decode()
    return None if any(n in shown for n in names) else "no function is shown\n" + shown


def main():
    jfrec = os.path.realpath(sys.argv[1])
    data = sys.argv[2] + "/tests/data/ok/"
    recordings = sys.argv[3:] or sorted(glob.glob(data + "*.jfr"))
    with tempfile.TemporaryDirectory() as work:
        for recording in recordings:
            for old in glob.glob(work + "/*"):
                os.unlink(old)
            name = os.path.basename(recording)
            try:
                check(f"{name}: all formats agree", compare(jfrec, recording, work))
            except (AssertionError, KeyError, IndexError, ValueError, RuntimeError) as e:
                check(f"{name}: all formats agree", f"{type(e).__name__}: {e}")
        if len(sys.argv) > 3:
            finish()
        trace, jvm = data + "trace-25.jfr", data + "jvm-25.jfr"
        check("the picture has the same samples", picture(jfrec, trace, work))
        check("go tool pprof reads pprof's file", by_go(jfrec, trace, work))
        check("protoc reads pprof's file", by_protoc(jfrec, jvm, work))
        for old in (trace, jvm):
            check(f"the Firefox Profiler reads {os.path.basename(old)}",
                   by_firefox(jfrec, old, work))
    finish()


main()
