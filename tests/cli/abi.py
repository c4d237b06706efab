# SPDX-License-Identifier: MIT
#
# abi.py - the binary interfaces of the libraries are those that tests/abi describes
#
# usage: abi.py SOURCE_ROOT
#
# tests/abi/LIBRARY.abi describes functions and types as abidw sees them (Debian: abigail-tools),
# which is compared with the headers by abidiff.  What is described is not the library as built,
# which depends on the compiler's options, but the headers alone: each prototype gets an empty
# function.  That the library has these functions and no others is for symbols.py.
#
# UPDATE=1 describes them anew.  Each description has a line of CHANGELOG.md with its sum, which
# tells programs what changed: without that line the test fails.

import glob
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

import headers

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402

OPTIONS = ['--no-corpus-path', '--no-show-locs', '--no-comp-dir-path', '--no-elf-needed',
           '--no-architecture', '--no-parameter-names', '--type-id-style', 'hash']


class Library:
    """A library, and the headers that it promises."""
    def __init__(self, root, name, folder, paths, includes):
        self.name, self.paths, self.includes = name, paths, includes
        self.include_dir = os.path.join(root, folder)
        self.abi = os.path.join(root, 'tests', 'abi', name + '.abi')


def libraries(root):
    recorder = os.path.join(root, 'lib', 'recorder', 'jfrec-recorder.h')
    return [Library(root, 'libjfrec', 'lib', headers.paths(root), ['jfrec.h']),
            Library(root, 'libjfrec-recorder', 'lib/recorder', [recorder], ['jfrec-recorder.h'])]


def prototypes(text):
    """The prototypes of a header, without their attributes and what is around them."""
    code = re.sub(r'/\*.*?\*/', '', text, flags=re.S)
    code = re.sub(r'^[ \t]*#(?:.*\\\n)*.*', '', code, flags=re.M)
    code = re.sub(r'\bJFREC_(?:BEGIN|END)_DECLS\b', '', code)
    while '{' in code:
        code = re.sub(r'\{[^{}]*\}', ';', code)
    for statement in code.split(';'):
        statement = re.sub(r'__attribute__\s*\(\(.*?\)\)(?=\s*(?:$|__attribute__))', '',
                           ' '.join(statement.split()))
        if re.search(r'\bjfrec_\w+\s*\(', statement) and \
                not re.match(r'(typedef|static|extern "C"|enum \w+ *$)', statement):
            yield statement.strip()


def build(lib, texts, work):
    """A shared object that has the functions and nothing in them; its path."""
    source = os.path.join(work, 'stubs.c')
    made = os.path.join(work, lib.name + '.so')
    with open(source, 'w', encoding='utf-8') as f:
        f.write(''.join(f'#include "{i}"\n' for i in lib.includes))
        for text in texts:
            f.write(''.join(f'{p}\n{{\n\t__builtin_trap();\n}}\n' for p in prototypes(text)))
    subprocess.run(['cc', '-std=gnu11', '-g', '-O0', '-fPIC', '-shared', '-w', '-I',
                    lib.include_dir, '-o', made, 'stubs.c'], cwd=work, check=True)
    return made


def describe(made, to):
    subprocess.run(['abidw', *OPTIONS, '--out-file', to, made], check=True)


def differences(old, new):
    """What abidiff says, or None: they are the same."""
    done = subprocess.run(['abidiff', '--no-show-locs', '--harmless', old, new], capture_output=True, text=True)
    return done.stdout + done.stderr if done.returncode else None


def sum_of(path):
    with open(path, 'rb') as f:
        return hashlib.sha256(f.read()).hexdigest()[:12]


def has_line(root, name, digest):
    path = os.path.join(root, 'CHANGELOG.md')
    lines = headers.read(path).split('\n') if os.path.exists(path) else []
    return any(re.search(rf'\b{name}\b.*\bABI {digest}\b.*: \S', line) for line in lines)


def check(root, lib, work):
    texts = [headers.read(p) for p in lib.paths]
    made = build(lib, texts, work)
    new = os.path.join(work, lib.name + '.abi')
    described = sum(1 for text in texts for _ in prototypes(text))
    declared = sum(len(headers.functions(text)) for text in texts)
    result(described == declared, f'{lib.name}: each prototype is described',
           f'{described} of {declared}')
    describe(made, new)
    said = differences(lib.abi, new) if os.path.exists(lib.abi) else f'there is no {lib.abi}'
    if said is not None and os.environ.get('UPDATE'):
        shutil.copy(new, lib.abi)
        said = differences(lib.abi, new)
    result(said is None, f'{lib.name}: functions and types are those of tests/abi', said or '',
           'UPDATE=1 renews them; then tell what changed in CHANGELOG.md')
    digest = sum_of(lib.abi)
    result(has_line(root, lib.name, digest), f'{lib.name}: CHANGELOG.md tells of this description',
           f'a line such as: * {lib.name}, ABI {digest}: what changed')
    check_planted(lib, texts, new, work)


def check_planted(lib, texts, described, work):
    """A function that is gone is found, and a parameter of another type."""
    last = list(prototypes(texts[-1]))[-1]
    name = re.search(r'\b(jfrec_\w+)\s*\(', last).group(1)
    for what, text in (('a lost function', re.sub(rf'[^;]*\b{name}\b[^;]*;', ';', texts[-1])),
                       ('another parameter', re.sub(rf'\b{name}\(', f'{name}(int planted, ',
                                                    texts[-1]))):
        folder = os.path.join(work, 'planted')
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        stubs = build_apart(lib, texts[:-1] + [text], folder)
        describe(stubs, os.path.join(folder, 'new.abi'))
        result(differences(described, os.path.join(folder, 'new.abi')) is not None,
               f'{lib.name}: {what} is found')


def build_apart(lib, texts, folder):
    """The same with a copy of the headers, of which the last is another text."""
    copy = os.path.join(folder, 'include')
    shutil.copytree(lib.include_dir, copy,
                    ignore=lambda d, names: [n for n in names if not n.endswith('.h') and
                                             n != 'jfrec'])
    path = os.path.join(copy, os.path.relpath(lib.paths[-1], lib.include_dir))
    with open(path, 'w', encoding='utf-8') as f:
        f.write(texts[-1])
    other = Library('/', lib.name, copy, lib.paths, lib.includes)
    return build(other, texts, folder)


def main():
    root = os.path.abspath(sys.argv[1])
    missing = [tool for tool in ('abidw', 'abidiff', 'cc') if not shutil.which(tool)]
    if missing:
        print(f'1..0 # SKIP no {" and no ".join(missing)}')
        return
    if platform.machine() != 'x86_64' or platform.libc_ver()[0] != 'glibc':
        print('1..0 # SKIP the descriptions are those of x86-64 with glibc')
        return
    for lib in libraries(root):
        with tempfile.TemporaryDirectory() as work:
            check(root, lib, work)
    finish()


main()
