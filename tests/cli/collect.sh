#!/bin/sh
# jfrec collect, as far as it goes without a JVM: repositories of dead ones, each chunk once,
# limits, and being killed at every step.
#
# usage: collect.sh JFREC SOURCE_ROOT

LC_ALL=C
export LC_ALL
jfrec=$(realpath "$1")
data=$(realpath "$2")/tests/data/ok
. "$2/tests/cli/tap.sh"
work=$(mktemp -d "${TMPDIR:-/tmp}/jfrec-collect-XXXXXX") || exit
mounted=
service=
trap '[ -z "$service" ] || kill $service; [ -z "$mounted" ] || umount "$mounted"; rm -rf "$work"' EXIT
cd "$work" || exit
umask 022

exits()         # STATUS COMMAND...
{
	want=$1
	shift
	"$@" >out 2>err
	got=$?
	[ $got -eq "$want" ] || { echo "exit status $got, not $want"; cat out err; return 1; }
}

collects()      # STATUS OPTION...
{
	status=$1
	shift
	exits "$status" "$jfrec" collect -c c.yaml "$@"
}

says()          # WORDS
{
	grep -qF -e "$1" out err || { cat out err; return 1; }
}

says_nothing()
{
	[ ! -s out ] && [ ! -s err ] || { cat out err; return 1; }
}

# Repositories of a user who has no JVM here: as root of one that nobody is.
uid=$(id -u)
[ "$uid" -ne 0 ] || uid=4194399
if "$jfrec" list --user "$uid" 2>/dev/null | grep -q '^ *[0-9]'; then
	echo '1..0 # SKIP this user has JVMs'
	exit 0
fi

# The configuration, with more lines from standard input.
configure()
{
	cat - >c.yaml <<END
directory: $work/here
repositories: [ $work/dead ]
jvms:
  - name: no such JVM, we hope
  - user: $uid
END
	cat >>c.yaml
}

# A chunk of a repository, which its JVM still wrote when it died: its generation is at byte 64.
leave()         # DIRECTORY/NAME SOURCE [GENERATION]
{
	mkdir -p "$(dirname "dead/$1")"
	cp "$data/$2.jfr" "dead/$1"
	[ -z "$3" ] || printf "\\$3" | dd of="dead/$1" bs=1 seek=64 conv=notrunc 2>/dev/null
	[ "$(id -u)" -ne 0 ] || chown -R "$uid" dead
	touch -d '2 hours ago' "dead/$1" "$(dirname "dead/$1")"
}

# No process can have these pids.
one=2026_11_20_09_46_59_4194401
two=2026_11_20_09_47_11_4194402

leave_all()
{
	rm -rf dead here
	mkdir here
	leave $one/2026_11_20_09_46_59.jfr jvm-25
	leave $one/2026_11_20_09_47_10.jfr fields-25
	leave $one/2026_11_20_09_47_20.jfr frames-25 7
	leave $two/2026_11_20_09_47_11.jfr contexts-25
	leave $two/2026_11_20_09_47_12.jfr objects-25 2
	: >dead/$two/2026_11_20_09_47_13.jfr
	touch -d '2 hours ago' dead/$two/2026_11_20_09_47_13.jfr dead/$two
	[ "$(id -u)" -ne 0 ] || chown -R "$uid" dead
}

