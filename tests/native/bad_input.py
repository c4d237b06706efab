# SPDX-License-Identifier: MIT
#
# bad_input.py - what JFREC_RECORD may say, and what the world may lack: the program runs on
#
# usage: bad_input.py JFREC SOURCE_ROOT LIBRARY_DIRECTORY
#
# Its output and its status are those without the recorder.  A mistake is one line on standard error, which
# names what is wrong and what to write instead, without a character that a terminal obeys.

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from tap import finish, result, skip  # noqa: E402

JFREC, SOURCE, LIBRARY = [os.path.abspath(a) for a in sys.argv[1:4]]
PRELOAD = os.path.join(LIBRARY, 'jfrec-record-preload.so')
# One process: another one would complain for itself.
PROGRAM = ['sh', '-c', 'echo hello; exit 7']
FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'
LONGEST = 450


def run(value):
    env = {**os.environb, b'LD_PRELOAD': PRELOAD.encode(), b'JFREC_RECORD': os.fsencode(value)}
    return subprocess.run(PROGRAM, capture_output=True, env=env, timeout=60)


def complaints(done, says):
    """says: what the line has to have, or None if there must be none."""
    err, found = done.stderr, []
    text = err.decode('utf-8', 'replace')
    if done.stdout != b'hello\n' or done.returncode != 7:
        found.append(f'{done.returncode} {done.stdout}')
    if says is None and err:
        found.append(f'it says {text}')
    if says is not None:
        if not text.startswith('jfrec-recorder: JFREC_RECORD: ') or text.count('\n') != 1:
            found.append(f'no line: {text!r}')
        if re.search(r'[\x00-\x09\x0b-\x1f\x7f-\x9f]', text) or '\ufffd' in text:
            found.append(f'a terminal obeys it: {text!r}')
        if len(text) > LONGEST:
            found.append(f'{len(text)} characters')
        found += [f'without {one!r}: {text!r}' for one in says if one not in text]
    return found


