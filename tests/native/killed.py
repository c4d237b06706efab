# SPDX-License-Identifier: MIT
#
# killed.py - a killed program leaves each event that it has committed, once
#
# usage: killed.py JFREC SOURCE_ROOT VICTIM
#
# Half of the victims are killed at random times, half kill themselves while the recorder writes a
# chunk.  JFREC_TEST_KILLS: how many; 24 without it.

import collections
import fcntl
import glob
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from memory import keeps_memory  # noqa: E402
from tap import finish, result  # noqa: E402


def kill_one(victim, work, seed):
    """A victim that has died: its repository or None, how many events each thread committed, its pid."""
    chance = random.Random(seed)
    counts = os.path.join(work, 'counts')
    threads = chance.randint(1, 4)
    record = f'repository={work},flush-interval={chance.choice([10, 30, 60])}ms,' \
             f'maxchunksize={chance.choice([20, 100, 400])}k' \
             f'{chance.choice(["", ",memorysize=256k"])}'
    command = [victim, counts, str(threads)]
    if seed % 2:
        command += [chance.choice(['before', 'after']), str(chance.randint(1, 40))]
    process = subprocess.Popen(command, env=dict(os.environ, JFREC_RECORD=record))
    if seed % 2:
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            pass
    else:
        time.sleep(chance.uniform(0.02, 0.4))
    process.kill()
    process.wait()
    made = [0] * threads
    if os.path.exists(counts) and os.path.getsize(counts) >= 128:
        with open(counts, 'rb') as f:
            made = list(struct.unpack('<16Q', f.read(128)))[:threads]
    repositories = glob.glob(os.path.join(work, f'20*_{process.pid}'))
    return (repositories[0] if repositories else None), made, process.pid


WAYS = {'dump': ['dump', '--from-repository'], 'repair': ['repair']}


def read_back(jfrec, way, source, work):
    """{worker: [numbers]}, how many are told to be lost, and what was said."""
    out = os.path.join(work, way + '.jfr')
    done = subprocess.run([jfrec] + WAYS[way] + ['--force', '-o', out, source],
                          capture_output=True, text=True)
    if done.returncode:
        return {}, 0, done.stdout + done.stderr
    said = subprocess.run([jfrec, 'print', '--csv', '--events', 'victim.Mark', '--fields',
                           'worker,number,kind,eventThread.javaName', out], capture_output=True, text=True)
    numbers, wrong = collections.defaultdict(list), said.stderr
    for line in said.stdout.splitlines():
        cells = line.split(',')
        if not cells[-4:-2] or not cells[-4].isdigit():
            continue
        numbers[int(cells[-4])].append(int(cells[-3]))
        if cells[-2] != f'worker-{cells[-4]}' or cells[-1] != cells[-2]:
            wrong += f'constants: {line}\n'
    lost = subprocess.run([jfrec, 'print', '--csv', '--events', 'jfrec.Loss', '--fields', 'count', out],
                          capture_output=True, text=True).stdout
    count = sum(int(line.split(',')[-1]) for line in lost.splitlines() if line.split(',')[-1].isdigit())
    return numbers, count, wrong


def faults(made, numbers, lost):
    """An event may be committed, and its thread killed before it has counted it."""
    said, missing = [], 0
    for worker, count in enumerate(made):
        got = numbers.get(worker, [])
        if len(set(got)) != len(got):
            said.append(f'worker {worker}: {len(got) - len(set(got))} events twice')
        if any(n > count for n in got):
            said.append(f'worker {worker}: event {max(got)} of {count}')
        missing += count - len([n for n in set(got) if n < count])
    if missing > lost or missing < lost - len(made):
        said.append(f'{missing} of {sum(made)} events are missing, {lost} are counted as lost')
    return said


def count_types(jfrec, recording):
    """How often the type of the events is there: more than once if its chunks seem to be of two programs."""
    said = subprocess.run([jfrec, 'metadata', '--events', 'victim.Mark', recording],
                          capture_output=True, text=True).stdout
    return said.count('@Name("victim.Mark")')


def check_memory_alone(jfrec, repository, work):
    """The memory without its repository has the end of what is there, and nothing twice."""
    with open(os.path.join(repository, '.buffers')) as f:
        memory = f.read().strip()
    whole, _, _ = read_back(jfrec, 'repair', repository, work)
    # Without its repository, the next recorder of this user would remove it.
    copy = os.path.join(work, 'memory')
    subprocess.run(['cp', '--sparse=always', memory, copy], check=True)
    shutil.rmtree(repository)
    alone, _, wrong = read_back(jfrec, 'repair', copy, work)
    if 'has no events that are not in the chunks' in wrong:
        return []
    said = [wrong] if wrong else []
    for worker, numbers in alone.items():
        if sorted(numbers) != sorted(set(numbers)) or not set(numbers) <= set(whole.get(worker, [])):
            said.append(f'worker {worker}: {len(numbers)} events of the memory alone')
    return said


def say_missing(jfrec, way, source, words):
    """What is wrong with how it tells that something is missing: it fails in part, and says these words."""
    out = source + '-' + way + '.jfr'
    done = subprocess.run([jfrec] + WAYS[way] + ['--force', '-o', out, source],
                          capture_output=True, text=True)
    said = done.stdout + done.stderr
    if done.returncode == 1 and words in said and 'nothing is lost' not in said:
        return []
    return [f'{way}, {words}: status {done.returncode}, {said}']


