# SPDX-License-Identifier: MIT
#
# help_examples.py - the help of each command opens with two examples, and they work
#
# usage: help_examples.py JFREC SOURCE_ROOT
#
# Those on recordings are run, on a recording of tests/data under the names that they use; those on
# a JVM, which is called Shop, come as far as that there is none.  Also: `jfrec help TOPIC` knows the
# pages that are not about a command, and says where one is that is not installed.

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402

jfrec, root = (os.path.realpath(x) for x in sys.argv[1:])
RECORDING, WITH_SETTINGS = (os.path.join(root, 'tests/data/ok', x) for x in ('jvm-25.jfr', 'settings-17.jfr'))
WITH_REQUESTS = os.path.join(root, 'tests/data/trace/slow-25.jfr.zst')
NO_JVM = 3
JVM = 'no-such-jvm-of-examples'


def run(words, folder='.', **more):
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, errors='replace',
                          stdin=subprocess.DEVNULL, timeout=120, check=False, **more)


def help_of(command):
    return run([jfrec, *command.split(), '--help']).stdout


def names_below(text, heading):
    """Of the list that begins below a heading, or of all lists."""
    lines = text.split(heading + ':\n', 1)[1].split('\n\n', 1)[0] if heading else text
    return re.findall(r'^  ([a-z]+)  +\w', lines, re.M)


def commands():
    for name in names_below(help_of(''), None):
        if name == 'help':
            continue
        yield name
        if 'COMMAND [ARGUMENT...]' in help_of(name).splitlines()[0]:
            for sub in names_below(help_of(name), 'Commands'):
                yield f'{name} {sub}'


def examples(text):
    """The lines between the usage and what the command is about."""
    parts = text.split('\n\n')
    return [line[2:] for line in parts[1].splitlines()] if len(parts) > 1 else []


def prepare(folder, recording):
    for name in ('app', 'before', 'after', 'monday', 'tuesday', 'crashed', 'native'):
        shutil.copy(recording, os.path.join(folder, name + '.jfr'))
    for name in ('chunks', 'symbols', 'collected'):
        os.mkdir(os.path.join(folder, name))
    shutil.copy(recording, os.path.join(folder, 'chunks'))
    for name, form in (('own.jfc', '--jfc'), ('own.yaml', '--yaml')):
        with open(os.path.join(folder, name), 'w', encoding='utf-8') as f:
            f.write(run([jfrec, 'settings', 'show', form, 'profile']).stdout)
    with open(os.path.join(folder, 'collect.yaml'), 'w', encoding='utf-8') as f:
        f.write(f'directory: {folder}/collected\njvms:\n  - name: {JVM}\n')


def recording_for(command):
    return WITH_REQUESTS if command == 'trace' else WITH_SETTINGS if command.startswith('settings') else RECORDING


def allowed(words):
    if JVM in words:
        return [NO_JVM]
    # The doctor judges this host; native.jfr is of a JVM; secrets may be found again in part.
    return [0, 1] if words[0] in ('doctor', 'symbolize') else [0]


def works(line, folder):
    words = shlex.split(line)
    if words[0] != 'jfrec':
        return f'{line}: this is another program'
    words = [JVM if w == 'Shop' else w for w in words[1:]]
    got = run([jfrec, *words], folder)
    if got.returncode in allowed(words):
        return None
    return f'{line}: exit code {got.returncode}: {got.stderr.strip()[:300]}'


def check_examples():
    for command in commands():
        lines = examples(help_of(command))
        result(len(lines) == 2 and all(x.startswith('jfrec ') for x in lines),
               f'{command}: help opens with two examples')
        for line in lines:
            with tempfile.TemporaryDirectory() as folder:
                prepare(folder, recording_for(command))
                why = works(line, folder)
            result(why is None, f'{line}' if why is None else why)


def check_groups():
    text = help_of('')
    first = names_below(text, 'Needed most')
    result(len(first) == 10, 'the ten commands that most people need come first')
    page = open(os.path.join(root, 'man/jfrec.1.scd'), encoding='utf-8').read()
    page = page.split('# COMMANDS\n', 1)[1].split('\n# OPTIONS', 1)[0]
    result(re.findall(r'^## (.*)$', page, re.M) ==
           re.findall(r'^(\S.*):\n  [a-z]', text.split('\nOptions:')[0], re.M),
           'jfrec(1) has the groups of --help')


def pages():
    """(section, name) of each page that is not about a command."""
    names = (re.fullmatch(r'jfrec-([a-z]+)\.([357])\.scd', x) for x in os.listdir(os.path.join(root, 'man')))
    return sorted((m[2], m[1]) for m in names if m)


def topics():
    """What is typed after `jfrec help`, and the page that it shows."""
    listed = run([jfrec, 'help', 'topics']).stdout
    return [tuple(x.split()) for x in re.findall(r'^  ((?:\d )?[a-z]+)  +\w', listed, re.M)]


def page_without_man(words):
    """The page as the message names it, where neither a page nor man is installed."""
    with tempfile.TemporaryDirectory() as folder:
        alone = os.path.join(folder, 'jfrec')
        shutil.copy(jfrec, alone)
        got = run([alone, 'help', *words], env={**os.environ, 'PATH': folder})
    named = re.search(r'the page jfrec-([a-z]+)\((\d)\) is not installed; it is in the sources of '
                      r'jfrec, as (\S+)', got.stderr)
    if not named or got.returncode != 1:
        return None
    return (named[2], named[1]) if os.path.exists(os.path.join(root, named[3])) else None


def check_topics():
    found = [page_without_man(words) for words in topics()]
    result(None not in found, 'each topic says where its page is, if it is not installed')
    result(sorted(x for x in found if x) == pages(), 'each page has a topic')
    got = run([jfrec, 'help', 'wher'])
    result(got.returncode == 2 and 'did you mean where?' in got.stderr, 'a topic with a typo')
    got = run([jfrec, 'help', '5', 'query'])
    result(got.returncode == 2 and 'section 5 has no page jfrec-query' in got.stderr, 'a section without the topic')
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(os.path.join(folder, 'bin'))
        os.makedirs(os.path.join(folder, 'share/man/man7'))
        page = os.path.join(folder, 'share/man/man7/jfrec-where.7')
        with open(page, 'w', encoding='utf-8') as f:
            f.write('.TH jfrec-where 7\n.SH NAME\nwhat is installed here\n')
        alone = shutil.copy(jfrec, os.path.join(folder, 'bin'))
        got = run([alone, 'help', 'where'], env={**os.environ, 'PATH': '/nowhere'})
        result(got.returncode == 1 and 'share/man/man7/jfrec-where.7' in got.stderr,
               'a page that is installed, without man: its file')
        if shutil.which('man') and run(['man', page]).stdout:
            got = run([alone, 'help', 'where'])
            result(got.returncode == 0 and 'what is installed here' in got.stdout,
                   'with man it is shown')


check_examples()
check_groups()
check_topics()
finish()
