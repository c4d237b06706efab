# SPDX-License-Identifier: MIT
#
# preload.py - jfrec-record-preload.so shows what programs wait for that know nothing of the recorder
#
# usage: preload.py JFREC SOURCE_ROOT LIBRARY_DIRECTORY WAITER

import json
import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result, skip  # noqa: E402

JFREC, SOURCE, LIBRARY, WAITER = [os.path.abspath(a) for a in sys.argv[1:5]]
PRELOAD = os.path.join(LIBRARY, 'jfrec-record-preload.so')
EVERYTHING = ''.join(f',jdk.{t}#threshold=0ns' for t in
                     ['SocketRead', 'SocketWrite', 'FileRead', 'FileWrite', 'FileForce', 'JavaMonitorEnter',
                      'ThreadPark', 'ThreadSleep'])


def events(recording, name):
    out = subprocess.run([JFREC, 'print', '--json', '--stack-depth', '64', '--events', name, recording],
                         capture_output=True, text=True)
    return [e['values'] for e in json.loads(out.stdout)['recording']['events']] if out.returncode == 0 else []


def names(event):
    return [f['method']['name'] for f in (event.get('stackTrace') or {}).get('frames', [])]


def seconds(event):
    return float(event['duration'].strip('PTS'))


def environment(work, recording, settings):
    return dict(os.environ, LD_PRELOAD=PRELOAD, JFREC_RECORD=f'repository={work},filename={recording}{settings}')


def run(work, settings='', waiter=WAITER):
    recording, path = os.path.join(work, 'waiter.jfr'), os.path.join(work, 'file')
    done = subprocess.run([waiter, path], capture_output=True, text=True,
                          env=environment(work, recording, settings))
    result(done.returncode == 0 and done.stdout.endswith('\nsignal\ndone\n'), f'it runs as without it{settings[:40]}',
           str(done.returncode), done.stdout, done.stderr)
    return recording, path, done.stdout.split('\n')[0]


def class_of(event, field):
    return (event.get(field) or {}).get('name')


def long_waits(work):
    """With the usual thresholds: only what has taken 20 ms."""
    recording, _, port = run(work)
    found = events(recording, 'jdk.SocketRead')
    waited = [e for e in found if e['port'] == int(port) and 'wait_for_answer' in names(e)]
    result(len(waited) == 1 and waited[0]['host'] == waited[0]['address'] == '127.0.0.1' and
           waited[0]['bytesRead'] == 6 and not waited[0]['endOfStream'] and seconds(waited[0]) > 0.05,
           'a read of a socket: from whom, how much, how long', str(found))
    result(waited and names(waited[0])[0] == 'wait_for_answer', 'the first frame is the program\'s',
           str(waited and names(waited[0])))
    found = events(recording, 'jdk.JavaMonitorEnter')
    result(any(class_of(e, 'monitorClass') == 'pthread_mutex_t' and names(e)[0] == 'wait_for_lock' and e['address']
               for e in found), 'a mutex', str(found))
    result(any(class_of(e, 'monitorClass') == 'pthread_rwlock_t' for e in found), 'a lock for readers', str(found))
    found = events(recording, 'jdk.ThreadPark')
    for name in ['pthread_cond_t', 'sem_t', 'pthread_t']:
        result(any(class_of(e, 'parkedClass') == name for e in found), name, str(found))
    found = events(recording, 'jdk.ThreadSleep')
    result(any(e['time'] == 'PT0.06S' and seconds(e) >= 0.06 for e in found), 'a sleep', str(found[:3]))
    shown = subprocess.run([JFREC, 'view', 'contention-by-class', recording], capture_output=True, text=True).stdout
    result('pthread_mutex_t' in shown, 'a view shows it', shown)
    shown = subprocess.run([JFREC, 'view', 'socket-reads-by-host', recording], capture_output=True, text=True).stdout
    result('127.0.0.1' in shown, 'and the hosts', shown)


