# SPDX-License-Identifier: MIT
#
# server.py - what the recorder costs a server: memcached, with and without jfrec-record-preload.so
#
# usage: server.py BUILD_DIRECTORY [ROUNDS [REQUESTS]]
#
# In each round one server of each mode is started, and they get short bursts of requests in turn, so
# that what else the machine does meets them alike.  The CPU time is that of all threads of a server
# over the round, less what an idle server takes in the time in which the others are asked.  Prints a
# table: medians, and what a request costs more than without the recorder, with the 95 % interval of
# the mean of the rounds.

import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

BUILD = os.path.abspath(sys.argv[1])
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 30
REQUESTS = int(sys.argv[3]) if len(sys.argv) > 3 else 160000
PRELOAD = os.path.join(BUILD, 'lib', 'recorder', 'jfrec-record-preload.so')
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
BURST = 3000
IDLE_SECONDS = 3


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


def start(work, port, setting):
    env = dict(os.environ)
    if setting:
        env.update(LD_PRELOAD=PRELOAD, JFREC_RECORD=f'repository={work},{setting}' if 'name=' in setting else setting)
    return subprocess.Popen(['memcached', '-l', '127.0.0.1', '-p', str(port), '-U', '0', '-t', '1', '-u', 'root'], env=env)


def burst(load, port):
    said = subprocess.run([load, str(port), '8', str(BURST)], check=True, capture_output=True, text=True).stdout
    return [float(n) for n in said.split()]    # requests per second, p50 and p99 in us


def cpu_of(servers):
    return {mode: cpu_ns(server.pid) for mode, (server, _) in servers.items()}


def idle_share(servers):
    """Of a processor, by servers that have nothing to do."""
    before, begin = cpu_of(servers), time.monotonic_ns()
    time.sleep(IDLE_SECONDS)
    return {mode: (ns - before[mode]) / (time.monotonic_ns() - begin) for mode, ns in cpu_of(servers).items()}


def one_round(load, work, number):
    servers = {mode: (start(work, PORT + i, setting), PORT + i) for i, (mode, setting) in enumerate(MODES.items())}
    said, bursts, modes = {mode: [] for mode in MODES}, max(REQUESTS // BURST, 1), list(MODES)
    time.sleep(1.0)    # until they listen, and the recorders have measured the clock
    try:
        for _, port in servers.values():
            burst(load, port)
        time.sleep(1.2)    # what was emitted has been written
        idle = idle_share(servers)
        before, begin = cpu_of(servers), time.monotonic_ns()
        for i in range(bursts):
            first = (i + number) % len(modes)
            for mode in modes[first:] + modes[:first]:
                said[mode].append(burst(load, servers[mode][1]))
        time.sleep(1.2)
        after, lasted = cpu_of(servers), time.monotonic_ns() - begin
        row = {}
        for mode, (server, _) in servers.items():
            rate, p50, p99 = (statistics.median(column) for column in zip(*said[mode]))
            busy = sum(BURST / of[0] for of in said[mode]) * 1e9
            cpu = (after[mode] - before[mode] - idle[mode] * (lasted - busy)) / (bursts * BURST) / 1000
            row[mode] = {'cpu': cpu, 'rate': rate, 'p50': p50, 'p99': p99, 'idle': idle[mode] * 100,
                         'rss': resident(server.pid)}
        return row
    finally:
        for server, _ in servers.values():
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
        for number in range(ROUNDS):
            for mode, row in one_round(load, work, number).items():
                runs[mode].append(row)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print(f'{ROUNDS} rounds of {REQUESTS} requests; idle: of a processor, by a server that has nothing to do')
    for mode, rows in runs.items():
        median = {k: statistics.median(r[k] for r in rows) for k in rows[0]}
        more = [r['cpu'] / base['cpu'] - 1 for r, base in zip(rows, runs['without'])]
        print(f'{mode:8} {median["rate"] / 1000:6.0f} k/s  {median["cpu"]:5.2f} us CPU  p50 {median["p50"]:6.1f} us  '
              f'p99 {median["p99"]:6.1f} us  idle {median["idle"]:.2f} %  {median["rss"]:5.1f} MB  '
              f'{"" if mode == "without" else interval(more)}')


main()
