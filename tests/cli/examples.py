# SPDX-License-Identifier: MIT
#
# examples.py - the programs of docs/examples print what is expected of them
#
# usage: examples.py JFREC SOURCE_ROOT [live]
#
# tests/data/examples/NAME.out is a transcript: command lines after "$ ", each with its output, and
# its status where that is not 0.  They run in the source tree, with the examples in the PATH and an
# empty directory as $W.  UPDATE=1 writes what is printed now.  With `live` the examples that talk
# to a JVM do so, each with a JVM of its own user that sleeps.

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result, skip  # noqa: E402

def run(line, root, build, work):
    environment = dict(os.environ, W=work, TZ='UTC', LC_ALL='C',
                       PATH=f'{build}/docs/examples:{build}:{os.environ["PATH"]}')
    done = subprocess.run(['sh', '-c', line], cwd=root, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    said = done.stdout.decode('utf-8', 'backslashreplace').replace(work, '$W')
    return said + (f'(status {done.returncode})\n' if done.returncode else '')


def parts(text):
    """[(command, output)] of a transcript."""
    found = []
    for line in text.splitlines(keepends=True):
        if line.startswith('$ '):
            found.append([line[2:].rstrip('\n'), ''])
        else:
            found[-1][1] += line
    return found


# Libraries that are loaded when they are asked for.
def is_missing(said):
    return 'SQLite' in said or 'libdw' in said


def check_transcript(path, root, build):
    name = os.path.basename(path)[:-len('.out')]
    with open(path, encoding='utf-8') as f:
        wanted = parts(f.read())
    with tempfile.TemporaryDirectory() as work:
        made = [[line, run(line, root, build, work)] for line, _ in wanted]
    if os.environ.get('UPDATE'):
        with open(path, 'w', encoding='utf-8') as f:
            f.write(''.join(f'$ {line}\n{said}' for line, said in made))
        wanted = made
    for (line, expected), (_, said) in zip(wanted, made):
        if said != expected and is_missing(said):
            skip(f'{name}: {line}', said.strip())
        else:
            result(said == expected, f'{name}: {line}', said)


def check_all(root, build):
    paths = sorted(glob.glob(os.path.join(root, 'tests/data/examples/*.out')))
    sources = glob.glob(os.path.join(root, 'docs/examples/*.c'))
    without = {os.path.basename(s)[:-2] for s in sources} - \
        {os.path.basename(p)[:-4] for p in paths}
    result(len(paths) > 20 and not without, 'each example has a transcript', *sorted(without))
    for path in paths:
        check_transcript(path, root, build)


# With a JVM -------------------------------------------------------------------------------------

LIVE = [
    ('jvms Idle.java', r'{pid}  JDK \d+  .*Idle.*  attachable\n'),
    ('jcmd {pid} VM.version', r'(?s).*JDK \d+.*'),
    ('jcmd {pid} No.such', r'(?s).*Unknown diagnostic command.*\(status 1\)\n'),
    ('around {pid} 1', r'(?s).*processors: [\d.]+ of \d+ busy, [\d.]+ by the JVM\n'),
    ('record {pid} 2 $W/a.jfr && jfrec summary $W/a.jfr', r'(?s)\d+ bytes\n.*jdk.CPULoad.*'),
    ('jfrec start --name a {pid} >/dev/null && sleep 3 && fetch {pid} $W/b.jfr && '
     'jfrec summary $W/b.jfr', r'(?s)\d+ chunks of \d+ bytes\n0 copied, 1 completed\n.*jdk.CPULoad.*'),
    ('timeout --preserve-status -s INT 5 follow {pid} jdk.CPULoad', r'(?s)\d+ types, the first is .*jdk.CPULoad, '
     r'0 us\n.*the end\n'),
]


def check_live(root, build):
    java = shutil.which('java')
    if not java:
        skip('examples with a JVM', 'no java')
        return
    with tempfile.TemporaryDirectory() as work:
        jvm = subprocess.Popen([java, os.path.join(root, 'tests/live/Idle.java')],
                               stdout=subprocess.PIPE, text=True)
        try:
            if jvm.stdout.readline() != 'ready\n':
                skip('examples with a JVM', 'it does not run a source file')
                return
            for line, pattern in LIVE:
                line, pattern = (t.replace('{pid}', str(jvm.pid)) for t in (line, pattern))
                said = run(line, root, build, work)
                result(re.fullmatch(pattern, said), line.replace(str(jvm.pid), 'PID'), said)
        finally:
            jvm.kill()
            jvm.wait()


def main():
    build = os.path.dirname(os.path.realpath(sys.argv[1]))
    root = os.path.abspath(sys.argv[2])
    if len(sys.argv) > 3:
        check_live(root, build)
    else:
        check_all(root, build)
    finish()


main()
