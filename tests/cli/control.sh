#!/bin/sh
# Commands for JVMs, as far as they go without one: what makes no sense is refused
# before any JVM hears of it.
#
# usage: control.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
. "$2/tests/cli/tap.sh"
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
echo '<configuration/>' >file.jfc

# No JVM has that name, and no process a number above the greatest.
nobody='no such JVM, we hope'
beyond=4194305

refuses()       # STATUS WORDS ARGUMENT...
{
	status=$1
	words=$2
	shift 2
	name=$(echo "$*" | tr '\n' ' ')
	"$jfrec" "$@" >out 2>err </dev/null
	if [ $? -eq "$status" ] && grep -qF -e "$words" err && [ ! -s out ]; then
		result ok "$name"
	else
		result not-ok "$name"
		sed 's/^/# /' out err
	fi
}

for command in start stop check dump configure 'record --duration 1s'; do
	refuses 2 'name a JVM' $command
	refuses 2 'name one JVM' $command 1 2
	refuses 3 'no JVM matches' $command "$nobody"
	refuses 3 'there is no process' $command $beyond
	refuses 2 'unknown option --bogus' $command --bogus 1
	refuses 2 'invalid timeout soon' $command --timeout soon 1
done

refuses 2 '--max-age: maxage cannot be "1.5x"' start --max-age 1.5x 1
refuses 3 'there is no process' start --set jdk.SocketRead#threshold=1.5ms --max-age 1.5h $beyond
refuses 2 "'1.5xs' is not a duration" start --set jdk.SocketRead#threshold=1.5xs $beyond
refuses 2 '--delay: delay cannot be "0.5s"; it is at least a second' start --delay 0.5s 1
refuses 2 '--max-size: maxsize cannot be "-1"' start --max-size -1 1
refuses 2 '--name: name cannot be "7"' start --name 7 1
refuses 2 '--name: the value of name is empty' start --name '' 1
refuses 2 'control character' start --name 'a
JFR.stop name=1' 1
refuses 2 '--name can be given only once' start --name a --name b 1
refuses 2 '--no-disk contradicts an option before it' start --disk --no-disk 1
refuses 2 '--delay: delay cannot be "10ms"' start --delay 10ms 1
refuses 2 '--duration needs --filename' start --duration 10s 1
refuses 2 'full path of a file' start --filename x.jfr 1
refuses 2 'full path of a file' start --filename /tmp/ 1
refuses 2 'the same --filename' start --all --filename /tmp/x.jfr
refuses 2 'EVENT#SETTING=VALUE' start --set jdk.CPULoad#enabled 1
refuses 2 'cannot be the name of an option' start --set 'a b=1' 1
refuses 2 'JFR.start has no option begin' start --set begin=-1m 1
refuses 2 'No such file' start --settings ./nowhere.jfc 1
refuses 2 'Is a directory' start --settings ./ 1
refuses 2 'more than 4 settings files' start -s file.jfc -s file.jfc -s file.jfc -s file.jfc -s file.jfc 1
: >empty.jfc
refuses 2 'it is empty' start --settings empty.jfc 1

# What was typed from memory of other tools.
for word in ps jps ls -l; do
	refuses 2 '  jfrec list' $word
done
refuses 2 '  jfrec check 4711' 4711 JFR.check
refuses 2 '  jfrec start --name foo --max-age 1h 4711' 4711 JFR.start name=foo maxage=1h
refuses 2 '  jfrec dump -o /tmp/x.jfr 4711' 4711 JFR.dump filename=/tmp/x.jfr
refuses 2 '  jfrec jcmd 4711 Thread.print -l' 4711 Thread.print -l
refuses 2 '  jfrec check TARGET' JFR.check
refuses 2 '  jfrec jcmd TARGET JFR.view' JFR.view
refuses 2 '  jfrec start --name foo --settings profile 4711' start 4711 name=foo settings=profile
refuses 2 "  jfrec start --name 'a b' --no-disk --set gc=high 4711" start 4711 'name=a b' disk=false gc=high
refuses 2 '  jfrec stop -o /tmp/x.jfr --name 1 4711' stop 4711 filename=/tmp/x.jfr name=1

