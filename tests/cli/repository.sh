#!/bin/sh
# jfrec dump DIR/: what a JVM that is dead has left on the disk.
#
# usage: repository.sh JFREC SOURCE_ROOT

LC_ALL=C
export LC_ALL
jfrec=$(realpath "$1")
data=$(realpath "$2")/tests/data/ok
. "$2/tests/cli/tap.sh"
work=$(mktemp -d) || exit
left=
trap 'rm -rf "$work" $left' EXIT
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

refuses()       # STATUS WORDS ARGUMENT...
{
	status=$1 words=$2
	shift 2
	exits "$status" "$jfrec" dump "$@" && grep -qF -e "$words" err || { cat err; return 1; }
}

count()         # RECORDING...
{
	"$jfrec" print --count --sort file "$@" 2>/dev/null
}

# A repository of finished chunks, two of them in one file, and one that its JVM still wrote when it died:
# the generation is at byte 64, and there is something behind its size.
repository=dead/2026_11_20_09_46_59_4711
mkdir -p $repository
cp "$data/jvm-25.jfr" $repository/2026_11_20_09_46_59.jfr
cp "$data/text-25.jfr" $repository/2026_11_20_09_47_10.jfr
cp "$data/fields-25.jfr" $repository/2026_11_20_09_47_20.jfr
printf '\007' | dd of=$repository/2026_11_20_09_47_20.jfr bs=1 seek=64 conv=notrunc 2>/dev/null
printf 'not yet flushed' >>$repository/2026_11_20_09_47_20.jfr
: >$repository/2026_11_20_09_47_30.jfr
events=$(count "$data/jvm-25.jfr" "$data/text-25.jfr" "$data/fields-25.jfr")

works 'a repository' exits 0 "$jfrec" dump -o all.jfr $repository
works 'it is named' grep -qx all.jfr out
works 'all events are there' [ "$(count all.jfr)" = "$events" ]
works 'nothing is left to say of it' [ -z "$("$jfrec" summary all.jfr 2>&1 >/dev/null)" ]
works 'what is not is told in numbers' grep -q '4 chunks, the last one completed; 15 B after' err
works 'only its owner can read it' [ "$(stat -c %a all.jfr)" = 600 ]

# The directory above, which FlightRecorderOptions:repository=DIR names.
mkdir dead/2026_11_21_09_46_59_4712 dead/2026_11_22 dead/other
cp "$data/jvm-25.jfr" dead/2026_11_22/2026_11_20_09_46_59.jfr
works 'the directory above stands for the only one' exits 0 "$jfrec" print --count --sort file dead/
works 'with all of it' [ "$(cat out)" = "$(count $repository)" ]
works 'dump takes it, too' exits 0 "$jfrec" dump -o above.jfr dead/
works 'and says which one it is' grep -q 'the only repository there is dead/2026_11_20_09_46_59_4711' err
works 'with all events' [ "$(count above.jfr)" = "$events" ]
for n in 1 2 3; do
	mkdir dead/2026_11_2${n}_09_46_59_480$n
	cp "$data/text-25.jfr" dead/2026_11_2${n}_09_46_59_480$n/2026_11_20_09_47_10.jfr
done
for command in summary analyze 'print --count' 'merge -o no.jfr'; do
	works "$command: one of several has to be named" exits 1 "$jfrec" $command dead
	works "$command: the newest comes first" grep -q "of 4 JVMs, the newest first: 2026_11_23_09_46_59_4803, \
2026_11_22_09_46_59_4802, 2026_11_21_09_46_59_4801 and others; name one of them, such as dead/2026_11_23_09_46_59_4803\$" err
done
works 'dump: one of several has to be named' refuses 2 'repositories of several JVMs' -o no.jfr dead/
works 'dump: the newest comes first' sh -c 'sed -n 2p err | grep -q 2026_11_23_09_46_59_4803'
works 'dump: those without data are not named' sh -c '! grep -q 4712 err'
rm -r dead/2026_*_48* dead/2026_*_4712 dead/2026_11_22 dead/other
mkdir -p none/2026_11_21_09_46_59_4712
works 'a repository without recordings' exits 1 "$jfrec" summary none
works 'is named as such' grep -q 'the repository of a JVM in it has none yet' err
rm -r none

works 'JSON' exits 0 "$jfrec" dump --json -o json.jfr $repository/
sed -i "s/\"bytes\": $(stat -c %s json.jfr)/\"bytes\": SIZE/; s/\"version\": .*/\"version\": VERSION/" out
cat >want <<END
{
  "jfrec": 1,
  "version": VERSION
  "schema": "dump",
  "jvms": [
    {
      "pid": 4711,
      "file": "json.jfr",
      "bytes": SIZE,
      "repository": {
        "path": "$repository/",
        "chunks": 4,
        "completed": 1,
        "flushed": "2026-11-20T11:55:18.246971856Z",
        "secondsSinceFlush": null,
        "bytesBehindFlush": 15,
        "unreadableChunks": 0,
        "unreadableBytes": 0
      }
    }
  ]
}
END
works 'JSON says the same' cmp out want
works 'both files are the same' cmp all.jfr json.jfr

