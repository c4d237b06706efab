# SPDX-License-Identifier: MIT
#
# programs.py - twelve programs of Debian: how each is started, used, reloaded and stopped
#
# A program tells what a client sees of it; who counts are its clients (Wire).  What makes no sense for a
# program is in its cannot, with the reason.

import os
import select
import shutil
import signal
import socket
import struct
import subprocess
import time

import units

HERE = os.path.dirname(os.path.abspath(__file__))
ROUNDS = 60


class Wire:
    """A client's socket that counts what goes over it."""
    all = []

    def __init__(self, port, kind=socket.SOCK_STREAM):
        self.socket = socket.socket(socket.AF_INET, kind)
        self.socket.settimeout(20)
        self.socket.connect(('127.0.0.1', port))
        self.port, self.sent, self.received, self.room = self.socket.getsockname()[1], 0, 0, b''
        Wire.all.append(self)

    def send(self, data):
        self.socket.sendall(data)
        self.sent += len(data)

    def more(self):
        data = self.socket.recv(65536)
        self.received += len(data)
        self.room += data
        return bool(data)

    def until(self, end):
        """All up to this text, and with it."""
        while end not in self.room:
            if not self.more():
                break
        at = self.room.find(end)
        at = len(self.room) if at < 0 else at + len(end)
        found, self.room = self.room[:at], self.room[at:]
        return found

    def take(self, size):
        while len(self.room) < size and self.more():
            pass
        found, self.room = self.room[:size], self.room[size:]
        return found

    def close(self):
        self.socket.close()


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w') as f:
        f.write(text)
    os.chmod(path, mode)


def listens(port):
    """Without a connection, which the program would see."""
    found = []
    for name in ['tcp', 'tcp6', 'udp', 'udp6']:
        with open(f'/proc/net/{name}') as f:
            found += [int(row.split()[1].split(':')[1], 16) for row in f.read().splitlines()[1:]
                      if row.split()[3] in ('0A', '07')]
    return port in found


def wait_until(what, seconds=20.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.02)
    return None


class Program:
    """What all have; a room is the cell's: where it may write."""
    name = file = port = None
    unit = instance = ''
    user = group = None
    script = None        # in /etc/init.d
    stop_signal = signal.SIGTERM
    reload_signal = signal.SIGHUP
    private = []         # folders of its own
    cannot = {}
    truth = 'bytes'      # what its events have, all in all: 'bytes' of its clients, 'most' of them, 'sleeps', 'file'
    no_books = {}        # conditions in which they cannot, with the reason

    def __init__(self, room):
        self.room = room
        self.unit_file = units.Unit(self.unit, self.instance) if self.unit else None
        if self.unit_file:
            self.user = self.unit_file.get('User')
            self.group = self.unit_file.get('Group')

    @classmethod
    def missing(cls):
        return None if shutil.which(cls.file) else f'{cls.file} is not installed'

    def prepare(self, condition):
        pass

    def command(self, condition):
        if condition == 'daemon':
            return self.daemon()
        return self.unit_file.command('ExecStart')

    def daemon(self):
        return [f'/etc/init.d/{self.script}', 'start']

    def environment(self):
        return self.unit_file.environment() if self.unit_file else {}

    def take(self, env):
        """What it is started with, which it may want in a file."""

    @property
    def process(self):
        return os.path.basename(self.file)

    def is_ready(self):
        return listens(self.port)

    def reload(self, main):
        os.kill(main, self.reload_signal)
        return []

    def stop(self, main):
        os.kill(main, self.stop_signal)


class Web(Program):
    """Files over HTTP, some of them larger than a socket's buffer."""
    root = '/var/www/html'
    sizes = [0, 1, 1000, 300000]

    def prepare(self, condition):
        for size in self.sizes:
            write(f'{self.root}/file{size}', 'x' * size)

    def get(self, wire, path):
        wire.send(f'GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n'.encode())
        head = wire.until(b'\r\n\r\n').decode('latin-1')
        fields = dict(row.lower().split(': ', 1) for row in head.split('\r\n')[1:] if ': ' in row)
        body = wire.take(int(fields.get('content-length', 0)))
        return f"{head.splitlines()[0] if head else 'nothing'} {fields.get('content-length')} {len(body)}"

    def work(self):
        wire, found = Wire(self.port), []
        for i in range(ROUNDS):
            found.append(self.get(wire, f'/file{self.sizes[i % len(self.sizes)]}'))
        found.append(self.get(wire, '/missing'))
        wire.close()
        return found


