#!/bin/sh
# jfrec settings list, show, set, check, diff; and jfr configure.
#
# usage: settings.sh JFREC SOURCE_ROOT
#
# What is expected lies in tests/data/settings; UPDATE=1 writes it anew.

jfrec=$(realpath "$1")
data=$(realpath "$2")/tests/data/settings
. "$2/tests/cli/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset JAVA_HOME
ln -s "$jfrec" "$dir/jfr"
mkdir -p "$dir/jdk/lib/jfr"
cp "$data/ok/odd.jfc" "$dir/jdk/lib/jfr/default.jfc"

check()         # NAME CONDITION...
{
	name=$1
	shift
	if "$@"; then result ok "$name"; else result not-ok "$name"; fi
}

golden()        # NAME FILE COMMAND...; its output, errors and status
{
	name=$1 expected=$data/$2
	shift 2
	(cd "$data" && "$@"; echo "exit status $?") 2>&1 </dev/null |
		sed 's/^  "version": ".*"/  "version": "VERSION"/' >"$dir/got"
	[ -z "$UPDATE" ] || cp "$dir/got" "$expected"
	if cmp -s "$dir/got" "$expected"; then
		result ok "$name"
	else
		result not-ok "$name"
		diff "$expected" "$dir/got" | sed 's/^/# /' | head -n 20
	fi
}

says()          # NAME STATUS TEXT COMMAND...
{
	name=$1 status=$2 text=$3
	shift 3
	"$@" >"$dir/out" 2>"$dir/err" </dev/null
	got=$?
	if [ "$got" -eq "$status" ] && grep -qF -e "$text" "$dir/out" "$dir/err"; then
		result ok "$name"
	else
		result not-ok "$name"
		sed "s/^/# $got: /" "$dir/out" "$dir/err" | head -n 5
	fi
}

# Broken files: each is refused, or found wrong, in one sentence with its line; in
# 5 seconds and 256 MB of address space.

# Sanitizers need terabytes of it.
room=262144
(ulimit -v $room; "$jfrec" --version) >/dev/null 2>&1 || room=unlimited

broken()
{
	for file in broken/*; do
		(
			ulimit -v $room
			timeout 100 "$jfrec" settings check "$file"
			[ $? -eq 1 ] || echo "$file: exit status is not 1"
		) 2>&1
	done
}
golden 'each broken file has its sentence' broken.out broken
count=$(ls "$data/broken" | wc -l)
check "there are 60 broken files or more ($count)" [ "$count" -ge 60 ]
check 'each sentence has its line' sh -c \
	'! grep -v -E "^(jfrec: [^:]*: line [0-9]+|[^:]*:[0-9]+:|exit status)" "$1"' sh "$data/broken.out"
check 'each file has a sentence' [ "$(sed -n 's,^.*broken/\([^:]*\):.*,\1,p' "$data/broken.out" |
	sort -u | wc -l)" -eq "$count" ]

# What is no file of settings at all.

head -c 2000000 /dev/zero | tr '\0' ' ' >"$dir/large.jfc"
mkfifo "$dir/fifo"
says 'a large file is refused' 1 'larger than 1 MiB' "$jfrec" settings show "$dir/large.jfc"
says 'a device is refused' 1 'not a regular file' "$jfrec" settings show /dev/zero
says 'a directory is refused' 1 'a directory' "$jfrec" settings show "$dir"
says 'a FIFO is refused, and not waited for' 1 'not a regular file' timeout 100 "$jfrec" settings show "$dir/fifo"
says 'a missing file is named' 1 "$dir/none.jfc: No such file" "$jfrec" settings show "$dir/none.jfc"
says 'an unknown name is refused' 1 'settings list' "$jfrec" settings show --jdk-home "$dir/jdk" nothing
python=$(command -v python3)
if [ -n "$python" ]; then
	"$python" - "$dir/many.jfc" "$dir/many.yaml" <<-'END'
		import sys
		settings = ''.join('<setting name="s%d" control="c%d"/>' % (i, i) for i in range(4990))
		tests = ''.join('<condition name="c%d" true="1"><test name="c%d" operator="equal" '
			'value="1"/></condition>' % (i, i + 1) for i in range(2400))
		open(sys.argv[1], 'w').write('<configuration version="2.0" label="x"><event name="e">' +
			settings + '</event><control>' + tests + '</control></configuration>')
		open(sys.argv[2], 'w').write('events:\n' + ''.join(' e%d: true\n' % i for i in range(9000)))
	END
	says 'as many as there may be are checked in time' 1 'no control' \
		timeout 100 "$jfrec" settings check "$dir/many.jfc"
	says 'also in YAML' 0 'nothing is wrong' timeout 100 "$jfrec" settings check "$dir/many.yaml"
fi

# Both faces.

golden 'a .jfc file as YAML' ok/odd.yaml.out "$jfrec" settings show ok/odd.jfc
golden 'and as JSON' ok/odd.json.out "$jfrec" settings show --json ok/odd.jfc
golden 'and as `jfr configure` writes it' ok/odd.jfc.out "$jfrec" settings set ok/odd.jfc level=high
golden 'YAML as a .jfc file' ok/requests.jfc.out "$jfrec" settings show --jfc ok/requests.yaml

round_trip()    # FILE|NAME
{
	"$jfrec" settings show "$1" >"$dir/1.yaml" &&
		"$jfrec" settings show --jfc "$dir/1.yaml" >"$dir/1.jfc" &&
		"$jfrec" settings show "$dir/1.jfc" >"$dir/2.yaml" &&
		cmp "$dir/1.yaml" "$dir/2.yaml" &&
		[ "$("$jfrec" settings diff --off "$1" "$dir/1.jfc")" = 'Both record the same.' ]
}
for settings in "$data/ok/odd.jfc" "$data/ok/requests.yaml" continuous profile gc none; do
	check "${settings##*/}: nothing is lost between both" round_trip "$settings"
