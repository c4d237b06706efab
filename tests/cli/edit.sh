#!/bin/sh
# merge, split and repair: the same events before and after, and no file that is
# half written, replaced without being asked, or an input.
#
# usage: edit.sh JFREC SOURCE_ROOT

jfrec=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
data=$(cd "$2" && pwd)/tests/data/ok
. "$2/tests/cli/tap.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit

exits()         # STATUS COMMAND...
{
	want=$1
	shift
	"$@" >out 2>err
	got=$?
	[ "$got" -eq "$want" ] || {
		echo "exit status $got, not $want"
		cat err
		return 1
	}
}

said()          # WORDS
{
	cat out err | grep -q -e "$1" || {
		cat out err
		return 1
	}
}

# Events do not depend on the order of chunks, types not on their ids.
events()        # RECORDING...
{
	"$jfrec" print --ndjson --sort file "$@" 2>/dev/null |
		grep -v '"jdk.ActiveSetting"' | LC_ALL=C sort
}

same_events()   # RECORDING OTHER...
{
	events "$1" >one
	shift
	for other; do
		events "$other"
	done | LC_ALL=C sort >other
	[ -s one ] && cmp one other
}

nothing_else()  # FILE...: no temporary file is left
{
	for file in .*jfrec-*; do
		[ ! -e "$file" ] || {
			echo "$file is left"
			return 1
		}
	done
}

count()         # RECORDING
{
	"$jfrec" print --count "$1" 2>/dev/null
}

chunks()        # RECORDING
{
	"$jfrec" summary "$1" 2>/dev/null | sed -n 's/^ Chunks: //p'
}

has_at_least()  # RECORDING OTHER: every event of the other
{
	events "$1" >one
	events "$2" >other
	[ -s other ] && [ -z "$(LC_ALL=C comm -13 one other)" ]
}

# Two chunks, and two recordings of different JVMs, the first of one chunk.
jvm25=$data/jvm-25.jfr
cat "$data/frames-25.jfr" >a.jfr
cat "$data/jvm-17.jfr" >b.jfr

# merge of one, split ----------------------------------------------------------

