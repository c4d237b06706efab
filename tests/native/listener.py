# SPDX-License-Identifier: MIT
#
# listener.py - the attach socket of a native program: what it answers, and what it survives
#
# usage: listener.py JFREC SOURCE_ROOT SHOPD
#
# Raw bytes, without any client: who attaches may send anything.

import glob
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402

JFREC, _, SHOPD = [os.path.abspath(a) for a in sys.argv[1:4]]
WORK = tempfile.mkdtemp()
THREADS = 4    # of a shop that serves: that of main(), the listener's, and two that serve


def begin(record):
    """A shop that serves for long, once it listens and serves; else after a while."""
    env = dict(os.environ, JFREC_RECORD=f'{record},repository={WORK}')
    # What a shell starts in the background ignores SIGQUIT, and so would its children.
    p = subprocess.Popen([SHOPD, '1000000000'], env=env, cwd=WORK, stderr=subprocess.DEVNULL,
                         preexec_fn=lambda: signal.signal(signal.SIGQUIT, signal.SIG_DFL))
    for _ in range(100):
        if os.path.exists(path_of(p)) and len(os.listdir(f'/proc/{p.pid}/task')) >= THREADS:
            break
        time.sleep(0.02)
    return p


def path_of(p):
    return f'/tmp/.java_pid{p.pid}'


def connect(p):
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(30)
    s.connect(path_of(p))
    return s


def exchange(p, data):
    """What is replied to these bytes."""
    s = connect(p)
    got = b''
    try:
        s.sendall(data)
        while more := s.recv(65536):
            got += more
    except (ConnectionResetError, BrokenPipeError):
        pass
    s.close()
    return got


def ask(p, line):
    """The text that a command gets for an answer, without its status."""
    got = exchange(p, b'1\0jcmd\0' + line.encode() + b'\0\0\0')
    return got.partition(b'\n')[2].decode()


def end(p):
    p.kill()
    p.wait()
    for left in glob.glob(f'/dev/shm/jfrec-recorder-{p.pid}-*') + glob.glob(f'/tmp/hsperfdata_*/{p.pid}') \
            + [path_of(p)]:
        if os.path.exists(left):
            os.unlink(left)


def count(event, path):
    out = subprocess.run([JFREC, 'print', '--count', '--events', event, path], capture_output=True, text=True)
    return int(out.stdout) if out.returncode == 0 else -1


# What it answers ------------------------------------------------------------------------------


def protocol(p):
    result(exchange(p, b'1\0getversion\0options\0\0\0') == b'0\n2 ', 'it says which version it knows')
    result(b'VM.version' in exchange(p, b'2\x0010\0jcmd\0help\0'), 'it takes requests of version 2')
    result(exchange(p, b'3\0jcmd\0') == b'101\n', 'an unknown version has the status of JVMs')
    result(exchange(p, b'1\0nothing\0\0\0\0').startswith(b'-1\nOperation nothing not'), 'so has an operation')
    result(exchange(p, b'1\0load\0agent.so\0true\0\0').startswith(b'1\n'), 'no agent is loaded')
    result('JDK 25' in ask(p, 'VM.version') and SHOPD in ask(p, 'VM.command_line'), 'it says what it is')
    result('sun.java.command=' + SHOPD in ask(p, 'VM.system_properties'), 'it has properties')
    two = ask(p, 'VM.uptime\nVM.version')
    result(' s\n' in two and 'JDK 25' in two, 'two lines are two commands')
    result('Unknown diagnostic command' in ask(p, 'GC.run'), 'an unknown command is refused')


