#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""format.py - lines of C have at most 100 columns, a tab being eight, and none ends in a blank

usage: format.py SOURCE_ROOT [--write]

A line that only the text of a string makes longer is let through: messages can be searched for.
Between `clang-format off` and `clang-format on`, where tables are aligned by hand, nothing is
checked.  Neither is more of the format: the tree is not what clang-format would make of it.
--write has clang-format 14 wrap the lines that are too long, and only these.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402

COLUMNS = 100


def is_long(line):
    without_texts = re.sub(r'"(\\.|[^"\\])*"', '""', line)
    return len(without_texts.expandtabs(8)) > COLUMNS


def faults(text):
    """(number, line) of each that is too long, or ends in a blank."""
    by_hand = False
    for number, line in enumerate(text.split('\n'), 1):
        if re.search(r'clang-format o(ff|n)\b', line):
            by_hand = 'clang-format off' in line
        elif not by_hand and (is_long(line) or line != line.rstrip()):
            yield number, line


def wrap(path):
    found = list(faults(path.read_text()))
    lines = [f'--lines={number}:{number}' for number, _ in found]
    if lines:
        tool = shutil.which('clang-format-14') or 'clang-format'
        subprocess.run([tool, '-i', *lines, str(path)], check=True)


def main():
    root = pathlib.Path(sys.argv[1])
    paths = sorted(p for folder in ('cli', 'lib') for p in (root / folder).rglob('*.[ch]'))
    if '--write' in sys.argv:
        for path in paths:
            wrap(path)
    wrong = [f'{p.relative_to(root)}:{number}: {len(line.expandtabs(8))} columns'
             for p in paths for number, line in faults(p.read_text())]
    result(len(paths) > 500, 'there are sources')
    result(not wrong, f'lines have at most {COLUMNS} columns, and do not end in a blank',
           *wrong[:20], *([f'and {len(wrong) - 20} more'] if len(wrong) > 20 else []))
    result(list(faults('\t' * 12 + 'a = b;\n'))[0][0] == 1, 'planted: a line of 102 columns')
    result(not list(faults('\t' * 11 + 'a = b + 1;\n')), 'planted: a line of 98 columns')
    result(not list(faults('\t' * 11 + 'puts("a text of forty columns, or somewhat more");\n')),
           'planted: a text that is long')
    result(len(list(faults('int a; \n'))) == 1, 'planted: a blank at the end')
    result(not list(faults('/* clang-format off */\n' + 'x' * 101 + '\n/* clang-format on */\n')),
           'planted: a table that is aligned by hand')
    finish()


main()
