# SPDX-License-Identifier: MIT
#
# cell.py - one program, one condition, with the recorder or without it, in namespaces of its own
#
# usage: cell.py ROOM, where room.json is; result.json is what was seen.
#
# It is the first process of its pid namespace, so what daemonises is its child in the end, and nothing
# outlives it.

import ctypes
import fcntl
import json
import os
import pwd
import re
import resource
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import time

import programs
import units

libc = ctypes.CDLL(None, use_errno=True)
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
SIOCGIFFLAGS, SIOCSIFFLAGS = 0x8913, 0x8914
LIMIT = 100 * 1024
RECORDINGS = '/recordings'
THRESHOLDS = ','.join(f'jdk.{t}#threshold=0ns' for t in
                      ['SocketRead', 'SocketWrite', 'FileRead', 'FileWrite', 'FileForce', 'JavaMonitorEnter',
                       'ThreadPark', 'ThreadSleep'])


def mount(source, target, kind, flags, data=None):
    if libc.mount(source.encode(), target.encode(), kind.encode() if kind else None, ctypes.c_ulong(flags),
                  data.encode() if data else None):
        raise OSError(ctypes.get_errno(), f'mount {target}')


def private(path, data=None):
    os.makedirs(path, exist_ok=True)
    mount('tmpfs', path, 'tmpfs', 0, data)


def copy_of(path):
    """The same content, which may be changed."""
    at = os.open(path, os.O_RDONLY | os.O_DIRECTORY) if os.path.isdir(path) else -1
    mode = stat.S_IMODE(os.fstat(at).st_mode) if at >= 0 else 0o755
    private(path, f'mode={mode:o}')
    if at >= 0:
        subprocess.run(['cp', '-a', f'/proc/self/fd/{at}/.', path], check=True, pass_fds=[at])
        os.close(at)


def make_rooms(program):
    """What programs write is on file systems that only this cell sees."""
    kept = [p for p in room['paths'] if p.startswith('/tmp/')]
    ends = [os.open(p, os.O_PATH) for p in kept]
    mount('none', '/', None, MS_REC | MS_PRIVATE)
    mount('proc', '/proc', 'proc', 0)
    private('/tmp', 'mode=1777')
    for path, end in zip(kept, ends):
        if os.path.isdir(f'/proc/self/fd/{end}'):
            os.makedirs(path)
        else:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            open(path, 'w').close()
        mount(f'/proc/self/fd/{end}', path, None, MS_BIND | MS_REC)
        os.close(end)
    private('/run', 'mode=755')
    private('/dev/shm', 'mode=1777')
    private(RECORDINGS, 'mode=1777')
    private('/srv', 'mode=755')
    log = [(n, os.stat(f'/var/log/{n}')) for n in os.listdir('/var/log') if os.path.isdir(f'/var/log/{n}')]
    private('/var/log', 'mode=755')
    for name, st in log:
        os.mkdir(f'/var/log/{name}')
        os.chown(f'/var/log/{name}', st.st_uid, st.st_gid)
        os.chmod(f'/var/log/{name}', stat.S_IMODE(st.st_mode))
    copy_of('/etc')
    for path in program.private:
        if not path.startswith('/etc/'):
            copy_of(path)
    for path in ['/etc/cron.d', '/etc/cron.hourly', '/etc/cron.daily', '/etc/cron.weekly', '/etc/cron.monthly', '/etc/ssh',
                 '/etc/dnsmasq.d', '/etc/postgresql']:
        shutil.rmtree(path, ignore_errors=True)
        os.makedirs(path)
    for path in ['/var/spool/cron', '/var/lib/postgresql']:
        if path in program.private:
            subprocess.run(f'rm -rf {path}/*', shell=True, check=True)
    if '/var/lib/postgresql' in program.private:
        shutil.chown('/var/lib/postgresql', 'postgres', 'postgres')
    with open('/etc/passwd', 'a') as f:
        f.write('tester:x:4711:4711::/tmp:/bin/sh\n')
    with open('/etc/shadow', 'a') as f:
        f.write('tester:*:19000:0:99999:7:::\n')
    with open('/etc/group', 'a') as f:
        f.write('tester:x:4711:\n')


