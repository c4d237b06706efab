#!/usr/bin/env python3
"""
What an event costs several threads that do nothing else, and how many are lost: jfrec beside LTTng-UST

usage: threads.py BUILD [EVENTS] [ROUNDS]

BUILD has been built; LTTng needs lttng-tools, liblttng-ust-dev and a C compiler, and has no row
without them.  Both have 64 MB of buffers, and 1 MB where most events are to be lost, which shows what
a lost one costs.  Rounds alternate; the table has the median of each.
"""
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
THREADS = (1, 2, 8)
# Text of each event, memory in MB.
KINDS = (('two numbers', 0, 64), ('32 bytes of text', 32, 64), ('two numbers, most lost', 0, 1))
SESSION = 'jfrec-bench'


def run(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, **more).stdout


def compile_lttng(work):
    """The program of LTTng-UST, or None."""
    program = os.path.join(work, 'threads')
    made = subprocess.run(['cc', '-O2', '-DLTTNG', '-I', HERE, os.path.join(HERE, 'threads.c'), '-o', program,
                           '-llttng-ust', '-ldl', '-pthread'], capture_output=True, text=True, check=False)
    if made.returncode or not shutil.which('lttng'):
        print('no rows of LTTng:', (made.stderr.splitlines() or ['there is no lttng'])[0])
        return None
    return program


def with_lttng(program, work, threads, events, kind):
    """ns an event, lost of all."""
    cores = os.cpu_count()
    # Four pieces of a power of two for each processor, together what the recorder has.
    size = 1 << ((kind[2] << 20) // cores // 4).bit_length() - 1
    run('lttng', 'create', SESSION, '--output', os.path.join(work, 'trace'))
    try:
        run('lttng', 'enable-channel', '-u', 'bench', '--subbuf-size', str(size), '--num-subbuf', '4', '--discard')
        run('lttng', 'enable-event', '-u', '-c', 'bench', 'bench:*')
        run('lttng', 'start')
        ns = float(run(program, str(threads), str(events), str(kind[1])))
        run('lttng', 'stop')
        lost = re.search(r'Discarded events: *(\d+)', run('lttng', 'list', SESSION))
        count = int(lost.group(1)) if lost else 0
        # Now and then its count is below zero, as an unsigned number.
        return ns, count if count <= threads * events else 0
    finally:
        run('lttng', 'destroy', SESSION)
        shutil.rmtree(os.path.join(work, 'trace'), ignore_errors=True)


def with_jfrec(program, threads, events, kind, work, user):
    env = dict(os.environ, JFREC_BENCH_MEMORY=str(kind[2]), TMPDIR=work)
    words = run(program, str(threads), str(events), str(kind[1]), env=env, cwd=work, **user).split()
    return float(words[0]), int(words[2])


def median_row(rounds, events):
    ns, lost = zip(*rounds)
    return f'{statistics.median(ns):7.1f} ns | {100 * statistics.median(lost) / events:5.1f} % ({100 * max(lost) / events:.1f})'


def main():
    build = sys.argv[1]
    events = int(sys.argv[2]) if len(sys.argv) > 2 else 1000000
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    program = os.path.abspath(os.path.join(build, 'tests/native/native_threads'))
    # Without rights the recorder's thread may not raise its priority.
    nobody = {'user': 65534, 'group': 65534, 'extra_groups': []} if os.geteuid() == 0 else {}
    print(f'{events} events a thread, {os.cpu_count()} processors, {rounds} rounds: median (worst)\n')
    print('| threads | events | jfrec, an event | lost | without rights | lost | LTTng-UST | lost |')
    print('|---|---|--:|--:|--:|--:|--:|--:|')
    with tempfile.TemporaryDirectory() as work:
        os.chmod(work, 0o777)
        lttng = compile_lttng(work)
        for kind in KINDS:
            for threads in THREADS:
                ours, poor, theirs = [], [], []
                for _ in range(rounds):
                    ours.append(with_jfrec(program, threads, events, kind, work, {}))
                    poor.append(with_jfrec(program, threads, events, kind, work, nobody))
                    if lttng:
                        theirs.append(with_lttng(lttng, work, threads, events, kind))
                cells = [median_row(r, threads * events) for r in (ours, poor, theirs) if r]
                print(f'| {threads} | {kind[0]} |', ' | '.join(cells), '|', flush=True)
    print('\nload:', open('/proc/loadavg', encoding='ascii').read().strip())


if __name__ == '__main__':
    main()
