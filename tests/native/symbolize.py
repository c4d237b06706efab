# SPDX-License-Identifier: MIT
#
# symbolize.py - `jfrec symbolize` gives stacks the names and lines that debug information has
#
# usage: symbolize.py JFREC SOURCE_ROOT LIBRARY_DIRECTORY

import glob
import json
import os
import platform
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from schema import Validator, faults_of  # noqa: E402
from tap import finish, result, skip  # noqa: E402

JFREC, SOURCE, LIBRARY = [os.path.abspath(a) for a in sys.argv[1:4]]
PROGRAM = os.path.join(SOURCE, 'tests', 'native', 'layers.c')
LINES = {m[1]: n for n, line in enumerate(open(PROGRAM), 1) for m in [re.search(r'; /\* (\w+) \*/$', line)] if m}
EXPECTED = [(name, LINES[name]) for name in ('innermost', 'inner', 'outer', 'main')]


def run(*command, **kw):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **kw)


def compile_program(to, compiler, flags):
    return run(compiler, *flags, '-I' + os.path.join(SOURCE, 'lib', 'recorder'), '-o', to, PROGRAM, '-L' + LIBRARY,
               '-ljfrec-recorder', '-ldl', '-Wl,-rpath,' + LIBRARY)


def build_id(path):
    found = re.search(r'Build ID: (\w+)', run('readelf', '-n', path).stdout)
    return found[1] if found else None


def record(program, to, *args, settings=''):
    env = dict(os.environ, JFREC_RECORD=f'repository={os.path.dirname(to)},filename={to}{settings}')
    return run(program, *args, env=env)


def stacks(recording):
    """{number: [(method, line), ...]}, the innermost first."""
    out = run(JFREC, 'print', '--json', '--stack-depth', '64', '--events', 'test.Layered', recording).stdout
    return {e['values']['number']: [(f['method']['name'], f['lineNumber']) for f in e['values']['stackTrace']['frames']]
            for e in json.loads(out)['recording']['events']}


def has(frames, expected):
    return any(frames[i:i + len(expected)] == expected for i in range(len(frames)))


def symbolize(work, *options, recording='layers.jfr', to='named.jfr'):
    to = os.path.join(work, to)
    if os.path.exists(to):
        os.unlink(to)
    return run(JFREC, 'symbolize', '--no-system', *options, os.path.join(work, recording), '-o', to), to


def prepare(work, name, compiler, flags):
    """A stripped program that has recorded; its debug information is in NAME.whole and NAME.debug."""
    program = os.path.join(work, name)
    done = compile_program(program, compiler, flags)
    if done.returncode:
        return None, done.stderr
    shutil.copy(program, program + '.whole')
    for command in (['objcopy', '--only-keep-debug', program, program + '.debug'], ['strip', program]):
        done = run(*command)
        if done.returncode:
            return None, done.stderr
    done = record(program, os.path.join(work, name + '.jfr'))
    return (program, '') if done.returncode == 0 else (None, done.stderr)


def put(directory, path, source):
    """An empty directory with that file in it."""
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(os.path.dirname(os.path.join(directory, path)))
    shutil.copy(source, os.path.join(directory, path))
    return directory


def by_id(program):
    """Where debuggers look for it."""
    digits = build_id(program + '.whole')
    return os.path.join('.build-id', digits[:2], digits[2:] + '.debug')


def check_named(label, done, named, expected=None):
    found = stacks(named) if done.returncode == 0 else {}
    result(has(found.get(1, []), expected or EXPECTED), label, done.stdout, done.stderr, str(found.get(1)))


# Where it is found ---------------------------------------------------------------------------------

def places(work):
    program, why = prepare(work, 'layers', 'gcc', ['-O2', '-g'])
    if not program:
        result(False, 'a program that records is built', why)
        return
    before = stacks(program + '.jfr')[1]
    result(not {'innermost', 'inner', 'outer', 'main'} & {n for n, _ in before}, 'a stripped program has no names', str(before))
    debug = os.path.join(work, 'debug')
    for label, path, source in [('by build ID', by_id(program), '.debug'), ('by any name', 'other.name', '.debug'),
                                ('in the program itself', 'layers', '.whole')]:
        done, named = symbolize(work, '--debug-dir', put(debug, path, program + source))
        check_named(f'debug information is found {label}', done, named)
    links = os.path.join(work, 'links')  # the kernel allows what they lead to, though it is elsewhere
    os.mkdir(links)
    elsewhere = put(os.path.join(work, 'elsewhere'), 'x.debug', program + '.debug')
    os.symlink(os.path.join(elsewhere, 'x.debug'), os.path.join(links, 'x.debug'))
    done, named = symbolize(work, '--debug-dir', links)
    check_named('debug information is found by a link', done, named)
    shutil.rmtree(elsewhere)
    second = put(os.path.join(work, 'second'), 'no.debug', program)
    done, named = symbolize(work, '--debug-dir', second, '--debug-dir', debug)
    check_named('the directory that has lines wins', done, named)
    unchanged(program + '.jfr', named)
    refusals(work, program, debug)
    named_already(work, program, debug)