def raise_loopback():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        asked = struct.pack('16sh22x', b'lo', 0)
        flags = struct.unpack('16sh22x', fcntl.ioctl(s, SIOCGIFFLAGS, asked))[1]
        fcntl.ioctl(s, SIOCSIFFLAGS, struct.pack('16sh22x', b'lo', flags | 1))


# Processes ------------------------------------------------------------------------------------------

ended = {}


def reap():
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            return
        ended[pid] = os.waitstatus_to_exitcode(status)


def others():
    reap()
    return [int(p) for p in os.listdir('/proc') if p.isdigit() and int(p) != os.getpid()]


def name_of(pid):
    try:
        with open(f'/proc/{pid}/comm') as f:
            return f.read().strip()
    except OSError:
        return ''


def is_alive(pid):
    try:
        with open(f'/proc/{pid}/stat') as f:
            return f.read().rpartition(')')[2].split()[0] != 'Z'
    except OSError:
        return False


def parent_of(pid):
    with open(f'/proc/{pid}/stat') as f:
        return int(f.read().rpartition(')')[2].split()[1])


def main_process(started):
    """The one that was started, or what became of it."""
    if is_alive(started):
        return started
    found = [p for p in others() if is_alive(p) and parent_of(p) == os.getpid()]
    return found[0] if found else None


def launch(program, condition):
    env = {'PATH': '/usr/sbin:/usr/bin:/sbin:/bin', 'LANG': 'C', 'HOME': '/root', **program.environment()}
    preload = []
    if condition in ('closed', 'reused'):
        programs.write('/srv/own', "the program's own file\n", 0o666)
        env.update(UPSET='close' if condition == 'closed' else 'reuse', UPSET_FILE='/srv/own', UPSET_NAME=program.process)
        preload.append(room['upset'])
    if room['records']:
        preload.append(room['preload'])
        env['JFREC_RECORD'] = f'repository={RECORDINGS},filename={RECORDINGS}/all-%p.jfr,fork=true,' \
                              f'{room["settings"]}{THRESHOLDS}'
    if preload:
        env['LD_PRELOAD'] = ':'.join(preload)
    program.take(env)
    notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notify.bind('/run/notify')
    os.chmod('/run/notify', 0o777)
    notify.setblocking(False)
    if program.unit_file and program.unit_file.get('Type') == 'notify' and condition != 'daemon':
        env['NOTIFY_SOCKET'] = '/run/notify'
    user = pwd.getpwnam(program.user) if program.user and condition != 'daemon' else None
    if condition == 'filtered':
        rows = units.program(*units.allowed(program.unit_file))

    def before():
        os.setsid()
        if condition == 'limited':
            resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))
        if user:
            os.initgroups(user.pw_name, user.pw_gid)
            os.setgid(user.pw_gid)
            os.setuid(user.pw_uid)
        if condition == 'filtered':
            units.confine(rows)

    ours, theirs = os.pipe()
    room['stdin'] = theirs
    os.set_inheritable(ours, True)
    with open('/run/stderr', 'a') as err, open('/run/stdout', 'a') as out:
        os.chmod('/run/stderr', 0o666)
        os.chmod('/run/stdout', 0o666)
        process = subprocess.Popen(program.command(condition), stdin=ours, stdout=out, stderr=err, env=env, preexec_fn=before,
                                   cwd='/')
    os.close(ours)
    process.returncode = 0 # who waits for it is reap()
    return process.pid, notify


# What is seen ---------------------------------------------------------------------------------------

def sockets():
    found = []
    for name in ['tcp', 'tcp6', 'udp', 'udp6']:
        with open(f'/proc/net/{name}') as f:
            for row in f.read().splitlines()[1:]:
                cells = row.split()
                if cells[3] in ('0A', '07'):
                    found.append(f'{name} {cells[1]}')
    with open('/proc/net/unix') as f:
        found += [row.split()[7] for row in f.read().splitlines()[1:] if len(row.split()) > 7]
    return sorted(s for s in found if '/.java_pid' not in s and not re.match(r'@[0-9a-f]{5}$', s))


