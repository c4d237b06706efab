# SPDX-License-Identifier: MIT
#
# server.py - what the recorder costs a server: memcached, with and without jfrec-record-preload.so
#
# usage: server.py BUILD_DIRECTORY [PAIRS [REQUESTS]]
#
# Each pair is a run without the recorder and one of each mode with it, in turn; the CPU time is that
# of all threads of the server.  Prints a table: medians, and what a request costs more, with the 95 %
# interval of the mean of the pairs.

import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

BUILD = os.path.abspath(sys.argv[1])
PAIRS = int(sys.argv[2]) if len(sys.argv) > 2 else 30
REQUESTS = int(sys.argv[3]) if len(sys.argv) > 3 else 160000
PRELOAD = os.path.join(BUILD, 'lib', 'native', 'jfrec-record-preload.so')
EACH = ''.join(f',jdk.{t}#threshold=0ns' for t in ['SocketRead', 'SocketWrite'])
DEFAULT = 'name=bench,attach=false'
SAMPLED = DEFAULT + ',jdk.ExecutionSample#enabled=true'
MODES = {
    'without': None,
    'off': 'attach=only',
    'default': DEFAULT,
    'every': DEFAULT + EACH,    # read and write, with its stack
    'sampled': SAMPLED,
    'profile': SAMPLED + ',jdk.ExecutionSample#period=10ms' + EACH,
}
PORT = 21211


def cpu_ns(pid):
    """Of the threads that there are, by the scheduler; its clock is finer than the tick."""
    total = 0
    for task in os.listdir(f'/proc/{pid}/task'):
        with open(f'/proc/{pid}/task/{task}/schedstat', encoding='ascii') as f:
            total += int(f.read().split()[0])
    return total


def resident(pid):
    with open(f'/proc/{pid}/status', encoding='ascii') as f:
        return next(int(line.split()[1]) for line in f if line.startswith('VmRSS:')) / 1024


def start(work, setting):
    env = dict(os.environ)
    if setting:
        env.update(LD_PRELOAD=PRELOAD, JFREC_RECORD=f'repository={work},{setting}' if 'name=' in setting else setting)
    server = subprocess.Popen(['memcached', '-l', '127.0.0.1', '-p', str(PORT), '-U', '0', '-t', '1', '-u', 'root'], env=env)
    time.sleep(1.0)    # until it listens, and the recorder has measured the clock
    return server


def run(load, work, setting):
    server = start(work, setting)
    try:
        subprocess.run([load, str(PORT), '8', str(REQUESTS // 10)], check=True, capture_output=True)
        before = cpu_ns(server.pid)
        said = subprocess.run([load, str(PORT), '8', str(REQUESTS)], check=True, capture_output=True, text=True).stdout
        time.sleep(1.2 if setting else 0)    # what was emitted has been written
        cpu = (cpu_ns(server.pid) - before) / REQUESTS / 1000
        rate, p50, p99 = map(float, said.split())
        return {'cpu': cpu, 'rate': rate, 'p50': p50, 'p99': p99, 'rss': resident(server.pid)}
    finally:
        server.terminate()
        server.wait()


def interval(values):
    mean = statistics.mean(values)
    half = 1.96 * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else float('nan')
    return f'{100 * mean:+.1f} % ({100 * (mean - half):+.1f} to {100 * (mean + half):+.1f})'


def main():
    work = tempfile.mkdtemp()
    load = os.path.join(work, 'load')
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'load.c')
    subprocess.run(['cc', '-O2', '-o', load, source], check=True)
    runs = {mode: [] for mode in MODES}
    try:
        for pair in range(PAIRS):
            # Who comes first has a colder machine.
            order = list(MODES) if pair % 2 == 0 else list(reversed(MODES))
            for mode in order:
                runs[mode].append(run(load, work, MODES[mode]))
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print(f'{PAIRS} rounds of {REQUESTS} requests')
    for mode, rows in runs.items():
        median = {k: statistics.median(r[k] for r in rows) for k in rows[0]}
        more = [r['cpu'] / base['cpu'] - 1 for r, base in zip(rows, runs['without'])]
        print(f'{mode:8} {median["rate"] / 1000:6.0f} k/s  {median["cpu"]:5.2f} us CPU  p50 {median["p50"]:6.1f} us  '
              f'p99 {median["p99"]:6.1f} us  {median["rss"]:5.1f} MB  {"" if mode == "without" else interval(more)}')


main()
