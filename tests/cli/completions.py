#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""completions.py - the completions know every command, option and value; --write makes it so

usage: completions.py JFREC SOURCE_ROOT [--write]

Parts of completions/{jfrec.bash,_jfrec,jfrec.fish} are made of what the program says (--help and
--dump-options) and of completions/values.tsv, which says what values can be.  Each stands between

    # Made by tests/cli/completions.py: PART
    # End of PART

and everything else in these files is written by hand: functions that find names, and operands.
"""
import os
import pathlib
import re
import subprocess
import sys
import textwrap

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402

# What completes a value: in bash, in zsh, in fish.
KINDS = {
    'file': ("_jfrec_offer_files ''", '_files', '-r -F'),
    'directory': ('_jfrec_offer_files', '_files -/', "-x -a '(__fish_complete_directories)'"),
    'events': ("_jfrec_offer_listed _jfrec_offer_events ''", '_jfrec_events', "-x -a '(__jfrec_events)'"),
    'event': ("_jfrec_offer_events ''", '_jfrec_event_names', "-x -a '(__jfrec_event_names)'"),
    'set': ('_jfrec_offer_set', '_jfrec_set', "-x -a '(__jfrec_set)'"),
    'settings': ('_jfrec_offer_settings_or_none', '_jfrec_settings_or_none',
                 "-r -F -a 'none (__jfrec_settings)'"),
    'jvms': ('_jfrec_offer_jvms', '_jfrec_jvms', "-x -a '(__jfrec_jvms)'"),
    'recordings': ('_jfrec_offer_recordings', '_jfrec_names', "-x -a '(__jfrec_names)'"),
    'rule': ('_jfrec_offer_rules', '_jfrec_rules', "-x -a '(__jfrec_rules)'"),
    'rules': ('_jfrec_offer_listed _jfrec_offer_rules', '_sequence _jfrec_rules',
              "-x -a '(__jfrec_rules)'"),
    'zone': ('_jfrec_offer_zones', '_time_zone', "-x -a '(__jfrec_zones)'"),
    'user': ('_jfrec_offer_users', '_users', "-x -a '(__fish_complete_users)'"),
    'command': (None, '_cmdstring', '-x'),
}

# Options of which zsh offers no other once there is one; besides --no-X with --X.
EXCLUDE = [('utc', 'tz'), ('compact', 'plain'), ('target', 'jdk'), ('dry-run', 'output')]
OTHER_FORMATS = ['yaml', 'jfc']
HELP = 'print this help'

JFREC, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
FORMATS = re.findall(r'JFREC_[A-Z]+, "([a-z]+)"', (ROOT / 'lib/print/formats.c').read_text())


class Option:
    def __init__(self, line):
        self.command, self.letter, name, self.arg, words, self.help = line.split('\t')
        self.command = self.command.replace(' ', '-')
        self.name = name[2:]
        self.words, self.has_words = words.split(), words != ''
        self.kind, self.again = None, False

    def spellings(self):
        return [self.letter] * bool(self.letter) + ['--' + self.name]


def said(*args):
    return subprocess.run([JFREC, *args], check=True, capture_output=True, text=True).stdout


def commands_of(*command):
    """(name, line of help) of each command, or of a command's own."""
    return re.findall(r'(?m)^  ([a-z]+)  +(.*)', said(*command, '--help'))


def topics():
    """What `jfrec help` explains besides commands."""
    return re.findall(r'(?m)^  ([a-z]+)  ', said('help', 'topics')) + ['topics']


def take_values(options, rows):
    """What is said in values.tsv goes to the options; rows that fit none are returned."""
    needless = []
    for row in rows:
        name, commands, again, words = row.split('\t')
        named = {c for r in rows if r.startswith(name + '\t') for c in r.split('\t')[1].split()}
        fits = [o for o in options if '--' + o.name == name and o.arg and not o.has_words and
                (o.command in commands.split() if commands != 'all' else o.command not in named)]
        kind = re.match(r'<([a-z]+)> ?', words)
        for o in fits:
            o.again = again == 'again'
            o.kind = kind and kind[1]
            o.words = words[kind.end():].split() if kind else words.split()
        if not fits or commands != 'all' and len(fits) != len(commands.split()):
            needless.append(row)
    return needless