class Nginx(Web):
    name, file, unit, script, port = 'nginx', 'nginx', 'nginx', 'nginx', 80
    stop_signal = signal.SIGQUIT # as its unit does
    private = ['/var/www/html', '/var/lib/nginx', '/etc/nginx/conf.d']
    cannot = {'chroot': 'it has no setting for that'}

    def children(self, main):
        return workers(main)

    def reload(self, main):
        before = set(workers(main))
        os.kill(main, signal.SIGHUP)
        return [f'new workers {bool(wait_until(lambda: workers(main) and not before & set(workers(main))))}']


def workers(main):
    with open(f'/proc/{main}/task/{main}/children') as f:
        return f.read().split()


class Lighttpd(Web):
    name, file, unit, script, port = 'lighttpd', 'lighttpd', 'lighttpd', 'lighttpd', 80
    private = ['/var/www/html', '/etc/lighttpd/conf-enabled', '/var/cache/lighttpd']
    reload_signal = signal.SIGUSR1

    def prepare(self, condition):
        super().prepare(condition)
        os.makedirs('/var/cache/lighttpd/uploads', exist_ok=True)
        shutil.chown('/var/cache/lighttpd/uploads', 'www-data')
        if condition == 'chroot':
            for path in ['/srv/jail/var/www/html', '/srv/jail/var/cache/lighttpd/uploads', '/srv/jail/tmp',
                         '/srv/jail/var/log/lighttpd']:
                os.makedirs(path)
                shutil.chown(path, 'www-data')
            for size in self.sizes:
                write(f'/srv/jail{self.root}/file{size}', 'x' * size)
            write('/etc/lighttpd/conf-enabled/90-jail.conf', 'server.chroot = "/srv/jail"\n')

    def reload(self, main):
        os.kill(main, signal.SIGHUP) # opens its logs again
        os.kill(main, signal.SIGUSR1)
        time.sleep(0.3)
        return [f'listens again {bool(wait_until(lambda: listens(80)))}']


class Haproxy(Web):
    name, file, unit, script, port = 'haproxy', 'haproxy', 'haproxy', 'haproxy', 8080
    private = ['/etc/haproxy', '/var/lib/haproxy']
    reload_signal = signal.SIGUSR2
    no_books = {'removed': 'its worker is ended by a signal, when only its repository has its events'}
    cannot = {'filtered': 'it changes its root, which @system-service does not have'}

    def prepare(self, condition):
        os.makedirs('/run/haproxy')
        os.makedirs('/var/lib/haproxy/dev', exist_ok=True)
        path = '/etc/haproxy/haproxy.cfg'
        with open(path) as f:
            text = f.read()
        if condition == 'user':
            text = text.replace('chroot /var/lib/haproxy', '')
        rows = ''.join(f'    http-request return status 200 content-type text/plain string "{"x" * size}" '
                       f'if {{ path /file{size} }}\n' for size in [1, 1000])
        write(path, text + f'\nfrontend test\n    bind 127.0.0.1:8080\n{rows}    http-request return status 404\n')

    def reload(self, main):
        before = set(workers(main))
        os.kill(main, signal.SIGUSR2)
        found = wait_until(lambda: workers(main) and not before & set(workers(main)))
        return [f'a new worker {bool(found)}']


