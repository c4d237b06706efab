"""The options of the JDKs' own profile.jfc as one text.

usage: options.py JFREC N=PROFILE.JFC... >options.txt

JDK N has that file, and so have those of jdk.txt up to the next N.  What an option means is what
`jfrec settings set`, which follows `jfr configure`, makes of the file for each value.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

HEAD = """\
# The options of the JDKs' own profile.jfc and what they make of settings, made by options.py
# from these files. Not to be edited.
#
# A line is a node, as in jdk.txt. Which events and settings a JDK has is said there.
#
#    option NAME TYPE LABEL       TYPE is selection, flag, or that of a text, such as timespan
#    choice NAME LABEL            of a selection
#    setting EVENT NAME VALUE...  that follows the option: a value for each choice, in their order,
#                                 "?": it stays; without values it is what the option is
"""
# A value of each type that has no choices.
PROBES = {'flag': 'true', 'timespan': '7 ms', 'method-filter': 'a.B::c'}
# What settings are that have a control, before an option changes them.
STAYS = '?'


def run(*words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout


def unset(path):
    """The file, with that in place of all values that can follow an option."""
    with open(path) as f:
        return re.sub(r'(<setting\s[^>]*\bcontrol="[^>]*>)[^<]*(</setting>)', rf'\g<1>{STAYS}\2', f.read())


def events(jfrec, path, option, value):
    with tempfile.NamedTemporaryFile('w', suffix='.jfc') as made:
        made.write(run(jfrec, 'settings', 'set', '--jfc', path, f'{option}={value}'))
        made.flush()
        return json.loads(run(jfrec, 'settings', 'show', '--json', made.name))['events']


def rows(jfrec, path):
    """(name, type, label, choices) -> {(event, setting): values}, and the events of the file."""
    file = tempfile.NamedTemporaryFile('w', suffix='.jfc')
    file.write(unset(path))
    file.flush()
    shown = json.loads(run(jfrec, 'settings', 'show', '--json', file.name))
    found = {}
    for name, o in shown['options'].items():
        kind = o['type'] if o['kind'] == 'text' else o['kind']
        choices = tuple((c['name'], c['label']) for c in o.get('choices', ()))
        values = [c for c, _ in choices] or [PROBES[kind]]
        made = [events(jfrec, file.name, name, v) for v in values]
        governed = {}
        for event in made[0]:
            for setting in made[0][event]:
                got = tuple(m[event][setting] for m in made)
                if shown['events'][event][setting] == STAYS and set(got) != {STAYS}:
                    governed[event, setting] = got if choices else ()
        found[name, kind, o['label'], choices] = governed
    return found, set(shown['events'])


def ranges(first, known):
    """The versions that each of the given ones stands for."""
    return {n: [k for k in known if k >= n and not any(n < m <= k for m in first)] for n in first}


def mark(jdks, known):
    """ ":17-21", ":17-", or "" """
    if not jdks or jdks == known:
        return ''
    last = '' if jdks[-1] == known[-1] else str(jdks[-1])
    return f':{jdks[0]}' if len(jdks) == 1 and last else f':{jdks[0]}-{last}'


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, 'jdk.txt')) as f:
        known = next([int(n) for n in line.split()[1:]] for line in f if line.startswith('jdks'))
    files = dict((int(n), path) for n, path in (word.split('=', 1) for word in sys.argv[2:]))
    stand_for = ranges(sorted(files), known)
    read = {n: rows(sys.argv[1], files[n]) for n in sorted(files)}
    print(HEAD + 'jdks\t' + '\t'.join(map(str, known)))
    options = []
    for n in read:
        options += [o for o in read[n][0] if o not in options]
    for option in options:
        name, kind, label, choices = option
        having = [n for n in read if option in read[n][0]]
        jdks = sorted(k for n in having for k in stand_for[n])
        print('\t'.join((f'option{mark(jdks, known)}', name, kind, label)))
        for choice in choices:
            print('\t'.join(('\tchoice', *choice)))
        settings = sorted({(where, values) for n in having for where, values in read[n][0][option].items()})
        for (event, setting), values in settings:
            # Where the event is missing altogether, jdk.txt says so.
            its = [n for n in having if read[n][0][option].get((event, setting)) == values
                   or event not in read[n][1]]
            of = sorted(k for n in its for k in stand_for[n])
            print('\t'.join((f'\tsetting{"" if of == jdks else mark(of, known)}', event, setting, *values)))


main()