# bash -----------------------------------------------------------------------------------------------

def filled(first, words, last='', join=''):
    """`first`, words and `last`, indented by a tab, in lines of at most 98 columns."""
    together = [w + join for w in words[:-1]] + [words[-1] + last]
    text = textwrap.fill(first + ' '.join(w.replace(' ', '\0') for w in together), 82,
                         break_long_words=False, break_on_hyphens=False)
    return '\t' + text.replace('\n', '\n\t\t').replace('\0', ' ') + '\n'


def arm(patterns, last):
    """Patterns of a case, with a backslash where a line ends."""
    return filled('', patterns, last, ' |').rstrip('\n').replace('\n', ' \\\n') + '\n'


def bash_commands(commands, subs):
    text = filled('local commands=(', [c for c, _ in commands], ')')
    for command, names in subs.items():
        text += filled(f'local {command}_commands=(', [c for c, _ in names], ')')
    text += filled('local topics=(', topics(), ')')
    return text


def bash_options(by_command):
    text = ''
    for command, options in by_command.items():
        spelled = [s for o in options for s in o.spellings()] + ['-h', '--help']
        text += filled(f"{command}) options='", spelled, "' ;;")
    return text


def by_answer(options, answer):
    """{answer: patterns}; the answer that most commands give is the last, for all others."""
    first, last = {}, {}
    for name in sorted({key for key, _ in options}):
        of = {}
        for key, o in options:
            if key == name:
                of.setdefault(answer(o), []).append(f'{o.command}:{name}')
        most = max(of, key=lambda a: len(of[a]))
        for a, patterns in of.items():
            if a == most:
                last.setdefault(a, []).append('*:' + name)
            else:
                first.setdefault(a, []).extend(patterns)
    return list(first.items()) + list(last.items())


def bash_letters(options):
    """Which option a letter stands for; prev is empty after one that takes no value."""
    lettered = [(o.letter, o) for o in options if o.letter]
    text = ''
    for long, patterns in by_answer(lettered, lambda o: f'--{o.name}' if o.arg else ''):
        text += arm(patterns, f') prev={long} ;;')
    return text


def bash_answer(o):
    if not o.arg:
        return None
    offers = []
    if o.words:
        offer = '_jfrec_offer ' if o.kind != 'list' else '_jfrec_offer_listed _jfrec_offer '
        offers.append(offer + ' '.join(o.words))
    if o.kind in KINDS and KINDS[o.kind][0]:
        offers.append(KINDS[o.kind][0])
    return '\n'.join(offers)


def bash_values(options):
    text = ''
    for offers, patterns in by_answer([('--' + o.name, o) for o in options], bash_answer):
        if offers is None:
            patterns = [p for p in patterns if not p.startswith('*:')]
            if patterns:
                text += arm(patterns, ') ;;')
            continue
        text += arm(patterns, ')')
        text += ''.join(f'\t\t{line}\n' for line in offers.split('\n') if line)
        text += '\t\treturn\n\t\t;;\n'
    return text


# zsh ------------------------------------------------------------------------------------------------

def quoted(text):
    return text.replace("'", "'\\''")


def zsh_commands(commands, subs):
    text = ''
    for name, rows in [('commands', commands)] + [(f'{c}_commands', r) for c, r in subs.items()]:
        text += f'\t{name}=(\n'
        text += ''.join(f"\t\t'{c}:{quoted(h)}'\n" for c, h in rows) + '\t)\n'
    text += filled('topics=(', topics(), ')')
    return text


def excluded(o, options):
    """The options that zsh does not offer any more, once there is this one."""
    sets = EXCLUDE + [FORMATS + OTHER_FORMATS] + [(p.name, 'no-' + p.name) for p in options]
    names = {name for s in sets if o.name in s for name in s}
    return [s for p in options if p.name in names and p is not o for s in p.spellings()]


def zsh_action(o):
    if not o.arg:
        return ''
    action = ' '
    if o.kind == 'list':
        action = '_sequence compadd - ' + ' '.join(o.words)
    elif o.kind:
        action = KINDS[o.kind][1]
    elif o.words:
        action = '(' + ' '.join(w.replace(':', '\\:') for w in o.words) + ')'
    return f':{o.arg}'.replace(':', '\\:')[1:] + ':' + action


