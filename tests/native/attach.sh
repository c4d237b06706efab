#!/bin/sh
# jfrec, and the JDKs' jcmd, jps and jinfo, reach a native program as they reach a JVM.
#
# usage: attach.sh JFREC SOURCE_ROOT SHOPD
#
# JFREC_TEST_HOMES: JDKs instead of those in /usr/lib/jvm.

jfrec=$(realpath "$1")
source=$2
shopd=$(realpath "$3")
. "$source/tests/cli/tap.sh"
work=$(mktemp -d)
cd "$work" || exit
# By its name it is found, so nobody else has it.
program=shop$$
ln -s "$shopd" $program
JFREC_RECORD=name=day,repository=$work "$work/$program" 1000000000 &
shop=$!
trap 'kill -9 $shop; rm -rf "$work" /dev/shm/jfrec-recorder-$shop-* /tmp/.java_pid$shop /tmp/hsperfdata_*/$shop' EXIT
for _ in 1 2 3 4 5 6 7 8 9 10; do
	[ -S /tmp/.java_pid$shop ] && break
	sleep 0.1
done

says()          # TEXT COMMAND...
{
	text=$1
	shift
	"$@" >answer 2>&1
	status=$?
	cat answer
	grep -qE "$text" answer && return $status
	return 1
}

works 'jfrec lists it' says "$shop .* yes .*$program" "$jfrec" list
works 'jfrec knows its recording' says 'running .* day$' "$jfrec" check $shop
works 'jfrec finds it by its name' says day "$jfrec" check $program
works 'jfrec starts another one' "$jfrec" start --name slow --set shop.Order#threshold=1h --set shop.Stock#enabled=false $shop
printf '%s\n' 'events:' '  shop.Stock: {enabled: false}' '  shop.Order: {threshold: 1h}' >slow.yaml
works 'jfrec starts one with a file of settings' "$jfrec" start --name yaml --unchecked --settings ./slow.yaml $shop
sleep 1
works 'jfrec dumps it' "$jfrec" dump --name day -o day.jfr $shop
works 'its events are there' [ "$("$jfrec" print --count --events shop.Order day.jfr)" -gt 0 ]
works 'the settings of each recording are there' says 'slow$' "$jfrec" settings active day.jfr
records()
{
	"$jfrec" record --duration 1s -o recorded.jfr $shop >answer 2>&1 && ! grep jfrec: answer &&
		[ "$("$jfrec" print --count --events shop.Order recorded.jfr)" -gt 0 ]
}
works 'jfrec records its events, and asks for none of a JVM' records
works 'jfrec stops it' "$jfrec" stop --name slow -o slow.jfr $shop
"$jfrec" stop --name yaml -o yaml.jfr $shop >/dev/null
dumps_to()      # FILE
{
	"$jfrec" jcmd $shop JFR.dump name=day "filename=$1"
}

ln -s own.jfr own
works 'a link of its user is written through, as by a JVM' dumps_to "$work/own"
works 'and stays' [ -h own -a -s own.jfr ]
works 'a device is written to' dumps_to /dev/null
if [ "$(id -u)" -eq 0 ]; then
	echo precious >precious
	ln -s precious foreign
	chown -h 4194397 foreign
	dumps_to "$work/foreign" >answer 2>&1
	works 'a link of somebody else is not' grep -q 'Operation not permitted' answer
	works 'and what it leads to is as it was' [ "$(cat precious)" = precious ]
fi
works 'jfrec views it' says 'Order  ' "$jfrec" view events-by-count $shop
works 'jfrec streams it' sh -c 'timeout 100 "$1" stream --events shop.Stock --for 2s --ndjson "$2" | grep -q articles' sh "$jfrec" $shop
works 'jfrec takes it for what it is' says 'a native program with libjfrec-recorder' "$jfrec" doctor $shop
# What a shell starts in the background ignores SIGQUIT.
works 'jfrec finds nothing wrong with it' sh -c '! grep -vE "^(ok|Process|note *signal| ) " answer' sh
works 'jfrec asks as jcmd does' says 'JDK 25' "$jfrec" jcmd $shop VM.version

for home in ${JFREC_TEST_HOMES:-/usr/lib/jvm/*-[0-9]*}; do
	[ -x "$home/bin/jcmd" ] && [ ! -h "$home" ] || continue
	label=${home##*/}
	works 'jcmd -l lists it' says "^$shop .*$program" "$home/bin/jcmd" -l
	works 'jps lists it' says "^$shop .*$program" "$home/bin/jps"
	works 'jcmd checks by pid' says 'Recording 1: name=day maxsize=250.0MB \(running\)' "$home/bin/jcmd" $shop JFR.check
	works 'jcmd starts by name' says 'Started recording [0-9]+.' "$home/bin/jcmd" $program JFR.start name=jdk settings=profile
	works 'jcmd dumps' says 'Dumped recording "jdk", .* written to:' "$home/bin/jcmd" $shop JFR.dump name=jdk "filename=$work/$label.jfr"
	works 'jcmd stops' says 'Stopped recording "jdk".' "$home/bin/jcmd" $shop JFR.stop name=jdk
	works 'jcmd helps' says 'JFR.start' "$home/bin/jcmd" $shop help
	works 'jcmd shows its properties' says 'jdk.jfr.repository=' "$home/bin/jcmd" $shop VM.system_properties
	# That of JDK 8, which has no jmod, is a debugger that looks for tables of HotSpot.
	if [ -x "$home/bin/jmod" ]; then
		works 'jinfo shows its properties' says 'jdk.jfr.repository=' "$home/bin/jinfo" -sysprops $shop
	fi
	works 'the dump can be read' "$jfrec" summary "$work/$label.jfr"
	any=yes
done
label=
[ -n "$any" ] || result ok 'JDKs reach it # SKIP no JDK in /usr/lib/jvm'
works 'it has survived all that' kill -0 $shop
finish