done
if [ -n "$python" ] && "$python" -c 'import yaml' 2>/dev/null; then
	"$jfrec" settings show "$data/ok/odd.jfc" >"$dir/odd.yaml"
	check 'others read our YAML' "$python" -c 'import sys, yaml
assert yaml.load(open(sys.argv[1]), yaml.BaseLoader)["events"]["jdk.FileRead"]["threshold"]["value"] == "30 ms"' \
		"$dir/odd.yaml"
fi

# Changes.

set_odd()
{
	"$jfrec" settings set "$data/ok/odd.jfc" "$@"
}
has()           # NAME LINE CHANGE...
{
	name=$1 line=$2
	shift 2
	set_odd "$@" >"$dir/out" 2>&1
	check "$name" grep -qF -e "$line" "$dir/out"
}
has 'an option changes what follows' 'name="threshold" control="first">1 ms<' level=high
has 'and what follows from that' 'name="enabled" control="deep">true<' level=high
has 'a setting alone changes nothing else' 'name="threshold" control="slow">7 ms<' jdk.FileRead#threshold=7ms
has 'the last of several changes counts' 'default="high"' level=off level=high
has 'where the first one stands' 'name="threshold" control="first">9 s<' \
	level=off jdk.SocketRead#threshold=9s level=high
has 'what is not there can be added' '<event name="my.Event">' +my.Event#enabled=true
has 'an equals sign in a value stays' '>a=b<' words=a=b
says 'a wrong choice is refused' 1 "Valid values are 'off', 'low' and 'high'." set_odd level=bogus
says 'a missing unit is refused' 1 "Timespan '5' is missing unit" set_odd slow=5
says 'a wrong flag is refused' 1 "Incorrect value 'yes'" set_odd all=yes
says 'an unknown option is refused' 1 "Option 'gc' doesn't exist" set_odd gc=all
says 'a condition is no option' 1 "Option 'deep' doesn't exist" set_odd deep=true
says 'an unknown event is refused' 1 "Could not find event 'x'" set_odd x#enabled=true
says 'an unknown setting is refused' 1 "Could not find setting 'y'" set_odd jdk.FileRead#y=1
says 'one in a category is not found' 1 "Could not find event 'app.Outer'" set_odd app.Outer#enabled=true
says 'one control in two files is refused' 1 'declared in multiple files' set_odd "$data/ok/odd.jfc"
says 'control characters are refused' 1 'control character' set_odd "words=$(printf 'a\001b')"
says 'nothing to begin with is refused' 2 'name the settings' "$jfrec" settings set gc=all
says 'a change without a value is refused' 2 'KEY=VALUE' set_odd level=
set_odd level=high -o "$dir/new.jfc"
says 'an existing file is not replaced' 1 "$dir/new.jfc" set_odd level=high -o "$dir/new.jfc"
check 'unless asked to' set_odd level=off -o "$dir/new.jfc" --force
set_odd level=high -o "$dir/new.yaml"
check 'a name in .yaml is YAML' grep -q '^label: Custom' "$dir/new.yaml"
says 'a full disk is a failure' 1 'o space' sh -c '"$1" settings show "$2" >/dev/full' sh "$jfrec" "$data/ok/odd.jfc"
says 'a reader that has enough is none' 0 '' sh -c '"$1" settings show continuous | head -n 1' sh "$jfrec"

