#!/bin/sh
# What the recorder writes is read alike by jfrec and by the JDKs that are here; JFREC_RECORD and its
# mistakes; C++ and static programs; who reads while the program runs.
#
# usage: read.sh JFREC SOURCE_ROOT LIBRARY_DIRECTORY SHOPD

jfrec=$(realpath "$1")
source=$2
library=$3
shopd=$(realpath "$4")
. "$source/tests/cli/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit

# A library with sanitizers wants programs with them.
sanitize=
nm -D "$library/libjfrec-recorder.so" | grep -q __asan_init && sanitize=-fsanitize=address,undefined

record()        # OPTIONS [ORDERS]
{
	JFREC_RECORD=$1,repository=$work "$shopd" "${2:-1000}"
}

count()         # EVENT FILE
{
	"$jfrec" print --count --events "$1" "$2"
}

# Recording --------------------------------------------------------------------------------------

works 'a program records by JFREC_RECORD' record filename=shop.jfr
works 'nothing is left in the repository' sh -c '! ls -d 20*'
works 'all orders are there' [ "$(count shop.Order shop.jfr)" = 2000 ]
works 'all reports of the stock are there' [ "$(count shop.Stock shop.jfr)" = 200 ]
works 'threads have their names' [ "$("$jfrec" print --count --events 'shop.*' --where 'eventThread.javaName == "counter-2"' shop.jfr)" = 1100 ]
for event in ThreadStart ThreadEnd; do
	works "each has its $event" [ "$("$jfrec" print --count --events jdk.$event --where 'thread.javaName == "counter-2"' shop.jfr)" = 1 ]
done
works 'the end of the process is there' [ "$("$jfrec" print --count --events jdk.Shutdown --where 'reason == "exit() or return from main()"' shop.jfr)" = 1 ]
works 'constants are resolved' [ "$("$jfrec" print --count --where 'country == "Japan"' shop.jfr)" = 666 ]
works 'there is no damage' sh -c '"$1" summary shop.jfr >/dev/null 2>damage && ! test -s damage' sh "$jfrec"
works 'the settings can be listed' sh -c '"$1" settings active shop.jfr | grep -q shop.Order' sh "$jfrec"
works 'a query adds them up' sh -c '
	"$1" query "SELECT country, COUNT(*) AS N FROM Order GROUP BY country" shop.jfr | grep -Eq "Norway +668"' sh "$jfrec"
record 'filename=long.jfr,shop.Order#threshold=1.5h,shop.Stock#enabled=false'
works 'settings are taken from JFREC_RECORD' [ "$(count 'shop.*' long.jfr)" = 0 ]
cat >shop.jfc <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0" label="Shop">
  <event name="shop.Order"><setting name="enabled">true</setting><setting name="threshold">1 h</setting></event>
  <event name="jdk.GarbageCollection"><setting name="enabled">true</setting></event>
</configuration>
END
record 'filename=jfc.jfr,settings=shop.jfc'
works 'settings come from a .jfc file' [ "$(count shop.Order jfc.jfr) $(count shop.Stock jfc.jfr)" = '0 200' ]
record 'settings=none,filename=two.jfr,settings=shop.jfc,shop.Order#threshold=0ms'
works 'of several settings the last one wins, and an event over all' \
	[ "$(count shop.Order two.jfr) $(count shop.Stock two.jfr)" = '2000 0' ]
record 'filename=none.jfr,settings=none,+shop.Stock#enabled=true'
works 'an event is added to a profile' [ "$(count 'shop.*' none.jfr)" = 200 ]
record 'filename=profile.jfr,settings=profile'
works 'profile samples' sh -c '
	"$1" print --json --events jdk.ActiveSetting profile.jfr | grep -q "\"10 ms\""' sh "$jfrec"
record 'filename=pid-%p.jfr'
works 'the pid is put into the name' sh -c 'ls pid-*.jfr | grep -qE "^pid-[0-9]+.jfr$"'
record preserve-repository=true
works 'the repository is kept if asked for' sh -c '"$1" summary 20*/*.jfr | grep -q "shop.Order *2000"' sh "$jfrec"
record 'filename=small.jfr,maxchunksize=10k,flush-interval=5ms' 20000
works 'all events of many chunks are there' [ "$(count shop.Order small.jfr)" = 40000 ]

