#!/bin/sh
# Secrets that a program plants, from its environment to its children, are in no recording
# after scrub; what is no secret stays, and the JDK's own tool reads the rest.
#
# usage: secrets.sh JFREC SOURCE_ROOT [JAVA_HOME...]
#
# With JFREC_TEST_TABLE=1 what is left of each kind is printed.

jfrec=$(realpath "$1")
source=$(realpath "$2")
shift 2
. "$source/tests/cli/tap.sh"
work=$(mktemp -d "${TMPDIR:-/tmp}/jfrec-secrets-XXXXXX") || exit
trap 'rm -rf "$work"' EXIT
cd "$work" || exit

# JDKs before 17 have fewer of these events.
if [ $# -eq 0 ]; then
	for home in /usr/lib/jvm/*; do
		[ -x "$home/bin/javac" ] && [ ! -L "$home" ] || continue
		"$home/bin/javac" -version 2>&1 | grep -qE ' (1[7-9]|[2-9][0-9])' && set -- "$@" "$home"
	done
fi
if [ $# -eq 0 ]; then
	result ok 'secrets # SKIP no JDK from 17 on'
	finish
fi

keep=-XX:FlightRecorderOptions:redact-argument=none,redact-key=none

plant()         # HOME: planted.jfr
{
	rm -rf planted.jfr files
	mkdir files
	java=$1/bin/java
	# JDKs from 27 on take some out themselves, and then nobody can know what a copy of these is.
	set --
	! "$java" $keep -version >/dev/null 2>&1 || set -- $keep
	"$java" -cp . Secrets properties >properties
	while IFS= read -r line; do
		set -- "$@" "$line"
	done <properties
	set -- "$@" -XX:StartFlightRecording:filename=planted.jfr,settings=profile,+jdk.JavaExceptionThrow#enabled=true,+jdk.FileWrite#threshold=0ms,+jdk.SocketRead#threshold=0ms -cp . Secrets files
	"$java" -cp . Secrets arguments >arguments
	while IFS= read -r line; do
		set -- "$@" "$line"
	done <arguments
	"$java" -cp . Secrets env >environment
	(
		while IFS= read -r line; do
			export "${line%%=*}=${line#*=}"
		done <environment
		exec "$java" "$@"
	)
}

# Of the list what is in a recording.
left()          # RECORDING
{
	while IFS='	' read -r kind secret; do
		LC_ALL=C grep -aqF -e "$secret" "$1" && echo "$kind"
	done <list
}

for home; do
	jdk=$(basename "$home")
	rm -f ./*.class
	"$home/bin/javac" -d . "$source/tests/live/Secrets.java" >out 2>&1
	"$home/bin/java" -cp . Secrets list >list
	plant "$home" >out 2>&1
	works "$jdk: a recording" [ -s planted.jfr ]
	left planted.jfr >there
	works "$jdk: nearly all are in it" [ "$(wc -l <there)" -ge 65 ]
	works "$jdk: scrub" "$jfrec" scrub planted.jfr -o clean.jfr --force
	left clean.jfr >survivors
	[ -z "$JFREC_TEST_TABLE" ] || echo "# $jdk: $(wc -l <list) planted, $(wc -l <there) recorded, $(wc -l <survivors) left: $(paste -sd, survivors)"
	works "$jdk: none is left" sh -c 'cat survivors; ! [ -s survivors ]'
	works "$jdk: the same events" [ "$("$jfrec" print --count planted.jfr)" = "$("$jfrec" print --count clean.jfr)" ]
	works "$jdk: methods stay" sh -c '"$1" print --events JavaExceptionThrow clean.jfr | grep -q "Secrets.checkPassword"' sh "$jfrec"
	works "$jdk: ordinary texts stay" sh -c '"$1" print --events app.Note clean.jfr | grep -q "from a thread"' sh "$jfrec"
	works "$jdk: the JDK's tool reads it" "$home/bin/jfr" summary clean.jfr
	works "$jdk: and prints it" sh -c '"$1" print clean.jfr >printed && grep -q checkPassword printed' sh "$home/bin/jfr"
done
finish