def everything(work):
    recording, path, port = run(work, EVERYTHING)
    written = [e for e in events(recording, 'jdk.FileWrite') if e['path'] == path]
    result([e['bytesWritten'] for e in written] == [5, 1], 'each write of a file', str(written))
    found = [e for e in events(recording, 'jdk.FileRead') if e['path'] == path]
    result([e['bytesRead'] for e in found] == [5], 'each read of it', str(found))
    found = [e['metaData'] for e in events(recording, 'jdk.FileForce') if e['path'] == path]
    result(found == [True, False], 'each time that it is forced to disk', str(found))
    found = [e for e in events(recording, 'jdk.SocketRead') if e['port'] == int(port)]
    result([e['endOfStream'] for e in found] == [False, True], 'the end of a stream', str(found))
    result(any(e['bytesWritten'] == 5 for e in events(recording, 'jdk.SocketWrite')), 'a write of a socket')
    handler = [e for e in events(recording, 'jdk.FileWrite') if 'on_signal' in names(e)]
    result(len(handler) == 1, 'a write of a signal handler', str(handler))
    found = [e['path'] for n in ['jdk.FileWrite', 'jdk.FileRead'] for e in events(recording, n)]
    result(not any(p.endswith('.child') for p in found), 'nothing of the child of a fork')
    result(not any('/2' in p and p.endswith('.jfr') for p in found) and not any('/proc' in p for p in found),
           'nothing of the recorder itself', *found)
    lost = subprocess.run([JFREC, 'print', '--count', '--events', 'jfrec.Loss', recording], capture_output=True, text=True)
    result(lost.stdout.strip() == '0', 'and nothing is lost', lost.stdout)


def blocked(work, waiter):
    recording, _, _ = run(work, ',jdk.NativeMethodSample#enabled=true,jdk.NativeMethodSample#period=10ms', waiter)
    found = events(recording, 'jdk.NativeMethodSample')
    seen = {n for e in found for n in names(e)}
    print(f'# {len(found)} samples of threads that wait')
    result({'wait_for_answer', 'wait_for_lock', 'main'} <= seen, 'where threads wait is sampled without a signal',
           ' '.join(sorted(seen)))
    result(all(e['state'] == 'STATE_SLEEPING' for e in found), 'with their state')
    cut = [e for e in found if e['stackTrace']['truncated']]
    # Where no wrapper knows of it, too: the frame pointers are worked out.
    for call, function in [('flock', 'wait_for_file'), ('clone', 'wait_for_child')]:
        there = [e for e in found if call in names(e)[0]]
        result(there and all(function in names(e) and not e['stackTrace']['truncated'] for e in there),
               f'in {call}(), too', *{' '.join(names(e)) for e in there})
    result(found and len(cut) <= 0.1 * len(found), 'with whole stacks', f'{len(cut)} of {len(found)} are cut:',
           *{' '.join(names(e)) for e in cut})


def executes(work):
    """As a script does that ends in exec: one process, and two programs with a recorder each."""
    def left(settings, first='exec "$1" "$2"'):
        recording = os.path.join(work, 'executed.jfr')
        done = subprocess.run(['sh', '-c', first, 'sh', WAITER, os.path.join(work, 'file')],
                              capture_output=True, text=True, env=environment(work, recording, settings))
        result(done.returncode == 0 and events(recording, 'jdk.ThreadSleep'), 'a program that a script executes is recorded',
               done.stderr)
        return [os.path.join(work, name) for name in os.listdir(work) if name.startswith('20')]

    found = left('')
    result(not found, 'the script leaves nothing behind', *found)
    found = left(',preserve-repository=true')
    result(len(found) == 2 and all(os.listdir(path) for path in found), 'unless its repository is to be kept', *found)
    result(not any(os.path.exists(os.path.join(path, '.buffers')) for path in found),
           'which does not take the memory of the next program for its own')
    found = left(',preserve-repository=true', 'JFREC_RECORD=${JFREC_RECORD%,preserve*}; exec "$1" "$2"')
    result(len(found) == 3, 'the first program decides, not the second one', *found)


ENDS = r"""
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static void on_signal(int number)
{
	_exit(number ? 7 : 0);
}

/* vfork: a child that has its memory; signal: in malloc(), for all that a handler knows. */
int main(int argc, char **argv)
{
	struct itimerval soon = { { 0 }, { 0, argc > 2 ? 30000 : 300000 } };
	int status = 0;

	if (argc > 1 && !strcmp(argv[1], "vfork")) {
		pid_t child = vfork();

		if (child == 0)
			_exit(3);
		waitpid(child, &status, 0);
		usleep(20000);
		return WEXITSTATUS(status);
	}
	signal(SIGALRM, on_signal);
	setitimer(ITIMER_REAL, &soon, NULL);
	for (;;)
		free(malloc(100000));
}
"""