says()          # TEXT OPTIONS
{
	JFREC_RECORD=$2 "$shopd" 10 2>mistake
	grep -qF "$1" mistake && [ "$(wc -l <mistake)" = 1 ]
}
works 'an unknown option is reported' says 'unknown option color; there are name, filename, settings' color=red
works 'a profile that is missing is reported' says "settings=absent.jfc: Could not find file 'absent.jfc'; write default" \
	settings=absent.jfc
printf '<configuration><event name="x"></configuration' >bad.jfc
works 'a profile that is broken is reported' says "settings=bad.jfc: Could not parse file 'bad.jfc'" settings=bad.jfc
works 'a value that is missing is reported' says "'filename' has no value; write filename=VALUE" filename
works 'an amount that is invalid is reported' says 'maxsize=lots is invalid' maxsize=lots
works 'a delay that is too short is reported' says 'delay must be at least 1s' delay=5ms
works 'a name that is a number is reported' says 'name=7 is invalid; a name is not a number' name=7
works 'a flag that is neither is reported' says 'disk=maybe is invalid; write true or false' disk=maybe
works 'a setting that is invalid is reported' says 'write enabled=true' 'shop.Order#enabled=maybe'
works 'a repository that cannot be made is reported' says 'cannot create the repository /nowhere/' repository=/nowhere

JFREC_RECORD=filename=$work/nowhere/shop.jfr,repository=$work "$shopd" 10 2>mistake
works 'a dump at the end that fails is reported' grep -qE 'nowhere/shop.jfr: No such file or directory; the recording is kept in /.*/20[0-9_]+' mistake
works 'what was recorded is kept' [ "$(count shop.Order "$(sed 's/.* kept in //' mistake)")" = 20 ]

# When and where -----------------------------------------------------------------------------------

wait_for()      # COMMAND...
{
	for _ in $(seq 600); do
		"$@" && return
		sleep 0.1
	done
	"$@"
}

JFREC_RECORD=filename=timed.jfr,repository=$work,duration=1.5s,attach=false "$shopd" 1000000000 &
pid=$!
works 'a recording ends after its duration' wait_for test -s timed.jfr
works 'its repository is deleted' wait_for sh -c '! ls -d 20*_$1 2>/dev/null' sh $pid
works 'the program runs on' kill $pid
works 'and what was recorded is readable' sh -c '[ "$("$1" print --count --events shop.Order timed.jfr)" -gt 0 ]' sh "$jfrec"
JFREC_RECORD=repository=$work,delay=1s,duration=1s "$shopd" 1000000000 &
pid=$!
works 'it begins after its delay, and is written to a file that has a name' wait_for sh -c 'test -s native-pid-$1-*.jfr' sh $pid
kill $pid
JFREC_RECORD=filename=never.jfr,repository=$work,delay=1h "$shopd" 1000000000 &
pid=$!
works 'until then it is delayed' wait_for sh -c '"$1" jcmd $2 JFR.check 2>/dev/null | grep -q "name=native.*(delayed)"' sh "$jfrec" $pid
works 'and nothing is recorded' sh -c '! ls -d 20*_$1 2>/dev/null' sh $pid
kill $pid
record filename=not.jfr,dumponexit=false
works 'nothing is written at the exit' test ! -e not.jfr
mkdir in
JFREC_RECORD=dumponexit=true,filename=in,repository=$work "$shopd" 10
works 'a directory is good enough' sh -c 'test -s in/native-pid-*.jfr'
if awk '$2 == "/dev/shm" && $3 == "tmpfs" { found = 1 } END { exit !found }' /proc/mounts; then
	JFREC_RECORD=filename=memory.jfr,disk=false "$shopd" 1000
	works 'a recording in memory' [ "$(count shop.Order memory.jfr)" = 2000 ]
	JFREC_RECORD=disk=false,filename=least.jfr,maxsize=100k,flush-interval=5ms "$shopd" 200000
	works 'keeps what its limit allows' sh -c 'n=$("$1" print --count --events shop.Order least.jfr) && [ $n -gt 100 ] && [ $n -lt 400000 ]' sh "$jfrec"
	JFREC_RECORD=disk=false "$shopd" 1000000000 &
	pid=$!
	works 'lies where files are memory' wait_for sh -c '"$1" summary /dev/shm/20*_$2 2>/dev/null | grep -q "shop.Order  *[1-9]"' sh "$jfrec" $pid
	kill -9 $pid
	wait $pid
	works 'and is there after a crash' sh -c '"$1" dump --from-repository -o killed.jfr /dev/shm/20*_$2/ && "$1" summary killed.jfr | grep -q shop.Order' sh "$jfrec" $pid
	rm -rf /dev/shm/20*_$pid
