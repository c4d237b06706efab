#!/bin/sh
# The dictionary of what JDKs record, and the profiles that are written for all of them.
#
# usage: profiles.sh JFREC SOURCE_ROOT

case $1 in
*/*)	jfrec=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") ;;
*)	jfrec=$1 ;;
esac
source=$(cd "$2" && pwd)
ok=$source/tests/data/ok
. "$source/tests/cli/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit

try()           # NAME COMMAND...
{
	name=$1
	shift
	if "$@" >said 2>&1; then
		result ok "$name"
	else
		result not-ok "$name"
		head -n 20 said | sed 's/^/# /'
	fi
}

# Of jfrec, with what it says on both streams in `both`.
exits()         # STATUS WORDS ARGUMENT...
{
	wanted=$1
	words=$2
	shift 2
	"$jfrec" "$@" >both 2>&1
	got=$?
	cat both
	[ "$got" -eq "$wanted" ] && grep -qF -e "$words" both
}

# Metadata ---------------------------------------------------------------------

# What a JVM of that JDK wrote into a recording, but for the sentences.
is_like_recording()     # JDK RECORDING
{
	"$jfrec" metadata "$ok/$2" | grep -v '^ *@Description' >theirs
	"$jfrec" metadata --jdk "$1" | diff - theirs
}

is_like_recording_in_json()     # JDK RECORDING
{
	python3 - "$jfrec" "$1" "$ok/$2" <<'EOF'
import json, subprocess, sys
jfrec, jdk, recording = sys.argv[1:]

def types(*arguments):
    out = subprocess.run([jfrec, 'metadata', '--json', *arguments], check=True, stdout=subprocess.PIPE).stdout
    return json.loads(out)['types']

def without_sentences(x):
    x = dict(x, description=None, id=None)
    x['annotations'] = [a for a in x['annotations'] if a['type'] != 'jdk.jfr.Description']
    x['fields'] = [without_sentences(f) for f in x.get('fields', [])]
    x['settings'] = sorted(x.get('settings', []), key=lambda s: s['name'])
    return x

ours = [without_sentences(t) for t in types('--jdk', jdk)]
theirs = [without_sentences(t) for t in types(recording)]
assert len(ours) > 200
for a, b in zip(ours, theirs):
    assert a == b, (a, b)
assert len(ours) == len(theirs)
EOF
}

# In every JDK; 8 began it all, and others added and removed.
declares()      # JDK EVENT
{
	"$jfrec" metadata --jdk "$1" --events "$2" | grep -q "@Name(\"$2\")\|^class ${2#jdk.} "
}

lacks()         # JDK EVENT
{
	! declares "$1" "$2"
}

for jdk in 17 25; do
	try "types of JDK $jdk are those of a recording" is_like_recording $jdk jvm-$jdk.jfr
	if command -v python3 >/dev/null; then
		try "and so they are in JSON: $jdk" is_like_recording_in_json $jdk jvm-$jdk.jfr
	fi
done
for jdk in 8 11 17 21 25 26 28; do
	try "JDK $jdk has jdk.CPULoad" declares $jdk jdk.CPULoad
done
try 'JDK 8 has no jdk.SystemGC' lacks 8 jdk.SystemGC
try 'JDK 17 has jdk.SystemGC' declares 17 jdk.SystemGC
try 'JDK 28 has no jdk.ZUnmap' lacks 28 jdk.ZUnmap
try 'JDK 21 stands for 24' exits 0 'JDK 24 is unknown; using JDK 21' metadata --jdk 24 -e CPULoad
try 'JDK 28 stands for 99' exits 0 'JDK 99 is unknown; using JDK 28' metadata --jdk 99 -e CPULoad
try 'JDK 8 stands for 7' exits 0 'JDK 7 is unknown; using JDK 8' metadata --jdk 7 -e CPULoad
try 'a category' exits 0 'class CPULoad' metadata --jdk 17 -c Processor
try 'a version that is none' exits 2 'use a version such as 17' metadata --jdk 17u
try 'a version that is too large' exits 2 'use a version such as 17' metadata --jdk 99999999999999999999
try 'a version twice' exits 2 '--jdk can be given only once' metadata --jdk 17 --jdk 17
try 'a version and a recording' exits 2 'there is no recording to read' metadata --jdk 17 "$ok/jvm-17.jfr"
if [ -w /dev/full ]; then
	full()
	{
		! "$jfrec" "$@" >/dev/full 2>both && grep -q 'No space left' both
	}
	try 'a full disk: types' full metadata --jdk 17
	try 'a full disk: an event' full settings explain CPULoad
	try 'a full disk: a profile' full settings explain gc
fi

# Explain ----------------------------------------------------------------------

explains_cpu_load()
{
	"$jfrec" settings explain CPULoad --jdk 17 | diff - "$source/tests/cli/explain-event.out"
}

explains_minimal()
{
	"$jfrec" settings explain minimal --jdk 11 | diff - "$source/tests/cli/explain-profile.out"
}

if [ -n "$UPDATE" ]; then
	"$jfrec" settings explain CPULoad --jdk 17 >"$source/tests/cli/explain-event.out"
	"$jfrec" settings explain minimal --jdk 11 >"$source/tests/cli/explain-profile.out"
fi
try 'an event' explains_cpu_load
try 'a profile' explains_minimal
try 'an event that only old JDKs have' exits 0 'In JDK 17:' settings explain BiasedLockRevocation
try 'a field that came later' exits 0 'To Disk  JDK 21 and later' settings explain ActiveRecording
try 'a type that is no event' exits 1 'it is a type, but not an event' settings explain java.lang.Thread
try 'an event, in JSON' exits 0 '"default.jfc": "20 ms"' settings explain --json --jdk 17 jdk.FileRead
try 'a profile, in JSON' exits 0 '"leftOut": [' settings explain --json --jdk 8 io
try 'an event that nobody has' exits 1 'no JDK has such an event; did you mean jdk.SocketRead?' \
	settings explain jdk.SoketRead
try 'an event that this JDK lacks' exits 1 'JDK 28 has no such event, only JDK 17 to 21' \
	settings explain --jdk 28 ZUnmap
try 'no event' exits 2 'name the event' settings explain
try 'two events' exits 2 'one event or profile at a time' settings explain CPULoad FileRead
try 'a name with an escape' exits 1 '^[[31m' settings explain "$(printf 'a\033[31m')"
try 'a name that is far too long' exits 1 'no JDK has such an event' settings explain "$(printf '%09999d' 0)"

# Profiles ---------------------------------------------------------------------

# "  # JDK 17 and later" behind an event is what the dictionary says.
has_true_comments()     # PROFILE
{
	sed -n 's/^  \(jdk\.[A-Za-z0-9]*\): [^#]*\(# \(.*\)\)\{0,1\}$/\1 \3/p' "$source/settings/$1.yaml" >comments
	"$jfrec" settings explain "$1" |
		sed -n 's/^  \(jdk\.[A-Za-z0-9]*\)\( (.*)\)\{0,1\}\(  \(JDK .*\)\)\{0,1\}$/\1 \4/p' >ranges
	[ -s ranges ] && diff comments ranges
}

# Somebody has said what each event tells.
has_explained_events()  # PROFILE
{
	"$jfrec" settings explain --json "$1" | sed -n 's/^ *"event": "\(.*\)",$/\1:/p' >events
	[ -s events ] && ! grep -vxFf "$source/settings/dictionary/events.yaml" events
}

# The comment on top, and what it must say.
says_what_it_is()       # PROFILE
{
	"$jfrec" settings explain "$1" >about
	head -n 1 about | grep -q "^$1 - " && grep -q '^For: ' about && grep -q '^Cost: ' about
}

# What is installed is what is inside.
is_the_one_inside()     # PROFILE
{
	"$jfrec" settings show "$1" --jfc >inside.jfc && "$jfrec" settings show "$source/settings/$1.yaml" --jfc |
		cmp - inside.jfc
}

for profile in "$source"/settings/*.yaml; do
	profile=$(basename "$profile" .yaml)
	try "$profile: says what it is for, and what it costs" says_what_it_is $profile
	try "$profile: says which JDKs have its events" has_true_comments $profile
	try "$profile: all events are explained" has_explained_events $profile
	try "$profile: is in the library" is_the_one_inside $profile
	try "$profile: is listed" exits 0 "$profile " settings list
done
finish
