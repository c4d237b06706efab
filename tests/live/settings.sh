#!/bin/sh
# Settings against the JDKs: each of their .jfc files records the same after it has been
# YAML, and `jfrec settings set` and `jfr configure` write the same files and refuse the same.
#
# usage: settings.sh JFREC SOURCE_ROOT

# A JVM reads its arguments in the encoding of this.
LC_ALL=C.UTF-8
export LC_ALL
jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
data=$2/tests/data/settings
. "$2/tests/cli/tap.sh"
. "$live/live.sh"
mkdir "$work/bin"
ln -s "$jfrec_itself" "$work/bin/jfr"

# The JDK's settings files, out of its root, where links may lead anywhere in that.
fetch_settings()
{
	home=${java%/bin/java}
	rm -rf "$work/jdk"
	mkdir -p "$work/jdk/lib/jfr"
	for place in lib/jfr jre/lib/jfr; do
		for file in default profile; do
			in_root cat "$home/$place/$file.jfc" >"$work/file" 2>/dev/null &&
				mv "$work/file" "$work/jdk/lib/jfr/$file.jfc"
		done
	done
	[ -s "$work/jdk/lib/jfr/default.jfc" ] && [ -s "$work/jdk/lib/jfr/profile.jfc" ]
}

# There and back ---------------------------------------------------------------

record_with()   # FILE OUT; which is what the JVM applied, event by event, and what changed
{
	cp "$1" "$root$dir/settings.jfc"
	rm -f "$root$dir/out.jfr"
	in_root "$java" -XX:StartFlightRecording="settings=$dir/settings.jfc,filename=$dir/out.jfr" \
		-version >"$work/said" 2>&1
	# Ids of Java's event types, and how often a JVM tells of them, differ from run to run.
	"$jfrec" settings active --off --json "$root$dir/out.jfr" >"$work/active" &&
		"$jfrec" settings active --off "$root$dir/out.jfr" | sed 1,3d >"$2"
	status=$?
	rm -f "$root$dir/out.jfr"
	[ "$status" -eq 0 ] && [ "$(grep -c '"enabled"' "$work/active")" -gt 80 ]
}

same_recording() # NAME
{
	"$jfrec" settings show "$work/jdk/lib/jfr/$1.jfc" >"$work/$1.yaml" &&
		"$jfrec" settings show --jfc "$work/$1.yaml" >"$work/$1.jfc" || return
	record_with "$work/jdk/lib/jfr/$1.jfc" "$work/before" || { cat "$work/said"; return 1; }
	record_with "$work/$1.jfc" "$work/after" || { cat "$work/said"; return 1; }
	diff "$work/before" "$work/after"
}

# Changes ----------------------------------------------------------------------

# Of each line the inputs, if not default, then the changes, parted by tabs.
changes()
{
	sed 's/ | /	/g' <<'END'
gc=off
gc=normal
gc=detailed
gc=high
gc=all
gc=bogus
gc=High
gc=bogus | gc=off
default | gc=normal | gc=detailed
profile | gc=off | compiler=all
allocation-profiling=off
allocation-profiling=medium
allocation-profiling=maximum
compiler=off
compiler=detailed
compiler=all | method-profiling=max
method-profiling=off
profile | method-profiling=normal
thread-dump=off
thread-dump=10s
profile | thread-dump=1s
exceptions=off
exceptions=errors
exceptions=throttled
exceptions=all
memory-leaks=off
memory-leaks=stack-traces
memory-leaks=gc-roots
locking-threshold=5ms
locking-threshold=0 ns
locking-threshold=020  ms
locking-threshold=5
locking-threshold=x
locking-threshold=20 MS
class-loading=true
class-loading=yes
file-threshold=1ms
socket-threshold=0s
method-trace=com.acme.Main::run
jdk.ThreadSleep#threshold=1s
jdk.ThreadSleep#threshold=1s | locking-threshold=7ms
locking-threshold=7ms | jdk.ThreadSleep#threshold=1s
locking-threshold=7ms | jdk.ThreadSleep#threshold=1s | locking-threshold=9ms
jdk.ThreadSleep#threshold=abc
jdk.Nope#enabled=true
jdk.CPULoad#nope=true
+jdk.CPULoad#nope=true
+my.Event#enabled=true | +my.Event#threshold=10ms | +my.Event#period=everyChunk | my.Event#enabled=false
+my.Event#cutoff=5ms | +my.Event#a#b= c 
none | +my.Event#enabled=true
none | gc=high
none | +a#b= <&>"'é
default | profile
none | profile | gc=off
profile | jdk.ExecutionSample#period=5 ms | +jdk.ExecutionSample#throttle=off
gc=off | compiler=off | thread-dump=off | exceptions=off | memory-leaks=off | class-loading=false | allocation-profiling=off | method-profiling=off
gc=all | compiler=all | thread-dump=1s | exceptions=all | memory-leaks=gc-roots | class-loading=true | allocation-profiling=maximum | method-profiling=max
GC=high
+gc=high
gc-enabled-all=true
jdk.ThreadSleep#=1
#threshold=1
DATA/odd.jfc | level=high
DATA/odd.jfc | level=off | all=true | slow=3s
DATA/odd.jfc | default | words= a
DATA/odd.jfc | app.Outer#enabled=true
END
}