else
	result ok 'recordings in memory # SKIP /dev/shm is not a tmpfs'
fi

if command -v prlimit >/dev/null; then
	(trap '' XFSZ; JFREC_RECORD=repository=$work,flush-interval=20ms exec "$shopd" 1000000000) &
	pid=$!
	wait_for sh -c '"$1" summary "$2"/20*_$3 2>/dev/null | grep -q "shop.Order"' sh "$jfrec" "$work" $pid
	prlimit --pid $pid --fsize=1000:unlimited
	sleep 0.3
	prlimit --pid $pid --fsize=unlimited:unlimited
	works 'what could not be written is told when it can' wait_for sh -c '
		[ "$("$1" print --count --events jfrec.Trouble --where "failed > 0" "$2"/20*_$3)" -gt 0 ]' sh "$jfrec" "$work" $pid
	works 'with why' sh -c '"$1" print --events jfrec.Trouble "$2"/20*_$3 | grep -q "message = .*File too large"' sh "$jfrec" "$work" $pid
	kill $pid
	rm -rf 20*_$pid
else
	result ok 'a full disk # SKIP no prlimit'
fi

# Other readers ------------------------------------------------------------------------------------

for jdk in ${JFREC_TEST_JFRS:-/usr/lib/jvm/*-[0-9]*/bin/jfr}; do
	[ -x "$jdk" ] && [ ! -h "${jdk%/bin/jfr}" ] || continue
	home=${jdk%/bin/jfr}
	label=${home##*/}
	works 'it prints the same values' sh -c '
		values() { "$1" print --events "shop.*" shop.jfr | grep -E "^  (number|customer|country|memory|articles|filled|eventThread) =" | sort; }
		values "$1" >jdk.txt && values "$2" | cmp - jdk.txt && [ "$(wc -l <jdk.txt)" = 10600 ]' sh "$jdk" "$jfrec"
	case $("$home/bin/java" -version 2>&1) in
	*' version "25'*)
		works 'it prints the same, byte for byte' sh -c '
			"$1" print shop.jfr >jdk.txt && "$2" print shop.jfr | cmp - jdk.txt' sh "$jdk" "$jfrec"
		works 'also as JSON' sh -c '
			"$1" print --json shop.jfr >jdk.json && "$2" print --json shop.jfr | cmp - jdk.json' sh "$jdk" "$jfrec" ;;
	esac
	works 'it counts the same' sh -c '
		"$1" summary small.jfr | awk "\$1 ~ /^shop/ { print \$1, \$2 }" | sort >jdk.count
		printf "shop.Order 40000\nshop.Stock 4000\n" | cmp - jdk.count' sh "$jdk"
	works 'it knows the types' sh -c '"$1" metadata --events shop.Order shop.jfr | grep -q "@Label(\"Memory Used\")"' sh "$jdk"
done
[ -n "$home" ] || result ok 'JDKs read it # SKIP no JDK in /usr/lib/jvm'
label=

# Recorded on 2026-11-22 by shopd 20, printed by JDK 25: what was recorded once stays readable.
works 'a recording of old is read as before' sh -c 'TZ=UTC "$1" print "$2/golden.jfr" | cmp - "$2/golden.txt"' \
	sh "$jfrec" "$source/tests/native"

# While it runs ------------------------------------------------------------------------------------

JFREC_RECORD="repository=$work,maxchunksize=20k,flush-interval=100ms,preserve-repository=true" \
	"$shopd" 300000 &
program=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
	repository=$(ls -d "$work"/20*_$program 2>/dev/null) && break
	sleep 0.1
