#!/bin/sh
# `jfrec analyze`: which rules are asked, limits, exit statuses, and the forms of its output.
#
# usage: analyze.sh JFREC SOURCE_ROOT

LC_ALL=C
export LC_ALL
jfrec=$(realpath "$1")
data=$(realpath "$2/tests/data")
. "$2/tests/cli/tap.sh"
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
jvm=$data/ok/jvm-25.jfr

# The same for a row of the table below several recordings.
tells_row()     # STATUS EXPRESSION ARGUMENT...
{
	status=$1 row=$2
	shift 2
	"$jfrec" analyze "$@" >said 2>/dev/null
	[ $? -eq "$status" ] && grep -q -- "^$row$" said || { head -c 2000 said >shown; cat shown; return 1; }
}

says()          # STATUS TEXT ARGUMENT...
{
	status=$1 text=$2
	shift 2
	"$jfrec" analyze "$@" >said 2>&1
	[ $? -eq "$status" ] && grep -qF -- "$text" said || { cat said; return 1; }
}

says_not()      # STATUS TEXT ARGUMENT...
{
	status=$1 text=$2
	shift 2
	"$jfrec" analyze "$@" >said 2>&1
	[ $? -eq "$status" ] && ! grep -qF -- "$text" said || { cat said; return 1; }
}

in_order()
{
	[ "$("$jfrec" analyze folder | tail -n 2 | cut -c 1-12 | tr '\n' ' ')" = 'folder/a.jfr folder/b.jfr ' ]
}

# Commands of advice name the recording, as a word of the shell, and are not broken into lines.
advice_can_be_pasted()
{
	cp "$jvm" "it's one.jfr"
	"$jfrec" analyze --width 60 --limit gc-pause-share.warning=0.001% --only gc-pause-share "it's one.jfr" >said &&
		grep -qF "\`jfrec flame --profile alloc 'it'\\''s one.jfr'\`" said || { cat said; return 1; }
	eval "$(grep -F "\$ jfrec" said | sed 's/^ *[$] /"$jfrec" /; s/"$jfrec" jfrec/"$jfrec"/')" >/dev/null
}

is_json()       # ARGUMENT...
{
	"$jfrec" analyze "$@" >said 2>&1 && python3 -m json.tool said >/dev/null || { cat said; return 1; }
}

is_xml()        # ARGUMENT...
{
	"$jfrec" analyze "$@" >said 2>&1 &&
		python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse("said")' || { cat said; return 1; }
}

same_twice()
{
	"$jfrec" analyze --json "$jvm" >one && "$jfrec" analyze --json "$jvm" >two && cmp one two
}

explained()     # each rule has a text of some length, with its name and its events
{
	"$jfrec" analyze --list >rules || return
	while read -r rule rest; do
		"$jfrec" analyze --explain "$rule" >text || return
		grep -q "^$rule: " text && grep -q '^Events' text && grep -q '^What to do' text &&
			[ "$(wc -l <text)" -ge 10 ] || { echo "$rule"; cat text; return 1; }
	done <rules
}

counted()       # the line of counts adds up to the number of rules
{
	"$jfrec" analyze --all "$jvm" >said || return
	python3 - "$("$jfrec" analyze --list | wc -l)" <<-'END'
		import re, sys
		line = re.search(r'^(\d+) warnings?, (\d+) infos?, (\d+) ok, (\d+) without data', open('said').read(), re.M)
		sys.exit(sum(map(int, line.groups())) != int(sys.argv[1]))
	END
}

views_exist()   # that findings and explanations name
{
	"$jfrec" view views --csv | cut -d , -f 1 >views
	grep -ohE '"view [a-z0-9-]+"|jfrec view [a-z0-9-]+' "$data"/../../lib/analyze/*.c "$data"/../../lib/analyze/*/*.c | tr -d '"' |
		sed 's/.*view //' | sort -u | while read -r view; do
		grep -qx -- "$view" views || { echo "$view"; exit 1; }
	done
}

works 'text' says 0 'without data' "$jvm"
works 'the JVM is described' says 0 'JDK 25' "$jvm"
works 'all findings are counted' counted
works 'JSON' is_json --json "$jvm"
works 'two runs are equal' same_twice
works 'a line of JSON for each finding' says 0 '"rule":"buffers-lost"' --ndjson --only buffers-lost "$jvm"
works 'the list has questions' says 0 'gc-pause-share' --list
works 'the list as a document' is_json --list --json
works 'each rule is explained' explained
works 'views that are named exist' views_exist
works 'commands can be pasted' advice_can_be_pasted
works 'a rule of a recording is explained' says 0 'In JDK Mission Control' --explain gc-pause-share "$jvm"
works 'only some rules' says_not 0 'lock-contention' --all --only 'gc-*' "$jvm"
works 'a mistyped rule' says 2 "there is no rule 'gc-pause-shar'; did you mean gc-pause-share" --only gc-pause-shar "$jvm"
works 'a near name is enough of a hint' says_not 2 'shows them all' --only gc-pause-shar "$jvm"
works 'a name that is near to none' says 2 'shows them all' --only qqqqqqqqqq "$jvm"
works 'a rule that is ignored' says 0 ', 1 ignored' --ignore 'gc-pause-share:known' "$jvm"
works 'why it is ignored' says 0 'ignored: known' --all --ignore 'gc-pause-share:known' "$jvm"
works 'a limit' says 20 'gc-pause-longest' --limit gc-pause-longest.warning=1us --fail-on warning "$jvm"
works 'a limit that is switched off' says 0 'gc-pause-longest' --all --limit gc-pause-longest.info=never \
	--limit gc-pause-longest.warning=never --fail-on info --only gc-pause-longest "$jvm"
