# SPDX-License-Identifier: MIT
#
# completion.py - TAB in bash, zsh and fish, on a terminal
#
# usage: completion.py JFREC SOURCE_ROOT
#
# Names of files, JVMs, recordings and settings are whatever somebody chose to call them.  What a
# shell completes has to arrive in the command as that very name, and nothing of it may run.  So a
# word is typed in part, then TAB, then `args ` is put in front of the line: it writes down what
# words the shell makes of it.

import fcntl
import os
import pty
import select
import shutil
import signal
import struct
import sys
import tempfile
import termios
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result, skip  # noqa: E402

PATIENCE = 30           # seconds; a shell takes one, on a busy machine ten

# Which of the commands that a shell completes with are the real ones, and what the others say.
STUB = r'''#!/bin/sh
case $1 in
list)
	printf '%s\n' '  PID  USER  JAVA        UPTIME  ATTACH  MAIN' \
		' 4711  root  17.0.15         6s  yes     Main$(touch${IFS}PWNED)`touch${IFS}PWNED`' \
		'  815  root  17.0.15         6s  yes     Other' \
		'$(touch${IFS}PWNED)  root  17  6s  yes  x' ;;
check)
	printf '%s\n' '  ID  STATE     DURATION  MAX-AGE   MAX-SIZE  NAME' \
		'   1  running   -         -         250.0MB   evil$(touch PWNED);touch PWNED' ;;
settings)
	case $2 in
	list) printf '%s\n' 'bad$(touch${IFS}PWNED)  /jdk' 'well-known  /jdk' ;;
	esac ;;
*) exec "$JFREC" "$@" ;;
esac
'''

START = {
    'bash': '''PS1='READY> '; bind 'set enable-bracketed-paste off'
args() { printf '<%%s>' "$@" >"$OUT.new"; mv "$OUT.new" "$OUT"; }
source '%s/jfrec.bash'
''',
    'zsh': '''PS1='READY> '; bindkey -e; fpath=('%s' $fpath); autoload -Uz compinit; compinit -u -D
args() { printf '<%%s>' "$@" >"$OUT.new"; mv "$OUT.new" "$OUT" }
''',
    'fish': '''function fish_prompt; echo 'READY> '; end; set -g fish_greeting ''
function args; printf '<%%s>' $argv >$OUT.new; mv $OUT.new $OUT; end
source '%s/jfrec.fish'
''',
}

COMMAND = {
    'bash': ['bash', '--norc', '--noprofile', '-i'],
    'zsh': ['zsh', '-f', '-i'],
    'fish': ['fish', '--no-config', '-i'],
}