done
works 'a chunk that grows can be read' sh -c '
	for i in 1 2 3; do "$1" print --count --events shop.Order "$2" 2>grows || exit; sleep 0.2; done' sh "$jfrec" "$repository"
wait $program
works 'its repository has all events' [ "$(count shop.Order "$repository")" = 600000 ]
works 'chunks follow each other without a gap' sh -c '
	python3 - "$1"/*.jfr <<"END"
import struct, sys
heads = sorted(struct.unpack(">4xHHQQQqqqq", open(p, "rb").read(64))[5:9] for p in sys.argv[1:])
ends = [a[0] + a[1] for a in heads]
assert len(heads) > 5 and all(e == h[0] for e, h in zip(ends, heads[1:])), (ends, heads)
END' sh "$repository"

# Of the JDKs the last one: its event stream crosses some hundred chunks.
follows()
{
	JFREC_RECORD="repository=$work,maxchunksize=10k,flush-interval=10ms,preserve-repository=true" \
		"$shopd" 80000 &
	program=$!
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		repository=$(ls -d "$work"/20*_$program 2>/dev/null) && break
		sleep 0.1
	done
	"$home/bin/java" "$source/tests/native/Follow.java" "$repository" 160000 >followed
	wait $program
	# On a busy machine there are fewer flushes, and so fewer chunks.
	echo "$(cat followed), in $(ls "$repository" | wc -l) files"
	[ "$(cat followed)" = '160000 once, 0 twice, 0 without constants' ] &&
		[ "$(ls "$repository" | wc -l)" -gt 10 ]
}
if [ -n "$home" ] && [ -x "$home/bin/javac" ]; then
	works 'an event stream of the JDK sees each event once' follows
else
	result ok 'an event stream of the JDK sees each event once # SKIP no JDK'
fi

# Programs -----------------------------------------------------------------------------------------

compile()       # COMPILER OPTION...
{
	"$@" -Wall -Wextra -Wpedantic -Werror $sanitize -I"$source/lib/recorder" -c -o "$work/shopd.o"
}
# A compiler that may be missing.
works_with()    # COMPILER TEST COMMAND...
{
	compiler=$1
	name=$2
	shift 2
	if command -v "$compiler" >/dev/null; then
		works "$name" "$@"
	else
		result ok "$name # SKIP there is no $compiler"
	fi
}
works 'C11 takes the macros' compile cc -std=c11 "$source/tests/native/shopd.c"
works_with clang 'C23 takes the macros' compile clang -std=c2x "$source/tests/native/shopd.c"
works_with g++ 'C++17 takes the macros' compile g++ -std=c++17 -x c++ "$source/tests/native/shopd.c"
works_with clang++ 'clang takes them as C++' compile clang++ -std=c++17 -x c++ "$source/tests/native/shopd.c"

spans()         # COMPILER
{
	"$1" -std=c++17 -O2 -Wall -Wextra -Wpedantic -Werror $sanitize -I"$source/lib/recorder" -o span \
		"$source/tests/native/span.cpp" -L"$library" -ljfrec-recorder -Wl,-rpath,"$library" &&
		JFREC_RECORD=filename=span.jfr,repository=$work ./span &&
		[ "$("$jfrec" print --count --where 'how == "returned"' span.jfr)" = 10 ] &&
		[ "$("$jfrec" print --count --where 'how == "thrown"' span.jfr)" = 5 ] &&
		[ "$(count spans.Step span.jfr)" = 15 ]
}
works_with g++ 'spans of C++ end with their scope' spans g++
if [ "$sanitize" ]; then
	result ok 'also those of clang # SKIP its sanitizers are not those of the library'
else
	works_with clang++ 'also those of clang' spans clang++
fi

if [ -z "$sanitize" ] && [ -e "$library/libjfrec-recorder.a" ]; then
	works 'it can be linked statically' cc -static -O2 -I"$source/lib/recorder" -o "$work/static" \
		"$source/tests/native/shopd.c" "$library/libjfrec-recorder.a" -pthread
	JFREC_RECORD=filename=static.jfr,repository=$work "$work/static"
	works 'a static program records' [ "$(count shop.Order static.jfr)" = 2000 ]
else
	result ok 'it can be linked statically # SKIP with sanitizers or b_lto'
fi
finish