def descriptors(pid):
    """Those below the recorder's: how many of each kind."""
    found = []
    for fd in os.listdir(f'/proc/{pid}/fd'):
        if int(fd) >= 700:
            continue
        try:
            found.append(re.sub(r'\d+', '0', os.readlink(f'/proc/{pid}/fd/{fd}')))
        except OSError:
            pass
    return sorted(found)


def signals(pid):
    """Caught, ignored and blocked, of those that have a name: real-time ones are the sampler's."""
    with open(f'/proc/{pid}/status') as f:
        rows = dict(row.split(':\t') for row in f.read().splitlines() if ':\t' in row)
    caught = int(rows['SigCgt'], 16) & ~(1 << signal.SIGQUIT - 1)
    return [f'{v & 0x7fffffff:x}' for v in (caught, int(rows['SigIgn'], 16), int(rows['SigBlk'], 16))]


# Where only this cell writes, and the program's own.
ROOTS = ['/run', '/var/log', '/srv', '/tmp']
SKIPPED = ['/tmp/hsperfdata', '/tmp/.java_pid', '/run/stderr', '/run/stdout', '/var/lib/postgresql', '/srv/home', '/var/log/wtmp',
           '/var/log/lastlog', '/var/log/btmp']


def files(program):
    found = {}
    for root in ROOTS + [p for p in program.private if not p.startswith(('/etc', '/srv'))]:
        for folder, folders, names in os.walk(root):
            folders[:] = [f for f in folders if not any(os.path.join(folder, f).startswith(s) for s in SKIPPED)
                          and os.path.join(folder, f) not in room['paths']]
            for name in names:
                path = os.path.join(folder, name)
                if any(path.startswith(s) for s in SKIPPED) or path in room['paths']:
                    continue
                st = os.lstat(path)
                what = f'{st.st_mode:o} {st.st_uid} {st.st_gid}'
                if stat.S_ISREG(st.st_mode) and st.st_size < 1 << 20:
                    with open(path, 'rb') as f:
                        what += ' ' + normal(f.read())
                found[re.sub(r'\d+', '0', path)] = what
    return found


def normal(data):
    """Without times and pids."""
    text = data.decode('latin-1')
    if '\0' in text:
        return 'binary'
    return re.sub(r'0x[0-9a-f]+', '0', re.sub(r'\d+', '0', re.sub(r'(Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b', 'T', text)))


# Recordings -----------------------------------------------------------------------------------------

def jfrec(*args):
    return subprocess.run([room['jfrec'], *args], capture_output=True, text=True)


def goes_on_elsewhere(path):
    """Does this file begin where another repository ended?"""
    return 'recording continues in /' in jfrec('print', '--events', 'jfrec.Trouble', path).stdout


def bring_home():
    """Those that were written at the exit, and what the others left."""
    found, said, names = [], [], sorted(os.listdir(RECORDINGS))
    for name in names:
        path = os.path.join(RECORDINGS, name)
        beside = f'all-{name.rpartition("_")[2]}.jfr'
        if name.endswith('.jfr'):
            found.append(path)
        elif not os.path.isdir(path):
            said.append(f'other: {name}')
        elif beside in names and not goes_on_elsewhere(os.path.join(RECORDINGS, beside)):
            said.append(f'beside its file: {name}')
        else:
            to = f'{RECORDINGS}/left-{name}.jfr'
            done = jfrec('dump', '--from-repository', '-o', to, path)
            if os.path.exists(to):
                found.append(to)
            said.append(f'{name}: {done.returncode} {done.stderr.strip()[:300]}')
    return found, said


TYPES = ['jdk.SocketRead', 'jdk.SocketWrite', 'jdk.FileRead', 'jdk.FileWrite', 'jdk.FileForce', 'jdk.ThreadSleep',
         'jdk.ThreadPark', 'jdk.JavaMonitorEnter', 'jfrec.Loss', 'jfrec.Trouble', 'jdk.Shutdown', 'jdk.JVMInformation',
         'jdk.ResidentSetSize', 'jdk.ExecutionSample']