def ends(work):
    """Without what exit() does: as shells, and children of servers."""
    def left(*command, settings='', rc=0):
        recording = os.path.join(work, 'ended.jfr')
        done = subprocess.run(command, capture_output=True, text=True, env=environment(work, recording, settings), timeout=60)
        result(done.returncode == rc, f'{command[0]} {" ".join(command[1:])[:20]} ends as without it', str(done.returncode), done.stderr)
        files = sorted(name for name in os.listdir(work) if name.startswith('ended'))
        found = [os.path.join(work, name) for name in os.listdir(work) if name.startswith('20')]
        return files, found

    def clear():
        for name in os.listdir(work):
            path = os.path.join(work, name)
            if name.startswith('20'):
                shutil.rmtree(path)
            elif name.startswith('ended'):
                os.remove(path)

    clear()
    files, found = left('sh', '-c', 'exit 3', rc=3)
    result(files == ['ended.jfr'] and not found, 'a shell leaves its recording, and nothing else', *files, *found)
    clear()
    child = 'import os, time\nif not os.fork():\n  time.sleep(0.03)\n  os._exit(5)\nos.wait()'
    files, found = left('/usr/bin/python3', '-c', child, settings=',fork=true,jdk.ThreadPark#threshold=0ns'
                        ',jdk.FileRead#threshold=0ns,jdk.ThreadSleep#threshold=0ns')
    slept = [e for f in files for e in events(os.path.join(work, f), 'jdk.ThreadSleep')]
    result(len(files) == 2 and not found and len(slept) == 1, 'a child leaves its own, with all that it emitted', *files,
           *found, len(slept))
    clear()
    program = os.path.join(work, 'ends')
    done = subprocess.run(['cc', '-D_GNU_SOURCE', '-O2', '-x', 'c', '-o', program, '-'], input=ENDS, capture_output=True, text=True)
    result(done.returncode == 0, 'a program that ends in different ways', done.stderr)
    files, found = left(program, 'vfork', rc=3)
    result(files == ['ended.jfr'] and not found and len(events(os.path.join(work, 'ended.jfr'), 'jdk.ThreadSleep')) == 1,
           'a child of vfork() ends nothing', *files, *found)
    clear()
    for _ in range(5):
        files, found = left(program, 'signal', rc=7)
        result(not files and len(found) == 1, 'in a handler nothing is written, and the repository stays', *files, *found)
        clear()
        files, found = left(program, 'signal', 'soon', rc=7)
        result(not files and not found, 'if there is one yet', *files, *found)
def starts_others(work):
    """Who starts other programs keeps its file."""
    there = os.path.join(work, 'started')
    os.mkdir(there)
    recording = os.path.join(there, 'first.jfr')
    program = 'import os, subprocess\nsubprocess.run(["true"])\nsubprocess.run(["sh", "-c", "exec true"])'
    done = subprocess.run([sys.executable, '-S', '-c', program], capture_output=True, text=True,
                          env=environment(there, recording, ''))
    files = sorted(os.listdir(there))
    said = [e['javaArguments'] for f in files for e in events(os.path.join(there, f), 'jdk.JVMInformation')]
    result(done.returncode == 0 and not done.stderr and len(files) == 3 and files.count('first.jfr') == 1 and
           all(f.startswith('first') for f in files), 'programs that it starts have files of their own', done.stderr, *files)
    result('-c' in events(recording, 'jdk.JVMInformation')[0]['javaArguments'] and said.count('true') == 2,
           'and it has its own', *said)


def does_nothing(work):
    """A process that is over before anything is written for it."""
    alone = os.path.join(work, 'alone')
    os.mkdir(alone)
    recording = os.path.join(alone, 'nothing.jfr')
    done = subprocess.run(['true'], capture_output=True, text=True,
                          env=dict(os.environ, LD_PRELOAD=PRELOAD, JFREC_RECORD=f'repository={alone}'))
    result(done.returncode == 0 and not done.stderr and not os.listdir(alone), 'a process of nothing leaves nothing',
           done.stderr, *os.listdir(alone))
    done = subprocess.run(['true'], capture_output=True, text=True, env=environment(alone, recording, ''))
    result(done.returncode == 0 and not done.stderr and os.listdir(alone) == ['nothing.jfr'],
           'or its file alone', done.stderr, *os.listdir(alone))
    found = events(recording, 'jdk.JVMInformation'), events(recording, 'jdk.Shutdown')
    result([len(f) for f in found] == [1, 1] and found[0][0]['javaArguments'] == 'true', 'which says what it was',
           str(found))
    done = subprocess.run(['true'], capture_output=True, text=True,
                          env=environment(alone, os.path.join(work, 'none', 'nothing.jfr'), ''))
    kept = [n for n in os.listdir(alone) if n.startswith('20')]
    result(done.returncode == 0 and 'No such file' in done.stderr and 'is kept in' in done.stderr and len(kept) == 1,
           'where its file cannot be, there is a repository', done.stderr, *kept)
    done = subprocess.run(['true'], capture_output=True, text=True,
                          env=environment(os.path.join(work, 'none'), recording, ''))
    result('cannot create the repository' in done.stderr and 'No such file' in done.stderr,
           'where no repository can be, it says so', done.stderr)


