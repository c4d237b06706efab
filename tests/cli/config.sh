#!/bin/sh
# Defaults from files: what counts, where it comes from, and that options count more; that
# mistakes are told with their line.
#
# usage: config.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
ok=$2/tests/data/ok
ok=$(realpath "$ok")
. "$2/tests/cli/tap.sh"

dir=$(mktemp -d) || exit
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit
mkdir -p home/jfrec out
XDG_CONFIG_HOME=$dir/home
export XDG_CONFIG_HOME
mine=$XDG_CONFIG_HOME/jfrec/config.yaml

# The row of a key.
shows()         # KEY VALUE WHERE [OPTION...]
{
	row="^$1  *$2  *$3\$"
	key=$1
	shift 3
	"$jfrec" "$@" config show >shown || return
	grep "^$key " shown
	grep -q "$row" shown
}

# A file of that text is refused, with that sentence.
refuses()       # SENTENCE TEXT
{
	printf '%b' "$2" >wrong.yaml
	"$jfrec" --config wrong.yaml config show >out.txt 2>err.txt
	status=$?
	cat out.txt err.txt
	[ $status -eq 2 ] && [ ! -s out.txt ] && grep -qF "jfrec: wrong.yaml: $1" err.txt &&
		[ "$(wc -l <err.txt)" -eq 1 ]
}

# Where values come from --------------------------------------------------------

if [ ! -e /etc/jfrec/config.yaml ]; then
	works 'no file: defaults' shows compress none default
	works 'its name is shown' grep -qF "$mine (does not exist)" shown
	works 'settings of the JVM' shows settings default default
fi
cat >"$mine" <<EOF
# mine
compress: zstd
output-name: "%n-%p.jfr"

settings: [gc, own.yaml]
rules:
  - rules.yaml
  - /etc/jfrec/more.yaml
time-zone: +05:30
EOF
works 'a value of mine' shows compress zstd "$mine, line 2"
works 'a list; paths are those of the file' shows settings "gc, $XDG_CONFIG_HOME/jfrec/own.yaml" "$mine, line 5"
works 'a list of lines' shows rules "$XDG_CONFIG_HOME/jfrec/rules.yaml, /etc/jfrec/more.yaml" "$mine, line 6"
printf 'compress: gzip\n' >more.yaml
works '--config counts more' shows compress gzip 'more.yaml, line 1' --config more.yaml
works '--config: the rest stays' shows time-zone +05:30 "$mine, line 9" --config=more.yaml
printf 'compress: none\n' >most.yaml
works 'the last counts most' shows compress none 'most.yaml, line 1' --config more.yaml --config most.yaml
works '--no-config: none counts' shows compress none default --no-config
works '--no-config behind --config, too' shows compress none default --config more.yaml --no-config

json_has()      # KEY LINE
{
	"$jfrec" config show --json | python3 -c '
import json, sys
value = json.load(sys.stdin)["values"][sys.argv[1]]
sys.exit(value != json.loads(sys.argv[2]))' "$1" "$2"
}

works 'JSON: value, path and line' json_has compress \
	"{\"value\": [\"zstd\"], \"path\": \"$mine\", \"line\": 2}"
works 'JSON: nothing said' json_has redact-hosts '{"value": null, "path": null, "line": null}'

home_of()       # HOME of one without XDG_CONFIG_HOME
{
	mkdir -p person/.config/jfrec && cp more.yaml person/.config/jfrec/config.yaml &&
		env -u XDG_CONFIG_HOME HOME="$dir/person" "$jfrec" config show >shown &&
		grep "^compress  *gzip  *$dir/person/.config/jfrec/config.yaml, line 1\$" shown
}
works 'without XDG_CONFIG_HOME it is ~/.config' home_of

no_home()
{
	env -u XDG_CONFIG_HOME HOME=relative "$jfrec" config show && env -i "$jfrec" config show
}
works 'no home directory is none' no_home

# Mistakes ----------------------------------------------------------------------

works 'an unknown key, with its line and the nearest' refuses \
	'line 2, column 1: there is no key outputdir; did you mean output-directory?' 'compress: zstd\noutputdir: /tmp\n'
