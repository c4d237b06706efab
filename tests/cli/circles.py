# SPDX-License-Identifier: MIT
#
# circles.py - which files of one program call each other in a circle, held against circles.tsv
#
# usage: circles.py NM TABLE NAME=PATH...
#
# PATH is a static library, with a member for each source file, or a folder of objects: what one of
# them lacks and another one has is a call.  NAME is its part of the sources: lib, recorder or cli.
# Faults are planted to see that each is found.

import glob
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402

OBJECT = re.compile(r'([a-z0-9_]+)\.c\.o:\s*[0-9a-f]*\s+(\w)\s+(\S+)$')


def place_of(part, member):
    """(folder, file) of a member: lib_base_arena, control_answer (of the recorder), cli_cmd_view."""
    if member == 'cli_main':
        return 'cli', 'main'
    folder, _, file = member.removeprefix('lib_').removeprefix('cli_').partition('_')
    return (folder if part == 'lib' else f'{part}/{folder}'), file


def read_symbols(nm, part, path):
    """[(folder, file, kind, name)] of the objects."""
    objects = sorted(glob.glob(os.path.join(path, '*.o'))) if os.path.isdir(path) else [path]
    out = subprocess.run([nm, '-A', '-g', *objects], capture_output=True, text=True, check=True)
    found = [OBJECT.search(line) for line in out.stdout.splitlines()]
    return [(*place_of(part, m.group(1)), m.group(2), m.group(3)) for m in found
            if m and not m.group(1).startswith('embedded')]


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
    nm, path, *parts = sys.argv[1:]
    table = read_table(path)
    found = set()

    for part, objects in (each.split('=', 1) for each in parts):
        symbols = read_symbols(nm, part, objects)
        calls = calls_of(symbols)
        mine = {row for row in table if row[0][0] in {symbol[0] for symbol in symbols}}
        found |= mine
        result(len(symbols) > 500 and len(calls) > 40, f'{part}: its objects are there',
               f'{len(symbols)} symbols, {len(calls)} files that call')
        said = unlisted(calls, table)
        result(not said, f'{part}: no circle between files but those of the table', *said)
        said = outdated(calls, mine)
        result(not said, f'{part}: the table has no circle that is not there', *said)
        if part == 'lib':
            check_planted(symbols, mine)
    said = [' '.join(file for _, file in row) for row in sorted(table - found)]
    result(not said, 'each row of the table is in a folder that there is', *said)
    finish()


main()
