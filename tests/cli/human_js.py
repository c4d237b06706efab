#!/usr/bin/env python3
"""Pages write numbers as texts do: each row of tests/unit/test_human.c, by lib/page/human.js.

usage: human_js.py SOURCE_ROOT
"""
import json
import re
import shutil
import subprocess
import sys

UNITS = {'KiB': 1024, 'MiB': 1024 ** 2, 'GiB': 1024 ** 3}
ROW = re.compile(r'\{"(\w+)", human_(\w+), ([^,]+), "([^"]*)"\}')


def rows(root):
    text = open(root + '/tests/unit/test_human.c', encoding='utf-8').read()
    found = [(name, function, eval(value, {}, UNITS), want.encode().decode('unicode_escape'))
             for name, function, value, want in ROW.findall(text)]
    assert len(found) > 25, 'the rows of test_human.c are not found'
    return found


def run(node, root, calls):
    script = open(root + '/lib/page/human.js', encoding='utf-8').read()
    script += '\nconst calls = %s;\n' % json.dumps(calls)
    script += 'console.log(JSON.stringify(calls.map(([f, v]) => human[f](v))));\n'
    done = subprocess.run([node, '-'], input=script.encode(), check=True, stdout=subprocess.PIPE,
                          timeout=60)
    return json.loads(done.stdout)


def main():
    root, node = sys.argv[1], shutil.which('node')
    if not node:
        print('1..0 # SKIP needs node')
        sys.exit(0)
    table = rows(root)
    bad = 0
    for n, ((name, _, _, want), got) in enumerate(
            zip(table, run(node, root, [row[1:3] for row in table])), 1):
        bad += got != want
        print('%s %d - %s' % ('ok' if got == want else 'not ok', n, name))
        if got != want:
            print('# %r, not %r' % (got, want))
    print('1..%d' % len(table))
    sys.exit(bad > 0)


if __name__ == '__main__':
    main()
