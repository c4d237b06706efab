#!/usr/bin/env python3
"""Make the recordings that report.js looks at: a shop with known numbers, hostile texts, nothing.

usage: plant_report.py SOURCE_ROOT DIRECTORY [SECONDS]

SECONDS: only the shop, for so long.
"""
import os
import sys

sys.path.insert(0, os.path.join(sys.argv[1], 'tests'))
from plant import Recording, Types  # noqa: E402

TYPES = Types(os.path.join(sys.argv[1], 'tests/data/ok/jvm-25.jfr'))
MB = 1 << 20


def write(name, r):
    with open(os.path.join(sys.argv[2], name), 'wb') as f:
        f.write(r.bytes())


def jvm(r, arguments):
    version = ("OpenJDK 64-Bit Server VM (25.0.3+9-LTS) for linux-amd64 JRE (25.0.3+9-LTS), "
               "built on 2026-04-21")
    r.add('jdk.JVMInformation', at=0, jvmName='OpenJDK 64-Bit Server VM', jvmVersion=version,
          javaArguments=arguments, jvmArguments='-Xmx512m', pid=4711)
    r.add('jdk.CPUInformation', at=0, cpu='Some CPU', sockets=1, cores=4, hwThreads=8)
    r.add('jdk.GCConfiguration', at=0, youngCollector='G1New', oldCollector='G1Old')


def collection(r, at, pause, number, before, after):
    r.add('jdk.GarbageCollection', at=at, duration=pause, gcId=number, name='G1New',
          cause='G1 Evacuation Pause', sumOfPauses=pause, longestPause=pause)
    r.add('jdk.GCPhasePause', at=at, duration=pause, gcId=number, name='GC Pause')
    for when, used, moment in (('Before GC', before, at), ('After GC', after, at + pause)):
        r.add('jdk.GCHeapSummary', at=moment, gcId=number, when=when, heapUsed=used)


def shop(seconds=600, texts=None):
    """Ten minutes with something of everything; the longest pause, of 1.5 s, begins at 300 s."""
    texts = texts or {}
    say = lambda word: texts.get('all', word)  # noqa: E731
    r = Recording(TYPES)
    jvm(r, arguments=say('shop.Main --port 80'))
    for i in range(seconds):
        r.add('jdk.CPULoad', at=i, jvmUser=0.3, jvmSystem=0.1, machineTotal=0.5)
        r.add('jdk.JavaThreadStatistics', at=i, activeCount=20 + i // 100, daemonCount=5,
              accumulatedCount=20 + i, peakCount=30)
        r.add('jdk.ClassLoadingStatistics', at=i, loadedClassCount=1000 + i, unloadedClassCount=3)
        r.add('jdk.ExceptionStatistics', at=i, throwables=i * 7)
        r.add('jdk.ExecutionSample', at=i, sampledThread=say('worker'),
              stackTrace=[say('shop.Hot.loop'), 'shop.Orders.work', 'shop.Main.main'])
        r.add('jdk.ObjectAllocationSample', at=i, eventThread=say('worker'), weight=MB,
              objectClass=say('shop.Order'), stackTrace=['shop.Orders.load', 'shop.Main.main'])
    for i in range(seconds // 10):
        collection(r, i * 10, 1.5 if i == 30 else 0.02, i, 300 * MB, (50 + i) * MB)
        r.add('jdk.JavaMonitorEnter', at=i * 10, duration=0.25, eventThread=say('worker'),
              monitorClass=say('shop.Lock'), previousOwner='main',
              stackTrace=['shop.Orders.lock', 'shop.Main.main'])
        r.add('jdk.SocketRead', at=i * 10 + 1, duration=0.1, eventThread=say('worker'),
              host=say('db.example'), address='192.0.2.1', port=5432, bytesRead=1000,
              stackTrace=['shop.Orders.read', 'shop.Main.main'])
        r.add('jdk.FileRead', at=i * 10 + 2, duration=0.05, eventThread=say('worker'),
              path=say('/srv/shop/orders'), bytesRead=4096, stackTrace=['shop.Orders.read'])
        r.add('jdk.JavaExceptionThrow', at=i * 10 + 3, eventThread=say('worker'),
              thrownClass=say('shop.Failure'), message=say('no such order'),
              stackTrace=['shop.Orders.check', 'shop.Main.main'])
        if i >= 50:
            r.add('jdk.JavaExceptionThrow', at=i * 10 + 4, eventThread=say('worker'),
                  thrownClass=say('shop.LateFailure'), message=say('too late'),
                  stackTrace=['shop.Orders.check', 'shop.Main.main'])
        r.add('jdk.ThreadCPULoad', at=i * 10, eventThread=say('worker'), user=0.2, system=0.1)
    r.add('jdk.InitialSystemProperty', at=0, key='shop.password', value='Tr0ub4dor&3')
    r.add('jdk.InitialSystemProperty', at=0, key=say('shop.name'), value=say('Shop'))
    r.add('jdk.InitialEnvironmentVariable', at=0, key='SHOP_HOME', value=say('/srv/shop'))
    return r


def hostile():
    bad = ['</script><script>document.title="taken"</script>', '<img src=x onerror="document.title=2">',
           '"><b id=theirs>', "' onmouseover='document.title=3", '\u202egnirts.evil', '&amp;&lt;`${1}',
           '[x](javascript:document.title=4)', '| a | b |\n# theirs\n', '\u0000\u0007\x1b[31mred',
           'x' * 3_000_000]
    for i, text in enumerate(bad):
        write('hostile%d.jfr' % i, shop(seconds=20, texts={'all': text}))


if len(sys.argv) > 3:
    write('shop.jfr', shop(int(sys.argv[3])))
    sys.exit()
write('shop.jfr', shop())
hostile()
write('nothing.jfr', Recording(TYPES))
