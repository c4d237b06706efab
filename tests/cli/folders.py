# SPDX-License-Identifier: MIT
#
# folders.py - which folder of lib/ includes which, held against tests/folders.tsv
#
# usage: folders.py SOURCE_ROOT
#
# Also: cli/ knows nothing of lib/ but the public headers and those of its row, and what is in a reader is known to
# lib/read alone.  Faults are planted to see that each is found.

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)
PRIVATE = {'read/reader.h': 'read'}


def read_sources(root):
    """{path: text} of the sources of the library and the tool, generated ones apart."""
    sources = {}
    for top in ('lib', 'cli'):
        for where, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if name.endswith(('.c', '.h')):
                    path = os.path.join(where, name)
                    with open(path, encoding='utf-8') as f:
                        sources[os.path.relpath(path, root)] = f.read()
    return sources


def read_table(root):
    table = {}
    with open(os.path.join(root, 'tests/folders.tsv'), encoding='utf-8') as f:
        for line in f:
            if not line.startswith('#'):
                folder, known = line.rstrip('\n').split('\t')
                table[folder] = known.split()
    return table


def included(header):
    """The folder of a header, for public ones jfrec/NAME or, for all of them, jfrec."""
    if header == 'jfrec.h':
        return 'jfrec'
    first, _, rest = header.partition('/')
    return f'jfrec/{rest[:-2]}' if first == 'jfrec' else first


def arrows(sources):
    """{(folder, folder): an include} of lib/, without those inside of a folder."""
    found = {}
    for path, text in sorted(sources.items()):
        parts = path.split('/')
        if parts[0] != 'lib' or len(parts) < 3 or parts[1] == 'jfrec':
            continue
        for header in INCLUDE.findall(text):
            to = included(header)
            if '/' in header or to == 'jfrec':
                if to != parts[1]:
                    found.setdefault((parts[1], to), f'{path} includes {header}')
    return found


def may(table, folder, to):
    known = table.get(folder, [])
    return to in known or (to.startswith('jfrec/') and 'jfrec' in known)


def not_in_table(sources, table):
    return [f'{what}: {folder} may not know {to}'
            for (folder, to), what in arrows(sources).items() if not may(table, folder, to)]


def not_needed(sources, table):
    """Rows of folders that are gone, and what a folder may include but does not, the API apart."""
    found = arrows(sources)
    said = [f'there is no folder lib/{folder}' for folder in table
            if folder != 'cli' and not any(path.startswith(f'lib/{folder}/') for path in sources)]
    for folder, known in table.items():
        for to in known:
            if folder == 'cli':
                is_used = any(path.startswith('cli/') and f'"{to}.h"' in text
                              for path, text in sources.items())
            else:
                is_used = any(a == folder and b == to for a, b in found)
            if not is_used and to != 'jfrec':
                said.append(f'{folder} includes nothing of {to}')
    return said


def circles(graph):
    """Each circle that a walk along the graph meets: ['a -> b -> a']."""
    said, done = [], set()

    def walk(folder, way):
        if folder in way:
            said.append(' -> '.join(way[way.index(folder):] + [folder]))
        elif folder not in done:
            for to in graph.get(folder, []):
                walk(to, way + [folder])
            done.add(folder)

    for folder in graph:
        walk(folder, [])
    return said


def graph_of(sources):
    graph = {}
    for folder, to in arrows(sources):
        graph.setdefault(folder, []).append(to)
    return graph


def tool_reaches(sources, table):
    """Headers of lib/ that cli/ includes, the public ones and those of its row apart."""
    lib = {path[4:] for path in sources if path.startswith('lib/')}
    cli = {path[4:] for path in sources if path.startswith('cli/')}
    return [f'{path} includes {header}' for path, text in sorted(sources.items())
            if path.startswith('cli/') for header in INCLUDE.findall(text)
            if header in lib and header not in cli and included(header).split('/')[0] != 'jfrec'
            and header[:-2] not in table['cli']]


def private_reached(sources):
    return [f'{path} includes {header}' for path, text in sorted(sources.items())
            for header in INCLUDE.findall(text)
            if header in PRIVATE and not path.startswith(f'lib/{PRIVATE[header]}/')]


def check_planted(sources, table):
    """Each check finds the fault that is planted for it, and nothing else finds it first."""
    up = dict(sources)
    up['lib/format/planted.c'] = '#include "repository/directory.h"\n'
    result(not_in_table(up, table) != [], 'a planted include up the table is found')
    result(circles(graph_of(up)) != [], 'a planted circle of includes is found')
    result(circles({**table, 'base': ['read']}) != [], 'a planted circle in the table is found')
    result(not_needed(sources, {**table, 'base': table['base'] + ['query']}) != [],
           'a planted arrow in the table is found')
    result(not_needed(sources, {**table, 'nowhere': []}) != [],
           'a planted row in the table is found')
    up = dict(sources)
    up['lib/format/planted.c'] = '#include "jfrec/stream.h"\n'
    result(not_in_table(up, table) != [], 'a planted public header is found')
    up = dict(sources)
    up['cli/cmd/planted.c'] = '# include "format/chunk.h"\n'
    result(tool_reaches(up, table) != [], 'a planted include in the tool is found')
    up = dict(sources)
    up['lib/print/planted.c'] = '#include "read/reader.h"\n'
    result(private_reached(up) != [], 'a planted include of the reader is found')


def main():
    root = sys.argv[1]
    sources = read_sources(root)
    table = read_table(root)

    said = not_in_table(sources, table)
    result(not said, 'folders include only what the table lets them', *said)
    said = not_needed(sources, table)
    result(not said, 'the table has nothing that no folder needs', *said)
    said = circles(graph_of(sources)) + circles(table)
    result(not said, 'no circle between folders', *said)
    said = tool_reaches(sources, table)
    result(not said, 'the tool knows only the public headers and those of its row', *said)
    said = private_reached(sources)
    result(not said, 'what is in a reader is known to lib/read alone', *said)
    check_planted(sources, table)
    finish()


main()
