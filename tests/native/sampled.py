# SPDX-License-Identifier: MIT
#
# sampled.py - samples of a native program have the shares that it knows of itself
#
# usage: sampled.py JFREC SOURCE_ROOT LIBRARY_DIRECTORY
#
# Five functions, of which each knows its CPU time, with each compiler and optimization, with and
# without frame pointers.  A share may be wrong by three and a half times what chance explains.  In
# every thirtieth run one of sixty is, so what is wrong is measured again for longer: a bias would be
# found then, too.

import collections
import glob
import json
import math
import os
import platform
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from plant import Recording, Types  # noqa: E402
from tap import finish, result, skip  # noqa: E402

JFREC, SOURCE, LIBRARY = [os.path.abspath(a) for a in sys.argv[1:4]]
SECONDS = os.environ.get('JFREC_TEST_SECONDS', '0.6')
NAMES = [f'work_{c}' for c in 'abcde']


def build(work, compiler, flags):
    program = os.path.join(work, 'five')
    source = os.path.join(SOURCE, 'tests', 'native', 'five.c')
    command = [compiler, *flags, '-I' + os.path.join(SOURCE, 'lib', 'recorder'), '-o', program, source]
    # gcc leaves the table by which frames are found out of static programs.
    command += [os.path.join(LIBRARY, 'libjfrec-recorder.a'), '-pthread', '-Wl,--eh-frame-hdr'] if '-static' in flags else \
        ['-L' + LIBRARY, '-ljfrec-recorder', '-pthread', '-Wl,-rpath,' + LIBRARY]
    done = subprocess.run(command, capture_output=True, text=True)
    return program if done.returncode == 0 else done.stderr


def stacks_of(recording):
    """[(whole, [method, ...])] of each sample, the innermost first."""
    out = subprocess.run([JFREC, 'print', '--json', '--stack-depth', '64', '--events', 'jdk.ExecutionSample', recording],
                         capture_output=True, text=True)
    for event in json.loads(out.stdout)['recording']['events']:
        trace = event['values']['stackTrace']
        yield not trace['truncated'], [f['method']['name'] for f in trace['frames']]


def processor_seconds():
    """Of the programs that have ended: on a busy machine less than what went by."""
    times = os.times()
    return times.children_user + times.children_system


def measure(work, program, seconds):
    """The shares that the program says, (name: samples), and (samples, whole ones, seconds of a processor)."""
    recording = os.path.join(work, 'five.jfr')
    env = dict(os.environ, JFREC_RECORD=f'repository={work},filename={recording},'
               'jdk.ExecutionSample#enabled=true,jdk.ExecutionSample#period=4 ms')
    before = processor_seconds()
    said = subprocess.run([program, seconds], capture_output=True, text=True, env=env).stdout
    spent = processor_seconds() - before
    truth = {line.split()[0]: float(line.split()[1]) for line in said.splitlines()}
    found, whole, total = collections.Counter(), 0, 0
    for is_whole, names in stacks_of(recording):
        hit = [n for n in names if n in NAMES]
        if not hit and 'main' in names:
            continue    # between two of them
        total += 1
        whole += is_whole
        found[hit[0] if hit else 'lost'] += 1
    return truth, found, (total, whole, spent)


def wrong_shares(truth, found, total):
    # Above the kernel's tick a signal stands for several periods, so samples are fewer, not biased.
    return [n for n in NAMES if abs(found[n] - total * truth[n]) >
            3.5 * math.sqrt(total * truth[n] * (1 - truth[n])) + 1]


def one(work, compiler, flags):
    label = ' '.join([compiler] + flags)
    program = build(work, compiler, flags)
    if not os.path.exists(program):
        result(False, f'{label}: it can be built', program)
        return
    for seconds in [SECONDS, str(4 * float(SECONDS))]:
        truth, found, (total, whole, spent) = measure(work, program, seconds)
        wrong = wrong_shares(truth, found, total)
        said = ', '.join(f'{n} {truth.get(n, 0):.3f} {found[n] / max(total, 1):.3f}' for n in NAMES)
        print(f'# {label}: {total} samples, {whole} whole: {said}')
        if not wrong:
            break
    result(total >= 50 * spent, f'{label}: there are samples', f'{total} in {spent} s of a processor')
    result(not wrong, f'{label}: the shares are right', said, str(found))
    result(whole >= 0.97 * total, f'{label}: stacks are whole', f'{whole} of {total}')


def unharmed(work):
    program, recording = os.path.join(work, 'unharmed'), os.path.join(work, 'unharmed.jfr')
    source = os.path.join(SOURCE, 'tests', 'native', 'unharmed.cpp')
    done = subprocess.run(['g++', '-O2', '-I' + os.path.join(SOURCE, 'lib', 'recorder'), '-o', program, source,
                           '-Wl,--no-as-needed', '-L' + LIBRARY, '-ljfrec-recorder', '-Wl,-rpath,' + LIBRARY],
                          capture_output=True, text=True)
    env = dict(os.environ, JFREC_RECORD=f'repository={work},filename={recording},'
               'jdk.ExecutionSample#enabled=true,jdk.ExecutionSample#period=1 ms')
    if done.returncode == 0:
        done = subprocess.run([program, SECONDS], capture_output=True, text=True, env=env)
    result(done.returncode == 0, 'exceptions, jumps, coroutines and handlers are not harmed', done.stdout, done.stderr,
           str(done.returncode))
    samples = list(stacks_of(recording)) if done.returncode == 0 else []
    # Of what was interrupted by a handler on another stack there is no copy.
    samples = [(w, n) for w, n in samples if not any('on_signal' in name for name in n)]
    whole = sum(is_whole for is_whole, _ in samples)
    named = {n for _, names in samples for n in names}
    print(f'# {len(samples)} samples, {whole} whole')
    result(len(samples) > 10 and whole >= 0.9 * len(samples), 'nor are their stacks')
    result(any('coroutine' in n for n in named) and any('throw_from' in n for n in named), 'they are all seen',
           ' '.join(sorted(named)))


