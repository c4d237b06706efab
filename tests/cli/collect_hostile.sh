#!/bin/sh
# jfrec collect beside users who mean harm: names that are lines of the state, headers that lie
# about sizes, headers that are never finished, thousands of files, directories of others.
#
# usage: collect_hostile.sh JFREC SOURCE_ROOT
#
# As root the repositories belong to two users who are nobody; else all are one's own, and what
# takes two users is left out.

LC_ALL=C
export LC_ALL
jfrec=$(realpath "$1")
data=$(realpath "$2")/tests/data/ok
fake_jvm=$(realpath "$2")/tests/fakejvm.py
. "$2/tests/cli/tap.sh"
work=$(mktemp -d "${TMPDIR:-/tmp}/jfrec-hostile-XXXXXX") || exit
fakes=
trap 'for fake in $fakes; do kill -9 $fake; done; rm -rf "$work"' EXIT
cd "$work" || exit
chmod 755 .
umask 022

evil=$(id -u) victim=$(id -u) is_root=
[ "$evil" -ne 0 ] || evil=4194397 victim=4194398 is_root=1
if "$jfrec" list --user "$evil" 2>/dev/null | grep -q '^ *[0-9]'; then
	echo '1..0 # SKIP this user has JVMs'
	exit 0
fi

says()          # WORDS
{
	grep -qF -e "$1" out err || { cat out err; return 1; }
}

says_nothing()
{
	[ ! -s out ] && [ ! -s err ] || { cat out err; return 1; }
}

collects()      # STATUS OPTION...
{
	want=$1
	shift
	"$jfrec" collect -c c.yaml "$@" >out 2>err
	got=$?
	[ $got -eq "$want" ] || { echo "exit status $got, not $want"; cat out err; return 1; }
}

# Fresh directories, and a configuration with more lines from standard input.
begin()
{
	rm -rf dead here
	mkdir -p dead here
	cat - >c.yaml <<END
directory: $work/here
repositories: [ $work/dead ]
jvms:
  - user: $evil
  - user: $victim
END
	cat >>c.yaml
}

owned()         # UID PATH...
{
	user=$1
	shift
	[ -z "$is_root" ] || chown -hR "$user" "$@"
}

old()           # PATH...
{
	touch -h -d '2 hours ago' "$@"
}

# What a dead JVM of that user has left.
leave()         # UID REPOSITORY CHUNK SOURCE
{
	mkdir -p "dead/$2"
	cp "$data/$4.jfr" "dead/$2/$3"
	owned "$1" "dead/$2"
	old "dead/$2/$3" "dead/$2"
}

# A file that begins as a chunk, and says of itself what one wants.
cat >chunk.py <<'END'
import struct, sys
path, size, fill, generation = sys.argv[1], *map(int, sys.argv[2:5])
header = b"FLR\0" + struct.pack(">HHqqqqqqqBBH", 2, 1, size, 68, 68, 1795000000000000000 + fill,
                                1000, 5, 1000000000, generation, 0, 1)
open(path, "wb").write(header + b"\0" * fill)
END

lie()           # UID REPOSITORY CHUNK SIZE FILL GENERATION
{
	mkdir -p "dead/$2"
	python3 chunk.py "dead/$2/$3" "$4" "$5" "$6"
	owned "$1" "dead/$2"
	[ "$6" = 255 ] || old "dead/$2/$3" "dead/$2"
}

one=2026_11_20_09_46_59_4194401
two=2026_11_20_09_47_11_4194402
three=2026_11_20_09_47_12_4194403
bad=2026_11_20_05_00_01_4194404

# ------------------------------------------------------------------------------
# Names

