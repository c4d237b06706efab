#!/usr/bin/env python3
# Input that is small, or a pipe without an end, and would fill memory: each command ends in time,
# in the memory that jfrec(1) states, and says why.
#
# usage: bombs.py JFREC SOURCE_ROOT

import gzip
import os
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result, skip  # noqa: E402

jfrec = os.path.abspath(sys.argv[1])
ok = os.path.join(os.path.abspath(sys.argv[2]), 'tests/data/ok')
STATED_KB = 192 << 10
# The sanitizers remember what was freed, and keep a byte for eight.
if 'sanitized' in sys.argv[3:]:
    STATED_KB *= 3
SECONDS = 300


def run(args, feed=None):
    """Exit status, peak memory in KB, output, and what was said; feed: an endless pipe."""
    said, out = tempfile.TemporaryFile(), tempfile.TemporaryFile()
    feeder = feed and subprocess.Popen(feed, shell=True, stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL)
    child = subprocess.Popen(['timeout', str(SECONDS), jfrec, *args], stdout=out, stderr=said,
                             stdin=feeder.stdout if feed else subprocess.DEVNULL)
    if feed:
        feeder.stdout.close()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = 0
    if feed:
        feeder.wait()
    said.seek(0)
    out.seek(0)
    return os.waitstatus_to_exitcode(status), usage.ru_maxrss, out.read(), said.read().decode()


def header(size):
    return b'FLR\0' + struct.pack('>HHQQQqqqq', 2, 1, size, 68, 68, 10**18, 10**9, 0, 10**9) + \
        b'\0\0\0\1'


def zstd_zeros(first, size):
    """A frame of `first`, then zeros: each block of 4 bytes unfolds to 128 KB."""
    block = lambda data, kind, size, last=0: struct.pack('<I', last | kind << 1 | size << 3)[:3] + data
    blocks = block(b'\0', 1, 128 << 10) * (size >> 17)
    return b'\x28\xb5\x2f\xfd\0\x58' + block(first, 0, len(first)) + blocks + block(b'', 0, 0, 1)


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out + bytes([n]))


def padded(chunk, more):
    """The chunk with an event of a type that is not declared behind its last one."""
    event = varint(more) + varint(99999)
    event += bytes(more - len(event))
    return chunk[:8] + struct.pack('>Q', len(chunk) + more) + chunk[16:] + event


def many_types(n):
    """A chunk that declares event types t.T0, t.T1... and has an event of each."""
    strings = {}

    def element(name, attributes=(), children=()):
        index = lambda text: varint(strings.setdefault(text, len(strings)))
        return b''.join([index(name), varint(len(attributes))] +
                        [index(k) + index(v) for k, v in attributes] +
                        [varint(len(children)), *children])

    def event(kind, rest):
        body = varint(kind) + rest
        size = next(s for s in range(1, 6) if len(varint(len(body) + s)) == s)
        return varint(len(body) + size) + body

    start = element('field', [('name', 'startTime'), ('class', '9')])
    classes = [element('class', [('id', '9'), ('name', 'long')])] + [
        element('class', [('id', str(1000 + i)), ('name', 't.T%d' % i),
                          ('superType', 'jdk.jfr.Event')], [start]) for i in range(n)]
    root = element('root', (), [element('metadata', (), classes),
                                element('region', [('locale', 'en_US'), ('gmtOffset', '0')])])
    texts = b''.join(b'\3' + varint(len(t)) + t.encode() for t in strings)
    events = b''.join(event(1000 + i, varint(5)) for i in range(n))
    checkpoint = event(1, b'\0\0\0\0\0')
    metadata = event(0, b'\0\0\0' + varint(len(strings)) + texts + root)
    head = header(68 + len(events) + len(checkpoint) + len(metadata))
    return head[:16] + struct.pack('>QQ', 68 + len(events), 68 + len(events) + len(checkpoint)) + \
        head[32:] + events + checkpoint + metadata


