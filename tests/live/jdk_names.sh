#!/bin/sh
# Called jcmd or jfr, we answer as these tools of the JDK do: the same on standard
# output, the same exit status.
#
# usage: jdk_names.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
source=$2
tab=$(printf '\t')
. "$2/tests/cli/tap.sh"
. "$live/live.sh"
. "$2/tests/cli/jfr_words_files.sh"
mkdir "$work/bin"
ln -s "$jfrec_itself" "$work/bin/jcmd"
ln -s "$jfrec_itself" "$work/bin/jfr"
recording=$2/tests/data/ok/jvm-25.jfr

# A main class that no other JVM here has.
program=Named$$
live_sources=$work/$program.java
sed "s/\<Idle\>/$program/g" "$live/Idle.java" >"$live_sources"
tool=jcmd

theirs()
{
	in_root "${java%/*}/$tool" "$@"
}

# Times and sizes change from one call to the next.
without_numbers()
{
	sed 's/[0-9][0-9.]*/N/g'
}

same()          # ARGUMENT...
{
	theirs "$@" >"$work/theirs" 2>"$work/theirs.err"
	wanted=$?
	"$work/bin/$tool" "$@" >"$work/ours" 2>"$work/ours.err"
	got=$?
	[ "$got" -eq "$wanted" ] || { echo "exit status $got, not $wanted"; cat "$work/ours.err"; return 1; }
	without_numbers <"$work/theirs" >"$work/theirs.n"
	without_numbers <"$work/ours" | diff "$work/theirs.n" -
}

# Both put what the JVM says of its failure on standard error.
same_refusal()  # ARGUMENT...
{
	same "$@" && diff "$work/theirs.err" "$work/ours.err"
}

same_line()     # ARGUMENT...: in the listing, that of our JVM
{
	theirs "$@" | grep "^$pid " >"$work/theirs"
	"$work/bin/$tool" "$@" | grep "^$pid " | diff "$work/theirs" -
}

# Their names, in the same order; the values change all the time.
same_counters()
{
	theirs "$pid" PerfCounter.print | cut -d = -f 1 >"$work/theirs"
	"$work/bin/$tool" "$pid" PerfCounter.print | cut -d = -f 1 | diff "$work/theirs" -
}

exits_as()      # STATUS ARGUMENT...: where the words are ours
{
	wanted=$1
	shift
	theirs "$@" >/dev/null 2>&1
	[ $? -eq "$wanted" ] || return
	exits "$wanted" "$work/bin/$tool" "$@"
}

# Commands that write: the same files in $dir/made, and the same words, numbers too.
recordings()    # DIRECTORY
{
	(cd "$1" && find . -name '*.jfr' -type f | LC_ALL=C sort)
}

same_bytes()    # DIRECTORY OTHER
{
	diff -r "$1" "$2"
}

same_events()   # DIRECTORY OTHER
{
	for file in $(recordings "$1"); do
		"$jfrec" print --json "$1/$file" >"$work/one"
		"$jfrec" print --json "$2/$file" | cmp "$work/one" - || return
	done
}

# What there was before the command, for both.
prepare()       # ROOT
{
	rm -rf "$1$dir/made"
	mkdir -p "$1$dir/made/empty"
	cp "$recording" "$1$dir/made/a.jfr"
	cp "$recording" "$1$dir/made/other.name"
	echo hello >"$1$dir/made/words.jfr"
	mkdir "$1$dir/made/several"
	"$jfrec" split "$recording" -o "$1$dir/made/several" >/dev/null
	ln -s ../a.jfr "$1$dir/made/several/b.name"
	mkdir "$1$dir/made/several/c.jfr"
}

