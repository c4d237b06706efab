# SPDX-License-Identifier: MIT
#
# symbols.py - the names that the libraries give to programs are those of the public headers
#
# usage: symbols.py JFREC SOURCE_ROOT
#
# lib/libjfrec.sym has each function of the headers and nothing else; libjfrec.so exports just
# these, under their version; libjfrec.a, in which other programs' names must not be met, has these
# and names that begin with jfrec__.

import os
import re
import shutil
import subprocess
import sys
import tempfile

import headers

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402


def listed(text):
    """{name: version} of a version script, and the lines in it that are not understood."""
    names, strange, node, local = {}, [], None, False
    for line in re.sub(r'#.*', '', text).split('\n'):
        line = line.strip()
        opened = re.fullmatch(r'(JFREC_[0-9.]+) \{', line)
        if opened:
            node, local = opened.group(1), False
        elif line == 'local:':
            local = True
        elif re.fullmatch(r'jfrec_[a-z0-9_]+;', line) and node and line[:-1] not in names:
            names[line[:-1]] = node
        elif line and not (line == '*;' and local) and line not in ('global:', '};') and \
                not re.fullmatch(r'\} JFREC_[0-9.]+;', line):
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


def check_shared(library, names):
    exported = dict((n.split('@')[0], n.rsplit('@', 1)[-1]) for n in nm('-D', library))
    exported = {n: v for n, v in exported.items() if n not in set(names.values())}
    result(not differences(exported, names, 'libjfrec.so', 'libjfrec.sym'),
           'libjfrec.so exports what libjfrec.sym lists',
           *differences(exported, names, 'libjfrec.so', 'libjfrec.sym'))
    result(all(exported[n] == v for n, v in names.items() if n in exported),
           'under the version that it lists')


def check_static(archive, names, work):
    if not os.path.exists(archive):
        print('# no libjfrec.a was built: b_lto')
        return
    missing = sorted(set(names) - set(nm('-g', archive)))
    result(not missing, 'libjfrec.a has what libjfrec.sym lists', *missing)
    result(not foreign(archive, names), 'all other names in libjfrec.a begin with jfrec__',
           *foreign(archive, names))
    result(foreign(plant(archive, work), names) == ['planted'], 'a name without it is found')


def main():
    jfrec, source = sys.argv[1:]
    if not (shutil.which('nm') and shutil.which('cc') and shutil.which('ar')):
        print('1..0 # SKIP no nm, cc or ar')
        return 0
    texts = [headers.read(p) for p in headers.paths(source)]
    names, strange = listed(headers.read(os.path.join(source, 'lib', 'libjfrec.sym')))
    result(not strange, 'libjfrec.sym has plain names, each once', *strange)

    functions = declared(texts)
    said = differences(functions, names, 'the headers', 'libjfrec.sym')
    result(len(names) > 150 and not said, 'libjfrec.sym lists each function of the headers', *said)
    twice = sorted({n for n in functions if functions.count(n) > 1})
    result(not twice, 'each is declared once', *twice)
    tags = {t for text in texts for t in re.findall(r'\b(?:struct|enum|union) (jfrec_\w+)', text)}
    both = sorted(tags & set(functions))
    result(not both, 'no function has the name of a struct or an enum', *both)
    planted = declared(texts + ['/* It is new. */\nint *jfrec_planted(const char *a,\n\t\tint b);\n'])
    result(differences(planted, names, 'a', 'b') == ['jfrec_planted is in a, not in b'],
           'one that is not listed is found')

    build = os.path.dirname(os.path.realpath(jfrec))
    check_shared(os.path.join(build, 'libjfrec.so'), names)
    with tempfile.TemporaryDirectory() as work:
        check_static(os.path.join(build, 'libjfrec.a'), names, work)
    finish()


main()