works 'an unknown key of a map' refuses 'line 1, column 1: there is no key scrub' 'scrub:\n  rules: x\n'
works 'a key twice' refuses 'line 2, column 1: this key occurs twice' 'rules: a\nrules: b\n'
works 'a value that is none of three' refuses 'line 1, column 11: compress must be gzip, zstd or none' 'compress: lz4\n'
works 'a flag that is none' refuses 'line 1, column 15: redact-hosts must be true or false' 'redact-hosts: yes\n'
works 'a list where there is one' refuses 'line 1, column 12: the value must be a text' 'time-zone: [UTC, Z]\n'
works 'an empty text' refuses 'line 1, column 8: the value must be a text that is not empty' 'rules: ""\n'
works 'a map as a value' refuses 'line 2, column 3: the value must be a text' 'settings:\n  a: b\n'
works 'too many settings' refuses 'line 1, column 24: the list has more than 4' 'settings: [a, b, c, d, e]\n'
works 'a name with a directory' refuses 'line 1, column 14: output-name must be a name without a directory' 'output-name: a/b.jfr\n'
works 'no map at all' refuses 'line 1, column 1: a configuration file must' '[a]\n'
works 'no YAML' refuses "line 2, column 1: did not find expected ',' or ']'" 'a: [b\n'
works 'an alias' refuses 'line 1, column 8: anchors, aliases and tags are not allowed here' 'rules: &a b\n'
works 'a tab' refuses 'line 2' 'rules:\n\t- a\n'
printf 'rules: \377\n' >wrong.yaml
works 'no UTF-8' sh -c '"$0" --config wrong.yaml config show 2>err.txt; [ $? -eq 2 ] && grep -q "byte" err.txt' "$jfrec"

not_ours()
{
	mkdir -m 755 apart && mkdir -p -m 700 apart/jfrec && echo 'time-zone: UTC' >apart/jfrec/config.yaml &&
		chmod 700 apart && chmod 755 . &&
		setpriv --reuid 65534 --regid 65534 --clear-groups \
			env XDG_CONFIG_HOME="$dir/apart" ./of-all config show >shown &&
		grep 'apart/jfrec/config.yaml (not readable)' shown
}
# Root, by sudo -E or su, with the home directory of a user who is not meant to be root.
another_home()
{
	mkdir -p evil/.config/jfrec && echo "output-directory: $dir/evil" >evil/.config/jfrec/config.yaml &&
		chown -R 65534 evil || return
	env -u XDG_CONFIG_HOME HOME="$dir/evil" "$jfrec" config show >shown 2>err.txt &&
		! grep -q 'output-directory.*evil' shown && grep -q 'ignored, since its directory belongs to user 65534' err.txt ||
		{ cat shown err.txt; return 1; }
	rm evil/.config/jfrec/config.yaml && ln -s /etc/shadow evil/.config/jfrec/config.yaml
	env -u XDG_CONFIG_HOME HOME="$dir/evil" "$jfrec" config show >shown 2>err.txt &&
		! grep -q 'root:' shown err.txt && ! grep -q 'column' err.txt || { cat shown err.txt; return 1; }
}

a_file_of_another()
{
	mkdir -p mine/.config/jfrec && echo 'time-zone: UTC' >mine/.config/jfrec/config.yaml &&
		chown 65534 mine/.config/jfrec/config.yaml || return
	env -u XDG_CONFIG_HOME HOME="$dir/mine" "$jfrec" config show >shown 2>err.txt &&
		grep -q 'ignored, since it belongs to user 65534' err.txt && ! grep -q 'time-zone.*mine' shown
}

open_to_all()
{
	mkdir -p open/.config/jfrec && echo 'time-zone: UTC' >open/.config/jfrec/config.yaml || return
	chmod 666 open/.config/jfrec/config.yaml
	env -u XDG_CONFIG_HOME HOME="$dir/open" "$jfrec" config show >shown 2>err.txt &&
		grep -q 'ignored, since it is writable for other users' err.txt || return
	chmod 644 open/.config/jfrec/config.yaml
	env -u XDG_CONFIG_HOME HOME="$dir/open" "$jfrec" config show >shown 2>err.txt &&
		grep -q 'time-zone.*open' shown && [ ! -s err.txt ]
}
works 'a file that everybody may write is ignored' open_to_all
if [ "$(id -u)" -eq 0 ]; then
	works "root does not obey another user's home" another_home
	works "nor another user's file" a_file_of_another
else
	result ok "root does not obey another user's home # SKIP needs root"
fi
# The tree may lie where nobody else can go.
cp "$jfrec" of-all && chmod 755 . of-all
if [ "$(id -u)" -eq 0 ] && setpriv --reuid 65534 --regid 65534 --clear-groups ./of-all --version >/dev/null 2>&1; then
	works 'a home of somebody else is none' not_ours
else
	result ok 'a home of somebody else is none # SKIP needs root and setpriv'
fi

