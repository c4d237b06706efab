#!/usr/bin/env python3
"""The times of a flame graph's page say what its tree says, and what --from and --to say.

usage: page_times.py JFREC RECORDING...
"""
import base64
import re
import subprocess
import sys
import zlib


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def piece(self, size):
        self.at += size
        return self.data[self.at - size:self.at]


def block(page, name):
    found = re.search(r'octet-stream" id="%s">([^<]*)<' % name, page)
    return Reader(zlib.decompress(base64.b64decode(found[1]), -15)) if found else None


def read_trees(r):
    assert r.number() == 2
    names, before = [], b''
    for _ in range(r.number()):
        before = before[:r.number()]
        before += r.piece(r.number())
        names.append(before.decode())
    frames = [r.number() for _ in range(r.number())]
    for _ in range(3 * len(frames)):
        r.number()
    trees = []
    for _ in range(r.number()):
        name = r.piece(r.number()).decode()
        r.piece(r.number())
        for _ in range(7):
            r.number()
        sides, count = r.number(), r.number()
        numbers = [r.number() for _ in range(count)]
        pops = [r.number() for _ in range(count)]
        weights = [r.number() for _ in range(count)]
        assert sides == 1
        path, paths = [], []
        for i in range(count):
            if pops[i]:
                del path[-pops[i]:]
            path.append(names[frames[numbers[i]]] if i else '')
            paths.append(';'.join(path[1:]))
        trees.append((name, paths, weights))
    return trees


def read_times(r, count):
    unit = r.number()
    lengths = [(r.number(), r.number()) for _ in range(count)]
    spans = []
    for size, total in lengths:
        end, node, entries = r.at + size, 0, []
        while r.at < end:
            token = r.number()
            node += token >> 1
            entries.append((node, (r.number() if token & 1 else 1) * unit))
        assert sum(w for _, w in entries) == total * unit
        spans.append(entries)
    return unit, spans


def run(*args):
    return subprocess.run(args, check=True, stdout=subprocess.PIPE).stdout.decode()


def add(spans):
    sums = {}
    for entries in spans:
        for node, weight in entries:
            sums[node] = sums.get(node, 0) + weight
    return sums


def zone_of(jfrec, path):
    """In seconds: the zone in which `analyze` says when the recording began."""
    sign, hours, minutes = re.search(r' from [-\dT:.]+?(?:Z|([-+])(\d\d):(\d\d))[, ]',
                                     run(jfrec, 'analyze', path)).groups()
    return (-1 if sign == '-' else 1) * (int(hours) * 3600 + int(minutes) * 60) if sign else 0


def zone_in_page(page):
    times = block(page, 'times')
    return [times.number() for _ in range(4)][3] - 86400


def check_recording(jfrec, path):
    page = run(jfrec, 'flame', '--format', 'html', path)
    times = block(page, 'times')
    assert block(run(jfrec, 'flame', '--no-time', '--format', 'html', path), 'times') is None
    count = times.number()
    assert 0 < count <= 8641
    ms, begin, ahead = times.number(), times.number(), times.number() - 86400
    assert ahead == zone_of(jfrec, path), (path, ahead)
    assert zone_in_page(run(jfrec, 'flame', '--format', 'html', '--tz', '-03:30', path)) == -12600
    for name, paths, weights in read_trees(block(page, 'data')):
        unit, spans = read_times(times, count)
        nodes = [n for n, weight in enumerate(weights) if weight]
        spans = [[(nodes[n], w) for n, w in entries] for entries in spans]
        sums = add(spans)
        for node, weight in enumerate(weights):
            assert abs(sums.get(node, 0) - weight) < unit, (path, name, node, weight, sums.get(node))
        print('#', name, len(spans), 'spans of', ms, 'ms, in units of', unit)
        if name not in ('cpu', 'alloc', 'exceptions'):
            continue  # events that take time belong to the span in which they began
        half = len(spans) // 2
        at = '%d.%03d' % divmod(begin + half * ms, 1000)
        when = run('date', '-u', '-d', '@' + at, '+%Y-%m-%dT%H:%M:%S.%3NZ').strip()
        found = {paths[n]: w for n, w in add(spans[:half]).items()}
        expected = {}
        for line in (run(jfrec, 'flame', '--format', 'collapsed', '--norm', 'yes', '--profile', name,
                         '--to', when, path) if found else '').splitlines():
            stack, weight = line.rsplit(' ', 1)
            stack = re.sub(r'_\[.\](;|$)', r'\1', stack).replace('/', '.')
            expected[stack] = expected.get(stack, 0) + int(weight)
        assert set(expected) == {p for p in found if found[p]} or unit > 1, name
        assert abs(sum(expected.values()) - sum(found.values())) <= unit * len(expected), name


def main():
    for number, path in enumerate(sys.argv[2:], 1):
        check_recording(sys.argv[1], path)
        print('ok %d - %s' % (number, path.rsplit('/', 1)[-1]))
    print('1..%d' % (len(sys.argv) - 2))


if __name__ == '__main__':
    main()