# $inputs of the line, parted by commas, and $changes, parted by line feeds.
split()         # LINE
{
	inputs=
	changes=
	tab=$(printf '\t')
	rest=$1$tab
	while [ -n "$rest" ]; do
		word=${rest%%"$tab"*}
		rest=${rest#*"$tab"}
		case $word in
		*=*) changes="$changes$word
" ;;
		*) inputs="${inputs:+$inputs,}$word" ;;
		esac
	done
	inputs=${inputs:-default}
}

# The arguments of both tools: each change is one word, whatever is in it.
with_words()    # COMMAND...
{
	old_ifs=$IFS
	IFS='
'
	set -f
	set -- "$@" $changes
	set +f
	IFS=$old_ifs
	"$@"
}

theirs()
{
	rm -f "$root$dir/theirs.jfc"
	with_words in_root "${java%/*}/jfr" configure --input "$(echo "$inputs" | sed "s,DATA,$dir,g")" \
		--output "$dir/theirs.jfc" >"$work/theirs.out" 2>&1
}

ours()
{
	rm -f "$work/ours.jfc"
	with_words "$jfrec" settings set --jdk-home "$work/jdk" -o "$work/ours.jfc" \
		$(echo "$inputs" | sed "s,DATA,$data/ok,g" | tr , ' ') 2>"$work/ours.out"
}

# "jfrec: gc: SENTENCE", and a line feed in it that is theirs alone.
is_same_refusal()
{
	sed -n 's/^jfr configure: //p' "$work/theirs.out" | tail -n 1 |
		sed "s/^could not use file '[^']*'\. //; s/^parsing error: //" >"$work/sentence"
	[ -s "$work/sentence" ] && [ -s "$work/ours.out" ] && grep -qF -f "$work/sentence" "$work/ours.out"
}

same_changes()
{
	theirs
	theirs=$?
	ours
	ours=$?
	[ "$theirs" -eq "$ours" ] || { echo "exit status $ours, not $theirs"; cat "$work/ours.out"; return 1; }
	if [ "$theirs" -eq 0 ]; then
		cmp "$root$dir/theirs.jfc" "$work/ours.jfc"
	else
		is_same_refusal || { cat "$work/theirs.out" "$work/ours.out"; return 1; }
	fi
}

# The command line itself, by the JDK's name --------------------------------------

