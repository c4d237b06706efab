# SPDX-License-Identifier: MIT
#
# pages.py - what manual pages print is what their sources say
#
# usage: pages.py JFREC SOURCE_ROOT
#
# Commands and rules in literal blocks are there to be copied.  scdoc takes a single backslash
# away, and roff has its own ideas of quotes and dashes: so each page is rendered as man(1) does,
# and each line of its literal blocks has to come out as it is in the source.  What is piped
# into jq is run: on a recording, or on nothing where it takes a JVM.

import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402


def literal_blocks(source):
    """The lines of each block between ``` and ```, as its author means them: \\\\ is a backslash."""
    blocks, block = [], None
    for line in source.split('\n'):
        if line.startswith('```'):
            if block is None:
                block = []
            else:
                blocks.append(block)
                block = None
        elif block is not None:
            block.append(line.replace('\\\\', '\\').expandtabs(8).rstrip())
    return blocks


def render(source):
    roff = subprocess.run(['scdoc'], input=source.encode(), stdout=subprocess.PIPE, check=True).stdout
    if shutil.which('man'):
        command = ['man', '-l', '-']
    else:
        command = ['groff', '-man', '-Kutf8', '-Tutf8', '-P-cbou', '-rLL=300n']
    environment = dict(os.environ, MANWIDTH='300', LC_ALL='C.UTF-8', PAGER='cat')
    environment.pop('MAN_KEEP_FORMATTING', None)
    page = subprocess.run(command, input=roff, stdout=subprocess.PIPE, env=environment, check=True).stdout
    return [line.rstrip() for line in page.decode().split('\n')]


def missing(block, page):
    """The lines of the block that the page does not show, indentation apart."""
    shown = {line.strip() for line in page}
    return [line for line in block if line.strip() and line.strip() not in shown]


def check(path):
    with open(path) as f:
        source = f.read()
    blocks, page = literal_blocks(source), render(source)
    lost = [line for block in blocks for line in missing(block, page)]
    result(not lost, f'{os.path.basename(path)}: {len(blocks)} literal blocks',
           *[f'not printed so: {line}' for line in lost])


# The recording has no samples, but waits for monitors, which have stacks as well, and pauses, which have none.
STANDS_FOR = [('ExecutionSample', 'JavaMonitorEnter,GCPhasePause'), ('broken.jfr', 'app.jfr'),
              ('web-a-1.0.jfr', 'app.jfr'), ('shop.jfr', 'app.jfr')]
ON_JVMS = ('jfrec check', 'jfrec doctor', 'jfrec heapdump', 'jfrec histogram', 'jfrec list', 'jfrec stream',
           'jfrec threads')
STACKS_AND_COUNTS = re.compile(r'([^;\n]+(;[^;\n]+)* [0-9]+\n)+')


def run(recipe, jfrec, recording):
    """Run it in a directory of its own: what it prints, and what is wrong with it."""
    with tempfile.TemporaryDirectory() as directory:
        os.mkdir(os.path.join(directory, 'bin'))
        command = os.path.join(directory, 'bin', 'jfrec')
        if recipe.startswith(ON_JVMS):
            with open(command, 'w') as f:
                f.write('#!/bin/sh\n')
            os.chmod(command, 0o755)
        else:
            os.symlink(jfrec, command)
        shutil.copy(recording, os.path.join(directory, 'app.jfr'))
        environment = dict(os.environ, PATH=os.path.join(directory, 'bin') + ':' + os.environ['PATH'])
        done = subprocess.run(['bash', '-o', 'pipefail', '-c', recipe], cwd=directory, env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    # `head` ends the pipe early, and nothing else may end.
    ok = done.returncode in (0, 141) and not done.stderr
    return done.stdout.decode(), '' if ok else f'{done.returncode}: {done.stderr.decode()}'


def run_recipes(path, jfrec, recording):
    with open(path) as f:
        blocks = literal_blocks(f.read())
    for block in blocks:
        recipe = '\n'.join(block)
        if 'jfrec ' not in recipe or 'jq ' not in recipe:
            continue
        for name, stand_in in STANDS_FOR:
            recipe = recipe.replace(name, stand_in)
        printed, wrong = run(recipe, jfrec, recording)
        result(not wrong, f'{os.path.basename(path)}: {block[0]}', recipe, wrong)
        if 'uniq' in recipe and 'split(";")' in recipe:
            result(STACKS_AND_COUNTS.fullmatch(printed), 'a line for each stack and its count', printed)


def main():
    jfrec, man = os.path.abspath(sys.argv[1]), os.path.join(sys.argv[2], 'man')
    recording = os.path.join(sys.argv[2], 'tests', 'data', 'ok', 'jvm-25.jfr')
    if not shutil.which('scdoc') or not (shutil.which('man') or shutil.which('groff')):
        print('1..0 # SKIP no scdoc, or neither man nor groff')
        return 0
    for name in sorted(n for n in os.listdir(man) if n.endswith('.scd')):
        path = os.path.join(man, name)
        check(path)
        if shutil.which('jq') and shutil.which('bash'):
            run_recipes(path, jfrec, recording)
    finish()


main()
