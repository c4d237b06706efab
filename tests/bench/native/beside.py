# SPDX-License-Identifier: MIT
#
# beside.py - what an event costs here, in LTTng-UST, and in a JVM, in one run
#
# usage: beside.py BUILD_DIRECTORY [JAVA_HOME]
#
# LTTng needs the packages liblttng-ust-dev and lttng-tools; what is missing is left out.  The command
# fails if an instant event costs more than half of LTTng's.

import os
import shutil
import subprocess
import sys
import tempfile

BUILD = os.path.abspath(sys.argv[1])
JAVA = os.path.join(sys.argv[2], 'bin') if len(sys.argv) > 2 else os.path.dirname(shutil.which('java') or '')
HERE = os.path.dirname(os.path.abspath(__file__))


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def lttng(work):
    program = os.path.join(work, 'lttng')
    if not shutil.which('lttng') or run('cc', '-O2', '-I' + HERE, '-o', program, os.path.join(HERE, 'lttng.c'),
                                        '-llttng-ust', '-ldl') is None:
        return None, None
    off = run(program)
    run('lttng-sessiond', '--daemonize')
    run('lttng', 'create', 'jfrec-bench', '--output=' + os.path.join(work, 'trace'))
    try:
        run('lttng', 'enable-channel', '-u', '--subbuf-size=4M', '--num-subbuf=8', 'bench')
        run('lttng', 'enable-event', '-u', '-c', 'bench', 'bench:*')
        run('lttng', 'start')
        on = run(program)
        run('lttng', 'stop')
    finally:
        run('lttng', 'destroy', 'jfrec-bench')
    return float(off), float(on)


def java(work):
    if not JAVA or run(os.path.join(JAVA, 'javac'), '-d', work, os.path.join(HERE, 'Beside.java')) is None:
        return None
    out = run(os.path.join(JAVA, 'java'), '-cp', work, 'Beside')
    return [float(n) for n in out.split()] if out else None


def main():
    work = tempfile.mkdtemp()
    try:
        own = run(os.path.join(BUILD, 'tests', 'native', 'native_events'))
        print(own, end='')
        off, on = lttng(work)
        jvm = java(work)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    if on:
        print(f'LTTng-UST: off {off:.1f} ns, an event {on:.1f} ns')
    if jvm:
        print(f'a JVM: an event {jvm[0]:.1f} ns, with a stack of 10 frames {jvm[1]:.1f} ns')
    instant = next(float(line.split()[-2]) for line in own.split('\n') if line.startswith('an instant event  '))
    return 1 if on and instant > on / 2 else 0


sys.exit(main())