missing()
{
	"$jfrec" --config ./nowhere.yaml config show >out.txt 2>err.txt
	[ $? -eq 1 ] && grep -q 'jfrec: ./nowhere.yaml: No such file or directory' err.txt
}
works 'what is named must be there' missing
for what in /dev/zero .; do
	works "$what is no configuration" sh -c \
		'"$0" --config "$1" config show >/dev/null 2>err.txt; [ $? -eq 1 ] && grep -Eq "not a regular file|a directory" err.txt' "$jfrec" $what
done
head -c 3000000 /dev/zero | tr '\0' a >large.yaml
works 'a large file' sh -c '"$0" --config large.yaml config show 2>err.txt; [ $? -eq 2 ] && grep -q "larger than 1 MiB" err.txt' "$jfrec"
works '--config needs a value' sh -c '"$0" --config 2>err.txt; [ $? -eq 2 ] && grep -q "needs a value" err.txt' "$jfrec"
works 'no operand' sh -c '"$0" config show x 2>err.txt; [ $? -eq 2 ]' "$jfrec"

# Where they act ----------------------------------------------------------------

some=$ok/settings-17.jfr
"$jfrec" --no-config print --json --tz +05:30 "$some" >wanted.txt
"$jfrec" print --json "$some" >got.txt
works 'print: the time zone' cmp wanted.txt got.txt
"$jfrec" --no-config print --json --utc "$some" >wanted.txt
"$jfrec" print --json --utc "$some" >got.txt
works 'print: an option counts more' cmp wanted.txt got.txt
ln -s "$jfrec" jfr
"$jfrec" --no-config print --json "$some" >wanted.txt
./jfr print --json "$some" >got.txt
works 'jfr is the JDK'"'"'s, whatever is written down' cmp wanted.txt got.txt
printf 'time-zone: Mars\n' >zone.yaml
works 'print: no such zone, with its line' sh -c \
	'"$0" --config zone.yaml print "$1" 2>err.txt; [ $? -eq 2 ] && grep -q "zone.yaml: line 1: time-zone: unknown time zone Mars; write UTC" err.txt' "$jfrec" "$some"
printf 'no-such-key: 1\n' >bad.yaml
works 'summary does not read it' "$jfrec" --config bad.yaml summary "$some"
works 'print with a zone does not read it' "$jfrec" --config bad.yaml print --utc "$some"

printf 'rules: ./rules.yaml\n' >scrub.yaml
scrubs()        # RULE [OPTION...]: is the rule among those that found something?
{
	rule=$1
	shift
	"$jfrec" --config scrub.yaml scrub --dry-run --json "$@" "$some" >scrub.json && grep -q "\"rule\": \"$rule\"" scrub.json
}
printf 'rules:\n  - name: thresholds\n    event: jdk.ActiveRecording\n    field: name\n    match: threshold\n' >rules.yaml
works 'scrub: rules' scrubs thresholds
works 'scrub --no-defaults: only those of options' sh -c '! grep -q thresholds' <<EOF
$("$jfrec" --config scrub.yaml scrub --dry-run --json --no-defaults --hosts "$some")
EOF
printf 'rules: ./nowhere.yaml\n' >scrub.yaml
works 'scrub: a file of rules that is not there' sh -c \
	'"$0" --config scrub.yaml scrub --dry-run "$1" 2>err.txt; [ $? -eq 1 ] && grep -q "nowhere.yaml: No such file" err.txt' "$jfrec" "$some"

# A process that is no JVM: what is checked before it is looked for.
printf 'output-name: "%%q.jfr"\n' >name.yaml
works 'dump: a name that cannot be, with its line' sh -c \
	'"$0" --config name.yaml dump 1 2>err.txt; [ $? -eq 2 ] && grep -q "name.yaml: line 1: output-name: it can have %p" err.txt' "$jfrec"
printf 'output-name: all.jfr\n' >name.yaml
works 'dump --all: the name must tell them apart' sh -c \
	'"$0" --config name.yaml dump --all 2>err.txt; [ $? -eq 2 ] && grep -q "with --all, it needs %p in it" err.txt' "$jfrec"
works 'dump -o FILE does not read it' sh -c \
	'"$0" --config bad.yaml dump -o x.jfr 999999999 2>err.txt; [ $? -ne 2 ] && ! grep -q bad.yaml err.txt' "$jfrec"
printf 'settings: ./nowhere.yaml\n' >settings.yaml
works 'start: settings that are not there, with their line' sh -c \
	'"$0" --config settings.yaml start 1 2>err.txt; [ $? -eq 2 ] && grep -q "settings.yaml: line 1: settings: these cannot be used" err.txt' "$jfrec"
works 'start --settings does not read it' sh -c \
	'"$0" --config bad.yaml start -s default 999999999 2>err.txt; [ $? -ne 2 ]' "$jfrec"
finish