# Settings that mean nothing: no JVM hears of them.
mean()          # TEXT
{
	printf 'events:\n  jdk.SocketRead:\n    enabled: true\n    %s\n' "$1" >mean.yaml
}
for command in start 'record --duration 1s' stream; do
	mean 'threshold: 20 milliseconds'
	refuses 2 "mean.yaml:4: jdk.SocketRead#threshold: '20 milliseconds' is not a duration" $command -s mean.yaml $beyond
	mean 'treshold: 20 ms'
	refuses 2 'jdk.SocketRead#treshold: no JDK has such a setting' $command -s mean.yaml $beyond
	printf 'events:\n  jdk.SocketReed: true\n' >mean.yaml
	refuses 2 'no JDK has such an event; did you mean jdk.SocketRead?' $command -s mean.yaml $beyond
	refuses 3 'no process' $command -s mean.yaml --unchecked $beyond
	refuses 2 'write Shop::work;java.lang.Math::abs' $command --set 'method-timing=Shop::work,java.lang.Math::abs' $beyond
	refuses 2 'write Shop::work' $command --set 'jdk.MethodTrace#filter=Shop.work' $beyond
	refuses 2 'has a wildcard' $command --settings profile --set 'method-trace=Shop::*' $beyond
	refuses 3 'no process' $command --set 'method-timing=Shop.work' --unchecked $beyond
	refuses 3 'no process' $command --set 'method-timing=Shop::work;@Timed;::<clinit>' $beyond
	refuses 2 'parsec' $command --set 'jdk.SocketRead#threshold=1 parsec' $beyond
	refuses 2 'no JDK has such a setting' $command --set '+jdk.SocketRead#treshold=1ms' $beyond
	refuses 2 'no JDK has such a setting' $command --set '+SocketRead#treshold=1ms' $beyond
	refuses 2 'did you mean jdk.SocketRead?' $command --set '+jdk.SocketReed#enabled=true' $beyond
	refuses 3 'no process' $command --set '+jdk.SocketReed#enabled=true' --unchecked $beyond
	refuses 3 'no process' $command --set '+com.acme.Order#enabled=true' $beyond
	refuses 3 'no process' $command --set 'SocketRead#threshold=1ms' $beyond
done
sed 's/<setting name="threshold">20 ms/<setting name="threshold">20/' >mean.jfc <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0" label="x">
  <event name="jdk.SocketRead"><setting name="enabled">true</setting>
  <setting name="threshold">20 ms</setting></event>
</configuration>
END
refuses 2 "mean.jfc:4: jdk.SocketRead#threshold: '20' has no unit" start -s mean.jfc $beyond
rm -f mean.yaml mean.jfc

refuses 2 'begin cannot be "yesterday"' dump --begin yesterday 1
refuses 2 '--max-age cannot be combined with' dump --max-age 1m --end -1m 1
refuses 2 '--compress takes gzip, zstd or none' dump --compress bzip2 1
refuses 2 'a directory (DIR/) or a name with %p' dump --all -o x.jfr
refuses 2 'a directory (DIR/) or a name with %p' dump --all -o %%p.jfr
refuses 2 'cannot take the recording and JSON' dump --json -o - 1
refuses 2 'the name of the file is empty' dump -o '' 1
refuses 2 '--discard and --output' stop --discard -o x.jfr 1

refuses 3 'no process' record $beyond
refuses 2 '  jfrec stop --name 3 4711' stop 4711 3
refuses 2 '  jfrec dump --name foo 4711' dump 4711 foo
refuses 2 '--duration takes a number and a unit, at least 1s' record --duration 0 1
refuses 2 'a number and a unit' record --duration 1 1
refuses 2 'name one JVM at a time' record --duration 1s a b
refuses 2 'selects every JVM that matches' check a b
refuses 2 'at least 1s' record --duration 999ms 1
refuses 2 'at least 1s, such as 30s or 1.5h, not 0.9s' record --duration 0.9s 1
refuses 2 'at least 1s' record --duration 10 1
refuses 2 'filename cannot be set here' record --duration 1s --set filename=/tmp/x 1

refuses 2 'stackdepth cannot be "deep"' configure --stack-depth deep 1
refuses 2 'samplethreads cannot be "yes"' configure --sample-threads yes 1
refuses 2 'full path of a directory' configure --repository-path tmp 1

if [ "$(ls | tr '\n' ' ')" = 'empty.jfc err file.jfc out ' ]; then
	result ok 'no file was made'
else
	result not-ok 'no file was made'
fi
finish