def texts(fields, rows, pool=()):
    """A chunk of events of one type whose fields are strings: each a text, or a key of the pool."""
    strings = {}

    def element(name, attributes=(), children=()):
        index = lambda text: varint(strings.setdefault(text, len(strings)))
        return b''.join([index(name), varint(len(attributes))] +
                        [index(k) + index(v) for k, v in attributes] +
                        [varint(len(children)), *children])

    def event(kind, rest):
        size = len(varint(kind) + rest) + 4
        return bytes([size & 127 | 128, size >> 7 & 127 | 128, size >> 14 & 127 | 128, size >> 21]) + \
            varint(kind) + rest

    text = lambda t: b'\3' + varint(len(t)) + t.encode()
    value = lambda v: b'\2' + varint(v) if isinstance(v, int) else text(v)
    members = [element('field', [('name', n), ('class', '9' if n == 'startTime' else '10')])
               for n in ['startTime', *fields]]
    root = element('root', (), [
        element('metadata', (), [
            element('class', [('id', '9'), ('name', 'long')]),
            element('class', [('id', '10'), ('name', 'java.lang.String')]),
            element('class', [('id', '20'), ('name', 't.Text'), ('superType', 'jdk.jfr.Event')], members)]),
        element('region', [('locale', 'en_US'), ('gmtOffset', '0')])])
    events = b''.join(event(20, varint(5) + b''.join(value(v) for v in row)) for row in rows)
    pools = varint(10) + varint(len(pool)) + b''.join(varint(i + 1) + text(t) for i, t in enumerate(pool))
    checkpoint = event(1, b'\5\0\0\0' + (b'\1' + pools if pool else b'\0'))
    metadata = event(0, b'\5\0\1' + varint(len(strings)) + b''.join(text(t) for t in strings) + root)
    head = header(68 + len(events) + len(checkpoint) + len(metadata))
    return head[:16] + struct.pack('>QQ', 68 + len(events), 68 + len(events) + len(checkpoint)) + \
        head[32:] + events + checkpoint + metadata


def try_all(name, path, wants, feed=None):
    # An endless pipe is copied for 2 GB by those that have to read it twice: one of them is enough.
    commands = ['summary', 'print', 'repair -o o --force', 'merge -o o --force'] if feed else ['summary', 'print', 'print --json', 'metadata', 'settings active', 'repair -o o --force',
                'filter -o o --force', 'scrub -o o --force', 'merge -o o --force', 'settings cost']
    for command in commands:
        # What is kept in a file, and mapped, is the kernel's to keep or drop: not counted.
        budget = ['--max-memory', '%dK' % STATED_KB] if feed else []
        status, memory, _, said = run(command.split() + budget + [path], feed)
        if feed:
            memory = STATED_KB if 'budget' in said else 0
        why = 'exit status %d, %d KB\n%s' % (status, memory, said)
        result(status == 1, f'{name}: {command} ends', why)
        result(memory < STATED_KB, f'{name}: {command} in little memory', why)
        result(any(w in said for w in wants), f'{name}: {command} says why', why)


def apart(make):
    """In a process of its own: a child begins with the memory that its parent has."""
    pid = os.fork()
    if pid == 0:
        make()
        sys.stdout.flush()
        os._exit(0)
    if os.waitpid(pid, 0)[1]:
        sys.exit('not made')


os.chdir(work := tempfile.mkdtemp())
plain = open(os.path.join(ok, 'frames-25.jfr'), 'rb').read()

open('claims.zst', 'wb').write(zstd_zeros(header(2 << 30), 2 << 30))
open('zeros.zst', 'wb').write(zstd_zeros(b'', 4 << 30))
with gzip.open('zeros.gz', 'wb', 1) as f:
    for _ in range(2000):
        f.write(bytes(1 << 20))
open('tail.zst', 'wb').write(zstd_zeros(plain[:100000], 40 << 30))
open('claims', 'wb').write(header(1 << 40))
open('good.jfr', 'wb').write(plain)

unfolds = ['expands to more than 1000 times its size']
other = ['is not a recording', 'no chunk begins in 256 MiB']
try_all('2 GB claimed, in %d bytes' % os.path.getsize('claims.zst'), 'claims.zst', unfolds)
try_all('4 GB of zeros', 'zeros.zst', unfolds + other)
try_all('gzip of 2 GB of zeros', 'zeros.gz', other)
try_all('40 GB behind half a recording', 'tail.zst', unfolds)
try_all('an endless pipe', '-', ['no chunk begins in'], 'cat claims /dev/zero')
try_all('an endless pipe after a recording', '-', ['no chunk begins in'], 'cat good.jfr /dev/zero')

# What is whole is read, however large: beyond 64 MB it is kept in a file.
@apart
def _():
    large = padded(plain, 150 << 20)
    with gzip.open('large.jfr.gz', 'wb', 1) as f:
        f.write(large)
    open('large.jfr', 'wb').write(large)


for command in ['print --json', 'summary', 'print', 'print --ndjson']:
    want = run(command.split() + ['large.jfr'])
    for name, args, feed in [('compressed', ['large.jfr.gz'], None), ('piped', ['-'], 'cat large.jfr')]:
        status, memory, out, said = run(command.split() + args, feed)
        result((status, out) == (want[0], want[2]) and len(out) > 40,
               f'a chunk of 150 MB, {name}: {command}', said)