for file in "$data"/*.jfr; do
	name=$(basename "$file" .jfr)
	case $name in
	made-*) continue ;;     # their chunks are of different clocks on purpose
	esac
	works "$name: merged alone it is the same" exits 0 "$jfrec" merge "$file" -o m.jfr --force
	works "$name: byte for byte" cmp "$file" m.jfr
	mkdir pieces
	works "$name: split" exits 0 "$jfrec" split "$file" -o pieces
	works "$name: merged again" exits 0 "$jfrec" merge pieces -o m.jfr --force
	works "$name: byte for byte" cmp "$file" m.jfr
	rm -r pieces
	works "$name: compact" exits 0 "$jfrec" merge --compact "$file" -o c.jfr --force
	works "$name: compact has the same events" same_events "$file" c.jfr
	works "$name: repaired it is the same" exits 0 "$jfrec" repair "$file" -o r.jfr --force
	works "$name: byte for byte" cmp "$file" r.jfr
done

works 'split takes one recording' exits 2 "$jfrec" split a.jfr b.jfr
works 'split into a file' exits 2 "$jfrec" split a.jfr -o a.jfr
works 'split makes the directory' exits 0 "$jfrec" split a.jfr -o parts_of_a
works 'with the files' [ "$(ls parts_of_a/a_*.jfr | wc -l)" -eq "$(chunks a.jfr)" ]
works 'split of what is none' exits 1 "$jfrec" split "$2/LICENSE" -o unmade
works 'makes none' [ ! -e unmade ]
works 'split by size' exits 0 "$jfrec" split --size 1k a.jfr
works 'a chunk beyond the limit is alone' [ "$(ls a_*.jfr | wc -l)" -eq "$(chunks a.jfr)" ]
works 'split replaces nothing' exits 1 "$jfrec" split --size 1k a.jfr
works 'it says so' said 'a_0.jfr: it exists; --force replaces it'
works 'split by force' exits 0 "$jfrec" split --events 1 --force a.jfr
for tool in gzip:gz zstd:zst lz4:lz4 xz:xz bzip2:bz2; do
	suffix=${tool#*:} tool=${tool%:*}
	if ! command -v $tool >/dev/null; then
		result ok "split of a .jfr.$suffix # SKIP no $tool"
		continue
	fi
	mkdir -p packed_$tool
	$tool -c a.jfr >packed_$tool/shop.jfr.$suffix
	if "$jfrec" summary packed_$tool/shop.jfr.$suffix 2>&1 | grep -q 'built without'; then
		result ok "split of a .jfr.$suffix # SKIP built without it"
		continue
	fi
	works "split of a .jfr.$suffix: names have its stem" sh -c \
		'"$0" split --events 1 --json -o parts_$1 packed_$1/shop.jfr.$2 >/dev/null 2>err &&
		! ls parts_$1 | grep -Ev "^shop_[0-9]+\.jfr$"' "$jfrec" $tool $suffix
done
works 'split with JSON' exits 0 "$jfrec" split --duration 1d --json --force a.jfr
works 'it names the files' said '"file": "a_0.jfr"'
works 'split compresses' exits 0 "$jfrec" split --compress gzip a.jfr
works 'into a name that tells' "$jfrec" summary a_0.jfr.gz
rm -f a_*.jfr a_*.gz

# merge ------------------------------------------------------------------------

works 'a chunk that is there twice is written once' \
	exits 0 "$jfrec" merge a.jfr a.jfr "$data/frames-25.jfr" -o m.jfr --force
works 'which is said' said 'duplicates dropped'
works 'and nothing else changes' cmp a.jfr m.jfr

works 'different JVMs are merged' exits 0 "$jfrec" merge a.jfr b.jfr -o ab.jfr
works 'which is said' said 'comes from another JVM'
works 'events and times are the same' same_events ab.jfr a.jfr b.jfr
works 'the order of inputs does not matter' exits 0 "$jfrec" merge b.jfr a.jfr -o ba.jfr
works 'the same bytes' cmp ab.jfr ba.jfr
works 'plain joins' exits 0 "$jfrec" merge --plain b.jfr a.jfr -o p.jfr
works 'which cat does as well' sh -c 'cat a.jfr b.jfr | cmp - p.jfr'
works 'compact merges them, too' exits 0 "$jfrec" merge --compact a.jfr b.jfr -o c.jfr --force
works 'with the same events' same_events c.jfr a.jfr b.jfr
works 'compact cannot be combined with plain' exits 2 "$jfrec" merge --compact --plain a.jfr -o d.jfr

works 'a pattern' exits 0 "$jfrec" merge './[ab].jfr' -o m.jfr --force
works 'means what it matches' cmp m.jfr ab.jfr
cp a.jfr '[ab].jfr'
works 'a file of that very name comes first' exits 0 "$jfrec" merge --plain './[ab].jfr' -o m.jfr --force
works 'and alone' cmp m.jfr a.jfr
rm '[ab].jfr'
works 'a pattern that matches nothing' exits 1 "$jfrec" merge './x*.jfr' -o x.jfr
mkdir both
cp a.jfr b.jfr both
works 'a directory' exits 0 "$jfrec" merge both -o m.jfr --force
works 'means what is in it' cmp m.jfr ab.jfr
gzip -c a.jfr >both/a.jfr
works 'compressed inputs and a pipe' \
	sh -c '"$1" merge both/a.jfr - -o m.jfr --force <b.jfr' sh "$jfrec"
works 'are the same' cmp m.jfr ab.jfr
works 'standard output' sh -c '"$1" merge a.jfr b.jfr -o - 2>err | cmp - ab.jfr' sh "$jfrec"
works 'compression by name' exits 0 "$jfrec" merge a.jfr b.jfr -o ab.jfr.gz
works 'of the same bytes' sh -c 'gzip -dc ab.jfr.gz | cmp - ab.jfr'
works 'compression by zstd' exits 0 "$jfrec" merge a.jfr b.jfr -o ab.jfr.zst
works 'has the same events' same_events ab.jfr.zst ab.jfr

# An event in the middle, by its start.
middle=$("$jfrec" print --ndjson --sort time "$jvm25" |
	sed -n 's/.*"startTime":"\([^"]*\)".*/\1/p' | sed -n '100p')
