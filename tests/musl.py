# SPDX-License-Identifier: MIT
#
# musl.py - build jfrec, and tests that confine themselves, with musl, and run them
#
# usage: musl.py BUILD SOURCE_ROOT
#
# Musl makes other system calls than glibc, and has other constants. All sources of BUILD are
# compiled with musl-gcc; the headers of other libraries, and of the kernel, are those of the
# system, and so are the libraries, which call nothing that musl does not have (musl_chk.c). What
# libraries are loaded for at run time cannot be had: SQL, debug information, XML.

import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys

PARTS = ('jfrec.p/', 'libjfrec_internal.a.p/')
LIBRARIES = ('jansson', 'yaml', 'z', 'zstd', 'lz4', 'lzma', 'bz2')
CONFINING = [f'cli/base/confine{part}.c' for part in ('', '_calls', '_capabilities', '_files')]
TESTS = ('confine', 'calls', 'tricks')

build, root = [os.path.abspath(a) for a in sys.argv[1:3]]
made = os.path.join(build, 'musl')


def run(*command, **kw):
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, **kw)


def headers():
    multiarch = run('cc', '-print-multiarch').stdout.strip()
    return [a for d in ('', '/' + multiarch, '/libxml2') for a in ('-idirafter', '/usr/include' + d)]


ARGUMENTS = ['-O1', '-std=gnu11', '-Werror=implicit-function-declaration', *headers()]


def musl(*arguments, **kw):
    done = run('musl-gcc', *ARGUMENTS, *arguments, **kw)
    if done.returncode:
        print(done.stderr[:2000])
    return done.returncode == 0


def compile_source(entry):
    to = os.path.join(made, entry['output'].replace('/', '_'))
    kept = [a for a in shlex.split(entry['command'])
            if re.match(r'-I(?!/usr)|-D(?!_FORTIFY)', a)]
    return to, musl('-c', *kept, '-o', to, entry['file'], cwd=entry['directory'])


def archives():
    paths = (run('cc', f'-print-file-name=lib{name}.a').stdout.strip() for name in LIBRARIES)
    return [p for p in paths if os.path.isabs(p)]


def build_tool():
    with open(os.path.join(build, 'compile_commands.json')) as f:
        entries = [e for e in json.load(f) if e['output'].startswith(PARTS)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compile_source, entries))
    return entries and all(good for _, good in objects) and musl(
        '-static', '-o', os.path.join(made, 'jfrec'), *(o for o, _ in objects),
        os.path.join(root, 'tests/musl_chk.c'), *archives())


def build_test(name):
    return musl('-D_GNU_SOURCE', '-D_FILE_OFFSET_BITS=64', '-Icli', '-Ilib', '-static', '-o',
                os.path.join(made, 'test_' + name), f'tests/unit/test_{name}.c', *CONFINING, cwd=root)


def passes(*command):
    done = run(*command)
    if done.returncode:
        print(re.sub(r'(?m)^ok.*\n', '', done.stdout)[:4000], done.stderr[:2000])
    return done.returncode == 0


def main():
    os.makedirs(made, exist_ok=True)
    good = build_tool() and passes(
        'sh', os.path.join(root, 'tests/cli/confined.sh'), os.path.join(made, 'jfrec'), root,
        os.path.join(build, 'tests/lacking'))
    for name in TESTS:
        good = build_test(name) and passes(os.path.join(made, 'test_' + name)) and good
    return 0 if good else 1


sys.exit(main())