def read(path):
    """Counts, bytes of each client's port, of each file, loss and trouble."""
    done = jfrec('print', '--json', '--stack-depth', '1', '--events', ','.join(TYPES), path)
    out = {'path': os.path.basename(path), 'said': done.stderr[-300:], 'counts': {}, 'in': {}, 'out': {}, 'files': {}, 'lost': {}, 'trouble': []}
    try:
        found = json.loads(done.stdout)['recording']['events']
    except ValueError:
        out['said'] += ' no JSON'
        return out
    for e in found:
        kind, v = e['type'], e['values']
        out['counts'][kind] = out['counts'].get(kind, 0) + 1
        if kind == 'jdk.SocketRead' and '127.0.0.1' in (v['address'] or ''):
            out['in'][v['port']] = out['in'].get(v['port'], 0) + v['bytesRead']
        elif kind == 'jdk.SocketWrite' and '127.0.0.1' in (v['address'] or ''):
            out['out'][v['port']] = out['out'].get(v['port'], 0) + v['bytesWritten']
        elif kind == 'jdk.FileWrite':
            out['files'][v['path']] = out['files'].get(v['path'], 0) + v['bytesWritten']
        elif kind == 'jfrec.Loss':
            name = str(v.get('eventType') or v.get('type') or v)
            out['lost'][name] = out['lost'].get(name, 0) + int(v.get('count', 0))
        elif kind == 'jfrec.Trouble':
            out['trouble'].append(str({k: x for k, x in v.items() if k not in ('startTime',)}))
        elif kind == 'jdk.JVMInformation':
            out['pid'] = v['pid']
    return out


# The cell -------------------------------------------------------------------------------------------

def remove_recordings():
    for name in os.listdir(RECORDINGS):
        shutil.rmtree(os.path.join(RECORDINGS, name), ignore_errors=True)


def run(program, condition, seen):
    if condition == 'limited':
        programs.ROUNDS *= 10
    program.prepare(condition)
    pid, notify = launch(program, condition)
    seen['ready'] = bool(programs.wait_until(lambda: (others() and program.is_ready()) or not others()))
    if condition == 'daemon' or (program.unit_file and program.unit_file.get('Type') == 'forking'):
        programs.wait_until(lambda: reap() or pid in ended)
        seen['start'] = ended.get(pid)
    main = main_process(pid)
    if not main:
        seen['start'] = ended.get(pid)
        return
    if condition == 'removed':
        time.sleep(0.3)
        remove_recordings()
    seen['replies'] = program.work()
    time.sleep(1.3)
    if condition == 'signals':
        seen['replies'] += program.reload(main) + program.work()
        time.sleep(1.3)
    try:
        seen['notified'] = notify.recv(4096).decode().splitlines()[:1]
    except OSError:
        seen['notified'] = []
    seen['sockets'] = sockets()
    seen['processes'] = sorted(name_of(p) for p in others() if is_alive(p))
    room['pids'] = [p for p in others() if is_alive(p)]
    seen['descriptors'] = descriptors(main)
    seen['signals'] = signals(main)
    program.stop(main)
    seen['ended'] = bool(programs.wait_until(lambda: main in ended or reap(), 20))
    seen['status'] = ended.get(main)
    programs.wait_until(lambda: not others(), 5)
    seen['left'] = sorted(name_of(p) for p in others())


def result():
    program = programs.ALL[room['program']](room)
    make_rooms(program)
    raise_loopback()
    seen, books = {}, {}
    try:
        run(program, room['condition'], seen)
    except Exception as e: # whatever it was, the test tells
        seen['failed'] = repr(e)
    for p in others():
        os.kill(p, signal.SIGKILL)
    programs.wait_until(lambda: not others(), 5)
    for name in ['stdout', 'stderr']:
        with open(f'/run/{name}') as f:
            seen[name] = f.read()
    seen['files'] = files(program)
    if os.path.exists('/srv/own'):
        with open('/srv/own') as f:
            seen['own'] = f.read()
    if room['records']:
        found, books['said'] = bring_home()
        books['recordings'] = [read(path) for path in found]
        books['shm'] = os.listdir('/dev/shm')
        books['wires'] = [[w.port, w.sent, w.received] for w in programs.Wire.all]
        books['file'] = room.get('file')
        books['pids'] = room.get('pids')
    return {'seen': seen, 'books': books}


with open(os.path.join(sys.argv[1], 'room.json')) as f:
    room = json.load(f)
found = result()
with open(os.path.join(sys.argv[1], 'result.json'), 'w') as f:
    json.dump(found, f, indent=1)
