# SPDX-License-Identifier: MIT
#
# bindings.py - the examples in Rust and Python record a million events, and are killed
#
# usage: bindings.py JFREC SOURCE_ROOT DIRECTORY_OF_LIBRARY [COUNT]
#
# Each says how many events it has committed, is killed with SIGKILL at half of them or after the last
# one, and its repository has exactly those.

import os
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from memory import keeps_memory  # noqa: E402
from tap import finish, result, skip  # noqa: E402

PYTHON_PACKAGE = os.path.join(os.path.abspath(sys.argv[2]), 'lib/bindings/recorder-python')


def run_and_kill(command, work, library, count, at):
    """How many it said it had committed when it was killed, and its repository."""
    home = os.path.join(work, f'{at}')
    os.mkdir(home)
    process = subprocess.Popen(command + [str(count), home], stdout=subprocess.PIPE, text=True,
                               env=dict(os.environ, LD_LIBRARY_PATH=library, PYTHONPATH=PYTHON_PACKAGE))
    said = 0
    for line in process.stdout:
        said = int(line)
        if said >= at:
            break
    process.send_signal(signal.SIGKILL)
    for line in process.stdout:
        said = int(line) if line.endswith('\n') else said
    process.wait()
    found = [name for name in os.listdir(home) if name.startswith('20')]
    return said, os.path.join(home, found[0]) if found else None, process.pid


def numbers(jfrec, repository, event, work):
    """The numbers of its events, in ascending order, and what was said."""
    out = os.path.join(work, 'out.jfr')
    done = subprocess.run([jfrec, 'dump', '--from-repository', '--force', '-o', out, repository],
                          capture_output=True, text=True)
    if done.returncode:
        return [], done.stderr
    got = subprocess.run([jfrec, 'print', '--csv', '--events', event, '--fields', 'number,text', out],
                         capture_output=True, text=True)
    lines = [line.split(',')[-2:] for line in got.stdout.splitlines()]
    return sorted(int(n) for n, text in lines if n.isdigit() and text == 'event'), got.stderr


def check(name, command, event, jfrec, library, count):
    work = tempfile.mkdtemp()
    try:
        for when, at in (('in the middle', count // 2), ('after the last one', count)):
            said, repository, pid = run_and_kill(command, work, library, count, at)
            if repository is None:
                result(False, f'{name}: it records', f'{said} events, no repository')
                continue
            got, wrong = numbers(jfrec, repository, event, work)
            # The last ones may be committed and not be said.
            result(got == list(range(len(got))) and said <= len(got) <= count,
                   f'{name}: killed {when}, each event is there once', wrong,
                   f'{said} said, {len(got)} there, {len(set(got))} different')
            for memory in os.listdir('/dev/shm'):
                if memory.startswith(f'jfrec-recorder-{pid}-'):
                    os.unlink(os.path.join('/dev/shm', memory))
    finally:
        shutil.rmtree(work)


def build_rust(source, library, work):
    """The program, or why there is none."""
    crate = os.path.join(source, 'lib/bindings/recorder-rust')
    if not shutil.which('rustc'):
        return None, 'there is no rustc'
    built = os.path.join(work, 'libjfrec_recorder.rlib')
    million = os.path.join(work, 'million')
    # Without cargo, which wants a home to write to.
    for command in (['rustc', '-O', '--edition', '2021', '--crate-type', 'rlib', '-o', built,
                     os.path.join(crate, 'src/lib.rs')],
                    ['rustc', '-O', '--edition', '2021', '--extern', f'jfrec_recorder={built}',
                     '-L', library, '-l', 'jfrec-recorder', '-o', million,
                     os.path.join(crate, 'examples/million.rs')]):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return None, done.stderr
        if done.stderr:
            print('\n'.join('# ' + line for line in done.stderr.splitlines()[:20]))
    return million, ''


def main():
    if not keeps_memory():
        print('1..0 # SKIP /dev/shm is not a tmpfs')
        return
    jfrec, source, library = [os.path.abspath(a) for a in sys.argv[1:4]]
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 1000000
    check('Python', [sys.executable, '-m', 'jfrec_recorder'],
          'python.Mark', jfrec, library, count)
    work = tempfile.mkdtemp()
    million, why = build_rust(source, library, work)
    if million:
        check('Rust', [million], 'rust.Mark', jfrec, library, count)
    elif 'no rustc' in why:
        skip('Rust', why)
    else:
        result(False, 'the Rust example is compiled', why)
    shutil.rmtree(work)
    finish()


main()