# How many events of each type, and their bytes; each chunk by itself, since their types differ.
events()        # RECORDING...
{
	rm -rf pieces
	for recording; do
		mkdir -p "pieces/${recording##*/}"
		"$jfrec" split --chunks 1 -o "pieces/${recording##*/}" "$recording" >/dev/null 2>&1
	done
	for recording in pieces/*/*; do
		"$jfrec" summary "$recording" 2>/dev/null
	done | awk 'NF == 3 && $2 ~ /^[0-9]+$/ { n[$1] += $2; size[$1] += $3 }
		END { for (type in n) if (n[type]) print type, n[type], size[type] }' | sort
}

events "$data/jvm-25.jfr" "$data/fields-25.jfr" "$data/frames-25.jfr" \
	"$data/contexts-25.jfr" "$data/objects-25.jfr" >all.events

# Every event is in exactly one file, and nothing is half done.
is_complete()
{
	for file in here/*; do
		"$jfrec" summary "$file" >/dev/null 2>problems && [ ! -s problems ] ||
			{ echo "$file is not whole"; return 1; }
	done
	events here/* >here.events
	diff here.events all.events && [ "$(ls -A here/.jfrec-collect)" = state ] ||
		{ ls -lA here here/.jfrec-collect; return 1; }
}

# ------------------------------------------------------------------------------
# What makes no sense

refuses()       # STATUS WORDS ARGUMENT...
{
	status=$1 words=$2
	shift 2
	exits "$status" "$jfrec" collect "$@" && says "$words"
}

works 'no configuration' refuses 2 'name the configuration'
works 'one that is not there' refuses 1 'No such file' -c nowhere.yaml
works 'a directory' refuses 1 'directory' -c .
works 'too short an interval' refuses 2 'at least 1s' -c c.yaml --interval 10ms
works 'an interval of nothing' refuses 2 'without --interval' -c c.yaml --interval 10s -n
works 'an operand' refuses 2 'name the configuration' -c c.yaml 4711

# Rows of: what is wrong, where, and the document in printf's format.
while IFS='|' read -r words place text; do
	rm -f bad.yaml
	printf "$text" >bad.yaml
	works "bad: $words" refuses 2 "bad.yaml: $place" -c bad.yaml --check
	works "it says: $words" says "$words"
	works "bad at work: $words" refuses 2 "bad.yaml: $place" -c bad.yaml
done <<'END'
directory: is missing|line 1, column 1: |jvms: [ { all: true } ]\n
jvms: is missing|line 1, column 1: |directory: /tmp\n
directory is a full path|line 1, column 12: |directory: here\njvms: [ { all: true } ]\n
there is no key colour in the document|line 2, column 1: |directory: /tmp\ncolour: red\n
this key occurs twice|line 2, column 1: |directory: /tmp\ndirectory: /var\n
jvms is a list|line 2, column 7: |directory: /tmp\njvms: all\n
which JVMs?|line 3, column 5: |directory: /tmp\njvms:\n  - settings: default\n
goes with neither|line 3, column 5: |directory: /tmp\njvms:\n  - all: true\n    name: Shop\n
all is true or false|line 3, column 10: |directory: /tmp\njvms:\n  - all: yes\n
there is no key pid in an entry of jvms|line 3, column 5: |directory: /tmp\njvms:\n  - pid: 7\n
max-size is a size|line 4, column 15: |directory: /tmp\njvms:\n  - all: true\n    max-size: much\n
of a recording that settings: begins|line 3, column 5: |directory: /tmp\njvms:\n  - all: true\n    max-size: 10m\n
cannot open|line 4, column 15: |directory: /tmp\njvms:\n  - all: true\n    settings: ./nowhere.jfc\n
there is no key number in limits|line 2, column 11: |directory: /tmp\nlimits: { number: 7 }\njvms: [ { all: true } ]\n
there is no key limit in the document; did you mean limits?|line 2, column 1: |directory: /tmp\nlimit: { size: 1 }\njvms: [ { all: true } ]\n
there is no profile continous; did you mean continuous?|line 3, column 28: |directory: /tmp\njvms:\n  - { all: true, settings: continous }\n
./bad.yaml: line 1, column 12: directory is unknown here|line 3, column 28: |directory: /tmp\njvms:\n  - { all: true, settings: ./bad.yaml }\n
size is a size|line 2, column 17: |directory: /tmp\nlimits: { size: -1 }\njvms: [ { all: true } ]\n
files is a number from 1 on|line 2, column 18: |directory: /tmp\nlimits: { files: 0 }\njvms: [ { all: true } ]\n
age is a time|line 2, column 16: |directory: /tmp\nlimits: { age: old }\njvms: [ { all: true } ]\n
one file (file-size) may be larger|line 2, column 9: |directory: /tmp\nlimits: { size: 10m, file-size: 20m }\njvms: [ { all: true } ]\n
it knows %p (pid)|line 2, column 7: |directory: /tmp\nname: "%%x.jfr"\njvms: [ { all: true } ]\n
without / and no hidden one|line 2, column 7: |directory: /tmp\nname: a/b\njvms: [ { all: true } ]\n
compress is gzip, zstd or none|line 2, column 11: |directory: /tmp\ncompress: xz\njvms: [ { all: true } ]\n
the command must be a full path|line 2, column 8: |directory: /tmp\nrun: [ ship ]\njvms: [ { all: true } ]\n
this is a full path|line 2, column 17: |directory: /tmp\nrepositories: [ tmp ]\njvms: [ { all: true } ]\n
END

configure </dev/null
# What start, record and stream take.
"$jfrec" settings show continuous >mine.yaml 2>/dev/null || echo 'label: mine' >mine.yaml
for settings in continuous default profile mine.yaml "$work/mine.yaml"; do
	printf 'directory: /tmp\njvms:\n  - { all: true, settings: %s }\n' "$settings" >good.yaml
	works "settings: ${settings##*/}" exits 0 "$jfrec" collect -c good.yaml --check
