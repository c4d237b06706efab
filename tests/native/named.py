# SPDX-License-Identifier: MIT
#
# named.py - functions of C++ have the names that their programmers wrote, wherever names are shown
#
# usage: named.py JFREC SOURCE_ROOT LIBRARY_DIRECTORY

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from plant import Recording, Types  # noqa: E402
from tap import finish, result, skip  # noqa: E402

JFREC, SOURCE, LIBRARY = [os.path.abspath(a) for a in sys.argv[1:4]]
STRING = r'std::(__cxx11::)?basic_string<char, std::char_traits<char>, std::allocator<char> >'
NAMES = [
    r'app::Order::Order', r'app::Order::~Order', r'app::Order::operator\(\)', r'app::Order::operator<',
    rf'app::Order::operator {STRING}', r'app::Ring<double, 4>::put', r'app::Ring<double, 4>::as<long>', r'app::all<>',
    r'app::all<int, char const\*, long>', r'app::deep<app::Pair<app::Pair<app::WithANameThatIsLonger.*> > >',
    r'app::\(anonymous namespace\)::hidden', r'app::locals\(int\)::Inner::run',
    r'app::locals\(int\)::({lambda\(int\)#1}|\$_0)::operator\(\)', r'plain']
# Any part of a symbol of C++.
MANGLED = re.compile(rb'_ZN|_ZZN|_ZNK')


def run(*args, **more):
    done = subprocess.run([JFREC, *args], capture_output=True, **more)
    return done.stdout + done.stderr


def record(work, compiler):
    program = os.path.join(work, 'named')
    built = subprocess.run([compiler, '-std=c++17', '-O1', '-g', '-fno-optimize-sibling-calls',
                            '-I' + os.path.join(SOURCE, 'lib', 'recorder'), '-o', program,
                            os.path.join(SOURCE, 'tests', 'native', 'named.cpp'), '-L' + LIBRARY, '-ljfrec-recorder',
                            '-pthread', '-Wl,-rpath,' + LIBRARY], capture_output=True, text=True)
    if built.returncode:
        print(f'# {compiler}: {built.stderr[:1000]}')
        return None
    recording = os.path.join(work, compiler + '.jfr')
    subprocess.run([program], env={**os.environ, 'JFREC_RECORD': 'filename=' + recording}, check=True)
    return recording


def callers(recording, *options):
    """The function that emitted each event, as NDJSON has it."""
    for line in run('print', '--ndjson', '--events', 'names.Call', *options, recording).splitlines():
        frames = json.loads(line)['values']['stackTrace']['frames']
        yield frames[0]['method']


def check_names(recording, compiler):
    seen = list(callers(recording))
    result(len(seen) >= 15, f'{compiler}: there are events', str(len(seen)))
    for name in NAMES:
        wanted = re.compile(r'named\.' + name + r'\(\)')
        result(any(wanted.fullmatch(s) for s in seen), f'{compiler}: {name}', str(seen)[:3000])



def check_outputs(work, recording):
    """Each way to show names has one of ours, and no symbol."""
    texts = {
        'print': run('print', '--events', 'names.Call', '--stack-depth', '64', recording),
        'print --ndjson': run('print', '--ndjson', '--stack-depth', '64', '--events', 'names.Call', recording),
        'print --csv': run('print', '--csv', '--stack-depth', '64', '--events', 'names.Call', recording),
        'query': run('query', '--width', '4000', 'SELECT stackTrace.topFrame, COUNT(*) FROM names.Call GROUP BY stackTrace.topFrame', recording),
        'view': run('view', '--width', '4000', '--cell-height', '64', 'names.Call', recording),
    }
    for suffix in ('html', 'svg', 'pb.gz', 'firefox.json', 'json', 'collapsed', 'otlp'):
        to = os.path.join(work, 'out.' + suffix)
        run('flame', '--force', '--type', 'names.Call', '--experimental', '-o', to, recording)
        with open(to, 'rb') as f:
            data = f.read()
        texts['flame .' + suffix] = gzip.decompress(data) if suffix == 'pb.gz' else data
    for name, text in texts.items():
        text = text.replace(b'&lt;', b'<').replace(b'&gt;', b'>').replace(b'\\u003c', b'<').replace(b'\\u003e', b'>')
        result(b'app::Ring<double, 4>::put' in text and b'app::locals(int)' in text, f'{name}: has the names', text[:1500].decode(errors='replace'))
        result(not MANGLED.search(text), f'{name}: has no symbols', str(MANGLED.search(text)))
    tables = os.path.join(work, 'tables.db')
    out = run('export', '--format', 'sqlite', '--force', '-o', tables, '--events', 'names.Call', recording)
    if b'SQLite' not in out:
        with open(tables, 'rb') as f:
            data = f.read()
        result(b'app::Ring<double, 4>::put' in data and not MANGLED.search(data), 'SQL: names', out.decode())
    report = os.path.join(work, 'report.html')
    run('report', '--force', '-o', report, recording)
    with open(report, 'rb') as f:
        data = f.read()
    result(not MANGLED.search(data), 'the report has no symbols', str(MANGLED.search(data)))


