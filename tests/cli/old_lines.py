# SPDX-License-Identifier: MIT
#
# old_lines.py - the command lines of the pages before options and operands were put in order still run
#
# usage: old_lines.py JFREC SOURCE_ROOT
#
# old_lines.txt has every line that was shown by the manual pages and the README then: page, line.
# Each is run by a shell in a folder that has what it names. Lines that mean a JVM come as far as
# that there is none: the one answer that they must not get is 2, wrong usage.

import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result, skip  # noqa: E402

jfrec, root = (os.path.realpath(x) for x in sys.argv[1:])
DATA = os.path.join(root, 'tests/data')
DONE, FAILED, USAGE, NO_JVM, OVER_LIMIT = 0, 1, 2, 3, 20
FOLLOW_S = 2
# It has the events that the pages ask for: of sockets, heap, exceptions, locks.
with gzip.open(os.path.join(DATA, 'query/shop.jfr.gz')) as f:
    SHOP = f.read()
RULES = '''
rules:
  slow:
    event: SocketRead
    where: duration > 1s
    warning: 5
'''
FILES = {
    'shop.yaml': RULES, 'mine.yaml': 'time-zone: UTC\n', 'customers.yaml': 'rules:\n  - match: "c[0-9]{9}"\n',
    'collect.yaml': 'directory: {folder}/collected\njvms:\n  - name: no-such-jvm\n',
}
# What these answer on such a recording: no line, but the sentence that a name is missing in it.
LACKING = {
    'jfrec query \'SELECT customer, COUNT(*), MAX(duration) FROM Order GROUP BY customer\' shop.jfr':
        'No event type is called Order',
}
# What these exit with depends on the recording: on its findings; on the times, threads, native code
# and fields that it has; and on this host.
OTHER = {
    '--fail-on warning': [DONE, OVER_LIMIT], '--fail-above': [DONE, OVER_LIMIT],
    '--before 09:00': [FAILED], "--threads 'http-*' --from": [FAILED], "alloc --threads 'http-*'": [FAILED],
    'jfrec symbolize': [FAILED], "'{service}-{host}-*.jfr'": [FAILED],
    'jfrec doctor': [DONE, FAILED],
}


def recording_for(line):
    name = next((n for word, n in (
        ('settings', 'settings-17.jfr'), ('jfrec sql', 'jvm-25.jfr'), ('jfrec query', None)) if word in line), 'jvm-25.jfr')
    if name is None:
        return SHOP
    with open(os.path.join(DATA, 'ok', name), 'rb') as f:
        return f.read()


def prepare(folder, line):
    """The files that the line reads."""
    recording = recording_for(line)
    outputs = re.findall(r'-o (\S+)', line)
    names = [x for x in re.findall(r'[\w./-]+\.jfr(?:\.zst)?', line) if x not in outputs]
    for name in names + ['web-a-1.0.jfr', 'Shop-1.jfr.zst', 'dumps/a.jfr', 'repository/2026_11_20_09_46_59.jfr']:
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'wb') as out:
            out.write(recording)
    for name in ('build/debug', 'collected', 'recordings'):
        os.makedirs(os.path.join(folder, name))
    for name, text in FILES.items():
        with open(os.path.join(folder, name), 'w', encoding='utf-8') as out:
            out.write(text.replace('{folder}', folder))
    if '-s mine.yaml' in line:
        with open(os.path.join(folder, 'mine.yaml'), 'wb') as out:
            subprocess.run([jfrec, 'settings', 'show', 'profile'], stdout=out, check=True)


def is_of_jvm(line):
    return bool(re.search(r'\b(Shop|shop\.jar|memcached|4711)( |$)|\$!( |$)|--all|--container', line))


def made_safe(line):
    """The same line, with paths of this folder, and of no JVM that runs here."""
    line = re.sub(r'/tmp/(\*_\$!|20[0-9_]+)/?', 'repository/', line)
    line = re.sub(r'/var/lib/jfrec/|/var/lib/prometheus/node-exporter/', '', line)
    line = re.sub(r'/var/tmp/recordings/', 'recordings/', line)
    if not is_of_jvm(line):
        return line
    line = re.sub(r'\b(Shop|shop\.jar|memcached)( |$)', r'no-such-jvm\2', line)
    line = re.sub(r'(\b4711|\$!)( |$)', r'4194999\2', line)
    return line.replace('--all', '--all --container no-such-container')


def run(line, folder):
    """The exit code and what it says; None: it goes on."""
    path = os.path.join(folder, 'bin')
    os.makedirs(path)
    os.symlink(jfrec, os.path.join(path, 'jfrec'))
    environment = dict(os.environ, TZ='UTC', PATH=path + ':' + os.environ['PATH'])
    try:
        done = subprocess.run(['sh', '-c', 'exec ' + made_safe(line)], cwd=folder, env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, errors='replace',
                              timeout=FOLLOW_S if '--follow' in line else 120, check=False)
    except subprocess.TimeoutExpired:
        return None, ''
    return done.returncode, done.stderr


def wrong(line, code, said):
    """What is wrong with the answer, or None."""
    if line in LACKING:
        return None if LACKING[line] in said else f'exit code {code}: {said}'
    if code is None:
        return None if '--follow' in line else 'it does not end'
    if is_of_jvm(line):
        return None if code != USAGE else said
    allowed = next((codes for part, codes in OTHER.items() if part in line), [DONE])
    return None if code in allowed else f'exit code {code}: {said}'


def check(page, line):
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder, line)
        code, said = run(line, folder)
    if 'built without SQLite' in said:
        skip(f'{page}: {line}', 'built without SQLite')
        return
    fault = wrong(line, code, said)
    result(fault is None, f'{page}: {line}'.replace('#', 'no.'), fault)


with open(os.path.join(root, 'tests/cli/old_lines.txt'), encoding='utf-8') as f:
    lines = [x.rstrip('\n').split('\t') for x in f]
result(len(lines) > 200, 'there are 200 lines', len(lines))
for one in lines:
    check(*one)
# A line that nobody could ever type is found.
with tempfile.TemporaryDirectory() as empty:
    result(wrong('jfrec stop --nope Shop', *run('jfrec stop --nope Shop', empty)) is not None,
           'a planted line that is wrong usage is found')
finish()