done
# Sound files with values that a JVM would ignore.
printf 'events:\n  jdk.FileRead: { enabled: true, threshold: 20 parsecs }\n' >wrong.yaml
printf 'directory: /tmp\njvms:\n  - { all: true, settings: wrong.yaml }\n' >good.yaml
works 'a wrong value' refuses 2 'good.yaml: line 3, column 28: wrong.yaml: line ' -c good.yaml --check
works 'is shown' says '#threshold: '
works 'at work, too' refuses 2 '#threshold: ' -c good.yaml
works 'a good one' exits 0 "$jfrec" collect -c c.yaml --check
works 'of which nothing is said' says_nothing
works 'a directory that is not there' collects 1
works 'is said' says "cannot open $work/here"
works 'and not made' [ ! -e here ]

# ------------------------------------------------------------------------------
# Each chunk once

leave_all
works 'a dry run' collects 0 --dry-run
works 'tells what it would do' says '3 chunks of dead process 4194401'
works 'and does nothing' [ -z "$(ls -A here)" ]
works 'a pass' collects 0
works 'all is there, once' is_complete
works 'it is said' says '4 chunks of dead process 4194401'
works 'completed ones, too' says '1 of them completed'
works 'two files' [ "$(ls here | wc -l)" = 2 ]
works 'another pass' collects 0
works 'does nothing' says_nothing
works 'nothing is reaped unasked' [ -d dead/$one ]
leave $two/2026_11_20_09_47_14.jfr text-25
works 'a new chunk' collects 0
works 'is all that is new' says '1 chunk of dead process 4194402'
works 'in JSON' collects 0 --json
works 'nothing is new' grep -q '"news": \[\]' out
rm -rf here/* dead/$two/2026_11_20_09_47_14.jfr
works 'files that somebody took away' collects 0
works 'are not brought again' [ -z "$(ls here)" ]

leave_all
works 'JSON' collects 0 --json
works 'is JSON' python3 -c 'import json
for n in json.load(open("out"))["news"]:
    assert n["what"] == "file" and n["leftover"] and n["completed"] == 1, n
    assert n["from"] < n["to"] and n["bytes"] > 1000, n'

leave_all
works '--reap' collects 0 --reap
works 'all is there' is_complete
if sees_all_processes; then
	works 'repositories are gone' [ -z "$(ls dead)" ]
else
	works 'who does not see all processes deletes nothing' [ "$(ls dead | wc -l)" = 2 ]
fi
leave_all
printf '%1000s' '' >dead/$two/2026_11_20_09_47_30.part
[ "$(id -u)" -ne 0 ] || chown "$uid" dead/$two/2026_11_20_09_47_30.part
works '--reap, and a chunk of JDK 8' collects 0 --reap
works 'which stays, since nothing could be got out of it' [ -d dead/$two ]

leave_all
configure <<'END'
leftovers: false
END
works 'leftovers: false' collects 0
works 'brings none' [ -z "$(ls here)" ]
configure </dev/null
sed -i '/user:/d' c.yaml
works 'by a name that does not fit' collects 0
works 'brings none, either' [ -z "$(ls here)" ]

# ------------------------------------------------------------------------------
# Names, compression, the command

leave_all
configure <<END
name: "%n of %h"
compress: zstd
END
works 'a name for all' collects 0
works 'gets numbers' eval 'ls here | grep -q -- "-2.zst$"'
works 'all is there' is_complete

leave_all
cat >ship <<'END'
#!/bin/sh
echo "$@" >>shipped
[ ! -e failing ]
END
chmod 755 ship
configure <<END
run: [ $work/ship, to, store ]
END
: >failing
works 'a command that fails' collects 1
works 'is told' says 'exited with status 1'
works 'with the file as its last word' grep -q "^to store $work/here/.*jfr\$" shipped
rm failing shipped
works 'is run again' collects 0
works 'for each file' [ "$(wc -l <shipped)" = 2 ]
works 'and not once more' collects 0
works 'than that' [ "$(wc -l <shipped)" = 2 ]
leave_all
configure <<'END'
run: /no/such/command
END
works 'a command that is not there' collects 1
works 'is told, too' says 'cannot be run'
printf '#!/bin/sh\nsleep 60\n' >ship
leave_all
configure <<END
run: [ $work/ship ]
run-timeout: 200ms
END
works 'a command that does not end' collects 1
works 'is killed' says 'did not finish in'

# ------------------------------------------------------------------------------
# Limits

sum()
{
	find here -type f ! -name 'state*' -printf '%s\n' | awk '{ n += $1 } END { print n + 0 }'
}

leave_all
configure <<'END'
limits: { file-size: 1, files: 2 }
END
works 'a file for each chunk, and two of them' collects 0
works 'the oldest went' says 'removed to keep the limits'
works 'two are left' [ "$(ls here | wc -l)" = 2 ]
leave_all
configure <<'END'
limits: { file-size: 1, size: 200k }
END
works 'so many bytes' collects 1
works 'a file that is larger is left out' says 'exceeds what limits: size leaves'
works 'they are not exceeded' [ "$(sum)" -le 204800 ]
leave_all
configure <<'END'
limits: { age: 1h }
END
works 'by age' collects 0
works 'what is too old goes with the next pass' collects 0
works 'since it is old' [ -z "$(ls here)" ] || ls -l here
leave_all
configure <<'END'
limits: { free: 9000g }
END
works 'a disk that is to be emptier' collects 10
works 'is said' says 'no room in'
works 'and nothing written' [ -z "$(ls here)" ]

# ------------------------------------------------------------------------------
# One at a time

configure </dev/null
leave_all
cat >listen.py <<'END'
import socket
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind("notify")
s.settimeout(20)
open("listening", "w").close()
while True:
    said = s.recv(1000).decode()
    print(said, flush=True)
    if said == "STOPPING=1":
        break
END
python3 listen.py >notified 2>&1 &
listener=$!
while [ ! -e listening ]; do sleep 0.1; done
NOTIFY_SOCKET=$work/notify "$jfrec" collect -c c.yaml --interval 1s --json >served 2>&1 &
service=$!
for i in $(seq 100); do grep -q STATUS notified && break; sleep 0.1; done
works 'a service' is_complete
works 'a second one is refused' collects 1
works 'and why' says 'another jfrec collect is using'
works 'looking is allowed' collects 0 --dry-run
kill "$service"
wait "$service"
works 'it ends when told to' [ $? -eq 0 ]
service=
wait "$listener"
works 'it told systemd' [ "$(sed 's/=.*//' notified | uniq | tr '\n' ' ')" = 'READY STATUS STOPPING ' ]
works 'its lines are JSON' python3 -c 'import json
for line in open("served"): json.loads(line)'
works 'after it another one may' collects 0