works 'from' exits 0 "$jfrec" merge --from "$middle" "$jvm25" -o from.jfr
works 'to' exits 0 "$jfrec" merge --to "$middle" "$jvm25" -o to.jfr
for part in from to; do
	"$jfrec" print --ndjson --sort file --$part "$middle" "$jvm25" >want 2>err
	"$jfrec" print --ndjson --sort file $part.jfr >got 2>err
	works "$part: events as print --$part has them" cmp want got
	works "$part: there are some" [ -s got ]
	works "$part: but fewer" [ "$(count $part.jfr)" -lt "$(count "$jvm25")" ]
done
works 'a span of which nothing is left' exits 1 "$jfrec" merge --from 2200-01-01 a.jfr -o n.jfr
works 'leaves no file' [ ! -e n.jfr ]
works 'a size that one chunk has' exits 0 "$jfrec" merge --max-size 1k ab.jfr -o n.jfr
works 'leaves the newest' [ "$(chunks n.jfr)" -eq 1 ]
works 'an age' exits 0 "$jfrec" merge --max-age 1ms ab.jfr -o o.jfr
works 'leaves the newest' [ "$(count o.jfr)" -lt "$(count ab.jfr)" ]
works 'sizes are checked' exits 2 "$jfrec" merge --max-size 10x a.jfr -o x.jfr
works 'spans are checked' exits 2 "$jfrec" merge --max-age 10 a.jfr -o x.jfr

# Damage -----------------------------------------------------------------------

size=$(wc -c <"$jvm25")
head -c "$((size * 3 / 4))" "$jvm25" >cut.jfr
works 'a recording that is cut off' exits 1 "$jfrec" repair cut.jfr -o r.jfr --force
works 'says what is lost' said 'are lost'
works 'has the events that print shows' same_events r.jfr cut.jfr
works 'is whole' "$jfrec" summary r.jfr
works 'merge does the same' exits 1 "$jfrec" merge cut.jfr -o m.jfr --force
works 'merge: the same events' same_events m.jfr cut.jfr

cp "$jvm25" zeros.jfr
dd if=/dev/zero of=zeros.jfr bs=1 seek=$((size / 2)) count=2000 conv=notrunc 2>err
works 'zeros in the middle, where the second header is' \
	exits 1 "$jfrec" repair zeros.jfr -o r.jfr --force
works 'has the events that print shows' has_at_least r.jfr zeros.jfr
works 'no more than these' [ "$(count r.jfr)" -eq "$(count zeros.jfr)" ]
works 'and those of the second chunk' [ "$(count r.jfr)" -gt $(($(count "$jvm25") * 9 / 10)) ]
works 'is whole' "$jfrec" summary r.jfr

cp "$jvm25" headless.jfr
dd if=/dev/zero of=headless.jfr bs=1 count=68 conv=notrunc 2>err
works 'print cannot read it without a header' exits 1 "$jfrec" print headless.jfr
works 'repair can' exits 0 "$jfrec" repair headless.jfr -o r.jfr --force
works 'all events are there' same_events r.jfr "$jvm25"
# The size in front of the metadata, of four bytes, and the type behind that, one after the other.
single=$data/fields-25.jfr
metadata=$(($(od -An -tu1 -j 24 -N 8 "$single" | awk '{ for (i = 1; i <= NF; i++) n = n * 256 + $i; print n }')))
for hit in 0:001 0:377 1:000 1:201 2:006 2:377 3:200 3:001 4:001 4:004 4:377; do
	cp "$single" hit.jfr
	printf "\\${hit#*:}" | dd of=hit.jfr bs=1 seek=$((metadata + ${hit%:*})) conv=notrunc 2>err
	works "the metadata's byte $hit: that is told" exits 1 "$jfrec" print hit.jfr
	works 'no event of before it is lost' [ "$(count hit.jfr)" -ge "$(count "$single")" ]
	works 'repair agrees' exits 1 "$jfrec" repair hit.jfr -o r.jfr --force
	works 'what it writes has them' [ "$(count r.jfr)" -ge "$(count "$single")" ]
