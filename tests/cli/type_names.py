#!/usr/bin/env python3
# Whoever declares an event type of a JVM chooses its name: none hides what the others recorded, and
# none is cut where it is to be copied from.
#
# usage: type_names.py JFREC SOURCE_ROOT

import json
import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402

jfrec = os.path.abspath(sys.argv[1])


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out + bytes([n]))


def recording(name, alone=False):
    """An event of the type t.Good unless alone, and one of the type of that name (None: it has none)."""
    strings = {}

    def element(kind, attributes=(), children=()):
        index = lambda text: varint(strings.setdefault(text, len(strings)))
        pairs = [(k, v) for k, v in attributes if v is not None]
        return b''.join([index(kind), varint(len(pairs))] + [index(k) + index(v) for k, v in pairs] +
                        [varint(len(children)), *children])

    def event(kind, rest):
        size = len(varint(kind) + rest) + 4
        return bytes([size & 127 | 128, size >> 7 & 127 | 128, size >> 14 & 127 | 128, size >> 21]) + \
            varint(kind) + rest

    def of_type(number, called):
        return element('class', [('id', number), ('name', called), ('superType', 'jdk.jfr.Event')],
                       [element('field', [('name', 'startTime'), ('class', '9')])])

    classes = [element('class', [('id', '9'), ('name', 'long')]), of_type('20', 't.Good'), of_type('21', name)]
    root = element('root', (), [element('metadata', (), classes),
                                element('region', [('locale', 'en_US'), ('gmtOffset', '0')])])
    texts = b''.join(b'\3' + varint(len(b)) + b for b in
                     (t if isinstance(t, bytes) else t.encode() for t in strings))
    events = (b'' if alone else event(20, varint(5))) + event(21, varint(6))
    checkpoint = event(1, b'\0\0\0\0\0')
    metadata = event(0, b'\0\0\0' + varint(len(strings)) + texts + root)
    size = 68 + len(events) + len(checkpoint) + len(metadata)
    return b'FLR\0' + struct.pack('>HHQQQqqqq', 2, 1, size, 68 + len(events),
                                  68 + len(events) + len(checkpoint), 10**18, 10**9, 0, 10**9) + \
        b'\0\0\0\1' + events + checkpoint + metadata


def run(*args):
    done = subprocess.run([jfrec, *args], capture_output=True, timeout=300)
    return done.returncode, done.stdout.decode('utf-8', 'replace'), done.stderr.decode('utf-8', 'replace')


NAMES = {
    'of 100,000 bytes': 'a' * 100000, 'of 100,000 characters': '\u00e9' * 100000,
    'that is empty': '', 'that is missing': None, 'of bytes that are no text': b'\xff\xfe\x80a',
    'with a NUL': 'a\0b', 'with a line': 'a\nb', 'of quotes': '"' * 300,
    'of 1000 bytes and a quote': 'a' * 1000 + '"b',
}


def check(called, name, path):
    with open(path, 'wb') as f:
        f.write(recording(name))
    for args in (['print'], ['print', '--json'], ['summary'], ['summary', '--json'],
                 ['metadata'], ['sql', '--tables'], ['query', 'SELECT startTime FROM Good']):
        status, out, said = run(*args, path)
        if status not in (0, 1) or len(out) > 40000 or (args[0] != 'query' and 'Good' not in out):
            return args, status, said[:300], len(out)
    status, out, said = run('print', '--events', 't.Good', path)
    return None if out.count('t.Good') == 1 else ('print --events', status, out, said)


COMMANDS = {
    'of commands': '$(touch pwned)`touch pwned`;touch pwned|touch pwned&',
    'of quotes and a command': '"\'; touch pwned; \'"', 'like an option': '-o pwned',
    'of lines': 'a\nBcc: everybody\r\n\x1b[2J', 'of 60,000 bytes': 'a' * 60000, 'of 1 MB': 'a' * (1 << 20),
    'of a variable': '${IFS}$PATH%s%n', 'of directions': 'a\u202eb\u2066c',
}


def check_command(name, work):
    """What --exec runs gets the name of the type in a variable that does no harm, and nothing else."""
    with open(work + '/a.jfr', 'wb') as f:
        f.write(recording(name, alone=True))
    done = subprocess.run([jfrec, 'stream', '--from', 'start', 'a.jfr', '--on', '*', '--exec',
                           'printf %s "$JFREC_EVENT" >"event$$"; cat >"json$$"; echo "$JFREC_RULE" >rule'],
                          cwd=work, capture_output=True, timeout=300, env={**os.environ, 'JFREC_RULE': 'x'})
    files = os.listdir(work)
    events = []
    for file in files:
        if file.startswith('event'):
            with open(os.path.join(work, file), 'rb') as f:
                events.append(f.read().decode())
        if file.startswith('json'):
            with open(os.path.join(work, file), encoding='utf-8') as f:
                json.load(f)
    wrong = done.returncode not in (0, 1) or 'pwned' in files or not events or b'--exec' in done.stderr or \
        any(len(e) > 3 * 4200 or any(ord(c) < 32 or c in '\u202e\u2066' for c in e) for e in events)
    with open(os.path.join(work, 'rule'), encoding='utf-8') as f:
        wrong |= f.read() != '\n'
    return (done.returncode, files, events, done.stderr[:300]) if wrong else None


for called, name in COMMANDS.items():
    with tempfile.TemporaryDirectory() as work:
        wrong = check_command(name, work)
        result(wrong is None, 'a command for a type with a name ' + called, wrong)
with tempfile.TemporaryDirectory() as work:
    file = work + '/a.jfr'
    for called, name in NAMES.items():
        wrong = check(called, name, file)
        result(wrong is None, 'a type with a name ' + called, wrong)
    with open(file, 'wb') as f:
        f.write(recording('a' * 1000 + '"b'))
    _, out, said = run('sql', '--tables', file)
    result('"' + 'a' * 1000 + '""b"' in out, 'sql --tables does not cut what one copies', out[:200], said)
finish()
