#!/bin/sh
# Time zones by name, where the system knows them and where it does not: a static jfrec in an
# empty container has no tzdata.
#
# usage: zones.sh JFREC SOURCE_ROOT

LC_ALL=C
export LC_ALL
jfrec=$(realpath "$1")
recording=$(cd "$2" && pwd)/tests/data/ok/jvm-17.jfr
. "$2/tests/cli/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit

shows()         # ZONE OFFSET: as the times of events have it
{
	$apart "$jfrec" print --ndjson --tz "$1" --events GCPhasePauseLevel1 "$recording" >out 2>err &&
		grep -q "\"startTime\":\"[-0-9T:.]*$2\"" out || { cat err; head -c 300 out; return 1; }
}

refuses()       # ZONE SENTENCE
{
	$apart "$jfrec" print --tz "$1" "$recording" >out 2>err
	[ $? -eq 2 ] && [ ! -s out ] && grep -qF "jfrec print: unknown time zone $1; $2" err || { cat err; return 1; }
}

tells()         # ZONE SENTENCE: of TZ, on standard error alone
{
	TZ=$1 $apart "$jfrec" summary "$recording" >out 2>err && [ -s out ] &&
		[ "$(cat err)" = "${2:+jfrec: the time zone of TZ, $1, is not known here: $2; local times are in UTC}" ] ||
		{ cat err; return 1; }
}

zones=/usr/share/zoneinfo

apart=
works 'UTC' shows UTC Z
works 'an offset' shows +05:30 +05:30
if [ -e $zones/Asia/Kolkata ]; then
	works 'a name' shows Asia/Kolkata +05:30
	works 'TZ: a name' tells Asia/Kolkata ''
	works 'TZ: no such name' tells Mars/Crater "$zones has none of that name"
	works 'no such name' refuses Mars/Crater 'write UTC, +05:30 or Europe/Berlin'
else
	result ok 'a name # SKIP no tzdata'
fi

# As in a root without it.
without_tzdata()        # COMMAND...
{
	unshare --mount sh -ec 'mount -t tmpfs none /usr/share; exec "$@"' sh "$@"
}

if [ "$(id -u)" -ne 0 ]; then
	result ok 'without tzdata # SKIP needs root'
elif ! without_tzdata true 2>err; then
	result ok "without tzdata # SKIP $(head -n 1 err)"
else
	apart=without_tzdata
	works 'without tzdata: UTC' shows UTC Z
	works 'without tzdata: TZ says what the zone is' tells CET-1CEST ''
	works 'without tzdata: TZ names a zone' tells Europe/Berlin "this system has no tzdata ($zones)"
	works 'without tzdata: an offset' shows +05:30 +05:30
	works 'without tzdata: a name' refuses Europe/Berlin \
		'this system has no tzdata (/usr/share/zoneinfo), so write UTC or an offset such as +05:30'
fi
finish
