#!/bin/sh
# What a user who is not to be trusted can do to root's jfrec by a process that looks like a JVM.
#
# usage: attacks.sh JFREC SOURCE_ROOT

LC_ALL=C
export LC_ALL
jfrec=$(realpath "$1")
source=$(realpath "$2")
. "$source/tests/cli/tap.sh"

for tool in python3 setpriv bash; do
	command -v $tool >/dev/null || { echo "1..0 # SKIP no $tool"; exit 0; }
done
[ "$(id -u)" -eq 0 ] || { echo "1..0 # SKIP needs root, to act as two users"; exit 0; }

# What must not wait for ever has so many seconds, since a machine may be busy; exported for sh -c.
export patience=100

# Nobody has these ids.
evil=47111
victim=47112
work=$(mktemp -d /tmp/jfrec-attacks-XXXXXX) || exit
pids=
trap 'end_all; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
chmod 755 "$work"
cd "$work" || exit

end_all()
{
	for pid in $pids; do
		kill -9 "$pid" 2>/dev/null
	done
	pids=
}

as_evil()       # COMMAND...
{
	setpriv --reuid $evil --regid $evil --clear-groups "$@"
}

# A fake JVM of evil's, with its pid in $jvm and its things in $home; its main class is $program.
program=$source/tests/attacks/fakejvm.py
start_fake()    # WORD...
{
	home=$work/evil/$((fakes = ${fakes:-0} + 1))
	as_evil bash -c 'exec -a java python3 "$@"' - "$program" "$home" "$@" \
		>/dev/null 2>"$work/fake" &
	pids="$pids $!"
	waited=0
	while [ ! -e "$home/ready" ]; do
		waited=$((waited + 1))
		[ $waited -lt 200 ] || { cat "$work/fake"; return 1; }
		sleep 0.05
	done
	jvm=$(cat "$home/ready")
	pids="$pids $jvm"
}

# As works(), but status 77 means that it cannot be tried here, for the reason it printed last.
works_or_skips()        # NAME COMMAND...
{
	name=$1
	shift
	"$@" >"$work/said" 2>&1
	case $? in
	0)
		result ok "$name"
		;;
	77)
		result ok "$name # SKIP $(tail -n 1 "$work/said")"
		;;
	*)
		result not-ok "$name"
		head -n 20 "$work/said" | sed 's/^/# /'
		;;
	esac
}