def unchanged(recording, named):
    def count(path):
        return [line.split()[:2] for line in run(JFREC, 'summary', path).stdout.splitlines() if '.' in line.split(' ')[0]]
    result(count(recording) == count(named), 'all events are kept', str(count(recording)), str(count(named)))
    checked = run(JFREC, 'summary', named)
    result(checked.returncode == 0 and not checked.stderr, 'and nothing is damaged', checked.stderr)
    for jdk in sorted(glob.glob('/usr/lib/jvm/*/bin/jfr')):
        if '"25' in run(os.path.join(os.path.dirname(jdk), 'java'), '-version').stderr:
            theirs, ours = run(jdk, 'print', named), run(JFREC, 'print', named)
            result(theirs.returncode == 0 and theirs.stdout == ours.stdout and 'outer() line: ' in ours.stdout.replace('layers.', ''),
                   'JDK 25 reads it alike', theirs.stderr, theirs.stdout[-500:])
            return
    skip('JDK 25 reads it alike', 'no JDK 25')


def refusals(work, program, debug):
    other = os.path.join(work, 'other')
    compile_program(other, 'gcc', ['-O1', '-g'])
    done, named = symbolize(work, '--debug-dir', put(debug, 'layers.debug', other))
    result(done.returncode == 1 and 'no debug information was found; nothing was written' in done.stderr and
           'there is no file with its build ID' in done.stderr and not os.path.exists(named),
           'debug information of another build is not taken', done.stdout, done.stderr)
    done, named = symbolize(work, '--debug-dir', os.path.join(work, 'absent'))
    result(done.returncode == 1 and 'absent: No such file or directory' in done.stderr, 'a directory must be there', done.stderr)
    compile_program(other, 'gcc', ['-O2', '-g', '-Wl,--build-id=none'])
    record(other, os.path.join(work, 'plain.jfr'))
    done, named = symbolize(work, '--debug-dir', debug, recording='plain.jfr')
    result(done.returncode == 1 and 'it has no build ID; link it with -Wl,--build-id' in done.stderr,
           'a module without a build ID is reported', done.stderr)
    java = os.path.join(SOURCE, 'tests', 'data', 'ok', 'jvm-25.jfr')
    done, named = symbolize(work, '--debug-dir', debug, recording=java)
    result(done.returncode == 1 and 'it has no stacks of a native program' in done.stderr, 'so is a recording of a JVM',
           done.stderr)
    done, named = symbolize(work, '--debug-dir', put(debug, 'layers.debug', program + '.debug'), '--json')
    said = json.loads(done.stdout or '{"modules": [{}]}')
    module = next((m for m in said['modules'] if m.get('name') == 'layers'), {})
    result(module.get('buildId') == build_id(program) and module.get('file') == os.path.join(debug, 'layers.debug') and
           module['places'] == module['nameless'] >= module['named'] > 0 and said['lines'] > 0, '--json tells what was found',
           done.stdout, done.stderr)
    if Validator:
        faults = faults_of(done.stdout.encode(), 'symbolize')
        result(not faults, 'as its schema says', *faults)
    else:
        skip('as its schema says', 'no jsonschema for Python (python3-jsonschema)')


def named_already(work, program, debug):
    """A program that was not stripped has names, and gets lines."""
    record(program + '.whole', os.path.join(work, 'whole.jfr'))
    result(has([n for n, _ in stacks(os.path.join(work, 'whole.jfr'))[1]], ['outer', 'main']),
           'what was not stripped has the names of its symbols')
    done, named = symbolize(work, '--debug-dir', debug, recording='whole.jfr')
    # Its module has another name, and the same build ID.
    check_named('it gets lines, too', done, named)


# How it was made -----------------------------------------------------------------------------------

