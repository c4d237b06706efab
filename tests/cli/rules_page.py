#!/usr/bin/env python3
"""rules_page.py - jfrec-rules(7) is what the table of rules says; --write makes it so

usage: rules_page.py JFREC SOURCE_ROOT [--write]
"""
import json
import pathlib
import re
import subprocess
import sys
import textwrap

HEAD = """jfrec-rules(7)

# NAME

jfrec-rules - the rules of jfrec analyze

# DESCRIPTION

These are the rules by which *jfrec-analyze*(1) judges a recording, in the order of
*jfrec analyze --list*. *--limit* sets a limit, *--explain* shows a rule with the limits that
are set. A rule needs the events that it reads, apart from those in brackets, which add to what
it can show.
"""

TAIL = """
# SEE ALSO

*jfrec*(1), *jfrec-analyze*(1), *jfrec-settings*(1)
"""


def plain(text):
    """What scdoc would take for markup is escaped."""
    return re.sub(r'([\\*_#`\[\]|~<>])', r'\\\1', text)


def paragraph(text):
    lines = textwrap.wrap(plain(text), 92, break_on_hyphens=False, break_long_words=False)
    return '\n'.join('\\' + line if line[0] in '.-' else line for line in lines) + '\n'


def amount(value, unit):
    if value is None:
        return 'never'
    if unit == 'share':
        return f'{value * 100:.4g} %'
    if unit == 'ns':
        return f'{value / 1e9:.4g} s' if value >= 1e9 else f'{value / 1e6:.4g} ms'
    if unit in ('bytes', 'bytesPerSecond'):
        return f'{value / 1048576:.4g} MiB' + ('/s' if unit != 'bytes' else '')
    return f'{value:.6g}' + ('/s' if unit == 'perSecond' else '')


def section(rule):
    parts = [rule['question'], rule['matters'], f"What to do: {rule['advice']}.", rule['computes']]
    if 'measures' in rule:
        parts.append(f"Limits: info {amount(rule.get('info'), rule['unit'])}, "
                     f"warning {amount(rule.get('warning'), rule['unit'])}; "
                     f"{rule['measures']}.")
    if rule['events']:
        parts.append('Reads ' + ', '.join(
            f"({e['event']})" if e['need'] == 'helps' else e['event'] for e in rule['events']) + '.')
    if 'beware' in rule:
        parts.append(rule['beware'])
    if rule['jmc']:
        parts.append(f"JDK Mission Control: {', '.join(rule['jmc'])}. {rule.get('differs', '')}")
    return f"\n# {rule['rule'].upper()}\n\n" + '\n'.join(paragraph(p.strip()) for p in parts)


def main():
    jfrec, root = sys.argv[1], pathlib.Path(sys.argv[2])
    page = root / 'man/jfrec-rules.7.scd'
    rules = json.loads(subprocess.run([jfrec, 'analyze', '--list', '--json'], check=True,
                                      capture_output=True).stdout)['rules']
    text = HEAD + ''.join(section(rule) for rule in rules) + TAIL
    if '--write' in sys.argv:
        page.write_text(text)
        return 0
    is_same = page.read_text() == text
    print('ok 1 - jfrec-rules(7)' if is_same else
          'not ok 1 - jfrec-rules(7): tests/cli/rules_page.py JFREC SOURCE_ROOT --write')
    print('1..1')
    return 0 if is_same else 1


sys.exit(main())
