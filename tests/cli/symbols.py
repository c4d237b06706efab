# SPDX-License-Identifier: MIT
#
# symbols.py - the names that the libraries give to programs are those of the public headers
#
# usage: symbols.py JFREC SOURCE_ROOT [recorder]
#
# lib/libjfrec.sym has each function of the headers and nothing else; libjfrec.so exports just
# these, under their version; libjfrec.a, in which other programs' names must not be met, has these
# and names that begin with jfrec__.  The same for libjfrec-recorder.

import os
import re
import shutil
import subprocess
import sys
import tempfile

import headers

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402


class Library:
    """Where the parts of a library are."""
    def __init__(self, which, source, build):
        self.is_recorder = which == 'recorder'
        self.name = 'libjfrec-recorder' if self.is_recorder else 'libjfrec'
        self.folder = os.path.join(source, 'lib', 'recorder') if self.is_recorder \
            else os.path.join(source, 'lib')
        self.headers = [os.path.join(self.folder, 'jfrec-recorder.h')] if self.is_recorder \
            else headers.paths(source)
        self.built = os.path.join(build, 'lib', 'recorder') if self.is_recorder else build
        self.least = 12 if self.is_recorder else 150


def listed(text):
    """{name: version} of a version script, and the lines in it that are not understood."""
    names, strange, node, local = {}, [], None, False
    for line in re.sub(r'#.*', '', text).split('\n'):
        line = line.strip()
        opened = re.fullmatch(r'(JFREC_(?:RECORDER_)?[0-9.]+) \{', line)
        if opened:
            node, local = opened.group(1), False
        elif line == 'local:':
            local = True
        elif re.fullmatch(r'jfrec_[a-z0-9_]+;', line) and node and line[:-1] not in names:
            names[line[:-1]] = node
        elif line and not (line == '*;' and local) and line not in ('global:', '};') and \
                not re.fullmatch(r'\} JFREC_(?:RECORDER_)?[0-9.]+;', line):
            strange.append(line)
    return names, strange


def declared(texts):
    return [name for text in texts for name, _, _ in headers.functions(text)]


def differences(a, b, of_a, of_b):
    return ([f'{n} is in {of_a}, not in {of_b}' for n in sorted(set(a) - set(b))] +
            [f'{n} is in {of_b}, not in {of_a}' for n in sorted(set(b) - set(a))])


def nm(*arguments):
    said = subprocess.run(['nm', '-P', '--defined-only', *arguments], check=True,
                          capture_output=True, text=True).stdout
    return [line.split()[0] for line in said.split('\n') if len(line.split()) > 1]


def foreign(archive, public):
    """Global names of a static library that could be met in another program."""
    return sorted({n for n in nm('-g', archive)
                   if not n.startswith(('jfrec__', '__')) and n not in public})


def plant(archive, work):
    """The archive with one more object in it, which has a name without a prefix."""
    copy = os.path.join(work, 'planted.a')
    shutil.copy(archive, copy)
    source = os.path.join(work, 'planted.c')
    with open(source, 'w') as f:
        f.write('int planted(void); int planted(void) { return 1; }\n')
    subprocess.run(['cc', '-c', '-o', source[:-1] + 'o', source], check=True)
    subprocess.run(['ar', 'q', copy, source[:-1] + 'o'], check=True, capture_output=True)
    return copy


def check_shared(lib, names):
    library = os.path.join(lib.built, lib.name + '.so')
    exported = dict((n.split('@')[0], n.rsplit('@', 1)[-1]) for n in nm('-D', library))
    exported = {n: v for n, v in exported.items() if n not in set(names.values())}
    said = differences(exported, names, lib.name + '.so', lib.name + '.sym')
    result(not said, f'{lib.name}.so exports what {lib.name}.sym lists', *said)
    result(all(exported[n] == v for n, v in names.items() if n in exported),
           'under the version that it lists')


def check_static(lib, names, work):
    archive = os.path.join(lib.built, lib.name + '.a')
    if not os.path.exists(archive):
        print(f'# no {lib.name}.a was built: b_lto')
        return
    missing = sorted(set(names) - set(nm('-g', archive)))
    result(not missing, f'{lib.name}.a has what {lib.name}.sym lists', *missing)
    result(not foreign(archive, names), f'all other names in {lib.name}.a begin with jfrec__',
           *foreign(archive, names))
    result(foreign(plant(archive, work), names) == ['planted'], 'a name without it is found')


def main():
    jfrec, source = sys.argv[1:3]
    if not (shutil.which('nm') and shutil.which('cc') and shutil.which('ar')):
        print('1..0 # SKIP no nm, cc or ar')
        return 0
    lib = Library(sys.argv[3] if len(sys.argv) > 3 else '', source,
                  os.path.dirname(os.path.realpath(jfrec)))
    texts = [headers.read(p) for p in lib.headers]
    names, strange = listed(headers.read(os.path.join(lib.folder, lib.name + '.sym')))
    result(not strange, f'{lib.name}.sym has plain names, each once', *strange)

    functions = declared(texts)
    said = differences(functions, names, 'the headers', lib.name + '.sym')
    result(len(names) > lib.least and not said,
           f'{lib.name}.sym lists each function of the headers', *said)
    twice = sorted({n for n in functions if functions.count(n) > 1})
    result(not twice, 'each is declared once', *twice)
    tags = {t for text in texts for t in re.findall(r'\b(?:struct|enum|union) (jfrec_\w+)', text)}
    both = sorted(tags & set(functions))
    result(not both, 'no function has the name of a struct or an enum', *both)
    planted = declared(texts + ['/* It is new. */\nint *jfrec_planted(const char *a,\n\t\tint b);\n'])
    result(differences(planted, names, 'a', 'b') == ['jfrec_planted is in a, not in b'],
           'one that is not listed is found')

    check_shared(lib, names)
    with tempfile.TemporaryDirectory() as work:
        check_static(lib, names, work)
    finish()


main()