# Options of the JDK with our profiles: only what follows from them changes.

changed_by()    # PROFILE CHANGE...; the events that differ then
{
	"$jfrec" settings set "$@" -o "$dir/by.yaml" --force &&
		"$jfrec" settings diff "$1" "$dir/by.yaml" | sed 's/ .*//'
}
changes_are()   # EVENTS PROFILE CHANGE...
{
	expected=$1
	shift
	[ "$(changed_by "$@" | tr '\n' ' ')" = "$expected" ]
}
check 'an option of the JDK changes what follows it' changes_are \
	'jdk.JavaMonitorEnter jdk.JavaMonitorWait jdk.ThreadPark jdk.ThreadSleep ' profile locking-threshold=7ms
check 'it adds what it switches on' changes_are 'jdk.ClassDefine jdk.ClassLoad jdk.ClassRedefinition jdk.ClassUnload ' \
	profile class-loading=true
check 'and filters of methods' changes_are 'jdk.MethodTiming ' locks method-timing=Shop::work
check 'an option of the profile comes first' changes_are 'jdk.ThreadDump ' continuous thread-dump=30s
check 'the JDK is that of the profile' changes_are 'jdk.FileForce jdk.FileRead jdk.FileWrite ' \
	memory-leak jdk=17 file-threshold=7ms
says 'options that the JDK does not have are refused' 1 "Option 'file-threshold' doesn't exist" \
	"$jfrec" settings set profile file-threshold=7ms
says 'and their wrong choices' 1 "Valid values are 'off', 'normal', 'detailed', 'high' and 'all'." \
	"$jfrec" settings set profile gc=hgh
says 'they are explained' 0 'gc                   off, normal, detailed, high, all' "$jfrec" settings explain profile

# Each name of the list works in each command that takes one; in a directory that has a file of
# each of these names, too, but for ours.

mkdir -p "$dir/jdk2/lib/jfr" "$dir/names"
cp "$data/ok/odd.jfc" "$dir/jdk2/lib/jfr/default.jfc"
cp "$data/ok/odd.jfc" "$dir/jdk2/lib/jfr/profile.jfc"
each_name_works()
{
	JAVA_HOME=$dir/jdk2 "$jfrec" settings list --json >"$dir/list" || return
	(cd "$dir/names" && for name in $("$python" -c 'import json, sys
print(*[n["name"] for n in json.load(sys.stdin)["settings"]])' <"$dir/list"); do
		for command in show explain check 'diff none' 'set none'; do
			JAVA_HOME=$dir/jdk2 "$jfrec" settings $command "$name" >"$dir/out" 2>"$dir/err"
			case $? in
			0 | 1) grep '^jfrec' "$dir/err" && return 1 ;;
			*) cat "$dir/err"; return 1 ;;
			esac
		done
	done; :)
}
of_default()    # COMMAND; whatever lies here
{
	(cd "$dir/names" && JAVA_HOME=$dir/jdk2 "$jfrec" settings "$1" default >"$dir/out" 2>&1) &&
		! grep -q 'it is empty' "$dir/out"
}
if [ -n "$python" ]; then
	check 'each name of the list works everywhere' each_name_works
	: >"$dir/names/default"
	check 'default is the one of the JDK' of_default show
	check 'default is explained' of_default explain
fi
check 'explain takes the settings of a JDK' sh -c '"$1" settings explain --jdk-home "$2" default | grep -qF "$2"' \
	sh "$jfrec" "$dir/jdk2"
cp "$data/ok/odd.jfc" "$dir/names/mine.jfc"
check 'and a file here' sh -c 'cd "$2" && "$1" settings explain mine.jfc | grep -q "^Events"' sh "$jfrec" "$dir/names"

# Differences, names.

printf 'events:\n  jdk.CPULoad:\n    period: 1 s\n  jdk.SocketRead:\n    threshold: 20 ms\n' >"$dir/span.yaml"
sed 's/1 s/1000 ms/; s/20 ms/20000 us/' "$dir/span.yaml" >"$dir/units.yaml"
says 'the same span in another unit is no difference' 0 'Both record the same.' \
	"$jfrec" settings diff --off "$dir/span.yaml" "$dir/units.yaml"
