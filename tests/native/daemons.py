# SPDX-License-Identifier: MIT
#
# daemons.py - twelve programs of Debian, as their units and init scripts start them, with the recorder
#
# usage: daemons.py JFREC SOURCE_ROOT LIBRARY_DIRECTORY UPSET [PROGRAM/CONDITION...]
#
# Each cell runs a program twice, with jfrec-record-preload.so and without it: once as it is, and under
# conditions that programs and their owners make.  What clients, the system and systemd see has to be the
# same: replies, files, sockets, processes, descriptors, signals, status.  And the recordings of all its
# processes together have each byte that went over its clients' sockets.
#
# In namespaces of its own, as root, without any service of this machine (daemons/cell.py).  A quarter of
# the cells, with each program and each condition, unless JFREC_DAEMONS=all.

import concurrent.futures
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'daemons'))
import programs  # noqa: E402
import units  # noqa: E402
from tap import finish, result, skip  # noqa: E402

JFREC, SOURCE, LIBRARY, UPSET = [os.path.abspath(a) for a in sys.argv[1:5]]
CELL = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'daemons', 'cell.py')
CONDITIONS = {
    'plain': 'as its unit starts it',
    'daemon': 'as its init script starts it',
    'user': 'as a user who is not root, from the start or soon',
    'chroot': 'in another root',
    'closed': 'it closes all descriptors first of all',
    'reused': 'it closes all, and has each high number itself',
    'limited': 'no file may have more than 100 KB',
    'removed': 'the repository is deleted while it runs',
    'filtered': "under its unit's filter of system calls, or @system-service",
    'signals': 'it is told to reload',
}
SECONDS = 150


def cell(work, program, condition, records):
    """What cell.py saw, or a sentence."""
    room = os.path.join(work, f'{program}-{condition}-{"with" if records else "without"}')
    os.mkdir(room)
    settings = {'program': program, 'condition': condition, 'records': records, 'settings': '', 'jfrec': JFREC,
                'preload': os.path.join(LIBRARY, 'jfrec-record-preload.so'), 'upset': UPSET,
                'classes': os.path.join(work, 'classes'), 'template': os.path.join(work, 'template'),
                'paths': [work, SOURCE, os.path.dirname(JFREC), LIBRARY, os.path.dirname(UPSET)]}
    with open(os.path.join(room, 'room.json'), 'w') as f:
        json.dump(settings, f)
    try:
        done = subprocess.run(['unshare', '--mount', '--net', '--pid', '--fork', '--kill-child', sys.executable, CELL, room],
                              capture_output=True, text=True, timeout=SECONDS)
        with open(os.path.join(room, 'result.json')) as f:
            return json.load(f)
    except subprocess.TimeoutExpired:
        return 'it hangs'
    except (OSError, ValueError):
        return f'no result: {done.stderr[-500:]}'


# What is seen ---------------------------------------------------------------------------------------

def lines(text):
    """Without pids and times; processes write in any order."""
    return sorted(re.sub(r'\d+', '0', line) for line in text.splitlines())


def without_pids(value):
    return re.sub(r'\d+', '0', value) if isinstance(value, str) else \
        sorted(without_pids(v) for v in value) if isinstance(value, list) else value


def files(found):
    return {path: sorted(what.splitlines()) for path, what in found.items()}


COMPARED = {'ready': None, 'start': None, 'replies': None, 'notified': without_pids, 'sockets': without_pids,
            'processes': None, 'descriptors': None, 'signals': None, 'ended': None, 'status': None, 'left': None,
            'stdout': lines, 'stderr': lines, 'files': files, 'own': None, 'failed': None}


# What the recorder may say, in these conditions, once for each process.
MAY_SAY = {'limited': r'jfrec-recorder: JFREC_RECORD: cannot write /recordings/\S+: File too large; the recording is kept in /recordings/\S+\n?'}


def without_excuses(seen, condition):
    """Without what it may say, on standard error or where a program puts that."""
    if condition not in MAY_SAY:
        return seen
    log = {path: re.sub(MAY_SAY[condition], '', what) for path, what in seen.get('files', {}).items()}
    return {**seen, 'stderr': re.sub(MAY_SAY[condition], '', seen.get('stderr', '')), 'files': log}


def compare(before, after):
    """Complaints."""
    found = []
    for key, made in COMPARED.items():
        one, two = before.get(key), after.get(key)
        if made and one is not None and two is not None:
            one, two = made(one), made(two)
        if one == two:
            continue
        if isinstance(one, dict) and isinstance(two, dict):
            found += [f'{key} {n}: {one.get(n)} became {two.get(n)}' for n in sorted({*one, *two}) if one.get(n) != two.get(n)]
        elif isinstance(one, list) and isinstance(two, list):
            found.append(f'{key}: {[v for v in one if v not in two]} became {[v for v in two if v not in one]}, '
                         f'{len(one)} and {len(two)}')
        else:
            found.append(f'{key}: {one} became {two}')
    return found