# 150,000 event types, each of them met once: no step may look at all of them for each.
apart(lambda: open('types.jfr', 'wb').write(many_types(150000)))
status, memory, out, said = run(['stream', '--metrics', '--from', 'start', 'types.jfr'])
events = [line for line in out.decode().splitlines() if line.startswith('jfr_events_total')]
result(status == 0 and len(events) == 501, 'metrics of 500 types, and the others together', said)
result(any('event="other"} 149500' in e for e in events), 'none is lost from the count', events[-3:])
status, memory, out, said = run(['stream', '--metrics', '--from', 'start', 'types.jfr', ok + '/jvm-17.jfr'])
sources = {line.split('"')[1] for line in out.decode().splitlines() if line.startswith('jfr_events_total')}
result(status == 0 and sources == {'types.jfr', ok + '/jvm-17.jfr'}, 'beside them another source is measured', said)
status, memory, out, said = run(['settings', 'cost', 'types.jfr'])
result(status == 0, 'settings cost of as many ends', f'{status} {said}')

# A text that 20,000 events share: 20 GB if all is printed, so none of it may wait for the rest.
open('shared.jfr', 'wb').write(texts(['s'], [[1]] * 20000, ['x' * (1 << 20)]))
for command in ['print', 'print --json', 'print --ndjson', 'print --csv --events Text']:
    start = time.monotonic()
    with subprocess.Popen([jfrec, *command.split(), 'shared.jfr'], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as p:
        got = p.stdout.read(3 << 20)
        p.stdout.close()
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = 0
    result(len(got) == 3 << 20 and time.monotonic() - start < SECONDS and usage.ru_maxrss < STATED_KB,
           f'{command}: a reader that has enough of a shared text ends it', usage.ru_maxrss)
status, memory, out, said = run(['print', '--limit', '2', 'shared.jfr'])
result(status == 0 and 2 << 20 < len(out) < 3 << 20, '--limit bounds what is printed', said)
status, memory, out, said = run(['summary', 'shared.jfr'])
result(status == 0 and memory < STATED_KB, 'summary does not unfold it', memory)

# A long secret, and long texts that nearly are one at each place.
rows = [['a' * 50000, 'b'], ['c' * 50000, 'a' * 1000000], ['d', ('a' * 255 + 'b') * 4000], ['e', 'a' * 1000000]]
open('secret.jfr', 'wb').write(texts(['password', 'note'], rows))
cpu = os.times().children_user
status, memory, out, said = run(['scrub', 'secret.jfr', '-o', 'o', '--force'])
cpu = os.times().children_user - cpu
left = open('o', 'rb').read() if status == 0 else b'a' * 256
result(status == 0 and b'a' * 256 not in left and b'c' * 256 not in left, 'a long secret is taken from long texts', said)
result(cpu < 10, 'in time that does not grow with length x length', cpu)
os.path.exists('o') and os.unlink('o')

# The budget: what it does not suffice for ends with a sentence, and leaves no file.
BUDGETED = ['summary', 'print --json', 'metadata', 'settings active', 'settings cost',
            'settings diff default', 'repair -o o', 'filter -o o', 'scrub -o o', 'merge -o o',
            'merge --compact -o o', 'stream --from start', 'stream --metrics --from start']
os.path.exists('o') and os.unlink('o')
# Not read here: the peak of a child begins with what this process has.
sanitized = subprocess.run(['grep', '-qa', '__asan_init', jfrec]).returncode == 0
for command in BUDGETED + ['split -o .', 'dump --from-repository', 'collect']:
    for size in ['15M', 'x', '0', '-1', '9999999999999G', '']:
        status, _, _, said = run(command.split() + ['--max-memory', size, 'types.jfr'])
        result(status == 2 and '--max-memory takes a size from 16M on' in said,
               f'{command}: no budget of {size!r}', f'{status} {said}')
for command in BUDGETED:
    if sanitized:
        skip(command, 'sanitizers take memory without measure')
        continue
    for size in ['16M', '40M', '64M']:
        status, memory, _, said = run(command.split() + ['--max-memory', size, 'types.jfr'])
        result(status == 1 and f'this needs more than {size[:-1]} MiB of memory' in said,
               f'{command}: {size} do not suffice', f'{status} {said}')
        result(memory < (int(size[:-1]) + 24) << 10, f'{command}: no more is taken', memory)
        result(not os.path.exists('o'), f'{command}: no file is left')
    status, _, _, said = run(command.split() + ['--max-memory', '1G', 'types.jfr'])
    result('budget' not in said and (status == 0 or 'jdk.ActiveSetting' in said),
           f'{command}: 1 GB suffice', f'{status} {said}')
    os.path.exists('o') and os.unlink('o')
status, memory, out, said = run(['print', '--max-memory', '16M', '-'], 'cat large.jfr')
result(status == 0 and out == run(['print', 'large.jfr'])[2], 'a chunk of 150 MB in 16 MB', said)

for name in os.listdir('.'):
    os.unlink(name)
os.chdir('/')
os.rmdir(work)
finish()
