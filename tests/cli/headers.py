# SPDX-License-Identifier: MIT
#
# headers.py - the functions that the public headers declare, each with its comment

import glob
import os
import re

TOKEN = re.compile(r'/\*(?:.|\n)*?\*/|^#(?:.*\\\n)*.*|[{};]|\n', re.M)


def functions(text):
    """(name, comment or None, line) of each prototype in the text of a header, in its order.

    A comment belongs to the prototype that follows it without an empty line."""
    found = []
    depth = 0
    line = 1
    statement, began, comment = '', 0, None
    at = 0
    for token in TOKEN.finditer(text):
        between = text[at:token.start()].replace('JFREC_BEGIN_DECLS', '')
        if between.strip():
            if not statement.strip():
                began = line
            statement += between
        at = token.end()
        kind = token.group()
        if kind.startswith('/*') and not statement.strip():
            comment = kind
        elif kind == '{':
            depth += 1
        elif kind == '}':
            depth -= 1
        elif kind == ';' and depth == 0:
            name = re.search(r'\b(jfrec_\w+)\s*\(', statement)
            if name and not re.match(r'\s*typedef\b', statement):
                found.append((name.group(1), comment, began))
            statement, comment = '', None
        elif kind == '\n':
            if statement.strip():
                statement += ' '
            elif not between.strip() and text[at:at + 1] == '\n':
                comment = None
        line += kind.count('\n')
    return found


def paths(source):
    """The public headers of a source tree."""
    return sorted(glob.glob(os.path.join(source, 'lib', 'jfrec', '*.h')))


def read(path):
    with open(path, encoding='utf-8') as f:
        return f.read()