same_writing()  # HOW ARGUMENT...
{
	how=$1
	shift
	prepare "$root"
	theirs "$@" >"$work/theirs" 2>"$work/theirs.err"
	wanted=$?
	rm -rf "$work/made"
	mv "$root$dir/made" "$work/made"
	prepare ''
	"$work/bin/jfr" "$@" >"$work/ours" 2>"$work/ours.err"
	got=$?
	[ "$got" -eq "$wanted" ] || { echo "exit status $got, not $wanted"; cat "$work/ours.err"; return 1; }
	diff "$work/theirs" "$work/ours" || return
	recordings "$work/made" >"$work/theirs"
	recordings "$dir/made" | diff "$work/theirs" - || return
	$how "$work/made" "$dir/made"
}

test_writing()
{
	made=$dir/made
	works 'disassemble' same_writing same_bytes disassemble --output "$made" --max-chunks 1 "$made/a.jfr"
	works 'disassemble by size' same_writing same_bytes disassemble --output "$made/" --max-size 140000 "$made//a.jfr"
	works 'disassemble by a size that none has' \
		same_writing same_bytes disassemble --max-size 10 --output "$made/./empty" "$made/a.jfr"
	works 'disassemble by both' \
		same_writing same_bytes disassemble --max-size 10 --max-chunks 2 --output "$made" "$made/a.jfr"
	works 'nothing to disassemble' same_writing same_bytes disassemble --output "$made" "$made/a.jfr"
	works 'nor by size' same_writing same_bytes disassemble --max-size 9999999 --output "$made" "$made/a.jfr"
	works 'disassemble over a file' same_writing same_bytes disassemble --max-chunks 1 --output "$made/several" \
		"$made/several/../jvm-25.jfr"
	works 'disassemble no recording' exits_as 1 disassemble "$made/words.jfr"
	works 'disassemble another name' same_writing same_bytes disassemble --max-chunks 1 "$made/other.name"
	works 'disassemble to nowhere' same_writing same_bytes disassemble --output "$made/none" "$made/a.jfr"
	works 'disassemble to a file' same_writing same_bytes disassemble --output "$made/a.jfr" "$made/a.jfr"
	for limit in 0 -1 x; do
		works "disassemble by $limit chunks" \
			same_writing same_bytes disassemble --max-chunks $limit "$made/a.jfr"
		works "disassemble by size $limit" same_writing same_bytes disassemble --max-size $limit "$made/a.jfr"
	done
	works 'disassemble nothing' same_writing same_bytes disassemble
	works 'disassemble two' same_writing same_bytes disassemble "$made/a.jfr" "$made/a.jfr"
	works 'disassemble by an unknown option' same_writing same_bytes disassemble --nope "$made/a.jfr"

	works 'assemble' same_writing same_bytes assemble "$made/several" "$made/new.jfr"
	works 'assemble: the directory has a slash' same_writing same_bytes assemble "$made/several/" "$made/new.jfr"
	works 'assemble over a file' same_writing same_bytes assemble "$made/several" "$made/a.jfr"
	works 'assemble to another name' same_writing same_bytes assemble "$made/several" "$made/new"
	works 'assemble to nowhere' same_writing same_bytes assemble "$made/several" "$made/none/new.jfr"
	works 'assemble from nowhere' same_writing same_bytes assemble "$made/none" "$made/new.jfr"
	works 'assemble from a file' same_writing same_bytes assemble "$made/a.jfr" "$made/new.jfr"
	works 'assemble from a directory without chunks' exits_as 1 assemble "$made/empty" "$made/new.jfr"
	works 'assemble without a file' same_writing same_bytes assemble "$made/several"
	works 'assemble to two files' same_writing same_bytes assemble "$made/several" "$made/x.jfr" "$made/y.jfr"

	works 'scrub' same_writing same_events scrub "$made/a.jfr"
	works 'scrub to a file' same_writing same_events scrub "$made/a.jfr" "$made/new.jfr"
	works 'scrub over a file' same_writing same_events scrub "$made/a.jfr" "$made/words.jfr"
	works 'scrub over itself' same_writing same_events scrub "$made/a.jfr" "$made/../made/a.jfr"
	works 'scrub by events' same_writing same_events scrub --exclude-events 'GC*,jdk.Thread*' "$made/a.jfr"
	works 'scrub by categories' \
		same_writing same_events scrub --include-categories 'Java Application' "$made/a.jfr" "$made/new.jfr"
	works 'scrub without categories' same_writing same_events scrub --exclude-categories GC,Flag "$made/a.jfr"
	works 'scrub by threads' same_writing same_events scrub --include-threads 'ma*' "$made/a.jfr"
	works 'scrub without threads' same_writing same_events scrub --exclude-threads main "$made/a.jfr"
	works 'scrub by several filters' same_writing same_events scrub --exclude-events 'GC*' --include-threads main \
		--exclude-events ThreadPark --exclude-categories Compiler "$made/a.jfr" "$made/new.jfr"
	works 'scrub by filters that match nothing' same_writing same_events scrub --exclude-events no,such \
		--include-categories none --exclude-events Thread --exclude-threads nobody "$made/a.jfr"
	works 'scrub no recording' exits_as 1 scrub "$made/words.jfr"
	works 'scrub nothing' same_writing same_events scrub
	works 'scrub another name' same_writing same_events scrub "$made/other.name"
	works 'scrub to another name' same_writing same_events scrub "$made/a.jfr" "$made/new"
	works 'scrub to nowhere' same_writing same_events scrub "$made/a.jfr" "$made/none/new.jfr"
	works 'scrub by an unknown option' same_writing same_events scrub --include-nothing GC "$made/a.jfr"
	works 'scrub by nothing' same_writing same_events scrub --include-events "$made/a.jfr"
}