def zsh_row(o, options):
    others = excluded(o, options)
    own = o.spellings() if o.letter else []
    help = o.help.replace('[', '\\[').replace(']', '\\]')
    rest = quoted(f'[{help}]{zsh_action(o)}')
    before = f"({' '.join(own + others)})" if (own + others) and not o.again else ''
    before = '*' if o.again else before
    if not o.letter:
        return f"\t\t'{before}--{o.name}{rest}'\n"
    return f"\t\t'{before}'{{{','.join(own)}}}'{rest}'\n"


def zsh_options(by_command):
    text = ''
    for command, options in by_command.items():
        text += f'\t{command}) options=(\n'
        text += ''.join(zsh_row(o, options) for o in options)
        text += f"\t\t'(- :)'{{-h,--help}}'[{HELP}]'\n\t\t) ;;\n"
    return text


# fish -----------------------------------------------------------------------------------------------

def fish_quoted(text):
    return text.replace('\\', '\\\\').replace("'", "\\'")


def fish_commands(commands, subs):
    text = ''
    for c, h in commands:
        text += f"complete -c jfrec -n __fish_use_subcommand -a {c} -d '{fish_quoted(h)}'\n"
    for command, rows in subs.items():
        for c, h in rows:
            text += f"complete -c jfrec -n '__jfrec_is {command}' -a {c} -d '{fish_quoted(h)}'\n"
    names = ' '.join([c for c, _ in commands] + topics())
    return text + f"complete -c jfrec -n '__jfrec_is help' -a '{names}'\n"


def fish_answer(o):
    if not o.arg:
        return ''
    if o.kind and o.kind != 'list':
        return ' ' + KINDS[o.kind][2]
    return " -x" + (f" -a '{' '.join(o.words)}'" if o.words else '')


def fish_options(by_command):
    same = {}
    for command, options in by_command.items():
        for o in options:
            letter = f' -s {o.letter[1]}' if o.letter else ''
            key = f"{letter} -l {o.name}{fish_answer(o)} -d '{fish_quoted(o.help)}'"
            same.setdefault(key, []).append(command)
        same.setdefault(f" -s h -l help -d '{HELP}'", []).append(command)
    return ''.join(f"complete -c jfrec -n '__jfrec_is {' '.join(commands)}'{key}\n"
                   for key, commands in same.items())


# The files ------------------------------------------------------------------------------------------

def replaced(text, part, made):
    """The text with that part as it should be."""
    pattern = (rf'(?ms)(^\t*# Made by tests/cli/completions\.py: {part}\n)'
               rf'.*?(^\t*# End of {part}\n)')
    assert re.search(pattern, text), part
    return re.sub(pattern, lambda m: m[1] + made + m[2], text)


def main():
    folder = ROOT / 'completions'
    options = [Option(line) for line in said('--dump-options').splitlines()]
    rows = [r for r in (folder / 'values.tsv').read_text().splitlines() if r and r[0] != '#']
    needless = take_values(options, rows)
    commands = commands_of()
    subs = {c: commands_of(c) for c in ('settings', 'config')}
    names = [c for c, _ in commands if c != 'help']
    names += [f'{c}-{s}' for c in subs for s, _ in subs[c]]
    by_command = {n: [o for o in options if o.command == n] for n in names}
    parts = {
        'jfrec.bash': {'commands': bash_commands(commands, subs),
                       'options': bash_options(by_command),
                       'letters': bash_letters(options), 'values': bash_values(options)},
        '_jfrec': {'commands': zsh_commands(commands, subs), 'options': zsh_options(by_command)},
        'jfrec.fish': {'commands': fish_commands(commands, subs),
                       'options': fish_options(by_command)},
    }
    result(len(options) > 300, 'there are options')
    result(not needless, 'each row of completions/values.tsv is of an option whose values are not '
           'known otherwise', *needless)
    for file, made in parts.items():
        old = new = (folder / file).read_text()
        for part, text in made.items():
            new = replaced(new, part, text)
        if '--write' in sys.argv:
            (folder / file).write_text(new)
            old = new
        result(old == new, f'completions/{file} is what the program says',
               'tests/cli/completions.py JFREC SOURCE_ROOT --write')
        result(replaced(new, 'options', '') != new, f'planted: {file} without options differs')
    finish()


main()