def sandboxed(work):
    """Programs whose filters end them if a sample makes a system call."""
    program, recording = os.path.join(work, 'sandboxed'), os.path.join(work, 'sandboxed.jfr')
    done = subprocess.run(['cc', '-D_GNU_SOURCE', '-O2', '-o', program,
                           os.path.join(SOURCE, 'tests', 'native', 'sandboxed.c'), '-pthread'],
                          capture_output=True, text=True)
    result(done.returncode == 0, 'it can be built', done.stderr)
    env = dict(os.environ, LD_PRELOAD=os.path.join(LIBRARY, 'libjfrec-recorder.so'),
               JFREC_RECORD=f'repository={work},filename={recording},'
               'jdk.ExecutionSample#enabled=true,jdk.ExecutionSample#period=4 ms,flush-interval=100ms')
    for failure, label in [('1', 'refuses'), ('0', 'ends it for')]:
        done = subprocess.run([program, 'before', failure], env=env)
        if done.returncode == 77:
            skip('a filter of system calls', 'it cannot be made here')
            return
        result(done.returncode == 0 and not list(stacks_of(recording)), f'a program with a filter that {label} what '
               'samples need runs, and is not sampled', str(done.returncode))
    process = subprocess.Popen([program, 'later'], env=env, stdout=subprocess.PIPE)
    said = process.stdout.read()
    process.wait()
    result(process.returncode == 0 and said == b'xx', 'one that locks itself in later is not harmed',
           str(process.returncode), str(said))
    left = glob.glob(os.path.join(work, f'20*_{process.pid}'))
    samples = list(stacks_of(left[0])) if left else []
    for name in ['compute_freely', 'compute_locked_in']:
        whole = [w for w, names in samples if name in names]
        print(f'# {len(whole)} samples of {name}, {sum(whole)} whole')
        result(len(whole) >= 20 and sum(whole) >= 0.9 * len(whole), f'{name}: it is sampled', str(len(whole)))


def lost(work):
    """A profile says what is missing."""
    planted, path = Recording(Types(os.path.join(work, 'five.jfr'))), os.path.join(work, 'planted.jfr')
    planted.add('jdk.ExecutionSample', at=0.1, stackTrace=['shop.order'])
    for count in [20, 1]:
        planted.add('jfrec.SamplesLost', at=0.2, lost=count, failed=0, truncated=0)
    with open(path, 'wb') as f:
        f.write(planted.bytes())
    shown = subprocess.run([JFREC, 'flame', path], capture_output=True, text=True)
    result('21 samples were lost' in shown.stdout + shown.stderr, 'a profile says how many were lost', shown.stdout,
           shown.stderr)


def preloaded(work):
    """A program that knows nothing of the recorder."""
    recording = os.path.join(work, 'preloaded.jfr')
    env = dict(os.environ, LD_PRELOAD=os.path.join(LIBRARY, 'libjfrec-recorder.so'),
               JFREC_RECORD=f'repository={work},filename={recording},'
               'jdk.ExecutionSample#enabled=true,jdk.ExecutionSample#period=4 ms')
    done = subprocess.run([os.path.realpath(sys.executable), '-c', 'print(sum(i * i for i in range(3000000)))'],
                          capture_output=True, text=True, env=env)
    result(done.stdout == '8999995500000500000\n' and done.returncode == 0, 'a program that was not linked with it runs',
           done.stdout, done.stderr)
    samples = list(stacks_of(recording)) if os.path.exists(recording) else []
    result(len(samples) > 5 and any('PyEval' in n for _, names in samples for n in names), 'and is sampled',
           str(samples[:3]))
    out = subprocess.run([JFREC, 'print', '--count', '--events', 'jdk.NativeLibrary', recording], capture_output=True,
                         text=True).stdout
    result(out.strip().isdigit() and int(out) > 2, 'and has the events of processes', out)


def is_sanitized():
    out = subprocess.run(['nm', '-D', os.path.join(LIBRARY, 'libjfrec-recorder.so')], capture_output=True, text=True)
    return '__asan_init' in out.stdout


def main():
    if platform.machine() != 'x86_64' or is_sanitized():
        skip('samples', 'they are for x86-64, and their shares for a build without sanitizers')
        finish()
    work = tempfile.mkdtemp()
    every = 'JFREC_TEST_SECONDS' in os.environ
    try:
        for compiler in ['gcc', 'clang']:
            if not shutil.which(compiler):
                skip(f'{compiler}: samples', f'no {compiler}')
                continue
            for level in ['-O0', '-O1', '-O2', '-O3'] if every else ['-O0', '-O2']:
                for pointer in ['-fomit-frame-pointer', '-fno-omit-frame-pointer']:
                    if every or (level == '-O2') != (pointer[2] == 'n'):
                        one(work, compiler, [level, pointer])
            one(work, compiler, ['-O2', '-no-pie', '-s', '-rdynamic'])
            if os.path.exists(os.path.join(LIBRARY, 'libjfrec-recorder.a')):
                one(work, compiler, ['-O2', '-static'])
        lost(work)
        preloaded(work)
        sandboxed(work)
        if shutil.which('g++'):
            unharmed(work)
        else:
            skip('exceptions and others are not harmed', 'no g++')
    finally:
        shutil.rmtree(work)
    finish()


main()