def recordings(p):
    result(ask(p, 'JFR.check').startswith('No available recordings.'), 'at first nothing is recorded')
    result(ask(p, 'JFR.dump').startswith('No recordings to dump from.'), 'so nothing can be dumped')
    result(ask(p, 'JFR.start name=all maxsize=20m').startswith('Started recording 1.\n\nUse jcmd'), 'one is started')
    few = ask(p, 'JFR.start name=few settings=none +shop.Stock#enabled=true maxage=1h')
    result(few.startswith('Started recording 2.'), 'and another one, of one type', few)
    listed = ask(p, 'JFR.check')
    result(listed == 'Recording 1: name=all maxsize=20.0MB (running)\n\n'
           'Recording 2: name=few maxage=1h (running)\n', 'both are listed', listed)
    result('shop.Order' in ask(p, 'JFR.check verbose=true name=1'), 'with their settings if asked for')
    time.sleep(0.3)
    said = ask(p, f'JFR.dump name=all filename={WORK}/all.jfr')
    result(said.startswith('Dumped recording "all", ') and f'\n\n{WORK}/all.jfr\n' in said, 'one is dumped', said)
    result(count('shop.Order', f'{WORK}/all.jfr') > 0 and count('shop.Stock', f'{WORK}/all.jfr') > 0,
           'all that was asked for is in it')
    active = subprocess.run([JFREC, 'settings', 'active', f'{WORK}/all.jfr'], capture_output=True, text=True).stdout
    result(' all\n' in active and ' few\n' in active, 'it names both recordings', active)
    stopped = ask(p, f'JFR.stop name=all filename={WORK}/stopped.jfr')
    result(stopped.startswith('Stopped recording "all", '), 'the first is stopped', stopped)
    result('shop.Order\n' not in ask(p, 'JFR.check verbose=true'), 'settings can be seen')
    time.sleep(1)  # an event that had begun before may be written after
    orders = ask(p, f'JFR.dump filename={WORK}/few.jfr')
    time.sleep(0.2)
    ask(p, f'JFR.dump filename={WORK}/later.jfr begin=-1h')
    result(0 <= count('shop.Order', f'{WORK}/few.jfr') == count('shop.Order', f'{WORK}/later.jfr') and
           count('shop.Stock', f'{WORK}/later.jfr') > count('shop.Stock', f'{WORK}/few.jfr'),
           'what only the first wanted is not recorded any more', orders)
    result(ask(p, 'JFR.stop name=2') == 'Stopped recording "few".\n', 'the other one, too')
    result(ask(p, 'JFR.check').startswith('No available'), 'nothing is recorded again')
    result(not glob.glob(f'{WORK}/20*') and not glob.glob(f'/dev/shm/jfrec-recorder-{p.pid}-*'),
           'neither chunks nor buffers are left')


def timed(p):
    ends = ask(p, f'JFR.start name=ends duration=1s filename={WORK}/ends-%p.jfr')
    result(f'The result will be written to:\n\n{WORK}/ends-{p.pid}.jfr' in ends, 'one that ends by itself', ends)
    waits = ask(p, 'JFR.start name=waits delay=1s')
    result('scheduled to start in 1 s.' in waits and '(delayed)' in ask(p, 'JFR.check'), 'one that waits', waits)
    for _ in range(100):
        if '(delayed)' not in (now := ask(p, 'JFR.check')) and 'ends' not in now:
            break
        time.sleep(0.1)
    result('name=waits' in now and '(running)' in now and 'ends' not in now, 'one ended, the other began', now)
    result(count('shop.Order', f'{WORK}/ends-{p.pid}.jfr') > 0, 'what ended was written')
    ask(p, 'JFR.stop name=waits')