class Redis(Program):
    name, file, unit, script, port = 'redis', 'redis-server', 'redis-server', 'redis-server', 6379
    private = ['/var/lib/redis', '/etc/redis']
    cannot = {'chroot': 'it has no setting for that'}

    def prepare(self, condition):
        for path in ['/var/lib/redis', '/run/redis', '/var/log/redis']:
            os.makedirs(path, exist_ok=True)
            shutil.chown(path, 'redis', 'redis')

    def ask(self, wire, *words):
        wire.send(b'*%d\r\n' % len(words) + b''.join(b'$%d\r\n%s\r\n' % (len(w), w.encode()) for w in words))
        line = wire.until(b'\r\n')
        if line.startswith(b'$') and line != b'$-1\r\n':
            line += wire.take(int(line[1:]) + 2)
        return line.decode()[:60]

    def work(self):
        wire, found = Wire(self.port), []
        for i in range(ROUNDS):
            key, value = f'key{i % 60}', 'v' * (i % 60 * 50)
            found += [self.ask(wire, 'SET', key, value), self.ask(wire, 'GET', key)]
        found += [self.ask(wire, 'BGSAVE')]
        wait_until(lambda: os.path.exists('/var/lib/redis/dump.rdb'))
        found += [f'{wait_until(lambda: "rdb_last_bgsave_status:ok" in self.info(wire)) is not None}']
        wire.close()
        return found

    def info(self, wire):
        wire.send(b'*2\r\n$4\r\nINFO\r\n$11\r\npersistence\r\n')
        line = wire.until(b'\r\n')
        return wire.take(int(line[1:]) + 2).decode()


class Memcached(Program):
    name, file, unit, script, port = 'memcached', 'memcached', 'memcached', 'memcached', 11211
    cannot = {'chroot': 'it has no setting for that'}

    def work(self):
        wire, found = Wire(self.port), []
        for i in range(ROUNDS):
            wire.send(b'set key%d 0 0 %d\r\n%s\r\n' % (i % 60, i % 60 * 50, b'v' * (i % 60 * 50)))
            found.append(wire.until(b'\r\n').decode())
            wire.send(b'get key%d\r\n' % (i % 60))
            found.append(wire.until(b'END\r\n').decode()[:40])
        wire.close()
        return found


