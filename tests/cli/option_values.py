# SPDX-License-Identifier: MIT
#
# option_values.py - what options take is the same in their tables, the pages and the completions
#
# usage: option_values.py JFREC SOURCE_ROOT
#
# face.sh compares which options there are.  This compares the value of each: its name in the
# pages, and whether zsh and fish ask for one.  Also: jfrec(1) has the commands in the order of
# --help.  Faults are planted to see that each is found.

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402

jfrec, root = sys.argv[1:]


def read(path):
    with open(os.path.join(root, path), encoding='utf-8') as f:
        return f.read()


def table():
    """(command, option, name of its value, its words) of each row; --help of jfrec is not in it."""
    out = subprocess.run([jfrec, '--dump-options'], capture_output=True, text=True, check=True)
    for line in out.stdout.splitlines():
        command, _, option, value, words, _ = line.split('\t')
        yield command, option, value, words.split()


def headings(page, sub):
    """The lines of OPTIONS that name options: of a sub-command, else of the command."""
    parts = re.split(r'(?m)^## (.*)\n', re.search(r'(?ms)^# OPTIONS\n(.*?)(?=^# |\Z)', page)[1])
    of = dict(zip(parts[1::2], parts[2::2]))
    texts = [of[sub]] if sub in of else []
    return '\n'.join(re.findall(r'(?m)^\*-.*', '\n'.join(texts + [parts[0]])))


def plain(value):
    return re.sub(r'[\\_*]', '', value).strip(' ,;')


def wrong_in_pages(rows, pages):
    for command, option, value, words in rows:
        name, _, sub = command.partition(' ')
        found = re.search(re.escape(f'*{option}*') + r'([^*\n]*)', headings(pages[name], sub))
        if found and plain(found[1]) not in (value, '|'.join(words)):
            yield f'{command} {option}: the table says {value!r}, the page {plain(found[1])!r}'


def wrong_in_zsh(rows, zsh):
    for command, option, value, _ in rows:
        body = re.search(r'(?ms)^\t' + command.replace(' ', '-') + r'\) options=.*?;;$', zsh)
        spec = re.search(r"(?<![\w-])" + option +
                         r"\}?'?\[[^]]*\](:|'\$[a-z])?",
                         body[0]) if body else None
        if spec and bool(spec[1]) != bool(value):
            yield f'{command} {option}: zsh {"asks for a" if spec[1] else "asks for no"} value'


def wrong_in_fish(rows, fish):
    lines = fish.splitlines()
    for command, option, value, _ in rows:
        here = re.compile(r'__jfrec_is( [a-z-]+)* ' + command.replace(' ', '-') + r"[ ';].* -l "
                          + option[2:] + r'( .*|$)')
        for line in lines:
            found = here.search(line)
            if found and bool(re.search(r' -[xr]\b', found[2].split(' -d ')[0])) != bool(value):
                yield f'{command} {option}: {line}'


def order_of_help():
    out = subprocess.run([jfrec, '--help'], capture_output=True, text=True, check=True).stdout
    return re.findall(r'(?m)^  ([a-z]+)  ', out)


def order_of_page(page):
    return re.findall(r'(?m)^\*([a-z]+)\*', re.search(r'(?ms)^# COMMANDS\n(.*?)(?=^# )', page)[1])


rows = list(table())
pages = {re.match(r'jfrec-([a-z]+)\.1', f)[1]: read('man/' + f)
         for f in os.listdir(os.path.join(root, 'man')) if re.match(r'jfrec-[a-z]+\.1', f)}
zsh, fish = read('completions/_jfrec'), read('completions/jfrec.fish')

result(len(rows) > 300, 'there are options')
for checked, wrong in (('pages name the values of options', wrong_in_pages(rows, pages)),
                       ('zsh asks for the values of options', wrong_in_zsh(rows, zsh)),
                       ('fish asks for the values of options', wrong_in_fish(rows, fish))):
    wrong = list(wrong)
    result(not wrong, checked, *wrong)
result(order_of_page(read('man/jfrec.1.scd')) == order_of_help(),
       'jfrec(1) has the commands in the order of --help',
       *[' '.join(order_of_help()), ' '.join(order_of_page(read('man/jfrec.1.scd')))])

# Planted faults ------------------------------------------------------------------------------------

by_row = {(row[0], row[1]): row for row in rows}
limit, count = by_row['print', '--limit'], by_row['print', '--count']
cost = by_row['settings cost', '--set']


def finds(name, check, text, old, new):
    changed = {**text, **{k: v.replace(old, new) for k, v in text.items()}} \
        if isinstance(text, dict) else text.replace(old, new)
    result(changed != text and list(check([limit, count, cost], changed)), name)


finds('planted: another name in a page', wrong_in_pages, pages, '*--limit* _N_', '*--limit* _COUNT_')
finds('planted: a flag with a value in a page', wrong_in_pages, pages, '*--count*', '*--count* _N_')
finds('planted: a sub-command\'s value', wrong_in_pages, pages,
      '*--set* _EVENT_\\#_SETTING_=_VALUE_', '*--set* _CHANGE_')
finds('planted: no value in zsh', wrong_in_zsh, zsh, ']:N: ', ']')
finds('planted: a value of a flag in zsh', wrong_in_zsh, zsh, '--count[', '--count[x]:number:[')
finds('planted: no value in fish', wrong_in_fish, fish, '-l limit -x', '-l limit')
finds('planted: a value of a flag in fish', wrong_in_fish, fish, '-l count ', '-l count -x ')

finish()
