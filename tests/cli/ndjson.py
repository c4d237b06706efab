"""What --ndjson, --csv and --tsv print of a recording is what --json does.

usage: ndjson.py JFREC RECORDING [LIMIT]

All values of all events are compared.  What the options make of them is checked
with the first LIMIT events, of all without it.

Says what differs, one line for each check that fails, and exits with 1.
"""

import csv
import io
import itertools
import json
import re
import subprocess
import sys

JFREC, RECORDING = sys.argv[1:3]
LIMIT = ["--limit", sys.argv[3]] if sys.argv[3:] else []
failures = 0


def output(*arguments):
    """The lines of what is printed, one after the other."""
    with subprocess.Popen([JFREC, "print", *arguments, RECORDING], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as process:
        yield from io.TextIOWrapper(process.stdout, "utf-8", newline="\n")
    if process.returncode not in (0, 1):  # 1: the recording is damaged
        fail("jfrec print %s: exit %d" % (" ".join(arguments), process.returncode))


def run(*arguments):
    return "".join(output(*arguments))


def fail(sentence):
    global failures
    failures += 1
    print(sentence)


class Real(str):
    """A number with a point, as it is written."""


def load(text):
    return json.loads(text, parse_float=Real)


def all_lines():
    for line in output("--ndjson"):
        if not line.endswith("\n"):
            fail("the last line has no end")
        yield load(line)


def lines(*arguments):
    return [load(line) for line in output("--ndjson", *LIMIT, *arguments)]


def json_events():
    """Those of --json, one after the other, known by their indentation."""
    text = []
    for line in output("--json"):
        if line.startswith("    }"):
            yield load("{%s}" % "".join(text[1:]))
            text = text[:1]
        elif text or line == '    "events": [{\n':
            text.append(line)


# From --json to --ndjson ------------------------------------------------------


def characters(s):
    """Halves of surrogate pairs have no UTF-8."""
    return re.sub("[\ud800-\udfff]", "\ufffd", s)


TIME = re.compile(r"([+-]?\d+-\d\d-\d\d)T(\d\d:\d\d)(:\d\d)?(?:\.(\d+))?(Z|[+-][\d:]+)")
SPAN = re.compile(r"PT(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?)(\d+)(?:\.(\d+))?S)?")
NO_TIME = "-999999999-01-01T00:00+18:00"
NO_SPAN = -(2**63) * 10**9
FOREVER = (2**63 - 1) * 10**9 + 999999999


def nine_decimals(s):
    date, minute, second, fraction, zone = TIME.fullmatch(s).groups()
    return "%sT%s%s.%s%s" % (date, minute, second or ":00", (fraction or "").ljust(9, "0"), zone)


def nanoseconds(s):
    hours, minutes, sign, seconds, fraction = SPAN.fullmatch(s).groups()
    ns = int(seconds or 0) * 10**9 + int((fraction or "").ljust(9, "0"))
    ns = (-ns if sign else ns) + (int(hours or 0) * 60 + int(minutes or 0)) * 60 * 10**9
    return 2**63 - 1 if ns == FOREVER else ns


PRIMITIVES = dict(B="byte", C="char", D="double", F="float", I="int", J="long", S="short", Z="boolean")


def class_name(s):
    if s is None or not s.startswith("["):
        return s and characters(s.replace("/", "."))
    element = s.lstrip("[")
    name = element[1:].split(";")[0] if element[0] == "L" else PRIMITIVES[element]
    return characters(name.replace("/", ".")) + "[]" * (len(s) - len(element))


def loader_name(loader):
    if not loader:
        return None
    if loader["name"] is not None:
        return characters(loader["name"])
    return class_name(loader["type"] and loader["type"]["name"])


def parameters(descriptor):
    found = re.findall(r"(\[*)(L[^;]*;|.)", descriptor[1 : descriptor.rindex(")")])
    names = [re.split("[/.]", t[1:-1])[-1] if t[0] == "L" else PRIMITIVES[t] for _, t in found]
    return ", ".join(n + "[]" * len(dims) for n, (dims, _) in zip(names, found))


def method(m):
    owner = m["type"] and m["type"]["name"]
    name = "" if owner is None else owner.replace("/", ".") + "."
    name += "null" if m["name"] is None else m["name"]
    descriptor = m["descriptor"] or "()"
    return characters("%s(%s)" % (name, parameters(descriptor)))


def short(j):
    """The short form of an object of --json, or None if it has none."""
    keys = set(j)
    if {"javaThreadId", "osThreadId"} <= keys:
        thread = {k: j.get(k) for k in ("javaName", "javaThreadId", "osName", "osThreadId")}
        if "virtual" in j:
            thread["virtual"] = j["virtual"]
        if "group" in j:
            thread["group"] = j["group"] and j["group"]["name"]
        return thread
    if {"classLoader", "name", "modifiers"} <= keys:
        return {"name": Raw(class_name(j["name"])), "loader": Raw(loader_name(j["classLoader"]))}
    if {"type", "name", "descriptor", "modifiers"} <= keys:
        return Raw(method(j))
    if {"method", "lineNumber", "bytecodeIndex"} <= keys:
        return {"method": j["method"], "line": j["lineNumber"], "bci": j["bytecodeIndex"],
                "type": j["type"]}
    if keys == {"type", "name"} and not isinstance(j["type"], str):
        return {"type": Raw(class_name(j["type"] and j["type"]["name"])), "name": j["name"]}
    return None


class Raw:
    """A value that is compared as it is."""

    def __init__(self, value):
        self.value = value


def same_scalar(j, n):
    if isinstance(j, str) and not isinstance(j, Real):
        if n is None:
            return j == NO_TIME or (SPAN.fullmatch(j) and nanoseconds(j) == NO_SPAN)
        if isinstance(n, int):
            return SPAN.fullmatch(j) and nanoseconds(j) == n
        return n == characters(j) or (TIME.fullmatch(j) and nine_decimals(j) == n)
    return type(j) is type(n) and j == n


def differs(j, n, path):
    """Where a value of --json and one of --ndjson part, or None."""
    if isinstance(j, Raw):
        return None if j.value == n else "%s: %r, not %r" % (path, n, j.value)
    if isinstance(j, list) and isinstance(n, list) and len(j) == len(n):
        for i, (a, b) in enumerate(zip(j, n)):
            found = differs(a, b, "%s[%d]" % (path, i))
            if found:
                return found
        return None
    if isinstance(j, dict):
        s = short(j)
        if isinstance(s, Raw):
            return differs(s, n, path)
        j = j if s is None else s
        if not isinstance(n, dict) or list(j) != list(n):
            return "%s: %r, not %r" % (path, n, j)
        for key in j:
            found = differs(j[key], n[key], path + "." + key)
            if found:
                return found
        return None
    return None if same_scalar(j, n) else "%s: %r, not %r" % (path, n, j)


def check_nested():
    for number, (j, n) in enumerate(itertools.zip_longest(json_events(), all_lines())):
        if not j or not n:
            fail("%s has only %d events" % ("--ndjson" if j else "--json", number))
            return
        found = "another type" if j["type"] != n["type"] else differs(j["values"], n["values"], "")
        if found:
            fail("event %d, %s: --ndjson has %s" % (number, j["type"], found))
            return


# Stack traces and ticks -------------------------------------------------------


def check_stacks(events):
    told, numbered = {}, []
    for line in lines("--stack", "id"):
        if "stack" in line:
            if line["stack"] in told:
                fail("stack trace %d is told twice" % line["stack"])
            told[line.pop("stack")] = line
            continue
        values = {}
        for key, value in line["values"].items():
            is_stack = key == "stackTrace" and value is not None
            values[key] = told.get(value, "not told") if is_stack else value
        numbered.append({"type": line["type"], "values": values})
    if numbered != events:
        fail("--stack id: the events are others")
    bare = [{"type": e["type"], "values": {k: v for k, v in e["values"].items() if k != "stackTrace"}}
            for e in events]
    if lines("--stack", "none") != bare:
        fail("--stack none: the events are others")
    for line, e in zip(lines("--stack", "string"), events):
        s = e["values"].get("stackTrace")
        s = s and ";".join(f["method"] or "[unknown]" for f in s["frames"])
        if line["values"].get("stackTrace") != s:
            fail("--stack string: %r, not %r" % (line["values"].get("stackTrace"), s))
            return


def check_ticks(events):
    chunk = None
    rest = iter(events)
    for line in lines("--raw-ticks", "--stack", "none"):
        if "chunk" in line:
            chunk = line
            continue
        ticks = line["values"].get("startTime", chunk["startTicks"])
        span = float(ticks - chunk["startTicks"]) / (chunk["ticksPerSecond"] / 1e9)
        ns = (chunk["startNanos"] + int(span)) % 10**9
        time = next(rest)["values"].get("startTime")
        if time and int(TIME.fullmatch(time).group(4)) != ns:
            fail("--raw-ticks: %s is not tick %d" % (time, ticks))
            return


# Flat lines and tables ----------------------------------------------------------


def follow(value, path):
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def cell(value):
    """What a flat line has of a value of a nested one."""
    if isinstance(value, dict) and list(value) == ["name", "loader"]:
        return value["name"]
    if isinstance(value, dict) and list(value) == ["type", "name"]:
        return value["type"] if value["name"] is None else value["name"]
    if isinstance(value, dict) and list(value) == ["method", "line", "bci", "type"]:
        return "%s line: %d" % (value["method"], value["line"])
    return value


def leaves(value, path=()):
    """The values that a flat line must have: not deeper than the third level."""
    is_single = not isinstance(value, dict) or not value or "frames" in value or \
        cell(value) is not value
    if path and is_single:
        if not (isinstance(value, dict) and not value):
            yield ".".join(path)
        return
    for name in value if len(path) < 4 else ():
        if value[name] is not None and not (name == "group" and "javaThreadId" in value):
            yield from leaves(value[name], path + (name,))


def check_flat(events):
    for flat, nested in zip(lines("--flat"), events):
        keys = {"type" if k == "values.type" else k: v for k, v in list(flat.items())[1:]}
        for key, value in keys.items():
            expected = cell(follow(nested["values"], key.split(".")))
            if key in nested["values"]:
                expected = cell(nested["values"][key])
            if value != expected:
                fail("--flat: %s is %r, not %r" % (key, value, expected))
                return
        missing = set(leaves(nested["values"])) - set(keys)
        if flat["type"] != nested["type"] or missing:
            fail("--flat: %s lacks %s" % (nested["type"], sorted(missing)))
            return


def text(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value).replace("\0", "\ufffd")


def same_cells(row, values):
    for got, value in zip(row, values):
        if isinstance(value, (list, dict)):
            if load(got) != value:
                return False
        elif got != text(value):
            return False
    return len(row) == len(values)


def unescape(s):
    return re.sub(r"\\(.)", lambda m: {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}[m[1]], s)


def check_table(name, option, rows, events):
    # A later chunk may declare other fields; the table keeps its columns.
    keys = {"type" if k == "values.type" else k: k for e in events for k in list(e)[1:]}
    if rows[0] != [k for k in keys if k in rows[0]]:
        fail("%s of %s: the header is %r" % (option, name, rows[0]))
    elif len(rows) - 1 != len(events):
        fail("%s of %s: %d rows, not %d" % (option, name, len(rows) - 1, len(events)))
    else:
        for row, event in zip(rows[1:], events):
            values = [event.get(keys[k]) for k in rows[0]]
            if not same_cells(row, values):
                fail("%s of %s: %r, not %r" % (option, name, row, values))
                return


def check_tables(nested):
    for name in dict.fromkeys(e["type"] for e in nested):
        events = lines("--flat", "--stack", "string", "--events", name)
        table = run("--csv", *LIMIT, "--events", name)
        check_table(name, "--csv", list(csv.reader(io.StringIO(table, newline=""))), events)
        if any(not line.endswith("\r") for line in re.sub('"[^"]*"', "", table).split("\n")[:-1]):
            fail("--csv of %s: a line does not end in CR LF" % name)
        rows = run("--tsv", *LIMIT, "--events", name).split("\n")[:-1]
        check_table(name, "--tsv", [[unescape(c) for c in r.split("\t")] for r in rows], events)


def check_fields(events):
    names = ["startTime", "eventThread.javaName", "eventThread.group.name", "stackTrace.truncated"]
    declared = {key for e in events for key, value in e["values"].items() if value is not None}
    threads = [e["values"].get("eventThread") for e in events]
    if "stackTrace" not in declared or not any("group" in t for t in threads if t):
        return
    for line, nested in zip(lines("--fields", ",".join(names)), lines("--stack", "frames")):
        values = nested["values"]
        thread, stack = values.get("eventThread") or {}, values.get("stackTrace") or {}
        expected = [values.get("startTime"), thread.get("javaName"), thread.get("group"),
                    stack.get("truncated")]
        if list(line)[1:] != names or list(line.values())[1:] != expected:
            fail("--fields: %r, not %r" % (line, expected))
            return


def main():
    csv.field_size_limit(2**31 - 1)
    check_nested()
    events = lines()
    check_stacks(events)
    check_ticks(events)
    check_flat(events)
    check_tables(events)
    check_fields(events)
    sys.exit(1 if failures else 0)


main()
