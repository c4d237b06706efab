# SPDX-License-Identifier: MIT
#
# units.py - what systemd makes of a unit file: command line, environment, user, filter of system calls

import ctypes
import os
import platform
import re
import shlex
import subprocess

FOLDERS = ['/etc/systemd/system', '/lib/systemd/system', '/usr/lib/systemd/system']
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
KILL_PROCESS, ERRNO, ALLOW = 0x80000000, 0x00050000, 0x7fff0000
LOAD, JUMP_EQUAL, RETURN = 0x20, 0x15, 0x06
AUDIT_ARCH_X86_64, ENOSYS = 0xc000003e, 38


class Unit:
    """The [Service] section: each key's values, in order; an empty one forgets those before it."""

    def __init__(self, name, instance=''):
        self.values = {}
        self.instance = instance
        path = next((p for p in (os.path.join(f, name + '.service') for f in FOLDERS) if os.path.exists(p)), None)
        if not path:
            raise FileNotFoundError(f'{name}.service')
        with open(path) as f:
            for line in f.read().replace('\\\n', ' ').splitlines():
                key, equals, value = line.partition('=')
                if equals and not line.startswith(('#', ';')):
                    self.add(key.strip(), value.strip())

    def add(self, key, value):
        if not value and key != 'CapabilityBoundingSet':
            self.values.pop(key, None)
        else:
            self.values.setdefault(key, []).append(value.replace('%i', self.instance).replace('%I', self.instance))

    def get(self, key, default=None):
        return self.values.get(key, [default])[-1]

    def environment(self):
        """Environment= and EnvironmentFile=, which wins."""
        found = {}
        for line in self.values.get('Environment', []):
            found.update(word.split('=', 1) for word in shlex.split(line))
        for path in self.values.get('EnvironmentFile', []):
            if os.path.exists(path.lstrip('-')):
                with open(path.lstrip('-')) as f:
                    rows = [row.split('=', 1) for row in f.read().splitlines() if re.match(r'\s*\w+=', row)]
                found.update((k.strip(), ' '.join(shlex.split(v))) for k, v in rows)
        return found

    def command(self, key):
        """$NAME alone is any number of words, else it is a part of one."""
        found, words = self.environment(), []
        for word in shlex.split(self.get(key, '').lstrip('-+!@:')):
            whole = re.fullmatch(r'\$(\w+)', word)
            words += found.get(whole[1], '').split() if whole else \
                [re.sub(r'\$\{(\w+)\}', lambda m: found.get(m[1], ''), word)]
        return words


# Filters of system calls ----------------------------------------------------------------------------

def sets():
    """What "@name" stands for, as this systemd has it."""
    out = subprocess.run(['systemd-analyze', 'syscall-filter', '--no-pager'], capture_output=True, text=True)
    found, now = {}, None
    for line in out.stdout.splitlines():
        word = line.strip().lstrip('#').strip()
        if line.startswith('@'):
            now = found.setdefault(word, [])
        elif now is not None and line.startswith(' ') and not line.strip().startswith('#'):
            now.append(word)
    return found


def expand(names, known):
    found = set()
    for name in names:
        found |= expand(known.get(name, []), known) if name.startswith('@') else {name.split(':')[0]}
    return found


def numbers():
    """Of this machine's system calls, from the kernel's header."""
    header = '#include <asm/unistd.h>\n'
    out = subprocess.run(['cc', '-E', '-dM', '-'], input=header, capture_output=True, text=True)
    return {m[1]: int(m[2]) for m in re.finditer(r'#define __NR_(\w+) (\d+)', out.stdout)}


def allowed(unit):
    """(allowed, known): names of system calls by the unit's SystemCallFilter=, or @system-service."""
    known = sets()
    lines = unit.values.get('SystemCallFilter', ['@system-service']) if unit else ['@system-service']
    permitted = set()
    for line in lines:
        names = expand(line.lstrip('~').split(), known)
        permitted = permitted - names if line.startswith('~') else permitted | names
    everything = set().union(*(expand([name], known) for name in known))
    return permitted | expand(['@default'], known), everything


def program(permitted, known):
    """What systemd makes of it: what is not permitted ends the process, what it does not know is not there."""
    by_name = numbers()
    rows = [(LOAD, 0, 0, 4), (JUMP_EQUAL, 1, 0, AUDIT_ARCH_X86_64), (RETURN, 0, 0, KILL_PROCESS), (LOAD, 0, 0, 0)]
    for names, action in [(permitted, ALLOW), (known - permitted, KILL_PROCESS)]:
        for name in sorted(n for n in names if n in by_name):
            rows += [(JUMP_EQUAL, 0, 1, by_name[name]), (RETURN, 0, 0, action)]
    return rows + [(RETURN, 0, 0, ERRNO | ENOSYS)]


def why_not():
    """Why there can be no filter here; None: there can."""
    if platform.machine() != 'x86_64':
        return 'the filter is made for x86-64'
    if not sets().get('@system-service'):
        return 'systemd-analyze is not there, and knows what @system-service is'
    if not numbers():
        return "there is no compiler that knows the kernel's headers"
    return None


def confine(rows):
    """From here on, this process and all that it executes."""
    libc = ctypes.CDLL(None, use_errno=True)

    class Row(ctypes.Structure):
        _fields_ = [('code', ctypes.c_ushort), ('jt', ctypes.c_ubyte), ('jf', ctypes.c_ubyte), ('k', ctypes.c_uint)]

    class Filter(ctypes.Structure):
        _fields_ = [('len', ctypes.c_ushort), ('rows', ctypes.POINTER(Row))]

    array = (Row * len(rows))(*[Row(*r) for r in rows])
    of = Filter(len(rows), array)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or \
            libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(of), 0, 0):
        raise OSError(ctypes.get_errno(), 'seccomp')