def profiles(p):
    with open(f'{WORK}/slow.jfc', 'w') as f:
        f.write('<?xml version="1.0"?>\n<configuration version="2.0"><!-- <event name="x"> -->\n'
                '<event name="shop.Order"><setting name="enabled" control="c">true</setting>'
                '<setting name="threshold">1 h</setting></event>\n'
                '<event name="shop.Stock"><setting name="enabled"> false </setting></event>\n'
                '<control><selection name="s"><option label="&lt;a&gt;" name="b">c</option></selection></control>\n'
                '</configuration>\n')
    ask(p, f'JFR.start name=slow settings={WORK}/slow.jfc')
    # What was emitted before may be flushed after the start; but no more comes.
    counts = []
    for _ in range(2):
        time.sleep(0.3)
        ask(p, f'JFR.dump filename={WORK}/slow.jfr')
        counts.append(count('shop.*', f'{WORK}/slow.jfr'))
    result(counts[0] == counts[1], 'a .jfc file is obeyed', *counts)
    ask(p, 'JFR.stop name=slow')
    os.mkfifo(f'{WORK}/pipe')
    bad = {'doctype': '<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>', 'deep': '<a>' * 100, 'cut': '<a><event name="x',
           'zero': '<a>\0</a>', 'empty': '', 'large': '<a>' + ' ' * (2 << 20) + '</a>'}
    for name, text in bad.items():
        with open(f'{WORK}/{name}.jfc', 'w') as f:
            f.write(text)
    said = {name: ask(p, f'JFR.start settings={path}') for name, path in
            [(n, f'{WORK}/{n}.jfc') for n in bad] + [('dir', WORK), ('pipe', f'{WORK}/pipe'),
                                                     ('zero', '/dev/zero'), ('none', '/nowhere.jfc')]}
    result(all(text.startswith('Could not ') for text in said.values()), 'bad settings files are refused', str(said))
    result(ask(p, 'JFR.check').startswith('No available'), 'without a recording')


def mistakes(p):
    rows = [('JFR.start name=7', "Name of recording can't be numeric"),
            ('JFR.start duration=10ms', 'Could not start recording, duration must be'),
            ('JFR.start disk=false', 'Could not start recording, '),
            ('JFR.start maxsize=lots', 'Parsing error memory size value'),
            ('JFR.start maxage=1', 'Integer parsing error nanotime value'),
            ('JFR.start name="a', 'java.lang.IllegalArgumentException: Format error'),
            ('JFR.start name="a"b', 'java.lang.IllegalArgumentException: Expected delimiter'),
            ('JFR.start shop.Order#enabled=maybe', "Incorrect value 'maybe'"),
            ('JFR.start filename=/nowhere/a.jfr', 'Could not start recording, not able to write to file'),
            ('JFR.stop', "The argument 'name' is mandatory"),
            ('JFR.stop name=x', 'Could not stop recording "x". Could not find x.'),
            ('JFR.check colour=red', "Unknown argument 'colour'")]
    for line, text in rows:
        said = ask(p, line)
        result(said.startswith(text), f'{line}', said)
    ask(p, 'JFR.start name=a')
    result(ask(p, 'JFR.start name=b shop.Nothing#enabled=true').startswith("Warning! The .jfc option/setting 'shop.N"),
           'an event that is not there is warned of')
    rows = [('JFR.dump filename=/nowhere/a.jfr', 'Dump failed. Could not copy recording data.'),
            ('JFR.dump begin=lunch', 'Dump failed, not a valid begin time.'),
            ('JFR.dump begin=-1m end=-2m', 'Dump failed, begin must precede end.'),
            (f'JFR.dump filename={WORK}/no.jfr end=-1h', 'Dump failed. No data found'),
            ('JFR.stop name=a filename=/nowhere/a.jfr', 'Could not write recording "a" to file.')]
    for line, text in rows:
        said = ask(p, line)
        result(said.startswith(text), f'{line}', said)
    result('name=a' in ask(p, 'JFR.check'), 'what cannot be written is not stopped')
    started = [ask(p, 'JFR.start') for _ in range(40)]
    result(any('there are already' in s for s in started), 'there is a limit to recordings')
    for line in ask(p, 'JFR.check').split('\n'):
        if line.startswith('Recording '):
            ask(p, 'JFR.stop name=' + line.split(':')[0].split()[1])
    result(ask(p, 'JFR.check').startswith('No available'), 'all are stopped')


# What it survives -----------------------------------------------------------------------------