def builds(work):
    # Debian's gcc 12 writes version 5, with .debug_aranges; clang writes none.
    for compiler, flags in [('gcc', ['-O2', '-g', '-gdwarf-4']), ('gcc', ['-O2', '-g', '-gz=zlib']),
                            ('gcc', ['-O2', '-g', '-no-pie']), ('gcc', ['-O2', '-g', '-flto']),
                            ('clang', ['-O2', '-g']), ('clang', ['-O2', '-g', '-gdwarf-4', '-fdebug-types-section'])]:
        label = ' '.join([compiler] + flags)
        if not shutil.which(compiler):
            skip(label, f'no {compiler}')
            continue
        program, why = prepare(work, 'built', compiler, flags + ['-Wl,--build-id'])
        if not program:
            result(False, label, why)
            continue
        done, named = symbolize(work, '--debug-dir', put(os.path.join(work, 'debug'), 'built.debug', program + '.debug'),
                                recording='built.jfr')
        check_named(f'{label}: names and lines', done, named)
    if not shutil.which('g++'):
        skip('names of C++', 'no g++')
        return
    program, why = prepare(work, 'built', 'g++', ['-O2', '-g', '-x', 'c++', '-Wl,--build-id'])
    if not program:
        result(False, 'names of C++', why)
        return
    done, named = symbolize(work, '--debug-dir', put(os.path.join(work, 'debug'), by_id(program), program + '.debug'),
                            recording='built.jfr')
    check_named('names of C++ are those of the linker', done, named,
                [('_ZL5outeri' if n == 'outer' else n, line) for n, line in EXPECTED])


def shared_parts(work):
    if not shutil.which('dwz'):
        skip('a part that files share', 'no dwz')
        return
    program, why = prepare(work, 'shared', 'gcc', ['-O2', '-g', '-gdwarf-4'])
    other = os.path.join(work, 'other')
    shutil.copy(program + '.debug', other + '.debug')
    done = run('dwz', '-m', 'common.dwz', '-M', '/usr/lib/debug/.dwz/common.dwz', 'shared.debug', 'other.debug', cwd=work)
    debug = put(os.path.join(work, 'debug'), by_id(program), program + '.debug')
    done, named = symbolize(work, '--debug-dir', debug, recording='shared.jfr')
    result('the file that it shares with others is missing: /usr/lib/debug/.dwz/common.dwz' in done.stdout + done.stderr,
           'a part that files share is missed', done.stdout, done.stderr)
    os.makedirs(os.path.join(debug, '.dwz'))
    shutil.copy(os.path.join(work, 'common.dwz'), os.path.join(debug, '.dwz'))
    done, named = symbolize(work, '--debug-dir', debug, recording='shared.jfr')
    check_named('a part that files share is read', done, named)


# While it runs -------------------------------------------------------------------------------------

def rotation(work):
    """A module that is loaded while it records, and chunks that follow each other."""
    program, plugin = os.path.join(work, 'layers'), os.path.join(work, 'plugin.so')
    done = run('gcc', '-O2', '-g', '-fPIC', '-shared', '-DPLUGIN', '-o', plugin + '.whole', PROGRAM)
    run('strip', '-o', plugin, plugin + '.whole')
    recording = os.path.join(work, 'rotated.jfr')
    done = record(program, recording, plugin, '400', settings=',maxchunksize=10k,flush-interval=10ms')
    debug = put(os.path.join(work, 'debug'), 'layers.debug', program + '.debug')
    shutil.copy(plugin + '.whole', debug)
    done, named = symbolize(work, '--debug-dir', debug, '--json', recording='rotated.jfr')
    chunks = json.loads(done.stdout)['chunks'] if done.returncode == 0 else 0
    found = stacks(named) if done.returncode == 0 else {}
    print(f'# {chunks} chunks')
    expected = EXPECTED[:3] + [('through_plugin', LINES['through_plugin'])]
    wrong = [n for n in range(2, 402) if not has(found.get(n, []), expected)]
    result(len(found) == 401 and not wrong and chunks > 2, 'a module that is loaded later is named in all chunks',
           done.stderr, str(len(found)), str(wrong[:10]), str(found.get(wrong[0]) if wrong else ''))