works 'a limit without its unit' says 2 'take a duration such as 500ms' --limit gc-pause-longest.warning=5 "$jvm"
works 'a limit of another unit' says 2 'take a percentage such as 20%' --limit gc-pause-share.info=5 "$jvm"
works 'a limit that is not one' says 2 "'gc-pause-share=5%' is not a limit" --limit gc-pause-share=5% "$jvm"
works 'a rule without limits' says 2 'has no limits that can be set' --limit gc-options.info=1 "$jvm"
works 'a required rule without data' says 20 'without data' --require gc-locker "$jvm"
works 'a required rule that there is not' says 2 'there is no rule' --require nothing "$jvm"
works 'Markdown' says 0 'without data.' --format markdown "$jvm"
works 'SARIF' is_json --format sarif "$jvm"
works 'JUnit' is_xml --format junit "$jvm"
works 'a format that there is not' says 2 'unknown format' --format pdf "$jvm"
printf 'rules:\n  gc-pause-longest: {info: 1us, warning: 2us}\n  pid-1: off\n' >limits.yaml
works 'a file of limits' says 20 'gc-pause-longest' --limits limits.yaml --fail-on warning "$jvm"
works 'a rule that is off there' says 0 ', 1 ignored' --limits limits.yaml "$jvm"
printf 'rules:\n  gc-pause-longest: {info: 5}\n' >limits.yaml
works 'a limit that is wrong there' says 2 'line 2' --limits limits.yaml "$jvm"
printf 'rules:\n  gc-pause-longest: {inf: 5ms}\n' >limits.yaml
works 'a key that is mistyped there' says 2 'not inf; did you mean info?' --limits limits.yaml "$jvm"
printf 'rules:\n  gc-pause-longes: off\n' >limits.yaml
works 'a rule that is mistyped there' says 2 'did you mean gc-pause-longest?' --limits limits.yaml "$jvm"
works 'no such file' says 1 'No such file' --limits nothing.yaml "$jvm"
"$jfrec" analyze --json --limit gc-pause-longest.warning=1us "$jvm" >before.json
works 'what was there before' says_not 0 'gc-pause-longest' --baseline before.json \
	--limit gc-pause-longest.warning=1us --fail-on warning --only gc-pause-longest "$jvm"
"$jfrec" analyze --json --limit gc-pause-longest.warning=never --limit gc-pause-longest.info=1us "$jvm" >before.json
works 'what is worse than before' says 20 'gc-pause-longest' --baseline before.json \
	--limit gc-pause-longest.warning=1us --fail-on warning --only gc-pause-longest "$jvm"
echo '{}' >limits.json
works 'a baseline of something else' says 1 'is not a document' --baseline limits.json "$jvm"
works 'a baseline that is no JSON' says 1 'is not a document' --baseline "$jvm" "$jvm"
works 'a baseline that is not there' says 1 'nowhere.json: No such file' --baseline nowhere.json "$jvm"
other=$data/ok/contexts-25.jfr
works 'several: a table' tells_row 0 'recording  *warnings  *infos  *ok  *no data' "$jvm" "$other"
works 'several: each is one of them' tells_row 0 '.*contexts-25.jfr  *[0-9][0-9]*  *[0-9][0-9]*  *[0-9][0-9]*  *[0-9][0-9]*' "$jvm" "$other"
works 'several: one that cannot be read' tells_row 1 'nothing.jfr  *could not be read' "$jvm" nothing.jfr
works 'several: the others are judged' tells_row 1 '.*jvm-25.jfr  *[0-9][0-9]*  *[0-9][0-9]*  *[0-9][0-9]*  *[0-9][0-9]*' nothing.jfr "$jvm"
works 'several: one document' is_json --json "$jvm" "$other"
works 'several: no SARIF' says 2 'of one recording' --format sarif "$jvm" "$other"
mkdir folder chunks
cp "$jvm" folder/b.jfr; cp "$other" folder/a.jfr; echo hello >folder/note.txt
cp "$jvm" chunks/2026_11_22_10_00_00.jfr; cp "$jvm" chunks/2026_11_22_10_00_01.jfr
works 'a folder: each recording in it' tells_row 0 'folder/a.jfr  *[0-9][0-9]*  *[0-9][0-9]*  *[0-9][0-9]*  *[0-9][0-9]*' folder
works 'a folder: in the order of names' in_order
works 'a folder: one document' is_json --json folder
works 'a folder of chunks is one recording' says_not 0 'recording  ' chunks
works 'two formats' says 2 'only one format' --json --ndjson "$jvm"
works 'no recording' says 2 'recording or JVM' --all

# Settings that few have are no help with all else.
names_settings()
{
	"$jfrec" analyze "$data/ok/fields-25.jfr" >text &&
		tail -n 3 text | tr '\n' ' ' | grep -q 'cannot tell of .*hot code.*; to record what can: `jfrec record --duration 6m PID`'
}
works 'the last line says what it cannot tell, and what records it' names_settings

kept()
{
	"$jfrec" analyze "$@" >said 2>&1
	[ $? -eq 2 ] && grep -q 'findings' said
}
works '-o keeps what was recorded, not findings' kept -o x.txt "$data/ok/fields-25.jfr"
works '-o - has no place' kept --duration 1s -o - 1

finish