def rows(work):
    """A value, and what has to be said of it."""
    there = os.path.join(work, 'there')
    return [
        ('', None), (',', None), (',,,', None),
        ('filname=x', ['filname', 'filename']), ('filename', ['filename', '=VALUE']), ('=', ['EVENT#SETTING']),
        ('=x', ['EVENT#SETTING']), ('FILENAME=x', ['FILENAME', 'there are']), ('filename =x', ['filename ', 'there are']),
        ('disk=maybe', ['disk=maybe', 'true or false']), ('disk=', ['disk=', 'true or false']),
        ('fork=yes', ['fork=yes', 'true or false']), ('attach=no', ['attach=no', 'true, false or only']),
        ('maxsize=-1', ['maxsize=-1', '250m']), ('maxsize=', ['maxsize=', '250m']),
        ('maxsize=99999999999999999999g', ['maxsize=99999999999999999999g', '250m']),
        ('maxsize=18446744073709551615k', ['maxsize', '250m']), ('maxsize=1x', ['maxsize=1x', '250m']),
        ('maxchunksize=-5', ['maxchunksize=-5', '250m']), ('memorysize=1', ['memory', '256 KiB']),
        ('memorysize=1000g', ['memory', '4 GiB']), ('memorysize=17179869185g', ['memorysize', '250m']),
        ('maxage=5 parsecs', ['maxage=5 parsecs', '20s']), ('maxage=5', ['maxage=5', '20s']), ('delay=1ms', ['delay', '1s']),
        ('delay=-1s', ['delay=-1s', '20s']), ('duration=1ms', ['duration', '1s']), ('flush-interval=x', ['flush-interval=x', '20s']),
        ('name=17', ['name=17', 'number']),
        ('settings=defualt', ['defualt', 'default, profile, none']),
        ('settings=', ['settings=VALUE']),
        ('settings=/nowhere/a.jfc', ['/nowhere/a.jfc', 'Could not find']),
        (f'settings={work}', ['settings=', 'default, profile, none']),
        (f'settings={there}/binary.jfc', ['binary.jfc', 'XML']), (f'settings={there}/empty.jfc', ['empty.jfc', 'XML']),
        (f'settings={there}/huge.jfc', ['huge.jfc', '1 MiB']), (f'settings={there}/bomb.jfc', ['bomb.jfc', 'document type']),
        (f'settings={there}/fifo', ['fifo', 'regular']), ('settings=/dev/zero', ['/dev/zero', 'regular']),
        (f'settings={there}/recording.jfr', ['recording.jfr', 'XML']),
        ('jdk.SocketRead#threshold=abc', ['jdk.SocketRead', 'threshold', 'abc']),
        ('jdk.SocketRead#enabled=perhaps', ['enabled', 'perhaps']), ('jdk.SocketRead#=1', ['jdk.SocketRead']),
        ('jdk.SocketRead#nothing=1', ['nothing']), ('a#b#c=d', ['b#c']),
        ('filename=/nowhere/at/all.jfr', ['/nowhere/at/all.jfr', 'No such file', 'kept in']),
        ('filename=/dev/full', ['No space left', 'kept in']), ('filename=/dev/null', None),
        (f'filename={there}/fifo', ['fifo', 'kept in']),
        (f'filename={there}/empty.jfc/x.jfr', ['Not a directory', 'kept in']),
        (f'filename={work}/{"n" * 300}.jfr', ['too long', 'kept in']),
        (f'filename={work}/%n%s%x%%.jfr', None), (f'filename={work}/../{os.path.basename(work)}/up.jfr', None),
        (f'filename={work}/{"d/" * 3000}x.jfr', ['filename=', 'too long']),
        ('repository=/nowhere', ['/nowhere', 'No such file']), (f'repository={there}/fifo', ['fifo', 'Not a directory']),
        (f'repository={"r" * 300}', ['too long']), (f'repository={"r" * 5000}', ['too long']),
        ('repository=/proc', None), ('disk=false,repository=/tmp', ['in memory', 'repository']),
        ('\x1b[31mred\x07=1', ['red']), ('filename=\x1b]0;title\x07/x.jfr', ['title']), ('name=a\nb', None),
        ('two\nlines=1', ['lines']), (b'\xff\xfe\x80=1', ['EVENT#SETTING']), (b'settings=\xc3(\xe2\x82', ['default, profile, none']),
        ('x' * 100000, ['VALUE']), ('x=' * 50000, ['there are']), ('a=1,' * 25000, ['there are']),
        ('%s%s%n=%n', ['%s%s%n', 'there are']), ('disk=%n%s', ['%n%s']),
    ]