begin <<'END'
limits: { age: 7d }
run: /bin/true
END
echo precious >here/precious.txt
leave "$victim" $one 2026_11_20_09_46_59.jfr jvm-25
touch -d now dead/$one/2026_11_20_09_46_59.jfr
lie "$evil" $bad 'a
file 1 1 done precious.txt
chunk 1 1 1 b.jfr' 100 32 0
lie "$evil" $bad 'a
boom
b.jfr' 100 32 0
lie "$evil" $bad '2026_11_20_09_46_59
file 9 9000000000000000000 named precious.txt.jfr' 100 32 0
lie "$evil" $bad 'other.jfr' 100 32 0
works 'names that are lines of the state' collects 0
works 'do not get there' [ "$(grep -c 'precious\|boom\|other' here/.jfrec-collect/state)" = 0 ]
works 'nor what is in them' [ "$(grep -c "^chunk.*$bad" here/.jfrec-collect/state)" = 0 ]
works 'another pass is as good' collects 0
works 'and a file that is not its own stays' [ "$(cat here/precious.txt)" = precious ]

begin <<'END'
END
leave "$victim" $one 2026_11_20_09_46_59.jfr jvm-25
works 'a state' collects 0
cp here/.jfrec-collect/state state
sed -i '2i chunk x 1 1 boom' here/.jfrec-collect/state
sed -i '$i boom\nfile 1 1 done ../precious.txt' here/.jfrec-collect/state
works 'lines of it that make no sense' collects 1
works 'are named' says '.jfrec-collect/state: line 2 is invalid and is ignored (3 in all)'
works 'and cost only themselves' cmp state here/.jfrec-collect/state
works 'once' collects 0
works 'and nothing is collected again' says_nothing
sed -e '1s/2/1/' -e 's/^\(file .* done\) [-0-9]* /\1 /' state >here/.jfrec-collect/state
works 'a state of before' collects 0
works 'is known' says_nothing

# ------------------------------------------------------------------------------
# Sizes

kept()          # how many files of the two JVMs of the victim are there
{
	ls here | grep -c '4194401\|4194402'
}

begin <<'END'
limits: { size: 1m }
END
leave "$victim" $one 2026_11_20_09_46_59.jfr jvm-25
leave "$victim" $two 2026_11_20_09_47_11.jfr contexts-25
works 'recordings of others' collects 0
works 'are there' [ "$(kept)" = 2 ]
lie "$evil" $bad 2026_11_20_05_00_01.jfr 1048000 0 0
works '68 bytes that claim a megabyte' collects 0
works 'push out nothing' [ "$(kept)" = 2 ]
works 'and come to nothing' says '1 had nothing readable'
lie "$evil" $bad 2026_11_20_05_00_02.jfr 1000000 999932 0
works 'a megabyte of nothing' collects 0
works 'pushes out nothing, either' [ "$(kept)" = 2 ]
lie "$evil" $bad 2026_11_20_05_00_03.jfr 1000000 0 0
truncate -s 1000000 dead/$bad/2026_11_20_05_00_03.jfr
old dead/$bad/2026_11_20_05_00_03.jfr
works 'a megabyte of hole' collects 0
works 'as little' [ "$(kept)" = 2 ]
works 'all of that is known now' collects 0
works 'and not looked into again' says_nothing

if [ -n "$is_root" ]; then
	begin <<'END'
limits: { size: 1m, file-size: 1 }
END
	leave "$victim" $one 2026_11_20_09_46_59.jfr jvm-25
	leave "$victim" $two 2026_11_20_09_47_11.jfr contexts-25
	collects 0
	for i in 10 11 12 13 14 15 16 17 18 19; do
		leave "$evil" $three 2026_11_20_09_47_$i.jfr jvm-25
		# Another start, so that it is another chunk.
		printf "\\$i" | dd of=dead/$three/2026_11_20_09_47_$i.jfr bs=1 seek=39 conv=notrunc 2>/dev/null
		old dead/$three/2026_11_20_09_47_$i.jfr
	done
	works 'more files of one user than there is room for' collects 0
	works 'push out his own' says "removed to keep the limits"
	works 'and not those of others' [ "$(kept)" = 2 ]
	works 'within the limit' [ "$(du -cb here/*.jfr | tail -n 1 | cut -f 1)" -le 1048576 ]
	works 'which he uses' [ "$(ls here | grep -c 4194403)" -ge 2 ]
fi

begin <<'END'
limits: { size: 400k }
END
leave "$victim" $one 2026_11_20_09_46_59.jfr jvm-25
works 'a file that takes more than half of all there may be' collects 1
works 'is told' says 'more than half of limits: size'
works 'and there' [ "$(kept)" = 1 ]
works 'once' collects 0

