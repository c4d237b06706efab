# SPDX-License-Identifier: MIT
#
# folders.py - which folder of lib/ and cli/ includes which, held against tests/folders.tsv
#
# usage: folders.py SOURCE_ROOT
#
# The rooms of the recorder and those of the tool have rows of their own.  Also: cli/ knows nothing of
# lib/ but the public headers and those of its row, and what is in a reader is known to lib/read
# alone.  Faults are planted to see that each is found.

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
    if header == 'jfrec-tool.h' or header.startswith('jfrec/tool/'):
        return 'jfrec-tool'
    first, _, rest = header.partition('/')
    return f'jfrec/{rest[:-2]}' if first == 'jfrec' else os.path.dirname(header)


def folder_of(path, table):
    """The row that a file of lib/ or cli/ belongs to: its folder, or one around it."""
    folder = os.path.dirname(path).removeprefix('lib/')
    while folder and folder not in table:
        folder = os.path.dirname(folder)
    return folder or os.path.dirname(path).removeprefix('lib/')


def target_of(path, header, sources, table):
    """The row of what a file includes; None: a header of the system, or of its own folder."""
    if path.startswith('cli/') and f'cli/{header}' in sources:
        return folder_of(f'cli/{header}', table)
    to = included(header)
    return to if to.startswith('jfrec') or not to else folder_of(f'lib/{header}', table)


def arrows(sources, table):
    """{(folder, folder): an include}, without those inside of a folder, and without cli to lib."""
    found = {}
    for path, text in sorted(sources.items()):
        if path.count('/') < 2 or path.startswith('lib/jfrec/'):
            continue
        folder = folder_of(path, table)
        for header in INCLUDE.findall(text):
            to = target_of(path, header, sources, table)
            if to and to != folder and (path.startswith('lib/') or to.startswith('cli/')):
                found.setdefault((folder, to), f'{path} includes {header}')
    return found


def may(table, folder, to):
    known = table.get(folder, [])
    return to in known or (to.startswith('jfrec/') and 'jfrec' in known)


def not_in_table(sources, table):
    return [f'{what}: {folder} may not know {to}'
            for (folder, to), what in arrows(sources, table).items() if not may(table, folder, to)]


def not_needed(sources, table):
    """Rows of folders that are gone, and what a folder may include but does not, the API apart."""
    found = arrows(sources, table)
    there = {folder_of(path, table) for path in sources}
    said = [f'there is no folder {folder}' for folder in table
            if folder != 'cli' and folder not in there]
    for folder, known in table.items():
        for to in known:
            if folder == 'cli':
                is_used = any(path.startswith('cli/') and f'"{to}.h"' in text
                              for path, text in sources.items())
            else:
                is_used = (folder, to) in found
            if not is_used and to != 'jfrec':
                said.append(f'{folder} includes nothing of {to}')
    return said


def not_in_order(table):
    """What a folder knows has its row above."""
    rows = list(table)
    return [f'{folder} knows {to}, whose row is below it' for folder in rows
            for to in table[folder] if to in rows and rows.index(to) >= rows.index(folder)]


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


def graph_of(sources, table):
    graph = {}
    for folder, to in arrows(sources, table):
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
    result(circles(graph_of(up, table)) != [], 'a planted circle of includes is found')
    result(circles({**table, 'base': ['read']}) != [], 'a planted circle in the table is found')
    result(not_needed(sources, {**table, 'base': table['base'] + ['query']}) != [],
           'a planted arrow in the table is found')
    result(not_needed(sources, {**table, 'nowhere': []}) != [],
           'a planted row in the table is found')
    result(not_in_order({'input': ['base'], 'base': []}) != [],
           'a planted row below what knows it is found')
    for planted, header in (('cli/base/planted.c', 'opts/output_opts.h'),
                            ('lib/recorder/ground/planted.c', 'recorder/control/engine.h')):
        up = dict(sources)
        up[planted] = f'#include "{header}"\n'
        result(not_in_table(up, table) != [], f'a planted include in {os.path.dirname(planted)} is found')
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
    said = circles(graph_of(sources, table)) + circles(table)
    result(not said, 'no circle between folders', *said)
    said = not_in_order(table)
    result(not said, 'each row is below those of the folders that it knows', *said)
    said = tool_reaches(sources, table)
    result(not said, 'the tool knows only the public headers and those of its row', *said)
    said = private_reached(sources)
    result(not said, 'what is in a reader is known to lib/read alone', *said)
    check_planted(sources, table)
    finish()


main()
