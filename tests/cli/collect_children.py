# SPDX-License-Identifier: MIT
#
# collect_children.py - who reads what strangers recorded: the processes of `collect` that write
# reports and tables, seen in /proc while they work, and what a hungry recording gets of them
#
# usage: collect_children.py JFREC SOURCE_ROOT [sanitized]
#
# Of root they are nobody, of anybody they have no capabilities, a filter, and limits that they
# cannot raise.

import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from plant import varint  # noqa: E402
from tap import finish, result  # noqa: E402

MB = 1 << 20
MEMORY = 256 * MB
NOBODY = 65534
IS_ROOT = os.geteuid() == 0
STRANGER = 4194399 if IS_ROOT else os.geteuid()

CONFIGURATION = '''directory: {work}/here
repositories: [ {work}/dead ]
name: "%p-%t.jfr"
jvms:
  - user: {user}
{step}
'''
STEPS = {'report': 'report: html',
         'export': 'export: {work}/lake\n'}


def event(kind, rest):
    size = len(varint(kind) + rest) + 4
    return bytes([size & 127 | 128, size >> 7 & 127 | 128, size >> 14 & 127 | 128, size >> 21]) + \
        varint(kind) + rest


def hungry(count):
    """A chunk with one event: an array of so many structs of one byte each."""
    strings = {}

    def element(name, attributes=(), children=()):
        def index(text):
            return varint(strings.setdefault(text, len(strings)))
        return b''.join([index(name), varint(len(attributes))] +
                        [index(k) + index(v) for k, v in attributes] +
                        [varint(len(children)), *children])

    def declare(number, name, fields, **more):
        members = [element('field', [('name', n), *a.items()]) for n, a in fields.items()]
        return element('class', [('id', number), ('name', name), *more.items()], members)

    number = {'class': '9'}
    root = element('root', (), [
        element('metadata', (), [
            declare('9', 'long', {}),
            declare('30', 't.Struct', {'x': number}),
            declare('20', 't.Hungry',
                    {'startTime': number, 'all': {'class': '30', 'dimension': '1'}},
                    superType='jdk.jfr.Event')]),
        element('region', [('locale', 'en_US'), ('gmtOffset', '0')])])
    events = event(20, varint(5) + varint(count) + bytes(count))
    checkpoint = event(1, bytes(5))
    metadata = event(0, b'\0\0\1' + varint(len(strings)) + b''.join(
        b'\3' + varint(len(t)) + t.encode() for t in strings) + root)
    size = 68 + len(events) + len(checkpoint) + len(metadata)
    return b'FLR\0' + struct.pack('>HHQQQqqqqI', 2, 1, size, 68 + len(events),
                                  68 + len(events) + len(checkpoint), 1 << 60, 10 ** 9, 0,
                                  10 ** 9, 1) + events + checkpoint + metadata


def leave(work, bytes_):
    """A repository of a JVM that is gone, of another user where we can."""
    for name in ('dead', 'here', 'lake'):
        shutil.rmtree(os.path.join(work, name), ignore_errors=True)
        os.mkdir(os.path.join(work, name))
    where = os.path.join(work, 'dead', '2026_11_20_09_46_59_4194401')
    os.mkdir(where)
    path = os.path.join(where, '2026_11_20_09_46_59.jfr')
    with open(path, 'wb') as f:
        f.write(bytes_)
    for p in (path, where):
        if IS_ROOT:
            os.chown(p, STRANGER, STRANGER)
        os.utime(p, (time.time() - 7200,) * 2)