done

# A header of ones.
for recording in "$jvm25" "$data/jvm-17.jfr" "$single"; do
	cp "$recording" ones.jfr
	head -c 68 /dev/zero | tr '\0' '\377' | dd of=ones.jfr conv=notrunc 2>err
	works "${recording##*/}, a header of ones: repair" exits 0 "$jfrec" repair ones.jfr -o r.jfr --force
	works 'has all events' same_events r.jfr "$recording"
done
works 'print of the only chunk without its header' exits 1 "$jfrec" print ones.jfr
works 'says what can' said 'jfrec repair may recover it'
# A clock that cannot be one, without a copy of the header: what was read by nanoseconds is written so.
cp "$data/../../native/golden.jfr" clock.jfr
head -c 8 /dev/zero | tr '\0' '\377' | dd of=clock.jfr bs=1 seek=56 conv=notrunc 2>err
"$jfrec" print --ndjson clock.jfr >by-ns.ndjson 2>err
works 'an impossible clock: print' grep -q 'ticks are read as nanoseconds' err
works 'repair' exits 0 "$jfrec" repair clock.jfr -o r.jfr --force
works 'it is possible then' eval '"$jfrec" print --ndjson r.jfr >repaired.ndjson 2>err && [ ! -s err ]'
works 'with the same events' cmp by-ns.ndjson repaired.ndjson
works 'merge does the same' exits 0 "$jfrec" merge clock.jfr -o m.jfr --force
works 'with the same events' eval '"$jfrec" print --ndjson m.jfr 2>err | cmp - by-ns.ndjson && [ ! -s err ]'
# The metadata of the only chunk.
cp "$single" untyped.jfr
head -c 3000 /dev/zero | tr '\0' '\377' | dd of=untyped.jfr bs=1 seek=$metadata conv=notrunc 2>err
works 'print of the only chunk without its metadata' exits 1 "$jfrec" print --count untyped.jfr
works 'says what may help' said '; --types-from with a recording of the same JVM may help'
works 'which it does' exits 1 "$jfrec" print --count --types-from "$single" untyped.jfr
works 'it has all events' [ "$(cat out)" = "$(count "$single")" ]
works 'types that do not help' exits 1 "$jfrec" print --count --types-from "$data/jvm-17.jfr" untyped.jfr
works 'are no advice' eval '! said "may help"'
# A lost first page: what repair makes of it with given types, all commands read.
for recording in "$jvm25" "$data/jvm-17.jfr" "$single"; do
	cp "$recording" page.jfr
	head -c 4096 /dev/zero | tr '\0' '\377' | dd of=page.jfr conv=notrunc 2>err
	works "${recording##*/}, a page of ones: print" exits 1 "$jfrec" print --count --types-from "$recording" page.jfr
	works 'has all events' [ "$(cat out)" = "$(count "$recording")" ]
	works 'says what is lost' said 'no event can begin at byte 68'
	works 'two threads find them, too' [ "$("$jfrec" print --count --jobs 2 --types-from "$recording" page.jfr 2>err)" = "$(count "$recording")" ]
	works 'times count from its end' [ "$("$jfrec" print --count --from -1h --types-from "$recording" page.jfr 2>err)" = "$(count "$recording")" ]
	works 'repair agrees' exits 1 "$jfrec" repair --types-from "$recording" page.jfr -o r.jfr --force
	works 'what it writes has them' [ "$(count r.jfr)" = "$(count "$recording")" ]
done
echo text >text
for command in 'print --count' summary metadata 'view gc' analyze; do
	works "$command: another recording's types make no recording of text" \
		exits 1 "$jfrec" $command --types-from "$single" text
	works 'that is said' said 'is not a recording'
