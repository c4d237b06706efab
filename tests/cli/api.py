# SPDX-License-Identifier: MIT
#
# api.py - what the library promises is used, and what only the tool needs is not promised
#
# usage: api.py SOURCE_ROOT
#
# Each function of the public headers is used by the tool, a binding or an example (docs/examples),
# so that nothing is frozen that nobody has tried.  Each header has an example that includes it.
# The headers of the tool (lib/jfrec-tool.h) have at most 100 functions, none of which the library
# exports or a binding uses.

import glob
import os
import re
import sys

import headers

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402

MOST_OF_TOOL = 100


def sources(root, *patterns):
    """{path: text without comments} of the files that match."""
    return {p: re.sub(r'/\*.*?\*/', '', headers.read(p), flags=re.S) for pattern in patterns
            for p in sorted(glob.glob(os.path.join(root, pattern), recursive=True))}


def words(texts):
    return {w for text in texts.values() for w in re.findall(r'\bjfrec_\w+', text)}


def functions(paths):
    return {name: os.path.basename(p) for p in paths
            for name, _, _ in headers.functions(headers.read(p))}


def unused(promised, texts):
    seen = words(texts)
    return [f'{header}: {name}' for name, header in promised.items() if name not in seen]


def without_example(paths, examples):
    included = {h for text in examples.values()
                for h in re.findall(r'#include <jfrec/(\w+\.h)>', text)}
    return [os.path.basename(p) for p in paths if os.path.basename(p) not in included]


def main():
    root = os.path.abspath(sys.argv[1])
    public = headers.paths(root)
    promised = functions(public)
    examples = sources(root, 'docs/examples/*.c')
    bindings = sources(root, 'lib/bindings/**/*.c', 'lib/bindings/**/*.rs')
    users = {**sources(root, 'cli/**/*.[ch]'), **bindings, **examples}
    said = unused(promised, users)
    result(len(promised) > 300 and not said, 'each public function has a user', *said)
    result(unused({**promised, 'jfrec_planted': 'x.h'}, users) == ['x.h: jfrec_planted'],
           'one without a user is found')
    said = without_example(public, examples)
    result(len(public) > 20 and not said, 'each public header has an example', *said)
    listed = re.findall(r'^\| `jfrec/(\w+\.h)` \| \[`([\w-]+\.c)`\]',
                        headers.read(os.path.join(root, 'docs/examples/README.md')), re.M)
    said = sorted({os.path.basename(p) for p in public} ^ {h for h, _ in listed}) + \
        sorted({os.path.basename(p) for p in examples} ^ {c for _, c in listed})
    result(not said, 'docs/examples/README.md lists each header and each example', *said)
    said = [p for p, text in examples.items() if 'jfrec-tool' in text or 'jfrec/tool' in text]
    result(not said, 'no example uses what is not promised', *said)

    tool = functions(glob.glob(os.path.join(root, 'lib', 'jfrec', 'tool', '*.h')))
    result(0 < len(tool) <= MOST_OF_TOOL,
           f'the tool has {len(tool)} functions of its own, at most {MOST_OF_TOOL}')
    said = sorted(set(tool) & (words(bindings) | words(examples)))
    result(not said, 'no binding uses one', *said)
    listed = re.findall(r'^\t(jfrec_\w+);', headers.read(os.path.join(root, 'lib/libjfrec.sym')),
                        re.M)
    said = sorted(set(tool) & set(listed))
    result(listed and not said, 'the library exports none of them', *said)
    said = sorted(set(tool) - words(users))
    result(not said, 'the tool uses each of them', *said)
    finish()


main()
