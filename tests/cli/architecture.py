# SPDX-License-Identifier: MIT
#
# architecture.py - docs/architecture.md names files that exist, and every folder of the sources
#
# usage: architecture.py SOURCE_ROOT
#
# Faults are planted to see that each is found.

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402

PATH = re.compile(r'`((?:cli|lib|settings|tests|docs)/[A-Za-z0-9_./-]*|[A-Z]+\.md|README\.md)`')


def named(text):
    return sorted({path for path in PATH.findall(text) if 'NAME' not in path})


def missing(root, text):
    return [path for path in named(text) if path != 'README.md'
            and not os.path.exists(os.path.join(root, path))]


def folders(root):
    """Those of tests/folders.tsv, by their path."""
    with open(os.path.join(root, 'tests/folders.tsv'), encoding='utf-8') as f:
        rows = [line.split('\t')[0] for line in f if not line.startswith('#')]
    return [row if row.split('/')[0] == 'cli' else f'lib/{row}' for row in rows if row != 'cli']


def unnamed(root, text):
    """Folders of which the page says nothing: no file of theirs, and not their path."""
    return [folder for folder in folders(root) if f'`{folder}/' not in text]


def main():
    root = sys.argv[1]
    with open(os.path.join(root, 'docs/architecture.md'), encoding='utf-8') as f:
        text = f.read()

    result(len(named(text)) > 100, 'the page names files', f'{len(named(text))}')
    said = missing(root, text)
    result(not said, 'each of them exists', *said)
    said = unnamed(root, text)
    result(not said, 'each folder of the sources is on the page', *said)
    result(missing(root, text + '`lib/format/planted.c`') == missing(root, text)
           + ['lib/format/planted.c'], 'a planted name is found')
    result('lib/format' in unnamed(root, text.replace('`lib/format/', '`')),
           'a folder that is not on the page is found')
    finish()


main()
