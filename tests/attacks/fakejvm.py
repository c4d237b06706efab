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
#   sockets=N     listens at N sockets that have the name of its attach socket
#   fds=N         has N descriptors open
#   sleepers=N    N more descriptors, each of another pipe
import mmap, os, signal, socket, sys, threading, time

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