# What is recorded -----------------------------------------------------------------------------------

def sums(recordings, which):
    found = {}
    for r in recordings:
        for name, value in r[which].items():
            found[name] = found.get(name, 0) + value
    return found


def balance(program, books):
    """Complaints about what its events say."""
    recordings, counts = books['recordings'], sums(books['recordings'], 'counts')
    sent, received = sum(w[1] for w in books['wires']), sum(w[2] for w in books['wires'])
    ports = {str(w[0]) for w in books['wires']}
    read = sum(v for port, v in sums(recordings, 'in').items() if port in ports)
    wrote = sum(v for port, v in sums(recordings, 'out').items() if port in ports)
    told = f'{read} of {sent} bytes read, {wrote} of {received} written; lost {sums(recordings, "lost")}'
    if program.truth == 'bytes' and (read, wrote) != (sent, received):
        return [told]
    if program.truth == 'most' and (read < 0.9 * sent or wrote < 0.9 * received):
        return [told]
    if program.truth == 'sleeps' and not counts.get('jdk.ThreadSleep'):
        return [f'no sleep: {counts}']
    if program.truth == 'file':
        path, size = books['file']
        written = sums(recordings, 'files').get(path)
        return [] if written == size else [f'{written} bytes written to {path}, which has {size}']
    return []


def missing(books):
    """Processes that were there at the end and have no recording."""
    have = {int(re.search(r'(\d+)\.jfr$', r['path'])[1]) for r in books['recordings']}
    return [f'nothing of process {pid}' for pid in books['pids'] or [] if pid not in have]


def judge(program, condition, before, after):
    """(does it make sense, complaints)"""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return True, [f'without it: {before}' if not isinstance(before, dict) else '',
                      f'with it: {after}' if not isinstance(after, dict) else '']
    if 'replies' not in before['seen']:
        return False, [before['seen'].get('failed') or before['seen']['stderr'][-300:] or 'it does not run']
    found = compare(before['seen'], without_excuses(after['seen'], condition))
    if condition not in program.no_books:
        found += balance(program, after['books']) + missing(after['books'])
    return True, found


def both(work, name, condition):
    return [cell(work, name, condition, records) for records in (False, True)]


def wanted():
    if len(sys.argv) > 5:
        return [tuple(a.split('/')) for a in sys.argv[5:]]
    everything = [(p, c) for c in CONDITIONS for p in programs.ALL]
    if os.environ.get('JFREC_DAEMONS') == 'all':
        return everything
    return [(p, c) for n, (p, c) in enumerate(everything) if (n + n // len(programs.ALL)) % 4 == 0]


def why_not():
    if os.geteuid():
        return 'only root can start services'
    symbols = subprocess.run(['nm', '-D', os.path.join(LIBRARY, 'libjfrec-recorder.so')], capture_output=True, text=True).stdout
    if platform.machine() != 'x86_64' or '__asan_init' in symbols or '__tsan_init' in symbols:
        return 'wrappers are tested on x86-64, in a build without sanitizers'
    if subprocess.run(['unshare', '--mount', '--net', '--pid', '--fork', 'true'], capture_output=True).returncode:
        return 'there are no namespaces here'
    return None


def prepare(work):
    os.chmod(work, 0o755)
    os.mkdir(os.path.join(work, 'template'))
    subprocess.run(['javac', '-d', os.path.join(work, 'classes'), os.path.join(SOURCE, 'tests/native/daemons/Server.java')],
                   capture_output=True)
    if not programs.Postgres.missing():
        # The first cell of it makes the cluster that the others copy.
        both(work, 'postgres', 'template')


def main():
    why = why_not()
    if why:
        skip('daemons', why)
        finish()
    work = tempfile.mkdtemp()
    cannot = {'filtered': units.why_not()}
    ran = 0
    try:
        prepare(work)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            cells = []
            for name, condition in wanted():
                program = programs.ALL[name]
                why = program.missing() or program.cannot.get(condition) or cannot.get(condition)
                cells.append((name, condition, why or pool.submit(both, work, name, condition)))
            for name, condition, future in cells:
                title = f'{name}: {CONDITIONS.get(condition, condition)}'
                if isinstance(future, str):
                    skip(title, future)
                    continue
                makes_sense, complaints = judge(programs.ALL[name], condition, *future.result())
                if makes_sense:
                    ran += 1
                    result(not complaints, title, *complaints)
                else:
                    skip(title, ' '.join(complaints).replace('\n', ' '))
        print(f'# {ran} cells ran')
    finally:
        shutil.rmtree(work, ignore_errors=True)
    finish()


main()