golden 'a difference in words' ok/diff.out "$jfrec" settings diff ok/odd.jfc ok/requests.yaml
golden 'and as JSON' ok/diff.json.out "$jfrec" settings diff --json ok/odd.jfc ok/requests.yaml
says 'settings and a recording' 0 'jdk.' "$jfrec" settings diff continuous "$2/tests/data/ok/settings-17.jfr"
says 'nothing differs from itself' 0 'record the same' \
	"$jfrec" settings diff "$2/tests/data/ok/settings-17.jfr" "$2/tests/data/ok/settings-17.jfr"
says 'names of a JDK are listed' 0 "default" "$jfrec" settings list --jdk-home "$dir/jdk"
says 'a JDK that is not there is named' 1 'no JDK' "$jfrec" settings list --jdk-home "$dir/none"
says 'and taken' 0 'label: Odd' "$jfrec" settings show --jdk-home "$dir/jdk" default
says 'an event of a later JDK is only a note' 0 'note: jdk.VirtualThreadPinned' \
	"$jfrec" settings check --jdk 17 virtual-threads
for profile in "$2"/settings/*.yaml; do
	says "${profile##*/}: nothing is wrong with ours" 0 "${profile##*/}" "$jfrec" settings check "$profile"
done

# By the JDK's name.

configure()
{
	(cd "$dir" && JAVA_HOME=$dir/jdk ./jfr configure "$@")
}
says 'jfr configure writes custom.jfc' 0 "Configuration written successfully to:" configure level=high
check 'as settings set does' sh -c '"$1" settings set "$2" level=high | cmp - "$3"' sh \
	"$jfrec" "$data/ok/odd.jfc" "$dir/custom.jfc"
says 'jfr configure without anything' 2 'jfr configure: missing argument' configure
says 'jfr configure with a wrong name' 1 "filename must end with '.jfc'" configure --output a.txt
says 'jfr configure with two names' 1 'only one output file can be specified' \
	configure --output a.jfc --output b.jfc
says 'jfr configure without a value' 2 'missing value for --input' configure --input
says 'jfr configure with a bare word' 2 'unknown option level' configure level
says 'jfr configure with a missing file' 1 "could not find file 'none.jfc'" configure --input none.jfc level=off
says 'jfr configure with a broken file' 1 "could not parse file 'broken/xml-cut-short.jfc'" \
	sh -c 'cd "$2" && exec "$1"/jfr configure --input broken/xml-cut-short.jfc a=b' sh "$dir" "$data"
says 'jfr configure with one that it cannot use' 1 \
	"could not use file 'broken/or-of-one.jfc'. Expected + <or> to have at least two children" \
	sh -c 'cd "$2" && exec "$1"/jfr configure --input broken/or-of-one.jfc a=b' sh "$dir" "$data"
says 'jfr configure warns of missing controls' 0 \
	"Warning! Setting 'jdk.FileRead#enabled' refers to missing control 'gone'" \
	configure --input "$data/broken/control-missing.jfc" --output a.jfc
says 'jfr configure --verbose shows what changes' 0 '"jdk.SocketRead#threshold=3 ms"' \
	configure --verbose jdk.SocketRead#threshold=3ms
says 'jfr help configure' 0 'jfr configure [--interactive]' "$dir/jfr" help configure

wizard()        # ANSWERS, in the format of printf
{
	(cd "$dir" && printf "$1" | JAVA_HOME=$dir/jdk ./jfr configure --interactive) >"$dir/wizard" 2>&1
}
asks()          # NAME ANSWERS LINE
{
	wizard "$2"
	check "$1" grep -qF -e "$3" "$dir/wizard"
}
asks 'the wizard takes a number' '3\n\n\n\nw.jfc\n' 'Using: High'
check 'and writes what was said' grep -qF 'default="high"' "$dir/w.jfc"
asks 'or the default' '\n\n\n\nw.jfc\n' 'Using default: Low'
asks 'a number out of range is asked for again' '9\n2\n\n\n\n\n' 'Not in range.'
asks 'and a word' 'High\n2\n\n\n\n\n' 'Must enter a number, or ENTER to select default.'
asks 'and a length of time without a unit' '\n5\n5 ms\n\n\n\n' "Timespan '5' is missing unit."
asks 'and what is neither yes nor no' '\n\n\nmaybe\nY\n\n' 'Not a valid choice.'
asks 'and a file of another kind' '\n\n\n\nw.txt\n\n' 'Filename must end with .jfc.'
asks 'Q is enough' 'q\n' 'Abort.'
asks 'and so is the end of the answers' '3\n' 'Abort.'

finish