works 'standard output' sh -c '"$1" dump -o - "$2" 2>/dev/null | cmp - all.jfr' sh "$jfrec" $repository
works 'compressed' exits 0 "$jfrec" dump --compress zstd -o x.zst $repository
works 'that is the same' [ "$(count x.zst)" = "$events" ]
works 'a made-up name has the pid' exits 0 "$jfrec" dump $repository
works 'in the current directory' ls jfrec-4711-*.jfr
works 'a file that is there' refuses 1 'it exists' -o all.jfr $repository
works 'is replaced by force' exits 0 "$jfrec" dump --force -o all.jfr $repository
works 'the newest only' exits 0 "$jfrec" dump --max-size 1k -o newest.jfr $repository
works 'is one chunk' [ "$("$jfrec" summary --json newest.jfr | grep -c '"offset"')" = 1 ]

works 'nothing of that time' refuses 1 'no chunk of that time' --end 2001-01-01T00:00:00Z -o no.jfr $repository
works 'no such time' refuses 2 'begin cannot be' --begin +1h -o no.jfr $repository
works 'a recording by name' refuses 2 'need a JVM' --name 1 -o no.jfr $repository
works 'a directory that is not there' refuses 1 'No such file' -o no.jfr ./nowhere/
works 'a directory that is none' refuses 3 'no JVM matches' -o no.jfr ./nowhere
mkdir empty
works 'an empty directory' refuses 1 'it has no chunk with data' -o no.jfr ./empty
works 'JSON and the recording' refuses 2 'cannot take the recording and JSON' --json -o - $repository
works '--from-repository and --name' refuses 2 '--from-repository cannot be combined with' --from-repository --name 1 1
: >$repository/2026_11_20_09_47_40.part
printf '%1000s' '' >empty/2026_11_20_09_47_40.part
works 'JDK 8: the finished ones' refuses 0 'the unfinished chunk, of 0 B, cannot be read (JDK 8 and 11)' -o part.jfr $repository
works 'JDK 8: none is finished' refuses 1 'cannot be read until they are finished' -o no.jfr ./empty
works 'no file was made of those' [ ! -e no.jfr ]

# The directory around it; its JVM is gone, or was never there.
works 'a directory around one repository' exits 0 "$jfrec" dump -o around.jfr dead/
works 'it is that one' eval 'grep -q "$repository" err && [ "$(count around.jfr)" = "$events" ]'
cp -r $repository dead/2026_11_20_09_46_58_4712
works 'a directory around several' refuses 2 'of several JVMs' -o no.jfr dead/
works 'they are named' [ "$(grep -c '^  dead/2026_11_20_09_46_5._471[12] of user' err)" -eq 2 ]

# By the pid of a process that is gone. Anybody can make such a directory.
sh -c 'echo $$' >pid
pid=$(cat pid)
works 'a process that is gone, without a repository' refuses 3 'no repository of it' --from-repository -o no.jfr "$pid"
for second in 57 58; do
	left="$left /tmp/2026_01_01_00_00_${second}_$pid"
	cp -r $repository "/tmp/2026_01_01_00_00_${second}_$pid"
done
works 'a process that is gone' exits 0 "$jfrec" dump --from-repository -o gone.jfr "$pid"
works 'its newest one, whose owner is named' \
	grep -q "it left /tmp/2026_01_01_00_00_58_$pid of user $(id -un)" err
works 'the older one is named' grep -q "^  /tmp/2026_01_01_00_00_57_$pid of user" err
works 'all events are in it' [ "$(count gone.jfr)" = "$events" ]
if [ "$(id -u)" -eq 0 ]; then
	chown -R 65534:65534 "/tmp/2026_01_01_00_00_58_$pid"
	works 'two users have one of that pid' refuses 2 'several users' --from-repository -o no.jfr "$pid"
	works 'both are named' [ "$(grep -c "^  /tmp/.*_$pid of user" err)" -eq 2 ]
	rm -rf "/tmp/2026_01_01_00_00_57_$pid"
	chmod 700 "/tmp/2026_01_01_00_00_58_$pid"
	ln -sf /etc/passwd "/tmp/2026_01_01_00_00_58_$pid/2026_01_01_00_00_59.jfr"
	works 'one of another user' exits 0 "$jfrec" dump --from-repository -o other.jfr "$pid"
	works 'his files only are in it' [ "$(count other.jfr)" = "$events" ]
fi
works 'none of these was made' [ ! -e no.jfr ]

printf '%1000s' '' >$repository/2026_11_20_09_47_50.jfr
works 'a file that was a chunk' refuses 1 'the first being 2026_11_20_09_47_50.jfr' -o some.jfr $repository
works 'costs the others nothing' [ "$(count some.jfr)" = "$events" ]
works 'none is left half done' [ -z "$(find . -name '.*.jfrec-*')" ]
finish
