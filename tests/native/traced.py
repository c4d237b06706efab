# SPDX-License-Identifier: MIT
#
# traced.py - events of a native program have the stacks of the places that emitted them
#
# usage: traced.py JFREC SOURCE_ROOT LIBRARY_DIRECTORY

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result, skip  # noqa: E402

JFREC, SOURCE, LIBRARY = [os.path.abspath(a) for a in sys.argv[1:4]]


def events(recording, name):
    out = subprocess.run([JFREC, 'print', '--json', '--stack-depth', '64', '--events', name, recording],
                         capture_output=True, text=True)
    return [e['values'] for e in json.loads(out.stdout)['recording']['events']]


def names(event):
    return [f['method']['name'] for f in (event.get('stackTrace') or {}).get('frames', [])]


def is_whole(event):
    # A static program of Debian 13 begins its threads in __clone3.
    outermost = (names(event) or [''])[-1]
    return bool(outermost) and not event['stackTrace']['truncated'] and \
        (outermost.lstrip('_') in ('start', 'clone', 'clone3') or outermost.startswith('['))


def record(work, program, settings=''):
    recording = os.path.join(work, 'traced.jfr')
    env = dict(os.environ, JFREC_RECORD=f'repository={work},filename={recording}{settings}')
    done = subprocess.run([program], capture_output=True, text=True, env=env)
    return recording, done


def check_recursion(label, found):
    wrong = []
    for event in found:
        if event['place'] == 'recursion':
            expected = ['emit'] + ['recurse'] * (event['depth'] + 1) + ['main']
            if names(event)[:len(expected)] != expected[:64]:
                wrong.append(f'{event["depth"]}: {names(event)}')
            elif event['depth'] < 50 and not is_whole(event):
                wrong.append(f'{event["depth"]} is not whole: {names(event)}')
    result(len(found) > 100 and not wrong, f'{label}: each call of a recursion is there', *wrong[:3])


def check_ways(label, found):
    taken = [e for e in found if e['place'].startswith('way_')]
    wrong = [f'{e["depth"]} {e["place"]}: {names(e)}' for e in taken
             if names(e)[:5] != ['inner', 'outer', e['place'], 'by_ways', 'main'] or not is_whole(e)]
    result(len(taken) == 60 and not wrong, f'{label}: two ways to one place are told apart', str(len(taken)), *wrong[:3])


def check(work, label, program):
    recording, done = record(work, program)
    found = events(recording, 'test.Traced') if done.returncode == 0 else []
    result(done.returncode == 0 and len(found) == int(done.stdout), f'{label}: it runs', done.stdout, done.stderr)
    check_recursion(label, found)
    check_ways(label, found)
    by_place = {e['place']: names(e) for e in found}
    back = by_place.get('callback', [])
    result(back[:2] == ['emit', 'compare'] and 'main' in back and len(back) > 4,
           f'{label}: through the C library', str(back))
    result(by_place.get('handler', [])[:2] == ['emit', 'on_signal'], f'{label}: a signal handler', str(by_place.get('handler')))
    result(by_place.get('coroutine', [])[:2] == ['emit', 'coroutine'], f'{label}: a coroutine', str(by_place.get('coroutine')))
    spans = events(recording, 'test.Span')
    result(len(spans) == 1 and names(spans[0])[0] == 'in_thread' and is_whole(spans[0]),
           f'{label}: a thread, with a duration', str(spans))


def build(work, compiler, flags):
    program = os.path.join(work, 'traced')
    linked = [os.path.join(LIBRARY, 'libjfrec-recorder.a'), '-pthread', '-Wl,--eh-frame-hdr'] if '-static' in flags \
        else ['-L' + LIBRARY, '-ljfrec-recorder', '-pthread', '-Wl,-rpath,' + LIBRARY]
    return program, subprocess.run([compiler, *flags, '-I' + os.path.join(SOURCE, 'lib', 'recorder'), '-o', program,
                                    os.path.join(SOURCE, 'tests', 'native', 'traced.c'), *linked],
                                   capture_output=True, text=True)


def every_build(work):
    for compiler in ['gcc', 'clang']:
        if not shutil.which(compiler):
            skip(f'{compiler}: stacks of events', f'no {compiler}')
            continue
        for flags in [['-O0'], ['-O2', '-fomit-frame-pointer'], ['-O3', '-fno-omit-frame-pointer', '-no-pie'],
                      ['-O2', '-static']]:
            if '-static' in flags and not os.path.exists(os.path.join(LIBRARY, 'libjfrec-recorder.a')):
                continue
            label = ' '.join([compiler] + flags)
            program, done = build(work, compiler, flags)
            result(done.returncode == 0, f'{label}: it can be built', done.stderr)
            if done.returncode == 0:
                check(work, label, program)


def settings(work):
    program, _ = build(work, 'gcc', ['-O2'])
    recording, _ = record(work, program, ',test.Traced#stackTrace=false')
    found = events(recording, 'test.Traced')
    result(len(found) > 100 and not any(e.get('stackTrace') for e in found), 'stackTrace=false: without stacks')
    result(any(e.get('stackTrace') for e in events(recording, 'test.Span')), 'but others have theirs')
    out = subprocess.run([JFREC, 'settings', 'active', recording], capture_output=True, text=True).stdout
    result('stackTrace' in out, 'the recording says so', out)
    _, done = record(work, program, ',test.Traced#stackTrace=maybe')
    result('stackTrace=false' in done.stderr, 'another value is refused', done.stderr)


def main():
    linked = subprocess.run(['nm', '-D', os.path.join(LIBRARY, 'libjfrec-recorder.so')], capture_output=True, text=True)
    if platform.machine() != 'x86_64' or '__asan_init' in linked.stdout or not shutil.which('gcc'):
        skip('stacks of events', 'they need x86-64, gcc, and a build without sanitizers')
        finish()
    work = tempfile.mkdtemp()
    try:
        every_build(work)
        settings(work)
    finally:
        shutil.rmtree(work)
    finish()


main()