def gives_up_rights(work):
    """What it records after that comes into a repository that it could not make any more."""
    if os.geteuid():
        skip('another user', 'only root can become one')
        return
    alone, everybodys = os.path.join(work, 'of root'), os.path.join(work, 'of all')
    for path, mode in [(work, 0o755), (alone, 0o700), (everybodys, 0o777)]:
        os.makedirs(path, exist_ok=True)
        os.chmod(path, mode)
    for call in ['os.setuid(65534)', 'os.setresuid(65534, 65534, 65534)']:
        recording = os.path.join(everybodys, 'other.jfr')
        done = subprocess.run([sys.executable, '-S', '-c', f'import os, time; {call}; time.sleep(0.3)'],
                              capture_output=True, text=True, env=environment(alone, recording, ''))
        found = [e for e in events(recording, 'jdk.ThreadSleep') if seconds(e) >= 0.3] if os.path.exists(recording) else []
        result(done.returncode == 0 and len(found) == 1, f'{call} does not end the recording', done.stderr, str(found))
        if os.path.exists(recording):
            os.remove(recording)


def memcached(work):
    server = shutil.which('memcached')
    if not server:
        skip('memcached', 'it is not installed')
        return
    recording, path = os.path.join(work, 'memcached.jfr'), os.path.join(work, 'socket')
    process = subprocess.Popen([server, '-s', path, '-t', '1', '-U', '0', '-u', 'root'],
                               env=environment(work, recording, EVERYTHING))
    try:
        for _ in range(500):
            if os.path.exists(path):
                break
            time.sleep(0.02)
        with socket.socket(socket.AF_UNIX) as s:
            s.connect(path)
            for i in range(100):
                s.sendall(b'set key%d 0 0 5\r\nvalue\r\nget key%d\r\n' % (i, i))
                answer = b''
                while not answer.endswith(b'END\r\n'):
                    answer += s.recv(4096)
        ok = answer == b'STORED\r\nVALUE key99 0 5\r\nvalue\r\nEND\r\n'
    finally:
        process.terminate()
        process.wait()
    result(ok, 'memcached answers')
    read = sum(e['bytesRead'] for e in events(recording, 'jdk.SocketRead'))
    wrote = sum(e['bytesWritten'] for e in events(recording, 'jdk.SocketWrite'))
    sent = sum(len(b'set key%d 0 0 5\r\nvalue\r\nget key%d\r\n' % (i, i)) for i in range(100))
    got = sum(len(b'STORED\r\nVALUE key%d 0 5\r\nvalue\r\nEND\r\n' % i) for i in range(100))
    result((read, wrote) == (sent, got), 'each byte is in the recording', f'{read} of {sent}, {wrote} of {got}')
    found = events(recording, 'jdk.SocketRead')
    result(found and all(len(names(e)) > 3 for e in found), 'with its stack', str(found[:1]))


def main():
    symbols = subprocess.run(['nm', '-D', os.path.join(LIBRARY, 'libjfrec-recorder.so')], capture_output=True, text=True)
    if platform.machine() != 'x86_64' or '__asan_init' in symbols.stdout or '__tsan_init' in symbols.stdout:
        skip('wrappers', 'they are tested on x86-64, in a build without sanitizers')
        finish()
    work = tempfile.mkdtemp()
    try:
        long_waits(work)
        everything(work)
        blocked(work, WAITER)
        # Frame pointers are what the kernel does not say of a thread that waits.
        waiter = os.path.join(work, 'waiter')
        done = subprocess.run(['cc', '-D_GNU_SOURCE', '-O0', '-fno-omit-frame-pointer', '-o', waiter, '-pthread',
                               os.path.join(SOURCE, 'tests', 'native', 'waiter.c'), '-ldl'], capture_output=True, text=True)
        result(done.returncode == 0, 'with frame pointers', done.stderr)
        blocked(work, waiter)
        executes(work)
        ends(work)
        does_nothing(work)
        starts_others(work)
        gives_up_rights(work)
        memcached(work)
    finally:
        shutil.rmtree(work)
    finish()


main()
