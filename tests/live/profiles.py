"""Does a recording have what the profile says?  (profiles.sh)

usage: profiles.py settings JFREC PROFILE.yaml JDK RECORDING
       profiles.py questions JFREC PROFILE.yaml RECORDING

settings: each setting of each event of the profile that this JVM has is what the profile says,
by jdk.ActiveSetting; all other events are off. The profile is read here, and not by jfrec.

questions: there are events for each question at the top of the profile, as far as this JVM has
these events and the profile has them on.
"""
import json
import re
import subprocess
import sys


def ask(jfrec, *arguments):
    return json.loads(subprocess.run([jfrec, *arguments], check=True, stdout=subprocess.PIPE).stdout)


def conditions(lines, jdk):
    """What each condition gives for the JDK."""
    values, name = {}, None
    for line in lines:
        if m := re.fullmatch(r'  ([\w-]+):', line):
            name = m[1]
        elif (m := re.fullmatch(r'    - \{when: \{jdk: \[([\d, ]+)\]\}, then: (.+)\}', line)) and \
                jdk in m[1].split(', '):
            values[name] = m[2]
    return values


def settings(text, of_condition):
    """'{enabled: true, period: {control: c, value: 5 s}}' as a dictionary."""
    if text == 'true':
        return {'enabled': 'true'}
    if re.fullmatch(r'\{control: [\w-]+, value: [^}]*\}', text):
        text = '{enabled: ' + text + '}'
    text = re.sub(r'\{control: [\w-]+, value: ([^}]*)\}', r'\1', text[1:-1])
    text = re.sub(r'\{control: ([\w-]+)\}', lambda m: of_condition[m[1]], text)
    # '' is nothing.
    return {name: '' if value == "''" else value for name, value in (pair.split(': ', 1) for pair in text.split(', '))}


def read_profile(path, jdk):
    with open(path) as f:
        lines = f.read().split('\n')
    of_condition = conditions(lines, jdk)
    events = {}
    for line in lines:
        if m := re.fullmatch(r'  (jdk\.\w+): (.*?)(  #.*)?', line):
            events[m[1]] = settings(m[2], of_condition)
    if not events:
        sys.exit(f'{path}: no event was found')
    return events


def read_active(jfrec, recording):
    """Event -> setting -> what it is, as far as the JVM says; and the events that it has."""
    types = ask(jfrec, 'metadata', '--json', recording)['types']
    names = {t['id']: t['name'] for t in types if t['superType'] == 'jdk.jfr.Event'}
    active = {name: {} for name in names.values()}
    for event in ask(jfrec, 'print', '--json', '--events', 'jdk.ActiveSetting', recording)['recording']['events']:
        v = event['values']
        active[names[v['id']]][v['name']] = v['value']
    return active


def compare_settings(profile, active):
    wrong = []
    for name, is_so in active.items():
        should = profile.get(name, {'enabled': 'false'})
        for setting, value in should.items():
            if setting in is_so and is_so[setting] != value:
                wrong.append(f'{name}#{setting} is {is_so[setting]}, not {value}')
        if 'enabled' not in is_so:
            wrong.append(f'{name} has no jdk.ActiveSetting')
    return wrong


def read_questions(path):
    """Of the first comment: a question ends in a question mark, behind which events are named."""
    questions, text = [], ''
    with open(path) as f:
        for line in f:
            if not line.startswith('#   '):
                if questions:
                    break
                continue
            before, mark, behind = line[1:].partition('?')
            text = (text + ' ' + before.strip()).strip()
            if mark:
                questions.append((text + '?', re.findall(r'\b[A-Z]\w+', behind)))
                text = ''
            elif questions and line.startswith('#' + ' ' * 50):
                questions[-1][1].extend(re.findall(r'\b[A-Z]\w+', line))
                text = ''
    return questions


def check_questions(questions, active, counts):
    wrong = []
    if len(questions) < 10:
        wrong.append(f'only {len(questions)} questions were found')
    for question, words in questions:
        events = ['jdk.' + word for word in words if 'jdk.' + word in active]
        on = [e for e in events if active[e].get('enabled') == 'true']
        if not counts.get('jdk.ContainerConfiguration'):  # this JVM is in no container
            on = [e for e in on if not e.startswith('jdk.Container')]
        none = [e for e in on if not counts.get(e)]
        if none:
            wrong.append(f'{question} no events {none}')
        print(question, {e: counts.get(e) for e in on})
    return wrong


def main():
    what, jfrec, path = sys.argv[1:4]
    recording = sys.argv[-1]
    active = read_active(jfrec, recording)
    if what == 'settings':
        wrong = compare_settings(read_profile(path, sys.argv[4]), active)
    else:
        counts = {t['name']: t['count'] for t in ask(jfrec, 'summary', '--json', recording)['types']}
        wrong = check_questions(read_questions(path), active, counts)
    if wrong:
        sys.exit('\n'.join(wrong))


main()
