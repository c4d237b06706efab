# SPDX-License-Identifier: MIT
"""Compare tables with what `jfrec print` says of the same recording.

events(jfrec, recordings) -> {type: {column: values}} of print --ndjson --flat
difference(events, tables) -> lines that say how they differ; none if they do not

A table is {column: (kind, values)}; kind is bool, int, float, float32, time (whole numbers, of the unit that
`difference` is told) or text.  Compared are the number of rows, the sums of numbers (integers modulo
2^64, floating-point ones to 1e-9), the sets of texts, and the number of values that are null.
"""

import json
import math
import re
import struct
import subprocess


# What a column is called whose field has a name that a line, or a table, cannot have.
NAMES = {"values.type": "type", "": "_"}


def nanoseconds(text):
    """2026-11-20T22:55:18.187350982+11:00"""
    found = re.fullmatch(r"([+-]?\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+)\.(\d{9})"
                         r"(?:Z|([+-])(\d+):(\d+)(?::(\d+))?)", text)
    year, month, day, hour, minute, second, fraction = (int(x) for x in found.groups()[:7])
    ahead = sum(int(x or 0) * s for x, s in zip(found.groups()[8:], (3600, 60, 1)))
    # Years that begin in March, of any size.
    year -= month <= 2
    days = 365 * year + year // 4 - year // 100 + year // 400 - 719468
    days += (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    seconds = days * 86400 + hour * 3600 + minute * 60 + second
    seconds -= -ahead if found[8] == "-" else ahead
    # Tables have 64 bits: years 1677 to 2262.
    return max(min(seconds * 1000000000 + fraction, (1 << 63) - 1), -1 << 63)


def first_of_each(pairs):
    """Of a name that is there twice the first one is the column's."""
    found = {}
    for name, value in pairs:
        found.setdefault(name, value)
    return found


def events(jfrec, recordings):
    """Missing keys are null, as are events' that a chunk declares without them."""
    done = subprocess.run([jfrec, "print", "--ndjson", "--flat", "--stack", "string",
                           "--stack-depth", "8192", *recordings],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    assert done.returncode in (0, 1), f"jfrec print failed: {done.returncode}"
    rows = {}
    for line in done.stdout.splitlines():
        pairs = json.loads(line, object_pairs_hook=first_of_each)
        rows.setdefault(pairs.pop("type", None) or "", []).append(
            {NAMES.get(k, k): v for k, v in pairs.items()})
    return rows


def comparable(kind, values, unit_ns):
    if kind == "time":
        return [v if v is None else nanoseconds(v) // unit_ns for v in values]
    if kind == "text":
        # A NUL of a char is U+FFFD in a table.
        return [v if v is None else v.replace("\0", "\ufffd") if isinstance(v, str) else
                json.dumps(v, separators=(",", ":"), ensure_ascii=False) for v in values]
    if kind == "float32":
        return [v if v is None else struct.unpack("f", struct.pack("f", v))[0] for v in values]
    return values


def same_numbers(kind, a, b):
    if kind in ("float", "float32"):
        # JSON has neither NaN nor infinity.
        a = [v for v in a if v is not None and math.isfinite(v)]
        b = [v for v in b if v is not None and math.isfinite(v)]
        # Halves of the largest doubles can be added.
        most = max(map(abs, a + b), default=0)
        scale = 1 / len(a) / 2 if most > 1e300 else 1
        return len(a) == len(b) and math.isclose(
            math.fsum(v * scale for v in a), math.fsum(v * scale for v in b), rel_tol=1e-9,
            abs_tol=1e-9)
    there = [[int(v) for v in values if v is not None] for values in (a, b)]
    return len(there[0]) == len(there[1]) and (sum(there[0]) - sum(there[1])) % (1 << 64) == 0


def difference(rows, tables, unit_ns=1000, ignored=()):
    wrong = [f"no table {t}" for t in sorted(set(rows) - set(tables))]
    wrong += [f"table {t} has no events" for t in sorted(set(tables) - set(rows))]
    for table in sorted(set(rows) & set(tables)):
        for column, (kind, values) in tables[table].items():
            if column in ignored:
                continue
            if len(values) != len(rows[table]):
                wrong.append(f"{table}: {len(values)} rows, not {len(rows[table])}")
                break
            expected = comparable(kind, [r.get(column) for r in rows[table]], unit_ns)
            if kind == "text":
                values = comparable(kind, values, unit_ns)
                is_same = set(values) == set(expected) and \
                    values.count(None) == expected.count(None)
            else:
                is_same = same_numbers(kind, values, expected)
            if not is_same:
                wrong.append(f"{table}.{column}: {kind}, {str(values[:3])[:150]}, "
                             f"not {str(expected[:3])[:150]}")
        missing = {c for r in rows[table] for c in r} - set(tables[table])
        wrong += [f"{table} has no column {c}" for c in sorted(missing)]
    return wrong