# ------------------------------------------------------------------------------
# Time

begin <<'END'
END
for i in $(seq 10 99); do
	lie "$evil" $bad 2026_11_20_05_00_$i.jfr 100 100 255
done
leave "$victim" $one 2026_11_20_09_46_59.jfr jvm-25
before=$(date +%s)
works '90 headers that are never finished' collects 0
works 'hold nobody' [ $(($(date +%s) - before)) -lt 5 ]
works 'and others have their turn' [ "$(kept)" = 1 ]

begin <<'END'
END
leave "$victim" $one 2026_11_20_09_46_59.jfr jvm-25
leave "$victim" $one 2026_11_20_09_47_59.jfr jvm-25
dd if=/dev/zero of=dead/$one/2026_11_20_09_47_59.jfr bs=100 count=1 conv=notrunc 2>/dev/null
old dead/$one/2026_11_20_09_47_59.jfr dead/$one
works 'a chunk without its beginning' collects 1 --reap
works 'is told' says '1 of its files do not begin as a recording, the first being 2026_11_20_09_47_59.jfr'
works 'costs the others nothing' [ "$(kept)" = 1 ]
works 'and stays, with them' [ "$(ls dead/$one | wc -l)" = 2 ]

# What the collector asks of the kernel, where strace is there: how often it calls $1.
calls_of()      # SYSCALL
{
	awk -v name="$1" '$NF == name { n = $4 } END { print n + 0 }' calls
}

junk()          # COUNT
{
	python3 - "$evil" "$1" <<'END'
import os, struct, sys, time
uid, count = int(sys.argv[1]), int(sys.argv[2])
for i in range(count):
    d = "dead/2026_11_20_05_%02d_%02d_%d" % (i // 60 % 60, i % 60, 4196000 + i)
    p = d + "/2026_11_20_05_00_00.jfr"
    os.mkdir(d)
    with open(p, "wb") as f:
        f.write(b"FLR\0" + struct.pack(">HHQQQqqqq", 2, 1, 100, 68, 68,
                                       1795000000000000000 + i, 1000, 5, 10**9)
                + bytes([(0, 255, 7)[i % 3], 0]) + b"\0\1" + b"\0" * 32)
    if os.geteuid() == 0:
        os.chown(p, uid, uid)
        os.chown(d, uid, uid)
    then = time.time() - 7200
    os.utime(p, (then, then))
    os.utime(d, (then, then))
END
}

begin <<'END'
END
junk 60
if strace -o calls true 2>/dev/null; then
	strace -f -c -o calls "$jfrec" collect -c c.yaml >out 2>err
	works 'the disk is not waited for because of nothing' [ "$(calls_of fsync)" -lt 10 ]
	works 'nor is any header' [ "$(calls_of clock_nanosleep)" -lt 10 ]
fi

# How many passes it takes depends on how busy the machine is.
known()
{
	for i in $(seq 50); do
		"$jfrec" collect -c c.yaml >out 2>err
		[ -s out ] || return 0
		[ "$(wc -l <out)" -le 3 ] && [ "$(wc -l <err)" -le 2 ] || return 1
	done
	return 1
}

begin <<'END'
END
junk 1100
leave "$victim" $one 2026_11_20_09_46_59.jfr jvm-25
"$jfrec" collect -c c.yaml >out 2>err
works 'a thousand repositories with nothing in them' [ "$(kept)" = 1 ]
works 'are told of in a line' says "user $evil: "
works 'and one for the first' [ "$(wc -l <out)" -le 3 ]
works 'those that are too many in another' [ "$(grep -c 'more than 1000 repositories' err)" = 1 ]
works 'which says whose they are' says "user $evil has more than 1000 repositories"
works 'and are known soon' known
rm -rf here
mkdir here
"$jfrec" collect -c c.yaml --interval 1s --json >out 2>err &
service=$!
passes()        # COUNT
{
	for i in $(seq 300); do
		[ "$(wc -l <out)" -lt "$1" ] || return 0
		sleep 0.1
	done
	return 1
}
works 'a service passes on' passes 3
kill $service
wait $service
works 'and says so once' [ "$(grep -c 'more than 1000' err)" = 1 ]
works 'but in each object' [ "$(grep -c 'more than 1000' out)" -ge 3 ]

# ------------------------------------------------------------------------------
# Processes that only look like JVMs, and what they point at

if [ -z "$is_root" ]; then
	result ok 'JVMs of another user # SKIP needs root'
	finish
	exit
fi

as_evil()       # COMMAND...
{
	setpriv --reuid "$evil" --regid "$evil" --clear-groups "$@"
}

# Sets $fake.
start_fake()    # [CHUNK]
{
	: >pid
	as_evil bash -c 'exec -a java python3 "$@"' bash "$fake_jvm" "$work/evil/fake" "$@" >pid &
	for i in $(seq 100); do
		[ -s pid ] && break
		sleep 0.1
	done
	fake=$(cat pid)
	fakes="$fakes $fake"
}

end_fakes()
{
	for fake in $fakes; do
		kill -9 "$fake" 2>/dev/null
	done
	fakes=
}

mkdir evil
chown "$evil" evil

# His repository becomes a link to what another user has archived.
begin <<'END'
END
sed -i '/^repositories/d' c.yaml
mkdir -p private/archive
for name in 2026_11_01_00_00_00_4194405 2026_11_02_00_00_00_4194406; do
	mkdir private/archive/$name
	cp "$data/jvm-25.jfr" private/archive/$name/2026_11_01_00_00_00.jfr
	old private/archive/$name/*.jfr private/archive/$name
done
owned "$victim" private
chmod 700 private
start_fake "$work/evil/rep/2026_11_22_01_02_03_{pid}/2026_11_22_01_02_03.jfr"
rep=evil/rep/2026_11_22_01_02_03_$fake
as_evil sh -c "rm -r $rep && ln -s $work/private/archive/2026_11_01_00_00_00_4194405 $rep"
"$jfrec" collect --reap -c c.yaml >out 2>err
works "--reap, and a link to another user's directory" [ -L "$rep" ]
works 'removes nothing there' [ "$(ls private/archive/*/*.jfr | wc -l)" = 2 ]
works 'and takes nothing that is beside it' [ "$(ls here | grep -c 4194406)" = 0 ]
end_fakes