class Dnsmasq(Program):
    name, file, unit, script, port = 'dnsmasq', 'dnsmasq', 'dnsmasq', 'dnsmasq', 53
    private = ['/etc/dnsmasq.d', '/srv/hosts']
    cannot = {'chroot': 'it has no setting for that'}

    def prepare(self, condition):
        write('/etc/dnsmasq.d/test.conf', 'no-resolv\naddn-hosts=/srv/hosts/a\naddress=/all.test/10.1.2.3\n')
        write('/srv/hosts/a', '10.0.0.1 one.test\n')

    def ask(self, wire, name, tcp=False):
        question = b''.join(bytes([len(p)]) + p.encode() for p in name.split('.')) + b'\0\0\1\0\1'
        query = struct.pack('>6H', 7, 0x100, 1, 0, 0, 0) + question
        wire.send(struct.pack('>H', len(query)) + query if tcp else query)
        if tcp:
            answer = wire.take(struct.unpack('>H', wire.take(2))[0])
        else:
            wire.more()
            answer, wire.room = wire.room, b''
        counts = struct.unpack('>6H', answer[:12])
        return f'{name} {counts[1] & 15} {counts[3]} ' + ('.'.join(map(str, answer[-4:])) if counts[3] else '')

    def work(self):
        udp = Wire(self.port, socket.SOCK_DGRAM)
        found = [self.ask(udp, n) for n in ['one.test', 'two.test', 'a.all.test'] * (ROUNDS // 3)]
        # A process for each connection.
        for _ in range(3):
            tcp = Wire(self.port)
            found += [self.ask(tcp, 'one.test', True) for _ in range(5)]
            tcp.close()
        udp.close()
        return found

    def reload(self, main):
        write('/srv/hosts/a', '10.0.0.1 one.test\n10.0.0.2 two.test\n')
        os.kill(main, signal.SIGHUP)
        udp = Wire(self.port, socket.SOCK_DGRAM)
        return [f'sees the new file {bool(wait_until(lambda: "10.0.0.2" in self.ask(udp, "two.test")))}']


class Sshd(Program):
    name, file, unit, script, port = 'sshd', 'sshd', 'ssh', 'ssh', 22
    private = ['/srv/home', '/srv/jail']
    cannot = {'filtered': 'it changes its root, which @system-service does not have'}
    truth = 'most' # its sandbox may write no file: what was read in it is nowhere

    @classmethod
    def missing(cls):
        return None if os.path.exists('/usr/sbin/sshd') and shutil.which('ssh') else 'sshd or ssh is not installed'

    def prepare(self, condition):
        os.makedirs('/run/sshd')
        os.makedirs('/etc/ssh/sshd_config.d', exist_ok=True)
        shutil.copy('/usr/share/openssh/sshd_config', '/etc/ssh/sshd_config')
        for path in ['/etc/ssh/ssh_host_ed25519_key', '/srv/home/key']:
            subprocess.run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', path], check=True)
        shutil.copy('/srv/home/key.pub', '/etc/ssh/keys')
        jail = 'Match User tester\nChrootDirectory /srv/jail\nForceCommand internal-sftp\n' if condition == 'chroot' else ''
        write('/etc/ssh/sshd_config.d/test.conf', 'AuthorizedKeysFile /etc/ssh/keys\n' + jail)
        write('/srv/jail/file', 'x' * 100000)

    def proxy(self, count):
        """A port whose connections are passed on, and counted."""
        server = socket.create_server(('127.0.0.1', 0))
        child = os.fork()
        if child:
            port = server.getsockname()[1]
            server.close()
            return child, port
        report = []
        for _ in range(count):
            client, _address = server.accept()
            to = socket.create_connection(('127.0.0.1', 22))
            report.append(pump(client, to))
        write('/srv/home/counts', '\n'.join(' '.join(map(str, row)) for row in report))
        os._exit(0)

    def log_in(self, user, port, *command, text=None):
        options = ['-i', '/srv/home/key', '-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null',
                   '-o', 'LogLevel=ERROR', '-o', 'BatchMode=yes', '-o', 'ConnectTimeout=10']
        if command and command[0] == 'sftp':
            run = ['sftp', '-q', '-b', '-', '-P', str(port), *options, f'{user}@127.0.0.1']
        else:
            run = ['ssh', '-p', str(port), *options, f'{user}@127.0.0.1', *command]
        done = subprocess.run(run, input=text, capture_output=True, text=True, timeout=60,
                              env={'PATH': '/usr/bin:/bin', 'HOME': '/srv/home'})
        return f'{user} {done.returncode} {len(done.stdout)} {done.stdout[-60:]} {done.stderr[-200:]}'

    def work(self):
        child, port = self.proxy(2)
        found = [self.log_in('root', port, 'cat; echo done; exit 5', text='x' * 100000)]
        if os.path.exists('/etc/ssh/sshd_config.d/test.conf') and \
                'internal-sftp' in open('/etc/ssh/sshd_config.d/test.conf').read():
            found.append(self.log_in('tester', port, 'sftp', text='get file /srv/home/got\n'))
        else:
            found.append(self.log_in('tester', port, 'id; cat | wc -c', text='x' * 100000))
        os.waitpid(child, 0)
        with open('/srv/home/counts') as f:
            for row in f.read().splitlines():
                wire = Wire.__new__(Wire)
                wire.port, wire.sent, wire.received = map(int, row.split())
                Wire.all.append(wire)
        return found

    def reload(self, main):
        write('/etc/ssh/sshd_config.d/more.conf', 'Port 22\nPort 2022\n')
        os.kill(main, signal.SIGHUP)
        return [f'listens at the new port {bool(wait_until(lambda: listens(2022)))}']


def hang_up(end):
    try:
        end.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def pump(client, to):
    """(port of the connection to the server, sent, received)"""
    counts, ends = {client: 0, to: 0}, {client: to, to: client}
    open_ends, port = [client, to], to.getsockname()[1]
    while open_ends:
        for one in select.select(open_ends, [], [], 30)[0]:
            try:
                data = one.recv(65536)
                counts[one] += len(data)
                ends[one].sendall(data)
            except OSError:
                data = b''
            if not data:
                open_ends.remove(one)
                hang_up(ends[one])
    return port, counts[client], counts[to]


class Cron(Program):
    name, file, unit, script = 'cron', 'cron', 'cron', 'cron'
    private = ['/etc/cron.d', '/var/spool/cron', '/srv/jobs', '/etc/cron.hourly', '/etc/cron.daily',
               '/etc/cron.weekly', '/etc/cron.monthly']
    cannot = {'chroot': 'it has no setting for that'}
    no_books = {'removed': 'it is ended by a signal, when only its repository has its events'}
    truth = 'sleeps'

    @classmethod
    def missing(cls):
        return None if os.path.exists('/usr/sbin/cron') else 'cron is not installed'

    def prepare(self, condition):
        write('/etc/crontab', '')
        write('/etc/cron.d/test', '@reboot root sleep 0.5; id -un >/srv/jobs/root; ls -l /proc/self/fd | wc -l >/srv/jobs/open\n'
              '@reboot tester sleep 0.5; id -un >/srv/jobs/tester\n')
        os.makedirs('/var/spool/cron/crontabs', exist_ok=True)
        os.chmod('/srv/jobs', 0o1777)

    def is_ready(self):
        return os.path.exists('/run/crond.pid')

    def work(self):
        found = wait_until(lambda: all(os.path.exists(f'/srv/jobs/{n}') and os.path.getsize(f'/srv/jobs/{n}')
                                       for n in ['root', 'tester', 'open']))
        return [f'{bool(found)}'] + [open(os.path.join('/srv/jobs', n)).read() for n in sorted(os.listdir('/srv/jobs'))]


class Postgres(Program):
    name, file, unit, instance, port = 'postgres', '/usr/bin/pg_ctlcluster', 'postgresql@', '15-main', 5432
    private = ['/etc/postgresql', '/var/lib/postgresql']
    stop_signal = signal.SIGINT
    cannot = {'chroot': 'it has no setting for that',
              'limited': 'a file of its log takes 16 MB'}

    @classmethod
    def missing(cls):
        return None if os.path.exists('/usr/lib/postgresql/15/bin/postgres') and os.path.exists('/usr/bin/pg_ctlcluster') \
            else 'PostgreSQL 15 is not installed'

    def prepare(self, condition):
        os.makedirs('/run/postgresql', exist_ok=True)
        shutil.chown('/run/postgresql', 'postgres', 'postgres')
        os.makedirs('/var/log/postgresql', exist_ok=True)
        template = self.room['template']
        if not os.path.exists(f'{template}/etc'):
            subprocess.run(['pg_createcluster', '15', 'main', '--', '--auth', 'trust', '--no-sync'], check=True,
                           capture_output=True)
            for path in ['/etc/postgresql', '/var/lib/postgresql']:
                subprocess.run(['cp', '-a', path, f'{template}/{path.split("/")[1]}'], check=True)
        else:
            for path in ['/etc/postgresql', '/var/lib/postgresql']:
                subprocess.run(['cp', '-a', f'{template}/{path.split("/")[1]}/.', path], check=True)

    def take(self, env):
        """pg_ctlcluster gives the server these alone."""
        with open('/etc/postgresql/15/main/environment', 'a') as f:
            f.writelines(f"{k} = '{v}'\n" for k, v in env.items() if k.startswith(('JFREC_', 'LD_', 'UPSET')))

    process = 'postgres'

    def daemon(self):
        return ['/usr/bin/pg_ctlcluster', '--skip-systemctl-redirect', '15', 'main', 'start']

    def query(self, wire, sql):
        text = sql.encode() + b'\0'
        wire.send(b'Q' + struct.pack('>I', len(text) + 4) + text)
        found = ''
        while True:
            kind = wire.take(1)
            if not kind:
                return found + ' ends'
            body = wire.take(struct.unpack('>I', wire.take(4))[0] - 4)
            if kind == b'D':
                found += ' ' + body[6:].decode('latin-1')[:40]
            elif kind in b'CE':
                found += ' ' + body.split(b'\0')[0 if kind == b'C' else 3].decode()
            elif kind == b'Z':
                return found

    def connect(self):
        wire = Wire(self.port)
        text = struct.pack('>I', 196608) + b'user\0postgres\0database\0postgres\0\0'
        wire.send(struct.pack('>I', len(text) + 4) + text)
        while True:
            kind = wire.take(1)
            if not kind:
                return wire
            wire.take(struct.unpack('>I', wire.take(4))[0] - 4)
            if kind == b'Z':
                return wire

    def work(self):
        wire = self.connect()
        found = [self.query(wire, 'CREATE TABLE IF NOT EXISTS t (a int, b text)')]
        for i in range(ROUNDS // 2):
            found += [self.query(wire, f"INSERT INTO t VALUES ({i}, repeat('x', 1000))"),
                      self.query(wire, f'SELECT a, length(b) FROM t WHERE a = {i}')]
        found.append(self.query(wire, 'SELECT a FROM missing'))
        wire.send(b'X\0\0\0\4')
        wire.close()
        return found

    def reload(self, main):
        with open('/etc/postgresql/15/main/postgresql.conf', 'a') as f:
            f.write('\nwork_mem = 5MB\n')
        os.kill(main, signal.SIGHUP)
        wire = self.connect()
        found = wait_until(lambda: '5MB' in self.query(wire, 'SHOW work_mem'))
        wire.send(b'X\0\0\0\4')
        wire.close()
        return [f'sees the new setting {bool(found)}']


class Line(Program):
    """Each line comes back."""
    def work(self):
        found = []
        for _ in range(2):
            wire = Wire(self.port)
            for i in range(ROUNDS):
                wire.send(b'line %d %s\n' % (i, b'x' * (i % 60 * 20)))
                found.append(wire.until(b'\n').decode()[:30])
            wire.socket.shutdown(socket.SHUT_WR)
            wire.until(b'nothing more')
            wire.close()
        return found


class Python(Line):
    name, file, port = 'python3', '/usr/bin/python3', 8000

    def command(self, condition):
        more = {'daemon': ['--daemon', '--close'], 'user': ['--user', '65534'], 'closed': ['--close'],
                'chroot': ['--root', '/srv/jail', '--user', '65534']}.get(condition, [])
        return ['/usr/bin/python3', f'{HERE}/server.py', *more, str(self.port)]

    def prepare(self, condition):
        os.makedirs('/srv/jail', exist_ok=True)


class Java(Line):
    name, file, port = 'java', 'java', 9000
    cannot = {'daemon': 'a JVM cannot fork', 'chroot': 'it has no setting for that',
              'closed': 'a JVM does not close what it inherits, and its files are in its low numbers'}

    def command(self, condition):
        return ['java', '-Xmx64m', '-XX:+UseSerialGC', '-cp', self.room['classes'], 'Server', str(self.port)]

    def prepare(self, condition):
        if condition == 'user':
            self.user = 'tester'

    def reload(self, main):
        """It prints all threads, as ever."""
        os.kill(main, signal.SIGQUIT)
        found = wait_until(lambda: 'Full thread dump' in open('/run/stdout').read())
        wait_until(lambda: 'class space' in open('/run/stdout').read(), 5)
        with open('/run/stdout', 'r+') as f:
            f.truncate(f.read().find('\n') + 1)
        return [f'prints its threads {bool(found)}']


class Sqlite(Program):
    name, file = 'sqlite3', 'sqlite3'
    cannot = {c: f'a program for a terminal: {w}' for c, w in
              [('daemon', 'it is no daemon'), ('chroot', 'it has no setting for that')]}
    truth = 'file'
    no_books = {'limited': 'the limit ends it by a signal, before anything is written'}

    def prepare(self, condition):
        os.makedirs('/srv/db', exist_ok=True)
        os.chmod('/srv/db', 0o777)
        if condition == 'user':
            self.user = 'tester'

    def command(self, condition):
        return ['sqlite3', '-batch', '/srv/db/a']

    def is_ready(self):
        return True

    def say(self, text):
        os.write(self.room['stdin'], text.encode())

    def work(self):
        self.say('PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; CREATE TABLE IF NOT EXISTS t (a, b);\n')
        for i in range(ROUNDS // 3):
            self.say(f"INSERT INTO t VALUES ({i}, 'x');\n")
        self.say('SELECT count(*) FROM t;\n.shell touch /srv/db/done\n')
        found = wait_until(lambda: os.path.exists('/srv/db/done'))
        self.room['file'] = ['/srv/db/a-wal', os.path.getsize('/srv/db/a-wal')]
        os.unlink('/srv/db/done') if found else None
        return [f'{bool(found)}', open('/srv/db/a', 'rb').read(16).decode()]

    def reload(self, main):
        return []

    def stop(self, main):
        os.close(self.room['stdin'])


ALL = {p.name: p for p in [Nginx, Redis, Postgres, Memcached, Lighttpd, Haproxy, Dnsmasq, Sshd, Cron, Sqlite, Python, Java]}