# ------------------------------------------------------------------------------
# Damage

leave_all
works 'the state' collects 0
cp here/.jfrec-collect/state state
sed '$d' state >here/.jfrec-collect/state
works 'cut off' collects 2
works 'is refused' says 'the file is truncated'
works 'and left as it is' eval 'sed "\$d" state | cmp - here/.jfrec-collect/state'
echo nonsense >here/.jfrec-collect/state
works 'another file' collects 2
works 'is none' says 'line 1: not a jfrec collect state file'
leave_all
printf 'FLR\0\0\002\0\001no chunk at all, but with a long enough header, and so on and on' >dead/$two/2026_11_20_09_47_40.jfr
touch -d '2 hours ago' dead/$two/2026_11_20_09_47_40.jfr dead/$two
works 'a file that is no chunk' collects 0
works 'is passed over' is_complete
leave_all
printf '\377\377\377\377' | dd of=dead/$two/2026_11_20_09_47_11.jfr bs=1 seek=200 conv=notrunc 2>/dev/null
works 'a chunk that is damaged' collects 0
works 'is brought as it is' [ "$(ls here | wc -l)" = 2 ]

# ------------------------------------------------------------------------------
# Killed at every step

can_trace()
{
	command -v strace >/dev/null && strace -qq -o /dev/null true 2>/dev/null
}

# At each call of that kind by itself, and then a pass that goes through.
survives()      # CALL
{
	number=1
	while [ $number -lt 60 ]; do
		leave_all
		strace -qq -f -o trace -e trace="$1" -e inject="$1":signal=KILL:when=$number \
			"$jfrec" collect -c c.yaml --reap >out 2>&1
		[ $? -ne 137 ] && break
		exits 0 "$jfrec" collect -c c.yaml --reap && is_complete ||
			{ echo "killed at $1 number $number"; return 1; }
		number=$((number + 1))
	done
	[ "$number" -gt 1 ] || { echo "there is no $1"; return 1; }
}

if can_trace; then
	for call in mkdirat flock renameat renameat2 linkat unlinkat fsync copy_file_range openat write; do
		[ $call != openat ] || continue # hundreds, mostly of /proc
		works "killed at each $call" survives $call
	done
else
	result ok 'killed at each step # SKIP no strace'
fi

# ------------------------------------------------------------------------------
# A full disk

if [ "$(id -u)" -eq 0 ] && leave_all && mount -t tmpfs -o size=700k none here 2>/dev/null; then
	mounted=$work/here
	works 'a full disk' collects 10
	works 'its files are whole' eval 'for f in here/*.jfr; do [ ! -e "$f" ] || "$jfrec" summary "$f" || exit; done'
	works 'nothing is reaped of what is not there' [ -e dead/$two ]
	mount -o remount,size=64m here
	works 'with room again' collects 0 --reap
	works 'all is there, once' is_complete
	umount here
	mounted=
else
	result ok 'a full disk # SKIP needs root'
fi
finish