write_commands()
{
	printf '%s\n' '# a comment' VM.version '' VM.uptime stop no.such.command >"$root$dir/good"
	printf '%s\n' VM.version no.such.command VM.uptime >"$root$dir/bad"
	[ -z "$root" ] || mkdir -p "$dir"
	[ -z "$root" ] || [ -e "$dir/good" ] || cp "$root$dir/good" "$root$dir/bad" "$dir"
}

test_jcmd()
{
	if [ ! -x "$root${java%/*}/jcmd" ]; then
		skip jcmd 'this JDK has none'
		return
	fi
	if [ "$feature" -lt 11 ]; then
		skip jcmd 'that of JDK 8 has other exit codes'
		return
	fi
	start_jvm
	write_commands
	works 'listing' same_line
	works 'listing with -l' same_line -l
	works 'options of the JVM in front' same_line -J-Xmx64m -l
	works 'options of the JVM in front of a pid' same -J-Xmx64m -J-Dx=y "$pid" VM.version
	works 'options of the JVM behind it' same "$pid" VM.version -J-Dx=y
	works '-J alone' exits_as 1 -J "$pid" VM.version
	works 'a command' same "$pid" VM.version
	works 'a command by main class' same "$program" VM.version
	works 'a command by a part of it' same "${program#Nam}" VM.version
	works 'a command with arguments' same "$pid" VM.uptime -date
	works 'no command' same "$pid"
	works 'help' same "$pid" help
	works 'help of a command' same "$pid" help JFR.start
	works 'help of no command' same "$pid" help no.such.command
	works 'an empty command' same "$pid" ''
	works 'a command that says nothing' same "$pid" GC.run
	works 'an unknown command' same_refusal "$pid" no.such.command
	works 'no recordings' same "$pid" JFR.check
	works 'a failure of Flight Recorder' same "$pid" JFR.dump name=1
	works 'an unknown option' same "$pid" JFR.check nonsense=1
	works 'starting a recording' same "$pid" JFR.start name=x settings=profile
	works 'two commands in one' same "$pid" 'VM.uptime
VM.version'
	works 'a file of commands' same "$pid" -f "$dir/good"
	works 'a file with a bad one' same_refusal "$pid" -f "$dir/bad"
	works 'performance counters' same_counters
	works 'a main class that nobody has' exits_as 1 no.such.Class VM.version
	works 'an option that is none' same_refusal -x
	works 'no such file' exits_as 1 "$pid" -f /no/such/file
	works '-f without a file' exits_as 1 "$pid" -f
	works '-h' exits_as 0 -h
	end_jvm
	works 'a pid that is gone' exits_as 1 "$pid" VM.version
	[ -z "$root" ] || rm -rf "$dir"
}

