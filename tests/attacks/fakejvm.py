#!/usr/bin/env python3
# A process that jfrec takes for a JVM: it maps a file called libjvm.so and catches SIGQUIT.
#
# usage: exec -a java python3 fakejvm.py DIRECTORY [repository|silent|...]...
#
# DIRECTORY gets libjvm.so and a line in `ready` when all is set up.  Each further word asks for
# something, in this order:
#   repository    keeps a chunk open in DIRECTORY/TIME_PID/, whose name is in DIRECTORY/repository
#   hold=PATH     holds PATH open, O_PATH
#   path=PATH     like repository, in that directory
#   silent        listens at its attach socket and never answers
#   swap=TARGET   the attach socket is replaced by a link to TARGET and back, again and again
#   dump=SIZE     listens there and dumps so many bytes, which are not what a JVM records
#   holes=SIZE    the same, and nearly none of them are there
#   sockets=N     listens at N sockets that have the name of its attach socket
#   fds=N         has N descriptors open
#   sleepers=N    N more descriptors, each of another pipe
import mmap, os, re, signal, socket, struct, sys, threading, time

directory, words = sys.argv[1], sys.argv[2:]
os.makedirs(directory, exist_ok=True)
library = directory + '/libjvm.so'
if not os.path.exists(library):
    with open(library, 'wb') as f:
        f.write(b'x' * 4096)
mapped = open(library, 'rb')
memory = mmap.mmap(mapped.fileno(), 4096, prot=mmap.PROT_READ)
signal.signal(signal.SIGQUIT, lambda *ignored: None)
with open('/proc/self/status') as f:
    pid = int(f.read().split('NSpid:')[1].split('\n')[0].split()[-1])
kept = []


def listen(path):
    s = socket.socket(socket.AF_UNIX)
    before = os.umask(0o177)
    s.bind(path)
    os.umask(before)
    s.listen(50)
    kept.append(s)
    return s


def repository(base):
    where = '%s/2026_11_22_01_02_03_%d' % (base, pid)
    os.makedirs(where, exist_ok=True)
    kept.append(open(where + '/2026_11_22_01_02_03.jfr', 'ab'))
    with open(directory + '/repository', 'w') as f:
        f.write(where)


def swap(target):
    path, other, spare = '/tmp/.java_pid%d' % pid, directory + '/link', directory + '/socket'
    while True:
        os.symlink(target, other)
        os.rename(path, spare)
        os.rename(other, path)
        time.sleep(0.0002)
        os.rename(spare, path)


def answer(client, size, sparse):
    request = b''
    while request.count(b'\0') < 5:
        more = client.recv(4096)
        if not more:
            return
        request += more
    filename = re.search(r'filename="?([^\s"\0]+)', request.decode())
    text = 'it is an unknown command'
    if 'JFR.dump' in request.decode() and filename:
        head = struct.pack('>4sHHQQQqqqqI', b'FLR\0', 2, 1, size, 68, 68, 10**18, 10**9, 0, 10**9, 1)
        with open(filename[1], 'r+b') as f:
            f.write(head)
            if sparse:
                f.truncate(size)
            for _ in range(0 if sparse else size, 68, -(1 << 20)):
                f.write(b'\1' * min(1 << 20, size - f.tell()))
        text = 'Dumped recording, 1 kB written to:\n\n%s\n' % filename[1]
    client.sendall(('0\n' + text).encode())
    client.close()


def dump(size, sparse):
    s = listen('/tmp/.java_pid%d' % pid)
    while True:
        client, _ = s.accept()
        threading.Thread(target=answer, args=(client, size, sparse), daemon=True).start()


for word in words:
    key, _, value = word.partition('=')
    if key == 'repository':
        repository(directory)
    elif key == 'path':
        repository(value)
    elif key == 'hold':
        kept.append(os.open(value, os.O_PATH))
    elif key == 'silent':
        try:
            os.unlink('/tmp/.java_pid%d' % pid)
        except OSError:
            pass
        listen('/tmp/.java_pid%d' % pid)
    elif key in ('dump', 'holes'):
        threading.Thread(target=dump, args=(int(value), key == 'holes'), daemon=True).start()
    elif key == 'swap':
        threading.Thread(target=swap, args=(value,), daemon=True).start()
    elif key == 'sockets':
        for i in range(int(value)):
            os.makedirs('%s/s%d' % (directory, i), exist_ok=True)
            listen('%s/s%d/.java_pid%d' % (directory, i, pid))
    elif key == 'fds':
        for i in range(int(value)):
            kept.append(os.open('/dev/null', os.O_RDONLY))
    else:
        sys.exit('fakejvm.py: ' + word)
with open(directory + '/ready', 'w') as f:
    f.write('%d\n' % os.getpid())
while True:
    time.sleep(1000)