def check_missing(jfrec, repository, way):
    """Memory that cannot be taken in, or not all of it, is never passed over."""
    with open(os.path.join(repository, '.buffers')) as f:
        memory = f.read().strip()
    with open(memory, 'rb') as f:
        whole = f.read()
    # struct region: where the types and the buffers are
    types, buffers = struct.unpack_from('<QQ', whole, 8 + 8 + 8 + 8 + 8 + 3 * 8)
    size = struct.unpack_from('<Q', whole, 16)[0]

    def with_memory(offset, change, words):
        with open(memory, 'r+b') as f:
            f.seek(offset)
            f.write(change)
        said = say_missing(jfrec, way, repository, words)
        with open(memory, 'r+b') as f:
            f.write(whole)
        return said

    said = with_memory(0, b'X', 'is not that of a recorder')
    said += with_memory(types, b'\0' * (512 << 10), 'their types are damaged')
    said += with_memory(buffers, struct.pack('<IIIIIIII', 1 << 20, 0, 0, 0, 1, 0, 8128, 0),
                        'bytes of the memory are damaged')
    os.truncate(memory, size - 1)
    said += say_missing(jfrec, way, repository, 'is not that of a recorder')
    os.unlink(memory)
    said += say_missing(jfrec, way, repository, 'is gone')
    os.symlink('/etc/hostname', memory)
    said += say_missing(jfrec, way, repository, 'cannot open')
    os.unlink(memory)
    with open(os.path.join(repository, '.buffers'), 'w') as f:
        f.write('/etc/hostname\n')
    return said + say_missing(jfrec, way, repository, '.buffers does not name the memory')


def missing(jfrec, victim):
    said = []
    for way in WAYS:
        work = tempfile.mkdtemp()
        try:
            for seed in range(2, 40, 2):
                repository, made, pid = kill_one(victim, work, seed)
                if repository and any(made) and os.path.exists(os.path.join(repository, '.buffers')) \
                        and glob.glob(repository + '/*.jfr'):
                    break
            said += check_missing(jfrec, repository, way)
        finally:
            shutil.rmtree(work)
    return said


def check_stillborn(victim):
    """What a program left that was killed before it recorded goes with the next one, if it is old."""
    names = {what: f'/dev/shm/jfrec-recorder-4194397{i}-{os.getpid()}'
             for i, what in enumerate(['old', 'zeros', 'young', 'locked', 'other'])}
    work = tempfile.mkdtemp()
    said = []
    try:
        for what, name in names.items():
            with open(name, 'wb') as f:
                f.truncate({'zeros': 1 << 20}.get(what, 0))
                f.write(b'JFRECMEM\xff\xff' if what == 'other' else b'')
            if what != 'young':
                os.utime(name, (1, 1))
        with open(names['locked'], 'rb') as f:
            fcntl.flock(f, fcntl.LOCK_EX)
            kill_one(victim, work, 1)
        for what, name in names.items():
            if os.path.exists(name) == (what in ('old', 'zeros')):
                said.append(f'{what}: is there: {os.path.exists(name)}')
    finally:
        shutil.rmtree(work)
        for name in names.values():
            if os.path.exists(name):
                os.unlink(name)
    return said


def main():
    if not keeps_memory():
        print('1..0 # SKIP /dev/shm is not a tmpfs')
        return
    jfrec, _, victim = [os.path.abspath(a) for a in sys.argv[1:4]]
    wanted = int(os.environ.get('JFREC_TEST_KILLS', '24'))
    begin = random.randrange(1 << 30) if 'JFREC_TEST_KILLS' in os.environ else 20261122
    said, events, without, rescued, alone, pid = [], 0, 0, 0, 0, 0
    for seed in range(begin, begin + wanted):
        work = tempfile.mkdtemp()
        try:
            repository, made, pid = kill_one(victim, work, seed)
            if repository is None or not any(made):
                without += 1
                continue
            for way in WAYS:
                numbers, lost, wrong = read_back(jfrec, way, repository, work)
                found = faults(made, numbers, lost)
                if wrong or found:
                    said.append(f'seed {seed}, {way}: {wrong} {found}')
            events += sum(made)
            rescued += os.path.exists(os.path.join(repository, '.buffers'))
            if count_types(jfrec, os.path.join(work, 'dump.jfr')) != 1:
                said.append(f'seed {seed}: the type of the events is not there once')
            if seed % 4 == 0 and os.path.exists(os.path.join(repository, '.buffers')):
                alone += 1
                said += [f'seed {seed}: {s}' for s in check_memory_alone(jfrec, repository, work)]
        finally:
            shutil.rmtree(work)
            for memory in glob.glob(f'/dev/shm/jfrec-recorder-{pid}-*'):
                os.unlink(memory)
    print(f'# {wanted} kills, {events} events, {without} before the first event')
    result(not said, 'each event that was committed is there once', *said)
    result(alone, 'so it is with the memory alone', f'{alone} of them')
    said = missing(jfrec, victim)
    result(not said, 'what cannot be taken in is told', *said)
    said = check_stillborn(victim)
    result(not said, 'memory without a recording does not stay', *said)
    result(rescued > wanted / 2, 'most programs had begun to record', f'{rescued} of {wanted}')
    result(faults([3], {0: [0, 1]}, 0) and faults([3], {0: [0, 1, 1, 2]}, 0) and
           not faults([3], {0: [0, 1, 2, 3]}, 0) and not faults([3], {0: [0, 2]}, 1),
           'an event that is missing, or is there twice, is found')
    finish()


main()
