# SPDX-License-Identifier: MIT
#
# circles.py - which files of the library call each other in a circle, held against circles.tsv
#
# usage: circles.py NM LIBRARY TABLE
#
# LIBRARY is the static library as it is built, with a member for each source file: what a member
# lacks and another one has is a call.  Faults are planted to see that each is found.

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402

MEMBER = re.compile(r'lib_([a-z]+)_([a-z0-9_]+)\.c\.o:\s*[0-9a-f]*\s+(\w)\s+(\S+)$')


def read_symbols(nm, library):
    """[(folder, file, kind, name)] of the members."""
    out = subprocess.run([nm, '-A', '-g', library], capture_output=True, text=True, check=True)
    found = [MEMBER.search(line) for line in out.stdout.splitlines()]
    return [m.groups() for m in found if m]


def calls_of(symbols):
    """{file: {file: a function}}, files as (folder, name)."""
    home = {name: (folder, file) for folder, file, kind, name in symbols if kind != 'U'}
    calls = {}
    for folder, file, kind, name in symbols:
        to = home.get(name)
        if kind == 'U' and to and to != (folder, file):
            calls.setdefault((folder, file), {}).setdefault(to, name)
    return calls


def reach(calls, start):
    seen, todo = set(), [start]
    while todo:
        for to in calls.get(todo.pop(), {}):
            if to not in seen:
                seen.add(to)
                todo.append(to)
    return seen


def circles(calls):
    """Groups of files each of which reaches all others."""
    far = {file: reach(calls, file) for file in calls}
    groups = {tuple(sorted(to for to in far[file] if file in far.get(to, ())))
              for file in calls if file in far[file]}
    return sorted(groups)


def read_table(path):
    rows = set()
    with open(path, encoding='utf-8') as f:
        for line in f:
            if not line.startswith('#'):
                folder, files, why = line.rstrip('\n').split('\t')
                rows.add(tuple(sorted((folder, file) for file in files.split())))
                assert why
    return rows


def describe(group, calls):
    files = ', '.join(f'{folder}/{file}.c' for folder, file in group)
    ways = [f'{a[1]} calls {calls[a][b]}() of {b[1]}' for a in group for b in group
            if b in calls.get(a, {})]
    return f"{files}: {'; '.join(ways[:6])}"


def unlisted(calls, table):
    return [describe(group, calls) for group in circles(calls) if group not in table]


def outdated(calls, table):
    found = circles(calls)
    return [' '.join(file for _, file in row) for row in sorted(table) if row not in found]


def check_planted(symbols, table):
    planted = symbols + [('base', 'arena', 'U', 'planted_up'), ('base', 'error', 'T', 'planted_up'),
                         ('base', 'error', 'U', 'planted_down'),
                         ('base', 'arena', 'T', 'planted_down')]
    result(unlisted(calls_of(planted), table) != [], 'a planted circle of two files is found')
    planted = symbols + [('output', 'temp', 'U', 'planted_x'), ('output', 'output', 'T', 'planted_x')]
    result(unlisted(calls_of(planted), table) != [], 'a planted call against the direction is found')
    result(outdated(calls_of(symbols), table | {(('base', 'arena'), ('base', 'error'))}) != [],
           'a planted row of the table is found')


def main():
    nm, library, path = sys.argv[1:]
    symbols = read_symbols(nm, library)
    calls = calls_of(symbols)
    table = read_table(path)

    result(len({(folder, file) for folder, file, _, _ in symbols}) > 150 and len(calls) > 100,
           'the library has its members', f'{len(symbols)} symbols, {len(calls)} files that call')
    said = unlisted(calls, table)
    result(not said, 'no circle between files but those of the table', *said)
    said = outdated(calls, table)
    result(not said, 'the table has no circle that is not there', *said)
    check_planted(symbols, table)
    finish()


main()