# What is typed before TAB, and the words that must come of it.
CASES = [
    # Names that others chose.
    ('jfrec summary hf', ['jfrec', 'summary', 'hf$(touch PWNED);touch PWNED `touch PWNED`.jfr']),
    ('jfrec summary bt', ['jfrec', 'summary', 'bt`touch PWNED`.jfr']),
    ('jfrec summary dl', ['jfrec', 'summary', 'dl$HOME;${IFS}&|<x>.jfr']),
    ('jfrec summary di', ['jfrec', 'summary', 'di$(touch PWNED)']),
    ('jfrec record --settings ya',
     ['jfrec', 'record', '--settings', 'ya$(touch PWNED)`touch PWNED`.yaml']),
    ('jfrec dump 4711 --name ev',
     ['jfrec', 'dump', '4711', '--name', 'evil$(touch PWNED);touch PWNED']),
    ('jfrec stop 47', ['jfrec', 'stop', '4711']),
    ('jfrec record --settings well', ['jfrec', 'record', '--settings', 'well-known']),
    ('jfrec record --settings bad', ['jfrec', 'record', '--settings', 'bad']),
    ('jfrec settings show bad', ['jfrec', 'settings', 'show', 'bad']),
    ('jfrec settings check --target 4', ['jfrec', 'settings', 'check', '--target', '4711']),
    # Event types, alone and in lists.
    ('jfrec print --events jdk.SocketR', ['jfrec', 'print', '--events', 'jdk.SocketRead']),
    ('jfrec print --events SocketR', ['jfrec', 'print', '--events', 'SocketRead']),
    ('jfrec filter -e jdk.CPULoad,jdk.SocketR', ['jfrec', 'filter', '-e', 'jdk.CPULoad,jdk.SocketRead']),
    ('jfrec settings explain jdk.SocketR', ['jfrec', 'settings', 'explain', 'jdk.SocketRead']),
    ('jfrec settings explain well', ['jfrec', 'settings', 'explain', 'well-known']),
    ('jfrec stream --on jdk.SocketR', ['jfrec', 'stream', '--on', 'jdk.SocketRead']),
    ('jfrec start --set jdk.SocketR', ['jfrec', 'start', '--set', 'jdk.SocketRead#']),
    # Those of a recording that is on the line.  ^B goes back in front of it.
    ('jfrec print typed.jfr --events app.Or', ['jfrec', 'print', 'typed.jfr', '--events', 'app.OrderPlaced']),
    ('jfrec print --events app.Or typed.jfr' + 10 * '\2', ['jfrec', 'print', '--events', 'app.OrderPlaced', 'typed.jfr']),
    ('jfrec query --events jdk.CPULoad,app.Or typed.jfr' + 10 * '\2',
     ['jfrec', 'query', '--events', 'jdk.CPULoad,app.OrderPlaced', 'typed.jfr']),
    ('jfrec view app.Or typed.jfr' + 10 * '\2', ['jfrec', 'view', 'app.OrderPlaced', 'typed.jfr']),
    ('jfrec view jdk.SocketR', ['jfrec', 'view', 'jdk.SocketRead']),
    ('jfrec view hot-m', ['jfrec', 'view', 'hot-methods']),
    # Its names that are none are not offered.
    ('jfrec print typed.jfr --events jdk.SocketR', ['jfrec', 'print', 'typed.jfr', '--events', 'jdk.SocketR']),
    ("jfrec print 'ty$(touch PWNED).jfr' --events app.Or",
     ['jfrec', 'print', 'ty$(touch PWNED).jfr', '--events', 'app.OrderPlaced']),
    # Files, compressed ones as well.
    ('jfrec print one', ['jfrec', 'print', 'one.jfr']),
    ('jfrec print gz', ['jfrec', 'print', 'gz.jfr.gz']),
    ('jfrec summary zs', ['jfrec', 'summary', 'zs.jfr.zst']),
    ('jfrec filter lz', ['jfrec', 'filter', 'lz.jfr.lz4']),
    ('jfrec metadata x', ['jfrec', 'metadata', 'xz.jfr.xz']),
    ('jfrec --config conf', ['jfrec', '--config', 'conf.yaml']),
    ('jfrec collect --config conf', ['jfrec', 'collect', '--config', 'conf.yaml']),
    # JVMs, what they can be asked, and zones.
    ('jfrec settings active 47', ['jfrec', 'settings', 'active', '4711']),
    ('jfrec jcmd 47', ['jfrec', 'jcmd', '4711']),
    ('jfrec jcmd 4711 GC.class_h', ['jfrec', 'jcmd', '4711', 'GC.class_histogram']),
    ('jfrec print --tz Europe/Berl', ['jfrec', 'print', '--tz', 'Europe/Berlin']),
    ('jfrec merge --compress gz', ['jfrec', 'merge', '--compress', 'gzip']),
    ('jfrec sett', ['jfrec', 'settings']),
    ('jfrec settings expl', ['jfrec', 'settings', 'explain']),
]