done
cp "$jvm25" magic.jfr
printf 'XXXX' | dd of=magic.jfr conv=notrunc 2>err
works 'a magic that is wrong' exits 0 "$jfrec" repair magic.jfr -o r.jfr --force
works 'all events are there' same_events r.jfr "$jvm25"

# Never finished: the generation is not 0, and something follows the last flush.
mkdir killed
cp a.jfr killed/chunk.jfr
printf '\002' | dd of=killed/chunk.jfr bs=1 seek=64 conv=notrunc 2>err
works 'a chunk that was never finished' exits 0 "$jfrec" merge killed -o m.jfr --force
works 'is completed' said 'completed'
works 'is finished then' cmp m.jfr a.jfr
printf 'half an event' >>killed/chunk.jfr
works 'what is behind it does not matter' exits 0 "$jfrec" repair killed -o r.jfr --force
works 'to repair' same_events r.jfr a.jfr
works 'JSON tells the fate' exits 1 "$jfrec" repair --json cut.jfr -o r.jfr --force
works 'of chunks' said '"fate": "rewritten"'
works 'and types' said '"unreadable": 0'

head -c 60 "$jvm25" >stub.jfr
works 'nothing to recover' exits 1 "$jfrec" repair stub.jfr -o n2.jfr
works 'is said' said 'no chunk could be recovered'
works 'and leaves no file' [ ! -e n2.jfr ]
works 'no recording' exits 1 "$jfrec" repair "$0" -o n2.jfr

# By the name of the JDK's tool ------------------------------------------------

mkdir bin made
ln -s "$jfrec" bin/jfr
jfr=$PWD/bin/jfr
cp "$jvm25" two.jfr
works 'jfr disassemble' exits 0 "$jfr" disassemble --output made --max-chunks 1 two.jfr
works 'says what it writes' said "^Writing $PWD/made/two_1.jfr \.\.\. [0-9]*$"
works 'replaces nothing' exits 1 "$jfr" disassemble --output made --max-chunks 1 two.jfr
works 'splits nothing that is small' exits 1 "$jfr" disassemble two.jfr
works 'wants .jfr' exits 1 "$jfr" disassemble two
works 'jfr assemble' exits 0 "$jfr" assemble made new.jfr
works 'makes what was disassembled' cmp new.jfr two.jfr
works 'replaces nothing' exits 1 "$jfr" assemble made new.jfr
works 'takes two arguments' exits 2 "$jfr" assemble made
works 'says so by its name' said '^jfr assemble: too few arguments$'
printf '\002' | dd of=made/two_1.jfr bs=1 seek=64 conv=notrunc 2>err
works 'jfr assemble, a chunk was never finished' exits 0 "$jfr" assemble made again.jfr
works 'it is now' cmp again.jfr two.jfr
works 'jfr assemble of nothing' exits 1 "$jfr" assemble bin none.jfr
works 'leaves no file' [ ! -e none.jfr ]
works 'jfr scrub' exits 0 "$jfr" scrub --exclude-events 'GC*' two.jfr
works 'says what it removed' said '^jdk.GCHeapSummary *[0-9]*/[0-9]*$'
works 'is filter' exits 0 "$jfrec" filter --exclude-events 'GC*' two.jfr -o filtered.jfr
works 'byte for byte' cmp filtered.jfr two-scrubbed.jfr
works 'jfr scrub replaces its output' exits 0 "$jfr" scrub two.jfr two-scrubbed.jfr
works 'but not its input' exits 2 "$jfr" scrub two.jfr ./two.jfr
works 'which stays' cmp two.jfr "$jvm25"
for command in assemble disassemble scrub; do
	works "jfr help $command" exits 0 "$jfr" help $command
	works "is of jfr" said "^ jfr $command "
done

# Directories of compressed files, as `collect` makes them -----------------------

mkdir packed
gzip -c "$data/frames-25.jfr" >packed/one
works 'a directory of one compressed file' exits 0 "$jfrec" summary packed
cp "$data/fields-25.jfr" packed/two.jfr
"$jfrec" merge "$data/text-25.jfr" -o packed/three.jfr.zst >out
echo 'no recording' | gzip >packed/four.gz
echo 'no recording' >packed/five
number()        # RECORDING...: of events
{
	for recording; do
		events "$recording"
	done | wc -l
}
works 'all that are there are read' [ "$(number packed)" -eq \
	"$(number "$data/frames-25.jfr" "$data/fields-25.jfr" "$data/text-25.jfr")" ]