def hostile(p):
    exchange(p, b'')
    for _ in range(20):
        s = connect(p)
        s.close()
    for data in [b'x' * 100, b'1' * 100, b'\0' * 100, b'1\0' + b'a' * 70000, b'1\0jcmd\0' + b'a' * 70000,
                 b'2\x0099999999\0', b'2\x00-1\0a\0', b'2\x004\0jcmd', b'2\x0080000\0', b'2\0\0', b'-1\0a\0\0\0\0',
                 b'2\x0020\0' + b'\0' * 20, b'2\x0010\0jcmdjcmdjc']:
        got = exchange(p, data)
        if got not in (b'', b'101\n') and not got.startswith(b'-1\nOperation '):
            result(False, f'{data[:20]} is refused', str(got[:100]))
    result('JDK' in ask(p, 'VM.version'), 'no bytes harm it')
    for _ in range(50):
        s = connect(p)
        s.sendall(b'1\0jcmd\0VM.system_properties\0\0\0')
        s.close()
    result('JDK' in ask(p, 'VM.version'), 'nor do clients that do not wait for the answer')
    silent = connect(p)
    silent.sendall(b'1\0jc')
    started = time.monotonic()
    result('JDK' in ask(p, 'VM.version') and time.monotonic() - started < 15, 'a silent client is left after a while')
    silent.close()
    said = [ask(p, line) for line in ['JFR.start name=a\rb', 'JFR.check ' + 'a=b ' * 100, '\x1b[2J', ' ' * 5000,
                                      'JFR.dump ' + 'filename=' + 'x' * 20000, '#', '']]
    result(ask(p, 'JFR.check').startswith('No available'), 'nor do odd commands', str(said)[:500])
    answers = []
    clients = [threading.Thread(target=lambda: answers.append(ask(p, 'VM.version'))) for _ in range(100)]
    for c in clients:
        c.start()
    for c in clients:
        c.join()
    result(len([a for a in answers if 'JDK 25' in a]) == 100, 'a hundred clients at once get their answers',
           str(len(answers)))


def other_user(p):
    if os.geteuid() != 0:
        result(True, 'other users are refused # SKIP needs root')
        return
    st = os.stat(path_of(p))
    result(st.st_mode & 0o777 == 0o600, 'the socket is for its user')
    os.chmod(path_of(p), 0o666)
    out = subprocess.run(['setpriv', '--reuid', '4711', '--regid', '4711', '--clear-groups', sys.executable, '-c',
                          'import socket, sys\n'
                          's = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])\n'
                          'try:\n    s.sendall(b"1\\0jcmd\\0VM.version\\0\\0\\0"); print(s.recv(100))\n'
                          'except OSError as e: print("refused", e)', path_of(p)], capture_output=True, text=True)
    result('JDK' not in out.stdout and ("b''" in out.stdout or 'refused' in out.stdout), 'others are refused even if it were not',
           out.stdout + out.stderr)


def found_again(p):
    os.unlink(path_of(p))
    with open(f'{WORK}/.attach_pid{p.pid}', 'w'):
        pass
    p.send_signal(signal.SIGQUIT)
    for _ in range(100):
        if os.path.exists(path_of(p)) and len(os.listdir(f'/proc/{p.pid}/task')) >= THREADS:
            break
        time.sleep(0.05)
    os.unlink(f'{WORK}/.attach_pid{p.pid}')
    result(p.poll() is None and 'JDK' in ask(p, 'VM.version'), 'a socket that was deleted is made again')
    p.send_signal(signal.SIGQUIT)
    result(p.wait(20) == -signal.SIGQUIT, 'a SIGQUIT that no client sends does what it did before')
    end(p)


def unlisted():
    p = begin('attach=false')
    result(not os.path.exists(path_of(p)) and not glob.glob(f'/tmp/hsperfdata_*/{p.pid}') and p.poll() is None,
           'a program need not listen')
    end(p)
    p = subprocess.run([SHOPD, '10'], env=dict(os.environ, JFREC_RECORD=f'repository={WORK}'), cwd=WORK)
    result(not glob.glob('/tmp/hsperfdata_*/%d' % os.getpid()) and p.returncode == 0, 'one that ends leaves nothing')


def main():
    shop = begin('attach=only')
    try:
        for part in [protocol, recordings, timed, profiles, mistakes, hostile, other_user, found_again]:
            part(shop)
            if part != found_again and shop.poll() is not None:
                result(False, f'the program survives {part.__name__}', str(shop.returncode))
                break
        unlisted()
    finally:
        if shop.poll() is None:
            end(shop)
        subprocess.run(['rm', '-rf', WORK], check=True)
    finish()


main()