class Shell:
    """A shell on a terminal of its own."""

    def __init__(self, name, completions, directory):
        self.out = os.path.join(directory, '.out')
        self.shown = b''
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(directory)
            os.execvp(COMMAND[name][0], COMMAND[name])
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 50, 200, 0, 0))
        self.type(START[name] % completions + 'args begun\n')
        self.began = self.words() == '<begun>'

    def type(self, text):
        os.write(self.terminal, text.encode())

    def read(self):
        """Take what the shell shows, which would block it otherwise."""
        if select.select([self.terminal], [], [], 0.05)[0]:
            try:
                self.shown += os.read(self.terminal, 65536)
            except OSError:
                pass

    def words(self):
        """What `args` was called with."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.read()
            if os.path.exists(self.out):
                with open(self.out) as f:
                    words = f.read()
                os.remove(self.out)
                return words
        return None

    def complete(self, text):
        self.shown = b''
        self.type(text + '\t\x01args \r')
        return self.words()

    def list(self, text, wanted):
        """Have it list all words that fit, until the wanted one is seen."""
        self.shown = b''
        self.type(text + '\t\t')
        end = time.monotonic() + PATIENCE
        while wanted not in self.shown and time.monotonic() < end:
            self.read()
        shown = self.shown
        self.type('\x03')
        self.type('args over\r')
        self.words()
        return shown

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)


def prepare(directory, jfrec, root):
    """A directory with files of all names, and in bin/ the jfrec that says evil things."""
    os.mkdir(os.path.join(directory, 'bin'))
    stub = os.path.join(directory, 'bin', 'jfrec')
    with open(stub, 'w') as f:
        f.write(STUB)
    os.chmod(stub, 0o755)
    os.mkdir(os.path.join(directory, 'di$(touch PWNED)'))
    for name in ['bt`touch PWNED`.jfr', 'dl$HOME;${IFS}&|<x>.jfr',
                 'ya$(touch PWNED)`touch PWNED`.yaml', 'hf$(touch PWNED);touch PWNED `touch PWNED`.jfr',
                 'one.jfr', 'gz.jfr.gz', 'zs.jfr.zst', 'lz.jfr.lz4', 'xz.jfr.xz', 'conf.yaml', 'none.txt']:
        open(os.path.join(directory, name), 'w').close()
    with open(os.path.join(root, 'tests/data/ok/jvm-17.jfr'), 'rb') as f:
        recording = f.read()
    # Names of the same length.
    recording = recording.replace(b'jdk.SocketWrite', b'app.OrderPlaced').replace(b'jdk.SocketRead', b'$(touch EVENT)')
    for name in ['typed.jfr', 'ty$(touch PWNED).jfr']:
        with open(os.path.join(directory, name), 'wb') as f:
            f.write(recording)
    os.environ.update(HOME=directory, PATH=os.path.join(directory, 'bin') + ':' + os.environ['PATH'],
                      JFREC=jfrec, OUT=os.path.join(directory, '.out'), TERM='xterm',
                      LC_ALL='C.UTF-8', XDG_CONFIG_HOME=directory, XDG_DATA_HOME=directory)


def try_shell(name, completions, directory):
    # What an event type would make has another name: shells may list the files, too.
    canaries = [os.path.join(directory, canary) for canary in ['PWNED', 'EVENT']]
    shell = Shell(name, completions, directory)
    result(shell.began, f'{name} begins', shell.shown)
    for text, wanted in CASES:
        if name == 'fish' and '\2' in text:
            continue  # it tells completions nothing of what is after the cursor
        got = shell.complete(text)
        want = ''.join(f'<{word}>' for word in wanted)
        # zsh takes the / of a directory back when a blank follows.
        got = got and got.replace('/>', '>')
        result(got == want, f'{name}: {text}<TAB>', f'wanted {want}', f'got    {got}', shell.shown)
        made = [canary for canary in canaries if os.path.exists(canary)]
        result(not made, f'{name}: {text}<TAB> runs nothing', *made)
        for canary in made:
            os.remove(canary)
    shown = shell.list('jfrec record --settings ', b'well-known')
    result(b'well-known' in shown, f'{name}: lists settings', shown)
    shown = shell.list('jfrec print typed.jfr --events app', b'OrderPlaced')
    result(b'EVENT' not in shown, f'{name}: lists no event types with other characters', shown)
    shown = shell.list('jfrec dump ', b'Other')
    result(b'Main' in shown and b'4711' in shown, f'{name}: shows the main classes of JVMs', shown)
    result(not any(map(os.path.exists, canaries)), f'{name}: lists run nothing')
    shell.end()


def try_settings_list(jfrec, directory):
    """Settings files of a JDK are listed only by names that need no quoting."""
    jfr = os.path.join(directory, 'evil-jdk', 'lib', 'jfr')
    os.makedirs(jfr)
    for name in ['$(touch PWNED)', 'a b', 'x;y', 'new\nline', 'es\033cape', '`x`', 'good_1.2-x']:
        with open(os.path.join(jfr, name + '.jfc'), 'w') as f:
            f.write('<configuration version="2.0"/>')
    for options in ([], ['--json'], ['--jdk-home', os.path.dirname(os.path.dirname(jfr))]):
        pipe = os.popen(' '.join([f"JAVA_HOME='{directory}/evil-jdk' '{jfrec}' settings list", *options]))
        listed = pipe.read()
        pipe.close()
        result('good_1.2-x' in listed and not any(
            c in listed for c in ['$(', 'a b', 'x;y', 'new\n', '\033', '`']),
            f"settings list {' '.join(options[:1])}: no names with other characters", listed)


def main():
    jfrec, root = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    with tempfile.TemporaryDirectory() as directory:
        prepare(directory, jfrec, root)
        try_settings_list(jfrec, directory)
        for name in START:
            if shutil.which(name):
                try_shell(name, os.path.join(root, 'completions'), directory)
            else:
                skip(name, f'no {name}')
    finish()


main()
