#!/usr/bin/env python3
"""Make the recordings that flame.js looks at: known shares, hostile names, deep stacks.

usage: plant_stacks.py SOURCE_ROOT DIRECTORY
"""
import os
import sys

sys.path.insert(0, os.path.join(sys.argv[1], 'tests'))
from plant import Recording, Types  # noqa: E402

TYPES = Types(os.path.join(sys.argv[1], 'tests/data/ok/jvm-25.jfr'))


def sample(r, at, stack, thread='main'):
    r.add('jdk.ExecutionSample', at=at, sampledThread=thread, stackTrace=stack)


def write(name, r):
    with open(os.path.join(sys.argv[2], name), 'wb') as f:
        f.write(r.bytes())




def shares():
    """100 s: 60 % in Hot.loop, in the first half only; 40 % in Warm.step; and allocations."""
    r = Recording(TYPES)
    for i in range(1000):
        if i < 600:
            sample(r, i / 12, ['shop.Hot.loop', 'shop.Orders.work', 'shop.Main.main'])
        else:
            sample(r, 50 + (i - 600) / 8, ['shop.Warm.step', 'shop.Orders.work', 'shop.Main.main'])
    for i in range(40):
        r.add('jdk.JavaExceptionThrow', at=i, thrownClass='shop.Failure', eventThread='main',
              stackTrace=['shop.Orders.check', 'shop.Main.main'])
    write('shares.jfr', r)


def hostile():
    r = Recording(TYPES)
    bad = ['a.</script><script>document.title=1</script>', 'a.<img src=x onerror="document.title=2">',
           'a.\u202egnirts.evil', 'a.&amp;<b>"\'`${1}', 'a.' + 'x' * 100000, 'a.\u05d0\u05d1\u05d2.run',
           'a.b\u0000c', 'a.;\n\r\t', '.', '']
    for i, name in enumerate(bad * 3):
        sample(r, i, [name, 'shop.Main.main'], thread='</title><script>1</script>')
    write('hostile.jfr', r)


def deep():
    r = Recording(TYPES)
    for i in range(20):
        sample(r, i, ['deep.C%d.m' % n for n in range(2000)])
    write('deep.jfr', r)


def pools():
    """100 s: two threads of a pool in the first half, another one in the second."""
    r = Recording(TYPES)
    for i in range(300):
        sample(r, i / 6, ['shop.Hot.loop', 'shop.Main.main'], thread='pool-1-thread-%d' % (i % 2 + 1))
    for i in range(100):
        sample(r, 50 + i / 2, ['shop.Warm.step', 'shop.Main.main'], thread='mail')
    write('pools.jfr', r)


shares()
pools()
hostile()
deep()