# The command lines of cli/jfr_words.tsv: the same exit status, the same first line on standard error,
# the same lines that say how the command is typed. One of each $JFREC_TEST_SAMPLE (all of them), since
# each starts a JVM, and cli/jfr_words.sh looks at what we say to all.
typed()         # FILE
{
	sed '1,/^Usage:$/d' "$1" | sed -e 1d -e '/^$/q'
}

same_words()    # WORD...
{
	prepare_files "$root$dir/words" "$recording"
	[ -z "$root" ] || prepare_files "$dir/words" "$recording"
	in_root sh -c 'cd "$1" && shift && exec "$@"' sh "$dir/words" "${java%/*}/jfr" "$@" \
		>"$work/theirs" 2>"$work/theirs.err" </dev/null
	wanted=$?
	prepare_files "$dir/words" "$recording"
	(cd "$dir/words" && "$work/bin/jfr" "$@" >"$work/ours" 2>"$work/ours.err" </dev/null)
	got=$?
	[ "$got" -eq "$wanted" ] || { echo "exit status $got, not $wanted"; return 1; }
	head -n 1 "$work/theirs.err" >"$work/first"
	head -n 1 "$work/ours.err" | diff "$work/first" - || return
	grep -q '^Usage:' "$work/theirs.err" || return 0
	typed "$work/theirs.err" >"$work/first"
	typed "$work/ours.err" | diff "$work/first" -
}

test_words()
{
	mkdir -p "$dir/words" "$root$dir/words"
	number=0
	while IFS="$tab" read -r line status sentence; do
		number=$((number + 1))
		[ $((number % ${JFREC_TEST_SAMPLE:-1})) -eq 0 ] || continue
		eval "set -- $line"
		works "jfr $line" same_words "$@"
	done <"$source/tests/cli/jfr_words.tsv"
	"$work/bin/jfr" metadata >"$work/ours"
	theirs metadata | awk '
		/^ *@Description/ { skip = 1 }
		!skip { print }
		/\)$/ { skip = 0 }' | diff - "$work/ours" >"$work/types"
	works 'jfr metadata without a recording' [ ! -s "$work/types" ]
}

# What we print of a recording is what JDK 25 prints; others may differ.
test_jfr()
{
	if [ ! -x "$root${java%/*}/jfr" ]; then
		skip jfr 'this JDK has none'
		return
	fi
	tool=jfr
	mkdir -p "$dir" "$root$dir"
	cp "$recording" "$root$dir/a.jfr"
	[ -e "$dir/a.jfr" ] || cp "$recording" "$dir/a.jfr"
	if [ "$feature" -eq 25 ]; then
		works 'jfr summary' same summary "$dir/a.jfr"
		works 'jfr print' same print --events GarbageCollection --stack-depth 3 "$dir/a.jfr"
		works 'jfr print --json' same print --json --categories GC "$dir/a.jfr"
		works 'jfr print --xml' same print --xml --events 'jdk.GC*' "$dir/a.jfr"
		works 'jfr metadata' same metadata --events CPULoad "$dir/a.jfr"
		test_writing
		test_words
	fi
	works 'jfr without a command' exits_as 0
	works 'jfr help' exits_as 0 help
	works 'jfr help of a command' exits_as 0 help print
	works 'jfr help of no command' exits_as 1 help no-such-command
	works 'jfr version' exits_as 0 version
	works 'jfr with an unknown command' exits_as 2 no-such-command
	works 'jfr print without a file' exits_as 2 print
	works 'jfr print with an unknown option' exits_as 2 print --no-such-option "$dir/a.jfr"
	works 'jfr print of no file' exits_as 1 print /no/such/file.jfr
	works 'jfr summary of no recording' exits_as 1 summary /etc/passwd
	tool=jcmd
	[ -z "$root" ] || rm -rf "$dir"
}

test_jdk()
{
	test_jcmd
	test_jfr
}

for_each_jdk test_jdk
finish