def make_files(there):
    os.mkdir(there)
    def put(name, data):
        with open(os.path.join(there, name), 'wb') as f:
            f.write(data)
    put('binary.jfc', bytes(range(256)) * 40)
    put('empty.jfc', b'')
    put('huge.jfc', b'<configuration>' + b' ' * (2 << 20) + b'</configuration>')
    put('bomb.jfc', b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">]><configuration/>')
    shutil.copy(os.path.join(SOURCE, 'tests/native/golden.jfr'), os.path.join(there, 'recording.jfr'))
    os.mkfifo(os.path.join(there, 'fifo'))


def shown(value):
    text = os.fsencode(value).decode('utf-8', 'backslashreplace')
    return re.sub(r'[^ -~]', '?', text if len(text) < 60 else f'{text[:40]}... ({len(text)})').replace('#', '*')


def values(work):
    there = os.path.join(work, 'there')
    make_files(there)
    for value, says in rows(work):
        base = os.path.join(work, 'base')
        os.mkdir(base)
        has_place = any(w in os.fsdecode(value) for w in ('repository=', 'disk=false'))
        whole = value if has_place else os.fsencode(value) + (b',' if value else b'') + f'repository={base}'.encode()
        # What comes first is complained of first.
        found = complaints(run(whole if value else ''), says)
        result(not found, f'JFREC_RECORD={shown(value)}', *found)
        shutil.rmtree(base)


# The world ------------------------------------------------------------------------------------------

def in_world(script, value, says, title):
    """In a mount namespace of its own, after this script."""
    done = subprocess.run(['unshare', '--mount', 'sh', '-c', f'{script} && LD_PRELOAD="$P" JFREC_RECORD="$R" exec "$@"', 'sh', *PROGRAM],
                          capture_output=True, timeout=60,
                          env={**os.environb, b'P': PRELOAD.encode(), b'R': os.fsencode(value)})
    found = complaints(done, says)
    result(not found, title, *found)


def counts(path, name):
    done = subprocess.run([JFREC, 'print', '--count', '--events', name, path], capture_output=True, text=True)
    return done.stdout.strip()


def world(work):
    disk, file = os.path.join(work, 'disk'), os.path.join(work, 'world.jfr')
    os.mkdir(disk)
    everything = 'jdk.ThreadSleep#threshold=0ns'
    in_world(f'mount -t tmpfs -o size=20k tmpfs {disk} && dd if=/dev/zero of={disk}/full bs=1k count=30 2>/dev/null; true',
             f'repository={disk}', None, 'a full disk, and no file wanted')
    in_world(f'mount -t tmpfs -o size=4k tmpfs {disk}', f'repository={disk},filename={disk}/a.jfr,flush-interval=10ms',
             ['No space left'], 'a disk too small for a recording')
    in_world('mount -t tmpfs -o size=100k tmpfs /dev/shm', f'repository={work},filename={file},{everything}', None,
             '/dev/shm of 100 KB')
    result(counts(file, 'jdk.Shutdown') == '1', 'and all is recorded', counts(file, 'jdk.Shutdown'))
    in_world('mount -t tmpfs tmpfs /proc', f'repository={work},filename={file},settings=profile,{everything}', None,
             'no /proc')
    result(counts(file, 'jdk.Shutdown') == '1', 'and all is recorded', counts(file, 'jdk.Shutdown'))
    in_world('mount -t tmpfs -o ro tmpfs /tmp && mount -t tmpfs -o ro tmpfs /dev/shm', 'maxage=1h',
             ['Read-only file system', 'another'], 'a /tmp that nobody may write')


def clock(work):
    if not os.path.exists(FAKETIME):
        skip('a clock that steps', 'libfaketime is not installed')
        return
    steps, file = os.path.join(work, 'now'), os.path.join(work, 'clock.jfr')
    for title, then in [('back', '2001-01-01 00:00:00'), ('forward', '2035-01-01 00:00:00')]:
        with open(steps, 'w') as f:
            f.write('@2026-01-01 00:00:00')
        program = ['sh', '-c', f'echo hello; sleep 0.3; printf "@{then}" >{steps}; sleep 1.5; exit 7']
        env = {**os.environ, 'LD_PRELOAD': f'{FAKETIME}:{PRELOAD}', 'FAKETIME_TIMESTAMP_FILE': steps, 'FAKETIME_NO_CACHE': '1',
               # As the system's clock does: the other one never steps.
               'FAKETIME_DONT_FAKE_MONOTONIC': '1', 'DONT_FAKE_MONOTONIC': '1',
               'JFREC_RECORD': f'repository={work},filename={file},maxage=1h'}
        done = subprocess.run(program, capture_output=True, timeout=60, env=env)
        found = complaints(done, None)
        result(not found, f'a clock that steps {title}', *found)
        result(counts(file, 'jdk.Shutdown') == '1', 'and all is recorded', counts(file, 'jdk.Shutdown'))


def main():
    symbols = subprocess.run(['nm', '-D', os.path.join(LIBRARY, 'libjfrec-recorder.so')], capture_output=True, text=True).stdout
    if platform.machine() != 'x86_64' or '__asan_init' in symbols or '__tsan_init' in symbols:
        skip('bad input', 'wrappers are tested on x86-64, in a build without sanitizers')
        finish()
    work = tempfile.mkdtemp()
    try:
        values(work)
        clock(work)
        if subprocess.run(['unshare', '--mount', 'true'], capture_output=True).returncode:
            skip('what the world lacks', 'only root can take it away, where there are namespaces')
        else:
            world(work)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    finish()


main()
