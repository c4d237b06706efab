# SPDX-License-Identifier: MIT
#
# bounds.py - only the functions that lib/base/cursor.h lists move through input by themselves
#
# usage: bounds.py SOURCE_ROOT
#
# All others take bytes from a struct cursor, which checks that they are there.  Looked for is a
# position that is moved: `pos += n`, `pos++`, `c->pos = at + n`.  What decompresses and what writes
# has positions of another kind; the recorder and the preload library read no recording.

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402

HEAD = "lib/base/cursor.h"
APART = ("lib/base/", "lib/bindings/", "lib/input/", "lib/output/", "lib/preload/", "lib/recorder/")
MOVES = re.compile(r"\bpos\s*(?:\+=|-=|\+\+|--)|(?:\+\+|--)\s*(?:\w+(?:->|\.))*pos\b"
                   r"|\w(?:->|\.)pos = \w+ \+")
FUNCTION = re.compile(r"^[a-z][^;={]*?\b(\w+)\((?:[^;{]*)\)\s*\n\{", re.M)


def read_sources(root):
    sources = {}
    for where, _, names in os.walk(os.path.join(root, "lib")):
        for name in names:
            path = os.path.relpath(os.path.join(where, name), root)
            if name.endswith((".c", ".h")) and not path.startswith(APART):
                with open(os.path.join(root, path), encoding="utf-8") as f:
                    sources[path] = f.read()
    return sources


def listed(head):
    """(file, function) of each row in the comment of the header."""
    return {("lib/" + file, function)
            for file, functions in re.findall(r"^ \*\t(\S+\.[ch]) +(.*\(\).*)$", head, re.M)
            for function in re.findall(r"(\w+)\(\)", functions)}


def moving(sources):
    """(file, function) of each function that moves a position."""
    found = set()
    for path, text in sources.items():
        code = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S)
        code = re.sub(r"__attribute__\(\(\w+\)\)", lambda m: " " * len(m[0]), code)
        begins = [(m.end(), m[1]) for m in FUNCTION.finditer(code)]
        for move in MOVES.finditer(code):
            names = [name for at, name in begins if at <= move.start()]
            found.add((path, names[-1] if names else "?"))
    return found


def main():
    root = sys.argv[1]
    sources = read_sources(root)
    with open(os.path.join(root, HEAD), encoding="utf-8") as f:
        known = listed(f.read())

    result(len(sources) > 400 and known, "there are sources, and a list in " + HEAD)
    found = moving(sources)
    result(found <= known, "no function but those that are listed moves a position of its own",
           *(f"{path}: {name}()" for path, name in sorted(found - known)))
    result(known <= found, "the list has no function that moves none",
           *(f"{path}: {name}()" for path, name in sorted(known - found)))
    for move in ("\tc->pos += n;", "\tpos++;", "\t++c->pos;", "\tc->pos = start + n;"):
        planted = {**sources, "lib/read/planted.c": f"static int step(struct cursor *c)\n{{\n{move}\n}}\n"}
        result(moving(planted) - known == {("lib/read/planted.c", "step")},
               f"it is found where one is planted: {move.strip()}")
    finish()


main()