works 'and merged' exits 0 "$jfrec" merge packed -o packed.jfr
works 'into as many events' [ "$(number packed.jfr)" -eq "$(number packed)" ]

# A recording in a directory that lost its first page is not passed over in silence.
mkdir spoiled
cp "$data/jvm-17.jfr" spoiled/one.jfr
cp "$single" spoiled/two.jfr
head -c 4096 /dev/zero | tr '\0' '\377' | dd of=spoiled/two.jfr conv=notrunc 2>err
: >spoiled/empty.jfr
works 'a directory with a damaged file: print' exits 1 "$jfrec" print --count spoiled
works 'has the events of the other' [ "$(cat out)" = "$(count "$data/jvm-17.jfr")" ]
works 'says which file is damaged' said 'spoiled/two.jfr: is not a recording'
works 'repair' exits 1 "$jfrec" repair spoiled -o r.jfr --force
works 'has the events of both' [ "$(count r.jfr)" -eq "$(($(count "$data/jvm-17.jfr") + $(count "$single")))" ]
# One that its reader may not open, who is not root.
chmod 000 spoiled/two.jfr
cp "$jfrec" unprivileged
chmod 755 . spoiled unprivileged
chmod 644 spoiled/one.jfr
as_user=
[ "$(id -u)" -ne 0 ] || as_user='setpriv --reuid 47111 --regid 47111 --clear-groups'
works 'a directory with a file that may not be read' exits 1 $as_user ./unprivileged print --count spoiled
works 'has the events of the other' [ "$(cat out)" = "$(count "$data/jvm-17.jfr")" ]
works 'says which one may not be read' said 'spoiled/two.jfr: cannot open: Permission denied'
chmod 600 spoiled/two.jfr
rm spoiled/one.jfr
works 'a directory with nothing else' exits 1 "$jfrec" print --count spoiled
works 'says where to look' said 'without recordings that can be read; `jfrec summary spoiled/two.jfr` says why'

# Other compressions --------------------------------------------------------------

for tool in lz4 xz; do
	if ! command -v $tool >/dev/null; then
		result ok "$tool # SKIP no $tool"
		continue
	fi
	$tool -c <"$data/frames-25.jfr" >strange.name
	if "$jfrec" summary strange.name 2>&1 | grep -q 'built without'; then
		works "$tool: it is said what to do" eval \
			'! "$jfrec" summary strange.name 2>err && grep -q "decompress it first" err'
		continue
	fi
	works "$tool: the same events" same_events "$data/frames-25.jfr" strange.name
	works "$tool: from a pipe" eval '"$jfrec" print --json - <strange.name >one &&
		"$jfrec" print --json "$data/frames-25.jfr" >two && cmp one two'
	works "$tool: split" eval '"$jfrec" split strange.name --force >out && ls strange.name_0.jfr'
	cat strange.name strange.name >twice
	works "$tool: one after the other" eval \
		'[ $(($(number strange.name) * 2)) -eq "$(number twice)" ]'
	head -c 10000 strange.name >cut
	works "$tool: cut off" exits 1 "$jfrec" print cut
	works "$tool: says so" said "the $tool data is truncated"
	{ head -c 5000 strange.name; head -c 3000 /dev/zero; } >damaged
	works "$tool: damaged" exits 1 "$jfrec" print damaged
	works "$tool: says so" said "the $tool data"
	head -c 200000000 /dev/zero | $tool -c | cat strange.name - >bomb
	works "$tool: a bomb" exits 1 "$jfrec" print bomb
done

