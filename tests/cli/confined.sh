#!/bin/sh
# Before a command reads the first byte of a recording, it gives up what reading does not take: the
# kernel has a filter for it, seen in /proc while it waits for a pipe. What is refused then is tried
# in tests/unit/test_calls.c and test_tricks.c. Here every command that reads recordings does what it
# does without: where the kernel has nothing of that (lacking.c), it prints and writes the same.
#
# usage: confined.sh JFREC SOURCE_ROOT LACKING

LC_ALL=C
export LC_ALL
jfrec=$(realpath "$1")
lacking=$(realpath "$3")
ok=$(cd "$2" && pwd)/tests/data/ok
. "$2/tests/cli/tap.sh"
work=$(mktemp -d)
reader=
trap '[ -z "$reader" ] || kill -9 $reader 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit
mkfifo pipe

waits()         # with the pipe open, and nothing in it
{
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
		# not the shell that is about to become it, and has the pipe, too
		case $(readlink /proc/$reader/exe /proc/$reader/fd/* 2>/dev/null) in
		"$jfrec"*"$work/pipe"*) return ;;
		esac
		sleep 0.2
	done
	return 1
}

shows()         # LINE: of its status
{
	sed 's/[[:space:]]\{1,\}/ /g' "/proc/$reader/status" >status
	grep -x "$1" status || { grep -e Seccomp -e NoNewPrivs status; return 1; }
}

confines()      # COMMAND...
{
	exec 9<>pipe    # so that opening it does not wait, and it does not end
	"$jfrec" "$@" >out 2>err 9>&- &
	reader=$!
	works "$*: it waits for its input" waits
	works "$*: it has a filter" shows 'Seccomp: 2'
	works "$*: it gets no new rights" shows 'NoNewPrivs: 1'
	works "$*: it has no capabilities" shows 'CapEff: 0000000000000000'
	exec 8>pipe 9>&-
	timeout 60 cat "$ok/settings-17.jfr" >&8
	exec 8>&-
	wait $reader
	status=$?
	reader=
	works "$*: it does what it should" [ "$status" -eq 0 ]
}

if nm -D "$jfrec" 2>/dev/null | grep -q __asan_init; then
	echo '1..0 # SKIP not with sanitizers, which trace their own process'
	exit 0
fi
# Of root the links in /proc can be read all the same; of others not any more.
if [ "$(id -u)" -eq 0 ]; then
	confines print pipe
	confines print --json pipe
	confines summary pipe
	confines metadata pipe
	confines settings active pipe
	confines settings cost pipe
	confines filter --events 'jdk.GC*' -o filtered.jfr pipe
	confines merge -o merged.jfr pipe
	confines repair -o repaired.jfr pipe
	confines scrub -o scrubbed.jfr pipe
else
	result ok 'what waits for a pipe # SKIP not root'
fi

# ----------------------------------------------------------------------------------------------------

can_confine()   # Landlock: how the kernel says it
{
	"$jfrec" summary -v "$ok/jvm-17.jfr" 2>&1 >/dev/null | grep -q "$1"
}

tells()         # FILE: of each part what is in force, and nothing else
{
	grep -qx 'jfrec: system calls are restricted by a seccomp filter' "$1" &&
		grep -qx "$landlock" "$1" &&
		grep -qx 'jfrec: capabilities that this does not need were dropped' "$1"
}

# What a command says, prints and leaves in its directory; names that differ from run to run apart.
run()           # PROGRAM... [in the directory "made"]
{
	rm -rf made
	mkdir made
	"$@" >made/.out 2>made/.err </dev/null
	echo "exit status $?" >>made/.out
	grep -v '^jfrec: \(system calls\|files\|capabilities\)' made/.err >made/.said
	find made -type f ! -name .err | LC_ALL=C sort | xargs cksum >all
}

does_the_same() # COMMAND...
{
	run "$lacking" all "$jfrec" "$@"
	mv all free
	cp made/.out free.out
	cp made/.said free.said
	run "$jfrec" "$@"
	cmp free all || { diff free.out made/.out; diff free.said made/.said; diff free all; return 1; }
}

is_told()       # COMMAND...
{
	run "$jfrec" "$@" -v
	tells made/.err || { cat made/.err; return 1; }
}

# A static binary loads no libraries.
same_if_loads() # LIBRARY COMMAND...
{
	library=$1
	shift
	run "$jfrec" "$@"
	if grep -q "needs .*$library" made/.err; then
		skip "$*" "$library cannot be loaded"
	else
		same "$@"
	fi
}

same()          # COMMAND...
{
	works "$*: as without" does_the_same "$@"
	works "$*: -v says what is in force" is_told "$@"
}

if can_confine 'restricted by Landlock'; then
	landlock='jfrec: files are restricted by Landlock, version [0-9]*'
else
	landlock='jfrec: files are not restricted: .*'
fi
can_confine 'by a seccomp filter' || { result ok 'commands # SKIP no seccomp filters here'; finish; exit; }

gzip -c "$ok/jvm-25.jfr" >a.jfr.gz
cp "$ok/jvm-25.jfr" b.jfr
ln -s "$ok/jvm-17.jfr" link.jfr
mkdir many
cp "$ok/jvm-17.jfr" many/1.jfr
cp "$ok/jvm-25.jfr" many/2.jfr
ln -s "$work/many" links
"$jfrec" filter -o b.jfr.zst b.jfr >/dev/null
printf '%s\n' '[own]' 'label = "Own"' 'table = "SELECT * FROM GarbageCollection"' >own.views
for input in b.jfr a.jfr.gz b.jfr.zst link.jfr; do
	same summary $input
	same print $input
	same view gc $input
done
for zone in Europe/Berlin :/usr/share/zoneinfo/Asia/Tokyo; do
	TZ=$zone
	export TZ
	same view gc b.jfr
done
unset TZ
same print --tz America/New_York --limit 2 b.jfr
same print --json --limit 20 a.jfr.gz
same print --count --jobs 4 b.jfr link.jfr
same summary --json --types-from link.jfr b.jfr
same metadata --json b.jfr
same view all-views b.jfr
same query 'SELECT COUNT(*) FROM GarbageCollection' b.jfr
same_if_loads SQLite sql b.jfr 'SELECT count(*) FROM GarbageCollection ORDER BY random()'
same sql --tables b.jfr
same flame b.jfr
same flame -o made/f.html b.jfr
same flame --format collapsed b.jfr
same flame --jobs 4 b.jfr link.jfr
same analyze b.jfr
same analyze --json a.jfr.gz
same diff link.jfr b.jfr
same diff -o made/d.html link.jfr b.jfr
same report -o made/r.html b.jfr
same report --json links/2.jfr
same settings active "$ok/settings-17.jfr"
same settings active --jfc "$ok/settings-17.jfr"
same settings cost b.jfr
same settings diff "$ok/settings-17.jfr" "$ok/settings-17.jfr"
same filter --events 'jdk.GC*' -o made/f.jfr b.jfr
same filter --events 'jdk.GC*' -o made/f.jfr.gz a.jfr.gz
same merge -o made/m.jfr link.jfr b.jfr
same merge -o made/m.jfr.zst link.jfr a.jfr.gz
same scrub -o made/s.jfr --report made/s.json b.jfr
same repair -o made/r.jfr a.jfr.gz
same split -o made b.jfr
same export -o made/tables b.jfr
same export -o made --partition date b.jfr
same_if_loads SQLite export --format sqlite -o made/t.db b.jfr
same_if_loads libdw symbolize -o made/n.jfr b.jfr

works 'a directory of recordings: as without' does_the_same analyze many
works 'a link to a directory: as without' does_the_same analyze links
works 'standard output: as without' does_the_same filter -o - b.jfr
works 'standard input: as without' sh -c '"$1" summary - <b.jfr >one && "$2" all "$1" summary - <b.jfr >other && cmp one other' \
	sh "$jfrec" "$lacking"
for name in /dev/stdin /proc/self/fd/0; do
	works "$name: as without" sh -c '"$1" summary "$3" <b.jfr >one && "$2" all "$1" summary "$3" <b.jfr >other && cmp one other' \
		sh "$jfrec" "$lacking" $name
done
works 'a pipe: as without' sh -c 'cat b.jfr | "$1" view gc /dev/stdin >one && "$1" view gc b.jfr >other && cmp one other' sh "$jfrec"

# Root keeps the capabilities that the paths take, and these work as before.
has_capabilities()      # SET COMMAND...
{
	set_wanted=$1
	shift
	mkfifo theirs/pipe 2>/dev/null
	chown 4194399 theirs/pipe
	chmod 600 theirs/pipe
	exec 9<>theirs/pipe
	"$jfrec" "$@" theirs/pipe >out 2>err 9>&- &
	reader=$!
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
		grep -q '^Seccomp:[[:space:]]*2' "/proc/$reader/status" && break
		sleep 0.2
	done
	sed 's/[[:space:]]\{1,\}/ /g' "/proc/$reader/status" >status
	exec 8>theirs/pipe 9>&-
	timeout 60 cat b.jfr >&8
	exec 8>&-
	wait $reader || { cat err; return 1; }
	reader=
	grep -x "CapEff: $set_wanted" status || { grep Cap status; return 1; }
}

makes_theirs()  # COMMAND...
{
	"$jfrec" "$@" >out 2>err && [ -s theirs/made.jfr ] || { cat err; return 1; }
}

if [ "$(id -u)" -eq 0 ] && mkdir theirs && chown 4194399 theirs 2>/dev/null; then
	chmod 700 theirs
	cp b.jfr theirs
	chown 4194399 theirs/b.jfr
	chmod 600 theirs/b.jfr
	works "another's file: as without" does_the_same summary theirs/b.jfr
	works "another's file: only the capability to read it" has_capabilities 0000000000000004 summary
	works "another's directory: what that takes" has_capabilities 0000000000000006 merge -o theirs/merged.jfr
	works "another's directory: files are made" makes_theirs merge -o theirs/made.jfr theirs/b.jfr
	chown 4194399 theirs/made.jfr
	chmod 1777 theirs
	works "another's sticky directory: files are replaced" makes_theirs merge --force -o theirs/made.jfr b.jfr
else
	skip "files of another user" 'not root'
fi

# ----------------------------------------------------------------------------------------------------

says_without()  # PART LINE
{
	"$lacking" "$1" "$jfrec" summary -v b.jfr >out 2>err && grep "$2" err && cmp out plain &&
		[ "$(grep -c '^jfrec: ' err)" -eq 3 ] || { cat out err; return 1; }
}

says_nothing()  # PART: unless it is asked
{
	"$lacking" "$1" "$jfrec" summary b.jfr >out 2>err && cmp out plain && [ ! -s err ]
}

"$jfrec" summary b.jfr >plain
works 'no seccomp: -v says so' says_without seccomp 'system calls are not restricted'
works 'no Landlock: -v says so' says_without landlock 'files are not restricted'
for part in seccomp landlock capabilities all; do
	works "without $part: nothing is said otherwise" says_nothing $part
done
finish