configure_both() # ARGUMENT...
{
	rm -f "$root$dir"/*.jfc "$work"/c/*.jfc
	mkdir -p "$work/c"
	cp "$data/ok/odd.jfc" "$root$dir"
	cp "$data/ok/odd.jfc" "$work/c"
	in_root sh -c 'cd "$0" && exec "$@"' "$dir" "${java%/*}/jfr" configure "$@" \
		>"$work/theirs.out" 2>"$work/theirs.err" </dev/null
	theirs=$?
	(cd "$work/c" && JAVA_HOME="$work/jdk" "$work/bin/jfr" configure "$@") \
		>"$work/ours.out" 2>"$work/ours.err" </dev/null
	ours=$?
	[ "$theirs" -eq "$ours" ] || { echo "exit status $ours, not $theirs"; return 1; }
	sed "s,$dir/,DIR/," "$work/theirs.out" >"$work/theirs.n"
	sed "s,$work/c/,DIR/," "$work/ours.out" | diff "$work/theirs.n" - || return
	sed "/^ *Usage/,\$d; s,$dir/,DIR/," "$work/theirs.err" >"$work/theirs.n"
	sed "/^ *Usage/,\$d; s,$work/c/,DIR/," "$work/ours.err" | diff "$work/theirs.n" - || return
	cat "$root$dir"/*.jfc | cksum >"$work/theirs.n"
	cat "$work"/c/*.jfc | cksum | diff "$work/theirs.n" -
}

command_lines()
{
	works 'configure: nothing' configure_both
	works 'configure: only an input' configure_both --input none
	works 'configure: another kind of file' configure_both --output a.txt
	works 'configure: no value' configure_both --output
	works 'configure: two outputs' configure_both --output a.jfc --output b.jfc
	works 'configure: an unknown option' configure_both --inptu none
	works 'configure: a bare word' configure_both gc
	works 'configure: a directory that is not there' configure_both --input none --output none/a.jfc
	works 'configure: an input that is not there' configure_both --input none.jfc gc=off
	works 'configure: two equals signs' configure_both gc=high=low
	works 'configure: no value of a change' configure_both gc=
	works 'configure: custom.jfc' configure_both gc=off
	works 'configure: warnings and several inputs' configure_both --input odd.jfc --input default level=high
	works 'configure: what is empty between commas' configure_both --input 'none,,' +a#b=1
	works 'configure: verbose' configure_both --verbose gc=high compiler=all
	works 'configure: verbose, settings' configure_both --verbose gc=high jdk.CPULoad#enabled=false
	works 'configure: verbose, other order' configure_both --verbose jdk.CPULoad#enabled=false gc=high
	works 'configure: verbose, added' configure_both --verbose --input none +a#b=1
	works 'configure: a wizard without answers' configure_both --interactive
}

# Beside a JVM that lives -----------------------------------------------------

checks_target() # STATUS WORDS FILE
{
	exits "$1" "$jfrec" settings check --target "$pid" "$3" &&
		{ [ -z "$2" ] || grep -q -e "$2" "$work/out" "$work/err"; }
}

# How many events differ between what the JVM records with and a file.
differ()        # COUNT_PATTERN FILE
{
	exits 0 "$jfrec" settings diff --json "$pid" "$work/jdk/lib/jfr/$2.jfc" || return
	count=$(python3 -c 'import json, sys; print(len(json.load(sys.stdin)["changed"]))' <"$work/out")
	case $count in
	$1) ;;
	*) echo "$count events"; return 1 ;;
	esac
}

beside_a_jvm()
{
	printf 'events:\n  jdk.NoSuchThing: true\n' >"$work/odd.yaml"
	start_jvm
	works 'check --target: its own settings' checks_target 0 '' "$work/jdk/lib/jfr/default.jfc"
	works 'check --target: an event of no JDK' checks_target 1 NoSuchThing "$work/odd.yaml"
	"$jfrec" start --name same -s default.jfc "$pid" >/dev/null 2>&1
	works 'diff of a JVM and what it records with' differ 0 default
	works 'diff of a JVM and something else' differ '[1-9]*' profile
	end_jvm
}

# ------------------------------------------------------------------------------

check_jdk()
{
	works 'it has settings files' fetch_settings
	beside_a_jvm
	for file in default profile; do
		works "$file.jfc records the same after it was YAML" same_recording "$file"
	done
	if [ "$feature" -lt 17 ]; then
		skip 'jfr configure' 'this JDK has none'
		return
	fi
	cp "$data/ok/odd.jfc" "$root$dir"
	changes >"$work/changes"
	while IFS= read -r line; do
		split "$line"
		works "set $(echo "$line" | tr '\t#' ' :')" same_changes
	done <"$work/changes"
	# The messages of JDK 17 and 21 are others.
	[ "$feature" -lt 25 ] || command_lines
}

for_each_jdk check_jdk
finish