def begin(jfrec, work, step, memory):
    path = os.path.join(work, 'c.yaml')
    with open(path, 'w') as f:
        f.write(CONFIGURATION.format(work=work, user=STRANGER, step=STEPS[step].format(work=work)))
    return subprocess.Popen([jfrec, 'collect', '-c', path, '--max-memory', str(memory // MB) + 'M'],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def read(pid, name):
    try:
        with open(f'/proc/{pid}/{name}') as f:
            return f.read()
    except OSError:
        return ''


def children(pid):
    for name in os.listdir('/proc'):
        if name.isdigit() and f'\nPPid:\t{pid}\n' in read(name, 'status'):
            yield int(name)


def watch(collector):
    """Status and limits of a child that has its filter; ('', '') if none was seen."""
    while collector.poll() is None:
        for child in children(collector.pid):
            status, limits = read(child, 'status'), read(child, 'limits')
            if '\nSeccomp:\t2\n' in status and limits:
                return status, limits
    return '', ''


def field(status, name):
    m = re.search(rf'^{name}:\t(.*)$', status, re.M)
    return m.group(1).split() if m else []


def limit(limits, name):
    m = re.search(rf'^Max {name} +(\S+) +(\S+)', limits, re.M)
    return m.groups() if m else ('', '')


def is_limited(limits, name, least, most):
    """Both the limit and what it could be raised to."""
    return all(n.isdigit() and least <= int(n) <= most for n in limit(limits, name))


def look(jfrec, work, step, recording):
    leave(work, recording)
    collector = begin(jfrec, work, step, MEMORY)
    status, limits = watch(collector)
    said = collector.communicate()[0]
    result(bool(status), f'{step}: a process of its own, with a filter', said)
    if not status:
        return
    ids = [str(NOBODY if IS_ROOT else os.geteuid())] * 3
    for name in ('CapInh', 'CapPrm', 'CapEff', 'CapAmb'):
        result(field(status, name) == ['0' * 16], f'{step}: {name} is empty', status)
    result(field(status, 'NoNewPrivs') == ['1'], f'{step}: it gets no new rights', status)
    result(field(status, 'Uid')[:3] == ids, f'{step}: its user', status)
    result(not IS_ROOT or field(status, 'Gid')[:3] == ids, f'{step}: its group', status)
    result(not IS_ROOT or not field(status, 'Groups'), f'{step}: it has no other groups', status)
    if step == 'report' and IS_ROOT:
        result(field(status, 'Uid')[3] == str(NOBODY), f'{step}: it opens files as that user, too',
               status)
    result(limit(limits, 'data size') == (str(MEMORY),) * 2, f'{step}: the memory limit', limits)
    result(is_limited(limits, 'address space', MEMORY, MEMORY + 1024 * MB),
           f'{step}: address space', limits)
    result(is_limited(limits, 'file size', MB, 4096 * MB), f'{step}: the size of a file', limits)
    result(limit(limits, 'core file size') == ('0', '0'), f'{step}: no core', limits)
    result(collector.returncode == 0, f'{step}: it does what it should', said)
    made = [os.path.join(where, name) for top in ('here', 'lake')
            for where, _, names in os.walk(os.path.join(work, top)) for name in names
            if name.endswith(('.html', '.parquet'))]
    result(bool(made) and all(os.stat(p).st_uid == os.geteuid() for p in made),
           f'{step}: what it made is ours', '\n'.join(made))


def starve(jfrec, work, step, recording):
    """What does not fit into the limit ends in a sentence, whatever the machine has."""
    leave(work, recording)
    collector = begin(jfrec, work, step, 64 * MB)
    said = collector.communicate()[0]
    result('more than 64 MiB of memory' in said and collector.returncode == 1,
           f'{step}: it keeps to the limit', said)


def main():
    jfrec, root = os.path.realpath(sys.argv[1]), sys.argv[2]
    if sys.argv[3:] == ['sanitized']:
        print('1..0 # SKIP not with sanitizers, which take more rights and memory')
        return 0
    with open(os.path.join(root, 'tests/data/ok/jvm-25.jfr'), 'rb') as f:
        recording = f.read()
    with tempfile.TemporaryDirectory() as work:
        os.chmod(work, 0o755)
        for step in STEPS:
            look(jfrec, work, step, recording * 60)
            if step == 'export':  # which takes each event as a whole
                starve(jfrec, work, step, hungry(6 * MB))
    return finish()


sys.exit(main())
