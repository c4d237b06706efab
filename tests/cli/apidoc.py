# SPDX-License-Identifier: MIT
#
# apidoc.py - each function of the library has its entry in the reference
#
# usage: apidoc.py SOURCE_ROOT
#
# Each prototype of the public headers has a comment of its own; where doxygen is there, the
# reference that is made of them is searched for each.  Lists have one shape, and enumerators their
# numbers.

import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import headers

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402


def uncommented(path, text):
    return [f'{path}:{line}: {name}' for name, comment, line in headers.functions(text)
            if not comment or len(comment) < 11 or '----' in comment]


# Lists of what has two numbers, or none of its own: a row and a column, an element of a value.
NOT_BY_GET = {
    'jfrec_value_count': 'jfrec_value_element',
    'jfrec_answer_row_count': 'jfrec_answer_cell',
    'jfrec_query_type_count': 'jfrec_query_type_name',
    'jfrec_sql_column_count': 'jfrec_sql_column_name',
    'jfrec_annotation_member_count': 'jfrec_annotation_member_name',
    'jfrec_analysis_jvm_count': 'jfrec_analysis_jvm_get',
    'jfrec_analysis_finding_count': 'jfrec_analysis_finding_get',
    'jfrec_reader_file_count': 'jfrec_reader_file_name',
}


def odd_lists(texts):
    """Lists that are not a _count() and a _get(), and arrays that are returned by a pointer."""
    code = {p: re.sub(r'/\*.*?\*/', '', text, flags=re.S) for p, text in texts.items()}
    names = set(re.findall(r'\b(jfrec_\w+)\(', ' '.join(code.values())))
    said = [f'{name} has no {other}' for name in sorted(names) if name.endswith('_count')
            for other in [NOT_BY_GET.get(name, name[:-len('count')] + 'get')] if other not in names]
    said += [f'{p}: {array}' for p, text in code.items()
             for array in re.findall(r'[^,(]*\*(?:const )?\*\w+, size_t \*\w+', text)]
    said += [f'{p}: {name}() is number i of a list, but no _get()' for p, text in code.items()
             for name in re.findall(r'\nconst struct \w+ \*(jfrec_\w+)\([^()]*size_t \w+\);', text)
             if not name.endswith('_get')]
    said += [f'{p}: an open array: {count}' for p, text in code.items()
             for body in re.findall(r'\nstruct \w+ \{(.*?)\n\};', text, re.S)
             for count in re.findall(r'\n\tsize_t (\w+)_count;', body)
             if f'*{count}' in body and 'struct_size' not in body]
    return said


def unnumbered(texts):
    """Enumerators without a number, or with that of another one of the same enum."""
    said = []
    for p, text in texts.items():
        code = re.sub(r'/\*.*?\*/', '', text, flags=re.S)
        for body in re.findall(r'\benum(?: \w+)? \{(.*?)\}', code, re.S):
            seen = {}
            for one in filter(None, (part.strip() for part in body.split(','))):
                name, _, number = (part.strip() for part in one.partition('='))
                if not number:
                    said.append(f'{p}: {name} has no number')
                elif seen.setdefault(number, name) != name:
                    said.append(f'{p}: {name} has the number of {seen[number]}')
    return said


def unknown_names(texts):
    """What comments call a function or a type of the library, and no header declares."""
    code = ' '.join(re.sub(r'/\*.*?\*/', '', text, flags=re.S) for text in texts.values())
    known = set(re.findall(r'\bjfrec_\w+', code))
    return [f'{p}: {name}' for p, text in texts.items()
            for name in sorted(set(re.findall(r'\bjfrec_\w*[a-z]\b', text)) - known)]


def wide_lines(texts):
    return [f'{p}:{n}' for p, text in texts.items()
            for n, line in enumerate(text.split('\n'), 1) if len(line.expandtabs(8)) > 100]


def reference(source, work):
    """The functions that the reference has, as doxygen lists them for others to link to."""
    with open(os.path.join(source, 'lib', 'Doxyfile.in'), encoding='utf-8') as f:
        text = f.read()
    for name, value in (('VERSION', '0'), ('SOURCE', os.path.join(source, 'lib')), ('OUTPUT', work)):
        text = text.replace(f'@{name}@', value)
    said = subprocess.run(['doxygen', '-'], input=text, capture_output=True, text=True)
    if said.returncode:
        return None, said.stderr.split('\n')
    tags = xml.etree.ElementTree.parse(os.path.join(work, 'html', 'libjfrec.tag'))
    return {m.findtext('name') for m in tags.iter('member') if m.get('kind') == 'function'}, []


def main():
    source = os.path.abspath(sys.argv[1])
    texts = {p: headers.read(p) for p in headers.paths(source)}
    umbrella_path = os.path.join(source, 'lib', 'jfrec.h')
    umbrella = headers.read(umbrella_path)
    functions = {name for text in texts.values() for name, _, _ in headers.functions(text)}
    missing = [line for p, text in texts.items() for line in uncommented(p, text)]
    result(len(functions) > 150 and not missing, 'each function has a comment of its own', *missing)
    result(uncommented('x.h', '/* Of a. */\nint jfrec_a(void);\nint jfrec_b(int b);\n') ==
           ['x.h:3: jfrec_b'], 'one that has none is found')
    said = odd_lists(texts)
    result(not said, 'lists have one shape', *said)
    result(len(odd_lists({'x.h': 'size_t jfrec_a_count(void);\n'
                                 'int jfrec_b(struct c **list, size_t *count);\n'
                                 'const struct f *jfrec_f(struct c *list,\n\tsize_t i);\n'
                                 'struct d {\n\tint *es;\n\tsize_t e_count;\n};\n'})) == 4,
           'lists of other shapes are found')
    recorder = os.path.join(source, 'lib', 'recorder', 'jfrec-recorder.h')
    said = unnumbered({**texts, recorder: headers.read(recorder)})
    result(not said, 'enumerators have their numbers, each its own', *said)
    result(unnumbered({'x.h': 'enum a { A = 0, B, /* C = 3 */ };\nenum {\n\tD = 1 << 0,\n\tE = 2,\n'
                              '\tF = 2\n};\n'}) ==
           ['x.h: B has no number', 'x.h: F has the number of E'], 'others are found')
    said = unknown_names({**texts, umbrella_path: umbrella})
    result(not said, 'comments name only what there is', *said)
    result(unknown_names({'x.h': '/* As jfrec_a(), jfrec_b(). */\nint jfrec_b(void);\n'}) ==
           ['x.h: jfrec_a'], 'another name is found')
    said = wide_lines(texts)
    result(not said and wide_lines({'x.h': '\t' + 'x' * 93}), 'lines have 100 columns', *said)
    said = [p for p, text in texts.items() if 'NULL is allowed' in text]
    result(not said and umbrella.count('nothing for NULL') == 1,
           'that NULL may be freed is said once', *said)
    if not shutil.which('doxygen'):
        print('# no doxygen: its output was not looked at')
    else:
        with tempfile.TemporaryDirectory() as work:
            found, said = reference(source, work)
        lost = sorted(functions - found) if found is not None else said
        result(not lost, 'each function is in the reference', *lost)
    finish()


main()