mkdir -m 700 evil victim
chown $evil evil
cp "$source/tests/data/ok/jvm-17.jfr" victim/secret.jfr
cp victim/secret.jfr victim/2026_11_22_01_02_03.jfr
chmod 600 victim/*
chown -R $victim victim

# Repositories ---------------------------------------------------------------------------------

# Nothing that jfrec wrote has anything of the victim's.
has_nothing()   # FILE...
{
	for file in "$@"; do
		[ ! -s "$file" ] || "$jfrec" summary "$file" >summary 2>&1 || continue
		[ ! -s "$file" ] || { ls -l "$file"; head -5 summary; return 1; }
	done
}

replace()       # TARGET: the repository of the fake JVM becomes a link
{
	where=$(cat "$home/repository") && rm -r "$where" && ln -s "$1" "$where"
}

a_link_is_not_dumped()
{
	start_fake repository && replace "$work/victim" || return
	mkdir -p out && rm -f out/*
	timeout $patience "$jfrec" dump --from-repository -o out "$jvm" >said.out 2>&1
	has_nothing out/*
}

a_link_is_not_dumped_when_the_jvm_is_silent()
{
	start_fake repository silent && replace "$work/victim" || return
	rm -f out/*
	timeout $patience "$jfrec" dump --timeout 2s -o out "$jvm" >said.out 2>&1
	has_nothing out/*
}

a_link_is_not_streamed()
{
	start_fake repository && replace "$work/victim" || return
	timeout $patience "$jfrec" stream --from start --ndjson --for 1s "$jvm" >events 2>/dev/null
	[ ! -s events ] || { head -c 300 events; return 1; }
}

# One pass over what evil's JVMs have.
collect_of_evil()
{
	rm -rf collected && mkdir -m 700 collected
	cat >collect.yaml <<-EOF
	directory: $work/collected
	jvms:
	  - user: $evil
	EOF
	timeout $patience "$jfrec" collect -c collect.yaml >said.out 2>&1
}

has_collected()
{
	find collected -type f -name '*.jfr*' -size +0 | grep .
}

a_link_is_not_collected()
{
	end_all
	start_fake repository && replace "$work/victim" || return
	collect_of_evil
	! has_collected
}

# So the configuration picks the JVM above.
a_chunk_of_the_user_is_collected()
{
	end_all
	start_fake repository || return
	where=$(cat "$home/repository")
	cp "$source/tests/data/ok/jvm-17.jfr" "$where/2026_11_22_01_02_04.jfr"
	chown $evil "$where/2026_11_22_01_02_04.jfr"
	collect_of_evil
	has_collected || { cat said.out; return 1; }
}

# What a log or cron mail would take for a line of jfrec's, or obey.  U+FFFD may be there.
a_main_class_forges_no_line()
{
	end_all
	forged=$work/$(printf 'a\nforged: line\033]0;b\007c\302\233d')
	cp "$program" "$forged"
	program=$forged
	start_fake repository
	program=$source/tests/attacks/fakejvm.py
	where=$(cat "$home/repository")
	cp "$source/tests/data/ok/jvm-17.jfr" "$where/2026_11_22_01_02_04.jfr"
	chown $evil "$where/2026_11_22_01_02_04.jfr"
	collect_of_evil
	has_collected && grep -q 'forged: line' said.out && ! grep '^forged' said.out &&
		! tr -d '\n -~\357\277\275' <said.out | grep . || { cat -v said.out; return 1; }
}

# A link within the repository, and a directory of the victim's by the name of a chunk.
a_linked_chunk_is_not_dumped()
{
	start_fake repository || return
	where=$(cat "$home/repository")
	ln -s "$work/victim/secret.jfr" "$where/2026_11_22_01_02_04.jfr"
	rm -f out/*
	timeout $patience "$jfrec" dump --from-repository -o out "$jvm" >said.out 2>&1
	has_nothing out/*
}

# What the user may read is still read.
a_chunk_of_the_user_is_dumped()
{
	start_fake repository || return
	where=$(cat "$home/repository")
	cp "$source/tests/data/ok/jvm-17.jfr" "$where/2026_11_22_01_02_04.jfr"
	chown $evil "$where/2026_11_22_01_02_04.jfr"
	rm -f out/*
	timeout $patience "$jfrec" dump --from-repository -o out "$jvm" >said.out 2>&1
	[ -s out/*.jfr ] || { cat said.out; return 1; }
}

# Nobody but that user and root: it is said whose it is.
a_jvm_of_another_user_is_refused()
{
	cp "$jfrec" jfrec && chmod 755 jfrec && start_fake repository || return
	for words in check 'dump --from-repository -o /tmp' 'stream --for 1s'; do
		setpriv --reuid $victim --regid $victim --clear-groups \
			timeout $patience "$work/jfrec" $words "$jvm" >said.out 2>&1
		status=$?
		cat said.out
		[ $status -eq 4 ] && grep -q 'as that user or' said.out || return 1
	done
}

works 'a link in place of a repository is not dumped' a_link_is_not_dumped
works 'nor when the JVM does not answer' a_link_is_not_dumped_when_the_jvm_is_silent
works 'nor followed by stream' a_link_is_not_streamed
works 'nor collected' a_link_is_not_collected
works 'a chunk of the user is collected' a_chunk_of_the_user_is_collected
works 'a main class forges no line of a log' a_main_class_forges_no_line
works 'a link in place of a chunk is not dumped' a_linked_chunk_is_not_dumped
works 'a chunk of the user is dumped' a_chunk_of_the_user_is_dumped
works 'a JVM of another user is refused' a_jvm_of_another_user_is_refused
end_all

# Devices, FIFOs, terminals --------------------------------------------------------------------

# A FIFO of root's, whose writer notices when somebody opens it.
trap_fifo()
{
	rm -f fifo opened && mkfifo -m 600 fifo || return
	(: >fifo && : >opened) 2>/dev/null &
	writer=$!
	pids="$pids $writer"
}

is_untouched()
{
	[ ! -e opened ] && kill "$writer"
}

# Another jfrec of this host, perhaps an older one, may look at the fake JVM, too: not each time.
a_fifo_is_not_opened_for_release()
{
	start_fake && as_evil ln -s "$work/fifo" "$home/release" || return
	for try in 1 2 3 4 5; do
		trap_fifo
		timeout $patience "$jfrec" list >said.out 2>&1
		grep -q "^ *$jvm " said.out || { cat said.out; return 1; }
		is_untouched && return
	done
	echo 'somebody opened it each time'
	return 1
}

# evil's own FIFO in the place of its own file: nobody waits at it.
an_own_fifo_is_not_waited_for()
{
	start_fake repository && as_evil mkfifo "$home/release" || return
	where=$(cat "$home/repository")
	as_evil mkfifo "$where/2026_11_22_01_02_05.jfr"
	timeout $patience "$jfrec" list >said.out 2>&1 &&
	timeout $patience "$jfrec" dump --from-repository -o out "$jvm" >said.out 2>&1
	[ $? -ne 124 ]
}

# What the fake JVM holds open by the name of a chunk is a terminal, by a mount of its own.
a_daemon_gains_no_terminal()
{
	cat >terminal.py <<-'EOF'
	import ctypes, os, pty, subprocess, sys, time
	jfrec, work, source = sys.argv[1:]
	master, slave = pty.openpty()
	name = os.ttyname(slave)
	home = work + '/evil/pty'
	script = '''
	set -e
	mkdir -p %(home)s/2026_11_22_01_02_03_$$
	chunk=%(home)s/2026_11_22_01_02_03_$$/2026_11_22_01_02_03.jfr
	: >$chunk
	mount --bind %(name)s $chunk
	exec -a java python3 %(source)s/tests/attacks/fakejvm.py %(home)s hold=$chunk
	''' % {'home': home, 'name': name, 'source': source}
	os.chown(name, 47111, -1)
	fake = subprocess.Popen(['setpriv', '--reuid', '47111', '--regid', '47111', '--clear-groups',
	    'unshare', '-Urm', 'bash', '-c', script], stderr=subprocess.PIPE)
	for i in range(100):
	    if os.path.exists(home + '/ready') or fake.poll() is not None:
	        break
	    time.sleep(0.05)
	if fake.poll() is not None:
	    print('unshare:', fake.stderr.read().decode().strip())
	    sys.exit(77)
	pid = int(open(home + '/ready').read())
	os.close(slave)
	code = 'import os,subprocess,sys\nos.setsid()\nos.execv(sys.argv[1], sys.argv[1:])'
	root = subprocess.Popen([sys.executable, '-c', code, jfrec, 'stream', '--from', 'start',
	    '--ndjson', '--wait', '--for', '2s', str(pid)], stdin=subprocess.DEVNULL,
	    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
	tty = 0
	while root.poll() is None:
	    try:
	        stat = open('/proc/%d/stat' % root.pid).read().rsplit(')', 1)[1].split()
	        tty = tty or int(stat[4])
	    except (OSError, IndexError):
	        pass
	    time.sleep(0.02)
	fake.kill()
	os.kill(pid, 9)
	print('terminal', tty)
	sys.exit(tty != 0)
	EOF
	timeout $patience python3 terminal.py "$jfrec" "$work" "$source"
}

# It would give zeros without an end.
a_device_is_not_read()
{
	start_fake repository || return
	where=$(cat "$home/repository")
	as_evil touch "$where/2026_11_22_01_02_04.jfr"
	rm -f out/*
	unshare -m --propagation private sh -c '
		mount --bind /dev/zero "$1" || exit 77
		timeout $patience "$2" dump --from-repository -o out "$3" >said.out 2>&1
		[ $? -ne 124 ] || exit
		timeout $patience "$2" stream --from start --ndjson --for 1s "$3" >events 2>>said.out
		[ $? -ne 124 ]
	' - "$where/2026_11_22_01_02_04.jfr" "$jfrec" "$jvm"
	status=$?
	[ $status -eq 0 ] || return $status
	[ ! -s events ] && has_nothing out/* || { cat said.out; return 1; }
}

# A FUSE mount whose server does not say a word, in place of the repository.
a_hung_file_system_is_given_up()
{
	cat >hang.py <<-'EOF'
	import ctypes, os, sys, time
	where, uid = sys.argv[1:]
	try:
	    fd = os.open('/dev/fuse', os.O_RDWR)
	except OSError as e:
	    sys.exit('FUSE: ' + str(e))
	options = 'fd=%d,rootmode=40000,user_id=%s,group_id=%s,allow_other' % (fd, uid, uid)
	if ctypes.CDLL(None, use_errno=True).mount(b'silent', where.encode(), b'fuse', 6,
	    options.encode()):
	    sys.exit('FUSE: ' + os.strerror(ctypes.get_errno()))
	open('hangs', 'w')
	time.sleep(600)
	EOF
	start_fake repository || return
	where=$(cat "$home/repository")
	rm -f out/* hangs
	python3 hang.py "$where" $evil &
	server=$!
	pids="$pids $server"
	while [ ! -e hangs ]; do
		kill -0 $server 2>/dev/null || return 77
		sleep 0.05
	done
	timeout -s KILL $patience "$jfrec" dump --from-repository -o out "$jvm"
	status=$?
	timeout -s KILL $patience "$jfrec" stream --from start --ndjson --for 1s "$jvm" >events
	streamed=$?
	kill -9 $server
	wait $server 2>/dev/null
	umount -l "$where"
	[ $status -ne 137 ] && [ $streamed -ne 137 ]
}

works "root's FIFO as release is not opened" a_fifo_is_not_opened_for_release
works 'a FIFO is not waited for' an_own_fifo_is_not_waited_for
works_or_skips 'a session leader gains no terminal' a_daemon_gains_no_terminal
works_or_skips 'a device bind-mounted as a chunk is not opened' a_device_is_not_read
works_or_skips 'a file system that does not answer is given up' a_hung_file_system_is_given_up
end_all

# The socket -----------------------------------------------------------------------------------

# evil swaps its socket for a link to one of root's all the time: nobody ever connects to that.
no_other_socket_is_connected_to()
{
	cat >listener.py <<-'EOF'
	import os, socket
	s = socket.socket(socket.AF_UNIX)
	s.bind('private/socket')
	os.chmod('private/socket', 0o600)
	s.listen(100)
	open('listening', 'w')
	while True:
	    s.accept()
	    open('connected', 'a').write('x')
	EOF
	mkdir -p -m 700 private
	rm -f private/socket connected listening
	python3 listener.py &
	pids="$pids $!"
	start_fake silent swap="$work/private/socket" || return
	while [ ! -e listening ]; do sleep 0.05; done
	tries=0
	while [ $tries -lt 300 ]; do
		tries=$((tries + 1))
		timeout 5 "$jfrec" check --timeout 10ms "$jvm" >/dev/null 2>&1
	done
	[ ! -e connected ] || { echo "connected $(wc -c <connected) times"; return 1; }
}

works 'a socket that is swapped leads nowhere else' no_other_socket_is_connected_to
end_all

# Many of everything ---------------------------------------------------------------------------

doctor_takes_one_look()
{
	start_fake sockets=300 fds=600 || return
	timeout $patience "$jfrec" doctor "$jvm" >said.out 2>&1
	[ $? -ne 124 ] && grep -q socket said.out && ! grep -q '/proc/[0-9]*/root' said.out
}