# Nothing but the inside of the first checkpoint is hit.
{
	head -c 3000 "$data/jvm-17.jfr"
	head -c 1000 /dev/zero | tr '\0' '\377'
	tail -c +4001 "$data/jvm-17.jfr"
} >hit.jfr
for command in print merge repair; do
	to='-o whole.jfr --force'
	[ $command != print ] || to=
	works "$command: constants are lost" exits 1 "$jfrec" $command $to hit.jfr
	works 'which it says' said 'jfrec: hit.jfr: '
done

# Cut off within its second chunk, of which 111 KiB are missing; the next input is read by the time
# that is known.
head -c 152000 "$data/contexts-25.jfr" >end.jfr
works 'a recording that is cut off, and another' exits 1 "$jfrec" print end.jfr "$data/jvm-17.jfr"
works 'the right one is blamed' said 'jfrec: end.jfr: chunk 2 at byte 133456 is truncated'
works 'no other' sh -c '! grep "jvm-17.jfr" err'
works 'what is missing of it' exits 1 "$jfrec" repair end.jfr -o whole.jfr --force
works 'is counted once' said '; 111 KiB are lost'

# The header of its second chunk is lost.
cp "$data/contexts-25.jfr" beheaded.jfr
dd if=/dev/zero of=beheaded.jfr bs=1 seek=133456 count=68 conv=notrunc 2>err
mkdir parts
works 'split of a chunk that lost its header fails' exits 1 "$jfrec" split beheaded.jfr -o parts
works 'and says where it is' said 'at byte 133456 belong to no chunk'
works 'split copies only chunks that have one' "$jfrec" summary parts/*.jfr

# Files that must stay as they are ---------------------------------------------

cp a.jfr before.jfr
works 'an existing file stays' exits 1 "$jfrec" merge b.jfr -o before.jfr
works 'it is said how to replace it' said '\--force'
works 'and is what it was' cmp before.jfr a.jfr
for command in merge repair; do
	works "$command: the input is no output" exits 2 "$jfrec" $command a.jfr -o a.jfr --force
	ln -sf a.jfr link.jfr
	works "$command: nor is a link to it" exits 2 "$jfrec" $command a.jfr -o link.jfr --force
	ln -f a.jfr hard.jfr
	works "$command: nor another name of it" exits 2 "$jfrec" $command a.jfr -o hard.jfr --force
	works "$command: nor a file of the directory" \
		exits 2 "$jfrec" $command both -o both/b.jfr --force
	works "$command: no output" exits 2 "$jfrec" $command a.jfr
	works "$command: a directory that is not there" exits 1 "$jfrec" $command a.jfr -o no/a.jfr
	works "$command: standard output takes one thing" \
		exits 2 "$jfrec" $command a.jfr -o - --json
done
works 'inputs are as they were' cmp a.jfr "$data/frames-25.jfr"
works 'a full disk' sh -c 'trap "" XFSZ; ulimit -f 8; ! "$1" merge a.jfr b.jfr -o full.jfr' sh "$jfrec"
works 'leaves no file' [ ! -e full.jfr ]
cp b.jfr old.jfr
works 'a full disk and an old file' sh -c \
	'trap "" XFSZ; ulimit -f 8; ! "$1" merge --compact a.jfr b.jfr -o old.jfr --force' sh "$jfrec"
works 'leaves the old one' cmp b.jfr old.jfr

# A pipe that nobody writes to, until a signal comes.  (A shell has its background
# jobs ignore SIGINT, as nohup has SIGHUP; then that one cannot be tried.)
hangs_up()
{
	[ $((0x$(sed -n 's/^SigIgn:[[:space:]]*//p' /proc/$$/status) & 1)) -eq 0 ]
}

for signal in TERM $(! hangs_up || echo HUP); do
	mkfifo pipe
	exec 9<>pipe    # a writer that is there before the reader, and waits for none
	"$jfrec" merge a.jfr pipe -o late.jfr >out 2>err 9>&- &
	merger=$!
	sleep 0.3
	kill -s $signal $merger
	wait $merger
	status=$?
	exec 9>&-
	rm pipe
	works "SIG$signal ends it" [ "$(kill -l $status)" = $signal ]
	works "SIG$signal leaves no file" [ ! -e late.jfr ]
done
works 'no temporary file is left' nothing_else

finish
