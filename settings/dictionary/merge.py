"""The types and settings of several JDKs as one text (make.sh).

usage: merge.py DIRECTORY >jdk.txt

DIRECTORY has for each JDK N, and for S default and profile, N.S.types.json (of `jfrec
metadata --json`) and N.S.active.json (jdk.ActiveSetting, of `jfrec print --json`).

What the JDKs agree on stands there once.  Only facts are taken: the sentences of
@Description are not.
"""
import difflib
import json
import os
import sys

HEAD = """\
# What JDKs can record, made by make.sh from what JVMs say of themselves. Not to be edited.
#
# A line is a node: tabs say how deep, then come words, parted by tabs. Its first word may
# end in the JDKs that have the node (:8-17,25-), if its parent is in others as well.
#
#    type NAME [SUPER]            "simple" instead: a type that stands for its only field
#    field NAME TYPE [LABEL]      "field[]": an array; "key", "key[]": a constant, or such
#    setting NAME TYPE DECLARED DEFAULT PROFILE
#                                 what is so if nobody says otherwise, and in the JDK's own
#                                 default.jfc and profile.jfc; "=": as the one before
#    @NAME VALUE...               an annotation, of the package jdk.jfr if NAME has none;
#                                 "@NAME[]": its value is an array
"""


class Node:
    """A line, the JDKs that have it, and what is below it."""

    def __init__(self, words, children=(), jdks=()):
        self.words, self.children, self.jdks = tuple(words), list(children), set(jdks)


def annotation(a):
    name = a['type'].removeprefix('jdk.jfr.') if a['type'].count('.') == 2 else a['type']
    members = list(a['values'])
    if members and members != ['value'] and members != [f'value-{i}' for i in range(len(members))]:
        sys.exit(f'{name}: members are {members}; the format has no place for them')
    array = '[]' if 'value-0' in members else ''
    return Node([f'@{name}{array}', *a['values'].values()])


def annotations(all_of_them, known):
    """Without sentences, and without a label in front that the line already has."""
    kept = [a for a in all_of_them if a['type'] != 'jdk.jfr.Description']
    if known and kept and kept[0]['type'] == 'jdk.jfr.Label':
        kept = kept[1:]
    return [annotation(a) for a in kept]


def field(f):
    first = [a for a in f['annotations'] if a['type'] != 'jdk.jfr.Description'][:1]
    labelled = bool(first) and first[0]['type'] == 'jdk.jfr.Label'
    kind = ('key' if f['constantPool'] else 'field') + ('[]' if f['array'] else '')
    return Node([kind, f['name'], f['type']] + ([first[0]['values']['value']] if labelled else []),
                annotations(f['annotations'], labelled))


def setting(s, default, profile):
    values = [s['defaultValue'], default.get(s['name']), profile.get(s['name'])]
    values = ['?' if v is None else v for v in values]
    short = [v if i == 0 or v != values[i - 1] else '=' for i, v in enumerate(values)]
    return Node(['setting', s['name'], s['type'], *short])


def type_node(t, default, profile):
    children = annotations(t['annotations'], False)
    children += [setting(s, default, profile) for s in sorted(t['settings'], key=lambda s: s['name'])]
    children += [field(f) for f in t['fields']]
    kind = 'simple' if t['simpleType'] else 'type'
    return Node([kind, t['name']] + ([t['superType']] if t['superType'] else []), children)


def load(*path):
    with open('.'.join(path)) as f:
        return json.load(f)


def active(base, settings, types):
    """Event name -> setting -> value."""
    names = {t['id']: t['name'] for t in types}
    events = {}
    for event in load(base, settings, 'active.json')['recording']['events']:
        v = event['values']
        events.setdefault(names[v['id']], {})[v['name']] = v['value']
    return events


def read(directory, jdk):
    base = os.path.join(directory, str(jdk))
    values = []
    for settings in ('default', 'profile'):
        types = load(base, settings, 'types.json')['types']
        values.append(active(base, settings, types))
    return [type_node(t, *(v.get(t['name'], {}) for v in values))
            for t in sorted(types, key=lambda t: t['name'])]


def mark(nodes, jdk):
    for n in nodes:
        n.jdks = {jdk}
        mark(n.children, jdk)


def merge(ours, theirs):
    """Both lists in one, each in its order; the same node twice if the orders differ."""
    merged = []
    pairs = difflib.SequenceMatcher(None, [n.words for n in ours], [n.words for n in theirs], False)
    for tag, a, a_end, b, b_end in pairs.get_opcodes():
        if tag != 'equal':
            merged += ours[a:a_end] + theirs[b:b_end]
            continue
        for x, y in zip(ours[a:a_end], theirs[b:b_end]):
            x.jdks |= y.jdks
            x.children = merge(x.children, y.children)
            merged.append(x)
    return merged


def ranges(jdks, known):
    """ "8-17,25-" """
    parts, i = [], 0
    while i < len(known):
        if known[i] not in jdks:
            i += 1
            continue
        first = i
        while i < len(known) and known[i] in jdks:
            i += 1
        last = '' if i == len(known) else str(known[i - 1])
        parts.append(str(known[first]) if last == str(known[first]) else f'{known[first]}-{last}')
    return ','.join(parts)


def write(nodes, parent_jdks, known, depth):
    for n in nodes:
        for word in n.words:
            if '\t' in word or '\n' in word:
                sys.exit(f'{n.words}: a tab or the end of a line in a word')
        versions = '' if n.jdks == parent_jdks else ':' + ranges(n.jdks, known)
        print('\t' * depth + '\t'.join((n.words[0] + versions, *n.words[1:])))
        write(n.children, n.jdks, known, depth + 1)


def main():
    known = sorted(int(name.split('.')[0]) for name in os.listdir(sys.argv[1]) if name.endswith('.default.types.json'))
    merged = []
    for jdk in reversed(known):
        nodes = read(sys.argv[1], jdk)
        mark(nodes, jdk)
        merged = merge(merged, nodes)
    merged.sort(key=lambda n: n.words[1])
    print(HEAD + 'jdks\t' + '\t'.join(map(str, known)))
    write(merged, set(known), known, 0)


main()