works 'doctor looks once at sockets and descriptors' doctor_takes_one_look
end_all

# Dumps ----------------------------------------------------------------------------------------

# A file that the JVM dumped is refused for that reason, and takes no room here.
is_refused()    # REASON ARGUMENT...
{
	reason=$1
	shift
	rm -rf dumped && mkdir dumped
	timeout $patience "$jfrec" dump --timeout 10s "$@" "$jvm" >said.out 2>&1
	status=$?
	[ "$status" -ne 0 ] && [ -z "$(ls -A dumped)" ] && grep -q "$reason" said.out ||
		{ echo "exit status $status"; cat said.out; ls -la dumped; return 1; }
}

a_sparse_dump_is_not_written_out()
{
	start_fake holes=2147483648 || return
	is_refused 'has holes' -o dumped/d.jfr && is_refused 'has holes' --max-size 100m -o dumped/d.jfr
}

a_dump_beyond_max_size_is_not_brought()
{
	start_fake dump=75497472 || return
	is_refused 'far more than --max-size' --max-size 1m -o dumped/d.jfr || return
	timeout $patience "$jfrec" dump --timeout 10s --max-size 10m -o dumped/d.jfr "$jvm" >said.out 2>&1 &&
		[ "$(stat -c %s dumped/d.jfr)" -eq 75497472 ] || { cat said.out; return 1; }
}

# On a disk of 64 MB, a twentieth of it stays free for others.
a_dump_leaves_room()
{
	mkdir -p small
	start_fake dump=65011712 || return
	unshare -m sh -c '
		mount -t tmpfs -o size=64m none small || exit 77
		timeout $patience "$1" dump --timeout 10s -o small/d.jfr "$2" >said.out 2>&1
		status=$?
		[ -z "$(ls -A small)" ] || exit 1
		exit $status' - "$jfrec" "$jvm"
	[ $? -eq 1 ] && grep -q 'are reserved for others' said.out && [ -z "$(ls -A small)" ] ||
		{ cat said.out; return 1; }
}

works 'a sparse dump is not written out in full' a_sparse_dump_is_not_written_out
end_all
works 'a dump beyond --max-size is not brought' a_dump_beyond_max_size_is_not_brought
end_all
mkdir -p small
if unshare -m mount -t tmpfs -o size=64m none small 2>/dev/null; then
	works 'a dump leaves room on a small disk' a_dump_leaves_room
else
	echo "# no mounts of our own here: room on a small disk is not tried"
fi
end_all

finish