def by_threads(work):
    """What several threads write of these chunks is, byte for byte, what one writes."""
    damaged = os.path.join(work, 'damaged.jfr')
    data = bytearray(open(os.path.join(work, 'rotated.jfr'), 'rb').read())
    for at in range(len(data) // 5, len(data), len(data) // 5):
        data[at:at + 40] = b'\xff' * 40
    open(damaged, 'wb').write(data)
    names = ['rotated.jfr', 'damaged.jfr', 'layers.jfr', os.path.join(SOURCE, 'tests', 'data', 'ok', 'jvm-25.jfr')]
    debug = os.path.join(work, 'debug')

    def by(jobs, *options):
        to = os.path.join(work, 'by-threads.jfr')
        done = run(JFREC, 'symbolize', '--no-system', '--debug-dir', debug, '--force', '--jobs', jobs, *options, '-o', to,
                   *(os.path.join(work, n) for n in names))
        return done, open(to, 'rb').read()

    for options in [], ['--json']:
        one, written = by('1', *options)
        result(one.returncode == 1 and 'damaged.jfr' in one.stderr and len(written) > 10000, 'damaged chunks are named, too',
               one.stdout, one.stderr)
        for jobs in '2', '3', '8', '10000':
            several, bytes_of = by(jobs, *options)
            result(bytes_of == written, f'{jobs} threads write the same bytes')
            result((several.stdout, several.stderr, several.returncode) == (one.stdout, one.stderr, one.returncode),
                   f'{jobs} threads say the same', several.stdout, several.stderr)
    if shutil.which('valgrind'):
        done = run('valgrind', '-q', '--tool=helgrind', '--error-exitcode=99', JFREC, 'symbolize', '--no-system', '--debug-dir',
                   debug, '--jobs', '3', '--force', '-o', os.path.join(work, 'by-threads.jfr'), os.path.join(work, 'rotated.jfr'))
        result('Possible data race' not in done.stderr and 'lock order' not in done.stderr,
               'threads share nothing that changes', done.stderr[-3000:])
    else:
        skip('threads share nothing that changes', 'no valgrind')


# What is hostile -----------------------------------------------------------------------------------

def hostile(work):
    program = os.path.join(work, 'layers')
    debug = os.path.join(work, 'hostile')
    path = os.path.join(debug, by_id(program))
    put(debug, by_id(program), program + '.debug')
    os.unlink(path)
    os.mkfifo(path)
    done, _ = symbolize(work, '--debug-dir', debug)
    result(done.returncode == 1 and 'it is not a regular file' in done.stderr, 'a FIFO is not opened', done.stderr)
    os.unlink(path)
    os.symlink('/dev/zero', path)
    done, _ = symbolize(work, '--debug-dir', debug)
    result(done.returncode == 1 and 'it is not a regular file' in done.stderr, 'nor is a device', done.stderr)
    os.unlink(path)
    good = open(program + '.debug', 'rb').read()
    with open(path, 'wb') as f:
        f.write(good[:len(good) // 2])
    done, _ = symbolize(work, '--debug-dir', debug)
    result(done.returncode == 1 and len(done.stderr.splitlines()) > 1, 'a file that was cut short is reported', done.stderr)
    seed = int(os.environ.get('JFREC_TEST_SEED', '1'))
    chance = random.Random(seed)
    bad = []
    for i in range(150):
        data = bytearray(good)
        for _ in range(chance.choice([1, 3, 30])):
            data[chance.randrange(64, len(data))] = chance.choice([0, 0x7f, 0x80, 0xff, chance.randrange(256)])
        with open(path, 'wb') as f:
            f.write(data)
        done, _ = symbolize(work, '--debug-dir', debug, '--max-memory', '512M')
        if done.returncode not in (0, 1) or 'Sanitizer' in done.stderr:
            bad.append(f'{i}: {done.returncode} {done.stderr[:300]}')
    result(not bad, 'files with errors do no harm', f'seed {seed}', *bad[:5])


def main():
    if platform.machine() != 'x86_64' or not shutil.which('gcc') or not shutil.which('objcopy') or not shutil.which('readelf'):
        skip('symbolize', 'stacks need x86-64, and this gcc and binutils')
        finish()
    if 'built without libdw' in run(JFREC, 'symbolize', os.devnull, '-o', 'x').stderr:
        skip('symbolize', 'jfrec was built without libdw')
        finish()
    if '__asan_init' in run('nm', '-D', os.path.join(LIBRARY, 'libjfrec-recorder.so')).stdout:
        skip('symbolize', 'the recorder has sanitizers')
        finish()
    work = tempfile.mkdtemp()
    try:
        places(work)
        builds(work)
        shared_parts(work)
        rotation(work)
        by_threads(work)
        hostile(work)
    finally:
        shutil.rmtree(work)
    finish()


main()