def check_symbols(recording):
    """Where the members of a method stand apart, its name is the symbol."""
    document = json.loads(run('print', '--json', '--events', 'names.Call', recording))
    names = {f['method']['name'] for e in document['recording']['events'] for f in e['values']['stackTrace']['frames']}
    result('_ZN3app4RingIdLi4EE3putEd' in names and 'plain' in names, 'JSON of the JDK has the symbols', str(names)[:1000])
    result(max(map(len, names)) > 255, 'long ones are whole', str(max(map(len, names))))
    result(b'_ZN3app4RingIdLi4EE3putEd' in run('print', '--xml', '--events', 'names.Call', recording), 'so has XML')


def check_filters(work, recording):
    def kept(where):
        return len(list(callers(recording, '--where', where)))

    all_events = len(list(callers(recording)))
    for what, pattern, count in (
            ('a name', 'named.app::Ring<double, 4>::put', 1), ('with brackets', 'named.app::Ring<double, 4>::put()', 1),
            ('a symbol', 'named._ZN3app4RingIdLi4EE3putEd', 1), ('a pattern', '~*::Ring<double, 4>::*', 2),
            ('a pattern of symbols', '~*_ZN3app4Ring*', 2), ('a function in a function', 'named.app::locals(int)::Inner::run', 1),
            ('an operator', 'named.app::Order::operator()', 1), ('a function of C', 'named.plain', 1),
            ('main', 'named.main', all_events), ('nothing', 'named.app::Ring<double, 5>::put', 0)):
        got = kept(f"stackTrace.frames.method {'=' if pattern[0] == 'n' else '=~'} '{pattern.lstrip('~')}'")
        result(got == count, f'--where finds {what}', f'{got}, not {count}')
    for what, regex, count in (('a name', r'Ring<double, 4>::put$', 1), ('a symbol', r'^named\._ZN3app4RingIdLi4EE3putEd$', 1),
                               ('a part of one', '^named._ZN3app4Ring$', 0)):
        lines = run('flame', '--type', 'names.Call', '--format', 'collapsed', '--include', regex, recording).splitlines()
        got = sum(b';' in line for line in lines)
        result(got == count, f'--include finds {what}', str(lines)[:1000])


def check_words(work, recording):
    """What is said of a program that is none of Java does not speak of JVMs, but in names of the JDK's events."""
    for view, title in (('jvm-information', b'Program Information'), ('thread-count', b'Thread Statistics')):
        first = run('view', view, recording).split(b'\n', 2)[1].strip()
        # A program that ends within a second has no event of the second view, which is said by its title.
        result(first in (title, b"No events found for '" + title + b"'."), f'view {view} has a title', first.decode())
    text = run('analyze', '--all', recording)
    said = [line for line in text.decode().splitlines() if re.search(r'\bJVMs?\b|, JDK \d', line)]
    result(b'The program' in text and not said, 'findings are of a program', '\n'.join(said))
    report = os.path.join(work, 'words.md')
    run('report', '--force', '-o', report, recording)
    with open(report) as f:
        said = [line for line in f if re.search(r'\bJVMs?\b', line) and not line.startswith('|')]
    result(not said, 'so is the report', ''.join(said))


def check_java(work):
    """A method of Java is called what it is called; a function that async-profiler wrote is one of C++."""
    types = Types(os.path.join(SOURCE, 'tests/data/ok/jvm-25.jfr'))
    path = os.path.join(work, 'java.jfr')

    class Profiled(Recording):
        def meaning(self, kind, content):
            fields = super().meaning(kind, content)
            if kind == 'jdk.types.Method' and content.startswith('libjvm.so.'):
                fields['descriptor'] = '()L;'
            return fields

    r = Profiled(types)
    r.add('jdk.ExecutionSample', at=0.1, sampledThread='main', state='STATE_RUNNABLE',
          stackTrace=['libjvm.so._ZN10JavaThread3runEv', 'app.Main._ZN3app5outerEi', 'app.Main._RNvC4many7dynamic'])
    with open(path, 'wb') as f:
        f.write(r.bytes())
    text = run('print', '--stack-depth', '9', '--events', 'jdk.ExecutionSample', path)
    result(all(s in text for s in (b'libjvm.so._ZN10JavaThread3runEv', b'app.Main._ZN3app5outerEi', b'app.Main._RNvC4many7dynamic')),
           'what a JVM recorded is printed as it is', text.decode())
    text = run('flame', '--format', 'collapsed', path)
    result(b'JavaThread::run' in text and b'/Main._ZN3app5outerEi' in text and b'/Main._RNvC4many7dynamic' in text,
           'among Java methods only functions of libraries are renamed', text.decode())


work = tempfile.mkdtemp()
try:
    recordings = {c: record(work, c) for c in ('g++', 'clang++') if shutil.which(c)}
    recordings = {c: r for c, r in recordings.items() if r}
    if not recordings:
        skip('named', 'there is no compiler of C++')
    for compiler, recording in recordings.items():
        check_names(recording, compiler)
    first = next(iter(recordings.values()))
    check_outputs(work, first)
    check_symbols(first)
    check_filters(work, first)
    check_words(work, first)
    check_java(work)
finally:
    shutil.rmtree(work)
finish()