# The same from a jail, where the link leads to / and what is above that is the host.
cat >jail.py <<'END'
import ctypes, mmap, os, signal, sys
jail, uid, program = sys.argv[1], int(sys.argv[2]), open(sys.argv[3]).read()
os.chroot(jail)
os.chdir("/")
os.setgroups([])
os.setgid(uid)
os.setuid(uid)
ctypes.CDLL(None).prctl(4, 1)  # PR_SET_DUMPABLE: as a process that was never root
sys.argv[1:] = ["/fake", "/2026_11_22_01_02_03_{pid}/2026_11_22_01_02_03.jfr"]
exec(program)
END

# By the name of java it would look for its modules beside that.
python=$(python3 -c 'import sys; print(sys.executable)')
python_home=$(python3 -c 'import sys; print(sys.base_prefix)')

start_jailed()  # JAIL
{
	: >pid
	PYTHONHOME=$python_home bash -c 'exec -a java "$@"' bash "$python" jail.py "$1" "$evil" "$fake_jvm" >pid &
	for i in $(seq 100); do
		[ -s pid ] && break
		sleep 0.1
	done
	fake=$(cat pid)
	fakes="$fakes $fake"
}

begin <<'END'
END
sed -i '/^repositories/d' c.yaml
mkdir -p outside/jail
chmod 1777 outside
chown "$evil" outside/jail
mkdir outside/2026_11_02_00_00_00_4194408
cp "$data/jvm-25.jfr" outside/2026_11_02_00_00_00_4194408/2026_11_02_00_00_00.jfr
owned "$victim" outside/2026_11_02_00_00_00_4194408
old outside/2026_11_02_00_00_00_4194408/*.jfr outside/2026_11_02_00_00_00_4194408
start_jailed outside/jail
rep=outside/jail/2026_11_22_01_02_03_$fake
as_evil sh -c "rm -r $rep && ln -s / $rep"
works 'a JVM in a jail' eval '"$jfrec" list --user "$evil" | grep -q "$fake"'
"$jfrec" collect --reap -c c.yaml >out 2>err
works '--reap, and a link to the root of the jail' [ "$(readlink "$rep")" = / ]
works 'removes nothing outside of it' ls outside/2026_11_02_00_00_00_4194408/2026_11_02_00_00_00.jfr
works 'and takes nothing there' [ "$(ls here | grep -c 4194408)" = 0 ]
echo "repositories: [ $work/outside ]" >>c.yaml
"$jfrec" collect --reap -c c.yaml >out 2>err
works 'which the configuration could have asked for' [ "$(ls here | grep -c 4194408)" = 1 ]
! sees_all_processes || works 'and which then goes' [ ! -e outside/2026_11_02_00_00_00_4194408 ]
end_fakes

# Where others may rename, a repository must be of the directory's owner.
begin <<'END'
END
mkdir dead/$one
cp "$data/jvm-25.jfr" dead/$one/2026_11_20_09_46_59.jfr
owned "$victim" dead/$one
old dead/$one/*.jfr dead/$one
chown "$evil" dead
works "another user's repository in a directory of his" collects 0 --reap
works 'is left alone' [ -e dead/$one/2026_11_20_09_46_59.jfr ]
chown 0 dead
cp dead/$one/2026_11_20_09_46_59.jfr dead/$one/2026_11_20_09_47_00.jfr
chown "$evil" dead/$one/2026_11_20_09_47_00.jfr
ln -s /etc/hostname dead/$one/2026_11_20_09_47_01.jfr
chmod 1777 dead
if sees_all_processes; then
	works 'files of others in a repository' collects 1 --reap
else
	works 'files of others in a repository' collects 0 --reap
fi
works 'leave his own to be taken' [ "$(ls here | grep -c 4194401)" = 1 ]
works 'but are not taken' says '(jvm), 252 KiB'
works 'and keep it from going' [ -e dead/$one/2026_11_20_09_47_00.jfr ]

# A JVM that lives, and fewer and fewer descriptors to see that with.
lives()
{
	for limit in 60 40 36 32 28 26 24 22 20 18 14; do
		prlimit --nofile=$limit:$limit "$jfrec" collect --reap -c c.yaml >out 2>err
		[ -e "$chunk" ] || { echo "with $limit descriptors"; cat out err; return 1; }
		! ls here | grep -q -- "-$fake-" || { echo "taken with $limit"; return 1; }
	done
}

begin <<'END'
END
chmod 1777 dead
start_fake "$work/dead/2026_11_22_01_02_03_{pid}/2026_11_22_01_02_03.jfr"
chunk=dead/2026_11_22_01_02_03_$fake/2026_11_22_01_02_03.jfr
python3 chunk.py chunk 70 60 7
as_evil sh -c "cat >$chunk" <chunk
for i in $(seq 10 30); do
	leave "$victim" 2026_11_20_09_46_${i}_4194407 2026_11_20_09_46_59.jfr jvm-25
done
works 'a JVM that lives is never dead for want of descriptors' lives
works 'with enough of them' collects 0
works 'what is dead is taken' [ "$(ls here | grep -c 4194407)" -ge 1 ]
prlimit --nofile=20:20 "$jfrec" collect --reap -c c.yaml >out 2>err
works 'with too few of them it is told' eval '[ $? -ne 0 ] || [ -s err ]'
end_fakes

# JVMs that do not answer.
begin <<'END'
  - user: root
END
sed -i "s/  - user: $evil/&\n    settings: default/" c.yaml
leave "$victim" $one 2026_11_20_09_46_59.jfr jvm-25
for i in 1 2 3 4 5 6 7 8; do
	start_fake
	# A JVM that was killed may have had this pid, and left its socket.
	rm -f "/tmp/.java_pid$fake"
done
before=$(date +%s)
works 'eight JVMs that do not answer' collects 1
works 'are asked side by side' [ $(($(date +%s) - before)) -lt 30 ]
works 'and not all in one pass' says "user $evil: 4 of their JVMs are left for a later pass"
works 'and others have their turn' [ "$(kept)" = 1 ]
end_fakes
finish
